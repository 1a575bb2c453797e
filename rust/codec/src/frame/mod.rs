//! Frames of a stream, delimited by a length prefix, by line ends, or by a line `end`.

mod decoder;
mod framing;
mod lines;
mod messages;
mod pack;
mod scan;
mod views;

use crate::{DecodeErrorKind, Result, primitives::checked_len};

pub use crate::primitives::ByteOrder;
pub use decoder::{Frame, FrameDecoder};
pub use framing::{Framing, Header};
pub(crate) use lines::Lines;
pub use lines::{Input, LineDecoder, encode_line, first_line, scan_lines};
pub(crate) use messages::Messages;
pub use messages::{MessageDecoder, encode_message, first_message, scan_messages};
pub use pack::{BinaryColumn, Frames, VariableColumn, compact, scan_compact};
pub use scan::{Scan, scan};
pub(crate) use scan::{estimate_frames, prefetch_pages, reserve_frames};
pub use views::{INLINE, REGION, Views};

/// Result of decoding the start of a stream of frames.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FramePrefix {
    /// The frame is incomplete.
    Incomplete,
    /// A complete frame with this number of bytes after its [`LENGTH_LEN`].
    Whole(usize),
}

/// Decodes the length-prefixed frame at the start of `bytes`.
///
/// # Errors
/// [`DecodeErrorKind::Negative`] or [`DecodeErrorKind::OverLimit`] as soon as the length is complete.
pub fn length_prefixed(bytes: &[u8], limit: usize) -> Result<FramePrefix> {
    let Some(length) = bytes.first_chunk() else { return Ok(FramePrefix::Incomplete) };
    let len = checked_len(i32::from_be_bytes(*length).into(), limit)
        .map_err(|problem: DecodeErrorKind| problem.at("frame length", 0))?;
    Ok(if bytes.len() - LENGTH_LEN < len {
        FramePrefix::Incomplete
    } else {
        FramePrefix::Whole(len)
    })
}

/// Appends one frame to `out`: the length of the payload as a big-endian `int`, and the payload.
///
/// # Errors
/// [`crate::TooLong`] if the length of `payload` does not fit an `int`.
pub fn encode(payload: &[u8], out: &mut Vec<u8>) -> std::result::Result<(), crate::TooLong> {
    Framing::BIG_ENDIAN.encode(0, payload, out)
}

/// Number of bytes of the length.
pub const LENGTH_LEN: usize = 4;

#[cfg(test)]
mod tests;
