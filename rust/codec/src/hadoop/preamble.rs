//! Bytes before or instead of frames: the connection header, the old ping, the replies of servers to other
//! versions, and HTTP.

use std::borrow::Cow;

use super::{Connection, MAGIC, PING_ID, Progress, VERSION, control};
use crate::{
    Cursor, DecodeError, DecodeErrorKind, Result,
    message::{CallEvent, Decoded, Kind, Message, Outcome, Side, Status},
    scan::Scan,
    secrets::is_secret_name,
    visit::{HIDDEN, Value, Visitor},
};

impl Connection {
    /// Decodes bytes outside of frames; `None` if a frame is at the start.
    pub(super) fn preamble<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Option<Decoded<'a>> {
        let Some(front) = bytes.first_chunk::<4>() else {
            scan.wait_for(4);
            return Some(Decoded::Incomplete);
        };
        let at_start = |progress| progress == Progress::AtStart;
        if side != Some(Side::Server) && (at_start(self.client) || side.is_none()) {
            match front {
                MAGIC => return Some(self.connection_header(bytes, visitor)),
                b"GET " => return Some(self.http(Side::Client, bytes, end, visitor)),
                _ => {}
            }
        }
        if side != Some(Side::Client) && at_start(self.server) {
            if front == b"HTTP" {
                return Some(self.http(Side::Server, bytes, end, visitor));
            }
            if let Some(step) = self.old_version_answer(side, bytes, end, scan, visitor) {
                return Some(step);
            }
        }
        if *front == PING && side != Some(Side::Server) {
            visitor.layout("ping", 0..4, Value::Int(-1));
            return Some(Decoded::Message(control(Side::Client, "Ping", Some(PING_ID)), 4));
        }
        None
    }

    fn connection_header<'a, V: Visitor>(
        &mut self,
        bytes: &'a [u8],
        visitor: &mut V,
    ) -> Decoded<'a> {
        let Some(&[_, _, _, _, version, service_class, auth]) = bytes.first_chunk() else {
            return Decoded::Incomplete;
        };
        visitor.layout("hrpc", 0..4, Value::Name("hrpc"));
        visitor.field("version", 4..5, Value::UInt(version.into()));
        visitor.field("service_class", 5..6, Value::UInt(service_class.into()));
        visitor.field("auth_protocol", 6..7, auth_protocol(auth));
        let mut message = control(Side::Client, "ConnectionHeader", None);
        self.client = Progress::InFrames;
        if version != VERSION {
            self.client = Progress::Foreign;
            let problem =
                DecodeErrorKind::Unexpected { value: version.into(), expected: "version 9" };
            message.error = Some(problem.at("version", 4));
        }
        Decoded::Message(message, HEADER_LEN)
    }

    /// Decodes an HTTP request of a browser or a probe, or its response. Neither contains its length.
    fn http<'a, V: Visitor>(
        &mut self,
        side: Side,
        bytes: &'a [u8],
        end: bool,
        visitor: &mut V,
    ) -> Decoded<'a> {
        if bytes.len() < HTTP_LIMIT && !end {
            return Decoded::Incomplete;
        }
        let len = bytes.len().min(HTTP_LIMIT);
        let text = String::from_utf8_lossy(&bytes[..len]);
        let masked = without_secrets(&text);
        let shown = masked.as_deref().map_or(Value::Text(&text), Value::Masked);
        *self.progress(side) = Progress::Foreign;
        match side {
            Side::Client => {
                visitor.field("http_request", 0..len, shown);
                Decoded::Message(control(side, "HttpRequest", None), len)
            }
            Side::Server => {
                visitor.field("error_msg", 0..len, shown);
                Decoded::Message(fatal(None), len)
            }
        }
    }

    /// Decodes `Server.setupBadVersionResponse`: for versions 3 to 8 call id and status -1, for version 2 call
    /// id 0 and `true`; then class and text, each an int length and UTF-8. Nothing follows.
    fn old_version_answer<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Option<Decoded<'a>> {
        // Judged message by message, four such bytes alone are a ping.
        let later: &[u8] = if side.is_some() { &PING } else { &[0xff; 8] };
        let may_come = |pattern: &[u8]| !end && pattern.starts_with(bytes);
        let to_later = bytes.starts_with(later);
        if !to_later && !bytes.starts_with(TO_VERSION_2) {
            return (may_come(later) || may_come(TO_VERSION_2)).then_some(Decoded::Incomplete);
        }
        let status_len = if to_later { 4 } else { 1 };
        let mut cursor = Cursor::new(bytes);
        match old_version_fields(&mut cursor, status_len, visitor) {
            Ok((class, _)) => {
                self.server = Progress::Foreign;
                let len = cursor.offset();
                Some(Decoded::Message(fatal(Some(class)), len))
            }
            Err(DecodeError { problem: DecodeErrorKind::UnexpectedEof { missing }, .. })
                if !end =>
            {
                scan.wait_for(bytes.len() + missing);
                Some(Decoded::Incomplete)
            }
            Err(error) => Some(Decoded::Malformed(error)),
        }
    }
}

