//! Frames: `length: i32` big-endian, then `length` bytes.

use crate::{Problem, Result, cursor::checked_len};

/// What stands at the front of a stream of frames.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Front {
    /// Not a whole frame yet.
    Incomplete,
    /// A frame of this many bytes after its [`LENGTH_LEN`].
    Whole(usize),
}

/// Looks for a length-prefixed frame at the front of `bytes`.
///
/// # Errors
/// [`Problem::Negative`] or [`Problem::OverLimit`] as soon as the length is there.
pub fn length_prefixed(bytes: &[u8], limit: usize) -> Result<Front> {
    let Some(length) = bytes.first_chunk() else { return Ok(Front::Incomplete) };
    let len = checked_len(i32::from_be_bytes(*length).into(), limit)
        .map_err(|problem: Problem| problem.of("frame length", 0))?;
    Ok(if bytes.len() - LENGTH_LEN < len { Front::Incomplete } else { Front::Whole(len) })
}

/// Cuts a stream into length-prefixed frames, however the transport chopped it.
#[derive(Debug)]
pub struct FrameDecoder {
    buffer: Vec<u8>,
    taken: usize,
    limit: usize,
}

impl FrameDecoder {
    /// Refuses frames of more than `limit` bytes.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), taken: 0, limit }
    }

    /// Appends bytes as they came off the transport.
    pub fn feed(&mut self, data: &[u8]) {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(data);
    }

    /// Takes the next whole frame, or `None` until more is fed.
    ///
    /// # Errors
    /// As [`length_prefixed`]; the stream cannot go on.
    pub fn next_frame(&mut self) -> Result<Option<&[u8]>> {
        let rest = &self.buffer[self.taken..];
        let Front::Whole(len) = length_prefixed(rest, self.limit)? else { return Ok(None) };
        self.taken += LENGTH_LEN + len;
        Ok(Some(&rest[LENGTH_LEN..LENGTH_LEN + len]))
    }

    /// How many bytes wait for the rest of their frame.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.buffer.len() - self.taken
    }
}

/// Appends one frame to `out`.
///
/// # Errors
/// [`crate::TooLong`] if `payload` is longer than an `int` can say.
pub fn encode(payload: &[u8], out: &mut Vec<u8>) -> std::result::Result<(), crate::TooLong> {
    let Ok(length) = i32::try_from(payload.len()) else {
        return Err(crate::TooLong { len: payload.len(), max: i32::MAX as usize });
    };
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(payload);
    Ok(())
}

/// Bytes of the length.
pub const LENGTH_LEN: usize = 4;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn cutting_does_not_matter(
            payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..20), 0..10),
            step in 1..30_usize,
        ) {
            let mut wire = Vec::new();
            for payload in &payloads {
                encode(payload, &mut wire).unwrap();
            }
            let mut decoder = FrameDecoder::new(1000);
            let mut seen = Vec::new();
            for chunk in wire.chunks(step) {
                decoder.feed(chunk);
                while let Some(frame) = decoder.next_frame().unwrap() {
                    seen.push(frame.to_vec());
                }
            }
            prop_assert_eq!(seen, payloads);
            prop_assert_eq!(decoder.buffered(), 0);
        }
    }

    #[test]
    fn a_hostile_length_is_refused_before_anything_is_buffered_for_it() {
        for (length, value) in [
            (-1, Problem::Negative { value: -1 }),
            (101, Problem::OverLimit { value: 101, limit: 100 }),
            (i32::MAX, Problem::OverLimit { value: 0x7fff_ffff, limit: 100 }),
        ] {
            assert_eq!(length_prefixed(&length.to_be_bytes(), 100).unwrap_err().problem, value);
        }
        assert_eq!(length_prefixed(&0_i32.to_be_bytes(), 100), Ok(Front::Whole(0)));
        assert_eq!(length_prefixed(&100_i32.to_be_bytes(), 100), Ok(Front::Incomplete));
    }
}
