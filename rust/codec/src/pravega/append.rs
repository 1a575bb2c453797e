//! Appends of events on one connection: batches, blocks, acknowledgements, limits.

use std::{
    collections::VecDeque,
    ops::{AddAssign, Range, SubAssign},
};

use super::{FRAME_LIMIT, HEADER_LEN, PreparedBlocks, named};
use crate::{
    Cursor, DecodeErrorKind, Result, SimdLevel, TooLong,
    cost::examined,
    fixed::Uuid,
    frame::{BinaryColumn, Framing, scan_compact},
};

/// Events that somebody holds and nobody changes.
pub trait Batch {
    /// Number of elements.
    fn count(&self) -> usize;

    /// Bytes of some of them, however many these are in the same time.
    fn bytes(&self, events: Range<usize>) -> usize;

    /// Shows `take` some of them, in order.
    fn each<'a>(&'a self, events: Range<usize>, take: impl FnMut(&'a [u8]));

    /// Whether they stand in blocks that are ready to be sent together.
    fn is_ready(&self) -> bool {
        false
    }
}

/// Events from when they are taken until they are stored. They stay where they are: the blocks that are
/// sent are copies, but for those that are ready.
#[derive(Debug)]
pub struct EventQueue<B> {
    /// Whether the segment is to hold them without headers: of a byte stream.
    bare: bool,
    batches: VecDeque<B>,
    /// Number of events of the first batch that are stored.
    stored: usize,
    /// The first event that is not sent: its batch, and its place in there.
    next: (usize, usize),
    all: Size,
    unsent: Size,
}

/// Number and size of events.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Size {
    /// Number of events.
    pub events: usize,
    /// Bytes that a segment needs for them.
    pub bytes: usize,
}

/// Appends of whole events that are to be sent together: an `AppendBlockEnd` each.
#[derive(Debug, Default)]
pub struct BlockSizes(Vec<Size>);

impl<B> Default for EventQueue<B> {
    fn default() -> Self {
        Self {
            bare: false,
            batches: VecDeque::new(),
            stored: 0,
            next: (0, 0),
            all: Size::default(),
            unsent: Size::default(),
        }
    }
}

