//! Messages of each format, and bytes that resemble messages.

use super::Format;
use crate::{frame, varint};

fn hadoop_frame(parts: &[&[u8]]) -> Vec<u8> {
    let body: Vec<u8> = parts
        .iter()
        .flat_map(|part| {
            let mut delimited = Vec::new();
            varint::encode(part.len() as u64, &mut delimited);
            delimited.extend_from_slice(part);
            delimited
        })
        .collect();
    let mut out = Vec::new();
    // No part is as long as a frame may be.
    let _ = frame::encode(&body, &mut out);
    out
}

fn hadoop_call(id: u32, argument: &[u8]) -> Vec<u8> {
    let mut header = vec![8, 2, 16, 0, 24];
    varint::encode(u64::from(id) << 1, &mut header);
    header.extend([0x22, 16]);
    header.extend_from_slice(&[7; 16]);
    header.extend_from_slice(b"\x28\0");
    hadoop_frame(&[&header, b"\x0a\x0bgetFileInfo\x12\x07a.Proto\x18\x01", argument])
}

/// Encodes a protobuf field of bytes.
fn field(number: u8, bytes: &[u8]) -> Vec<u8> {
    let mut out = vec![number << 3 | 2];
    varint::encode(bytes.len() as u64, &mut out);
    out.extend_from_slice(bytes);
    out
}

/// Encodes the start of a frame whose header has `fields` fields and of which `len` bytes are missing.
fn hadoop_long_header(fields: usize, len: u32) -> Vec<u8> {
    let mut header = hadoop_call(1, b"")[5..31].to_vec();
    header.extend(b"\x08\x02".repeat(fields));
    let mut body = Vec::new();
    varint::encode(header.len() as u64, &mut body);
    body.extend(header);
    let mut out = be(body.len()).saturating_add(len).to_be_bytes().to_vec();
    out.extend(body);
    out
}

