//! Memory of the buffer pool that Python reads in place.

use std::{ffi::c_int, mem, ops::Deref, sync::Arc};

use jvmwire_codec::buffer_pool;
use pyo3::{
    exceptions::PyMemoryError,
    ffi,
    prelude::*,
    types::{PyBytes, PyMemoryView},
};

use super::bytes_builder::{UninitWriter, signed};

/// Bytes in memory of the buffer pool, shared with Python read-only; they are written only while there is no
/// other reference.
pub(crate) struct SharedBytes(Arc<Pooled>);

impl SharedBytes {
    /// Allocates `most` bytes and keeps the first of them: the number that `fill` returns after writing, at
    /// most `most`.
    pub(crate) fn new(
        most: usize,
        fill: impl FnOnce(&mut UninitWriter<'_>) -> usize,
    ) -> PyResult<Self> {
        let mut bytes = if most <= buffer_pool::MAX_POOL_BYTES {
            buffer_pool::take_vec(most)
        } else {
            Vec::new()
        };
        if bytes.try_reserve_exact(most).is_err() {
            return Err(PyMemoryError::new_err(format!("no memory for blocks of {most} bytes")));
        }
        let mut room = UninitWriter::new(&mut bytes.spare_capacity_mut()[..most]);
        let wanted = fill(&mut room);
        let len = wanted.min(most - room.left());
        // SAFETY: a room is written to from its front on, up to what is left of it.
        unsafe { bytes.set_len(len) };
        if !buffer_pool::is_poolable(&bytes) {
            bytes.shrink_to_fit();
        }
        Ok(Self(Arc::new(Pooled(buffer_pool::shrink(bytes)))))
    }

    /// Returns the bytes for writing; existing readers keep the previous contents.
    pub(crate) fn edit(&mut self) -> &mut [u8] {
        &mut Arc::make_mut(&mut self.0).0
    }

    /// Exports the bytes to Python: few as a copy, many as a read-only view without a copy.
    pub(crate) fn share<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if self.len() < WORTH_SHARING {
            return Ok(PyBytes::new(py, self).into_any());
        }
        let owner = Bound::new(py, Reader(Arc::clone(&self.0)))?;
        Ok(PyMemoryView::from(owner.as_any())?.into_any())
    }
}

impl Deref for SharedBytes {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        &self.0.0
    }
}

/// Memory that returns to the buffer pool when it is dropped.
struct Pooled(Vec<u8>);

impl Clone for Pooled {
    fn clone(&self) -> Self {
        let mut bytes = buffer_pool::take_vec(self.0.len());
        bytes.extend_from_slice(&self.0);
        Self(bytes)
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        buffer_pool::recycle(mem::take(&mut self.0));
    }
}

/// Python object that owns the memory of a view of [`SharedBytes`].
#[pyclass(module = "jvmwire._core", frozen)]
struct Reader(Arc<Pooled>);

#[pymethods]
impl Reader {
    /// # Safety
    /// Python makes the call, with a `Py_buffer` to fill.
    unsafe fn __getbuffer__(
        slf: &Bound<'_, Self>,
        view: *mut ffi::Py_buffer,
        flags: c_int,
    ) -> PyResult<()> {
        let bytes = &slf.get().0.0;
        let (start, len) = (bytes.as_ptr().cast_mut().cast(), signed(bytes.len()));
        // SAFETY: the caller vouches for `view`. It takes a reference to the object, which shares the bytes for as
        // long as it lives: nobody writes to them then, and who asks to write by the view is refused.
        let failed =
            unsafe { ffi::PyBuffer_FillInfo(view, slf.as_ptr(), start, len, READ_ONLY, flags) }
                != 0;
        if failed { Err(PyErr::fetch(slf.py())) } else { Ok(()) }
    }
}

const READ_ONLY: c_int = 1;

/// Minimum number of bytes that are shared as a view; fewer are faster to copy. (Chosen by jvmwire.)
const WORTH_SHARING: usize = 32 << 10;
