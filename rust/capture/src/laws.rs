//! Laws of cost: how many bytes are examined for each that is fed, however the input is cut.

use jvmwire_codec::{cost::take_examined, message::Side};
use proptest::prelude::*;

use crate::{
    Protocol,
    output::{Output, Wanted},
    stream::{Mode, Stream},
};

/// Bytes examined for each that is fed, where all that comes is messages.
const FRAMING: u64 = 4;
/// The same, where messages have to be looked for.
const RESYNCHRONISING: u64 = 16;
/// The same for each of the protocols and writers that are looked for until one is found.
const DETECTING: u64 = 10 * RESYNCHRONISING;
/// Bytes that are examined however few are fed.
const ALWAYS: u64 = 4096;

fn hadoop_frame(parts: &[&[u8]]) -> Vec<u8> {
    let body: Vec<u8> = parts
        .iter()
        .flat_map(|part| {
            let mut delimited = Vec::new();
            jvmwire_codec::varint::encode(part.len() as u64, &mut delimited);
            delimited.extend_from_slice(part);
            delimited
        })
        .collect();
    let mut out = Vec::new();
    jvmwire_codec::frame::encode(&body, &mut out).unwrap();
    out
}

fn hadoop_call(id: u8, argument: &[u8]) -> Vec<u8> {
    let mut header = vec![8, 2, 16, 0, 24, id << 1, 0x22, 16];
    header.extend_from_slice(&[7; 16]);
    header.extend_from_slice(b"\x28\0");
    hadoop_frame(&[&header, b"\x0a\x0bgetFileInfo\x12\x07a.Proto\x18\x01", argument])
}

/// A frame whose header has so many fields, and of which `len` bytes are still to come.
fn hadoop_long_header(fields: usize, len: u32) -> Vec<u8> {
    let mut header = hadoop_call(1, b"")[5..31].to_vec();
    header.extend(b"\x08\x02".repeat(fields));
    let mut body = Vec::new();
    jvmwire_codec::varint::encode(header.len() as u64, &mut body);
    body.extend(header);
    let mut out = (u32::try_from(body.len()).unwrap() + len).to_be_bytes().to_vec();
    out.extend(body);
    out
}

fn hazelcast_frame(flags: u8, kind: u16, id: u8, fields: &[u8]) -> Vec<u8> {
    let mut out = u32::try_from(22 + fields.len()).unwrap().to_le_bytes().to_vec();
    out.extend([1, flags]);
    out.extend(kind.to_le_bytes());
    out.extend([id, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 22, 0]);
    out.extend(fields);
    out
}

fn pravega_frame(kind: i32, payload: &[u8]) -> Vec<u8> {
    let mut out = kind.to_be_bytes().to_vec();
    out.extend(u32::try_from(payload.len()).unwrap().to_be_bytes());
    out.extend(payload);
    out
}

/// Messages of a protocol, of either side, and what begins a conversation.
fn messages(protocol: Protocol) -> Vec<Vec<u8>> {
    match protocol {
        Protocol::Hadoop => vec![
            b"hrpc\x09\0\0".to_vec(),
            hadoop_call(3, b"\x0a\x02/a"),
            hadoop_call(4, &[b"\x0a\xd0\x0f", &[b'p'; 2000][..]].concat()),
            hadoop_frame(&[&[8, 3, 16, 0, 24, 9], b""]),
        ],
        Protocol::Hazelcast => vec![
            b"CB2".to_vec(),
            hazelcast_frame(0xc0, 0x0101, 1, &[0; 40]),
            hazelcast_frame(0x80, 0x0101, 1, &[1; 10]),
            hazelcast_frame(0, 0x0101, 1, &[2; 10]),
            hazelcast_frame(0, 0x0101, 1, &[2; 3000]),
            hazelcast_frame(0x40, 0x0101, 1, &[3; 10]),
            hazelcast_frame(0xc0, 100, 1, b""),
        ],
        Protocol::Pravega | Protocol::PravegaEarly => vec![
            pravega_frame(-127, &[0, 0, 0, 17, 0, 0, 0, 5]),
            pravega_frame(100, b""),
            pravega_frame(13, &[&[0; 17][..], &[7; 2000]].concat()),
            pravega_frame(-1, &[0; 300]),
        ],
        Protocol::Hama => [
            "%0%=\n0\n",
            "%1%=\n2\nuser.name\nbob\n",
            "%3%=\n",
            "%ACK_0%=\n",
            "%12%=\n",
            "%6%=\n",
            "%10%=\npeer\nmessage\n",
            "3\na\nb\nc\n",
            "\n",
            "key\nvalue\n",
        ]
        .map(|line| line.as_bytes().to_vec())
        .into(),
        Protocol::Storm => vec![
            b"{\"pidDir\":\"/tmp\",\"context\":{},\"conf\":{}}\nend\n".to_vec(),
            b"{\"pid\":1}\nend\n".to_vec(),
            b"{\"command\":\"emit\",\"tuple\":[1]}\nend\n".to_vec(),
            b"{\"command\":\"sync\"}\nend\n".to_vec(),
            b"{\"command\":\"ack\",\"id\":\"7\"}\nend\n".to_vec(),
            [
                &b"{\"command\":\"log\",\"msg\":"[..],
                &b"[\n".repeat(300),
                &b"]\n".repeat(300),
                b"}\nend\n",
            ]
            .concat(),
            b"[1]\nend\n".to_vec(),
        ],
    }
}

