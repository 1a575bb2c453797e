//! Nested streams: messages in pieces inside other messages.

use jvmwire_codec::Scan;
use serde::{Deserialize, Serialize};

/// Undecoded bytes of the nested stream in one direction's messages.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct NestedStream {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    /// Number of these bytes from before the latest piece.
    kept: usize,
    first: Piece,
    latest: Piece,
    /// Scan state of the bytes.
    #[serde(skip)]
    pub(crate) scan: Scan,
}

/// Piece of a nested stream, with offsets in the outer stream.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Piece {
    /// Offset of the message that contains the piece.
    pub(crate) parent: u64,
    /// Offset of the piece.
    pub(crate) offset: u64,
}

impl NestedStream {
    /// Appends the next piece; returns all bytes from the start of the first message.
    pub(crate) fn append(&mut self, piece: Piece, bytes: &[u8]) -> Vec<u8> {
        self.kept = self.bytes.len();
        self.latest = piece;
        if self.kept == 0 {
            self.first = piece;
        }
        self.bytes.extend_from_slice(bytes);
        std::mem::take(&mut self.bytes)
    }

    /// Takes the kept bytes, to continue with them: the first message begins in the latest piece.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        self.kept = self.bytes.len();
        std::mem::take(&mut self.bytes)
    }

    /// Returns the position of the message that begins `at` bytes after the first one.
    pub(crate) fn place(&self, at: usize) -> Piece {
        match at.checked_sub(self.kept) {
            Some(inside) => Piece { offset: self.latest.offset + inside as u64, ..self.latest },
            // Only the first one begins in an earlier piece.
            None => Piece { offset: self.first.offset + at as u64, ..self.first },
        }
    }

    /// Keeps the bytes from `at` on for the next piece.
    pub(crate) fn keep(&mut self, mut bytes: Vec<u8>, at: usize) {
        self.first = self.place(at);
        if at > 0 {
            self.scan.reset();
        }
        bytes.drain(..at);
        self.bytes = bytes;
    }

    /// Drops the kept bytes, and returns their start and their number.
    pub(crate) fn give_up(&mut self) -> Option<(Piece, usize)> {
        let len = std::mem::take(&mut self.bytes).len();
        self.scan.reset();
        (len > 0).then_some((self.first, len))
    }

    /// Whether all of it arrived before `offset`.
    pub(crate) fn is_before(&self, offset: u64) -> bool {
        [self.first, self.latest].iter().all(|it| it.parent <= offset && it.offset <= offset)
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_in_two_pieces_begins_where_its_first_byte_stands() {
        let (one, two) = (Piece { parent: 10, offset: 15 }, Piece { parent: 40, offset: 47 });
        let mut carried = NestedStream::default();
        let bytes = carried.append(one, b"abcdef");
        assert_eq!(carried.place(4), Piece { parent: 10, offset: 19 });
        carried.keep(bytes, 4);
        assert_eq!(carried.len(), 2);
        let bytes = carried.append(two, b"ghi");
        assert_eq!(bytes, b"efghi");
        assert_eq!(carried.place(0), Piece { parent: 10, offset: 19 });
        assert_eq!(carried.place(3), Piece { parent: 40, offset: 48 });
        carried.keep(bytes, 3);
        assert_eq!(carried.give_up(), Some((Piece { parent: 40, offset: 48 }, 2)));
        assert_eq!(carried.give_up(), None);
    }
}
