//! Varints: base-128 (protobuf, least significant byte first), zigzag, and Hadoop's `VInt`/`VLong`.

mod bulk;
mod format;
mod incremental;

use crate::{
    DecodeErrorKind,
    kernels::varint::{ENDS, compact},
};

pub use bulk::{decode_all, encode_all};
pub use format::{
    Format, ProtobufInt32, Signed32, Signed64, Unsigned32, Unsigned64, VInt, VLong, ZigZag32,
    ZigZag64,
};
pub use incremental::Decoder;

/// Reads a base-128 varint from the start of `bytes`: its value and its number of bytes.
///
/// Bits beyond the 64th are dropped, as in protobuf's `CodedInputStream`.
///
/// # Errors
/// [`DecodeErrorKind::UnexpectedEof`] if `bytes` ends first, [`DecodeErrorKind::EndlessVarint`] after ten
/// bytes.
#[inline]
pub fn decode(bytes: &[u8]) -> Result<(u64, usize), DecodeErrorKind> {
    // Nearly every tag, length and small number.
    if let [byte @ ..0x80, ..] = *bytes {
        return Ok((byte.into(), 1));
    }
    if let Some(word) = bytes.first_chunk() {
        let word = u64::from_le_bytes(*word);
        let ends = !word & ENDS;
        if ends != 0 {
            let up_to_end = ends ^ ends.wrapping_sub(1);
            let len = ends.trailing_zeros() as usize / 8 + 1;
            return Ok((compact(word & up_to_end & !ENDS), len));
        }
    }
    decode_bytes(bytes)
}

/// Reads a varint from few bytes, or one that takes many.
fn decode_bytes(bytes: &[u8]) -> Result<(u64, usize), DecodeErrorKind> {
    let mut value = 0;
    for (index, &byte) in bytes.iter().take(MAX_LEN).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok((value, index + 1));
        }
    }
    if bytes.len() < MAX_LEN {
        Err(DecodeErrorKind::UnexpectedEof { missing: 1 })
    } else {
        Err(DecodeErrorKind::EndlessVarint { limit: MAX_LEN })
    }
}

/// Appends `value` as a base-128 varint.
pub fn encode(value: u64, out: &mut Vec<u8>) {
    let mut array = [0; MAX_LEN];
    let len = put(value, &mut array);
    out.extend_from_slice(&array[..len]);
}

/// Writes `value` as a base-128 varint to the start of `out`, and returns its number of bytes.
#[inline]
pub(crate) fn put(mut value: u64, out: &mut [u8; MAX_LEN]) -> usize {
    let mut len = 0;
    while value >= 0x80 {
        out[len] = value.to_le_bytes()[0] | 0x80;
        value >>= 7;
        len += 1;
    }
    out[len] = value.to_le_bytes()[0];
    len + 1
}

/// Reverses [`zigzag`].
#[must_use]
pub fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

/// Moves the sign into the lowest bit, so that small negative numbers stay short.
#[must_use]
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Reads a Hadoop `VInt` or `VLong` from the start of `bytes`: its value and its number of bytes.
///
/// `WritableUtils.readVLong`: a first byte of -112 or more is the value; a lower one has the sign and the
/// number of big-endian bytes that follow (of the value, or of its complement if it is negative).
///
/// # Errors
/// [`DecodeErrorKind::UnexpectedEof`] if `bytes` ends first.
pub fn decode_vlong(bytes: &[u8]) -> Result<(i64, usize), DecodeErrorKind> {
    let Some((&first, tail)) = bytes.split_first() else {
        return Err(DecodeErrorKind::UnexpectedEof { missing: 1 });
    };
    let first = first.cast_signed();
    let (len, negative) = match first {
        -112.. => return Ok((first.into(), 1)),
        -120..=-113 => (usize::from((-112 - first).cast_unsigned()), false),
        _ => (usize::from((-120 - first).cast_unsigned()), true),
    };
    let Some(magnitude) = tail.get(..len) else {
        return Err(DecodeErrorKind::UnexpectedEof { missing: len - tail.len() });
    };
    let value = magnitude.iter().fold(0_i64, |value, &byte| value << 8 | i64::from(byte));
    Ok((if negative { !value } else { value }, 1 + len))
}

/// Appends `value` as `WritableUtils.writeVLong` does.
pub fn encode_vlong(value: i64, out: &mut Vec<u8>) {
    let mut array = [0; MAX_LEN];
    let len = put_vlong(value, &mut array);
    out.extend_from_slice(&array[..len]);
}

/// Writes `value` as `WritableUtils.writeVLong` does to the start of `out`, and returns its number of bytes.
#[inline]
pub(crate) fn put_vlong(value: i64, out: &mut [u8; MAX_LEN]) -> usize {
    if (-112..=127).contains(&value) {
        out[0] = value.to_le_bytes()[0];
        return 1;
    }
    let (magnitude, base) = if value < 0 { (!value, -120) } else { (value, -112_i64) };
    // 1 to 8: a magnitude of zero was written in one byte.
    let len = 8 - magnitude.leading_zeros() / 8;
    out[0] = (base - i64::from(len)).to_le_bytes()[0];
    let highest_first = (magnitude.cast_unsigned() << (64 - 8 * len)).to_be_bytes();
    out[1..9].copy_from_slice(&highest_first);
    1 + len as usize
}

/// Maximum number of bytes of a 64-bit value.
pub const MAX_LEN: usize = 10;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn decode_undoes_encode(value: u64, tail: [u8; 2]) {
            let mut wire = Vec::new();
            encode(value, &mut wire);
            let len = wire.len();
            wire.extend_from_slice(&tail);
            prop_assert_eq!(decode(&wire), Ok((value, len)));
        }

        #[test]
        fn unzigzag_undoes_zigzag(value: i64) {
            prop_assert_eq!(unzigzag(zigzag(value)), value);
        }

        #[test]
        fn decode_vlong_undoes_encode_vlong(value: i64, shift in 0..64_u32) {
            let value = value >> shift;
            let mut wire = Vec::new();
            encode_vlong(value, &mut wire);
            prop_assert_eq!(decode_vlong(&wire), Ok((value, wire.len())));
            for cut in 0..wire.len() {
                let cut_short = decode_vlong(&wire[..cut]);
                prop_assert!(cut_short.is_err(), "{cut_short:?}");
            }
        }
    }

    #[test]
    fn varint_that_does_not_end_is_refused() {
        assert_eq!(decode(&[0x80; 9]), Err(DecodeErrorKind::UnexpectedEof { missing: 1 }));
        assert_eq!(decode(&[0x80; 11]), Err(DecodeErrorKind::EndlessVarint { limit: 10 }));
    }

    #[test]
    fn edges_are_where_java_has_them() {
        for (value, wire) in [
            (127, &[0x7f][..]),
            (128, &[0x8f, 0x80]),
            (-112, &[0x90]),
            (-113, &[0x87, 0x70]),
            (i64::MIN, &[0x80, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
        ] {
            let mut out = Vec::new();
            encode_vlong(value, &mut out);
            assert_eq!(out, wire, "{value}");
        }
        assert_eq!(zigzag(-3), 5);
        assert_eq!(zigzag(-33), 65);
    }
}

#[cfg(test)]
mod laws;
