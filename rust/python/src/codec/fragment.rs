//! Reassembly of fragmented messages.

use std::num::NonZeroUsize;

use arrow_array::{
    Array as _,
    types::{Int64Type, UInt8Type},
};
use jvmwire_codec::{
    DecodeError, DecodeErrorKind,
    fragment::{self, FragmentKind, Limits, split_hazelcast, split_pravega},
    frame::BinaryColumn,
};
use pyo3::{Borrowed, exceptions::PyValueError, prelude::*, types::PyBytes};

use super::{
    Array, Limit, integer,
    pieces::{Piece, Pieces, as_one, copied},
    same_len,
};
use crate::{
    error::PyCoreError,
    ffi::{ArrowInput, BytesInput},
};

/// Assembler of the fragments of one stream, as early Pravega sends them.
///
/// Args:
///     limit: Maximum bytes of a message, `MESSAGE_LIMIT` by default.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct StreamAssembler(fragment::StreamAssembler<Pieces>);

type Fragments<'py> = Vec<(u8, Bound<'py, PyBytes>)>;

#[pymethods]
impl StreamAssembler {
    #[new]
    #[pyo3(signature = (*, limit=Limit::MESSAGE))]
    fn new(limit: Limit) -> Self {
        Self(fragment::StreamAssembler::gathering(limit.0))
    }

    /// Splits a message into fragments of at most `size` bytes.
    ///
    /// Args:
    ///     message: The bytes of the message.
    ///     size: Maximum bytes of a fragment.
    ///
    /// Returns:
    ///     Pairs of flag and fragment.
    ///
    /// Raises:
    ///     `ValueError`: `size` is not positive.
    #[staticmethod]
    #[pyo3(signature = (message, size, /))]
    fn split<'py>(py: Python<'py>, message: BytesInput<'_, '_>, size: Size) -> Fragments<'py> {
        message.read(|message| as_bytes(py, split_pravega(message, size.0)))
    }

    /// Splits a binary column of messages into fragments of at most `size` bytes.
    ///
    /// Args:
    ///     messages: A binary array, without nulls.
    ///     size: Maximum bytes of a fragment.
    ///
    /// Returns:
    ///     A uint8 array of the flags, and a binary array of the fragments.
    #[staticmethod]
    #[pyo3(signature = (messages, size, /))]
    fn split_all(py: Python<'_>, messages: ArrowInput, size: Size) -> PyResult<(Array, Array)> {
        let messages = messages.binary()?;
        let fragments = messages.iter().flatten().map(|it| split_pravega(it, size.0));
        let (flags, pieces) = py.detach(|| columns(fragments.flatten()))?;
        Ok((Array::numbers::<UInt8Type>(flags), Array::binary(pieces)))
    }

    /// Adds a fragment.
    ///
    /// Args:
    ///     flag: The flag of the fragment: 0 begins a message, 1 continues it, 2 ends it.
    ///     fragment: The bytes of the fragment.
    ///
    /// Returns:
    ///     The message if this fragment completes it, else None.
    ///
    /// Raises:
    ///     `DecodeError`: the flag is invalid at this point, or the message exceeds the limit.
    #[pyo3(signature = (flag, fragment, /))]
    fn push<'py>(
        &mut self,
        py: Python<'py>,
        flag: &Bound<'py, PyAny>,
        fragment: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let flag = integer(flag, "a byte")?;
        Piece::read(fragment, |piece| {
            let joined = self.0.gather_pravega(flag, piece).map_err(PyCoreError::from)?;
            joined.map(|message| as_one(py, message)).transpose()
        })
    }

    /// Adds columns of flags (uint8) and fragments (binary).
    ///
    /// Args:
    ///     flags: A uint8 array, without nulls.
    ///     fragments: A binary array of the same length, without nulls.
    ///
    /// Returns:
    ///     A binary array of the messages that they complete.
    ///
    /// Raises:
    ///     `DecodeError`: a flag is invalid at its point, or a message exceeds the limit.
    ///     `ValueError`: the arrays differ in length.
    #[pyo3(signature = (flags, fragments, /))]
    fn push_all(
        &mut self,
        py: Python<'_>,
        flags: ArrowInput,
        fragments: ArrowInput,
    ) -> PyResult<Array> {
        let (flags, fragments) = (flags.numbers::<UInt8Type>()?.values(), fragments.binary()?);
        same_len(&[flags.len(), fragments.len()])?;
        self.0.message().copy_kept(py);
        let messages = py.detach(|| {
            let mut messages = BinaryColumn::new();
            for (flag, fragment) in flags.iter().zip(fragments.iter().flatten()) {
                if let Some(message) = self.0.gather_pravega(*flag, Piece::from(fragment))? {
                    keep(copied(&message), &mut messages)?;
                }
            }
            Ok::<_, PyCoreError>(messages)
        });
        Ok(Array::binary(messages?))
    }

    /// Checks that the stream ended at the end of a message.
    ///
    /// Raises:
    ///     `DecodeError`: a message is incomplete.
    fn finish(&self) -> Result<(), PyCoreError> {
        Ok(self.0.finish()?)
    }

    /// Number of bytes that wait for the rest of their message.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

