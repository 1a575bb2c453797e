//! Record batches as JSON, one object a line.

use arrow_array::{
    Array, ArrayRef, Int32Array, Int64Array, RecordBatch, StringArray, TimestampMicrosecondArray,
    cast::AsArray,
    types::{Int32Type, Int64Type, TimestampMicrosecondType},
};
use arrow_schema::DataType;

/// Appends every row of `batch` to `out`: texts, integers, timestamps as microseconds, and what is
/// JSON already as it is.
pub fn write_jsonl(batch: &RecordBatch, out: &mut Vec<u8>) {
    let schema = batch.schema();
    let columns: Vec<(Vec<u8>, Column<'_>)> = schema
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, array)| {
            let mut key = b",".to_vec();
            json(field.name(), &mut key);
            key.push(b':');
            (key, Column::of(field.name(), array))
        })
        .collect();
    for row in 0..batch.num_rows() {
        let start = out.len();
        for (key, column) in &columns {
            out.extend_from_slice(key);
            column.write(row, out);
        }
        // The first key's comma opens the object.
        match out.get_mut(start) {
            Some(first) => *first = b'{',
            None => out.push(b'{'),
        }
        out.extend_from_slice(b"}\n");
    }
}

enum Column<'a> {
    Text(&'a StringArray),
    Json(&'a StringArray),
    Int32(&'a Int32Array),
    Int64(&'a Int64Array),
    Time(&'a TimestampMicrosecondArray),
}

impl<'a> Column<'a> {
    fn of(name: &str, array: &'a ArrayRef) -> Self {
        match array.data_type() {
            DataType::Int32 => Self::Int32(array.as_primitive::<Int32Type>()),
            DataType::Int64 => Self::Int64(array.as_primitive::<Int64Type>()),
            DataType::Timestamp(..) => Self::Time(array.as_primitive::<TimestampMicrosecondType>()),
            _ if JSON_COLUMNS.contains(&name) => Self::Json(array.as_string()),
            _ => Self::Text(array.as_string()),
        }
    }

    fn write(&self, row: usize, out: &mut Vec<u8>) {
        match self {
            Self::Text(array) if array.is_valid(row) => json(array.value(row), out),
            Self::Json(array) if array.is_valid(row) => {
                out.extend_from_slice(array.value(row).as_bytes());
            }
            Self::Int32(array) if array.is_valid(row) => json(&array.value(row), out),
            Self::Int64(array) if array.is_valid(row) => json(&array.value(row), out),
            Self::Time(array) if array.is_valid(row) => json(&array.value(row), out),
            _ => out.extend_from_slice(b"null"),
        }
    }
}

fn json<T: serde::Serialize + ?Sized>(value: &T, out: &mut Vec<u8>) {
    // Neither numbers nor texts fail, nor does a Vec.
    let _ = serde_json::to_writer(out, value);
}

/// Columns that hold JSON.
const JSON_COLUMNS: [&str; 2] = ["fields", "attributes"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{MessageRow, Messages, Rows};

    #[test]
    fn a_row_is_a_line_in_the_order_of_the_columns() {
        let mut messages = Messages::default();
        messages.push(&MessageRow {
            protocol: Some("hadoop"),
            stream: Some(0),
            side: Some("client"),
            offset: Some(7),
            length: Some(54),
            ts: Some(1_000_001),
            fields: Some("{\"a\":1}"),
            error: Some("say \"no\""),
            ..MessageRow::default()
        });
        let mut out = Vec::new();
        write_jsonl(&messages.take(), &mut out);
        assert_eq!(
            String::from_utf8(out).unwrap(),
            concat!(
                r#"{"protocol":"hadoop","stream":0,"side":"client","offset":7,"length":54,"#,
                r#""ts":1000001,"name":null,"kind":null,"id":null,"parent":null,"#,
                r#""fields":{"a":1},"error":"say \"no\""}"#,
                "\n"
            )
        );
    }
}
