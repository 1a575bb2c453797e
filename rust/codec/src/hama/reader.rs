//! What a child reads, and what its task reads of it.

use std::ops::Range;

use super::{
    Op, OpTable,
    ops::{self, Line},
    values::{self, Escaping},
};
use crate::{
    DecodeError, Problem, Result,
    frame::{Input, first_line},
};

/// Cuts what a task writes into lines, and into single bytes where those stand between them.
///
/// A task's lines end with `\n` only: it prints them so.
#[derive(Debug)]
pub struct ReplyReader {
    limit: usize,
    /// Whether NULs at the end of a line are padding: on a cluster, Java prints the whole array that
    /// a message was read into.
    padded: bool,
    escaping: Escaping,
    buffer: Vec<u8>,
    /// Where what is not taken begins.
    at: usize,
    /// Where in the stream the buffer begins.
    offset: usize,
    /// The line that begins at the first has no end before the second.
    seen: (usize, usize),
}

impl ReplyReader {
    /// Refuses lines of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize, padded: bool, escaping: Escaping) -> Self {
        Self { limit, padded, escaping, buffer: Vec::new(), at: 0, offset: 0, seen: (0, 0) }
    }

    /// Appends bytes as they came.
    pub fn feed(&mut self, data: &[u8]) {
        if self.at >= self.buffer.len() - self.at {
            self.buffer.drain(..self.at);
            self.offset += self.at;
            self.seen = (0, 0);
            self.at = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Takes the next byte.
    pub fn take_byte(&mut self) -> Option<u8> {
        let byte = *self.buffer.get(self.at)?;
        self.at += 1;
        Some(byte)
    }

    /// Takes the next `count` lines together, or none; hands each to `each`, as text.
    ///
    /// # Errors
    /// [`Problem::OverLimit`] of a line, [`Problem::NotText`] of what is not UTF-8.
    pub fn take<E>(
        &mut self,
        count: usize,
        values: bool,
        mut each: impl FnMut(&str) -> std::result::Result<(), E>,
    ) -> std::result::Result<bool, E>
    where
        E: From<DecodeError>,
    {
        // They come together most often: all is looked through once, whatever the count.
        // Each line has an end, so there are no more lines than bytes.
        let mut ends = Vec::with_capacity(count.min(self.buffer.len() - self.at));
        let mut start = self.at;
        for _ in 0..count {
            let Some(end) = self.line_end(start)? else { return Ok(false) };
            ends.push(end);
            start = end + 1;
        }
        let escaping = if values { self.escaping } else { Escaping::Off };
        for end in ends {
            let begin = std::mem::replace(&mut self.at, end + 1);
            let mut line = &self.buffer[begin..end];
            if self.padded {
                let len = line.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                line = &line[..len];
            }
            let value = values::read(line, escaping);
            let text = std::str::from_utf8(&value).map_err(|error| {
                let problem = Problem::NotText { at: error.valid_up_to(), encoding: "UTF-8" };
                problem.of("line", self.offset + begin)
            })?;
            each(text)?;
        }
        Ok(true)
    }

    /// Takes a line that says how many follow, and those, or none.
    ///
    /// # Errors
    /// As [`ReplyReader::take`]; [`Problem::OverLimit`] of the count.
    pub fn take_counted<E>(
        &mut self,
        each: impl FnMut(&str) -> std::result::Result<(), E>,
    ) -> std::result::Result<bool, E>
    where
        E: From<DecodeError>,
    {
        let Some(end) = self.line_end(self.at)? else { return Ok(false) };
        let count = self.count(self.at..end)?;
        let before = std::mem::replace(&mut self.at, end + 1);
        let taken = self.take(count, false, each)?;
        if !taken {
            self.at = before;
        }
        Ok(taken)
    }

    fn count(&self, at: Range<usize>) -> Result<usize> {
        let place = self.offset + at.start;
        let line = self.buffer[at].trim_ascii();
        let count = std::str::from_utf8(line).ok().and_then(|line| line.parse::<u64>().ok());
        let Some(count) = count else { return Err(Problem::NotANumber.of("count", place)) };
        match usize::try_from(count) {
            Ok(count) if count <= MAX_LINES => Ok(count),
            _ => {
                let limit = MAX_LINES as u64;
                Err(Problem::OverLimit { value: count, limit }.of("count", place))
            }
        }
    }

    fn line_end(&mut self, start: usize) -> Result<Option<usize>> {
        let from = if self.seen.0 == start { self.seen.1.max(start) } else { start };
        let found = memchr::memchr(b'\n', &self.buffer[from..]).map(|by| from + by);
        let end = found.unwrap_or(self.buffer.len());
        if end - start > self.limit {
            let limit = self.limit as u64;
            let problem = Problem::OverLimit { value: limit + 1, limit };
            return Err(problem.of("line length", self.offset + start));
        }
        if found.is_none() {
            self.seen = (start, end);
        }
        Ok(found)
    }

    /// Bytes that are not taken.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.at
    }
}

