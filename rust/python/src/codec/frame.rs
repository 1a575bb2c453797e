//! Length-prefixed frames and lines.

use std::ops::Range;

use arrow_array::{Array as _, types::Int64Type};
use jvmwire_codec::{
    DecodeError, SimdLevel,
    frame::{self, BinaryColumn, Frames, Input, Views},
};
use pyo3::{Borrowed, IntoPyObjectExt, prelude::*, types::PyBytes};

use super::{Array, Limit, byte_order_named, make_of_part_at, written};
use crate::{
    error::PyCoreError,
    ffi::{
        ArrowInput, BytesInput, FastResult, binary_views, into_arrow_buffer, method, method_at,
        peek,
    },
};

/// Format of the frames of a stream: length-prefixed, lines, or Storm's messages.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct Framing {
    how: How,
    limit: usize,
}

#[derive(Clone, Copy)]
enum How {
    Length(frame::Framing),
    Lines,
    EndMessages,
}

type Scanned = (Array, Array, usize);

#[pymethods]
impl Framing {
    /// Returns the format of frames with a length of 32 bits before the payload.
    ///
    /// Args:
    ///     `byte_order`: The byte order of the length, `big` (the default) or `little`.
    ///     `includes_itself`: Whether the length counts its own 4 bytes; False by default.
    ///     limit: Maximum bytes of a payload, `MESSAGE_LIMIT` by default.
    #[staticmethod]
    #[pyo3(signature = (*, byte_order="big", includes_itself=false, limit=Limit::MESSAGE))]
    fn length(byte_order: &str, includes_itself: bool, limit: Limit) -> Result<Self, PyCoreError> {
        let framing = frame::Framing::of_order(byte_order_named(byte_order)?);
        let framing = if includes_itself { framing.including_itself() } else { framing };
        Ok(Self { how: How::Length(framing), limit: limit.0 })
    }

    /// Returns the format of lines as Java reads them: ended by `\n`, `\r\n` or a lone `\r`.
    ///
    /// Lines are encoded with `\n`.
    ///
    /// Args:
    ///     limit: Maximum bytes of a line, `MESSAGE_LIMIT` by default.
    #[staticmethod]
    #[pyo3(signature = (*, limit=Limit::MESSAGE))]
    fn lines(limit: Limit) -> Self {
        Self { how: How::Lines, limit: limit.0 }
    }

    /// Returns the format of Storm's subprocesses: lines, followed by a line `end`.
    ///
    /// Args:
    ///     limit: Maximum bytes of a message, `MESSAGE_LIMIT` by default.
    #[staticmethod]
    #[pyo3(signature = (*, limit=Limit::MESSAGE))]
    fn end_messages(limit: Limit) -> Self {
        Self { how: How::EndMessages, limit: limit.0 }
    }

    /// Maximum bytes of a payload.
    #[getter]
    fn limit(&self) -> usize {
        self.limit
    }

