//! Commands of Pravega's two dialects, from and to Python objects.

use std::collections::{HashMap, VecDeque};

use jvmwire_codec::pravega::{
    self, CommandDecoder, Dialect, FRAME_LIMIT, Field, FieldKind, Received, Role, encode,
    visit_fields,
};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString},
};

use super::{
    appended::PravegaDataAppended,
    values::{Fields, ObjectCache, PyFieldValue, held},
};
use crate::{decode::not_one_of, error::PyCoreError, ffi::BytesBuilder};

/// Commands of one of Pravega's two protocols.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct PravegaDialect(Dialect);

#[pymethods]
impl PravegaDialect {
    /// Returns the protocol of the current segment store.
    #[staticmethod]
    fn today() -> Self {
        Self(Dialect::today())
    }

    /// Returns the first proposal of the protocol, with other type numbers if given, by name.
    #[staticmethod]
    #[pyo3(signature = (types=None, /))]
    fn early(types: Option<HashMap<String, i32>>) -> Result<Self, PyCoreError> {
        let types = types.unwrap_or_default();
        let dialect = Dialect::early(types.iter().map(|(name, code)| (name.as_str(), *code)));
        Ok(Self(dialect.map_err(|error| PyCoreError::Argument(error.to_string()))?))
    }

    /// Lists the commands: type, name, sender and fields. Per field: name, kind and whether it is optional.
    fn commands<'py>(&self, py: Python<'py>) -> PyResult<Vec<PyCommand<'py>>> {
        let tell = |(code, command): (i32, &'static pravega::Command)| {
            let role = match command.role {
                Role::Request => "request",
                Role::Reply => "reply",
                Role::Both => "both",
                Role::Append => "append",
            };
            Ok((code, command.name, role, described(py, command.fields)?))
        };
        self.0.commands().into_iter().map(tell).collect()
    }

    /// Encodes a command.
    #[pyo3(signature = (name, fields, /))]
    fn encode<'py>(
        &self,
        name: &str,
        fields: &Bound<'py, PyDict>,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let py = fields.py();
        let Some((code, command)) = self.0.named(name) else {
            return Err(PyCoreError::Argument(format!("there is no command {name:?}")));
        };
        for key in fields.keys() {
            let key: String = key.extract()?;
            if !command.fields.iter().any(|field| field.names().contains(&key.as_str())) {
                let known: Vec<_> = command.fields.iter().flat_map(Field::names).copied().collect();
                return Err(not_one_of(&format!("field of {name}"), &key, &known));
            }
        }
        let mut out = Vec::new();
        encode(command, code, &PyFieldValue(fields.clone().into_any()), &mut out).map_err(
            |error| {
                let text = format!("{name}: {}", error.0.value(py));
                let naming = if error.0.is_instance_of::<PyTypeError>(py) {
                    PyTypeError::new_err(text)
                } else if error.0.is_instance_of::<PyValueError>(py) {
                    PyValueError::new_err(text)
                } else {
                    return error.0;
                };
                naming.set_cause(py, Some(error.0));
                naming
            },
        )?;
        Ok(PyBytes::new(py, &out))
    }

    /// Returns a new incremental decoder of this dialect.
    #[pyo3(signature = (*, limit=FRAME_LIMIT))]
    fn decoder(&self, limit: usize) -> PravegaDecoder {
        PravegaDecoder {
            kept: CommandDecoder::new(self.0, limit),
            chunks: VecDeque::new(),
            growing: None,
            known: ObjectCache::default(),
        }
    }
}

/// Type, name, role and fields of a command in the table.
type PyCommand<'py> = (i32, &'static str, &'static str, Bound<'py, PyList>);

/// Builds a list of name, kind and whether the field is optional; the kind of a list is such a list, or one
/// kind.
fn described<'py>(py: Python<'py>, fields: &'static [Field]) -> PyResult<Bound<'py, PyList>> {
    let told = PyList::empty(py);
    for field in fields {
        let kind = kind_of(py, field.kind)?;
        for name in field.names() {
            told.append((*name, &kind, field.is_optional()))?;
        }
    }
    Ok(told)
}

