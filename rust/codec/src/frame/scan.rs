use std::ops::Range;

use super::Framing;
use crate::{Result, kernels::foresee::foresee};

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
    scan.consumed = each_frame(bytes, framing, limit, |kind, payload, room| {
        if scan.payloads.len() == scan.payloads.capacity() {
            scan.payloads.reserve(room());
        }
        scan.payloads.push(payload);
        if framing.has_kind() {
            scan.kinds.push(kind);
        }
    })?;
    Ok(scan)
}

/// Shows `take` the type and the place of each frame, and how many more to make room for; returns the bytes
/// up to the end of the last.
#[inline]
pub(super) fn each_frame(
    bytes: &[u8],
    framing: Framing,
    limit: usize,
    mut take: impl FnMut(i32, Range<usize>, &dyn Fn() -> usize),
) -> Result<usize> {
    let mut at = 0;
    loop {
        let header = framing.header(&bytes[at..], limit).map_err(|error| error.moved(at))?;
        let Some(header) = header else { return Ok(at) };
        if bytes.len() - at - header.len < header.payload_len {
            return Ok(at);
        }
        let start = at + header.len;
        let end = start + header.payload_len;
        // Frames of one stream are much alike: make room for as many of this size as may come.
        let room = || ((bytes.len() - at) / (end - at) + 1).min(MOST_AT_ONCE);
        take(header.kind, start..end, &room);
        foresee(bytes, at);
        at = end;
    }
}

/// Frames to make room for in one step: tiny frames at the front must not reserve for all.
pub(crate) const MOST_AT_ONCE: usize = 1 << 14;
