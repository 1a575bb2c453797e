//! Both directions of a connection, seen from outside.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, VecDeque},
    ops::Range,
};

use serde::{Deserialize, Serialize};

use super::{
    Command, Dialect, FRAME_LIMIT, HEADER_LEN, Role,
    early::PARTIAL,
    inside::{self, Chain},
    walk,
};
use crate::{
    DecodeError, Problem,
    fixed::Uuid,
    frame::{Framing, Header},
    message::{
        CallPart, Carries, Conversation, Kind, MAX_OPEN_CALLS, Message, Outcome, Reply, Request,
        Side, Status, Step,
    },
    visit::{Shape, Value, Visitor},
};

/// One connection, both directions, in today's protocol or in the first proposal.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Connection {
    dialect: Dialect,
    next_token: u64,
    /// What waits for its reply, in order, by what the reply will say.
    waiting: HashMap<String, VecDeque<Waiting>>,
    tokens: BTreeMap<u64, String>,
    /// By the request id of a writer's appends: who it is.
    writers: HashMap<i64, String>,
    /// Whose append block was begun with an event that is to end with it.
    torn: Option<String>,
    /// Whether a message in pieces was begun, by who writes it.
    in_pieces: [bool; 2],
}

#[derive(Debug, Deserialize, Serialize)]
struct Waiting {
    token: u64,
    /// Of a read in the first proposal, where its next piece begins.
    from: i64,
    /// What an acknowledgement, or the pieces of a read, must reach.
    number: i64,
}

impl Connection {
    /// A connection in which the types have the numbers of `dialect`.
    #[must_use]
    pub fn of(dialect: Dialect) -> Self {
        Self { dialect, ..Self::default() }
    }

