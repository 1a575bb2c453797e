//! Messages, calls and replies in the form that all five protocols share, and the trait of a protocol's decoder.

use std::{borrow::Cow, ops::Range};

use serde::{Deserialize, Serialize};

use crate::{DecodeError, scan::Scan, visit::Visitor};

/// A side of a conversation; of a message, who wrote it.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Side {
    /// The one that connects; of Storm and Hama the child process.
    Client,
    /// The one that listens; of Storm and Hama the JVM.
    Server,
}

impl Side {
    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }

    /// The other one.
    #[must_use]
    pub fn peer(self) -> Self {
        match self {
            Self::Client => Self::Server,
            Self::Server => Self::Client,
        }
    }
}

/// What a message is for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// Asks for something and is answered.
    Request,
    /// Answers a request.
    Reply,
    /// Says something unasked.
    Event,
    /// Keeps the conversation itself going.
    Control,
}

impl Kind {
    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Request => "request",
            Self::Reply => "reply",
            Self::Event => "event",
            Self::Control => "control",
        }
    }
}

/// One message, as far as it could be decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Message<'a> {
    /// Who wrote it.
    pub side: Side,
    /// Its name in the protocol's documents.
    pub name: &'static str,
    /// What it is for.
    pub kind: Kind,
    /// What joins requests and replies.
    pub id: Option<i64>,
    /// What it means for the calls.
    pub call: CallEvent<'a>,
    /// What stands in it of a stream of messages of its own.
    pub carries: Option<NestedRange>,
    /// What could not be decoded; the next message is not affected.
    pub error: Option<DecodeError>,
}

impl Message<'_> {
    /// A whole message that has no id and means nothing for calls.
    #[must_use]
    pub fn new(side: Side, name: &'static str, kind: Kind) -> Self {
        Self { side, name, kind, id: None, call: CallEvent::None, carries: None, error: None }
    }
}

/// Bytes of a message that are a piece of a stream of messages of its own.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NestedRange {
    /// Which they are.
    pub range: Range<usize>,
    /// Whether nothing in them goes on that began in an earlier piece.
    pub begins: bool,
    /// Whether nothing in them goes on in a later one.
    pub ends: bool,
}

/// What a message means for the calls of its conversation.
#[derive(Clone, Debug, PartialEq)]
pub enum CallEvent<'a> {
    /// Nothing.
    None,
    /// A call begins.
    Request(Request<'a>),
    /// A call ends.
    Reply(Reply<'a>),
    /// Several calls end.
    Replies(Vec<Reply<'a>>),
    /// Every open call ends.
    AllEnded(Outcome<'a>),
}

/// The beginning of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Request<'a> {
    /// Numbers the calls of one conversation.
    pub token: u64,
    /// What is called on, as in `ClientProtocol`; empty where the protocol knows no such thing.
    pub interface: Cow<'a, str>,
    /// What is called, as in `getFileInfo`.
    pub method: Cow<'a, str>,
    /// What is asked about: a path, a map, a segment.
    pub target: Option<Cow<'a, str>>,
    /// How often it was tried before, where the protocol says so.
    pub retry: Option<i32>,
    /// Who asks on the caller's behalf, in the caller's own words.
    pub caller_context: Option<Cow<'a, str>>,
}

/// The end of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply<'a> {
    /// The call it ends; `None` if its request was not seen and cannot be later. What was captured of
    /// the two sides may be out of order: a token that is not known yet may be that of a request to
    /// come.
    pub token: Option<u64>,
    /// How it ended.
    pub outcome: Outcome<'a>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<'a> {
    /// In one word.
    pub status: Status,
    /// The Java class of the exception.
    pub error_class: Option<Cow<'a, str>>,
}

/// How a call ended, in one word.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Status {
    /// Answered.
    Ok,
    /// Refused; the connection lives.
    Error,
    /// Refused, and the connection with it.
    Fatal,
    /// Never answered.
    Lost,
}

impl Status {
    /// The name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Error => "error",
            Self::Fatal => "fatal",
            Self::Lost => "lost",
        }
    }
}

/// Result of decoding the front of one direction of a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoded<'a> {
    /// Not a whole message yet.
    Incomplete,
    /// A message, and how many bytes it takes.
    Message(Message<'a>, usize),
    /// Nothing that a message can begin with: the direction must be searched for its next boundary.
    Malformed(DecodeError),
}

/// Decoder of both directions of one captured connection.
pub trait ProtocolDecoder {
    /// Decodes the message at the front of what `side` wrote and was not decoded yet, and shows its
    /// fields to `visitor`. `None` as side: each message is judged by itself. `end` says that no more
    /// bytes will come. `scan` is that of the bytes: with it, none of them is examined again because
    /// more came.
    fn decode<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a>;

    /// Decodes the message at the front of what messages of `side` carry.
    fn decode_carried<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        self.decode(side, bytes, false, scan, visitor)
    }

    /// Looks for the first offset where messages begin to chain, from where `scan` has got to. `Err`
    /// says how many bytes at the front certainly begin none.
    ///
    /// # Errors
    /// See above: more bytes are needed.
    fn resync(
        &self,
        side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> Result<usize, usize>;

    /// How many bytes at the front, where a message is damaged, certainly begin no other.
    fn damaged(&self, _bytes: &[u8]) -> usize {
        1
    }

    /// Whether the message at the front of what `side` wrote may answer a request that was not decoded
    /// yet. `scan` remembers which request that is.
    fn awaits_peer(&self, side: Side, bytes: &[u8], scan: &mut Scan) -> bool;

    /// Whose connection it is, as far as it was said.
    fn user(&self) -> Option<&str>;

    /// How many bytes of memory it has come to keep of what was said: users, open calls, ids, fragments.
    /// It is asked with each packet, and the same after what was saved is loaded.
    fn held(&self) -> usize;

    /// The token that the next call gets: all others are below it. `None` if what was loaded can never
    /// have been saved: it may be forged.
    fn validate(&self) -> Option<u64>;
}