impl<B: Batch> EventQueue<B> {
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
        let pushed = self.amount(&batch, 0..batch.count());
        if pushed.bytes > EVENT_LIMIT {
            let len = |index| batch.bytes(index..index + 1);
            if let Some(index) = (0..pushed.events).find(|index| len(*index) > EVENT_LIMIT) {
                return Err((index, TooLong { len: len(index), max: EVENT_LIMIT }));
            }
        }
        if pushed.events > 0 {
            self.all += pushed;
            self.unsent += pushed;
            self.batches.push_back(batch);
        }
        Ok(())
    }

    /// Blocks for some of the next `count` events of about `len` bytes each, as far as these fill blocks of
    /// `limit` bytes, until they are `enough` bytes together.
    #[must_use]
    pub fn ready(
        &self,
        count: usize,
        len: usize,
        limit: usize,
        enough: usize,
    ) -> Option<PreparedBlocks> {
        let bytes = count.saturating_mul(self.header_len() + len).min(enough.max(limit));
        PreparedBlocks::new(self.header_len(), limit, bytes.checked_div(limit)?)
    }

    fn header_len(&self) -> usize {
        if self.bare { 0 } else { HEADER_LEN }
    }

    fn amount(&self, batch: &B, events: Range<usize>) -> Size {
        let headers = events.len() * self.header_len();
        Size { events: events.len(), bytes: headers + batch.bytes(events) }
    }

    /// Size of the events that are not stored.
    #[must_use]
    pub fn all(&self) -> Size {
        self.all
    }

    /// Size of the events that are not sent.
    #[must_use]
    pub fn unsent(&self) -> Size {
        self.unsent
    }

    /// Takes the next for sent if they stand in blocks that are ready, and gives these.
    pub fn next_ready(&mut self) -> Option<&mut B> {
        let sent = self.ready_at(self.next).map(|batch| self.amount(batch, 0..batch.count()))?;
        let (index, _) = self.next;
        self.unsent -= sent;
        self.next = (index + 1, 0);
        self.batches.get_mut(index)
    }

    /// The batch that is sent as it is, if one begins there.
    fn ready_at(&self, place: (usize, usize)) -> Option<&B> {
        let (index, 0) = place else { return None };
        self.batches.get(index).filter(|batch| batch.is_ready())
    }

    /// The next blocks, of up to `limit` bytes or one event that is larger: one, and those behind it
    /// that are full, until they are `enough` bytes together. None of them is ready.
    #[must_use]
    pub fn next_blocks(&self, limit: usize, enough: usize) -> BlockSizes {
        let mut blocks = Vec::new();
        let (mut left, mut next) = (self.unsent, self.next);
        let more = |left: Size| left.bytes >= limit && self.unsent.bytes - left.bytes < enough;
        while left.events > 0 && (blocks.is_empty() || more(left)) && self.ready_at(next).is_none()
        {
            let block = self.next_block(&mut next, limit);
            left -= block;
            blocks.push(block);
        }
        BlockSizes(blocks)
    }

    /// Up to `limit` bytes from `next` on, or one event that is larger.
    fn next_block(&self, next: &mut (usize, usize), limit: usize) -> Size {
        let mut block = Size::default();
        while let Some(batch) = self.batches.get(next.0)
            && let Some(room) = limit.checked_sub(block.bytes)
            && self.ready_at(*next).is_none()
        {
            let (first, end) = (next.1, batch.count());
            let mut fitting = self.fitting(batch, first..end, room);
            if first < end && fitting == 0 && block.events == 0 {
                fitting = 1;
            }
            block += self.amount(batch, first..first + fitting);
            if first + fitting < end {
                next.1 += fitting;
                break;
            }
            *next = (next.0 + 1, 0);
        }
        block
    }

    /// Number of the first `events` that fit into `room`.
    fn fitting(&self, batch: &B, events: Range<usize>, room: usize) -> usize {
        let (mut fit, mut count) = (0, events.len());
        while fit < count {
            let middle = count - (count - fit) / 2;
            if self.amount(batch, events.start..events.start + middle).bytes <= room {
                fit = middle;
            } else {
                count = middle - 1;
            }
        }
        fit
    }

    /// Gives blocks that are the next to `put`, two pieces at once, [`BlockSizes::len`] bytes in all, and
    /// takes them for sent. The number of the event before them is `last`.
    pub fn send(
        &mut self,
        blocks: &BlockSizes,
        writer: Uuid,
        last: i64,
        request_id: i64,
        mut put: impl FnMut(&[u8], &[u8]),
    ) {
        let mut last = last;
        for block in &blocks.0 {
            put(&begin(writer, *block), &[]);
            let mut left = block.events;
            while left > 0
                && let Some(batch) = self.batches.get(self.next.0)
            {
                let first = self.next.1;
                let end = batch.count().min(first + left);
                if self.bare {
                    batch.each(first..end, |event| put(event, &[]));
                } else {
                    // The type of an event is 0.
                    batch.each(first..end, |event| put(&(event.len() as u64).to_be_bytes(), event));
                }
                left -= end - first;
                self.next =
                    if end < batch.count() { (self.next.0, end) } else { (self.next.0 + 1, 0) };
            }
            self.unsent -= *block;
            last = block.last_number(last);
            put(&end(*block, last, request_id), &[]);
        }
    }

    /// Takes the first `count` for stored, sent or not.
    pub fn release(&mut self, count: usize) {
        let mut left = count.min(self.all.events);
        while left > 0 {
            let Some(batch) = self.batches.front() else { return };
            let end = batch.count().min(self.stored + left);
            let released = self.amount(batch, self.stored..end);
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
        // The store has events that were not sent over this connection.
        if self.unsent.events > self.all.events {
            self.unsent = self.all;
        }
    }

    /// Takes all that is not stored for not sent.
    pub fn rewind(&mut self) {
        self.next = (0, self.stored);
        self.unsent = self.all;
    }

    /// Shows `take` what is not stored, in order.
    pub fn each<'a>(&'a self, mut take: impl FnMut(&'a [u8])) {
        let mut first = self.stored;
        for batch in &self.batches {
            batch.each(std::mem::take(&mut first)..batch.count(), &mut take);
        }
    }
}

impl BlockSizes {
    /// Bytes of them all.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.iter().map(|block| BEGIN_LEN + block.bytes + END_LEN).sum()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Number of events that are in them.
    #[must_use]
    pub fn events(&self) -> usize {
        self.0.iter().map(|block| block.events).sum()
    }
}

impl Size {
    /// The number of the last of these events, behind that of the one before them.
    pub(super) fn last_number(self, before: i64) -> i64 {
        before.wrapping_add(self.events.cast_signed() as i64)
    }
}

impl AddAssign for Size {
    fn add_assign(&mut self, other: Self) {
        self.events += other.events;
        self.bytes += other.bytes;
    }
}

impl SubAssign for Size {
    fn sub_assign(&mut self, other: Self) {
        self.events -= other.events;
        self.bytes = self.bytes.saturating_sub(other.bytes);
    }
}

/// Bytes before the events of a block: the begin of its `AppendBlockEnd`.
pub(super) fn begin(writer: Uuid, block: Size) -> [u8; BEGIN_LEN] {
    let mut begin = [0; BEGIN_LEN];
    begin[..4].copy_from_slice(&BLOCK_END.to_be_bytes());
    begin[4..8].copy_from_slice(&int(BEGIN_LEN - HEADER_LEN + block.bytes + END_LEN));
    begin[8..24].copy_from_slice(&writer.to_be_bytes());
    begin[24..28].copy_from_slice(&int(block.bytes));
    begin[28..].copy_from_slice(&int(block.bytes));
    begin
}

