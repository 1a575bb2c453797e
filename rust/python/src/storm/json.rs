//! JSON encoding of Python objects.

use pyo3::{
    prelude::*,
    types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString, PyTuple},
};
use serde::{
    Serialize, Serializer,
    ser::{Error, SerializeMap},
};

/// Serializer of Python objects as JSON. Rare and unsupported types are errors.
pub(super) struct Json<'a, 'py> {
    value: &'a Bound<'py, PyAny>,
    depth: u32,
}

impl<'a, 'py> Json<'a, 'py> {
    pub(super) fn new(value: &'a Bound<'py, PyAny>) -> Self {
        Self { value, depth: 0 }
    }
}

impl Serialize for Json<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        let depth = self.depth + 1;
        let rare = || S::Error::custom("rare");
        if let Ok(text) = value.cast_exact::<PyString>() {
            serializer.serialize_str(text.to_str().map_err(|_| rare())?)
        } else if value.is_exact_instance_of::<PyInt>() {
            serializer.serialize_i64(value.extract().map_err(|_| rare())?)
        } else if let Ok(number) = value.cast_exact::<PyFloat>() {
            let number = number.value();
            if number.is_finite() { serializer.serialize_f64(number) } else { Err(rare()) }
        } else if value.is_none() {
            serializer.serialize_unit()
        } else if let Ok(truth) = value.cast_exact::<PyBool>() {
            serializer.serialize_bool(truth.is_true())
        } else if depth > DEPTH_LIMIT {
            Err(rare())
        } else if let Ok(list) = value.cast_exact::<PyList>() {
            serializer.collect_seq(list.iter().map(|value| Owned { value, depth }))
        } else if let Ok(tuple) = value.cast_exact::<PyTuple>() {
            serializer.collect_seq(tuple.iter().map(|value| Owned { value, depth }))
        } else if let Ok(dict) = value.cast_exact::<PyDict>() {
            let mut map = serializer.serialize_map(Some(dict.len()))?;
            for (key, value) in dict.iter() {
                let key = key.cast_into_exact::<PyString>().map_err(|_| rare())?;
                map.serialize_entry(key.to_str().map_err(|_| rare())?, &Owned { value, depth })?;
            }
            map.end()
        } else {
            Err(rare())
        }
    }
}

struct Owned<'py> {
    value: Bound<'py, PyAny>,
    depth: u32,
}

impl Serialize for Owned<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Json { value: &self.value, depth: self.depth }.serialize(serializer)
    }
}

/// Maximum depth of nested values that this serializer accepts.
const DEPTH_LIMIT: u32 = 100;
