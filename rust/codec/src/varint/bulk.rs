//! Varints in bulk: whole slices, block by block.

use super::{Format, MAX_LEN, put_vlong};
use crate::{DecodeErrorKind, Result, SimdLevel};

/// Appends all complete values in `bytes` to `out`, and returns the number of bytes read; the rest is the start
/// of an incomplete value.
///
/// # Errors
/// As [`Format::decode`], with the offset in `bytes`; the values before it are in `out`.
///
/// ```
/// use jvmwire_codec::{SimdLevel, varint};
///
/// let mut values = Vec::new();
/// let wire = [3, 0xac, 0x02, 0x80];
/// let taken = varint::decode_all::<varint::Unsigned64>(&wire, &mut values, SimdLevel::current());
/// assert_eq!((taken, values), (Ok(3), vec![3, 300]));
/// ```
pub fn decode_all<F: Format<Out = <F as Format>::Value>>(
    bytes: &[u8],
    out: &mut Vec<F::Value>,
    level: SimdLevel,
) -> Result<usize> {
    let mut at = F::decode_run(bytes, out, level);
    loop {
        match F::decode(&bytes[at..]) {
            Ok((value, len)) => {
                out.push(value);
                at += len;
            }
            Err(DecodeErrorKind::UnexpectedEof { .. }) => return Ok(at),
            Err(problem) => return Err(problem.at(F::NAME, at)),
        }
    }
}

/// Appends `values` to `out`.
pub fn encode_all<F: Format<Out = <F as Format>::Value>>(
    values: &[F::Value],
    out: &mut Vec<u8>,
    level: SimdLevel,
) {
    F::encode_run(values, out, level);
}

/// Encodes Hadoop's values, a block at a time.
pub(super) fn encode_vlongs<T: Copy + Into<i64>>(values: &[T], out: &mut Vec<u8>) {
    let mut block = [0; BLOCK * MAX_LEN];
    for values in values.chunks(BLOCK) {
        let mut at = 0;
        for &value in values {
            let Some(room) = block[at..].first_chunk_mut() else { break };
            at += put_vlong(value.into(), room);
        }
        out.extend_from_slice(&block[..at]);
    }
}

/// Number of values that are encoded before they are appended.
pub(crate) const BLOCK: usize = 64;
