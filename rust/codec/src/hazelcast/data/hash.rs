//! Partition of a key: `MurmurHash3` of its `Data`.

use super::{HEADER_LEN, type_of};
use crate::{Cursor, Result};

/// Returns the hash that selects the partition of `data`: the one in its header if that is not zero, else that
/// of the payload (`HeapData.getPartitionHash`).
///
/// # Errors
/// [`crate::DecodeErrorKind::UnexpectedEof`] if `data` is not empty and shorter than the header.
pub fn partition_hash(data: &[u8]) -> Result<i32> {
    type_of(data)?;
    let stated = if data.is_empty() { 0 } else { Cursor::new(data).i32_be("partition hash")? };
    if stated != 0 {
        return Ok(stated);
    }
    Ok(murmur3_x86_32(data.get(HEADER_LEN..).unwrap_or_default(), SEED))
}

/// Returns the partition, of `count`, that a hash selects (`HashUtil.hashToIndex`).
#[must_use]
pub fn partition_id(hash: i32, count: i32) -> i32 {
    // There is no positive number for the lowest one.
    hash.checked_abs().unwrap_or(0) % count.max(1)
}

/// Returns `MurmurHash3_x86_32` (by Austin Appleby) of `bytes`.
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

/// Returns the hash that distinguishes values where they are only counted: the 64-bit hash of the payload of
/// `data` (`HeapData.hash64`).
///
/// # Errors
/// [`crate::DecodeErrorKind::UnexpectedEof`] if `data` is not empty and shorter than the header.
pub fn hash64(data: &[u8]) -> Result<i64> {
    type_of(data)?;
    Ok(murmur3_x64_64(data.get(HEADER_LEN..).unwrap_or_default(), SEED))
}

/// Returns `HashUtil.MurmurHash3_x64_64` of `bytes`: an early draft of `MurmurHash3`, whose multipliers change
/// from block to block, and which reads the bytes after the last block as signed.
#[must_use]
pub fn murmur3_x64_64(bytes: &[u8], seed: u32) -> i64 {
    let (blocks, tail) = bytes.as_chunks::<16>();
    let mut mix = Mix::new(seed);
    for block in blocks {
        let block = u128::from_le_bytes(*block);
        #[expect(clippy::cast_possible_truncation, reason = "each half of the block")]
        mix.block(block as u64, (block >> 64) as u64);
        mix.first = mix.first.wrapping_mul(5).wrapping_add(0x7b7d_159c);
        mix.second = mix.second.wrapping_mul(5).wrapping_add(0x6bce_6396);
    }
    if !tail.is_empty() {
        let mut halves = [0; 2];
        for (at, byte) in tail.iter().enumerate() {
            let signed = i64::from(byte.cast_signed()).cast_unsigned();
            halves[at / 8] ^= signed << (8 * (at % 8));
        }
        mix.block(halves[0], halves[1]);
    }
    mix.finish(bytes.len() as u64).cast_signed()
}

/// State of [`murmur3_x64_64`].
struct Mix {
    low: u64,
    high: u64,
    first: u64,
    second: u64,
}

impl Mix {
    fn new(seed: u32) -> Self {
        Self {
            low: 0x9368_e53c_2f6a_f274 ^ u64::from(seed),
            high: 0x586d_cd20_8f7c_d3fd ^ u64::from(seed),
            first: 0x87c3_7b91_1142_53d5,
            second: 0x4cf5_ad43_2745_937f,
        }
    }

    fn block(&mut self, low: u64, high: u64) {
        self.low ^= low.wrapping_mul(self.first).rotate_left(23).wrapping_mul(self.second);
        self.low = self.low.wrapping_add(self.high);
        self.high = self.high.rotate_left(41);
        self.high ^= high.wrapping_mul(self.second).rotate_left(23).wrapping_mul(self.first);
        self.high = self.high.wrapping_add(self.low);
        self.low = self.low.wrapping_mul(3).wrapping_add(0x52dc_e729);
        self.high = self.high.wrapping_mul(3).wrapping_add(0x3849_5ab5);
    }

    fn finish(self, len: u64) -> u64 {
        let high = self.high ^ len;
        let low = self.low.wrapping_add(high);
        let high = high.wrapping_add(low);
        avalanche(low).wrapping_add(avalanche(high))
    }
}

fn avalanche(hash: u64) -> u64 {
    let hash = (hash ^ hash >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ hash >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ hash >> 33
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
    fn hash_is_murmurs() {
        // From the reference implementation's verification value for each length of tail.
        assert_eq!(murmur3_x86_32(b"", 0), 0);
        assert_eq!(murmur3_x86_32(b"", 1), 0x514e_28b7);
        assert_eq!(murmur3_x86_32(b"test", 0), 0xba6b_d213_u32.cast_signed());
        assert_eq!(murmur3_x86_32(b"Hello, world!", 0), 0xc036_3e43_u32.cast_signed());
    }

    #[test]
    fn hash_in_the_header_goes_before_that_of_the_payload() {
        let mut data = vec![0, 0, 0, 7, 0xff, 0xff, 0xff, 0xf5];
        assert_eq!(partition_hash(&data), Ok(7));
        data[3] = 0;
        assert_eq!(partition_hash(&data), Ok(murmur3_x86_32(b"", SEED)));
    }

    #[test]
    fn lowest_hash_picks_the_first_partition() {
        assert_eq!(partition_id(i32::MIN, 271), 0);
        assert_eq!(partition_id(-272, 271), 1);
        assert_eq!(partition_id(272, 271), 1);
    }
}
