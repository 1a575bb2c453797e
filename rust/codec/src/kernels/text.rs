use crate::Level;

/// The highest byte, which tells what forms there are.
pub(crate) fn highest(bytes: &[u8], level: Level) -> u8 {
    match level.at_most_available() {
        // SAFETY: the processor has the level's features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { highest_avx2(bytes) },
        _ => fold(bytes),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn highest_avx2(bytes: &[u8]) -> u8 {
    fold(bytes)
}

#[inline(always)]
fn fold(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |most, byte| most.max(*byte))
}

/// The text, if all of it is ASCII, or else the highest byte.
pub(crate) fn ascii(bytes: &[u8], level: Level) -> Result<&str, u8> {
    match highest(bytes, level) {
        // SAFETY: bytes below 0x80 are UTF-8, each by itself.
        0x00..=0x7f => Ok(unsafe { std::str::from_utf8_unchecked(bytes) }),
        most => Err(most),
    }
}
