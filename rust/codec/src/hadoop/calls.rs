//! Decoder of the requests that a server receives, in chunks of any size.

use super::{
    Dialect,
    frames::{RequestHeader, call_header, inner_text},
    preamble::{HEADER_LEN, PING},
    requests::FINAL_PACKET,
    sasl::Sasl,
    tables::{self, context},
    writable::Invocation,
};
use crate::{
    Cursor, DecodeError, Result,
    frame::{FrameDecoder, LENGTH_LEN},
    proto,
};

/// Message of a client.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Request<'a> {
    /// First bytes of a connection, not validated: `"hrpc"`, version, service class, auth protocol.
    Opening([u8; HEADER_LEN]),
    /// Frame: its header, and the bytes after the header.
    Frame(RequestHeader<'a>, &'a [u8]),
    /// Frame with an unreadable header; the frames after it can be decoded.
    Undecodable(DecodeError),
}

/// Decoder of the bytes that one client writes to a server.
#[derive(Debug)]
pub struct RequestDecoder {
    frames: FrameDecoder,
    begun: bool,
    dialect: Option<Dialect>,
}

impl RequestDecoder {
    /// Creates a decoder that rejects frames of more than `limit` bytes. If `dialect` is `None`, the first
    /// frame determines the dialect.
    #[must_use]
    pub fn new(limit: usize, dialect: Option<Dialect>) -> Self {
        Self { frames: FrameDecoder::new(limit), begun: false, dialect }
    }

    /// Creates a decoder of frames without a connection header: those inside other frames.
    #[must_use]
    pub fn within(limit: usize, dialect: Option<Dialect>) -> Self {
        Self { begun: true, ..Self::new(limit, dialect) }
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

    /// Takes the next complete request, or `None` until more bytes are fed.
    ///
    /// # Errors
    /// The length of a frame is invalid; the stream cannot continue.
    pub fn next_request(&mut self) -> Result<Option<Request<'_>>> {
        if !self.begun {
            let Some(opening) = self.frames.rest().first_chunk().copied() else { return Ok(None) };
            self.frames.skip(HEADER_LEN);
            self.begun = true;
            return Ok(Some(Request::Opening(opening)));
        }
        self.skip_pings();
        let base = self.frames.offset() + LENGTH_LEN;
        let Some(frame) = self.frames.next_frame()? else { return Ok(None) };
        let mut cursor = Cursor::at(frame, base);
        Ok(Some(match header(&mut cursor, self.dialect) {
            Ok((header, dialect)) => {
                self.dialect = dialect.or(self.dialect).or(Some(Dialect::Current));
                Request::Frame(header, cursor.take_rest())
            }
            Err(error) => Request::Undecodable(error),
        }))
    }

    /// Returns the header and the body of the next complete request without taking it, if it is a call.
    /// [`RequestDecoder::next_request`] takes all other requests.
    ///
    /// # Errors
    /// As [`RequestDecoder::next_request`].
    pub fn peek_call(&mut self) -> Result<Option<(RequestHeader<'_>, &[u8])>> {
        if !self.begun || self.dialect.is_none() {
            return Ok(None);
        }
        self.skip_pings();
        let Some(frame) = self.frames.peek_frame()? else { return Ok(None) };
        let mut cursor = Cursor::new(frame);
        let Ok((header, _)) = header(&mut cursor, self.dialect) else { return Ok(None) };
        Ok(header.is_call().then(|| (header, cursor.take_rest())))
    }

    /// Takes the call that [`RequestDecoder::peek_call`] returned.
    ///
    /// # Errors
    /// None, if [`RequestDecoder::peek_call`] returned none.
    pub fn take_call(&mut self) -> Result<()> {
        self.frames.next_frame().map(|_| ())
    }

    fn skip_pings(&mut self) {
        if self.dialect == Some(Dialect::Beta) {
            while self.frames.rest().starts_with(&PING) {
                self.frames.skip(PING.len());
            }
        }
    }
}

impl RequestHeader<'_> {
    /// Whether this is a call of a known engine, in one packet and with all required fields.
    fn is_call(&self) -> bool {
        let id = i32::try_from(self.call_id).is_ok_and(|id| id >= 0);
        id && self.engine().is_some()
            && self.rpc_op == Some(FINAL_PACKET)
            && self.client_id.is_some()
    }
}

