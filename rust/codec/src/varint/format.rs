//! Formats of varints: protobuf's base 128, zigzag, Hadoop's `VLong`.

use super::{MAX_LEN, decode, decode_vlong, put, put_vlong, unzigzag, zigzag};
use crate::{DecodeErrorKind, SimdLevel, kernels, primitives::Base128};

/// Format of a variable-length integer.
pub trait Format: sealed::Format {
    /// Type of the values.
    type Value: Copy + Send + std::fmt::Debug + PartialEq + 'static;

    /// Name of the format, for errors.
    const NAME: &'static str;

    /// Reads the value at the start of `bytes`, and its number of bytes.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if `bytes` ends first; [`DecodeErrorKind::EndlessVarint`] or
    /// [`DecodeErrorKind::Unexpected`] if it is malformed.
    fn decode(bytes: &[u8]) -> Result<(Self::Value, usize), DecodeErrorKind>;

    /// Writes `value` to the start of `out`, and returns its number of bytes.
    fn put(value: Self::Value, out: &mut [u8; MAX_LEN]) -> usize;

    /// Appends `value` to `out`.
    fn encode(value: Self::Value, out: &mut Vec<u8>) {
        let mut array = [0; MAX_LEN];
        let len = Self::put(value, &mut array);
        out.extend_from_slice(&array[..len]);
    }
}

pub(super) mod sealed {
    use crate::SimdLevel;

    pub trait Format {
        type Out;

        /// Decodes complete values from the start, as far as the kernels can, and returns the number of bytes
        /// read.
        fn decode_run(bytes: &[u8], out: &mut Vec<Self::Out>, level: SimdLevel) -> usize;

        fn encode_run(values: &[Self::Out], out: &mut Vec<u8>, level: SimdLevel);
    }
}

macro_rules! base128 {
    ($($(#[$doc:meta])* $format:ident($value:ty) $name:literal, $from:expr, $to:expr);* $(;)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $format;

        impl Base128 for $format {
            type Value = $value;

            #[inline]
            fn from_wire(wire: u64) -> $value {
                let from: fn(u64) -> $value = $from;
                from(wire)
            }

            #[inline]
            fn to_wire(value: $value) -> u64 {
                let to: fn($value) -> u64 = $to;
                to(value)
            }
        }

        impl Format for $format {
            type Value = $value;
            const NAME: &'static str = $name;

            #[inline]
            fn decode(bytes: &[u8]) -> Result<($value, usize), DecodeErrorKind> {
                decode(bytes).map(|(wire, len)| (Self::from_wire(wire), len))
            }

            #[inline]
            fn put(value: $value, out: &mut [u8; MAX_LEN]) -> usize {
                put(Self::to_wire(value), out)
            }
        }

        impl sealed::Format for $format {
            type Out = $value;

            fn decode_run(bytes: &[u8], out: &mut Vec<$value>, level: SimdLevel) -> usize {
                kernels::varint::decode::<Self>(bytes, out, level)
            }

            fn encode_run(values: &[$value], out: &mut Vec<u8>, level: SimdLevel) {
                kernels::varint::encode::<Self>(values, out, level);
            }
        }
    )*};
}

base128!(
    /// Unsigned, 32 bits, up to 5 bytes: protobuf's `uint32`.
    Unsigned32(u32) "uint32 varint", low, u64::from;
    /// Unsigned, 64 bits: protobuf's `uint64`.
    Unsigned64(u64) "uint64 varint", |wire| wire, |value| value;
    /// Two's complement, 32 bits, up to 5 bytes (not a format of protobuf).
    Signed32(i32) "int32 varint", |wire| low(wire).cast_signed(), |value| value.cast_unsigned().into();
    /// Two's complement, 64 bits: protobuf's `int64`.
    Signed64(i64) "int64 varint", u64::cast_signed, i64::cast_unsigned;
    /// Protobuf's `int32`: sign-extended to 64 bits, so that a negative number takes ten bytes.
    ProtobufInt32(i32) "protobuf int32", |wire| low(wire).cast_signed(),
        |value| i64::from(value).cast_unsigned();
    /// The sign in the lowest bit, 32 bits: protobuf's `sint32`.
    ZigZag32(i32) "sint32 varint",
        |wire| {
            let wire = low(wire);
            (wire >> 1).cast_signed() ^ -(wire & 1).cast_signed()
        },
        |value| (value << 1 ^ value >> 31).cast_unsigned().into();
    /// The sign in the lowest bit, 64 bits: protobuf's `sint64`.
    ZigZag64(i64) "sint64 varint", unzigzag, zigzag;
);

/// Low half, which protobuf keeps for 32 bits.
#[inline]
fn low(wire: u64) -> u32 {
    let [b0, b1, b2, b3, ..] = wire.to_le_bytes();
    u32::from_le_bytes([b0, b1, b2, b3])
}

/// Hadoop's `WritableUtils.writeVLong`.
#[derive(Clone, Copy, Debug)]
pub struct VLong;

/// Hadoop's `WritableUtils.writeVInt`: a [`VLong`] that must fit an `int`.
#[derive(Clone, Copy, Debug)]
pub struct VInt;

impl Format for VLong {
    type Value = i64;
    const NAME: &'static str = "vlong";

    fn decode(bytes: &[u8]) -> Result<(i64, usize), DecodeErrorKind> {
        decode_vlong(bytes)
    }

    fn put(value: i64, out: &mut [u8; MAX_LEN]) -> usize {
        put_vlong(value, out)
    }
}

impl Format for VInt {
    type Value = i32;
    const NAME: &'static str = "vint";

    fn decode(bytes: &[u8]) -> Result<(i32, usize), DecodeErrorKind> {
        let (value, len) = decode_vlong(bytes)?;
        match i32::try_from(value) {
            Ok(value) => Ok((value, len)),
            Err(_) => Err(DecodeErrorKind::Unexpected { value, expected: "an int" }),
        }
    }

    fn put(value: i32, out: &mut [u8; MAX_LEN]) -> usize {
        put_vlong(value.into(), out)
    }
}

macro_rules! vlong_runs {
    ($($format:ty, $value:ty);*) => {$(
        impl sealed::Format for $format {
            type Out = $value;

            fn decode_run(bytes: &[u8], out: &mut Vec<$value>, _: SimdLevel) -> usize {
                kernels::vlong::decode(bytes, out)
            }

            fn encode_run(values: &[$value], out: &mut Vec<u8>, _: SimdLevel) {
                super::bulk::encode_vlongs(values, out);
            }
        }
    )*};
}

vlong_runs!(VLong, i64; VInt, i32);