    /// Whether `bytes`, the first that either side wrote, begin a connection of today's; `None` if
    /// they are too few to tell. Both sides say `Hello` first.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> Option<bool> {
        let len = bytes.len().min(HELLO.len());
        if bytes[..len] != HELLO[..len] {
            return Some(false);
        }
        (len == HELLO.len()).then_some(true)
    }

    fn command(&self, code: i32) -> Option<&'static Command> {
        let command = self.dialect.of_code(code)?;
        // What is within an append block is no frame by itself.
        (self.dialect.is_early() || !inside::is_of_block(command)).then_some(command)
    }

    fn open<'a>(
        &mut self,
        key: String,
        (from, number): (i64, i64),
        name: &'static str,
        facts: &Facts,
    ) -> CallPart<'a> {
        let token = self.next_token;
        self.next_token += 1;
        self.tokens.insert(token, key.clone());
        self.waiting.entry(key).or_default().push_back(Waiting { token, from, number });
        if self.tokens.len() > MAX_OPEN_CALLS
            && let Some((_, oldest)) = self.tokens.pop_first()
        {
            self.take(&oldest, 0);
        }
        CallPart::Request(Request {
            token,
            interface: Cow::Borrowed(""),
            method: Cow::Borrowed(name),
            target: facts.segment.clone().map(Cow::Owned),
            retry: None,
            caller_context: None,
        })
    }

    /// Takes the one that waits under `key` behind `at` others.
    fn take(&mut self, key: &str, at: usize) -> Option<u64> {
        let queue = self.waiting.get_mut(key)?;
        let token = queue.remove(at)?.token;
        if queue.is_empty() {
            self.waiting.remove(key);
        }
        self.tokens.remove(&token);
        Some(token)
    }

    /// What waits first under `key`.
    fn first(&self, key: &str) -> Option<&Waiting> {
        self.waiting.get(key)?.front()
    }

    fn close<'a>(&mut self, key: &str, outcome: Outcome<'a>) -> CallPart<'a> {
        let token = self.take(key, 0);
        CallPart::Reply(Reply { token, outcome })
    }

    /// An acknowledgement ends all that it reaches.
    fn acknowledge<'a>(&mut self, key: &str, number: i64) -> CallPart<'a> {
        let ok = Outcome { status: Status::Ok, error_class: None };
        let mut replies = Vec::new();
        while self.first(key).is_some_and(|first| first.number <= number) {
            replies.push(Reply { token: self.take(key, 0), outcome: ok.clone() });
        }
        CallPart::Replies(replies)
    }

    fn call<'a>(&mut self, command: &'static Command, facts: &Facts) -> CallPart<'a> {
        if self.dialect.is_early() {
            return self.early_call(command, facts);
        }
        let writer = facts.writer.as_ref().map(|writer| format!("append {writer}"));
        let request = facts.number("request_id");
        match (command.name, writer, request) {
            ("SetupAppend", Some(writer), Some(id)) => {
                if self.writers.len() < MAX_OPEN_CALLS {
                    self.writers.insert(id, writer);
                }
                self.open(format!("request {id}"), (0, 0), command.name, facts)
            }
            ("AppendBlockEnd" | "ConditionalAppend" | "ConditionalBlockEnd", Some(writer), _) => {
                let number = facts.number("last_event_number").or(facts.number("event_number"));
                self.open(writer, (0, number.unwrap_or_default()), command.name, facts)
            }
            ("DataAppended", Some(writer), _) => {
                self.acknowledge(&writer, facts.number("event_number").unwrap_or(i64::MIN))
            }
            ("ConditionalCheckFailed" | "InvalidEventNumber", Some(writer), _) => {
                self.close(&writer, outcome_of(command))
            }
            (_, _, Some(id)) if command.role == Role::Request => {
                self.open(format!("request {id}"), (0, 0), command.name, facts)
            }
            (_, _, Some(id)) if command.role == Role::Reply => {
                let key = format!("request {id}");
                match self.writers.get(&id).cloned() {
                    Some(writer) if !self.waiting.contains_key(&key) => {
                        self.close(&writer, outcome_of(command))
                    }
                    _ => self.close(&key, outcome_of(command)),
                }
            }
            _ => CallPart::None,
        }
    }

    /// Of reads by their segment and range, of appends by connection id and how far they go.
    fn early_call<'a>(&mut self, command: &'static Command, facts: &Facts) -> CallPart<'a> {
        let ok = Outcome { status: Status::Ok, error_class: None };
        let by = |what: &str| facts.writer.as_ref().map(|writer| format!("{what} {writer}"));
        let name = command.name;
        match name {
            "ReadSegment" => facts.read().map(|(key, start)| {
                let len = facts.number("suggested_length").unwrap_or_default();
                self.open(key, (start, start.saturating_add(len)), name, facts)
            }),
            "SegmentRead" => facts.read().and_then(|(key, start)| {
                let token = self.take_read(&key, start, facts)?;
                Some(CallPart::Reply(Reply { token: Some(token), outcome: ok }))
            }),
            "SetupAppend" => by("setup").map(|key| self.open(key, (0, 0), name, facts)),
            "AppendSetup" => by("setup").map(|key| self.close(&key, ok)),
            "EndAppendBlock" => by("append").map(|key| {
                let start = facts.number("connection_offset").unwrap_or_default();
                let len = facts.number("block_length").unwrap_or_default();
                self.open(key, (start, start.saturating_add(len)), name, facts)
            }),
            "DataAppended" => by("append").map(|key| {
                let level = facts.number("connection_offset_ack_level").unwrap_or(i64::MIN);
                self.acknowledge(&key, level)
            }),
            _ => None,
        }
        .unwrap_or(CallPart::None)
    }

    /// Takes the read that a piece at `start` is the last one of.
    fn take_read(&mut self, key: &str, start: i64, facts: &Facts) -> Option<u64> {
        let queue = self.waiting.get_mut(key)?;
        // The one whose next piece it is; else, pieces being lost, one that asked for such bytes.
        let next = queue.iter().position(|read| read.from == start);
        let asked = || queue.iter().position(|read| (read.from..read.number).contains(&start));
        let at = next.or_else(asked)?;
        let len = facts.data.as_ref().map_or(0, ExactSizeIterator::len);
        let read = &mut queue[at];
        read.from = start.saturating_add(len.cast_signed() as i64);
        let is_over = facts.is_last || read.from >= read.number;
        if is_over { self.take(key, at) } else { None }
    }

    /// What a message carries: events of an append, a piece of a message; and what is wrong with that.
    fn carried(
        &mut self,
        command: &'static Command,
        side: Side,
        facts: &Facts,
        bytes: &[u8],
    ) -> (Option<Carries>, Option<DecodeError>) {
        let Some(range) = facts.data.clone() else { return (None, None) };
        let writer = facts.writer.as_ref().map(ToString::to_string);
        let carries = |begins, ends| Some(Carries { range: range.clone(), begins, ends });
        match command.name {
            PARTIAL => {
                let flag = facts.number("part").unwrap_or_default();
                let (begins, ends) = (flag == 0, flag == 2);
                let in_pieces = &mut self.in_pieces[side as usize];
                let has_begun = std::mem::replace(in_pieces, !ends);
                let wrong = |expected| {
                    Some(Problem::Unexpected { value: flag, expected }.of("part", HEADER_LEN))
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
            "AppendBlock" => {
                let chain = inside::chain(&bytes[range.clone()]);
                self.torn = writer.filter(|_| chain == Some(Chain::Torn));
                (chain.and_then(|chain| carries(true, chain == Chain::Whole)), None)
            }
            "AppendBlockEnd" => {
                let is_tail = self.torn.take().is_some_and(|torn| Some(torn) == writer);
                // Bytes of a byte stream are no events.
                let holds = is_tail || inside::chain(&bytes[range.clone()]) == Some(Chain::Whole);
                (if holds { carries(!is_tail, true) } else { None }, None)
            }
            _ => (None, None),
        }
    }
}

impl Conversation for Connection {
    fn next<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        _end: bool,
        visitor: &mut V,
    ) -> Step<'a> {
        let header = match Framing::PRAVEGA.header(bytes, FRAME_LIMIT - HEADER_LEN) {
            Ok(Some(header)) => header,
            Ok(None) => return Step::Incomplete,
            Err(error) => return Step::Broken(error),
        };
        let command = self.command(header.kind);
        if command.is_none() && !self.dialect.is_early() {
            let expected = "the type of a command";
            let problem = Problem::Unexpected { value: header.kind.into(), expected };
            return Step::Broken(problem.of("type", 0));
        }
        let len = header.len + header.payload_len;
        let Some(payload) = bytes.get(header.len..len) else { return Step::Incomplete };
        let side = side.or_else(|| command.and_then(writer_of)).unwrap_or(Side::Client);
        visitor.layout("type", 0..4, Value::Int(header.kind.into()));
        visitor.layout("length", 4..HEADER_LEN, Value::UInt(header.payload_len as u64));
        let Some(command) = command else {
            visitor.field("data", HEADER_LEN..len, Value::Bytes(payload));
            let error = Some(Problem::NotKnown.of("type", 0));
            return Step::Message(
                Message { error, ..Message::new(side, "unknown", Kind::Event) },
                len,
            );
        };
        let mut tee = Tee { visitor, facts: Facts::default() };
        let mut error = walk(command, payload, &mut tee).err();
        let facts = tee.facts;
        let id = facts.number("request_id");
        let (mut call, mut carries) = (CallPart::None, None);
        if error.is_none() {
            call = self.call(command, &facts);
            (carries, error) = self.carried(command, side, &facts, bytes);
        }
        let kind = match command.role {
            Role::Append if command.name == "Event" => Kind::Event,
            Role::Request | Role::Append => Kind::Request,
            Role::Reply => Kind::Reply,
            Role::Both => Kind::Control,
        };
        Step::Message(Message { side, name: command.name, kind, id, call, carries, error }, len)
    }

    fn next_carried<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        visitor: &mut V,
    ) -> Step<'a> {
        if !self.dialect.is_early() {
            return inside::next_of_block(side.unwrap_or(Side::Client), bytes, visitor);
        }
        let code = bytes.first_chunk().map(|code| i32::from_be_bytes(*code));
        match code.filter(|code| self.command(*code).is_some_and(|it| it.name == PARTIAL)) {
            Some(code) => {
                let expected = "a message that is no piece of another";
                Step::Broken(Problem::Unexpected { value: code.into(), expected }.of("type", 0))
            }
            None => self.next(side, bytes, false, visitor),
        }
    }

    fn resume(&self, side: Option<Side>, bytes: &[u8], end: bool) -> Result<usize, usize> {
        let mut at = 0;
        while at < bytes.len() {
            match self.chains(side, &bytes[at..], end) {
                Some(true) => return Ok(at),
                Some(false) => at += 1,
                None => break,
            }
        }
        Err(at)
    }

    fn is_ahead(&self, side: Side, bytes: &[u8]) -> bool {
        if side == Side::Client {
            return false;
        }
        let limit = FRAME_LIMIT - HEADER_LEN;
        let Ok(Some(header)) = Framing::PRAVEGA.front(bytes, limit) else { return false };
        let Some(command) = self.command(header.kind) else { return false };
        let mut tee = Tee { visitor: &mut (), facts: Facts::default() };
        if walk(command, &bytes[header.len..header.len + header.payload_len], &mut tee).is_err() {
            return false;
        }
        let id = tee.facts.number("request_id").filter(|_| command.role == Role::Reply);
        id.is_some_and(|id| {
            !self.writers.contains_key(&id) && !self.waiting.contains_key(&format!("request {id}"))
        })
    }

    fn user(&self) -> Option<&str> {
        None
    }
}

