//! Messages of Hazelcast's client protocol, from and to Python objects.

use std::ops::Range;

use jvmwire_codec::{
    Cursor,
    hazelcast::{
        Field, FieldBuilder, Group, HEADER_LEN, Header, Kind, MessageType, Partition, Role, Writer,
        encode_message, message_named, message_type, read_message, secrets_of,
    },
    visit::Value,
};
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString, PyTuple},
};

use super::HazelcastPackedList;
use crate::{error::PyCoreError, value::to_python};

/// Message type of the protocol's table.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct HazelcastMessage(&'static MessageType);

#[pymethods]
impl HazelcastMessage {
    /// Returns the message type with this name, or raises `ValueError`.
    #[staticmethod]
    #[pyo3(signature = (name, /))]
    fn named(name: &str) -> Result<Self, PyCoreError> {
        message_named(name)
            .map(Self)
            .ok_or_else(|| PyCoreError::Argument(format!("Hazelcast has no message {name:?}")))
    }

    /// Returns the message type with this number, or None.
    #[staticmethod]
    #[pyo3(signature = (number, /))]
    fn of_type(number: u16) -> Option<Self> {
        message_type(number).map(Self)
    }

    /// Lists the names of all messages.
    #[staticmethod]
    fn names() -> Vec<&'static str> {
        jvmwire_codec::hazelcast::message_types().map(|message| message.name).collect()
    }

    /// Number of the message type.
    #[getter]
    fn id(&self) -> u16 {
        self.0.id
    }

    /// Name of the message, such as `Map.put`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name
    }

    /// Names of the fields, in order.
    #[getter]
    fn fields(&self) -> Vec<&'static str> {
        self.0.fields.iter().map(|field| field.name).collect()
    }

    /// Names of the secret fields, which may occur at any depth.
    #[getter]
    fn secrets(&self) -> Vec<&'static str> {
        secrets_of(self.0).to_vec()
    }

    /// Number of fields in the first version of the message.
    #[getter]
    fn required(&self) -> usize {
        self.0.fields.iter().filter(|field| !field.later).count()
    }

    /// Whether a repeated request has the same effect and response as one.
    #[getter]
    fn retryable(&self) -> bool {
        matches!(self.0.role, Role::Request { retryable: true, .. })
    }

    /// Type of the response; 0 for a message other than a request.
    #[getter]
    fn response(&self) -> u16 {
        match self.0.role {
            Role::Request { response, .. } => response,
            Role::Response | Role::Event => 0,
        }
    }

    /// Source of the partition: `none`, `any`, `given`, or the name of a field.
    #[getter]
    fn partition(&self) -> &'static str {
        match self.0.role {
            Role::Request { partition: Partition::Any, .. } => "any",
            Role::Request { partition: Partition::Given, .. } => "given",
            Role::Request { partition: Partition::Of(at), .. } => self.0.fields[at].name,
            _ => "none",
        }
    }

    /// Encodes one message, in frames of at most `limit` bytes.
    #[pyo3(signature = (correlation_id, partition_id, fields, /, *, flags=0, limit=usize::MAX))]
    fn encode<'py>(
        &self,
        correlation_id: i64,
        partition_id: i32,
        fields: &Bound<'py, PyTuple>,
        flags: u8,
        limit: usize,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let mut out = Vec::with_capacity(128);
        self.write(self.header(correlation_id, partition_id, flags), limit, fields, &mut out)?;
        Ok(PyBytes::new(fields.py(), &out))
    }

    /// Encodes a message per row, with consecutive correlation ids from `first_id` on.
    #[pyo3(signature = (first_id, partition_ids, rows, /, *, limit=usize::MAX))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn encode_all<'py>(
        &self,
        first_id: i64,
        partition_ids: Vec<i32>,
        rows: &Bound<'py, PyList>,
        limit: usize,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        if partition_ids.len() != rows.len() {
            let (ids, rows) = (partition_ids.len(), rows.len());
            return Err(PyCoreError::Argument(format!("{ids} partitions of {rows} requests")));
        }
        let mut out = Vec::with_capacity(rows.len().saturating_mul(64));
        for ((row, partition_id), at) in rows.iter().zip(&partition_ids).zip(0..) {
            let fields = row.cast::<PyTuple>().map_err(PyErr::from)?;
            let Some(id) = first_id.checked_add(at) else {
                let text = format!("{} ids from {first_id} on do not fit 64 bits", rows.len());
                return Err(PyCoreError::Argument(text));
            };
            self.write(self.header(id, *partition_id, 0), limit, fields, &mut out)?;
        }
        Ok(PyBytes::new(rows.py(), &out))
    }

    /// Decodes the fields of a message without a frame.
    #[pyo3(signature = (fields, /))]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        fields: &[u8],
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        read_message(self.0, &mut Cursor::new(fields), &mut Objects(py))
    }

    fn __repr__(&self) -> String {
        format!("<HazelcastMessage {}>", self.0.name)
    }
}

