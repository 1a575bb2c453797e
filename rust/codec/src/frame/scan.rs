use std::ops::Range;

use super::Framing;
use crate::{Result, foresee, spare};

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
    scan.consumed = each_frame(bytes, framing, limit, |kind, payload, expected| {
        if scan.payloads.len() == scan.payloads.capacity() {
            make_room(&mut scan.payloads, expected());
        }
        scan.payloads.push(payload);
        if framing.has_kind() {
            scan.kinds.push(kind);
        }
    })?;
    Ok(scan)
}

/// Shows `take` the type and the place of each frame, and how many more are expected; returns the bytes up
/// to the end of the last.
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
        take(header.kind, start..end, &|| expected_in(bytes.len() - at, end - at));
        foresee_header(bytes, at);
        at = end;
    }
}

/// How many frames to expect where so many bytes are left, and one took `len`: those of one stream are much
/// alike.
#[inline]
pub(crate) fn expected_in(left: usize, len: usize) -> usize {
    left / len.max(1) + 1
}

/// Makes room for some of so many that are expected.
pub(crate) fn make_room<T: Clone + Send + 'static>(frames: &mut Vec<T>, expected: usize) {
    spare::reserve(frames, expected.min(MOST_AT_ONCE), expected);
}

/// Asks for a header some frames behind `at`, if frames are short: as only the one before says where it is,
/// the processor asks for none by itself.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
pub(crate) fn foresee_header(bytes: &[u8], at: usize) {
    foresee(bytes.as_ptr().wrapping_add(at).wrapping_add(AHEAD));
}

/// Frames to take memory from the system for in one step: tiny frames at the front must not reserve for all.
const MOST_AT_ONCE: usize = 1 << 14;

/// Bytes to be ahead: a page, so that its address is looked up early, too.
const AHEAD: usize = 4096;
