//! Decoder of both directions of a captured Hazelcast connection.

use std::{borrow::Cow, ops::Range};

use serde::{Deserialize, Serialize};

use super::{
    EVENT, HEADER_LEN, Header, MESSAGE_LIMIT, PREAMBLE,
    fields::show_message,
    frames::{FRAMING, fragment_limits},
    resync,
    secrets::secrets_of,
    tables::{Field, Kind, MessageType, Role, message_type},
};
use crate::{
    Cursor, DecodeError, DecodeErrorKind,
    cost::examined,
    fragment::{FragmentKind, Reassembler},
    frame::LENGTH_LEN,
    message::{
        CallEvent, Decoded, Kind as MessageKind, Message, Outcome, ProtocolDecoder, Reply, Request,
        Side, Status,
    },
    pending_calls::PendingCalls,
    scan::Scan,
    visit::{Shape, Value, Visitor},
};

/// Decoder of one connection, both directions.
#[derive(Debug, Deserialize, Serialize)]
pub struct Connection {
    /// Whether bytes of the client were decoded.
    begun: bool,
    user: Option<String>,
    fragments: [Reassembler; 2],
    /// Pending calls by correlation id, which is unique on a connection.
    calls: PendingCalls<i64>,
}

impl Default for Connection {
    fn default() -> Self {
        Self::new()
    }
}

impl Connection {
    /// Creates the decoder of a new connection.
    #[must_use]
    pub fn new() -> Self {
        let assembler = || Reassembler::new(fragment_limits(MESSAGE_LIMIT));
        Self {
            begun: false,
            user: None,
            fragments: [assembler(), assembler()],
            calls: PendingCalls::default(),
        }
    }

    /// Whether `bytes`, the first of a client, begin a connection of this protocol; `None` if there are too
    /// few.
    #[must_use]
    pub fn probe(bytes: &[u8]) -> Option<bool> {
        let len = bytes.len().min(PREAMBLE.len());
        if bytes[..len] != PREAMBLE[..len] {
            return Some(false);
        }
        (len == PREAMBLE.len()).then_some(true)
    }

    fn preamble<'a, V: Visitor>(bytes: &[u8], visitor: &mut V) -> Decoded<'a> {
        visitor.field("protocol", 0..PREAMBLE.len(), Value::Name("CB2"));
        debug_assert!(bytes.starts_with(PREAMBLE));
        let message = Message::new(Side::Client, "Preamble", MessageKind::Control);
        Decoded::Message(message, PREAMBLE.len())
    }

    /// Returns the content and the length of a message whose fragments follow each other without another frame
    /// between them, up to its end; `None` in other cases.
    ///
    /// The header of each fragment is validated once, when the fragment is complete; the fragments are joined
    /// when the last one is complete.
    fn contiguous_fragments(
        header: &Header,
        bytes: &[u8],
        scan: &mut Scan,
    ) -> Option<Result<(Vec<u8>, usize), ()>> {
        let (mut at, mut size) = scan.known().map_or((0, 0), |places| places.fragments);
        loop {
            examined(HEADER_LEN);
            let Ok(next) = FRAMING.header(&bytes[at..], MESSAGE_LIMIT) else { return None };
            let len = next.map_or(LENGTH_LEN, |frame| frame.len + frame.payload_len);
            if next.is_none() || bytes.len() - at < len {
                scan.places().fragments = (at, size);
                scan.wait_for(at + len);
                return Some(Err(()));
            }
            let body = &bytes[at + LENGTH_LEN..at + len];
            let Ok(here) = Header::decode(body) else { return None };
            let part = here.fragment_kind();
            let goes_on = here.correlation_id == header.correlation_id
                && (at == 0) == (part == FragmentKind::Begin)
                && part != FragmentKind::Whole;
            if !goes_on || size + body.len() > MESSAGE_LIMIT {
                return None;
            }
            size += len - here.data_offset;
            at += len;
            if part == FragmentKind::End {
                return Some(Ok((Self::joined(&bytes[..at], size), at)));
            }
        }
    }

    /// Returns the fields of complete fragments of `size` bytes in total.
    fn joined(mut fragments: &[u8], size: usize) -> Vec<u8> {
        let mut fields = Vec::with_capacity(size);
        while let Ok(Some(frame)) = FRAMING.front(fragments, MESSAGE_LIMIT) {
            let (fragment, rest) = fragments.split_at(frame.len + frame.payload_len);
            if let Ok(header) = Header::decode(&fragment[LENGTH_LEN..]) {
                fields.extend_from_slice(&fragment[header.data_offset..]);
            }
            fragments = rest;
        }
        examined(fields.len());
        fields
    }

