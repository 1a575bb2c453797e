//! Storm's multi-lang protocol: JSON, a line end, and a line `end`.

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

/// Maximum number of bytes of a message (chosen by jvmwire; Storm has no limit).
pub const MESSAGE_LIMIT: usize = 64 << 20;

/// Stream of the tuples that check whether a bolt is alive (`Constants.HEARTBEAT_STREAM_ID`).
pub const HEARTBEAT_STREAM: &str = "__heartbeat";

/// Stream of the tuples with a topology's new credentials (`Constants.CREDENTIALS_CHANGED_STREAM_ID`).
const CREDENTIALS_STREAM: &str = "__credentials";

/// Stream of the tuples that arrive at a fixed interval of seconds (`Constants.SYSTEM_TICK_STREAM_ID`).
pub const TICK_STREAM: &str = "__tick";
