//! Visit of the fields of a command, by the layout in its table.

use super::{
    HEADER_LEN,
    layout::{Command, Field, FieldKind, Presence},
};
use crate::{
    Cursor, DecodeErrorKind, Result,
    cost::examined,
    primitives::checked_len,
    text::{self, Encoding, JavaText},
    visit::{Shape, Value, Visitor},
};

/// Shows `visitor` the fields of a command whose header stands before `payload`.
///
/// Bytes behind the last field are newer than we are: they are shown as layout, and not judged.
///
/// # Errors
/// [`DecodeErrorKind`], with the offset from the frame's first byte.
pub fn visit_fields<V: Visitor>(command: &Command, payload: &[u8], visitor: &mut V) -> Result<()> {
    let mut cursor = Cursor::at(payload, HEADER_LEN);
    let read = fields(command.fields, &mut cursor, visitor, &mut { usize::MAX });
    if read.is_err() && command.has_secret() {
        visitor.hide_rest();
    }
    read?;
    if !cursor.is_empty() {
        let at = cursor.offset();
        let rest = cursor.take_rest();
        visitor.layout("more", at..at + rest.len(), Value::Bytes(rest));
    }
    Ok(())
}

/// Whether `payload` may be that of a command, by its first fields and elements of lists alone: what
/// looks like a header at every other byte must not be read to its end at every other byte.
pub(super) fn may_be(command: &Command, payload: &[u8]) -> bool {
    let mut steps = PLAUSIBLE_STEPS;
    let mut cursor = Cursor::new(payload);
    let is_read = fields(command.fields, &mut cursor, &mut (), &mut steps).is_ok();
    // The bytes of the fields, and of the field that may have ended them, at most the whole payload.
    let passed = (cursor.offset() + BYTES_A_STEP).min(payload.len());
    examined((BYTES_A_STEP * (PLAUSIBLE_STEPS - steps)).min(passed));
    is_read
}

/// Reads fields until `steps` are used up: one for each field and each element of a list.
fn fields<V: Visitor>(
    layout: &'static [Field],
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
    steps: &mut usize,
) -> Result<()> {
    for field in layout {
        let Some(left) = steps.checked_sub(1) else { break };
        *steps = left;
        // As in Java's readers, a field is read if it is complete.
        let needed = match field.presence {
            Presence::Always => 0,
            Presence::IfWhole => shortest(field.kind),
            Presence::IfAny => 1,
        };
        if cursor.rest().len() < needed {
            break;
        }
        if !V::ENABLED
            && let Some(len) = width(field.kind)
        {
            cursor.take(len, field.name)?;
        } else if field.is_secret {
            utf(field.name, true, cursor, visitor)?;
        } else {
            value(field.name, field.kind, cursor, visitor, steps)?;
        }
    }
    Ok(())
}

