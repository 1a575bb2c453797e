//! Incremental decoder of length-prefixed frames.

use super::{Frames, Framing, Header, scan_compact};
use crate::{DecodeErrorKind, Result, SimdLevel, cost::examined};

/// Incremental decoder of a stream of frames.
#[derive(Debug)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    taken: usize,
    offset: usize,
    framing: Framing,
    limit: usize,
    ended: bool,
    /// Number of bytes that must be buffered before the header is examined again.
    need: usize,
}

/// Frame of a stream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Frame<'a> {
    /// Type of the frame; 0 if the framing has no types.
    pub kind: i32,
    /// Payload of the frame.
    pub payload: &'a [u8],
}

impl FrameDecoder {
    /// Creates a decoder of [`Framing::BIG_ENDIAN`] that rejects frames of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self::with(Framing::BIG_ENDIAN, limit)
    }

    /// Creates a decoder of `framing` that rejects payloads of more than `limit` bytes.
    #[must_use]
    pub fn with(framing: Framing, limit: usize) -> Self {
        Self { buffer: Vec::new(), taken: 0, offset: 0, framing, limit, ended: false, need: 0 }
    }

    /// Appends bytes from the transport.
    pub fn feed(&mut self, data: &[u8]) {
        // Moving the rest is paid for by at least as many bytes that were taken.
        if self.taken >= self.buffered() {
            self.buffer.drain(..self.taken);
            self.taken = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Ends the stream: a frame that is incomplete now is an error.
    pub fn finish(&mut self) {
        self.ended = true;
    }

    /// Takes the payload of the next complete frame, or `None` until more bytes are fed.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot continue.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>> {
        Ok(self.next_typed_frame()?.map(|frame| frame.payload))
    }

    /// Takes the next complete frame, or `None` until more bytes are fed.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot continue.
    /// [`DecodeErrorKind::UnexpectedEof`] if the stream has ended inside a frame.
    pub fn next_typed_frame(&mut self) -> Result<Option<Frame<'_>>> {
        let Some(header) = self.look()? else { return Ok(None) };
        let start = self.taken + header.len;
        let end = start + header.payload_len;
        self.take(end - self.taken);
        Ok(Some(Frame { kind: header.kind, payload: &self.buffer[start..end] }))
    }

    /// Moves bytes from the start of `chunk` into the buffer, as many as its incomplete frame needs; none if no
    /// frame is incomplete.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot continue.
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

    /// Length of the frame at the start of `chunk`, if its header is complete and the buffer is empty.
    pub(crate) fn needed_by(&self, chunk: &[u8]) -> Option<usize> {
        let header = self.framing.header(chunk, self.limit).ok().flatten();
        header.filter(|_| self.buffered() == 0).map(|it| it.len + it.payload_len)
    }

    /// Takes the complete frame at the start of `chunk` without copying it; the buffer must be empty.
    ///
    /// # Errors
    /// As [`Framing::header`], with the offset in the stream; the stream cannot continue.
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

    /// Takes all complete frames, as many as 31-bit offsets allow, and appends them to `out`.
    ///
    /// # Errors
    /// As [`FrameDecoder::next_typed_frame`], after all frames before the malformed one are taken.
    pub fn next_batch(&mut self, out: &mut Frames, level: SimdLevel) -> Result<()> {
        if self.is_short() {
            return Ok(());
        }
        let (count, len) = (out.payloads.len(), out.payloads.values.len());
        let rest = &self.buffer[self.taken..];
        // An error is found again below if no frame precedes it.
        let _ = scan_compact(rest, self.framing, self.limit, out, level);
        let taken = out.payloads.len() - count;
        if taken == 0 {
            self.look()?;
            return Ok(());
        }
        self.take(taken * self.framing.header_len() + out.payloads.values.len() - len);
        Ok(())
    }

    /// Returns the payload of the next complete frame without taking it.
    ///
    /// # Errors
    /// As [`FrameDecoder::next_typed_frame`].
    pub fn peek_frame(&self) -> Result<Option<&[u8]>> {
        let Some(header) = self.front()? else { return Ok(None) };
        Ok(Some(&self.rest()[header.len..header.len + header.payload_len]))
    }

    /// Returns the last `len` bytes that were taken: the payload of the frame taken last.
    pub(crate) fn last_taken(&self, len: usize) -> &[u8] {
        &self.buffer[self.taken - len..self.taken]
    }

    /// Skips bytes outside of frames, at most as many as are buffered.
    pub fn skip(&mut self, len: usize) {
        self.take(len.min(self.buffered()));
    }

    /// Returns the bytes that were fed and not taken.
    #[must_use]
    pub fn rest(&self) -> &[u8] {
        &self.buffer[self.taken..]
    }

    /// Offset of the next frame in the stream.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether fewer bytes are buffered than the last attempt needed.
    fn is_short(&self) -> bool {
        self.buffered() < self.need && !self.ended
    }

    /// Decodes the header of the frame at the start, if it is complete, and stores the number of bytes that it
    /// needs.
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

    /// Decodes the header of the frame at the start, if it is complete.
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
