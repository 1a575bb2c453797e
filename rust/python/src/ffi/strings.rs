//! Lists of byte strings, borrowed while no Python code runs.

use std::{ops::Range, slice};

use jvmwire_codec::prefetch;
use pyo3::{
    Borrowed, ffi,
    prelude::*,
    types::{PyBytes, PyList},
};

use super::bytes_layout::BytesLayout;

/// Many `bytes` objects, without a copy of their bytes.
#[derive(Default)]
pub(crate) struct ByteStrings {
    /// Per string: a pointer to its bytes, and the number of bytes up to its end.
    places: Vec<(*const u8, usize)>,
    /// The objects, in the same order.
    owners: Vec<Py<PyBytes>>,
}

// SAFETY: `bytes` never change, and the references, which may be dropped by any thread, keep them.
unsafe impl Send for ByteStrings {}
// SAFETY: as above.
unsafe impl Sync for ByteStrings {}

impl ByteStrings {
    /// Creates an empty collection with capacity for `count` strings.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { places: Vec::with_capacity(count), owners: Vec::with_capacity(count) }
    }

    /// Collects all elements of a list; `None` if the type of one is not exactly `bytes`.
    pub(crate) fn of_list(list: &Bound<'_, PyList>) -> Option<Self> {
        let (py, count) = (list.py(), list.len());
        let layout = BytesLayout::get(py);
        let mut strings = Self::with_capacity(count);
        let mut total = 0;
        for index in 0..count {
            // SAFETY: there is one: no Python code runs here that could take it from the list.
            let object = unsafe { ffi::PyList_GetItem(list.as_ptr(), index.cast_signed()) };
            // SAFETY: the list has a reference to it.
            let object = unsafe { Borrowed::from_ptr(py, object) };
            let bytes = layout.bytes_of(object)?;
            total += bytes.len();
            strings.places.push((bytes.as_ptr(), total));
            // SAFETY: it is `bytes`.
            strings.owners.push(unsafe { object.cast_unchecked::<PyBytes>() }.to_owned().unbind());
        }
        Some(strings)
    }

    /// Appends a string.
    pub(crate) fn push(&mut self, object: Bound<'_, PyBytes>) {
        let bytes = object.as_bytes();
        self.places.push((bytes.as_ptr(), self.before(self.len()) + bytes.len()));
        self.owners.push(object.unbind());
    }

    pub(crate) fn len(&self) -> usize {
        self.owners.len()
    }

    /// Number of bytes of a range of strings.
    ///
    /// # Panics
    /// If the range exceeds the collection.
    pub(crate) fn bytes(&self, strings: Range<usize>) -> usize {
        if strings.is_empty() {
            0
        } else {
            self.places[strings.end - 1].1 - self.before(strings.start)
        }
    }

    /// Number of bytes of the strings before an index.
    fn before(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |last| self.places[last].1)
    }

    /// Calls `take` with each string of a range.
    ///
    /// # Panics
    /// If the range exceeds the collection.
    #[inline]
    pub(crate) fn each<'a>(&'a self, strings: Range<usize>, mut take: impl FnMut(&'a [u8])) {
        let mut before = self.before(strings.start);
        for (start, end) in &self.places[strings] {
            // SAFETY: a `bytes` object of this length has its data there, which does not change, and the
            // reference in `owners` keeps it.
            take(unsafe { slice::from_raw_parts(*start, end - before) });
            before = *end;
        }
    }
}

/// Calls `read` with the strings of a list from `index` on, up to the first element that is not a `bytes`
/// object or has more than `most` bytes.
///
/// `read` cannot hold or return a Python object, and must not attach to the interpreter: the list owns the
/// bytes only while no Python code runs.
#[inline]
pub(crate) fn small_bytes<R: Send>(
    list: &Bound<'_, PyList>,
    index: usize,
    most: usize,
    read: impl for<'a> FnOnce(SmallBytes<'a, '_>) -> R + Send,
) -> R {
    let ahead = [list.as_any().as_borrowed(); AHEAD];
    let layout = BytesLayout::get(list.py());
    let mut small = SmallBytes { list, layout, most, ahead, index, count: list.len() };
    for index in index..small.count.min(index + AHEAD) {
        small.look_up(index);
    }
    read(small)
}

/// Iterator over small byte strings of a list.
pub(crate) struct SmallBytes<'a, 'py> {
    list: &'a Bound<'py, PyList>,
    layout: BytesLayout,
    most: usize,
    /// Prefetched elements, at their index modulo the array's length.
    ahead: [Borrowed<'a, 'py, PyAny>; AHEAD],
    index: usize,
    count: usize,
}

impl SmallBytes<'_, '_> {
    #[inline]
    fn look_up(&mut self, index: usize) {
        // SAFETY: there is one, and the list keeps it for as long as nothing of Python's runs.
        let object = unsafe { ffi::PyList_GetItem(self.list.as_ptr(), index.cast_signed()) };
        // SAFETY: as above.
        self.ahead[index % AHEAD] = unsafe { Borrowed::from_ptr(self.list.py(), object) };
    }

    /// Whether the iterator reached the end of the list.
    pub(crate) fn at_end(&self) -> bool {
        self.index == self.count
    }
}

impl<'a> Iterator for SmallBytes<'a, '_> {
    type Item = &'a [u8];

    #[inline]
    fn next(&mut self) -> Option<&'a [u8]> {
        let index = self.index;
        if index == self.count {
            return None;
        }
        let bytes = self.layout.bytes_of(self.ahead[index % AHEAD])?;
        if bytes.len() > self.most {
            return None;
        }
        if index + AHEAD < self.count {
            self.look_up(index + AHEAD);
            let next = self.ahead[index % AHEAD].as_ptr().cast::<u8>();
            for line in 0..LINES {
                prefetch(next.wrapping_add(line * 64));
            }
        }
        self.index += 1;
        Some(bytes)
    }
}

/// Number of objects that are prefetched.
const AHEAD: usize = 32;

/// Number of cache lines to prefetch per object: an object can begin anywhere in a line, and its data follows
/// Python's object header.
const LINES: usize = 3;
