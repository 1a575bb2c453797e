//! Fragments of a message, kept as the Python objects in which they arrived.

use jvmwire_codec::fragment::{Accumulator, Assembled};
use pyo3::{
    intern,
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::ffi::BytesInput;

/// Fragment that the Python caller passed.
pub(crate) struct Piece<'a> {
    bytes: &'a [u8],
    /// The object that has the fragment's bytes, if it is immutable.
    object: Option<&'a Bound<'a, PyBytes>>,
}

impl Piece<'_> {
    /// Calls `read` with a fragment from an object with Python's buffer protocol.
    pub(super) fn read<R>(
        fragment: &Bound<'_, PyAny>,
        read: impl FnOnce(Piece<'_>) -> PyResult<R>,
    ) -> PyResult<R> {
        match fragment.cast_exact::<PyBytes>() {
            Ok(object) => read(Piece { bytes: object.as_bytes(), object: Some(object) }),
            Err(_) => {
                fragment.extract::<BytesInput<'_, '_>>()?.read(|bytes| read(Piece::from(bytes)))
            }
        }
    }
}

impl<'a> From<&'a [u8]> for Piece<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self { bytes, object: None }
    }
}

impl AsRef<[u8]> for Piece<'_> {
    fn as_ref(&self) -> &[u8] {
        self.bytes
    }
}

/// Fragments of one message; long fragments are kept as Python objects, so that each byte is copied only once.
#[derive(Default)]
pub(crate) struct Pieces {
    /// Fragments before `copied`.
    kept: Vec<Py<PyBytes>>,
    /// Copy of the fragments after `kept`, concatenated.
    copied: Vec<u8>,
    size: usize,
}

impl Accumulator for Pieces {
    type Fragment<'a> = Piece<'a>;

    fn size(&self) -> usize {
        self.size
    }

    fn clear(&mut self) {
        self.kept.clear();
        self.copied.clear();
        self.size = 0;
    }

    fn add(&mut self, piece: Piece<'_>, limit: usize) {
        self.size += piece.bytes.len();
        match piece.object {
            Some(object) if piece.bytes.len() >= WORTH_KEEPING => {
                self.keep_copied(object.py());
                self.kept.push(object.clone().unbind());
            }
            _ => self.copied.add(piece.bytes, limit),
        }
    }
}

impl Pieces {
    /// Moves the copied bytes to the end of `kept`, before the next object that is kept.
    fn keep_copied(&mut self, py: Python<'_>) {
        if !self.copied.is_empty() {
            let copied = std::mem::take(&mut self.copied);
            self.kept.push(PyBytes::new(py, &copied).unbind());
        }
    }

    /// Copies the kept objects: the message's memory must not refer to Python objects while other threads run.
    pub(super) fn copy_kept(&mut self, py: Python<'_>) {
        if !self.kept.is_empty() {
            let mut whole = Vec::with_capacity(self.size);
            for piece in self.kept.drain(..) {
                whole.extend_from_slice(piece.as_bytes(py));
            }
            whole.append(&mut self.copied);
            self.copied = whole;
        }
    }

    /// Returns the whole message and releases its fragments.
    fn take<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        if self.kept.is_empty() {
            return Ok(PyBytes::new(py, &self.copied));
        }
        self.keep_copied(py);
        let pieces = PyList::new(py, self.kept.drain(..))?;
        let joined = PyBytes::new(py, b"").call_method1(intern!(py, "join"), (pieces,))?;
        Ok(joined.cast_into()?)
    }
}

/// Returns a complete message as one `bytes` object.
pub(super) fn as_one<'py>(
    py: Python<'py>,
    message: Assembled<'_, Pieces>,
) -> PyResult<Bound<'py, PyBytes>> {
    match message {
        Assembled::Unfragmented(Piece { object: Some(object), .. }) => {
            Ok(object.clone().unbind().into_bound(py))
        }
        Assembled::Unfragmented(piece) => Ok(PyBytes::new(py, piece.bytes)),
        Assembled::Accumulated(pieces) => pieces.take(py),
    }
}

/// Returns the bytes of a message that has no kept objects.
pub(super) fn copied<'a>(message: &'a Assembled<'_, Pieces>) -> &'a [u8] {
    match message {
        Assembled::Unfragmented(piece) => piece.bytes,
        Assembled::Accumulated(pieces) => &pieces.copied,
    }
}

/// Minimum size of a fragment that is kept as an object (chosen by jvmwire): the memory that Python needs for
/// an object is then at most a twentieth of the fragment, so that the limits bound the memory.
const WORTH_KEEPING: usize = 1 << 10;
