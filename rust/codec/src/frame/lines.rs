//! Lines of text that end with LF, CR or CR LF, as `BufferedReader.readLine` reads them.

use std::ops::Range;

use super::{BinaryColumn, Scan, pack::take_all};
use crate::{DecodeErrorKind, DelimiterInPayload, Result, cost::examined};

/// Whether more bytes can follow.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Input {
    /// More bytes can follow: a `\r` at the end can be the first half of a `\r\n`.
    Open,
    /// The stream has ended, and the last line with it.
    Ended,
}

/// Finds all complete lines in `bytes`, as Java's `BufferedReader.readLine` does: ended by `\n`, `\r\n` or a
/// lone `\r`. A line has at most `limit` bytes.
///
/// # Errors
/// [`DecodeErrorKind::OverLimit`] if a line does not end within `limit` bytes.
pub fn scan_lines(bytes: &[u8], input: Input, limit: usize) -> Result<Scan> {
    let mut lines = Lines::default();
    let mut scan = Scan::default();
    while let Some(line) = lines.next_line(bytes, input, limit)? {
        scan.payloads.push(line);
    }
    scan.consumed = lines.at;
    Ok(scan)
}

/// Finds the line at the start of `bytes`, and the offset of the next, or `None` if it is incomplete.
///
/// # Errors
/// As [`scan_lines`].
pub fn first_line(
    bytes: &[u8],
    input: Input,
    limit: usize,
) -> Result<Option<(Range<usize>, usize)>> {
    let mut lines = Lines::default();
    let line = lines.next_line(bytes, input, limit)?;
    Ok(line.map(|line| (line, lines.at)))
}

/// Appends one line to `out`: the payload and a `\n`.
///
/// # Errors
/// [`DelimiterInPayload`] if the payload contains a line end.
pub fn encode_line(
    payload: &[u8],
    out: &mut Vec<u8>,
) -> std::result::Result<(), DelimiterInPayload> {
    if let Some(at) = memchr::memchr2(b'\n', b'\r', payload) {
        return Err(DelimiterInPayload { at });
    }
    out.extend_from_slice(payload);
    out.push(b'\n');
    Ok(())
}

/// Progress of a search for line ends; no byte is examined twice.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    /// Offset of the next line.
    pub(crate) at: usize,
    /// Offset before which the line has no end.
    seen: usize,
}

impl Lines {
    /// Starts a search at offset `at`.
    pub(crate) fn starting_at(at: usize) -> Self {
        Self { at, seen: at }
    }

    #[inline]
    pub(crate) fn next_line(
        &mut self,
        bytes: &[u8],
        input: Input,
        limit: usize,
    ) -> Result<Option<Range<usize>>> {
        let start = self.at;
        let from = self.seen.max(start);
        let found = memchr::memchr2(b'\n', b'\r', &bytes[from..]).map(|by| from + by);
        let end = found.unwrap_or(bytes.len());
        examined(end - from + 1);
        if end - start > limit {
            // The number of bytes depends on how the input was cut; at least one exceeds the limit.
            let limit = limit as u64;
            let problem = DecodeErrorKind::OverLimit { value: limit + 1, limit };
            return Err(problem.at("line length", start));
        }
        self.seen = end;
        let after = match (bytes.get(end), bytes.get(end + 1), input) {
            (Some(b'\r'), Some(b'\n'), _) => end + 2,
            (Some(b'\r'), None, Input::Open) => return Ok(None),
            (Some(_), _, _) => end + 1,
            (None, _, Input::Ended) if end > start => end,
            (None, _, _) => return Ok(None),
        };
        self.at = after;
        Ok(Some(start..end))
    }

    /// Removes the taken bytes from the start of the buffer.
    pub(super) fn forget(&mut self, buffer: &mut Vec<u8>, before: usize) {
        buffer.drain(..before);
        self.shift(before);
    }

    /// Adjusts the offsets after `len` bytes were removed from the start.
    pub(crate) fn shift(&mut self, len: usize) {
        self.at = self.at.saturating_sub(len);
        self.seen = self.seen.saturating_sub(len);
    }
}

/// Incremental decoder of a stream of lines.
#[derive(Debug)]
pub struct LineDecoder {
    buffer: Vec<u8>,
    lines: Lines,
    offset: usize,
    input: Input,
    limit: usize,
}

impl LineDecoder {
    /// Creates a decoder that rejects lines of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        let lines = Lines::default();
        Self { buffer: Vec::new(), lines, offset: 0, input: Input::Open, limit }
    }

    /// Appends bytes from the transport.
    pub fn feed(&mut self, data: &[u8]) {
        let taken = self.lines.at;
        if taken >= self.buffer.len() - taken {
            self.offset += taken;
            self.lines.forget(&mut self.buffer, taken);
        }
        self.buffer.extend_from_slice(data);
    }

    /// Ends the stream: the remaining bytes are the last line.
    pub fn finish(&mut self) {
        self.input = Input::Ended;
    }

    /// Takes the next complete line, without its end, or `None` until more bytes are fed.
    ///
    /// # Errors
    /// As [`scan_lines`], with the offset in the stream; the stream cannot continue.
    pub fn next_line(&mut self) -> Result<Option<&[u8]>> {
        let line = self.lines.next_line(&self.buffer, self.input, self.limit);
        let line = line.map_err(|error| error.moved(self.offset))?;
        Ok(line.map(|line| &self.buffer[line]))
    }

    /// Takes all complete lines, as many as 31-bit offsets allow, and appends them to `out`.
    ///
    /// # Errors
    /// As [`LineDecoder::next_line`], after all lines before the malformed one are taken.
    pub fn next_batch(&mut self, out: &mut BinaryColumn) -> Result<()> {
        let count = out.len();
        take_all(out, &self.buffer, self.limit, || {
            self.lines.next_line(&self.buffer, self.input, self.limit)
        });
        if out.len() == count {
            self.next_line()?;
        }
        Ok(())
    }

    /// Number of bytes that wait for the end of their line.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.lines.at
    }
}
