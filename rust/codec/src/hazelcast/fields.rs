//! The fields of a message, read and written by its table.

use std::ops::Range;

use super::{
    secrets::secrets_of,
    tables::{Field, Kind, MessageType},
};
use crate::{
    Cursor, DecodeError, DecodeErrorKind, TooLong,
    frame::{BinaryColumn, LENGTH_LEN},
    primitives::checked_len,
    visit::{Shape, Value, Visitor},
};

/// Builder of values from the fields of a message.
pub trait FieldBuilder {
    /// The value of a field.
    type Output;
    /// The unfinished value of a list or group.
    type Open;
    /// The error of the builder.
    type Error: From<DecodeError>;

    /// Takes a single value.
    ///
    /// # Errors
    /// The maker's own.
    fn value(
        &mut self,
        name: &'static str,
        at: Range<usize>,
        value: Value<'_>,
    ) -> Result<Self::Output, Self::Error>;

    /// Takes note of bytes that only hold the layout together.
    fn layout(&mut self, name: &'static str, at: Range<usize>, value: Value<'_>);

    /// Takes a list of `count` elements as a whole, where it has a way of its own to read such.
    ///
    /// # Errors
    /// The maker's own.
    fn list(
        &mut self,
        _element: &'static Kind,
        _count: usize,
        _cursor: &mut Cursor<'_>,
    ) -> Result<Option<Self::Output>, Self::Error> {
        Ok(None)
    }

    /// Begins several values: `count` elements of a list, or the fields of a group.
    fn open(&mut self, name: &'static str, group: Group, count: usize) -> Self::Open;

    /// Takes one of several.
    ///
    /// # Errors
    /// The maker's own.
    fn add(
        &mut self,
        open: &mut Self::Open,
        name: &'static str,
        made: Self::Output,
    ) -> Result<(), Self::Error>;

    /// Ends several values.
    ///
    /// # Errors
    /// The maker's own.
    fn close(&mut self, open: Self::Open) -> Result<Self::Output, Self::Error>;
}

/// Structure of several values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Group {
    /// The fields of a message, by name and in order.
    Message,
    /// The fields of a type, by name.
    Struct,
    /// A key and a value.
    Entry,
    /// One field of several that might stand there.
    Choice,
    /// Elements, in order.
    List,
}

/// Reads the fields of a message. Those that a later version added may be missing; what follows the
/// last one is of a version later still and is not looked at.
///
/// # Errors
/// [`DecodeErrorKind::UnexpectedEof`], [`DecodeErrorKind::Negative`], [`DecodeErrorKind::OverLimit`],
/// [`DecodeErrorKind::NotText`], [`DecodeErrorKind::Unexpected`], and the maker's own.
pub fn read_message<M: FieldBuilder>(
    message: &'static MessageType,
    cursor: &mut Cursor<'_>,
    builder: &mut M,
) -> Result<M::Output, M::Error> {
    let mut open = builder.open("", Group::Message, message.fields.len());
    for field in message.fields {
        let made = if field.later && cursor.is_empty() {
            builder.value(field.name, cursor.offset()..cursor.offset(), Value::Null)?
        } else {
            read(field.name, &field.kind, cursor, builder)?
        };
        builder.add(&mut open, field.name, made)?;
    }
    if !cursor.is_empty() {
        let from = cursor.offset();
        let rest = cursor.take_rest();
        builder.layout("later fields", from..from + rest.len(), Value::Bytes(rest));
    }
    builder.close(open)
}

