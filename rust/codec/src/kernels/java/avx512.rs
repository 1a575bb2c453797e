use std::{
    arch::x86_64::{
        __m512i, _mm512_add_epi8, _mm512_add_epi16, _mm512_and_si512, _mm512_cmpeq_epi8_mask,
        _mm512_cmpge_epu8_mask, _mm512_mask_blend_epi8, _mm512_mask_cmpeq_epi8_mask,
        _mm512_mask_mov_epi16, _mm512_mask_test_epi8_mask, _mm512_maskz_compress_epi8,
        _mm512_maskz_mov_epi8, _mm512_movepi8_mask, _mm512_or_si512, _mm512_permutexvar_epi8,
        _mm512_set1_epi8, _mm512_set1_epi16, _mm512_slli_epi16, _mm512_srli_epi16,
        _mm512_testn_epi8_mask, _pdep_u64,
    },
    mem::MaybeUninit,
    ops::Range,
};

use crate::kernels::vector::{self, BYTES};

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
)]
pub(super) fn decode(bytes: &[u8], out: &mut String) -> usize {
    // SAFETY: only whole characters of UTF-8 are appended.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(bytes.len());
    let (taken, len) = decode_front(bytes, out.spare_capacity_mut());
    // SAFETY: `len` bytes after the old end were written.
    unsafe { out.set_len(out.len() + len) };
    taken
}

#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
)]
pub(super) fn decode_pieces(
    bytes: &[u8],
    pieces: &[Range<usize>],
    ends: &mut Vec<i32>,
    out: &mut String,
) -> usize {
    // SAFETY: only whole characters of UTF-8 are appended.
    let out = unsafe { out.as_mut_vec() };
    let total: usize = pieces.iter().map(ExactSizeIterator::len).sum();
    // What the last piece's block has behind it may be written, too.
    out.reserve(total + BYTES);
    let before = out.len();
    let room = out.spare_capacity_mut();
    let (mut len, mut count) = (0, 0);
    ends.reserve(pieces.len());
    for piece in pieces {
        let (taken, made) = decode_front(&bytes[piece.clone()], &mut room[len..]);
        if taken < piece.len() {
            break;
        }
        len += made;
        count += 1;
        // It was seen that all fit.
        ends.push(i32::try_from(before + len).unwrap_or(i32::MAX));
    }
    // SAFETY: `len` bytes after the old end were written.
    unsafe { out.set_len(before + len) };
    count
}

/// Decodes whole characters from the front of `bytes`, and returns how many bytes these take and make.
///
/// Blocks follow each other at once unless one ends inside a pair or NUL, which has to be seen whole;
/// a form of two or three bytes may go on in the next block, as none of them changes.
///
/// # Panics
/// If `room` is shorter than `bytes`.
#[target_feature(
    enable = "bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2"
)]
#[inline]
fn decode_front(bytes: &[u8], room: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let specials = vector::load(&SPECIALS);
    let (mut at, mut len) = (0, 0);
    // The lowest bits are set for the bytes that the last form still lacks.
    let mut owed = 0;
    loop {
        let rest = &bytes[at..];
        let (wire, there) = match rest.first_chunk() {
            Some(block) => (vector::load(block), BYTES),
            None if rest.is_empty() => break,
            // The zeros behind the end are no part of a form.
            None => (vector::load_front(rest), rest.len()),
        };
        let beyond_ascii = _mm512_movepi8_mask(wire);
        if beyond_ascii | owed == 0 {
            vector::store(wire, there, &mut room[len..]);
            (at, len) = (at + there, len + there);
            continue;
        }
        let first = _mm512_cmpge_epu8_mask(wire, byte(0xc0));
        let first_of_three = _mm512_cmpge_epu8_mask(wire, byte(0xe0));
        if beyond_ascii & !first != first << 1 | first_of_three << 2 | owed {
            break;
        }
        // Of a first byte, the table has what the lower six bits say.
        let kinds = _mm512_permutexvar_epi8(wire, specials);
        let special = _mm512_mask_test_epi8_mask(first, kinds, kinds);
        if special == 0 {
            vector::store(wire, there, &mut room[len..]);
            (at, len) = (at + there, len + there);
            owed = first >> 63 | first_of_three >> 62;
            continue;
        }
        let Some(Mended { text, taken, made }) = mend(wire, there, special) else { break };
        vector::store(text, made, &mut room[len..]);
        (at, len) = (at + taken, len + made);
        owed = if taken == there { first >> 63 | first_of_three >> 62 } else { 0 };
    }
    // What was copied of a form that is not whole stands as it stood.
    let begun = match (owed, bytes.get(at.wrapping_sub(1))) {
        (0, _) => 0,
        (_, Some(0xc0..)) => 1,
        _ => 2,
    };
    (at - begun, len - begun)
}

