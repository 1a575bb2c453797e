//! Search for frames in a stream that was not seen from its start.

use super::{
    MAGIC, MESSAGE_LIMIT, VERSION,
    preamble::PING,
    tables::{request, response},
};
use crate::{
    Cursor, DecodeError, DecodeErrorKind,
    cost::examined,
    frame::LENGTH_LEN,
    message::Side,
    proto::{self, Raw},
    resync::{self, FrameProbe, Start},
    scan::Scan,
};

/// See [`crate::message::ProtocolDecoder::resync`].
pub(super) fn resync(
    side: Option<Side>,
    bytes: &[u8],
    end: bool,
    scan: &mut Scan,
) -> Result<usize, usize> {
    let start = |bytes: &[u8]| {
        if side == Some(Side::Server) || !bytes.starts_with(MAGIC) {
            return Start::After(0);
        }
        match bytes.get(MAGIC.len()) {
            Some(&VERSION) => Start::Certain,
            Some(_) => Start::Never,
            None => Start::TooShort(MAGIC.len() + 1),
        }
    };
    // Most zeros and small numbers are not lengths, and most possible lengths are not followed by a field.
    #[expect(
        clippy::needless_bitwise_bool,
        reason = "without branches, the compiler makes vectors of it"
    )]
    let seems_to = |&[first, second, third, fourth, header, tag, value]: &[u8; FRONT_LEN]| {
        let is_length =
            (first <= LONGEST_FIRST) & ((first | second | third != 0) | (fourth >= SHORTEST_LAST));
        // Headers of 128 bytes and more have a length of several bytes.
        let is_short = (SHORTEST_HEADER..0x80).contains(&header) & may_be_tag(tag);
        let is_long = (header >= 0x80) & (tag < 0x80) & may_be_tag(value);
        let is_longer = (header >= 0x80) & (tag >= 0x80) & (value <= LONGEST_THIRD);
        let is_header = is_short | is_long | is_longer;
        is_length & is_header | (first == MAGIC[0]) & (second == MAGIC[1])
    };
    resync::find_boundary(bytes, end, scan, LENGTH_LEN, seems_to, start, |seen, rest| {
        // Old clients ping between frames.
        if seen > 0 && side != Some(Side::Server) && rest.starts_with(&PING) {
            return FrameProbe::Frame(PING.len());
        }
        front(side, rest)
    })
}

/// Whether the first field of a header may begin with this byte: a number below 16, then a number or a text, as
/// all fields of headers are.
#[expect(
    clippy::needless_bitwise_bool,
    reason = "without branches, the compiler makes vectors of it"
)]
fn may_be_tag(first: u8) -> bool {
    (8..0x80).contains(&first) & (first & 0b101 == 0)
}

/// Whether a header may begin with these bytes, however few, of a frame of that length.
fn may_begin_header(frame_len: u32, body: &[u8]) -> bool {
    let (header_len, field) = match *body {
        [len @ ..0x80, ref field @ ..] => (len.into(), field),
        [low, high @ ..0x80, ref field @ ..] => {
            (u32::from(low & 0x7f) | u32::from(high) << 7, field)
        }
        [_, _, third, ..] => return third <= LONGEST_THIRD,
        _ => return true,
    };
    let field_len = match *field {
        [tag, len @ ..0x80, ..] if tag & 7 == 2 => u32::from(len) + 2,
        _ => 2,
    };
    (field_len.max(SHORTEST_HEADER.into())..frame_len).contains(&header_len)
        && field.first().is_none_or(|tag| may_be_tag(*tag))
}

fn front(side: Option<Side>, bytes: &[u8]) -> FrameProbe {
    examined(LENGTH_LEN);
    let Some(length) = bytes.first_chunk() else { return FrameProbe::TooShort(LENGTH_LEN) };
    let len = u32::from_be_bytes(*length);
    if !(SHORTEST..=LONGEST).contains(&len) {
        return FrameProbe::NoFrame;
    }
    let body = &bytes[LENGTH_LEN..];
    if !may_begin_header(len, body) {
        return FrameProbe::NoFrame;
    }
    let len = len as usize;
    let body = body.get(..len).unwrap_or(body);
    let whole = body.len() == len;
    let plausible = match side {
        Some(Side::Client) => is_request(body),
        Some(Side::Server) => is_response(body),
        None => is_of_either(body),
    };
    match plausible {
        Some(true) if whole => FrameProbe::Frame(LENGTH_LEN + len),
        // A header cannot be longer than its frame.
        None if whole => FrameProbe::NoFrame,
        Some(false) => FrameProbe::NoFrame,
        Some(true) => FrameProbe::TooShort(LENGTH_LEN + len),
        None => FrameProbe::TooShort(LENGTH_LEN + header_end(body).min(len)),
    }
}

