//! Encoder of commands, by the layout of their fields.

use super::{
    FRAME_LIMIT, HEADER_LEN,
    layout::{Command, Field, FieldKind},
    visit_fields::{AT_END, AT_TAIL, PARTS},
};
use crate::{
    TooLong,
    text::{StringFormat, TextError},
};

/// A value as a caller gives it: the encoder asks it for what the layout needs.
pub trait FieldSource: Sized {
    /// Why it cannot be had.
    type Error: From<TooLong> + From<TextError>;

    /// The value of that name, or `None` if it is not given.
    ///
    /// # Errors
    /// This has no values with names.
    fn named(&self, name: &'static str) -> Result<Option<Self>, Self::Error>;

    /// Says that `name` must be given and is not.
    fn missing(name: &'static str) -> Self::Error;

    /// Hands each element to `take`; returns how many there are.
    ///
    /// # Errors
    /// This has no elements; what `take` returns.
    fn each(
        &self,
        take: &mut dyn FnMut(Self) -> Result<(), Self::Error>,
    ) -> Result<usize, Self::Error>;

    /// A number between `min` and `max`.
    ///
    /// # Errors
    /// It is none.
    fn int(&self, min: i64, max: i64) -> Result<i64, Self::Error>;

    /// Whether it is true.
    ///
    /// # Errors
    /// It is neither true nor false.
    fn bool(&self) -> Result<bool, Self::Error>;

    /// The bytes of a UUID, the most significant first.
    ///
    /// # Errors
    /// It is none.
    fn uuid(&self) -> Result<[u8; 16], Self::Error>;

    /// Shows `take` the bytes.
    ///
    /// # Errors
    /// It has none.
    fn bytes(&self, take: &mut dyn FnMut(&[u8])) -> Result<(), Self::Error>;

    /// Shows `take` the text, UTF-8 but for three bytes for each lone surrogate.
    ///
    /// # Errors
    /// It is none.
    fn text(&self, take: &mut dyn FnMut(&[u8])) -> Result<(), Self::Error>;
}

/// Appends a command as a frame, by what `given` has for its fields. What is optional and not given
/// ends the command, as an older peer would write it.
///
/// # Errors
/// Those of `given`; [`TooLong`] if the frame would be over [`FRAME_LIMIT`]. `out` is as before.
pub fn encode<G: FieldSource>(
    command: &Command,
    code: i32,
    given: &G,
    out: &mut Vec<u8>,
) -> Result<(), G::Error> {
    let start = out.len();
    let encoded = framed(command, code, given, out);
    if encoded.is_err() {
        out.truncate(start);
    }
    encoded
}

fn framed<G: FieldSource>(
    command: &Command,
    code: i32,
    given: &G,
    out: &mut Vec<u8>,
) -> Result<(), G::Error> {
    let start = out.len();
    out.extend_from_slice(&code.to_be_bytes());
    out.extend_from_slice(&[0; INT]);
    fields(command.fields, given, out)?;
    end_frame(start, out)?;
    Ok(())
}

/// Writes the length of the frame that begins at `start`.
pub(super) fn end_frame(start: usize, out: &mut [u8]) -> Result<(), TooLong> {
    let len = out.len() - start;
    let length = i32::try_from(len - HEADER_LEN).ok().filter(|_| len <= FRAME_LIMIT);
    let length = length.ok_or(TooLong { len, max: FRAME_LIMIT })?;
    out[start + INT..start + HEADER_LEN].copy_from_slice(&length.to_be_bytes());
    Ok(())
}

fn fields<G: FieldSource>(
    layout: &'static [Field],
    given: &G,
    out: &mut Vec<u8>,
) -> Result<(), G::Error> {
    let mut left_out = None;
    for field in layout {
        let name = match field.kind {
            FieldKind::TailAndEnd => {
                let flag = |name, bit| match given.named(name)? {
                    Some(value) => Ok(if value.bool()? { bit } else { 0 }),
                    None => Err(G::missing(name)),
                };
                out.push(flag("at_tail", AT_TAIL)? | flag("end_of_segment", AT_END)?);
                continue;
            }
            FieldKind::Key => {
                key(given, out)?;
                continue;
            }
            _ => field.name,
        };
        match (given.named(name)?, left_out) {
            (Some(value), None) => one(field.kind, &value, out)?,
            // Only the last fields may be omitted.
            (Some(_), Some(before)) => return Err(G::missing(before)),
            (None, _) if field.is_optional() => left_out = Some(name),
            (None, _) => return Err(G::missing(name)),
        }
    }
    Ok(())
}

fn one<G: FieldSource>(kind: FieldKind, given: &G, out: &mut Vec<u8>) -> Result<(), G::Error> {
    match kind {
        FieldKind::Bool => out.push(given.bool()?.into()),
        FieldKind::I8 => put(given.int(i8::MIN.into(), i8::MAX.into())?, 1, out),
        FieldKind::I32 => put(given.int(i32::MIN.into(), i32::MAX.into())?, INT, out),
        FieldKind::I64 => put(given.int(i64::MIN, i64::MAX)?, 8, out),
        FieldKind::Uuid => out.extend_from_slice(&given.uuid()?),
        FieldKind::Utf => {
            let mut written = Ok(());
            given.text(&mut |text| written = StringFormat::JAVA_UTF.encode_wtf8(text, out))?;
            written?;
        }
        FieldKind::Bytes | FieldKind::Stored | FieldKind::Value => {
            let sized = matches!(kind, FieldKind::Value);
            let mut written = Ok(());
            given.bytes(&mut |bytes| written = put_bytes(bytes, sized.then_some(INT), out))?;
            written?;
        }
        FieldKind::Event => {
            put(0, INT, out);
            one(FieldKind::Bytes, given, out)?;
        }
        FieldKind::Rest => given.bytes(&mut |bytes| out.extend_from_slice(bytes))?,
        FieldKind::Padding => {
            let len = given.int(0, FRAME_LIMIT.cast_signed() as i64)?;
            out.resize(out.len() + usize::try_from(len).unwrap_or_default(), 0);
        }
        FieldKind::Key => key(given, out)?,
        FieldKind::List(layout) => {
            counted(given, out, |element, out| fields(layout, element, out))?;
        }
        FieldKind::Each(kind) => counted(given, out, |element, out| one(*kind, element, out))?,
        FieldKind::Part => {
            let mut flag = None;
            given.text(&mut |text| {
                flag = PARTS.iter().position(|part| part.as_bytes() == text);
            })?;
            let flag = flag.and_then(|flag| u8::try_from(flag).ok());
            out.push(flag.ok_or_else(|| G::missing("part"))?);
        }
        FieldKind::TailAndEnd => {}
    }
    Ok(())
}

/// Appends the lowest `width` bytes of a number.
fn put(value: i64, width: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&value.to_be_bytes()[8 - width..]);
}

/// Appends a size that counts the bytes and `more`, the length of the bytes, and the bytes.
fn put_bytes(bytes: &[u8], more: Option<usize>, out: &mut Vec<u8>) -> Result<(), TooLong> {
    let too_long = TooLong { len: bytes.len(), max: FRAME_LIMIT };
    if bytes.len() > FRAME_LIMIT {
        return Err(too_long);
    }
    if let Some(more) = more {
        put((bytes.len() + more).cast_signed() as i64, INT, out);
    }
    put(bytes.len().cast_signed() as i64, INT, out);
    out.extend_from_slice(bytes);
    Ok(())
}

fn key<G: FieldSource>(given: &G, out: &mut Vec<u8>) -> Result<(), G::Error> {
    let key = given.named("key")?.ok_or_else(|| G::missing("key"))?;
    let mut written = Ok(0);
    key.bytes(&mut |bytes| {
        written = put_bytes(bytes, Some(INT + 8), out).map(|()| bytes.len());
    })?;
    let version = given.named("version")?.ok_or_else(|| G::missing("version"))?;
    let version = version.int(i64::MIN, i64::MAX)?;
    // `TableKey.writeFields`: an empty key ends after its length.
    if written? > 0 {
        put(version, 8, out);
    }
    Ok(())
}

fn counted<G: FieldSource>(
    given: &G,
    out: &mut Vec<u8>,
    mut write: impl FnMut(&G, &mut Vec<u8>) -> Result<(), G::Error>,
) -> Result<(), G::Error> {
    let at = out.len();
    out.extend_from_slice(&[0; INT]);
    let count = given.each(&mut |element| write(&element, out))?;
    let too_long = TooLong { len: count, max: i32::MAX as usize };
    let count = i32::try_from(count).map_err(|_| too_long)?;
    out[at..at + INT].copy_from_slice(&count.to_be_bytes());
    Ok(())
}

const INT: usize = 4;
