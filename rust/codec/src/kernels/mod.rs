//! The inner loops that safe Rust cannot make fast enough; all `unsafe` of this crate is here.
//!
//! Each has a twin in safe Rust that it is compared with, is one `memcpy` in disguise, or changes no result.

#![expect(unsafe_code, reason = "SIMD intrinsics, and writes to memory that is not initialized")]
#![expect(clippy::inline_always, reason = "a loop takes on the features of the kernel it is in")]

pub(crate) mod copy;
pub(crate) mod foresee;
pub(crate) mod frame;
pub(crate) mod java;
pub(crate) mod mask;
pub(crate) mod mend;
pub(crate) mod short;
pub(crate) mod text;
pub(crate) mod utf8;
pub(crate) mod varint;
#[cfg(target_arch = "x86_64")]
mod vector;
pub(crate) mod vlong;
