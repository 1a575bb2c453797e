//! Views of payloads, in the layout of Arrow's `BinaryView` arrays.

use std::ops::Range;

use super::{Framing, prefetch_pages, reserve_frames, scan::EachFrame};
use crate::{Result, TooLong};

/// Views of payloads, 16 bytes each, in Arrow's Variable-size Binary View Layout.
///
/// A view of more than [`INLINE`] bytes refers to a region of the scanned chunk: the first region is the whole
/// chunk, each further one begins [`REGION`] bytes later. No view refers to bytes after [`Views::consumed`].
#[derive(Debug, Default)]
pub struct Views {
    views: Vec<u128>,
    consumed: usize,
}

impl Views {
    /// Finds all complete frames in `bytes`, with payloads of at most `limit` bytes each.
    ///
    /// # Errors
    /// As [`super::scan`].
    pub fn of_frames(bytes: &[u8], framing: Framing, limit: usize) -> Result<Self> {
        Self::in_regions::<REGION>(bytes, framing, limit)
    }

    pub(super) fn in_regions<const SIZE: usize>(
        bytes: &[u8],
        framing: Framing,
        limit: usize,
    ) -> Result<Self> {
        // A framing that is known when the loop is compiled asks nothing of each frame.
        match framing {
            Framing::BIG_ENDIAN => Self::of_each::<SIZE>(bytes, Framing::BIG_ENDIAN, limit),
            _ => Self::of_each::<SIZE>(bytes, framing, limit),
        }
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "it is compiled for a framing")]
    fn of_each<const SIZE: usize>(bytes: &[u8], framing: Framing, limit: usize) -> Result<Self> {
        let mut frames = EachFrame::new(bytes, framing, limit.min(MAX_LEN));
        let mut views = Vec::new();
        let mut block = [0; BLOCK];
        loop {
            let before = frames.at;
            let count = views_of_short::<SIZE>(bytes, &mut frames, &mut block);
            let other = if count < BLOCK { frames.next()? } else { None };
            prefetch_pages(bytes, before..frames.at);
            let found = count + usize::from(other.is_some());
            if found == 0 {
                return Ok(Self { views, consumed: frames.at });
            }
            if views.capacity() - views.len() < found {
                let expected = frames.expected_after((frames.at - before) / found);
                reserve_frames(&mut views, found + expected);
            }
            views.extend_from_slice(&block[..count]);
            views.extend(other.map(|(_, payload)| view::<SIZE>(bytes, payload)));
        }
    }

    /// Creates the views of payloads that were found in `bytes`, of which `consumed` bytes are complete.
    ///
    /// # Errors
    /// [`TooLong`] if the length of a payload does not fit an `int`.
    ///
    /// # Panics
    /// If a payload is outside of `bytes[..consumed]`.
    pub fn of_payloads(
        bytes: &[u8],
        payloads: &[Range<usize>],
        consumed: usize,
    ) -> std::result::Result<Self, TooLong> {
        let bytes = &bytes[..consumed];
        if let Some(long) = payloads.iter().find(|it| it.len() > MAX_LEN) {
            return Err(TooLong { len: long.len(), max: MAX_LEN });
        }
        let views = payloads.iter().map(|it| view::<REGION>(bytes, it.clone())).collect();
        Ok(Self { views, consumed })
    }

    /// Number of bytes of the chunk up to the end of the last complete frame.
    #[must_use]
    pub const fn consumed(&self) -> usize {
        self.consumed
    }

    /// Returns the views.
    #[must_use]
    pub fn into_views(self) -> Vec<u128> {
        self.views
    }
}

/// Creates views of the next frames while they are short, and returns their number. The loop contains no call,
/// so that all its values stay in registers.
#[inline(always)]
#[expect(clippy::inline_always, reason = "it is compiled for a framing")]
fn views_of_short<const SIZE: usize>(
    bytes: &[u8],
    frames: &mut EachFrame,
    block: &mut [u128; BLOCK],
) -> usize {
    let mut count = 0;
    for slot in block {
        let Some(payload) = frames.next_short(INLINE + 1) else { break };
        *slot = reference::<SIZE>(payload.start, &bytes[payload]);
        count += 1;
    }
    count
}

/// Creates the view of a payload of at most [`MAX_LEN`] bytes.
#[inline]
fn view<const SIZE: usize>(bytes: &[u8], payload: Range<usize>) -> u128 {
    let start = payload.start;
    let payload = &bytes[payload];
    if payload.len() > INLINE {
        return reference::<SIZE>(start, payload);
    }
    let mut inline = [0; 16];
    inline[4..4 + payload.len()].copy_from_slice(payload);
    payload.len() as u128 | u128::from_le_bytes(inline)
}

/// Creates a view that refers to a payload outside the view.
#[inline(always)]
#[expect(clippy::inline_always, reason = "a call would take as long as a frame")]
fn reference<const SIZE: usize>(start: usize, payload: &[u8]) -> u128 {
    let (region, offset) = (start / SIZE, start % SIZE);
    // All four are ints: lengths, offsets in a region, and memory has not as many regions as one counts.
    let prefix = u32::from_le_bytes([payload[0], payload[1], payload[2], payload[3]]);
    let len = payload.len() as u128;
    len | u128::from(prefix) << 32 | (region as u128) << 64 | (offset as u128) << 96
}

/// Number of views that are created before they are appended.
const BLOCK: usize = 64;

const MAX_LEN: usize = i32::MAX as usize;

/// Number of bytes between the starts of two regions, which must fit an `int`.
pub const REGION: usize = 1 << 30;

/// Maximum number of bytes stored in the view.
pub const INLINE: usize = 12;
