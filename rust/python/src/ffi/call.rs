//! Methods that Python calls without the call layer of `PyO3`.

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

use super::fast_result::{FastResult, flush_deferred_drops};

/// Defines a method of one argument, `(value, /)`, that Python calls directly; `help` is its docstring.
///
/// The work of `PyO3` per call (argument parsing, type check, attach count) takes three times as long as to
/// decode a number (`benches/test_varint.py`).
pub(crate) fn method<'py, T, F>(
    py: Python<'py>,
    name: &str,
    value: &str,
    help: &str,
    of: F,
) -> PyResult<Bound<'py, PyAny>>
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(&'a T, Borrowed<'a, 'b, PyAny>) -> FastResult<'b> + Copy + 'static,
{
    let call = PyMethodDefPointer { PyCFunction: call_method::<T, F> };
    let signature = format!("($self, {value}, /)");
    descriptor::<T>(py, &Described { name, signature: &signature, help }, call, ffi::METH_O, of)
}

/// Defines a method of bytes and an offset in them, `(data, offset=0, /)`, that Python calls directly.
pub(crate) fn method_at<'py, T, F>(
    py: Python<'py>,
    name: &str,
    help: &str,
    of: F,
) -> PyResult<Bound<'py, PyAny>>
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(
            &'a T,
            Borrowed<'a, 'b, PyAny>,
            Option<Borrowed<'a, 'b, PyAny>>,
        ) -> FastResult<'b>
        + Copy
        + 'static,
{
    let call = PyMethodDefPointer { PyCFunctionFast: call_method_at::<T, F> };
    let described = Described { name, signature: "($self, data, offset=0, /)", help };
    descriptor::<T>(py, &described, call, ffi::METH_FASTCALL, of)
}

/// Defines a function of one argument that Python calls directly.
pub(crate) fn function<'py, F>(
    module: &Bound<'py, PyModule>,
    name: &str,
    value: &str,
    help: &str,
    of: F,
) -> PyResult<()>
where
    F: for<'a, 'b> Fn(Borrowed<'a, 'b, PyAny>) -> FastResult<'b> + Copy + 'static,
{
    let py = module.py();
    let call = PyMethodDefPointer { PyCFunction: call_function::<F> };
    let described = Described { name, signature: &format!("({value}, /)"), help };
    let definition = definition(&described, call, ffi::METH_O, of);
    let within: Bound<'_, PyString> = module.name()?;
    // SAFETY: the definition lives for ever, and `call` is what its flags say; a function needs no object.
    let made = unsafe {
        ffi::PyCMethod_New(definition, ptr::null_mut(), within.as_ptr(), ptr::null_mut())
    };
    // SAFETY: what comes is a new reference or null.
    module.add(name, unsafe { Bound::from_owned_ptr_or_err(py, made)? })
}

/// What `help` prints of a function.
struct Described<'a> {
    name: &'a str,
    signature: &'a str,
    help: &'a str,
}

fn descriptor<'py, T: PyClass>(
    py: Python<'py>,
    described: &Described<'_>,
    call: PyMethodDefPointer,
    flags: c_int,
    of: impl Copy,
) -> PyResult<Bound<'py, PyAny>> {
    let definition = definition(described, call, flags, of);
    // SAFETY: the definition lives for ever, and `call` is what its flags say. Python sees to it that it is
    // called for objects of the class only.
    let made = unsafe { ffi::PyDescr_NewMethod(T::type_object_raw(py), definition) };
    // SAFETY: what comes is a new reference or null.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }
}

/// Creates a method definition that lives as long as the process.
fn definition<F: Copy>(
    &Described { name, signature, help }: &Described<'_>,
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
        ml_doc: text(format!("{name}{signature}\n--\n\n{help}")),
    }))
}

/// Returns the function that is the only value of its zero-sized type.
///
/// # Safety
/// An `F` was passed to [`definition`], so such a value exists.
unsafe fn conjure_zst<F: Copy>() -> F {
    const { assert!(size_of::<F>() == 0) };
    // SAFETY: the caller vouches for a value, and no bytes tell it from another.
    unsafe { ptr::NonNull::<F>::dangling().read() }
}

/// Borrows the object whose method Python calls.
///
/// # Safety
/// Python makes the call, of a method of the class `T`: the thread is attached, and `object` is an instance of
/// the class and lives for the duration of the call.
unsafe fn object_of<'a, T>(object: *mut ffi::PyObject) -> Borrowed<'a, 'a, T> {
    // SAFETY: the caller vouches for the object.
    let object = unsafe { value_of(object) };
    // SAFETY: the caller vouches for its class.
    unsafe { object.cast_unchecked::<T>() }
}

