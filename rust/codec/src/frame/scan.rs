//! Scan of a chunk for the whole frames at its front.

use std::ops::Range;

use super::Framing;
use crate::{Result, buffer_pool, prefetch};

/// The whole frames at the front of a chunk.
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

/// The whole frames at the front of a chunk, one after the other.
pub(super) struct EachFrame<'a> {
    bytes: &'a [u8],
    framing: Framing,
    limit: usize,
    /// Bytes up to the end of the last.
    pub(super) at: usize,
}

impl<'a> EachFrame<'a> {
    pub(super) fn new(bytes: &'a [u8], framing: Framing, limit: usize) -> Self {
        Self { bytes, framing, limit, at: 0 }
    }

    /// The type of the next, and where its payload stands.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
    pub(super) fn next(&mut self) -> Result<Option<(i32, Range<usize>)>> {
        let Self { bytes, framing, limit, at } = *self;
        // Known before the length is: the next header's place is one addition behind it then.
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

    /// Where the payload of the next stands, if it takes at least so many bytes and few lines.
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

    /// Number of further frames to expect behind one whose payload took `len` bytes.
    pub(super) fn expected_after(&self, len: usize) -> usize {
        estimate_frames(self.bytes.len() - self.at, len)
    }
}

/// Number of frames to expect where so many bytes are left, and one took `len`: those of one stream are much
/// alike.
#[inline]
pub(crate) fn estimate_frames(left: usize, len: usize) -> usize {
    left / len.max(1) + 1
}

/// Makes room for some of so many that are expected.
pub(crate) fn reserve_frames<T: Clone + Send + 'static>(frames: &mut Vec<T>, expected: usize) {
    buffer_pool::reserve_for(frames, expected.min(MOST_AT_ONCE), expected);
}

/// Asks for a header some frames behind `at`: as only the one before says where it is, the processor asks for
/// none by itself, but where frames are so short that it is read line by line.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
fn prefetch_header(bytes: &[u8], at: usize) {
    prefetch(bytes.as_ptr().wrapping_add(at + AHEAD));
}

/// Asks for the other lines that are as far behind `frame`: any may have the next header then, and the
/// processor sees by these steps that it may ask for what follows them by itself.
#[inline(never)]
fn prefetch_rest(bytes: &[u8], frame: Range<usize>) {
    if frame.len() <= MANY_LINES {
        frame.step_by(LINE).skip(1).for_each(|at| prefetch_header(bytes, at));
    }
}

/// Asks for one line of each page that is so far behind `seen` that its address can be looked up before it is
/// needed; what follows in the page the processor asks for by itself.
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

/// Frames to take memory from the system for in one step: tiny frames at the front must not reserve for all.
const MOST_AT_ONCE: usize = 1 << 14;

/// Bytes that a processor asks for at once.
const LINE: usize = 64;

/// Bytes of so few lines that none is passed over.
const FEW_LINES: usize = 5 * LINE / 2;

/// Bytes of so many lines that all of them take longer than to wait for one.
const MANY_LINES: usize = 4 << 10;

/// Bytes to be ahead: two pages, so that their addresses are looked up early, too.
const AHEAD: usize = 8192;

/// Bytes of a page, the smallest where they differ.
const PAGE: usize = 4096;

/// Bytes to be ahead with pages: lines at the front of pages are kept in the same few places of a cache, of which
/// 64 KiB ahead is the worst and this the best that was measured.
const PAGES_AHEAD: usize = 48 * PAGE;
