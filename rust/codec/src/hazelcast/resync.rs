//! Search for messages in a stream that was not seen from its start.

use super::{
    HEADER_LEN, MESSAGE_LIMIT, PREAMBLE, Role, frames::FRAMING, generated::messages::REQUESTS,
    tables::message_type,
};
use crate::{
    cost::examined,
    frame::LENGTH_LEN,
    message::Side,
    resync::{self, FrameProbe, Start},
    scan::Scan,
};

/// See [`crate::message::ProtocolDecoder::resync`].
pub(super) fn resync(
    side: Option<Side>,
    bytes: &[u8],
    end: bool,
    scan: &mut Scan,
) -> Result<usize, usize> {
    let start = |bytes: &[u8]| {
        if side == Some(Side::Server) {
            Start::After(0)
        } else if bytes.starts_with(PREAMBLE) {
            Start::After(PREAMBLE.len())
        } else if PREAMBLE.starts_with(bytes) {
            Start::TooShort(PREAMBLE.len())
        } else {
            Start::After(0)
        }
    };
    // Version and flags, after the length, exclude most positions.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, the compiler makes vectors of it"
    )]
    let seems_to = |&[first, second, third, last, version, flags, _, kind]: &[u8; FRONT_LEN]| {
        let is_header =
            (version <= MAX_VERSION) & (flags & !KNOWN_FLAGS == 0) & (kind <= HIGHEST_KIND);
        let is_length =
            (last <= LONGEST_LAST) & ((second | third | last != 0) | (first >= SHORTEST_FIRST));
        is_header & is_length | (first == PREAMBLE[0]) & (second == PREAMBLE[1])
    };
    resync::find_boundary(bytes, end, scan, LENGTH_LEN, seems_to, start, |_, rest| {
        front(side, rest)
    })
}

fn front(side: Option<Side>, bytes: &[u8]) -> FrameProbe {
    examined(LENGTH_LEN);
    let len = match FRAMING.header(bytes, MESSAGE_LIMIT) {
        Ok(Some(header)) => header.len + header.payload_len,
        Ok(None) => return FrameProbe::TooShort(LENGTH_LEN),
        Err(_) => return FrameProbe::NoFrame,
    };
    if len < HEADER_LEN {
        return FrameProbe::NoFrame;
    }
    let Some(head) = bytes[LENGTH_LEN..].first_chunk::<{ HEADER_LEN - LENGTH_LEN }>() else {
        return FrameProbe::TooShort(HEADER_LEN);
    };
    // Not the ids between the type and the place of the fields.
    examined(HEADER_EXAMINED);
    let &[version, flags, k0, k1, .., o0, o1] = head;
    // Fields may begin after an extension of the header.
    let is_header = version <= MAX_VERSION
        && flags & !KNOWN_FLAGS == 0
        && (HEADER_LEN..=MAX_DATA_OFFSET).contains(&u16::from_le_bytes([o0, o1]).into());
    if !is_header || !is_of_side(u16::from_le_bytes([k0, k1]), side) {
        return FrameProbe::NoFrame;
    }
    if bytes.len() < len { FrameProbe::TooShort(len) } else { FrameProbe::Frame(len) }
}

/// Whether `side`, or anyone, writes messages of that type.
fn is_of_side(kind: u16, side: Option<Side>) -> bool {
    match message_type(kind).map(|message| message.role) {
        None => false,
        Some(Role::Request { .. }) => side != Some(Side::Server),
        Some(Role::Response | Role::Event) => side != Some(Side::Client),
    }
}

/// Who writes messages of that type; a client those that are not known.
pub(super) fn writer_of(kind: u16) -> Side {
    match message_type(kind).map(|message| message.role) {
        Some(Role::Response | Role::Event) => Side::Server,
        _ => Side::Client,
    }
}

/// What lengths of frames may be, which count the header.
#[expect(clippy::cast_possible_truncation, reason = "a header is short")]
const SHORTEST: u32 = HEADER_LEN as u32;
#[expect(clippy::cast_possible_truncation, reason = "an int holds the limit")]
const LONGEST: u32 = (MESSAGE_LIMIT + LENGTH_LEN) as u32;
/// The first byte of the shortest length, and the last of the longest.
const SHORTEST_FIRST: u8 = SHORTEST.to_le_bytes()[0];
const LONGEST_LAST: u8 = LONGEST.to_le_bytes()[3];
/// Bytes by which most of what begins no frame is told: up to the type of the message.
const FRONT_LEN: usize = LENGTH_LEN + 4;
/// Bytes of a header by which it is judged, in addition to its length: version, flags, type, place of the fields.
const HEADER_EXAMINED: usize = 1 + 1 + 2 + 2;
/// The last byte of the highest type, whose table is in order.
const HIGHEST_KIND: u8 = REQUESTS[REQUESTS.len() - 1].id.to_le_bytes()[1];
/// Begin, end, event.
const KNOWN_FLAGS: u8 = 0xc1;
/// Where fields begin at most: only a header that has an extension is longer (chosen by jvmwire).
const MAX_DATA_OFFSET: usize = 64;
/// Writers say 0 or 1; what comes by chance is as likely to say anything.
const MAX_VERSION: u8 = 8;
