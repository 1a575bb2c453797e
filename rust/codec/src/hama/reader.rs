//! Decoders of both sides: the replies that a child reads, and the operations that its task reads.

use std::{collections::VecDeque, ops::Range};

use super::{
    LINE_LIMIT, MAX_LINES, Op, OpTable,
    ops::{self, Line},
    responses::number,
    values::{self, Escaping},
};
use crate::{
    DecodeError, DecodeErrorKind, Result,
    cost::examined,
    frame::{Input, Lines},
    message::Side,
};

/// Incremental decoder of a task's output: lines, and single bytes between lines.
///
/// A task's lines end with `\n` only, as the task prints them.
#[derive(Debug)]
pub struct ReplyReader {
    limit: usize,
    /// Whether NULs at the end of a line are padding: on a cluster, Java prints the whole array into which it
    /// read a message.
    padded: bool,
    escaping: Escaping,
    buffer: Vec<u8>,
    /// Offset in the buffer of the first byte that is not taken.
    at: usize,
    /// Offset of the buffer in the stream.
    offset: usize,
    /// Offsets of the ends of complete lines that are not taken.
    ends: VecDeque<usize>,
    /// Offset before which no other line ends.
    seen: usize,
    /// Number of lines that the line at the start announces.
    count: Option<usize>,
}

impl ReplyReader {
    /// Creates a reader that rejects lines of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize, padded: bool, escaping: Escaping) -> Self {
        Self {
            limit,
            padded,
            escaping,
            buffer: Vec::new(),
            at: 0,
            offset: 0,
            ends: VecDeque::new(),
            seen: 0,
            count: None,
        }
    }

    /// Appends bytes.
    pub fn feed(&mut self, data: &[u8]) {
        if self.at >= self.buffer.len() - self.at {
            self.buffer.drain(..self.at);
            self.offset += self.at;
            self.ends.iter_mut().for_each(|end| *end -= self.at);
            self.seen = self.seen.saturating_sub(self.at);
            self.at = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Takes the next byte.
    pub fn take_byte(&mut self) -> Option<u8> {
        let byte = *self.buffer.get(self.at)?;
        if self.ends.front() == Some(&self.at) {
            self.ends.pop_front();
        }
        self.at += 1;
        self.count = None;
        Some(byte)
    }

    /// Takes the next `count` lines together, or none of them; calls `each` with the text of each.
    ///
    /// # Errors
    /// [`DecodeErrorKind::OverLimit`] for a line that is too long, [`DecodeErrorKind::NotText`] for one that is
    /// not UTF-8.
    pub fn take<E>(
        &mut self,
        count: usize,
        values: bool,
        mut each: impl FnMut(&str) -> std::result::Result<(), E>,
    ) -> std::result::Result<bool, E>
    where
        E: From<DecodeError>,
    {
        if !self.has_lines(count)? {
            return Ok(false);
        }
        self.count = None;
        let escaping = if values { self.escaping } else { Escaping::Off };
        for end in self.ends.drain(..count) {
            let begin = std::mem::replace(&mut self.at, end + 1);
            let mut line = &self.buffer[begin..end];
            if self.padded {
                let len = line.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
                line = &line[..len];
            }
            let value = values::read(line, escaping);
            let text = std::str::from_utf8(&value).map_err(|error| {
                let problem =
                    DecodeErrorKind::NotText { at: error.valid_up_to(), encoding: "UTF-8" };
                problem.at("line", self.offset + begin)
            })?;
            each(text)?;
        }
        Ok(true)
    }

    /// Takes a line with a count and that number of lines, or none of them.
    ///
    /// # Errors
    /// As [`ReplyReader::take`]; [`DecodeErrorKind::OverLimit`] for the count.
    pub fn take_counted<E>(
        &mut self,
        each: impl FnMut(&str) -> std::result::Result<(), E>,
    ) -> std::result::Result<bool, E>
    where
        E: From<DecodeError>,
    {
        if !self.has_lines(1)? {
            return Ok(false);
        }
        let end = self.ends[0];
        let count = match self.count {
            Some(count) => count,
            None => self.count_at(self.at..end)?,
        };
        self.count = Some(count);
        if !self.has_lines(1 + count)? {
            return Ok(false);
        }
        self.ends.pop_front();
        self.at = end + 1;
        self.take(count, false, each)
    }

    fn count_at(&self, at: Range<usize>) -> Result<usize> {
        let place = self.offset + at.start;
        let line = self.buffer[at].trim_ascii();
        let count = std::str::from_utf8(line).ok().and_then(|line| line.parse::<u64>().ok());
        let Some(count) = count else { return Err(DecodeErrorKind::NotANumber.at("count", place)) };
        match usize::try_from(count) {
            Ok(count) if count <= MAX_LINES => Ok(count),
            _ => {
                let limit = MAX_LINES as u64;
                Err(DecodeErrorKind::OverLimit { value: count, limit }.at("count", place))
            }
        }
    }

    /// Whether `count` complete lines are available; no byte is examined twice.
    fn has_lines(&mut self, count: usize) -> Result<bool> {
        while self.ends.len() < count {
            let start = self.ends.back().map_or(self.at, |end| end + 1);
            let from = self.seen.max(start);
            let found = memchr::memchr(b'\n', &self.buffer[from..]).map(|by| from + by);
            let end = found.unwrap_or(self.buffer.len());
            examined(end - from);
            if end - start > self.limit {
                let limit = self.limit as u64;
                let problem = DecodeErrorKind::OverLimit { value: limit + 1, limit };
                return Err(problem.at("line length", self.offset + start));
            }
            self.seen = end;
            if found.is_none() {
                return Ok(false);
            }
            self.ends.push_back(end);
        }
        Ok(true)
    }

    /// Number of bytes that are not taken.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.at
    }
}

