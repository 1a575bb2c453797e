//! Java's encodings of text. They differ in NUL, in supplementary characters, and in the unit of the length
//! prefix.

mod code_units;
mod column;
mod format;
mod incremental;
mod packed_strings;
mod short_text;
mod transcode;

use std::borrow::Cow;

use thiserror::Error;

use crate::{DecodeErrorKind, SimdLevel, TooLong};

pub use column::{Column, Texts};
pub use format::{Length, StringFormat, TextOffsets, TextPrefix};
pub use incremental::StringDecoder;
pub use packed_strings::{Strings, decode_many, decode_many_wtf8, encode_many, encode_many_wtf8};
pub use short_text::{CharBuffer, Characters, SHORT};
pub use transcode::{decode_into, encode_into, parts};

/// Encoding of UTF-16 code units as bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Encoding {
    /// `DataOutput.writeUTF`: U+0000 is C0 80, supplementary characters are two surrogates of three bytes each.
    ModifiedUtf8,
    /// `org.apache.hadoop.io.UTF8`, and strings in Hazelcast's `Data`: as `ModifiedUtf8`, but U+0000 is one
    /// zero byte. The standard name is CESU-8.
    Cesu8,
    /// Standard UTF-8: `org.apache.hadoop.io.Text`, protobuf.
    Utf8,
}

impl Encoding {
    /// Name of the encoding, for errors.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ModifiedUtf8 => "modified UTF-8",
            Self::Cesu8 => "Hadoop's UTF8",
            Self::Utf8 => "UTF-8",
        }
    }
}

/// Text as Java stores it: with or without lone surrogates.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JavaText<'a> {
    /// Valid Unicode text.
    Str(Cow<'a, str>),
    /// UTF-16 with a lone surrogate.
    Units(Vec<u16>),
}

impl JavaText<'_> {
    /// Appends the text to `out`, without a length: the inverse of [`decode`].
    ///
    /// # Errors
    /// [`DecodeErrorKind::LoneSurrogate`], with an offset in `out`, if UTF-8 cannot represent it.
    pub fn encode_into(
        &self,
        encoding: Encoding,
        out: &mut Vec<u8>,
    ) -> Result<(), DecodeErrorKind> {
        match self {
            Self::Str(text) => {
                encode_into(text, encoding, out, SimdLevel::current());
                Ok(())
            }
            Self::Units(text) => code_units::encode(text, encoding, out),
        }
    }
}

/// Error of a caller's text that cannot be encoded.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum TextError {
    /// The text is malformed, or the encoding cannot represent it.
    #[error(transparent)]
    NotText(#[from] DecodeErrorKind),
    /// The length does not fit the prefix.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The text is null, and the format has no null.
    #[error("the format has no null")]
    Null,
}

/// Decodes text losslessly, or returns the offset of the first byte that is malformed in `encoding`.
///
/// As in `DataInputStream.readUTF`, a raw NUL, overlong forms and lone surrogates are accepted.
///
/// # Errors
/// [`DecodeErrorKind::NotText`].
pub fn decode(bytes: &[u8], encoding: Encoding) -> Result<JavaText<'_>, DecodeErrorKind> {
    match decode_strict(bytes, encoding) {
        Ok(text) => Ok(JavaText::Str(text)),
        Err(DecodeErrorKind::LoneSurrogate { .. }) => {
            code_units::decode(bytes, encoding).map(JavaText::Units)
        }
        Err(problem) => Err(problem),
    }
}

/// Decodes text without lone surrogates, or returns the offset of the first malformed byte.
///
/// # Errors
/// [`DecodeErrorKind::NotText`], [`DecodeErrorKind::LoneSurrogate`].
pub fn decode_strict(bytes: &[u8], encoding: Encoding) -> Result<Cow<'_, str>, DecodeErrorKind> {
    if let Some(text) = transcode::as_is(bytes, encoding) {
        return Ok(Cow::Borrowed(text));
    }
    let mut text = String::with_capacity(bytes.len());
    code_units::decode_strict(bytes, encoding, &mut text)?;
    Ok(Cow::Owned(text))
}

/// Appends text as WTF-8: UTF-8, with three bytes for each lone surrogate.
///
/// # Errors
/// [`DecodeErrorKind::NotText`] if the text is malformed in `encoding`; nothing is appended.
pub fn decode_wtf8(
    bytes: &[u8],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), DecodeErrorKind> {
    match decode(bytes, encoding)? {
        JavaText::Str(text) => out.extend_from_slice(text.as_bytes()),
        JavaText::Units(text) => code_units::push_wtf8(&text, out),
    }
    Ok(())
}

/// Encodes the output of [`decode_wtf8`], without a length.
///
/// # Errors
/// [`DecodeErrorKind::NotText`] if the text is not WTF-8, [`DecodeErrorKind::LoneSurrogate`] if `encoding`
/// cannot represent it; nothing is appended.
pub fn encode_wtf8(
    text: &[u8],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), DecodeErrorKind> {
    code_units::encode_wtf8(text, encoding, out)
}

/// Whether a UTF-8 decoder can be tried on `bytes`: no byte begins a sequence that `encoding` reads
/// differently. Bytes that it rejects may still be text in `encoding`.
#[must_use]
pub fn may_be_utf8(bytes: &[u8], encoding: Encoding) -> bool {
    encoding == Encoding::Utf8 || !transcode::has_form_of_its_own(bytes)
}

/// Returns the UTF-8 bytes of `text`, if they are the same in `encoding`.
#[must_use]
pub fn as_utf8(text: &str, encoding: Encoding) -> Option<&[u8]> {
    transcode::encodes_as_is(text, encoding).then_some(text.as_bytes())
}

/// Appends `text` in `encoding`, after its number of bytes as a big-endian `u16`.
///
/// # Errors
/// [`TooLong`] if it takes more than 65,535 bytes. Java's `UTF8` truncates such text silently; here that is an
/// error.
pub fn encode(text: &str, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), TooLong> {
    StringFormat::new(encoding, Length::U16Bytes).encode(text, out)
}

#[cfg(test)]
mod tests;
