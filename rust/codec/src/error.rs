//! Errors of decoding and encoding: the place, the value and the limit.

use thiserror::Error;

/// Why bytes from the peer are not what the format allows.
///
/// Incomplete input is not an error: decoders say so and wait for more.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{what} at offset {offset}: {problem}")]
pub struct DecodeError {
    /// The field, by its name in the protocol's documents.
    pub what: &'static str,
    /// Where the field begins, in bytes from the start of what was decoded.
    pub offset: usize,
    /// What is wrong with it.
    pub problem: DecodeErrorKind,
}

impl DecodeError {
    /// The same error in a larger input, where the smaller begins at `by`.
    #[must_use]
    pub fn moved(self, by: usize) -> Self {
        Self { offset: self.offset + by, ..self }
    }

    /// The byte that is wrong: of a text the one that the problem names, else the field's first.
    #[must_use]
    pub fn position(&self) -> usize {
        match self.problem {
            DecodeErrorKind::NotText { at, .. } | DecodeErrorKind::LoneSurrogate { at } => {
                self.offset + at
            }
            _ => self.offset,
        }
    }
}

/// Kind of error in a field.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[non_exhaustive]
pub enum DecodeErrorKind {
    /// The input ends before the field does.
    #[error("{missing} bytes are missing")]
    UnexpectedEof {
        /// How many.
        missing: usize,
    },
    /// A length or count is larger than the format or a limit of ours allows.
    #[error("{value} is over the limit of {limit}")]
    OverLimit {
        /// What the peer states.
        value: u64,
        /// What is accepted.
        limit: u64,
    },
    /// A length or count is below zero.
    #[error("{value} is negative")]
    Negative {
        /// What the peer states.
        value: i64,
    },
    /// A varint goes on beyond the ten bytes that 64 bits can take.
    #[error("the varint does not end within {limit} bytes")]
    EndlessVarint {
        /// Number of bytes that were looked at.
        limit: usize,
    },
    /// A value that the format does not know.
    #[error("{value} is not {expected}")]
    Unexpected {
        /// What stands there.
        value: i64,
        /// What may stand there.
        expected: &'static str,
    },
    /// Text that is not in its encoding.
    #[error("byte {at} of the text is not {encoding}")]
    NotText {
        /// Where in the text.
        at: usize,
        /// The encoding's name.
        encoding: &'static str,
    },
    /// A surrogate without its other half: Java holds such text, UTF-8 cannot.
    #[error("byte {at} of the text begins a lone surrogate")]
    LoneSurrogate {
        /// Where in the text.
        at: usize,
    },
    /// A class, type or name whose layout is not known: its bytes cannot be told apart.
    #[error("its layout is not known")]
    Unsupported,
    /// A name that leads out of the directory that holds it.
    #[error("it is `.` or `..`, or holds a slash or NUL")]
    NotAName,
    /// Text that must be a number.
    #[error("it is no number")]
    NotANumber,
    /// A field that must stand there does not.
    #[error("it must be there and is not")]
    MissingField,
    /// Values are nested deeper than a limit of ours.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
}

impl DecodeErrorKind {
    /// The value that offends, where there is one number that says it.
    #[must_use]
    pub fn value(&self) -> Option<i128> {
        match *self {
            Self::OverLimit { value, .. } => Some(value.into()),
            Self::Negative { value } | Self::Unexpected { value, .. } => Some(value.into()),
            Self::UnexpectedEof { missing } => Some(missing as i128),
            Self::EndlessVarint { .. }
            | Self::NotText { .. }
            | Self::LoneSurrogate { .. }
            | Self::Unsupported
            | Self::NotAName
            | Self::NotANumber
            | Self::MissingField
            | Self::TooDeep { .. } => None,
        }
    }

    /// Names the field and its place.
    #[must_use]
    pub fn at(self, what: &'static str, offset: usize) -> DecodeError {
        DecodeError { what, offset, problem: self }
    }
}

/// Why a value of the caller's does not fit the wire.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("{len} bytes do not fit where the protocol allows {max}")]
pub struct TooLong {
    /// What the value takes.
    pub len: usize,
    /// What the protocol has room for.
    pub max: usize,
}

/// Why a payload of the caller's cannot be framed: its reader would see an end within it.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("byte {at} of the payload begins what ends a frame")]
pub struct DelimiterInPayload {
    /// Where.
    pub at: usize,
}

/// Result of decoding.
pub type Result<T> = std::result::Result<T, DecodeError>;
