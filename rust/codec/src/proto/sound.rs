//! Detection of damage in messages that lead to a secret, by their tables.
//!
//! A bit flip in a tag or in a length can move a secret into a field that is not listed as one. No output shows
//! the fields of such a message.

use super::{
    Field, FieldKind, Label, MAX_DEPTH, MessageType, bit, text,
    wire::{Raw, field_within},
};
use crate::Cursor;

/// Whether a message is well-formed for its type.
///
/// Each known field has the wire type and the form of its kind and occurs once unless it is a list;
/// nested messages are well-formed; a message with secrets has its required fields, and every
/// message has its required messages that lead to a secret. Unknown fields are allowed: a newer version
/// may write them.
#[must_use]
pub fn is_sound(kind: &MessageType, mut cursor: Cursor<'_>, depth: usize) -> bool {
    let mut seen = 0;
    while !cursor.is_empty() {
        let Ok((number, raw, _)) = field_within(&mut cursor, depth) else { return false };
        let Some(known) = kind.field(number) else { continue };
        if !fits(known, raw, depth) || known.label != Label::Repeated && seen & bit(number) != 0 {
            return false;
        }
        seen |= bit(number);
        if let (FieldKind::Message(inner), Raw::Bytes(bytes, at)) = (known.kind, raw)
            && !kind.hides(number)
            && !is_sound(inner, Cursor::at(bytes, at), depth + 1)
        {
            return false;
        }
    }
    kind.needed() & !seen == 0
}

/// Whether a field has the wire type and the form of its kind. Nested messages are not read.
pub(super) fn fits(known: &Field, raw: Raw<'_>, depth: usize) -> bool {
    match (known.kind, raw) {
        (FieldKind::Text | FieldKind::Name, Raw::Bytes(bytes, at)) => text(bytes, at).is_ok(),
        (FieldKind::Bytes | FieldKind::Uuid, Raw::Bytes(..)) => true,
        (FieldKind::Message(_), Raw::Bytes(bytes, _)) => depth < MAX_DEPTH || bytes.is_empty(),
        (kind, Raw::Bytes(bytes, _)) => known.label == Label::Repeated && is_packed(kind, bytes),
        (kind, raw) => kind.number(raw).is_some(),
    }
}

/// Whether bytes are a packed list of numbers of one type.
pub(super) fn is_packed(kind: FieldKind, bytes: &[u8]) -> bool {
    let mut elements = Cursor::new(bytes);
    while !elements.is_empty() && kind.packed(&mut elements).is_ok() {}
    elements.is_empty()
}
