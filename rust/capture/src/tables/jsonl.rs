//! Record batches as JSON, one object per line.

use arrow_array::RecordBatch;
use base64::{Engine as _, engine::general_purpose::STANDARD};

use crate::{
    tables::json_text::write_text,
    tables::{Cell, Column},
};

/// Appends every row of `batch` to `out`: texts, integers, timestamps as microseconds, bytes as `{"base64":
/// ...}`, and JSON columns unchanged.
pub fn write_jsonl(batch: &RecordBatch, out: &mut Vec<u8>) {
    let schema = batch.schema();
    let columns: Vec<(Vec<u8>, bool, Column<'_>)> = schema
        .fields()
        .iter()
        .zip(batch.columns())
        .map(|(field, array)| {
            let mut key = b",".to_vec();
            write_text(field.name(), &mut key);
            key.push(b':');
            (key, JSON_COLUMNS.contains(&field.name().as_str()), Column::from_array(array))
        })
        .collect();
    for row in 0..batch.num_rows() {
        let start = out.len();
        for (key, is_json, column) in &columns {
            out.extend_from_slice(key);
            match column.cell(row) {
                Cell::Null => out.extend_from_slice(b"null"),
                Cell::Text(text) if *is_json => out.extend_from_slice(text.as_bytes()),
                Cell::Text(text) => write_text(text, out),
                Cell::Bytes(bytes) => {
                    out.extend_from_slice(b"{\"base64\":");
                    write_text(&STANDARD.encode(bytes), out);
                    out.push(b'}');
                }
                Cell::Int(number) => {
                    // Numbers do not fail, nor does a Vec.
                    let _ = serde_json::to_writer(&mut *out, &number);
                }
            }
        }
        // The first key's comma opens the object.
        match out.get_mut(start) {
            Some(first) => *first = b'{',
            None => out.push(b'{'),
        }
        out.extend_from_slice(b"}\n");
    }
}

/// Columns that hold JSON.
const JSON_COLUMNS: [&str; 2] = ["fields", "attributes"];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        tables::{MessageRow, Messages, Rows},
        traffic::interner::Interner,
        traffic::{Columns, Row},
    };

    #[test]
    fn row_is_a_line_in_the_order_of_the_columns() {
        let mut messages = Messages::default();
        messages.push(&MessageRow {
            protocol: Some("hadoop"),
            stream: Some(0),
            side: Some("client"),
            offset: Some(7),
            length: Some(54),
            ts: Some(1_000_001),
            fields: Some(b"{\"a\":1}"),
            error: Some("say \"no\""),
            ..MessageRow::default()
        });
        let mut out = Vec::new();
        write_jsonl(&messages.take().0, &mut out);
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

    #[test]
    fn bytes_are_shown_as_those_of_fields_are() {
        let (mut rows, mut words) = (Columns::default(), Interner::default());
        let aspect = words.number("latency");
        rows.push(&Row { aspect, latencies: Some(b"\x01\xff"), ..Row::default() }, &words);
        let mut out = Vec::new();
        write_jsonl(&rows.finish(), &mut out);
        let line = String::from_utf8(out).unwrap();
        assert!(line.starts_with(r#"{"aspect":"latency","bucket":null,"#), "{line}");
        assert!(line.contains(r#","client":null,"#), "{line}");
        assert!(line.contains(r#""latencies":{"base64":"Af8="},"#), "{line}");
    }
}
