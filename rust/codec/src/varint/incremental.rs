//! Incremental decoder of varints.

use super::{Format, MAX_LEN, decode_all};
use crate::{DecodeErrorKind, Result, SimdLevel};

/// Incremental decoder of a stream of varints.
#[derive(Clone, Debug)]
pub struct Decoder<F> {
    held: [u8; MAX_LEN],
    len: usize,
    offset: usize,
    level: SimdLevel,
    format: std::marker::PhantomData<F>,
}

impl<F: Format<Out = <F as Format>::Value>> Decoder<F> {
    /// Creates a decoder at the start of a stream.
    #[must_use]
    pub fn new(level: SimdLevel) -> Self {
        Self { held: [0; MAX_LEN], len: 0, offset: 0, level, format: std::marker::PhantomData }
    }

    /// Feeds a chunk, and appends the values that are complete now to `out`.
    ///
    /// # Errors
    /// As [`decode_all`], with the offset in the stream; the stream cannot continue.
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

    /// Checks that the stream ended at the end of a value.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if the stream ended inside a value.
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
