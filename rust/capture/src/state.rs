//! Saved state: compressed, with a checksum. Only the build that wrote it can read it.

use std::io::{Read, Write};

use serde::{Serialize, de::DeserializeOwned};

use crate::limits::MAX_MEMORY;

/// Error of saving or loading a state.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum StateError {
    /// The state is damaged, or was written by another build.
    #[error("the saved state of a decoder is damaged, or of another version")]
    Damaged,
    /// The state exceeds [`MAX_STATE`].
    #[error("the state of a decoder takes {len} bytes, the limit is {MAX_STATE}")]
    TooLong {
        /// Number of bytes of the state.
        len: usize,
    },
}

pub(crate) fn encode(value: &impl Serialize) -> Result<Vec<u8>, StateError> {
    let plain = postcard::to_stdvec(value).map_err(|_| StateError::Damaged)?;
    if plain.len() > MAX_STATE {
        return Err(StateError::TooLong { len: plain.len() });
    }
    compressed(&plain).map_err(|_| StateError::Damaged)
}

fn compressed(plain: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = zstd::Encoder::new(Vec::new(), LEVEL)?;
    encoder.include_checksum(true)?;
    encoder.write_all(plain)?;
    encoder.finish()
}

pub(crate) fn decode<T: DeserializeOwned>(saved: &[u8]) -> Result<T, StateError> {
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::new(saved).map_err(|_| StateError::Damaged)?;
    let limit = MAX_STATE as u64 + 1;
    decoder.take(limit).read_to_end(&mut plain).map_err(|_| StateError::Damaged)?;
    if plain.len() > MAX_STATE {
        return Err(StateError::TooLong { len: plain.len() });
    }
    match postcard::take_from_bytes(&plain) {
        Ok((value, [])) => Ok(value),
        Ok(_) | Err(_) => Err(StateError::Damaged),
    }
}

/// Forged variant of a saved state.
#[cfg(test)]
pub(crate) fn forged(saved: &[u8], forge: impl FnOnce(&mut Vec<u8>)) -> Vec<u8> {
    let mut plain = zstd::decode_all(saved).unwrap();
    forge(&mut plain);
    compressed(&plain).unwrap()
}

/// Maximum number of bytes of a state, before compression: all memory that streams may take, and the same
/// amount for the state of the connections.
pub const MAX_STATE: usize = 2 * MAX_MEMORY;

/// The fastest level: packets of one protocol are similar.
const LEVEL: i32 = 1;
