//! Scan of a chunk for the complete frames at its start.

use std::ops::Range;

use super::Framing;
use crate::{Result, buffer_pool, prefetch};

/// Complete frames at the start of a chunk.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Scan {
    /// Range of each payload in the chunk.
    pub payloads: Vec<Range<usize>>,
    /// Type of each frame; empty if the framing has no types.
    pub kinds: Vec<i32>,
    /// Number of bytes up to the end of the last complete frame; the rest is incomplete.
    pub consumed: usize,
}

/// Finds all complete frames in `bytes`, with payloads of at most `limit` bytes each.
///
/// # Errors
/// As [`Framing::header`], with the offset in `bytes`. The frames before it are not returned; a caller that
/// needs them scans `bytes[..error.offset]` again.
pub fn scan(bytes: &[u8], framing: Framing, limit: usize) -> Result<Scan> {
    let mut scan = Scan::default();
    let mut frames = EachFrame::new(bytes, framing, limit);
    while let Some((kind, payload)) = frames.next()? {
        if scan.payloads.len() == scan.payloads.capacity() {
            reserve_frames(&mut scan.payloads, frames.expected_after(payload.len()));
        }
        scan.payloads.push(payload);
        if framing.has_kind() {
            scan.kinds.push(kind);
        }
    }
    scan.consumed = frames.at;
    Ok(scan)
}

/// Iterator over the complete frames at the start of a chunk.
pub(super) struct EachFrame<'a> {
    bytes: &'a [u8],
    framing: Framing,
    limit: usize,
    /// Number of bytes up to the end of the last frame.
    pub(super) at: usize,
}

impl<'a> EachFrame<'a> {
    pub(super) fn new(bytes: &'a [u8], framing: Framing, limit: usize) -> Self {
        Self { bytes, framing, limit, at: 0 }
    }

    /// Returns the type and the payload's range of the next frame.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
    pub(super) fn next(&mut self) -> Result<Option<(i32, Range<usize>)>> {
        let Self { bytes, framing, limit, at } = *self;
        // Computed before the length is read: the next header's position is then one addition away.
        let start = at + framing.header_len();
        let Some(header) = bytes.get(at..start) else { return Ok(None) };
        let header = framing.header(header, limit).map_err(|error| error.moved(at))?;
        let Some(header) = header else { return Ok(None) };
        if bytes.len() - start < header.payload_len {
            return Ok(None);
        }
        self.at = start + header.payload_len;
        if header.payload_len > FEW_LINES {
            prefetch_header(bytes, at);
            prefetch_rest(bytes, at..self.at);
        }
        Ok(Some((header.kind, start..self.at)))
    }

    /// Returns the range of the next payload, if it has at least `least` bytes and spans few cache lines.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
    pub(super) fn next_short(&mut self, least: usize) -> Option<Range<usize>> {
        let Self { bytes, framing, limit, at } = *self;
        let start = at + framing.header_len();
        let header = framing.header(bytes.get(at..start)?, limit.min(FEW_LINES)).ok()??;
        let end = start + header.payload_len;
        if header.payload_len < least || end > bytes.len() {
            return None;
        }
        self.at = end;
        Some(start..end)
    }

    /// Number of further frames to expect after one with a payload of `len` bytes.
    pub(super) fn expected_after(&self, len: usize) -> usize {
        estimate_frames(self.bytes.len() - self.at, len)
    }
}

/// Estimates the number of frames in `left` bytes after one of `len` bytes: frames of one stream have similar
/// lengths.
#[inline]
pub(crate) fn estimate_frames(left: usize, len: usize) -> usize {
    left / len.max(1) + 1
}

/// Reserves memory for a part of the expected frames.
pub(crate) fn reserve_frames<T: Clone + Send + 'static>(frames: &mut Vec<T>, expected: usize) {
    buffer_pool::reserve_for(frames, expected.min(MOST_AT_ONCE), expected);
}

/// Prefetches a header some frames after `at`: only the previous header has its offset, so the hardware
/// prefetcher cannot predict it, except for frames so short that every cache line is read.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
fn prefetch_header(bytes: &[u8], at: usize) {
    prefetch(bytes.as_ptr().wrapping_add(at + AHEAD));
}

/// Prefetches the other cache lines at the same distance after `frame`: each may contain the next header, and
/// these steps train the hardware prefetcher to fetch the following lines.
#[inline(never)]
fn prefetch_rest(bytes: &[u8], frame: Range<usize>) {
    if frame.len() <= MANY_LINES {
        frame.step_by(LINE).skip(1).for_each(|at| prefetch_header(bytes, at));
    }
}

/// Prefetches one cache line of each page at a distance after `seen`, so that the address translation is
/// complete before the page is read; the hardware prefetcher fetches the rest of the page.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
pub(crate) fn prefetch_pages(bytes: &[u8], seen: Range<usize>) {
    let mut page = seen.start.next_multiple_of(PAGE);
    let end = seen.end.min(bytes.len().saturating_sub(PAGES_AHEAD));
    while page < end {
        prefetch(bytes.as_ptr().wrapping_add(page + PAGES_AHEAD));
        page += PAGE;
    }
}

/// Maximum number of frames for which memory is reserved in one step: tiny frames at the start must not cause a
/// reservation for all bytes.
const MOST_AT_ONCE: usize = 1 << 14;

/// Number of bytes of a cache line.
const LINE: usize = 64;

/// Number of bytes of so few cache lines that none is skipped.
const FEW_LINES: usize = 5 * LINE / 2;

/// Number of bytes of so many cache lines that to fetch all of them takes longer than to wait for one.
const MANY_LINES: usize = 4 << 10;

/// Distance of the prefetch in bytes: two pages, so that their addresses are translated early, too.
const AHEAD: usize = 8192;

/// Number of bytes of a page; the smallest size, where it differs.
const PAGE: usize = 4096;

/// Distance of the page prefetch in bytes. Lines at the start of pages share few cache sets; 64 KiB ahead was
/// the slowest distance measured, and this the fastest.
const PAGES_AHEAD: usize = 48 * PAGE;
