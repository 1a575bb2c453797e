//! Finds messages where a stream was not seen from its start.

use super::{
    HEADER_LEN, Header, MESSAGE_LIMIT, PREAMBLE, Role, frames::FRAMING, tables::message_type,
};
use crate::{
    chain::{self, Front},
    frame::LENGTH_LEN,
    message::Side,
};

/// See [`crate::message::Conversation::resume`].
pub(super) fn resume(side: Option<Side>, bytes: &[u8], end: bool) -> Result<usize, usize> {
    chain::first(bytes, |bytes| {
        let (frames, greeted) = match bytes.strip_prefix(PREAMBLE) {
            _ if side == Some(Side::Server) => (bytes, false),
            Some(behind) => (behind, true),
            None if PREAMBLE.starts_with(bytes) => return if end { Some(false) } else { None },
            None => (bytes, false),
        };
        chain::chains(frames, end, greeted, |_, rest| front(side, rest))
    })
}

fn front(side: Option<Side>, bytes: &[u8]) -> Front {
    let len = match FRAMING.header(bytes, MESSAGE_LIMIT) {
        Ok(Some(header)) => header.len + header.payload_len,
        Ok(None) => return Front::TooShort,
        Err(_) => return Front::NoFrame,
    };
    if len < HEADER_LEN {
        return Front::NoFrame;
    }
    let Some(head) = bytes.get(LENGTH_LEN..HEADER_LEN) else { return Front::TooShort };
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
    if bytes.len() < len { Front::TooShort } else { Front::Frame(len) }
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
