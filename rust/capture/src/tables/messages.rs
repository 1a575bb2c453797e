use std::sync::{Arc, LazyLock};

use arrow_array::{
    RecordBatch,
    types::{Int64Type, TimestampMicrosecondType},
};
use arrow_schema::{DataType, SchemaRef};

use super::{Numbers, Rows, Text, append, batch, schema_of, timestamp, timestamps};

/// A row of `messages`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct MessageRow<'a> {
    pub(crate) protocol: Option<&'a str>,
    pub(crate) stream: Option<i64>,
    pub(crate) side: Option<&'a str>,
    pub(crate) offset: Option<i64>,
    pub(crate) length: Option<i64>,
    pub(crate) ts: Option<i64>,
    pub(crate) name: Option<&'a str>,
    pub(crate) kind: Option<&'a str>,
    pub(crate) id: Option<&'a str>,
    pub(crate) parent: Option<i64>,
    /// JSON.
    pub(crate) fields: Option<&'a [u8]>,
    pub(crate) error: Option<&'a str>,
}

/// The table `messages`.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    protocol: Text,
    stream: Numbers<Int64Type>,
    side: Text,
    offset: Numbers<Int64Type>,
    length: Numbers<Int64Type>,
    ts: Numbers<TimestampMicrosecondType>,
    name: Text,
    kind: Text,
    id: Text,
    parent: Numbers<Int64Type>,
    fields: Text,
    error: Text,
    rows: usize,
}

impl Messages {
    pub(crate) fn push(&mut self, row: &MessageRow<'_>) {
        append!(
            self, row, protocol, stream, side, offset, length, ts, name, kind, id, parent, fields,
            error
        );
        self.rows += 1;
    }
}

impl Rows for Messages {
    fn len(&self) -> usize {
        self.rows
    }

    fn text_bytes(&self) -> usize {
        self.fields.len() + self.error.len()
    }

    fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        batch(
            schema(),
            vec![
                self.protocol.take(),
                Arc::new(self.stream.take()),
                self.side.take(),
                Arc::new(self.offset.take()),
                Arc::new(self.length.take()),
                timestamps(&mut self.ts),
                self.name.take(),
                self.kind.take(),
                self.id.take(),
                Arc::new(self.parent.take()),
                self.fields.take(),
                self.error.take(),
            ],
        )
    }
}

pub(super) fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        schema_of(&[
            ("protocol", DataType::Utf8, false),
            ("stream", DataType::Int64, false),
            ("side", DataType::Utf8, false),
            ("offset", DataType::Int64, false),
            ("length", DataType::Int64, false),
            ("ts", timestamp(), true),
            ("name", DataType::Utf8, true),
            ("kind", DataType::Utf8, true),
            ("id", DataType::Utf8, true),
            ("parent", DataType::Int64, true),
            ("fields", DataType::Utf8, true),
            ("error", DataType::Utf8, true),
        ])
    });
    SCHEMA.clone()
}
