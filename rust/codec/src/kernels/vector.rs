//! 64 bytes in one register.

use std::{
    arch::x86_64::{
        __m512i, _mm512_loadu_si512, _mm512_mask_storeu_epi8, _mm512_mask_storeu_epi32,
        _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
    },
    mem::MaybeUninit,
};

/// Bytes of a register.
pub(super) const BYTES: usize = 64;

/// Fills a register.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn load(block: &[u8; BYTES]) -> __m512i {
    // SAFETY: a block's bytes are read, wherever they begin.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// Fills a register from the front of `bytes`, with zeros behind these if they are too few.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) fn load_front(bytes: &[u8]) -> __m512i {
    // SAFETY: no byte is read beyond the last one, as the mask has a bit for each that is there.
    unsafe { _mm512_maskz_loadu_epi8(first(bytes.len()), bytes.as_ptr().cast()) }
}

/// Writes a register to the front of `room`, which its first `len` bytes have to fit in; what follows
/// them may be written, too.
///
/// # Panics
/// If they do not fit.
#[target_feature(enable = "avx512f,avx512bw,bmi2")]
#[inline]
pub(super) fn store(register: __m512i, len: usize, room: &mut [MaybeUninit<u8>]) {
    if let Some(block) = room.first_chunk_mut::<BYTES>() {
        // SAFETY: a block's bytes are written, and it is our own.
        unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), register) };
    } else {
        let room = &mut room[..len];
        // SAFETY: no byte is written beyond these, as the mask has a bit for each; they are our own.
        unsafe { _mm512_mask_storeu_epi8(room.as_mut_ptr().cast(), first(len), register) };
    }
}

/// Writes the lowest of a register's sixteen words, as many as there is room for.
#[target_feature(enable = "avx512f,bmi2")]
#[inline]
pub(super) fn store_words(register: __m512i, room: &mut [MaybeUninit<u32>]) {
    if let Some(room) = room.first_chunk_mut::<16>() {
        // What a mask wrote, a processor waits for before it reads it again.
        // SAFETY: sixteen words are written, and they are our own.
        return unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), register) };
    }
    // The first sixteen.
    #[expect(clippy::cast_possible_truncation)]
    let there = first(room.len()) as u16;
    // SAFETY: no word is written beyond the last one, as the mask has a bit for each that is there.
    unsafe { _mm512_mask_storeu_epi32(room.as_mut_ptr().cast(), there, register) };
}

/// The first byte's bit lowest, a bit for each of the first `len` bytes, or for all if there are fewer.
#[target_feature(enable = "bmi2")]
#[inline]
pub(super) fn first(len: usize) -> u64 {
    if len < BYTES { (1 << len) - 1 } else { u64::MAX }
}

/// The eight words of a register.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn words(register: __m512i) -> [u64; 8] {
    // SAFETY: both are as long, and any bits are numbers.
    unsafe { std::mem::transmute(register) }
}

/// A register of eight words.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn from_words(words: [u64; 8]) -> __m512i {
    // SAFETY: both are as long, and any bits are a register's.
    unsafe { std::mem::transmute(words) }
}

/// The number of each byte.
pub(super) const NUMBERS: [u8; BYTES] = {
    let mut numbers = [0; BYTES];
    let mut number = 0;
    while number < 64 {
        numbers[number as usize] = number;
        number += 1;
    }
    numbers
};
