//! Properties of cost: number of bytes examined per byte fed, for any chunk boundaries.

use jvmwire_codec::{
    adversarial::{Content, Format, capture, traffic},
    cost::take_examined,
    message::Side,
};
use proptest::prelude::*;

use crate::{
    CaptureDecoder, Protocol,
    limits::STREAM_SIZE,
    output::{GapReason, Output, OutputOptions},
    stream::{Mode, Stream},
};

/// Maximum number of bytes examined per byte fed, if all input is messages.
const FRAMING: u64 = 4;
/// Maximum during a search for the next message.
const RESYNCHRONISING: u64 = 16;
/// Maximum while each protocol and writer is tried until one is detected.
const DETECTING: u64 = 10 * RESYNCHRONISING;
/// Number of bytes that may be examined in addition, however few are fed.
const ALWAYS: u64 = 4096;

fn format(protocol: Protocol) -> Format {
    Format::named(protocol.name()).expect("traffic of every protocol is generated")
}

fn programs() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..60)
}

/// Number of bytes examined while a stream is fed the bytes of both sides, alternately in chunks of `size`.
fn examined(mut stream: Stream, sides: [&[u8]; 2], size: usize) -> u64 {
    let mut out =
        Output::new(&OutputOptions { messages: true, calls: true, ..OutputOptions::default() });
    let _ = take_examined();
    let [client, server] = sides.map(|bytes| bytes.chunks(size));
    let mut turns = [(Side::Client, client), (Side::Server, server)];
    while turns.iter().any(|(_, left)| left.len() > 0) {
        for (side, left) in &mut turns {
            if let Some(bytes) = left.next() {
                stream.data(*side, bytes, Some(1), &mut out);
            }
        }
        out.flush();
        while out.next_batch().is_some() {}
    }
    stream.end(&mut out);
    take_examined()
}

fn protocols() -> impl Strategy<Value = Protocol> {
    prop::sample::select(Protocol::ALL.to_vec())
}

/// Maximum number of bytes to which a program expands.
const LIMIT: usize = 50_000;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn one_side_alone_examines_few_bytes_for_each(
        protocol in protocols(),
        program in programs(),
        side in prop::sample::select(vec![Side::Client, Side::Server]),
    ) {
        let decoder = traffic(format(protocol), Content::Messages, &program, LIMIT);
        let bytes = decoder.sides.concat();
        let mut sides: [&[u8]; 2] = Default::default();
        sides[side as usize] = &bytes;
        let stream = Stream::new(0, Mode::Dump, Some(protocol.into()));
        let examined = examined(stream, sides, decoder.piece);
        let fed = bytes.len() as u64;
        prop_assert!(
            examined <= RESYNCHRONISING * fed + ALWAYS,
            "{protocol:?}: {examined} for {fed} bytes"
        );
    }

    #[test]
    fn resynchronising_examines_few_bytes_for_each(
        protocol in protocols(),
        program in programs(),
        mode in prop::sample::select(vec![Mode::FromStart, Mode::Dump, Mode::DumpOfAny, Mode::DumpOfBoth]),
    ) {
        let decoder = traffic(format(protocol), Content::OneFormat, &program, LIMIT);
        let stream = Stream::new(0, mode, Some(protocol.into()));
        let examined = examined(stream, [&decoder.sides[0], &decoder.sides[1]], decoder.piece);
        let fed = decoder.sides.concat().len() as u64;
        prop_assert!(
            examined <= RESYNCHRONISING * fed + ALWAYS,
            "{protocol:?} {mode:?}: {examined} for {fed} bytes"
        );
    }

    #[test]
    fn saved_stream_takes_no_more_bytes_than_held_reports(
        protocol in protocols(),
        content in prop::sample::select(vec![Content::Messages, Content::OneFormat]),
        program in programs(),
        mode in prop::sample::select(vec![Mode::FromStart, Mode::Midway]),
    ) {
        let decoder = traffic(format(protocol), content, &program, LIMIT);
        let mut out = Output::new(&OutputOptions { state: true, ..OutputOptions::default() });
        let mut stream = Stream::new(0, mode, Some(protocol.into()));
        let [client, server] = decoder.sides.each_ref().map(|bytes| bytes.chunks(decoder.piece));
        let mut turns = [(Side::Client, client), (Side::Server, server)];
        let mut rounds = 0;
        while turns.iter().any(|(_, left)| left.len() > 0) {
            for (side, left) in &mut turns {
                if let Some(bytes) = left.next() {
                    stream.data(*side, bytes, Some(i64::MAX), &mut out);
                }
            }
            rounds += 1;
            if rounds % 256 == 0 || turns.iter().all(|(_, left)| left.len() == 0) {
                let saved = postcard::to_stdvec(&stream).unwrap().len();
                let held = stream.held();
                prop_assert!(saved <= held + STREAM_SIZE, "{protocol:?}: {saved} for {held}");
            }
        }
    }

    #[test]
    fn detecting_examines_few_bytes_for_each(
        program in programs(),
        mode in prop::sample::select(vec![Mode::FromStart, Mode::Midway]),
    ) {
        let decoder = traffic(Format::Hadoop, Content::AllFormats, &program, LIMIT);
        let stream = Stream::new(0, mode, None);
        let examined = examined(stream, [&decoder.sides[0], &decoder.sides[1]], decoder.piece);
        let fed = decoder.sides.concat().len() as u64;
        prop_assert!(
            examined <= DETECTING * fed + ALWAYS,
            "{mode:?}: {examined} for {fed} bytes"
        );
    }

    #[test]
    fn captures_examine_few_bytes_for_each(program in programs()) {
        let file = capture(&program, LIMIT);
        let mut decoder = CaptureDecoder::new(&OutputOptions { messages: true, ..OutputOptions::default() }, None, 0);
        let _ = take_examined();
        for piece in file.chunks(65_536) {
            decoder.feed(piece).expect("a capture");
            while decoder.next_batch().is_some() {}
        }
        decoder.finish().expect("a capture");
        let (examined, fed) = (take_examined(), file.len() as u64);
        prop_assert!(examined <= DETECTING * fed + ALWAYS, "{examined} for {fed} bytes");
    }
}

