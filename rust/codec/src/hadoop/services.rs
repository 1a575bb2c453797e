//! Hadoop's protobuf services, by protocol, method and message name.

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{
    generated::messages::{MESSAGES, SERVICES},
    tables::{CREDENTIALS, HEADERS},
};
use crate::proto::MessageType;

/// Protocol of Hadoop RPC: a service of a `.proto` file.
#[derive(Debug)]
pub struct Service {
    /// Name on the wire: `ProtocolInfo.protocolName` of the Java interface.
    pub protocol: &'static str,
    /// `ProtocolInfo.protocolVersion`.
    pub version: u64,
    /// Methods, sorted by name.
    pub methods: &'static [Method],
}

/// Method of a [`Service`].
#[derive(Debug)]
pub struct Method {
    /// Name on the wire.
    pub name: &'static str,
    /// Message type of the argument.
    pub request: &'static MessageType,
    /// Message type of the result.
    pub response: &'static MessageType,
    /// Effect of a repeated call.
    pub repetition: Idempotency,
}

/// Whether a call can be sent again after its reply was lost: the annotation of the Java method.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Idempotency {
    /// `@Idempotent`: two calls have the same effect as one.
    Idempotent,
    /// `@AtMostOnce`: the server recognises the client id and call id, and answers from its retry cache.
    AtMostOnce,
    /// Neither: a repeated call may be executed twice.
    Unsafe,
}

impl Service {
    /// Returns the method with this name.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<&'static Method> {
        let found = self.methods.binary_search_by(|method| method.name.cmp(name));
        found.ok().map(|at| &self.methods[at])
    }
}

/// Lists the services, sorted by the name of the protocol.
#[must_use]
pub fn services() -> &'static [Service] {
    SERVICES
}

// A conversation that is saved names services and methods by their places in the tables.

impl Serialize for Service {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        SERVICES.iter().position(|known| std::ptr::eq(known, self)).serialize(to)
    }
}

impl<'de> Deserialize<'de> for &'static Service {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let place = Option::<usize>::deserialize(from)?;
        place.and_then(|at| SERVICES.get(at)).ok_or_else(|| de::Error::custom("no such service"))
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let place = SERVICES.iter().enumerate().find_map(|(service, known)| {
            let method = known.methods.iter().position(|method| std::ptr::eq(method, self));
            method.map(|method| (service, method))
        });
        place.serialize(to)
    }
}

impl<'de> Deserialize<'de> for &'static Method {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let place = Option::<(usize, usize)>::deserialize(from)?;
        let method = place.and_then(|(at, method)| SERVICES.get(at)?.methods.get(method));
        method.ok_or_else(|| de::Error::custom("no such method"))
    }
}

/// Returns the service with this protocol name on the wire.
#[must_use]
pub fn service(protocol: &str) -> Option<&'static Service> {
    let found = SERVICES.binary_search_by(|service| service.protocol.cmp(protocol));
    found.ok().map(|at| &SERVICES[at])
}

/// Returns the message type with this name; a nested type is `Outer.Inner`.
#[must_use]
pub fn message_type(name: &str) -> Option<&'static MessageType> {
    match MESSAGES.binary_search_by(|message| message.name.cmp(name)) {
        Ok(at) => Some(MESSAGES[at]),
        Err(_) => (name == CREDENTIALS.name).then_some(&CREDENTIALS),
    }
}

/// Iterates over all message types: those of services, sorted by name, and those of headers.
pub fn message_types() -> impl Iterator<Item = &'static MessageType> {
    MESSAGES.iter().chain(HEADERS).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::{MAX_NUMBER, UNKNOWN_NAME_LEN};

    #[test]
    fn every_name_finds_its_table() {
        for message in MESSAGES {
            assert!(std::ptr::eq(*message, message_type(message.name).unwrap()));
            let unknown = format!("{}.{MAX_NUMBER}", message.name);
            assert!(unknown.len() <= UNKNOWN_NAME_LEN, "{unknown} would be cut");
        }
        for known in SERVICES {
            assert!(std::ptr::eq(known, service(known.protocol).unwrap()));
            for method in known.methods {
                assert!(std::ptr::eq(method, known.method(method.name).unwrap()));
            }
        }
        assert!(message_type("Nothing").is_none());
        assert!(service("nothing").is_none());
    }

    #[test]
    fn client_protocol_has_its_file_status() {
        let protocol = service("org.apache.hadoop.hdfs.protocol.ClientProtocol").unwrap();
        assert_eq!(protocol.version, 1);
        let method = protocol.method("getFileInfo").unwrap();
        assert_eq!(method.request.fields[0].name, "src");
        assert_eq!(method.response.fields[0].name, "fs");
        assert!(protocol.method("getNothing").is_none());
    }
}
