//! Raw dumps: cutting does not matter, every byte is in one row, nothing panics.

#![no_main]

use arrow_array::{Int64Array, RecordBatch, cast::AsArray, types::Int64Type};
use jvmwire_capture::{DumpDecoder, DumpOf, Protocol, Table, Wanted, write_jsonl};
use jvmwire_codec::message::Side;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [how, step, stream @ ..] = data else { return };
    let side = if how & 1 == 0 { Side::Client } else { Side::Server };
    let of = if how & 2 == 0 { DumpOf::One } else { DumpOf::Any };
    let whole = decoded(stream, stream.len().max(1), side, of);
    let cut = decoded(stream, usize::from(*step).max(1), side, of);
    assert_eq!(lines(&whole), lines(&cut));
    covers(&whole, stream.len());
});

fn decoded(stream: &[u8], step: usize, side: Side, of: DumpOf) -> Vec<RecordBatch> {
    let wanted = Wanted { messages: true, fields: true, ..Wanted::default() };
    let mut decoder = DumpDecoder::new(&wanted, Protocol::Hadoop, of);
    for chunk in stream.chunks(step) {
        decoder.feed(side, chunk);
    }
    decoder.finish();
    let batches = std::iter::from_fn(|| decoder.next_batch());
    batches.filter(|(table, _)| *table == Table::Messages).map(|(_, batch)| batch).collect()
}

fn lines(batches: &[RecordBatch]) -> String {
    let mut lines = Vec::new();
    for batch in batches {
        write_jsonl(batch, &mut lines);
    }
    String::from_utf8(lines).expect("JSON is UTF-8")
}

fn covers(batches: &[RecordBatch], len: usize) {
    let mut next = 0;
    for batch in batches {
        let column = |name| -> &Int64Array {
            batch.column_by_name(name).expect("a column").as_primitive::<Int64Type>()
        };
        let (offsets, lengths) = (column("offset"), column("length"));
        for row in 0..batch.num_rows() {
            assert_eq!(offsets.value(row), next, "a gap or an overlap");
            next += lengths.value(row);
        }
    }
    assert_eq!(next, i64::try_from(len).expect("a length"), "the rows do not reach the end");
}
