//! Limits that several modules share.

/// Most memory for bytes of all streams: the promise of the whole decoder.
pub const MAX_MEMORY: usize = 256 * 1024 * 1024;

/// No count, no offset and no position of a capture comes so far: what was loaded and is not above it can be
/// counted on from.
pub(crate) const MAX_COUNTER: u64 = 1 << 62;

/// Number of bytes that the rows may take that are ready and not taken, before decoding waits (chosen by jvmwire:
/// the size of a batch). One message is decoded to its end.
pub const READY_LIMIT: usize = 8 << 20;

/// Most bytes that a stream takes in a saved state besides what it holds: the numbers, addresses and flags that
/// each stream has. What it holds (`Stream::held`) is at least what it takes in a state, so that a state fits.
pub(crate) const STREAM_SIZE: usize = 1 << 10;
/// Most bytes that a connection takes in a saved state in addition to what it holds.
pub(crate) const CONNECTION_SIZE: usize = 512;
