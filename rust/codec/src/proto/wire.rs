//! Fields in wire format: `tag: varint`, then a value by wire type.

use std::ops::Range;

use super::{MAX_DEPTH, text};
use crate::{Cursor, DecodeErrorKind, Result, varint};

/// Undecoded value of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Raw<'a> {
    /// Wire type 0.
    Varint(u64),
    /// Wire type 1.
    Fixed64(u64),
    /// Wire type 2, and the offset of its content.
    Bytes(&'a [u8], usize),
    /// Wire type 3 up to its type 4: the fields in between, and their offset. No message of Hadoop has one.
    Group(&'a [u8], usize),
    /// Wire type 5.
    Fixed32(u32),
}

impl<'a> Raw<'a> {
    /// Returns the content of a text or bytes field.
    #[must_use]
    pub fn bytes(self) -> Option<&'a [u8]> {
        if let Self::Bytes(bytes, _) = self { Some(bytes) } else { None }
    }

    /// Returns the content of a text field.
    #[must_use]
    pub fn text(self) -> Option<&'a str> {
        text(self.bytes()?, 0).ok()
    }

    /// Returns the number of a varint field.
    #[must_use]
    pub fn varint(self) -> Option<u64> {
        if let Self::Varint(value) = self { Some(value) } else { None }
    }
}

/// Reads one field: its number, its value, and its range including tag and length.
///
/// # Errors
/// Errors of the cursor; an undefined wire type; the end of a group that has not begun, or groups that are
/// nested too deep.
#[inline(always)]
#[expect(clippy::inline_always, reason = "for every field: what it returns stays in registers")]
pub fn field<'a>(cursor: &mut Cursor<'a>) -> Result<(u32, Raw<'a>, Range<usize>)> {
    field_within(cursor, 0)
}

/// Reads one field of a message that is nested `depth` levels deep.
#[inline(always)]
#[expect(clippy::inline_always, reason = "for every field: what it returns stays in registers")]
pub(super) fn field_within<'a>(
    cursor: &mut Cursor<'a>,
    depth: usize,
) -> Result<(u32, Raw<'a>, Range<usize>)> {
    // Nearly every field: a number below 16, then a number or a length below 128.
    if let [tag @ 8..0x80, ref behind @ ..] = *cursor.rest() {
        let (number, start) = (u32::from(tag >> 3), cursor.offset());
        match (tag & 7, behind) {
            (0, behind) => {
                if let Ok((value, len)) = varint::decode(behind) {
                    cursor.skip(1 + len);
                    return Ok((number, Raw::Varint(value), start..cursor.offset()));
                }
            }
            (2, [len @ ..0x80, behind @ ..]) => {
                if let Some(bytes) = behind.get(..usize::from(*len)) {
                    cursor.skip(2 + bytes.len());
                    return Ok((number, Raw::Bytes(bytes, start + 2), start..cursor.offset()));
                }
            }
            _ => {}
        }
    } else if let [low @ 0x80..=0xff, high @ 1..0x80, ref behind @ ..] = *cursor.rest()
        && matches!(low & 7, 0)
        && let Ok((value, len)) = varint::decode(behind)
    {
        // Most of the others: a number of two bytes, then a number.
        let (number, start) = (u32::from(high) << 4 | u32::from(low & 0x7f) >> 3, cursor.offset());
        cursor.skip(2 + len);
        return Ok((number, Raw::Varint(value), start..cursor.offset()));
    }
    any_field(cursor, depth)
}

fn any_field<'a>(cursor: &mut Cursor<'a>, depth: usize) -> Result<(u32, Raw<'a>, Range<usize>)> {
    let start = cursor.offset();
    let (number, wire_type) = tag(cursor)?;
    let raw = raw(cursor, (number, wire_type), start, depth)?;
    Ok((number, raw, start..cursor.offset()))
}

/// Reads a field's number and its wire type.
fn tag(cursor: &mut Cursor<'_>) -> Result<(u32, u64)> {
    let start = cursor.offset();
    let tag = cursor.varint("tag")?;
    let number = u32::try_from(tag >> 3).ok().filter(|number| (1..=MAX_NUMBER).contains(number));
    let Some(number) = number else {
        let value = i64::try_from(tag >> 3).unwrap_or(i64::MAX);
        return Err(
            DecodeErrorKind::Unexpected { value, expected: "a field number" }.at("tag", start)
        );
    };
    Ok((number, tag & 7))
}

/// Reads the value after a tag at `start`, in a message or group that is nested `depth` levels deep.
fn raw<'a>(
    cursor: &mut Cursor<'a>,
    (number, wire_type): (u32, u64),
    start: usize,
    depth: usize,
) -> Result<Raw<'a>> {
    Ok(match wire_type {
        0 => Raw::Varint(cursor.varint("varint field")?),
        1 => Raw::Fixed64(cursor.u64_le("fixed64 field")?),
        2 => {
            let limit = cursor.rest().len();
            let len = cursor.len_varint(limit, "field length")?;
            let at = cursor.offset();
            Raw::Bytes(cursor.take(len, "field")?, at)
        }
        START_GROUP => {
            // CodedInputStream.readGroup, which counts the messages around it too.
            if depth >= MAX_DEPTH {
                return Err(DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("group", start));
            }
            let at = cursor.offset();
            Raw::Group(group(cursor, number, depth)?, at)
        }
        5 => Raw::Fixed32(cursor.u32_le("fixed32 field")?),
        other => {
            let value = other.cast_signed();
            return Err(
                DecodeErrorKind::Unexpected { value, expected: "a wire type" }.at("tag", start)
            );
        }
    })
}

/// Reads the fields of a group up to its end.
fn group<'a>(cursor: &mut Cursor<'a>, number: u32, depth: usize) -> Result<&'a [u8]> {
    let (content, begin) = (cursor.rest(), cursor.offset());
    loop {
        let end = cursor.offset();
        match tag(cursor)? {
            (ended, END_GROUP) if ended == number => return Ok(&content[..end - begin]),
            (other, END_GROUP) => {
                let expected = "the number of the group that ends";
                return Err(
                    DecodeErrorKind::Unexpected { value: other.into(), expected }.at("tag", end)
                );
            }
            inner => raw(cursor, inner, end, depth + 1)?,
        };
    }
}

pub(super) fn next_number(cursor: &Cursor<'_>) -> Option<u32> {
    next_in(cursor.rest())
}

/// Returns the number of the first field in bytes.
#[inline]
pub(super) fn next_in(bytes: &[u8]) -> Option<u32> {
    if let [tag @ ..0x80, ..] = *bytes {
        return Some(u32::from(tag >> 3));
    }
    let (tag, _) = varint::decode(bytes).ok()?;
    u32::try_from(tag >> 3).ok()
}

/// Maximum field number in protobuf: 29 bits.
pub const MAX_NUMBER: u32 = (1 << 29) - 1;
const START_GROUP: u64 = 3;
const END_GROUP: u64 = 4;
