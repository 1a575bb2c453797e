use std::ops::Range;

use super::{Framing, make_room, scan::EachFrame};
use crate::{Result, TooLong};

/// Where payloads stand, each in 16 bytes, as Arrow's Variable-size Binary View Layout has it.
///
/// A view of over [`INLINE`] bytes points into a region of the chunk that was looked at: the first is all
/// of it, each next begins [`REGION`] bytes later. None points behind [`Views::consumed`].
#[derive(Debug, Default)]
pub struct Views {
    views: Vec<u128>,
    consumed: usize,
}

impl Views {
    /// Looks for all whole frames in `bytes`, whose payloads may take up to `limit` bytes each.
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
        while let Some((_, payload)) = frames.next()? {
            if views.len() == views.capacity() {
                make_room(&mut views, frames.expected_after(payload.len()));
            }
            views.push(view::<SIZE>(bytes, payload));
        }
        Ok(Self { views, consumed: frames.at })
    }

    /// The views of payloads that were found in `bytes`, of which `consumed` are done with.
    ///
    /// # Errors
    /// [`TooLong`] if one takes more than an `int` can say.
    ///
    /// # Panics
    /// If one is not in `bytes[..consumed]`.
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

    /// Bytes of the chunk up to the end of the last whole frame.
    #[must_use]
    pub const fn consumed(&self) -> usize {
        self.consumed
    }

    /// The views.
    #[must_use]
    pub fn into_views(self) -> Vec<u128> {
        self.views
    }
}

/// The view of a payload, which is no longer than [`MAX_LEN`].
#[inline]
fn view<const SIZE: usize>(bytes: &[u8], payload: Range<usize>) -> u128 {
    let (region, offset) = (payload.start / SIZE, payload.start % SIZE);
    let payload = &bytes[payload];
    let len = payload.len() as u128;
    if payload.len() <= INLINE {
        let mut inline = [0; 16];
        inline[4..4 + payload.len()].copy_from_slice(payload);
        return len | u128::from_le_bytes(inline);
    }
    // All four are ints: lengths, offsets in a region, and memory has not as many regions as one counts.
    let prefix = u32::from_le_bytes([payload[0], payload[1], payload[2], payload[3]]);
    len | u128::from(prefix) << 32 | (region as u128) << 64 | (offset as u128) << 96
}

const MAX_LEN: usize = i32::MAX as usize;

/// Bytes between the beginnings of two regions: less than an `int` can say.
pub const REGION: usize = 1 << 30;

/// Bytes that stand in the view itself.
pub const INLINE: usize = 12;
