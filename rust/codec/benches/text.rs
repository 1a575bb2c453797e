use std::hint::black_box;

use jvmwire_codec::{
    SimdLevel,
    text::{self, Encoding, StringFormat, Strings, TextOffsets},
};

use crate::{
    cpu_time::{Criterion, bytes, elements},
    inputs::{self, SCRIPTS},
};

const LEN: usize = 8 << 20;

/// Bytes of one short string, as near as its script allows.
const SHORT: usize = 32;

pub(crate) fn benches(criterion: &mut Criterion) {
    for script in SCRIPTS {
        let text = inputs::text(script, LEN);
        decode(criterion, script, &text);
        encode(criterion, script, &text);
        short(criterion, script, &text);
    }
}

fn decode(criterion: &mut Criterion, script: &str, text: &str) {
    let wire = cesu8::to_java_cesu8(text);
    let mut group = criterion.benchmark_group(format!("mutf8-decode/{script}"));
    group.throughput(bytes(wire.len()));
    let mut out = String::with_capacity(wire.len());
    let mut copy = Vec::with_capacity(wire.len());
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| {
            copy.clear();
            copy.extend_from_slice(black_box(&wire));
        });
    });
    // Both lend clean text instead of decoding it: here as everywhere it has to be in `out`.
    assert_eq!(simd_cesu8::mutf8::decode_strict(&wire).expect("text"), text);
    group.bench_function("simd_cesu8", |bencher| {
        bencher.iter(|| {
            out.clear();
            out.push_str(&simd_cesu8::mutf8::decode_strict(black_box(&wire)).expect("text"));
        });
    });
    group.bench_function("cesu8", |bencher| {
        bencher.iter(|| {
            out.clear();
            out.push_str(&cesu8::from_java_cesu8(black_box(&wire)).expect("text"));
        });
    });
    for &level in SimdLevel::available() {
        out.clear();
        text::decode_into(&wire, Encoding::ModifiedUtf8, &mut out, level).expect("text");
        assert!(out == text, "{level:?}");
        group.bench_function(level.name(), |bencher| {
            bencher.iter(|| {
                out.clear();
                text::decode_into(black_box(&wire), Encoding::ModifiedUtf8, &mut out, level)
            });
        });
    }
    group.finish();
}

fn encode(criterion: &mut Criterion, script: &str, text: &str) {
    let expected = cesu8::to_java_cesu8(text);
    let mut group = criterion.benchmark_group(format!("mutf8-encode/{script}"));
    group.throughput(bytes(expected.len()));
    let mut out = Vec::with_capacity(expected.len() + 64);
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| {
            out.clear();
            out.extend_from_slice(black_box(text).as_bytes());
        });
    });
    group.bench_function("simd_cesu8", |bencher| {
        bencher.iter(|| {
            out.clear();
            out.extend_from_slice(&simd_cesu8::mutf8::encode(black_box(text)));
        });
    });
    group.bench_function("cesu8", |bencher| {
        bencher.iter(|| {
            out.clear();
            out.extend_from_slice(&cesu8::to_java_cesu8(black_box(text)));
        });
    });
    for level in [SimdLevel::Portable, SimdLevel::Avx512] {
        if !SimdLevel::available().contains(&level) {
            continue;
        }
        out.clear();
        text::encode_into(text, Encoding::ModifiedUtf8, &mut out, level);
        assert!(out == *expected, "{level:?}");
        group.bench_function(level.name(), |bencher| {
            bencher.iter(|| {
                out.clear();
                text::encode_into(black_box(text), Encoding::ModifiedUtf8, &mut out, level);
            });
        });
    }
    group.finish();
}

fn short(criterion: &mut Criterion, script: &str, text: &str) {
    let mut wire = Vec::new();
    let mut expected = Vec::new();
    let mut rest = text;
    while wire.len() < LEN / 4 {
        let len = (SHORT - 3..=SHORT).rfind(|len| rest.is_char_boundary(*len));
        let (piece, after) = rest.split_at(len.unwrap_or_default());
        text::encode(piece, Encoding::ModifiedUtf8, &mut wire).expect("short");
        expected.push(piece);
        rest = after;
    }
    let format = StringFormat::JAVA_UTF;
    let mut places = TextOffsets::default();
    format.scan(&wire, SHORT * 2, &mut places).expect("strings");
    let places = places.texts;
    let mut group = criterion.benchmark_group(format!("mutf8-short/{script}"));
    group.throughput(elements(places.len()));
    let mut out = Strings::new();
    group.bench_function("simd_cesu8", |bencher| {
        bencher.iter(|| {
            out.clear();
            for place in &places {
                let text = simd_cesu8::mutf8::decode_strict(black_box(&wire[place.clone()]));
                out.values.push_str(&text.expect("text"));
                out.offsets.push(i32::try_from(out.values.len()).expect("few"));
            }
        });
    });
    for &level in SimdLevel::available() {
        out.clear();
        text::decode_many(&wire, &places, format.encoding, &mut out, level).expect("text");
        assert!(out.iter().eq(expected.iter().copied()), "{level:?}");
        group.bench_function(level.name(), |bencher| {
            bencher.iter(|| {
                out.clear();
                let encoding = format.encoding;
                text::decode_many(black_box(&wire), &places, encoding, &mut out, level)
            });
        });
    }
    group.finish();
}
