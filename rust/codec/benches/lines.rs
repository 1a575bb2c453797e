use std::{hint::black_box, io::BufRead};

use jvmwire_codec::frame::{self, Input, LineDecoder, MessageDecoder};

use crate::{
    cpu_time::{Criterion, elements},
    inputs::Seed,
};

/// Bytes that a `read` gives.
const CHUNK: usize = 64 << 10;

const LIMIT: usize = 1 << 20;

const COUNT: usize = 100_000;

pub(crate) fn benches(criterion: &mut Criterion) {
    let mut seed = Seed::new(11);
    let mut wire = String::new();
    let mut messages = String::new();
    for _ in 0..COUNT {
        // As Storm's tuples: JSON in one line.
        let len = usize::try_from(40 + seed.below(80)).expect("small");
        let json = format!("{{\"id\":\"{}\",\"tuple\":[\"{}\"]}}", seed.next(), "x".repeat(len));
        wire.extend([&json, "\n"]);
        messages.extend([&json, "\nend\n"]);
    }
    lines(criterion, wire.as_bytes());
    end_messages(criterion, messages.as_bytes());
}

fn lines(criterion: &mut Criterion, wire: &[u8]) {
    let mut group = criterion.benchmark_group("lines/json");
    group.throughput(elements(COUNT));
    group.bench_function("memchr", |bencher| {
        bencher.iter(|| {
            assert_eq!(memchr::memchr_iter(b'\n', black_box(wire)).count(), COUNT);
        });
    });
    let mut line = Vec::new();
    group.bench_function("read_until", |bencher| {
        bencher.iter(|| {
            let mut rest = black_box(wire);
            let mut count = 0;
            while rest.read_until(b'\n', &mut line).expect("memory") > 0 {
                count += 1;
                line.clear();
            }
            assert_eq!(count, COUNT);
        });
    });
    group.bench_function("scan", |bencher| {
        bencher.iter(|| {
            let scan = frame::scan_lines(black_box(wire), Input::Ended, LIMIT).expect("lines");
            assert_eq!(scan.payloads.len(), COUNT);
        });
    });
    group.bench_function("decoder", |bencher| {
        bencher.iter(|| {
            let mut decoder = LineDecoder::new(LIMIT);
            let mut count = 0;
            for chunk in black_box(wire).chunks(CHUNK) {
                decoder.feed(chunk);
                while let Some(line) = decoder.next_line().expect("lines") {
                    black_box(line);
                    count += 1;
                }
            }
            assert_eq!(count, COUNT);
        });
    });
    group.finish();
}

fn end_messages(criterion: &mut Criterion, wire: &[u8]) {
    let mut group = criterion.benchmark_group("end-messages/json");
    group.throughput(elements(COUNT));
    let (mut line, mut message) = (Vec::new(), Vec::new());
    group.bench_function("read_until", |bencher| {
        bencher.iter(|| {
            let mut rest = black_box(wire);
            let mut count = 0;
            while rest.read_until(b'\n', &mut line).expect("memory") > 0 {
                if line == b"end\n" {
                    black_box(&message);
                    message.clear();
                    count += 1;
                } else {
                    message.extend_from_slice(&line);
                }
                line.clear();
            }
            assert_eq!(count, COUNT);
        });
    });
    group.bench_function("scan", |bencher| {
        bencher.iter(|| {
            let scan =
                frame::scan_messages(black_box(wire), Input::Ended, LIMIT).expect("messages");
            assert_eq!(scan.payloads.len(), COUNT);
        });
    });
    group.bench_function("decoder", |bencher| {
        bencher.iter(|| {
            let mut decoder = MessageDecoder::new(LIMIT);
            let mut count = 0;
            for chunk in black_box(wire).chunks(CHUNK) {
                decoder.feed(chunk);
                while let Some(message) = decoder.next_message().expect("messages") {
                    black_box(message);
                    count += 1;
                }
            }
            assert_eq!(count, COUNT);
        });
    });
    group.finish();
}
