//! Law of memory: what decoding allocates at its peak is bounded by the bytes that are decoded.

use std::io::Write;

use flate2::{Compression, write::GzEncoder};
use jvmwire_capture::{CaptureDecoder, DumpDecoder, DumpOf, OutputOptions, Protocol, READY_LIMIT};
use jvmwire_codec::{
    adversarial::{Content, Format, Reader, capture, traffic},
    message::Side,
};
use peak_alloc::PeakAlloc;
use proptest::{
    prelude::*,
    test_runner::{TestCaseResult, TestRunner},
};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Bytes allocated at the peak for each that is decoded.
const EACH: usize = 16;
/// The same however few are decoded: builders of tables, hash tables, buffers.
const ALWAYS: usize = 4 << 20;
/// How many bytes a program expands to.
const LIMIT: usize = 1 << 20;
/// How much of a file is read at a time: a piece is decoded to its end.
const PIECE: usize = 128 << 10;
/// Bytes allocated for the rows of a piece: each byte may be a message.
const ROWS: usize = 160 * PIECE;

/// The tables that can be asked for.
#[derive(Clone, Copy, Debug)]
enum Tables {
    Rows,
    Fields,
    Traffic,
    Explanation,
}

impl Tables {
    const ALL: [Self; 4] = [Self::Rows, Self::Fields, Self::Traffic, Self::Explanation];

    fn wanted(self) -> OutputOptions {
        let rows = OutputOptions {
            messages: true,
            calls: true,
            streams: true,
            ..OutputOptions::default()
        };
        match self {
            Self::Rows => rows,
            Self::Fields => OutputOptions { fields: true, ..rows },
            Self::Traffic => OutputOptions { traffic: true, ..OutputOptions::default() },
            Self::Explanation => OutputOptions { explanation: true, ..OutputOptions::default() },
        }
    }
}

/// How many bytes more than before are allocated at the peak while something is done.
fn peak(act: impl FnOnce()) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    act();
    ALLOCATOR.peak_usage().saturating_sub(before)
}

fn decode_dump(protocol: Protocol, of: DumpOf, tables: Tables, sides: &[Vec<u8>; 2], piece: usize) {
    let mut decoder = DumpDecoder::new(&tables.wanted(), protocol.into(), of);
    let take = |decoder: &mut DumpDecoder| {
        while decoder.next_batch().is_some() {}
        drop(decoder.take_text());
    };
    let mut turns =
        [Side::Client, Side::Server].map(|side| (side, sides[side as usize].chunks(piece)));
    while turns.iter().any(|(_, left)| left.len() > 0) {
        for (side, left) in &mut turns {
            if let Some(bytes) = left.next() {
                decoder.feed(*side, bytes);
                take(&mut decoder);
            }
        }
    }
    decoder.finish();
    take(&mut decoder);
}

fn decode_capture(tables: Tables, file: &[u8]) {
    let mut decoder = CaptureDecoder::new(&tables.wanted(), None, 0);
    let take = |decoder: &mut CaptureDecoder| {
        while decoder.next_batch().is_some() {}
        while !decoder.take_text().is_empty() {}
    };
    for piece in file.chunks(PIECE) {
        decoder.feed(piece).expect("a capture");
        take(&mut decoder);
    }
    decoder.finish().expect("a capture");
    take(&mut decoder);
}

fn judge(allocated: usize, fed: usize, of: &dyn std::fmt::Debug) -> TestCaseResult {
    prop_assert!(
        allocated <= EACH * fed + READY_LIMIT + ROWS + ALWAYS,
        "{of:?}: {allocated} bytes allocated for {fed}"
    );
    Ok(())
}

fn programs() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..60)
}

/// One test, as all threads allocate from the allocator that counts.
#[test]
fn peak_of_memory_is_bounded_by_the_bytes_decoded() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) };
    let tables = || prop::sample::select(&Tables::ALL[..]);
    let protocols = prop::sample::select(&Protocol::ALL[..]);
    let ways = prop::sample::select(vec![DumpOf::One, DumpOf::Any, DumpOf::Both]);
    let contents = prop::sample::select(vec![Content::Messages, Content::OneFormat]);

    let dumps = (protocols, ways, tables(), contents, programs());
    let dumped =
        TestRunner::new(config.clone()).run(&dumps, |(protocol, of, tables, content, program)| {
            let format = Format::named(protocol.name()).expect("a format");
            let talk = traffic(format, content, &program, LIMIT);
            let fed = talk.sides.iter().map(Vec::len).sum();
            let allocated =
                peak(|| decode_dump(protocol, of, tables, &talk.sides, talk.piece.min(PIECE)));
            judge(allocated, fed, &(protocol, of, tables, talk.piece))
        });
    let files = (tables(), programs(), any::<bool>());
    let captured =
        TestRunner::new(config.clone()).run(&files, |(tables, program, is_compressed)| {
            let plain = capture(&program, LIMIT);
            let mut file = plain.clone();
            if is_compressed {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(&plain).expect("memory");
                file = encoder.finish().expect("memory");
            }
            let allocated = peak(|| decode_capture(tables, &file));
            judge(allocated, plain.len(), &(tables, is_compressed))
        });
    let readers = (
        prop::sample::select(&Reader::ALL[..]),
        prop::sample::select(&Format::ALL[..]),
        programs(),
    );
    let read = TestRunner::new(config).run(&readers, |(reader, format, program)| {
        let talk = traffic(format, Content::OneFormat, &program, LIMIT);
        let bytes = talk.sides.concat();
        let allocated = peak(|| {
            let _ = reader.read(&bytes, talk.piece);
        });
        judge(allocated, bytes.len(), &(reader, format, talk.piece))
    });
    dumped.expect("the law of dumps");
    captured.expect("the law of captures");
    read.expect("the law of readers");
}
