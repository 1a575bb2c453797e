//! Messages in fragments: one message after the other on a stream, or several interleaved messages with ids.

mod keyed;
mod stream;

use std::num::NonZeroUsize;

pub use keyed::{Limits, Reassembler};
pub use stream::StreamAssembler;

/// Position of a fragment in its message.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FragmentKind {
    /// The first of several.
    Begin,
    /// Neither the first nor the last.
    Middle,
    /// The last of several.
    End,
    /// A message in a single fragment.
    Whole,
}

impl FragmentKind {
    /// Decodes the flag of early Pravega's `PartialMessage`: 0 begins, 1 continues, 2 ends.
    #[must_use]
    pub fn from_pravega(flag: u8) -> Option<Self> {
        match flag {
            BEGIN => Some(Self::Begin),
            MIDDLE => Some(Self::Middle),
            END => Some(Self::End),
            _ => None,
        }
    }

    /// Encodes the flag of early Pravega, which has none for a message in a single fragment.
    #[must_use]
    pub fn to_pravega(self) -> Option<u8> {
        match self {
            Self::Begin => Some(BEGIN),
            Self::Middle => Some(MIDDLE),
            Self::End => Some(END),
            Self::Whole => None,
        }
    }

    /// Decodes the flags of a Hazelcast message: 0x80 begins, 0x40 ends, the others are ignored.
    #[must_use]
    pub fn from_hazelcast(flags: u8) -> Self {
        match flags & 0xc0 {
            0xc0 => Self::Whole,
            0x80 => Self::Begin,
            0x40 => Self::End,
            _ => Self::Middle,
        }
    }

    /// Encodes the flags of a Hazelcast message.
    #[must_use]
    pub fn to_hazelcast(self) -> u8 {
        match self {
            Self::Begin => 0x80,
            Self::Middle => 0,
            Self::End => 0x40,
            Self::Whole => 0xc0,
        }
    }
}

/// Storage of the fragments of a message until the last one arrives.
pub trait Accumulator: Default {
    /// Type of a fragment that is added.
    type Fragment<'a>: AsRef<[u8]>;

    /// Number of bytes added.
    fn size(&self) -> usize;

    /// Drops the bytes added.
    fn clear(&mut self);

    /// Adds a fragment; the total never exceeds `limit` bytes.
    fn add(&mut self, fragment: Self::Fragment<'_>, limit: usize);
}

impl Accumulator for Vec<u8> {
    type Fragment<'a> = &'a [u8];

    fn size(&self) -> usize {
        self.len()
    }

    fn clear(&mut self) {
        self.clear();
    }

    /// Doubles the capacity, so that the amortised cost of a byte is constant.
    fn add(&mut self, fragment: &[u8], limit: usize) {
        let need = self.len() + fragment.len();
        if need > self.capacity() {
            let room = (self.capacity() * 2).clamp(need, limit.max(need));
            self.reserve_exact(room - self.len());
        }
        self.extend_from_slice(fragment);
    }
}

/// A complete message, after its last fragment.
#[derive(Debug)]
pub enum Assembled<'a, M: Accumulator> {
    /// The message arrived in a single fragment.
    Unfragmented(M::Fragment<'a>),
    /// The accumulator of its fragments, valid until the next fragment.
    Accumulated(&'a mut M),
}

impl<'a> Assembled<'a, Vec<u8>> {
    fn bytes(self) -> &'a [u8] {
        match self {
            Self::Unfragmented(message) => message,
            Self::Accumulated(message) => message,
        }
    }
}

/// Splits a message into fragments of at most `size` bytes, each with its position.
pub fn split(message: &[u8], size: NonZeroUsize) -> impl Iterator<Item = (FragmentKind, &[u8])> {
    let count = message.len().div_ceil(size.get()).max(1);
    (0..count).map(move |index| {
        let part = match (index == 0, index + 1 == count) {
            (true, true) => FragmentKind::Whole,
            (true, false) => FragmentKind::Begin,
            (false, true) => FragmentKind::End,
            (false, false) => FragmentKind::Middle,
        };
        let rest = &message[index * size.get()..];
        (part, &rest[..rest.len().min(size.get())])
    })
}

/// Splits a message into fragments with early Pravega's flags: at least two, since it has no flag for a message
/// in a single fragment.
pub fn split_pravega(message: &[u8], size: NonZeroUsize) -> impl Iterator<Item = (u8, &[u8])> {
    split(message, size)
        .flat_map(|(part, piece)| match part.to_pravega() {
            Some(flag) => [Some((flag, piece)), None],
            None => [Some((BEGIN, piece)), Some((END, &[][..]))],
        })
        .flatten()
}

/// Splits a message into fragments with Hazelcast's flags.
pub fn split_hazelcast(message: &[u8], size: NonZeroUsize) -> impl Iterator<Item = (u8, &[u8])> {
    split(message, size).map(|(part, piece)| (part.to_hazelcast(), piece))
}

/// Flags of early Pravega's `PartialMessage`.
const BEGIN: u8 = 0;
const MIDDLE: u8 = 1;
const END: u8 = 2;

#[cfg(test)]
mod tests;
