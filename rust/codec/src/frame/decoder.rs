use super::Framing;
use crate::Result;

/// Cuts a stream into frames, however the transport chopped it.
#[derive(Debug)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    taken: usize,
    offset: usize,
    framing: Framing,
    limit: usize,
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
        Self { buffer: Vec::new(), taken: 0, offset: 0, framing, limit }
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
    pub fn next_typed_frame(&mut self) -> Result<Option<Frame<'_>>> {
        let rest = &self.buffer[self.taken..];
        let header = self.framing.header(rest, self.limit);
        let Some(header) = header.map_err(|error| error.moved(self.offset))? else {
            return Ok(None);
        };
        let Some(payload) = rest[header.len..].get(..header.payload_len) else { return Ok(None) };
        self.taken += header.len + header.payload_len;
        self.offset += header.len + header.payload_len;
        Ok(Some(Frame { kind: header.kind, payload }))
    }

    /// How many bytes wait for the rest of their frame.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.taken
    }
}
