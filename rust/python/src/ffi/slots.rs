use std::ffi::c_int;

use pyo3::{
    exceptions::PyTypeError,
    ffi::{self, descrsetfunc},
    prelude::*,
    types::PyType,
};

/// The slots of a class of Python's: its objects are made by filling them, without its `__init__`.
pub(crate) struct Slots {
    class: Py<PyType>,
    members: Vec<Py<PyAny>>,
    set: descrsetfunc,
}

impl Slots {
    /// Finds the slots of these names in a class that says `__slots__`.
    pub(crate) fn new(class: &Bound<'_, PyType>, names: &[String]) -> PyResult<Self> {
        let py = class.py();
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
        // SAFETY: `kind` is a type, and what this slot of a type holds is a function of that kind
        // or null.
        let set = unsafe {
            let slot = ffi::PyType_GetSlot(kind.as_type_ptr(), ffi::Py_tp_descr_set as c_int);
            std::mem::transmute::<*mut std::ffi::c_void, Option<descrsetfunc>>(slot)
        };
        let set = set.ok_or_else(|| PyTypeError::new_err("slots cannot be set"))?;
        Ok(Self { class: class.clone().unbind(), members, set })
    }

    /// Makes an object with these values in its slots, in the order of their names.
    pub(crate) fn fill<'py>(
        &self,
        py: Python<'py>,
        values: &[Bound<'py, PyAny>],
    ) -> PyResult<Bound<'py, PyAny>> {
        let class = self.class.bind(py);
        // SAFETY: a class with slots of its own is a heap type whose objects are allocated so; the
        // reference that comes is ours, and its slots are null, which reads as not set.
        let made = unsafe {
            let made = ffi::PyType_GenericAlloc(class.as_type_ptr(), 0);
            Bound::from_owned_ptr_or_err(py, made)?
        };
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

/// Leaves an object that was just made out of the garbage collector's walks: who calls this knows that
/// nothing in it can lead back to it.
pub(crate) fn untrack(made: &Bound<'_, PyAny>) {
    // SAFETY: `made` is an object of a class with slots, which the collector knows how to walk; what is
    // not tracked may be untracked, and its deallocator does so again.
    unsafe { ffi::PyObject_GC_UnTrack(made.as_ptr().cast()) };
}