    #[classattr]
    fn encode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method(py, "encode", "payload", "Encodes one frame.", Self::encode_one)
    }

    #[classattr]
    fn decode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method_at(
            py,
            "decode",
            "Decodes the frame at an offset; returns its payload and the offset of its end, None if it is incomplete.",
            Self::decode_one,
        )
    }

    /// Encodes a column of payloads as frames, one after the other.
    ///
    /// Args:
    ///     payloads: An Arrow array of type binary, without nulls.
    ///
    /// Returns:
    ///     The bytes of all frames.
    ///
    /// Raises:
    ///     `ValueError`: a payload is null, too long, or contains the delimiter.
    ///     `TypeError`: the array has another type.
    #[pyo3(signature = (payloads, /))]
    fn encode_all<'py>(
        &self,
        py: Python<'py>,
        payloads: ArrowInput,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let payloads = payloads.binary()?;
        written(py, payloads.value_data().len() + 8 * payloads.len(), |wire| {
            for (index, payload) in payloads.iter().flatten().enumerate() {
                self.how.encode(payload, wire).map_err(|error| error.at(index))?;
            }
            Ok(())
        })
    }

    /// Copies the payloads of all complete frames into an Arrow array.
    ///
    /// Args:
    ///     data: The bytes, whose first frame begins at 0.
    ///
    /// Returns:
    ///     A binary array of the payloads, and the number of bytes that their frames take.
    ///
    /// Raises:
    ///     `DecodeError`: a length is invalid or exceeds `limit`.
    #[pyo3(signature = (data, /))]
    fn decode_all(
        &self,
        py: Python<'_>,
        data: BytesInput<'_, '_>,
    ) -> Result<(Array, usize), PyCoreError> {
        let (packed, consumed) = data.read_detached(py, |data| self.how.pack(data, self.limit))?;
        Ok((Array::binary(packed), consumed))
    }

    /// Returns the payloads of all complete frames as views of the data, without copying.
    ///
    /// The array keeps the data alive; buffers that other threads can write to are copied first.
    ///
    /// Args:
    ///     data: The bytes, whose first frame begins at 0.
    ///
    /// Returns:
    ///     A binary view array of the payloads, and the number of bytes that their frames take.
    ///
    /// Raises:
    ///     `DecodeError`: a length is invalid or exceeds `limit`.
    #[pyo3(signature = (data, /))]
    fn view_all(&self, data: &Bound<'_, PyAny>) -> Result<(Array, usize), PyCoreError> {
        let bytes = into_arrow_buffer(data)?;
        let look = || binary_views(&bytes, |bytes| self.how.views(bytes, self.limit));
        let (payloads, consumed) = data.py().detach(look)?;
        Ok((Array::new(payloads), consumed))
    }

    /// Finds all complete frames.
    ///
    /// Args:
    ///     data: The bytes, whose first frame begins at 0.
    ///
    /// Returns:
    ///     Two int64 arrays with the start and the end of each payload, and the number of bytes
    ///     that the frames take.
    ///
    /// Raises:
    ///     `DecodeError`: a length is invalid or exceeds `limit`.
    #[pyo3(signature = (data, /))]
    fn scan(&self, py: Python<'_>, data: BytesInput<'_, '_>) -> Result<Scanned, PyCoreError> {
        let scan = data.read_detached(py, |data| self.how.scan(data, self.limit))?;
        let (starts, ends) = places(&scan.payloads);
        Ok((starts, ends, scan.consumed))
    }

    /// Returns a new incremental decoder of this format.
    fn decoder(&self) -> FrameDecoder {
        let limit = self.limit;
        FrameDecoder(match self.how {
            How::Length(framing) => Cutter::Length(frame::FrameDecoder::with(framing, limit)),
            How::Lines => Cutter::Lines(frame::LineDecoder::new(limit)),
            How::EndMessages => Cutter::EndMessages(frame::MessageDecoder::new(limit)),
        })
    }
}

impl Framing {
    fn encode_one<'py>(&self, payload: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
        let wire = peek(payload, |payload| {
            let mut wire = Vec::with_capacity(payload.len() + 8);
            self.how.encode(payload, &mut wire).map(|()| wire)
        })?;
        Ok(PyBytes::new(payload.py(), &wire?).into_any())
    }

    fn decode_one<'py>(
        &self,
        data: Borrowed<'_, 'py, PyAny>,
        offset: Option<Borrowed<'_, 'py, PyAny>>,
    ) -> FastResult<'py> {
        let py = data.py();
        let find = |bytes: &[u8], at| {
            let front = self.how.front(bytes, self.limit);
            let front = front.map_err(|error| PyCoreError::from(error.moved(at)))?;
            Ok(front.map_or((None, 0..0), |(payload, len)| (Some(len), payload)))
        };
        make_of_part_at(data, offset, find, |len, payload, at| {
            let found = len.map(|len| (PyBytes::new(py, payload), at + len));
            Ok(found.into_bound_py_any(py)?)
        })
    }
}

impl How {
    fn encode(self, payload: &[u8], wire: &mut Vec<u8>) -> Result<(), PyCoreError> {
        match self {
            Self::Length(framing) => Ok(framing.encode(0, payload, wire)?),
            Self::Lines => Ok(frame::encode_line(payload, wire)?),
            Self::EndMessages => Ok(frame::encode_message(payload, wire)?),
        }
    }

    fn front(
        self,
        bytes: &[u8],
        limit: usize,
    ) -> Result<Option<(Range<usize>, usize)>, DecodeError> {
        match self {
            Self::Length(framing) => Ok(framing.front(bytes, limit)?.map(|header| {
                let end = header.len + header.payload_len;
                (header.len..end, end)
            })),
            Self::Lines => frame::first_line(bytes, Input::Open, limit),
            Self::EndMessages => frame::first_message(bytes, Input::Open, limit),
        }
    }

