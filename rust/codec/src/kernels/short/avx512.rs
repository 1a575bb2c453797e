use std::arch::x86_64::{
    __m512i, _mm_loadu_si128, _mm512_add_epi8, _mm512_add_epi32, _mm512_and_si512,
    _mm512_cmpge_epu8_mask, _mm512_cmplt_epi8_mask, _mm512_cvtepu8_epi32,
    _mm512_mask_cmpeq_epi8_mask, _mm512_mask_mov_epi8, _mm512_mask_mov_epi32,
    _mm512_maskz_compress_epi8, _mm512_maskz_mov_epi8, _mm512_or_si512, _mm512_permutexvar_epi8,
    _mm512_set1_epi8, _mm512_set1_epi32, _mm512_slli_epi16, _mm512_slli_epi32, _mm512_srli_epi16,
    _pext_u64,
};

use crate::kernels::vector::{self, BYTES};

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
)]
pub(super) fn fill_utf32(bytes: &[u8], out: &mut [u32]) -> Option<usize> {
    let (mut at, mut count) = (0, 0);
    while at < bytes.len() {
        let (block, taken) = read(&bytes[at..])?;
        fill(&block, &mut out[count..]);
        at += taken;
        count += block.len;
    }
    Some(count)
}

/// Characters: the low bytes of their units, the high bytes, and those of the units behind.
struct Block {
    low: __m512i,
    high: __m512i,
    low_behind: __m512i,
    high_behind: __m512i,
    /// Which of them are the first half of a pair, of which the second is behind.
    pairs: u64,
    len: usize,
}

/// Reads whole characters from the front of `rest`, and tells how many bytes these are.
#[target_feature(
    enable = "bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2"
)]
#[inline]
fn read(rest: &[u8]) -> Option<(Block, usize)> {
    let (wire, there) = match rest.first_chunk() {
        Some(block) => (vector::load(block), BYTES),
        None => (vector::load_front(rest), rest.len()),
    };
    // What goes on behind the first two bits of a byte: 10, 11, 111 or 1111.
    let more = _mm512_cmplt_epi8_mask(wire, byte(0xc0));
    let two = _mm512_cmpge_epu8_mask(wire, byte(0xc0));
    let three = _mm512_cmpge_epu8_mask(wire, byte(0xe0));
    let four = _mm512_cmpge_epu8_mask(wire, byte(0xf0));
    let mut taken = there;
    if rest.len() > BYTES {
        // A unit that begins behind these may go on in the next block, which takes all of it.
        taken = there.min(WHOLE + (!more >> WHOLE).trailing_zeros() as usize);
    }
    let kept = vector::first(taken);
    let (two, three) = (two & kept, three & kept);
    if more & kept != two << 1 | three << 2 || two >> 63 | three >> 62 | four & kept != 0 {
        return None;
    }
    let starts = !more & kept;
    let numbers = vector::load(&vector::NUMBERS);
    let places = _mm512_maskz_compress_epi8(starts, numbers);
    let first = _mm512_permutexvar_epi8(places, wire);
    let second = _mm512_permutexvar_epi8(_mm512_add_epi8(places, byte(1)), wire);
    let third = _mm512_permutexvar_epi8(_mm512_add_epi8(places, byte(2)), wire);
    let mut len = starts.count_ones() as usize;
    let two = _mm512_cmpge_epu8_mask(first, byte(0xc0));
    let three = _mm512_cmpge_epu8_mask(first, byte(0xe0));

    // Words are shifted, and what came from the byte beside is cut off.
    let cut = |bytes: __m512i, bits: u8| _mm512_and_si512(bytes, byte(bits));
    let of_two = _mm512_or_si512(cut(_mm512_slli_epi16(first, 6), 0xc0), cut(second, 0x3f));
    let of_three = _mm512_or_si512(cut(_mm512_slli_epi16(second, 6), 0xc0), cut(third, 0x3f));
    let low = _mm512_mask_mov_epi8(first, two, of_two);
    let low = _mm512_mask_mov_epi8(low, three, of_three);
    let of_two = cut(_mm512_srli_epi16(first, 2), 0x07);
    let of_three = _mm512_or_si512(
        cut(_mm512_slli_epi16(first, 4), 0xf0),
        cut(_mm512_srli_epi16(second, 2), 0x0f),
    );
    let high = _mm512_maskz_mov_epi8(two, of_two);
    let high = _mm512_mask_mov_epi8(high, three, of_three);

    let there = vector::first(len);
    let kind = cut(high, 0xfc);
    let mut firsts = _mm512_mask_cmpeq_epi8_mask(there, kind, byte(0xd8));
    let seconds = _mm512_mask_cmpeq_epi8_mask(there, kind, byte(0xdc));
    if firsts | seconds == 0 {
        let none = byte(0);
        let block = Block { low, high, low_behind: none, high_behind: none, pairs: 0, len };
        return Some((block, taken));
    }
    if rest.len() > taken && firsts >> (len - 1) != 0 {
        // Its second half is in the next block.
        len -= 1;
        taken -= LEN_OF_SURROGATE;
        firsts &= vector::first(len);
    }
    if seconds != firsts << 1 {
        return None;
    }
    let behind = _mm512_add_epi8(numbers, byte(1));
    let kept = vector::first(len) & !seconds;
    let keep = |bytes: __m512i| _mm512_maskz_compress_epi8(kept, bytes);
    let block = Block {
        low: keep(low),
        high: keep(high),
        low_behind: keep(_mm512_permutexvar_epi8(behind, low)),
        high_behind: keep(_mm512_permutexvar_epi8(behind, high)),
        pairs: _pext_u64(firsts, kept),
        len: kept.count_ones() as usize,
    };
    Some((block, taken))
}

