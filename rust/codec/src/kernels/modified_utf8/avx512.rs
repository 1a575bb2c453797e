//! Decoding and encoding of Java's UTF-8 variants with AVX-512, 64 bytes at a time.

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

use macro_rules_attribute::apply;

use crate::{
    kernels::{
        CHECKED, append_written, assert_utf8,
        short_text::written,
        vector::{self, BYTES},
    },
    level::avx512,
};

#[apply(avx512)]
pub(super) fn decode(bytes: &[u8], out: &mut String) -> usize {
    let before = out.len();
    // SAFETY: `decode_front` writes whole characters of UTF-8, and no more than these is appended.
    let out = unsafe { out.as_mut_vec() };
    out.reserve(bytes.len());
    let (taken, len) = decode_front(bytes, out.spare_capacity_mut());
    // SAFETY: `decode_front` wrote the `len` bytes that it counts.
    unsafe { append_written(out, len) };
    assert_utf8(&out[before..]);
    taken
}

#[apply(avx512)]
pub(super) fn decode_pieces(
    bytes: &[u8],
    pieces: &[Range<usize>],
    ends: &mut Vec<i32>,
    out: &mut String,
) -> usize {
    // SAFETY: `decode_front` writes whole characters of UTF-8, and no more than these is appended.
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
        if CHECKED {
            // The whole would be UTF-8 even if a piece ended inside a character.
            // SAFETY: `decode_front` wrote the `made` bytes that it counts.
            assert_utf8(unsafe { written(&mut room[len..][..made]) });
        }
        len += made;
        count += 1;
        // It was seen that all fit.
        ends.push(i32::try_from(before + len).unwrap_or(i32::MAX));
    }
    // SAFETY: `decode_front` wrote each piece from the end of the one before on, `len` bytes in all.
    unsafe { append_written(out, len) };
    assert_utf8(&out[before..]);
    count
}

/// Decodes complete characters from the start of `bytes`, and returns the number of bytes read and written.
///
/// Each block follows the previous one immediately, wherever that cuts a byte sequence, a surrogate pair or a
/// NUL: the start of a block does not depend on the result of the previous block.
///
/// All counted bytes of `room` are written, from the first on, and are complete UTF-8 characters.
///
/// # Panics
/// If `room` is shorter than `bytes`.
#[apply(avx512)]
#[inline]
fn decode_front(bytes: &[u8], room: &mut [MaybeUninit<u8>]) -> (usize, usize) {
    let specials = vector::load(&SPECIALS);
    let (mut at, mut len) = (0, 0);
    let mut open = Open::default();
    while at < bytes.len() {
        let rest = &bytes[at..];
        // The zeros behind the end are no part of a form.
        let (wire, there) = (load(rest), rest.len().min(BYTES));
        let beyond_ascii = _mm512_movepi8_mask(wire);
        if beyond_ascii | open.owed | open.high == 0 {
            vector::store(wire, there, &mut room[len..]);
            (at, len) = (at + there, len + there);
            continue;
        }
        let first = _mm512_cmpge_epu8_mask(wire, byte(0xc0));
        let first_of_three = _mm512_cmpge_epu8_mask(wire, byte(0xe0));
        if beyond_ascii & !first != first << 1 | first_of_three << 2 | open.owed {
            break;
        }
        // Of a first byte, the table has what the lower six bits say.
        let kinds = _mm512_permutexvar_epi8(wire, specials);
        let special = _mm512_mask_test_epi8_mask(first, kinds, kinds);
        let (text, made, high, nul) = if special | open.high | open.nul == 0 {
            (wire, there, 0, 0)
        } else {
            let Some(Mended { text, made, high, nul }) = fix_surrogates(wire, rest, special, open)
            else {
                break;
            };
            (text, made, high, nul)
        };
        vector::store(text, made, &mut room[len..]);
        (at, len) = (at + there, len + made);
        if there < BYTES {
            // Of what the end cuts nothing was taken.
            return (at, len);
        }
        open = Open {
            owed: first >> 63 | first_of_three >> 62,
            high: high & LAST_FIVE,
            nul: nul & LAST_FIVE,
        };
    }
    // What was copied of a form or a pair that is not whole stands for nothing.
    let begun = match (open, bytes.get(at.wrapping_sub(1))) {
        (Open { high: 1.., .. }, _) => 1 + open.high.leading_zeros() as usize,
        (Open { owed: 0, .. }, _) => 0,
        (_, Some(0xc0..)) => 1,
        _ => 2,
    };
    (at - begun, len - begun.min(PAIR_KEPT))
}

/// Sequences that the end of a block cuts.
#[derive(Clone, Copy, Default)]
struct Open {
    /// Mask with the lowest bits set for the bytes that are missing from the last sequence.
    owed: u64,
    /// Mask of the start of a surrogate pair whose end is in the next block.
    high: u64,
    /// Mask of the start of a possible NUL among the last bytes.
    nul: u64,
}

/// Block converted to UTF-8.
struct Mended {
    text: __m512i,
    /// Number of bytes written.
    made: usize,
    /// Mask of the starts of surrogate pairs.
    high: u64,
    /// Mask of the starts of NULs.
    nul: u64,
}

