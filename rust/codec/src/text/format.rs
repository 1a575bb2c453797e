//! Formats of a string: the length prefix and the encoding.

use std::ops::Range;

use super::{Encoding, JavaText, TextError, code_units, decode, transcode};
use crate::{
    DecodeErrorKind, Result, SimdLevel, TooLong,
    frame::ByteOrder,
    primitives::checked_len,
    varint::{self, Format as _, VLong},
};

/// Length prefix of a text.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Length {
    /// Number of bytes, as a big-endian `u16`.
    U16Bytes,
    /// Number of bytes, as an `int`.
    IntBytes(ByteOrder),
    /// Number of UTF-16 code units, as an `int`.
    IntUnits(ByteOrder),
    /// Number of bytes, as Hadoop's `VInt`.
    VIntBytes,
}

/// Format of a string: its length prefix, and the encoding of its characters.
///
/// ```
/// use jvmwire_codec::text::StringFormat;
///
/// let mut wire = Vec::new();
/// StringFormat::HAZELCAST_DATA.encode("\u{1f600}", &mut wire).unwrap();
/// assert_eq!(wire, b"\0\0\0\x02\xed\xa0\xbd\xed\xb8\x80");
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct StringFormat {
    /// Encoding of the characters.
    pub encoding: Encoding,
    /// Length prefix.
    pub length: Length,
    /// Whether a length of -1 is a null.
    pub nullable: bool,
}

/// Result of decoding the start of a sequence of strings.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TextPrefix {
    /// An incomplete string, and the minimum number of missing bytes.
    Incomplete(usize),
    /// A complete string.
    Whole {
        /// Range of the text; `None` if it is null.
        text: Option<Range<usize>>,
        /// Offset of the end.
        end: usize,
    },
}

/// Ranges of consecutive strings.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TextOffsets {
    /// Range of each text; that of a null is empty.
    pub texts: Vec<Range<usize>>,
    /// Indices of the nulls, in order.
    pub nulls: Vec<usize>,
}

impl StringFormat {
    /// `DataOutput.writeUTF`.
    pub const JAVA_UTF: Self = Self::new(Encoding::ModifiedUtf8, Length::U16Bytes);
    /// `org.apache.hadoop.io.UTF8`.
    pub const HADOOP_UTF8: Self = Self::new(Encoding::Cesu8, Length::U16Bytes);
    /// `org.apache.hadoop.io.Text`.
    pub const HADOOP_TEXT: Self = Self::new(Encoding::Utf8, Length::VIntBytes);
    /// A string parameter of a Hazelcast message.
    pub const HAZELCAST: Self = Self::new(Encoding::Utf8, Length::IntBytes(ByteOrder::Little));
    /// A string in Hazelcast's `Data`.
    pub const HAZELCAST_DATA: Self =
        Self::new(Encoding::Cesu8, Length::IntUnits(ByteOrder::Big)).or_null();

    /// Creates a format without null.
    #[must_use]
    pub const fn new(encoding: Encoding, length: Length) -> Self {
        Self { encoding, length, nullable: false }
    }

    /// Returns this format with a length of -1 as null.
    #[must_use]
    pub const fn or_null(self) -> Self {
        Self { nullable: true, ..self }
    }

    /// Decodes the length of the string at the start of `bytes`, which must be at most `limit`.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Negative`], `OverLimit`; `NotText` if code units must be counted and a sequence is
    /// malformed.
    #[inline]
    pub fn front(self, bytes: &[u8], limit: usize) -> Result<TextPrefix> {
        let stated = match self.length {
            Length::U16Bytes => {
                bytes.first_chunk().map(|length| (u16::from_be_bytes(*length).into(), 2)).ok_or(2)
            }
            Length::IntBytes(order) | Length::IntUnits(order) => bytes
                .first_chunk()
                .map(|length| {
                    let length = match order {
                        ByteOrder::Big => i32::from_be_bytes(*length),
                        ByteOrder::Little => i32::from_le_bytes(*length),
                    };
                    (length.into(), 4)
                })
                .ok_or(4),
            Length::VIntBytes => varint::decode_vlong(bytes).map_err(|problem| match problem {
                DecodeErrorKind::UnexpectedEof { missing } => bytes.len() + missing,
                _ => bytes.len() + 1,
            }),
        };
        let (stated, start) = match stated {
            Ok((-1, end)) if self.nullable => return Ok(TextPrefix::Whole { text: None, end }),
            Ok(stated) => stated,
            Err(len) => return Ok(TextPrefix::Incomplete(len - bytes.len())),
        };
        let len = checked_len(stated, limit).map_err(|problem| problem.at("text length", 0))?;
        let rest = &bytes[start..];
        let end = if let Length::IntUnits(_) = self.length {
            code_units::end_of(rest, len, self.encoding)
                .map_err(|problem| problem.at("text", start))?
        } else {
            len.checked_sub(rest.len()).filter(|missing| *missing > 0).map_or(Ok(len), Err)
        };
        Ok(match end {
            Ok(len) => TextPrefix::Whole { text: Some(start..start + len), end: start + len },
            Err(missing) => TextPrefix::Incomplete(missing),
        })
    }