/// Number of bytes of a frame's body that are needed to validate its header.
pub(super) fn header_end(body: &[u8]) -> usize {
    let mut cursor = Cursor::new(body);
    match cursor.len_varint(MESSAGE_LIMIT, "header length") {
        Ok(len) => cursor.offset() + len,
        Err(_) => body.len() + 1,
    }
}

/// Who wrote a frame, by its header alone.
pub(super) fn writer_of(body: &[u8]) -> Side {
    if is_response(body) == Some(true) { Side::Server } else { Side::Client }
}

fn is_request(body: &[u8]) -> Option<bool> {
    let mut request = RequestFields::default();
    let read = header_fields(body, |number, raw| request.take(number, raw))?;
    Some(read && request.are_whole())
}

fn is_response(body: &[u8]) -> Option<bool> {
    let mut response = ResponseFields::default();
    let read = header_fields(body, |number, raw| response.take(number, raw))?;
    Some(read && response.are_whole())
}

/// Whether a header is that of a request or of a response; its fields are read once.
fn is_of_either(body: &[u8]) -> Option<bool> {
    let (mut request, mut response) = (RequestFields::default(), ResponseFields::default());
    let read = header_fields(body, |number, raw| {
        request.take(number, raw);
        response.take(number, raw);
    })?;
    Some(read && (request.are_whole() || response.are_whole()))
}

/// Fields by which the header of a request is told, and whether each has a valid value.
#[derive(Default)]
struct RequestFields {
    kind: bool,
    call_id: bool,
    client_id: bool,
}

impl RequestFields {
    fn take(&mut self, number: u32, raw: Raw<'_>) {
        match number {
            request::RPC_KIND => self.kind = raw.varint().is_some_and(|kind| kind <= 2),
            request::CALL_ID => self.call_id = raw.varint().is_some(),
            request::CLIENT_ID => self.client_id = raw.bytes().is_some(),
            _ => {}
        }
    }

    fn are_whole(&self) -> bool {
        self.kind && self.call_id && self.client_id
    }
}

/// Fields by which the header of a response is told, and whether each has a valid value.
#[derive(Default)]
struct ResponseFields {
    call_id: bool,
    status: bool,
    is_other_client_id: bool,
}

impl ResponseFields {
    fn take(&mut self, number: u32, raw: Raw<'_>) {
        match (number, raw) {
            (response::CALL_ID, _) => self.call_id = raw.varint().is_some(),
            (response::STATUS, _) => self.status = raw.varint().is_some_and(|status| status <= 2),
            // In a request, field 4 is a client id and 5 a number; 7 is a message.
            (5, Raw::Varint(_)) => self.status = false,
            (response::CLIENT_ID, raw) => {
                self.is_other_client_id = raw.bytes().is_none_or(|id| id.len() > 16);
            }
            _ => {}
        }
    }

    fn are_whole(&self) -> bool {
        self.call_id && self.status && !self.is_other_client_id
    }
}

/// Hands over the fields of the header that `bytes` begin with; says whether it is one, or `None` if
/// it is not whole.
fn header_fields<'a>(bytes: &'a [u8], mut take: impl FnMut(u32, Raw<'a>)) -> Option<bool> {
    let mut cursor = Cursor::new(bytes);
    let len = match cursor.len_varint(HEADER_LIMIT, "header length") {
        Ok(len) => len,
        Err(DecodeError { problem: DecodeErrorKind::UnexpectedEof { .. }, .. }) => return None,
        Err(_) => return Some(false),
    };
    let mut header = cursor.sub(len, "header").ok()?;
    for _ in 0..FIELD_LIMIT {
        if header.is_empty() {
            return Some(len > 0);
        }
        let Ok((number, raw, _)) = proto::field(&mut header) else { return Some(false) };
        examined(2);
        take(number, raw);
    }
    Some(false)
}

