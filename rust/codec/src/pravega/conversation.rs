//! Decoder of both directions of a captured Pravega connection.

use serde::{Deserialize, Serialize};

use super::{
    Command, CommandKind, Dialect, FRAME_LIMIT, HEADER_LEN, Role,
    append_block::{self, Chain},
    call_fields::{CallFields, Tee},
    calls::Calls,
    visit_fields::{self, visit_fields},
};
use crate::{
    DecodeError, DecodeErrorKind,
    cost::examined,
    fixed::Uuid,
    frame::{Framing, Header},
    message::{CallEvent, Decoded, Kind, Message, NestedRange, ProtocolDecoder, Side},
    resync::{self, FrameProbe, Start},
    scan::{Answers, Scan, ScanPlaces},
    visit::{Value, Visitor},
};

/// One connection, both directions, in today's protocol or in the first proposal.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Connection {
    dialect: Dialect,
    calls: Calls,
    /// Whose append block was begun with an event that is to end with it.
    torn: Option<Uuid>,
    /// Whether a message in pieces was begun, by who writes it.
    in_pieces: [bool; 2],
}

impl Connection {
    /// A connection in which the types have the numbers of `dialect`.
    #[must_use]
    pub fn with_dialect(dialect: Dialect) -> Self {
        Self { dialect, ..Self::default() }
    }

    /// Whether `bytes`, the first that either side wrote, begin a connection of today's; `None` if
    /// they are too few to tell. Both sides say `Hello` first.
    #[must_use]
    pub fn probe(bytes: &[u8]) -> Option<bool> {
        let len = bytes.len().min(HELLO.len());
        if bytes[..len] != HELLO[..len] {
            return Some(false);
        }
        (len == HELLO.len()).then_some(true)
    }

    fn command(&self, code: i32) -> Option<&'static Command> {
        let command = self.dialect.of_code(code)?;
        // Parts of an append block are not separate frames.
        (self.dialect.is_early() || !append_block::is_of_block(command)).then_some(command)
    }

    /// Nested bytes of a message: events of an append or a piece of a message; and the error in them.
    fn carried(
        &mut self,
        command: &'static Command,
        side: Side,
        fields: &CallFields,
        bytes: &[u8],
    ) -> (Option<NestedRange>, Option<DecodeError>) {
        let Some(range) = fields.data.clone() else { return (None, None) };
        let writer = fields.writer;
        let carries = |begins, ends| Some(NestedRange { range: range.clone(), begins, ends });
        match command.kind {
            CommandKind::PartialMessage => {
                let flag = fields.part.unwrap_or_default();
                let (begins, ends) = (flag == 0, flag == 2);
                let in_pieces = &mut self.in_pieces[side as usize];
                let has_begun = std::mem::replace(in_pieces, !ends);
                let wrong = |expected| {
                    Some(
                        DecodeErrorKind::Unexpected { value: flag, expected }
                            .at("part", HEADER_LEN),
                    )
                };
                match (has_begun, begins) {
                    (true, true) => (carries(begins, ends), wrong("the next piece of a message")),
                    (false, false) => {
                        *in_pieces = false;
                        (None, wrong("the first piece of a message"))
                    }
                    _ => (carries(begins, ends), None),
                }
            }
            CommandKind::AppendBlock => {
                let chain = append_block::chain(&bytes[range.clone()]);
                self.torn = writer.filter(|_| chain == Some(Chain::Torn));
                (chain.and_then(|chain| carries(true, chain == Chain::Whole)), None)
            }
            CommandKind::AppendBlockEnd => {
                let is_tail = self.torn.take().is_some_and(|torn| Some(torn) == writer);
                // Bytes of a byte stream are no events.
                let holds =
                    is_tail || append_block::chain(&bytes[range.clone()]) == Some(Chain::Whole);
                (if holds { carries(!is_tail, true) } else { None }, None)
            }
            _ => (None, None),
        }
    }
}

