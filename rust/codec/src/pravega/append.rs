use std::{
    collections::VecDeque,
    ops::{AddAssign, SubAssign},
};

use super::{FRAME_LIMIT, HEADER_LEN, named};
use crate::{
    Cursor, Level, Problem, Result, TooLong,
    fixed::Uuid,
    frame::{Framing, Packed, scan_compact},
};

/// Events that somebody holds and nobody changes.
pub trait Batch {
    /// How many there are.
    fn count(&self) -> usize;

    /// One of them.
    fn event(&self, index: usize) -> &[u8];
}

/// Events from when they are taken until they are stored. They stay where they are: only the blocks
/// that are sent are copies.
#[derive(Debug)]
pub struct Events<B> {
    /// Whether the segment is to hold them without headers: of a byte stream.
    bare: bool,
    batches: VecDeque<B>,
    /// How many of the first batch are stored.
    stored: usize,
    /// The first event that is not sent: its batch, and its place in there.
    next: (usize, usize),
    all: Amount,
    unsent: Amount,
}

/// How much there is of events.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Amount {
    /// How many they are.
    pub events: usize,
    /// Bytes that a segment needs for them.
    pub bytes: usize,
}

/// Appends of whole events that are to be sent together: an `AppendBlockEnd` each.
#[derive(Debug, Default)]
pub struct Blocks(Vec<Amount>);

impl<B> Default for Events<B> {
    fn default() -> Self {
        Self {
            bare: false,
            batches: VecDeque::new(),
            stored: 0,
            next: (0, 0),
            all: Amount::default(),
            unsent: Amount::default(),
        }
    }
}

impl<B: Batch> Events<B> {
    /// Bytes that are to stand in the segment without headers.
    #[must_use]
    pub fn bare() -> Self {
        Self { bare: true, ..Self::default() }
    }

    /// Appends all of a batch, or nothing.
    ///
    /// # Errors
    /// Which event is over [`EVENT_LIMIT`].
    pub fn push(&mut self, batch: B) -> std::result::Result<(), (usize, TooLong)> {
        let mut pushed = Amount { events: batch.count(), bytes: 0 };
        for index in 0..pushed.events {
            let len = batch.event(index).len();
            if len > EVENT_LIMIT {
                return Err((index, TooLong { len, max: EVENT_LIMIT }));
            }
            pushed.bytes += self.header_len() + len;
        }
        if pushed.events > 0 {
            self.all += pushed;
            self.unsent += pushed;
            self.batches.push_back(batch);
        }
        Ok(())
    }

    fn header_len(&self) -> usize {
        if self.bare { 0 } else { HEADER_LEN }
    }

    /// What is not stored.
    #[must_use]
    pub fn all(&self) -> Amount {
        self.all
    }

    /// What of it is not sent.
    #[must_use]
    pub fn unsent(&self) -> Amount {
        self.unsent
    }

    /// The next blocks, of up to `limit` bytes or one event that is larger: one, and for as long as
    /// they are not more than `most` bytes, those behind it that are full.
    #[must_use]
    pub fn next_blocks(&self, limit: usize, most: usize) -> Blocks {
        let mut blocks = Vec::new();
        let mut left = self.unsent;
        let mut events = self.events(self.next);
        let mut event = events.next();
        while left.events > 0 && (blocks.is_empty() || left.bytes >= limit) {
            let mut block = Amount::default();
            while let Some(found) = event {
                let bytes = block.bytes + self.header_len() + found.len();
                if bytes > limit && block.events > 0 {
                    break;
                }
                block = Amount { events: block.events + 1, bytes };
                event = events.next();
            }
            left -= block;
            if self.unsent.bytes - left.bytes > most && !blocks.is_empty() {
                break;
            }
            blocks.push(block);
        }
        Blocks(blocks)
    }

    /// Gives blocks that are the next to `put`, piece by piece, [`Blocks::len`] bytes in all, and takes
    /// them for sent. The number of the event before them is `last`.
    pub fn send(
        &mut self,
        blocks: &Blocks,
        writer: Uuid,
        last: i64,
        request_id: i64,
        mut put: impl FnMut(&[u8]),
    ) {
        let mut last = last;
        for block in &blocks.0 {
            put(&BLOCK_END.to_be_bytes());
            put(&int(BLOCK_END_LEN + block.bytes));
            put(&writer.to_be_bytes());
            put(&int(block.bytes));
            put(&int(block.bytes));
            self.events(self.next).take(block.events).for_each(|event| {
                if !self.bare {
                    // The type of an event is 0.
                    put(&(event.len() as u64).to_be_bytes());
                }
                put(event);
            });
            self.next = self.behind(block.events);
            self.unsent -= *block;
            last = last.wrapping_add(block.events.cast_signed() as i64);
            put(&int(block.events));
            put(&last.to_be_bytes());
            put(&request_id.to_be_bytes());
        }
    }

