//! Frames: a header of 22 bytes, an optional extension of the header, then the fields or a fragment of them.

use std::num::NonZeroUsize;

use super::tables::{MessageType, message_type};
use crate::{
    Cursor, DecodeErrorKind, Result, TooLong,
    fragment::{FragmentKind, Limits, Reassembler, split},
    frame::{FrameDecoder, Framing, LENGTH_LEN},
};

/// Header of a frame.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Header {
    /// Version of the protocol, as the writer sent it: 0 or 1.
    pub version: u8,
    /// `BEGIN`, `END`, `EVENT`.
    pub flags: u8,
    /// Message type.
    pub kind: u16,
    /// Id that connects a request and its response, a registration and its events, or the fragments of a
    /// message.
    pub correlation_id: i64,
    /// Partition of a request; -1 for none.
    pub partition_id: i32,
    /// Offset of the fields in the frame.
    pub data_offset: usize,
}

impl Header {
    /// Decodes the header of a complete frame, after its length.
    ///
    /// # Errors
    /// [`DecodeErrorKind::UnexpectedEof`] if the frame is shorter than a header,
    /// [`DecodeErrorKind::Unexpected`] if the fields begin inside the header or after the end of the frame.
    /// Offsets count from the length.
    pub fn decode(body: &[u8]) -> Result<Self> {
        let mut cursor = Cursor::at(body, LENGTH_LEN);
        let header = Self {
            version: cursor.byte("version")?,
            flags: cursor.byte("flags")?,
            kind: cursor.u16_le("message type")?,
            correlation_id: cursor.i64_le("correlation id")?,
            partition_id: cursor.i32_le("partition id")?,
            data_offset: cursor.u16_le("data offset")?.into(),
        };
        if !(HEADER_LEN..=LENGTH_LEN + body.len()).contains(&header.data_offset) {
            let expected = "an offset between the header's end and the frame's";
            let value = i64::try_from(header.data_offset).unwrap_or(i64::MAX);
            return Err(
                DecodeErrorKind::Unexpected { value, expected }.at("data offset", DATA_OFFSET_AT)
            );
        }
        Ok(header)
    }

    /// Position of the frame in its message.
    #[must_use]
    pub fn fragment_kind(&self) -> FragmentKind {
        FragmentKind::from_hazelcast(self.flags)
    }

    fn write(&self, len: i32, out: &mut Vec<u8>) {
        out.extend_from_slice(&len.to_le_bytes());
        out.push(self.version);
        out.push(self.flags);
        out.extend_from_slice(&self.kind.to_le_bytes());
        out.extend_from_slice(&self.correlation_id.to_le_bytes());
        out.extend_from_slice(&self.partition_id.to_le_bytes());
        out.extend_from_slice(&HEADER_LEN_U16.to_le_bytes());
    }
}

/// Appends a message, whose fields `write` appends, in as many frames of at most `limit` bytes as it needs.
/// `out` is unchanged after an error.
///
/// # Errors
/// Errors of `write`; [`TooLong`] if the limit allows a frame whose length does not fit an `int`.
pub fn encode_message<E: From<TooLong>>(
    header: Header,
    limit: usize,
    out: &mut Vec<u8>,
    write: impl FnOnce(&mut Vec<u8>) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let start = out.len();
    Header { flags: header.flags | WHOLE, ..header }.write(0, out);
    if let Err(error) = write(out) {
        out.truncate(start);
        return Err(error);
    }
    let len = out.len() - start;
    if len <= limit.max(HEADER_LEN + 1) {
        let Ok(told) = i32::try_from(len) else {
            out.truncate(start);
            return Err(TooLong { len, max: i32::MAX as usize }.into());
        };
        out[start..start + LENGTH_LEN].copy_from_slice(&told.to_le_bytes());
        return Ok(());
    }
    let fields = out.split_off(start + HEADER_LEN);
    out.truncate(start);
    let room = limit.clamp(HEADER_LEN + 1, i32::MAX as usize) - HEADER_LEN;
    for (part, piece) in split(&fields, NonZeroUsize::new(room).unwrap_or(NonZeroUsize::MIN)) {
        let header = Header { flags: header.flags | part.to_hazelcast(), ..header };
        // Not above the limit, which fits into an int.
        header.write(i32::try_from(HEADER_LEN + piece.len()).unwrap_or(i32::MAX), out);
        out.extend_from_slice(piece);
    }
    Ok(())
}

