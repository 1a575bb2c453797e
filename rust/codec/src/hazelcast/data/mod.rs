//! Values as Hazelcast 3.x serialises them: a partition hash and a type id, big-endian `int`s, then the
//! payload, in the byte order that the cluster is configured for.

mod column;
mod hash;
mod input;
mod output;

pub use column::{Column, ColumnError};
pub use hash::{SEED, hash64, murmur3_x64_64, murmur3_x86_32, partition_hash, partition_id};
pub use input::Input;
pub use output::Output;

use crate::{Cursor, DecodeError, DecodeErrorKind, Result};

/// Number of bytes before the payload: `HeapData.DATA_OFFSET`.
pub const HEADER_LEN: usize = 8;

/// Maximum depth of nested values. Java is limited by its stack only; each level can take a few frames of
/// Python, whose default limit is a thousand.
pub const MAX_DEPTH: usize = 100;

/// Type ids of payloads: `SerializationConstants`.
pub mod type_id {
    #![expect(missing_docs, reason = "the names are Java's")]

    pub const NULL: i32 = 0;
    pub const PORTABLE: i32 = -1;
    pub const DATA_SERIALIZABLE: i32 = -2;
    pub const BYTE: i32 = -3;
    pub const BOOLEAN: i32 = -4;
    pub const CHAR: i32 = -5;
    pub const SHORT: i32 = -6;
    pub const INTEGER: i32 = -7;
    pub const LONG: i32 = -8;
    pub const FLOAT: i32 = -9;
    pub const DOUBLE: i32 = -10;
    pub const STRING: i32 = -11;
    pub const BYTE_ARRAY: i32 = -12;
    pub const DATE: i32 = -22;
    pub const BIG_INTEGER: i32 = -23;
    pub const ARRAY_LIST: i32 = -26;
    pub const JSON: i32 = -130;
}

/// Returns the type id of `data`; empty `data` is a null, as in `HeapData.getType`.
///
/// # Errors
/// [`DecodeErrorKind::UnexpectedEof`] if `data` is not empty and shorter than the header.
#[inline]
pub fn type_of(data: &[u8]) -> Result<i32> {
    if let Some(&[_, _, _, _, t0, t1, t2, t3]) = data.first_chunk() {
        return Ok(i32::from_be_bytes([t0, t1, t2, t3]));
    }
    if data.is_empty() {
        return Ok(type_id::NULL);
    }
    let mut header = Cursor::new(data);
    header.take(4, "partition hash")?;
    header.i32_be("type id")
}

/// Checks the depth of a nested value.
///
/// # Errors
/// [`DecodeErrorKind::TooDeep`].
pub fn judge_depth(depth: usize, offset: usize) -> std::result::Result<(), DecodeError> {
    if depth > MAX_DEPTH {
        return Err(DecodeErrorKind::TooDeep { limit: MAX_DEPTH }.at("object", offset));
    }
    Ok(())
}
