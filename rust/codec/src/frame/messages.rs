//! Messages of lines that a line `end` closes: Storm's multilang protocol.

use std::ops::Range;

use super::{
    BinaryColumn, Scan,
    lines::{Input, Lines},
    pack::take_all,
};
use crate::{DecodeErrorKind, DelimiterInPayload, Result, cost::examined};

/// Finds all whole messages in `bytes`: lines up to one that says `end`, which Storm puts after each.
///
/// A payload is the lines before it, without the last line's end; line ends within it stay as they
/// are. A message that the stream's end cuts off is not whole. A payload may take up to `limit` bytes.
///
/// # Errors
/// [`DecodeErrorKind::OverLimit`] if a message does not end within `limit` bytes.
pub fn scan_messages(bytes: &[u8], input: Input, limit: usize) -> Result<Scan> {
    let mut messages = Messages::default();
    let mut scan = Scan::default();
    while let Some(payload) = messages.next_message(bytes, input, limit)? {
        scan.payloads.push(payload);
    }
    scan.consumed = messages.start;
    Ok(scan)
}

/// Finds the message at the front of `bytes`, and where the next begins, or `None` if it is not whole.
///
/// # Errors
/// As [`scan_messages`].
pub fn first_message(
    bytes: &[u8],
    input: Input,
    limit: usize,
) -> Result<Option<(Range<usize>, usize)>> {
    let mut messages = Messages::default();
    let payload = messages.next_message(bytes, input, limit)?;
    Ok(payload.map(|payload| (payload, messages.start)))
}

/// Appends one message to `out`: the payload, a line end, and a line that says `end`.
///
/// # Errors
/// [`DelimiterInPayload`] if a line of the payload says `end`, or its last byte would be taken for half of the
/// line end after it.
pub fn encode_message(
    payload: &[u8],
    out: &mut Vec<u8>,
) -> std::result::Result<(), DelimiterInPayload> {
    let mut lines = Lines::default();
    while let Ok(Some(line)) = lines.next_line(payload, Input::Ended, usize::MAX) {
        if payload[line.clone()] == *END {
            return Err(DelimiterInPayload { at: line.start });
        }
    }
    if let [before @ .., b'\r'] = payload {
        return Err(DelimiterInPayload { at: before.len() });
    }
    out.extend_from_slice(payload);
    out.extend_from_slice(b"\nend\n");
    Ok(())
}

/// Where a search for messages has got to; what was seen is not looked at again.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Messages {
    lines: Lines,
    /// Where the next message begins.
    pub(crate) start: usize,
    /// Where the last of its lines ends that were seen.
    end: usize,
}

impl Messages {
    /// Takes note that so many bytes were dropped from the front.
    pub(crate) fn shift(&mut self, len: usize) {
        self.lines.shift(len);
        self.start = self.start.saturating_sub(len);
        self.end = self.end.saturating_sub(len);
    }

    /// Passes all bytes before `at`, where a message begins.
    pub(crate) fn skip_to(&mut self, at: usize) {
        *self = Self { lines: Lines::starting_at(at), start: at, end: at };
    }

    pub(crate) fn next_message(
        &mut self,
        bytes: &[u8],
        input: Input,
        limit: usize,
    ) -> Result<Option<Range<usize>>> {
        // A line may be as long as a message, or be the `end` that is not part of one.
        let line_limit = limit.max(END.len());
        loop {
            let len = self.end.saturating_sub(self.start);
            if len > limit {
                let problem = DecodeErrorKind::OverLimit { value: len as u64, limit: limit as u64 };
                return Err(problem.at("message length", self.start));
            }
            let Some(line) = self.lines.next_line(bytes, input, line_limit)? else {
                return Ok(None);
            };
            if bytes[line.clone()] == *END {
                let payload = self.start..self.end.max(self.start);
                self.start = self.lines.at;
                self.end = self.start;
                return Ok(Some(payload));
            }
            self.end = line.end;
            self.pass_lines(bytes, limit);
        }
    }

    /// Passes the whole lines before the next that begins with `end`, together. Where a limit might be passed,
    /// each is looked at alone.
    fn pass_lines(&mut self, bytes: &[u8], limit: usize) {
        let from = self.lines.at;
        let rest = &bytes[from..];
        if rest.starts_with(END) || bytes.len() - self.start > limit {
            return;
        }
        let is_line_end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let next = memchr::memmem::find_iter(rest, END)
            .find(|at| rest[..*at].last().is_some_and(is_line_end));
        // A line end that is the last byte may be half of one.
        let last = next.unwrap_or(rest.len().saturating_sub(1));
        examined(last);
        let Some(end) = memchr::memrchr2(b'\n', b'\r', &rest[..last]) else { return };
        let (line_end, after) = match (&rest[..end], rest[end], rest.get(end + 1)) {
            ([.., b'\r'], b'\n', _) => (end - 1, end + 1),
            (_, b'\r', Some(b'\n')) => (end, end + 2),
            _ => (end, end + 1),
        };
        self.end = from + line_end;
        self.lines = Lines::starting_at(from + after);
    }
}

/// Cuts a stream into `end`-terminated messages, however the transport chopped it.
#[derive(Debug)]
pub struct MessageDecoder {
    buffer: Vec<u8>,
    messages: Messages,
    offset: usize,
    input: Input,
    limit: usize,
}

impl MessageDecoder {
    /// Refuses messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let messages = Messages::default();
        Self { buffer: Vec::new(), messages, offset: 0, input: Input::Open, limit }
    }

    /// Appends bytes as they came off the transport.
    pub fn feed(&mut self, data: &[u8]) {
        let taken = self.messages.start;
        if taken >= self.buffer.len() - taken {
            self.offset += taken;
            self.messages.lines.forget(&mut self.buffer, taken);
            self.messages.end -= taken;
            self.messages.start = 0;
        }
        self.buffer.extend_from_slice(data);
    }

    /// Says that nothing follows: an `end` without a line end ends its message too.
    pub fn finish(&mut self) {
        self.input = Input::Ended;
    }

    /// Takes the next whole message, or `None` until more is fed.
    ///
    /// # Errors
    /// As [`scan_messages`], with the offset in the stream; the stream cannot go on.
    /// [`DecodeErrorKind::UnexpectedEof`] if the stream has ended within a message.
    pub fn next_message(&mut self) -> Result<Option<&[u8]>> {
        let payload = self.messages.next_message(&self.buffer, self.input, self.limit);
        let payload = payload.map_err(|error| error.moved(self.offset))?;
        match payload {
            Some(payload) => Ok(Some(&self.buffer[payload])),
            None if self.input == Input::Ended && self.buffered() > 0 => {
                let problem = DecodeErrorKind::UnexpectedEof { missing: END.len() };
                Err(problem.at("message", self.offset + self.messages.start))
            }
            None => Ok(None),
        }
    }

    /// Takes all whole messages, as many as 31 bits of offsets allow, and appends them to `out`.
    ///
    /// # Errors
    /// As [`MessageDecoder::next_message`], once all messages before what is wrong are taken.
    pub fn next_batch(&mut self, out: &mut BinaryColumn) -> Result<()> {
        let count = out.len();
        take_all(out, &self.buffer, self.limit, || {
            self.messages.next_message(&self.buffer, self.input, self.limit)
        });
        if out.len() == count {
            self.next_message()?;
        }
        Ok(())
    }

    /// Number of bytes that wait for the end of their message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.messages.start
    }
}

/// The line after a message.
const END: &[u8] = b"end";
