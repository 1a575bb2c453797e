//! Java's UTF-8, validated and decoded in one pass, where the processor has AVX-512.
//!
//! The kernels take what they can judge and stop before the rest: text that needs another level, is
//! overlong, or wrong. What they take they decode as `text::code_units` does.

#![cfg_attr(
    not(target_arch = "x86_64"),
    expect(unused_variables, clippy::ptr_arg, reason = "only x86-64 has a kernel")
)]

use std::ops::Range;

use crate::SimdLevel;

/// Appends the text of whole characters from the front of `bytes`, and returns how many bytes these
/// are.
pub(crate) fn decode(bytes: &[u8], out: &mut String, level: SimdLevel) -> usize {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { avx512::decode(bytes, out) },
        _ => 0,
    }
}

/// Appends the text of whole pieces of `bytes` and where each ends in `out`, and returns how many
/// pieces these are. With all of them, `out` does not grow beyond what 31 bits can say.
pub(crate) fn decode_pieces(
    bytes: &[u8],
    pieces: &[Range<usize>],
    ends: &mut Vec<i32>,
    out: &mut String,
    level: SimdLevel,
) -> usize {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { avx512::decode_pieces(bytes, pieces, ends, out) },
        _ => 0,
    }
}

/// Appends what UTF-8 is in modified UTF-8, or, if NUL stays as it is, in Hadoop's, and returns how many
/// bytes these are: all or none. `bytes` begin anywhere but inside a form of four.
pub(crate) fn encode(bytes: &[u8], nul_stays: bool, out: &mut Vec<u8>, level: SimdLevel) -> usize {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { avx512::encode(bytes, nul_stays, out) },
        _ => 0,
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512;
