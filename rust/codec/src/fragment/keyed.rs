//! Reassembly of messages whose fragments carry a correlation id: Hazelcast.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{Accumulator, Assembled, FragmentKind};
use crate::{DecodeErrorKind, Result};

/// Limits of incomplete messages.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Limits {
    /// Maximum number of bytes of one message.
    pub message: usize,
    /// Maximum number of bytes of all incomplete messages.
    pub total: usize,
    /// Maximum number of incomplete messages.
    pub open: usize,
}

/// Assembler of fragments that carry the id of their message and may interleave: Hazelcast, by correlation id.
#[derive(Debug, Deserialize, Serialize)]
pub struct Reassembler<M = Vec<u8>> {
    open: HashMap<i64, M>,
    /// The last complete message, whose memory the next one reuses.
    #[serde(skip)]
    pub(super) done: M,
    forgotten: DroppedMessages,
    buffered: usize,
    offset: usize,
    limits: Limits,
}

/// Incomplete messages that were dropped. The lookup of a fragment's message takes constant time, and the entry
/// that was added first is evicted first.
#[derive(Debug, Default, Deserialize, Serialize)]
struct DroppedMessages {
    /// Per id, the turn at which the message was dropped.
    turns: HashMap<i64, u64>,
    /// Per turn, the id; the earliest is first.
    ids: BTreeMap<u64, i64>,
    next: u64,
}

impl DroppedMessages {
    fn len(&self) -> usize {
        self.turns.len()
    }

    fn contains(&self, id: i64) -> bool {
        !self.turns.is_empty() && self.turns.contains_key(&id)
    }

    fn push(&mut self, id: i64) {
        self.remove(id);
        self.turns.insert(id, self.next);
        self.ids.insert(self.next, id);
        self.next += 1;
    }

    fn remove(&mut self, id: i64) {
        if let Some(turn) = self.turns.remove(&id) {
            self.ids.remove(&turn);
        }
    }

    fn remove_first(&mut self) {
        if let Some((_, id)) = self.ids.pop_first() {
            self.turns.remove(&id);
        }
    }

    /// Whether a loaded state is one that can have been saved.
    fn is_sound(&self) -> bool {
        self.turns.len() == self.ids.len()
            && self.ids.iter().all(|(turn, id)| self.turns.get(id) == Some(turn))
            && self.ids.keys().all(|turn| *turn < self.next)
            && self.next <= MOST_BYTES as u64
    }
}

impl Reassembler {
    /// Creates an assembler with these limits.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::gathering(limits)
    }

    /// Adds a fragment as [`Reassembler::gather`] does, by copying its bytes.
    ///
    /// # Errors
    /// As [`Reassembler::gather`].
    pub fn push<'a>(
        &'a mut self,
        id: i64,
        part: FragmentKind,
        data: &'a [u8],
    ) -> Result<Option<&'a [u8]>> {
        Ok(self.gather(id, part, data)?.map(Assembled::bytes))
    }

    /// Adds a fragment as [`Reassembler::push`] does, and returns a complete message by value: its memory is
    /// not reused.
    ///
    /// # Errors
    /// As [`Reassembler::gather`].
    pub fn take(&mut self, id: i64, part: FragmentKind, data: &[u8]) -> Result<Option<Vec<u8>>> {
        Ok(self.gather(id, part, data)?.map(|joined| match joined {
            Assembled::Unfragmented(message) => message.to_vec(),
            Assembled::Accumulated(message) => std::mem::take(message),
        }))
    }

    /// Number of bytes of memory of the incomplete messages.
    #[must_use]
    pub fn held(&self) -> usize {
        let entries = self.open.len() + self.forgotten.len();
        self.buffered + entries * size_of::<(i64, Vec<u8>)>()
    }

    /// Whether a loaded state is one that an assembler with these `limits` can have saved.
    #[must_use]
    pub fn is_sound(&self, limits: Limits) -> bool {
        let lengths = || self.open.values().map(Vec::len);
        self.limits == limits
            && lengths().all(|len| len <= limits.message)
            && lengths().sum::<usize>() == self.buffered
            && self.buffered <= limits.total
            && self.open.len() <= limits.open
            && self.forgotten.len() <= limits.open
            && self.forgotten.is_sound()
            && !self.forgotten.turns.keys().any(|id| self.open.contains_key(id))
            && self.offset <= MOST_BYTES
    }
}

