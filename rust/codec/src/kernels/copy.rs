use std::{mem::MaybeUninit, ops::Range};

/// Appends pieces of `bytes` end to end.
///
/// # Panics
/// If a piece does not lie in `bytes`.
pub(crate) fn pieces(bytes: &[u8], pieces: &[Range<usize>], out: &mut Vec<u8>) {
    let total: usize = pieces.iter().map(ExactSizeIterator::len).sum();
    out.reserve(total + SHORT);
    for piece in pieces {
        append(&bytes[piece.start..], piece.len(), out);
    }
}

/// Appends the first `len` bytes of `source`.
///
/// # Panics
/// If there are not so many.
#[inline(always)]
pub(super) fn append(source: &[u8], len: usize, out: &mut Vec<u8>) {
    match (source.first_chunk::<SHORT>(), out.spare_capacity_mut().first_chunk_mut()) {
        (Some(source), Some(target)) if len <= SHORT => {
            let target: *mut [MaybeUninit<u8>; SHORT] = target;
            // SAFETY: both are SHORT bytes long and the target is our own; so `len` bytes after the
            // old end are written.
            unsafe {
                target.cast::<[u8; SHORT]>().write(*source);
                out.set_len(out.len() + len);
            }
        }
        _ => out.extend_from_slice(&source[..len]),
    }
}

/// A piece up to this long is copied together with what follows it, which the next is written over:
/// one length for all leaves no branch to guess.
const SHORT: usize = 128;
