//! Incremental decoder of length-prefixed strings.

use super::{Column, StringFormat, TextPrefix};
use crate::{DecodeErrorKind, Result, SimdLevel};

/// Incremental decoder of a stream of strings.
#[derive(Clone, Debug)]
pub struct StringDecoder {
    buffer: Vec<u8>,
    /// Number of buffered bytes below which no string is complete.
    pub(super) needed: usize,
    offset: usize,
    format: StringFormat,
    limit: usize,
}

impl StringDecoder {
    /// Creates a decoder that rejects strings whose length exceeds `limit`.
    #[must_use]
    pub fn new(format: StringFormat, limit: usize) -> Self {
        Self { buffer: Vec::new(), needed: 0, offset: 0, format, limit }
    }

    /// Feeds a chunk, and appends the strings that are complete now to `out`.
    ///
    /// # Errors
    /// As [`StringFormat::decode_all`], with the offset in the stream; the stream cannot continue.
    pub fn feed(&mut self, chunk: &[u8], out: &mut Column, level: SimdLevel) -> Result<()> {
        self.buffer.extend_from_slice(chunk);
        if self.buffer.len() < self.needed {
            return Ok(());
        }
        let taken = self.format.decode_all(&self.buffer, self.limit, out, level);
        let taken = taken.map_err(|error| error.moved(self.offset))?;
        self.buffer.drain(..taken);
        self.offset += taken;
        self.needed = match self.format.front(&self.buffer, self.limit) {
            Ok(TextPrefix::Incomplete(missing)) => self.buffer.len() + missing,
            _ => 0,
        };
        Ok(())
    }

    /// Checks that the stream ended at the end of a string.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if the stream ended inside a string.
    pub fn finish(&self) -> Result<()> {
        match self.format.front(&self.buffer, self.limit) {
            Ok(TextPrefix::Incomplete(missing)) if !self.buffer.is_empty() => {
                Err(DecodeErrorKind::UnexpectedEof { missing }.at("string", self.offset))
            }
            _ => Ok(()),
        }
    }

    /// Number of bytes that wait for the rest of their string.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len()
    }
}
