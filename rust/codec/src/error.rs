//! Errors of decoding and encoding, with the offset, the value and the limit.

use thiserror::Error;

/// Malformed input from a peer.
///
/// Incomplete input is not an error: decoders report it separately and wait for more bytes.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{what} at offset {offset}: {problem}")]
pub struct DecodeError {
    /// Name of the field in the protocol's documents.
    pub what: &'static str,
    /// Offset of the field from the start of the decoded input.
    pub offset: usize,
    /// Kind of the error.
    pub problem: DecodeErrorKind,
}

impl DecodeError {
    /// Returns the same error for a larger input, in which the decoded input begins at offset `by`.
    #[must_use]
    pub fn moved(self, by: usize) -> Self {
        Self { offset: self.offset + by, ..self }
    }

    /// Offset of the malformed byte: for text the byte that the kind names, else the first byte of the field.
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
    /// The input ends before the end of the field.
    #[error("{missing} bytes are missing")]
    UnexpectedEof {
        /// Number of missing bytes.
        missing: usize,
    },
    /// A length or count exceeds the maximum of the format or a limit of jvmwire.
    #[error("{value} is over the limit of {limit}")]
    OverLimit {
        /// Value that the peer sent.
        value: u64,
        /// Maximum that is accepted.
        limit: u64,
    },
    /// A length or count is negative.
    #[error("{value} is negative")]
    Negative {
        /// Value that the peer sent.
        value: i64,
    },
    /// A varint has more than the ten bytes that 64 bits can take.
    #[error("the varint does not end within {limit} bytes")]
    EndlessVarint {
        /// Number of bytes that were examined.
        limit: usize,
    },
    /// A value that the format does not define.
    #[error("{value} is not {expected}")]
    Unexpected {
        /// Value that was found.
        value: i64,
        /// Description of the allowed values.
        expected: &'static str,
    },
    /// Text that is malformed in its encoding.
    #[error("byte {at} of the text is not {encoding}")]
    NotText {
        /// Offset in the text.
        at: usize,
        /// Name of the encoding.
        encoding: &'static str,
    },
    /// An unpaired surrogate, which Java strings can contain and UTF-8 cannot.
    #[error("byte {at} of the text begins a lone surrogate")]
    LoneSurrogate {
        /// Offset in the text.
        at: usize,
    },
    /// A class, type or name of unknown layout, whose bytes cannot be decoded.
    #[error("its layout is not known")]
    Unsupported,
    /// A name that refers to a path outside its directory.
    #[error("it is `.` or `..`, or holds a slash or NUL")]
    NotAName,
    /// Text that is not a number, in a field that must be one.
    #[error("it is no number")]
    NotANumber,
    /// A required field is missing.
    #[error("it must be there and is not")]
    MissingField,
    /// Values are nested deeper than a limit of jvmwire.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// Maximum depth.
        limit: usize,
    },
}

impl DecodeErrorKind {
    /// Returns the invalid value, if the error has a single number for it.
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

    /// Adds the name and the offset of the field.
    #[must_use]
    pub fn at(self, what: &'static str, offset: usize) -> DecodeError {
        DecodeError { what, offset, problem: self }
    }
}

/// Error of a caller's value that is too long for the wire format.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("{len} bytes do not fit where the protocol allows {max}")]
pub struct TooLong {
    /// Length of the value.
    pub len: usize,
    /// Maximum length in the protocol.
    pub max: usize,
}

/// Error of a caller's payload that contains its delimiter, which a reader would take for the end.
#[derive(Clone, Copy, Debug, Eq, Error, PartialEq)]
#[error("byte {at} of the payload begins what ends a frame")]
pub struct DelimiterInPayload {
    /// Offset of the delimiter.
    pub at: usize,
}

/// Result of decoding.
pub type Result<T> = std::result::Result<T, DecodeError>;
