use std::collections::VecDeque;

use super::{FRAME_LIMIT, HEADER_LEN, encode::end_frame, named};
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

/// Events that wait to be sent: they are copied only once, into the block that takes them.
#[derive(Debug)]
pub struct Events<B> {
    /// Whether the segment is to hold them without headers: of a byte stream.
    bare: bool,
    batches: VecDeque<B>,
    /// How many of the first batch were taken.
    next: usize,
    len: usize,
    size: usize,
}

/// An append of whole events: one `AppendBlockEnd`.
#[derive(Debug, Eq, PartialEq)]
pub struct Block {
    /// The frame.
    pub frame: Vec<u8>,
    /// How many events are in it.
    pub events: usize,
}

impl<B> Default for Events<B> {
    fn default() -> Self {
        Self { bare: false, batches: VecDeque::new(), next: 0, len: 0, size: 0 }
    }
}

impl<B: Batch> Events<B> {
    /// Bytes that wait to be sent, and are to stand in the segment without headers.
    #[must_use]
    pub fn bare() -> Self {
        Self { bare: true, ..Self::default() }
    }

    /// Appends all of a batch, or nothing.
    ///
    /// # Errors
    /// Which event is over [`EVENT_LIMIT`].
    pub fn push(&mut self, batch: B) -> std::result::Result<(), (usize, TooLong)> {
        let count = batch.count();
        let mut size = count * self.header_len();
        for index in 0..count {
            let len = batch.event(index).len();
            if len > EVENT_LIMIT {
                return Err((index, TooLong { len, max: EVENT_LIMIT }));
            }
            size += len;
        }
        self.len += count;
        self.size += size;
        self.batches.push_back(batch);
        Ok(())
    }

    fn header_len(&self) -> usize {
        if self.bare { 0 } else { HEADER_LEN }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of all of them, headers included.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// Takes the first as one append of up to `limit` bytes, or of one event that is larger. The number
    /// of the event before them is `last`.
    pub fn take_block(&mut self, writer: Uuid, last: i64, request_id: i64, limit: usize) -> Block {
        let mut frame = Vec::with_capacity(HEADER_LEN + BLOCK_END_LEN + self.size.min(limit));
        block_end(writer, 0, &[], &mut frame);
        let start = frame.len();
        let events = self.take(limit, &mut frame);
        let len = ((frame.len() - start) as u64).to_be_bytes();
        frame[start - 8..start - 4].copy_from_slice(&len[4..]);
        frame[start - 4..start].copy_from_slice(&len[4..]);
        let count = events.cast_signed() as i64;
        frame.extend_from_slice(&count.to_be_bytes()[4..]);
        frame.extend_from_slice(&(last.wrapping_add(count)).to_be_bytes());
        frame.extend_from_slice(&request_id.to_be_bytes());
        // A frame of at most an event's limit and a few numbers.
        let _ = end_frame(0, &mut frame);
        Block { frame, events }
    }

    /// Moves the first events behind `out`, as the segment will hold them; returns how many.
    fn take(&mut self, limit: usize, out: &mut Vec<u8>) -> usize {
        let (mut events, mut size) = (0, 0);
        let header_len = self.header_len();
        while let Some(batch) = self.batches.front() {
            let count = batch.count();
            while self.next < count {
                let event = batch.event(self.next);
                let with_it = size + header_len + event.len();
                if with_it > limit && events > 0 {
                    self.len -= events;
                    self.size = self.size.saturating_sub(size);
                    return events;
                }
                if !self.bare {
                    // The type of an event is 0.
                    out.extend_from_slice(&(event.len() as u64).to_be_bytes());
                }
                out.extend_from_slice(event);
                size = with_it;
                events += 1;
                self.next += 1;
            }
            self.batches.pop_front();
            self.next = 0;
        }
        self.len = 0;
        self.size = 0;
        events
    }
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

/// The events of an append that [`Events::take_block`] made, but for the first `skip`.
///
/// # Errors
/// [`Problem`] if it is none.
pub fn events_of(frame: &[u8], skip: usize) -> Result<Vec<&[u8]>> {
    let data = data_of(frame)?;
    let mut data = Cursor::new(data);
    let mut events = Vec::new();
    while !data.is_empty() {
        let kind = data.i32_be("event")?;
        if kind != 0 {
            let problem = Problem::Unexpected { value: kind.into(), expected: "an event" };
            return Err(problem.of("event", data.offset() - 4));
        }
        let len = data.len_i32(FRAME_LIMIT, "event")?;
        events.push(data.take(len, "event")?);
    }
    Ok(events.split_off(skip.min(events.len())))
}

/// What an append that [`Events::take_block`] made stores.
///
/// # Errors
/// [`Problem`] if it is none.
pub fn data_of(frame: &[u8]) -> Result<&[u8]> {
    let mut cursor = Cursor::new(frame);
    cursor.take(HEADER_LEN + 16 + 4, "append")?;
    let len = cursor.len_i32(FRAME_LIMIT, "data")?;
    cursor.take(len, "data")
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
