//! Storm's multi-lang protocol: JSON, a line end, and a line that says `end`.

mod batch;
mod commands;
mod conversation;
mod expected;
mod json;
mod writer;

pub use batch::{Array, BatchDecoder, Head, Tuples};
pub use commands::Emit;
pub use conversation::Connection;
pub use expected::EXPECTED;
pub use writer::BoltWriter;

/// Largest number of bytes of a message (chosen by jvmwire; Storm has no limit).
pub const MESSAGE_LIMIT: usize = 64 << 20;

/// Of the tuples that ask whether a bolt lives (`Constants.HEARTBEAT_STREAM_ID`).
pub const HEARTBEAT_STREAM: &str = "__heartbeat";

/// Of the tuples that bring a topology's new credentials (`Constants.CREDENTIALS_CHANGED_STREAM_ID`).
const CREDENTIALS_STREAM: &str = "__credentials";

/// Of the tuples that come every so many seconds (`Constants.SYSTEM_TICK_STREAM_ID`).
pub const TICK_STREAM: &str = "__tick";
