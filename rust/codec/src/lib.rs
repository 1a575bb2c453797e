//! Byte formats of the JVM data stack: no I/O, no clock, no Python.
//!
//! Everything here is a function of bytes. What a peer states is checked against a named limit
//! before it is believed; what is wrong is a [`DecodeError`] that says what, where and which value.

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
