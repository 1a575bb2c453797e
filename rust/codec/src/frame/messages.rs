//! Messages of lines, each ended by a line `end`: Storm's multilang protocol.

use std::ops::Range;

use super::{
    BinaryColumn, Scan,
    lines::{Input, Lines},
    pack::take_all,
};
use crate::{DecodeErrorKind, DelimiterInPayload, Result, cost::examined};

/// Finds all complete messages in `bytes`: lines up to a line `end`, which Storm writes after each message.
///
/// The payload is the lines before it, without the end of the last one; line ends within the payload are kept.
/// A message that the end of the stream cuts off is incomplete. A payload has at most `limit` bytes.
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

/// Finds the message at the start of `bytes`, and the offset of the next, or `None` if it is incomplete.
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

/// Appends one message to `out`: the payload, a line end, and a line `end`.
///
/// # Errors
/// [`DelimiterInPayload`] if a line of the payload is `end`, or its last byte would be read as half of the line
/// end after it.
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

/// Progress of a search for messages; no byte is examined twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Messages {
    lines: Lines,
    /// Offset of the next message.
    pub(crate) start: usize,
    /// Offset of the end of the last line that was examined.
    end: usize,
}

impl Messages {
    /// Adjusts the offsets after `len` bytes were removed from the start.
    pub(crate) fn shift(&mut self, len: usize) {
        self.lines.shift(len);
        self.start = self.start.saturating_sub(len);
        self.end = self.end.saturating_sub(len);
    }

    /// Skips all bytes before `at`, the offset of a message.
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

    /// Skips the complete lines before the next one that begins with `end` together. Lines that could exceed
    /// the limit are examined one by one.
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

/// Incremental decoder of a stream of messages that end with a line `end`.
#[derive(Debug)]
pub struct MessageDecoder {
    buffer: Vec<u8>,
    messages: Messages,
    offset: usize,
    input: Input,
    limit: usize,
}

impl MessageDecoder {
    /// Creates a decoder that rejects messages of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let messages = Messages::default();
        Self { buffer: Vec::new(), messages, offset: 0, input: Input::Open, limit }
    }

    /// Appends bytes from the transport.
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

    /// Ends the stream: an `end` without a line end now ends its message, too.
    pub fn finish(&mut self) {
        self.input = Input::Ended;
    }

    /// Takes the next complete message, or `None` until more bytes are fed.
    ///
    /// # Errors
    /// As [`scan_messages`], with the offset in the stream; the stream cannot continue.
    /// [`DecodeErrorKind::UnexpectedEof`] if the stream has ended inside a message.
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

    /// Takes all complete messages, as many as 31-bit offsets allow, and appends them to `out`.
    ///
    /// # Errors
    /// As [`MessageDecoder::next_message`], after all messages before the malformed one are taken.
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

/// Line after a message.
const END: &[u8] = b"end";