/// What lengths of frames may be: the shortest header, of a call id and a status or a client id, takes five bytes.
const SHORTEST: u32 = 5;
#[expect(clippy::cast_possible_truncation, reason = "an int holds the limit")]
const LONGEST: u32 = MESSAGE_LIMIT as u32;
/// The last byte of the shortest length, and the first of the longest.
const SHORTEST_LAST: u8 = SHORTEST.to_be_bytes()[3];
const LONGEST_FIRST: u8 = LONGEST.to_be_bytes()[0];
/// The shortest header, without its own length.
const SHORTEST_HEADER: u8 = SHORTEST_LAST - 1;
/// The third byte of the length of the longest header that is considered.
const LONGEST_THIRD: u8 = (HEADER_LIMIT >> 14).to_le_bytes()[0];
/// Bytes by which most of what begins no frame is told: the length, that of the header, and two of its first field.
const FRONT_LEN: usize = LENGTH_LEN + 3;
/// Largest frame header that is considered when searching for frames (chosen by jvmwire): headers with caller
/// context and tokens are below it.
const HEADER_LIMIT: usize = 64 << 10;
/// Largest number of fields of a header when searching for frames (chosen by jvmwire): headers have ten. What
/// looks like one at every byte must not be read to its end at every byte.
const FIELD_LIMIT: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;

    /// Header and context are left out: what a stream is like when it is seen midway.
    fn calls(count: u8) -> Vec<u8> {
        let mut out = Vec::new();
        for id in 0..count {
            let mut body = vec![26, 8, 2, 16, 0, 24, id << 1, 0x22, 16];
            body.extend_from_slice(&[7; 16]);
            body.extend_from_slice(b"\x28\0\0\0");
            crate::frame::encode(&body, &mut out).unwrap();
        }
        out
    }

    #[test]
    fn chain_of_frames_is_found_behind_anything() {
        let (junk, calls) = (b"no frame begins here", calls(4));
        let bytes = [&junk[..], &calls].concat();
        for side in [None, Some(Side::Client)] {
            assert_eq!(resync(side, &bytes, false, &mut Scan::default()), Ok(junk.len()));
        }
        // Requests are no responses.
        assert_eq!(
            resync(Some(Side::Server), &bytes, true, &mut Scan::default()),
            Err(bytes.len())
        );
    }

    #[test]
    fn three_frames_are_believed_and_two_only_at_the_end() {
        let (two, three) = (calls(2), calls(3));
        assert_eq!(resync(Some(Side::Client), &three, false, &mut Scan::default()), Ok(0));
        assert_eq!(resync(Some(Side::Client), &two, false, &mut Scan::default()), Err(0));
        assert_eq!(resync(Some(Side::Client), &two, true, &mut Scan::default()), Ok(0));
    }

    #[test]
    fn old_ping_is_a_link_of_a_chain() {
        let calls = calls(1);
        let bytes = [&calls[..], &PING, &calls].concat();
        assert_eq!(resync(Some(Side::Client), &bytes, false, &mut Scan::default()), Ok(0));
        assert_eq!(
            resync(Some(Side::Client), &PING.repeat(4), true, &mut Scan::default()),
            Err(16)
        );
    }

    #[test]
    fn connection_header_needs_no_chain() {
        assert_eq!(resync(Some(Side::Client), b"..hrpc\x09", false, &mut Scan::default()), Ok(2));
        assert_eq!(resync(None, b"hrpc\x09", false, &mut Scan::default()), Ok(0));
        assert_eq!(resync(Some(Side::Client), b"hrpc", false, &mut Scan::default()), Err(0));
        assert_eq!(resync(Some(Side::Client), b"hrpc\x08\0\0", true, &mut Scan::default()), Err(7));
    }

    #[test]
    fn resync_among_many_decoy_headers_has_bounded_cost() {
        let decoys = b"\x0a\x06\x03\x08\x08\x08\xff\x7f".repeat(1 << 17);
        // With one look at all that may be a header each, this takes minutes in a test build.
        assert_eq!(resync(None, &decoys, true, &mut Scan::default()), Err(decoys.len()));
    }

    #[test]
    fn side_of_a_frame_is_detected_by_its_header() {
        assert_eq!(writer_of(&calls(1)[LENGTH_LEN..]), Side::Client);
        assert_eq!(writer_of(&[6, 8, 0, 16, 0, 24, 9, 0]), Side::Server);
        assert_eq!(writer_of(b""), Side::Client);
    }
}
