//! Conversion of protobuf messages from and to dicts.

use jvmwire_codec::{
    Cursor, hadoop,
    proto::{FieldKind, Item, Label, MAX_DEPTH, MessageType, Projection, Record, Writer, pick},
    varint,
    visit::Value,
};
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PySequence, PyString},
};

use crate::{error::PyCoreError, value};

/// Encodes a message from a dict of its fields.
#[pyfunction]
#[pyo3(signature = (name, fields, /))]
pub(crate) fn encode_message<'py>(
    name: &str,
    fields: &Bound<'py, PyDict>,
) -> Result<Bound<'py, PyBytes>, PyCoreError> {
    let mut out = Vec::new();
    write_fields(type_named(name)?, fields, &mut Writer::new(&mut out), 0)?;
    Ok(PyBytes::new(fields.py(), &out))
}

/// Decodes a message, which must have all required fields, into a dict of its fields.
#[pyfunction]
#[pyo3(signature = (name, data, /))]
pub(crate) fn decode_message<'py>(
    py: Python<'py>,
    name: &str,
    data: &[u8],
) -> Result<Bound<'py, PyDict>, PyCoreError> {
    let record = Record::decode(type_named(name)?, Cursor::new(data))?;
    Ok(to_dict(py, &record)?)
}

/// Reads the value at a path of field names in a message; other fields are not validated.
#[pyfunction]
#[pyo3(signature = (name, data, path, /))]
pub(crate) fn pick_field<'py>(
    py: Python<'py>,
    name: &str,
    data: &[u8],
    path: &str,
) -> Result<Bound<'py, PyAny>, PyCoreError> {
    let places = single_place(type_named(name)?, path)?;
    let mut values = [Value::Null];
    pick(Cursor::new(data), &places, &mut values)?;
    Ok(to_python(py, values[0])?)
}

/// Returns the single projection of a path of field names.
pub(in crate::hadoop) fn single_place(
    message: &'static MessageType,
    path: &str,
) -> Result<Projection, PyCoreError> {
    let mut places = Projection::new(message);
    places
        .add(path)
        .ok_or_else(|| PyCoreError::Argument(format!("{} has no single {path}", message.name)))?;
    Ok(places)
}

/// Returns the message type with this name, or an error.
pub(in crate::hadoop) fn type_named(name: &str) -> Result<&'static MessageType, PyCoreError> {
    hadoop::message_type(name)
        .ok_or_else(|| PyCoreError::Argument(format!("there is no message type {name:?}")))
}

fn write_fields(
    kind: &MessageType,
    fields: &Bound<'_, PyDict>,
    writer: &mut Writer<'_>,
    depth: usize,
) -> PyResult<()> {
    if depth > MAX_DEPTH {
        let text = format!("messages are nested deeper than {MAX_DEPTH} levels");
        return Err(PyValueError::new_err(text));
    }
    let mut known = 0;
    for field in kind.fields {
        let given = fields.get_item(field.name)?;
        known += usize::from(given.is_some());
        let given = given.filter(|value| !value.is_none());
        let named = |error| naming(error, kind, field.name, fields.py());
        match (field.label, given) {
            (Label::Repeated, Some(list)) => {
                let list = list.cast::<PySequence>().map_err(|error| named(error.into()))?;
                for value in list.try_iter()? {
                    write_value(field.kind, field.number, &value?, writer, depth).map_err(named)?;
                }
            }
            (_, Some(value)) => {
                write_value(field.kind, field.number, &value, writer, depth).map_err(named)?;
            }
            (Label::Required, None) => {
                let text = format!("{} needs {}", kind.name, field.name);
                return Err(PyValueError::new_err(text));
            }
            (_, None) => {}
        }
    }
    if known < fields.len() {
        let is_known = |key: &Bound<'_, PyAny>| {
            let name = key.extract::<String>();
            name.is_ok_and(|name| kind.fields.iter().any(|field| field.name == name))
        };
        let other = fields.keys().iter().find(|key| !is_known(key));
        let text = format!("{} has no field {other:?}", kind.name);
        return Err(PyValueError::new_err(text));
    }
    Ok(())
}

