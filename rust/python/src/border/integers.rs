use std::{ffi::c_long, ops::Deref};

use pyo3::{IntoPyObjectExt, ffi, prelude::*, sync::PyOnceLock, types::PyInt};

use super::Made;

/// The `int` of a number, for whoever takes a reference of his own.
pub(crate) enum Int<'a, 'py> {
    /// One of those that are there already.
    Small(&'a Bound<'py, PyAny>),
    Made(Bound<'py, PyAny>),
}

impl<'py> Int<'_, 'py> {
    #[inline]
    pub(crate) fn of<T>(py: Python<'py>, value: T) -> Result<Self, Box<PyErr>>
    where
        T: Copy + TryInto<usize> + TryInto<c_long> + IntoPyObject<'py>,
    {
        if let Ok(value) = value.try_into()
            && let Some(small) = small(py)?.get::<usize>(value)
        {
            return Ok(Self::Small(small.bind(py)));
        }
        int(py, value).map(Self::Made)
    }
}

impl<'py> Deref for Int<'_, 'py> {
    type Target = Bound<'py, PyAny>;

    #[inline]
    fn deref(&self) -> &Self::Target {
        match self {
            Self::Small(shared) => shared,
            Self::Made(made) => made,
        }
    }
}

/// The `int` of a number.
#[inline]
pub(crate) fn int<'py, T>(py: Python<'py>, value: T) -> Made<'py>
where
    T: Copy + TryInto<c_long> + IntoPyObject<'py>,
{
    let Ok(long) = value.try_into() else { return Ok(value.into_bound_py_any(py)?) };
    // Of Python's ways to make one, this is the shortest for a number of few bits.
    // SAFETY: the thread is attached, and what comes is a new reference or null.
    Ok(unsafe { Bound::from_owned_ptr_or_err(py, ffi::PyLong_FromLong(long))? })
}

/// The `int`s of numbers that most values are: Python has them already, but to ask it for one takes as long
/// as to decode it.
#[inline]
fn small(py: Python<'_>) -> PyResult<&'static [Py<PyAny>]> {
    static ALL: PyOnceLock<Vec<Py<PyAny>>> = PyOnceLock::new();
    let all = ALL.get_or_try_init(py, || (0..SMALL).map(|number| number.into_py_any(py)).collect());
    all.map(Vec::as_slice)
}

/// Numbers that Python has the `int`s of, too.
const SMALL: usize = 257;

/// A value, and where it ends: what decodes one gives both.
#[inline]
pub(crate) fn with_end<'py>(value: &Bound<'py, PyAny>, end: usize) -> Made<'py> {
    let py = value.py();
    let end = Int::of(py, end)?;
    // SAFETY: the tuple takes references of its own to both.
    unsafe {
        let made = ffi::PyTuple_Pack(2, value.as_ptr(), end.as_ptr());
        Ok(Bound::from_owned_ptr_or_err(py, made)?)
    }
}

/// The integer that an `int` is, if 64 bits with a sign hold it.
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
