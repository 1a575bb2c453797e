//! Reassembly of messages whose fragments follow one another in a stream: early Pravega.

use super::{Accumulator, Assembled, FragmentKind};
use crate::{DecodeErrorKind, Result};

/// Joins the fragments of one stream, where a message ends before the next begins: early Pravega.
#[derive(Debug)]
pub struct StreamAssembler<M = Vec<u8>> {
    pub(super) message: M,
    open: bool,
    offset: usize,
    limit: usize,
}

impl StreamAssembler {
    /// Refuses messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self::gathering(limit)
    }

    /// As [`StreamAssembler::gather`], of bytes that are copied.
    ///
    /// # Errors
    /// As [`StreamAssembler::gather`].
    pub fn push<'a>(&'a mut self, part: FragmentKind, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        Ok(self.gather(part, data)?.map(Assembled::bytes))
    }

    /// As [`StreamAssembler::gather_pravega`], of bytes that are copied.
    ///
    /// # Errors
    /// As [`StreamAssembler::gather_pravega`].
    pub fn push_pravega<'a>(&'a mut self, flag: u8, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        Ok(self.gather_pravega(flag, data)?.map(Assembled::bytes))
    }

    /// The message that was put together last.
    pub(crate) fn last_whole(&self) -> &[u8] {
        &self.message
    }
}

impl<M: Accumulator> StreamAssembler<M> {
    /// As [`StreamAssembler::new`], with the fragments kept by an `M`.
    #[must_use]
    pub fn gathering(limit: usize) -> Self {
        Self { message: M::default(), open: false, offset: 0, limit }
    }

    /// Takes a fragment, and gives the message that it ends.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Unexpected`] if a message begins in another, or goes on or ends without having
    /// begun; [`DecodeErrorKind::OverLimit`]. Offsets count the bytes of fragments. The stream cannot go on.
    pub fn gather<'a>(
        &'a mut self,
        part: FragmentKind,
        fragment: M::Fragment<'a>,
    ) -> Result<Option<Assembled<'a, M>>> {
        let at = self.offset;
        let size = fragment.as_ref().len();
        self.offset += size;
        let begins = matches!(part, FragmentKind::Begin | FragmentKind::Whole);
        if begins == self.open {
            let expected =
                if begins { "a fragment that goes on" } else { "a fragment that begins a message" };
            return Err(
                DecodeErrorKind::Unexpected { value: part as i64, expected }.at("fragment", at)
            );
        }
        if begins {
            self.message.clear();
        }
        let len = self.message.size() + size;
        if len > self.limit {
            let problem =
                DecodeErrorKind::OverLimit { value: len as u64, limit: self.limit as u64 };
            return Err(problem.at("bytes of a fragmented message", at));
        }
        if part == FragmentKind::Whole {
            return Ok(Some(Assembled::Unfragmented(fragment)));
        }
        self.message.add(fragment, self.limit);
        self.open = part != FragmentKind::End;
        Ok((!self.open).then_some(Assembled::Accumulated(&mut self.message)))
    }

    /// Takes a fragment with the flag of early Pravega's `PartialMessage`.
    ///
    /// # Errors
    /// As [`StreamAssembler::gather`]; [`DecodeErrorKind::Unexpected`] if there is no such flag.
    pub fn gather_pravega<'a>(
        &'a mut self,
        flag: u8,
        fragment: M::Fragment<'a>,
    ) -> Result<Option<Assembled<'a, M>>> {
        let Some(part) = FragmentKind::from_pravega(flag) else {
            let problem = DecodeErrorKind::Unexpected { value: flag.into(), expected: "0, 1 or 2" };
            return Err(problem.at("fragment flag", self.offset));
        };
        self.gather(part, fragment)
    }

    /// Judges the end of the stream.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if a message has begun and not ended.
    pub fn finish(&self) -> Result<()> {
        if self.open {
            return Err(DecodeErrorKind::UnexpectedEof { missing: 1 }.at("fragment", self.offset));
        }
        Ok(())
    }

    /// Accumulator of the incomplete message; meaningless if there is none.
    pub fn message(&mut self) -> &mut M {
        &mut self.message
    }

    /// Number of bytes that wait for the rest of their message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        if self.open { self.message.size() } else { 0 }
    }
}