/// Assembler of fragments with the id of their message, as Hazelcast sends them.
///
/// Args:
///     limit: Maximum bytes of a message, `MESSAGE_LIMIT` by default.
///     `total_limit`: Maximum bytes of all incomplete messages, 256 MiB by default.
///     `open_limit`: Maximum number of incomplete messages, 65,536 by default.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct KeyedAssembler(fragment::Reassembler<Pieces>);

#[pymethods]
impl KeyedAssembler {
    #[new]
    #[pyo3(signature = (*, limit=Limit::MESSAGE, total_limit=Limit::TOTAL, open_limit=Limit::OPEN))]
    fn new(limit: Limit, total_limit: Limit, open_limit: Limit) -> Self {
        let limits = Limits { message: limit.0, total: total_limit.0, open: open_limit.0 };
        Self(fragment::Reassembler::gathering(limits))
    }

    /// Splits a message into fragments of at most `size` bytes.
    ///
    /// Args:
    ///     message: The bytes of the message.
    ///     size: Maximum bytes of a fragment.
    ///
    /// Returns:
    ///     Pairs of flags and fragment.
    ///
    /// Raises:
    ///     `ValueError`: `size` is not positive.
    #[staticmethod]
    #[pyo3(signature = (message, size, /))]
    fn split<'py>(py: Python<'py>, message: BytesInput<'_, '_>, size: Size) -> Fragments<'py> {
        message.read(|message| as_bytes(py, split_hazelcast(message, size.0)))
    }

    /// Splits a binary column of messages into fragments of at most `size` bytes.
    ///
    /// Args:
    ///     ids: An int64 array of the correlation ids.
    ///     messages: A binary array of the same length.
    ///     size: Maximum bytes of a fragment.
    ///
    /// Returns:
    ///     An int64 array of the ids, a uint8 array of the flags, and a binary array of the
    ///     fragments.
    #[staticmethod]
    #[pyo3(signature = (ids, messages, size, /))]
    fn split_all(
        py: Python<'_>,
        ids: ArrowInput,
        messages: ArrowInput,
        size: Size,
    ) -> PyResult<(Array, Array, Array)> {
        let (ids, messages) = (ids.numbers::<Int64Type>()?.values(), messages.binary()?);
        same_len(&[ids.len(), messages.len()])?;
        let fragments = ids.iter().zip(messages.iter().flatten()).flat_map(|(id, message)| {
            split_hazelcast(message, size.0).map(|(flags, piece)| ((*id, flags), piece))
        });
        let (marks, pieces) = py.detach(|| columns(fragments))?;
        let (ids, flags) = marks.into_iter().unzip();
        Ok((
            Array::numbers::<Int64Type>(ids),
            Array::numbers::<UInt8Type>(flags),
            Array::binary(pieces),
        ))
    }

    /// Adds a fragment.
    ///
    /// Args:
    ///     `correlation_id`: The id of the fragment's message.
    ///     flags: The flags of its header, a byte.
    ///     fragment: The bytes of the fragment.
    ///
    /// Returns:
    ///     The message if this fragment completes it, else None.
    ///
    /// Raises:
    ///     `DecodeError`: the fragment is invalid at this point, or a limit is exceeded.
    #[pyo3(signature = (correlation_id, flags, fragment, /))]
    fn push<'py>(
        &mut self,
        py: Python<'py>,
        correlation_id: &Bound<'py, PyAny>,
        flags: &Bound<'py, PyAny>,
        fragment: &Bound<'py, PyAny>,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let id = integer(correlation_id, "an int64")?;
        let part = FragmentKind::from_hazelcast(integer(flags, "a byte")?);
        Piece::read(fragment, |piece| {
            let joined = self.0.gather(id, part, piece).map_err(PyCoreError::from)?;
            joined.map(|message| as_one(py, message)).transpose()
        })
    }

    /// Adds columns of ids (int64), flags (uint8) and fragments (binary).
    ///
    /// Args:
    ///     ids: An int64 array of the correlation ids, without nulls.
    ///     flags: A uint8 array of the same length, without nulls.
    ///     fragments: A binary array of the same length, without nulls.
    ///
    /// Returns:
    ///     An int64 array of the ids and a binary array of the messages that they complete.
    ///
    /// Raises:
    ///     `DecodeError`: a fragment is invalid at its point, or a limit is exceeded.
    ///     `ValueError`: the arrays differ in length.
    #[pyo3(signature = (ids, flags, fragments, /))]
    fn push_all(
        &mut self,
        py: Python<'_>,
        ids: ArrowInput,
        flags: ArrowInput,
        fragments: ArrowInput,
    ) -> PyResult<(Array, Array)> {
        let ids = ids.numbers::<Int64Type>()?.values();
        let (flags, fragments) = (flags.numbers::<UInt8Type>()?.values(), fragments.binary()?);
        same_len(&[ids.len(), flags.len(), fragments.len()])?;
        for message in self.0.open_messages() {
            message.copy_kept(py);
        }
        let whole = py.detach(|| {
            let (mut whole, mut messages) = (Vec::new(), BinaryColumn::new());
            for ((id, flags), fragment) in ids.iter().zip(flags).zip(fragments.iter().flatten()) {
                let part = FragmentKind::from_hazelcast(*flags);
                if let Some(message) = self.0.gather(*id, part, Piece::from(fragment))? {
                    keep(copied(&message), &mut messages)?;
                    whole.push(*id);
                }
            }
            Ok::<_, PyCoreError>((whole, messages))
        });
        let (whole, messages) = whole?;
        Ok((Array::numbers::<Int64Type>(whole), Array::binary(messages)))
    }

    /// Discards the fragments of an incomplete message.
    ///
    /// Args:
    ///     `correlation_id`: The id of the message.
    #[pyo3(signature = (correlation_id, /))]
    fn forget(&mut self, correlation_id: &Bound<'_, PyAny>) -> PyResult<()> {
        self.0.forget(integer(correlation_id, "an int64")?);
        Ok(())
    }

    /// Number of incomplete messages.
    #[getter]
    fn open(&self) -> usize {
        self.0.open()
    }

    /// Number of bytes that wait for the rest of their messages.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

