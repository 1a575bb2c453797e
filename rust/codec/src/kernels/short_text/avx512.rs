//! Decoding of short text into characters with AVX-512, one block at a time.

use std::{
    arch::x86_64::{
        __m512i, _mm512_add_epi8, _mm512_and_si512, _mm512_cmpeq_epi8_mask, _mm512_cmpge_epu8_mask,
        _mm512_cmplt_epi8_mask, _mm512_cvtepu8_epi32, _mm512_extracti32x4_epi32,
        _mm512_mask_mov_epi8, _mm512_maskz_add_epi8, _mm512_maskz_compress_epi8,
        _mm512_maskz_mov_epi8, _mm512_or_si512, _mm512_permutexvar_epi8, _mm512_set1_epi8,
        _mm512_slli_epi16, _mm512_slli_epi32, _mm512_srli_epi16, _mm512_test_epi8_mask, _pext_u64,
    },
    mem::MaybeUninit,
};

use macro_rules_attribute::apply;

use super::Highest;
use crate::{
    kernels::vector::{self, BYTES},
    level::avx512,
};

#[apply(avx512)]
pub(super) fn fill(
    bytes: &[u8],
    wide: &mut [MaybeUninit<u32>],
    narrow: &mut [MaybeUninit<u8>],
) -> Option<(usize, Highest)> {
    let (mut at, mut count, mut highest) = (0, 0, Highest::Ascii);
    loop {
        let (block, taken) = read(&bytes[at..])?;
        highest = highest.max(block.highest);
        // Of several blocks, the next may have what is higher.
        let alone = taken == bytes.len();
        if !alone || highest == Highest::Latin1 {
            vector::store(block.low, block.len, &mut narrow[count..]);
        }
        if !alone || highest > Highest::Latin1 {
            block.fill(&mut wide[count..]);
        }
        at += taken;
        count += block.len;
        if at >= bytes.len() {
            break;
        }
    }
    Some((count, highest))
}

/// Characters of a block, by byte: the lowest, the middle and the highest bytes.
struct Block {
    low: __m512i,
    middle: __m512i,
    high: __m512i,
    len: usize,
    highest: Highest,
}

