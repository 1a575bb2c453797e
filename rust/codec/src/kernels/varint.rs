//! Base-128 varints in bulk.
//!
//! The kernels decode a run of complete values and stop before bytes that they cannot validate: the caller
//! continues value by value, and reports errors. The levels below AVX-512 share the loops; they differ in how
//! the seven bits of each byte are joined or split.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod x86;

use super::{
    append_written,
    movemask::{BLOCK, movemask},
};
use crate::{SimdLevel, buffer_pool, primitives::Base128};

/// Decodes values from the start of `bytes`, and returns the number of bytes read.
pub(crate) fn decode<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>, level: SimdLevel) -> usize {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { avx512::decode::<F>(bytes, out) },
        // SAFETY: the same.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 if x86::has_fast_pext() => unsafe { x86::decode::<F>(bytes, out) },
        _ => decode_blocks::<F>(bytes, out, compact),
    }
}

/// Appends `values` to `out`.
pub(crate) fn encode<F: Base128>(values: &[F::Value], out: &mut Vec<u8>, level: SimdLevel) {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 => unsafe { avx512::encode::<F>(values, out) },
        // SAFETY: the same.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx2 if x86::has_fast_pext() => unsafe { x86::encode::<F>(values, out) },
        _ => encode_blocks::<F>(values, out, spread),
    }
}

/// Decodes 64 bytes at a time. The ends of all values are found at once, so that no value depends on the one
/// before it, and values of all widths are decoded alike, so that no branch is mispredicted.
#[inline(always)]
fn decode_blocks<F: Base128>(
    bytes: &[u8],
    out: &mut Vec<F::Value>,
    compact: impl Fn(u64) -> u64,
) -> usize {
    let (mut base, mut start) = (0, 0);
    // A value that begins in a block may be read up to 16 bytes beyond it.
    while let Some(block) = bytes.get(base..base + BLOCK + 16).and_then(<[u8]>::first_chunk) {
        let mut ends = !movemask(block);
        let before = start;
        buffer_pool::reserve(out, BLOCK);
        let slots = &mut out.spare_capacity_mut()[..BLOCK];
        let count = ends.count_ones() as usize;
        if count == BLOCK && start == base {
            for (slot, byte) in slots.iter_mut().zip(block) {
                slot.write(F::from_wire((*byte).into()));
            }
            start += BLOCK;
        } else {
            let mut too_long = false;
            for slot in &mut slots[..count] {
                let end = base + ends.trailing_zeros() as usize;
                ends &= ends.wrapping_sub(1);
                let more = end - start;
                too_long |= more >= WIDEST;
                // Whatever came before, 16 bytes follow where a value ends.
                let Some(front) = bytes[start..].first_chunk::<16>() else { return before };
                let (halves, _) = front.as_chunks();
                let [low, high] = [halves[0], halves[1]].map(u64::from_le_bytes);
                let (keep, keep_high) = KEEP[more % KEEP.len()];
                let high = high & keep_high;
                slot.write(F::from_wire(compact(low & keep) | high << 56 | (high >> 8) << 63));
                start = end + 1;
            }
            if too_long {
                // One by one, it will be seen which.
                return before;
            }
        }
        // SAFETY: each of the first `count` slots was written, or we would have returned.
        unsafe { append_written(out, count) };
        base += BLOCK;
    }
    start
}

/// Masks of the eight bytes of a value from its start on, and of the two bytes after them, by the number of
/// bytes after its first. The top bit of the ninth byte is cleared, as the tenth takes its place.
const KEEP: [(u64, u64); 16] = {
    let mut keep = [(!ENDS, 0); 16];
    let mut more = 0;
    while more < 8 {
        keep[more].0 = !ENDS >> (56 - 8 * more);
        more += 1;
    }
    keep[8].1 = 0x7f;
    keep[9].1 = 0x7f7f;
    keep
};

/// Joins the seven low bits of each byte; the top bits are clear.
#[inline(always)]
pub(crate) fn compact(x: u64) -> u64 {
    let x = (x & 0x7f00_7f00_7f00_7f00) >> 1 | x & 0x007f_007f_007f_007f;
    let x = (x & 0x3fff_0000_3fff_0000) >> 2 | x & 0x0000_3fff_0000_3fff;
    (x & 0x0fff_ffff_0000_0000) >> 4 | x & 0x0000_0000_0fff_ffff
}

/// Encodes values of all widths alike, a block at a time.
#[inline(always)]
fn encode_blocks<F: Base128>(values: &[F::Value], out: &mut Vec<u8>, spread: impl Fn(u64) -> u64) {
    let mut block = [0; BLOCK * WIDEST];
    for values in values.chunks(BLOCK) {
        let mut at = 0;
        for &value in values {
            let wire = F::to_wire(value);
            // ceil(bits / 7) for 1 to 64 bits.
            let len = ((64 - (wire | 1).leading_zeros()) * 9 + 64) as usize / 64;
            let word = spread(wire) | MORE[len % MORE.len()];
            // Bits 56 to 62, and 63; 0x80 where the ninth byte is not the last.
            let high = (wire >> 56 & 0x7f) | wire >> 63 << 8 | (wire >> 63) << 7;
            let [ninth, tenth, ..] = high.to_le_bytes();
            let [b0, b1, b2, b3, b4, b5, b6, b7] = word.to_le_bytes();
            block[at..at + WIDEST].copy_from_slice(&[b0, b1, b2, b3, b4, b5, b6, b7, ninth, tenth]);
            at += len;
        }
        out.extend_from_slice(&block[..at]);
    }
}

/// Continuation bits in the first eight bytes of a value, by its length.
const MORE: [u64; 16] = {
    let mut more = [ENDS; 16];
    more[0] = 0;
    let mut len = 1;
    while len < 9 {
        more[len] = if len == 1 { 0 } else { ENDS >> (72 - 8 * len) };
        len += 1;
    }
    more
};

/// Splits the lowest 56 bits of `value` into eight bytes of seven bits each.
#[inline(always)]
fn spread(value: u64) -> u64 {
    let x = value & 0x00ff_ffff_ffff_ffff;
    let x = (x & 0x00ff_ffff_f000_0000) << 4 | x & 0x0fff_ffff;
    let x = (x & 0x0fff_c000_0fff_c000) << 2 | x & 0x0000_3fff_0000_3fff;
    (x & 0x3f80_3f80_3f80_3f80) << 1 | x & 0x007f_007f_007f_007f
}

/// Continuation bit of each byte.
pub(crate) const ENDS: u64 = 0x8080_8080_8080_8080;

/// Number of bytes of the longest value.
const WIDEST: usize = 10;