/// Maximum number of bytes of a fragment.
#[derive(Clone, Copy)]
struct Size(NonZeroUsize);

impl<'py> FromPyObject<'_, 'py> for Size {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let size = integer(&object, "a size")?;
        let size = NonZeroUsize::new(size).map(Self);
        size.ok_or_else(|| PyValueError::new_err("a fragment cannot be of 0 bytes"))
    }
}

fn as_bytes<'py, 'a>(
    py: Python<'py>,
    fragments: impl Iterator<Item = (u8, &'a [u8])>,
) -> Fragments<'py> {
    fragments.map(|(flags, piece)| (flags, PyBytes::new(py, piece))).collect()
}

/// Collects the flags of the fragments and, concatenated, their bytes.
fn columns<'a, M>(
    fragments: impl Iterator<Item = (M, &'a [u8])>,
) -> Result<(Vec<M>, BinaryColumn), PyCoreError> {
    let (mut marks, mut pieces) = (Vec::new(), BinaryColumn::new());
    for (mark, piece) in fragments {
        pieces.push(piece)?;
        marks.push(mark);
    }
    Ok((marks, pieces))
}

/// Appends a message to a binary column, whose Arrow offsets have 31 bits.
fn keep(message: &[u8], messages: &mut BinaryColumn) -> Result<(), DecodeError> {
    messages.push(message).map_err(|error| {
        let problem =
            DecodeErrorKind::OverLimit { value: error.len as u64, limit: error.max as u64 };
        problem.at("bytes of a batch of messages", 0)
    })
}
