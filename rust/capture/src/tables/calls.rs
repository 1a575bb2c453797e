use std::sync::{Arc, LazyLock};

use arrow_array::{
    RecordBatch,
    builder::{Int32Builder, Int64Builder, StringBuilder, TimestampMicrosecondBuilder},
};
use arrow_schema::{DataType, SchemaRef};

use super::{Rows, append, batch, schema_of, timestamp, timestamps};

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
    protocol: StringBuilder,
    stream: Int64Builder,
    client: StringBuilder,
    server: StringBuilder,
    id: StringBuilder,
    user: StringBuilder,
    name: StringBuilder,
    target: StringBuilder,
    request_offset: Int64Builder,
    reply_offset: Int64Builder,
    request_bytes: Int64Builder,
    reply_bytes: Int64Builder,
    start: TimestampMicrosecondBuilder,
    latency_us: Int64Builder,
    status: StringBuilder,
    error_class: StringBuilder,
    retry: Int32Builder,
    attributes: StringBuilder,
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
        self.target.values_slice().len() + self.attributes.values_slice().len()
    }

    fn take(&mut self) -> RecordBatch {
        self.rows = 0;
        batch(
            schema(),
            vec![
                Arc::new(self.protocol.finish()),
                Arc::new(self.stream.finish()),
                Arc::new(self.client.finish()),
                Arc::new(self.server.finish()),
                Arc::new(self.id.finish()),
                Arc::new(self.user.finish()),
                Arc::new(self.name.finish()),
                Arc::new(self.target.finish()),
                Arc::new(self.request_offset.finish()),
                Arc::new(self.reply_offset.finish()),
                Arc::new(self.request_bytes.finish()),
                Arc::new(self.reply_bytes.finish()),
                timestamps(&mut self.start),
                Arc::new(self.latency_us.finish()),
                Arc::new(self.status.finish()),
                Arc::new(self.error_class.finish()),
                Arc::new(self.retry.finish()),
                Arc::new(self.attributes.finish()),
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
