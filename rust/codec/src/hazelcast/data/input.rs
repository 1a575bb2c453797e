//! Reader of values written by a Java `ObjectDataOutput`.

use super::HEADER_LEN;
use crate::{
    Cursor, DecodeErrorKind, Result,
    frame::ByteOrder,
    primitives::checked_len,
    text::{Encoding, Length, StringFormat, TextPrefix},
};

/// Reader of a payload, as Java's `ObjectDataInput`. Positions count from the start of the `Data`, including
/// the header, as the positions stored in a Portable do.
#[derive(Clone, Copy, Debug)]
pub struct Input<'a> {
    bytes: &'a [u8],
    position: usize,
    order: ByteOrder,
}

macro_rules! numbers {
    ($($read:ident $number:ident $big:ident $little:ident),*) => {$(
        /// Reads a number.
        ///
        /// # Errors
        /// [`DecodeErrorKind::UnexpectedEof`].
        #[inline]
        pub fn $read(&mut self) -> Result<$number> {
            let mut cursor = self.cursor();
            let number = match self.order {
                ByteOrder::Big => cursor.$big(stringify!($number))?,
                ByteOrder::Little => cursor.$little(stringify!($number))?,
            };
            self.position = cursor.offset();
            Ok(number)
        }
    )*};
}

impl<'a> Input<'a> {
    /// Creates a reader at the start of the payload of `data`.
    #[must_use]
    pub fn new(data: &'a [u8], order: ByteOrder) -> Self {
        Self::at(data, HEADER_LEN, order)
    }

    /// Creates a reader at `position` of `data`, or at its end if that is before.
    #[must_use]
    pub fn at(data: &'a [u8], position: usize, order: ByteOrder) -> Self {
        Self { bytes: data, position: position.min(data.len()), order }
    }

    /// Position of the next read.
    #[must_use]
    pub fn position(&self) -> usize {
        self.position
    }

    /// Moves to a position that the data contains.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Negative`], [`DecodeErrorKind::OverLimit`] if the position is outside of the data.
    pub fn seek(&mut self, position: i64) -> Result<()> {
        self.position = checked_len(position, self.bytes.len())
            .map_err(|problem| problem.at("position", self.position))?;
        Ok(())
    }

    /// Whether all bytes were read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.position == self.bytes.len()
    }

    /// Number of unread bytes.
    #[must_use]
    pub fn remaining(&self) -> usize {
        self.bytes.len() - self.position
    }

    fn cursor(&self) -> Cursor<'a> {
        Cursor::at(&self.bytes[self.position..], self.position)
    }

    numbers!(
        i8 i8 i8_be i8_le,
        u16 u16 u16_be u16_le,
        i16 i16 i16_be i16_le,
        i32 i32 i32_be i32_le,
        i64 i64 i64_be i64_le,
        f32 f32 f32_be f32_le,
        f64 f64 f64_be f64_le
    );

    /// Takes the next `len` bytes.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`].
    pub fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let taken = self.cursor().take(len, "bytes")?;
        self.position += len;
        Ok(taken)
    }

    /// Reads a number of elements that take at least `width` bytes each; `None` for a null, which is -1
    /// (`Bits.NULL_ARRAY_LENGTH`).
    ///
    /// # Errors
    /// [`DecodeErrorKind::Negative`]; [`DecodeErrorKind::UnexpectedEof`] if the elements exceed the unread
    /// bytes.
    pub fn count(&mut self, width: usize) -> Result<Option<usize>> {
        let offset = self.position;
        let stated = self.i32()?;
        if stated == -1 {
            return Ok(None);
        }
        let Ok(count) = usize::try_from(stated) else {
            return Err(DecodeErrorKind::Negative { value: stated.into() }.at("length", offset));
        };
        match count.saturating_mul(width).checked_sub(self.remaining()) {
            Some(missing @ 1..) => {
                Err(DecodeErrorKind::UnexpectedEof { missing }.at("length", offset))
            }
            _ => Ok(Some(count)),
        }
    }

    /// Takes an array of elements of `width` bytes each, after its length; `None` for a null.
    ///
    /// # Errors
    /// As [`Input::count`].
    pub fn array(&mut self, width: usize) -> Result<Option<&'a [u8]>> {
        match self.count(width)? {
            Some(count) => self.take(count * width).map(Some),
            None => Ok(None),
        }
    }

    /// Takes the text of a string, in [`Encoding::Cesu8`], and its position; `None` for a null.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Negative`], [`DecodeErrorKind::UnexpectedEof`], [`DecodeErrorKind::NotText`].
    pub fn text(&mut self) -> Result<Option<(&'a [u8], usize)>> {
        let format = StringFormat::new(Encoding::Cesu8, Length::IntUnits(self.order));
        let rest = &self.bytes[self.position..];
        let moved = |error: crate::DecodeError| error.moved(self.position);
        match format.or_null().front(rest, i32::MAX as usize).map_err(moved)? {
            TextPrefix::Whole { text, end } => {
                let start = self.position;
                self.position += end;
                Ok(text.map(|text| (&rest[text.clone()], start + text.start)))
            }
            TextPrefix::Incomplete(missing) => {
                Err(DecodeErrorKind::UnexpectedEof { missing }.at("string", self.position))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(stated: i32, width: usize) -> Result<Option<usize>> {
        let mut bytes = stated.to_be_bytes().to_vec();
        bytes.extend([0; 8]);
        Input::at(&bytes, 0, ByteOrder::Big).count(width)
    }

    #[test]
    fn length_is_checked_against_the_remaining_bytes() {
        assert_eq!(counted(-1, 4), Ok(None));
        assert_eq!(counted(0, 4), Ok(Some(0)));
        assert_eq!(counted(2, 4), Ok(Some(2)));
        assert_eq!(
            counted(3, 4),
            Err(DecodeErrorKind::UnexpectedEof { missing: 4 }.at("length", 0))
        );
        assert_eq!(counted(-2, 4), Err(DecodeErrorKind::Negative { value: -2 }.at("length", 0)));
        let missing = 8 * i32::MAX as usize - 8;
        assert_eq!(
            counted(i32::MAX, 8),
            Err(DecodeErrorKind::UnexpectedEof { missing }.at("length", 0))
        );
    }

    #[test]
    fn positions_count_from_the_start_of_the_data() {
        let mut input = Input::new(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 2], ByteOrder::Little);
        assert_eq!(input.position(), 8);
        assert_eq!(input.u16(), Ok(0x0201));
        assert_eq!(input.i8(), Err(DecodeErrorKind::UnexpectedEof { missing: 1 }.at("i8", 10)));
    }
}
