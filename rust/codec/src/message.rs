//! Messages, calls and replies in the form that all five protocols share, and the trait of a protocol's decoder.

use std::{borrow::Cow, ops::Range};

use serde::{Deserialize, Serialize};

use crate::{DecodeError, scan::Scan, visit::Visitor};

/// Side of a connection; of a message, the side that wrote it.
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

/// Purpose of a message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kind {
    /// Asks for something and is answered.
    Request,
    /// Answers a request.
    Reply,
    /// Is sent without a request.
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
    /// The side that wrote it.
    pub side: Side,
    /// Its name in the protocol's documents.
    pub name: &'static str,
    /// Its purpose.
    pub kind: Kind,
    /// The id that requests and replies share.
    pub id: Option<i64>,
    /// Its effect on calls.
    pub call: CallEvent<'a>,
    /// Place of a piece of a nested stream of messages.
    pub carries: Option<NestedRange>,
    /// Error of the part that could not be decoded; the next message is not affected.
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
    /// Their place in the message.
    pub range: Range<usize>,
    /// Whether nothing in them goes on that began in an earlier piece.
    pub begins: bool,
    /// Whether nothing in them goes on in a later one.
    pub ends: bool,
}

/// Effect of a message on the calls of its connection.
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
    /// Number of the call on its connection.
    pub token: u64,
    /// The interface that is called, as in `ClientProtocol`; empty where the protocol has none.
    pub interface: Cow<'a, str>,
    /// The method that is called, as in `getFileInfo`.
    pub method: Cow<'a, str>,
    /// The object of the call: a path, a map, a segment.
    pub target: Option<Cow<'a, str>>,
    /// Number of earlier attempts, where the protocol says so.
    pub retry: Option<i32>,
    /// The caller context, as the caller wrote it.
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

/// Outcome of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<'a> {
    /// The status.
    pub status: Status,
    /// The Java class of the exception.
    pub error_class: Option<Cow<'a, str>>,
}

/// Status of a call.
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

    /// Number of bytes at the front of a damaged message that certainly begin no other message.
    fn damaged(&self, _bytes: &[u8]) -> usize {
        1
    }

    /// Whether the message at the front of what `side` wrote may answer a request that was not decoded
    /// yet. `scan` remembers which request that is.
    fn awaits_peer(&self, side: Side, bytes: &[u8], scan: &mut Scan) -> bool;

    /// The user of the connection, if a message has named one.
    fn user(&self) -> Option<&str>;

    /// Number of bytes of memory that it keeps of decoded messages: users, open calls, ids, fragments.
    /// It is asked with each packet, and the same after what was saved is loaded.
    fn held(&self) -> usize;

    /// The token that the next call gets: all others are below it. `None` if what was loaded can never
    /// have been saved: it may be forged.
    fn validate(&self) -> Option<u64>;
}
