//! Mask of one bit per byte of a block.

/// Number of bytes per block.
pub(crate) const BLOCK: usize = 64;

/// Collects the top bits of all bytes; the bit of the first byte is the lowest. Every x86-64 processor has SSE2
/// unless the code is compiled for soft floats.
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[inline(always)]
pub(crate) fn movemask(block: &[u8; BLOCK]) -> u64 {
    use std::arch::x86_64::{__m128i, _mm_movemask_epi8};

    let (quarters, _) = block.as_chunks::<16>();
    quarters.iter().rev().fold(0, |mask, quarter| {
        // SAFETY: both types have 16 bytes, and every value of the bytes is valid in both.
        let quarter = unsafe { std::mem::transmute::<[u8; 16], __m128i>(*quarter) };
        // SAFETY: this function is compiled only for targets whose processors all have SSE2.
        let bits = unsafe { _mm_movemask_epi8(quarter) };
        mask << 16 | u64::from(bits.cast_unsigned())
    })
}

/// Collects the top bits of all bytes; the bit of the first byte is the lowest. Every `AArch64` processor has
/// NEON unless the code is compiled for soft floats.
///
/// Each byte keeps the bit of its index among eight bytes; three rounds of pairwise sums combine eight bytes.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
#[inline(always)]
pub(crate) fn movemask(block: &[u8; BLOCK]) -> u64 {
    neon::movemask(block)
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod neon {
    use std::arch::aarch64::{
        int8x16_t, uint8x16_t, vandq_u8, vgetq_lane_u64, vpaddq_u8, vreinterpretq_u8_s8,
        vreinterpretq_u64_u8, vshrq_n_s8,
    };

    use super::BLOCK;

    const PLACES: [u8; 16] = [1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128];

    #[inline(always)]
    pub(super) fn movemask(block: &[u8; BLOCK]) -> u64 {
        // SAFETY: this module is compiled only for targets whose processors all have NEON.
        unsafe { by_pairwise_sums(block) }
    }

    #[target_feature(enable = "neon")]
    #[inline]
    fn by_pairwise_sums(block: &[u8; BLOCK]) -> u64 {
        // SAFETY: both types have 16 bytes, and every value of the bytes is valid in both.
        let places = unsafe { std::mem::transmute::<[u8; 16], uint8x16_t>(PLACES) };
        let (quarters, _) = block.as_chunks::<16>();
        let marked = |quarter: usize| {
            // SAFETY: both types have 16 bytes, and every value of the bytes is valid in both.
            let quarter = unsafe { std::mem::transmute::<[u8; 16], int8x16_t>(quarters[quarter]) };
            vandq_u8(vreinterpretq_u8_s8(vshrq_n_s8::<7>(quarter)), places)
        };
        let halves = vpaddq_u8(vpaddq_u8(marked(0), marked(1)), vpaddq_u8(marked(2), marked(3)));
        vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(halves, halves)))
    }
}

/// Collects the top bits of all bytes; the bit of the first byte is the lowest.
#[cfg(not(any(
    all(target_arch = "x86_64", target_feature = "sse2"),
    all(target_arch = "aarch64", target_feature = "neon")
)))]
#[inline(always)]
pub(crate) fn movemask(block: &[u8; BLOCK]) -> u64 {
    by_words(block)
}

/// Portable implementation, for targets without such an instruction.
#[cfg(any(
    test,
    not(any(
        all(target_arch = "x86_64", target_feature = "sse2"),
        all(target_arch = "aarch64", target_feature = "neon")
    ))
))]
#[inline(always)]
fn by_words(block: &[u8; BLOCK]) -> u64 {
    let (words, _) = block.as_chunks();
    words.iter().rev().fold(0, |mask, word| {
        let tops = (u64::from_le_bytes(*word) & 0x8080_8080_8080_8080) >> 7;
        mask << 8 | tops.wrapping_mul(0x0102_0408_1020_4080) >> 56
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn one_bit_is_one_byte(block: [[u8; 32]; 2]) {
            let block: &[u8; BLOCK] = block.as_flattened().try_into().unwrap();
            let bits = block.iter().rev().fold(0, |bits, byte| bits << 1 | u64::from(byte >> 7));
            prop_assert_eq!(movemask(block), bits);
            prop_assert_eq!(by_words(block), bits);
        }
    }
}
