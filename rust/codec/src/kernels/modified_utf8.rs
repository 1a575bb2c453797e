//! Java's UTF-8 variants, validated and decoded in one pass, on processors with AVX-512.
//!
//! The kernels process the input as far as they can validate it, and stop before the rest: text for another
//! level, overlong forms, and malformed bytes. Their output is the same as that of `text::code_units`.

#![cfg_attr(
    not(target_arch = "x86_64"),
    expect(unused_variables, clippy::ptr_arg, reason = "only x86-64 has a kernel")
)]

use std::ops::Range;

use crate::SimdLevel;

/// Appends the text of complete characters from the start of `bytes`, and returns the number of bytes read.
pub(crate) fn decode(bytes: &[u8], out: &mut String, level: SimdLevel) -> usize {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { avx512::decode(bytes, out) },
        _ => 0,
    }
}

/// Appends the text of pieces of `bytes` and the offset of the end of each in `out`, and returns the number of
/// pieces. With all pieces, the length of `out` does not exceed 31 bits.
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

/// Appends UTF-8 as modified UTF-8, or, if NUL is kept unchanged, as Hadoop's UTF8, and returns the number of
/// bytes read: all or none. `bytes` may begin anywhere but inside a four-byte sequence.
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
