//! The secret fields of Hazelcast's messages, reviewed by hand, by message and field name.
//!
//! `messages.rs` is generated, this list is not. `tests/properties/test_secrets.py` fails for a field that
//! resembles a secret and is neither listed here nor excused there.

use super::tables::MessageType;

/// Names of the fields that no output shows, at any depth of the message.
#[must_use]
pub fn secrets_of(message: &MessageType) -> &'static [&'static str] {
    match message.id {
        AUTHENTICATION => &["password"],
        // A serialized object, as a Kerberos ticket.
        AUTHENTICATION_CUSTOM => &["credentials"],
        // Properties of a store for its database, usually with a password.
        ADD_MAP_CONFIG | ADD_QUEUE_CONFIG | ADD_RINGBUFFER_CONFIG => &["properties"],
        _ => &[],
    }
}

const AUTHENTICATION: u16 = 0x0002;
const AUTHENTICATION_CUSTOM: u16 = 0x0003;
const ADD_RINGBUFFER_CONFIG: u16 = 0x1e02;
const ADD_QUEUE_CONFIG: u16 = 0x1e0d;
const ADD_MAP_CONFIG: u16 = 0x1e0e;

#[cfg(test)]
mod tests {
    use super::{
        super::tables::{Field, Kind, message_types},
        *,
    };

    fn has(fields: &[Field], name: &str) -> bool {
        fields.iter().any(|field| field.name == name || holds(&field.kind, name))
    }

    fn holds(kind: &Kind, name: &str) -> bool {
        match kind {
            Kind::Nullable(inner) | Kind::List(inner) => holds(inner, name),
            Kind::Struct(fields) => has(fields, name),
            Kind::Choice(choices) => {
                choices.iter().any(|it| has(std::slice::from_ref(&it.field), name))
            }
            _ => false,
        }
    }

    #[test]
    fn every_secret_is_a_field_of_its_message() {
        let with_secrets: Vec<_> =
            message_types().filter(|message| !secrets_of(message).is_empty()).collect();
        let names: Vec<_> = with_secrets.iter().map(|message| message.name).collect();
        assert_eq!(
            names,
            [
                "Client.authentication",
                "Client.authenticationCustom",
                "DynamicConfig.addRingbufferConfig",
                "DynamicConfig.addQueueConfig",
                "DynamicConfig.addMapConfig",
            ]
        );
        for message in with_secrets {
            for name in secrets_of(message) {
                assert!(has(message.fields, name), "{} has no {name}", message.name);
            }
        }
    }
}
