//! Properties of varints: bulk, incremental and single decoding agree at every SIMD level.

use proptest::prelude::*;

use super::*;
use crate::{DecodeError, SimdLevel};

/// Generates bytes: short values, long ones, runs of either, and values that do not end.
fn hostile() -> impl Strategy<Value = Vec<u8>> {
    let run = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..40),
        prop::collection::vec(0..0x80_u8, 0..if cfg!(miri) { 90 } else { 200 }),
        (0..12_usize, any::<u8>())
            .prop_map(|(len, end)| [vec![0x80 | end; len], vec![end & 0x7f]].concat()),
        prop::collection::vec(any::<u64>().prop_flat_map(|n| (Just(n), 0..64_u32)), 0..40)
            .prop_map(|values| {
                let mut wire = Vec::new();
                for (n, shift) in values {
                    encode(n >> shift, &mut wire);
                }
                wire
            }),
    ];
    prop::collection::vec(run, 0..if cfg!(miri) { 3 } else { 6 }).prop_map(|runs| runs.concat())
}

type Decoded<T> = (Vec<T>, Result<usize, DecodeError>);

fn one_by_one<F: Format>(wire: &[u8]) -> Decoded<F::Value> {
    let mut values = Vec::new();
    let mut at = 0;
    loop {
        match F::decode(&wire[at..]) {
            Ok((value, len)) => {
                values.push(value);
                at += len;
            }
            Err(DecodeErrorKind::UnexpectedEof { .. }) => return (values, Ok(at)),
            Err(problem) => return (values, Err(problem.at(F::NAME, at))),
        }
    }
}

fn check_decode<F: Format<Out = <F as Format>::Value>>(wire: &[u8], step: usize) {
    let expected = one_by_one::<F>(wire);
    for &level in SimdLevel::available() {
        let mut values = Vec::new();
        let taken = decode_all::<F>(wire, &mut values, level);
        assert_eq!((values, taken), expected, "{} {level:?}", F::NAME);

        let mut values = Vec::new();
        let mut decoder = Decoder::<F>::new(level);
        let fed = wire.chunks(step).try_for_each(|chunk| decoder.feed(chunk, &mut values));
        let taken = fed.map(|()| wire.len() - decoder.buffered());
        assert_eq!((values, taken), expected, "{} {level:?} in steps of {step}", F::NAME);
    }
}

fn check_encode<F: Format<Out = <F as Format>::Value>>(values: &[F::Value]) {
    let mut expected = Vec::new();
    for value in values {
        F::encode(*value, &mut expected);
    }
    for &level in SimdLevel::available() {
        let mut wire = b"before".to_vec();
        encode_all::<F>(values, &mut wire, level);
        assert_eq!(wire[6..], expected, "{} {level:?}", F::NAME);
    }
    check_decode::<F>(&expected, 7);
    assert_eq!(one_by_one::<F>(&expected).0, values);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(miri) { 4 } else { 512 }))]
    #[test]
    fn bulk_is_incremental_is_one_by_one(wire in hostile(), step in 1..100_usize, skip in 0..8_usize) {
        // All alignments, for what cares.
        let wire = &wire[skip.min(wire.len())..];
        check_decode::<Unsigned32>(wire, step);
        check_decode::<Unsigned64>(wire, step);
        check_decode::<Signed32>(wire, step);
        check_decode::<Signed64>(wire, step);
        check_decode::<ProtobufInt32>(wire, step);
        check_decode::<ZigZag32>(wire, step);
        check_decode::<ZigZag64>(wire, step);
        check_decode::<VInt>(wire, step);
        check_decode::<VLong>(wire, step);
    }

    #[test]
    fn decode_undoes_encode_in_every_format(
        values in prop::collection::vec((any::<i64>(), 0..64_u32), 0..if cfg!(miri) { 70 } else { 150 }),
    ) {
        let values: Vec<i64> = values.into_iter().map(|(value, shift)| value >> shift).collect();
        let unsigned: Vec<u64> = values.iter().map(|value| value.cast_unsigned()).collect();
        #[expect(clippy::cast_possible_truncation, reason = "any int will do")]
        let ints: Vec<i32> = values.iter().map(|value| *value as i32).collect();
        let unsigned_ints: Vec<u32> = ints.iter().map(|value| value.cast_unsigned()).collect();
        check_encode::<Unsigned32>(&unsigned_ints);
        check_encode::<Unsigned64>(&unsigned);
        check_encode::<Signed32>(&ints);
        check_encode::<Signed64>(&values);
        check_encode::<ProtobufInt32>(&ints);
        check_encode::<ZigZag32>(&ints);
        check_encode::<ZigZag64>(&values);
        check_encode::<VInt>(&ints);
        check_encode::<VLong>(&values);
    }
}

#[test]
fn negative_int_takes_ten_bytes_in_protobuf_and_five_elsewhere() {
    let mut wire = Vec::new();
    ProtobufInt32::encode(-1, &mut wire);
    Signed32::encode(-1, &mut wire);
    assert_eq!(wire.len(), 10 + 5);
    assert_eq!(one_by_one::<Signed32>(&wire).0, [-1, -1]);
}

#[test]
fn vint_that_does_not_fit_an_int_is_refused_where_it_stands() {
    let mut wire = vec![1];
    VLong::encode(i64::from(i32::MAX) + 1, &mut wire);
    wire.extend([0; 20]);
    let problem = DecodeErrorKind::Unexpected { value: 0x8000_0000, expected: "an int" };
    assert_eq!(one_by_one::<VInt>(&wire), (vec![1], Err(problem.at("vint", 1))));
    check_decode::<VInt>(&wire, 3);
}
