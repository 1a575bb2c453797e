//! Byte formats of the JVM data stack: no I/O, no clock, no Python.
//!
//! Everything in this crate is a function of bytes. Every value from a peer is checked against a named limit
//! before it is used; malformed input is a [`DecodeError`] with the field, the offset and the value.

#[cfg(any(test, feature = "laws"))]
pub mod adversarial;
pub mod buffer_pool;
pub mod cost;
mod cursor;
mod error;
pub mod expectation;
pub mod fixed;
pub mod fragment;
pub mod frame;
pub mod hadoop;
pub mod hama;
pub mod hazelcast;
mod kernels;
#[cfg(test)]
mod laws;
mod level;
pub mod message;
pub mod pending_calls;
pub mod pravega;
mod primitives;
pub mod proto;
mod resync;
mod scan;
pub mod secrets;
pub mod storm;
pub mod text;
pub mod varint;
pub mod visit;

pub use cursor::Cursor;
pub use error::{DecodeError, DecodeErrorKind, DelimiterInPayload, Result, TooLong};
pub use kernels::prefetch::prefetch;
pub use level::SimdLevel;
pub use scan::Scan;
