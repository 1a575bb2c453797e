//! Messages, calls and replies in the form that all five protocols share, and the trait of a protocol's decoder.

use std::{borrow::Cow, ops::Range};

use serde::{Deserialize, Serialize};

use crate::{DecodeError, scan::Scan, visit::Visitor};

/// Side of a connection; for a message, the side that wrote it.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Side {
    /// Side that connects; for Storm and Hama the child process.
    Client,
    /// Side that listens; for Storm and Hama the JVM.
    Server,
}

impl Side {
    /// Name of the side in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Server => "server",
        }
    }

    /// Returns the other side.
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
    /// Message that expects a reply.
    Request,
    /// Reply to a request.
    Reply,
    /// Message without a request.
    Event,
    /// Message that maintains the conversation.
    Control,
}

impl Kind {
    /// Name of the kind in tables.
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

/// Message, as far as it could be decoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Message<'a> {
    /// The side that wrote it.
    pub side: Side,
    /// Name in the protocol's documents.
    pub name: &'static str,
    /// Purpose of the message.
    pub kind: Kind,
    /// Id that a request and its reply share.
    pub id: Option<i64>,
    /// Effect on calls.
    pub call: CallEvent<'a>,
    /// Range of a piece of a nested stream of messages.
    pub carries: Option<NestedRange>,
    /// Error of the part that could not be decoded; the next message is not affected.
    pub error: Option<DecodeError>,
}

impl Message<'_> {
    /// Creates a complete message without an id and without an effect on calls.
    #[must_use]
    pub fn new(side: Side, name: &'static str, kind: Kind) -> Self {
        Self { side, name, kind, id: None, call: CallEvent::None, carries: None, error: None }
    }
}

/// Bytes of a message that are a piece of a nested stream of messages.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct NestedRange {
    /// Range of the bytes in the message.
    pub range: Range<usize>,
    /// Whether the piece begins at the start of a nested message.
    pub begins: bool,
    /// Whether the piece ends at the end of a nested message.
    pub ends: bool,
}

/// Effect of a message on the calls of its connection.
#[derive(Clone, Debug, PartialEq)]
pub enum CallEvent<'a> {
    /// No effect.
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

/// Start of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Request<'a> {
    /// Number of the call on its connection.
    pub token: u64,
    /// Interface of the call, such as `ClientProtocol`; empty if the protocol has none.
    pub interface: Cow<'a, str>,
    /// Method of the call, such as `getFileInfo`.
    pub method: Cow<'a, str>,
    /// Object of the call: a path, a map, a segment.
    pub target: Option<Cow<'a, str>>,
    /// Number of earlier attempts, if the protocol has it.
    pub retry: Option<i32>,
    /// Caller context, unchanged.
    pub caller_context: Option<Cow<'a, str>>,
}

/// End of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply<'a> {
    /// Token of the call that ends; `None` if its request was not captured and cannot follow. The two sides of
    /// a capture may be out of order: an unknown token may be that of a request that follows.
    pub token: Option<u64>,
    /// Outcome of the call.
    pub outcome: Outcome<'a>,
}

/// Outcome of a call.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome<'a> {
    /// Status of the call.
    pub status: Status,
    /// Java class of the exception.
    pub error_class: Option<Cow<'a, str>>,
}

/// Status of a call.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Status {
    /// The call succeeded.
    Ok,
    /// The call failed; the connection stays open.
    Error,
    /// The call failed, and the connection was closed.
    Fatal,
    /// The call got no reply.
    Lost,
}

impl Status {
    /// Name of the status in tables.
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

/// Result of decoding the start of one direction of a connection.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoded<'a> {
    /// The message is incomplete.
    Incomplete,
    /// A message, and its number of bytes.
    Message(Message<'a>, usize),
    /// Bytes that cannot begin a message: the direction must be searched for its next boundary.
    Malformed(DecodeError),
}

/// Decoder of both directions of one captured connection.
pub trait ProtocolDecoder {
    /// Decodes the message at the start of the undecoded bytes of `side`, and shows its fields to `visitor`. If
    /// `side` is `None`, each message is decoded by itself. `end` states that no more bytes follow. `scan` is
    /// the progress for these bytes: with it, no byte is examined again because more arrived.
    fn decode<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a>;

    /// Decodes the message at the start of a nested stream in the messages of `side`.
    fn decode_carried<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        self.decode(side, bytes, false, scan, visitor)
    }

    /// Searches for the first offset from which messages follow each other, and continues where `scan` ended.
    /// `Err` has the number of bytes at the start that certainly begin no message.
    ///
    /// # Errors
    /// As above: more bytes are needed.
    fn resync(
        &self,
        side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> Result<usize, usize>;

    /// Number of bytes at the start of a damaged message in which certainly no other message begins.
    fn damaged(&self, _bytes: &[u8]) -> usize {
        1
    }

    /// Whether the message at the start of the bytes of `side` may answer a request that is not decoded yet.
    /// `scan` stores which request that is.
    fn awaits_peer(&self, side: Side, bytes: &[u8], scan: &mut Scan) -> bool;

    /// User of the connection, if a message contained one.
    fn user(&self) -> Option<&str>;

    /// Number of bytes of memory for state of decoded messages: users, open calls, ids, fragments. It is called
    /// for each packet, and is the same after a saved state is loaded.
    fn held(&self) -> usize;

    /// Validates a loaded state, and returns the token of the next call: all others are below it. `None` if the
    /// state can never have been saved, and may be forged.
    fn validate(&self) -> Option<u64>;
}
