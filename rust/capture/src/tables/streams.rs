use std::sync::{Arc, LazyLock};

use arrow_array::{
    RecordBatch,
    types::{Int64Type, TimestampMicrosecondType},
};
use arrow_schema::{DataType, SchemaRef};

use super::{Numbers, Rows, Text, append, batch, schema_of, timestamp, timestamps};

/// A row of `streams`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StreamRow<'a> {
    pub(crate) stream: Option<i64>,
    pub(crate) protocol: Option<&'a str>,
    pub(crate) client: Option<&'a str>,
    pub(crate) server: Option<&'a str>,
    pub(crate) start: Option<i64>,
    pub(crate) end: Option<i64>,
    pub(crate) client_bytes: Option<i64>,
    pub(crate) server_bytes: Option<i64>,
    pub(crate) client_packets: Option<i64>,
    pub(crate) server_packets: Option<i64>,
    pub(crate) client_lost_bytes: Option<i64>,
    pub(crate) server_lost_bytes: Option<i64>,
    pub(crate) client_retransmitted_bytes: Option<i64>,
    pub(crate) server_retransmitted_bytes: Option<i64>,
    pub(crate) client_differing_bytes: Option<i64>,
    pub(crate) server_differing_bytes: Option<i64>,
    pub(crate) messages: Option<i64>,
    pub(crate) errors: Option<i64>,
    pub(crate) ended: Option<&'a str>,
}

/// The table `streams`.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    stream: Numbers<Int64Type>,
    protocol: Text,
    client: Text,
    server: Text,
    start: Numbers<TimestampMicrosecondType>,
    end: Numbers<TimestampMicrosecondType>,
    client_bytes: Numbers<Int64Type>,
    server_bytes: Numbers<Int64Type>,
    client_packets: Numbers<Int64Type>,
    server_packets: Numbers<Int64Type>,
    client_lost_bytes: Numbers<Int64Type>,
    server_lost_bytes: Numbers<Int64Type>,
    client_retransmitted_bytes: Numbers<Int64Type>,
    server_retransmitted_bytes: Numbers<Int64Type>,
    client_differing_bytes: Numbers<Int64Type>,
    server_differing_bytes: Numbers<Int64Type>,
    messages: Numbers<Int64Type>,
    errors: Numbers<Int64Type>,
    ended: Text,
    rows: usize,
}

impl Streams {
    pub(crate) fn push(&mut self, row: &StreamRow<'_>) {
        append!(
            self,
            row,
            stream,
            protocol,
            client,
            server,
            start,
            end,
            client_bytes,
            server_bytes,
            client_packets,
            server_packets,
            client_lost_bytes,
            server_lost_bytes,
            client_retransmitted_bytes,
            server_retransmitted_bytes,
            client_differing_bytes,
            server_differing_bytes,
            messages,
            errors,
            ended
        );
        self.rows += 1;
    }
}

impl Rows for Streams {
    fn len(&self) -> usize {
        self.rows
    }

    fn text_bytes(&self) -> usize {
        0
    }

    fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        batch(
            schema(),
            vec![
                Arc::new(self.stream.take()),
                self.protocol.take(),
                self.client.take(),
                self.server.take(),
                timestamps(&mut self.start),
                timestamps(&mut self.end),
                Arc::new(self.client_bytes.take()),
                Arc::new(self.server_bytes.take()),
                Arc::new(self.client_packets.take()),
                Arc::new(self.server_packets.take()),
                Arc::new(self.client_lost_bytes.take()),
                Arc::new(self.server_lost_bytes.take()),
                Arc::new(self.client_retransmitted_bytes.take()),
                Arc::new(self.server_retransmitted_bytes.take()),
                Arc::new(self.client_differing_bytes.take()),
                Arc::new(self.server_differing_bytes.take()),
                Arc::new(self.messages.take()),
                Arc::new(self.errors.take()),
                self.ended.take(),
            ],
        )
    }
}

pub(super) fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        let count = |name| (name, DataType::Int64, true);
        schema_of(&[
            ("stream", DataType::Int64, false),
            ("protocol", DataType::Utf8, false),
            ("client", DataType::Utf8, true),
            ("server", DataType::Utf8, true),
            ("start", timestamp(), true),
            ("end", timestamp(), true),
            count("client_bytes"),
            count("server_bytes"),
            count("client_packets"),
            count("server_packets"),
            count("client_lost_bytes"),
            count("server_lost_bytes"),
            count("client_retransmitted_bytes"),
            count("server_retransmitted_bytes"),
            count("client_differing_bytes"),
            count("server_differing_bytes"),
            count("messages"),
            count("errors"),
            ("ended", DataType::Utf8, false),
        ])
    });
    SCHEMA.clone()
}
