use std::hint::black_box;

use jvmwire_codec::{
    SimdLevel,
    varint::{self, Unsigned64, VLong},
};

use crate::{
    cpu_time::{Criterion, elements},
    inputs,
};

const COUNT: usize = 500_000;

pub(crate) fn benches(criterion: &mut Criterion) {
    for (name, values) in [("uniform", inputs::uniform(COUNT)), ("small", inputs::small(COUNT))] {
        decode(criterion, name, &values);
        encode(criterion, name, &values);
        vlong(criterion, name, &values);
    }
}

fn prost(mut wire: &[u8], out: &mut Vec<u64>) {
    while !wire.is_empty() {
        out.push(prost::encoding::decode_varint(&mut wire).expect("a varint"));
    }
}

#[cfg(target_arch = "x86_64")]
fn varint_simd(wire: &[u8], out: &mut Vec<u64>) {
    let mut at = 0;
    while at < wire.len() {
        let (value, len) = varint_simd::decode::<u64>(&wire[at..]).expect("a varint");
        out.push(value);
        at += len;
    }
}

fn decode(criterion: &mut Criterion, name: &str, values: &[u64]) {
    let mut wire = Vec::new();
    varint::encode_all::<Unsigned64>(values, &mut wire, SimdLevel::Portable);
    let mut group = criterion.benchmark_group(format!("varint-decode/{name}"));
    group.throughput(elements(values.len()));
    let mut out = Vec::with_capacity(values.len() + 64);
    let rivals = [
        ("prost", prost as fn(&[u8], &mut Vec<u64>)),
        #[cfg(target_arch = "x86_64")]
        ("varint-simd", varint_simd),
    ];
    for (rival, decode) in rivals {
        out.clear();
        decode(&wire, &mut out);
        assert_eq!(out, values, "{rival}");
        group.bench_function(rival, |bencher| {
            bencher.iter(|| {
                out.clear();
                decode(black_box(&wire), &mut out);
            });
        });
    }
    for &level in SimdLevel::available() {
        out.clear();
        varint::decode_all::<Unsigned64>(&wire, &mut out, level).expect("varints");
        assert_eq!(out, values, "{level:?}");
        group.bench_function(level.name(), |bencher| {
            bencher.iter(|| {
                out.clear();
                varint::decode_all::<Unsigned64>(black_box(&wire), &mut out, level)
            });
        });
    }
    group.finish();
}

fn encode(criterion: &mut Criterion, name: &str, values: &[u64]) {
    let mut expected = Vec::new();
    for value in values {
        prost::encoding::encode_varint(*value, &mut expected);
    }
    let mut group = criterion.benchmark_group(format!("varint-encode/{name}"));
    group.throughput(elements(values.len()));
    let mut out = Vec::with_capacity(expected.len() + 64);
    group.bench_function("prost", |bencher| {
        bencher.iter(|| {
            out.clear();
            for value in black_box(values) {
                prost::encoding::encode_varint(*value, &mut out);
            }
        });
    });
    for &level in SimdLevel::available() {
        out.clear();
        varint::encode_all::<Unsigned64>(values, &mut out, level);
        assert_eq!(out, expected, "{level:?}");
        group.bench_function(level.name(), |bencher| {
            bencher.iter(|| {
                out.clear();
                varint::encode_all::<Unsigned64>(black_box(values), &mut out, level);
            });
        });
    }
    group.finish();
}

fn vlong(criterion: &mut Criterion, name: &str, values: &[u64]) {
    let values: Vec<i64> = values.iter().map(|value| varint::unzigzag(*value)).collect();
    let mut wire = Vec::new();
    for value in &values {
        varint::encode_vlong(*value, &mut wire);
    }
    let mut group = criterion.benchmark_group(format!("vlong-decode/{name}"));
    group.throughput(elements(values.len()));
    let mut out = Vec::with_capacity(values.len() + 64);
    group.bench_function("one-by-one", |bencher| {
        bencher.iter(|| {
            out.clear();
            let mut rest = black_box(&*wire);
            while let Ok((value, len)) = varint::decode_vlong(rest) {
                out.push(value);
                rest = &rest[len..];
            }
        });
    });
    out.clear();
    varint::decode_all::<VLong>(&wire, &mut out, SimdLevel::Portable).expect("vlongs");
    assert_eq!(out, values);
    group.bench_function("portable", |bencher| {
        bencher.iter(|| {
            out.clear();
            varint::decode_all::<VLong>(black_box(&wire), &mut out, SimdLevel::Portable)
        });
    });
    group.finish();
}