impl Connection {
    /// Whether `bytes` begin a chain of frames; `None` if more must be seen.
    fn chains(&self, side: Option<Side>, bytes: &[u8], end: bool) -> Option<bool> {
        let mut rest = bytes;
        for seen in 0..CHAIN {
            if rest.is_empty() && end && seen > 0 {
                return Some(true);
            }
            let header = match Framing::PRAVEGA.header(rest, FRAME_LIMIT - HEADER_LEN) {
                Ok(Some(header)) => header,
                // A chain that breaks off with the stream is one if it has begun.
                Ok(None) if end => return Some(seen > 0),
                Ok(None) => return None,
                Err(_) => return Some(false),
            };
            let Header { kind, len, payload_len } = header;
            let Some(command) = self.command(kind) else { return Some(false) };
            if side.is_some_and(|side| writer_of(command).is_some_and(|writer| writer != side)) {
                return Some(false);
            }
            match rest.get(len..len + payload_len) {
                Some(payload) if walk(command, payload, &mut ()).is_err() => return Some(false),
                Some(_) => rest = &rest[len + payload_len..],
                None if end => return Some(seen > 0),
                None => return None,
            }
        }
        Some(true)
    }
}

/// Who says a command, if only one side does.
fn writer_of(command: &Command) -> Option<Side> {
    match command.role {
        Role::Request | Role::Append => Some(Side::Client),
        Role::Reply => Some(Side::Server),
        Role::Both => None,
    }
}

