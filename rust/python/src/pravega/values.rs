//! Values of Pravega's fields, from and to Python objects.

use std::{collections::HashMap, ops::Range};

use ahash::RandomState;
use jvmwire_codec::{
    TooLong,
    pravega::FieldSource,
    text::TextError,
    visit::{Shape, Value, Visitor},
};
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBytes, PyDict, PyInt, PyList, PyMemoryView, PySlice, PyString, PyType},
};

use crate::{
    error::PyCoreError,
    ffi::{BytesInput, Slots},
    value::to_python,
};

/// Python value that is encoded as a field.
pub(super) struct PyFieldValue<'py>(pub(super) Bound<'py, PyAny>);

impl FieldSource for PyFieldValue<'_> {
    type Error = FieldValueError;

    fn named(&self, name: &'static str) -> Result<Option<Self>, FieldValueError> {
        let found = self.0.cast::<PyDict>().map_err(PyErr::from)?.get_item(name)?;
        Ok(found.map(Self))
    }

    fn missing(name: &'static str) -> FieldValueError {
        FieldValueError(PyValueError::new_err(format!("{name} is missing, or none of its values")))
    }

    fn each(
        &self,
        take: &mut dyn FnMut(Self) -> Result<(), FieldValueError>,
    ) -> Result<usize, FieldValueError> {
        let mut count = 0;
        for element in self.0.try_iter()? {
            take(Self(element?))?;
            count += 1;
        }
        Ok(count)
    }

    fn int(&self, min: i64, max: i64) -> Result<i64, FieldValueError> {
        let value = self.0.extract::<i64>();
        let value = value.map_err(|error| {
            // A number that does not fit is a wrong value.
            let py = self.0.py();
            if error.is_instance_of::<PyOverflowError>(py) {
                PyValueError::new_err(error.value(py).to_string())
            } else {
                error
            }
        })?;
        if (min..=max).contains(&value) {
            return Ok(value);
        }
        let text = format!("{value} is not between {min} and {max}");
        Err(FieldValueError(PyValueError::new_err(text)))
    }

    fn bool(&self) -> Result<bool, FieldValueError> {
        Ok(self.0.extract()?)
    }

    fn uuid(&self) -> Result<[u8; 16], FieldValueError> {
        Ok(uuid_bytes(&self.0)?)
    }

    fn bytes(&self, take: &mut dyn FnMut(&[u8])) -> Result<(), FieldValueError> {
        let data: BytesInput<'_, '_> = self.0.extract()?;
        data.read(take);
        Ok(())
    }

    fn text(&self, take: &mut dyn FnMut(&[u8])) -> Result<(), FieldValueError> {
        let text = self.0.cast::<PyString>().map_err(PyErr::from)?;
        if let Ok(text) = text.to_str() {
            take(text.as_bytes());
        } else {
            let arguments = ("utf-8", "surrogatepass");
            let encoded = text.call_method1(intern!(text.py(), "encode"), arguments)?;
            take(encoded.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes());
        }
        Ok(())
    }
}

/// Keeps bytes while they are needed: an immutable object itself, or a copy of a mutable one.
pub(super) fn held<'py>(data: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyBytes>> {
    if let Ok(bytes) = data.cast_exact::<PyBytes>() {
        return Ok(bytes.clone());
    }
    data.extract::<BytesInput<'_, '_>>()?.to_bytes(data.py())
}

/// Returns the bytes of a `uuid.UUID`, the most significant first.
pub(super) fn uuid_bytes(uuid: &Bound<'_, PyAny>) -> PyResult<[u8; 16]> {
    let py = uuid.py();
    if !uuid.is_instance(uuid_class(py)?)? {
        let kind = uuid.get_type();
        return Err(PyTypeError::new_err(format!("a UUID is needed, which {kind} is not")));
    }
    // Not `bytes`, which is made of it in Python.
    Ok(uuid.getattr(intern!(py, "int"))?.extract::<u128>()?.to_be_bytes())
}

/// Makes a `uuid.UUID` of bytes without its `__init__`, which takes as long as an acknowledgement.
fn uuid_of(py: Python<'_>, bytes: [u8; 16]) -> PyResult<Bound<'_, PyAny>> {
    static SLOTS: PyOnceLock<(Slots, Py<PyAny>)> = PyOnceLock::new();
    let (slots, unknown) = SLOTS.get_or_try_init(py, || {
        let slots = Slots::new(uuid_class(py)?, &["int".to_owned(), "is_safe".to_owned()])?;
        let unknown = py.import("uuid")?.getattr("SafeUUID")?.getattr("unknown")?;
        Ok::<_, PyErr>((slots, unknown.unbind()))
    })?;
    let number = u128::from_be_bytes(bytes).into_pyobject(py)?.into_any();
    slots.fill(py, &[number, unknown.bind(py).clone()])
}

fn uuid_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    CLASS.import(py, "uuid", "UUID")
}

/// Reason why a value cannot be encoded.
pub(super) struct FieldValueError(pub(super) PyErr);

