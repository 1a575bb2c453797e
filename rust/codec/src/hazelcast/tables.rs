//! Types of the tables of messages, and the lookup of a message by its type.

use super::generated::messages::{EVENTS, REQUESTS, RESPONSES};

/// A message and its fields.
#[derive(Debug)]
pub struct MessageType {
    /// What its header says it is.
    pub id: u16,
    /// `Map.put`, `Response.Data`, `Event.Entry`.
    pub name: &'static str,
    /// Its purpose.
    pub role: Role,
    /// In the order of their bytes.
    pub fields: &'static [Field],
}

/// Purpose of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Role {
    /// Asks a member for something.
    Request {
        /// Whether asking twice does and answers the same as once.
        retryable: bool,
        /// The type of the answer.
        response: u16,
        /// What picks the partition.
        partition: Partition,
    },
    /// Answers a request.
    Response,
    /// Tells a listener.
    Event,
}

/// What picks the partition that a request is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Partition {
    /// It is for none.
    None,
    /// Any does.
    Any,
    /// The caller says.
    Given,
    /// The hash of this field.
    Of(usize),
}

/// One field.
#[derive(Debug)]
pub struct Field {
    /// Its name in the protocol's document, in `snake_case`.
    pub name: &'static str,
    /// How it is written.
    pub kind: Kind,
    /// Whether a later version of the protocol added it: it may be left out, with all behind it.
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
    /// A byte, 0 or not.
    Boolean,
    /// A signed byte.
    Byte,
    /// 32 bits, signed.
    Int,
    /// 64 bits, signed.
    Long,
    /// An `int` that counts bytes, and UTF-8.
    Text,
    /// An `int` that counts bytes, and a serialized object.
    Data,
    /// An `int` that counts bytes, and these.
    Bytes,
    /// Two `long`s, the higher half first.
    Uuid,
    /// A byte that is not 0 where there is nothing, else 0 and a value.
    Nullable(&'static Kind),
    /// An `int` that counts elements, and these.
    List(&'static Kind),
    /// A key and a value.
    Entry(&'static Kind, &'static Kind),
    /// Several fields.
    Struct(&'static [Field]),
    /// A byte that says which of these fields follows.
    Choice(&'static [Choice]),
}

impl Kind {
    /// The fewest bytes that a value takes: what a count is judged by.
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

/// One of several fields.
#[derive(Debug)]
pub struct Choice {
    /// What announces it.
    pub tag: u8,
    /// What follows.
    pub field: Field,
}

/// The message of that type.
#[must_use]
pub fn message_type(id: u16) -> Option<&'static MessageType> {
    let table = match id {
        100..200 => RESPONSES,
        200..256 => EVENTS,
        _ => REQUESTS,
    };
    table.binary_search_by_key(&id, |message| message.id).ok().map(|at| &table[at])
}

/// The message of that name, as `Map.put`.
#[must_use]
pub fn message_named(name: &str) -> Option<&'static MessageType> {
    message_types().find(|message| message.name == name)
}

/// All messages: requests, responses, events.
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