fn outcome_of(command: &'static Command) -> Outcome<'static> {
    match command.code {
        8 | 50..=57 | 60 | 61 | 80..=82 => {
            Outcome { status: Status::Error, error_class: Some(Cow::Borrowed(command.name)) }
        }
        _ => Outcome { status: Status::Ok, error_class: None },
    }
}

/// What of a message's fields its call is about.
#[derive(Debug, Default)]
struct Facts {
    segment: Option<String>,
    writer: Option<Uuid>,
    numbers: Vec<(&'static str, i64)>,
    data: Option<Range<usize>>,
    /// Whether nothing stands behind what was read.
    is_last: bool,
}

impl Facts {
    fn number(&self, name: &str) -> Option<i64> {
        self.numbers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    /// The key of a read in the first proposal, and where it begins.
    fn read(&self) -> Option<(String, i64)> {
        Some((format!("read {}", self.segment.as_ref()?), self.number("offset")?))
    }

    fn take(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        match value {
            Value::Bool(is_so) => {
                self.is_last |= is_so && matches!(name, "at_tail" | "end_of_segment");
            }
            Value::Bytes(_) if name == "data" => self.data = Some(at),
            Value::Int(value) | Value::Enum(value, _) => {
                if let Some(known) = NUMBERS.iter().find(|known| **known == name) {
                    self.numbers.push((known, value));
                }
            }
            Value::Text(text) if SEGMENTS.contains(&name) && self.segment.is_none() => {
                self.segment = Some(text.to_owned());
            }
            Value::Uuid(bytes) if matches!(name, "writer_id" | "connection_id") => {
                self.writer = Some(Uuid::from_be_bytes(bytes));
            }
            _ => {}
        }
    }
}

/// Shows a visitor all, and keeps the facts.
struct Tee<'a, V> {
    visitor: &'a mut V,
    facts: Facts,
}

impl<V: Visitor> Visitor for Tee<'_, V> {
    fn field(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.facts.take(name, at.clone(), value);
        self.visitor.field(name, at, value);
    }

    fn layout(&mut self, name: &str, at: Range<usize>, value: Value<'_>) {
        self.visitor.layout(name, at, value);
    }

    fn enter(&mut self, name: &str, shape: Shape) {
        self.visitor.enter(name, shape);
    }

    fn leave(&mut self) {
        self.visitor.leave();
    }
}

const NUMBERS: [&str; 9] = [
    "request_id",
    "event_number",
    "last_event_number",
    "offset",
    "connection_offset",
    "block_length",
    "connection_offset_ack_level",
    "suggested_length",
    "part",
];
const SEGMENTS: [&str; 5] =
    ["segment", "segment_name", "target", "target_segment_id", "parent_segment"];

/// The header of a `Hello`.
const HELLO: &[u8] = b"\xff\xff\xff\x81\0\0\0\x08";
/// Frames one behind the other that are no accident. Ours.
const CHAIN: usize = 3;
/// Where a segment store listens, as delivered: `pravegaservice.listeningPort`.
pub const PORTS: [u16; 1] = [12345];
