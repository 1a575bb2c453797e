//! Limits that several modules share.

/// Maximum memory for bytes of all streams of a decoder.
pub const MAX_MEMORY: usize = 256 * 1024 * 1024;

/// Larger than any count, offset or position of a capture: a loaded value that does not exceed it can be
/// incremented without overflow.
pub(crate) const MAX_COUNTER: u64 = 1 << 62;

/// Number of bytes of rows that are ready and not taken, at which decoding stops (chosen by jvmwire: the size
/// of a batch). A message is always decoded completely.
pub const READY_LIMIT: usize = 8 << 20;

/// Maximum number of bytes of a stream in a saved state in addition to the bytes that it holds: the numbers,
/// addresses and flags that every stream has. The held bytes (`Stream::held`) are at least their size in a
/// state, so that a state fits.
pub(crate) const STREAM_SIZE: usize = 1 << 10;
/// Maximum number of bytes of a connection in a saved state in addition to the bytes that it holds.
pub(crate) const CONNECTION_SIZE: usize = 512;
