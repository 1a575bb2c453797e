//! Memory of the pool that Python reads in place.

use std::{ffi::c_int, mem, ops::Deref, sync::Arc};

use jvmwire_codec::buffer_pool;
use pyo3::{
    exceptions::PyMemoryError,
    ffi,
    prelude::*,
    types::{PyBytes, PyMemoryView},
};

use super::bytes_builder::{UninitWriter, signed};

/// Bytes that Python can see, in memory of the pool; they are written to while nobody else has them.
pub(crate) struct SharedBytes(Arc<Pooled>);

impl SharedBytes {
    /// Keeps the first of what `fill` writes into room for `most` bytes: as many as it returns, if it wrote so
    /// many.
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

    /// The bytes to write to; those who see them already go on to see what there was.
    pub(crate) fn edit(&mut self) -> &mut [u8] {
        &mut Arc::make_mut(&mut self.0).0
    }

    /// The bytes for Python: a copy of few, else a read-only view of them where they are.
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

/// Memory that goes back to the pool.
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

/// The object behind a view of a [`SharedBytes`].
#[pyclass(module = "jvmwire._core", frozen)]
struct Reader(Arc<Pooled>);

#[pymethods]
impl Reader {
    /// # Safety
    /// Python makes the call, with a view to fill.
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

/// Bytes from which on a copy takes longer than to make a view. (Chosen by jvmwire.)
const WORTH_SHARING: usize = 32 << 10;
