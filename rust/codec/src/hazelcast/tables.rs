//! Types of the message tables, and the lookup of a message by its type.

use super::generated::messages::{EVENTS, REQUESTS, RESPONSES};

/// Message type with its fields.
#[derive(Debug)]
pub struct MessageType {
    /// Number of the type in the header.
    pub id: u16,
    /// Name, such as `Map.put`, `Response.Data`, `Event.Entry`.
    pub name: &'static str,
    /// Purpose of the message.
    pub role: Role,
    /// Fields, in the order of their bytes.
    pub fields: &'static [Field],
}

/// Purpose of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// Request to a member.
    Request {
        /// Whether a repeated request has the same effect and response as one.
        retryable: bool,
        /// Type of the response.
        response: u16,
        /// Source of the partition.
        partition: Partition,
    },
    /// Response to a request.
    Response,
    /// Event for a listener.
    Event,
}

/// Source of the partition of a request.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Partition {
    /// The request has no partition.
    None,
    /// Any partition can be used.
    Any,
    /// The caller passes the partition.
    Given,
    /// The hash of the field with this index.
    Of(usize),
}

/// Field of a message or type.
#[derive(Debug)]
pub struct Field {
    /// Name in the protocol's document, in `snake_case`.
    pub name: &'static str,
    /// Wire format.
    pub kind: Kind,
    /// Whether a later version of the protocol added the field: it may be missing, together with all fields
    /// after it.
    pub later: bool,
}

impl Field {
    pub(super) const fn new(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, later: false }
    }

    pub(super) const fn later(self) -> Self {
        Self { later: true, ..self }
    }
}

/// Wire format of a field. Numbers are little-endian.
#[derive(Debug)]
pub enum Kind {
    /// Byte, zero or not.
    Boolean,
    /// A signed byte.
    Byte,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// `int` that counts bytes, then UTF-8.
    Text,
    /// `int` that counts bytes, then a serialized object.
    Data,
    /// `int` that counts bytes, then the bytes.
    Bytes,
    /// Two `long`s, the more significant one first.
    Uuid,
    /// Byte that is not 0 for a null, else 0 and a value.
    Nullable(&'static Kind),
    /// `int` that counts elements, then the elements.
    List(&'static Kind),
    /// Key and value.
    Entry(&'static Kind, &'static Kind),
    /// Several fields.
    Struct(&'static [Field]),
    /// Byte that selects which of these fields follows.
    Choice(&'static [Choice]),
}

impl Kind {
    /// Minimum number of bytes of a value, against which counts are checked.
    pub(super) fn least(&self) -> usize {
        match self {
            Self::Boolean | Self::Byte | Self::Nullable(_) => 1,
            Self::Int | Self::Text | Self::Data | Self::Bytes | Self::List(_) => 4,
            Self::Long => 8,
            Self::Uuid => 16,
            Self::Entry(key, value) => key.least() + value.least(),
            Self::Struct(fields) => fields.iter().map(|field| field.kind.least()).sum(),
            Self::Choice(choices) => {
                let least = |choice: &Choice| choice.field.kind.least();
                1 + choices.iter().map(least).min().unwrap_or_default()
            }
        }
    }
}

/// Alternative field of a [`Kind::Choice`].
#[derive(Debug)]
pub struct Choice {
    /// Byte that selects the field.
    pub tag: u8,
    /// Field that follows.
    pub field: Field,
}

/// Returns the message with this type.
#[must_use]
pub fn message_type(id: u16) -> Option<&'static MessageType> {
    let table = match id {
        100..200 => RESPONSES,
        200..256 => EVENTS,
        _ => REQUESTS,
    };
    let number = PLACES.get(usize::from(id)).copied().unwrap_or_default();
    table.get(usize::from(number).wrapping_sub(1))
}

/// Position of each type in its table, counted from 1; 0 for numbers without a message. A search for messages
/// looks up a type wherever a header may begin, so that a lookup must not depend on the number of types.
static PLACES: [u16; TYPES] = places();

/// Number of types up to that of the last request, which is the highest.
const TYPES: usize = REQUESTS[REQUESTS.len() - 1].id as usize + 1;

#[expect(
    clippy::cast_possible_truncation,
    reason = "a table has fewer messages than there are types"
)]
#[expect(clippy::large_stack_arrays, reason = "it is evaluated at compile time")]
const fn places() -> [u16; TYPES] {
    let mut places = [0; TYPES];
    let tables = [REQUESTS, RESPONSES, EVENTS];
    let mut of = 0;
    while of < tables.len() {
        let mut at = 0;
        while at < tables[of].len() {
            places[tables[of][at].id as usize] = at as u16 + 1;
            at += 1;
        }
        of += 1;
    }
    places
}

/// Returns the message with this name, such as `Map.put`.
#[must_use]
pub fn message_named(name: &str) -> Option<&'static MessageType> {
    message_types().find(|message| message.name == name)
}

/// Iterates over all messages: requests, responses, events.
pub fn message_types() -> impl Iterator<Item = &'static MessageType> {
    REQUESTS.iter().chain(RESPONSES).chain(EVENTS)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn every_message_is_found_by_its_type_and_by_its_name() {
        assert_eq!((REQUESTS.len(), RESPONSES.len(), EVENTS.len()), (435, 31, 18));
        for message in message_types() {
            assert!(std::ptr::eq(message_type(message.id).unwrap(), message));
            assert!(std::ptr::eq(message_named(message.name).unwrap(), message));
        }
        assert!(message_type(0).is_none() && message_type(0xffff).is_none());
    }

    #[test]
    fn names_within_a_message_are_different() {
        for message in message_types() {
            let names: HashSet<_> = message.fields.iter().map(|field| field.name).collect();
            assert_eq!(names.len(), message.fields.len(), "{}", message.name);
        }
    }

    #[test]
    fn fields_of_later_versions_stand_last() {
        for message in message_types() {
            let later = message.fields.iter().map(|field| field.later);
            assert!(later.is_sorted_by(|a, b| a <= b), "{}", message.name);
        }
    }
}