/// Decodes complete characters from the start of `rest`, and returns the number of bytes read.
#[apply(avx512)]
#[inline]
fn read(rest: &[u8]) -> Option<(Block, usize)> {
    let (wire, there) = match rest.first_chunk() {
        Some(block) => (vector::load(block), BYTES),
        None => (vector::load_front(rest), rest.len()),
    };
    let none = byte(0);
    let more = _mm512_cmplt_epi8_mask(wire, byte(0xc0));
    let two = _mm512_cmpge_epu8_mask(wire, byte(0xc0));
    if more | two == 0 {
        let highest = Highest::Ascii;
        return Some((Block { low: wire, middle: none, high: none, len: there, highest }, there));
    }
    // What goes on behind the first two bits of a byte: 10, 11, 111 or 1111.
    let three = _mm512_cmpge_epu8_mask(wire, byte(0xe0));
    let four = _mm512_cmpge_epu8_mask(wire, byte(0xf0));
    // Halves of pairs begin with ED, and then A or B.
    let of_pairs = _mm512_cmpeq_epi8_mask(wire, byte(0xed));
    let half = cut(wire, 0xf0);
    let firsts = of_pairs & _mm512_cmpeq_epi8_mask(half, byte(0xa0)) >> 1;
    let seconds = of_pairs & _mm512_cmpeq_epi8_mask(half, byte(0xb0)) >> 1;
    let mut taken = there;
    if rest.len() > BYTES {
        // A unit that begins behind these may go on in the next block, which takes all of it; but not the
        // second half of a pair.
        taken = (WHOLE + (!more >> WHOLE).trailing_zeros() as usize).min(BYTES - 1);
        taken = (taken + LEN_OF_HALF * (seconds >> taken & 1) as usize).min(there);
    }
    let kept = vector::first(taken);
    let (more, two, three, firsts) = (more & kept, two & kept, three & kept, firsts & kept);
    let seconds = seconds & kept;
    let wrong = (more ^ (two << 1 | three << 2)) | (seconds ^ firsts << LEN_OF_HALF) | four & kept;
    if wrong | two >> 63 | three >> 62 | firsts >> 61 != 0 {
        return None;
    }
    let starts = kept & !(more | seconds);
    let len = starts.count_ones() as usize;
    let places = _mm512_maskz_compress_epi8(starts, vector::load(&vector::NUMBERS));
    let first = _mm512_permutexvar_epi8(places, wire);
    let nth = |n: u8| _mm512_permutexvar_epi8(_mm512_add_epi8(places, byte(n - 1)), wire);
    let (second, third) = (nth(2), nth(3));
    let two = _mm512_cmpge_epu8_mask(first, byte(0xc0));
    let three = _mm512_cmpge_epu8_mask(first, byte(0xe0));

    // Words are shifted, and what came from the byte beside is cut off.
    let low_of = |above: __m512i, last: __m512i| {
        _mm512_or_si512(cut(_mm512_slli_epi16(above, 6), 0xc0), cut(last, 0x3f))
    };
    let low = _mm512_mask_mov_epi8(first, two, low_of(first, second));
    let low = _mm512_mask_mov_epi8(low, three, low_of(second, third));
    let of_two = cut(_mm512_srli_epi16(first, 2), 0x07);
    let of_three = _mm512_or_si512(
        cut(_mm512_slli_epi16(first, 4), 0xf0),
        cut(_mm512_srli_epi16(second, 2), 0x0f),
    );
    let middle = _mm512_maskz_mov_epi8(two, of_two);
    let middle = _mm512_mask_mov_epi8(middle, three, of_three);
    if firsts == 0 {
        // Behind the characters the first one stands again.
        let latin = _mm512_test_epi8_mask(middle, middle) == 0;
        let highest = if latin { Highest::Latin1 } else { Highest::Basic };
        return Some((Block { low, middle, high: none, len, highest }, taken));
    }
    // Of both halves the last two bytes count, of the first half also what is above them.
    let pairs = _pext_u64(firsts, starts);
    let (fifth, sixth) = (nth(5), nth(6));
    let above = cut(_mm512_slli_epi16(third, 2), 0xfc);
    let below = cut(_mm512_srli_epi16(fifth, 2), 0x03);
    let block = Block {
        low: _mm512_mask_mov_epi8(low, pairs, low_of(fifth, sixth)),
        middle: _mm512_mask_mov_epi8(middle, pairs, _mm512_or_si512(above, below)),
        // Pairs begin at U+10000.
        high: _mm512_maskz_add_epi8(pairs, cut(second, 0x0f), byte(1)),
        len,
        highest: Highest::Supplementary,
    };
    Some((block, taken))
}

impl Block {
    /// Writes the characters to the start of `out`; the rest of the last 32 elements may be overwritten with
    /// anything.
    #[apply(avx512)]
    #[inline]
    fn fill(&self, out: &mut [MaybeUninit<u32>]) {
        assert!(self.len <= out.len(), "there is room for all");
        // Two at once, as to guess whether there is a second would take longer.
        let (one, rest) = out.split_at_mut(out.len().min(PART));
        let (two, rest) = rest.split_at_mut(rest.len().min(PART));
        vector::store_words(self.part::<0>(), one);
        vector::store_words(self.part::<1>(), two);
        if self.len > 2 * PART {
            let (three, four) = rest.split_at_mut(rest.len().min(PART));
            vector::store_words(self.part::<2>(), three);
            vector::store_words(self.part::<3>(), four);
        }
    }

    /// Returns the sixteen characters of a quarter.
    #[apply(avx512)]
    #[inline]
    fn part<const N: i32>(&self) -> __m512i {
        let words = |bytes: __m512i| _mm512_cvtepu8_epi32(_mm512_extracti32x4_epi32::<N>(bytes));
        let middle = _mm512_slli_epi32(words(self.middle), 8);
        let high = _mm512_slli_epi32(words(self.high), 16);
        _mm512_or_si512(_mm512_or_si512(words(self.low), middle), high)
    }
}

/// Selects `bits` of each byte.
#[apply(avx512)]
#[inline]
fn cut(bytes: __m512i, bits: u8) -> __m512i {
    _mm512_and_si512(bytes, byte(bits))
}

/// Returns a register with the same byte everywhere.
#[apply(avx512)]
#[inline]
fn byte(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// Number of characters per register.
const PART: usize = 16;

/// Offset in the block before which every sequence ends inside the block, and so does the second half of a
/// surrogate pair after it.
const WHOLE: usize = BYTES - 6;

/// Number of bytes of half a surrogate pair.
const LEN_OF_HALF: usize = 3;
