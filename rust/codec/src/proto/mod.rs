//! Protobuf messages, decoded by tables of their fields.

mod field_order;
mod projection;
mod record;
mod sound;
#[cfg(test)]
mod tests;
mod visit_message;
mod wire;
mod writer;

pub use projection::{Projection, RepeatedFieldPath, pick, pick_each};
pub use record::{Item, Record};
pub use sound::is_sound;
#[cfg(test)]
pub(crate) use visit_message::UNKNOWN_NAME_LEN;
pub use visit_message::{carried_message, message};
pub use wire::{MAX_NUMBER, Raw, field};
pub use writer::Writer;

use std::sync::OnceLock;

use crate::{
    Cursor, DecodeErrorKind, Result,
    kernels::utf8,
    primitives::Base128,
    varint,
    visit::{FieldName, Value},
};

/// Message type of a `.proto` file.
#[derive(Debug, Eq, PartialEq)]
pub struct MessageType {
    /// Name in the file.
    pub name: &'static str,
    /// Fields, in any order.
    pub fields: &'static [Field],
    /// Set of the numbers of secret fields, one bit each.
    secrets: u64,
    /// Set of the numbers of required fields, one bit each.
    required: u64,
    /// Properties derived from the fields, computed on first use.
    traits: OnceLock<Traits>,
}

/// Properties derived from the fields of a message type and of nested types.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Traits {
    leads_to_secret: bool,
    needed: u64,
}

impl MessageType {
    /// Returns the number of the field called `name`.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u32> {
        self.fields.iter().find(|field| field.name == name).map(|field| field.number)
    }
}

/// A field of a [`MessageType`].
#[derive(Debug, Eq, PartialEq)]
pub struct Field {
    /// Number on the wire.
    pub number: u32,
    /// Name in snake case.
    pub name: &'static str,
    /// Name, prepared for visitors that write many fields.
    pub key: FieldName,
    /// Type of the field.
    pub kind: FieldKind,
    /// Cardinality of the field.
    pub label: Label,
}

/// Cardinality of a field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Label {
    /// At most once.
    Optional,
    /// Exactly once: protobuf-java rejects a message without it.
    Required,
    /// Any number of times.
    Repeated,
}

/// Type of a field.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FieldKind {
    /// `int32`: the low half of the number on the wire, so that five bytes are enough for a negative one.
    Int32,
    /// `int64`.
    Int64,
    /// `uint32`: the low half of the number on the wire.
    UInt32,
    /// `uint64`.
    UInt64,
    /// `sint32`: zigzag.
    SInt32,
    /// `sint64`: zigzag.
    SInt64,
    /// `float`.
    Float,
    /// `double`.
    Double,
    /// `bool`.
    Bool,
    /// Enumeration: its numbers and names.
    Enum(&'static [(i64, &'static str)]),
    /// `string` with content chosen by a user.
    Text,
    /// `string` that is a name of the protocol, such as a class or a method.
    Name,
    /// `bytes`.
    Bytes,
    /// `bytes` that are a UUID if there are sixteen.
    Uuid,
    /// Nested message.
    Message(&'static MessageType),
}

impl MessageType {
    /// Creates a message type without secrets.
    #[must_use]
    pub const fn new(name: &'static str, fields: &'static [Field]) -> Self {
        Self::with_secrets(name, fields, &[])
    }

    /// Creates a message type in which the fields with these names are secrets.
    ///
    /// # Panics
    /// If there is no field with the name, or its number exceeds 63: at compile time, if the table is a
    /// constant.
    #[must_use]
    pub const fn with_secrets(
        name: &'static str,
        fields: &'static [Field],
        secret: &[&str],
    ) -> Self {
        let (mut secrets, mut i) = (0, 0);
        while i < secret.len() {
            let mut at = 0;
            while !is_same_name(fields[at].name, secret[i]) {
                at += 1;
            }
            assert!(fields[at].number < u64::BITS, "the number of a secret is too large");
            secrets |= 1 << fields[at].number;
            i += 1;
        }
        let (mut required, mut at) = (0, 0);
        while at < fields.len() {
            if matches!(fields[at].label, Label::Required) {
                required |= bit(fields[at].number);
            }
            at += 1;
        }
        Self { name, fields, secrets, required, traits: OnceLock::new() }
    }

