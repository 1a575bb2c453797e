//! Many short strings: copied and validated together, and one by one only if that fails.

use std::ops::Range;

use super::{
    Encoding, StringFormat, TextError, decode_wtf8,
    transcode::{CHUNK, as_is, decode_chunks, has_four_byte_form},
};
use crate::{
    DecodeError, DecodeErrorKind, Result, SimdLevel, TooLong, buffer_pool,
    frame::{BinaryColumn, VariableColumn},
    kernels::{
        self,
        surrogates::{ROOM, fix_surrogates},
        utf8::from_utf8,
    },
};

/// Strings in the layout of Arrow's `Utf8`.
pub type Strings = VariableColumn<String>;

impl Strings {
    /// Iterates over the strings.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.ranges().map(|range| &self.values[range])
    }

    /// Removes all strings, and keeps the capacity.
    pub fn clear(&mut self) {
        self.offsets.truncate(1);
        self.values.clear();
    }

    fn truncate(&mut self, len: usize, bytes: usize) {
        self.offsets.truncate(len + 1);
        self.values.truncate(bytes);
    }
}

/// Appends the texts at `places` in `bytes` to `out`; if one is malformed, none is appended.
///
/// # Errors
/// As [`super::decode_strict`], with the offset in `bytes`; [`DecodeErrorKind::UnexpectedEof`] if a range is
/// outside of `bytes`, [`DecodeErrorKind::OverLimit`] if the texts together exceed 31 bits.
pub fn decode_many(
    bytes: &[u8],
    places: &[Range<usize>],
    encoding: Encoding,
    out: &mut Strings,
    level: SimdLevel,
) -> Result<()> {
    let (count, len) = (out.len(), out.values.len());
    buffer_pool::reserve(&mut out.offsets, places.len());
    if out.values.capacity() == 0
        && let (Some(first), Some(last)) = (places.first(), places.last())
    {
        out.values =
            buffer_pool::take_string(last.end.saturating_sub(first.start).min(bytes.len()) + ROOM);
    }
    let mut many =
        Many { copied: Vec::new(), mended: Vec::new(), lens: Vec::new(), differs: false, level };
    let mut rest = places;
    while !rest.is_empty() {
        let result = group(bytes, rest).and_then(|(group, total)| {
            rest = &rest[group.len()..];
            many.decode_group(bytes, group, total, encoding, out)
        });
        if let Err(error) = result {
            out.truncate(count, len);
            return Err(error);
        }
    }
    Ok(())
}

/// Returns the ranges that are decoded together, and their number of bytes.
fn group<'a>(bytes: &[u8], places: &'a [Range<usize>]) -> Result<(&'a [Range<usize>], usize)> {
    let mut total = 0;
    for (index, place) in places.iter().enumerate() {
        if bytes.get(place.clone()).is_none() {
            let missing = place.end.saturating_sub(bytes.len()).max(1);
            return Err(DecodeErrorKind::UnexpectedEof { missing }.at("text", place.start));
        }
        total += place.len();
        if total >= CHUNK {
            return Ok((&places[..=index], total));
        }
    }
    Ok((places, total))
}

struct Many {
    copied: Vec<u8>,
    mended: Vec<u8>,
    lens: Vec<usize>,
    /// Whether the last group had bytes that differ from UTF-8.
    differs: bool,
    level: SimdLevel,
}

impl Many {
    fn decode_group(
        &mut self,
        bytes: &[u8],
        places: &[Range<usize>],
        total: usize,
        encoding: Encoding,
        out: &mut Strings,
    ) -> Result<()> {
        // Decoded text is never longer than what it was decoded from.
        let all = out.values.len() + total;
        if i32::try_from(all).is_err() {
            let problem = DecodeErrorKind::OverLimit { value: all as u64, limit: i32::MAX as u64 };
            return Err(problem.at("bytes of text", places.first().map_or(0, |place| place.start)));
        }
        let before = out.values.len();
        let mut places = places;
        if self.differs {
            places = self.decode_pieces(bytes, places, out);
        }
        if places.len() > 1 {
            self.copied.clear();
            kernels::copy::pieces(bytes, places, &mut self.copied);
            if self.copy_group(places, encoding, out) {
                return Ok(());
            }
            if encoding != Encoding::Utf8 {
                places = self.decode_pieces(bytes, places, out);
                if self.mend_group(bytes, places, total, out) {
                    self.differs = true;
                    return Ok(());
                }
            }
        }
        for place in places {
            let piece = &bytes[place.clone()];
            decode_chunks(piece, encoding, &mut out.values, self.level, &mut self.mended)
                .map_err(|problem| problem.at("text", place.start))?;
            out.offsets.push(offset(out.values.len()));
        }
        // Text goes on as it began.
        self.differs = encoding != Encoding::Utf8 && out.values.len() - before != total;
        Ok(())
    }

    /// Appends the pieces that were copied, if all of them are the same in UTF-8.
    fn copy_group(
        &mut self,
        places: &[Range<usize>],
        encoding: Encoding,
        out: &mut Strings,
    ) -> bool {
        let lens = places.iter().map(ExactSizeIterator::len);
        if encoding != Encoding::Utf8 && self.level.clamp_to_cpu() >= SimdLevel::Avx512 {
            let Strings { offsets, values } = out;
            let before = values.len();
            let taken = kernels::modified_utf8::decode(&self.copied, values, self.level);
            let made = values.len() - before;
            let same = taken == self.copied.len()
                && made == taken
                && push_ends(&values[before..], before, lens, offsets);
            if !same {
                values.truncate(before);
            }
            return same;
        }
        as_is(&self.copied, encoding).is_some_and(|text| push_all(text, lens, out))
    }

