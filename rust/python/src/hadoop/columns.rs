use std::{fmt::Write, sync::Arc};

use arrow_array::{
    ArrayRef, RecordBatch, StringArray,
    builder::{
        BinaryBuilder, BooleanBuilder, Int32Builder, Int64Builder, StringBuilder,
        TimestampMillisecondBuilder, UInt32Builder, UInt64Builder,
    },
};
use jvmwire_codec::{
    Cursor, Problem,
    hadoop::{ReplyTable, Slot},
    proto::{self, FieldKind, ListPlace, MessageType, Places},
    visit::Value,
};

use crate::error::PyCoreError;

/// Which values of a message become columns, and of what type.
pub(super) struct Plan {
    names: Vec<String>,
    places: Places,
    columns: Vec<Kind>,
}

#[derive(Clone, Copy)]
enum Kind {
    Int32,
    Int64,
    UInt32,
    UInt64,
    Bool,
    Text,
    Bytes,
    /// What a name in a directory is the path of.
    Child,
    /// Milliseconds since 1970, UTC.
    Timestamp,
}

impl Plan {
    /// Takes of each column its name, the field's path, and `text` for bytes that are UTF-8,
    /// `child` for a name in the directory that the message is about, `timestamp` for milliseconds
    /// since 1970, or nothing.
    pub(super) fn new(
        message: &'static MessageType,
        columns: &[(String, String, String)],
    ) -> Result<Self, PyCoreError> {
        let mut plan =
            Self { names: Vec::new(), places: Places::new(message), columns: Vec::new() };
        for (name, path, shown) in columns {
            let wrong = || {
                let text = format!("{} has no {path} that can be shown as {shown:?}", message.name);
                PyCoreError::Argument(text)
            };
            let field = plan.places.add(path).ok_or_else(wrong)?;
            let kind = match (field, shown.as_str()) {
                (FieldKind::Int32 | FieldKind::SInt32, "") => Kind::Int32,
                (FieldKind::Int64 | FieldKind::SInt64, "") => Kind::Int64,
                (FieldKind::UInt32, "") => Kind::UInt32,
                (FieldKind::UInt64, "") => Kind::UInt64,
                (FieldKind::Bool, "") => Kind::Bool,
                (FieldKind::Text | FieldKind::Name | FieldKind::Enum(_), "")
                | (FieldKind::Bytes, "text") => Kind::Text,
                (FieldKind::Bytes | FieldKind::Uuid, "") => Kind::Bytes,
                (FieldKind::Bytes, "child") => Kind::Child,
                (FieldKind::UInt64 | FieldKind::Int64, "timestamp") => Kind::Timestamp,
                _ => return Err(wrong()),
            };
            plan.names.push(name.clone());
            plan.columns.push(kind);
        }
        Ok(plan)
    }

    /// Makes the columns: `keys`, what was planned, and the class and message of failures.
    pub(super) fn read(
        &self,
        replies: &ReplyTable,
        key: &str,
        keys: Vec<String>,
    ) -> Result<RecordBatch, PyCoreError> {
        let mut columns: Vec<Column> =
            self.columns.iter().map(|kind| Column::new(*kind, replies.len())).collect();
        let mut classes = StringBuilder::new();
        let mut messages = StringBuilder::new();
        let nothing = vec![Value::Null; self.places.len()];
        for slot in replies.iter() {
            let mut values = nothing.clone();
            if let Slot::Payload(payload) = slot {
                proto::pick(Cursor::new(payload), &self.places, &mut values)?;
            }
            for (column, value) in columns.iter_mut().zip(values) {
                column.append(value, "")?;
            }
            let failure = if let Slot::Failed(failure) = slot { Some(failure) } else { None };
            classes.append_option(failure.map(|failure| failure.class));
            messages.append_option(failure.map(|failure| failure.message));
        }
        let mut named: Vec<(&str, ArrayRef)> = vec![(key, Arc::new(StringArray::from(keys)))];
        named.extend(self.finish(&mut columns));
        named.push(("error_class", Arc::new(classes.finish())));
        named.push(("error_message", Arc::new(messages.finish())));
        to_batch(named)
    }

    /// Makes the columns of the messages of lists: a row for each, whatever list it is in.
    pub(super) fn read_lists<P: AsRef<[u8]>>(
        &self,
        list: &ListPlace,
        payloads: &[(String, P)],
    ) -> Result<RecordBatch, PyCoreError> {
        let mut columns: Vec<Column> =
            self.columns.iter().map(|kind| Column::new(*kind, 0)).collect();
        let mut values = vec![Value::Null; self.places.len()];
        for (parent, payload) in payloads {
            for row in list.find(Cursor::new(payload.as_ref()))? {
                values.fill(Value::Null);
                proto::pick(row, &self.places, &mut values)?;
                for (column, value) in columns.iter_mut().zip(&values) {
                    column.append(*value, parent)?;
                }
            }
        }
        to_batch(self.finish(&mut columns).collect())
    }