fn be(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

fn hazelcast_frame(flags: u8, kind: u16, id: u32, fields: &[u8]) -> Vec<u8> {
    let mut out = be(22 + fields.len()).to_le_bytes().to_vec();
    out.extend([1, flags]);
    out.extend(kind.to_le_bytes());
    out.extend(u64::from(id).to_le_bytes());
    out.extend([0xff, 0xff, 0xff, 0xff, 22, 0]);
    out.extend(fields);
    out
}

fn pravega_frame(kind: i32, payload: &[u8]) -> Vec<u8> {
    let mut out = kind.to_be_bytes().to_vec();
    out.extend(be(payload.len()).to_be_bytes());
    out.extend(payload);
    out
}

/// Returns messages of a format, of either side, and the start of a connection.
pub(super) fn messages(format: Format) -> Vec<Vec<u8>> {
    match format {
        Format::Hadoop => vec![
            b"hrpc\x09\0\0".to_vec(),
            hadoop_call(3, b"\x0a\x02/a"),
            hadoop_call(4, &field(1, &[b'p'; 2000])),
            hadoop_frame(&[&[8, 3, 16, 0, 24, 9], b""]),
            // A ping of an old client.
            b"\xff\xff\xff\xff".to_vec(),
        ],
        Format::Hazelcast => vec![
            b"CB2".to_vec(),
            hazelcast_frame(0xc0, 0x0101, 1, &[0; 40]),
            hazelcast_frame(0x80, 0x0101, 1, &[1; 10]),
            hazelcast_frame(0, 0x0101, 1, &[2; 10]),
            hazelcast_frame(0, 0x0101, 1, &[2; 3000]),
            hazelcast_frame(0x40, 0x0101, 1, &[3; 10]),
            hazelcast_frame(0xc0, 100, 1, b""),
        ],
        Format::Pravega | Format::PravegaEarly => vec![
            pravega_frame(-127, &[0, 0, 0, 17, 0, 0, 0, 5]),
            pravega_frame(100, b""),
            pravega_frame(13, &[&[0; 17][..], &[7; 2000]].concat()),
            pravega_frame(-1, &[0; 300]),
        ],
        Format::Hama => [
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
        Format::Storm => vec![
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

/// Encodes a request with the given id and a text of the given length, so that calls remain open.
pub(super) fn request(format: Format, id: u32, text: usize) -> Vec<u8> {
    let letters = vec![b'a'; text];
    match format {
        Format::Hadoop => hadoop_call(id, &field(1, &letters)),
        Format::Hazelcast => {
            let name = [&be(text).to_le_bytes()[..], &letters].concat();
            hazelcast_frame(0xc0, 0x0102, id, &name)
        }
        Format::Pravega | Format::PravegaEarly => {
            let mut payload = u64::from(id).to_be_bytes().to_vec();
            payload.extend(u16::try_from(text).unwrap_or(u16::MAX).to_be_bytes());
            payload.extend(letters);
            payload.extend([0, 0]);
            pravega_frame(11, &payload)
        }
        Format::Hama => [b"%10%=\n", &letters[..], b"\nmessage\n"].concat(),
        Format::Storm => {
            let id = id.to_string();
            let before = [b"{\"id\":\"", id.as_bytes(), &letters].concat();
            [&before[..], b"\",\"comp\":\"c\",\"stream\":\"s\",\"task\":1,\"tuple\":[]}\nend\n"]
                .concat()
        }
    }
}

/// Values announced at the start of a frame: its length, and the number of elements in its list.
pub(super) struct FramedUnit {
    /// Announced number of bytes that follow.
    pub(super) claimed: usize,
    /// Announced number of elements.
    pub(super) count: usize,
}

/// Encodes the start of a message that announces a length, or a list of a number of elements.
pub(super) fn frame_claiming(format: Format, unit: &FramedUnit) -> Vec<u8> {
    let &FramedUnit { claimed, count } = unit;
    match format {
        Format::Hadoop => be(claimed).to_be_bytes().to_vec(),
        Format::Hazelcast => {
            let mut out = hazelcast_frame(0xc0, 0x0106, 1, &be(count).to_le_bytes());
            out[..4].copy_from_slice(&be(claimed.saturating_add(26)).to_le_bytes());
            out
        }
        Format::Pravega | Format::PravegaEarly => {
            let mut out = 75_i32.to_be_bytes().to_vec();
            out.extend(be(claimed.saturating_add(12)).to_be_bytes());
            out.extend([0; 8]);
            out.extend(be(count).to_be_bytes());
            out
        }
        Format::Hama => format!("%0%=\n0\n%1%=\n{count}\n").into_bytes(),
        Format::Storm => b"{\"command\":\"emit\",\"tuple\":[".to_vec(),
    }
}

/// Encodes about `len` bytes of one message in fragments of `size`, optionally interleaved with other messages.
pub(super) fn fragments(format: Format, len: usize, size: usize, is_mixed: bool) -> Vec<u8> {
    let piece = vec![b'f'; size];
    let count = len.div_ceil(size + 22).max(1);
    let middle: Box<dyn Fn(u8) -> Vec<u8>> = match format {
        Format::Hazelcast => Box::new(|flags| hazelcast_frame(flags, 0x0101, 1, &piece)),
        Format::Hadoop => Box::new(|_| hadoop_call(3, &field(1, &piece))),
        Format::Pravega | Format::PravegaEarly => Box::new(|_| pravega_frame(-2, &piece)),
        Format::Hama | Format::Storm => Box::new(|flags| {
            [&piece[..], if flags & 0x40 == 0 { b"\n" } else { b"\nend\n" }].concat()
        }),
    };
    let other = if is_mixed { messages(format).pop().unwrap_or_default() } else { Vec::new() };
    let mut out = middle(if count == 1 { 0xc0 } else { 0x80 });
    for index in 1..count {
        out.extend(&other);
        out.extend(middle(if index + 1 == count { 0x40 } else { 0 }));
    }
    out
}

/// Returns bytes that resemble messages for a long time: lengths that almost fit, headers at every offset,
/// lists with a count and no end, lines without an end, and messages of other protocols.
pub(super) fn decoys() -> Vec<Vec<u8>> {
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
        b"\x05\0\0\x01\x03abcd\x07\0\0\x02\xfe\0\0\x22\0\0\0".to_vec(),
        b"The quick brown fox ".to_vec(),
        super::random(7, 999),
    ]
}