/// Incremental decoder of a child's output, one operation with its lines at a time.
#[derive(Debug)]
pub struct OpReader {
    table: OpTable,
    limit: usize,
    buffer: Vec<u8>,
    at: usize,
    offset: usize,
    input: Input,
    scan: SaidScan,
}

/// Message of a child, with the ranges of its parts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ChildMessage {
    /// End of a step, with the range of its number.
    Ack(Range<usize>),
    /// Operation, the range of the text after its `=` (only LOG has one), and the ranges of its arguments.
    Op(Op, Range<usize>, Vec<Range<usize>>),
}

impl OpReader {
    /// Creates a reader for a numbering of operations that rejects lines of more than `limit` bytes.
    #[must_use]
    pub fn new(table: OpTable, limit: usize) -> Self {
        Self {
            table,
            limit,
            buffer: Vec::new(),
            at: 0,
            offset: 0,
            input: Input::Open,
            scan: SaidScan::default(),
        }
    }

    /// Appends bytes.
    pub fn feed(&mut self, data: &[u8]) {
        if self.at >= self.buffer.len() - self.at {
            self.buffer.drain(..self.at);
            self.offset += self.at;
            self.at = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Ends the stream: the remaining bytes are the last line.
    pub fn finish(&mut self) {
        self.input = Input::Ended;
    }

    /// Takes the next message and its bytes, or `None` until more bytes are fed.
    ///
    /// # Errors
    /// A line is not an operation, or exceeds the limit: the stream cannot continue.
    pub fn next_said(&mut self) -> Result<Option<(ChildMessage, &[u8])>> {
        loop {
            let rest = &self.buffer[self.at..];
            let read = said(self.table, rest, self.input, self.limit, &mut self.scan);
            match read.map_err(|error| error.moved(self.offset + self.at))? {
                OpPrefix::Incomplete => return Ok(None),
                OpPrefix::Blank(len) => self.at += len,
                OpPrefix::ChildMessage(said, len) => {
                    let from = self.at;
                    self.at += len;
                    return Ok(Some((said, &self.buffer[from..self.at])));
                }
            }
        }
    }

    /// Number of bytes that are not taken.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.at
    }
}

/// Result of decoding the start of a child's bytes.
pub(super) enum OpPrefix {
    Incomplete,
    /// An empty line of this number of bytes.
    Blank(usize),
    /// A message, and its number of bytes.
    ChildMessage(ChildMessage, usize),
}

/// Progress of a scan of a child's bytes.
#[derive(Debug, Default)]
pub(crate) struct ChildScan {
    /// Number of bytes of empty lines at the start.
    pub(super) blanks: usize,
    /// Progress for the bytes after them.
    pub(super) said: SaidScan,
}

/// Progress of a scan for one message of a child.
#[derive(Debug, Default)]
pub(crate) struct SaidScan {
    pub(super) lines: Lines,
    /// Operation, after its first line is complete, and the range of its text.
    op: Option<(Op, Range<usize>)>,
    arguments: Vec<Range<usize>>,
}

impl SaidScan {
    /// Whether the first line is incomplete.
    pub(super) fn is_new(&self) -> bool {
        self.op.is_none()
    }
}

/// Decodes the start of a child's bytes. When it is complete, `scan` is updated to the progress for the bytes
/// after it.
pub(super) fn said(
    table: OpTable,
    bytes: &[u8],
    input: Input,
    limit: usize,
    scan: &mut SaidScan,
) -> Result<OpPrefix> {
    if scan.op.is_none() {
        let Some(line) = scan.lines.next_line(bytes, input, limit)? else {
            return Ok(OpPrefix::Incomplete);
        };
        let len = scan.lines.at;
        match ops::parse(table, &bytes[line.clone()])? {
            Line::Blank => {
                *scan = SaidScan::default();
                return Ok(OpPrefix::Blank(len));
            }
            Line::Ack(from, to) => {
                *scan = SaidScan::default();
                return Ok(OpPrefix::ChildMessage(ChildMessage::Ack(from..to), len));
            }
            Line::Op(op, text) => scan.op = Some((op, text..line.end)),
        }
    }
    let Some((op, text)) = scan.op.clone() else { return Ok(OpPrefix::Incomplete) };
    while scan.arguments.len() < op.lines {
        let Some(line) = scan.lines.next_line(bytes, input, limit)? else {
            return Ok(OpPrefix::Incomplete);
        };
        scan.arguments.push(line);
    }
    let SaidScan { lines, arguments, .. } = std::mem::take(scan);
    Ok(OpPrefix::ChildMessage(ChildMessage::Op(op, text, arguments), lines.at))
}

/// Number of lines that end in the bytes of a task, and the offset at which counting continues: no line is
/// counted twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCount {
    lines: usize,
    /// Offset up to which lines were counted.
    at: usize,
    /// Offset of the start of the incomplete line.
    start: usize,
    is_over: bool,
    /// Offset of a line with a count, and the count.
    number: Option<(usize, Option<usize>)>,
    /// Writer of the first line, if it is unknown which side wrote it.
    pub(super) writer: Option<Side>,
}

