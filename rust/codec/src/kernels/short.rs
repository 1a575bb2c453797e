//! Short text as characters, where the processor has AVX-512: a block's all at once.

use std::mem::MaybeUninit;

use crate::{Level, text};

/// The characters of short text, by what the highest of them takes.
#[derive(Debug, Eq, PartialEq)]
pub enum Characters<'a> {
    /// None is above U+00FF; a byte is one.
    Latin1(&'a [u8]),
    /// One is above U+00FF, none above U+FFFF.
    Basic(&'a mut [u32]),
    /// One is above U+FFFF.
    Supplementary(&'a mut [u32]),
}

/// Room for the characters of text that takes up to `LEN` bytes.
///
/// It is not cleared, which would take as long as to decode some.
#[derive(Debug)]
pub struct Room<const LEN: usize> {
    wide: [MaybeUninit<u32>; LEN],
    narrow: [MaybeUninit<u8>; LEN],
}

impl<const LEN: usize> Room<LEN> {
    /// Makes room.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { wide: [MaybeUninit::uninit(); LEN], narrow: [MaybeUninit::uninit(); LEN] }
    }

    /// The characters of bytes in one of Java's encodings; `None` if it is not text that Unicode allows, or
    /// more bytes than there is room for.
    #[inline]
    pub(crate) fn fill<'a>(&'a mut self, bytes: &'a [u8], level: Level) -> Option<Characters<'a>> {
        if bytes.len() > LEN {
            return None;
        }
        match level.at_most_available() {
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                // SAFETY: the processor has the level's features.
                let filled = unsafe { avx512::fill(bytes, &mut self.wide, &mut self.narrow) };
                let (count, highest) = filled?;
                // SAFETY: so many were written, as what the highest of them says.
                Some(unsafe { self.characters(bytes, count, highest) })
            }
            _ => {
                let (wide, narrow) = self.cleared(bytes.len());
                text::fill(bytes, wide, narrow)
            }
        }
    }

    /// The characters, made here, as what a function of other features returns is written and read again.
    ///
    /// # Safety
    /// The first `count` were written: Latin-1 as bytes, what is above as words.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn characters<'a>(
        &'a mut self,
        bytes: &'a [u8],
        count: usize,
        highest: Highest,
    ) -> Characters<'a> {
        // SAFETY: the caller vouches for it.
        unsafe {
            match highest {
                Highest::Ascii => Characters::Latin1(bytes),
                Highest::Latin1 => Characters::Latin1(written(&mut self.narrow[..count])),
                Highest::Basic => Characters::Basic(written(&mut self.wide[..count])),
                Highest::Supplementary => {
                    Characters::Supplementary(written(&mut self.wide[..count]))
                }
            }
        }
    }

    /// As much of it, cleared.
    fn cleared(&mut self, len: usize) -> (&mut [u32], &mut [u8]) {
        let (wide, narrow) = (&mut self.wide[..len], &mut self.narrow[..len]);
        wide.fill(MaybeUninit::new(0));
        narrow.fill(MaybeUninit::new(0));
        // SAFETY: every place was just written.
        unsafe { (written(wide), written(narrow)) }
    }
}

impl<const LEN: usize> Default for Room<LEN> {
    fn default() -> Self {
        Self::new()
    }
}

/// Where the highest of some characters is.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
enum Highest {
    /// In ASCII: the bytes are the characters, and nothing need be written.
    Ascii,
    /// In Latin-1.
    Latin1,
    /// In the Basic Multilingual Plane.
    Basic,
    /// Beyond it.
    Supplementary,
}

/// What was written.
///
/// # Safety
/// All of it was.
#[inline]
unsafe fn written<T>(room: &mut [MaybeUninit<T>]) -> &mut [T] {
    // SAFETY: what was written is what it is to be; the caller vouches for that.
    unsafe { &mut *(std::ptr::from_mut(room) as *mut [T]) }
}

#[cfg(target_arch = "x86_64")]
mod avx512;
