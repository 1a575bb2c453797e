//! `int` objects; small ones are cached.

use std::{ffi::c_long, ops::Deref};
#[cfg(feature = "cpython-gil")]
use std::{
    ptr,
    sync::atomic::{AtomicPtr, Ordering::Relaxed},
};

use pyo3::{IntoPyObjectExt, ffi, prelude::*, sync::PyOnceLock, types::PyInt};

use super::FastResult;

/// Python object of a number: a cached or a new one.
pub(crate) enum PyNumber<'a, 'py> {
    /// Cached object.
    Small(&'a Bound<'py, PyAny>),
    FastResult(Bound<'py, PyAny>),
}

impl<'py> PyNumber<'_, 'py> {
    #[inline]
    pub(crate) fn int<T>(py: Python<'py>, value: T) -> Result<Self, Box<PyErr>>
    where
        T: Copy + TryInto<usize> + TryInto<c_long> + IntoPyObject<'py>,
    {
        if let Ok(value) = value.try_into()
            && let Some(small) = small(py)?.get::<usize>(value)
        {
            return Ok(Self::Small(small.bind(py)));
        }
        int(py, value).map(Self::FastResult)
    }

    /// Returns an owned reference.
    #[cfg(feature = "cpython-gil")]
    #[inline]
    fn into_ptr(self) -> *mut ffi::PyObject {
        match self {
            Self::Small(shared) => shared.clone().into_ptr(),
            Self::FastResult(made) => made.into_ptr(),
        }
    }
}

impl<'py> Deref for PyNumber<'_, 'py> {
    type Target = Bound<'py, PyAny>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match self {
            Self::Small(shared) => shared,
            Self::FastResult(made) => made,
        }
    }
}

/// Makes the `int` of a number.
#[inline]
pub(crate) fn int<'py, T>(py: Python<'py>, value: T) -> FastResult<'py>
where
    T: Copy + TryInto<c_long> + IntoPyObject<'py>,
{
    let Ok(long) = value.try_into() else { return Ok(value.into_bound_py_any(py)?) };
    // Of Python's ways to make one, this is the shortest for a number of few bits.
    // SAFETY: the thread is attached.
    let made = unsafe { ffi::PyLong_FromLong(long) };
    // SAFETY: what comes is a new reference or null.
    Ok(unsafe { Bound::from_owned_ptr_or_err(py, made)? })
}

/// Returns the cached `int`s of the most frequent values: a request to Python for one takes as long as to
/// decode it.
#[inline]
fn small(py: Python<'_>) -> PyResult<&'static [Py<PyAny>]> {
    static ALL: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    let all = ALL.get_or_try_init(py, || (0..SMALL).map(|number| number.into_py_any(py)).collect());
    all.map(Vec::as_slice)
}

/// Number of `int`s that Python caches, too.
const SMALL: usize = 257;

/// Makes the tuple of a value and the offset of its end, as decoders return it.
#[inline]
pub(crate) fn value_and_offset<'py>(value: &Bound<'py, PyAny>, end: usize) -> FastResult<'py> {
    let end = PyNumber::int(value.py(), end)?;
    pair(value, &end)
}

/// Makes the tuple of a number and the offset of its end, and reuses the previous tuple if no other reference
/// to it remains: most callers unpack it at once, and to allocate and free a tuple takes longer than to decode
/// a number (`benches/test_varint.py`).
///
/// The value is kept until the next call, so releasing it must not run Python code: it is an `int` or a
/// `float`.
#[cfg(feature = "cpython-gil")]
#[inline]
pub(crate) fn number_and_offset<'py>(
    py: Python<'py>,
    value: PyNumber<'_, 'py>,
    end: usize,
) -> FastResult<'py> {
    let end = PyNumber::int(py, end)?;
    let last = LAST.load(Relaxed);
    // SAFETY: `last`, if not null, is a tuple of which `LAST` has a reference.
    if !last.is_null() && unsafe { ffi::Py_REFCNT(last) } == 1 {
        // SAFETY: that reference is the only one: nobody sees the tuple change, and Python allows it; the
        // reference to the value is given away.
        unsafe { ffi::PyTuple_SetItem(last, 0, value.into_ptr()) };
        // SAFETY: as above.
        unsafe { ffi::PyTuple_SetItem(last, 1, end.into_ptr()) };
        // SAFETY: `LAST` keeps its reference.
        return Ok(unsafe { Bound::from_borrowed_ptr(py, last) });
    }
    let made = pair(&value, &end)?;
    // From 3.14 on a tuple keeps its hash, too, and there is no way to have it forget that.
    if !*ARE_FILLED_AGAIN.get_or_init(py, || py.version_info() < (3, 14)) {
        return Ok(made);
    }
    // For a new tuple Python may have collected garbage, and what that called may have decoded, too.
    let last = LAST.load(Relaxed);
    LAST.store(made.clone().into_ptr(), Relaxed);
    // SAFETY: it is null or a reference that `LAST` had.
    drop(unsafe { Bound::from_owned_ptr_or_opt(py, last) });
    Ok(made)
}

/// Previous result of [`number_and_offset`], guarded by the GIL.
#[cfg(feature = "cpython-gil")]
static LAST: AtomicPtr<ffi::PyObject> = AtomicPtr::new(ptr::null_mut());

#[cfg(feature = "cpython-gil")]
static ARE_FILLED_AGAIN: PyOnceLock<bool> = PyOnceLock::new();

/// Makes a new tuple of a number and the offset of its end.
#[cfg(not(feature = "cpython-gil"))]
#[expect(clippy::needless_pass_by_value, reason = "called alike with the feature and without it")]
#[inline]
pub(crate) fn number_and_offset<'py>(
    py: Python<'py>,
    value: PyNumber<'_, 'py>,
    end: usize,
) -> FastResult<'py> {
    pair(&value, &*PyNumber::int(py, end)?)
}

#[inline]
fn pair<'py>(value: &Bound<'py, PyAny>, end: &Bound<'py, PyAny>) -> FastResult<'py> {
    // SAFETY: the tuple takes references of its own to both.
    let made = unsafe { ffi::PyTuple_Pack(2, value.as_ptr(), end.as_ptr()) };
    // SAFETY: what comes is a new reference or null.
    Ok(unsafe { Bound::from_owned_ptr_or_err(value.py(), made)? })
}

/// Returns the value of an `int`, if a signed 64-bit integer can represent it.
#[inline]
pub(crate) fn long(object: &Bound<'_, PyAny>) -> Option<i64> {
    if !object.is_exact_instance_of::<PyInt>() {
        return None;
    }
    let mut beyond = 0;
    // SAFETY: of an `int` it cannot fail.
    let value = unsafe { ffi::PyLong_AsLongLongAndOverflow(object.as_ptr(), &raw mut beyond) };
    (beyond == 0).then_some(value)
}
