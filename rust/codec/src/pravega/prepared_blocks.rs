//! Blocks of events, laid out before it is known how they are sent.

use std::ops::Range;

use super::{
    FRAME_LIMIT,
    append::{BEGIN_LEN, END_LEN, Size, begin, end},
};
use crate::fixed::Uuid;

/// Full blocks that are laid out before it is known how they are sent: where events stand in them, and
/// where what frames them has its place.
#[derive(Debug)]
pub struct PreparedBlocks {
    header_len: usize,
    limit: usize,
    most: usize,
    blocks: Vec<Size>,
    /// Bytes of the events up to each, without headers.
    offsets: Vec<u32>,
}

impl PreparedBlocks {
    /// Up to so many blocks of up to `limit` bytes; none, if their limit is beyond that of a frame.
    pub(super) fn new(header_len: usize, limit: usize, most: usize) -> Option<Self> {
        let most = most.min(MOST);
        (most > 0 && limit <= FRAME_LIMIT).then(|| Self {
            header_len,
            limit,
            most,
            blocks: Vec::with_capacity(most),
            offsets: vec![0],
        })
    }

    /// Bytes that they may take if no event is longer than `longest`.
    #[must_use]
    pub fn room(&self, longest: usize) -> usize {
        self.most * (BEGIN_LEN + self.limit.max(self.header_len + longest) + END_LEN)
    }

    /// Gives the blocks of `events` to `put`, two pieces at once, as many as get full: what comes behind
    /// [`Self::len`] bytes is of no use.
    #[inline]
    pub fn fill<'a>(
        &mut self,
        mut events: impl Iterator<Item = &'a [u8]>,
        mut put: impl FnMut(&[u8], &[u8]),
    ) {
        let (header_len, limit) = (self.header_len, self.limit);
        let mut offset = 0_u32;
        let mut next = events.next();
        while self.blocks.len() < self.most {
            put(&[0; BEGIN_LEN], &[]);
            let mut block = Size::default();
            while let Some(event) = next {
                let bytes = block.bytes + header_len + event.len();
                if bytes > limit && block.events > 0 {
                    break;
                }
                if header_len == 0 {
                    put(event, &[]);
                } else {
                    put(&(event.len() as u64).to_be_bytes(), event);
                }
                block = Size { events: block.events + 1, bytes };
                offset = offset.saturating_add(u32::try_from(event.len()).unwrap_or(u32::MAX));
                self.offsets.push(offset);
                next = events.next();
            }
            if next.is_none() {
                break;
            }
            put(&[0; END_LEN], &[]);
            self.blocks.push(block);
        }
        self.offsets.truncate(1 + self.count());
    }

    /// Bytes of them all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| BEGIN_LEN + block.bytes + END_LEN).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.blocks.is_empty()
    }

    /// Number of events that are in them.
    #[must_use]
    pub fn count(&self) -> usize {
        self.blocks.iter().map(|block| block.events).sum()
    }

    /// Bytes of some events.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    pub fn bytes(&self, events: Range<usize>) -> usize {
        (self.offsets[events.end] - self.offsets[events.start]) as usize
    }

    /// Shows `take` some events, which stand in `bytes`.
    ///
    /// # Panics
    /// If there are not so many.
    pub fn each<'a>(&self, bytes: &'a [u8], events: Range<usize>, mut take: impl FnMut(&'a [u8])) {
        let (mut first, mut frames) = (0, BEGIN_LEN);
        for block in &self.blocks {
            let end = first + block.events;
            for index in events.start.max(first)..events.end.min(end) {
                let headers = (index + 1) * self.header_len;
                let start = frames + headers + self.offsets[index] as usize;
                let len = self.bytes(index..index + 1);
                take(bytes.get(start..start + len).unwrap_or_default());
            }
            first = end;
            frames += END_LEN + BEGIN_LEN;
        }
    }

    /// Gives `write` what frames the blocks, and where it has its place. The number of the event before
    /// them is `last`.
    pub fn frame(
        &self,
        writer: Uuid,
        last: i64,
        request_id: i64,
        mut write: impl FnMut(usize, &[u8]),
    ) {
        let mut last = last;
        let mut at = 0;
        for block in &self.blocks {
            write(at, &begin(writer, *block));
            at += BEGIN_LEN + block.bytes;
            last = block.last_number(last);
            write(at, &end(*block, last, request_id));
            at += END_LEN;
        }
    }
}

/// Largest number of blocks that are prepared together (chosen by jvmwire): their bytes fit 32 bits.
const MOST: usize = 64;
