//! Java's ways to write text as bytes, each by its name. They differ in NUL, in supplementary
//! characters, and in what the length before them counts.

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

/// Encoding of UTF-16 units as bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Encoding {
    /// `DataOutput.writeUTF`: U+0000 is C0 80, supplementary characters are two surrogates of three
    /// bytes each.
    ModifiedUtf8,
    /// `org.apache.hadoop.io.UTF8`, and strings in Hazelcast's `Data`: the same, but U+0000 is one
    /// zero byte. Elsewhere this is called CESU-8.
    Cesu8,
    /// What the rest of the world writes: `org.apache.hadoop.io.Text`, protobuf.
    Utf8,
}

impl Encoding {
    /// Its name, for errors.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ModifiedUtf8 => "modified UTF-8",
            Self::Cesu8 => "Hadoop's UTF8",
            Self::Utf8 => "UTF-8",
        }
    }
}

/// Text as Java holds it: with or without lone surrogates.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum JavaText<'a> {
    /// Text that Unicode allows.
    Str(Cow<'a, str>),
    /// UTF-16 with a surrogate that stands alone.
    Units(Vec<u16>),
}

impl JavaText<'_> {
    /// Appends the text to `out`, without a length: what [`decode`] made of it comes back.
    ///
    /// # Errors
    /// [`DecodeErrorKind::LoneSurrogate`], counted in bytes of `out`, if UTF-8 cannot hold it.
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

/// Why text of the caller's cannot be written.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum TextError {
    /// It is not text, or none that the encoding can hold.
    #[error(transparent)]
    NotText(#[from] DecodeErrorKind),
    /// The length before it has no room for it.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// It is null, and the format has none.
    #[error("the format has no null")]
    Null,
}

/// Decodes text and loses nothing, or names the first byte that is not in `encoding`.
///
/// As `DataInputStream.readUTF`, takes a raw NUL, overlong forms and lone surrogates.
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

/// Decodes text that Unicode allows, or names the first byte that is wrong.
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

/// Appends text that may have lone surrogates: UTF-8, but for three bytes for each of these.
///
/// # Errors
/// [`DecodeErrorKind::NotText`] if it is not in `encoding`; nothing is appended.
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

/// Encodes what [`decode_wtf8`] makes, without a length.
///
/// # Errors
/// [`DecodeErrorKind::NotText`] if it is not that, [`DecodeErrorKind::LoneSurrogate`] if `encoding` cannot hold
/// it; nothing is appended.
pub fn encode_wtf8(
    text: &[u8],
    encoding: Encoding,
    out: &mut Vec<u8>,
) -> Result<(), DecodeErrorKind> {
    code_units::encode_wtf8(text, encoding, out)
}

/// Whether a decoder of UTF-8 may be tried on `bytes`: no byte begins a form that `encoding` reads
/// otherwise. What such a decoder refuses may still be text here.
#[must_use]
pub fn may_be_utf8(bytes: &[u8], encoding: Encoding) -> bool {
    encoding == Encoding::Utf8 || !transcode::has_form_of_its_own(bytes)
}

/// UTF-8 bytes of `text`, if `encoding` writes the same.
#[must_use]
pub fn as_utf8(text: &str, encoding: Encoding) -> Option<&[u8]> {
    transcode::encodes_as_is(text, encoding).then_some(text.as_bytes())
}

/// Appends `text` in `encoding`, behind its length in bytes as a big-endian `u16`.
///
/// # Errors
/// [`TooLong`] if it takes more than 65,535 bytes. Java's `UTF8` cuts such text silently; we do not.
pub fn encode(text: &str, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), TooLong> {
    StringFormat::new(encoding, Length::U16Bytes).encode(text, out)
}

#[cfg(test)]
mod tests;
