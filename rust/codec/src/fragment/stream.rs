//! Reassembly of messages whose fragments follow each other in a stream: early Pravega.

use super::{Accumulator, Assembled, FragmentKind};
use crate::{DecodeErrorKind, Result};

/// Assembler of the fragments of one stream, in which a message ends before the next begins: early Pravega.
#[derive(Debug)]
pub struct StreamAssembler<M = Vec<u8>> {
    pub(super) message: M,
    open: bool,
    offset: usize,
    limit: usize,
}

impl StreamAssembler {
    /// Creates an assembler that rejects messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self::gathering(limit)
    }

    /// Adds a fragment as [`StreamAssembler::gather`] does, by copying its bytes.
    ///
    /// # Errors
    /// As [`StreamAssembler::gather`].
    pub fn push<'a>(&'a mut self, part: FragmentKind, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        Ok(self.gather(part, data)?.map(Assembled::bytes))
    }

    /// Adds a fragment as [`StreamAssembler::gather_pravega`] does, by copying its bytes.
    ///
    /// # Errors
    /// As [`StreamAssembler::gather_pravega`].
    pub fn push_pravega<'a>(&'a mut self, flag: u8, data: &'a [u8]) -> Result<Option<&'a [u8]>> {
        Ok(self.gather_pravega(flag, data)?.map(Assembled::bytes))
    }

    /// Returns the last assembled message.
    pub(crate) fn last_whole(&self) -> &[u8] {
        &self.message
    }
}

impl<M: Accumulator> StreamAssembler<M> {
    /// Creates an assembler as [`StreamAssembler::new`] does, whose fragments are kept by an `M`.
    #[must_use]
    pub fn gathering(limit: usize) -> Self {
        Self { message: M::default(), open: false, offset: 0, limit }
    }

    /// Adds a fragment, and returns the message if the fragment completes it.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Unexpected`] if a message begins inside another, or a fragment continues or ends a
    /// message that has not begun; [`DecodeErrorKind::OverLimit`]. Offsets count the bytes of fragments. The
    /// stream cannot continue after an error.
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

    /// Adds a fragment with the flag of early Pravega's `PartialMessage`.
    ///
    /// # Errors
    /// As [`StreamAssembler::gather`]; [`DecodeErrorKind::Unexpected`] if the flag is not defined.
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

    /// Checks that the stream ended at the end of a message.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if a message is incomplete.
    pub fn finish(&self) -> Result<()> {
        if self.open {
            return Err(DecodeErrorKind::UnexpectedEof { missing: 1 }.at("fragment", self.offset));
        }
        Ok(())
    }

    /// Accumulator of the incomplete message; its contents are unspecified if no message is open.
    pub fn message(&mut self) -> &mut M {
        &mut self.message
    }

    /// Number of bytes that wait for the rest of their message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        if self.open { self.message.size() } else { 0 }
    }
}
