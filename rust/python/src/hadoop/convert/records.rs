//! Instances of Python classes from protobuf messages.

use jvmwire_codec::{
    Cursor, DecodeErrorKind,
    hadoop::check_name,
    proto::{self, FieldKind, MessageType, Projection, Record},
    visit::Value,
};
use pyo3::{
    prelude::*,
    types::{PyDict, PyString, PyType},
};

use super::{
    column::{permission, signed},
    messages::{item_to_python, to_python, type_named},
};
use crate::{
    error::PyCoreError,
    ffi::{Slots, untrack},
};

/// Mapping of messages to instances of a Python class.
#[pyclass(module = "jvmwire._core", frozen, generic)]
pub(crate) struct HadoopRecord {
    message: &'static MessageType,
    slots: Slots,
    places: Projection,
    fields: Vec<Field>,
}

struct Field {
    /// Last name of the field's path.
    name: &'static str,
    shown: Conversion,
    /// Index among the record's projections.
    place: usize,
    /// Alternative projection for messages without a value at the first, and the callable for its value.
    otherwise: Option<(usize, Py<PyAny>)>,
    /// Value for messages without the field; without a default the field is required.
    default: Option<Py<PyAny>>,
}

enum Conversion {
    Verbatim,
    /// Bytes as UTF-8; malformed sequences are replaced, and empty bytes become the default.
    Text,
    /// Path of a child, from its name.
    Child,
    /// Unsigned 64-bit number that is signed in Java.
    Signed,
    /// Permission bits that `FsPermission` keeps of a number.
    Mode,
    /// Result of a callable for the value.
    Of(Py<PyAny>),
    /// Dict of a nested message of this type.
    Message,
}

#[pymethods]
impl HadoopRecord {
    /// Creates the mapping from a slot, a field path and a conversion per field.
    ///
    /// The conversions are `text` or `child` for bytes, `signed` for an unsigned number that is signed in Java,
    /// `mode` for a permission, a callable that receives the value, or empty. If consecutive entries have the
    /// same slot, the second has the path and the callable for messages in which the first has no value.
    #[new]
    #[pyo3(signature = (class, message, fields, defaults, /))]
    fn new(
        class: &Bound<'_, PyType>,
        message: &str,
        fields: Vec<(String, String, Bound<'_, PyAny>)>,
        defaults: &Bound<'_, PyDict>,
    ) -> Result<Self, PyCoreError> {
        let message = type_named(message)?;
        if fields.len() > MOST_FIELDS {
            let text = format!("{} fields are more than {MOST_FIELDS}", fields.len());
            return Err(PyCoreError::Argument(text));
        }
        let mut names: Vec<_> = fields.iter().map(|(slot, ..)| slot.clone()).collect();
        names.dedup();
        let mut record = Self {
            message,
            slots: Slots::new(class, &names)?,
            places: Projection::new(message),
            fields: Vec::new(),
        };
        let mut before = None;
        for (place, (slot, path, shown)) in fields.into_iter().enumerate() {
            let wrong = || {
                let text = format!("{} has no {path} that can be shown as {shown}", message.name);
                PyCoreError::Argument(text)
            };
            let kind = record.places.add(&path).ok_or_else(wrong)?;
            let text = shown.cast::<PyString>().map(ToString::to_string);
            let shown = match (kind, text.as_deref()) {
                (FieldKind::Message(_), Ok("")) if !path.contains('.') => Conversion::Message,
                (FieldKind::Message(_), _) => return Err(wrong()),
                (FieldKind::Bytes, Ok("text")) => Conversion::Text,
                (FieldKind::Bytes, Ok("child")) => Conversion::Child,
                (FieldKind::UInt64, Ok("signed")) => Conversion::Signed,
                (FieldKind::UInt32, Ok("mode")) => Conversion::Mode,
                (_, Ok("")) => Conversion::Verbatim,
                (_, Ok(_)) => return Err(wrong()),
                (_, Err(_)) => Conversion::Of(shown.clone().unbind()),
            };
            let name = field_named(message, &path).ok_or_else(wrong)?;
            if before.replace(slot.clone()).as_ref() == Some(&slot) {
                let (Some(first), Conversion::Of(class)) = (record.fields.last_mut(), shown) else {
                    return Err(wrong());
                };
                first.otherwise = Some((place, class));
                continue;
            }
            let default = defaults.get_item(slot)?.map(Bound::unbind);
            record.fields.push(Field { name, shown, place, otherwise: None, default });
        }
        Ok(record)
    }

    /// Decodes one message into an object; `parent` is the path of the file, or of the directory that contains
    /// it.
    #[pyo3(signature = (parent, data, /))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        parent: &str,
        data: &[u8],
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        self.maker(py).make(parent, &Cursor::new(data))
    }
}

impl HadoopRecord {
    /// Returns a builder of many objects.
    pub(in crate::hadoop) fn maker<'a, 'py>(&'a self, py: Python<'py>) -> ObjectBuilder<'a, 'py> {
        ObjectBuilder {
            py,
            record: self,
            path: String::new(),
            known: (0..self.places.len()).map(|_| Vec::new()).collect(),
            values: Vec::with_capacity(self.fields.len()),
        }
    }
}

/// Builder of objects, with a cache of values that many of them share.
pub(in crate::hadoop) struct ObjectBuilder<'a, 'py> {
    py: Python<'py>,
    record: &'a HadoopRecord,
    path: String,
    /// Per projection: recent values with their objects.
    known: Vec<Vec<(Value<'a>, Bound<'py, PyAny>)>>,
    values: Vec<Bound<'py, PyAny>>,
}

