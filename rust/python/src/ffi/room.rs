//! New memory of Python objects, written to before anybody else sees the object.

use std::{
    ffi::c_int,
    mem::MaybeUninit,
    ops::Deref,
    ptr::{self, NonNull},
    slice,
};

use pyo3::{
    ffi,
    prelude::*,
    types::{PyByteArray, PyBytes},
};

/// New memory, which is written to from its front on.
pub(crate) struct Room<'a>(&'a mut [MaybeUninit<u8>]);

impl Room<'_> {
    /// Writes two pieces, one after the other, if there is room for both; else the room stays as it is.
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
}

/// Copies bytes to new memory of the same length.
#[inline]
fn write(target: &mut [MaybeUninit<u8>], bytes: &[u8]) {
    assert_eq!(target.len(), bytes.len());
    // SAFETY: both are that long, and nobody else has the target.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), target.as_mut_ptr().cast(), bytes.len()) };
}

/// Makes a `bytearray` of `len` bytes: those that `fill` writes, and then zeros.
///
/// Python's own way to make one that is filled later writes zeros first, all over it.
pub(crate) fn bytearray(
    py: Python<'_>,
    len: usize,
    fill: impl FnOnce(&mut Room<'_>),
) -> PyResult<Bound<'_, PyByteArray>> {
    // SAFETY: a null asks for bytes that are not written; the thread is attached.
    let made = unsafe { ffi::PyByteArray_FromStringAndSize(ptr::null(), signed(len)) };
    // SAFETY: what comes is a new reference or null.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, made)? };
    // SAFETY: it is a `bytearray`.
    let made = unsafe { made.cast_into_unchecked::<PyByteArray>() };
    // SAFETY: as above.
    let start = unsafe { ffi::PyByteArray_AsString(made.as_ptr()) };
    // SAFETY: it was just made that long, and nobody else knows of it.
    let mut room = Room(unsafe { slice::from_raw_parts_mut(start.cast(), len) });
    fill(&mut room);
    room.0.fill(MaybeUninit::new(0));
    Ok(made)
}

/// Makes a `bytes` object of `len` bytes that are not written yet. Only the caller has a reference.
fn unwritten(py: Python<'_>, len: usize) -> PyResult<Py<PyBytes>> {
    // SAFETY: a null asks for bytes that are not written; the thread is attached.
    let made = unsafe { ffi::PyBytes_FromStringAndSize(ptr::null(), signed(len)) };
    // SAFETY: what comes is a new reference or null.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, made)? };
    // SAFETY: it is `bytes`.
    Ok(unsafe { made.cast_into_unchecked() }.unbind())
}

unsafe extern "C" {
    /// Of Python's stable interface, but not of `PyO3`'s.
    fn _PyBytes_Resize(bytes: *mut *mut ffi::PyObject, len: ffi::Py_ssize_t) -> c_int;
}

/// A length for Python, which refuses more than there can be.
fn signed(len: usize) -> ffi::Py_ssize_t {
    ffi::Py_ssize_t::try_from(len).unwrap_or(ffi::Py_ssize_t::MAX)
}

fn start_of(bytes: &Py<PyBytes>) -> *mut u8 {
    // SAFETY: it is `bytes`, which lives: no more is read than where its data is.
    unsafe { ffi::PyBytes_AsString(bytes.as_ptr()) }.cast()
}

/// A `bytes` object that can be written to until somebody else sees it.
///
/// As long as it is not shared, nobody can find it: only this has a reference, and the garbage collector does
/// not know of `bytes`. What is shared is `bytes`, which leads to nothing that can be written to.
pub(crate) struct Draft {
    bytes: Py<PyBytes>,
    /// Where the bytes are.
    start: NonNull<u8>,
    len: usize,
    is_shared: bool,
}

// SAFETY: the pointer is to the bytes of an object that may be dropped by any thread. They are written to by
// `&mut self` only, before others see them.
unsafe impl Send for Draft {}
// SAFETY: by `&self` the bytes are read only.
unsafe impl Sync for Draft {}

impl Draft {
    /// Keeps the first of what `fill` writes into room for `most` bytes: as many as it returns, if it wrote so
    /// many.
    pub(crate) fn new(
        py: Python<'_>,
        most: usize,
        fill: impl FnOnce(&mut Room<'_>) -> usize,
    ) -> PyResult<Self> {
        let made = unwritten(py, most)?;
        // SAFETY: it was just made that long, and nobody else knows of it.
        let mut room = Room(unsafe { slice::from_raw_parts_mut(start_of(&made).cast(), most) });
        let wanted = fill(&mut room);
        let len = wanted.min(most - room.0.len());
        let mut made = made.into_ptr();
        // SAFETY: nobody else has a reference, and ours is given away; what is there then is one of ours to
        // `bytes` of `len` bytes, all written, or null.
        unsafe { _PyBytes_Resize(&raw mut made, signed(len)) };
        // SAFETY: as above.
        let made = unsafe { Bound::from_owned_ptr_or_err(py, made)? };
        // SAFETY: it is `bytes`.
        Ok(Self::of(unsafe { made.cast_into_unchecked() }.unbind(), len))
    }

    /// A draft of new `bytes`.
    fn of(bytes: Py<PyBytes>, len: usize) -> Self {
        // A `bytes` object has its bytes somewhere, an empty one as well.
        let start = NonNull::new(start_of(&bytes)).unwrap_or(NonNull::dangling());
        Self { bytes, start, len, is_shared: false }
    }

    /// The bytes to write to; those who see them already go on to see what there was.
    pub(crate) fn edit(&mut self, py: Python<'_>) -> PyResult<&mut [u8]> {
        if self.is_shared {
            let copy = Self::of(unwritten(py, self.len)?, self.len);
            // SAFETY: both have that many bytes, and nobody else knows of the copy.
            unsafe { ptr::copy_nonoverlapping(self.start.as_ptr(), copy.start.as_ptr(), self.len) };
            *self = copy;
        }
        // SAFETY: that many bytes are there for as long as the object is, and nobody else has it.
        Ok(unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) })
    }

    /// Gives the bytes to somebody else.
    pub(crate) fn share<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.is_shared = true;
        self.bytes.bind(py).clone()
    }
}

impl Deref for Draft {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: that many bytes are there for as long as the object is, all of them written, and they are
        // written to again by `&mut self` only.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
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
        Ok(Self { made: unwritten(py, len)?, filled: 0, len })
    }

    /// Appends as much of `data` as is missing, and returns how much that is.
    pub(crate) fn put(&mut self, data: &[u8]) -> usize {
        let len = data.len().min(self.len - self.filled);
        // SAFETY: the object has `self.len` bytes.
        let target = unsafe { start_of(&self.made).add(self.filled) };
        // SAFETY: `len` bytes are there, and nobody else knows of them.
        unsafe { ptr::copy_nonoverlapping(data.as_ptr(), target, len) };
        self.filled += len;
        len
    }

    /// How many bytes there are.
    pub(crate) fn filled(&self) -> usize {
        self.filled
    }

    /// All of them; itself, if some are missing.
    pub(crate) fn whole(self) -> Result<Py<PyBytes>, Self> {
        if self.filled == self.len { Ok(self.made) } else { Err(self) }
    }
}
