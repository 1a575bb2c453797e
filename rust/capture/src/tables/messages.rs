use std::sync::{Arc, LazyLock};

use arrow_array::{
    RecordBatch,
    builder::{Int64Builder, StringBuilder, TimestampMicrosecondBuilder},
};
use arrow_schema::{DataType, SchemaRef};

use super::{Rows, append, batch, schema_of, timestamp, timestamps};

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
    pub(crate) fields: Option<&'a str>,
    pub(crate) error: Option<&'a str>,
}

/// The table `messages`.
#[derive(Debug, Default)]
pub(crate) struct Messages {
    protocol: StringBuilder,
    stream: Int64Builder,
    side: StringBuilder,
    offset: Int64Builder,
    length: Int64Builder,
    ts: TimestampMicrosecondBuilder,
    name: StringBuilder,
    kind: StringBuilder,
    id: StringBuilder,
    parent: Int64Builder,
    fields: StringBuilder,
    error: StringBuilder,
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
        self.fields.values_slice().len() + self.error.values_slice().len()
    }

    fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        batch(
            schema(),
            vec![
                Arc::new(self.protocol.finish()),
                Arc::new(self.stream.finish()),
                Arc::new(self.side.finish()),
                Arc::new(self.offset.finish()),
                Arc::new(self.length.finish()),
                timestamps(&mut self.ts),
                Arc::new(self.name.finish()),
                Arc::new(self.kind.finish()),
                Arc::new(self.id.finish()),
                Arc::new(self.parent.finish()),
                Arc::new(self.fields.finish()),
                Arc::new(self.error.finish()),
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
