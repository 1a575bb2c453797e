//! Hadoop RPC, version 9: `"hrpc"`, version, service class, auth protocol; then length-prefixed
//! frames, each a varint-delimited header in protobuf and what the header announces.

mod client_protocol;
mod frames;
mod open_calls;
mod preamble;
mod resume;
mod tables;
mod writable;

pub use open_calls::MAX_OPEN_CALLS;

use crate::{
    frame::{self, Front, LENGTH_LEN},
    message::{Conversation, Message, Side, Status, Step},
    varint,
    visit::{Value, Visitor},
};
use open_calls::OpenCalls;

/// One connection, both directions.
#[derive(Debug, Default)]
pub struct Connection {
    dialect: Option<Dialect>,
    /// Of the connection context.
    user: Option<String>,
    client: Progress,
    server: Progress,
    calls: OpenCalls,
}

/// How the header's `callId` is written.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
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
            Self::Current => varint::unzigzag(wire),
        }
    }

    /// The first frame's call id is one of three, and each reads as itself in one dialect only.
    fn of_first(wire: u64) -> Option<Self> {
        [Self::Current, Self::Beta].into_iter().find(|dialect| {
            [CONNECTION_CONTEXT_ID, SASL_ID, PING_ID].contains(&dialect.call_id(wire))
        })
    }
}

/// How far one direction has come.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Progress {
    /// Nothing was decoded.
    #[default]
    AtStart,
    /// Frames follow.
    InFrames,
    /// What follows is of another protocol, or of a version that is not spoken.
    Foreign,
}

impl Connection {
    /// A connection of which nothing was seen yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether `bytes`, the first that a client wrote, begin a Hadoop RPC connection; `None` if they
    /// are too few to tell.
    #[must_use]
    pub fn begins(bytes: &[u8]) -> Option<bool> {
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
        visitor: &mut V,
    ) -> Step<'a> {
        let len = match frame::length_prefixed(bytes, MESSAGE_LIMIT) {
            Ok(Front::Incomplete) => {
                // The header is judged as soon as it is there: no waiting for the rest of a frame
                // that is none.
                let error = bytes.get(LENGTH_LEN..).and_then(|body| {
                    let side = side.unwrap_or_else(|| resume::writer_of(body));
                    frames::header_error(side, self.dialect, body)
                });
                return error.map_or(Step::Incomplete, Step::Broken);
            }
            Ok(Front::Whole(len)) => LENGTH_LEN + len,
            Err(error) => return Step::Broken(error),
        };
        visitor.layout("frame length", 0..LENGTH_LEN, Value::UInt((len - LENGTH_LEN) as u64));
        let side = side.unwrap_or_else(|| resume::writer_of(&bytes[LENGTH_LEN..len]));
        let message = match side {
            Side::Client => self.client_frame(&bytes[..len], visitor),
            Side::Server => self.server_frame(&bytes[..len], visitor),
        };
        match message {
            Ok(message) => {
                *self.progress(side) = Progress::InFrames;
                Step::Message(message, len)
            }
            Err(error) => Step::Broken(error),
        }
    }
}

impl Conversation for Connection {
    fn next<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        visitor: &mut V,
    ) -> Step<'a> {
        let foreign = side.is_some_and(|side| *self.progress(side) == Progress::Foreign);
        if foreign {
            return Step::Broken(crate::Problem::NotKnown.of("bytes after the hand-over", 0));
        }
        match self.preamble(side, bytes, end, visitor) {
            Some(step) => step,
            None => self.frame(side, bytes, visitor),
        }
    }

    fn resume(&self, side: Option<Side>, bytes: &[u8], end: bool) -> Result<usize, usize> {
        let progress = match side {
            Some(Side::Server) => self.server,
            _ => self.client,
        };
        if progress == Progress::Foreign {
            return Err(bytes.len());
        }
        resume::resume(side, bytes, end)
    }

    fn is_ahead(&self, bytes: &[u8]) -> bool {
        match bytes.get(LENGTH_LEN..).and_then(frames::answered) {
            // It ends all calls: those behind it in the client's dump too.
            Some((_, Status::Fatal)) => true,
            Some((id, _)) => id >= 0 && !self.calls.is_open(id),
            None => false,
        }
    }

    fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }
}

fn control<'a>(side: Side, name: &'static str, id: Option<i64>) -> Message<'a> {
    Message {
        side,
        name,
        kind: crate::message::Kind::Control,
        id,
        call: crate::message::CallPart::None,
        error: None,
    }
}

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
/// Ours: half of what servers take by default (`ipc.maximum.data.length`, 128 MiB).
pub const MESSAGE_LIMIT: usize = 64 << 20;
