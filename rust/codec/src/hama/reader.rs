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
    /// Where the lines end that were found and not taken yet.
    ends: VecDeque<usize>,
    /// Before this no other line ends.
    seen: usize,
    /// What the line at the front says that tells how many follow.
    count: Option<usize>,
}

impl ReplyReader {
    /// Refuses lines of more than `limit` bytes.
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

    /// Appends bytes as they came.
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

    /// Takes the next `count` lines together, or none; hands each to `each`, as text.
    ///
    /// # Errors
    /// [`DecodeErrorKind::OverLimit`] of a line, [`DecodeErrorKind::NotText`] of what is not UTF-8.
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

    /// Takes a line that says how many follow, and those, or none.
    ///
    /// # Errors
    /// As [`ReplyReader::take`]; [`DecodeErrorKind::OverLimit`] of the count.
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

    /// Whether so many whole lines are there; none is looked for twice.
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

    /// Bytes that are not taken.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.at
    }
}

/// What a child wrote, an operation with its lines at a time.
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

/// One thing that a child said, and where.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum ChildMessage {
    /// A step has ended; its number.
    Ack(Range<usize>),
    /// An operation, the text behind its `=`, which only LOG has, and its arguments.
    Op(Op, Range<usize>, Vec<Range<usize>>),
}

impl OpReader {
    /// Reads by these numbers; refuses lines of more than `limit` bytes.
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
    /// A line is not an operation, or over the limit: the stream cannot go on.
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

    /// Bytes that are not taken.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.at
    }
}

/// What stands at the front of what a child wrote.
pub(super) enum OpPrefix {
    Incomplete,
    /// An empty line of so many bytes.
    Blank(usize),
    /// In so many bytes.
    ChildMessage(ChildMessage, usize),
}

/// Where the look at what a child says has got to.
#[derive(Debug, Default)]
pub(crate) struct ChildScan {
    /// Bytes of empty lines at the front.
    pub(super) blanks: usize,
    /// Of what stands after them.
    pub(super) said: SaidScan,
}

/// Where the look at one thing that a child says has got to.
#[derive(Debug, Default)]
pub(crate) struct SaidScan {
    pub(super) lines: Lines,
    /// The operation, once its line has come, and where its text stands.
    op: Option<(Op, Range<usize>)>,
    arguments: Vec<Range<usize>>,
}

impl SaidScan {
    /// Whether the first line has not come yet.
    pub(super) fn is_new(&self) -> bool {
        self.op.is_none()
    }
}

/// What stands at the front of what a child wrote. `scan` is left as that of the bytes after it, once it
/// is whole.
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

/// Number of lines that end in the bytes of a task, and the offset at which counting continues: no line is counted
/// twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LineCount {
    lines: usize,
    /// Up to here they were counted.
    at: usize,
    /// Where the line begins that has not ended.
    start: usize,
    is_over: bool,
    /// What the line says that tells how many follow, by where it begins.
    number: Option<(usize, Option<usize>)>,
    /// Who wrote the first line, where that is not said.
    pub(super) writer: Option<Side>,
}

impl LineCount {
    /// Counts the lines that came.
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

    /// The count that a whole line says, which begins at `from`; `None` if it says none.
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