    fn finish(&self, columns: &mut [Column]) -> impl Iterator<Item = (&str, ArrayRef)> {
        self.names.iter().map(String::as_str).zip(columns.iter_mut().map(Column::finish))
    }
}

fn to_batch(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch, PyCoreError> {
    let nullable = columns.into_iter().map(|(name, array)| (name, array, true));
    Ok(RecordBatch::try_from_iter_with_nullable(nullable)?)
}

enum Column {
    Int32(Int32Builder),
    Int64(Int64Builder),
    UInt32(UInt32Builder),
    UInt64(UInt64Builder),
    Bool(BooleanBuilder),
    Text(StringBuilder),
    Bytes(BinaryBuilder),
    Child(StringBuilder),
    Timestamp(TimestampMillisecondBuilder),
}

impl Column {
    fn new(kind: Kind, rows: usize) -> Self {
        match kind {
            Kind::Int32 => Self::Int32(Int32Builder::with_capacity(rows)),
            Kind::Int64 => Self::Int64(Int64Builder::with_capacity(rows)),
            Kind::UInt32 => Self::UInt32(UInt32Builder::with_capacity(rows)),
            Kind::UInt64 => Self::UInt64(UInt64Builder::with_capacity(rows)),
            Kind::Bool => Self::Bool(BooleanBuilder::with_capacity(rows)),
            Kind::Text => Self::Text(StringBuilder::new()),
            Kind::Bytes => Self::Bytes(BinaryBuilder::new()),
            Kind::Child => Self::Child(StringBuilder::new()),
            Kind::Timestamp => Self::Timestamp(
                TimestampMillisecondBuilder::with_capacity(rows).with_timezone("UTC"),
            ),
        }
    }

    /// Appends a value of what is in `parent`.
    fn append(&mut self, value: Value<'_>, parent: &str) -> Result<(), PyCoreError> {
        match self {
            Self::Int32(to) => to.append_option(int(value)),
            Self::Int64(to) => to.append_option(int(value)),
            Self::UInt32(to) => to.append_option(int(value)),
            Self::UInt64(to) => to.append_option(int(value)),
            Self::Timestamp(to) => to.append_option(int(value)),
            Self::Bool(to) => to.append_option(match value {
                Value::Bool(value) => Some(value),
                _ => None,
            }),
            Self::Text(to) => match value {
                Value::Text(text) | Value::Name(text) | Value::Enum(_, text) => {
                    to.append_value(text);
                }
                // A number that the enumeration has no name for.
                Value::Int(number) => to.append_value(number.to_string()),
                Value::Bytes(bytes) => {
                    let text = std::str::from_utf8(bytes).map_err(|error| {
                        let at = error.valid_up_to();
                        Problem::NotText { at, encoding: "UTF-8" }.of("text field", 0)
                    })?;
                    to.append_value(text);
                }
                _ => to.append_null(),
            },
            Self::Bytes(to) => match value {
                Value::Bytes(bytes) => to.append_value(bytes),
                _ => to.append_null(),
            },
            Self::Child(to) => match value {
                // A file that is listed has no name in itself.
                Value::Bytes([]) => to.append_value(parent),
                // DFSUtilClient.bytes2String: what is not UTF-8 is replaced.
                Value::Bytes(name) => {
                    for part in [parent.trim_end_matches('/'), "/"] {
                        // What is written to a builder is always taken.
                        let _ = to.write_str(part);
                    }
                    to.append_value(String::from_utf8_lossy(name));
                }
                _ => to.append_null(),
            },
        }
        Ok(())
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            Self::Int32(from) => Arc::new(from.finish()),
            Self::Int64(from) => Arc::new(from.finish()),
            Self::UInt32(from) => Arc::new(from.finish()),
            Self::UInt64(from) => Arc::new(from.finish()),
            Self::Bool(from) => Arc::new(from.finish()),
            Self::Text(from) | Self::Child(from) => Arc::new(from.finish()),
            Self::Bytes(from) => Arc::new(from.finish()),
            Self::Timestamp(from) => Arc::new(from.finish()),
        }
    }
}

fn int<T: TryFrom<i64> + TryFrom<u64>>(value: Value<'_>) -> Option<T> {
    match value {
        Value::Int(number) => T::try_from(number).ok(),
        Value::UInt(number) => T::try_from(number).ok(),
        _ => None,
    }
}
