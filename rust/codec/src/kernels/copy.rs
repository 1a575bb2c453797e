//! Copies of many short pieces into one buffer, a fixed number of bytes at a time.

use std::{mem::MaybeUninit, ops::Range};

use super::{CHECKED, append_written};
use crate::buffer_pool;

/// Appends pieces of `bytes` end to end.
///
/// # Panics
/// If a piece does not lie in `bytes`.
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

/// Copies the first `len` bytes of `source`, and returns how many these are.
///
/// # Panics
/// If there are not so many, or no room for them.
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

/// Copies the first `len` bytes of `source` with some of what follows them, which the next is written
/// over; no more than a part if there is less behind them, or less room.
#[inline(always)]
pub(super) fn copy_overlapping(source: &[u8], len: usize, room: &mut [MaybeUninit<u8>]) -> bool {
    copy_chunk(source, room)
        && (len <= COMMON || copy_steps(&source[COMMON..], len - COMMON, &mut room[COMMON..]))
}

/// Copies [`COMMON`] bytes; none if there are less, or less room.
#[inline(always)]
pub(super) fn copy_chunk(source: &[u8], room: &mut [MaybeUninit<u8>]) -> bool {
    let (Some(source), Some(target)) = (source.first_chunk::<COMMON>(), room.first_chunk_mut())
    else {
        return false;
    };
    *target = source.map(MaybeUninit::new);
    true
}

/// The same in steps, of what is longer.
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

/// Bytes that are copied of every short piece: one length for most leaves no branch to guess.
pub(super) const COMMON: usize = 96;

/// Bytes that are copied at once of what is longer.
const STEP: usize = 128;

/// The longest piece that is short: `memcpy` is as fast with more.
pub(super) const SHORT: usize = 4 * STEP;