impl<M: Accumulator> Reassembler<M> {
    /// Creates an assembler as [`Reassembler::new`] does, whose fragments are kept by an `M`.
    #[must_use]
    pub fn gathering(limits: Limits) -> Self {
        Self {
            open: HashMap::new(),
            done: M::default(),
            forgotten: DroppedMessages::default(),
            buffered: 0,
            offset: 0,
            limits,
        }
    }

    /// Adds a fragment of the message `id`, and returns the message if the fragment completes it. Fragments of
    /// a message that was dropped are dropped, up to its end.
    ///
    /// # Errors
    /// [`DecodeErrorKind::Unexpected`] if a message begins that is open already, or a fragment continues or
    /// ends a message that is not open; [`DecodeErrorKind::OverLimit`], where `what` names the limit. Offsets
    /// count the bytes of fragments. Open messages stay open after an error.
    pub fn gather<'a>(
        &'a mut self,
        id: i64,
        part: FragmentKind,
        fragment: M::Fragment<'a>,
    ) -> Result<Option<Assembled<'a, M>>> {
        let at = self.offset;
        let size = fragment.as_ref().len();
        self.offset += size;
        let refused = |what, value: usize, limit: usize| {
            Err(DecodeErrorKind::OverLimit { value: value as u64, limit: limit as u64 }
                .at(what, at))
        };
        let begins = matches!(part, FragmentKind::Begin | FragmentKind::Whole);
        if self.forgotten.contains(id) {
            if begins || part == FragmentKind::End {
                self.forgotten.remove(id);
            }
            if !begins {
                return Ok(None);
            }
        }
        let open = self.open.get_mut(&id);
        if begins == open.is_some() {
            let expected =
                if begins { "the id of a new message" } else { "the id of an open message" };
            return Err(DecodeErrorKind::Unexpected { value: id, expected }.at("fragment", at));
        }
        let len = open.as_ref().map_or(0, |message| message.size()) + size;
        if len > self.limits.message {
            return refused("bytes of a fragmented message", len, self.limits.message);
        }
        if part == FragmentKind::Whole {
            return Ok(Some(Assembled::Unfragmented(fragment)));
        }
        let total = self.buffered + size;
        if total > self.limits.total {
            return refused("bytes of all open messages", total, self.limits.total);
        }
        let limit = self.limits.message.min(self.limits.total);
        if let Some(message) = open {
            message.add(fragment, limit);
        } else {
            let count = self.open.len() + 1;
            if count > self.limits.open {
                return refused("open messages", count, self.limits.open);
            }
            // Only one open message may have more room than bytes: the limits bound memory.
            let mut message =
                if count == 1 { std::mem::take(&mut self.done) } else { M::default() };
            message.clear();
            message.add(fragment, limit);
            self.open.insert(id, message);
        }
        self.buffered = total;
        if part != FragmentKind::End {
            return Ok(None);
        }
        self.done = self.open.remove(&id).unwrap_or_default();
        self.buffered -= self.done.size();
        Ok(Some(Assembled::Accumulated(&mut self.done)))
    }

    /// Drops the fragments of the message `id`, received and future: the call timed out or was cancelled.
    pub fn forget(&mut self, id: i64) {
        if let Some(message) = self.open.remove(&id) {
            self.buffered -= message.size();
            if self.forgotten.len() >= self.limits.open {
                self.forgotten.remove_first();
            }
            self.forgotten.push(id);
        }
    }

    /// Whether the message `id` was dropped and its end has not arrived yet.
    #[must_use]
    pub fn is_forgotten(&self, id: i64) -> bool {
        self.forgotten.contains(id)
    }

    /// Accumulators of the incomplete messages.
    pub fn open_messages(&mut self) -> impl Iterator<Item = &mut M> {
        self.open.values_mut()
    }

    /// Number of incomplete messages.
    #[must_use]
    pub fn open(&self) -> usize {
        self.open.len()
    }

    /// Number of bytes that wait for the rest of their messages.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffered
    }
}

/// More bytes than any connection carries: a loaded offset below it can be incremented without overflow.
const MOST_BYTES: usize = usize::MAX / 2;
