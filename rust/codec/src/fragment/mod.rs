//! Messages that come in pieces: one after the other on a stream, or many at once, each by its id.

mod keyed;
mod stream;

pub use keyed::{KeyedAssembler, Limits};
pub use stream::StreamAssembler;

/// Which piece of a message a fragment is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Part {
    /// The first of several.
    Begin,
    /// Neither the first nor the last.
    Middle,
    /// The last of several.
    End,
    /// A message in one piece.
    Whole,
}

impl Part {
    /// Reads the flag of early Pravega's `PartialMessage`: 0 begins, 1 goes on, 2 ends.
    #[must_use]
    pub fn from_pravega(flag: u8) -> Option<Self> {
        [Self::Begin, Self::Middle, Self::End].get(usize::from(flag)).copied()
    }

    /// Reads the flags of a Hazelcast message: 0x80 begins, 0x40 ends, the others are not looked at.
    #[must_use]
    pub fn from_hazelcast(flags: u8) -> Self {
        match flags & 0xc0 {
            0xc0 => Self::Whole,
            0x80 => Self::Begin,
            0x40 => Self::End,
            _ => Self::Middle,
        }
    }
}

/// Makes room for `more` bytes: twice what was there, so that no byte is moved often, but no more
/// than `limit` in all.
fn grow(buffer: &mut Vec<u8>, more: usize, limit: usize) {
    let need = buffer.len() + more;
    if need > buffer.capacity() {
        let room = (buffer.capacity() * 2).clamp(need, limit.max(need));
        buffer.reserve_exact(room - buffer.len());
    }
}

#[cfg(test)]
mod tests;
