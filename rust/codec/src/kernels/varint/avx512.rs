//! Varints with AVX-512: eight values per register.

use std::{
    arch::x86_64::{
        __m512i, _mm512_add_epi8, _mm512_and_si512, _mm512_andnot_si512, _mm512_cmple_epu8_mask,
        _mm512_cmplt_epu8_mask, _mm512_lzcnt_epi64, _mm512_madd_epi16, _mm512_maddubs_epi16,
        _mm512_mask_cmpge_epu8_mask, _mm512_maskz_compress_epi8, _mm512_maskz_permutexvar_epi8,
        _mm512_maskz_set1_epi8, _mm512_maskz_sub_epi8, _mm512_movepi8_mask,
        _mm512_multishift_epi64_epi8, _mm512_or_si512, _mm512_permutexvar_epi8,
        _mm512_permutexvar_epi64, _mm512_set1_epi8, _mm512_set1_epi16, _mm512_set1_epi32,
        _mm512_set1_epi64, _mm512_slli_epi64, _mm512_srli_epi64, _mm512_sub_epi8,
        _mm512_ternarylogic_epi64, _mm512_test_epi64_mask,
    },
    mem::MaybeUninit,
};

use macro_rules_attribute::apply;

use super::{Base128, WIDEST};
use crate::{
    buffer_pool,
    kernels::{
        append_written,
        vector::{self, BYTES, NUMBERS},
    },
    level::avx512,
};

/// Finds the starts and lengths of the values of a block, and gathers eight values into eight words. A block
/// begins with the start of a value, and ends with the last complete one.
#[apply(avx512)]
pub(super) fn decode<F: Base128>(bytes: &[u8], out: &mut Vec<F::Value>) -> usize {
    let sevens = _mm512_set1_epi8(0x7f);
    let every = vector::load(&NUMBERS);
    let mut at = 0;
    while let Some(block) = bytes[at..].first_chunk::<BYTES>() {
        let wire = vector::load(block);
        let ends = !_mm512_movepi8_mask(wire);
        let count = ends.count_ones() as usize;
        buffer_pool::reserve(out, BYTES);
        let slots = &mut out.spare_capacity_mut()[..BYTES];
        if count == BYTES {
            for (slot, byte) in slots.iter_mut().zip(block) {
                slot.write(F::from_wire((*byte).into()));
            }
        } else {
            let last = _mm512_maskz_compress_epi8(ends, every);
            let first = _mm512_maskz_compress_epi8(ends << 1 | 1, every);
            let there = vector::first(count);
            let more = _mm512_maskz_sub_epi8(there, last, first);
            let is_over =
                |most: i8| _mm512_mask_cmpge_epu8_mask(there, more, _mm512_set1_epi8(most));
            if count == 0 || is_over(10) != 0 {
                // One by one, it will be seen which.
                return at;
            }
            let sevens = _mm512_and_si512(wire, sevens);
            let slots = slots.chunks_exact_mut(8).take(count.div_ceil(8));
            let mut which = vector::from_words(EACH);
            let has_long = is_over(8) != 0;
            for slots in slots {
                let first = _mm512_permutexvar_epi8(which, first);
                let more = _mm512_permutexvar_epi8(which, more);
                let mut wires = compact(part(sevens, first, more, 0));
                if has_long {
                    let high = part(sevens, first, more, 8);
                    let ninth = _mm512_slli_epi64(high, 56);
                    let tenth = _mm512_slli_epi64(_mm512_srli_epi64(high, 8), 63);
                    wires = _mm512_ternarylogic_epi64(wires, ninth, tenth, ANY);
                }
                for (slot, wire) in slots.iter_mut().zip(vector::words(wires)) {
                    slot.write(F::from_wire(wire));
                }
                which = _mm512_add_epi8(which, _mm512_set1_epi8(8));
            }
        }
        // SAFETY: each of the first `count` slots was written: all 64, or eight at a time.
        unsafe { append_written(out, count) };
        at += BYTES - ends.leading_zeros() as usize;
    }
    at
}

/// Returns the eight bytes of each of eight values from its byte `from` on, as far as the value has them.
#[apply(avx512)]
#[inline]
fn part(bytes: __m512i, first: __m512i, more: __m512i, from: u8) -> __m512i {
    let by = u64::from(from) * ONES + 0x0706_0504_0302_0100;
    let by = _mm512_set1_epi64(by.cast_signed());
    let there = _mm512_cmple_epu8_mask(by, more);
    _mm512_maskz_permutexvar_epi8(there, _mm512_add_epi8(first, by), bytes)
}

/// Joins the seven low bits of each word's bytes; the top bits are clear.
#[apply(avx512)]
#[inline]
fn compact(sevens: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(_mm512_set1_epi16(0x80_01_u16.cast_signed()), sevens);
    let fours = _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x4000_0001));
    let low = _mm512_set1_epi64(0x0fff_ffff);
    let high = _mm512_srli_epi64(_mm512_andnot_si512(low, fours), 4);
    _mm512_or_si512(_mm512_and_si512(fours, low), high)
}