    /// Appends pieces from the first on, and returns those that must be examined one by one.
    fn decode_pieces<'a>(
        &self,
        bytes: &[u8],
        places: &'a [Range<usize>],
        out: &mut Strings,
    ) -> &'a [Range<usize>] {
        let Strings { offsets, values } = out;
        &places[kernels::modified_utf8::decode_pieces(bytes, places, offsets, values, self.level)..]
    }

    /// Converts each piece by itself, and validates them together. False if one is malformed or overlong.
    fn mend_group(
        &mut self,
        bytes: &[u8],
        places: &[Range<usize>],
        total: usize,
        out: &mut Strings,
    ) -> bool {
        if has_four_byte_form(&self.copied) {
            return false;
        }
        if self.mended.len() < total + ROOM {
            self.mended.resize(total + ROOM, 0);
        }
        self.lens.clear();
        let mut end = 0;
        for place in places {
            let Some(len) =
                fix_surrogates(&bytes[place.clone()], &mut self.mended[end..], self.level)
            else {
                return false;
            };
            self.lens.push(len);
            end += len;
        }
        from_utf8(&self.mended[..end])
            .is_some_and(|text| push_all(text, self.lens.iter().copied(), out))
    }
}

/// Appends the pieces of `text`, unless one begins inside a character.
fn push_all(text: &str, lens: impl Iterator<Item = usize>, out: &mut Strings) -> bool {
    let whole = push_ends(text, out.values.len(), lens, &mut out.offsets);
    if whole {
        kernels::text::append(text, &mut out.values);
    }
    whole
}

/// Appends the end offsets of the pieces of `text`, which begins at `base`, unless one begins inside a
/// character.
fn push_ends(
    text: &str,
    base: usize,
    lens: impl Iterator<Item = usize>,
    offsets: &mut Vec<i32>,
) -> bool {
    let count = offsets.len();
    let mut end = 0;
    let mut whole = true;
    offsets.extend(lens.map(|len| {
        end += len;
        whole &= text.is_char_boundary(end);
        offset(base + end)
    }));
    if !whole {
        offsets.truncate(count);
    }
    whole
}

/// Converts an offset, after the check that all text fits 31 bits.
fn offset(len: usize) -> i32 {
    i32::try_from(len).unwrap_or(i32::MAX)
}

/// Appends the texts at `places` in `bytes` to `out` losslessly, in WTF-8: UTF-8, with three bytes for each
/// lone surrogate. If one is malformed, none is appended.
///
/// # Errors
/// As [`decode_many`], except for lone surrogates.
pub fn decode_many_wtf8(
    bytes: &[u8],
    places: &[Range<usize>],
    encoding: Encoding,
    out: &mut BinaryColumn,
    level: SimdLevel,
) -> Result<()> {
    let (count, before) = (out.len(), out.values.len());
    let mut strict = Strings::new();
    let result = match decode_many(bytes, places, encoding, &mut strict, level) {
        Ok(()) => strict.iter().zip(places).try_for_each(|(text, place)| {
            out.push(text.as_bytes()).map_err(|error| over(error, place))
        }),
        Err(DecodeError { problem: DecodeErrorKind::LoneSurrogate { .. }, .. }) => {
            let mut text = Vec::new();
            places.iter().try_for_each(|place| {
                text.clear();
                decode_wtf8(&bytes[place.clone()], encoding, &mut text)
                    .map_err(|problem| problem.at("text", place.start))?;
                out.push(&text).map_err(|error| over(error, place))
            })
        }
        Err(error) => Err(error),
    };
    if result.is_err() {
        out.offsets.truncate(count + 1);
        out.values.truncate(before);
    }
    result
}

fn over(error: TooLong, place: &Range<usize>) -> DecodeError {
    let problem = DecodeErrorKind::OverLimit { value: error.len as u64, limit: error.max as u64 };
    problem.at("bytes of text", place.start)
}

/// Appends all `texts` to `out`, each after its length.
///
/// # Errors
/// The index of the first text that does not fit the format, and the reason; nothing is appended.
pub fn encode_many<'a>(
    texts: impl Iterator<Item = Option<&'a str>>,
    format: StringFormat,
    out: &mut Vec<u8>,
) -> std::result::Result<(), (usize, TextError)> {
    encode_each(texts, format, out, |text, out| Ok(format.encode(text, out)?))
}

/// Appends all `texts`, which may have lone surrogates as in [`decode_many_wtf8`].
///
/// # Errors
/// The index of the first text that does not fit the format, and the reason; nothing is appended.
pub fn encode_many_wtf8<'a>(
    texts: impl Iterator<Item = Option<&'a [u8]>>,
    format: StringFormat,
    out: &mut Vec<u8>,
) -> std::result::Result<(), (usize, TextError)> {
    encode_each(texts, format, out, |text, out| format.encode_wtf8(text, out))
}

fn encode_each<T>(
    texts: impl Iterator<Item = Option<T>>,
    format: StringFormat,
    out: &mut Vec<u8>,
    encode: impl Fn(T, &mut Vec<u8>) -> std::result::Result<(), TextError>,
) -> std::result::Result<(), (usize, TextError)> {
    let before = out.len();
    for (index, text) in texts.enumerate() {
        let result = match text {
            Some(text) => encode(text, out),
            None => format.encode_null(out).then_some(()).ok_or(TextError::Null),
        };
        if let Err(error) = result {
            out.truncate(before);
            return Err((index, error));
        }
    }
    Ok(())
}
