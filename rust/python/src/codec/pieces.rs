//! Fragments of a message, kept as the Python objects that they came in.

use jvmwire_codec::fragment::{Accumulator, Assembled};
use pyo3::{
    intern,
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::ffi::BytesInput;

/// A fragment as Python gives it.
pub(crate) struct Piece<'a> {
    bytes: &'a [u8],
    /// It, where that is what it never changes in.
    object: Option<&'a Bound<'a, PyBytes>>,
}

impl Piece<'_> {
    /// Shows `read` a fragment that has Python's buffer protocol.
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

/// The fragments of one message: long ones as they came, so that each byte is copied once.
#[derive(Default)]
pub(crate) struct Pieces {
    /// Those that others came behind.
    kept: Vec<Py<PyBytes>>,
    /// What came behind these, in one piece.
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
    /// Has what was copied stand before what is kept next.
    fn keep_copied(&mut self, py: Python<'_>) {
        if !self.copied.is_empty() {
            let copied = std::mem::take(&mut self.copied);
            self.kept.push(PyBytes::new(py, &copied).unbind());
        }
    }

    /// Copies what is kept: nobody may look at it while other threads run.
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

    /// Returns the whole message, and lets go of its fragments.
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

/// A message that is whole, in one piece.
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

/// A message of which nothing is kept.
pub(super) fn copied<'a>(message: &'a Assembled<'_, Pieces>) -> &'a [u8] {
    match message {
        Assembled::Unfragmented(piece) => piece.bytes,
        Assembled::Accumulated(pieces) => &pieces.copied,
    }
}

/// Bytes from which on a fragment is kept as it came: what Python needs for an object is then a
/// twentieth of it at most, so that the limits bound memory. (Chosen by jvmwire.)
const WORTH_KEEPING: usize = 1 << 10;
