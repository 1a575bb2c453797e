//! One long text: most of it is UTF-8 as it stands, and the rest is mended.

use super::{Encoding, units};
use crate::{Level, Problem, kernels};

/// Appends text that Unicode allows to `out`, or names the first byte that is wrong and appends
/// nothing.
///
/// ```
/// use jvmwire_codec::{Level, text::{self, Encoding}};
///
/// let mut text = String::new();
/// let wire = b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80";
/// text::decode_into(wire, Encoding::ModifiedUtf8, &mut text, Level::in_use()).unwrap();
/// assert_eq!(text, "a\0\u{1f600}");
/// ```
///
/// # Errors
/// [`Problem::NotText`], [`Problem::LoneSurrogate`], as [`super::decode_strict`].
pub fn decode_into(
    bytes: &[u8],
    encoding: Encoding,
    out: &mut String,
    level: Level,
) -> Result<(), Problem> {
    out.reserve(bytes.len());
    decode_chunks(bytes, encoding, out, level, &mut Vec::new())
}

pub(super) fn decode_chunks(
    bytes: &[u8],
    encoding: Encoding,
    out: &mut String,
    level: Level,
    mended: &mut Vec<u8>,
) -> Result<(), Problem> {
    let before = out.len();
    let mut at = 0;
    loop {
        at += kernels::text::append_ascii(&bytes[at..], out, level);
        if at == bytes.len() {
            return Ok(());
        }
        let end = chunk_end(bytes, at);
        if let Err(problem) = decode_chunk(&bytes[at..end], encoding, out, level, mended) {
            out.truncate(before);
            return Err(match problem {
                Problem::NotText { at: by, encoding } => Problem::NotText { at: at + by, encoding },
                Problem::LoneSurrogate { at: by } => Problem::LoneSurrogate { at: at + by },
                other => other,
            });
        }
        at = end;
    }
}

fn decode_chunk(
    chunk: &[u8],
    encoding: Encoding,
    out: &mut String,
    level: Level,
    mended: &mut Vec<u8>,
) -> Result<(), Problem> {
    if let Some(text) = as_is(chunk, encoding, level) {
        kernels::text::append(text, out);
        return Ok(());
    }
    if mended.len() < chunk.len() {
        mended.resize(chunk.len(), 0);
    }
    if encoding != Encoding::Utf8
        && !has_four_byte_form(chunk)
        && let Some(len) = mend(chunk, mended)
        && let Some(text) = utf8(&mended[..len], level)
    {
        kernels::text::append(text, out);
        return Ok(());
    }
    // Overlong, or wrong: rare enough for the loop that says which.
    units::decode_strict(chunk, encoding, out)
}

/// The text, if UTF-8 writes it the same.
#[inline]
pub(super) fn as_is(bytes: &[u8], encoding: Encoding, level: Level) -> Option<&str> {
    let same = encoding == Encoding::Utf8 || !has_four_byte_form(bytes);
    if same { utf8(bytes, level) } else { None }
}

pub(super) fn utf8(bytes: &[u8], level: Level) -> Option<&str> {
    if level >= Level::Avx2 {
        simdutf8::basic::from_utf8(bytes).ok()
    } else {
        std::str::from_utf8(bytes).ok()
    }
}

/// Whether a form begins that only UTF-8 has.
pub(super) fn has_four_byte_form(bytes: &[u8]) -> bool {
    // Each part without an early end, so that it is looked at as vectors.
    bytes.chunks(1 << 10).any(|part| part.iter().fold(0, |most, byte| most.max(*byte)) >= 0xf0)
}

/// Whether a form begins that UTF-8 and Java's encodings read differently: of four bytes, a surrogate
/// (or what shares its first byte), or C0 80.
pub(super) fn has_form_of_its_own(bytes: &[u8]) -> bool {
    let other = |byte: u8| byte >= 0xf0 || byte == 0xed || byte == 0xc0;
    bytes.chunks(1 << 10).any(|part| part.iter().fold(false, |any, byte| any | other(*byte)))
}

