use std::{
    mem::MaybeUninit,
    ops::{Deref, RangeInclusive},
    ptr::{self, NonNull},
    slice,
    sync::{Mutex, PoisonError},
};

use pyo3::{
    ffi, intern,
    prelude::*,
    types::{PyByteArray, PyBytes, PyMemoryView, PySlice},
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

/// Makes a `bytearray` of `len` bytes, which are those that `fill` puts there, and then zeros: a large one in
/// the memory of one that was made before, if nobody has that any more.
///
/// Python's own way to make one that is filled later writes zeros first, all over it.
pub(crate) fn bytearray(
    py: Python<'_>,
    len: usize,
    fill: impl FnOnce(&mut Room<'_>),
) -> PyResult<Bound<'_, PyByteArray>> {
    let made = if LARGE.contains(&len) { large(py, len)? } else { new(py, len)? };
    // SAFETY: nobody else knows of it or resizes it, and it is so long.
    let room = unsafe {
        let start = ffi::PyByteArray_AsString(made.as_ptr()).cast::<MaybeUninit<u8>>();
        slice::from_raw_parts_mut(start, len)
    };
    let mut room = Room(room);
    fill(&mut room);
    for byte in room.0 {
        byte.write(0);
    }
    Ok(made)
}

fn new(py: Python<'_>, len: usize) -> PyResult<Bound<'_, PyByteArray>> {
    // SAFETY: a null makes one of `len` bytes that are not written; more than there can be is refused.
    unsafe {
        let len = ffi::Py_ssize_t::try_from(len).unwrap_or(ffi::Py_ssize_t::MAX);
        let made = ffi::PyByteArray_FromStringAndSize(ptr::null(), len);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked())
    }
}

fn large(py: Python<'_>, len: usize) -> PyResult<Bound<'_, PyByteArray>> {
    let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
    // SAFETY: it lives.
    let is_free = |one: &Py<PyByteArray>| unsafe { ffi::Py_REFCNT(one.as_ptr()) } == 1;
    let fits =
        |(one, room): &(Py<PyByteArray>, usize)| (*room / 2..=*room).contains(&len) && is_free(one);
    if let Some(index) = kept.iter().position(fits) {
        let one = kept[index].0.bind(py).clone();
        // SAFETY: nobody else has it, so that nobody looks at what is in there.
        let failed = unsafe { ffi::PyByteArray_Resize(one.as_ptr(), len.cast_signed()) } != 0;
        return if failed { Err(PyErr::fetch(py)) } else { Ok(one) };
    }
    let made = new(py, len)?;
    if kept.len() == MOST_KEPT {
        kept.remove(0);
    }
    kept.push((made.clone().unbind(), len));
    Ok(made)
}

/// Those that were made last, and for how much each has room.
static KEPT: Mutex<Vec<(Py<PyByteArray>, usize)>> = Mutex::new(Vec::new());

/// How many are kept: the next is made while one is on its way and another is named by who sent it. Ours.
const MOST_KEPT: usize = 4;

/// Lengths of those that are kept: pages of smaller ones the allocator keeps. Ours.
const LARGE: RangeInclusive<usize> = 1 << 17..=1 << 21;

/// A `bytearray` that can be written to until somebody else sees it.
pub(crate) struct Draft {
    /// As long as there is one, nobody resizes it.
    view: Py<PyMemoryView>,
    start: NonNull<u8>,
    len: usize,
    is_shared: bool,
}

// SAFETY: it is written to by who has it alone; others have no more than a view to read.
unsafe impl Send for Draft {}
// SAFETY: as above.
unsafe impl Sync for Draft {}

impl Draft {
    /// Keeps the first of what `fill` puts into room for `most` bytes: as many as it says, if it put so many.
    pub(crate) fn new(
        py: Python<'_>,
        most: usize,
        fill: impl FnOnce(&mut Room<'_>) -> usize,
    ) -> PyResult<Self> {
        let mut len = 0;
        let made = bytearray(py, most, |room| {
            let wanted = fill(room);
            len = wanted.min(most - room.0.len());
        })?;
        let draft = Self::of(&made, len)?;
        // Much room would be kept for nothing.
        if len < most - most / SPARE { draft.copy(py) } else { Ok(draft) }
    }

    /// The first `len` bytes of what was just made.
    fn of(made: &Bound<'_, PyByteArray>, len: usize) -> PyResult<Self> {
        let view = PyMemoryView::from(made.as_any())?.unbind();
        // SAFETY: a `bytearray` has its bytes somewhere, an empty one, too.
        let start = unsafe {
            NonNull::new_unchecked(ffi::PyByteArray_AsString(made.as_ptr()).cast::<u8>())
        };
        Ok(Self { view, start, len, is_shared: false })
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        Self::of(&bytearray(py, self.len, |room| room.put(self, &[]))?, self.len)
    }

    /// Lets it be written to; who sees it already goes on to see what there was.
    pub(crate) fn edit(&mut self, py: Python<'_>) -> PyResult<&mut [u8]> {
        if self.is_shared {
            *self = self.copy(py)?;
        }
        // SAFETY: so many bytes stand there for as long as there is a view, and nobody else has them.
        Ok(unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) })
    }

    /// Makes a `memoryview` of it, which is read-only.
    pub(crate) fn share<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.is_shared = true;
        let whole = self.view.bind(py).call_method0(intern!(py, "toreadonly"))?;
        whole.get_item(PySlice::new(py, 0, self.len.cast_signed(), 1))
    }
}

impl Deref for Draft {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes stand there for as long as there is a view, all of them written; who writes
        // again has this alone.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

/// Of so many parts of a room one may be left over.
const SPARE: usize = 8;

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
