//! Numbers and UUIDs of fixed width, in either byte order, in bulk.

use std::marker::PhantomData;

use crate::{DecodeError, DecodeErrorKind, buffer_pool, primitives::ByteOrder};

pub use crate::primitives::Uuid;

/// Value of a fixed number of bytes.
pub trait Fixed: Copy + sealed::Fixed {
    /// Number of bytes of one value.
    const LEN: usize;
}

mod sealed {
    pub trait Fixed: Sized {
        fn decode(bytes: &[u8], order: super::ByteOrder) -> Option<Self>;
        fn put(self, order: super::ByteOrder, out: &mut [u8; super::WIDEST]);
        fn decode_all(bytes: &[u8], order: super::ByteOrder, out: &mut Vec<Self>);
        fn encode_all(values: &[Self], order: super::ByteOrder, out: &mut Vec<u8>);
    }
}

/// Reads the value at the start of `bytes`.
///
/// # Errors
/// [`DecodeErrorKind::UnexpectedEof`] if `bytes` ends first.
pub fn decode<T: Fixed>(bytes: &[u8], order: ByteOrder) -> Result<T, DecodeErrorKind> {
    T::decode(bytes, order)
        .ok_or(DecodeErrorKind::UnexpectedEof { missing: T::LEN.saturating_sub(bytes.len()) })
}

/// Writes `value` to the start of `out`: [`Fixed::LEN`] bytes.
pub fn put<T: Fixed>(value: T, order: ByteOrder, out: &mut [u8; WIDEST]) {
    value.put(order, out);
}

/// Appends all complete values in `bytes` to `out`, and returns the number of bytes read; the rest is the start
/// of an incomplete value.
///
/// ```
/// use jvmwire_codec::{fixed, frame::ByteOrder};
///
/// let mut values: Vec<i16> = Vec::new();
/// assert_eq!(fixed::decode_all(&[0, 1, 0xff, 0xfe, 7], ByteOrder::Big, &mut values), 4);
/// assert_eq!(values, [1, -2]);
/// ```
pub fn decode_all<T: Fixed>(bytes: &[u8], order: ByteOrder, out: &mut Vec<T>) -> usize {
    let whole = bytes.len() - bytes.len() % T::LEN;
    T::decode_all(&bytes[..whole], order, out);
    whole
}

/// Appends `values` to `out`.
pub fn encode_all<T: Fixed>(values: &[T], order: ByteOrder, out: &mut Vec<u8>) {
    T::encode_all(values, order, out);
}

/// Incremental decoder of a stream of values.
#[derive(Clone, Debug)]
pub struct Decoder<T> {
    held: [u8; WIDEST],
    len: usize,
    offset: usize,
    order: ByteOrder,
    value: PhantomData<T>,
}

impl<T: Fixed> Decoder<T> {
    /// Creates a decoder at the start of a stream.
    #[must_use]
    pub fn new(order: ByteOrder) -> Self {
        Self { held: [0; WIDEST], len: 0, offset: 0, order, value: PhantomData }
    }

    /// Feeds a chunk, and appends the values that are complete now to `out`.
    pub fn feed(&mut self, chunk: &[u8], out: &mut Vec<T>) {
        let mut rest = chunk;
        if self.len > 0 {
            let (front, after) = rest.split_at(rest.len().min(T::LEN - self.len));
            self.held[self.len..self.len + front.len()].copy_from_slice(front);
            self.len += front.len();
            rest = after;
            if self.len < T::LEN {
                return;
            }
            self.offset += decode_all(&self.held[..T::LEN], self.order, out);
        }
        let whole = decode_all(rest, self.order, out);
        self.offset += whole;
        rest = &rest[whole..];
        self.len = rest.len();
        self.held[..self.len].copy_from_slice(rest);
    }

    /// Checks that the stream ended at the end of a value.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if the stream ended inside a value.
    pub fn finish(&self, what: &'static str) -> Result<(), DecodeError> {
        match self.len {
            0 => Ok(()),
            len => {
                Err(DecodeErrorKind::UnexpectedEof { missing: T::LEN - len }.at(what, self.offset))
            }
        }
    }

    /// Number of bytes that wait for the rest of their value.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.len
    }
}