impl LineCount {
    /// Counts the lines in new bytes.
    pub(super) fn count(&mut self, bytes: &[u8]) {
        for by in memchr::memchr_iter(b'\n', &bytes[self.at..]) {
            let end = self.at + by;
            self.is_over |= end - self.start > LINE_LIMIT;
            (self.lines, self.start) = (self.lines + 1, end + 1);
        }
        examined(bytes.len() - self.at);
        self.at = bytes.len();
        self.is_over |= self.at - self.start > LINE_LIMIT;
    }

    pub(super) fn len(&self) -> usize {
        self.lines
    }

    /// Whether a line is longer than [`LINE_LIMIT`].
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the count in the complete line at offset `from`; `None` if it has none.
    pub(super) fn number(&mut self, bytes: &[u8], from: usize) -> Option<usize> {
        if let Some((at, number)) = self.number
            && at == from
        {
            return number;
        }
        let line = bytes[from..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        examined(line.len());
        let number = number(line).and_then(|count| usize::try_from(count).ok());
        let number = number.filter(|count| *count <= MAX_LINES);
        self.number = Some((from, number));
        number
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
    fn line_over_the_limit_and_one_that_is_no_text_are_errors() {
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
                        ChildMessage::Ack(step) => {
                            format!("ACK {}", String::from_utf8_lossy(&bytes[step]))
                        }
                        ChildMessage::Op(op, text, lines) => format!(
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
