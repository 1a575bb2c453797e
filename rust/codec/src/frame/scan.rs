use std::ops::Range;

use super::Framing;
use crate::Result;

/// What a chunk holds: the whole frames at its front.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Scan {
    /// Where each payload stands in the chunk.
    pub payloads: Vec<Range<usize>>,
    /// The type of each frame; empty where the framing has none.
    pub kinds: Vec<i32>,
    /// Bytes up to the end of the last whole frame; the rest waits for more.
    pub consumed: usize,
}

/// Finds all whole frames in `bytes`, whose payloads may take up to `limit` bytes each.
///
/// # Errors
/// As [`Framing::header`], with the offset in `bytes`; the frames before it are lost with it, so
/// whoever wants them scans `bytes[..error.offset]` again.
pub fn scan(bytes: &[u8], framing: Framing, limit: usize) -> Result<Scan> {
    let mut scan = Scan::default();
    loop {
        let at = scan.consumed;
        let header = framing.header(&bytes[at..], limit).map_err(|error| error.moved(at))?;
        let Some(header) = header else { return Ok(scan) };
        if bytes.len() - at - header.len < header.payload_len {
            return Ok(scan);
        }
        let start = at + header.len;
        scan.consumed = start + header.payload_len;
        if scan.payloads.len() == scan.payloads.capacity() {
            // Frames of one stream are much alike: make room for as many of this size as may come.
            let alike = (bytes.len() - at) / (scan.consumed - at) + 1;
            scan.payloads.reserve(alike.min(MOST_AT_ONCE));
        }
        scan.payloads.push(start..scan.consumed);
        if framing.has_kind() {
            scan.kinds.push(header.kind);
        }
    }
}

/// Frames to make room for in one step: tiny frames at the front must not reserve for all.
const MOST_AT_ONCE: usize = 1 << 14;
