//! Storm's multi-lang protocol: JSON, a line end, and a line that says `end`.

mod batch;

pub use batch::{Batch, BatchDecoder};

/// Ours: Storm knows no limit.
pub const MESSAGE_LIMIT: usize = 64 << 20;
