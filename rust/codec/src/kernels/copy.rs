//! Copies of many short pieces into one buffer, a fixed number of bytes at a time.

use std::{mem::MaybeUninit, ops::Range};

use super::{CHECKED, append_written};
use crate::buffer_pool;

/// Concatenates pieces of `bytes`.
///
/// # Panics
/// If a piece is outside of `bytes`.
pub(crate) fn pieces(bytes: &[u8], pieces: &[Range<usize>], out: &mut Vec<u8>) {
    let total: usize = pieces.iter().map(ExactSizeIterator::len).sum();
    buffer_pool::reserve(out, total + COMMON);
    let room = out.spare_capacity_mut();
    let mut len = 0;
    for piece in pieces {
        let source = &bytes[piece.start..];
        len += put(source, piece.len(), &mut room[len..]);
    }
    if CHECKED {
        assert_eq!(len, total, "all of each piece is copied");
    }
    // SAFETY: `put` wrote each piece from the end of the one before on, `len` bytes in all.
    unsafe { append_written(out, len) };
}

/// Copies the first `len` bytes of `source`, and returns `len`.
///
/// # Panics
/// If `source` or `room` is shorter.
#[inline(always)]
fn put(source: &[u8], len: usize, room: &mut [MaybeUninit<u8>]) -> usize {
    if len > SHORT || !copy_overlapping(source, len, room) {
        let (source, target) = (&source[..len], &mut room[..len]);
        let target = target.as_mut_ptr().cast::<u8>();
        // SAFETY: both are `len` bytes long, and the target, borrowed mutably, does not overlap the source.
        unsafe { target.copy_from_nonoverlapping(source.as_ptr(), len) };
    }
    len
}

/// Copies the first `len` bytes of `source` and some of the bytes after them, which the next copy overwrites.
/// Returns false, possibly after a partial copy, if `source` or `room` is too short for that.
#[inline(always)]
pub(super) fn copy_overlapping(source: &[u8], len: usize, room: &mut [MaybeUninit<u8>]) -> bool {
    copy_chunk(source, room)
        && (len <= COMMON || copy_steps(&source[COMMON..], len - COMMON, &mut room[COMMON..]))
}

/// Copies [`COMMON`] bytes; returns false, without a copy, if `source` or `room` is shorter.
#[inline(always)]
pub(super) fn copy_chunk(source: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(source), Some(target)) = (source.first_chunk::<COMMON>(), room.first_chunk_mut())
    else {
        return false;
    };
    *target = source.map(MaybeUninit::new);
    true
}

/// Copies a longer piece as [`copy_overlapping`] does, in steps.
#[inline(always)]
fn copy_steps(source: &[u8], len: usize, room: &mut [MaybeUninit<u8>]) -> bool {
    let whole = len.next_multiple_of(STEP);
    let (Some(source), Some(target)) = (source.get(..whole), room.get_mut(..whole)) else {
        return false;
    };
    let (source, _) = source.as_chunks::<STEP>();
    let (target, _) = target.as_chunks_mut::<STEP>();
    for (source, target) in source.iter().zip(target) {
        *target = source.map(MaybeUninit::new);
    }
    true
}

/// Number of bytes copied for every short piece: the same length for most pieces avoids a mispredicted branch.
pub(super) const COMMON: usize = 96;

/// Number of bytes per step of a longer copy.
const STEP: usize = 128;

/// Maximum length of a short piece: for longer ones `memcpy` is as fast.
pub(super) const SHORT: usize = 4 * STEP;
