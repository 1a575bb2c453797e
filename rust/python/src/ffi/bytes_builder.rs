//! Uninitialised memory, written before any other code can read it.

use std::{mem::MaybeUninit, ptr};

use pyo3::{ffi, prelude::*, types::PyBytes};

/// Writer of uninitialised memory, from its start.
pub(crate) struct UninitWriter<'a>(&'a mut [MaybeUninit<u8>]);

impl<'a> UninitWriter<'a> {
    pub(super) fn new(memory: &'a mut [MaybeUninit<u8>]) -> Self {
        Self(memory)
    }

    /// Number of bytes that are not written yet.
    pub(super) fn left(&self) -> usize {
        self.0.len()
    }

    /// Writes two slices, one after the other, if both fit; else nothing is written.
    #[inline]
    pub(crate) fn put(&mut self, one: &[u8], other: &[u8]) {
        let Some(len) = one.len().checked_add(other.len()).filter(|len| *len <= self.0.len())
        else {
            return;
        };
        let (target, rest) = std::mem::take(&mut self.0).split_at_mut(len);
        let (first, second) = target.split_at_mut(one.len());
        write(first, one);
        write(second, other);
        self.0 = rest;
    }

    /// Fills the rest with zeros.
    pub(crate) fn fill(&mut self) {
        std::mem::take(&mut self.0).fill(MaybeUninit::new(0));
    }
}

/// Copies bytes to uninitialised memory of the same length.
#[inline]
fn write(target: &mut [MaybeUninit<u8>], bytes: &[u8]) {
    assert_eq!(target.len(), bytes.len());
    // SAFETY: both are that long, and nobody else has the target.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), target.as_mut_ptr().cast(), bytes.len()) };
}

/// Makes a `bytes` object of `len` uninitialised bytes. Only the caller has a reference.
fn unwritten(py: Python<'_>, len: usize) -> PyResult<Py<PyBytes>> {
    // SAFETY: a null asks for bytes that are not written; the thread is attached.
    let made = unsafe { ffi::PyBytes_FromStringAndSize(ptr::null(), signed(len)) };
    // SAFETY: what comes is a new reference or null.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, made)? };
    // SAFETY: it is `bytes`.
    Ok(unsafe { made.cast_into_unchecked() }.unbind())
}

/// Converts a length to `Py_ssize_t`; an impossible length becomes a value that Python rejects.
pub(super) fn signed(len: usize) -> ffi::Py_ssize_t {
    ffi::Py_ssize_t::try_from(len).unwrap_or(ffi::Py_ssize_t::MAX)
}

fn start_of(bytes: &Py<PyBytes>) -> *mut u8 {
    // SAFETY: it is `bytes`, which lives: no more is read than where its data is.
    unsafe { ffi::PyBytes_AsString(bytes.as_ptr()) }.cast()
}

/// Builder of a `bytes` object from pieces; no other code has the object before it is complete.
pub(crate) struct BytesBuilder {
    made: Py<PyBytes>,
    filled: usize,
    len: usize,
}

impl BytesBuilder {
    /// Starts an empty object of `len` bytes.
    pub(crate) fn new(py: Python<'_>, len: usize) -> PyResult<Self> {
        Ok(Self { made: unwritten(py, len)?, filled: 0, len })
    }

    /// Appends the part of `data` that fits, and returns its number of bytes.
    pub(crate) fn put(&mut self, data: &[u8]) -> usize {
        let len = data.len().min(self.len - self.filled);
        // SAFETY: the object has `self.len` bytes.
        let target = unsafe { start_of(&self.made).add(self.filled) };
        // SAFETY: `len` bytes are there, and nobody else knows of them.
        unsafe { ptr::copy_nonoverlapping(data.as_ptr(), target, len) };
        self.filled += len;
        len
    }

    /// Number of bytes written so far.
    pub(crate) fn filled(&self) -> usize {
        self.filled
    }

    /// Returns the complete object; returns the builder if bytes are missing.
    pub(crate) fn whole(self) -> Result<Py<PyBytes>, Self> {
        if self.filled == self.len { Ok(self.made) } else { Err(self) }
    }
}
