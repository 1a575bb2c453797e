//! Hadoop RPC, version 9: `"hrpc"`, version, service class, auth protocol; then length-prefixed frames, each
//! with a varint-delimited protobuf header and the messages that it announces.

mod calls;
mod expected;
mod frames;
mod generated;
mod header_cache;
mod names;
mod open_call;
mod path_argument;
mod preamble;
mod replies;
mod reply_table;
mod requests;
mod responses;
mod resync;
mod sasl;
mod sasl_wrap;
mod secrets;
mod services;
mod tables;
mod writable;

pub use calls::{
    Context, DATA_LIMIT, Request, RequestDecoder, connection_context, protobuf_call, sasl_message,
};
pub use expected::EXPECTED;
pub use frames::RequestHeader;
pub use names::{check_name, entry_name};
pub use open_call::Engine;
pub use replies::{REPLY_LIMIT, RemoteError, ReplyDecoder, Response};
pub use reply_table::{BATCH_LIMIT, ReplyTable, Slot};
pub use requests::{Auth, Call, Caller, REQUEST_LIMIT};
pub use responses::{
    AnsweredCall, ErrorResponse, encode_old_version, encode_refusal, encode_success,
};
pub use sasl::{Sasl, SaslAuth, SaslState};
pub use services::{Idempotency, Method, Service, message_type, message_types, service, services};
pub use writable::{
    EncodeError, Invocation, JavaType, Layout, Object, Primitive, RPC_VERSION, encode_invocation,
    encode_object, encode_writable, invocation, object, writable,
};

use crate::{
    cost::examined,
    frame::{self, FramePrefix, LENGTH_LEN},
    message::{Decoded, Message, ProtocolDecoder, Side, Status},
    pending_calls::PendingCalls,
    scan::{Answers, Scan},
    varint,
    visit::{Value, Visitor},
};
use header_cache::HeaderCache;
use open_call::OpenCall;
use serde::{Deserialize, Serialize};

/// One connection, both directions.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Connection {
    dialect: Option<Dialect>,
    /// User of the connection context.
    user: Option<String>,
    client: Progress,
    server: Progress,
    calls: PendingCalls<i64, OpenCall>,
    agreement: sasl_wrap::SaslContext,
    /// Service of the last call.
    service: Option<&'static Service>,
    #[serde(skip)]
    familiar: HeaderCache,
}

/// Method of a call, resolved from the tables.
#[derive(Clone, Copy, Debug)]
struct ResolvedMethod {
    /// Simple name of the service's protocol.
    interface: &'static str,
    method: &'static Method,
    /// Number of the field that contains the path.
    path: Option<u32>,
}

/// Encoding of the header's `callId`.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub enum Dialect {
    /// Hadoop 2.1.0-beta: a plain int32.
    Beta,
    /// Since Hadoop 2.1.0: zigzag.
    #[default]
    Current,
}

impl Dialect {
    fn call_id(self, wire: u64) -> i64 {
        match self {
            Self::Beta => crate::proto::low_32_bits(wire).into(),
            // CodedInputStream.readSInt32 takes the low half.
            Self::Current => varint::unzigzag(wire & u64::from(u32::MAX)),
        }
    }

    /// Encodes a call id as a request contains it.
    fn written_call_id(self, call_id: i64) -> u64 {
        match self {
            Self::Beta => call_id.cast_unsigned() & u64::from(u32::MAX),
            Self::Current => varint::zigzag(call_id),
        }
    }

    /// Determines the dialect from the first frame, whose call id is one of three values; each decodes to a
    /// valid value in one dialect only.
    fn of_first(wire: u64) -> Option<Self> {
        [Self::Current, Self::Beta].into_iter().find(|dialect| {
            [CONNECTION_CONTEXT_ID, SASL_ID, PING_ID].contains(&dialect.call_id(wire))
        })
    }
}

/// Progress of one direction.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
enum Progress {
    /// No bytes were decoded.
    #[default]
    AtStart,
    /// Frames follow.
    InFrames,
    /// The bytes are of another protocol, or of an unsupported version.
    Foreign,
}

impl Connection {
    /// Creates the decoder of a new connection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether `bytes`, the first of a client, begin a Hadoop RPC connection; `None` if there are too few.
    #[must_use]
    pub fn probe(bytes: &[u8]) -> Option<bool> {
        let len = bytes.len().min(MAGIC.len());
        if bytes[..len] != MAGIC[..len] {
            return Some(false);
        }
        (len == MAGIC.len()).then_some(true)
    }

