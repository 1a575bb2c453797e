//! Frames, lines and messages: cutting does not matter, bulk is one by one at every level, encoding
//! undoes decoding, and a hostile length is refused.

#![no_main]

use jvmwire_codec::{
    DecodeError, Level, Problem,
    frame::{
        ByteOrder, FrameDecoder, Frames, Framing, Input, LENGTH_LEN, LineDecoder, MessageDecoder,
        Packed, compact, encode_message, scan, scan_compact, scan_lines, scan_messages,
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
        Framing::LITTLE_ENDIAN.with_kind().including_itself(),
    ] {
        let seen = decoded(framing, wire, wire.len().max(1));
        assert_eq!(decoded(framing, wire, step), seen, "{framing:?} in steps of {step}");
        in_bulk(framing, wire, &seen);
        for length in [-1, 0, 40, 41, i32::MAX] {
            hostile(framing, wire, length, &seen);
        }
    }
    let whole = wire.len().max(1);
    let lines = lines(wire, whole);
    assert_eq!(self::lines(wire, step), lines);
    let found = scan_lines(wire, Input::Ended, LIMIT);
    assert_eq!(found.as_ref().err(), lines.1.as_ref());
    if let Ok(found) = found {
        assert_eq!(found.consumed, wire.len());
        assert!(found.payloads.iter().map(|at| &wire[at.clone()]).eq(&lines.0));
    }
    let messages = messages(wire, whole);
    assert_eq!(self::messages(wire, step), messages);
    match scan_messages(wire, Input::Ended, LIMIT) {
        Ok(found) => {
            assert!(found.payloads.iter().map(|at| &wire[at.clone()]).eq(&messages.0));
            // What is left at the end of a stream is an error to who reads it in pieces.
            let torn = Problem::Missing { missing: 3 }.of("message", found.consumed);
            assert_eq!(messages.1, (found.consumed < wire.len()).then_some(torn));
        }
        Err(error) => assert_eq!(messages.1, Some(error)),
    }
    for message in messages.0.iter().filter(|message| !message.ends_with(b"\r")) {
        let mut again = Vec::new();
        encode_message(message, &mut again).expect("it was a message");
        assert_eq!(self::messages(&again, step).0, [message.as_slice()]);
    }
});

type Seen<T> = (Vec<T>, Option<DecodeError>);

fn decoded(framing: Framing, wire: &[u8], step: usize) -> Seen<(i32, Vec<u8>)> {
    let mut decoder = FrameDecoder::with(framing, LIMIT);
    let mut frames = Vec::new();
    for chunk in wire.chunks(step) {
        decoder.feed(chunk);
        loop {
            match decoder.next_typed_frame() {
                Ok(Some(frame)) => frames.push((frame.kind, frame.payload.to_vec())),
                Ok(None) => break,
                Err(error) => return (frames, Some(error)),
            }
        }
        // Whoever takes what is whole keeps no more than one frame.
        assert!(decoder.buffered() < LIMIT + framing.header_len());
    }
    (frames, None)
}

fn in_bulk(framing: Framing, wire: &[u8], (frames, error): &Seen<(i32, Vec<u8>)>) {
    let mut again = Vec::new();
    for (kind, payload) in frames {
        framing.encode(*kind, payload, &mut again).expect("it was a frame");
    }
    assert!(wire.starts_with(&again), "{framing:?}");

    assert_eq!(scan(wire, framing, LIMIT).err().as_ref(), error.as_ref());
    let found = scan(&again, framing, LIMIT).expect("they were frames");
    assert_eq!(found.consumed, again.len());
    let mut copied = Packed::new();
    assert_eq!(compact(&again, &found.payloads, &mut copied), frames.len());
    let payloads = found.payloads.iter().map(|at| &again[at.clone()]);
    assert!(payloads.eq(frames.iter().map(|(_, payload)| payload)));
    assert_eq!(copied.values, frames.iter().flat_map(|(_, it)| it).copied().collect::<Vec<_>>());
    for &level in Level::available() {
        let mut packed = Frames::default();
        let taken = scan_compact(wire, framing, LIMIT, &mut packed, level);
        assert_eq!(taken, error.clone().map_or(Ok(again.len()), Err), "{framing:?} {level:?}");
        assert_eq!(packed.payloads, copied, "{framing:?} {level:?}");
        let kinds = frames.iter().map(|(kind, _)| *kind).filter(|_| framing.has_kind());
        assert!(kinds.eq(packed.kinds), "{framing:?} {level:?}");
    }
}

/// Behind whole frames stands a header that states `length`.
fn hostile(framing: Framing, wire: &[u8], length: i32, (frames, _): &Seen<(i32, Vec<u8>)>) {
    let header_len = framing.header_len();
    let len = frames.iter().map(|(_, payload)| header_len + payload.len()).sum();
    let mut wire = wire[..len].to_vec();
    wire.resize(len + header_len - LENGTH_LEN, 0);
    let at = wire.len();
    wire.extend(match framing.order() {
        ByteOrder::Big => length.to_be_bytes(),
        ByteOrder::Little => length.to_le_bytes(),
    });
    let (seen, error) = decoded(framing, &wire, wire.len());
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
            Problem::OverLimit { .. } | Problem::Negative { .. } | Problem::Unexpected { .. }
        ));
    }
}

fn lines(wire: &[u8], step: usize) -> Seen<Vec<u8>> {
    let mut decoder = LineDecoder::new(LIMIT);
    let mut lines = Vec::new();
    for chunk in wire.chunks(step).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => decoder.feed(chunk),
            None => decoder.finish(),
        }
        loop {
            match decoder.next_line() {
                Ok(Some(line)) => lines.push(line.to_vec()),
                Ok(None) => break,
                Err(error) => return (lines, Some(error)),
            }
        }
        assert!(decoder.buffered() <= LIMIT + b"\r".len());
    }
    (lines, None)
}

fn messages(wire: &[u8], step: usize) -> Seen<Vec<u8>> {
    let mut decoder = MessageDecoder::new(LIMIT);
    let mut messages = Vec::new();
    for chunk in wire.chunks(step).map(Some).chain([None]) {
        match chunk {
            Some(chunk) => decoder.feed(chunk),
            None => decoder.finish(),
        }
        loop {
            match decoder.next_message() {
                Ok(Some(message)) => messages.push(message.to_vec()),
                Ok(None) => break,
                Err(error) => return (messages, Some(error)),
            }
        }
    }
    (messages, None)
}
