//! Replies of a task to its child.

use std::ops::Range;

use super::{LINE_LIMIT, MAX_LINES, Op, OpCode, ResponseFormat, ops::CLEARED};
use crate::{
    DecodeError, DecodeErrorKind, Result,
    message::{CallEvent, Kind, Message, Outcome, Reply, Side, Status},
    visit::{Shape, Value, Visitor},
};

/// Message and its length, or `None` if it is incomplete.
pub(super) type DecodeResult<'a> = Result<Option<(Message<'a>, usize)>>;

/// Decodes the response of a task to `op`.
pub(super) fn decode_response<'a, V: Visitor>(
    op: Op,
    bytes: &[u8],
    visitor: &mut V,
) -> DecodeResult<'a> {
    let mut message = reply(REPLY);
    let name = Value::Enum(op.code.number().into(), op.name);
    let len = match op.response {
        ResponseFormat::None => 0,
        ResponseFormat::Byte => {
            if bytes[0] != CLEARED {
                let value = bytes[0].into();
                let problem = DecodeErrorKind::Unexpected { value, expected: "CLEAR's answer, 18" };
                return Err(problem.at("CLEAR", 0));
            }
            message.name = op.name;
            1
        }
        ResponseFormat::Success => {
            let Some((line, len)) = task_line(bytes)? else { return Ok(None) };
            message.name = op.name;
            visitor.field("status", line.clone(), text(&bytes[line.clone()]));
            if bytes[line] != *SYNCED {
                message.call = CallEvent::Reply(Reply {
                    token: None,
                    outcome: Outcome { status: Status::Error, error_class: None },
                });
            }
            len
        }
        ResponseFormat::Lines(lines) => {
            let mut at = 0;
            let mut found = Vec::with_capacity(lines);
            for _ in 0..lines {
                let Some((line, next)) = line_at(bytes, at)? else { return Ok(None) };
                found.push(line);
                at = next;
            }
            visitor.field("operation", 0..0, name);
            match (op.code, &found[..]) {
                (OpCode::ReadKeyValue, [key, value]) => {
                    visitor.field("key", key.clone(), text(&bytes[key.clone()]));
                    visitor.field("value", value.clone(), text(&bytes[value.clone()]));
                }
                (OpCode::GetMessage, [line]) => {
                    visitor.field("message", line.clone(), text(&bytes[line.clone()]));
                }
                (OpCode::GetPeerName, [line]) => {
                    visitor.field("peer_name", line.clone(), text(&bytes[line.clone()]));
                }
                (_, lines) => {
                    for line in lines {
                        message.error = count("value", line, bytes, visitor).err();
                    }
                }
            }
            at
        }
        ResponseFormat::Counted => {
            let Some((line, mut at)) = task_line(bytes)? else { return Ok(None) };
            let names = number(&bytes[line.clone()]).and_then(|count| usize::try_from(count).ok());
            let Some(names) = names.filter(|names| *names <= MAX_LINES) else {
                // The line is the reply; its end is not searched for byte by byte.
                visitor.field("operation", 0..0, name);
                visitor.field("count", line.clone(), text(&bytes[line]));
                message.error = Some(DecodeErrorKind::NotANumber.at("count", 0));
                return Ok(Some((message, at)));
            };
            let mut found = Vec::new();
            for _ in 0..names {
                let Some((line, next)) = line_at(bytes, at)? else { return Ok(None) };
                found.push(line);
                at = next;
            }
            visitor.field("operation", 0..0, name);
            visitor.field("count", line, Value::UInt(names as u64));
            visitor.enter("peer_names", Shape::List);
            for line in found {
                visitor.field("", line.clone(), text(&bytes[line]));
            }
            visitor.leave();
            at
        }
    };
    Ok(Some((message, len)))
}

/// Decodes a response whose request was not captured, by its bytes alone.
pub(super) fn decode_unrequested<'a, V: Visitor>(
    bytes: &[u8],
    visitor: &mut V,
) -> DecodeResult<'a> {
    if bytes[0] == CLEARED {
        return Ok(Some((reply("CLEAR"), 1)));
    }
    let Some((line, len)) = task_line(bytes)? else { return Ok(None) };
    if bytes[line.clone()] == *SYNCED {
        visitor.field("status", line.clone(), text(&bytes[line]));
        return Ok(Some((reply("SYNC"), len)));
    }
    visitor.field("value", line.clone(), text(&bytes[line]));
    Ok(Some((reply(REPLY), len)))
}

/// Returns the line at the start of a task's bytes and the offset of the next; its lines end with `\n` only.
pub(super) fn task_line(bytes: &[u8]) -> Result<Option<(Range<usize>, usize)>> {
    let end = memchr::memchr(b'\n', bytes);
    if end.unwrap_or(bytes.len()) > LINE_LIMIT {
        let limit = LINE_LIMIT as u64;
        return Err(DecodeErrorKind::OverLimit { value: limit + 1, limit }.at("line length", 0));
    }
    Ok(end.map(|end| (0..end, end + 1)))
}

pub(super) fn line_at(bytes: &[u8], at: usize) -> Result<Option<(Range<usize>, usize)>> {
    let found = task_line(&bytes[at..]).map_err(|error| error.moved(at))?;
    Ok(found.map(|(line, next)| (at..at + line.end, at + next)))
}

pub(super) fn number(line: &[u8]) -> Option<i64> {
    std::str::from_utf8(line.trim_ascii()).ok()?.trim_end_matches('\0').parse().ok()
}

/// Shows a number; if the text is not a number, shows the text.
pub(super) fn count<V: Visitor>(
    name: &'static str,
    at: &Range<usize>,
    bytes: &[u8],
    visitor: &mut V,
) -> std::result::Result<(), DecodeError> {
    let line = &bytes[at.clone()];
    if let Some(number) = number(line) {
        visitor.field(name, at.clone(), Value::Int(number));
        return Ok(());
    }
    visitor.field(name, at.clone(), text(line));
    Err(DecodeErrorKind::NotANumber.at(name, at.start))
}

pub(super) fn text(bytes: &[u8]) -> Value<'_> {
    std::str::from_utf8(bytes).map_or(Value::Bytes(bytes), Value::Text)
}

pub(super) fn reply<'a>(name: &'static str) -> Message<'a> {
    let outcome = Outcome { status: Status::Ok, error_class: None };
    Message {
        call: CallEvent::Reply(Reply { token: None, outcome }),
        ..Message::new(Side::Server, name, Kind::Reply)
    }
}

const REPLY: &str = "REPLY";
pub(super) const SYNCED: &[u8] = b"%11%=_SUCCESS";