impl<'a, 'py> ObjectBuilder<'a, 'py> {
    /// Makes the object of a message; `parent` is the path of the file, or of the directory that contains it.
    pub(in crate::hadoop) fn make(
        &mut self,
        parent: &str,
        message: &Cursor<'a>,
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        let (record, offset) = (self.record, message.offset());
        let mut picked = [Value::Null; MOST_FIELDS];
        let picked = &mut picked[..record.places.len()];
        proto::pick(message.clone(), &record.places, picked)?;
        self.values.clear();
        let mut atomic = true;
        for field in &record.fields {
            let index = field.place;
            let otherwise =
                field.otherwise.as_ref().filter(|(place, _)| picked[*place] != Value::Null);
            let made = match (&field.shown, picked[index], otherwise) {
                (_, Value::Null, Some((place, class))) => {
                    let (py, name, value) = (self.py, field.name, picked[*place]);
                    self.shared(*place, value, || enum_value(py, class, value, name, offset))?
                }
                (_, Value::Null, _) | (Conversion::Text, Value::Bytes([]), _) => {
                    let default = field.default.as_ref();
                    default
                        .ok_or_else(|| DecodeErrorKind::MissingField.at(field.name, offset))?
                        .bind(self.py)
                        .clone()
                }
                (Conversion::Message, ..) => {
                    atomic = false;
                    self.inside(message, field.name)?
                }
                (Conversion::Child, Value::Bytes(name), _) => {
                    check_name(name, offset)?;
                    self.child(parent, name)
                }
                (Conversion::Text, Value::Bytes(text), _) => {
                    PyString::new(self.py, &String::from_utf8_lossy(text)).into_any()
                }
                (Conversion::Signed, value, _) => to_python(self.py, signed(value))?,
                (Conversion::Mode, value, _) => to_python(self.py, permission(value))?,
                (Conversion::Of(class), value, _) => {
                    let (py, name) = (self.py, field.name);
                    self.shared(index, value, || enum_value(py, class, value, name, offset))?
                }
                (_, value @ Value::Text(_), _) => {
                    let py = self.py;
                    self.shared(index, value, || Ok(to_python(py, value)?))?
                }
                (_, value, _) => to_python(self.py, value)?,
            };
            self.values.push(made);
        }
        let made = record.slots.fill(self.py, &self.values)?;
        if atomic {
            // Texts, numbers and members of enumerations: as of tuples of such, no cycle comes of it.
            untrack(&made);
        }
        Ok(made)
    }

    fn child(&mut self, parent: &str, name: &[u8]) -> Bound<'py, PyAny> {
        self.path.clear();
        self.path.push_str(parent);
        // A file that is listed has no name in itself.
        if !name.is_empty() {
            self.path.truncate(parent.trim_end_matches('/').len());
            self.path.push('/');
            // DFSUtilClient.bytes2String: bytes that are not UTF-8 are replaced.
            self.path.push_str(&String::from_utf8_lossy(name));
        }
        PyString::new(self.py, &self.path).into_any()
    }

    /// Decodes a nested message as a dict: rare, so the message is decoded again for it.
    fn inside(
        &self,
        message: &Cursor<'_>,
        name: &'static str,
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        let decoded = Record::decode(self.record.message, message.clone())?;
        let found = decoded.fields().find(|(field, _)| field.name == name);
        let item = found.map(|(_, item)| item_to_python(self.py, item)).transpose()?;
        Ok(item.unwrap_or_else(|| self.py.None().into_bound(self.py)))
    }

    /// Returns the cached result of `first` for a value that many objects share.
    fn shared(
        &mut self,
        index: usize,
        value: Value<'a>,
        first: impl FnOnce() -> Result<Bound<'py, PyAny>, PyCoreError>,
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        let known = &mut self.known[index];
        if let Some((_, made)) = known.iter().find(|(other, _)| *other == value) {
            return Ok(made.clone());
        }
        let made = first()?;
        if known.len() == MOST_KNOWN {
            known.clear();
        }
        known.push((value, made.clone()));
        Ok(made)
    }
}

fn enum_value<'py>(
    py: Python<'py>,
    class: &Py<PyAny>,
    value: Value<'_>,
    name: &'static str,
    offset: usize,
) -> Result<Bound<'py, PyAny>, PyCoreError> {
    class.bind(py).call1((to_python(py, value)?,)).map_err(|error| {
        let value = match value {
            Value::Int(value) => value,
            Value::UInt(value) => i64::try_from(value).unwrap_or(i64::MAX),
            _ => return error.into(),
        };
        let problem = DecodeErrorKind::Unexpected { value, expected: "a value of its enumeration" };
        problem.at(name, offset).into()
    })
}

fn field_named(message: &'static MessageType, path: &str) -> Option<&'static str> {
    let (first, rest) =
        path.split_once('.').map_or((path, None), |(first, rest)| (first, Some(rest)));
    let field = message.fields.iter().find(|field| field.name == first)?;
    match (field.kind, rest) {
        (_, None) => Some(field.name),
        (FieldKind::Message(inner), Some(rest)) => field_named(inner, rest),
        _ => None,
    }
}

/// Number of shared values that are cached per field (chosen by jvmwire).
const MOST_KNOWN: usize = 8;
/// Maximum number of fields of a record (chosen by jvmwire): no listed record has more.
const MOST_FIELDS: usize = 32;
