//! Cursor over bytes of a peer: checked reads, with offsets from the start of the outermost input.

use crate::{
    DecodeErrorKind, Result,
    primitives::{Uuid, checked_len},
    varint,
};

/// Cursor that reads fields in order, in either byte order; every read is checked.
///
/// Offsets in errors and ranges count from the start of the outermost input.
#[derive(Clone, Debug)]
pub struct Cursor<'a> {
    /// Unread bytes.
    rest: &'a [u8],
    /// Offset of the unread bytes in the outermost input.
    offset: usize,
}

macro_rules! fixed_width {
    ($($big:ident $little:ident $number:ty),*) => {$(
        /// Reads a big-endian number.
        ///
        /// # Errors
        /// [`DecodeErrorKind::UnexpectedEof`] if the input ends first.
        pub fn $big(&mut self, what: &'static str) -> Result<$number> {
            self.array(what).map(<$number>::from_be_bytes)
        }

        /// Reads a little-endian number.
        ///
        /// # Errors
        /// [`DecodeErrorKind::UnexpectedEof`] if the input ends first.
        pub fn $little(&mut self, what: &'static str) -> Result<$number> {
            self.array(what).map(<$number>::from_le_bytes)
        }
    )*};
}

impl<'a> Cursor<'a> {
    /// Creates a cursor at the start of `bytes`.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self::at(bytes, 0)
    }

    /// Creates a cursor at the start of `bytes`, which is at offset `base` of the outermost input.
    #[must_use]
    #[inline]
    pub fn at(bytes: &'a [u8], base: usize) -> Self {
        Self { rest: bytes, offset: base }
    }

    /// Offset of the next read in the outermost input.
    #[must_use]
    #[inline]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Returns the unread bytes.
    #[must_use]
    #[inline]
    pub fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Whether all bytes were read.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes the next `len` bytes.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if there are fewer.
    #[inline]
    pub fn take(&mut self, len: usize, what: &'static str) -> Result<&'a [u8]> {
        let Some((taken, rest)) = self.rest.split_at_checked(len) else {
            let missing = len - self.rest.len();
            return Err(DecodeErrorKind::UnexpectedEof { missing }.at(what, self.offset));
        };
        (self.rest, self.offset) = (rest, self.offset + len);
        Ok(taken)
    }

    /// Skips `len` bytes, which the caller has checked to be in `rest`.
    #[inline]
    pub(crate) fn skip(&mut self, len: usize) {
        (self.rest, self.offset) = (&self.rest[len..], self.offset + len);
    }

    /// Takes the next `len` bytes as a separate cursor.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if there are fewer.
    #[inline]
    pub fn sub(&mut self, len: usize, what: &'static str) -> Result<Self> {
        let base = self.offset();
        Ok(Self::at(self.take(len, what)?, base))
    }

    /// Takes all unread bytes.
    #[inline]
    pub fn take_rest(&mut self) -> &'a [u8] {
        self.offset += self.rest.len();
        std::mem::take(&mut self.rest)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N]> {
        let Some((array, rest)) = self.rest.split_first_chunk() else {
            let missing = N - self.rest.len();
            return Err(DecodeErrorKind::UnexpectedEof { missing }.at(what, self.offset));
        };
        (self.rest, self.offset) = (rest, self.offset + N);
        Ok(*array)
    }

    fixed_width!(
        u8_be u8_le u8,
        i8_be i8_le i8,
        u16_be u16_le u16,
        i16_be i16_le i16,
        u32_be u32_le u32,
        i32_be i32_le i32,
        u64_be u64_le u64,
        i64_be i64_le i64,
        f32_be f32_le f32,
        f64_be f64_le f64,
        uuid_be uuid_le Uuid
    );

    /// Reads one byte.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if there is none.
    pub fn byte(&mut self, what: &'static str) -> Result<u8> {
        self.u8_be(what)
    }

    /// Reads a base-128 varint of up to 64 bits.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`], [`DecodeErrorKind::EndlessVarint`].
    #[inline]
    pub fn varint(&mut self, what: &'static str) -> Result<u64> {
        let offset = self.offset();
        let (value, len) =
            varint::decode(self.rest()).map_err(|problem| problem.at(what, offset))?;
        self.skip(len);
        Ok(value)
    }

    /// Reads a Hadoop `VInt` or `VLong`.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if the input ends first.
    pub fn vlong(&mut self, what: &'static str) -> Result<i64> {
        let offset = self.offset();
        let (value, len) =
            varint::decode_vlong(self.rest()).map_err(|problem| problem.at(what, offset))?;
        self.skip(len);
        Ok(value)
    }

    /// Reads a big-endian `int` that is a count or a length, and checks it against `limit`.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Negative`], [`DecodeErrorKind::OverLimit`], [`DecodeErrorKind::UnexpectedEof`].
    pub fn len_i32(&mut self, limit: usize, what: &'static str) -> Result<usize> {
        let offset = self.offset();
        let value = self.i32_be(what)?;
        checked_len(value.into(), limit).map_err(|problem| problem.at(what, offset))
    }

    /// Reads a base-128 varint that is a count or a length, and checks it against `limit`.
    ///
    /// # Errors
    /// [`DecodeErrorKind::OverLimit`], [`DecodeErrorKind::UnexpectedEof`], [`DecodeErrorKind::EndlessVarint`].
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "nearly every length is one byte")]
    pub fn len_varint(&mut self, limit: usize, what: &'static str) -> Result<usize> {
        if let [byte @ ..0x80, ref rest @ ..] = *self.rest
            && usize::from(byte) <= limit
        {
            (self.rest, self.offset) = (rest, self.offset + 1);
            return Ok(byte.into());
        }
        self.longer_len_varint(limit, what)
    }

    #[inline(never)]
    fn longer_len_varint(&mut self, limit: usize, what: &'static str) -> Result<usize> {
        let offset = self.offset();
        let value = self.varint(what)?;
        match usize::try_from(value) {
            Ok(len) if len <= limit => Ok(len),
            _ => Err(DecodeErrorKind::OverLimit { value, limit: limit as u64 }.at(what, offset)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_beyond_the_end_names_field_offset_and_missing_bytes() {
        let mut cursor = Cursor::at(&[0, 0, 1], 10);
        cursor.byte("flag").unwrap();
        let error = cursor.i32_be("length").unwrap_err();
        assert_eq!(error, DecodeErrorKind::UnexpectedEof { missing: 2 }.at("length", 11));
        assert_eq!(error.to_string(), "length at offset 11: 2 bytes are missing");
    }

    #[test]
    fn both_byte_orders_read_the_same_number() {
        assert_eq!(Cursor::new(&[1, 2, 3, 4]).i32_be("n"), Ok(0x0102_0304));
        assert_eq!(Cursor::new(&[4, 3, 2, 1]).i32_le("n"), Ok(0x0102_0304));
    }

    #[test]
    fn length_is_checked_before_it_is_used() {
        let judged = |value: i32| Cursor::new(&value.to_be_bytes()).len_i32(100, "length");
        assert_eq!(judged(-1).unwrap_err().problem, DecodeErrorKind::Negative { value: -1 });
        assert_eq!(judged(0), Ok(0));
        assert_eq!(judged(100), Ok(100));
        for value in [101, i32::MAX] {
            let problem = judged(value).unwrap_err().problem;
            assert_eq!(
                problem,
                DecodeErrorKind::OverLimit { value: u64::try_from(value).unwrap(), limit: 100 }
            );
        }
    }

    #[test]
    fn cursor_in_a_cursor_keeps_the_outer_offsets() {
        let mut outer = Cursor::new(&[9, 1, 2, 3]);
        outer.byte("kind").unwrap();
        let mut inner = outer.sub(2, "body").unwrap();
        assert_eq!(inner.offset(), 1);
        inner.take(2, "all").unwrap();
        assert!(inner.is_empty());
        assert_eq!(outer.rest(), [3]);
    }
}
