use std::{mem::MaybeUninit, ops::Range};

/// Appends pieces of `bytes` end to end.
///
/// # Panics
/// If a piece does not lie in `bytes`.
pub(crate) fn pieces(bytes: &[u8], pieces: &[Range<usize>], out: &mut Vec<u8>) {
    let total: usize = pieces.iter().map(ExactSizeIterator::len).sum();
    out.reserve(total + COMMON);
    let room = out.spare_capacity_mut();
    let mut len = 0;
    for piece in pieces {
        let source = &bytes[piece.start..];
        len += put(source, piece.len(), &mut room[len..]);
    }
    // SAFETY: `len` bytes after the old end were written.
    unsafe { out.set_len(out.len() + len) };
}

/// Copies the first `len` bytes of `source`, and returns how many these are.
///
/// # Panics
/// If there are not so many, or no room for them.
#[inline(always)]
fn put(source: &[u8], len: usize, room: &mut [MaybeUninit<u8>]) -> usize {
    if len <= COMMON
        && let Some(source) = source.first_chunk::<COMMON>()
        && let Some(target) = room.first_chunk_mut::<COMMON>()
    {
        let target: *mut [MaybeUninit<u8>; COMMON] = target;
        // SAFETY: both are COMMON bytes long, and the target is our own.
        unsafe { target.cast::<[u8; COMMON]>().write(*source) };
    } else {
        let (source, target) = (&source[..len], &mut room[..len]);
        // SAFETY: both are `len` bytes long, and the target is our own.
        unsafe { target.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(source.as_ptr(), len) };
    }
    len
}

/// A piece up to this long is copied together with what follows it, which the next is written over:
/// one length for all leaves no branch to guess.
pub(super) const COMMON: usize = 96;
