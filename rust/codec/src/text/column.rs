//! Columns of strings, some of them null.

use std::ops::Range;

use super::{Encoding, StringFormat, Strings, TextOffsets, decode_many, decode_many_wtf8};
use crate::{Result, SimdLevel, frame::BinaryColumn};

/// Many texts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Texts {
    /// Such as Unicode allows.
    Strict(Strings),
    /// UTF-8, but for three bytes for each lone surrogate.
    Lossless(BinaryColumn),
}

/// Many strings, some of them null.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Column {
    /// The text of each, of a null an empty one.
    pub texts: Texts,
    /// Which of them are null, in order.
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

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends the texts that stand at `places` in `bytes`; if one is wrong, appends none.
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
    /// Starts with none.
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
    /// Appends all whole strings in `bytes` to `out`, and returns how many bytes they take.
    ///
    /// # Errors
    /// As [`StringFormat::scan`] and [`decode_many`]; the strings before what is wrong are in `out`.
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