/// Writes surrogate pairs in four bytes and C0 80 in one; copies all else. Returns how many bytes
/// that makes, or `None` if it meets what neither is.
///
/// What it wrote is UTF-8 if and only if `chunk`, which has no form of four bytes, was the same text:
/// a pair or NUL that stood inside another form leaves that form without its end.
pub(super) fn mend(chunk: &[u8], out: &mut [u8]) -> Option<usize> {
    let mut len = 0;
    let mut put = |bytes: &[u8]| {
        out[len..len + bytes.len()].copy_from_slice(bytes);
        len += bytes.len();
    };
    let mut rest = chunk;
    loop {
        match *rest {
            [0xed, b1 @ 0xa0..=0xaf, b2, 0xed, b4 @ 0xb0..=0xbf, b5, ref after @ ..] => {
                if (b2 | b5) & 0x40 != 0 || b2 & b5 & 0x80 == 0 {
                    return None;
                }
                // 0x10000 is added where the four bits above the high surrogate's six stand.
                let high = (u16::from(b1 & 0x0f) << 6 | u16::from(b2 & 0x3f)) + 0x40;
                let [h1, h0] = high.to_be_bytes();
                put(&[0xf0 | h1, 0x80 | h0 >> 2, 0x80 | (b2 & 0x03) << 4 | b4 & 0x0f, b5]);
                rest = after;
            }
            [0xed, b1 @ 0x80..=0x9f, b2, ref after @ ..] => {
                put(&[0xed, b1, b2]);
                rest = after;
            }
            [0xc0, 0x80, ref after @ ..] => {
                put(&[0]);
                rest = after;
            }
            [] => return Some(len),
            [0xed | 0xc0, ..] => return None,
            _ => {
                let (same, after) =
                    rest.split_at(memchr::memchr2(0xed, 0xc0, rest).unwrap_or(rest.len()));
                put(same);
                rest = after;
            }
        }
    }
}

/// Where the chunk from `at` on ends: not inside a form, nor between two surrogates.
fn chunk_end(bytes: &[u8], at: usize) -> usize {
    if bytes.len() - at <= CHUNK {
        return bytes.len();
    }
    let full = at + CHUNK;
    // Four continuation bytes in a row are wrong wherever they are cut.
    let end = (full - 3..=full).rev().find(|end| bytes[*end] & 0xc0 != 0x80).unwrap_or(full);
    match bytes[end - 3..=end] {
        [0xed, 0xa0..=0xaf, _, 0xed] => end - 3,
        _ => end,
    }
}

/// Appends `text` to `out`, without a length.
pub fn encode_into(text: &str, encoding: Encoding, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len());
    if encoding == Encoding::Utf8 {
        out.extend_from_slice(bytes);
        return;
    }
    let least = least(encoding);
    let mut rest = bytes;
    while !rest.is_empty() {
        let len = same(rest, least);
        out.extend_from_slice(&rest[..len]);
        rest = &rest[len..];
        loop {
            match *rest {
                [b0 @ 0xf0..=0xff, b1, b2, b3, ref after @ ..] => {
                    out.extend_from_slice(&surrogates([b0, b1, b2, b3]));
                    rest = after;
                }
                [0, ref after @ ..] if least > 0 => {
                    out.extend_from_slice(&[0xc0, 0x80]);
                    rest = after;
                }
                _ => break,
            }
        }
    }
}

/// Whether UTF-8 writes `text` as `encoding` does.
pub(super) fn encodes_as_is(text: &str, encoding: Encoding) -> bool {
    encoding == Encoding::Utf8 || same(text.as_bytes(), least(encoding)) == text.len()
}

/// Below it, a byte stands for NUL; at 0xf0 and above, it begins a supplementary character.
fn least(encoding: Encoding) -> u8 {
    u8::from(encoding == Encoding::ModifiedUtf8)
}

/// How many bytes from the front on are the same in UTF-8.
fn same(bytes: &[u8], least: u8) -> usize {
    let other = |byte: &u8| *byte < least || *byte >= 0xf0;
    for (index, block) in bytes.chunks(BLOCK).enumerate() {
        // No early end within a block, so that it is looked at as one vector.
        if block.iter().fold(false, |any, byte| any | other(byte)) {
            return index * BLOCK + block.iter().position(other).unwrap_or(0);
        }
    }
    bytes.len()
}

/// A supplementary character as two surrogates of three bytes each.
fn surrogates([b0, b1, b2, b3]: [u8; 4]) -> [u8; 6] {
    // The five highest bits, less the one that 0x10000 is.
    let plane = ((b0 & 0x07) << 2 | (b1 & 0x3f) >> 4).wrapping_sub(1);
    [
        0xed,
        0xa0 | plane & 0x0f,
        0x80 | (b1 & 0x0f) << 2 | (b2 & 0x3f) >> 4,
        0xed,
        0xb0 | b2 & 0x0f,
        b3,
    ]
}

/// Bytes decoded together: they stay in the first cache while they are judged, mended and copied.
pub(super) const CHUNK: usize = 8 << 10;

/// Bytes looked at together.
const BLOCK: usize = 64;
