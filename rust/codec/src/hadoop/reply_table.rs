//! Replies to a batch of calls, in the order of the calls.

use std::{collections::TryReserveError, ops::Range};

use super::replies::{RemoteError, Response};
use crate::DecodeErrorKind;

/// Replies to a batch of calls, stored by call, in whatever order they arrive.
#[derive(Debug)]
pub struct ReplyTable {
    slots: Vec<StoredReply>,
    /// Concatenated payloads, classes and messages.
    bytes: Vec<u8>,
    missing: usize,
}

#[derive(Clone, Debug)]
enum StoredReply {
    Missing,
    Payload(Range<usize>),
    Failed { class: Range<usize>, message: Range<usize>, code: i64 },
}

/// Result of one call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Slot<'a> {
    /// No reply yet.
    Missing,
    /// Protobuf message of the reply.
    Payload(&'a [u8]),
    /// Error of the reply.
    Failed(RemoteError<'a>),
}

impl ReplyTable {
    /// Creates a table for the replies to `len` calls.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(len: usize) -> Result<Self, TryReserveError> {
        let mut slots = Vec::new();
        slots.try_reserve_exact(len)?;
        slots.resize(len, StoredReply::Missing);
        Ok(Self { slots, bytes: Vec::new(), missing: len })
    }

    /// Number of calls.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether the table has no calls.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Number of calls without a reply.
    #[must_use]
    pub fn missing(&self) -> usize {
        self.missing
    }

    /// Returns the result of the call at `index`; `None` if there is no such call.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Slot<'_>> {
        Some(match self.slots.get(index)? {
            StoredReply::Missing => Slot::Missing,
            StoredReply::Payload(at) => Slot::Payload(&self.bytes[at.clone()]),
            StoredReply::Failed { class, message, code } => Slot::Failed(RemoteError {
                class: self.text(class),
                message: self.text(message),
                code: *code,
            }),
        })
    }

    /// Iterates over the results in the order of the calls.
    pub fn iter(&self) -> impl Iterator<Item = Slot<'_>> {
        (0..self.len()).filter_map(|index| self.get(index))
    }

    fn text(&self, at: &Range<usize>) -> &str {
        // It was text when it was kept.
        std::str::from_utf8(&self.bytes[at.clone()]).unwrap_or_default()
    }

    /// Stores a reply.
    pub(super) fn put(
        &mut self,
        index: usize,
        response: &Response<'_>,
    ) -> Result<(), DecodeErrorKind> {
        if !matches!(self.slots[index], StoredReply::Missing) {
            let value = i64::try_from(index).unwrap_or(i64::MAX);
            return Err(DecodeErrorKind::Unexpected {
                value,
                expected: "a call that awaits its reply",
            });
        }
        self.slots[index] = match *response {
            Response::Success { payload, .. } => StoredReply::Payload(self.keep(payload)?),
            Response::Error { failure, .. } => StoredReply::Failed {
                class: self.keep(failure.class.as_bytes())?,
                message: self.keep(failure.message.as_bytes())?,
                code: failure.code,
            },
            _ => return Ok(()),
        };
        self.missing -= 1;
        Ok(())
    }

    fn keep(&mut self, bytes: &[u8]) -> Result<Range<usize>, DecodeErrorKind> {
        let start = self.bytes.len();
        let len = start.saturating_add(bytes.len());
        if len > BATCH_LIMIT {
            return Err(DecodeErrorKind::OverLimit {
                value: len as u64,
                limit: BATCH_LIMIT as u64,
            });
        }
        self.bytes.extend_from_slice(bytes);
        Ok(start..len)
    }
}

/// Maximum number of bytes of the replies to one batch (chosen by jvmwire).
pub const BATCH_LIMIT: usize = 256 << 20;
