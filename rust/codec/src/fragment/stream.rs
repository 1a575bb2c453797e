use super::{Part, grow};
use crate::{Problem, Result};

/// Joins the fragments of one stream, where a message ends before the next begins: early Pravega.
#[derive(Debug)]
pub struct StreamAssembler {
    pub(super) buffer: Vec<u8>,
    open: bool,
    offset: usize,
    limit: usize,
}

impl StreamAssembler {
    /// Refuses messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), open: false, offset: 0, limit }
    }

    /// Takes a fragment, and gives the message that it ends.
    ///
    /// # Errors
    /// [`Problem::Unexpected`] if a message begins in another, or goes on or ends without having
    /// begun; [`Problem::OverLimit`]. Offsets count the bytes of fragments. The stream cannot go on.
    pub fn push<'a>(&'a mut self, part: Part, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        let at = self.offset;
        self.offset += data.len();
        let begins = matches!(part, Part::Begin | Part::Whole);
        if begins == self.open {
            let expected =
                if begins { "a fragment that goes on" } else { "a fragment that begins a message" };
            return Err(Problem::Unexpected { value: part as i64, expected }.of("fragment", at));
        }
        if begins {
            self.buffer.clear();
        }
        let len = self.buffer.len() + data.len();
        if len > self.limit {
            let problem = Problem::OverLimit { value: len as u64, limit: self.limit as u64 };
            return Err(problem.of("bytes of a fragmented message", at));
        }
        if part == Part::Whole {
            return Ok(Some(data));
        }
        grow(&mut self.buffer, data.len(), self.limit);
        self.buffer.extend_from_slice(data);
        self.open = part != Part::End;
        Ok((!self.open).then_some(&*self.buffer))
    }

    /// Takes a fragment with the flag of early Pravega's `PartialMessage`.
    ///
    /// # Errors
    /// As [`StreamAssembler::push`]; [`Problem::Unexpected`] if there is no such flag.
    pub fn push_pravega<'a>(&'a mut self, flag: u8, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        let Some(part) = Part::from_pravega(flag) else {
            let problem = Problem::Unexpected { value: flag.into(), expected: "0, 1 or 2" };
            return Err(problem.of("fragment flag", self.offset));
        };
        self.push(part, data)
    }

    /// The message that was put together last.
    pub(crate) fn last_whole(&self) -> &[u8] {
        &self.buffer
    }

    /// Judges the end of the stream.
    ///
    /// # Errors
    /// [`Problem::Missing`] if a message has begun and not ended.
    pub fn finish(&self) -> Result<()> {
        if self.open {
            return Err(Problem::Missing { missing: 1 }.of("fragment", self.offset));
        }
        Ok(())
    }

    /// How many bytes wait for the rest of their message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        if self.open { self.buffer.len() } else { 0 }
    }
}