/// Ours: more names, or more lines of a configuration, than any job has.
pub const MAX_LINES: usize = 1 << 20;

/// What a child wrote, an operation with its lines at a time.
#[derive(Debug)]
pub struct OpReader {
    table: OpTable,
    limit: usize,
    buffer: Vec<u8>,
    at: usize,
    offset: usize,
    input: Input,
}

/// One thing that a child said, and where.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Said {
    /// A step has ended; its number.
    Ack(Range<usize>),
    /// An operation, the text behind its `=`, which only LOG has, and its arguments.
    Op(Op, Range<usize>, Vec<Range<usize>>),
}

impl OpReader {
    /// Reads by these numbers; refuses lines of more than `limit` bytes.
    #[must_use]
    pub fn new(table: OpTable, limit: usize) -> Self {
        Self { table, limit, buffer: Vec::new(), at: 0, offset: 0, input: Input::Open }
    }

    /// Appends bytes as they came.
    pub fn feed(&mut self, data: &[u8]) {
        if self.at >= self.buffer.len() - self.at {
            self.buffer.drain(..self.at);
            self.offset += self.at;
            self.at = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Says that nothing follows: what is left is the last line.
    pub fn finish(&mut self) {
        self.input = Input::Ended;
    }

    /// Takes the next thing said and its bytes, or `None` until more is fed.
    ///
    /// # Errors
    /// A line that is no operation, or over the limit: the stream cannot go on.
    pub fn next_said(&mut self) -> Result<Option<(Said, &[u8])>> {
        loop {
            let rest = &self.buffer[self.at..];
            let read = said(self.table, rest, self.input, self.limit);
            match read.map_err(|error| error.moved(self.offset + self.at))? {
                Front::Incomplete => return Ok(None),
                Front::Blank(len) => self.at += len,
                Front::Said(said, len) => {
                    let from = self.at;
                    self.at += len;
                    return Ok(Some((said, &self.buffer[from..self.at])));
                }
            }
        }
    }

    /// Bytes that are not taken.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.at
    }
}

/// What stands at the front of what a child wrote.
pub(super) enum Front {
    Incomplete,
    /// An empty line of so many bytes.
    Blank(usize),
    /// In so many bytes.
    Said(Said, usize),
}

pub(super) fn said(table: OpTable, bytes: &[u8], input: Input, limit: usize) -> Result<Front> {
    let Some((line, mut at)) = first_line(bytes, input, limit)? else {
        return Ok(Front::Incomplete);
    };
    match ops::parse(table, &bytes[line.clone()])? {
        Line::Blank => Ok(Front::Blank(at)),
        Line::Ack(from, to) => Ok(Front::Said(Said::Ack(from..to), at)),
        Line::Op(op, text) => {
            let mut arguments = Vec::with_capacity(op.lines);
            for _ in 0..op.lines {
                let next =
                    first_line(&bytes[at..], input, limit).map_err(|error| error.moved(at))?;
                let Some((line, len)) = next else { return Ok(Front::Incomplete) };
                arguments.push(at + line.start..at + line.end);
                at += len;
            }
            Ok(Front::Said(Said::Op(op, text..line.end, arguments), at))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replies(input: &[u8]) -> ReplyReader {
        let mut reader = ReplyReader::new(16, true, Escaping::On);
        reader.feed(input);
        reader
    }

    fn lines(reader: &mut ReplyReader, count: usize) -> Result<Option<Vec<String>>> {
        let mut lines = Vec::new();
        let taken = reader.take(count, true, |line| {
            lines.push(line.to_owned());
            Ok::<_, DecodeError>(())
        })?;
        Ok(taken.then_some(lines))
    }

    #[test]
    fn lines_come_together_or_not_at_all() {
        let mut reader = replies(b"key\nval");
        assert_eq!(lines(&mut reader, 2), Ok(None));
        assert_eq!(reader.buffered(), 7);
        reader.feed(b"ue\n\x12rest\n");
        assert_eq!(lines(&mut reader, 2), Ok(Some(vec!["key".into(), "value".into()])));
        assert_eq!(reader.take_byte(), Some(18));
        assert_eq!(lines(&mut reader, 1), Ok(Some(vec!["rest".into()])));
        assert_eq!(reader.take_byte(), None);
    }

    #[test]
    fn padding_goes_and_escapes_are_undone_in_that_order() {
        let mut reader = replies(b"abcd\0\0\na\\nb\\0\n\r\n");
        let expected = vec!["abcd".into(), "a\nb\0".into(), "\r".into()];
        assert_eq!(lines(&mut reader, 3), Ok(Some(expected)));
    }

    #[test]
    fn a_line_over_the_limit_and_one_that_is_no_text_are_errors() {
        let error = lines(&mut replies(&[b'a'; 17]), 1).unwrap_err();
        assert_eq!((error.what, error.offset), ("line length", 0));
        let error = lines(&mut replies(b"ok\na\xff\n"), 2).unwrap_err();
        assert_eq!((error.what, error.position()), ("line", 4));
    }

    #[test]
    fn counts_are_checked_before_they_are_believed() {
        let counted = |input: &[u8]| {
            let mut names = Vec::new();
            replies(input)
                .take_counted(|name| {
                    names.push(name.to_owned());
                    Ok::<_, DecodeError>(())
                })
                .map(|taken| taken.then_some(names))
        };
        assert_eq!(counted(b"2\na\nb\n"), Ok(Some(vec!["a".into(), "b".into()])));
        assert_eq!(counted(b"2\na\n"), Ok(None));
        assert_eq!(counted(b"0\n"), Ok(Some(vec![])));
        for wrong in ["-1\n", "2147483647\n", "1048577\n", "x\n", "\n"] {
            assert!(counted(wrong.as_bytes()).is_err(), "{wrong}");
        }
        assert_eq!(counted(b"1048576\n"), Ok(None));
    }

    #[test]
    fn operations_are_taken_whole_however_they_were_cut() {
        let wire = b"%ACK_0%=\n\r\n%10%=\r\npeer\rmessage\n%31%=a log=\n11\n";
        for size in 1..wire.len() {
            let mut reader = OpReader::new(OpTable::Current, 64);
            let mut names = Vec::new();
            for piece in wire.chunks(size) {
                reader.feed(piece);
                while let Some((said, bytes)) = reader.next_said().unwrap() {
                    names.push(match said {
                        Said::Ack(step) => format!("ACK {}", String::from_utf8_lossy(&bytes[step])),
                        Said::Op(op, text, lines) => format!(
                            "{} {:?} {:?}",
                            op.name,
                            String::from_utf8_lossy(&bytes[text]),
                            lines.iter().map(Range::len).collect::<Vec<_>>()
                        ),
                    });
                }
            }
            let expected = ["ACK 0", "SEND_MSG \"\" [4, 7]", "LOG \"a log=\" []", "SYNC \"\" []"];
            assert_eq!(names, expected, "{size}");
        }
    }

    #[test]
    fn garbage_is_an_error_with_its_place() {
        let mut reader = OpReader::new(OpTable::Current, 64);
        reader.feed(b"%11%=\nTraceback\n");
        assert!(reader.next_said().unwrap().is_some());
        let error = reader.next_said().unwrap_err();
        assert_eq!((error.what, error.offset), ("operation", 6));
    }
}