/// A block in UTF-8.
struct Mended {
    text: __m512i,
    /// The bytes that were mended.
    taken: usize,
    /// The bytes that they became.
    made: usize,
}

/// Mends a block whose first `there` bytes are forms, of which those at `special` are to be judged;
/// `None` if one is not a character's.
#[target_feature(
    enable = "bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2"
)]
#[inline]
fn mend(wire: __m512i, there: usize, special: u64) -> Option<Mended> {
    let numbers = vector::load(&vector::NUMBERS);
    // Behind the last stands the first again: what needs to know it is left for the next block.
    let next = _mm512_permutexvar_epi8(_mm512_add_epi8(numbers, byte(1)), wire);
    let is = |byte: __m512i| _mm512_mask_cmpeq_epi8_mask(special, wire, byte);
    let (nul, e0, ed) = (is(byte(0xc0)), is(byte(0xe0)), is(byte(0xed)));
    let from_high = _mm512_cmpge_epu8_mask(next, byte(0xa0));
    let from_low = _mm512_cmpge_epu8_mask(next, byte(0xb0));
    let surrogate = ed & from_high;
    let (high, low) = (surrogate & !from_low, surrogate & from_low);
    // A pair takes six bytes, and of the last byte it is not known what it begins.
    let cut = high & (u64::MAX << (BYTES - 5)) | special & (1 << (BYTES - 1));
    let taken = there.min(cut.trailing_zeros() as usize);
    let kept = vector::first(taken);
    let wrong = special & !(nul | e0 | ed)
        | e0 & !from_high
        | nul & !_mm512_cmpeq_epi8_mask(next, byte(0x80));
    let (nul, high, low) = (nul & kept, high & kept, low & kept);
    // A low half that is missing may be missed where the block was cut.
    if wrong & kept != 0 || low != high << 3 {
        return None;
    }
    if nul | high == 0 {
        return Some(Mended { text: wire, taken, made: taken });
    }
    // Of ED A+a 80+b ED B+c 80+d become F0+((a+1)/4), 80+(a+1)%4*16+b/4, 80+b%4*16+c and 80+d.
    let plane = |bytes: __m512i| _mm512_add_epi8(_mm512_and_si512(bytes, byte(0x0f)), byte(1));
    let b0 = _mm512_and_si512(_mm512_srli_epi16(plane(next), 2), byte(0x07));
    let b0 = _mm512_or_si512(byte(0xf0), b0);
    let top = _mm512_slli_epi16(_mm512_and_si512(plane(wire), byte(0x03)), 4);
    let middle = _mm512_and_si512(_mm512_srli_epi16(next, 2), byte(0x0f));
    let b1 = _mm512_or_si512(byte(0x80), _mm512_or_si512(top, middle));
    let after_next = _mm512_permutexvar_epi8(_mm512_add_epi8(numbers, byte(2)), wire);
    let top = _mm512_slli_epi16(_mm512_and_si512(wire, byte(0x03)), 4);
    let middle = _mm512_and_si512(after_next, byte(0x0f));
    let b2 = _mm512_or_si512(byte(0x80), _mm512_or_si512(top, middle));
    let text = _mm512_mask_blend_epi8(high, wire, b0);
    let text = _mm512_mask_blend_epi8(high << 1, text, b1);
    let text = _mm512_mask_blend_epi8(high << 2, text, b2);
    let text = _mm512_maskz_mov_epi8(!nul, text);
    let kept = kept & !(high << 3 | high << 4 | nul << 1);
    let text = _mm512_maskz_compress_epi8(kept, text);
    Some(Mended { text, taken, made: kept.count_ones() as usize })
}