/// Bytes after the events of a block; the number of the last event is `last`.
pub(super) fn end(block: Size, last: i64, request_id: i64) -> [u8; END_LEN] {
    let mut end = [0; END_LEN];
    end[..4].copy_from_slice(&int(block.events));
    end[4..12].copy_from_slice(&last.to_be_bytes());
    end[12..].copy_from_slice(&request_id.to_be_bytes());
    end
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

/// Number of bytes that the event at the front of `bytes` takes, as far as they tell.
fn needed(bytes: &[u8], limit: usize) -> usize {
    let header = Framing::EVENTS.header(bytes, limit).ok().flatten();
    header.map_or(Framing::EVENTS.header_len(), |it| it.len + it.payload_len)
}

/// Cuts what a segment holds into events, however it was read.
#[derive(Debug)]
pub struct EventSplitter {
    carry: Vec<u8>,
    /// Number of bytes that must wait there before an event can be whole.
    need: usize,
    offset: u64,
    /// Bytes of the largest event that is accepted.
    limit: usize,
}

impl EventSplitter {
    /// Starts at an event's header, which stands at `offset` of the segment. Events of more than `limit` bytes,
    /// at most `i32::MAX`, are refused; no memory is reserved for bytes that have not arrived.
    #[must_use]
    pub fn new(offset: u64, limit: usize) -> Self {
        let limit = limit.min(i32::MAX.unsigned_abs() as usize);
        Self { carry: Vec::new(), need: 0, offset, limit }
    }

    /// Takes the next bytes; gives the events that are whole by now, those before an error too.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Unexpected`] where no event begins, [`DecodeErrorKind::OverLimit`] of one that cannot
    /// be; the offset is that in the segment.
    pub fn feed(&mut self, data: &[u8], out: &mut BinaryColumn) -> Result<()> {
        if self.carry.is_empty() {
            let used = self.cut(data, out)?;
            self.carry.extend_from_slice(&data[used..]);
            self.need = needed(&self.carry, self.limit);
            return Ok(());
        }
        self.carry.extend_from_slice(data);
        if self.carry.len() < self.need {
            return Ok(());
        }
        let mut carry = std::mem::take(&mut self.carry);
        let used = self.cut(&carry, out)?;
        carry.drain(..used);
        self.need = needed(&carry, self.limit);
        self.carry = carry;
        Ok(())
    }

    fn cut(&mut self, data: &[u8], out: &mut BinaryColumn) -> Result<usize> {
        let (before, bytes_before) = (out.len(), out.values.len());
        let mut frames = crate::frame::Frames::default();
        std::mem::swap(&mut frames.payloads, out);
        let scanned =
            scan_compact(data, Framing::EVENTS, self.limit, &mut frames, SimdLevel::current());
        std::mem::swap(&mut frames.payloads, out);
        examined(Framing::EVENTS.header_len() * (out.len() - before + 1));
        let place = usize::try_from(self.offset).unwrap_or(usize::MAX / 2);
        match scanned {
            Ok(used) => {
                self.offset += used as u64;
                Ok(used)
            }
            Err(error) => {
                let given = HEADER_LEN * (out.len() - before) + out.values.len() - bytes_before;
                self.offset += given as u64;
                Err(error.moved(place))
            }
        }
    }

    /// Where the next event begins in the segment.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Number of bytes that wait for the rest of their event.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.carry.len()
    }
}

/// Where each of `events` begins in a segment that has the first of them at `first`.
#[must_use]
pub fn offsets_of(events: &BinaryColumn, first: u64) -> Vec<i64> {
    // Wrapping sums, since the compiler does not vectorise checked ones.
    let at = |(index, offset): (usize, &i32)| {
        let headers = index.wrapping_mul(HEADER_LEN) as u64;
        first.wrapping_add(headers).cast_signed().wrapping_add(i64::from(*offset))
    };
    events.offsets[..events.len()].iter().enumerate().map(at).collect()
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
    /// [`DecodeErrorKind::Unexpected`] if one is open already.
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
    /// [`DecodeErrorKind::Unexpected`] where the two do not belong together or say other sizes.
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
    DecodeErrorKind::Unexpected { value, expected }.at("append block", 0)
}

const BLOCK_END: i32 = 4;
const PADDING: i32 = -1;
/// Bytes of an `AppendBlockEnd` before its data, its header included.
pub(super) const BEGIN_LEN: usize = HEADER_LEN + 16 + 4 + 4;
/// Bytes of it behind its data.
pub(super) const END_LEN: usize = 4 + 8 + 8;

/// Largest event of an append: `Serializer.MAX_EVENT_SIZE`.
pub const EVENT_LIMIT: usize = 8 << 20;

/// Largest event that is read or written unless told otherwise. Java's writers make an event of more than
/// [`EVENT_LIMIT`] bytes a segment of its own, which is merged, and have no limit. (Chosen by jvmwire.)
pub const LARGE_EVENT_LIMIT: usize = 256 << 20;
