//! Formats of a string: the length before it, and the encoding.

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
    /// Its bytes, as a big-endian `u16`.
    U16Bytes,
    /// Its bytes, as an `int`.
    IntBytes(ByteOrder),
    /// Its UTF-16 units, as an `int`.
    IntUnits(ByteOrder),
    /// Its bytes, as Hadoop's `VInt`.
    VIntBytes,
}

/// A way to write a string: what is before it and how its characters become bytes.
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
    /// How its characters become bytes.
    pub encoding: Encoding,
    /// What is before it.
    pub length: Length,
    /// Whether a length of -1 stands for null.
    pub nullable: bool,
}

/// Result of decoding the front of a sequence of strings.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum TextPrefix {
    /// Not a whole string: at least so many bytes are missing.
    Incomplete(usize),
    /// A string.
    Whole {
        /// Where its text stands; `None` if it is null.
        text: Option<Range<usize>>,
        /// Where it ends.
        end: usize,
    },
}

/// Where strings stand, one after the other.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TextOffsets {
    /// The text of each; of a null an empty one.
    pub texts: Vec<Range<usize>>,
    /// Which of them are null, in order.
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

    /// A format without null.
    #[must_use]
    pub const fn new(encoding: Encoding, length: Length) -> Self {
        Self { encoding, length, nullable: false }
    }

    /// The same, where a length of -1 stands for null.
    #[must_use]
    pub const fn or_null(self) -> Self {
        Self { nullable: true, ..self }
    }

    /// Looks for a string at the front of `bytes`. What its length states may be `limit` at most.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Negative`], `OverLimit`; `NotText` where units have to be counted and there are none.
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

    /// Decodes the string at the front of `bytes` and loses nothing: its text, `None` if that is null,
    /// and how many bytes it takes; or `None` if it is not whole.
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

    /// Finds all whole strings in `bytes`, one after the other, and returns how many bytes they take;
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

    /// Appends `text` to `out`, behind its length.
    ///
    /// # Errors
    /// [`TooLong`] if the length has no room for it; nothing is appended.
    pub fn encode(self, text: &str, out: &mut Vec<u8>) -> std::result::Result<(), TooLong> {
        let before = self.begin(out);
        transcode::encode_into(text, self.encoding, out, SimdLevel::current());
        self.end(before, out)
    }

    /// Appends text that may have lone surrogates: UTF-8, but for three bytes for each of these.
    ///
    /// # Errors
    /// [`TextError`] if it is not that, or does not fit; nothing is appended.
    pub fn encode_wtf8(self, text: &[u8], out: &mut Vec<u8>) -> std::result::Result<(), TextError> {
        let before = self.begin(out);
        if let Err(problem) = code_units::encode_wtf8(text, self.encoding, out) {
            out.truncate(before);
            return Err(problem.into());
        }
        Ok(self.end(before, out)?)
    }

    /// Appends a null, if the format has one.
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

    /// Makes room for the length, as much as it takes most often; returns where.
    fn begin(self, out: &mut Vec<u8>) -> usize {
        out.extend_from_slice(&[0; 4][..self.usual_width()]);
        out.len() - self.usual_width()
    }

    /// Writes the length of what has come since.
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
