//! Largest number of elements for which a caller may reserve memory.

use std::collections::TryReserveError;

use pyo3::{
    Borrowed,
    exceptions::{PyMemoryError, PyOverflowError, PyValueError},
    prelude::*,
};

/// Number of calls, responses or operations for which memory is reserved in advance.
#[derive(Clone, Copy)]
pub(crate) struct Count(usize);

impl Count {
    /// Maximum of a count (chosen by jvmwire: this many calls take some hundred MiB).
    const MAX: usize = 1 << 24;

    pub(crate) const fn get(self) -> usize {
        self.0
    }

    /// Reserves memory for this many elements; an error if there is not enough.
    pub(crate) fn room<T>(self) -> PyResult<Vec<T>> {
        let mut room = Vec::new();
        room.try_reserve_exact(self.0).map_err(|error| self.no_memory(&error))?;
        Ok(room)
    }

    pub(crate) fn no_memory(self, error: &TryReserveError) -> PyErr {
        PyMemoryError::new_err(format!("no memory for {} of them: {error}", self.0))
    }
}

impl<'py> FromPyObject<'_, 'py> for Count {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match object.extract::<usize>() {
            Ok(count) if count <= Self::MAX => Ok(Self(count)),
            Err(error) if !error.is_instance_of::<PyOverflowError>(object.py()) => Err(error),
            _ => {
                let text = format!("invalid count {}: expected 0 to {}", &*object, Self::MAX);
                Err(PyValueError::new_err(text))
            }
        }
    }
}
