//! Both directions of a connection, seen from outside.

use std::{
    borrow::Cow,
    collections::{BTreeMap, HashMap, VecDeque},
    ops::Range,
};

use serde::{Deserialize, Serialize};

use super::{COMMANDS, Command, FRAME_LIMIT, HEADER_LEN, MESSAGES, Role, walk};
use crate::{
    Problem,
    fixed::Uuid,
    frame::{Framing, Header},
    message::{
        CallPart, Conversation, Kind, MAX_OPEN_CALLS, Message, Outcome, Reply, Request, Side,
        Status, Step,
    },
    visit::{Shape, Value, Visitor},
};

/// One connection, both directions, in today's protocol or in the first proposal.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Connection {
    is_early: bool,
    next_token: u64,
    /// What waits for its reply, in order, by what the reply will say.
    waiting: HashMap<String, VecDeque<Waiting>>,
    tokens: BTreeMap<u64, String>,
    /// By the request id of a writer's appends: who it is.
    writers: HashMap<i64, String>,
}

#[derive(Debug, Deserialize, Serialize)]
struct Waiting {
    token: u64,
    /// What an acknowledgement must reach.
    number: i64,
}

impl Connection {
    /// A connection of the first proposal, whose types have our numbers.
    #[must_use]
    pub fn early() -> Self {
        Self { is_early: true, ..Self::default() }
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
        if self.is_early {
            return MESSAGES.iter().find(|message| message.code == code);
        }
        // What is within an append block is no frame by itself.
        let is_within = (-2..=0).contains(&code);
        COMMANDS.iter().find(|command| command.code == code && !is_within)
    }

