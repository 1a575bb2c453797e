//! Lists of byte strings, borrowed while no Python code runs.

use std::{ops::Range, slice};

use jvmwire_codec::prefetch;
use pyo3::{
    Borrowed, ffi,
    prelude::*,
    types::{PyBytes, PyList},
};

use super::bytes_layout::BytesLayout;

/// Many byte strings where Python has them.
#[derive(Default)]
pub(crate) struct ByteStrings {
    /// Where each is, and how many bytes it and those before it are.
    places: Vec<(*const u8, usize)>,
    /// The objects, in the same order.
    owners: Vec<Py<PyBytes>>,
}

// SAFETY: `bytes` never change, and the references, which may be dropped by any thread, keep them.
unsafe impl Send for ByteStrings {}
// SAFETY: as above.
unsafe impl Sync for ByteStrings {}

impl ByteStrings {
    /// Has none yet, and room for `count`.
    pub(crate) fn with_capacity(count: usize) -> Self {
        Self { places: Vec::with_capacity(count), owners: Vec::with_capacity(count) }
    }

    /// Keeps all that is in a list; `None` if not all of that are exactly `bytes`.
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

    /// Keeps one more.
    pub(crate) fn push(&mut self, object: Bound<'_, PyBytes>) {
        let bytes = object.as_bytes();
        self.places.push((bytes.as_ptr(), self.before(self.len()) + bytes.len()));
        self.owners.push(object.unbind());
    }

    pub(crate) fn len(&self) -> usize {
        self.owners.len()
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
            // SAFETY: a `bytes` object of this length has its data there, which does not change, and the
            // reference in `owners` keeps it.
            take(unsafe { slice::from_raw_parts(*start, end - before) });
            before = *end;
        }
    }
}

/// Shows `read` what is in a list from `index` on, up to what is no `bytes` or more than `most` of them.
///
/// `read` cannot hold or return a Python object, and must not attach to the interpreter: what it reads is the
/// list's for as long as no Python code runs.
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

/// Small byte strings of a list.
pub(crate) struct SmallBytes<'a, 'py> {
    list: &'a Bound<'py, PyList>,
    layout: BytesLayout,
    most: usize,
    /// The next few, by the last digits of their index.
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

    /// Whether it came to the end of the list.
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

/// Objects to be ahead.
const AHEAD: usize = 32;

/// Lines of the cache to ask for: an object stands anywhere, its data behind what Python knows of it.
const LINES: usize = 3;
