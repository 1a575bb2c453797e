//! Conversion of text that is UTF-8 except for surrogate pairs and NULs.

#[cfg(target_arch = "x86_64")]
use macro_rules_attribute::apply;

use super::movemask::{BLOCK, movemask};
use crate::SimdLevel;
#[cfg(target_arch = "x86_64")]
use crate::level::avx2;

/// Converts surrogate pairs to four bytes and C0 80 to one, and copies all other bytes. Returns the number of
/// bytes written, or `None` if a surrogate or C0 sequence is malformed. `out` has `ROOM` more bytes than
/// `chunk`.
///
/// The output is UTF-8 if and only if `chunk`, which has no four-byte sequence, was well-formed: a surrogate
/// pair or NUL inside another sequence leaves that sequence incomplete.
pub(crate) fn fix_surrogates(chunk: &[u8], out: &mut [u8], level: SimdLevel) -> Option<usize> {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 | SimdLevel::Avx2 => unsafe { mend_avx2(chunk, out) },
        _ => mend_blocks(chunk, out),
    }
}

#[cfg(target_arch = "x86_64")]
#[apply(avx2)]
fn mend_avx2(chunk: &[u8], out: &mut [u8]) -> Option<usize> {
    mend_blocks(chunk, out)
}

#[inline(always)]
fn mend_blocks(chunk: &[u8], out: &mut [u8]) -> Option<usize> {
    let (mut at, mut len) = (0, 0);
    loop {
        // A block is copied completely; its excess bytes are overwritten.
        while let Some(block) = chunk[at..].first_chunk::<BLOCK>() {
            out[len..][..BLOCK].copy_from_slice(block);
            let specials = block.map(|byte| if matches!(byte, 0xed | 0xc0) { 0x80 } else { 0 });
            let same = movemask(&specials).trailing_zeros() as usize;
            at += same;
            len += same;
            if same < BLOCK {
                break;
            }
        }
        // One after another, as they often come.
        loop {
            let rest = &chunk[at..];
            if let Some(text) = rest.first_chunk().and_then(|word| pair(*word)) {
                out[len..][..4].copy_from_slice(&text);
                at += 6;
                len += 4;
                continue;
            }
            match *rest {
                [0xed, b1 @ 0xa0..=0xaf, b2, 0xed, b4 @ 0xb0..=0xbf, b5, ..] => {
                    out[len..][..4].copy_from_slice(&pair([0xed, b1, b2, 0xed, b4, b5, 0, 0])?);
                    at += 6;
                    len += 4;
                }
                [0xed, b1 @ 0x80..=0x9f, b2, ..] => {
                    out[len..][..3].copy_from_slice(&[0xed, b1, b2]);
                    at += 3;
                    len += 3;
                }
                [0xc0, 0x80, ..] => {
                    out[len] = 0;
                    at += 2;
                    len += 1;
                }
                [0xed | 0xc0, ..] => return None,
                [] => return Some(len),
                [byte, ..] => {
                    if rest.len() >= BLOCK {
                        break;
                    }
                    out[len] = byte;
                    at += 1;
                    len += 1;
                }
            }
        }
    }
}

/// Returns the supplementary character that the first six bytes encode as two surrogates.
#[inline(always)]
fn pair(word: [u8; 8]) -> Option<[u8; 4]> {
    let word = u64::from_be_bytes(word) >> 16;
    if word & 0xfff0_c0ff_f0c0 != 0xeda0_80ed_b080 {
        return None;
    }
    let bits = |shift: u32, count: u32| (word >> shift) & ((1 << count) - 1);
    // 0x10000 is added at the four bits above the high surrogate's six.
    let high = (bits(32, 4) << 6 | bits(24, 6)) + 0x40;
    let low = bits(8, 4) << 6 | bits(0, 6);
    let text = 0xf080_8080 | (high & 0x700) << 16 | (high & 0xfc) << 14 | (high & 0x03) << 12;
    let [.., b0, b1, b2, b3] = (text | (low & 0x3c0) << 2 | low & 0x3f).to_be_bytes();
    Some([b0, b1, b2, b3])
}

/// Number of bytes that may be overwritten after the last block.
pub(crate) const ROOM: usize = BLOCK;
