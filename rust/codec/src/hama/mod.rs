//! Hama's streaming protocol: lines of text, each ended by `\n`, and one lone byte.

use crate::{Problem, Result};

/// Cuts what a Hama task writes to its child into lines, as many at a time as are asked for.
///
/// Only `\n` ends a line: a value may hold a `\r`.
#[derive(Debug)]
pub struct LineReader {
    buffer: Vec<u8>,
    /// Where the first line that was not taken begins.
    at: usize,
    /// Up to here it has no end.
    seen: usize,
    offset: usize,
    limit: usize,
}

impl LineReader {
    /// Refuses lines of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), at: 0, seen: 0, offset: 0, limit }
    }

    /// Appends bytes as they came off the transport.
    pub fn feed(&mut self, data: &[u8]) {
        if self.at >= self.buffer.len() - self.at {
            self.buffer.drain(..self.at);
            self.offset += self.at;
            self.seen -= self.at;
            self.at = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Shows up to `count` whole lines to `each`, without their ends, and takes them; says how many.
    ///
    /// # Errors
    /// [`Problem::OverLimit`] if the next line does not end within the limit.
    pub fn take_lines(&mut self, count: usize, mut each: impl FnMut(&[u8])) -> Result<usize> {
        for taken in 0..count {
            let end = memchr::memchr(b'\n', &self.buffer[self.seen..]).map(|by| self.seen + by);
            let len = end.unwrap_or(self.buffer.len()) - self.at;
            if len > self.limit {
                let limit = self.limit as u64;
                let problem = Problem::OverLimit { value: limit + 1, limit };
                return if taken > 0 {
                    Ok(taken)
                } else {
                    Err(problem.of("line length", self.offset + self.at))
                };
            }
            let Some(end) = end else {
                self.seen = self.buffer.len();
                return Ok(taken);
            };
            each(&self.buffer[self.at..end]);
            self.at = end + 1;
            self.seen = self.at;
        }
        Ok(count)
    }

    /// Takes one byte, which no line end follows.
    pub fn take_byte(&mut self) -> Option<u8> {
        let byte = self.buffer.get(self.at).copied()?;
        self.at += 1;
        self.seen = self.seen.max(self.at);
        Some(byte)
    }

    /// How many bytes were not taken.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.at
    }
}

/// Ours: Hama knows no limit.
pub const LINE_LIMIT: usize = 64 << 20;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(reader: &mut LineReader, count: usize) -> Vec<Vec<u8>> {
        let mut taken = Vec::new();
        reader.take_lines(count, |line| taken.push(line.to_vec())).unwrap();
        taken
    }

    #[test]
    fn a_lone_byte_between_lines_is_taken_by_itself() {
        let mut reader = LineReader::new(100);
        reader.feed(b"a\r\n\x121");
        assert_eq!(lines(&mut reader, 9), [b"a\r"]);
        assert_eq!(reader.take_byte(), Some(0x12));
        reader.feed(b"2\n");
        assert_eq!(lines(&mut reader, 1), [b"12"]);
        assert_eq!((reader.take_byte(), reader.buffered()), (None, 0));
    }

    #[test]
    fn a_line_without_end_is_told_once_those_before_it_are_taken() {
        let mut reader = LineReader::new(3);
        reader.feed(b"abc\nabcd");
        assert_eq!(reader.take_lines(9, |_| ()), Ok(1));
        let error = reader.take_lines(9, |_| ()).unwrap_err();
        assert_eq!((error.what, error.offset), ("line length", 4));
    }

    proptest! {
        #[test]
        fn cutting_does_not_matter(
            given in prop::collection::vec("[^\n]{0,5}", 0..9),
            size in 1..9_usize,
            count in 1..4_usize,
        ) {
            let wire: String = given.iter().map(|line| format!("{line}\n")).collect();
            let mut reader = LineReader::new(100);
            let mut taken = Vec::new();
            for piece in wire.as_bytes().chunks(size) {
                reader.feed(piece);
                taken.extend(lines(&mut reader, count));
            }
            taken.extend(lines(&mut reader, 99));
            prop_assert_eq!(taken, given.iter().map(|it| it.as_bytes().to_vec()).collect::<Vec<_>>());
        }
    }
}
