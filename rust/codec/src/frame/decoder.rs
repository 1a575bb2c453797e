//! Incremental decoder of length-prefixed frames.

use super::{Frames, Framing, Header, scan_compact};
use crate::{DecodeErrorKind, Result, SimdLevel, cost::examined};

/// Cuts a stream into frames, however the transport chopped it.
#[derive(Debug)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    taken: usize,
    offset: usize,
    framing: Framing,
    limit: usize,
    ended: bool,
    /// Number of bytes that must wait before another look at the header can find more.
    need: usize,
}

/// A frame of a stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Frame<'a> {
    /// Its type; 0 where the framing has none.
    pub kind: i32,
    /// What is framed.
    pub payload: &'a [u8],
}

impl FrameDecoder {
    /// Expects [`Framing::BIG_ENDIAN`] and refuses frames of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self::with(Framing::BIG_ENDIAN, limit)
    }

    /// Expects `framing` and refuses payloads of more than `limit` bytes.
    #[must_use]
    pub fn with(framing: Framing, limit: usize) -> Self {
        Self { buffer: Vec::new(), taken: 0, offset: 0, framing, limit, ended: false, need: 0 }
    }

    /// Appends bytes as they came off the transport.
    pub fn feed(&mut self, data: &[u8]) {
        // Moving the rest is paid for by at least as many bytes that were taken.
        if self.taken >= self.buffered() {
            self.buffer.drain(..self.taken);
            self.taken = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Says that nothing follows: a frame that is not whole by now is wrong.
    pub fn finish(&mut self) {
        self.ended = true;
    }

    /// Takes the payload of the next whole frame, or `None` until more is fed.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot go on.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>> {
        Ok(self.next_typed_frame()?.map(|frame| frame.payload))
    }

    /// Takes the next whole frame, or `None` until more is fed.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot go on.
    /// [`DecodeErrorKind::UnexpectedEof`] if the stream has ended within a frame.
    pub fn next_typed_frame(&mut self) -> Result<Option<Frame<'_>>> {
        let Some(header) = self.look()? else { return Ok(None) };
        let start = self.taken + header.len;
        let end = start + header.payload_len;
        self.take(end - self.taken);
        Ok(Some(Frame { kind: header.kind, payload: &self.buffer[start..end] }))
    }

    /// Keeps as much from the front of `chunk` as the frame needs that waits for its rest; nothing if none
    /// does.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot go on.
    pub(crate) fn complete(&mut self, chunk: &mut &[u8]) -> Result<()> {
        while !self.rest().is_empty() && !chunk.is_empty() {
            if self.buffered() >= self.need {
                self.look()?;
            }
            let missing = self.need.saturating_sub(self.buffered());
            if missing == 0 {
                break;
            }
            let (needed, rest) = chunk.split_at(missing.min(chunk.len()));
            self.feed(needed);
            *chunk = rest;
        }
        Ok(())
    }

    /// Length of the frame at the front of `chunk`, if its header is complete and no other bytes wait.
    pub(crate) fn needed_by(&self, chunk: &[u8]) -> Option<usize> {
        let header = self.framing.header(chunk, self.limit).ok().flatten();
        header.filter(|_| self.buffered() == 0).map(|it| it.len + it.payload_len)
    }

    /// Takes the whole frame at the front of `chunk`, where it is; while nothing else waits.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot go on.
    pub(crate) fn next_in<'a>(&mut self, chunk: &mut &'a [u8]) -> Result<Option<Frame<'a>>> {
        let header = self.framing.front(chunk, self.limit);
        let Some(header) = header.map_err(|error| error.moved(self.offset))? else {
            return Ok(None);
        };
        let (frame, rest) = chunk.split_at(header.len + header.payload_len);
        *chunk = rest;
        self.offset += frame.len();
        Ok(Some(Frame { kind: header.kind, payload: &frame[header.len..] }))
    }

    /// Takes all whole frames, as many as 31 bits of offsets allow, and appends them to `out`.
    ///
    /// # Errors
    /// As [`FrameDecoder::next_typed_frame`], once all frames before what is wrong are taken.
    pub fn next_batch(&mut self, out: &mut Frames, level: SimdLevel) -> Result<()> {
        if self.is_short() {
            return Ok(());
        }
        let (count, len) = (out.payloads.len(), out.payloads.values.len());
        let rest = &self.buffer[self.taken..];
        // What is wrong is seen again if nothing was before it.
        let _ = scan_compact(rest, self.framing, self.limit, out, level);
        let taken = out.payloads.len() - count;
        if taken == 0 {
            self.look()?;
            return Ok(());
        }
        self.take(taken * self.framing.header_len() + out.payloads.values.len() - len);
        Ok(())
    }

    /// Shows the payload of the next whole frame and leaves it there.
    ///
    /// # Errors
    /// As [`FrameDecoder::next_typed_frame`].
    pub fn peek_frame(&self) -> Result<Option<&[u8]>> {
        let Some(header) = self.front()? else { return Ok(None) };
        Ok(Some(&self.rest()[header.len..header.len + header.payload_len]))
    }

    /// The `len` bytes before what was not taken: the payload of the frame taken last.
    pub(crate) fn last_taken(&self, len: usize) -> &[u8] {
        &self.buffer[self.taken - len..self.taken]
    }

    /// Takes bytes outside of frames, as many as are there at most.
    pub fn skip(&mut self, len: usize) {
        self.take(len.min(self.buffered()));
    }

    /// The bytes that were fed and not taken.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    /// Where the next frame begins, in bytes from the start of the stream.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether fewer bytes wait than the last look at them needed.
    fn is_short(&self) -> bool {
        self.buffered() < self.need && !self.ended
    }

    /// The header of the frame at the front, if that is whole; what it needs is remembered.
    fn look(&mut self) -> Result<Option<Header>> {
        if self.is_short() {
            return Ok(None);
        }
        let header = self.front()?;
        if header.is_none() {
            let known = self.framing.header(self.rest(), self.limit).ok().flatten();
            self.need = known.map_or(self.framing.header_len(), |it| it.len + it.payload_len);
        }
        Ok(header)
    }

    /// The header of the frame at the front, if that is whole.
    fn front(&self) -> Result<Option<Header>> {
        let rest = self.rest();
        examined(self.framing.header_len().min(rest.len()));
        let header = self.framing.header(rest, self.limit);
        let header = header.map_err(|error| error.moved(self.offset))?;
        let len = header.map_or(self.framing.header_len(), |it| it.len + it.payload_len);
        if rest.len() >= len {
            return Ok(header);
        }
        if self.ended && !rest.is_empty() {
            return Err(DecodeErrorKind::UnexpectedEof { missing: len - rest.len() }
                .at("frame", self.offset));
        }
        Ok(None)
    }

    fn take(&mut self, len: usize) {
        self.taken += len;
        self.offset += len;
        self.need = 0;
    }

    /// Number of bytes that wait for the rest of their frame.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.taken
    }
}