/// A reply, as far as its call is concerned.
#[derive(Clone, Debug)]
pub(crate) struct DecodedReply {
    command: &'static Command,
    fields: CallFields,
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
        examined(HEADER_LEN);
        let header = match Framing::PRAVEGA.header(bytes, FRAME_LIMIT - HEADER_LEN) {
            Ok(Some(header)) => header,
            Ok(None) => {
                scan.wait_for(HEADER_LEN);
                return Decoded::Incomplete;
            }
            Err(error) => return Decoded::Malformed(error),
        };
        let command = self.command(header.kind);
        if command.is_none() && !self.dialect.is_early() {
            let expected = "the type of a command";
            let problem = DecodeErrorKind::Unexpected { value: header.kind.into(), expected };
            return Decoded::Malformed(problem.at("type", 0));
        }
        let len = header.len + header.payload_len;
        let Some(payload) = bytes.get(header.len..len) else {
            scan.wait_for(len);
            return Decoded::Incomplete;
        };
        let side = side.or_else(|| command.and_then(writer_of)).unwrap_or(Side::Client);
        visitor.layout("type", 0..4, Value::Int(header.kind.into()));
        visitor.layout("length", 4..HEADER_LEN, Value::UInt(header.payload_len as u64));
        let Some(command) = command else {
            visitor.field("data", HEADER_LEN..len, Value::Bytes(payload));
            let error = Some(DecodeErrorKind::Unsupported.at("type", 0));
            return Decoded::Message(
                Message { error, ..Message::new(side, "unknown", Kind::Event) },
                len,
            );
        };
        let mut tee = Tee { visitor, fields: CallFields::default() };
        let mut error = visit_fields(command, payload, &mut tee).err();
        let fields = tee.fields;
        let id = fields.request_id;
        let (mut call, mut carries) = (CallEvent::None, None);
        if error.is_none() {
            call = self.calls.call(self.dialect.is_early(), command, &fields);
            (carries, error) = self.carried(command, side, &fields, bytes);
        }
        let kind = match command.role {
            Role::Append if command.kind == CommandKind::Event => Kind::Event,
            Role::Request | Role::Append => Kind::Request,
            Role::Reply => Kind::Reply,
            Role::Both => Kind::Control,
        };
        Decoded::Message(Message { side, name: command.name, kind, id, call, carries, error }, len)
    }

    fn decode_carried<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        if !self.dialect.is_early() {
            return append_block::next_of_block(side.unwrap_or(Side::Client), bytes, scan, visitor);
        }
        let code = bytes.first_chunk().map(|code| i32::from_be_bytes(*code));
        match code.filter(|code| {
            self.command(*code).is_some_and(|it| it.kind == CommandKind::PartialMessage)
        }) {
            Some(code) => {
                let expected = "a message that is no piece of another";
                Decoded::Malformed(
                    DecodeErrorKind::Unexpected { value: code.into(), expected }.at("type", 0),
                )
            }
            None => self.decode(side, bytes, false, scan, visitor),
        }
    }

    fn resync(
        &self,
        side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> Result<usize, usize> {
        let is_early = self.dialect.is_early();
        // The first byte of a length is 0, as no frame is so long that it is not; types are small today, and 0 is
        // that of an event, which is within a block.
        #[expect(
            clippy::needless_bitwise_bool,
            reason = "without branches, the compiler makes vectors of it"
        )]
        let seems_to = |&[first, second, third, fourth, length]: &[u8; LENGTH_AT + 1]| {
            let sign = if fourth < 0x80 { 0 } else { 0xff };
            let is_small = (first == sign) & (second == sign) & (third == sign) & (fourth != 0);
            (length == 0) & (is_small | is_early)
        };
        let start = |_: &[u8]| Start::After(0);
        resync::find_boundary(bytes, end, scan, HEADER_LEN, seems_to, start, |_, rest| {
            self.front(side, rest)
        })
    }

    fn awaits_peer(&self, side: Side, bytes: &[u8], scan: &mut Scan) -> bool {
        if side == Side::Client {
            return false;
        }
        let is_early = self.dialect.is_early();
        if let Some(ScanPlaces { answers: Some(Answers::Command(known)), .. }) = scan.known() {
            return self.calls.awaits_peer(is_early, known.command, &known.fields);
        }
        let limit = FRAME_LIMIT - HEADER_LEN;
        let Ok(Some(header)) = Framing::PRAVEGA.front(bytes, limit) else { return false };
        let Some(command) = self.command(header.kind) else { return false };
        let mut tee = Tee { visitor: &mut (), fields: CallFields::default() };
        if visit_fields(command, &bytes[header.len..header.len + header.payload_len], &mut tee)
            .is_err()
        {
            return false;
        }
        let fields = tee.fields;
        let awaits_peer = self.calls.awaits_peer(is_early, command, &fields);
        if awaits_peer {
            scan.places().answers =
                Some(Answers::Command(Box::new(DecodedReply { command, fields })));
        }
        awaits_peer
    }

    fn user(&self) -> Option<&str> {
        None
    }

    fn held(&self) -> usize {
        self.calls.held()
    }

    fn validate(&self) -> Option<u64> {
        self.calls.validate().filter(|_| self.dialect.is_sound())
    }
}

impl Connection {
    fn front(&self, side: Option<Side>, bytes: &[u8]) -> FrameProbe {
        examined(LENGTH_AT);
        let Some(kind) = bytes.first_chunk().map(|kind| i32::from_be_bytes(*kind)) else {
            return FrameProbe::TooShort(HEADER_LEN);
        };
        // Most positions without a frame have no known type.
        let Some(command) = self.command(kind).filter(|command| may_write(side, command)) else {
            return FrameProbe::NoFrame;
        };
        examined(HEADER_LEN - LENGTH_AT);
        let header = match Framing::PRAVEGA.header(bytes, FRAME_LIMIT - HEADER_LEN) {
            Ok(Some(header)) => header,
            Ok(None) => return FrameProbe::TooShort(HEADER_LEN),
            Err(_) => return FrameProbe::NoFrame,
        };
        let Header { len, payload_len, .. } = header;
        match bytes.get(len..len + payload_len) {
            Some(payload) if !visit_fields::may_be(command, payload) => FrameProbe::NoFrame,
            Some(_) => FrameProbe::Frame(len + payload_len),
            None => FrameProbe::TooShort(len + payload_len),
        }
    }
}

/// Whether `side`, or anyone, writes a command.
fn may_write(side: Option<Side>, command: &Command) -> bool {
    side.is_none_or(|side| writer_of(command).is_none_or(|writer| writer == side))
}

/// Side that writes a command, if only one does.
fn writer_of(command: &Command) -> Option<Side> {
    match command.role {
        Role::Request | Role::Append => Some(Side::Client),
        Role::Reply => Some(Side::Server),
        Role::Both => None,
    }
}

/// Where the length stands in a header.
const LENGTH_AT: usize = 4;
/// The header of a `Hello`.
const HELLO: &[u8] = b"\xff\xff\xff\x81\0\0\0\x08";
/// Where a segment store listens, as delivered: `pravegaservice.listeningPort`.
pub const PORTS: [u16; 1] = [12345];
