//! Transcoding of one long text: most of it is the same in UTF-8, and the rest is converted.

use super::{Encoding, code_units};
use crate::{
    DecodeErrorKind, SimdLevel,
    kernels::{
        self,
        surrogates::{ROOM, fix_surrogates},
        utf8::{from_ascii, from_utf8},
    },
};

/// Appends text without lone surrogates to `out`; on an error, returns the offset of the first malformed byte
/// and appends nothing.
///
/// ```
/// use jvmwire_codec::{SimdLevel, text::{self, Encoding}};
///
/// let mut text = String::new();
/// let wire = b"a\xc0\x80\xed\xa0\xbd\xed\xb8\x80";
/// text::decode_into(wire, Encoding::ModifiedUtf8, &mut text, SimdLevel::current()).unwrap();
/// assert_eq!(text, "a\0\u{1f600}");
/// ```
///
/// # Errors
/// [`DecodeErrorKind::NotText`], [`DecodeErrorKind::LoneSurrogate`], as [`super::decode_strict`].
pub fn decode_into(
    bytes: &[u8],
    encoding: Encoding,
    out: &mut String,
    level: SimdLevel,
) -> Result<(), DecodeErrorKind> {
    out.reserve(bytes.len());
    if bytes.len() > SHORT || level.clamp_to_cpu() >= SimdLevel::Avx512 {
        return decode_chunks(bytes, encoding, out, level, &mut Vec::new());
    }
    // Most short texts are ASCII, which is the same in all encodings.
    if let Some(text) = from_ascii(bytes) {
        out.push_str(text);
        return Ok(());
    }
    let before = out.len();
    let decoded = code_units::decode_strict(bytes, encoding, out);
    if decoded.is_err() {
        out.truncate(before);
    }
    decoded
}

/// Number of bytes below which scalar decoding is faster than vector code.
const SHORT: usize = 256;

pub(super) fn decode_chunks(
    bytes: &[u8],
    encoding: Encoding,
    out: &mut String,
    level: SimdLevel,
    mended: &mut Vec<u8>,
) -> Result<(), DecodeErrorKind> {
    let before = out.len();
    let mut at = 0;
    // Text goes on as it began: where a chunk had to be mended, so will the next.
    let mut same = true;
    loop {
        at += kernels::text::append_ascii(&bytes[at..], out, level);
        if encoding != Encoding::Utf8 {
            at += kernels::modified_utf8::decode(&bytes[at..], out, level);
        }
        if at == bytes.len() {
            return Ok(());
        }
        let end = at + front(&bytes[at..], CHUNK);
        let len = out.len();
        if let Err(problem) = decode_chunk(&bytes[at..end], encoding, out, level, mended, same) {
            out.truncate(before);
            return Err(match problem {
                DecodeErrorKind::NotText { at: by, encoding } => {
                    DecodeErrorKind::NotText { at: at + by, encoding }
                }
                DecodeErrorKind::LoneSurrogate { at: by } => {
                    DecodeErrorKind::LoneSurrogate { at: at + by }
                }
                other => other,
            });
        }
        same = out.len() - len == end - at;
        at = end;
    }
}

fn decode_chunk(
    chunk: &[u8],
    encoding: Encoding,
    out: &mut String,
    level: SimdLevel,
    mended: &mut Vec<u8>,
    same: bool,
) -> Result<(), DecodeErrorKind> {
    if (same || encoding == Encoding::Utf8)
        && let Some(text) = as_is(chunk, encoding)
    {
        kernels::text::append(text, out);
        return Ok(());
    }
    if mended.len() < chunk.len() + ROOM {
        mended.resize(chunk.len() + ROOM, 0);
    }
    if encoding != Encoding::Utf8
        && !has_four_byte_form(chunk)
        && let Some(len) = fix_surrogates(chunk, mended, level)
        && let Some(text) = from_utf8(&mended[..len])
    {
        kernels::text::append(text, out);
        return Ok(());
    }
    // Overlong or invalid forms are rare: the slow loop determines which.
    code_units::decode_strict(chunk, encoding, out)
}