fn value<V: Visitor>(
    name: &'static str,
    kind: FieldKind,
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
    steps: &mut usize,
) -> Result<()> {
    let start = cursor.offset();
    match kind {
        FieldKind::Bool
        | FieldKind::I8
        | FieldKind::I32
        | FieldKind::I64
        | FieldKind::Uuid
        | FieldKind::Part => {
            let value = fixed(name, kind, cursor)?;
            visitor.field(name, start..cursor.offset(), value);
        }
        FieldKind::Utf => utf(name, false, cursor, visitor)?,
        FieldKind::Bytes | FieldKind::Stored => bytes(name, cursor, visitor)?,
        FieldKind::Rest => {
            let rest = cursor.take_rest();
            visitor.field(name, start..cursor.offset(), Value::Bytes(rest));
        }
        FieldKind::Padding => {
            let len = cursor.take_rest().len();
            visitor.field(name, start..cursor.offset(), Value::UInt(len as u64));
        }
        FieldKind::Event => {
            let code = cursor.i32_be(name)?;
            if code != 0 {
                let problem =
                    DecodeErrorKind::Unexpected { value: code.into(), expected: "an event" };
                return Err(problem.at(name, start));
            }
            visitor.layout("type", start..cursor.offset(), Value::Int(0));
            bytes(name, cursor, visitor)?;
        }
        FieldKind::Key => key(name, cursor, visitor)?,
        FieldKind::Value => {
            let mut value = sized(name, cursor, visitor)?;
            let at = value.offset();
            let bytes = value.take_rest();
            visitor.field(name, at..at + bytes.len(), Value::Bytes(bytes));
        }
        FieldKind::List(layout) => {
            let count = count(name, cursor, visitor)?;
            visitor.enter(name, Shape::List);
            for _ in 0..count {
                if *steps == 0 {
                    break;
                }
                visitor.enter("", Shape::Object);
                fields(layout, cursor, visitor, steps)?;
                visitor.leave();
            }
            visitor.leave();
        }
        FieldKind::Each(kind) => {
            let count = count(name, cursor, visitor)?;
            visitor.enter(name, Shape::List);
            for _ in 0..count {
                let Some(left) = steps.checked_sub(1) else { break };
                *steps = left;
                if let FieldKind::Key = kind {
                    visitor.enter("", Shape::Object);
                    value("key", *kind, cursor, visitor, steps)?;
                    visitor.leave();
                } else {
                    value("", *kind, cursor, visitor, steps)?;
                }
            }
            visitor.leave();
        }
        FieldKind::TailAndEnd => {
            let flags = cursor.byte(name)?;
            if flags & !(AT_TAIL | AT_END) != 0 {
                let expected = "two flags, at the tail and at the end";
                return Err(
                    DecodeErrorKind::Unexpected { value: flags.into(), expected }.at(name, start)
                );
            }
            let range = start..cursor.offset();
            visitor.field("at_tail", range.clone(), Value::Bool(flags & AT_TAIL != 0));
            visitor.field("end_of_segment", range, Value::Bool(flags & AT_END != 0));
        }
    }
    Ok(())
}

/// Text in modified UTF-8 behind its length.
fn utf<V: Visitor>(
    name: &'static str,
    is_secret: bool,
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
) -> Result<()> {
    let start = cursor.offset();
    let len = cursor.u16_be(name)?;
    visitor.layout("length", start..cursor.offset(), Value::UInt(len.into()));
    let at = cursor.offset();
    let bytes = cursor.take(len.into(), name)?;
    if !V::ENABLED {
        return Ok(());
    }
    let decoded = text::decode(bytes, Encoding::ModifiedUtf8);
    let decoded = decoded.map_err(|problem| problem.at(name, at))?;
    let value = match &decoded {
        JavaText::Str(text) => Value::Text(text),
        JavaText::Units(units) => Value::Units(units),
    };
    if is_secret {
        visitor.secret(name, at..cursor.offset(), value);
    } else {
        visitor.field(name, at..cursor.offset(), value);
    }
    Ok(())
}

/// A value of as many bytes as its kind has.
fn fixed(name: &'static str, kind: FieldKind, cursor: &mut Cursor<'_>) -> Result<Value<'static>> {
    let start = cursor.offset();
    Ok(match kind {
        FieldKind::Bool => Value::Bool(cursor.byte(name)? != 0),
        FieldKind::I8 => Value::Int(cursor.i8_be(name)?.into()),
        FieldKind::I32 => Value::Int(cursor.i32_be(name)?.into()),
        FieldKind::Uuid => Value::Uuid(cursor.uuid_be(name)?.to_be_bytes()),
        FieldKind::Part => {
            let flag = cursor.byte(name)?;
            let Some(part) = PARTS.get(usize::from(flag)) else {
                let problem =
                    DecodeErrorKind::Unexpected { value: flag.into(), expected: "0, 1 or 2" };
                return Err(problem.at(name, start));
            };
            Value::Enum(flag.into(), part)
        }
        _ => Value::Int(cursor.i64_be(name)?),
    })
}

