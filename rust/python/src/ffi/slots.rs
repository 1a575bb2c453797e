//! Instances of Python classes with `__slots__`, filled without `__init__`.

use std::ffi::{c_int, c_void};

use pyo3::{
    exceptions::PyTypeError,
    ffi::{self, descrsetfunc, newfunc},
    prelude::*,
    types::{PyAny, PyTuple, PyType},
};

/// Slots of a class written in Python, whose instances are made by filling the slots, without its `__init__`.
pub(crate) struct Slots {
    class: Py<PyType>,
    members: Vec<Py<PyAny>>,
    /// `tp_new` of a class whose base is `object`; it leaves the slots unset.
    make: newfunc,
    /// Setter of a slot's descriptor.
    set: descrsetfunc,
    /// Empty argument tuple for `make`.
    nothing: Py<PyTuple>,
}

impl Slots {
    /// Finds the slots with these names in a class that defines `__slots__` and has the base `object`.
    ///
    /// Other classes are rejected, since only their base class can initialise the memory of their instances.
    pub(crate) fn new(class: &Bound<'_, PyType>, names: &[String]) -> PyResult<Self> {
        let py = class.py();
        let object = py.get_type::<PyAny>();
        // SAFETY: the base of a class is a class or null.
        let base = unsafe { slot::<*mut ffi::PyObject>(class, ffi::Py_tp_base)? };
        if base != Some(object.as_ptr()) {
            let text = format!("the base of {} must be object", class.name()?);
            return Err(PyTypeError::new_err(text));
        }
        // Python refuses to make an object so if some other code must, as of classes written in C.
        object.call_method1("__new__", (class,))?;
        let kind = py.import("types")?.getattr("MemberDescriptorType")?;
        let kind = kind.cast_into::<PyType>()?;
        let mut members = Vec::with_capacity(names.len());
        for name in names {
            let member = class.getattr(name)?;
            let own = member.get_type().is(&kind) && member.getattr("__objclass__")?.is(class);
            if !own {
                let text = format!("{}.{name} is no slot", class.name()?);
                return Err(PyTypeError::new_err(text));
            }
            members.push(member.unbind());
        }
        // SAFETY: the slots of a type hold functions of these kinds or null.
        let make = unsafe { slot::<newfunc>(&object, ffi::Py_tp_new)? };
        // SAFETY: as above.
        let set = unsafe { slot::<descrsetfunc>(&kind, ffi::Py_tp_descr_set)? };
        let (Some(make), Some(set)) = (make, set) else {
            return Err(PyTypeError::new_err("slots cannot be set"));
        };
        let (class, nothing) = (class.clone().unbind(), PyTuple::empty(py).unbind());
        Ok(Self { class, members, make, set, nothing })
    }

    /// Makes an instance with these values in its slots, in the order of the names.
    pub(crate) fn fill<'py>(
        &self,
        py: Python<'py>,
        values: &[Bound<'py, PyAny>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.class.bind(py).as_type_ptr();
        // SAFETY: `make` is `object.__new__`, which Python let make an object of this class in `new`; it takes no
        // arguments but the class.
        let made = unsafe { (self.make)(class, self.nothing.as_ptr(), std::ptr::null_mut()) };
        // SAFETY: what comes is a new reference or null.
        let made = unsafe { Bound::from_owned_ptr_or_err(py, made)? };
        for (member, value) in self.members.iter().zip(values) {
            // SAFETY: `member` is a slot of the class that `made` is of, and `set` is what sets such;
            // it takes a reference of its own to the value.
            let failed = unsafe { (self.set)(member.as_ptr(), made.as_ptr(), value.as_ptr()) } != 0;
            if failed {
                return Err(PyErr::fetch(py));
            }
        }
        Ok(made)
    }
}

/// Reads a type slot; `None` if it is null.
///
/// # Safety
/// The slot holds a `T` or null, and a `T` is a pointer that is not null.
unsafe fn slot<T: Copy>(class: &Bound<'_, PyType>, name: c_int) -> PyResult<Option<T>> {
    const { assert!(size_of::<T>() == size_of::<*mut c_void>()) };
    // SAFETY: the class is a type.
    let held = unsafe { ffi::PyType_GetSlot(class.as_type_ptr(), name) };
    if held.is_null() {
        return if PyErr::occurred(class.py()) { Err(PyErr::fetch(class.py())) } else { Ok(None) };
    }
    // SAFETY: the caller vouches for a `T`, which is as large as a pointer.
    Ok(Some(unsafe { std::mem::transmute_copy::<*mut c_void, T>(&held) }))
}

/// Removes a new object from the garbage collector's tracking.
///
/// Only valid for an object that cannot be part of a reference cycle; otherwise the cycle is never freed.
pub(crate) fn untrack(made: &Bound<'_, PyAny>) {
    // SAFETY: `made` is an object.
    if unsafe { ffi::PyObject_GC_IsTracked(made.as_ptr()) } != 0 {
        // SAFETY: the collector tracks it; what deallocates it asks whether it still does.
        unsafe { ffi::PyObject_GC_UnTrack(made.as_ptr().cast()) };
    }
}
