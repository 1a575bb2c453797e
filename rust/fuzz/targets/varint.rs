//! Varints: bulk is incremental is one by one, at every level; decoding undoes encoding.

#![no_main]

use jvmwire_codec::{
    DecodeError, DecodeErrorKind, SimdLevel,
    varint::{
        Decoder, Format, ProtobufInt32, Signed32, Signed64, Unsigned32, Unsigned64, VInt, VLong,
        ZigZag32, ZigZag64, decode_all, encode_all,
    },
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [step, wire @ ..] = data else { return };
    let step = usize::from(*step).max(1);
    check::<Unsigned32>(wire, step);
    check::<Unsigned64>(wire, step);
    check::<Signed32>(wire, step);
    check::<Signed64>(wire, step);
    check::<ProtobufInt32>(wire, step);
    check::<ZigZag32>(wire, step);
    check::<ZigZag64>(wire, step);
    check::<VInt>(wire, step);
    check::<VLong>(wire, step);
});

fn check<F: Format<Out = <F as Format>::Value>>(wire: &[u8], step: usize) {
    let expected = one_by_one::<F>(wire);
    let mut again = Vec::new();
    for value in &expected.0 {
        F::encode(*value, &mut again);
    }
    for &level in SimdLevel::available() {
        let mut values = Vec::new();
        let taken = decode_all::<F>(wire, &mut values, level);
        assert_eq!((&values, &taken), (&expected.0, &expected.1), "{} {level:?}", F::NAME);

        values.clear();
        let mut decoder = Decoder::<F>::new(level);
        let fed = wire.chunks(step).try_for_each(|chunk| decoder.feed(chunk, &mut values));
        let taken = fed.map(|()| wire.len() - decoder.buffered());
        assert_eq!((&values, &taken), (&expected.0, &expected.1), "{} {level:?} cut", F::NAME);

        let mut bulk = Vec::new();
        encode_all::<F>(&values, &mut bulk, level);
        assert_eq!(bulk, again, "{} {level:?}", F::NAME);
    }
    assert_eq!(one_by_one::<F>(&again), (expected.0, Ok(again.len())), "{}", F::NAME);
}

fn one_by_one<F: Format>(wire: &[u8]) -> (Vec<F::Value>, Result<usize, DecodeError>) {
    let (mut values, mut at) = (Vec::new(), 0);
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