macro_rules! fixed {
    ($($value:ty, $len:literal);*) => {$(
        impl Fixed for $value {
            const LEN: usize = $len;
        }

        impl sealed::Fixed for $value {
            fn decode(bytes: &[u8], order: ByteOrder) -> Option<Self> {
                bytes.first_chunk().map(|array| match order {
                    ByteOrder::Big => Self::from_be_bytes(*array),
                    ByteOrder::Little => Self::from_le_bytes(*array),
                })
            }

            fn put(self, order: ByteOrder, out: &mut [u8; WIDEST]) {
                out[..$len].copy_from_slice(&match order {
                    ByteOrder::Big => self.to_be_bytes(),
                    ByteOrder::Little => self.to_le_bytes(),
                });
            }

            fn decode_all(bytes: &[u8], order: ByteOrder, out: &mut Vec<Self>) {
                let (arrays, _) = bytes.as_chunks::<$len>();
                buffer_pool::reserve(out, arrays.len());
                match order {
                    ByteOrder::Big => out.extend(arrays.iter().map(|it| Self::from_be_bytes(*it))),
                    ByteOrder::Little => {
                        out.extend(arrays.iter().map(|it| Self::from_le_bytes(*it)));
                    }
                }
            }

            fn encode_all(values: &[Self], order: ByteOrder, out: &mut Vec<u8>) {
                let start = out.len();
                out.resize(start + values.len() * $len, 0);
                let (arrays, _) = out[start..].as_chunks_mut::<$len>();
                for (array, value) in arrays.iter_mut().zip(values) {
                    *array = match order {
                        ByteOrder::Big => value.to_be_bytes(),
                        ByteOrder::Little => value.to_le_bytes(),
                    };
                }
            }
        }
    )*};
}

fixed!(
    u8, 1; i8, 1; u16, 2; i16, 2; u32, 4; i32, 4; u64, 8; i64, 8; f32, 4; f64, 8; Uuid, 16
);

/// Number of bytes of the widest value.
pub const WIDEST: usize = 16;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Cursor;

    macro_rules! round_trip {
        ($($name:ident $value:ty, $big:ident $little:ident);*) => {$(
            proptest! {
                #[test]
                fn $name(
                    values in prop::collection::vec(any::<[u8; <$value>::LEN]>(), 0..20),
                    tail in 0..<$value>::LEN,
                    step in 1..40_usize,
                ) {
                    let values: Vec<_> =
                        values.into_iter().map(<$value>::from_be_bytes).collect();
                    for order in [ByteOrder::Big, ByteOrder::Little] {
                        let mut wire = Vec::new();
                        encode_all(&values, order, &mut wire);
                        let len = wire.len();
                        wire.resize(len + tail, 0);
                        let mut decoded: Vec<$value> = Vec::new();
                        prop_assert_eq!(decode_all(&wire, order, &mut decoded), len);
                        let mut one_by_one = Cursor::new(&wire);
                        for (value, decoded) in values.iter().zip(&decoded) {
                            let single = match order {
                                ByteOrder::Big => one_by_one.$big("value"),
                                ByteOrder::Little => one_by_one.$little("value"),
                            };
                            let bits = value.to_be_bytes();
                            prop_assert_eq!(decoded.to_be_bytes(), bits);
                            prop_assert_eq!(single.unwrap().to_be_bytes(), bits);
                            let mut alone = [0; WIDEST];
                            put(*value, order, &mut alone);
                            let back: $value = super::decode(&alone, order).unwrap();
                            prop_assert_eq!(back.to_be_bytes(), bits);
                            let torn = super::decode::<$value>(&alone[1..<$value>::LEN], order);
                            prop_assert_eq!(torn.err(), Some(DecodeErrorKind::UnexpectedEof { missing: 1 }));
                        }
                        prop_assert_eq!(decoded.len(), values.len());
                        let mut decoder = Decoder::<$value>::new(order);
                        let mut fed = Vec::new();
                        for chunk in wire.chunks(step) {
                            decoder.feed(chunk, &mut fed);
                        }
                        prop_assert!(fed.iter().map(|it| it.to_be_bytes()).eq(
                            decoded.iter().map(|it| it.to_be_bytes())
                        ));
                        prop_assert_eq!(decoder.buffered(), tail);
                        let end = decoder.finish("value").map_err(|error| error.offset);
                        prop_assert_eq!(end, if tail > 0 { Err(len) } else { Ok(()) });
                    }
                }
            }
        )*};
    }

    round_trip!(
        bytes_come_back i8, i8_be i8_le;
        shorts_come_back u16, u16_be u16_le;
        ints_come_back i32, i32_be i32_le;
        longs_come_back u64, u64_be u64_le;
        floats_come_back f32, f32_be f32_le;
        doubles_come_back f64, f64_be f64_le;
        uuids_come_back Uuid, uuid_be uuid_le
    );

    #[test]
    fn uuid_is_two_longs_in_either_byte_order() {
        let uuid = Uuid(0x0001_0203_0405_0607_0809_0a0b_0c0d_0e0f);
        assert_eq!(uuid.to_string(), "00010203-0405-0607-0809-0a0b0c0d0e0f");
        assert_eq!(uuid.to_be_bytes()[..3], [0, 1, 2]);
        assert_eq!(uuid.to_le_bytes(), [7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8]);
    }
}