/// Appends one value of a field; `None` is an error.
pub(in crate::hadoop) fn write_value(
    kind: FieldKind,
    number: u32,
    value: &Bound<'_, PyAny>,
    writer: &mut Writer<'_>,
    depth: usize,
) -> PyResult<()> {
    let wire = match kind {
        FieldKind::Int32 => i64::from(value.extract::<i32>()?).cast_unsigned(),
        FieldKind::Int64 => value.extract::<i64>()?.cast_unsigned(),
        FieldKind::UInt32 => value.extract::<u32>()?.into(),
        FieldKind::UInt64 => value.extract()?,
        FieldKind::SInt32 => varint::zigzag(value.extract::<i32>()?.into()),
        FieldKind::SInt64 => varint::zigzag(value.extract()?),
        FieldKind::Bool => value.extract::<bool>()?.into(),
        FieldKind::Enum(names) => enum_number(names, value)?.cast_unsigned(),
        FieldKind::Float => {
            writer.fixed32(number, value.extract::<f32>()?.to_bits());
            return Ok(());
        }
        FieldKind::Double => {
            writer.fixed64(number, value.extract::<f64>()?.to_bits());
            return Ok(());
        }
        FieldKind::Text | FieldKind::Name => {
            let text = value.cast::<PyString>()?;
            writer.bytes(number, text.to_str()?.as_bytes());
            return Ok(());
        }
        FieldKind::Bytes | FieldKind::Uuid => {
            writer.bytes(number, value.cast::<PyBytes>()?.as_bytes());
            return Ok(());
        }
        FieldKind::Message(inner) => {
            let fields = value.cast::<PyDict>()?;
            return writer.message(number, |writer| write_fields(inner, fields, writer, depth + 1));
        }
    };
    writer.varint(number, wire);
    Ok(())
}

fn enum_number(names: &[(i64, &'static str)], value: &Bound<'_, PyAny>) -> PyResult<i64> {
    let Ok(name) = value.cast::<PyString>() else { return Ok(value.extract::<i32>()?.into()) };
    let name = name.to_str()?;
    names.iter().find(|(_, known)| *known == name).map(|(number, _)| *number).ok_or_else(|| {
        let known: Vec<_> = names.iter().map(|(_, known)| *known).collect();
        PyValueError::new_err(format!("{name:?} is not one of {}", known.join(", ")))
    })
}

/// Adds the field's name to an error; a number that is out of range becomes a wrong value.
pub(in crate::hadoop) fn naming(
    error: PyErr,
    kind: &MessageType,
    field: &str,
    py: Python<'_>,
) -> PyErr {
    let text = format!("{}.{field}: {}", kind.name, error.value(py));
    let naming = if error.is_instance_of::<PyTypeError>(py) {
        PyTypeError::new_err(text)
    } else if error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
    {
        PyValueError::new_err(text)
    } else {
        return error;
    };
    naming.set_cause(py, Some(error));
    naming
}

fn to_dict<'py>(py: Python<'py>, record: &Record<'_>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for (field, item) in record.fields() {
        dict.set_item(PyString::intern(py, field.name), item_to_python(py, item)?)?;
    }
    Ok(dict)
}

pub(in crate::hadoop) fn item_to_python<'py>(
    py: Python<'py>,
    item: &Item<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match item {
        Item::Value(value) => to_python(py, *value)?,
        Item::Record(record) => to_dict(py, record)?.into_any(),
        Item::List(items) => {
            let items: PyResult<Vec<_>> =
                items.iter().map(|item| item_to_python(py, item)).collect();
            PyList::new(py, items?)?.into_any()
        }
    })
}

pub(in crate::hadoop) fn to_python<'py>(
    py: Python<'py>,
    value: Value<'_>,
) -> PyResult<Bound<'py, PyAny>> {
    match value {
        Value::Units(_) => Err(PyTypeError::new_err("no protobuf message has a lone surrogate")),
        value => value::to_python(py, value),
    }
}