    /// Whether the field with this number is a secret.
    #[must_use]
    #[inline]
    pub fn hides(&self, number: u32) -> bool {
        self.secrets.checked_shr(number).is_some_and(|secrets| secrets & 1 != 0)
    }

    /// Whether a field is a secret, or a nested message contains one.
    #[must_use]
    #[inline]
    pub fn leads_to_secret(&self) -> bool {
        self.traits().leads_to_secret
    }

    /// Set of the required fields, by [`bit`], without which the message counts as damaged. If no field is a
    /// secret, these are the messages that lead to one: without the other required fields the message can be
    /// shown.
    #[inline]
    fn needed(&self) -> u64 {
        self.traits().needed
    }

    #[inline]
    fn traits(&self) -> Traits {
        *self.traits.get_or_init(|| Traits {
            leads_to_secret: self.has_secret_inside(),
            needed: if self.secrets == 0 { self.required_with_secret() } else { self.required },
        })
    }

    fn required_with_secret(&self) -> u64 {
        let with_secret = self.fields.iter().filter(|field| match field.kind {
            FieldKind::Message(inner) => inner.has_secret_inside(),
            _ => false,
        });
        self.required & with_secret.fold(0, |all, field| all | bit(field.number))
    }

    fn has_secret_inside(&self) -> bool {
        let (mut seen, mut open) = (Vec::new(), vec![self]);
        while let Some(message) = open.pop() {
            if message.secrets != 0 {
                return true;
            }
            seen.push(std::ptr::from_ref(message));
            open.extend(message.fields.iter().filter_map(|field| match field.kind {
                FieldKind::Message(inner) if !seen.contains(&std::ptr::from_ref(inner)) => {
                    Some(inner)
                }
                _ => None,
            }));
        }
        false
    }

    /// Returns the field with this number.
    #[inline]
    fn field(&self, number: u32) -> Option<&'static Field> {
        // Most messages number their fields from 1 on, and leave out none.
        let likely = self.fields.get(number.wrapping_sub(1) as usize);
        likely
            .filter(|field| field.number == number)
            .or_else(|| self.fields.iter().find(|field| field.number == number))
    }
}

impl Field {
    /// Creates an optional field.
    #[must_use]
    pub const fn one(number: u32, name: &'static str, kind: FieldKind) -> Self {
        Self { number, name, key: FieldName::new(name), kind, label: Label::Optional }
    }

    /// Creates a required field.
    #[must_use]
    pub const fn required(number: u32, name: &'static str, kind: FieldKind) -> Self {
        Self { number, name, key: FieldName::new(name), kind, label: Label::Required }
    }

    /// Creates a repeated field.
    #[must_use]
    pub const fn list(number: u32, name: &'static str, kind: FieldKind) -> Self {
        Self { number, name, key: FieldName::new(name), kind, label: Label::Repeated }
    }
}