/// Borrows an argument of a call.
///
/// # Safety
/// Python makes the call: the thread is attached, and `value` lives for the duration of the call.
unsafe fn value_of<'a>(value: *mut ffi::PyObject) -> Borrowed<'a, 'a, PyAny> {
    // SAFETY: the caller vouches for the thread.
    let py = unsafe { Python::assume_attached() };
    // SAFETY: the caller vouches for the value.
    unsafe { Borrowed::from_ptr(py, value) }
}

/// # Safety
/// Only Python calls this function, through the method definition that was made together with an `F`.
unsafe extern "C" fn call_method<T, F>(
    object: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> *mut ffi::PyObject
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(&'a T, Borrowed<'a, 'b, PyAny>) -> FastResult<'b> + Copy,
{
    // SAFETY: Python makes the call, of a method that `descriptor` made for the class.
    let object = unsafe { object_of::<T>(object) };
    // SAFETY: Python makes the call, with a value.
    let value = unsafe { value_of(value) };
    // SAFETY: `method` gave an `F` to `definition`, and this function with it.
    let function = unsafe { conjure_zst::<F>() };
    answer(value.py(), || function(object.get(), value))
}

/// # Safety
/// Only Python calls this function, through the method definition that was made together with an `F`.
unsafe extern "C" fn call_method_at<T, F>(
    object: *mut ffi::PyObject,
    given: *mut *mut ffi::PyObject,
    count: ffi::Py_ssize_t,
) -> *mut ffi::PyObject
where
    T: PyClass<Frozen = True> + Sync,
    F: for<'a, 'b> Fn(
            &'a T,
            Borrowed<'a, 'b, PyAny>,
            Option<Borrowed<'a, 'b, PyAny>>,
        ) -> FastResult<'b>
        + Copy,
{
    // SAFETY: Python makes the call, of a method that `descriptor` made for the class.
    let object = unsafe { object_of::<T>(object) };
    // SAFETY: `method_at` gave an `F` to `definition`, and this function with it.
    let function = unsafe { conjure_zst::<F>() };
    let at = |index: usize| {
        // SAFETY: Python gives `count` values, and `index` is below that.
        let value = unsafe { given.add(index) };
        // SAFETY: as above.
        let value = unsafe { *value };
        // SAFETY: Python makes the call, with that value.
        unsafe { value_of(value) }
    };
    answer(object.py(), || {
        let offset = match count {
            1 => None,
            2 => Some(at(1)),
            _ => {
                let text = format!("expected data, and perhaps an offset, got {count} arguments");
                return Err(pyo3::exceptions::PyTypeError::new_err(text).into());
            }
        };
        function(object.get(), at(0), offset)
    })
}

/// # Safety
/// Only Python calls this function, through the method definition that was made together with an `F`.
unsafe extern "C" fn call_function<F>(
    _: *mut ffi::PyObject,
    value: *mut ffi::PyObject,
) -> *mut ffi::PyObject
where
    F: for<'a, 'b> Fn(Borrowed<'a, 'b, PyAny>) -> FastResult<'b> + Copy,
{
    // SAFETY: Python makes the call, with a value.
    let value = unsafe { value_of(value) };
    // SAFETY: `function` gave an `F` to `definition`, and this function with it.
    let function = unsafe { conjure_zst::<F>() };
    answer(value.py(), || function(value))
}

/// Returns the result of `call` to Python, or raises its error.
///
/// Without the feature `cpython-gil`, `PyO3` counts the call as attached, so that objects dropped in it are
/// released at once.
#[inline]
fn answer<'py>(py: Python<'py>, call: impl FnOnce() -> FastResult<'py>) -> *mut ffi::PyObject {
    let call = || catch_unwind(AssertUnwindSafe(call));
    let made = if cfg!(feature = "cpython-gil") { call() } else { Python::attach(|_| call()) };
    match made {
        Ok(Ok(made)) => made.into_ptr(),
        Ok(Err(error)) => raise(py, *error),
        Err(panicked) => raise(py, PanicException::new_err(message(&*panicked))),
    }
}

#[cold]
fn raise(py: Python<'_>, error: PyErr) -> *mut ffi::PyObject {
    flush_deferred_drops();
    error.restore(py);
    ptr::null_mut()
}

fn message(panicked: &(dyn Any + Send)) -> String {
    let text = panicked.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panicked.downcast_ref().cloned()).unwrap_or_default()
}
