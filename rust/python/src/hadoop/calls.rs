//! Encoder of the calls of a Hadoop client.

use jvmwire_codec::{
    hadoop::{Auth, Call, Caller, Dialect, Engine, REQUEST_LIMIT, Service, service},
    proto::{Field, Label, MessageType},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict, PySequence},
};

use super::convert::messages::{naming, write_value};
use crate::error::PyCoreError;

/// Encoder of the bytes that one client writes to a protocol of Hadoop RPC.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct HadoopCaller {
    caller: Caller,
    /// The protocol's generated table, if there is one.
    service: Option<&'static Service>,
}

#[pymethods]
impl HadoopCaller {
    /// Creates the encoder. `version` is required for a protocol without a generated table.
    #[new]
    #[pyo3(signature = (
        *,
        client_id,
        protocol,
        version=None,
        engine="protobuf",
        beta=false,
        context=None,
        limit=REQUEST_LIMIT,
    ))]
    fn new(
        client_id: [u8; 16],
        protocol: String,
        version: Option<u64>,
        engine: &str,
        beta: bool,
        context: Option<String>,
        limit: usize,
    ) -> Result<Self, PyCoreError> {
        let service = service(&protocol);
        let Some(version) = version.or(service.map(|service| service.version)) else {
            return Err(PyCoreError::Argument(format!("there is no protocol {protocol:?}")));
        };
        let engine = engine_named(engine)?;
        let dialect = if beta { Dialect::Beta } else { Dialect::Current };
        let caller = Caller { client_id, protocol, version, engine, dialect, context, limit };
        Ok(Self { caller, service })
    }

    /// Encodes the first bytes of a connection.
    #[staticmethod]
    #[pyo3(signature = (*, sasl, service_class=0))]
    fn encode_connection_header(
        py: Python<'_>,
        sasl: bool,
        service_class: u8,
    ) -> Bound<'_, PyBytes> {
        let mut out = Vec::new();
        let auth = if sasl { Auth::Sasl } else { Auth::None };
        Caller::encode_connection_header(service_class, auth, &mut out);
        PyBytes::new(py, &out)
    }

    /// Encodes the connection context, which precedes all calls.
    #[pyo3(signature = (user, real_user=None, /))]
    fn encode_context<'py>(
        &self,
        py: Python<'py>,
        user: Option<&str>,
        real_user: Option<&str>,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let mut out = Vec::new();
        self.caller.encode_context(user, real_user, &mut out)?;
        Ok(PyBytes::new(py, &out))
    }

    /// Encodes a ping, which has no reply.
    fn encode_ping<'py>(&self, py: Python<'py>) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let mut out = Vec::new();
        self.caller.encode_ping(&mut out)?;
        Ok(PyBytes::new(py, &out))
    }

    /// Encodes a call of the Protobuf engine; `message` is the encoded argument.
    #[pyo3(signature = (method, call_id, message, /, *, retry=0, state_id=None))]
    fn encode_message<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        call_id: i32,
        message: &[u8],
        retry: i32,
        state_id: Option<i64>,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let call = Call { id: call_id, retry, method, state_id };
        let mut out = Vec::new();
        self.caller.encode_call::<PyCoreError>(call, &mut out, |writer| {
            writer.fields(message);
            Ok(())
        })?;
        Ok(PyBytes::new(py, &out))
    }

    /// Encodes a call of the Writable engine; `invocation` is the encoded invocation.
    #[pyo3(signature = (call_id, invocation, /, *, retry=0, state_id=None))]
    fn encode_invocation<'py>(
        &self,
        py: Python<'py>,
        call_id: i32,
        invocation: &[u8],
        retry: i32,
        state_id: Option<i64>,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let call = Call { id: call_id, retry, method: "", state_id };
        let mut out = Vec::new();
        self.caller.encode_invocation(call, invocation, &mut out)?;
        Ok(PyBytes::new(py, &out))
    }

    /// Encodes `count` calls, one frame per call; `columns` maps each field of the request to a sequence of
    /// `count` values.
    #[pyo3(signature = (method, first_id, count, columns, /, *, retry=0, state_id=None))]
    fn encode_calls<'py>(
        &self,
        method: &str,
        first_id: i32,
        count: i32,
        columns: &Bound<'py, PyDict>,
        retry: i32,
        state_id: Option<i64>,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let Some(found) = self.service.and_then(|service| service.method(method)) else {
            let protocol = &self.caller.protocol;
            return Err(PyCoreError::Argument(format!("{protocol} has no method {method:?}")));
        };
        let columns = Columns::new(found.request, count, columns)?;
        let mut out = Vec::new();
        for at in 0..count {
            // Ids go round: Client.nextCallId keeps them from being negative.
            let id = first_id.wrapping_add(at) & i32::MAX;
            let call = Call { id, retry, method, state_id };
            self.caller.encode_call::<PyCoreError>(call, &mut out, |writer| {
                columns.write(at, writer).map_err(Into::into)
            })?;
        }
        Ok(PyBytes::new(columns.py, &out))
    }
}

/// Returns the engine with this name, or an error.
pub(super) fn engine_named(name: &str) -> Result<Engine, PyCoreError> {
    match name {
        "writable" => Ok(Engine::Writable),
        "protobuf" => Ok(Engine::Protobuf),
        _ => Err(PyCoreError::Argument(format!("there is no engine {name:?}"))),
    }
}

/// Requests of a batch, as a sequence of values per field.
struct Columns<'py> {
    py: Python<'py>,
    kind: &'static MessageType,
    given: Vec<(&'static Field, Bound<'py, PySequence>)>,
}

impl<'py> Columns<'py> {
    fn new(
        kind: &'static MessageType,
        count: i32,
        given: &Bound<'py, PyDict>,
    ) -> Result<Self, PyCoreError> {
        let mut columns = Vec::new();
        for field in kind.fields {
            match given.get_item(field.name)? {
                Some(column) => {
                    let column = column.cast_into::<PySequence>().map_err(PyErr::from)?;
                    if i32::try_from(column.len()?) != Ok(count) {
                        let (name, len) = (field.name, column.len()?);
                        return Err(PyCoreError::Argument(format!(
                            "{}.{name} has {len} values for {count} calls",
                            kind.name
                        )));
                    }
                    columns.push((field, column));
                }
                None if field.label == Label::Required => {
                    let text = format!("{} needs {}", kind.name, field.name);
                    return Err(PyCoreError::Argument(text));
                }
                None => {}
            }
        }
        if columns.len() < given.len() {
            let text = format!("{} has fewer fields than {}", kind.name, given.keys());
            return Err(PyCoreError::Argument(text));
        }
        Ok(Self { py: given.py(), kind, given: columns })
    }

    fn write(&self, at: i32, writer: &mut jvmwire_codec::proto::Writer<'_>) -> PyResult<()> {
        for (field, column) in &self.given {
            let named = |error| naming(error, self.kind, field.name, self.py);
            let value = column.get_item(usize::try_from(at)?)?;
            if field.label == Label::Repeated {
                for value in value.try_iter().map_err(named)? {
                    write_value(field.kind, field.number, &value?, writer, 0).map_err(named)?;
                }
            } else if !value.is_none() || field.label == Label::Required {
                write_value(field.kind, field.number, &value, writer, 0).map_err(named)?;
            }
        }
        Ok(())
    }
}