    fn frame<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        examined(HEADER_LEN);
        let len = match FRAMING.header(bytes, MESSAGE_LIMIT) {
            Ok(Some(header)) => header.len + header.payload_len,
            Ok(None) => {
                scan.wait_for(LENGTH_LEN);
                return Decoded::Incomplete;
            }
            Err(error) => return Decoded::Malformed(error),
        };
        if len < HEADER_LEN {
            let (value, expected) = (i64::try_from(len).unwrap_or(i64::MAX), "22 bytes or more");
            return Decoded::Malformed(
                DecodeErrorKind::Unexpected { value, expected }.at("frame length", 0),
            );
        }
        let Some(body) = bytes.get(LENGTH_LEN..len) else {
            // The type is validated as soon as it has arrived: an invalid frame need not be complete.
            let kind = bytes
                .get(TYPE_END - 2..TYPE_END)
                .map(|kind| u16::from_le_bytes([kind[0], kind[1]]));
            if let Some(kind) = kind.filter(|kind| message_type(*kind).is_none()) {
                return Decoded::Malformed(unknown(kind));
            }
            scan.wait_for(if kind.is_some() { len } else { TYPE_END });
            return Decoded::Incomplete;
        };
        let header = match Header::decode(body) {
            Ok(header) => header,
            Err(error) => return Decoded::Malformed(error),
        };
        let side = side.unwrap_or_else(|| resync::writer_of(header.kind));
        let Some(kind) = message_type(header.kind) else {
            return Decoded::Malformed(unknown(header.kind));
        };
        if (side == Side::Client) != matches!(kind.role, Role::Request { .. }) {
            let expected = "a type of message that this side writes";
            return Decoded::Malformed(
                DecodeErrorKind::Unexpected { value: header.kind.into(), expected }
                    .at("message type", 6),
            );
        }
        let data = &body[header.data_offset - LENGTH_LEN..];
        if header.fragment_kind() == FragmentKind::Whole {
            show_header(&header, len, visitor);
            let message = self.message(side, &header, kind, &Fields::InFrame(data), visitor);
            return Decoded::Message(message, len);
        }
        if header.fragment_kind() == FragmentKind::Begin {
            match Self::contiguous_fragments(&header, bytes, scan) {
                Some(Ok((fields, len))) => {
                    show_header(&header, len, visitor);
                    let message =
                        self.message(side, &header, kind, &Fields::Reassembled(fields), visitor);
                    return Decoded::Message(message, len);
                }
                Some(Err(())) if !end => return Decoded::Incomplete,
                _ => {}
            }
        }
        show_header(&header, len, visitor);
        let pushed =
            self.fragments[side as usize].take(header.correlation_id, header.fragment_kind(), data);
        let joined = match pushed {
            Ok(joined) => joined,
            Err(error) => {
                show_fragment(kind, header.data_offset..len, data, visitor);
                let mut message = fragment(side, &header);
                // There it counts what came in all fragments.
                message.error = Some(DecodeError { offset: header.data_offset, ..error });
                return Decoded::Message(message, len);
            }
        };
        let message = if let Some(fields) = joined {
            self.message(side, &header, kind, &Fields::Reassembled(fields), visitor)
        } else {
            visitor.field("of", 6..8, Value::Name(kind.name));
            show_fragment(kind, header.data_offset..len, data, visitor);
            fragment(side, &header)
        };
        Decoded::Message(message, len)
    }

    fn message<'a, V: Visitor>(
        &mut self,
        side: Side,
        header: &Header,
        kind: &'static MessageType,
        fields: &Fields<'a>,
        visitor: &mut V,
    ) -> Message<'a> {
        let (bytes, error) = match fields {
            Fields::InFrame(bytes) => {
                let mut cursor = Cursor::at(bytes, header.data_offset);
                (*bytes, show_message(kind, &mut cursor, visitor).err())
            }
            Fields::Reassembled(bytes) => {
                if !secrets_of(kind).is_empty() {
                    // No field states the secret's position in the fragments.
                    visitor.hide_rest();
                }
                let mut joined = WithoutOffsets(visitor);
                let error = show_message(kind, &mut Cursor::new(bytes), &mut joined).err();
                (&bytes[..], error)
            }
        };
        let id = header.correlation_id;
        let (message_kind, call) = match kind.role {
            Role::Request { .. } => {
                if let Some(user) = text_field(kind, bytes, "username") {
                    self.user = Some(user.to_owned());
                }
                let (interface, method) = kind.name.split_once('.').unwrap_or(("", kind.name));
                let request = Request {
                    token: self.open(id),
                    interface: Cow::Borrowed(interface),
                    method: Cow::Borrowed(method),
                    target: text_field(kind, bytes, "name").map(|name| Cow::Owned(name.to_owned())),
                    retry: None,
                    caller_context: None,
                };
                (MessageKind::Request, CallEvent::Request(request))
            }
            Role::Response if header.flags & EVENT == 0 => {
                let refused = kind.id == EXCEPTION;
                let class = text_field(kind, bytes, "class_name").filter(|_| refused);
                let outcome = Outcome {
                    status: if refused { Status::Error } else { Status::Ok },
                    error_class: class.map(|class| Cow::Owned(class.to_owned())),
                };
                let token = match self.calls.close(&id) {
                    Some((token, ())) => token,
                    None => self.calls.answer_early(id),
                };
                let reply = Reply { token: Some(token), outcome };
                (MessageKind::Reply, CallEvent::Reply(reply))
            }
            Role::Response | Role::Event => (MessageKind::Event, CallEvent::None),
        };
        Message { id: Some(id), call, error, ..Message::new(side, kind.name, message_kind) }
    }

    fn open(&mut self, id: i64) -> u64 {
        if let Some(token) = self.calls.take_early(&id) {
            return token;
        }
        // The former call of that number will not be answered.
        self.calls.close(&id);
        self.calls.open(id, ())
    }
}

