//! Finds messages where a stream was not seen from its start.

use super::{
    HEADER_LEN, Header, MESSAGE_LIMIT, PREAMBLE, Role, frames::FRAMING, tables::message_type,
};
use crate::{frame::LENGTH_LEN, message::Side};

/// See [`crate::message::Conversation::resume`].
pub(super) fn resume(side: Option<Side>, bytes: &[u8], end: bool) -> Result<usize, usize> {
    let mut at = 0;
    while at < bytes.len() {
        match chains(side, &bytes[at..], end) {
            Some(true) => return Ok(at),
            Some(false) => at += 1,
            None => break,
        }
    }
    Err(at)
}

/// Whether `bytes` begin a chain of frames; `None` if more must be seen.
fn chains(side: Option<Side>, bytes: &[u8], end: bool) -> Option<bool> {
    let mut rest = bytes;
    if side != Some(Side::Server) {
        if let Some(behind) = bytes.strip_prefix(PREAMBLE) {
            rest = behind;
        } else if PREAMBLE.starts_with(bytes) {
            return if end { Some(false) } else { None };
        }
    }
    for seen in 0..CHAIN {
        match front(side, rest) {
            Look::Frame(len) => rest = &rest[len..],
            Look::NoFrame => return Some(false),
            // A chain that breaks off with the stream is one if it has begun.
            Look::TooShort if end => return Some(seen > 0 || rest.len() < bytes.len()),
            Look::TooShort => return None,
        }
        if rest.is_empty() && end {
            return Some(true);
        }
    }
    Some(true)
}

enum Look {
    /// A frame of this many bytes.
    Frame(usize),
    NoFrame,
    TooShort,
}

fn front(side: Option<Side>, bytes: &[u8]) -> Look {
    let len = match FRAMING.header(bytes, MESSAGE_LIMIT) {
        Ok(Some(header)) => header.len + header.payload_len,
        Ok(None) => return Look::TooShort,
        Err(_) => return Look::NoFrame,
    };
    if len < HEADER_LEN {
        return Look::NoFrame;
    }
    let Some(head) = bytes.get(LENGTH_LEN..HEADER_LEN) else { return Look::TooShort };
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
        return Look::NoFrame;
    }
    if bytes.len() < len { Look::TooShort } else { Look::Frame(len) }
}

/// Who writes messages of that type; a client those that are not known.
pub(super) fn writer_of(kind: u16) -> Side {
    match message_type(kind).map(|message| message.role) {
        Some(Role::Response | Role::Event) => Side::Server,
        _ => Side::Client,
    }
}

/// Frames that must follow one another. Ours.
const CHAIN: usize = 3;
/// Begin, end, event.
const KNOWN_FLAGS: u8 = 0xc1;
/// Writers say 0 or 1; what comes by chance is as likely to say anything.
const MAX_VERSION: u8 = 8;
