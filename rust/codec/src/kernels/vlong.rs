//! Hadoop's `VInt` and `VLong` in bulk.

use super::append_written;
use crate::buffer_pool;

/// Decodes values from the start of `bytes` while a block and the longest value after it are available, and
/// returns the number of bytes read. Stops before a value that `T` cannot represent.
pub(crate) fn decode<T: TryFrom<i64> + Copy + Send + 'static>(
    bytes: &[u8],
    out: &mut Vec<T>,
) -> usize {
    let mut start = 0;
    while let Some(block) = bytes.get(start..).and_then(<[u8]>::first_chunk::<FRONT>) {
        let Some(len) = decode_block(block, out) else { return start };
        start += len;
    }
    start
}

/// Decodes the values that begin in the first `BLOCK` bytes, or none if one cannot be represented.
#[inline(always)]
fn decode_block<T: TryFrom<i64> + Copy + Send + 'static>(
    front: &[u8; FRONT],
    out: &mut Vec<T>,
) -> Option<usize> {
    // How long the value is that each byte would begin: known for all before the first is read, so
    // that each value waits for one load only.
    let mut lens = [0_u8; BLOCK];
    for (len, &first) in lens.iter_mut().zip(front) {
        *len = if first & 0xf0 == 0x80 { 9 - (first & 7) } else { 1 };
    }
    buffer_pool::reserve(out, BLOCK);
    let slots = &mut out.spare_capacity_mut()[..BLOCK];
    let (mut at, mut count, mut fits) = (0, 0, true);
    while let Some(&len) = lens.get(at) {
        let [first, magnitude @ ..] = front[at..].first_chunk::<9>()?;
        // Of one byte, the value is the byte, whatever comes out here.
        let magnitude = u64::from_be_bytes(*magnitude) >> ((72 - 8 * u32::from(len)) & 63);
        // 0x80 to 0x87 are negative.
        let sign = (u64::from(*first & 8) >> 3).wrapping_sub(1);
        let long = (magnitude ^ sign).cast_signed();
        let value = if len == 1 { first.cast_signed().into() } else { long };
        match T::try_from(value) {
            Ok(value) => {
                slots[count].write(value);
            }
            Err(_) => fits = false,
        }
        at += usize::from(len);
        count += 1;
    }
    if !fits {
        return None;
    }
    // SAFETY: the loop wrote one slot per value counted, or `fits` would be false.
    unsafe { append_written(out, count) };
    Some(at)
}

/// Number of bytes whose values are decoded together.
const BLOCK: usize = 64;

/// Number of bytes that must be available: the longest value can begin at the block's last byte.
const FRONT: usize = BLOCK + 8;
