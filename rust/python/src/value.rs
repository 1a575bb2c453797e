//! Python objects from field values of any protocol.

use jvmwire_codec::visit::{HIDDEN, Value};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyString},
};

/// Converts a number, a text, bytes, or a UUID (to its bytes) to a Python object.
#[inline]
pub(crate) fn to_python<'py>(py: Python<'py>, value: Value<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Int(value) => value.into_pyobject(py)?.into_any(),
        Value::UInt(value) => value.into_pyobject(py)?.into_any(),
        Value::Float(value) => value.into_pyobject(py)?.into_any(),
        Value::Enum(_, name) => PyString::intern(py, name).into_any(),
        Value::Name(text) | Value::Text(text) | Value::Digits(text) | Value::Masked(text) => {
            PyString::new(py, text).into_any()
        }
        Value::Units(text) => units(py, text)?.into_any(),
        Value::Bytes(bytes) => PyBytes::new(py, bytes).into_any(),
        Value::Uuid(bytes) => PyBytes::new(py, &bytes).into_any(),
        Value::Hidden => PyString::intern(py, HIDDEN).into_any(),
    })
}

/// Converts UTF-16 text, with or without lone surrogates, to a `str`.
pub(crate) fn units<'py>(py: Python<'py>, text: &[u16]) -> PyResult<Bound<'py, PyString>> {
    let bytes: Vec<u8> = text.iter().flat_map(|unit| unit.to_be_bytes()).collect();
    PyString::from_encoded_object(
        &PyBytes::new(py, &bytes).into_any(),
        Some(c"utf-16-be"),
        Some(c"surrogatepass"),
    )
}