/// Decodes the class and the text of such a response.
pub(super) fn old_version_fields<'a, V: Visitor>(
    cursor: &mut Cursor<'a>,
    status_len: usize,
    visitor: &mut V,
) -> Result<(&'a str, &'a str)> {
    let call_id = cursor.i32_be("call_id")?;
    visitor.field("call_id", 0..4, Value::Int(call_id.into()));
    let status = cursor.take(status_len, "status")?;
    visitor.field("status", 4..cursor.offset(), Value::Int(if status == [1] { 1 } else { -1 }));
    let class = old_string(cursor, "exception_class_name")?;
    let at = cursor.offset();
    visitor.field("exception_class_name", at - class.len()..at, Value::Name(class));
    let text = old_string(cursor, "error_msg")?;
    let at = cursor.offset();
    visitor.field("error_msg", at - text.len()..at, Value::Text(text));
    Ok((class, text))
}

/// Reads a string of `WritableUtils.writeString`.
fn old_string<'a>(cursor: &mut Cursor<'a>, what: &'static str) -> Result<&'a str> {
    let len = cursor.len_i32(OLD_STRING_LIMIT, what)?;
    let at = cursor.offset();
    std::str::from_utf8(cursor.take(len, what)?).map_err(|error| {
        DecodeErrorKind::NotText { at: error.valid_up_to(), encoding: "UTF-8" }.at(what, at)
    })
}

fn auth_protocol(wire: u8) -> Value<'static> {
    match wire {
        0x00 => Value::Enum(0, "NONE"),
        0xdf => Value::Enum(-33, "SASL"),
        other => Value::UInt(other.into()),
    }
}

fn fatal(class: Option<&str>) -> Message<'_> {
    let outcome = Outcome { status: Status::Fatal, error_class: class.map(Into::into) };
    let call = CallEvent::AllEnded(outcome);
    Message { id: Some(-1), call, ..Message::new(Side::Server, "Fatal", Kind::Reply) }
}

/// Returns the text of HTTP with its secrets replaced, if there are any: values in a query or a body (`WebHDFS`
/// passes tokens in a query), and headers that authenticate.
fn without_secrets(text: &str) -> Option<String> {
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((text, ""));
    let mut lines: Vec<Cow<'_, str>> = head.split("\r\n").map(Cow::Borrowed).collect();
    for (number, line) in lines.iter_mut().enumerate() {
        let masked = if number == 0 {
            line.split_once('?').map(|(path, query)| {
                let version = query.rsplit_once(' ').map_or("", |(_, version)| version);
                format!("{path}?{HIDDEN} {version}")
            })
        } else {
            let header = line.split_once(':').filter(|(name, _)| is_authentication(name));
            header.map(|(name, _)| format!("{name}: {HIDDEN}"))
        };
        if let Some(masked) = masked {
            *line = Cow::Owned(masked);
        }
    }
    let hides_body = !body.is_empty() && !body.starts_with(WRONG_PORT);
    let is_masked = hides_body || lines.iter().any(|line| matches!(line, Cow::Owned(_)));
    let end = if text.len() > head.len() { "\r\n\r\n" } else { "" };
    let body = if hides_body { HIDDEN } else { body };
    is_masked.then(|| format!("{}{end}{body}", lines.join("\r\n")))
}

