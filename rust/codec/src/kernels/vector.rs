//! 64 bytes in one register.

use std::{
    arch::x86_64::{
        __m512i, _mm512_loadu_si512, _mm512_mask_storeu_epi8, _mm512_mask_storeu_epi32,
        _mm512_maskz_loadu_epi8, _mm512_storeu_si512,
    },
    mem::MaybeUninit,
};

use macro_rules_attribute::apply;

use super::CHECKED;
use crate::level::avx512;

/// Bytes of a register.
pub(super) const BYTES: usize = 64;

/// Fills a register.
#[apply(avx512)]
#[inline]
pub(super) fn load(block: &[u8; BYTES]) -> __m512i {
    // SAFETY: the 64 bytes of `block` are read, and the instruction needs no alignment.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// Fills a register from the front of `bytes`, with zeros behind these if they are too few.
#[apply(avx512)]
#[inline]
pub(super) fn load_front(bytes: &[u8]) -> __m512i {
    let there = first(bytes.len());
    // SAFETY: the mask has a bit for each byte of `bytes` and none for what follows them.
    unsafe { _mm512_maskz_loadu_epi8(there, bytes.as_ptr().cast()) }
}

/// Writes a register to the front of `room`, which its first `len` bytes have to fit in; what follows
/// them may be written, too.
///
/// # Panics
/// If they do not fit.
#[apply(avx512)]
#[inline]
pub(super) fn store(register: __m512i, len: usize, room: &mut [MaybeUninit<u8>]) {
    if CHECKED {
        assert!(len <= BYTES, "a register has {BYTES} bytes, not {len}");
    }
    if let Some(block) = room.first_chunk_mut::<BYTES>() {
        // SAFETY: the 64 bytes of `block`, borrowed mutably, are written; no alignment is needed.
        unsafe { _mm512_storeu_si512(block.as_mut_ptr().cast(), register) };
    } else {
        let (room, there) = (&mut room[..len], first(len));
        // SAFETY: the mask has a bit for each byte of `room`, borrowed mutably, and none for what follows.
        unsafe { _mm512_mask_storeu_epi8(room.as_mut_ptr().cast(), there, register) };
    }
}

/// Writes the lowest of a register's sixteen words, as many as there is room for.
#[apply(avx512)]
#[inline]
pub(super) fn store_words(register: __m512i, room: &mut [MaybeUninit<u32>]) {
    if let Some(room) = room.first_chunk_mut::<16>() {
        // What a mask wrote, a processor waits for before it reads it again.
        // SAFETY: the sixteen words of `room`, borrowed mutably, are written; no alignment is needed.
        return unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), register) };
    }
    // The first sixteen.
    #[expect(clippy::cast_possible_truncation)]
    let there = first(room.len()) as u16;
    // SAFETY: the mask has a bit for each word of `room`, borrowed mutably, and none for what follows.
    unsafe { _mm512_mask_storeu_epi32(room.as_mut_ptr().cast(), there, register) };
}

/// The first byte's bit lowest, a bit for each of the first `len` bytes, or for all if there are fewer.
#[apply(avx512)]
#[inline]
pub(super) fn first(len: usize) -> u64 {
    if len < BYTES { (1 << len) - 1 } else { u64::MAX }
}

/// The eight words of a register.
#[apply(avx512)]
#[inline]
pub(super) fn words(register: __m512i) -> [u64; 8] {
    // SAFETY: both are 64 bytes long, and any bits are numbers.
    unsafe { std::mem::transmute(register) }
}

/// A register of eight words.
#[apply(avx512)]
#[inline]
pub(super) fn from_words(words: [u64; 8]) -> __m512i {
    // SAFETY: both are 64 bytes long, and any bits are a register's.
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