    /// Decodes the string at the start of `bytes` losslessly: its text, `None` if it is null, and the number of
    /// bytes read; or `None` if it is incomplete.
    ///
    /// # Errors
    /// As [`StringFormat::front`] and [`decode`].
    pub fn decode(
        self,
        bytes: &[u8],
        limit: usize,
    ) -> Result<Option<(Option<JavaText<'_>>, usize)>> {
        let TextPrefix::Whole { text, end } = self.front(bytes, limit)? else { return Ok(None) };
        let text = text.map(|at| {
            let start = at.start;
            decode(&bytes[at], self.encoding).map_err(|problem| problem.at("text", start))
        });
        Ok(Some((text.transpose()?, end)))
    }

    /// Finds all complete strings in `bytes`, one after the other, and returns the number of bytes read;
    /// [`super::decode_many`] decodes them.
    ///
    /// # Errors
    /// As [`StringFormat::front`], with the offset in `bytes`; the strings before it are in `out`.
    pub fn scan(self, bytes: &[u8], limit: usize, out: &mut TextOffsets) -> Result<usize> {
        let mut at = 0;
        loop {
            let front = self.front(&bytes[at..], limit).map_err(|error| error.moved(at))?;
            let TextPrefix::Whole { text, end } = front else { return Ok(at) };
            if let Some(text) = text {
                out.texts.push(at + text.start..at + text.end);
            } else {
                out.nulls.push(out.texts.len());
                out.texts.push(at + end..at + end);
            }
            at += end;
        }
    }

    /// Appends `text` to `out`, after its length.
    ///
    /// # Errors
    /// [`TooLong`] if the length does not fit the prefix; nothing is appended.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), TooLong> {
        let before = self.begin(out);
        transcode::encode_into(text, self.encoding, out, SimdLevel::current());
        self.end(before, out)
    }

    /// Appends text in WTF-8: UTF-8, with three bytes for each lone surrogate.
    ///
    /// # Errors
    /// [`TextError`] if the text is malformed or does not fit; nothing is appended.
    pub fn encode_wtf8(self, text: &[u8], out: &mut Vec<u8>) -> std::result::Result<(), TextError> {
        let before = self.begin(out);
        if let Err(problem) = code_units::encode_wtf8(text, self.encoding, out) {
            out.truncate(before);
            return Err(problem.into());
        }
        Ok(self.end(before, out)?)
    }

    /// Appends a null, if the format has one; returns whether it did.
    #[must_use]
    pub fn encode_null(self, out: &mut Vec<u8>) -> bool {
        match self.length {
            Length::IntBytes(_) | Length::IntUnits(_) if self.nullable => {
                out.extend_from_slice(&(-1_i32).to_be_bytes());
            }
            Length::VIntBytes if self.nullable => varint::encode_vlong(-1, out),
            _ => return false,
        }
        true
    }

    /// Reserves space for the most frequent size of the length prefix; returns its offset.
    fn begin(self, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(&[0; 4][..self.usual_width()]);
        out.len() - self.usual_width()
    }

    /// Writes the length of the bytes appended since `begin`.
    fn end(self, before: usize, out: &mut Vec<u8>) -> std::result::Result<(), TooLong> {
        let body = &out[before + self.usual_width()..];
        let len = match self.length {
            Length::IntUnits(_) => code_units::count(body),
            _ => body.len(),
        };
        let mut length = [0; varint::MAX_LEN];
        let width = self.put_length(len, &mut length).inspect_err(|_| out.truncate(before))?;
        if width == self.usual_width() {
            out[before..before + width].copy_from_slice(&length[..width]);
        } else {
            out.splice(before..before + self.usual_width(), length[..width].iter().copied());
        }
        Ok(())
    }

    fn put_length(
        self,
        len: usize,
        out: &mut [u8; varint::MAX_LEN],
    ) -> std::result::Result<usize, TooLong> {
        let max = if self.length == Length::U16Bytes { u16::MAX.into() } else { i32::MAX as usize };
        let Some(int) = i32::try_from(len).ok().filter(|_| len <= max) else {
            return Err(TooLong { len, max });
        };
        let mut write = |bytes: &[u8]| {
            out[..bytes.len()].copy_from_slice(bytes);
            bytes.len()
        };
        Ok(match self.length {
            Length::U16Bytes => write(&int.to_be_bytes()[2..]),
            Length::IntBytes(ByteOrder::Big) | Length::IntUnits(ByteOrder::Big) => {
                write(&int.to_be_bytes())
            }
            Length::IntBytes(_) | Length::IntUnits(_) => write(&int.to_le_bytes()),
            Length::VIntBytes => VLong::put(int.into(), out),
        })
    }

    const fn usual_width(self) -> usize {
        match self.length {
            Length::U16Bytes => 2,
            Length::IntBytes(_) | Length::IntUnits(_) => 4,
            Length::VIntBytes => 1,
        }
    }
}
