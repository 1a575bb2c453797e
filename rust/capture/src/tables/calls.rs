use std::sync::{Arc, LazyLock};

use arrow_array::{
    RecordBatch,
    types::{Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::{DataType, SchemaRef};

use super::{Numbers, Rows, Text, append, batch, schema_of, timestamp, timestamps};

/// A row of `calls`.
#[derive(Clone, Copy, Debug, Default)]
pub struct CallRow<'a> {
    /// The protocol's name.
    pub protocol: Option<&'a str>,
    /// The connection's number.
    pub stream: Option<i64>,
    /// Address and port of who asked.
    pub client: Option<&'a str>,
    /// Address and port of who was asked.
    pub server: Option<&'a str>,
    /// What joined request and reply.
    pub id: Option<&'a str>,
    /// Whose connection it was.
    pub user: Option<&'a str>,
    /// Interface and method.
    pub name: Option<&'a str>,
    /// What was asked about.
    pub target: Option<&'a str>,
    /// Where in the client's bytes the request begins.
    pub request_offset: Option<i64>,
    /// Where in the server's bytes the reply begins; none if it never came.
    pub reply_offset: Option<i64>,
    /// The request's length on the wire.
    pub request_bytes: Option<i64>,
    /// The reply's length on the wire.
    pub reply_bytes: Option<i64>,
    /// When the request was complete, in microseconds since 1970, UTC.
    pub start: Option<i64>,
    /// From then to the reply's last byte.
    pub latency_us: Option<i64>,
    /// `ok error fatal lost`.
    pub status: Option<&'a str>,
    /// The Java class of the exception.
    pub error_class: Option<&'a str>,
    /// How often it was tried before.
    pub retry: Option<i32>,
    /// What else the protocol says, as a JSON object.
    pub attributes: Option<&'a str>,
}

/// The table `calls`.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    protocol: Text,
    stream: Numbers<Int64Type>,
    client: Text,
    server: Text,
    id: Text,
    user: Text,
    name: Text,
    target: Text,
    request_offset: Numbers<Int64Type>,
    reply_offset: Numbers<Int64Type>,
    request_bytes: Numbers<Int64Type>,
    reply_bytes: Numbers<Int64Type>,
    start: Numbers<TimestampMicrosecondType>,
    latency_us: Numbers<Int64Type>,
    status: Text,
    error_class: Text,
    retry: Numbers<Int32Type>,
    attributes: Text,
    rows: usize,
}

impl Calls {
    pub(crate) fn push(&mut self, row: &CallRow<'_>) {
        append!(
            self,
            row,
            protocol,
            stream,
            client,
            server,
            id,
            user,
            name,
            target,
            request_offset,
            reply_offset,
            request_bytes,
            reply_bytes,
            start,
            latency_us,
            status,
            error_class,
            retry,
            attributes
        );
        self.rows += 1;
    }
}

impl Rows for Calls {
    fn len(&self) -> usize {
        self.rows
    }

    fn text_bytes(&self) -> usize {
        let told = [&self.target, &self.attributes, &self.name, &self.user, &self.error_class];
        told.map(Text::len).iter().sum()
    }

    fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        batch(
            schema(),
            vec![
                self.protocol.take(),
                Arc::new(self.stream.take()),
                self.client.take(),
                self.server.take(),
                self.id.take(),
                self.user.take(),
                self.name.take(),
                self.target.take(),
                Arc::new(self.request_offset.take()),
                Arc::new(self.reply_offset.take()),
                Arc::new(self.request_bytes.take()),
                Arc::new(self.reply_bytes.take()),
                timestamps(&mut self.start),
                Arc::new(self.latency_us.take()),
                self.status.take(),
                self.error_class.take(),
                Arc::new(self.retry.take()),
                self.attributes.take(),
            ],
        )
    }
}

pub(super) fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        schema_of(&[
            ("protocol", DataType::Utf8, false),
            ("stream", DataType::Int64, false),
            ("client", DataType::Utf8, true),
            ("server", DataType::Utf8, true),
            ("id", DataType::Utf8, true),
            ("user", DataType::Utf8, true),
            ("name", DataType::Utf8, false),
            ("target", DataType::Utf8, true),
            ("request_offset", DataType::Int64, false),
            ("reply_offset", DataType::Int64, true),
            ("request_bytes", DataType::Int64, false),
            ("reply_bytes", DataType::Int64, true),
            ("start", timestamp(), true),
            ("latency_us", DataType::Int64, true),
            ("status", DataType::Utf8, false),
            ("error_class", DataType::Utf8, true),
            ("retry", DataType::Int32, true),
            ("attributes", DataType::Utf8, true),
        ])
    });
    SCHEMA.clone()
}
