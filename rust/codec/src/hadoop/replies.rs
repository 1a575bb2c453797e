//! Decoder of the replies that a client receives, in chunks of any size.

use super::{
    Engine, SASL_ID,
    frames::{self, ResponseHeader},
    preamble::{self, PING},
    reply_table::ReplyTable,
    sasl::Sasl,
    tables,
};
use crate::{
    Cursor, DecodeError, DecodeErrorKind, Result,
    frame::{FrameDecoder, LENGTH_LEN},
    message::Status,
};

/// Response of a server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Response<'a> {
    /// Result of a call: a protobuf message, or an `ObjectWritable`.
    Success {
        /// The id of the call.
        call_id: i32,
        /// Bytes of the result.
        payload: &'a [u8],
    },
    /// Error of a call; the connection stays open.
    Error {
        /// The id of the call.
        call_id: i32,
        /// Exception of the server.
        failure: RemoteError<'a>,
    },
    /// Error after which the server closes the connection.
    Fatal(RemoteError<'a>),
    /// SASL message: authentication, or a wrapped frame.
    Sasl(Sasl<'a>),
    /// Response of a server with an older protocol version: an exception class and a text.
    OldVersion(&'a str, &'a str),
    /// Response of an HTTP server: its status line.
    Http(&'a [u8]),
}

/// Exception of a server.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RemoteError<'a> {
    /// Java class of the exception.
    pub class: &'a str,
    /// Message, followed by the stack trace from the first `\n\tat ` on.
    pub message: &'a str,
    /// `RpcErrorCodeProto`.
    pub code: i64,
}

impl RemoteError<'_> {
    /// Name of the error code, if it has one.
    #[must_use]
    pub fn code_name(&self) -> Option<&'static str> {
        let known = tables::ERROR_CODES.iter().find(|(code, _)| *code == self.code);
        known.map(|(_, name)| *name)
    }
}

/// Decoder of the bytes that a server writes to one client.
#[derive(Debug)]
pub struct ReplyDecoder {
    frames: FrameDecoder,
    client_id: [u8; 16],
    engine: Engine,
    state_id: Option<i64>,
    version: Option<i32>,
    begun: bool,
    ended: bool,
}

impl ReplyDecoder {
    /// Creates a decoder that rejects frames of more than `limit` bytes, and replies to other clients than
    /// `client_id`.
    #[must_use]
    pub fn new(client_id: [u8; 16], limit: usize, engine: Engine) -> Self {
        let frames = FrameDecoder::new(limit);
        Self {
            frames,
            client_id,
            engine,
            state_id: None,
            version: None,
            begun: false,
            ended: false,
        }
    }

    /// Appends bytes from the transport.
    pub fn feed(&mut self, data: &[u8]) {
        self.frames.feed(data);
    }

