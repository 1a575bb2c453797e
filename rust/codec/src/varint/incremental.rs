//! Incremental decoder of varints.

use super::{Format, MAX_LEN, decode_all};
use crate::{DecodeErrorKind, Result, SimdLevel};

/// Decodes a stream of varints, however the transport chopped it.
#[derive(Clone, Debug)]
pub struct Decoder<F> {
    held: [u8; MAX_LEN],
    len: usize,
    offset: usize,
    level: SimdLevel,
    format: std::marker::PhantomData<F>,
}

impl<F: Format<Out = <F as Format>::Value>> Decoder<F> {
    /// Starts at the stream's first byte.
    #[must_use]
    pub fn new(level: SimdLevel) -> Self {
        Self { held: [0; MAX_LEN], len: 0, offset: 0, level, format: std::marker::PhantomData }
    }

    /// Takes a chunk, and appends the values that are whole by now to `out`.
    ///
    /// # Errors
    /// As [`decode_all`], with the offset in the stream; the stream cannot go on.
    pub fn feed(&mut self, chunk: &[u8], out: &mut Vec<F::Value>) -> Result<()> {
        let mut chunk = chunk;
        while self.len > 0 {
            let Some((&byte, rest)) = chunk.split_first() else { return Ok(()) };
            self.held[self.len] = byte;
            self.len += 1;
            chunk = rest;
            match F::decode(&self.held[..self.len]) {
                Ok((value, len)) => {
                    out.push(value);
                    self.offset += len;
                    self.len = 0;
                }
                Err(DecodeErrorKind::UnexpectedEof { .. }) => {}
                Err(problem) => return Err(problem.at(F::NAME, self.offset)),
            }
        }
        let taken =
            decode_all::<F>(chunk, out, self.level).map_err(|error| error.moved(self.offset))?;
        self.offset += taken;
        let rest = &chunk[taken..];
        self.len = rest.len();
        self.held[..self.len].copy_from_slice(rest);
        Ok(())
    }

    /// Judges the end of the stream.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if a value has begun and not ended.
    pub fn finish(&self) -> Result<()> {
        match F::decode(&self.held[..self.len]) {
            Err(problem) if self.len > 0 => Err(problem.at(F::NAME, self.offset)),
            _ => Ok(()),
        }
    }

    /// Number of bytes that wait for the rest of their value.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.len
    }
}