/// Message whose fragments are complete.
#[derive(Clone, Copy, Debug)]
pub struct WholeMessage<'a> {
    /// Header of its last frame.
    pub header: Header,
    /// Message type, if it is known.
    pub kind: Option<&'static MessageType>,
    /// Encoded fields; `None` if they were dropped, because the message was forgotten.
    pub fields: Option<&'a [u8]>,
}

/// Incremental decoder of a peer's messages, which joins their fragments.
#[derive(Debug)]
pub struct MessageDecoder {
    frames: FrameDecoder,
    fragments: Reassembler,
}

impl MessageDecoder {
    /// Creates a decoder that rejects messages of more than `limit` bytes, in one frame or in all their
    /// fragments.
    #[must_use]
    pub fn new(limit: usize) -> Self {
        Self {
            frames: FrameDecoder::with(FRAMING, limit),
            fragments: Reassembler::new(fragment_limits(limit)),
        }
    }

    /// Appends bytes from the transport.
    pub fn feed(&mut self, data: &[u8]) {
        self.frames.feed(data);
    }

    /// Calls `take` with the next message, or returns `None` until more bytes are fed.
    ///
    /// # Errors
    /// As [`Header::decode`], [`Framing::header`] and [`Reassembler::push`], with offsets in the stream and in
    /// the fragments; the stream cannot continue.
    pub fn next_message<R>(
        &mut self,
        take: impl FnOnce(WholeMessage<'_>) -> R,
    ) -> Result<Option<R>> {
        loop {
            let at = self.frames.offset();
            let Some(body) = self.frames.next_frame()? else { return Ok(None) };
            let header = Header::decode(body).map_err(|error| error.moved(at))?;
            let data = &body[header.data_offset - LENGTH_LEN..];
            let part = header.fragment_kind();
            let dropped =
                part == FragmentKind::End && self.fragments.is_forgotten(header.correlation_id);
            let whole = match part {
                // Nobody begins a message within one of the same id: pushing would only look for it.
                FragmentKind::Whole if self.fragments.open() == 0 => Some(data),
                _ => self.fragments.push(header.correlation_id, part, data)?,
            };
            if whole.is_some() || dropped {
                let kind = message_type(header.kind);
                return Ok(Some(take(WholeMessage { header, kind, fields: whole })));
            }
        }
    }

    /// Drops the fragments of a message that is no longer awaited, received and future; only its end is still
    /// returned.
    pub fn forget(&mut self, correlation_id: i64) {
        self.fragments.forget(correlation_id);
    }

    /// Number of bytes that were fed and are not part of a complete message.
    #[must_use]
    pub fn buffered(&self) -> usize {
        self.frames.buffered() + self.fragments.buffered()
    }
}

/// Framing of Hazelcast: a little-endian length that includes itself.
pub(super) const FRAMING: Framing = Framing::LITTLE_ENDIAN.including_itself();
/// Number of bytes of a header without an extension.
pub const HEADER_LEN: usize = 22;
const HEADER_LEN_U16: u16 = 22;
const DATA_OFFSET_AT: usize = 20;
/// `ClientMessage.BEGIN_AND_END_FLAGS`.
const WHOLE: u8 = 0xc0;
/// `ClientMessage.LISTENER_EVENT_FLAG`.
pub const EVENT: u8 = 0x01;
/// Maximum number of incomplete messages of one peer (chosen by jvmwire).
pub(super) const MAX_OPEN_MESSAGES: usize = 1024;

/// Limits of incomplete messages, if each message has at most `message` bytes.
pub(super) fn fragment_limits(message: usize) -> Limits {
    Limits { message, total: message.saturating_mul(2), open: MAX_OPEN_MESSAGES }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn header(correlation_id: i64) -> Header {
        Header {
            version: 1,
            flags: 0,
            kind: 0x0102,
            correlation_id,
            partition_id: 7,
            data_offset: HEADER_LEN,
        }
    }

    fn encoded(correlation_id: i64, fields: &[u8], limit: usize) -> Vec<u8> {
        let mut out = Vec::new();
        encode_message::<TooLong>(header(correlation_id), limit, &mut out, |out| {
            out.extend_from_slice(fields);
            Ok(())
        })
        .unwrap();
        out
    }

    fn decoded(decoder: &mut MessageDecoder) -> Vec<(i64, Vec<u8>)> {
        std::iter::from_fn(|| {
            decoder
                .next_message(|whole| (whole.header.correlation_id, whole.fields.unwrap().to_vec()))
                .unwrap()
        })
        .collect()
    }

    #[test]
    fn message_is_a_header_of_22_bytes_and_its_fields() {
        let wire = encoded(-2, b"ab", 1 << 20);
        assert_eq!(wire[..8], [24, 0, 0, 0, 1, 0xc0, 2, 1]);
        assert_eq!(wire[8..], [&[0xfe][..], &[0xff; 7], &[7, 0, 0, 0, 22, 0, b'a', b'b']].concat());
    }

    #[test]
    fn longer_header_has_its_unknown_bytes_skipped() {
        let mut wire = encoded(3, b"..ab", 1 << 20);
        wire[20] = 24;
        let mut decoder = MessageDecoder::new(100);
        decoder.feed(&wire);
        assert_eq!(decoded(&mut decoder), [(3, b"ab".to_vec())]);
        for (offset, frame) in [(21, 46), (27, 46)] {
            wire[20] = offset;
            decoder.feed(&wire);
            let error = decoder.next_message(|_| ()).unwrap_err();
            assert_eq!((error.what, error.offset), ("data offset", frame));
            decoder = MessageDecoder::new(100);
            decoder.feed(&encoded(3, b"..ab", 1 << 20));
            decoded(&mut decoder);
        }
    }

    #[test]
    fn fields_that_cannot_be_written_leave_nothing_behind() {
        let mut out = vec![1];
        let refused = encode_message(header(1), 100, &mut out, |out| {
            out.push(2);
            Err(TooLong { len: 9, max: 8 })
        });
        assert_eq!((refused, out), (Err(TooLong { len: 9, max: 8 }), vec![1]));
    }

    #[test]
    fn length_over_the_limit_is_refused_before_the_bytes_arrive() {
        let mut decoder = MessageDecoder::new(100);
        decoder.feed(&200_i32.to_le_bytes());
        assert!(decoder.next_message(|_| ()).is_err());
        let mut decoder = MessageDecoder::new(100);
        for id in 0..MAX_OPEN_MESSAGES {
            decoder.feed(&encoded(id.try_into().unwrap(), b"ab", 23)[..23]);
        }
        decoder.next_message(|_| ()).unwrap_err();
    }

    #[test]
    fn dropped_message_is_reported_at_its_end_only() {
        let mut decoder = MessageDecoder::new(100);
        let wire = encoded(3, b"abcd", HEADER_LEN + 1);
        let (begin, rest) = wire.split_at(HEADER_LEN + 1);
        decoder.feed(begin);
        assert_eq!(decoded(&mut decoder), []);
        decoder.forget(3);
        decoder.feed(rest);
        decoder.feed(&encoded(4, b"ab", 100));
        let mut told = || {
            let told =
                |it: WholeMessage<'_>| (it.header.correlation_id, it.fields.map(<[u8]>::to_vec));
            decoder.next_message(told).unwrap()
        };
        assert_eq!(told(), Some((3, None)));
        assert_eq!(told(), Some((4, Some(b"ab".to_vec()))));
        assert_eq!(told(), None);
        assert_eq!(decoder.buffered(), 0);
    }

    proptest! {
        #[test]
        fn fragments_of_any_size_interleaved_and_cut_anywhere_come_together_again(
            messages in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 1..6),
            limit in 0..90_usize,
            cut in 1..40_usize,
        ) {
            let limit = limit.max(HEADER_LEN + 1);
            let mut frames: Vec<Vec<Vec<u8>>> = Vec::new();
            for (id, fields) in messages.iter().enumerate() {
                let mut rest = &encoded(id.try_into().unwrap(), fields, limit)[..];
                let mut pieces = Vec::new();
                while !rest.is_empty() {
                    let len = usize::from(rest[0]);
                    prop_assert!(len <= limit);
                    pieces.push(rest[..len].to_vec());
                    rest = &rest[len..];
                }
                frames.push(pieces);
            }
            let longest = frames.iter().map(Vec::len).max().unwrap_or_default();
            let wire: Vec<u8> = (0..longest)
                .flat_map(|at| frames.iter().filter_map(move |pieces| pieces.get(at)))
                .flatten()
                .copied()
                .collect();
            let mut decoder = MessageDecoder::new(1000);
            let mut seen = Vec::new();
            for chunk in wire.chunks(cut) {
                decoder.feed(chunk);
                seen.extend(decoded(&mut decoder));
            }
            seen.sort();
            let sent: Vec<_> = (0..).zip(messages).collect();
            prop_assert_eq!(seen, sent);
            prop_assert_eq!(decoder.buffered(), 0);
        }
    }
}
