use std::{
    arch::x86_64::{__m256i, _mm256_movemask_epi8, _pdep_u64, _pext_u64},
    mem::MaybeUninit,
};

use super::{Base128, ENDS, decode_words, encode_words};

/// As the portable kernel, with one instruction where it takes ten.
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode_bmi2<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>) -> usize {
    decode_words::<F>(bytes, out, |word, keep| _pext_u64(word, keep & !ENDS))
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode_bmi2<F: Base128>(values: &[F::Value], out: &mut Vec<u8>) {
    encode_words::<F>(values, out, |value| _pdep_u64(value, !ENDS));
}

/// Finds the ends of all values in 64 bytes at once, so that no value waits for the one before it.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode_avx2<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>) -> usize {
    let (taken, count) = decode_blocks::<F>(bytes, out.spare_capacity_mut());
    // SAFETY: the first `count` of the spare values were written.
    unsafe { out.set_len(out.len() + count) };
    taken + decode_bmi2::<F>(&bytes[taken..], out)
}

/// Returns how many bytes were taken and how many values written.
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn decode_blocks<F: Base128>(bytes: &[u8], out: &mut [MaybeUninit<F::Value>]) -> (usize, usize) {
    let (mut start, mut count) = (0, 0);
    let mut base = 0;
    // A value that begins in a block may be read up to 16 bytes beyond it.
    while let Some(block) = bytes.get(base..base + BLOCK + 16).and_then(<[u8]>::first_chunk) {
        let Some(out) = out.get_mut(count..count + BLOCK) else { break };
        let mut ends = !continued(block);
        if ends == u64::MAX && start == base {
            for (slot, byte) in out.iter_mut().zip(block) {
                slot.write(F::from_wire((*byte).into()));
            }
            base += BLOCK;
            start = base;
            count += BLOCK;
            continue;
        }
        for slot in &mut out[..ends.count_ones() as usize] {
            let end = base + ends.trailing_zeros() as usize;
            ends &= ends.wrapping_sub(1);
            let more = end - start;
            let Some((low, [ninth, tenth, ..])) = bytes[start..].split_first_chunk::<8>() else {
                return (start, count);
            };
            let word = u64::from_le_bytes(*low);
            let wire = if more < 8 {
                _pext_u64(word, !ENDS & u64::MAX >> (56 - 8 * more))
            } else if more < 10 {
                let high = if more == 9 { u64::from(*tenth) << 63 } else { 0 };
                _pext_u64(word, !ENDS) | u64::from(ninth & 0x7f) << 56 | high
            } else {
                return (start, count);
            };
            slot.write(F::from_wire(wire));
            count += 1;
            start = end + 1;
        }
        base += BLOCK;
    }
    (start, count)
}

/// One bit for each byte that says that more follow.
#[target_feature(enable = "avx2")]
fn continued(block: &[u8; BLOCK]) -> u64 {
    let (halves, _) = block.as_chunks::<32>();
    let mask = |half: &[u8; 32]| {
        // SAFETY: both are 32 bytes, any of which are allowed in either.
        let half = unsafe { std::mem::transmute::<[u8; 32], __m256i>(*half) };
        u64::from(_mm256_movemask_epi8(half).cast_unsigned())
    };
    mask(&halves[0]) | mask(&halves[1]) << 32
}

/// Bytes looked at together.
const BLOCK: usize = 64;
