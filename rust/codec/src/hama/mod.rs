//! Hama streaming: a BSP task and the child process that it has forked exchange lines over the child's standard
//! streams. An operation is `%`, its number, `%=`; each argument is a separate line.

mod conversation;
mod expected;
mod ops;
mod reader;
mod responses;
mod values;
mod writer;

pub use conversation::Connection;
pub use expected::EXPECTED;
pub use ops::{Op, OpCode, OpTable, ResponseFormat};
pub use reader::{ChildMessage, OpReader, ReplyReader};
pub(crate) use reader::{ChildScan, LineCount};
pub use values::Escaping;
pub use writer::{EncodeError, OpWriter};

/// Maximum number of names, or of lines of a configuration (chosen by jvmwire): more than any job has.
pub const MAX_LINES: usize = 1 << 20;

/// Maximum number of bytes of a line (chosen by jvmwire).
pub const LINE_LIMIT: usize = 64 << 20;
