//! Decoding and encoding of the fields of a message by its table.

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
    /// Value of a field.
    type Output;
    /// Unfinished value of a list or group.
    type Open;
    /// Error of the builder.
    type Error: From<DecodeError>;

    /// Builds a single value.
    ///
    /// # Errors
    /// Errors of the builder.
    fn value(
        &mut self,
        name: &'static str,
        at: Range<usize>,
        value: Value<'_>,
    ) -> Result<Self::Output, Self::Error>;

    /// Receives bytes that belong only to the layout.
    fn layout(&mut self, name: &'static str, at: Range<usize>, value: Value<'_>);

    /// Builds a list of `count` elements at once, if the builder has a special way to read it.
    ///
    /// # Errors
    /// Errors of the builder.
    fn list(
        &mut self,
        _element: &'static Kind,
        _count: usize,
        _cursor: &mut Cursor<'_>,
    ) -> Result<Option<Self::Output>, Self::Error> {
        Ok(None)
    }

    /// Begins a group: `count` elements of a list, or the fields of a message, type or entry.
    fn open(&mut self, name: &'static str, group: Group, count: usize) -> Self::Open;

    /// Adds an element to a group.
    ///
    /// # Errors
    /// Errors of the builder.
    fn add(
        &mut self,
        open: &mut Self::Open,
        name: &'static str,
        made: Self::Output,
    ) -> Result<(), Self::Error>;

    /// Ends a group.
    ///
    /// # Errors
    /// Errors of the builder.
    fn close(&mut self, open: Self::Open) -> Result<Self::Output, Self::Error>;
}

/// Structure of a group of values.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Group {
    /// Fields of a message, by name and in order.
    Message,
    /// Fields of a type, by name.
    Struct,
    /// Key and value.
    Entry,
    /// One of several alternative fields.
    Choice,
    /// Elements of a list, in order.
    List,
}

/// Decodes the fields of a message. Fields that a later version added may be missing; bytes after the last
/// field belong to an even later version and are ignored.
///
/// # Errors
/// [`DecodeErrorKind::UnexpectedEof`], [`DecodeErrorKind::Negative`], [`DecodeErrorKind::OverLimit`],
/// [`DecodeErrorKind::NotText`], [`DecodeErrorKind::Unexpected`], and errors of the builder.
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

/// Appends a list of `count` serialized objects to `values`, or of pairs to `keys` and `values`. A null is
/// appended as empty bytes. Returns `false` if the elements are of another kind.
///
/// # Errors
/// As [`read_message`]; [`TooLong`] if the offsets exceed 31 bits.
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

/// Reads a serialized object; a null is empty.
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

/// Reads bytes after their count.
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

/// Reads a number of elements of at least `least` bytes each, which must fit the rest of the message.
fn length(name: &'static str, cursor: &mut Cursor<'_>, least: usize) -> Result<usize, DecodeError> {
    let offset = cursor.offset();
    let count = cursor.i32_le(name)?;
    let limit = cursor.rest().len() / least.max(1);
    checked_len(count.into(), limit).map_err(|problem| problem.at(name, offset))
}

/// Adapter that shows the decoded fields to a visitor.
#[derive(Debug)]
pub(super) struct VisitState<'v, V> {
    visitor: &'v mut V,
    /// Names of the secret fields of the message.
    secrets: &'static [&'static str],
    /// Number of open groups whose outermost group is a secret.
    inside_secret: usize,
}

/// Shows the fields of a message to a visitor.
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

/// Encoder of the fields of a message.
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

    /// Appends a UUID, given as big-endian bytes.
    pub fn uuid(&mut self, uuid: [u8; 16]) {
        let (high, low) = uuid.split_at(8);
        self.0.extend(high.iter().rev());
        self.0.extend(low.iter().rev());
    }

    /// Appends a number of elements, which must follow.
    ///
    /// # Errors
    /// [`TooLong`] if it does not fit an `int`.
    pub fn count(&mut self, count: usize) -> Result<(), TooLong> {
        let max = i32::MAX as usize;
        let count = i32::try_from(count).map_err(|_| TooLong { len: count, max })?;
        self.int(count);
        Ok(())
    }

    /// Appends bytes after their count: text in UTF-8, or a serialized object.
    ///
    /// # Errors
    /// [`TooLong`] if the count does not fit an `int`.
    pub fn bytes(&mut self, bytes: &[u8]) -> Result<(), TooLong> {
        self.count(bytes.len())?;
        self.0.extend_from_slice(bytes);
        Ok(())
    }
}
