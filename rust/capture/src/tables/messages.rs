//! The table `messages`: one row per message, or per range of bytes outside of messages.

use super::table::{Int64, Json, Text, Timestamp, table};

table! {
    /// Row of `messages`.
    row MessageRow;
    /// The table `messages`.
    rows Messages, full_by [fields, error, name];
    protocol: Text,
    stream: Int64,
    side: Text,
    offset: Int64,
    length: Int64,
    ts: Option<Timestamp>,
    name: Option<Text>,
    kind: Option<Text>,
    id: Option<Text>,
    parent: Option<Int64>,
    fields: Option<Json>,
    error: Option<Text>,
}

impl Messages {
    /// Sets `fields` of the last row, which is the first of a batch and has empty ones.
    pub(crate) fn fill_fields(&mut self, fields: Vec<u8>) {
        self.fields.fill_last(fields);
    }
}