impl From<PyErr> for FieldValueError {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<TooLong> for FieldValueError {
    fn from(error: TooLong) -> Self {
        Self(PyCoreError::from(error).into())
    }
}

impl From<TextError> for FieldValueError {
    fn from(error: TextError) -> Self {
        Self(PyCoreError::from(error).into())
    }
}

/// Cache of Python objects that many commands share: making them again takes longer than decoding a short
/// command.
#[derive(Default)]
pub(super) struct ObjectCache {
    /// Names of commands and fields.
    names: HashMap<String, Py<PyString>, RandomState>,
    /// Last writer, since consecutive acknowledgements are mostly for the same one.
    writer: Option<([u8; 16], Py<PyInt>)>,
}

impl ObjectCache {
    pub(super) fn name<'py>(&mut self, py: Python<'py>, name: &str) -> Bound<'py, PyString> {
        if let Some(known) = self.names.get(name) {
            return known.bind(py).clone();
        }
        let made = PyString::intern(py, name);
        self.names.insert(name.to_owned(), made.clone().unbind());
        made
    }

    /// Returns a writer's UUID as an `int`.
    pub(super) fn writer(&mut self, py: Python<'_>, uuid: [u8; 16]) -> PyResult<Py<PyInt>> {
        if let Some((last, number)) = &self.writer
            && *last == uuid
        {
            return Ok(number.clone_ref(py));
        }
        let made = u128::from_be_bytes(uuid).into_pyobject(py)?.unbind();
        self.writer = Some((uuid, made.clone_ref(py)));
        Ok(made)
    }
}

/// Visitor that makes a dict of fields.
pub(super) struct Fields<'a, 'py> {
    py: Python<'py>,
    known: &'a mut ObjectCache,
    open: Vec<Open<'py>>,
    failed: Option<PyErr>,
    /// Name of the field that becomes a view, and the chunk that contains its bytes.
    stored: Option<(&'static str, Bound<'py, PyBytes>)>,
}

enum Open<'py> {
    Dict(Bound<'py, PyDict>),
    List(Bound<'py, PyList>),
}

impl<'a, 'py> Fields<'a, 'py> {
    /// Makes the field with this name, if any, a view of `chunk`, if `chunk` contains its bytes.
    pub(super) fn viewing(
        chunk: &Bound<'py, PyBytes>,
        name: Option<&'static str>,
        known: &'a mut ObjectCache,
    ) -> Self {
        let py = chunk.py();
        let stored = name.map(|name| (name, chunk.clone()));
        Self { py, known, open: vec![Open::Dict(PyDict::new(py))], failed: None, stored }
    }

    pub(super) fn finish(mut self) -> PyResult<Bound<'py, PyDict>> {
        match (self.failed, self.open.pop()) {
            (None, Some(Open::Dict(dict))) => Ok(dict),
            (Some(error), _) => Err(error),
            _ => Ok(PyDict::new(self.py)),
        }
    }

    fn put(&mut self, name: &str, value: PyResult<Bound<'py, PyAny>>) {
        let put = value.and_then(|value| match self.open.last() {
            Some(Open::Dict(dict)) => dict.set_item(self.known.name(self.py, name), value),
            Some(Open::List(list)) => list.append(value),
            None => Ok(()),
        });
        if let Err(error) = put {
            self.failed.get_or_insert(error);
        }
    }
}

impl Visitor for Fields<'_, '_> {
    fn field(&mut self, name: &str, _: Range<usize>, value: Value<'_>) {
        let value = match (&self.stored, value) {
            (Some((stored, chunk)), Value::Bytes(bytes)) if *stored == name => view(chunk, bytes),
            (_, Value::Uuid(bytes)) => uuid_of(self.py, bytes),
            (_, value) => to_python(self.py, value),
        };
        self.put(name, value);
    }

    fn secret(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        // The called function must know the token.
        self.field(name, at, value);
    }

    fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}

    fn enter(&mut self, name: &str, shape: Shape) {
        let (inner, value) = match shape {
            Shape::Object => {
                let dict = PyDict::new(self.py);
                (Open::Dict(dict.clone()), dict.into_any())
            }
            Shape::List => {
                let list = PyList::empty(self.py);
                (Open::List(list.clone()), list.into_any())
            }
        };
        self.put(name, Ok(value));
        self.open.push(inner);
    }

    fn leave(&mut self) {
        self.open.pop();
    }
}

/// Makes a view of `bytes` in `chunk`, or of a copy if `chunk` does not contain them.
fn view<'py>(chunk: &Bound<'py, PyBytes>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let py = chunk.py();
    let all = chunk.as_bytes();
    let start = bytes.as_ptr().addr().checked_sub(all.as_ptr().addr());
    let Some(start) = start.filter(|start| *start + bytes.len() <= all.len()) else {
        return Ok(PyMemoryView::from(PyBytes::new(py, bytes).as_any())?.into_any());
    };
    let place = (start.cast_signed(), (start + bytes.len()).cast_signed());
    PyMemoryView::from(chunk.as_any())?.get_item(PySlice::new(py, place.0, place.1, 1))
}
