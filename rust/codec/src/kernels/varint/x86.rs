use std::arch::x86_64::{__m256i, _mm256_movemask_epi8, _pdep_u64, _pext_u64};

use super::{BLOCK, Base128, ENDS, by_words, decode_blocks, encode_blocks};

/// With one instruction where the portable kernel takes ten.
#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode_bmi2<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>) -> usize {
    let continued = |block: &_| by_words(block, |word| _pext_u64(word, ENDS));
    decode_blocks::<F>(bytes, out, continued, |word| _pext_u64(word, !ENDS))
}

#[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn encode_bmi2<F: Base128>(values: &[F::Value], out: &mut Vec<u8>) {
    encode_blocks::<F>(values, out, |value| _pdep_u64(value, !ENDS));
}

#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
pub(super) fn decode_avx2<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>) -> usize {
    decode_blocks::<F>(bytes, out, |block| continued(block), |word| _pext_u64(word, !ENDS))
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
