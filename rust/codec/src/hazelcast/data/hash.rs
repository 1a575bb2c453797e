use super::{HEADER_LEN, type_of};
use crate::{Cursor, Result};

/// Returns the hash that picks the partition of `data`: the one in its header if that is not zero,
/// else that of the payload (`HeapData.getPartitionHash`).
///
/// # Errors
/// [`crate::Problem::Missing`] if there is something and it is less than the header.
pub fn partition_hash(data: &[u8]) -> Result<i32> {
    type_of(data)?;
    let stated = if data.is_empty() { 0 } else { Cursor::new(data).i32_be("partition hash")? };
    if stated != 0 {
        return Ok(stated);
    }
    Ok(murmur3_x86_32(data.get(HEADER_LEN..).unwrap_or_default(), SEED))
}

/// Returns the partition, of `count`, that a hash picks (`HashUtil.hashToIndex`).
#[must_use]
pub fn partition_id(hash: i32, count: i32) -> i32 {
    // There is no positive number for the lowest one.
    hash.checked_abs().unwrap_or(0) % count.max(1)
}

/// Returns `MurmurHash3_x86_32`, Austin Appleby's, of `bytes`.
#[must_use]
pub fn murmur3_x86_32(bytes: &[u8], seed: u32) -> i32 {
    let (blocks, tail) = bytes.as_chunks::<4>();
    let mut hash = seed;
    for block in blocks {
        hash ^= scramble(u32::from_le_bytes(*block));
        hash = hash.rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    if !tail.is_empty() {
        let mut last = [0; 4];
        last[..tail.len()].copy_from_slice(tail);
        hash ^= scramble(u32::from_le_bytes(last));
    }
    #[expect(clippy::cast_possible_truncation, reason = "Java's lengths are of 31 bits")]
    let len = bytes.len() as u32;
    hash ^= len;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    (hash ^ hash >> 16).cast_signed()
}

fn scramble(block: u32) -> u32 {
    block.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

/// `HashUtil.DEFAULT_MURMUR_SEED`.
pub const SEED: u32 = 0x0100_0193;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_murmurs() {
        // From the reference implementation's verification value for each length of tail.
        assert_eq!(murmur3_x86_32(b"", 0), 0);
        assert_eq!(murmur3_x86_32(b"", 1), 0x514e_28b7);
        assert_eq!(murmur3_x86_32(b"test", 0), 0xba6b_d213_u32.cast_signed());
        assert_eq!(murmur3_x86_32(b"Hello, world!", 0), 0xc036_3e43_u32.cast_signed());
    }

    #[test]
    fn a_hash_in_the_header_goes_before_that_of_the_payload() {
        let mut data = vec![0, 0, 0, 7, 0xff, 0xff, 0xff, 0xf5];
        assert_eq!(partition_hash(&data), Ok(7));
        data[3] = 0;
        assert_eq!(partition_hash(&data), Ok(murmur3_x86_32(b"", SEED)));
    }

    #[test]
    fn the_lowest_hash_picks_the_first_partition() {
        assert_eq!(partition_id(i32::MIN, 271), 0);
        assert_eq!(partition_id(-272, 271), 1);
        assert_eq!(partition_id(272, 271), 1);
    }
}
