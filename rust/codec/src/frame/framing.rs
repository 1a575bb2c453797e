//! Headers of length-prefixed frames: byte order, type, and the bytes that the length counts.

use super::LENGTH_LEN;
use crate::{
    DecodeErrorKind, Result, TooLong,
    primitives::{ByteOrder, checked_len},
};

/// Format of frames with a four-byte length before the payload.
///
/// ```
/// use jvmwire_codec::frame::{ByteOrder, Framing};
///
/// let hazelcast = Framing::LITTLE_ENDIAN.including_itself();
/// let mut wire = Vec::new();
/// hazelcast.encode(0, b"ab", &mut wire).unwrap();
/// assert_eq!(wire, [6, 0, 0, 0, b'a', b'b']);
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Framing {
    order: ByteOrder,
    kind: Typed,
    counts_itself: bool,
}

/// Type before the length.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Typed {
    /// No type.
    No,
    /// A type of any value.
    Any,
    /// A type that is always 0.
    Zero,
}

/// Header of a frame.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Header {
    /// Type of the frame; 0 if the framing has no types.
    pub kind: i32,
    /// Number of bytes of the header.
    pub len: usize,
    /// Number of bytes of the payload.
    pub payload_len: usize,
}

impl Framing {
    /// `length: i32` big-endian, then the payload: Hadoop RPC.
    pub const BIG_ENDIAN: Self =
        Self { order: ByteOrder::Big, kind: Typed::No, counts_itself: false };

    /// `length: i32` little-endian, then the payload.
    pub const LITTLE_ENDIAN: Self =
        Self { order: ByteOrder::Little, kind: Typed::No, counts_itself: false };

    /// `type: i32`, `length: u32`, both big-endian, then the payload: Pravega.
    pub const PRAVEGA: Self =
        Self { order: ByteOrder::Big, kind: Typed::Any, counts_itself: false };

    /// [`Self::PRAVEGA`] with a type that is always 0: events in Pravega's segments.
    pub const EVENTS: Self = Self { kind: Typed::Zero, ..Self::PRAVEGA };

    /// `length: i32` in the given order, then the payload.
    #[must_use]
    pub const fn of_order(order: ByteOrder) -> Self {
        Self { order, ..Self::BIG_ENDIAN }
    }

    /// Returns this framing with a length that includes the header: Hazelcast, little-endian.
    #[must_use]
    pub const fn including_itself(self) -> Self {
        Self { counts_itself: true, ..self }
    }

    /// Returns this framing with an `int` for the frame's type before the length.
    #[must_use]
    pub const fn with_kind(self) -> Self {
        Self { kind: Typed::Any, ..self }
    }

    /// Byte order of the header.
    #[must_use]
    pub const fn order(self) -> ByteOrder {
        self.order
    }

    /// Whether frames have a type that can differ.
    #[must_use]
    pub const fn has_kind(self) -> bool {
        matches!(self.kind, Typed::Any)
    }

    /// Number of bytes before the payload.
    #[must_use]
    pub const fn header_len(self) -> usize {
        if matches!(self.kind, Typed::No) { LENGTH_LEN } else { 2 * LENGTH_LEN }
    }

    /// Reads the header at the start of `bytes`, or `None` if it is incomplete.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Negative`], [`DecodeErrorKind::OverLimit`] if the payload exceeds `limit`,
    /// [`DecodeErrorKind::Unexpected`] if the length includes the header and is less than it, or if the type
    /// must be 0 and is not.
    #[inline]
    pub fn header(self, bytes: &[u8], limit: usize) -> Result<Option<Header>> {
        let (kind, length, at) = if self.kind == Typed::No {
            let Some(length) = bytes.first_chunk() else { return Ok(None) };
            let length = self.int(*length);
            let Ok(unsigned) = u32::try_from(length) else {
                return Err(
                    DecodeErrorKind::Negative { value: length.into() }.at("frame length", 0)
                );
            };
            (0, unsigned, 0)
        } else {
            let Some(&[k0, k1, k2, k3, l0, l1, l2, l3]) = bytes.first_chunk() else {
                return Ok(None);
            };
            // Of type and length, the length is unsigned: `ByteBuf.readUnsignedInt`.
            let length = self.int([l0, l1, l2, l3]).cast_unsigned();
            let kind = self.int([k0, k1, k2, k3]);
            if self.kind == Typed::Zero && kind != 0 {
                let problem = DecodeErrorKind::Unexpected { value: kind.into(), expected: "0" };
                return Err(problem.at("frame type", 0));
            }
            (kind, length, LENGTH_LEN)
        };
        match self.payload_len(length, limit) {
            Ok(payload_len) => Ok(Some(Header { kind, len: self.header_len(), payload_len })),
            Err(problem) => Err(problem.at("frame length", at)),
        }
    }

    /// Reads the header of the frame at the start of `bytes`, if the payload is complete, too.
    ///
    /// # Errors
    /// As [`Framing::header`].
    pub fn front(self, bytes: &[u8], limit: usize) -> Result<Option<Header>> {
        let header = self.header(bytes, limit)?;
        Ok(header.filter(|it| bytes.len() - it.len >= it.payload_len))
    }

    #[inline]
    fn payload_len(self, length: u32, limit: usize) -> std::result::Result<usize, DecodeErrorKind> {
        let counted = if self.counts_itself { self.header_len() } else { 0 };
        let len = checked_len(length.into(), limit.saturating_add(counted))?;
        len.checked_sub(counted).ok_or(DecodeErrorKind::Unexpected {
            value: length.into(),
            expected: "a length that counts its own header",
        })
    }

    #[inline]
    fn int(self, bytes: [u8; LENGTH_LEN]) -> i32 {
        match self.order {
            ByteOrder::Big => i32::from_be_bytes(bytes),
            ByteOrder::Little => i32::from_le_bytes(bytes),
        }
    }

    fn int_bytes(self, value: i32) -> [u8; LENGTH_LEN] {
        match self.order {
            ByteOrder::Big => value.to_be_bytes(),
            ByteOrder::Little => value.to_le_bytes(),
        }
    }

    /// Appends one frame to `out`. `kind` is ignored if the framing has no type, or a constant one.
    ///
    /// # Errors
    /// [`TooLong`] if the length does not fit an `int`.
    pub fn encode(
        self,
        kind: i32,
        payload: &[u8],
        out: &mut Vec<u8>,
    ) -> std::result::Result<(), TooLong> {
        let counted = if self.counts_itself { self.header_len() } else { 0 };
        let Ok(length) = i32::try_from(payload.len().saturating_add(counted)) else {
            return Err(TooLong { len: payload.len(), max: i32::MAX as usize - counted });
        };
        match self.kind {
            Typed::No => {}
            Typed::Any => out.extend_from_slice(&self.int_bytes(kind)),
            Typed::Zero => out.extend_from_slice(&self.int_bytes(0)),
        }
        out.extend_from_slice(&self.int_bytes(length));
        out.extend_from_slice(payload);
        Ok(())
    }
}
