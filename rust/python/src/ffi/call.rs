use std::{
    any::Any,
    ffi::{CString, c_int},
    panic::{AssertUnwindSafe, catch_unwind},
    ptr,
};

use pyo3::{
    Borrowed, PyClass,
    ffi::{self, PyMethodDef, PyMethodDefPointer},
    panic::PanicException,
    prelude::*,
    pyclass::boolean_struct::True,
    types::PyString,
};

/// What a call makes. An error is boxed so that both fit registers: it would be written and read again.
pub(crate) type Made<'py> = Result<Bound<'py, PyAny>, Box<PyErr>>;

/// A method of one value, `(value, /)`, that Python calls straight away.
///
/// What `PyO3` does before each call - it sorts arguments, asks whose object it is, counts itself in and
/// out - takes three times as long as to decode a number (`benches/test_varint.py`).
pub(crate) fn method<'py, T, F>(
    py: Python<'py>,
    name: &str,
    value: &str,
    of: F,
) -> PyResult<Bound<'py, PyAny>>
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(&'a T, Borrowed<'a, 'b, PyAny>) -> Made<'b> + Copy + 'static,
{
    let call = PyMethodDefPointer { PyCFunction: call_method::<T, F> };
    descriptor::<T>(py, name, &format!("($self, {value}, /)"), call, ffi::METH_O, of)
}

/// A method of bytes and where in them to begin, `(data, offset=0, /)`, that Python calls straight away.
pub(crate) fn method_at<'py, T, F>(
    py: Python<'py>,
    name: &str,
    of: F,
) -> PyResult<Bound<'py, PyAny>>
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(&'a T, Borrowed<'a, 'b, PyAny>, Option<Borrowed<'a, 'b, PyAny>>) -> Made<'b>
        + Copy
        + 'static,
{
    let call = PyMethodDefPointer { PyCFunctionFast: call_method_at::<T, F> };
    descriptor::<T>(py, name, "($self, data, offset=0, /)", call, ffi::METH_FASTCALL, of)
}

/// A function of one value that Python calls straight away.
pub(crate) fn function<'py, F>(
    module: &Bound<'py, PyModule>,
    name: &str,
    value: &str,
    of: F,
) -> PyResult<()>
where
    F: for<'a, 'b> Fn(Borrowed<'a, 'b, PyAny>) -> Made<'b> + Copy + 'static,
{
    let py = module.py();
    let call = PyMethodDefPointer { PyCFunction: call_function::<F> };
    let definition = definition(name, &format!("({value}, /)"), call, ffi::METH_O, of);
    let within: Bound<'_, PyString> = module.name()?;
    // SAFETY: the definition lives for ever; a function needs no object.
    let made = unsafe {
        let made =
            ffi::PyCMethod_New(definition, ptr::null_mut(), within.as_ptr(), ptr::null_mut());
        Bound::from_owned_ptr_or_err(py, made)?
    };
    module.add(name, made)
}

fn descriptor<'py, T: PyClass>(
    py: Python<'py>,
    name: &str,
    signature: &str,
    call: PyMethodDefPointer,
    flags: c_int,
    of: impl Copy,
) -> PyResult<Bound<'py, PyAny>> {
    let definition = definition(name, signature, call, flags, of);
    // SAFETY: the definition lives for ever, and `call` is what its flags say. Python sees to it that it is
    // called for objects of the class only.
    unsafe {
        let made = ffi::PyDescr_NewMethod(T::type_object_raw(py), definition);
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// What Python keeps of a function for as long as the process lives.
fn definition<F: Copy>(
    name: &str,
    signature: &str,
    call: PyMethodDefPointer,
    flags: c_int,
    _: F,
) -> *mut PyMethodDef {
    const { assert!(size_of::<F>() == 0, "a function by its name, which `function_of` makes again") };
    let text = |text: String| CString::new(text).unwrap_or_default().into_raw();
    Box::leak(Box::new(PyMethodDef {
        ml_name: text(name.to_owned()),
        ml_meth: call,
        ml_flags: flags,
        ml_doc: text(format!("{name}{signature}\n--\n\n")),
    }))
}

/// The function that is the only value of its type.
fn function_of<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: who made a definition of it had one, and no bytes tell one from another.
    unsafe { ptr::NonNull::<F>::dangling().read() }
}

unsafe extern "C" fn call_method<T, F>(
    object: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> *mut ffi::PyObject
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(&'a T, Borrowed<'a, 'b, PyAny>) -> Made<'b> + Copy,
{
    // SAFETY: Python calls with the thread attached, an object of the class and a value, which live for
    // as long as the call.
    let (py, object, value) = unsafe {
        let py = Python::assume_attached();
        let object = Borrowed::from_ptr(py, object).cast_unchecked::<T>();
        (py, object, Borrowed::from_ptr(py, value))
    };
    answer(py, || function_of::<F>()(object.get(), value))
}

unsafe extern "C" fn call_method_at<T, F>(
    object: *mut ffi::PyObject,
    given: *mut *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(&'a T, Borrowed<'a, 'b, PyAny>, Option<Borrowed<'a, 'b, PyAny>>) -> Made<'b>
        + Copy,
{
    // SAFETY: Python calls with the thread attached and an object of the class, which lives for as long
    // as the call.
    let (py, object) = unsafe {
        let py = Python::assume_attached();
        (py, Borrowed::from_ptr(py, object).cast_unchecked::<T>())
    };
    // SAFETY: so do the `count` values.
    let at = |index: usize| unsafe { Borrowed::from_ptr(py, *given.add(index)) };
    answer(py, || {
        let offset = match count {
            1 => None,
            2 => Some(at(1)),
            _ => {
                let text = format!("expected data, and perhaps an offset, got {count} arguments");
                return Err(pyo3::exceptions::PyTypeError::new_err(text).into());
            }
        };
        function_of::<F>()(object.get(), at(0), offset)
    })
}

unsafe extern "C" fn call_function<F>(
    _: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> *mut ffi::PyObject
where
    F: for<'a, 'b> Fn(Borrowed<'a, 'b, PyAny>) -> Made<'b> + Copy,
{
    // SAFETY: Python calls with the thread attached and a value, which lives for as long as the call.
    let (py, value) = unsafe {
        let py = Python::assume_attached();
        (py, Borrowed::from_ptr(py, value))
    };
    answer(py, || function_of::<F>()(value))
}

/// Hands over what `call` makes, or raises.
#[inline]
fn answer<'py>(py: Python<'py>, call: impl FnOnce() -> Made<'py>) -> *mut ffi::PyObject {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(made)) => made.into_ptr(),
        Ok(Err(error)) => raise(py, *error),
        Err(panicked) => raise(py, PanicException::new_err(message(&*panicked))),
    }
}

#[cold]
fn raise(py: Python<'_>, error: PyErr) -> *mut ffi::PyObject {
    drop_errors();
    error.restore(py);
    ptr::null_mut()
}

fn message(panicked: &(dyn Any + Send)) -> String {
    let text = panicked.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panicked.downcast_ref().cloned()).unwrap_or_default()
}

/// What came of an attempt whose error nobody will see.
pub(crate) fn attempt<T>(result: PyResult<T>) -> Option<T> {
    result.map_err(drop).map_err(|()| drop_errors()).ok()
}

/// Lets go of errors that were dropped in calls that `PyO3` does not know of: it keeps what they hold until
/// it finds the thread attached.
fn drop_errors() {
    Python::try_attach(|_| ());
}