fn header<'a>(
    cursor: &mut Cursor<'a>,
    dialect: Option<Dialect>,
) -> Result<(RequestHeader<'a>, Option<Dialect>)> {
    let header = delimited(cursor, "RpcRequestHeader length")?;
    RequestHeader::decode(header, dialect, &mut ())
}

/// Decodes the invocation header and the argument of a call of the Protobuf engine.
///
/// # Errors
/// The first field that is malformed.
pub fn protobuf_call(body: &[u8]) -> Result<(Invocation<'_>, &[u8])> {
    let mut cursor = Cursor::new(body);
    let mut called = Invocation::default();
    call_header(&mut cursor, &mut (), &mut called)?;
    let argument = delimited(&mut cursor, "request length")?.take_rest();
    Ok((called, argument))
}

/// Identity that a client claims, and the protocol that it calls.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Context<'a> {
    /// Effective user of the calls.
    pub user: Option<&'a str>,
    /// Real user, if it differs (`doAs`).
    pub real_user: Option<&'a str>,
    /// Name of the protocol.
    pub protocol: Option<&'a str>,
}

/// Decodes the connection context after a header.
///
/// # Errors
/// The first field that is malformed.
pub fn connection_context(body: &[u8]) -> Result<Context<'_>> {
    let mut cursor = Cursor::new(body);
    let message = delimited(&mut cursor, "IpcConnectionContext length")?;
    let mut told = Context::default();
    proto::message(&tables::CONNECTION_CONTEXT, message, &mut (), |number, raw| match number {
        context::USER_INFO => {
            told.user = inner_text(raw, context::EFFECTIVE_USER).or(told.user);
            told.real_user = inner_text(raw, context::REAL_USER).or(told.real_user);
        }
        context::PROTOCOL => told.protocol = raw.text().or(told.protocol),
        _ => {}
    })?;
    Ok(told)
}

/// Decodes the SASL message after a header.
///
/// # Errors
/// The first field that is malformed.
pub fn sasl_message(body: &[u8]) -> Result<Sasl<'_>> {
    Sasl::decode(delimited(&mut Cursor::new(body), "RpcSasl length")?)
}

fn delimited<'a>(cursor: &mut Cursor<'a>, what: &'static str) -> Result<Cursor<'a>> {
    let len = cursor.len_varint(cursor.rest().len(), what)?;
    cursor.sub(len, what)
}

