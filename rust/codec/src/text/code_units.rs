//! Text one UTF-16 code unit at a time, as Java's loops process it: the reference of the bulk paths.

use super::{Encoding, transcode};
use crate::{DecodeErrorKind, SimdLevel};

/// Returns the code unit at `at` and its number of bytes, or `None` if the sequence is malformed.
#[inline]
fn unit(bytes: &[u8], at: usize) -> Option<(u16, usize)> {
    let first = *bytes.get(at)?;
    let continued = |i: usize| {
        bytes.get(at + i).filter(|byte| **byte & 0xc0 == 0x80).map(|byte| u16::from(byte & 0x3f))
    };
    match first {
        0x00..=0x7f => Some((u16::from(first), 1)),
        0xc0..=0xdf => continued(1).map(|low| (u16::from(first & 0x1f) << 6 | low, 2)),
        0xe0..=0xef => continued(1)
            .zip(continued(2))
            .map(|(mid, low)| (u16::from(first & 0x0f) << 12 | mid << 6 | low, 3)),
        _ => None,
    }
}

/// Decodes all code units, including lone surrogates.
pub(super) fn decode(bytes: &[u8], encoding: Encoding) -> Result<Vec<u16>, DecodeErrorKind> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let Some((unit, len)) = unit(bytes, at) else {
            return Err(DecodeErrorKind::NotText { at, encoding: encoding.name() });
        };
        units.push(unit);
        at += len;
    }
    Ok(units)
}

/// Appends the text to `out`; returns the first error.
pub(super) fn decode_strict(
    bytes: &[u8],
    encoding: Encoding,
    out: &mut String,
) -> Result<(), DecodeErrorKind> {
    if encoding == Encoding::Utf8 {
        let text = std::str::from_utf8(bytes).map_err(|error| DecodeErrorKind::NotText {
            at: error.valid_up_to(),
            encoding: encoding.name(),
        })?;
        out.push_str(text);
        return Ok(());
    }
    let mut at = 0;
    while at < bytes.len() {
        if let [
            0xed,
            b1 @ 0xa0..=0xaf,
            b2 @ 0x80..=0xbf,
            0xed,
            b4 @ 0xb0..=0xbf,
            b5 @ 0x80..=0xbf,
            ..,
        ] = bytes[at..]
        {
            let high = u32::from(b1 & 0x0f) << 6 | u32::from(b2 & 0x3f);
            let low = u32::from(b4 & 0x0f) << 6 | u32::from(b5 & 0x3f);
            if let Some(c) = char::from_u32(0x1_0000 + (high << 10 | low)) {
                out.push(c);
                at += 6;
                continue;
            }
        }
        let Some((unit, len)) = unit(bytes, at) else {
            return Err(DecodeErrorKind::NotText { at, encoding: encoding.name() });
        };
        let Some(c) = char::from_u32(unit.into()) else {
            return Err(DecodeErrorKind::LoneSurrogate { at });
        };
        out.push(c);
        at += len;
    }
    Ok(())
}

/// Returns the offset after `count` code units, or the minimum number of missing bytes.
pub(super) fn end_of(
    bytes: &[u8],
    count: usize,
    encoding: Encoding,
) -> Result<Result<usize, usize>, DecodeErrorKind> {
    // No unit takes less than a byte.
    let Some(front) = bytes.get(..count) else { return Ok(Err(count - bytes.len())) };
    if front.is_ascii() {
        return Ok(Ok(count));
    }
    let (mut at, mut units) = (0, 0);
    while units < count {
        let (width, more) = match bytes.get(at) {
            None => return Ok(Err(at - bytes.len() + count - units)),
            Some(0x00..=0x7f) => (1, 1),
            Some(0xc0..=0xdf) => (2, 1),
            Some(0xe0..=0xef) => (3, 1),
            Some(0xf0..=0xf7) if encoding == Encoding::Utf8 && count - units > 1 => (4, 2),
            // Incomplete forms are not validated, since the result would depend on where the input is cut.
            Some(_) if bytes.len() - at < count - units => {
                return Ok(Err(at + count - units - bytes.len()));
            }
            Some(_) => return Err(DecodeErrorKind::NotText { at, encoding: encoding.name() }),
        };
        at += width;
        units += more;
    }
    Ok(at.checked_sub(bytes.len()).filter(|missing| *missing > 0).map_or(Ok(at), Err))
}

