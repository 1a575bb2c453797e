//! Frames, lines and messages: cutting does not matter, bulk and batches are one by one at every level,
//! encoding undoes decoding, and a hostile length is refused.

#![no_main]

mod cutter;

use cutter::{Cut, Seen};
use jvmwire_codec::{
    DecodeErrorKind, SimdLevel,
    frame::{
        BinaryColumn, ByteOrder, Frames, Framing, Input, LENGTH_LEN, Views, compact,
        encode_message, scan, scan_compact, scan_lines, scan_messages,
    },
};
use libfuzzer_sys::fuzz_target;

/// Small, so that inputs reach it.
const LIMIT: usize = 40;

fuzz_target!(|data: &[u8]| {
    let [step, wire @ ..] = data else { return };
    let step = usize::from(*step).max(1);
    for framing in [
        Framing::BIG_ENDIAN,
        Framing::LITTLE_ENDIAN,
        Framing::BIG_ENDIAN.including_itself(),
        Framing::LITTLE_ENDIAN.including_itself(),
        Framing::PRAVEGA,
        Framing::EVENTS,
        Framing::LITTLE_ENDIAN.with_kind().including_itself(),
    ] {
        let seen = however_cut(Cut::Length(framing), wire, step, Input::Open);
        in_bulk(framing, wire, &seen);
        torn(framing, wire, step, &seen);
        for length in [-1, 0, 40, 41, i32::MAX] {
            hostile(framing, wire, length, &seen);
        }
    }
    lines(wire, step);
    messages(wire, step);
});

/// What there is in a stream, whatever it is cut into and whether it is taken one by one.
fn however_cut(cut: Cut, wire: &[u8], step: usize, input: Input) -> Seen {
    let whole = wire.len().max(1);
    let seen = cut.one_by_one(wire, LIMIT, whole, input);
    assert_eq!(cut.one_by_one(wire, LIMIT, step, input), seen, "{cut:?} in steps of {step}");
    for &level in SimdLevel::available() {
        let batches = cut.in_batches(wire, LIMIT, step, input, level, false);
        assert_eq!(batches, seen, "{cut:?} in batches, in steps of {step}, {level:?}");
    }
    let mixed = cut.in_batches(wire, LIMIT, step, input, SimdLevel::current(), true);
    assert_eq!(mixed, seen, "{cut:?} in batches and by themselves, in steps of {step}");
    seen
}

fn payloads(seen: &Seen) -> impl Iterator<Item = &[u8]> {
    seen.0.iter().map(|(_, payload)| payload.as_slice())
}

fn in_bulk(framing: Framing, wire: &[u8], (frames, error): &Seen) {
    let mut again = Vec::new();
    for (kind, payload) in frames {
        framing.encode(*kind, payload, &mut again).expect("it was a frame");
    }
    assert!(wire.starts_with(&again), "{framing:?}");

    assert_eq!(scan(wire, framing, LIMIT).err().as_ref(), error.as_ref());
    let found = scan(&again, framing, LIMIT).expect("they were frames");
    assert_eq!(found.consumed, again.len());
    let looked = Views::of_frames(wire, framing, LIMIT);
    assert_eq!(looked.as_ref().err(), error.as_ref());
    let placed = Views::of_payloads(wire, &found.payloads, found.consumed).expect("they are short");
    assert!(looked.is_err() || looked.is_ok_and(|it| it.into_views() == placed.into_views()));
    let mut copied = BinaryColumn::new();
    assert_eq!(compact(&again, &found.payloads, &mut copied), frames.len());
    let payloads = found.payloads.iter().map(|at| &again[at.clone()]);
    assert!(payloads.eq(frames.iter().map(|(_, payload)| payload)));
    assert_eq!(copied.values, frames.iter().flat_map(|(_, it)| it).copied().collect::<Vec<_>>());
    for &level in SimdLevel::available() {
        let mut packed = Frames::default();
        let taken = scan_compact(wire, framing, LIMIT, &mut packed, level);
        assert_eq!(taken, error.clone().map_or(Ok(again.len()), Err), "{framing:?} {level:?}");
        assert_eq!(packed.payloads, copied, "{framing:?} {level:?}");
        let kinds = frames.iter().map(|(kind, _)| *kind).filter(|_| framing.has_kind());
        assert!(kinds.eq(packed.kinds), "{framing:?} {level:?}");
    }
}

