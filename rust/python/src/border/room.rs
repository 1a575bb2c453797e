use std::{
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

/// `bytes` that can be written to until somebody else has them.
pub(crate) struct Draft {
    bytes: Py<PyBytes>,
    start: NonNull<u8>,
    len: usize,
    is_shared: bool,
}

// SAFETY: it is written to by who has it alone, and `bytes` that others have do not change.
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
        let mut draft = Self::unwritten(py, most)?;
        // SAFETY: so many bytes stand there, and nobody else knows of them.
        let room = unsafe { slice::from_raw_parts_mut(draft.start.as_ptr().cast(), most) };
        let mut room = Room(room);
        let wanted = fill(&mut room);
        let len = wanted.min(most - room.0.len());
        if len < most - most / SPARE {
            // Much of the room would be kept for nothing.
            draft.len = len;
            return draft.copy(py);
        }
        if len < most {
            // SAFETY: nobody else has them, and who frees them does not ask for their length. A zero stands
            // behind the last, as behind those of all `bytes`.
            unsafe {
                draft.start.add(len).write(0);
                (*draft.bytes.as_ptr().cast::<ffi::PyVarObject>()).ob_size = len.cast_signed();
            }
            draft.len = len;
        }
        Ok(draft)
    }

    fn unwritten(py: Python<'_>, len: usize) -> PyResult<Self> {
        let bytes = unwritten(py, len)?;
        // SAFETY: it is `bytes`, which have their data somewhere.
        let start =
            unsafe { NonNull::new_unchecked(ffi::PyBytes_AsString(bytes.as_ptr()).cast::<u8>()) };
        Ok(Self { bytes: bytes.unbind(), start, len, is_shared: false })
    }

    fn copy(&self, py: Python<'_>) -> PyResult<Self> {
        let copy = Self::unwritten(py, self.len)?;
        // SAFETY: so many bytes stand in both, and nobody else has what is new.
        unsafe { self.start.copy_to_nonoverlapping(copy.start, self.len) };
        Ok(copy)
    }

    /// Lets them be written to; who has them already keeps what there was.
    pub(crate) fn edit(&mut self, py: Python<'_>) -> PyResult<&mut [u8]> {
        if self.is_shared {
            *self = self.copy(py)?;
        }
        // SAFETY: so many bytes stand there, and nobody else has them.
        Ok(unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.len) })
    }

    /// Hands them out as they are.
    pub(crate) fn share<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        self.is_shared = true;
        self.bytes.bind(py).clone()
    }
}

impl Deref for Draft {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        // SAFETY: so many bytes stand there for as long as the object lives, all of them written; who writes
        // again has this alone.
        unsafe { slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

/// Of so many parts of a room one may be left over.
const SPARE: usize = 8;

/// Makes `bytes` of that length that are not written; more than there can be is refused.
fn unwritten(py: Python<'_>, len: usize) -> PyResult<Bound<'_, PyBytes>> {
    // SAFETY: a null says so; what is made is `bytes`.
    unsafe {
        let len = ffi::Py_ssize_t::try_from(len).unwrap_or(ffi::Py_ssize_t::MAX);
        let made = ffi::PyBytes_FromStringAndSize(ptr::null(), len);
        Ok(Bound::from_owned_ptr_or_err(py, made)?.cast_into_unchecked::<PyBytes>())
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
        Ok(Self { made: unwritten(py, len)?.unbind(), filled: 0, len })
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
