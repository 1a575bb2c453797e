//! Registers of 64 bytes.

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

/// Number of bytes of a register.
pub(super) const BYTES: usize = 64;

/// Loads a register.
#[apply(avx512)]
#[inline]
pub(super) fn load(block: &[u8; BYTES]) -> __m512i {
    // SAFETY: the 64 bytes of `block` are read, and the instruction needs no alignment.
    unsafe { _mm512_loadu_si512(block.as_ptr().cast()) }
}

/// Loads a register from the start of `bytes`, padded with zeros.
#[apply(avx512)]
#[inline]
pub(super) fn load_front(bytes: &[u8]) -> __m512i {
    let there = first(bytes.len());
    // SAFETY: the mask has a bit for each byte of `bytes` and none for what follows them.
    unsafe { _mm512_maskz_loadu_epi8(there, bytes.as_ptr().cast()) }
}

/// Writes a register to the start of `room`, which must have room for its first `len` bytes; the bytes after
/// them may be overwritten, too.
///
/// # Panics
/// If `room` is shorter than `len`.
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

/// Writes the first of a register's sixteen words, as many as fit.
#[apply(avx512)]
#[inline]
pub(super) fn store_words(register: __m512i, room: &mut [MaybeUninit<u32>]) {
    if let Some(room) = room.first_chunk_mut::<16>() {
        // A store without a mask, since processors delay reads of memory that a masked store wrote.
        // SAFETY: the sixteen words of `room`, borrowed mutably, are written; no alignment is needed.
        return unsafe { _mm512_storeu_si512(room.as_mut_ptr().cast(), register) };
    }
    // The first sixteen.
    #[expect(clippy::cast_possible_truncation)]
    let there = first(room.len()) as u16;
    // SAFETY: the mask has a bit for each word of `room`, borrowed mutably, and none for what follows.
    unsafe { _mm512_mask_storeu_epi32(room.as_mut_ptr().cast(), there, register) };
}

/// Returns a mask of the first `len` bytes, or of all 64; the first byte has the lowest bit.
#[apply(avx512)]
#[inline]
pub(super) fn first(len: usize) -> u64 {
    if len < BYTES { (1 << len) - 1 } else { u64::MAX }
}

/// Returns the eight words of a register.
#[apply(avx512)]
#[inline]
pub(super) fn words(register: __m512i) -> [u64; 8] {
    // SAFETY: both are 64 bytes long, and any bits are numbers.
    unsafe { std::mem::transmute(register) }
}

/// Creates a register of eight words.
#[apply(avx512)]
#[inline]
pub(super) fn from_words(words: [u64; 8]) -> __m512i {
    // SAFETY: both are 64 bytes long, and any bits are a register's.
    unsafe { std::mem::transmute(words) }
}

/// Index of each byte.
pub(super) const NUMBERS: [u8; BYTES] = {
    let mut numbers = [0; BYTES];
    let mut number = 0;
    while number < 64 {
        numbers[number as usize] = number;
        number += 1;
    }
    numbers
};