/// Behind whole frames stands a header that states `length`.
fn hostile(framing: Framing, wire: &[u8], length: i32, (frames, _): &Seen) {
    let header_len = framing.header_len();
    let len = frames.iter().map(|(_, payload)| header_len + payload.len()).sum();
    let mut wire = wire[..len].to_vec();
    wire.resize(len + header_len - LENGTH_LEN, 0);
    let at = wire.len();
    wire.extend(match framing.order() {
        ByteOrder::Big => length.to_be_bytes(),
        ByteOrder::Little => length.to_le_bytes(),
    });
    let (seen, error) = Cut::Length(framing).one_by_one(&wire, LIMIT, wire.len(), Input::Open);
    assert!(seen.starts_with(frames));
    // The limit is for the payload; where the length is unsigned, -1 is the largest.
    let counted = if framing == framing.including_itself() { header_len } else { 0 };
    let payload_len =
        if header_len > LENGTH_LEN { i64::from(length.cast_unsigned()) } else { i64::from(length) }
            - i64::try_from(counted).expect("a few");
    let fits = usize::try_from(payload_len).is_ok_and(|len| len <= LIMIT);
    assert_eq!(error.is_none(), fits, "{framing:?} {length}");
    if let Some(error) = error {
        assert_eq!(error.offset, at);
        assert!(matches!(
            error.problem,
            DecodeErrorKind::OverLimit { .. }
                | DecodeErrorKind::Negative { .. }
                | DecodeErrorKind::Unexpected { .. }
        ));
    }
}

/// A stream that ends within a frame is wrong, where that begins.
fn torn(framing: Framing, wire: &[u8], step: usize, seen: &Seen) {
    let len: usize = payloads(seen).map(|it| framing.header_len() + it.len()).sum();
    let (frames, error) = however_cut(Cut::Length(framing), wire, step, Input::Ended);
    assert_eq!(frames, seen.0);
    assert!(seen.1.is_some() || (len < wire.len()) == error.is_some());
    match error {
        Some(error) if seen.1.is_none() => {
            assert_eq!(error.offset, len);
            assert!(
                matches!(error.problem, DecodeErrorKind::UnexpectedEof { missing } if missing > 0)
            );
        }
        error => assert_eq!(error, seen.1),
    }
}

fn lines(wire: &[u8], step: usize) {
    let seen = however_cut(Cut::Lines, wire, step, Input::Ended);
    let found = scan_lines(wire, Input::Ended, LIMIT);
    assert_eq!(found.as_ref().err(), seen.1.as_ref());
    if let Ok(found) = found {
        assert_eq!(found.consumed, wire.len());
        assert!(found.payloads.iter().map(|at| &wire[at.clone()]).eq(payloads(&seen)));
    }
}

fn messages(wire: &[u8], step: usize) {
    let seen = however_cut(Cut::Messages, wire, step, Input::Ended);
    match scan_messages(wire, Input::Ended, LIMIT) {
        Ok(found) => {
            assert!(found.payloads.iter().map(|at| &wire[at.clone()]).eq(payloads(&seen)));
            // What is left at the end of a stream is an error to who reads it in pieces.
            let torn = DecodeErrorKind::UnexpectedEof { missing: 3 }.at("message", found.consumed);
            assert_eq!(seen.1, (found.consumed < wire.len()).then_some(torn));
        }
        Err(error) => assert_eq!(seen.1, Some(error)),
    }
    for message in payloads(&seen).filter(|message| !message.ends_with(b"\r")) {
        let mut again = Vec::new();
        encode_message(message, &mut again).expect("it was a message");
        let again = however_cut(Cut::Messages, &again, step, Input::Ended);
        assert!(payloads(&again).eq([message]));
    }
}
