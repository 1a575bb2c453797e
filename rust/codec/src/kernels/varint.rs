//! Base-128 varints, many at once.
//!
//! The kernels decode a run of whole values and stop before what they cannot judge: the caller goes
//! on one by one, and names what is wrong.

#[cfg(target_arch = "x86_64")]
mod x86;

use crate::{Level, varint::Base128};

/// Decodes values from the front of `bytes` and returns how many bytes they take.
pub(crate) fn decode<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>, level: Level) -> usize {
    // As many values as bytes that end one, and what a kernel may write beyond them.
    out.reserve(bytes.iter().filter(|byte| **byte < 0x80).count() + SLACK);
    match level.at_most_available() {
        // SAFETY: the processor has the level's features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { x86::decode_avx2::<F>(bytes, out) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Bmi2 => unsafe { x86::decode_bmi2::<F>(bytes, out) },
        _ => decode_words::<F>(bytes, out, compact),
    }
}

/// Appends `values` to `out`.
pub(crate) fn encode<F: Base128>(values: &[F::Value], out: &mut Vec<u8>, level: Level) {
    match level.at_most_available() {
        // SAFETY: the processor has the level's features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 | Level::Bmi2 => unsafe { x86::encode_bmi2::<F>(values, out) },
        _ => encode_words::<F>(values, out, spread),
    }
}

/// Decodes with one eight-byte word per value, or eight values where each is one byte.
#[inline(always)]
fn decode_words<F: Base128>(
    bytes: &[u8],
    out: &mut Vec<F::Value>,
    compact: impl Fn(u64, u64) -> u64,
) -> usize {
    let mut at = 0;
    while let Some(front) = bytes[at..].first_chunk::<10>() {
        let [w0, w1, w2, w3, w4, w5, w6, w7, ninth, tenth] = *front;
        let word = u64::from_le_bytes([w0, w1, w2, w3, w4, w5, w6, w7]);
        let ends = !word & ENDS;
        if ends == ENDS {
            out.extend(front[..8].iter().map(|byte| F::from_wire((*byte).into())));
            at += 8;
        } else if ends != 0 {
            // The bytes up to the first end.
            out.push(F::from_wire(compact(word, ends ^ (ends - 1))));
            at += ends.trailing_zeros() as usize / 8 + 1;
        } else {
            let low = compact(word, u64::MAX) | u64::from(ninth & 0x7f) << 56;
            if ninth < 0x80 {
                out.push(F::from_wire(low));
                at += 9;
            } else if tenth < 0x80 {
                out.push(F::from_wire(low | u64::from(tenth) << 63));
                at += 10;
            } else {
                return at;
            }
        }
    }
    at
}

/// Puts the seven bits of each byte of `word & keep` together.
#[inline(always)]
fn compact(word: u64, keep: u64) -> u64 {
    let x = word & keep & !ENDS;
    let x = (x & 0x7f00_7f00_7f00_7f00) >> 1 | x & 0x007f_007f_007f_007f;
    let x = (x & 0x3fff_0000_3fff_0000) >> 2 | x & 0x0000_3fff_0000_3fff;
    (x & 0x0fff_ffff_0000_0000) >> 4 | x & 0x0000_0000_0fff_ffff
}

/// Encodes with one word per value, a block at a time.
#[inline(always)]
fn encode_words<F: Base128>(values: &[F::Value], out: &mut Vec<u8>, spread: impl Fn(u64) -> u64) {
    let mut block = [0; BLOCK * WIDEST + 8];
    for values in values.chunks(BLOCK) {
        let mut at = 0;
        for &value in values {
            let wire = F::to_wire(value);
            if wire < 0x80 {
                block[at] = wire.to_le_bytes()[0];
                at += 1;
                continue;
            }
            // ceil(bits / 7) for 1 to 64 bits.
            let len = ((64 - wire.leading_zeros()) * 9 + 64) as usize / 64;
            let low = spread(wire);
            let more = ENDS & u64::MAX >> (64 - 8 * (len - 1).min(8));
            block[at..at + 8].copy_from_slice(&(low | more).to_le_bytes());
            if len > 8 {
                let ninth = (wire >> 56).to_le_bytes()[0];
                block[at + 8] = if len == 10 { ninth | 0x80 } else { ninth };
                block[at + 9] = (wire >> 63).to_le_bytes()[0];
            }
            at += len;
        }
        out.extend_from_slice(&block[..at]);
    }
}

/// Puts the lowest 56 bits of `value` into eight bytes, seven in each.
#[inline(always)]
fn spread(value: u64) -> u64 {
    let x = value & 0x00ff_ffff_ffff_ffff;
    let x = (x & 0x00ff_ffff_f000_0000) << 4 | x & 0x0fff_ffff;
    let x = (x & 0x0fff_c000_0fff_c000) << 2 | x & 0x0000_3fff_0000_3fff;
    (x & 0x3f80_3f80_3f80_3f80) << 1 | x & 0x007f_007f_007f_007f
}

/// The bit of each byte that says that more follow.
const ENDS: u64 = 0x8080_8080_8080_8080;

/// Values encoded before they are appended.
const BLOCK: usize = 64;

/// Bytes of the longest value.
const WIDEST: usize = 10;

/// Values that a kernel may write beyond the last.
const SLACK: usize = 64;
