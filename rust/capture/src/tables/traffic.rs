//! The columns of the table `traffic`.

use std::sync::LazyLock;

use arrow_schema::{DataType, SchemaRef};

use super::schema_of;

pub(crate) fn schema() -> SchemaRef {
    static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
        let text = |name| (name, dictionary_type(), true);
        let count = |name| (name, DataType::Int64, false);
        schema_of(&[
            text("aspect"),
            ("bucket", DataType::Int64, true),
            ("width", DataType::Int64, true),
            text("protocol"),
            text("client"),
            text("user"),
            text("name"),
            text("target"),
            text("pace"),
            text("status"),
            text("error_class"),
            text("context"),
            ("latencies", DataType::Binary, true),
            ("first", DataType::Int64, true),
            ("last", DataType::Int64, true),
            count("calls"),
            count("retries"),
            count("request_bytes"),
            count("reply_bytes"),
            count("latency_sum_us"),
            count("latency_max_us"),
            ("undercount", DataType::Int64, true),
        ])
    });
    SCHEMA.clone()
}

/// Type of dictionary columns of text.
pub(crate) fn dictionary_type() -> DataType {
    DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
}