    /// What comes behind the next `count`.
    fn behind(&self, count: usize) -> (usize, usize) {
        let (mut batch, mut index) = self.next;
        index += count;
        while let Some(passed) = self.batches.get(batch).map(Batch::count)
            && index >= passed
        {
            (batch, index) = (batch + 1, index - passed);
        }
        (batch, index)
    }

    /// Takes the first `count` for stored, sent or not.
    pub fn release(&mut self, count: usize) {
        let mut left = count.min(self.all.events);
        while left > 0 {
            let Some(batch) = self.batches.front() else { return };
            let end = batch.count().min(self.stored + left);
            let header = self.header_len();
            let bytes = (self.stored..end).map(|index| header + batch.event(index).len()).sum();
            let released = Amount { events: end - self.stored, bytes };
            left -= released.events;
            self.all -= released;
            self.stored = end;
            if end == batch.count() {
                self.batches.pop_front();
                self.stored = 0;
                self.next = match self.next {
                    (0, _) => (0, 0),
                    (batch, index) => (batch - 1, index),
                };
            }
        }
        self.next = self.next.max((0, self.stored));
        // What is stored although it was not sent over this connection.
        if self.unsent.events > self.all.events {
            self.unsent = self.all;
        }
    }

    /// Takes all that is not stored for not sent.
    pub fn rewind(&mut self) {
        self.next = (0, self.stored);
        self.unsent = self.all;
    }

    /// What is not stored, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.events((0, self.stored))
    }

    fn events(&self, (batch, index): (usize, usize)) -> impl Iterator<Item = &[u8]> {
        let batches = self.batches.iter().skip(batch);
        batches.enumerate().flat_map(move |(at, batch)| {
            let first = if at == 0 { index } else { 0 };
            (first..batch.count()).map(move |index| batch.event(index))
        })
    }
}

impl Blocks {
    /// Bytes of them all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|block| HEADER_LEN + BLOCK_END_LEN + block.bytes).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many events are in them.
    #[must_use]
    pub fn events(&self) -> usize {
        self.0.iter().map(|block| block.events).sum()
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.bytes += other.bytes;
    }
}

impl SubAssign for Amount {
    fn sub_assign(&mut self, other: Self) {
        self.events -= other.events;
        self.bytes = self.bytes.saturating_sub(other.bytes);
    }
}

/// A number that is below a frame's limit.
fn int(number: usize) -> [u8; 4] {
    let [_, _, _, _, bytes @ ..] = (number as u64).to_be_bytes();
    bytes
}

/// Appends an `AppendBlockEnd` up to its data; `whole` counts bytes of whole events before it, or in it
/// if there is no block before. Both are below a frame's limit.
pub(super) fn block_end(writer: Uuid, whole: usize, data: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&BLOCK_END.to_be_bytes());
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&writer.to_be_bytes());
    for len in [whole, data.len()] {
        out.extend_from_slice(&(len as u64).to_be_bytes()[4..]);
    }
    out.extend_from_slice(data);
}

/// Cuts what a segment holds into events, however it was read.
#[derive(Debug, Default)]
pub struct EventCutter {
    carry: Vec<u8>,
    offset: u64,
}

impl EventCutter {
    /// Starts at an event's header, which stands at `offset` of the segment.
    #[must_use]
    pub fn new(offset: u64) -> Self {
        Self { carry: Vec::new(), offset }
    }

    /// Takes the next bytes; gives the events that are whole by now.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] where no event begins, [`Problem::OverLimit`] of one that cannot be; the
    /// offset is that in the segment.
    pub fn feed(&mut self, data: &[u8], out: &mut Packed) -> Result<()> {
        if self.carry.is_empty() {
            let used = self.cut(data, out)?;
            self.carry.extend_from_slice(&data[used..]);
            return Ok(());
        }
        let mut carry = std::mem::take(&mut self.carry);
        carry.extend_from_slice(data);
        let used = self.cut(&carry, out)?;
        carry.drain(..used);
        self.carry = carry;
        Ok(())
    }