fn read<M: FieldBuilder>(
    name: &'static str,
    kind: &'static Kind,
    cursor: &mut Cursor<'_>,
    builder: &mut M,
) -> Result<M::Output, M::Error> {
    let from = cursor.offset();
    let value = match kind {
        Kind::Boolean => Value::Bool(cursor.byte(name)? != 0),
        Kind::Byte => Value::Int(cursor.i8_le(name)?.into()),
        Kind::Int => Value::Int(cursor.i32_le(name)?.into()),
        Kind::Long => Value::Int(cursor.i64_le(name)?),
        Kind::Uuid => {
            let (high, low) = (cursor.i64_le(name)?, cursor.i64_le(name)?);
            let [high, low] = [high.to_be_bytes(), low.to_be_bytes()];
            let mut uuid = [0; 16];
            uuid[..8].copy_from_slice(&high);
            uuid[8..].copy_from_slice(&low);
            Value::Uuid(uuid)
        }
        Kind::Text => {
            let bytes = counted(name, cursor, builder)?;
            let at = cursor.offset() - bytes.len();
            let text = std::str::from_utf8(bytes).map_err(|error| {
                DecodeErrorKind::NotText { at: error.valid_up_to(), encoding: "UTF-8" }.at(name, at)
            })?;
            return builder.value(name, at..cursor.offset(), Value::Text(text));
        }
        Kind::Data | Kind::Bytes => {
            let bytes = counted(name, cursor, builder)?;
            let at = cursor.offset() - bytes.len();
            return builder.value(name, at..cursor.offset(), Value::Bytes(bytes));
        }
        Kind::Nullable(kind) => {
            if cursor.byte(name)? == 0 {
                builder.layout("is null", from..from + 1, Value::Bool(false));
                return read(name, kind, cursor, builder);
            }
            Value::Null
        }
        Kind::List(element) => {
            let count = length(name, cursor, element.least())?;
            builder.layout("count", from..cursor.offset(), Value::UInt(count as u64));
            if let Some(made) = builder.list(element, count, cursor)? {
                return Ok(made);
            }
            let mut open = builder.open(name, Group::List, count);
            for _ in 0..count {
                let made = read("", element, cursor, builder)?;
                builder.add(&mut open, "", made)?;
            }
            return builder.close(open);
        }
        Kind::Entry(key, value) => {
            let mut open = builder.open(name, Group::Entry, 2);
            for (name, kind) in [("key", key), ("value", value)] {
                let made = read(name, kind, cursor, builder)?;
                builder.add(&mut open, name, made)?;
            }
            return builder.close(open);
        }
        Kind::Struct(fields) => {
            let mut open = builder.open(name, Group::Struct, fields.len());
            for field in *fields {
                let made = read(field.name, &field.kind, cursor, builder)?;
                builder.add(&mut open, field.name, made)?;
            }
            return builder.close(open);
        }
        Kind::Choice(choices) => {
            let tag = cursor.byte(name)?;
            let chosen = choices.iter().find(|choice| choice.tag == tag).ok_or_else(|| {
                let expected = "the number of one of its kinds";
                DecodeErrorKind::Unexpected { value: tag.into(), expected }.at(name, from)
            })?;
            builder.layout("kind", from..from + 1, Value::UInt(tag.into()));
            let Field { name: chosen, kind, .. } = &chosen.field;
            let mut open = builder.open(name, Group::Choice, 1);
            let made = read(chosen, kind, cursor, builder)?;
            builder.add(&mut open, chosen, made)?;
            return builder.close(open);
        }
    };
    builder.value(name, from..cursor.offset(), value)
}

/// Reads a list of `count` serialized objects, or of entries of two, end to end: those of `keys` and
/// `values`. A null is nothing. `false`, if the elements are something else.
///
/// # Errors
/// As [`read_message`]; [`TooLong`] if they are more than 31 bits can say.
pub fn gather<E: From<DecodeError> + From<TooLong>>(
    element: &'static Kind,
    count: usize,
    cursor: &mut Cursor<'_>,
    keys: &mut BinaryColumn,
    values: &mut BinaryColumn,
) -> Result<bool, E> {
    let (key, value) = match element {
        Kind::Entry(key, value) => (Some(*key), *value),
        value => (None, value),
    };
    let may_be_null = |kind: &Kind| match kind {
        Kind::Data => Some(false),
        Kind::Nullable(Kind::Data) => Some(true),
        _ => None,
    };
    let (Some(key), Some(value)) =
        (key.map_or(Some(None), |key| may_be_null(key).map(Some)), may_be_null(value))
    else {
        return Ok(false);
    };
    for _ in 0..count {
        if let Some(nullable) = key {
            keys.push(data("key", nullable, cursor)?)?;
        }
        values.push(data("value", value, cursor)?)?;
    }
    Ok(true)
}

/// Reads a serialized object; a null is nothing.
#[inline]
fn data<'a>(
    name: &'static str,
    nullable: bool,
    cursor: &mut Cursor<'a>,
) -> Result<&'a [u8], DecodeError> {
    if nullable && cursor.byte(name)? != 0 {
        return Ok(&[]);
    }
    if let Some((len, rest)) = cursor.rest().split_first_chunk()
        && let Ok(len) = usize::try_from(i32::from_le_bytes(*len))
        && let Some(data) = rest.get(..len)
    {
        cursor.skip(LENGTH_LEN + len);
        return Ok(data);
    }
    let len = length(name, cursor, 1)?;
    cursor.take(len, name)
}