/// Default limit of servers: `ipc.maximum.data.length`.
pub const DATA_LIMIT: usize = 128 << 20;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::hadoop::{Auth, Call, Caller, Engine};

    /// Example of the document "Hadoop RPC walkthrough".
    const SEED: &[u8] = include_bytes!("../../../../tests/vectors/hadoop/seed/client-call.bin");

    fn current() -> Vec<u8> {
        let caller = Caller {
            client_id: [7; 16],
            protocol: "a.Proto".into(),
            version: 3,
            engine: Engine::Protobuf,
            dialect: Dialect::Current,
            context: Some("a job".into()),
            limit: DATA_LIMIT,
        };
        let mut out = Vec::new();
        Caller::encode_connection_header(0, Auth::None, &mut out);
        caller.encode_context(Some("alice"), None, &mut out).unwrap();
        let call = Call { id: 9, retry: 2, method: "find", state_id: Some(5) };
        caller
            .encode_call::<crate::TooLong>(call, &mut out, |message| {
                message.bytes(1, b"xy");
                Ok(())
            })
            .unwrap();
        caller.encode_ping(&mut out).unwrap();
        out
    }

    fn told(dialect: Option<Dialect>, pieces: &[&[u8]]) -> Vec<String> {
        let mut decoder = RequestDecoder::new(DATA_LIMIT, dialect);
        let mut told = Vec::new();
        for piece in pieces {
            decoder.feed(piece);
            loop {
                match decoder.next_request() {
                    Ok(None) => break,
                    Ok(Some(request)) => told.push(format!("{request:?}")),
                    Err(error) => {
                        told.push(error.to_string());
                        return told;
                    }
                }
            }
        }
        told
    }

    #[test]
    fn requests_of_a_client_are_decoded_by_a_server() {
        let mut decoder = RequestDecoder::new(DATA_LIMIT, Some(Dialect::Current));
        decoder.feed(&current());
        assert_eq!(decoder.next_request(), Ok(Some(Request::Opening(*b"hrpc\x09\0\0"))));
        let Ok(Some(Request::Frame(header, body))) = decoder.next_request() else { panic!() };
        assert_eq!(header.call_id, -3);
        let told = Context { user: Some("alice"), real_user: None, protocol: Some("a.Proto") };
        assert_eq!(connection_context(body), Ok(told));
        let Ok(Some(Request::Frame(header, body))) = decoder.next_request() else { panic!() };
        let expected = RequestHeader {
            rpc_kind: Some(2),
            rpc_op: Some(0),
            call_id: 9,
            client_id: Some(&[7; 16]),
            retry_count: Some(2),
            caller_context: Some("a job"),
            state_id: Some(5),
        };
        assert_eq!(header, expected);
        let (called, argument) = protobuf_call(body).unwrap();
        assert_eq!((&*called.protocol, &*called.method), ("a.Proto", "find"));
        assert_eq!((called.client_version, argument), (3, &b"\x0a\x02xy"[..]));
        let next = decoder.next_request().unwrap();
        assert!(matches!(next, Some(Request::Frame(RequestHeader { call_id: -4, .. }, b""))));
        assert_eq!(decoder.next_request(), Ok(None));
        assert_eq!(decoder.buffered(), 0);
    }

    #[test]
    fn seeds_dialect_is_taken_where_it_is_allowed() {
        let ids = |dialect| {
            let mut decoder = RequestDecoder::new(DATA_LIMIT, dialect);
            decoder.feed(&[SEED, &PING, &SEED[7..]].concat());
            let mut ids = Vec::new();
            while let Ok(Some(request)) = decoder.next_request() {
                if let Request::Frame(header, _) = request {
                    ids.push(header.call_id);
                }
            }
            ids
        };
        assert_eq!(ids(None), [-3, 0, -3, 0]);
        assert_eq!(ids(Some(Dialect::Current)), [-2_147_483_647, 0]);
    }

    #[test]
    fn call_is_looked_at_before_it_is_taken() {
        let mut decoder = RequestDecoder::new(DATA_LIMIT, Some(Dialect::Current));
        decoder.feed(&current());
        assert_eq!(decoder.peek_call(), Ok(None));
        decoder.next_request().unwrap();
        assert_eq!(decoder.peek_call(), Ok(None));
        decoder.next_request().unwrap();
        for _ in 0..2 {
            let (header, body) = decoder.peek_call().unwrap().unwrap();
            assert_eq!((header.call_id, protobuf_call(body).unwrap().1), (9, &b"\x0a\x02xy"[..]));
        }
        decoder.take_call().unwrap();
        assert_eq!(decoder.peek_call(), Ok(None));
        assert!(decoder.next_request().unwrap().is_some());
        assert_eq!(decoder.buffered(), 0);
    }

    #[test]
    fn length_ends_the_stream_and_a_header_does_not() {
        let mut bytes = b"hrpc\x09\0\0\0\0\0\0\0\0\0\x01\xff".to_vec();
        bytes.extend_from_slice(&(-1_i32).to_be_bytes());
        let told = told(Some(Dialect::Current), &[&bytes]);
        assert_eq!(told.len(), 4, "{told:?}");
        assert!(told[1].starts_with("Undecodable") && told[2].starts_with("Undecodable"));
        assert!(told[3].starts_with("frame length at offset 16"), "{told:?}");
    }

    proptest! {
        #[test]
        fn cutting_does_not_matter_and_garbage_never_panics(
            garbage in prop::collection::vec(any::<u8>(), 0..60),
            cut in any::<prop::sample::Index>(),
            dialect in prop::sample::select(vec![None, Some(Dialect::Current)]),
        ) {
            for start in [current(), SEED.to_vec(), Vec::new()] {
                let bytes = [start, garbage.clone()].concat();
                let cut = cut.index(bytes.len() + 1);
                let whole = told(dialect, &[&bytes]);
                prop_assert_eq!(told(dialect, &[&bytes[..cut], &bytes[cut..]]), whole);
            }
            let _ = (protobuf_call(&garbage), connection_context(&garbage));
        }
    }
}
