use std::{ops::Range, ptr, slice};

use pyo3::{
    ffi,
    prelude::*,
    types::{PyBytes, PyTuple},
};

/// Many byte strings where Python has them, all held by one tuple.
pub(crate) struct ByteStrings {
    /// Where each is, and how many bytes it and those before it are.
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
        let mut total = 0;
        for object in tuple.iter_borrowed() {
            if !object.is_exact_instance_of::<PyBytes>() {
                return None;
            }
            let (mut start, mut len) = (ptr::null_mut(), 0);
            // SAFETY: of `bytes` it cannot fail.
            unsafe {
                ffi::PyBytes_AsStringAndSize(object.as_ptr(), &raw mut start, &raw mut len);
            }
            total += len.cast_unsigned();
            places.push((start.cast_const().cast(), total));
        }
        Some(Self { places, _owner: tuple.clone().unbind() })
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Bytes of some of them.
    ///
    /// # Panics
    /// If there are not so many.
    pub(crate) fn bytes(&self, strings: Range<usize>) -> usize {
        if strings.is_empty() {
            0
        } else {
            self.places[strings.end - 1].1 - self.before(strings.start)
        }
    }

    /// Bytes of those before this one.
    fn before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |last| self.places[last].1)
    }

    /// Shows `take` some of them.
    ///
    /// # Panics
    /// If there are not so many.
    #[inline]
    pub(crate) fn each<'a>(&'a self, strings: Range<usize>, mut take: impl FnMut(&'a [u8])) {
        let mut before = self.before(strings.start);
        for (start, end) in &self.places[strings] {
            // SAFETY: `bytes` of this length stand there and do not change for as long as the tuple has
            // them, which nobody can take them from.
            take(unsafe { slice::from_raw_parts(*start, end - before) });
            before = *end;
        }
    }
}
