use std::{ptr, slice};

use pyo3::{
    ffi,
    prelude::*,
    types::{PyBytes, PyTuple},
};

/// Many byte strings where Python has them, all held by one tuple.
pub(crate) struct ByteStrings {
    places: Vec<(*const u8, usize)>,
    _owner: Py<PyTuple>,
}

// SAFETY: `bytes` never change, and the tuple, which may be dropped by any thread, keeps them.
unsafe impl Send for ByteStrings {}
// SAFETY: as above.
unsafe impl Sync for ByteStrings {}

impl ByteStrings {
    /// Holds what is in a tuple; `None` if not all of that are `bytes`.
    pub(crate) fn new(tuple: &Bound<'_, PyTuple>) -> Option<Self> {
        let mut places = Vec::with_capacity(tuple.len());
        for object in tuple.iter_borrowed() {
            if !object.is_exact_instance_of::<PyBytes>() {
                return None;
            }
            let (mut start, mut len) = (ptr::null_mut(), 0);
            // SAFETY: of `bytes` it cannot fail.
            unsafe {
                ffi::PyBytes_AsStringAndSize(object.as_ptr(), &raw mut start, &raw mut len);
            }
            places.push((start.cast_const().cast(), len.cast_unsigned()));
        }
        Some(Self { places, _owner: tuple.clone().unbind() })
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// One of them.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub(crate) fn get(&self, index: usize) -> &[u8] {
        let (start, len) = self.places[index];
        // SAFETY: `bytes` of this length stand there and do not change for as long as the tuple has them,
        // which nobody can take them from.
        unsafe { slice::from_raw_parts(start, len) }
    }
}