/// Shows the bytes of a fragment; if the message has secrets, any fragment may contain one.
fn show_fragment<V: Visitor>(kind: &MessageType, at: Range<usize>, data: &[u8], visitor: &mut V) {
    if secrets_of(kind).is_empty() {
        visitor.field("fragment", at, Value::Bytes(data));
    } else {
        visitor.secret("fragment", at, Value::Bytes(data));
    }
}

enum Fields<'a> {
    InFrame(&'a [u8]),
    Reassembled(Vec<u8>),
}

/// Visitor of reassembled messages: their bytes have no offsets in the input, so every range is empty.
struct WithoutOffsets<'v, V>(&'v mut V);

impl<V: Visitor> Visitor for WithoutOffsets<'_, V> {
    const ENABLED: bool = V::ENABLED;

    fn field(&mut self, name: &str, _: Range<usize>, value: Value<'_>) {
        self.0.field(name, 0..0, value);
    }

    fn secret(&mut self, name: &str, _: Range<usize>, value: Value<'_>) {
        self.0.secret(name, 0..0, value);
    }

    fn hide_rest(&mut self) {
        self.0.hide_rest();
    }

    fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}

    fn enter(&mut self, name: &str, shape: Shape) {
        self.0.enter(name, shape);
    }

    fn leave(&mut self) {
        self.0.leave();
    }
}

impl ProtocolDecoder for Connection {
    fn decode<'a, V: Visitor>(
        &mut self,
        side: Option<Side>,
        bytes: &'a [u8],
        end: bool,
        scan: &mut Scan,
        visitor: &mut V,
    ) -> Decoded<'a> {
        if scan.is_short(bytes) && !end {
            return Decoded::Incomplete;
        }
        if side != Some(Side::Server) {
            // As a length the preamble would be three megabytes or more: before bytes that are decoded
            // separately it counts as the preamble.
            if (side.is_none() || !self.begun) && Self::probe(bytes) != Some(false) {
                if bytes.len() < PREAMBLE.len() {
                    return Decoded::Incomplete;
                }
                self.begun = true;
                return Self::preamble(bytes, visitor);
            }
            self.begun |= side.is_some();
        }
        self.frame(side, bytes, end, scan, visitor)
    }

    fn resync(
        &self,
        side: Option<Side>,
        bytes: &[u8],
        end: bool,
        scan: &mut Scan,
    ) -> Result<usize, usize> {
        resync::resync(side, bytes, end, scan)
    }

    fn awaits_peer(&self, side: Side, bytes: &[u8], _: &mut Scan) -> bool {
        if side == Side::Client {
            return false;
        }
        let Some(head) = bytes.get(LENGTH_LEN..HEADER_LEN) else { return false };
        let kind = u16::from_le_bytes([head[2], head[3]]);
        let is_reply =
            message_type(kind).is_some_and(|message| matches!(message.role, Role::Response));
        let mut id = [0; 8];
        id.copy_from_slice(&head[4..12]);
        is_reply && head[1] & EVENT == 0 && !self.calls.is_open(&i64::from_le_bytes(id))
    }

    fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    fn held(&self) -> usize {
        let fragments = self.fragments.iter().map(Reassembler::held).sum::<usize>();
        self.user.as_ref().map_or(0, String::len) + fragments + self.calls.held()
    }

    fn validate(&self) -> Option<u64> {
        let limits = fragment_limits(MESSAGE_LIMIT);
        let are_sound = self.fragments.iter().all(|fragments| fragments.is_sound(limits));
        self.calls.validate().filter(|_| are_sound)
    }
}