impl FieldKind {
    /// Returns the value of a numeric field, if the wire type matches its kind.
    #[must_use]
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "of a kind that is known it is no choice at all")]
    pub fn number(self, raw: Raw<'_>) -> Option<Value<'static>> {
        Some(match (self, raw) {
            (Self::Float, Raw::Fixed32(wire)) => Value::Float(f32::from_bits(wire).into()),
            (Self::Double, Raw::Fixed64(wire)) => Value::Float(f64::from_bits(wire)),
            (_, Raw::Varint(wire)) => match self {
                Self::Int32 => Value::Int(low_32_bits(wire).into()),
                Self::Int64 => Value::Int(wire.cast_signed()),
                Self::UInt32 => Value::UInt(low_32_bits(wire).cast_unsigned().into()),
                Self::UInt64 => Value::UInt(wire),
                Self::SInt32 => Value::Int(varint::ZigZag32::from_wire(wire).into()),
                Self::SInt64 => Value::Int(varint::unzigzag(wire)),
                Self::Bool => Value::Bool(wire != 0),
                Self::Enum(names) => named(names, wire.cast_signed()),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Whether the values are numbers.
    fn is_number(self) -> bool {
        !matches!(self, Self::Text | Self::Name | Self::Bytes | Self::Uuid | Self::Message(_))
    }

    /// Reads one element of a packed list.
    fn packed(self, elements: &mut Cursor<'_>) -> Result<Raw<'static>> {
        Ok(match self {
            Self::Float => Raw::Fixed32(elements.u32_le("packed element")?),
            Self::Double => Raw::Fixed64(elements.u64_le("packed element")?),
            _ => Raw::Varint(elements.varint("packed element")?),
        })
    }
}

/// Bit of a field's number in a set of those below 64; no bit for larger numbers.
#[inline]
const fn bit(number: u32) -> u64 {
    if number < u64::BITS { 1 << number } else { 0 }
}

/// Whether two names are equal, at compile time.
#[must_use]
pub(crate) const fn is_same_name(one: &str, other: &str) -> bool {
    let (one, other, mut i) = (one.as_bytes(), other.as_bytes(), 0);
    if one.len() != other.len() {
        return false;
    }
    while i < one.len() {
        if one[i] != other[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// Returns the value of a field of any type but a message; `None` if the wire type does not match.
#[inline]
fn single(kind: FieldKind, raw: Raw<'_>) -> Result<Option<Value<'_>>> {
    Ok(match (kind, raw) {
        (FieldKind::Text | FieldKind::Name, Raw::Bytes(bytes, at)) => {
            Some(Value::Text(text(bytes, at)?))
        }
        (FieldKind::Bytes | FieldKind::Uuid | FieldKind::Message(_), Raw::Bytes(bytes, _)) => {
            Some(Value::Bytes(bytes))
        }
        // protobuf keeps a known number with another wire type as an unknown field.
        (kind, raw) => kind.number(raw),
    })
}

/// Returns the name of `number` in an enumeration, or the bare number.
#[must_use]
pub fn named(names: &[(i64, &'static str)], number: i64) -> Value<'static> {
    match names.iter().find(|(known, _)| *known == number) {
        Some(&(_, name)) => Value::Enum(number, name),
        None => Value::Int(number),
    }
}

fn uuid(bytes: &[u8]) -> Value<'_> {
    bytes.try_into().map_or(Value::Bytes(bytes), Value::Uuid)
}

/// Returns the value of an `int32` field: `CodedInputStream.readInt32` keeps the low half of the number on the
/// wire.
#[must_use]
pub fn low_32_bits(value: u64) -> i32 {
    let [a, b, c, d, ..] = value.to_le_bytes();
    i32::from_le_bytes([a, b, c, d])
}

/// Returns `bytes`, which begin at offset `at`, as text.
///
/// # Errors
/// [`DecodeErrorKind::NotText`].
pub fn text(bytes: &[u8], at: usize) -> Result<&str> {
    if bytes.len() <= SHORT_TEXT
        && let Some(text) = utf8::from_ascii(bytes)
    {
        return Ok(text);
    }
    if let Some(text) = utf8::from_utf8(bytes) {
        return Ok(text);
    }
    std::str::from_utf8(bytes).map_err(|error| {
        DecodeErrorKind::NotText { at: error.valid_up_to(), encoding: "UTF-8" }.at("string", at)
    })
}

/// Maximum length of a text that is checked for ASCII first; longer ones are validated many bytes at once.
const SHORT_TEXT: usize = 64;
/// Default limit of protobuf-java for nested messages (`CodedInputStream`, recursion limit).
pub const MAX_DEPTH: usize = 100;