/// Encodes UTF-8.
///
/// Of a form of four bytes, which becomes six, the first and the third make two each; so does NUL. Half
/// a block gets two bytes of room for each of its own, and those that are not needed are left out.
#[target_feature(
    enable = "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl,avx512vbmi,avx512vbmi2"
)]
pub(super) fn encode(bytes: &[u8], nul_stays: bool, out: &mut Vec<u8>) -> usize {
    out.reserve(bytes.len());
    let mut at = 0;
    // The first bytes of forms of four in the half block before, by their places.
    let mut before = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let (text, there) = match rest.first_chunk() {
            Some(block) => (vector::load(block), BYTES),
            None => (vector::load_front(rest), rest.len()),
        };
        let four = _mm512_cmpge_epu8_mask(text, byte(0xf0));
        let nul = _mm512_testn_epi8_mask(text, text) & vector::first(there);
        let nul = if nul_stays { 0 } else { nul };
        let (part, taken, made) = if four | nul | before == 0 {
            (text, there, there)
        } else {
            let taken = there.min(HALF);
            // The half block before is below this one.
            let four = before | four << HALF;
            let places = [0, 1, 2].map(|by: u32| low_half(four << by >> HALF));
            let (pairs, kept) = widen(text, places, low_half(nul));
            let kept = kept & vector::first(2 * taken);
            before = four >> HALF;
            (_mm512_maskz_compress_epi8(kept, pairs), taken, kept.count_ones() as usize)
        };
        out.reserve(made);
        vector::store(part, made, out.spare_capacity_mut());
        // SAFETY: `made` bytes after the old end were written.
        unsafe { out.set_len(out.len() + made) };
        at += taken;
    }
    at
}

/// Gives each byte of half a block, and what it becomes, two bytes; says which of these are needed.
/// `four` has where the first, second and third bytes of forms of four stand.
#[target_feature(enable = "bmi2,avx512f,avx512bw,avx512vbmi")]
#[inline]
fn widen(text: __m512i, four: [u32; 3], nul: u32) -> (__m512i, u64) {
    let [first, second, third] = four;
    let all = |word: u16| _mm512_set1_epi16(word.cast_signed());
    // Each byte, and the one behind it above.
    let pairs = _mm512_permutexvar_epi8(vector::load(&PAIRS), text);
    let low_four = _mm512_and_si512(pairs, all(0x0f));
    let next_two = _mm512_and_si512(_mm512_srli_epi16(pairs, 12), all(0x03));
    // Of F0+a 80+b*16+c 80+d*16+e 80+f become ED A0+(a*4+b)-1, 80+c*4+d, ED B0+e and 80+f.
    let plane = _mm512_slli_epi16(_mm512_and_si512(pairs, all(0x07)), 2);
    let plane = _mm512_slli_epi16(_mm512_or_si512(plane, next_two), 8);
    let high = _mm512_add_epi16(plane, all(0x9fed));
    let middle = _mm512_or_si512(_mm512_slli_epi16(low_four, 2), next_two);
    let middle = _mm512_or_si512(middle, all(0x80));
    let low = _mm512_or_si512(_mm512_slli_epi16(low_four, 8), all(0xb0ed));
    let pairs = _mm512_mask_mov_epi16(pairs, first, high);
    let pairs = _mm512_mask_mov_epi16(pairs, second, middle);
    let pairs = _mm512_mask_mov_epi16(pairs, third, low);
    let pairs = _mm512_mask_mov_epi16(pairs, nul, all(0x80c0));
    (pairs, EVEN | _pdep_u64((first | third | nul).into(), !EVEN))
}

/// The lower half of a block's mask.
fn low_half(mask: u64) -> u32 {
    let [b0, b1, b2, b3, ..] = mask.to_le_bytes();
    u32::from_le_bytes([b0, b1, b2, b3])
}

/// The same byte everywhere.
#[target_feature(enable = "avx512f")]
#[inline]
fn byte(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// First bytes whose form may not be a character's, or not as UTF-8 writes it, by their lowest six
/// bits: C0 and C1, E0, ED, and F0 and above.
const SPECIALS: [u8; BYTES] = {
    let mut specials = [0; BYTES];
    let mut at = 0;
    while at < BYTES {
        if matches!(at, 0x00 | 0x01 | 0x20 | 0x2d | 0x30..) {
            specials[at] = 1;
        }
        at += 1;
    }
    specials
};

/// Bytes that become a block with two for each.
const HALF: usize = BYTES / 2;

/// Every other byte of a block, from the first on.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Each byte of half a block, and the one behind it.
const PAIRS: [u8; BYTES] = {
    let mut pairs = vector::NUMBERS;
    let mut at = 0;
    while at < BYTES {
        pairs[at] = vector::NUMBERS[at.div_ceil(2)];
        at += 1;
    }
    pairs
};
