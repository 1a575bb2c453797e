use std::{fmt::Debug, hint::black_box};

use jvmwire_codec::{
    fixed::{self, Fixed},
    frame::ByteOrder,
};

use crate::{
    cpu_time::{Criterion, bytes},
    inputs::Seed,
};

const TOTAL: usize = 1 << 20;

pub(crate) fn benches(criterion: &mut Criterion) {
    arrays(criterion, "i32", i32::from_be_bytes, i32::to_be_bytes);
    arrays(criterion, "f64", f64::from_be_bytes, f64::to_be_bytes);
}

fn arrays<T: Fixed + Debug + PartialEq, const LEN: usize>(
    criterion: &mut Criterion,
    name: &str,
    from: fn([u8; LEN]) -> T,
    to: fn(T) -> [u8; LEN],
) {
    let mut seed = Seed::new(LEN as u64);
    // A float's highest byte says that it is a number.
    let wire: Vec<u8> = (0..TOTAL).map(|_| seed.next().to_le_bytes()[7] & 0x7f).collect();
    let one_by_one = |wire: &[u8], values: &mut Vec<T>| {
        let mut rest = wire;
        while let Some((value, after)) = rest.split_first_chunk::<LEN>() {
            values.push(from(*value));
            rest = after;
        }
    };
    let mut expected = Vec::with_capacity(TOTAL / LEN);
    one_by_one(&wire, &mut expected);
    let mut values = Vec::with_capacity(TOTAL / LEN);
    fixed::decode_all(&wire, ByteOrder::Big, &mut values);
    assert_eq!(values, expected);

    let mut group = criterion.benchmark_group(format!("fixed-decode/{name}"));
    group.throughput(bytes(TOTAL));
    let mut copy = Vec::with_capacity(TOTAL);
    group.bench_function("memcpy", |bencher| {
        bencher.iter(|| {
            copy.clear();
            copy.extend_from_slice(black_box(&wire));
        });
    });
    group.bench_function("from_be_bytes", |bencher| {
        bencher.iter(|| {
            values.clear();
            one_by_one(black_box(&wire), &mut values);
        });
    });
    group.bench_function("portable", |bencher| {
        bencher.iter(|| {
            values.clear();
            fixed::decode_all(black_box(&wire), ByteOrder::Big, &mut values)
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group(format!("fixed-encode/{name}"));
    group.throughput(bytes(TOTAL));
    group.bench_function("to_be_bytes", |bencher| {
        bencher.iter(|| {
            copy.clear();
            for value in black_box(&expected) {
                copy.extend_from_slice(&to(*value));
            }
        });
    });
    copy.clear();
    fixed::encode_all(&expected, ByteOrder::Big, &mut copy);
    assert!(copy == wire);
    group.bench_function("portable", |bencher| {
        bencher.iter(|| {
            copy.clear();
            fixed::encode_all(black_box(&expected), ByteOrder::Big, &mut copy);
        });
    });
    group.finish();
}
