use super::{FieldKind, Label, MAX_DEPTH, MessageType, Raw, field};
use crate::{Cursor, Problem, Result};

/// Judges whether a message has all that it must have, as protobuf-java does when it parses one.
///
/// # Errors
/// [`Problem::Absent`] with the name of a required field; as [`field`].
pub fn complete(kind: &MessageType, message: Cursor<'_>) -> Result<()> {
    complete_at(kind, message, 0)
}

fn complete_at(kind: &MessageType, mut message: Cursor<'_>, depth: usize) -> Result<()> {
    let start = message.offset();
    if depth > MAX_DEPTH {
        return Err(Problem::TooDeep { limit: MAX_DEPTH }.of("message", start));
    }
    let is_required = |label| label == Label::Required;
    let mut missing = kind.fields.iter().filter(|field| is_required(field.label)).count();
    // Which of the fields were seen; a message has fewer than there are bits.
    let mut seen = 0_u128;
    while !message.is_empty() {
        let (number, raw, _) = field(&mut message)?;
        let Some(at) = kind.fields.iter().position(|field| field.number == number) else {
            continue;
        };
        let known = &kind.fields[at];
        let right = match (known.kind, raw) {
            (FieldKind::Message(inner), Raw::Bytes(bytes, at)) => {
                complete_at(inner, Cursor::at(bytes, at), depth + 1)?;
                true
            }
            (
                FieldKind::Text | FieldKind::Name | FieldKind::Bytes | FieldKind::Uuid,
                Raw::Bytes(..),
            ) => true,
            (kind, Raw::Varint(wire)) => super::varint_value(kind, wire).is_some(),
            // protobuf keeps a known number with another wire type as an unknown field.
            _ => false,
        };
        let bit = 1 << (at % 128);
        if right && is_required(known.label) && seen & bit == 0 {
            seen |= bit;
            missing -= 1;
        }
    }
    if missing == 0 {
        return Ok(());
    }
    let absent = kind
        .fields
        .iter()
        .enumerate()
        .find(|(at, field)| is_required(field.label) && seen & (1 << (at % 128)) == 0);
    Err(Problem::Absent.of(absent.map_or(kind.name, |(_, field)| field.name), start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::Field;

    static INNER: MessageType =
        MessageType { name: "Inner", fields: &[Field::required(1, "id", FieldKind::SInt32)] };
    static OUTER: MessageType = MessageType {
        name: "Outer",
        fields: &[
            Field::one(1, "inner", FieldKind::Message(&INNER)),
            Field::required(2, "flag", FieldKind::Bool),
            Field::required(3, "name", FieldKind::Text),
        ],
    };

    fn absent(bytes: &[u8]) -> Option<&'static str> {
        complete(&OUTER, Cursor::new(bytes)).err().map(|error| {
            assert_eq!(error.problem, Problem::Absent);
            error.what
        })
    }

    #[test]
    fn a_message_without_a_required_field_is_told_by_the_first_of_them() {
        assert_eq!(absent(b"\x10\x01\x1a\x00"), None);
        assert_eq!(absent(b"\x1a\x00"), Some("flag"));
        assert_eq!(absent(b"\x10\x01\x10\x00"), Some("name"));
        assert_eq!(absent(b"\x10\x01\x18\x00"), Some("name"));
        assert_eq!(absent(b"\x10\x01\x1a\x00\x0a\x00"), Some("id"));
        assert_eq!(absent(b"\x10\x01\x1a\x00\x0a\x02\x08\x01"), None);
    }
}
