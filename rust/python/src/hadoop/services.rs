//! Protocols, methods and messages of the generated tables.

use std::collections::HashMap;

use jvmwire_codec::{
    hadoop::{Idempotency, Method, message_types, service, services},
    proto::{Field, FieldKind, Label, MessageType},
};
use pyo3::prelude::*;

use crate::error::PyCoreError;

/// Method of a protocol, with the names of its request and response messages.
#[pyclass(module = "jvmwire._core", frozen, get_all)]
pub(crate) struct HadoopMethod {
    /// Name of the method.
    name: &'static str,
    /// Name of the request message.
    request: &'static str,
    /// Name of the response message.
    response: &'static str,
    /// Whether the server may execute the call twice with the same result as once.
    idempotent: bool,
    /// Whether the server recognises a retried call and answers it from its retry cache.
    at_most_once: bool,
}

impl From<&Method> for HadoopMethod {
    fn from(method: &Method) -> Self {
        Self {
            name: method.name,
            request: method.request.name,
            response: method.response.name,
            idempotent: method.repetition == Idempotency::Idempotent,
            at_most_once: method.repetition == Idempotency::AtMostOnce,
        }
    }
}

/// Lists the messages of the generated tables.
///
/// Per message and field: its number, its name, its kind (`bytes`, `text` or the name of a message), whether it
/// is repeated, and whether it is a secret.
#[pyfunction]
pub(crate) fn hadoop_messages() -> HashMap<&'static str, Vec<PyField>> {
    let tell = |message: &'static MessageType, field: &Field| {
        let kind = match field.kind {
            FieldKind::Message(inner) => inner.name,
            FieldKind::Text | FieldKind::Name => "text",
            FieldKind::Bytes => "bytes",
            FieldKind::Uuid => "uuid",
            FieldKind::Enum(_) => "enum",
            FieldKind::Bool => "bool",
            FieldKind::Float | FieldKind::Double => "float",
            _ => "int",
        };
        (
            field.number,
            field.name,
            kind,
            field.label == Label::Repeated,
            message.hides(field.number),
        )
    };
    let fields = |message: &'static MessageType| {
        message.fields.iter().map(|field| tell(message, field)).collect()
    };
    message_types().map(|message| (message.name, fields(message))).collect()
}

/// Number, name, kind, whether the field is repeated, whether it is a secret.
type PyField = (u32, &'static str, &'static str, bool, bool);

/// Lists the protocols of the generated tables.
#[pyfunction]
pub(crate) fn hadoop_protocols() -> Vec<&'static str> {
    services().iter().map(|service| service.protocol).collect()
}

/// Lists the methods of a protocol, sorted by name.
#[pyfunction]
#[pyo3(signature = (protocol, /))]
pub(crate) fn hadoop_methods(protocol: &str) -> Result<Vec<HadoopMethod>, PyCoreError> {
    match service(protocol) {
        Some(found) => Ok(found.methods.iter().map(HadoopMethod::from).collect()),
        None => Err(PyCoreError::Argument(format!("there is no protocol {protocol:?}"))),
    }
}