/// Reads a count of bytes and these.
fn counted<'a, M: FieldBuilder>(
    name: &'static str,
    cursor: &mut Cursor<'a>,
    builder: &mut M,
) -> Result<&'a [u8], DecodeError> {
    let from = cursor.offset();
    let len = length(name, cursor, 1)?;
    builder.layout("length", from..cursor.offset(), Value::UInt(len as u64));
    cursor.take(len, name)
}

/// Reads a count of things that take `least` bytes each: no more of them than the message can hold.
fn length(name: &'static str, cursor: &mut Cursor<'_>, least: usize) -> Result<usize, DecodeError> {
    let offset = cursor.offset();
    let count = cursor.i32_le(name)?;
    let limit = cursor.rest().len() / least.max(1);
    checked_len(count.into(), limit).map_err(|problem| problem.at(name, offset))
}

/// Shows a visitor what is read.
#[derive(Debug)]
pub(super) struct VisitState<'v, V> {
    visitor: &'v mut V,
    /// The names of the message's secrets.
    secrets: &'static [&'static str],
    /// Number of groups that are open, the outermost of which is a secret.
    inside_secret: usize,
}

/// Shows a visitor the fields of a message.
///
/// # Errors
/// As [`read_message`].
pub(super) fn show_message<V: Visitor>(
    message: &'static MessageType,
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
) -> Result<(), DecodeError> {
    let mut shown = VisitState { visitor, secrets: secrets_of(message), inside_secret: 0 };
    let read = read_message(message, cursor, &mut shown);
    if read.is_err() && !shown.secrets.is_empty() {
        shown.visitor.hide_rest();
    }
    read
}

impl<V: Visitor> FieldBuilder for VisitState<'_, V> {
    type Output = ();
    type Open = bool;
    type Error = DecodeError;

    fn value(
        &mut self,
        name: &'static str,
        at: Range<usize>,
        value: Value<'_>,
    ) -> Result<(), DecodeError> {
        if self.inside_secret > 0 || self.secrets.contains(&name) {
            self.visitor.secret(name, at, value);
        } else {
            self.visitor.field(name, at, value);
        }
        Ok(())
    }

    fn layout(&mut self, name: &'static str, at: Range<usize>, value: Value<'_>) {
        self.visitor.layout(name, at, value);
    }

    fn open(&mut self, name: &'static str, group: Group, _: usize) -> bool {
        let shape = match group {
            Group::Message => return false,
            Group::List => Shape::List,
            Group::Struct | Group::Entry | Group::Choice => Shape::Object,
        };
        self.visitor.enter(name, shape);
        if self.inside_secret > 0 || self.secrets.contains(&name) {
            self.inside_secret += 1;
        }
        true
    }

    fn add(&mut self, _: &mut bool, _: &'static str, (): ()) -> Result<(), DecodeError> {
        Ok(())
    }

    fn close(&mut self, entered: bool) -> Result<(), DecodeError> {
        if entered {
            self.visitor.leave();
            self.inside_secret = self.inside_secret.saturating_sub(1);
        }
        Ok(())
    }
}

/// Writes the fields of a message.
#[derive(Debug)]
pub struct Writer<'a>(pub &'a mut Vec<u8>);

impl Writer<'_> {
    /// Appends a `boolean`.
    pub fn boolean(&mut self, value: bool) {
        self.0.push(value.into());
    }

    /// Appends a `byte`.
    pub fn byte(&mut self, value: i8) {
        self.0.push(value.cast_unsigned());
    }

    /// Appends an `int`.
    pub fn int(&mut self, value: i32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends a `long`.
    pub fn long(&mut self, value: i64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }

    /// Appends a UUID, given with its big end first.
    pub fn uuid(&mut self, uuid: [u8; 16]) {
        let (high, low) = uuid.split_at(8);
        self.0.extend(high.iter().rev());
        self.0.extend(low.iter().rev());
    }

    /// Appends a count of elements, which must follow.
    ///
    /// # Errors
    /// [`TooLong`] if an `int` cannot say it.
    pub fn count(&mut self, count: usize) -> Result<(), TooLong> {
        let max = i32::MAX as usize;
        let count = i32::try_from(count).map_err(|_| TooLong { len: count, max })?;
        self.int(count);
        Ok(())
    }

    /// Appends a count of bytes and these: text in UTF-8, a serialized object.
    ///
    /// # Errors
    /// [`TooLong`] if an `int` cannot say how many they are.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        self.count(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}