/// Number of code units of encoded text: one per sequence, except for four-byte sequences, which only UTF-8 has
/// and which are two.
pub(super) fn count(encoded: &[u8]) -> usize {
    let units = |byte: u8| u8::from(byte & 0xc0 != 0x80) + u8::from(byte >= 0xf0);
    // Those of so few bytes cannot overflow one; the check that they do not would keep vectors away.
    let few = |part: &[u8]| part.iter().fold(0_u8, |sum, byte| sum.wrapping_add(units(*byte)));
    encoded.chunks(127).map(|part| usize::from(few(part))).sum()
}

/// Appends text as WTF-8: UTF-8, with three bytes for each lone surrogate.
pub(super) fn push_wtf8(units: &[u16], out: &mut Vec<u8>) {
    for c in char::decode_utf16(units.iter().copied()) {
        match c {
            Ok(c) => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            Err(lone) => push_unit(lone.unpaired_surrogate(), out),
        }
    }
}

/// Converts WTF-8 to `encoding` and appends it.
pub(super) fn encode_wtf8(
    text: &[u8],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), DecodeErrorKind> {
    let before = out.len();
    let mut rest = text;
    loop {
        let good = match std::str::from_utf8(rest) {
            Ok(text) => {
                transcode::encode_into(text, encoding, out, SimdLevel::current());
                return Ok(());
            }
            Err(error) => error.valid_up_to(),
        };
        let at = text.len() - rest.len() + good;
        let (valid, bad) = rest.split_at(good);
        let problem = match *bad {
            [b0 @ 0xed, b1 @ 0xa0..=0xbf, b2 @ 0x80..=0xbf, ref after @ ..] => {
                if encoding != Encoding::Utf8 {
                    transcode::encode_into(
                        std::str::from_utf8(valid).unwrap_or_default(),
                        encoding,
                        out,
                        SimdLevel::current(),
                    );
                    out.extend_from_slice(&[b0, b1, b2]);
                    rest = after;
                    continue;
                }
                DecodeErrorKind::LoneSurrogate { at }
            }
            _ => DecodeErrorKind::NotText { at, encoding: "UTF-8 with surrogates" },
        };
        out.truncate(before);
        return Err(problem);
    }
}

/// Appends code units to `out` one by one; a surrogate takes three bytes.
pub(super) fn encode(
    units: &[u16],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), DecodeErrorKind> {
    if encoding == Encoding::Utf8 {
        let before = out.len();
        for c in char::decode_utf16(units.iter().copied()) {
            let Ok(c) = c else {
                let at = out.len() - before;
                out.truncate(before);
                return Err(DecodeErrorKind::LoneSurrogate { at });
            };
            out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
        }
        return Ok(());
    }
    for &unit in units {
        if unit == 0 && encoding == Encoding::ModifiedUtf8 {
            out.extend_from_slice(&[0xc0, 0x80]);
        } else {
            push_unit(unit, out);
        }
    }
    Ok(())
}

/// Appends one code unit by itself, in one to three bytes.
fn push_unit(unit: u16, out: &mut Vec<u8>) {
    let [high, low] = unit.to_be_bytes();
    match unit {
        0..=0x7f => out.push(low),
        0x80..=0x7ff => out.extend_from_slice(&[0xc0 | high << 2 | low >> 6, 0x80 | low & 0x3f]),
        _ => out.extend_from_slice(&[
            0xe0 | high >> 4,
            0x80 | (high & 0x0f) << 2 | low >> 6,
            0x80 | low & 0x3f,
        ]),
    }
}
