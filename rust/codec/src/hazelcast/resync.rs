//! Finds messages where a stream was not seen from its start.

use super::{
    HEADER_LEN, Header, MESSAGE_LIMIT, PREAMBLE, Role, frames::FRAMING, tables::message_type,
};
use crate::{
    cost::examined,
    frame::LENGTH_LEN,
    message::Side,
    resync::{self, Front, Start},
    scan::Scan,
};

/// See [`crate::message::Conversation::resume`].
pub(super) fn resume(
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
    // Version and flags, after the length, say most of it.
    let skip = |bytes: &[u8]| {
        let begins = |front: &[u8]| {
            let is_header =
                front[LENGTH_LEN] <= MAX_VERSION && front[LENGTH_LEN + 1] & !KNOWN_FLAGS == 0;
            is_header || front[0] == PREAMBLE[0]
        };
        let windows = bytes.windows(LENGTH_LEN + 2);
        let most = windows.len();
        windows.map(begins).position(|it| it).unwrap_or(most)
    };
    resync::first(bytes, end, scan, LENGTH_LEN, skip, start, |_, rest| front(side, rest))
}

fn front(side: Option<Side>, bytes: &[u8]) -> Front {
    examined(LENGTH_LEN);
    let len = match FRAMING.header(bytes, MESSAGE_LIMIT) {
        Ok(Some(header)) => header.len + header.payload_len,
        Ok(None) => return Front::TooShort(LENGTH_LEN),
        Err(_) => return Front::NoFrame,
    };
    if len < HEADER_LEN {
        return Front::NoFrame;
    }
    let Some(head) = bytes.get(LENGTH_LEN..HEADER_LEN) else {
        return Front::TooShort(HEADER_LEN);
    };
    examined(HEADER_LEN - LENGTH_LEN);
    let plausible = Header::decode(head).map_or_else(
        // Its fields begin beyond what was looked at: in the extension, or beyond the frame.
        |error| error.problem.value().is_some_and(|offset| (22..=64).contains(&offset)),
        |_| true,
    );
    let kind = u16::from_le_bytes([head[2], head[3]]);
    let of_side = match (message_type(kind).map(|message| message.role), side) {
        (None, _) => false,
        (Some(Role::Request { .. }), side) => side != Some(Side::Server),
        (Some(Role::Response | Role::Event), side) => side != Some(Side::Client),
    };
    if !plausible || !of_side || head[0] > MAX_VERSION || head[1] & !KNOWN_FLAGS != 0 {
        return Front::NoFrame;
    }
    if bytes.len() < len { Front::TooShort(len) } else { Front::Frame(len) }
}

/// Who writes messages of that type; a client those that are not known.
pub(super) fn writer_of(kind: u16) -> Side {
    match message_type(kind).map(|message| message.role) {
        Some(Role::Response | Role::Event) => Side::Server,
        _ => Side::Client,
    }
}

/// Begin, end, event.
const KNOWN_FLAGS: u8 = 0xc1;
/// Writers say 0 or 1; what comes by chance is as likely to say anything.
const MAX_VERSION: u8 = 8;