impl HazelcastMessage {
    fn header(&self, correlation_id: i64, partition_id: i32, flags: u8) -> Header {
        Header {
            version: PROTOCOL_VERSION,
            flags,
            kind: self.0.id,
            correlation_id,
            partition_id,
            data_offset: HEADER_LEN,
        }
    }

    fn write(
        &self,
        header: Header,
        limit: usize,
        fields: &Bound<'_, PyTuple>,
        out: &mut Vec<u8>,
    ) -> Result<(), PyCoreError> {
        let required = self.required();
        if !(required..=self.0.fields.len()).contains(&fields.len()) {
            let (name, len) = (self.0.name, fields.len());
            let names = self.fields().join(", ");
            return Err(PyCoreError::Argument(format!("{len} values for {name} of {names}")));
        }
        encode_message(header, limit, out, |out| {
            let mut writer = Writer(out);
            for (field, value) in self.0.fields.iter().zip(fields.iter_borrowed()) {
                write_value(&field.kind, &value, &mut writer)
                    .map_err(|error| self.naming(error.into(), field, fields.py()))?;
            }
            Ok(())
        })
    }

    /// Adds the field's name to an error; a number that is out of range becomes a wrong value.
    fn naming(&self, error: PyErr, field: &Field, py: Python<'_>) -> PyCoreError {
        let text = format!("{}.{}: {}", self.0.name, field.name, error.value(py));
        let naming = if error.is_instance_of::<PyTypeError>(py) {
            PyTypeError::new_err(text)
        } else if error.is_instance_of::<PyValueError>(py)
            || error.is_instance_of::<PyOverflowError>(py)
        {
            PyValueError::new_err(text)
        } else {
            return error.into();
        };
        naming.set_cause(py, Some(error));
        naming.into()
    }
}

