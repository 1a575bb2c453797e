//! Columns of strings with nulls.

use std::ops::Range;

use super::{Encoding, StringFormat, Strings, TextOffsets, decode_many, decode_many_wtf8};
use crate::{Result, SimdLevel, frame::BinaryColumn};

/// Texts of a column.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Texts {
    /// Texts without lone surrogates.
    Strict(Strings),
    /// Texts in WTF-8: UTF-8, with three bytes for each lone surrogate.
    Lossless(BinaryColumn),
}

/// Strings with nulls.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Column {
    /// Text of each string; the text of a null is empty.
    pub texts: Texts,
    /// Indices of the nulls, in order.
    pub nulls: Vec<usize>,
}

impl Texts {
    /// Number of elements.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Strict(texts) => texts.len(),
            Self::Lossless(texts) => texts.len(),
        }
    }

    /// Whether the column is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the texts at `places` in `bytes`; if one is malformed, none is appended.
    ///
    /// # Errors
    /// As [`decode_many`].
    pub fn decode(
        &mut self,
        bytes: &[u8],
        places: &[Range<usize>],
        encoding: Encoding,
        level: SimdLevel,
    ) -> Result<()> {
        match self {
            Self::Strict(texts) => decode_many(bytes, places, encoding, texts, level),
            Self::Lossless(texts) => decode_many_wtf8(bytes, places, encoding, texts, level),
        }
    }
}

impl Column {
    /// Creates an empty column.
    #[must_use]
    pub fn new(lossless: bool) -> Self {
        let texts = if lossless {
            Texts::Lossless(BinaryColumn::new())
        } else {
            Texts::Strict(Strings::new())
        };
        Self { texts, nulls: Vec::new() }
    }
}

impl StringFormat {
    /// Appends all complete strings in `bytes` to `out`, and returns the number of bytes read.
    ///
    /// # Errors
    /// As [`StringFormat::scan`] and [`decode_many`]; the strings before the malformed one are in `out`.
    pub fn decode_all(
        self,
        bytes: &[u8],
        limit: usize,
        out: &mut Column,
        level: SimdLevel,
    ) -> Result<usize> {
        let mut places = TextOffsets::default();
        let scanned = self.scan(bytes, limit, &mut places);
        let before = out.texts.len();
        let mut good = places.texts.len();
        let decoded = out.texts.decode(bytes, &places.texts, self.encoding, level);
        if let Err(error) = &decoded {
            let wrong = |place: &Range<usize>| place.start == error.offset && !place.is_empty();
            good = places.texts.iter().position(wrong).unwrap_or(0);
            out.texts.decode(bytes, &places.texts[..good], self.encoding, level)?;
        }
        let nulls = places.nulls.iter().take_while(|index| **index < good);
        out.nulls.extend(nulls.map(|index| before + index));
        decoded.and(scanned)
    }
}
