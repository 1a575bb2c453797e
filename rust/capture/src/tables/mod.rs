//! Tables of rows as Arrow record batches.

pub(crate) mod call_filter;
mod calls;
mod cell;
mod column;
pub(crate) mod filter;
pub(crate) mod hexdump;
pub(crate) mod json;
pub(crate) mod json_text;
pub(crate) mod jsonl;
mod messages;
pub(crate) mod pending_call;
pub(crate) mod pooled_buffer;
pub(crate) mod redaction;
pub(crate) mod sort;
mod streams;
mod table;
pub(crate) mod traffic;
pub(crate) mod view;

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

pub(crate) use calls::{CallRow, Calls};
pub(crate) use cell::{Cell, Column};
pub(crate) use column::Omitted;
pub(crate) use messages::{MessageRow, Messages};
pub(crate) use streams::{StreamRow, Streams};

/// Table that a decoder produces.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Table {
    /// One row per message.
    Messages,
    /// One row per call: a request joined with its reply.
    Calls,
    /// One row per connection.
    Streams,
    /// Counts and latencies of calls, of a size that does not depend on the capture's.
    Traffic,
}

impl Table {
    /// Every table.
    pub const ALL: [Self; 4] = [Self::Messages, Self::Calls, Self::Streams, Self::Traffic];

    /// Name of the table in the user interface.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Messages => "messages",
            Self::Calls => "calls",
            Self::Streams => "streams",
            Self::Traffic => "traffic",
        }
    }

    /// Returns the table with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|table| table.name() == name)
    }

    /// Returns the schema of all columns.
    #[must_use]
    pub fn schema(self) -> SchemaRef {
        match self {
            Self::Messages => messages::schema(),
            Self::Calls => calls::schema(),
            Self::Streams => streams::schema(),
            Self::Traffic => traffic::schema(),
        }
    }
}

/// A growing table.
pub(crate) trait Rows {
    /// Number of rows added since the last batch.
    fn len(&self) -> usize;

    /// Approximate number of bytes of text in the rows.
    fn text_bytes(&self) -> usize;

    /// Takes the rows, and the record of values that did not fit.
    fn take(&mut self) -> (RecordBatch, Omitted);

    /// Takes the rows if they are enough for a batch.
    #[inline]
    fn take_full(&mut self) -> Option<(RecordBatch, Omitted)> {
        (self.len() >= BATCH_ROWS || self.text_bytes() >= BATCH_BYTES).then(|| self.take())
    }
}

pub(crate) fn batch(schema: SchemaRef, columns: Vec<ArrayRef>) -> RecordBatch {
    RecordBatch::try_new(schema, columns)
        .unwrap_or_else(|error| unreachable!("the columns follow the schema: {error}"))
}

pub(crate) fn schema_of(columns: &[(&str, DataType, bool)]) -> SchemaRef {
    let fields: Vec<Field> = columns
        .iter()
        .map(|(name, kind, nullable)| Field::new(*name, kind.clone(), *nullable))
        .collect();
    Arc::new(Schema::new(fields))
}

pub(crate) fn timestamp() -> DataType {
    DataType::Timestamp(TimeUnit::Microsecond, Some("UTC".into()))
}

/// Returns the start of a text, of at most `limit` bytes.
pub(crate) fn front(text: &str, limit: usize) -> &str {
    let boundary = (0..=limit.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
    &text[..boundary.unwrap_or_default()]
}

/// Stream number of rows about the file.
pub(crate) const NO_STREAM: i64 = -1;
/// Maximum number of rows of a batch: large enough for calls of Python and Spark, small enough for memory.
const BATCH_ROWS: usize = 64 << 10;
/// Number of bytes of text in a batch: paths and JSON.
const BATCH_BYTES: usize = 8 << 20;