/// Writes a block's characters to the front of `out`, and to what is left of the last sixteen anything.
#[target_feature(enable = "bmi2,avx512f,avx512bw")]
#[inline]
fn fill(block: &Block, out: &mut [u32]) {
    let (low, high) = (parts(block.low), parts(block.high));
    let behind = (parts(block.low_behind), parts(block.high_behind));
    assert!(block.len <= out.len(), "there is room for all");
    for (part, out) in out.chunks_mut(PART).take(block.len.div_ceil(PART)).enumerate() {
        let mut characters = units(&low[part], &high[part]);
        let pairs = block.pairs >> (part * PART);
        if pairs != 0 {
            let of = |units: __m512i| _mm512_and_si512(units, _mm512_set1_epi32(0x3ff));
            let second = of(units(&behind.0[part], &behind.1[part]));
            let first = _mm512_slli_epi32(of(characters), 10);
            let both = _mm512_or_si512(first, second);
            let both = _mm512_add_epi32(both, _mm512_set1_epi32(0x1_0000));
            // The part's are the lowest.
            #[expect(clippy::cast_possible_truncation)]
            let pairs = pairs as u16;
            characters = _mm512_mask_mov_epi32(characters, pairs, both);
        }
        vector::store_words(characters, out);
    }
}

/// Units of their low and high bytes.
#[target_feature(enable = "avx512f")]
#[inline]
fn units(low: &[u8; PART], high: &[u8; PART]) -> __m512i {
    let words = |bytes: &[u8; PART]| {
        // SAFETY: 16 bytes are read, wherever they begin.
        _mm512_cvtepu8_epi32(unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) })
    };
    _mm512_or_si512(words(low), _mm512_slli_epi32(words(high), 8))
}

/// The bytes of a register.
#[target_feature(enable = "avx512f")]
#[inline]
fn parts(register: __m512i) -> [[u8; PART]; BYTES / PART] {
    // SAFETY: both are as long, and any bits are numbers.
    unsafe { std::mem::transmute(register) }
}

/// The same byte everywhere.
#[target_feature(enable = "avx512f")]
#[inline]
fn byte(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// Characters that a register has room for.
const PART: usize = 16;

/// Units that begin before this byte end in the block, and so does the pair of one before it.
const WHOLE: usize = BYTES - 6;

const LEN_OF_SURROGATE: usize = 3;
