//! Numbers and UUIDs of fixed width: bulk is incremental is one by one, in either byte order;
//! decoding undoes encoding.

#![no_main]

use jvmwire_codec::{
    DecodeErrorKind,
    fixed::{Decoder, Fixed, Uuid, WIDEST, decode, decode_all, encode_all, put},
    frame::ByteOrder,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [step, wire @ ..] = data else { return };
    let step = usize::from(*step).max(1);
    for order in [ByteOrder::Big, ByteOrder::Little] {
        check::<u8>(wire, step, order, u128::from);
        check::<i8>(wire, step, order, |it| it.cast_unsigned().into());
        check::<u16>(wire, step, order, u128::from);
        check::<i16>(wire, step, order, |it| it.cast_unsigned().into());
        check::<u32>(wire, step, order, u128::from);
        check::<i32>(wire, step, order, |it| it.cast_unsigned().into());
        check::<u64>(wire, step, order, u128::from);
        check::<i64>(wire, step, order, |it| it.cast_unsigned().into());
        // By its bits, a NaN is itself.
        check::<f32>(wire, step, order, |it| it.to_bits().into());
        check::<f64>(wire, step, order, |it| it.to_bits().into());
        check::<Uuid>(wire, step, order, |it| match order {
            ByteOrder::Big => it.0,
            // Its two longs are little-endian, and in their own order.
            ByteOrder::Little => it.0.rotate_left(64),
        });
    }
});

fn check<T: Fixed>(wire: &[u8], step: usize, order: ByteOrder, bits: impl Fn(T) -> u128) {
    let (whole, rest) = wire.split_at(wire.len() - wire.len() % T::LEN);
    let expected: Vec<_> = whole.chunks(T::LEN).map(|bytes| number(bytes, order)).collect();
    let seen = |values: &[T]| values.iter().copied().map(&bits).collect::<Vec<_>>();

    let mut values = Vec::new();
    assert_eq!(decode_all(wire, order, &mut values), whole.len());
    assert_eq!(seen(&values), expected, "{order:?}");

    let one_by_one = whole.chunks(T::LEN).map(|bytes| decode(bytes, order).expect("it is whole"));
    assert_eq!(seen(&one_by_one.collect::<Vec<_>>()), expected, "{order:?}");
    let missing = T::LEN - rest.len();
    assert_eq!(decode::<T>(rest, order).err(), Some(DecodeErrorKind::UnexpectedEof { missing }));

    let (mut decoder, mut fed) = (Decoder::new(order), Vec::new());
    for chunk in wire.chunks(step) {
        decoder.feed(chunk, &mut fed);
        assert!(decoder.buffered() < T::LEN);
    }
    assert_eq!(seen(&fed), expected, "{order:?} in steps of {step}");
    assert_eq!(decoder.buffered(), rest.len());
    let torn = DecodeErrorKind::UnexpectedEof { missing }.at("value", whole.len());
    assert_eq!(decoder.finish("value").err(), (!rest.is_empty()).then_some(torn));

    let (mut bulk, mut one_by_one) = (b"before".to_vec(), Vec::new());
    encode_all(&values, order, &mut bulk);
    assert_eq!(&bulk[6..], whole, "{order:?}");
    for value in values {
        let mut alone = [0; WIDEST];
        put(value, order, &mut alone);
        one_by_one.extend_from_slice(&alone[..T::LEN]);
    }
    assert_eq!(one_by_one, whole, "{order:?}");
}

/// The bytes as one number, a digit at a time.
fn number(bytes: &[u8], order: ByteOrder) -> u128 {
    let digit = |number, byte: &u8| number << 8 | u128::from(*byte);
    match order {
        ByteOrder::Big => bytes.iter().fold(0, digit),
        ByteOrder::Little => bytes.iter().rev().fold(0, digit),
    }
}