/// Splits eight values into eight bytes each if that is enough for all, else into sixteen, and removes the
/// bytes that a value does not need.
#[apply(avx512)]
pub(super) fn encode<F: Base128>(values: &[F::Value], out: &mut Vec<u8>) {
    let lens = vector::load(&LENS);
    let (eights, rest) = values.as_chunks::<8>();
    for eights in eights.chunks(8) {
        out.reserve(eights.len() * 8 * WIDEST + BYTES);
        let room = out.spare_capacity_mut();
        let mut len = 0;
        for values in eights {
            let wires = vector::from_words(values.map(F::to_wire));
            let needed = _mm512_or_si512(wires, _mm512_set1_epi64(1));
            let lens = _mm512_permutexvar_epi8(_mm512_lzcnt_epi64(needed), lens);
            if _mm512_test_epi64_mask(wires, _mm512_set1_epi64(0xff << 56)) == 0 {
                let lens = _mm512_permutexvar_epi8(vector::load(&EIGHT_EACH), lens);
                len += put(wires, lens, &EIGHT_BYTES, &mut room[len..]);
            } else {
                for half in [0, 4] {
                    let which = [0, 0, 1, 1, 2, 2, 3, 3].map(|at: u64| at + half);
                    let wires = _mm512_permutexvar_epi64(vector::from_words(which), wires);
                    let which = which.map(|at| at * 8 * ONES);
                    let lens = _mm512_permutexvar_epi8(vector::from_words(which), lens);
                    len += put(wires, lens, &TEN_BYTES, &mut room[len..]);
                }
            }
        }
        // SAFETY: `put` wrote each eight from the end of those before on, `len` bytes in all.
        unsafe { append_written(out, len) };
    }
    super::x86::encode::<F>(rest, out);
}

/// Writes the first bytes of values, as many as `lens` has for each, and returns their number.
#[apply(avx512)]
#[inline]
fn put(wires: __m512i, lens: __m512i, places: &Bytes, room: &mut [MaybeUninit<u8>]) -> usize {
    let sevens = _mm512_multishift_epi64_epi8(vector::load(&places.shifts), wires);
    let sevens = _mm512_and_si512(sevens, vector::load(&places.masks));
    let number = vector::load(&places.numbers);
    let needed = _mm512_cmplt_epu8_mask(number, lens);
    let last = _mm512_sub_epi8(lens, _mm512_set1_epi8(1));
    let more = _mm512_cmplt_epu8_mask(number, last);
    let more = _mm512_maskz_set1_epi8(more, i8::MIN);
    let bytes = _mm512_maskz_compress_epi8(needed, _mm512_or_si512(sevens, more));
    let len = needed.count_ones() as usize;
    vector::store(bytes, len, room);
    len
}

/// Layout of values in a register, for values of at most a given number of bytes.
struct Bytes {
    /// Index of each byte in its value.
    numbers: [u8; BYTES],
    /// Bit of the value at which each byte's seven bits begin.
    shifts: [u8; BYTES],
    /// Mask of each byte.
    masks: [u8; BYTES],
}

impl Bytes {
    const fn new(each: usize) -> Self {
        let mut new = Self { numbers: [0; BYTES], shifts: [0; BYTES], masks: [0x7f; BYTES] };
        let mut at = 0;
        while at < BYTES {
            let number = at % each;
            new.numbers[at] = NUMBERS[number];
            if number < WIDEST {
                new.shifts[at] = 7 * NUMBERS[number];
            }
            if number == WIDEST - 1 {
                new.masks[at] = 1;
            }
            at += 1;
        }
        new
    }
}

static EIGHT_BYTES: Bytes = Bytes::new(8);
static TEN_BYTES: Bytes = Bytes::new(16);

/// Number of bytes of a value, by the number of its leading zeros.
const LENS: [u8; BYTES] = {
    let mut lens = [0; BYTES];
    let mut zeros = 0;
    while zeros < BYTES {
        lens[zeros] = (64 - NUMBERS[zeros]).div_ceil(7);
        zeros += 1;
    }
    lens
};

/// First byte of each word, eight times.
const EIGHT_EACH: [u8; BYTES] = {
    let mut each = [0; BYTES];
    let mut at = 0;
    while at < BYTES {
        each[at] = NUMBERS[at & !7];
        at += 1;
    }
    each
};

/// One in each byte of a word.
const ONES: u64 = 0x0101_0101_0101_0101;

/// Truth table of the bitwise OR of three registers.
const ANY: i32 = 0xfe;

/// Index of each word of a register, in all its bytes.
const EACH: [u64; 8] = {
    let mut each = [0; 8];
    let mut at = 0;
    while at < 8 {
        each[at] = NUMBERS[at] as u64 * ONES;
        at += 1;
    }
    each
};