/// Converts the surrogate pairs and NULs of the block at the start of `rest`, which consists of well-formed
/// sequences. The sequences at `special` must be validated; `open` began in the previous block. Returns `None`
/// if a sequence does not encode a character.
#[apply(avx512)]
#[inline]
fn fix_surrogates(wire: __m512i, rest: &[u8], special: u64, open: Open) -> Option<Mended> {
    let next = load_behind(wire, rest, 1);
    let is = |byte: __m512i| _mm512_mask_cmpeq_epi8_mask(special, wire, byte);
    let (nul, e0, ed) = (is(byte(0xc0)), is(byte(0xe0)), is(byte(0xed)));
    let from_high = _mm512_cmpge_epu8_mask(next, byte(0xa0));
    let from_low = _mm512_cmpge_epu8_mask(next, byte(0xb0));
    let surrogate = ed & from_high;
    let (high, low) = (surrogate & !from_low, surrogate & from_low);
    let wrong = special & !(nul | e0 | ed)
        | e0 & !from_high
        | nul & !_mm512_cmpeq_epi8_mask(next, byte(0x80));
    if wrong != 0 || low != high << 3 | open.high >> (BYTES - 3) {
        return None;
    }
    let made = |kept: u64| kept.count_ones() as usize;
    let there = vector::first(rest.len());
    if nul | high | open.high | open.nul == 0 {
        return Some(Mended { text: wire, made: made(there), high, nul });
    }
    // Of ED A+a 80+b ED B+c 80+d become F0+((a+1)/4), 80+(a+1)%4*16+b/4, 80+b%4*16+c and 80+d.
    let plane = |bytes: __m512i| _mm512_add_epi8(_mm512_and_si512(bytes, byte(0x0f)), byte(1));
    let b0 = _mm512_and_si512(_mm512_srli_epi16(plane(next), 2), byte(0x07));
    let b0 = _mm512_or_si512(byte(0xf0), b0);
    let top = _mm512_slli_epi16(_mm512_and_si512(plane(wire), byte(0x03)), 4);
    let middle = _mm512_and_si512(_mm512_srli_epi16(next, 2), byte(0x0f));
    let b1 = _mm512_or_si512(byte(0x80), _mm512_or_si512(top, middle));
    let after_next = load_behind(wire, rest, 2);
    let top = _mm512_slli_epi16(_mm512_and_si512(wire, byte(0x03)), 4);
    let middle = _mm512_and_si512(after_next, byte(0x0f));
    let b2 = _mm512_or_si512(byte(0x80), _mm512_or_si512(top, middle));
    // Where the byte stands that is so far behind a pair's first, or a NUL's.
    let behind = |mask: u64, open: u64, by: usize| mask << by | open >> (BYTES - by);
    let pair = |by: usize| behind(high, open.high, by);
    let text = _mm512_mask_blend_epi8(high, wire, b0);
    let text = _mm512_mask_blend_epi8(pair(1), text, b1);
    let text = _mm512_mask_blend_epi8(pair(2), text, b2);
    let text = _mm512_maskz_mov_epi8(!nul, text);
    let kept = there & !(pair(3) | pair(4) | behind(nul, open.nul, 1));
    let text = _mm512_maskz_compress_epi8(kept, text);
    Some(Mended { text, made: made(kept), high, nul })
}

/// Loads the block that begins `by` bytes after `wire`, which is the block at the start of `rest`.
#[apply(avx512)]
#[inline]
fn load_behind(wire: __m512i, rest: &[u8], by: u8) -> __m512i {
    if rest.len() > BYTES {
        return load(&rest[by.into()..]);
    }
    // Nothing follows, so that what would look at it is cut, and stands for nothing.
    let places = _mm512_add_epi8(vector::load(&vector::NUMBERS), byte(by));
    _mm512_permutexvar_epi8(places, wire)
}

/// Loads the block at the start of `bytes`, padded with zeros.
#[apply(avx512)]
#[inline]
fn load(bytes: &[u8]) -> __m512i {
    match bytes.first_chunk() {
        Some(block) => vector::load(block),
        None => vector::load_front(bytes),
    }
}

/// Encodes UTF-8 as Java's variant.
///
/// A sequence of four bytes becomes six: its first and third byte produce two bytes each. NUL produces two
/// bytes, too. Each byte of half a block is expanded to two bytes, and the unneeded bytes are compressed out.
#[apply(avx512)]
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
        // SAFETY: `store` wrote the first `made` bytes of the register, or panicked.
        unsafe { append_written(out, made) };
        at += taken;
    }
    at
}

/// Expands each byte of half a block to two bytes, and returns the mask of the needed ones. `four` has the
/// masks of the first, second and third bytes of four-byte sequences.
#[apply(avx512)]
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

/// Returns the lower half of a block's mask.
fn low_half(mask: u64) -> u32 {
    let [b0, b1, b2, b3, ..] = mask.to_le_bytes();
    u32::from_le_bytes([b0, b1, b2, b3])
}

/// Returns a register with the same byte everywhere.
#[apply(avx512)]
#[inline]
fn byte(byte: u8) -> __m512i {
    _mm512_set1_epi8(byte.cast_signed())
}

/// Lead bytes of sequences that may not encode a character, or that UTF-8 encodes differently, indexed by their
/// lowest six bits: C0 and C1, E0, ED, and F0 and above.
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

/// Mask of the last bytes of a block, in which a surrogate pair can begin whose end is in the next block.
const LAST_FIVE: u64 = u64::MAX << (BYTES - 5);

/// Number of bytes of a surrogate pair in which a four-byte sequence is written; the two bytes after them are
/// removed.
const PAIR_KEPT: usize = 3;

/// Number of bytes that become a block if each is expanded to two.
const HALF: usize = BYTES / 2;

/// Mask of every other byte of a block, from the first on.
const EVEN: u64 = 0x5555_5555_5555_5555;

/// Indices of each byte of half a block and of the byte after it.
const PAIRS: [u8; BYTES] = {
    let mut pairs = vector::NUMBERS;
    let mut at = 0;
    while at < BYTES {
        pairs[at] = vector::NUMBERS[at.div_ceil(2)];
        at += 1;
    }
    pairs
};