    /// Number of bytes that wait for the rest of their frame.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.frames.buffered()
    }

    /// Last state id of the server in a reply.
    #[must_use]
    pub fn state_id(&self) -> Option<i64> {
        self.state_id
    }

    /// Version of Hadoop RPC that the server supports, if the response taken last contains it.
    #[must_use]
    pub fn version(&self) -> Option<i32> {
        self.version
    }

    /// Takes the next complete response, or `None` until more bytes are fed.
    ///
    /// # Errors
    /// Bytes that a server may not write; the stream cannot continue.
    pub fn next_response(&mut self) -> Result<Option<Response<'_>>> {
        match self.begin()? {
            Start::Unknown => return Ok(None),
            Start::Frames => {}
            // Nothing that follows is ours to understand.
            Start::Http => {
                self.ended = true;
                return Ok(Some(Response::Http(line(self.frames.rest()))));
            }
            Start::OldVersion => {
                self.ended = true;
                let mut cursor = Cursor::new(self.frames.rest());
                let (class, text) = preamble::old_version_fields(&mut cursor, PING.len(), &mut ())?;
                return Ok(Some(Response::OldVersion(class, text)));
            }
        }
        let base = self.frames.offset() + LENGTH_LEN;
        let Some(frame) = self.frames.next_frame()? else { return Ok(None) };
        let (response, said) =
            decode_response(Cursor::at(frame, base), self.client_id, self.engine)?;
        self.state_id = self.state_id.max(said.state_id);
        self.version = said.version;
        Ok(Some(response))
    }

    /// Takes consecutive replies to the calls from `first` on for which `table` has an entry, up to the first
    /// other response; returns their number.
    ///
    /// # Errors
    /// As [`ReplyDecoder::next_response`]; a second reply to one call.
    pub fn next_replies(&mut self, first: i32, table: &mut ReplyTable) -> Result<usize> {
        let mut taken = 0;
        while let Start::Frames = self.begin()? {
            let base = self.frames.offset() + LENGTH_LEN;
            let Some(frame) = self.frames.peek_frame()? else { break };
            let (response, said) =
                decode_response(Cursor::at(frame, base), self.client_id, self.engine)?;
            let (Response::Success { call_id, .. } | Response::Error { call_id, .. }) = response
            else {
                break;
            };
            // Ids wrap around: one far behind `first` is also far ahead of it.
            let index = (call_id.wrapping_sub(first) & i32::MAX).cast_unsigned() as usize;
            if index >= table.len() {
                break;
            }
            table.put(index, &response).map_err(|problem| problem.at("reply", base))?;
            self.state_id = self.state_id.max(said.state_id);
            self.frames.next_frame()?;
            taken += 1;
        }
        Ok(taken)
    }

    /// Returns the id of the call that the next complete response answers, without taking the response.
    ///
    /// # Errors
    /// As [`ReplyDecoder::next_response`].
    pub fn peek_call_id(&mut self) -> Result<Option<i32>> {
        let Start::Frames = self.begin()? else { return Ok(None) };
        let base = self.frames.offset() + LENGTH_LEN;
        let Some(frame) = self.frames.peek_frame()? else { return Ok(None) };
        let mut cursor = Cursor::at(frame, base);
        let header = delimited(&mut cursor, "RpcResponseHeader length")?;
        let header = ResponseHeader::decode(header, &mut ())?;
        Ok(i32::try_from(header.call_id).ok())
    }

    /// Determines the kind of the bytes at the start: after the first frame, frames until the end.
    fn begin(&mut self) -> Result<Start> {
        if self.ended {
            return Ok(Start::Unknown);
        }
        if self.begun {
            return Ok(Start::Frames);
        }
        let start = start(self.frames.rest())?;
        self.begun = matches!(start, Start::Frames);
        Ok(start)
    }
}

enum Start {
    Unknown,
    Frames,
    Http,
    OldVersion,
}

/// Determines the kind of a server's first bytes.
fn start(bytes: &[u8]) -> Result<Start> {
    let may_be = |front: &[u8]| bytes.starts_with(front) || front.starts_with(bytes);
    Ok(if may_be(b"HTTP") {
        let whole = bytes.len() >= LINE_LIMIT || line(bytes).len() < bytes.len();
        if whole { Start::Http } else { Start::Unknown }
    } else if may_be(&PING) {
        let mut cursor = Cursor::new(bytes);
        match preamble::old_version_fields(&mut cursor, PING.len(), &mut ()) {
            Ok(_) => Start::OldVersion,
            Err(DecodeError { problem: DecodeErrorKind::UnexpectedEof { .. }, .. }) => {
                Start::Unknown
            }
            Err(error) => return Err(error),
        }
    } else {
        Start::Frames
    })
}

/// Returns the first line, without its end.
fn line(bytes: &[u8]) -> &[u8] {
    let bytes = &bytes[..bytes.len().min(LINE_LIMIT)];
    let end = bytes.iter().position(|byte| b"\r\n".contains(byte));
    &bytes[..end.unwrap_or(bytes.len())]
}

/// Decodes the content of a frame, including its header.
fn decode_response(
    mut cursor: Cursor<'_>,
    client_id: [u8; 16],
    engine: Engine,
) -> Result<(Response<'_>, ResponseHeader<'_>)> {
    let start = cursor.offset();
    let header = delimited(&mut cursor, "RpcResponseHeader length")?;
    let header = ResponseHeader::decode(header, &mut ())?;
    // `Client.checkResponse`; replies to the set-up carry an empty one.
    if let Some(&[first, ..]) = header.client_id.filter(|id| **id != client_id) {
        let problem =
            DecodeErrorKind::Unexpected { value: first.into(), expected: "of our client id" };
        return Err(problem.at("client_id", start));
    }
    let failure = RemoteError {
        class: header.exception_class_name.unwrap_or_default(),
        message: header.error_msg.unwrap_or_default(),
        code: header.error_detail.unwrap_or_default(),
    };
    let response = match header.status {
        Status::Fatal => Response::Fatal(failure),
        Status::Ok if header.call_id == SASL_ID => {
            let body = delimited(&mut cursor, "RpcSasl length")?;
            Response::Sasl(Sasl::decode(body)?)
        }
        status => {
            let Some(call_id) = i32::try_from(header.call_id).ok().filter(|id| *id >= 0) else {
                let problem = DecodeErrorKind::Unexpected {
                    value: header.call_id,
                    expected: "a call of ours",
                };
                return Err(problem.at("call_id", start));
            };
            if status == Status::Ok {
                let payload = match engine {
                    Engine::Protobuf => delimited(&mut cursor, "response length")?.rest(),
                    Engine::Writable => cursor.take_rest(),
                };
                Response::Success { call_id, payload }
            } else {
                Response::Error { call_id, failure }
            }
        }
    };
    frames::trailing(&mut cursor, &mut ())?;
    Ok((response, header))
}