/// Bytes that look like messages for long: lengths that almost fit, headers at every offset, lists that
/// are counted and do not end, lines without their end.
fn decoys() -> Vec<Vec<u8>> {
    vec![
        b"\x0a\x06\x03\x08\x08\x08\xff\x7f".to_vec(),
        b"\x00\x00\x00\x5a\x00\xf0\x00\x00".to_vec(),
        b"\x00\x00\x00\x5a\x00\x00\x00\x5a".to_vec(),
        [&75_i32.to_be_bytes()[..], &200_000_u32.to_be_bytes(), &[0; 8], &90_000_u32.to_be_bytes()]
            .concat(),
        hadoop_long_header(20_000, 1 << 20),
        hadoop_long_header(20, 2000),
        b"\0\0\0\x40".to_vec(),
        hazelcast_frame(0x80, 0x0101, 9, &[0; 10]),
        hazelcast_frame(0, 0x0101, 9, &[0; 1]),
        b"1048576\n".to_vec(),
        b"%0%=\n0\n%1%=\n100000\n".to_vec(),
        b"%10%=\n".to_vec(),
        b"%31%=text that goes on".to_vec(),
        b"x\nend\n".to_vec(),
        b"\nend\n".to_vec(),
        b"a\n".to_vec(),
        b"$3\r\nGET\r\n$5\r\nhello\r\n".to_vec(),
        b"{\"a\":".to_vec(),
        b" ".to_vec(),
        b"\r".to_vec(),
        b"\0".to_vec(),
        b"\xff".to_vec(),
        b"The quick brown fox ".to_vec(),
        (0..=255)
            .cycle()
            .map(|n: u32| (n.wrapping_mul(167) >> 3).to_le_bytes()[0])
            .take(999)
            .collect(),
    ]
}

/// Units, each repeated to some length.
fn input(units: Vec<Vec<u8>>, parts: std::ops::Range<usize>) -> impl Strategy<Value = Vec<u8>> {
    let part = (prop::sample::select(units), prop_oneof![Just(1), 1..20_000_usize]);
    prop::collection::vec(part, parts).prop_map(|parts| {
        let repeated = parts.into_iter().map(|(unit, len)| unit.repeat(len.div_ceil(unit.len())));
        repeated.collect::<Vec<_>>().concat()
    })
}

/// Bytes examined while a stream takes what both sides wrote, in turns of so many bytes.
fn examined(mut stream: Stream, sides: [&[u8]; 2], size: usize) -> u64 {
    let mut out = Output::new(&Wanted { messages: true, calls: true, ..Wanted::default() });
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

fn sizes() -> impl Strategy<Value = usize> {
    prop_oneof![Just(1), Just(1460), 2..1460_usize]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn one_side_alone_examines_few_bytes_for_each(
        (protocol, bytes) in protocols().prop_flat_map(|it| (Just(it), input(messages(it), 1..4))),
        size in sizes(),
        side in prop::sample::select(vec![Side::Client, Side::Server]),
    ) {
        let mut sides: [&[u8]; 2] = Default::default();
        sides[side as usize] = &bytes;
        let stream = Stream::new(0, Mode::Dump, Some(protocol.into()));
        let examined = examined(stream, sides, size);
        let fed = bytes.len() as u64;
        prop_assert!(
            examined <= RESYNCHRONISING * fed + ALWAYS,
            "{protocol:?}: {examined} for {fed} bytes"
        );
    }

    #[test]
    fn resynchronising_examines_few_bytes_for_each(
        (protocol, sides) in protocols().prop_flat_map(|it| {
            let side = || input([messages(it), decoys()].concat(), 0..5);
            (Just(it), [side(), side()])
        }),
        size in sizes(),
        mode in prop::sample::select(vec![Mode::FromStart, Mode::Dump, Mode::DumpOfAny, Mode::DumpOfBoth]),
    ) {
        let stream = Stream::new(0, mode, Some(protocol.into()));
        let examined = examined(stream, [&sides[0], &sides[1]], size);
        let fed = sides.concat().len() as u64;
        prop_assert!(
            examined <= RESYNCHRONISING * fed + ALWAYS,
            "{protocol:?} {mode:?}: {examined} for {fed} bytes"
        );
    }

    #[test]
    fn detecting_examines_few_bytes_for_each(
        sides in {
            let all = Protocol::ALL.into_iter().flat_map(messages).chain(decoys()).collect::<Vec<_>>();
            [input(all.clone(), 0..5), input(all, 0..5)]
        },
        size in sizes(),
        mode in prop::sample::select(vec![Mode::FromStart, Mode::Midway]),
    ) {
        let examined = examined(Stream::new(0, mode, None), [&sides[0], &sides[1]], size);
        let fed = sides.concat().len() as u64;
        prop_assert!(
            examined <= DETECTING * fed + ALWAYS,
            "{mode:?}: {examined} for {fed} bytes"
        );
    }
}

#[test]
fn messages_alone_are_framed_by_looking_at_each_byte_few_times() {
    for protocol in Protocol::ALL {
        for message in messages(protocol) {
            for size in [1, 100, 1460] {
                let bytes = message.repeat(100_000_usize.div_ceil(message.len()));
                for side in [Side::Client, Side::Server] {
                    let mut sides: [&[u8]; 2] = Default::default();
                    sides[side as usize] = &bytes;
                    let mut out = Output::new(&Wanted { messages: true, ..Wanted::default() });
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
