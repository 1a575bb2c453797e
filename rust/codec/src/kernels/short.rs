//! Short text as UTF-32, where the processor has AVX-512: a block's characters all at once.

use crate::Level;

/// Writes the characters of bytes in one of Java's encodings to the front of `out`, and returns how
/// many they are; `None` if it is not text that Unicode allows, or for another level. What follows them may
/// be written, too.
///
/// # Panics
/// If `out` has less room than there are characters.
#[inline]
pub(crate) fn fill_utf32(bytes: &[u8], out: &mut [u32], level: Level) -> Option<usize> {
    match level.at_most_available() {
        // SAFETY: the processor has the level's features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::fill_utf32(bytes, out) },
        _ => {
            let _ = (bytes, out);
            None
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod avx512;