/// Reads a message with a varint length prefix, which is checked against the enclosing frame.
fn delimited<'a>(cursor: &mut Cursor<'a>, what: &'static str) -> Result<Cursor<'a>> {
    let limit = cursor.rest().len();
    let len = cursor.len_varint(limit, what)?;
    cursor.sub(len, what)
}

/// Default limit of Java's client: `ipc.maximum.response.length`.
pub const REPLY_LIMIT: usize = 128 << 20;
/// Maximum number of bytes of a status line (chosen by jvmwire).
const LINE_LIMIT: usize = 1 << 10;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        frame,
        hadoop::{SaslState, Slot},
        proto::Writer,
    };

    const ID: [u8; 16] = [7; 16];

    fn reply(call_id: u32, status: u64, client_id: &[u8], body: &[u8]) -> Vec<u8> {
        let mut content = Vec::new();
        Writer::delimited::<()>(&mut content, |header| {
            header.varint(1, call_id.into());
            header.varint(2, status);
            header.varint(3, 9);
            if status > 0 {
                header.bytes(4, b"a.B");
                header.bytes(5, b"why\n\tat c.D");
                header.varint(6, 1);
            }
            header.bytes(7, client_id);
            header.varint(9, call_id.into());
            Ok(())
        })
        .unwrap();
        content.extend_from_slice(body);
        let mut out = Vec::new();
        frame::encode(&content, &mut out).unwrap();
        out
    }

    fn success(call_id: u32, payload: &[u8]) -> Vec<u8> {
        reply(call_id, 0, &ID, &[&[u8::try_from(payload.len()).unwrap()], payload].concat())
    }

    fn fed(bytes: &[u8]) -> ReplyDecoder {
        let mut decoder = ReplyDecoder::new(ID, REPLY_LIMIT, Engine::Protobuf);
        decoder.feed(bytes);
        decoder
    }

    const FAILURE: RemoteError<'_> =
        RemoteError { class: "a.B", message: "why\n\tat c.D", code: 1 };

    #[test]
    fn response_kind_follows_its_status() {
        let bytes = [success(5, b"xy"), reply(6, 1, &ID, b""), reply(u32::MAX, 2, b"", b"")];
        let mut decoder = fed(&bytes.concat());
        assert_eq!(decoder.version(), None);
        let first = decoder.next_response().unwrap();
        assert_eq!(first, Some(Response::Success { call_id: 5, payload: b"xy" }));
        assert_eq!(decoder.peek_call_id(), Ok(Some(6)));
        let second = decoder.next_response().unwrap();
        assert_eq!(second, Some(Response::Error { call_id: 6, failure: FAILURE }));
        assert_eq!(decoder.state_id(), Some(6));
        assert_eq!(decoder.next_response(), Ok(Some(Response::Fatal(FAILURE))));
        assert_eq!(decoder.version(), Some(9));
        assert_eq!(FAILURE.code_name(), Some("ERROR_APPLICATION"));
        assert_eq!(decoder.next_response(), Ok(None));
        assert_eq!(decoder.buffered(), 0);
    }

    #[test]
    fn replies_to_a_batch_go_where_their_calls_stand() {
        let bytes = [success(12, b"c"), reply(10, 1, &ID, b""), success(3, b""), success(11, b"b")];
        let mut decoder = fed(&bytes.concat());
        let mut table = ReplyTable::new(3).unwrap();
        assert_eq!(decoder.peek_call_id(), Ok(Some(12)));
        assert_eq!(decoder.next_replies(13, &mut table), Ok(0));
        assert_eq!(decoder.next_replies(10, &mut table), Ok(2));
        assert_eq!(decoder.peek_call_id(), Ok(Some(3)));
        decoder.next_response().unwrap();
        assert_eq!(decoder.next_replies(10, &mut table), Ok(1));
        assert_eq!(table.missing(), 0);
        let slots: Vec<_> = table.iter().collect();
        assert_eq!(slots, [Slot::Failed(FAILURE), Slot::Payload(b"b"), Slot::Payload(b"c")]);
        decoder.feed(&success(11, b"b"));
        let again = decoder.next_replies(10, &mut table).unwrap_err();
        let expected = "a call that awaits its reply";
        assert_eq!(again.problem, DecodeErrorKind::Unexpected { value: 1, expected });
    }

    #[test]
    fn ids_of_a_batch_go_round() {
        let bytes = [success(1, b""), success(i32::MAX.cast_unsigned(), b""), success(0, b"")];
        let mut decoder = fed(&bytes.concat());
        assert!(decoder.next_response().unwrap().is_some());
        let mut table = ReplyTable::new(2).unwrap();
        assert_eq!(decoder.next_replies(i32::MAX, &mut table), Ok(2));
    }

    #[test]
    fn invalid_server_message_is_refused() {
        for (bytes, what) in [
            (reply(5, 0, &[9; 16], &[0]), "client_id"),
            (reply(u32::MAX, 1, b"", b""), "call_id"),
            (reply(5, 0, &ID, &[0, 0]), "trailing"),
            (reply(5, 0, &ID, &[1]), "response length"),
            (reply(5, 0, &ID, &[]), "response length"),
            (reply(5, 3, &ID, &[]), "status"),
            (vec![0; 4], "RpcResponseHeader length"),
            (vec![0x15, 3, 3, 0], "frame length"),
        ] {
            assert_eq!(fed(&bytes).next_response().unwrap_err().what, what);
        }
    }

    #[test]
    fn other_protocols_and_versions_are_named() {
        let page = b"HTTP/1.1 404 Not Found\r\nContent";
        assert_eq!(fed(page).next_response(), Ok(Some(Response::Http(b"HTTP/1.1 404 Not Found"))));
        assert_eq!(fed(&page[..20]).next_response(), Ok(None));
        let mut old = vec![0xff; 8];
        for text in [&b"a.VersionMismatch"[..], b"no"] {
            frame::encode(text, &mut old).unwrap();
        }
        for len in 0..old.len() {
            assert_eq!(fed(&old[..len]).next_response(), Ok(None));
        }
        let named = Response::OldVersion("a.VersionMismatch", "no");
        assert_eq!(fed(&old).next_response(), Ok(Some(named)));
    }

    #[test]
    fn sasl_messages_are_decoded() {
        let mut body = Vec::new();
        Writer::delimited::<()>(&mut body, |message| {
            message.varint(2, 1);
            for method in ["TOKEN", "KERBEROS"] {
                message.message(4, |auth| {
                    auth.bytes(1, method.as_bytes());
                    Ok(())
                })?;
            }
            Ok(())
        })
        .unwrap();
        let bytes = reply((-33_i32).cast_unsigned(), 0, b"", &body);
        let mut decoder = fed(&bytes);
        let Some(Response::Sasl(message)) = decoder.next_response().unwrap() else { panic!() };
        assert_eq!((message.state, message.token), (SaslState::Negotiate, None));
        let methods: Vec<_> = message.auths.iter().map(|auth| auth.method).collect();
        assert_eq!(methods, ["TOKEN", "KERBEROS"]);
    }

    proptest! {
        #[test]
        fn cutting_does_not_matter_and_garbage_never_panics(
            parts in prop::collection::vec(
                prop_oneof![
                    (0..9_u32).prop_map(|id| success(id, b"payload")),
                    (0..9_u32).prop_map(|id| reply(id, 1, &ID, b"")),
                    prop::collection::vec(any::<u8>(), 0..12),
                ],
                0..6,
            ),
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = parts.concat();
            let cut = cut.index(bytes.len() + 1);
            let all = |pieces: [&[u8]; 2]| {
                let mut decoder = fed(b"");
                let mut seen = Vec::new();
                for piece in pieces {
                    decoder.feed(piece);
                    loop {
                        let next = decoder.next_response().map(|response| format!("{response:?}"));
                        seen.push(next.clone());
                        if next.is_err() {
                            return seen;
                        }
                        if next.as_deref() == Ok("None") {
                            seen.pop();
                            break;
                        }
                    }
                }
                seen
            };
            prop_assert_eq!(all([&bytes, &[]]), all([&bytes[..cut], &bytes[cut..]]));
        }
    }
}
