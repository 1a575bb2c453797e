//! The rows of dumps, as lines; what they cover.

use arrow_array::{Array, Int64Array, RecordBatch, cast::AsArray, types::Int64Type};
use jvmwire_capture::{DumpDecoder, DumpOf, OutputOptions, Protocol, Table, write_jsonl};
use jvmwire_codec::message::Side;

pub fn decoded(
    protocol: Protocol,
    stream: &[u8],
    step: usize,
    side: Side,
    of: DumpOf,
) -> Vec<RecordBatch> {
    let wanted = OutputOptions { messages: true, fields: true, ..OutputOptions::default() };
    let mut decoder = DumpDecoder::new(&wanted, protocol.into(), of);
    for chunk in stream.chunks(step) {
        decoder.feed(side, chunk);
    }
    decoder.finish();
    let batches = std::iter::from_fn(|| decoder.next_batch());
    batches.filter(|(table, _)| *table == Table::Messages).map(|(_, batch)| batch).collect()
}

pub fn lines(batches: &[RecordBatch]) -> String {
    let mut lines = Vec::new();
    for batch in batches {
        write_jsonl(batch, &mut lines);
    }
    String::from_utf8(lines).expect("JSON is UTF-8")
}

/// Every byte is in one row that is in no other.
pub fn covers(batches: &[RecordBatch], len: usize) {
    let mut next = 0;
    for batch in batches {
        let column = |name| -> &Int64Array {
            batch.column_by_name(name).expect("a column").as_primitive::<Int64Type>()
        };
        let (offsets, lengths, parents) = (column("offset"), column("length"), column("parent"));
        for row in (0..batch.num_rows()).filter(|row| parents.is_null(*row)) {
            assert_eq!(offsets.value(row), next, "a gap or an overlap");
            next += lengths.value(row);
        }
    }
    assert_eq!(next, i64::try_from(len).expect("a length"), "the rows do not reach the end");
}
