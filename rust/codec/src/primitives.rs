//! Types that several formats use: byte order, UUIDs, base-128 numbers, lengths from peers.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::DecodeErrorKind;

/// Byte order of a number.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum ByteOrder {
    /// The most significant byte first, as Java writes.
    Big,
    /// The least significant byte first.
    Little,
}

/// UUID as `java.util.UUID` stores it: two longs, of which the more significant is written first in either byte
/// order.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, Hash, Ord, PartialEq, PartialOrd, Serialize,
)]
pub struct Uuid(pub u128);

impl Uuid {
    /// Reads two big-endian longs: Pravega.
    #[must_use]
    pub const fn from_be_bytes(bytes: [u8; 16]) -> Self {
        Self(u128::from_be_bytes(bytes))
    }

    /// Reads two little-endian longs: Hazelcast.
    #[must_use]
    pub const fn from_le_bytes(bytes: [u8; 16]) -> Self {
        // Both longs turned round, and in the other order.
        Self(u128::from_le_bytes(bytes).rotate_left(64))
    }

    /// Writes two big-endian longs.
    #[must_use]
    pub const fn to_be_bytes(self) -> [u8; 16] {
        self.0.to_be_bytes()
    }

    /// Writes two little-endian longs.
    #[must_use]
    pub const fn to_le_bytes(self) -> [u8; 16] {
        self.0.rotate_left(64).to_le_bytes()
    }
}

impl fmt::Display for Uuid {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let low = self.0 & 0xffff_ffff_ffff;
        let part = |shift: u32| self.0 >> shift & 0xffff;
        let high = self.0 >> 96;
        write!(
            formatter,
            "{high:08x}-{:04x}-{:04x}-{:04x}-{low:012x}",
            part(80),
            part(64),
            part(48)
        )
    }
}

/// Format that is base-128 on the wire.
///
/// The high bits of a number that is wider than the value are dropped, as in protobuf's `CodedInputStream`.
pub(crate) trait Base128 {
    /// Type of the values.
    type Value: Copy + Send + 'static;

    /// Converts the number on the wire to the value.
    fn from_wire(wire: u64) -> Self::Value;

    /// Converts a value to the number on the wire.
    fn to_wire(value: Self::Value) -> u64;
}

/// Checks a length from a peer.
pub(crate) fn checked_len(value: i64, limit: usize) -> std::result::Result<usize, DecodeErrorKind> {
    let Ok(unsigned) = u64::try_from(value) else {
        return Err(DecodeErrorKind::Negative { value });
    };
    match usize::try_from(unsigned) {
        Ok(len) if len <= limit => Ok(len),
        _ => Err(DecodeErrorKind::OverLimit { value: unsigned, limit: limit as u64 }),
    }
}
