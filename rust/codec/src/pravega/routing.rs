//! Routing of events to segments and of table keys to partitions: `HashHelper`, the 128-bit `MurmurHash3` of a
//! routing key's UTF-16 units or of a table key, whose first half becomes a position from 0 to 1.

/// Where a routing key stands among the key ranges of a stream's segments, from 0 to below 1.
#[must_use]
pub fn position(key: impl IntoIterator<Item = u16>) -> f64 {
    let mut hash = Murmur::new(SEED);
    let (mut block, mut filled, mut len) = (Block::default(), 0, 0_u64);
    for unit in key {
        block.as_flattened_mut()[filled..][..2].copy_from_slice(&unit.to_le_bytes());
        filled += 2;
        len += 2;
        if filled == 16 {
            hash.take(block);
            (block, filled) = (Block::default(), 0);
        }
    }
    fraction(hash.finish(block, len))
}

/// Position of the primary part of a key among the partitions of a key-value table, from 0 to below 1.
#[must_use]
pub fn table_position(primary_key: &[u8]) -> f64 {
    fraction(hash_bytes(primary_key, TABLE_SEED))
}

fn hash_bytes(data: &[u8], seed: u64) -> u64 {
    let mut hash = Murmur::new(seed);
    let (blocks, rest) = data.as_chunks::<16>();
    for block in blocks {
        hash.take(to_block(block));
    }
    hash.finish(to_block(rest), data.len() as u64)
}

/// Copies at most 16 bytes into a block, and fills it with zeros.
fn to_block(bytes: &[u8]) -> Block {
    let mut block = Block::default();
    block.as_flattened_mut()[..bytes.len()].copy_from_slice(bytes);
    block
}

/// `HashHelper.longToDoubleFraction`.
fn fraction(hash: u64) -> f64 {
    f64::from_bits(ONE | (hash >> 12 & FRACTION)) - 1.0
}

/// Input block of the hash.
type Block = [[u8; 8]; 2];

/// The state of a `MurmurHash3` in its x64 form.
struct Murmur {
    h1: u64,
    h2: u64,
}

impl Murmur {
    fn new(seed: u64) -> Self {
        Self { h1: seed, h2: seed }
    }

    fn take(&mut self, block: Block) {
        let [k1, k2] = mixed(block);
        self.h1 = (self.h1 ^ k1).rotate_left(27).wrapping_add(self.h2);
        self.h1 = self.h1.wrapping_mul(5).wrapping_add(0x52dc_e729);
        self.h2 = (self.h2 ^ k2).rotate_left(31).wrapping_add(self.h1);
        self.h2 = self.h2.wrapping_mul(5).wrapping_add(0x3849_5ab5);
    }

    /// The first half of the hash; `rest` are the bytes behind the last whole block, zeros behind them.
    fn finish(self, rest: Block, len: u64) -> u64 {
        let [k1, k2] = mixed(rest);
        let (h1, h2) = (self.h1 ^ k1 ^ len, self.h2 ^ k2 ^ len);
        let h1 = h1.wrapping_add(h2);
        let h2 = h2.wrapping_add(h1);
        avalanche(h1).wrapping_add(avalanche(h2))
    }
}

/// A block as both halves of the hash take it.
fn mixed(block: Block) -> [u64; 2] {
    let [low, high] = block.map(u64::from_le_bytes);
    [
        low.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2),
        high.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1),
    ]
}

fn avalanche(mut half: u64) -> u64 {
    half = (half ^ half >> 33).wrapping_mul(0xff51_afd7_ed55_8ccd);
    half = (half ^ half >> 33).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    half ^ half >> 33
}

const C1: u64 = 0x87c3_7b91_1142_53d5;
const C2: u64 = 0x4cf5_ad43_2745_937f;

/// Java's hash code of `EventRouter`, by which `SegmentSelector` seeds the hash.
const SEED: u64 = 1_741_865_571;
/// Java's hash code of `KeyValueTableRouter`, by which `KeyValueTableSegments` seeds the hash.
const TABLE_SEED: u64 = (-2_020_233_499_i64).cast_unsigned();

/// The bits of 1.0, and those of a fraction: `HashHelper.longToDoubleFraction`.
const ONE: u64 = 0x3ff0_0000_0000_0000;
const FRACTION: u64 = 0x000f_ffff_ffff_ffff;

#[cfg(test)]
mod tests {
    use super::{hash_bytes, position, table_position};

    #[test]
    fn positions_are_those_of_java() {
        // `HashHelper.seededWith("EventRouter").hashToRange` of each.
        for (key, expected) in KNOWN {
            assert_eq!(position(key.encode_utf16()).to_bits(), expected.to_bits(), "{key}");
        }
    }

    #[test]
    fn hashes_are_those_of_murmur3_x64() {
        for (data, expected) in [
            ("", 0),
            ("hello", 0xcbd8_a7b3_41bd_9b02),
            ("The quick brown fox jumps over the lazy dog", 0xe34b_bc7b_bc07_1b6c),
        ] {
            assert_eq!(hash_bytes(data.as_bytes(), 0), expected, "{data}");
        }
    }

    #[test]
    fn positions_of_table_keys_are_within_the_range_of_keys() {
        let positions = (0..1000_u128).map(|number| table_position(&number.to_be_bytes()[7..]));
        let (mut lowest, mut highest) = (1.0_f64, 0.0_f64);
        for position in positions {
            assert!((0.0..1.0).contains(&position), "{position}");
            (lowest, highest) = (lowest.min(position), highest.max(position));
        }
        assert!(lowest < 0.01 && highest > 0.99, "{lowest} {highest}");
    }

    const KNOWN: [(&str, f64); 3] = [
        ("a", 0.943_391_275_381_688_4),
        ("", 0.241_178_427_916_235_23),
        ("ß", 0.640_270_389_126_986_3),
    ];
}