#[test]
fn zeros_after_damage_are_searched_by_looking_at_each_few_times() {
    let damaged = [vec![0xff; 8], vec![0; LIMIT]].concat();
    for protocol in Protocol::ALL {
        for side in [Side::Client, Side::Server] {
            let mut sides: [&[u8]; 2] = Default::default();
            sides[side as usize] = &damaged;
            let stream = Stream::new(0, Mode::Dump, Some(protocol.into()));
            let (examined, fed) = (examined(stream, sides, 1460), damaged.len() as u64);
            assert!(
                examined <= RESYNCHRONISING * fed + ALWAYS,
                "{protocol:?} {side:?}: {examined} for {fed} bytes"
            );
        }
    }
}

#[test]
fn programs_that_fuzzing_found_cost_no_more_than_others() {
    let programs: [(Protocol, Mode, &[u8], usize); 2] = [
        // Zeros, most of all: to early Pravega, an empty message at each.
        (
            Protocol::PravegaEarly,
            Mode::Dump,
            b"\xa3\xf9\xb1\x38\x1b\x0a\xd9\xb8\xc9\x41\x6f\x89\xfe\xff\xfe\x99\x01\xb2\x0c\x8a\x3e\x60\
              \x0f\x74\x8e\xd8\x2f\x0a\x66\xd2\x13\xe3\x9b\xe4\x4c\x11\x00\x10\xbc\x55",
            128 << 10,
        ),
        // A header every 13 bytes, and others between them, of which many are followed by a second one.
        (
            Protocol::Hazelcast,
            Mode::DumpOfBoth,
            b"\xff\xff\xff\xff\x33\xb4\x61\x75\x8f\x65\xfd\xfe\x26\xda\x20\x00\xef\xd5\xf1\x22\xbc\
              \x5d\x17\x12\x75\x3b\x8e\x9c\x19\x2b\xe9\x4c\x5d\x9e\x81\x5b\xe3\x67\xb3\x8c",
            64 << 10,
        ),
    ];
    for (protocol, mode, program, limit) in programs {
        let decoder = traffic(format(protocol), Content::OneFormat, program, limit);
        let [client, server] = decoder.sides.each_ref().map(Vec::as_slice);
        let stream = Stream::new(0, mode, Some(protocol.into()));
        let examined = examined(stream, [client, server], decoder.piece);
        let fed = (client.len() + server.len()) as u64;
        assert!(
            examined <= RESYNCHRONISING * fed + ALWAYS,
            "{protocol:?}: {examined} for {fed} bytes"
        );
    }
}

#[test]
fn frame_alone_before_each_hole_examines_few_bytes_of_the_other_side() {
    const KEEP_ALIVE: &[u8] = &[0, 0, 0, 100, 0, 0, 0, 0];
    let other = vec![0; 50_000];
    let mut out = Output::new(&OutputOptions::default());
    let mut stream = Stream::new(0, Mode::Midway, None);
    let _ = take_examined();
    stream.data(Side::Server, &other, None, &mut out);
    for _ in 0..2_000 {
        stream.data(Side::Client, KEEP_ALIVE, None, &mut out);
        stream.lost(Side::Client, 1, GapReason::NotCaptured, &mut out);
    }
    assert_eq!(stream.protocol(), "unknown");
    let (examined, fed) = (take_examined(), (other.len() + 2_000 * KEEP_ALIVE.len()) as u64);
    assert!(examined <= DETECTING * fed + ALWAYS, "{examined} for {fed} bytes");
}

#[test]
fn messages_alone_are_framed_by_looking_at_each_byte_few_times() {
    for protocol in Protocol::ALL {
        for message in format(protocol).messages() {
            for size in [1, 100, 1460] {
                let bytes = message.repeat(100_000_usize.div_ceil(message.len()));
                for side in [Side::Client, Side::Server] {
                    let mut sides: [&[u8]; 2] = Default::default();
                    sides[side as usize] = &bytes;
                    let mut out =
                        Output::new(&OutputOptions { messages: true, ..OutputOptions::default() });
                    let mut stream = Stream::new(0, Mode::Dump, Some(protocol.into()));
                    stream.data(side, &message.repeat(2), None, &mut out);
                    if stream.errors > 0 || stream.messages != 2 {
                        continue;
                    }
                    let examined =
                        examined(Stream::new(0, Mode::Dump, Some(protocol.into())), sides, size);
                    let (fed, name) = (bytes.len() as u64, String::from_utf8_lossy(&message));
                    assert!(
                        examined <= FRAMING * fed + ALWAYS,
                        "{protocol:?} {size} {side:?} {name}: {examined} for {fed}"
                    );
                }
            }
        }
    }
}
