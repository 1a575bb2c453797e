//! Writer of values for a Java `ObjectDataInput`.

use crate::{
    TooLong,
    frame::ByteOrder,
    text::{Encoding, Length, StringFormat, TextError},
};

/// Writer of a payload, as Java's `ObjectDataOutput`.
#[derive(Clone, Debug)]
pub struct Output {
    bytes: Vec<u8>,
    order: ByteOrder,
}

macro_rules! numbers {
    ($($number:ident),*) => {$(
        /// Writes a number.
        #[inline]
        pub fn $number(&mut self, value: $number) {
            self.bytes.extend_from_slice(&match self.order {
                ByteOrder::Big => value.to_be_bytes(),
                ByteOrder::Little => value.to_le_bytes(),
            });
        }
    )*};
}

impl Output {
    /// Creates an empty output.
    #[must_use]
    pub fn new(order: ByteOrder) -> Self {
        Self { bytes: Vec::new(), order }
    }

    /// Starts a `Data` with its header, which is always big-endian.
    #[must_use]
    pub fn data(partition_hash: i32, type_id: i32, order: ByteOrder) -> Self {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend_from_slice(&partition_hash.to_be_bytes());
        bytes.extend_from_slice(&type_id.to_be_bytes());
        Self { bytes, order }
    }

    /// Starts another `Data` in the same memory; the previous one is discarded.
    pub fn restart(&mut self, partition_hash: i32, type_id: i32) {
        self.bytes.clear();
        self.bytes.extend_from_slice(&partition_hash.to_be_bytes());
        self.bytes.extend_from_slice(&type_id.to_be_bytes());
    }

    /// Overwrites the type id of the `Data` that was started.
    pub fn retype(&mut self, type_id: i32) {
        if let Some(place) = self.bytes.get_mut(4..).and_then(<[u8]>::first_chunk_mut) {
            *place = type_id.to_be_bytes();
        }
    }

    /// Returns the written bytes.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Byte order of the payload.
    #[must_use]
    pub fn order(&self) -> ByteOrder {
        self.order
    }

    numbers!(i8, u16, i16, i32, i64, f32, f64);

    /// Writes bytes unchanged.
    pub fn raw(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Writes a number of elements; `None` is a null.
    ///
    /// # Errors
    /// [`TooLong`] if it does not fit 31 bits.
    pub fn count(&mut self, count: Option<usize>) -> Result<(), TooLong> {
        let count = match count {
            None => -1,
            Some(len) => i32::try_from(len)
                .map_err(|_| TooLong { len, max: i32::MAX.cast_unsigned() as usize })?,
        };
        self.i32(count);
        Ok(())
    }

    /// Writes bytes after their number; `None` is a null.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn byte_array(&mut self, bytes: Option<&[u8]>) -> Result<(), TooLong> {
        self.count(bytes.map(<[u8]>::len))?;
        self.raw(bytes.unwrap_or_default());
        Ok(())
    }

    /// Writes a string; `None` is a null.
    ///
    /// # Errors
    /// [`TooLong`].
    pub fn string(&mut self, text: Option<&str>) -> Result<(), TooLong> {
        match text {
            Some(text) => self.format().encode(text, &mut self.bytes),
            None => self.count(None),
        }
    }

    /// Writes a string in WTF-8: UTF-8, with three bytes for each lone surrogate.
    ///
    /// # Errors
    /// [`TextError`] if the text is malformed or too long.
    pub fn string_wtf8(&mut self, text: &[u8]) -> Result<(), TextError> {
        self.format().encode_wtf8(text, &mut self.bytes)
    }

    fn format(&self) -> StringFormat {
        StringFormat::new(Encoding::Cesu8, Length::IntUnits(self.order))
    }

    /// Overwrites an `int` at `position` from the start; false if the output is shorter.
    #[must_use]
    pub fn put_i32(&mut self, position: usize, value: i32) -> bool {
        let Some(place) = self.bytes.get_mut(position..).and_then(<[u8]>::first_chunk_mut) else {
            return false;
        };
        *place = match self.order {
            ByteOrder::Big => value.to_be_bytes(),
            ByteOrder::Little => value.to_le_bytes(),
        };
        true
    }
}
