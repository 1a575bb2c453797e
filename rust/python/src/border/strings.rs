use std::{ops::Range, slice};

use jvmwire_codec::{foresee, frame::Packed};
use pyo3::{
    Borrowed, ffi,
    prelude::*,
    types::{PyList, PyTuple},
};

use super::inside::Inside;

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
        let inside = Inside::of(tuple.py());
        for object in tuple.iter_borrowed() {
            let bytes = inside.bytes_of(object)?;
            total += bytes.len();
            places.push((bytes.as_ptr(), total));
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

/// Copies what is in a list, one behind the other; `None` if not all of that are `bytes`, of up to
/// `most` bytes.
pub(crate) fn copied(list: &Bound<'_, PyList>, most: usize) -> Option<Packed> {
    let inside = Inside::of(list.py());
    let count = list.len();
    let mut copies = Packed::new();
    copies.offsets.reserve(count);
    // SAFETY: there is one, and the list keeps it for as long as nothing of Python's runs.
    let object = |index: usize| unsafe {
        let object = ffi::PyList_GetItem(list.as_ptr(), index.cast_signed());
        Borrowed::from_ptr(list.py(), object)
    };
    let mut ahead = [list.as_any().as_borrowed(); AHEAD];
    for (index, first) in ahead.iter_mut().enumerate().take(count) {
        *first = object(index);
    }
    for index in 0..count {
        let object = if index + AHEAD < count {
            let next = object(index + AHEAD);
            for line in 0..LINES {
                foresee(next.as_ptr().cast::<u8>().wrapping_add(line * 64));
            }
            std::mem::replace(&mut ahead[index % AHEAD], next)
        } else {
            ahead[index % AHEAD]
        };
        let bytes = inside.bytes_of(object).filter(|bytes| bytes.len() <= most)?;
        if index == 0 {
            copies.values.reserve(bytes.len() * count);
        }
        copies.push(bytes).ok()?;
    }
    Some(copies)
}

/// Objects to be ahead.
const AHEAD: usize = 16;

/// Lines of the cache to ask for: an object stands anywhere, its data behind what Python knows of it.
const LINES: usize = 3;
