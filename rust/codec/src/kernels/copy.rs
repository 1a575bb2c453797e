use std::ops::Range;

/// Appends pieces of `bytes` end to end.
///
/// # Panics
/// If a piece does not lie in `bytes`.
pub(crate) fn pieces(bytes: &[u8], pieces: &[Range<usize>], out: &mut Vec<u8>) {
    let total: usize = pieces.iter().map(ExactSizeIterator::len).sum();
    out.reserve(total + STEP);
    for piece in pieces {
        let len = piece.len();
        let whole_steps = len.next_multiple_of(STEP);
        let room = out.capacity() - out.len();
        match bytes.get(piece.start..piece.start + whole_steps.min(MOST)) {
            Some(source) if len <= MOST && whole_steps <= room => {
                let target = out.spare_capacity_mut();
                for (source, target) in source.chunks_exact(STEP).zip(target.chunks_exact_mut(STEP))
                {
                    // SAFETY: both chunks are STEP bytes long, and the target is our own memory.
                    unsafe {
                        let target = target.as_mut_ptr().cast::<u8>();
                        std::ptr::copy_nonoverlapping(source.as_ptr(), target, STEP);
                    }
                }
                // SAFETY: `whole_steps`, so at least `len`, bytes after the old end were written,
                // and they lie within the capacity.
                unsafe { out.set_len(out.len() + len) };
            }
            _ => out.extend_from_slice(&bytes[piece.clone()]),
        }
    }
}

/// Bytes copied at once: what follows a short piece is copied with it and written over later.
const STEP: usize = 32;

/// Longer pieces are left to `memcpy`.
const MOST: usize = 256;