/// Returns the text, if the bytes are the same in UTF-8.
#[inline]
pub(super) fn as_is(bytes: &[u8], encoding: Encoding) -> Option<&str> {
    let same = encoding == Encoding::Utf8 || !has_four_byte_form(bytes);
    if same { from_utf8(bytes) } else { None }
}

/// Whether a four-byte sequence begins, which only UTF-8 has.
pub(super) fn has_four_byte_form(bytes: &[u8]) -> bool {
    // Each part without an early end, so that it is looked at as vectors.
    bytes.chunks(1 << 10).any(|part| part.iter().fold(0, |most, byte| most.max(*byte)) >= 0xf0)
}

/// Whether a sequence begins that UTF-8 and Java's encodings read differently: of four bytes, a surrogate (or
/// another character with the same first byte), or C0 80.
pub(super) fn has_form_of_its_own(bytes: &[u8]) -> bool {
    let other = |byte: u8| byte >= 0xf0 || byte == 0xed || byte == 0xc0;
    bytes.chunks(1 << 10).any(|part| part.iter().fold(false, |any, byte| any | other(*byte)))
}

/// Splits text in Java's encodings into parts of at most `len` bytes: each part is valid text by itself, if the
/// whole text is.
///
/// # Panics
/// If `len` is not larger than a surrogate pair.
pub fn parts(bytes: &[u8], len: usize) -> impl Iterator<Item = &[u8]> {
    assert!(len > 6, "a pair of surrogates and what follows it are looked at");
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let (part, more) = rest.split_at(front(rest, len));
        rest = more;
        (!part.is_empty()).then_some(part)
    })
}

/// Returns the end of the first part of at most `len` bytes: not inside a sequence, nor between two surrogates.
fn front(bytes: &[u8], len: usize) -> usize {
    if bytes.len() <= len {
        return bytes.len();
    }
    // Four continuation bytes in a row are wrong wherever they are cut.
    let end = (len - 3..=len).rev().find(|end| bytes[*end] & 0xc0 != 0x80).unwrap_or(len);
    match bytes[end - 3..=end] {
        [0xed, 0xa0..=0xaf, _, 0xed] => end - 3,
        _ => end,
    }
}

/// Appends `text` to `out`, without a length.
pub fn encode_into(text: &str, encoding: Encoding, out: &mut Vec<u8>, level: SimdLevel) {
    let bytes = text.as_bytes();
    out.reserve(bytes.len());
    if encoding == Encoding::Utf8 {
        out.extend_from_slice(bytes);
        return;
    }
    let least = least(encoding);
    // Most texts continue as they begin, and unchanged bytes need only a comparison.
    let mut rest = &bytes[kernels::text::append_same(bytes, least, out)..];
    rest = &rest[kernels::modified_utf8::encode(rest, least == 0, out, level)..];
    while !rest.is_empty() {
        rest = &rest[kernels::text::append_same(rest, least, out)..];
        let len = rest.iter().position(|byte| *byte < least || *byte >= 0xf0).unwrap_or(rest.len());
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

/// Whether `text` has the same bytes in UTF-8 and in `encoding`.
pub(super) fn encodes_as_is(text: &str, encoding: Encoding) -> bool {
    let other = |byte: u8| byte < least(encoding) || byte >= 0xf0;
    // Each part without an early end, so that it is looked at as vectors.
    let differs = |part: &[u8]| part.iter().fold(false, |any, byte| any | other(*byte));
    encoding == Encoding::Utf8 || !text.as_bytes().chunks(1 << 10).any(differs)
}

/// Lowest byte that is the same in UTF-8: below it, a byte is NUL; a byte of 0xf0 and above begins a
/// supplementary character.
fn least(encoding: Encoding) -> u8 {
    u8::from(encoding == Encoding::ModifiedUtf8)
}

/// Encodes a supplementary character as two surrogates of three bytes each.
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

/// Number of bytes decoded together: they stay in the first-level cache while they are validated, converted and
/// copied.
pub(super) const CHUNK: usize = 8 << 10;