fn kind_of(py: Python<'_>, kind: FieldKind) -> PyResult<Bound<'_, PyAny>> {
    let name = match kind {
        FieldKind::List(fields) => return Ok(described(py, fields)?.into_any()),
        FieldKind::Each(kind) => {
            let list = PyList::empty(py);
            list.append(kind_of(py, *kind)?)?;
            return Ok(list.into_any());
        }
        FieldKind::Bool | FieldKind::TailAndEnd => "bool",
        FieldKind::I8 => "int8",
        FieldKind::I32 => "int32",
        FieldKind::I64 => "int64",
        FieldKind::Uuid => "uuid",
        FieldKind::Utf => "text",
        FieldKind::Bytes
        | FieldKind::Stored
        | FieldKind::Rest
        | FieldKind::Event
        | FieldKind::Value => "bytes",
        FieldKind::Padding => "length",
        FieldKind::Key => "key",
        FieldKind::Part => "part",
    };
    Ok(PyString::intern(py, name).into_any())
}

const DATA_APPENDED: &str = "DataAppended";

/// Type, name and fields of a command.
type PyReceived<'py> = (i32, Option<Bound<'py, PyString>>, Bound<'py, PyDict>);

/// Incremental decoder of a stream of commands.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct PravegaDecoder {
    kept: CommandDecoder,
    /// Chunks that were fed and are not copied, each with the number of consumed bytes.
    chunks: VecDeque<(Py<PyBytes>, usize)>,
    /// Frame that spans chunks, before all other bytes.
    growing: Option<BytesBuilder>,
    known: ObjectCache,
}

#[pymethods]
impl PravegaDecoder {
    /// Appends the next bytes of the stream.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &Bound<'_, PyAny>) -> PyResult<()> {
        self.chunks.push_back((held(data)?.unbind(), 0));
        Ok(())
    }

    /// Takes the next command: type, name and fields.
    ///
    /// An unknown type has no name, and its bytes instead of fields. The data of a segment is a view. Returns
    /// None if more bytes must be fed.
    fn next_command<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<PyReceived<'py>>, PyCoreError> {
        self.next(py, fields_of)
    }

    /// Takes the next command of the current segment store's protocol; an acknowledgement of appends is an
    /// object instead of a dict.
    fn next_reply<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<Bound<'py, PyAny>>, PyCoreError> {
        self.next(py, |chunk, received, known| {
            if received.command.is_some_and(|command| command.name == DATA_APPENDED) {
                let appended = PravegaDataAppended::decode(py, received, known)?;
                return Ok(Bound::new(py, appended)?.into_any());
            }
            Ok(fields_of(chunk, received, known)?.into_pyobject(py)?.into_any())
        })
    }

    /// Number of bytes that wait for the rest of their command.
    #[getter]
    fn buffered(&self, py: Python<'_>) -> usize {
        let left = |(chunk, taken): &(Py<PyBytes>, usize)| chunk.bind(py).as_bytes().len() - taken;
        let growing = self.growing.as_ref().map_or(0, BytesBuilder::filled);
        self.kept.buffered() + growing + self.chunks.iter().map(left).sum::<usize>()
    }
}

impl PravegaDecoder {
    /// Returns the result of `make` for the next command and its chunk.
    fn next<'py, T>(
        &mut self,
        py: Python<'py>,
        make: impl Fn(&Bound<'py, PyBytes>, &Received<'_>, &mut ObjectCache) -> Result<T, PyCoreError>,
    ) -> Result<Option<T>, PyCoreError> {
        while let Some((chunk, taken)) = self.chunks.front_mut() {
            let chunk = chunk.bind(py).clone();
            let mut rest = &chunk.as_bytes()[*taken..];
            let mut received = None;
            if let Some(growing) = &mut self.growing {
                rest = &rest[growing.put(rest)..];
            } else if let Some(len) = self.kept.unfinished(rest) {
                self.growing = Some(BytesBuilder::new(py, len)?);
                continue;
            } else if let Some(next) = self.kept.next_command(&mut rest)? {
                received = Some(make(&chunk, &next, &mut self.known)?);
            }
            *taken = chunk.as_bytes().len() - rest.len();
            if rest.is_empty() {
                self.chunks.pop_front();
            }
            if received.is_some() {
                return Ok(received);
            }
            match self.growing.take().map(BytesBuilder::whole) {
                Some(Ok(whole)) => self.chunks.push_front((whole, 0)),
                Some(Err(growing)) => self.growing = Some(growing),
                None => {}
            }
        }
        Ok(None)
    }
}

/// Makes a dict of the fields of a received command, with views of `chunk` where the bytes are in it.
fn fields_of<'py>(
    chunk: &Bound<'py, PyBytes>,
    received: &Received<'_>,
    known: &mut ObjectCache,
) -> Result<PyReceived<'py>, PyCoreError> {
    let py = chunk.py();
    let stored = received.command.and_then(pravega::Command::stored);
    let name = received.command.map(|command| known.name(py, command.name));
    let mut fields = Fields::viewing(chunk, stored, known);
    let Some(command) = received.command else {
        let fields = fields.finish()?;
        fields.set_item("data", PyBytes::new(py, received.payload))?;
        return Ok((received.code, None, fields));
    };
    visit_fields(command, received.payload, &mut fields)?;
    Ok((received.code, name, fields.finish()?))
}
