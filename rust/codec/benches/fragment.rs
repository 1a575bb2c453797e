use std::hint::black_box;

use jvmwire_codec::fragment::{FragmentKind, Limits, Reassembler, StreamAssembler};

use crate::{
    cpu_time::{Criterion, bytes},
    inputs::Seed,
};

/// Bytes of one message.
const MESSAGE: usize = 1 << 20;

const LIMITS: Limits = Limits { message: MESSAGE, total: 8 * MESSAGE, open: 8 };

fn part(index: usize, pieces: usize) -> FragmentKind {
    match index {
        0 => FragmentKind::Begin,
        _ if index + 1 == pieces => FragmentKind::End,
        _ => FragmentKind::Middle,
    }
}

pub(crate) fn benches(criterion: &mut Criterion) {
    let mut seed = Seed::new(7);
    let message: Vec<u8> = (0..MESSAGE).map(|_| seed.next().to_le_bytes()[7]).collect();
    for size in [1024, 64 << 10] {
        let pieces = MESSAGE / size;
        let mut group = criterion.benchmark_group(format!("fragments/{size}"));
        group.throughput(bytes(MESSAGE));
        let mut copy = Vec::with_capacity(MESSAGE);
        group.bench_function("memcpy", |bencher| {
            bencher.iter(|| {
                copy.clear();
                copy.extend_from_slice(black_box(&message));
            });
        });
        let mut stream = StreamAssembler::new(MESSAGE);
        group.bench_function("stream", |bencher| {
            bencher.iter(|| {
                for (index, piece) in black_box(&message).chunks(size).enumerate() {
                    if let Some(joined) =
                        stream.push(part(index, pieces), piece).expect("fragments")
                    {
                        assert_eq!(black_box(joined).len(), MESSAGE);
                    }
                }
            });
        });
        let mut keyed = Reassembler::new(LIMITS);
        group.bench_function("keyed", |bencher| {
            bencher.iter(|| {
                for (index, piece) in black_box(&message).chunks(size).enumerate() {
                    if let Some(joined) =
                        keyed.push(9, part(index, pieces), piece).expect("fragments")
                    {
                        assert_eq!(black_box(joined).len(), MESSAGE);
                    }
                }
            });
        });
        group.bench_function("keyed-interleaved", |bencher| {
            bencher.iter(|| {
                // Half a message each, turn by turn.
                for (index, piece) in black_box(&message).chunks(size).enumerate() {
                    let id = i64::from(index % 2 == 1);
                    let part = part(index / 2, pieces / 2);
                    if let Some(joined) = keyed.push(id, part, piece).expect("fragments") {
                        assert_eq!(black_box(joined).len(), MESSAGE / 2);
                    }
                }
            });
        });
        group.finish();
    }
}