    fn scan(self, bytes: &[u8], limit: usize) -> Result<frame::Scan, DecodeError> {
        match self {
            Self::Length(framing) => frame::scan(bytes, framing, limit),
            Self::Lines => frame::scan_lines(bytes, Input::Open, limit),
            Self::EndMessages => frame::scan_messages(bytes, Input::Open, limit),
        }
    }

    fn views(self, bytes: &[u8], limit: usize) -> Result<Views, PyCoreError> {
        if let Self::Length(framing) = self {
            return Ok(Views::of_frames(bytes, framing, limit)?);
        }
        let scan = self.scan(bytes, limit)?;
        Ok(Views::of_payloads(bytes, &scan.payloads, scan.consumed)?)
    }

    fn pack(self, bytes: &[u8], limit: usize) -> Result<(BinaryColumn, usize), DecodeError> {
        if let Self::Length(framing) = self {
            let mut frames = Frames::default();
            let consumed =
                frame::scan_compact(bytes, framing, limit, &mut frames, SimdLevel::current())?;
            return Ok((frames.payloads, consumed));
        }
        let scan = self.scan(bytes, limit)?;
        let mut packed = BinaryColumn::new();
        let count = frame::compact(bytes, &scan.payloads, &mut packed);
        Ok((packed, scan.payloads.get(count).map_or(scan.consumed, |next| next.start)))
    }
}

/// Returns the start and end offsets of the payloads.
pub(super) fn places(payloads: &[Range<usize>]) -> (Array, Array) {
    // No buffer is longer than 2^63 bytes.
    let column = |of: fn(&Range<usize>) -> usize| {
        let places = payloads.iter().map(|it| i64::try_from(of(it)).unwrap_or(i64::MAX));
        Array::numbers::<Int64Type>(places.collect())
    };
    (column(|it| it.start), column(|it| it.end))
}

/// Incremental decoder of the frames of a stream.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct FrameDecoder(Cutter);

enum Cutter {
    Length(frame::FrameDecoder),
    Lines(frame::LineDecoder),
    EndMessages(frame::MessageDecoder),
}

/// Evaluates the second argument with the decoder that the first argument contains.
macro_rules! each {
    ($cutter:expr, $decoder:ident => $does:expr) => {
        match $cutter {
            Cutter::Length($decoder) => $does,
            Cutter::Lines($decoder) => $does,
            Cutter::EndMessages($decoder) => $does,
        }
    };
}

#[pymethods]
impl FrameDecoder {
    /// Appends the next bytes of the stream, in chunks of any size.
    ///
    /// Args:
    ///     data: The bytes.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: BytesInput<'_, '_>) {
        data.peek(|data| each!(&mut self.0, decoder => decoder.feed(data)));
    }

    /// Ends the stream.
    ///
    /// A last line, and Storm's `end`, need no line end; other incomplete frames become errors.
    fn finish(&mut self) {
        each!(&mut self.0, decoder => decoder.finish());
    }

    /// Takes the payload of the next complete frame, or None if more must be fed.
    ///
    /// Raises:
    ///     `DecodeError`: the frame is malformed, exceeds the limit, or is cut off by the end.
    fn next_frame<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<Bound<'py, PyBytes>>, PyCoreError> {
        let payload = match &mut self.0 {
            Cutter::Length(decoder) => decoder.next_frame(),
            Cutter::Lines(decoder) => decoder.next_line(),
            Cutter::EndMessages(decoder) => decoder.next_message(),
        };
        Ok(payload?.map(|payload| PyBytes::new(py, payload)))
    }

    /// Takes the payloads of all complete frames, as a binary array.
    ///
    /// Raises:
    ///     `DecodeError`: the first remaining frame is malformed, exceeds the limit, or is cut off.
    fn next_batch(&mut self, py: Python<'_>) -> Result<Array, PyCoreError> {
        let mut frames = Frames::default();
        py.detach(|| match &mut self.0 {
            Cutter::Length(decoder) => decoder.next_batch(&mut frames, SimdLevel::current()),
            Cutter::Lines(decoder) => decoder.next_batch(&mut frames.payloads),
            Cutter::EndMessages(decoder) => decoder.next_batch(&mut frames.payloads),
        })?;
        Ok(Array::binary(frames.payloads))
    }

    /// Number of bytes that wait for the rest of their frame.
    #[getter]
    fn buffered(&self) -> usize {
        each!(&self.0, decoder => decoder.buffered())
    }
}