fn write_value(
    kind: &Kind,
    value: &Bound<'_, PyAny>,
    writer: &mut Writer<'_>,
) -> Result<(), PyCoreError> {
    match kind {
        Kind::Data | Kind::Bytes => {
            writer.bytes(value.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes())?;
        }
        Kind::Text => {
            let text = value.cast::<PyString>().map_err(PyErr::from)?;
            writer.bytes(text.to_str()?.as_bytes())?;
        }
        Kind::Int => writer.int(value.extract()?),
        Kind::Long => writer.long(value.extract()?),
        Kind::Boolean => writer.boolean(value.extract()?),
        Kind::Byte => writer.byte(value.extract()?),
        Kind::Nullable(kind) => {
            writer.boolean(value.is_none());
            if !value.is_none() {
                write_value(kind, value, writer)?;
            }
        }
        Kind::List(Kind::Data | Kind::Entry(..))
            if value.is_instance_of::<HazelcastPackedList>() =>
        {
            let packed = value.cast::<HazelcastPackedList>().map_err(PyErr::from)?.get();
            writer.count(packed.count)?;
            writer.0.extend_from_slice(&packed.bytes);
        }
        Kind::List(element) => {
            if value.is_instance_of::<PyString>() || value.is_instance_of::<PyBytes>() {
                let text = format!("a list is needed, not {}", value.get_type().name()?);
                return Err(PyTypeError::new_err(text).into());
            }
            let elements: Vec<_> = value.try_iter()?.collect::<PyResult<_>>()?;
            writer.count(elements.len())?;
            for value in &elements {
                write_value(element, value, writer)?;
            }
        }
        Kind::Entry(key, of) => {
            let (first, second): (Bound<'_, PyAny>, Bound<'_, PyAny>) = value.extract()?;
            write_value(key, &first, writer)?;
            write_value(of, &second, writer)?;
        }
        Kind::Struct(fields) => {
            let given = value.cast::<PyDict>().map_err(PyErr::from)?;
            if given.len() > fields.len() {
                let text = format!("there are fields not known in {}", given.keys());
                return Err(PyCoreError::Argument(text));
            }
            for field in *fields {
                let Some(value) = given.get_item(field.name)? else {
                    return Err(PyCoreError::Argument(format!("{} is missing", field.name)));
                };
                write_value(&field.kind, &value, writer)?;
            }
        }
        Kind::Choice(choices) => {
            let (name, value): (String, Bound<'_, PyAny>) = value.extract()?;
            let Some(chosen) = choices.iter().find(|choice| choice.field.name == name) else {
                return Err(PyCoreError::Argument(format!("{name} is none of its kinds")));
            };
            writer.byte(chosen.tag.cast_signed());
            write_value(&chosen.field.kind, &value, writer)?;
        }
        Kind::Uuid => {
            // A uuid.UUID, or its bytes.
            let bytes = match value.extract::<[u8; 16]>() {
                Ok(bytes) => bytes,
                Err(_) => value.getattr(intern!(value.py(), "bytes"))?.extract()?,
            };
            writer.uuid(bytes);
        }
    }
    Ok(())
}

/// Visitor that makes Python objects of fields: a message becomes a tuple, a type a dict, an entry a pair.
pub(super) struct Objects<'py>(pub(super) Python<'py>);

pub(super) enum Open<'py> {
    Tuple(Vec<Bound<'py, PyAny>>),
    /// Alternative of a union; its name precedes its value.
    Choice(Vec<Bound<'py, PyAny>>),
    List(Vec<Bound<'py, PyAny>>),
    Dict(Bound<'py, PyDict>),
}

impl<'py> FieldBuilder for Objects<'py> {
    type Output = Bound<'py, PyAny>;
    type Open = Open<'py>;
    type Error = PyCoreError;

    fn value(
        &mut self,
        _: &'static str,
        _: Range<usize>,
        value: Value<'_>,
    ) -> Result<Self::Output, PyCoreError> {
        let py = self.0;
        Ok(match value {
            Value::Units(_) => py.None().into_bound(py),
            value => to_python(py, value)?,
        })
    }

    fn layout(&mut self, _: &'static str, _: Range<usize>, _: Value<'_>) {}

    fn open(&mut self, _: &'static str, group: Group, count: usize) -> Open<'py> {
        match group {
            Group::List => Open::List(Vec::with_capacity(count)),
            Group::Struct => Open::Dict(PyDict::new(self.0)),
            Group::Message | Group::Entry => Open::Tuple(Vec::with_capacity(count)),
            Group::Choice => Open::Choice(Vec::with_capacity(2)),
        }
    }

    fn add(
        &mut self,
        open: &mut Open<'py>,
        name: &'static str,
        made: Self::Output,
    ) -> Result<(), PyCoreError> {
        match open {
            Open::Choice(several) => {
                several.extend([PyString::intern(self.0, name).into_any(), made]);
            }
            Open::Tuple(several) | Open::List(several) => several.push(made),
            Open::Dict(fields) => fields.set_item(PyString::intern(self.0, name), made)?,
        }
        Ok(())
    }

    fn close(&mut self, open: Open<'py>) -> Result<Self::Output, PyCoreError> {
        Ok(match open {
            Open::Tuple(several) | Open::Choice(several) => {
                PyTuple::new(self.0, several)?.into_any()
            }
            Open::List(several) => PyList::new(self.0, several)?.into_any(),
            Open::Dict(fields) => fields.into_any(),
        })
    }
}

/// Protocol version of Hazelcast 3 clients.
const PROTOCOL_VERSION: u8 = 1;