fn unknown(kind: u16) -> DecodeError {
    let expected = "the type of a message of protocol 1.0 to 1.8";
    DecodeErrorKind::Unexpected { value: kind.into(), expected }.at("message type", 6)
}

fn fragment<'a>(side: Side, header: &Header) -> Message<'a> {
    let id = Some(header.correlation_id);
    Message { id, ..Message::new(side, "Fragment", MessageKind::Control) }
}

fn show_header<V: Visitor>(header: &Header, len: usize, visitor: &mut V) {
    visitor.layout("frame length", 0..4, Value::UInt(len as u64));
    visitor.enter("header", Shape::Object);
    visitor.field("version", 4..5, Value::UInt(header.version.into()));
    visitor.field("flags", 5..6, Value::UInt(header.flags.into()));
    visitor.layout("message type", 6..8, Value::UInt(header.kind.into()));
    visitor.layout("correlation id", 8..16, Value::Int(header.correlation_id));
    visitor.field("partition_id", 16..20, Value::Int(header.partition_id.into()));
    visitor.layout("data offset", 20..22, Value::UInt(header.data_offset as u64));
    visitor.leave();
    if header.data_offset > HEADER_LEN {
        visitor.layout("header extension", HEADER_LEN..header.data_offset, Value::Null);
    }
}

/// Returns a text field among the first fields, if all fields before it are of a kind that can be skipped
/// quickly.
fn text_field<'a>(kind: &'static MessageType, bytes: &'a [u8], wanted: &str) -> Option<&'a str> {
    let mut cursor = Cursor::new(bytes);
    for Field { name, kind, .. } in kind.fields {
        match kind {
            Kind::Int => drop(cursor.i32_le(name)),
            Kind::Text => {
                let len = usize::try_from(cursor.i32_le(name).ok()?).ok()?;
                let text = cursor.take(len, name).ok()?;
                if *name == wanted {
                    return std::str::from_utf8(text).ok();
                }
            }
            _ => return None,
        }
    }
    None
}

/// Offset of the end of a frame's message type.
const TYPE_END: usize = 8;
/// Type of `Response.Exception`.
const EXCEPTION: u16 = 109;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fragment_error_names_its_offset_in_the_frame() {
        // A piece of `Map.put`, number 5, which nothing has begun.
        let middle =
            [26, 0, 0, 0, 1, 0, 1, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 22, 0, 1, 2, 3, 4];
        let mut connection = Connection::new();
        connection.fragments[0].push(6, FragmentKind::Begin, &[7; 1000]).expect("it begins");
        let step =
            connection.decode(Some(Side::Client), &middle, false, &mut Scan::default(), &mut ());
        let Decoded::Message(message, 26) = step else { panic!("{step:?}") };
        assert_eq!(message.error.map(|error| (error.what, error.offset)), Some(("fragment", 22)));
    }

    #[test]
    fn call_of_the_same_number_takes_the_place_of_the_former() {
        let mut connection = Connection::new();
        assert_eq!([5, 6, 5].map(|id| connection.open(id)), [0, 1, 2]);
        assert_eq!(
            [5, 5, 6].map(|id| connection.calls.close(&id)),
            [Some((2, ())), None, Some((1, ()))]
        );
    }

    #[test]
    fn validate_rejects_other_limits_of_fragments() {
        let mut connection = Connection::new();
        connection.open(5);
        connection.fragments[0].push(5, FragmentKind::Begin, b"begun").expect("it begins");
        assert_eq!(connection.validate(), Some(1));
        connection.fragments[0] = Reassembler::new(fragment_limits(usize::MAX));
        assert_eq!(connection.validate(), None);
    }
}
