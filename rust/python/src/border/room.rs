use std::{mem::MaybeUninit, ptr, slice};

use pyo3::{
    ffi,
    prelude::*,
    types::{PyByteArray, PyBytes},
};

/// New memory, which is written to from its front on.
pub(crate) struct Room<'a>(&'a mut [MaybeUninit<u8>]);

impl Room<'_> {
    /// Writes two pieces, one behind the other, if there is room for both; else the room stays as it is.
    #[inline]
    pub(crate) fn put(&mut self, one: &[u8], other: &[u8]) {
        let Some(len) = one.len().checked_add(other.len()).filter(|len| *len <= self.0.len())
        else {
            return;
        };
        let (target, rest) = std::mem::take(&mut self.0).split_at_mut(len);
        let target = target.as_mut_ptr().cast::<u8>();
        // SAFETY: the target is as long as both, and nobody else has what is new.
        unsafe {
            ptr::copy_nonoverlapping(one.as_ptr(), target, one.len());
            ptr::copy_nonoverlapping(other.as_ptr(), target.add(one.len()), other.len());
        }
        self.0 = rest;
    }
}

/// Makes a `bytearray` of `len` bytes, which are those that `fill` puts there, and then zeros.
///
/// Python's own way to make one that is filled later writes zeros first, all over it.
pub(crate) fn bytearray(
    py: Python<'_>,
    len: usize,
    fill: impl FnOnce(&mut Room<'_>),
) -> PyResult<Bound<'_, PyByteArray>> {
    // SAFETY: a null makes one of `len` bytes that are not written; more than there can be is refused.
    let made = unsafe {
        let len = ffi::Py_ssize_t::try_from(len).unwrap_or(ffi::Py_ssize_t::MAX);
        Bound::from_owned_ptr_or_err(py, ffi::PyByteArray_FromStringAndSize(ptr::null(), len))?
    };
    // SAFETY: it was just made, so that it is a `bytearray` and nobody else knows of it or resizes it.
    let (made, room) = unsafe {
        let start = ffi::PyByteArray_AsString(made.as_ptr()).cast::<MaybeUninit<u8>>();
        (made.cast_into_unchecked::<PyByteArray>(), slice::from_raw_parts_mut(start, len))
    };
    let mut room = Room(room);
    fill(&mut room);
    for byte in room.0 {
        byte.write(0);
    }
    Ok(made)
}

/// `bytes` that are put together from pieces; nobody has them before they are whole.
pub(crate) struct Growing {
    made: Py<PyBytes>,
    filled: usize,
    len: usize,
}

impl Growing {
    /// Begins with none of `len` bytes.
    pub(crate) fn new(py: Python<'_>, len: usize) -> PyResult<Self> {
        // SAFETY: a null makes `bytes` of that length that are not written; more than there can be is refused.
        let made = unsafe {
            let len = ffi::Py_ssize_t::try_from(len).unwrap_or(ffi::Py_ssize_t::MAX);
            let made = ffi::PyBytes_FromStringAndSize(ptr::null(), len);
            Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked::<PyBytes>()
        };
        Ok(Self { made: made.unbind(), filled: 0, len })
    }

    /// Appends as much of `data` as is missing, and returns how much that is.
    pub(crate) fn put(&mut self, data: &[u8]) -> usize {
        let len = data.len().min(self.len - self.filled);
        // SAFETY: so many bytes are behind those that are filled, and nobody else knows of them.
        unsafe {
            let start = ffi::PyBytes_AsString(self.made.as_ptr()).cast::<u8>();
            ptr::copy_nonoverlapping(data.as_ptr(), start.add(self.filled), len);
        }
        self.filled += len;
        len
    }

    /// How many there are.
    pub(crate) fn filled(&self) -> usize {
        self.filled
    }

    /// All of them; itself, if some are missing.
    pub(crate) fn whole(self) -> Result<Py<PyBytes>, Self> {
        if self.filled == self.len { Ok(self.made) } else { Err(self) }
    }
}
