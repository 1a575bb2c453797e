//! Decoding of short text into characters: its cost is in the classification of each byte, not in the copy.

use super::Encoding;
use crate::{
    SimdLevel,
    kernels::movemask::{BLOCK, movemask},
};

pub use crate::kernels::short_text::{CharBuffer, Characters};

impl<const LEN: usize> CharBuffer<LEN> {
    /// Decodes bytes in one of Java's encodings; `None` if they are not valid Unicode text, or exceed the
    /// buffer.
    #[inline]
    pub fn decode<'a>(
        &'a mut self,
        bytes: &'a [u8],
        encoding: Encoding,
        level: SimdLevel,
    ) -> Option<Characters<'a>> {
        if encoding == Encoding::Utf8 { None } else { self.fill(bytes, level, fill) }
    }
}

/// Decodes one by one, into buffers with as many elements as bytes.
fn fill<'a>(bytes: &'a [u8], wide: &'a mut [u32], narrow: &'a mut [u8]) -> Option<Characters<'a>> {
    if bytes.is_ascii() {
        return Some(Characters::Latin1(bytes));
    }
    let count = fill_wide(bytes, wide)?;
    let (wide, narrow) = (&mut wide[..count], &mut narrow[..count]);
    Some(match wide.iter().fold(0, |all, character| all | character) {
        0..=0xff => {
            for (character, byte) in wide.iter().zip(narrow.iter_mut()) {
                // The others are zero.
                *byte = character.to_le_bytes()[0];
            }
            Characters::Latin1(narrow)
        }
        0x100..=0xffff => Characters::Ucs2(wide),
        _ => Characters::Ucs4(wide),
    })
}

fn fill_wide(bytes: &[u8], out: &mut [u32]) -> Option<usize> {
    // Which bytes go on with the last unit, and where the second half of a pair begins that was read.
    let (mut count, mut owed, mut read) = (0, 0, 0);
    for at in (0..bytes.len()).step_by(BLOCK) {
        let rest = &bytes[at..];
        // The last unit of a block goes on in the next, or a pair of them.
        let window = rest.first_chunk::<{ BLOCK + 8 }>().copied().unwrap_or_else(|| {
            let mut window = [0; BLOCK + 8];
            window[..rest.len()].copy_from_slice(rest);
            window
        });
        let block = window.first_chunk()?;
        let more = which(block, |byte| byte & 0xc0 == 0x80);
        let [two, three, four] = [0xc0, 0xe0, 0xf0].map(|least| which(block, |byte| byte >= least));
        if more != two << 1 | three << 2 | owed || four != 0 {
            return None;
        }
        owed = two >> 63 | three >> 62;
        let there = if rest.len() < BLOCK { (1 << rest.len()) - 1 } else { u64::MAX };
        let mut starts = !more & there & !read;
        read = 0;
        while starts != 0 {
            let start = starts.trailing_zeros() as usize;
            starts &= starts - 1;
            let word = u32::from_be_bytes(*window[start % BLOCK..].first_chunk()?);
            let (first, too_many) = FORMS[(word >> 28) as usize];
            let bits = (word >> 24 & first) << 12 | (word >> 16 & 0x3f) << 6 | word >> 8 & 0x3f;
            let mut character = bits >> too_many;
            if character & 0xf800 == 0xd800 {
                let low = u32::from_be_bytes(*window[start % BLOCK + 3..].first_chunk()?) >> 8;
                if character & 0x400 != 0 || low & 0xff_f0c0 != 0xed_b080 {
                    return None;
                }
                starts &= !(1 << start << 3);
                read = 1 << start >> 61;
                character =
                    0x1_0000 + ((character & 0x3ff) << 10 | (low >> 2 & 0x3c0) | low & 0x3f);
            }
            *out.get_mut(count)? = character;
            count += 1;
        }
    }
    (owed == 0).then_some(count)
}

/// Returns a mask of the bytes for which `such` is true.
#[inline]
fn which(block: &[u8; BLOCK], such: impl Fn(u8) -> bool) -> u64 {
    movemask(&block.map(|byte| if such(byte) { 0x80 } else { 0 }))
}

/// Per value of the four highest bits of a sequence's first byte: the mask of its payload bits,
/// and the number of bits after the sequence that are read with it.
const FORMS: [(u32, u32); 16] = {
    const ONE: (u32, u32) = (0x7f, 12);
    const TWO: (u32, u32) = (0x1f, 6);
    const THREE: (u32, u32) = (0x0f, 0);
    [ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, ONE, TWO, TWO, THREE, THREE]
};

/// Maximum number of bytes of short text.
pub const SHORT: usize = 256;
