//! Encoder of append blocks.

use std::collections::HashMap;

use super::{EVENT_LIMIT, append::block_end, encode::end_frame};
use crate::{TooLong, fixed::Uuid};

/// Writes appends in blocks as `CommandEncoder` does: an event that does not fit goes on behind its
/// block, a block that is broken off is filled with padding, and who finds the channel taken waits.
///
/// What waits goes out in the order in which it began to; with more than two writers, Java's is that of
/// its hash table.
#[derive(Debug)]
pub struct BlockEncoder {
    block_size: usize,
    open: Option<Open>,
    writers: HashMap<Uuid, Pending>,
    /// Who has something that waits.
    waiting: Vec<Uuid>,
}

/// The block that is being written.
#[derive(Clone, Copy, Debug)]
struct Open {
    writer: Uuid,
    size: usize,
    left: usize,
}

/// Unfinished block of a writer.
#[derive(Debug, Default)]
struct Pending {
    request_id: i64,
    last: i64,
    events: i32,
    bytes: Vec<u8>,
}

impl BlockEncoder {
    /// Begins blocks of `block_size` bytes, where one event is not larger.
    #[must_use]
    pub fn new(block_size: usize) -> Self {
        let block_size = block_size.min(EVENT_LIMIT);
        Self { block_size, open: None, writers: HashMap::new(), waiting: Vec::new() }
    }

    /// Writes an event, or begins to, into `out`. `request_id` is that of the writer's set-up, `number`
    /// the event's.
    ///
    /// # Errors
    /// [`TooLong`] if it is over [`EVENT_LIMIT`]; nothing is written.
    pub fn append(
        &mut self,
        writer: Uuid,
        request_id: i64,
        number: i64,
        event: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), TooLong> {
        let length = i32::try_from(event.len()).ok().filter(|_| event.len() <= EVENT_LIMIT);
        let length = length.ok_or(TooLong { len: event.len(), max: EVENT_LIMIT })?;
        let mut data = vec![0; 4];
        data.extend_from_slice(&length.to_be_bytes());
        data.extend_from_slice(event);
        let pending = self.writers.entry(writer).or_default();
        let had_none = pending.events == 0;
        pending.request_id = request_id;
        pending.last = number;
        pending.events += 1;
        match self.open {
            None if had_none => self.start(writer, &data, out),
            None => {
                self.wait(writer, &data, out);
                self.flush(writer, out);
            }
            Some(open) if open.writer != writer => self.wait(writer, &data, out),
            Some(open) if open.left > data.len() => {
                self.open = Some(Open { left: open.left - data.len(), ..open });
                out.extend_from_slice(&data);
            }
            Some(open) => {
                let (head, tail) = data.split_at(open.left);
                frame(PARTIAL_EVENT, head, out);
                self.complete(tail, out);
                self.flush_all(out);
            }
        }
        Ok(())
    }

    /// Ends what was begun, into `out`: before any other command, and when nothing came for a while.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        self.break_off(out);
        self.flush_all(out);
    }

    fn start(&mut self, writer: Uuid, data: &[u8], out: &mut Vec<u8>) {
        // After the events there is room for the header of the part that ends the block.
        let (size, room) = if self.block_size > data.len() {
            (self.block_size, self.block_size + HEADER)
        } else {
            (data.len(), data.len())
        };
        begin(writer, room, out);
        out.extend_from_slice(data);
        self.open = Some(Open { writer, size, left: size - data.len() });
        if size == data.len() {
            self.complete(&[], out);
        }
    }

    /// Ends the open block, whose last event has `tail` left.
    fn complete(&mut self, tail: &[u8], out: &mut Vec<u8>) {
        let Some(open) = self.open.take() else { return };
        self.end(open.writer, open.size - open.left, tail, out);
    }

    fn break_off(&mut self, out: &mut Vec<u8>) {
        if let Some(open) = self.open {
            frame(PADDING, &vec![0; open.left], out);
            self.complete(&[], out);
        }
    }

    fn wait(&mut self, writer: Uuid, data: &[u8], out: &mut Vec<u8>) {
        let Some(pending) = self.writers.get_mut(&writer) else { return };
        pending.bytes.extend_from_slice(data);
        let is_full = pending.bytes.len() > MAX_DATA_SIZE || pending.events > MAX_EVENTS;
        if !self.waiting.contains(&writer) {
            self.waiting.push(writer);
        }
        if is_full {
            self.break_off(out);
            self.flush(writer, out);
        }
    }

    fn flush(&mut self, writer: Uuid, out: &mut Vec<u8>) {
        let Some(pending) = self.writers.get_mut(&writer) else { return };
        if pending.events > 0 {
            let bytes = std::mem::take(&mut pending.bytes);
            self.waiting.retain(|waiting| *waiting != writer);
            begin(writer, bytes.len(), out);
            out.extend_from_slice(&bytes);
            self.end(writer, bytes.len(), &[], out);
        }
    }

    fn flush_all(&mut self, out: &mut Vec<u8>) {
        for writer in std::mem::take(&mut self.waiting) {
            self.flush(writer, out);
        }
    }

    fn end(&mut self, writer: Uuid, whole: usize, tail: &[u8], out: &mut Vec<u8>) {
        let pending = self.writers.entry(writer).or_default();
        let events = std::mem::take(&mut pending.events);
        let (last, request_id) = (pending.last, pending.request_id);
        let start = out.len();
        block_end(writer, whole, tail, out);
        out.extend_from_slice(&events.to_be_bytes());
        out.extend_from_slice(&last.to_be_bytes());
        out.extend_from_slice(&request_id.to_be_bytes());
        // An event's limit and a few numbers.
        let _ = end_frame(start, out);
    }
}

/// The header and the writer of an `AppendBlock` that has room for so many bytes.
fn begin(writer: Uuid, room: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&APPEND_BLOCK.to_be_bytes());
    put(room + 16, out);
    out.extend_from_slice(&writer.to_be_bytes());
}

fn frame(code: i32, payload: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&code.to_be_bytes());
    put(payload.len(), out);
    out.extend_from_slice(payload);
}

/// Appends a number that is below a frame's limit.
fn put(number: usize, out: &mut Vec<u8>) {
    out.extend_from_slice(&(number as u64).to_be_bytes()[4..]);
}

const PARTIAL_EVENT: i32 = -2;
const PADDING: i32 = -1;
const APPEND_BLOCK: i32 = 3;
const HEADER: usize = super::HEADER_LEN;
/// `CommandEncoder.Session.MAX_DATA_SIZE`.
const MAX_DATA_SIZE: usize = 1 << 20;
/// `CommandEncoder.Session.MAX_EVENTS`.
const MAX_EVENTS: i32 = 500;