    fn progress(&mut self, side: Side) -> &mut Progress {
        match side {
            Side::Client => &mut self.client,
            Side::Server => &mut self.server,
        }
    }

    fn frame<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        examined(LENGTH_LEN);
        let len = match frame::length_prefixed(bytes, MESSAGE_LIMIT) {
            Ok(FramePrefix::Incomplete) => {
                // The header is validated as soon as it has arrived: an invalid frame need not be
                // complete.
                let error = bytes.get(LENGTH_LEN..).and_then(|body| {
                    let side = side.unwrap_or_else(|| resync::writer_of(body));
                    let header = resync::header_end(body);
                    examined(header.min(body.len()));
                    // A complete and valid header is not validated again before the frame is complete.
                    let whole = length_of(bytes).unwrap_or_default();
                    let need = if body.len() < header { header.min(whole) } else { whole };
                    scan.wait_for(LENGTH_LEN + need);
                    frames::header_error(side, self.dialect, body)
                });
                return error.map_or(Decoded::Incomplete, Decoded::Malformed);
            }
            Ok(FramePrefix::Whole(len)) => LENGTH_LEN + len,
            Err(error) => return Decoded::Malformed(error),
        };
        visitor.layout("frame length", 0..LENGTH_LEN, Value::UInt((len - LENGTH_LEN) as u64));
        let side = side.unwrap_or_else(|| resync::writer_of(&bytes[LENGTH_LEN..len]));
        let message = match side {
            Side::Client => self.client_frame(&bytes[..len], visitor),
            Side::Server => self.server_frame(&bytes[..len], visitor),
        };
        match message {
            Ok(message) => {
                *self.progress(side) = Progress::InFrames;
                Decoded::Message(message, len)
            }
            Err(error) => Decoded::Malformed(error),
        }
    }
}

impl ProtocolDecoder for Connection {
    fn decode<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        if scan.is_short(bytes) && !end {
            return Decoded::Incomplete;
        }
        let foreign = side.is_some_and(|side| *self.progress(side) == Progress::Foreign);
        if foreign {
            return Decoded::Malformed(
                crate::DecodeErrorKind::Unsupported.at("bytes after the hand-over", 0),
            );
        }
        match self.preamble(side, bytes, end, scan, visitor) {
            Some(decoded) => decoded,
            None => self.frame(side, bytes, scan, visitor),
        }
    }

    fn resync(
        &self,
        side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> Result<usize, usize> {
        let progress = match side {
            Some(Side::Server) => self.server,
            _ => self.client,
        };
        if progress == Progress::Foreign {
            return Err(bytes.len());
        }
        resync::resync(side, bytes, end, scan)
    }

    fn awaits_peer(&self, side: Side, bytes: &[u8], scan: &mut Scan) -> bool {
        if side == Side::Client {
            return false;
        }
        match scan.known().and_then(|places| places.answers.as_ref()) {
            Some(Answers::AllCalls) => return true,
            Some(Answers::Call(id)) => return !self.calls.is_open(id),
            _ => {}
        }
        let Some(body) = bytes.get(LENGTH_LEN..) else { return false };
        let inside = frames::wrapped(body, self.agreement);
        let answers = match frames::answered(
            inside.map_or(body, |inside| inside.get(LENGTH_LEN..).unwrap_or(&[])),
        ) {
            // It ends all calls, including later ones in the client's dump.
            Some((_, Status::Fatal)) => Answers::AllCalls,
            Some((id, _)) if id >= 0 && !self.calls.is_open(&id) => Answers::Call(id),
            _ => return false,
        };
        scan.places().answers = Some(answers);
        true
    }

    fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    fn held(&self) -> usize {
        self.user.as_ref().map_or(0, String::len) + self.calls.held()
    }

    fn validate(&self) -> Option<u64> {
        self.calls.validate()
    }
}

/// Returns the length at the start of a frame.
fn length_of(bytes: &[u8]) -> Option<usize> {
    bytes.first_chunk().and_then(|length| usize::try_from(i32::from_be_bytes(*length)).ok())
}

fn control<'a>(side: Side, name: &'static str, id: Option<i64>) -> Message<'a> {
    Message { id, ..Message::new(side, name, crate::message::Kind::Control) }
}

