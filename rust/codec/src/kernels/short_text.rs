//! Decoding of short text into characters: with AVX-512, a whole block at once.

use std::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use super::CHECKED;
use crate::SimdLevel;

/// Characters of short text, in the width of the highest one.
#[derive(Debug, Eq, PartialEq)]
pub enum Characters<'a> {
    /// All at most U+00FF, one byte each.
    Latin1(&'a [u8]),
    /// All at most U+FFFF, one above U+00FF.
    Ucs2(&'a mut [u32]),
    /// One above U+FFFF.
    Ucs4(&'a mut [u32]),
}

#[cfg(target_arch = "x86_64")]
impl Characters<'_> {
    /// Asserts the conditions on which users of the characters rely: each is a Unicode scalar value, and the
    /// highest is in the range that the kernel returned.
    fn assert_in_range(&self, highest: Highest) {
        let top = match self {
            Self::Latin1(bytes) => bytes.iter().copied().max().map_or(0, u32::from),
            Self::Ucs2(wide) | Self::Ucs4(wide) => {
                for character in wide.iter() {
                    assert!(char::from_u32(*character).is_some(), "{character:#x} is no character");
                }
                wide.iter().copied().max().unwrap_or_default()
            }
        };
        // Overlong forms, such as that of NUL, can decode to ASCII although their bytes are not ASCII.
        let expected = match highest {
            Highest::Ascii => 0..=0x7f,
            Highest::Latin1 => 0..=0xff,
            Highest::Basic => 0x100..=0xffff,
            Highest::Supplementary => 0x1_0000..=0x10_ffff,
        };
        assert!(expected.contains(&top), "the highest character is {top:#x}, not {highest:?}");
    }
}

/// Buffer for the characters of text of at most `LEN` bytes.
///
/// It is uninitialised, since clearing takes as long as decoding a short text.
#[derive(Debug)]
pub struct CharBuffer<const LEN: usize> {
    wide: [MaybeUninit<u32>; LEN],
    narrow: [MaybeUninit<u8>; LEN],
}

/// Portable decoder, into buffers with as many elements as bytes, for either width.
pub(crate) type Portable<'a> = fn(&'a [u8], &'a mut [u32], &'a mut [u8]) -> Option<Characters<'a>>;

impl<const LEN: usize> CharBuffer<LEN> {
    /// Creates a buffer.
    #[inline]
    #[must_use]
    pub const fn new() -> Self {
        Self { wide: [MaybeUninit::uninit(); LEN], narrow: [MaybeUninit::uninit(); LEN] }
    }

    /// Decodes bytes in one of Java's encodings; `None` if they are not valid Unicode text, or more than `LEN`
    /// bytes.
    #[inline]
    pub(crate) fn fill<'a>(
        &'a mut self,
        bytes: &'a [u8],
        level: SimdLevel,
        portable: Portable<'a>,
    ) -> Option<Characters<'a>> {
        if bytes.len() > LEN {
            return None;
        }
        match level.clamp_to_cpu() {
            #[cfg(target_arch = "x86_64")]
            SimdLevel::Avx512 => {
                // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
                let filled = unsafe { avx512::fill(bytes, &mut self.wide, &mut self.narrow) };
                let (count, highest) = filled?;
                // SAFETY: `avx512::fill` wrote `count` characters where `highest` says.
                Some(unsafe { self.characters(bytes, count, highest) })
            }
            _ => {
                let (wide, narrow) = self.cleared(bytes.len());
                portable(bytes, wide, narrow)
            }
        }
    }

    /// Returns the written characters. It is inlined here, since the result of a function with other target
    /// features would be written to memory and read again.
    ///
    /// # Safety
    /// The first `count` elements were written, none of them above `highest`: in `narrow` if `highest` is
    /// Latin-1, in `wide` if it is above.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn characters<'a>(
        &'a mut self,
        bytes: &'a [u8],
        count: usize,
        highest: Highest,
    ) -> Characters<'a> {
        let characters = match highest {
            Highest::Ascii => Characters::Latin1(bytes),
            Highest::Latin1 => {
                // SAFETY: the caller wrote the first `count` bytes.
                Characters::Latin1(unsafe { written(&mut self.narrow[..count]) })
            }
            Highest::Basic | Highest::Supplementary => {
                // SAFETY: the caller wrote the first `count` words.
                let wide = unsafe { written(&mut self.wide[..count]) };
                if highest == Highest::Basic {
                    Characters::Ucs2(wide)
                } else {
                    Characters::Ucs4(wide)
                }
            }
        };
        if CHECKED {
            characters.assert_in_range(highest);
        }
        characters
    }

    /// Returns cleared buffers of `len` elements.
    fn cleared(&mut self, len: usize) -> (&mut [u32], &mut [u8]) {
        let (wide, narrow) = (&mut self.wide[..len], &mut self.narrow[..len]);
        wide.fill(MaybeUninit::new(0));
        narrow.fill(MaybeUninit::new(0));
        // SAFETY: `fill` wrote every word.
        let wide = unsafe { written(wide) };
        // SAFETY: `fill` wrote every byte.
        let narrow = unsafe { written(narrow) };
        (wide, narrow)
    }
}

impl<const LEN: usize> Default for CharBuffer<LEN> {
    fn default() -> Self {
        Self::new()
    }
}

/// Range of the highest character.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Highest {
    /// ASCII: the bytes are the characters, and need not be copied.
    Ascii,
    /// Latin-1.
    Latin1,
    /// Basic Multilingual Plane.
    Basic,
    /// Supplementary planes.
    Supplementary,
}

/// Converts a buffer to the values that were written to it.
///
/// # Safety
/// Every element of `room` was written.
#[inline]
pub(super) unsafe fn written<T>(room: &mut [MaybeUninit<T>]) -> &mut [T] {
    let room = std::ptr::from_mut(room) as *mut [T];
    // SAFETY: `room` was borrowed mutably for as long, and the caller wrote every element.
    unsafe { &mut *room }
}

#[cfg(target_arch = "x86_64")]
mod avx512;