    fn cut(&mut self, data: &[u8], out: &mut Packed) -> Result<usize> {
        let mut frames = crate::frame::Frames::default();
        std::mem::swap(&mut frames.payloads, out);
        let scanned =
            scan_compact(data, Framing::PRAVEGA, FRAME_LIMIT, &mut frames, Level::in_use());
        std::mem::swap(&mut frames.payloads, out);
        let place = usize::try_from(self.offset).unwrap_or(usize::MAX / 2);
        if let Some(at) = frames.kinds.iter().position(|kind| *kind != 0) {
            let start = usize::try_from(out.offsets[at]).unwrap_or_default() + at * HEADER_LEN;
            let value = frames.kinds[at].into();
            let problem = Problem::Unexpected { value, expected: "an event" };
            return Err(problem.of("event type", place + start));
        }
        let used = scanned.map_err(|error| error.moved(place))?;
        self.offset += used as u64;
        Ok(used)
    }

    /// Where the next event begins in the segment.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// How many bytes wait for the rest of their event.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.carry.len()
    }
}

/// Where each of `events` begins in a segment that has the first of them at `first`.
#[must_use]
pub fn offsets_of(events: &Packed, first: u64) -> Vec<i64> {
    let start = first.cast_signed();
    let at = |(offset, header): (&i32, i64)| start + i64::from(*offset) + header;
    events.offsets[..events.len()].iter().zip((0..).step_by(HEADER_LEN)).map(at).collect()
}

/// Puts together what an append consists of: perhaps an `AppendBlock`, then an `AppendBlockEnd`.
/// `AppendDecoder`.
#[derive(Debug, Default)]
pub struct AppendAssembler {
    open: Option<(Uuid, Vec<u8>)>,
}

impl AppendAssembler {
    /// Takes the `data` of an `AppendBlock`.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if one is open already.
    pub fn begin(&mut self, writer: Uuid, data: &[u8]) -> Result<()> {
        if self.open.is_some() {
            return Err(unexpected(3, "the end of the append block that is open"));
        }
        self.open = Some((writer, data.to_vec()));
        Ok(())
    }

    /// Takes an `AppendBlockEnd`, and gives the bytes that its append stores.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] where the two do not belong together or say other sizes.
    pub fn end(&mut self, writer: Uuid, whole: i32, data: &[u8], events: i32) -> Result<Vec<u8>> {
        if events <= 0 {
            return Err(unexpected(events.into(), "a number of events"));
        }
        let Some((of, mut block)) = self.open.take() else { return Ok(data.to_vec()) };
        if of != writer {
            return Err(unexpected(BLOCK_END.into(), "the end of another writer's append block"));
        }
        let kept = usize::try_from(whole).ok().filter(|whole| *whole <= block.len());
        let kept = kept.ok_or_else(|| unexpected(whole.into(), "a size within the block"))?;
        if kept == block.len() {
            // `AppendDecoder.getAppendDataBuf` leaves the data of the end alone in this case.
            return Ok(block);
        }
        let rest = block.split_off(kept);
        let mut rest = Cursor::at(&rest, kept);
        let code = rest.i32_be("append block")?;
        let len = rest.len_i32(FRAME_LIMIT, "append block")?;
        match named("PartialEvent").filter(|partial| partial.code == code) {
            Some(_) => {
                block.extend_from_slice(rest.take(len, "PartialEvent")?);
                block.extend_from_slice(data);
            }
            None if code != PADDING => {
                return Err(unexpected(code.into(), "a PartialEvent or Padding"));
            }
            None if !data.is_empty() => {
                return Err(unexpected(data.len().cast_signed() as i64, "no data behind Padding"));
            }
            None => {}
        }
        Ok(block)
    }

    /// Whether an `AppendBlock` waits for its end.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open.is_some()
    }
}

fn unexpected(value: i64, expected: &'static str) -> crate::DecodeError {
    Problem::Unexpected { value, expected }.of("append block", 0)
}

const BLOCK_END: i32 = 4;
const PADDING: i32 = -1;
/// Bytes of an `AppendBlockEnd` beside its header and its data.
const BLOCK_END_LEN: usize = 16 + 4 + 4 + 4 + 8 + 8;

/// Largest event: `Serializer.MAX_EVENT_SIZE`.
pub const EVENT_LIMIT: usize = 8 << 20;