/// Default ports of servers: `*.rpc-address`, `*.ipc.address` and similar settings in `hdfs-default.xml`,
/// `hdfs-rbf-default.xml`, `yarn-default.xml` and `mapred-default.xml`, and the older numbers 9000, 9820 and
/// 50020.
pub const PORTS: [u16; 17] = [
    8019, 8020, 8030, 8031, 8032, 8033, 8040, 8048, 8049, 8111, 8485, 8888, 9000, 9820, 9867,
    10_020, 50_020,
];

/// `RpcConstants.HEADER`.
const MAGIC: &[u8; 4] = b"hrpc";
/// `RpcConstants.CURRENT_VERSION`.
const VERSION: u8 = 9;
/// `RpcConstants.CONNECTION_CONTEXT_CALL_ID`.
const CONNECTION_CONTEXT_ID: i64 = -3;
/// `RpcConstants.PING_CALL_ID`.
const PING_ID: i64 = -4;
/// `Server.AuthProtocol.SASL`: the call id of its frames.
const SASL_ID: i64 = -33;
/// Default limit of servers: `ipc.maximum.data.length`.
pub const MESSAGE_LIMIT: usize = 128 << 20;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{
        DecodeErrorKind,
        message::{CallEvent, Kind},
    };

    /// Example of the document "Hadoop RPC walkthrough".
    const SEED: &[u8] = include_bytes!("../../../../tests/vectors/hadoop/seed/client-call.bin");
    const SEED_REPLY: &[u8] = include_bytes!("../../../../tests/vectors/hadoop/seed/reply.bin");

    /// Encodes a call of getFileInfo for `/a`, including its length.
    fn call(id: u8) -> Vec<u8> {
        let mut body = vec![26, 8, 2, 16, 0, 24, id << 1, 0x22, 16];
        body.extend_from_slice(&[7; 16]);
        body.push(0x28);
        body.push(0);
        body.extend_from_slice(b"\x18\x0a\x0bgetFileInfo\x12\x07a.Proto\x18\x01\x04\x0a\x02/a");
        framed(&body)
    }

    fn reply(id: u8, status: u8) -> Vec<u8> {
        framed(&[6, 8, id, 16, status, 24, 9, 0])
    }

    fn framed(body: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        frame::encode(body, &mut out).unwrap();
        out
    }

    fn names(side: Option<Side>, bytes: &[u8]) -> Vec<(&'static str, Option<i64>, usize)> {
        let mut connection = Connection::new();
        let (mut at, mut names) = (0, Vec::new());
        while at < bytes.len() {
            match connection.decode(side, &bytes[at..], true, &mut Scan::default(), &mut ()) {
                Decoded::Message(message, len) => {
                    assert_eq!(message.error, None);
                    names.push((message.name, message.id, len));
                    at += len;
                }
                other => panic!("{other:?} at {at}"),
            }
        }
        names
    }

    #[test]
    fn seed_is_a_header_a_context_and_a_call() {
        let seen = [
            ("ConnectionHeader", None, 7),
            ("ConnectionContext", Some(-3), 54),
            ("Call", Some(0), 67),
        ];
        assert_eq!(names(Some(Side::Client), SEED), seen);
        assert_eq!(names(None, SEED), seen);
        assert_eq!(names(Some(Side::Server), SEED_REPLY), [("Reply", Some(0), 55)]);
        assert_eq!(names(None, SEED_REPLY), [("Reply", Some(0), 55)]);
    }

    #[test]
    fn documented_call_has_its_method_and_user() {
        let mut connection = Connection::new();
        let mut at = 0;
        for len in [7, 54] {
            connection.decode(
                Some(Side::Client),
                &SEED[at..],
                false,
                &mut Scan::default(),
                &mut (),
            );
            at += len;
        }
        assert_eq!(connection.user(), Some("eleibovi"));
        assert_eq!(connection.dialect, Some(Dialect::Beta));
        let decoded = connection.decode(
            Some(Side::Client),
            &SEED[at..],
            false,
            &mut Scan::default(),
            &mut (),
        );
        let Decoded::Message(message, 67) = decoded else { panic!("{decoded:?}") };
        assert_eq!((message.kind, message.id), (Kind::Request, Some(0)));
        let CallEvent::Request(request) = message.call else { panic!("{:?}", message.call) };
        assert_eq!((&*request.interface, &*request.method), ("ping", "ping"));
        assert!(connection.calls.is_open(&0));
    }

    #[test]
    fn call_id_detects_the_dialect() {
        for (id, beta, current) in
            [(-3, 0xffff_fffd, 5), (-4, 0xffff_fffc, 7), (-33, 0xffff_ffdf, 65)]
        {
            assert_eq!(Dialect::of_first(beta), Some(Dialect::Beta));
            assert_eq!(Dialect::of_first(current), Some(Dialect::Current));
            assert_eq!(Dialect::Beta.call_id(beta), id);
            assert_eq!(Dialect::Current.call_id(current), id);
        }
        assert_eq!(Dialect::of_first(0), None);
        assert_eq!(Dialect::of_first(10), None);
    }

    #[test]
    fn connection_is_detected_by_its_first_four_bytes() {
        for len in 0..4 {
            assert_eq!(Connection::probe(&SEED[..len]), None);
        }
        assert_eq!(Connection::probe(&SEED[..4]), Some(true));
        assert_eq!(Connection::probe(b"hrx"), Some(false));
    }

    #[test]
    fn reply_is_ahead_until_its_call_was_seen_and_a_fatal_one_to_the_end() {
        let mut connection = Connection::new();
        assert!(connection.awaits_peer(Side::Server, &reply(3, 0), &mut Scan::default()));
        connection.decode(Some(Side::Client), &call(3), false, &mut Scan::default(), &mut ());
        assert!(!connection.awaits_peer(Side::Server, &reply(3, 0), &mut Scan::default()));
        assert!(connection.awaits_peer(Side::Server, &reply(4, 0), &mut Scan::default()));
        assert!(connection.awaits_peer(Side::Server, &reply(3, 2), &mut Scan::default()));
        // A message that is not a reply does not wait.
        assert!(!connection.awaits_peer(Side::Server, &call(3)[..9], &mut Scan::default()));
    }

    #[test]
    fn after_another_version_nothing_is_known() {
        let mut connection = Connection::new();
        let decoded = connection.decode(
            Some(Side::Client),
            b"hrpc\x08\0\0rest",
            false,
            &mut Scan::default(),
            &mut (),
        );
        let Decoded::Message(message, 7) = decoded else { panic!("{decoded:?}") };
        let problem = DecodeErrorKind::Unexpected { value: 8, expected: "version 9" };
        assert_eq!(message.error, Some(problem.at("version", 4)));
        let decoded =
            connection.decode(Some(Side::Client), b"rest", false, &mut Scan::default(), &mut ());
        assert!(matches!(decoded, Decoded::Malformed(_)));
        assert_eq!(
            connection.resync(Some(Side::Client), b"rest", false, &mut Scan::default()),
            Err(4)
        );
    }

    proptest! {
        #[test]
        fn garbage_is_a_step_that_stays_within_its_bytes(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            end in any::<bool>(),
        ) {
            for side in [None, Some(Side::Client), Some(Side::Server)] {
                let mut connection = Connection::new();
                if let Decoded::Message(_, len) = connection.decode(side, &bytes, end, &mut Scan::default(), &mut ()) {
                    prop_assert!(0 < len && len <= bytes.len());
                }
                let (Ok(at) | Err(at)) = connection.resync(side, &bytes, end, &mut Scan::default());
                prop_assert!(at <= bytes.len());
            }
        }

        #[test]
        fn more_bytes_change_no_step_that_was_taken(
            parts in prop::collection::vec(
                prop_oneof![
                    Just(SEED.to_vec()),
                    (0..9_u8).prop_map(call),
                    (0..9_u8, 0..3_u8).prop_map(|(id, status)| reply(id, status)),
                    prop::collection::vec(any::<u8>(), 0..12),
                    Just(vec![0xff; 4]),
                ],
                0..6,
            ),
            cut in any::<prop::sample::Index>(),
        ) {
            let bytes = parts.concat();
            let cut = cut.index(bytes.len() + 1);
            for side in [None, Some(Side::Client), Some(Side::Server)] {
                let early = Connection::new().decode(side, &bytes[..cut], false, &mut Scan::default(), &mut ());
                if early != Decoded::Incomplete {
                    prop_assert_eq!(&early, &Connection::new().decode(side, &bytes, false, &mut Scan::default(), &mut ()));
                }
                let connection = Connection::new();
                match connection.resync(side, &bytes[..cut], false, &mut Scan::default()) {
                    Ok(at) => prop_assert_eq!(connection.resync(side, &bytes, false, &mut Scan::default()), Ok(at)),
                    Err(at) => {
                        let (Ok(later) | Err(later)) = connection.resync(side, &bytes, false, &mut Scan::default());
                        prop_assert!(later >= at);
                    }
                }
            }
        }
    }
}