fn bytes<V: Visitor>(name: &'static str, cursor: &mut Cursor<'_>, visitor: &mut V) -> Result<()> {
    let start = cursor.offset();
    let len = cursor.len_i32(cursor.rest().len(), name)?;
    visitor.layout("length", start..cursor.offset(), Value::UInt(len as u64));
    let at = cursor.offset();
    let bytes = cursor.take(len, name)?;
    visitor.field(name, at..cursor.offset(), Value::Bytes(bytes));
    Ok(())
}

/// A key of a table and its version.
fn key<V: Visitor>(name: &'static str, cursor: &mut Cursor<'_>, visitor: &mut V) -> Result<()> {
    let start = cursor.offset();
    let mut key = sized(name, cursor, visitor)?;
    if V::ENABLED {
        visitor.field("key", key.offset()..key.offset() + key.rest().len(), {
            Value::Bytes(key.take_rest())
        });
    }
    // An empty key has no version of its own.
    let at = cursor.offset();
    let version = if key.offset() == start + 2 * INT { i64::MIN } else { cursor.i64_be(name)? };
    visitor.field("version", at..cursor.offset(), Value::Int(version));
    Ok(())
}

/// Visits bytes after a size, which Java writes and hardly reads, and a length.
fn sized<'a, V: Visitor>(
    name: &'static str,
    cursor: &mut Cursor<'a>,
    visitor: &mut V,
) -> Result<Cursor<'a>> {
    let start = cursor.offset();
    let size = cursor.i32_be(name)?;
    visitor.layout("size", start..cursor.offset(), Value::Int(size.into()));
    let at = cursor.offset();
    let len = cursor.i32_be(name)?;
    let len =
        checked_len(len.into(), cursor.rest().len()).map_err(|problem| problem.at(name, at))?;
    // `TableKey.readFrom`, `TableValue.readFrom`: an empty one has no size to judge.
    if len > 0 && (size < 0 || size.cast_unsigned() as usize > cursor.rest().len() + 2 * INT) {
        let expected = "a size within the command";
        return Err(DecodeErrorKind::Unexpected { value: size.into(), expected }.at(name, start));
    }
    visitor.layout("length", at..cursor.offset(), Value::UInt(len as u64));
    cursor.sub(len, name)
}

fn count<V: Visitor>(
    name: &'static str,
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
) -> Result<usize> {
    let start = cursor.offset();
    // No element takes less than two bytes: a count over the rest is a lie.
    let count = cursor.len_i32(cursor.rest().len() / 2, name)?;
    visitor.layout("count", start..cursor.offset(), Value::UInt(count as u64));
    Ok(count)
}

/// Bytes of a field of any value, where all of a kind have as many.
fn width(kind: FieldKind) -> Option<usize> {
    match kind {
        FieldKind::Bool | FieldKind::I8 => Some(1),
        FieldKind::I32 => Some(INT),
        FieldKind::I64 => Some(8),
        FieldKind::Uuid => Some(16),
        _ => None,
    }
}

/// Bytes of a field's fixed part.
fn shortest(kind: FieldKind) -> usize {
    match kind {
        FieldKind::I64 => 8,
        FieldKind::I32 | FieldKind::Bytes | FieldKind::Stored => INT,
        _ => 1,
    }
}

const INT: usize = 4;

/// Number of fields and elements of lists that tell whether bytes are a command, when guessing. Chosen by jvmwire:
/// commands without lists have eight fields at most.
const PLAUSIBLE_STEPS: usize = 16;
/// Bytes that most steps examine: a number or a length.
const BYTES_A_STEP: usize = 8;

/// The pieces of an early message, by their flag.
pub(super) const PARTS: [&str; 3] = ["Begin", "Middle", "End"];
/// Of the flags of an early `SegmentRead`: ours.
pub(super) const AT_TAIL: u8 = 1;
/// Of the flags of an early `SegmentRead`: ours.
pub(super) const AT_END: u8 = 2;