fn is_authentication(header: &str) -> bool {
    is_secret_name(header) || header.to_ascii_lowercase().contains("authenticat")
}

/// Start of a Hadoop server's response to HTTP (`Server.RECEIVED_HTTP_REQ_RESPONSE`).
const WRONG_PORT: &str = "It looks like you are making an HTTP request to a Hadoop IPC port";

/// Number of bytes of the connection header.
pub(super) const HEADER_LEN: usize = 7;
/// Ping of 2.1.0-beta and before: a call id of -1 in the place of a length.
pub(super) const PING: [u8; 4] = [0xff; 4];
/// First bytes of a reply to version 2: call id 0, `true`, and a length below a billion.
const TO_VERSION_2: &[u8] = &[0, 0, 0, 0, 1, 0];
/// Maximum number of bytes of an HTTP page that are read (chosen by jvmwire).
const HTTP_LIMIT: usize = 64 << 10;
/// Maximum number of bytes of the texts of a version mismatch (chosen by jvmwire): they are one line.
const OLD_STRING_LIMIT: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(head: &[u8]) -> Vec<u8> {
        let mut out = head.to_vec();
        for text in [&b"java.lang.Error"[..], b"no"] {
            crate::frame::encode(text, &mut out).unwrap();
        }
        out
    }

    fn step(side: Option<Side>, bytes: &[u8], end: bool) -> Option<Decoded<'_>> {
        Connection::new().preamble(side, bytes, end, &mut Scan::default(), &mut ())
    }

    #[test]
    fn answer_to_an_old_version_is_one_message_when_it_is_whole() {
        for (head, sides) in [
            (&[0xff; 8][..], [Some(Side::Server), None]),
            (&[0, 0, 0, 0, 1], [Some(Side::Server), None]),
        ] {
            let bytes = answer(head);
            for side in sides {
                for len in 0..bytes.len() {
                    assert_eq!(
                        step(side, &bytes[..len], false),
                        Some(Decoded::Incomplete),
                        "{len}"
                    );
                }
                let whole = step(side, &bytes, false);
                let Some(Decoded::Message(message, len)) = whole else { panic!("{whole:?}") };
                assert_eq!((message.name, len), ("Fatal", bytes.len()));
            }
        }
    }

    #[test]
    fn four_ones_are_a_ping_unless_the_server_wrote_them() {
        let is_ping =
            |step| matches!(step, Some(Decoded::Message(Message { name: "Ping", .. }, 4)));
        assert!(is_ping(step(Some(Side::Client), &PING, false)));
        assert!(is_ping(step(None, &PING, true)));
        // It may yet become an answer.
        assert_eq!(step(None, &PING, false), Some(Decoded::Incomplete));
        assert!(matches!(step(Some(Side::Server), &PING, true), Some(Decoded::Malformed(_))));
    }

    #[test]
    fn frame_is_no_preamble() {
        for side in [None, Some(Side::Client), Some(Side::Server)] {
            assert_eq!(step(side, &[0, 0, 0, 5, 1, 2], false), None);
        }
    }

    #[test]
    fn page_ends_with_the_stream_or_at_a_limit() {
        let short = b"GET / HTTP/1.0\r\n";
        assert_eq!(step(Some(Side::Client), short, false), Some(Decoded::Incomplete));
        let ended = step(Some(Side::Client), short, true);
        assert!(matches!(ended, Some(Decoded::Message(Message { name: "HttpRequest", .. }, 16))));
        let long = b"HTTP".repeat(HTTP_LIMIT);
        let read = step(Some(Side::Server), &long, false);
        assert!(matches!(read, Some(Decoded::Message(Message { name: "Fatal", .. }, HTTP_LIMIT))));
    }
}
