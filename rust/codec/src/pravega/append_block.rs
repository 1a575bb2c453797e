//! Content of an append block: frames of events, then one that fills the block or is cut. The rest of
//! an event that is cut is in the command that ends the block.

use super::{Command, FRAME_LIMIT, HEADER_LEN, named, visit_fields};
use crate::{
    DecodeErrorKind, Result,
    cost::examined,
    frame::{Framing, Header},
    message::{Decoded, Kind, Message, Side},
    scan::Scan,
    visit::{Value, Visitor},
};

/// End of a block's frames.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Chain {
    /// With the last of them.
    Whole,
    /// With the beginning of an event.
    Torn,
}

/// Whether a command is only ever part of an append block.
pub(super) fn is_of_block(command: &Command) -> bool {
    (PARTIAL_EVENT..=EVENT).contains(&command.code)
}

/// End of the frames in `data`; `None` unless they are frames of a block.
pub(super) fn chain(data: &[u8]) -> Option<Chain> {
    let mut rest = data;
    while !rest.is_empty() {
        let Header { kind, len, payload_len } =
            Framing::PRAVEGA.front(rest, FRAME_LIMIT - HEADER_LEN).ok()??;
        rest = &rest[len + payload_len..];
        match kind {
            EVENT => {}
            PADDING if rest.is_empty() => return Some(Chain::Whole),
            PARTIAL_EVENT if rest.is_empty() => return Some(Chain::Torn),
            _ => return None,
        }
    }
    Some(Chain::Whole)
}

/// Decodes the frame at the front of what blocks hold; of a torn event all, once all is there.
pub(super) fn next_of_block<'a, V: Visitor>(
    side: Side,
    bytes: &'a [u8],
    scan: &mut Scan,
    visitor: &mut V,
) -> Decoded<'a> {
    if scan.is_short(bytes) {
        return Decoded::Incomplete;
    }
    examined(HEADER_LEN);
    let (head, header) = match front(bytes) {
        Ok(Some(front)) => front,
        Ok(None) => {
            scan.wait_for(if bytes.len() < HEADER_LEN { HEADER_LEN } else { 2 * HEADER_LEN });
            return Decoded::Incomplete;
        }
        Err(error) => return Decoded::Malformed(error),
    };
    let at = head + header.len;
    let len = at + header.payload_len;
    let Some(payload) = bytes.get(at..len) else {
        scan.wait_for(len);
        return Decoded::Incomplete;
    };
    for start in (0..at).step_by(HEADER_LEN) {
        let (kind, length) = (int(&bytes[start..]), int(&bytes[start + 4..]));
        visitor.layout("type", start..start + 4, Value::Int(kind));
        visitor.layout("length", start + 4..start + HEADER_LEN, Value::Int(length));
    }
    if header.kind == EVENT {
        visitor.field("data", at..len, Value::Bytes(payload));
        return Decoded::Message(Message::new(side, "Event", Kind::Event), len);
    }
    let Some(padding) = named("Padding") else { return Decoded::Incomplete };
    let error = visit_fields(padding, payload, visitor).err();
    Decoded::Message(Message { error, ..Message::new(side, padding.name, Kind::Control) }, len)
}

/// The header of the event or padding at the front, and how much stands before it.
fn front(bytes: &[u8]) -> Result<Option<(usize, Header)>> {
    let limit = FRAME_LIMIT - HEADER_LEN;
    let Some(first) = Framing::PRAVEGA.header(bytes, limit)? else { return Ok(None) };
    match first.kind {
        EVENT | PADDING => return Ok(Some((0, first))),
        PARTIAL_EVENT => {}
        kind => return Err(unexpected(kind, "what an append block holds", 0)),
    }
    let rest = &bytes[HEADER_LEN..];
    let torn = Framing::PRAVEGA.header(rest, limit).map_err(|error| error.moved(HEADER_LEN))?;
    let Some(torn) = torn else { return Ok(None) };
    if torn.kind != EVENT {
        return Err(unexpected(torn.kind, "an event", HEADER_LEN));
    }
    Ok(Some((HEADER_LEN, torn)))
}

fn unexpected(kind: i32, expected: &'static str, at: usize) -> crate::DecodeError {
    DecodeErrorKind::Unexpected { value: kind.into(), expected }.at("type", at)
}

fn int(bytes: &[u8]) -> i64 {
    bytes.first_chunk().map_or(0, |bytes| i32::from_be_bytes(*bytes)).into()
}

const PARTIAL_EVENT: i32 = -2;
const PADDING: i32 = -1;
const EVENT: i32 = 0;