    fn open<'a>(
        &mut self,
        key: String,
        number: i64,
        name: &'static str,
        facts: &Facts,
    ) -> CallPart<'a> {
        let token = self.next_token;
        self.next_token += 1;
        self.tokens.insert(token, key.clone());
        self.waiting.entry(key).or_default().push_back(Waiting { token, number });
        if self.tokens.len() > MAX_OPEN_CALLS
            && let Some((_, oldest)) = self.tokens.pop_first()
        {
            self.take(&oldest, |_| true);
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

    /// Takes the first that waits under `key`, if it is meant.
    fn take(&mut self, key: &str, is_meant: impl Fn(&Waiting) -> bool) -> Option<u64> {
        let queue = self.waiting.get_mut(key)?;
        let token = queue.front().filter(|first| is_meant(first))?.token;
        queue.pop_front();
        if queue.is_empty() {
            self.waiting.remove(key);
        }
        self.tokens.remove(&token);
        Some(token)
    }

    fn close<'a>(&mut self, key: &str, outcome: Outcome<'a>) -> CallPart<'a> {
        let token = self.take(key, |_| true);
        CallPart::Reply(Reply { token, outcome })
    }

    /// An acknowledgement ends all that it reaches.
    fn acknowledge<'a>(&mut self, key: &str, number: i64) -> CallPart<'a> {
        let ok = Outcome { status: Status::Ok, error_class: None };
        let mut replies = Vec::new();
        while let Some(token) = self.take(key, |first| first.number <= number) {
            replies.push(Reply { token: Some(token), outcome: ok.clone() });
        }
        CallPart::Replies(replies)
    }

    fn call<'a>(&mut self, command: &'static Command, facts: &Facts) -> CallPart<'a> {
        if self.is_early {
            return self.early_call(command, facts);
        }
        let writer = facts.writer.as_ref().map(|writer| format!("append {writer}"));
        let request = facts.number("request_id");
        match (command.name, writer, request) {
            ("SetupAppend", Some(writer), Some(id)) => {
                if self.writers.len() < MAX_OPEN_CALLS {
                    self.writers.insert(id, writer);
                }
                self.open(format!("request {id}"), 0, command.name, facts)
            }
            ("AppendBlockEnd" | "ConditionalAppend" | "ConditionalBlockEnd", Some(writer), _) => {
                let number = facts.number("last_event_number").or(facts.number("event_number"));
                self.open(writer, number.unwrap_or_default(), command.name, facts)
            }
            ("DataAppended", Some(writer), _) => {
                self.acknowledge(&writer, facts.number("event_number").unwrap_or(i64::MIN))
            }
            ("ConditionalCheckFailed" | "InvalidEventNumber", Some(writer), _) => {
                self.close(&writer, outcome_of(command))
            }
            (_, _, Some(id)) if command.role == Role::Request => {
                self.open(format!("request {id}"), 0, command.name, facts)
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

    /// Of reads by where they begin, of appends by how far they go.
    fn early_call<'a>(&mut self, command: &'static Command, facts: &Facts) -> CallPart<'a> {
        let ok = Outcome { status: Status::Ok, error_class: None };
        let read = || {
            let (segment, offset) = (facts.segment.as_deref()?, facts.number("offset")?);
            Some(format!("read {offset} {segment}"))
        };
        let by = |what: &str| facts.writer.as_ref().map(|writer| format!("{what} {writer}"));
        let (what, name) = (command.name, command.name);
        match what {
            "ReadSegment" => read().map(|key| self.open(key, 0, name, facts)),
            "SegmentRead" => read().map(|key| self.close(&key, ok)),
            "SetupAppend" => by("setup").map(|key| self.open(key, 0, name, facts)),
            "AppendSetup" => by("setup").map(|key| self.close(&key, ok)),
            "EndAppendBlock" => by("append").map(|key| {
                let start = facts.number("connection_offset").unwrap_or_default();
                let len = facts.number("block_length").unwrap_or_default();
                self.open(key, start.saturating_add(len), name, facts)
            }),
            "DataAppended" => by("append").map(|key| {
                let level = facts.number("connection_offset_ack_level").unwrap_or(i64::MIN);
                self.acknowledge(&key, level)
            }),
            _ => None,
        }
        .unwrap_or(CallPart::None)
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
        if command.is_none() && !self.is_early {
            let expected = "the type of a command";
            let problem = Problem::Unexpected { value: header.kind.into(), expected };
            return Step::Broken(problem.of("type", 0));
        }
        let len = header.len + header.payload_len;
        let Some(payload) = bytes.get(header.len..len) else { return Step::Incomplete };
        let side = side.or_else(|| command.and_then(writer_of)).unwrap_or(Side::Client);
        let told = |name, kind, id, call, error| {
            Step::Message(Message { side, name, kind, id, call, error }, len)
        };
        visitor.layout("type", 0..4, Value::Int(header.kind.into()));
        visitor.layout("length", 4..HEADER_LEN, Value::UInt(header.payload_len as u64));
        let Some(command) = command else {
            visitor.field("data", HEADER_LEN..len, Value::Bytes(payload));
            let error = Some(Problem::NotKnown.of("type", 0));
            return told("unknown", Kind::Event, None, CallPart::None, error);
        };
        let mut tee = Tee { visitor, facts: Facts::default() };
        let error = walk(command, payload, &mut tee).err();
        let facts = tee.facts;
        let id = facts.number("request_id");
        let call = if error.is_some() { CallPart::None } else { self.call(command, &facts) };
        let kind = match command.role {
            Role::Append if command.name == "Event" => Kind::Event,
            Role::Request | Role::Append => Kind::Request,
            Role::Reply => Kind::Reply,
            Role::Both => Kind::Control,
        };
        told(command.name, kind, id, call, error)
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
}

impl Facts {
    fn number(&self, name: &str) -> Option<i64> {
        self.numbers.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn take(&mut self, name: &str, value: Value<'_>) {
        match value {
            Value::Int(value) => {
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
        self.facts.take(name, value);
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

const NUMBERS: [&str; 7] = [
    "request_id",
    "event_number",
    "last_event_number",
    "offset",
    "connection_offset",
    "block_length",
    "connection_offset_ack_level",
];
const SEGMENTS: [&str; 5] =
    ["segment", "segment_name", "target", "target_segment_id", "parent_segment"];

/// The header of a `Hello`.
const HELLO: &[u8] = b"\xff\xff\xff\x81\0\0\0\x08";
/// Frames one behind the other that are no accident. Ours.
const CHAIN: usize = 3;
/// Where a segment store listens, as delivered: `pravegaservice.listeningPort`.
pub const PORTS: [u16; 1] = [12345];
