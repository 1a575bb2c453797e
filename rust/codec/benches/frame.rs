use std::hint::black_box;

use bytes::BytesMut;
use criterion::BatchSize;

use jvmwire_codec::{
    SimdLevel,
    frame::{self, BinaryColumn, Frames, Framing},
};
use tokio_util::codec::{Decoder, LengthDelimitedCodec};

use crate::{
    cpu_time::{Criterion, elements},
    inputs::Seed,
};

const TOTAL: usize = 8 << 20;

/// A frame over it is refused.
const LIMIT: usize = 1 << 20;

pub(crate) fn benches(criterion: &mut Criterion) {
    for size in [64_u32, 1024] {
        frames(criterion, size);
    }
}

fn frames(criterion: &mut Criterion, size: u32) {
    let mut seed = Seed::new(size.into());
    let mut wire = Vec::new();
    let mut payloads = Vec::new();
    while wire.len() < TOTAL {
        // Sizes differ by a quarter, so that the copy's length cannot be guessed.
        let len = size - size / 8 + seed.below(size / 4);
        let payload: Vec<u8> = (0..len).map(|_| seed.next().to_le_bytes()[7]).collect();
        frame::encode(&payload, &mut wire).expect("short");
        payloads.push(payload);
    }
    let expected = payloads.concat();
    let mut group = criterion.benchmark_group(format!("frames/{size}"));
    group.throughput(elements(payloads.len()));
    let mut copy = Vec::with_capacity(expected.len());
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| {
            copy.clear();
            copy.extend_from_slice(black_box(&wire));
        });
    });
    group.bench_function("tokio-util", |bencher| {
        let mut codec = LengthDelimitedCodec::builder().max_frame_length(LIMIT).new_codec();
        bencher.iter_batched(
            || BytesMut::from(&*wire),
            |mut chunk| {
                let mut count = 0;
                while let Some(frame) = codec.decode(&mut chunk).expect("frames") {
                    black_box(&frame);
                    count += 1;
                }
                assert_eq!(count, payloads.len());
            },
            BatchSize::LargeInput,
        );
    });
    group.bench_function("scan", |bencher| {
        bencher.iter(|| frame::scan(black_box(&wire), Framing::BIG_ENDIAN, LIMIT));
    });
    let mut packed = BinaryColumn::new();
    let scan = frame::scan(&wire, Framing::BIG_ENDIAN, LIMIT).expect("frames");
    frame::compact(&wire, &scan.payloads, &mut packed);
    assert!(packed.values == expected && packed.len() == payloads.len());
    group.bench_function("compact", |bencher| {
        bencher.iter(|| {
            packed.clear();
            frame::compact(black_box(&wire), &scan.payloads, &mut packed)
        });
    });
    for &level in SimdLevel::available() {
        let mut frames = Frames::default();
        frame::scan_compact(&wire, Framing::BIG_ENDIAN, LIMIT, &mut frames, level).expect("frames");
        assert!(frames.payloads == packed);
        group.bench_function(format!("scan-compact-{}", level.name()), |bencher| {
            bencher.iter(|| {
                frames.clear();
                let wire = black_box(&wire);
                frame::scan_compact(wire, Framing::BIG_ENDIAN, LIMIT, &mut frames, level)
            });
        });
    }
    group.finish();
}
