//! The decoders that cut a stream, one like the other.

use jvmwire_codec::{
    DecodeError, Result, SimdLevel,
    frame::{FrameDecoder, Frames, Framing, Input, LineDecoder, MessageDecoder},
};

/// How a stream is cut.
#[derive(Clone, Copy, Debug)]
pub enum Cut {
    Length(Framing),
    Lines,
    Messages,
}

/// What came, each with its type, and what is wrong behind it.
pub type Seen = (Vec<(i32, Vec<u8>)>, Option<DecodeError>);

impl Cut {
    /// Feeds `wire` in steps, and takes what is whole after each one by one.
    pub fn one_by_one(self, wire: &[u8], limit: usize, step: usize, input: Input) -> Seen {
        let mut seen = Vec::new();
        let error = self.through(wire, limit, step, input, |decoder| {
            while let Some(frame) = decoder.next()? {
                seen.push(frame);
            }
            Ok(())
        });
        (seen, error)
    }

    /// The same, but all that is whole at once; if `mixed`, after one by itself.
    pub fn in_batches(
        self,
        wire: &[u8],
        limit: usize,
        step: usize,
        input: Input,
        level: SimdLevel,
        mixed: bool,
    ) -> Seen {
        let mut seen = Vec::new();
        let mut frames = Frames::default();
        let error = self.through(wire, limit, step, input, |decoder| {
            if mixed && let Some(frame) = decoder.next()? {
                seen.push(frame);
            }
            loop {
                // What is wrong waits until nothing is before it.
                frames.clear();
                decoder.next_batch(&mut frames, level)?;
                if frames.payloads.is_empty() {
                    return Ok(());
                }
                let kinds = frames.kinds.iter().copied().chain(std::iter::repeat(0));
                seen.extend(kinds.zip(frames.payloads.iter().map(<[u8]>::to_vec)));
            }
        });
        (seen, error)
    }

    fn through(
        self,
        wire: &[u8],
        limit: usize,
        step: usize,
        input: Input,
        mut take: impl FnMut(&mut Cutter) -> Result<()>,
    ) -> Option<DecodeError> {
        let mut decoder = match self {
            Self::Length(framing) => Cutter::Length(FrameDecoder::with(framing, limit)),
            Self::Lines => Cutter::Lines(LineDecoder::new(limit)),
            Self::Messages => Cutter::Messages(MessageDecoder::new(limit)),
        };
        let end = (input == Input::Ended).then_some(None);
        for chunk in wire.chunks(step).map(Some).chain(end) {
            match chunk {
                Some(chunk) => decoder.feed(chunk),
                None => decoder.finish(),
            }
            if let Err(error) = take(&mut decoder) {
                return Some(error);
            }
            assert!(decoder.buffered() <= self.most_kept(limit), "{self:?}");
        }
        None
    }

    /// The most bytes that wait once all that is whole was taken.
    fn most_kept(self, limit: usize) -> usize {
        match self {
            Self::Length(framing) => framing.header_len() + limit - 1,
            Self::Lines => limit + b"\r".len(),
            // Whether a line is one too many is seen at its end.
            Self::Messages => limit + b"\r\n".len() + limit + b"\r".len(),
        }
    }
}

enum Cutter {
    Length(FrameDecoder),
    Lines(LineDecoder),
    Messages(MessageDecoder),
}

impl Cutter {
    fn feed(&mut self, chunk: &[u8]) {
        match self {
            Self::Length(decoder) => decoder.feed(chunk),
            Self::Lines(decoder) => decoder.feed(chunk),
            Self::Messages(decoder) => decoder.feed(chunk),
        }
    }

    fn finish(&mut self) {
        match self {
            Self::Length(decoder) => decoder.finish(),
            Self::Lines(decoder) => decoder.finish(),
            Self::Messages(decoder) => decoder.finish(),
        }
    }

    fn next(&mut self) -> Result<Option<(i32, Vec<u8>)>> {
        let next = match self {
            Self::Length(decoder) => {
                decoder.next_typed_frame()?.map(|frame| (frame.kind, frame.payload))
            }
            Self::Lines(decoder) => decoder.next_line()?.map(|line| (0, line)),
            Self::Messages(decoder) => decoder.next_message()?.map(|message| (0, message)),
        };
        Ok(next.map(|(kind, payload)| (kind, payload.to_vec())))
    }

    fn next_batch(&mut self, out: &mut Frames, level: SimdLevel) -> Result<()> {
        match self {
            Self::Length(decoder) => decoder.next_batch(out, level),
            Self::Lines(decoder) => decoder.next_batch(&mut out.payloads),
            Self::Messages(decoder) => decoder.next_batch(&mut out.payloads),
        }
    }

    fn buffered(&self) -> usize {
        match self {
            Self::Length(decoder) => decoder.buffered(),
            Self::Lines(decoder) => decoder.buffered(),
            Self::Messages(decoder) => decoder.buffered(),
        }
    }
}
