//! `RpcSaslProto` in dedicated frames: the negotiation and then, if a security layer was negotiated, wrapped
//! pieces of the stream of frames.

use super::{
    SASL_ID, VERSION,
    requests::{FINAL_PACKET, NO_RETRY, PROTOBUF},
    tables::{self, request, response, sasl},
};
use crate::{
    Cursor, DecodeErrorKind, Result, TooLong, frame,
    message::Side,
    proto::{self, Writer},
    varint,
};

/// SASL message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sasl<'a> {
    /// State of the negotiation.
    pub state: SaslState,
    /// Token of the mechanism; in a wrap, the wrapped bytes.
    pub token: Option<&'a [u8]>,
    /// In the server's negotiation, the offered methods; in the client's initiation, the selected one.
    pub auths: Vec<SaslAuth<'a>>,
}

/// `RpcSaslProto.SaslState`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SaslState {
    /// The server accepts the client, which ends the negotiation.
    Success,
    /// The client requests the server's offer, and the server sends it.
    Negotiate,
    /// The client's selection, and the initial token of its mechanism.
    Initiate,
    /// Challenge of the server, for the mechanism.
    Challenge,
    /// Response of the client's mechanism.
    Response,
    /// Piece of the stream of frames, wrapped by the negotiated security layer.
    Wrap,
}

/// Authentication method: `RpcSaslProto.SaslAuth`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SaslAuth<'a> {
    /// `TOKEN`, `KERBEROS`, `SIMPLE`: `SaslRpcServer.AuthMethod`.
    pub method: &'a str,
    /// `DIGEST-MD5`, `GSSAPI`.
    pub mechanism: &'a str,
    /// Service part of its Kerberos principal. Servers accept only exactly what they offered: a field that is
    /// present and empty differs from a missing one.
    pub protocol: Option<&'a str>,
    /// Host part of the principal, or a realm.
    pub server_id: Option<&'a str>,
    /// First challenge of the mechanism, which saves a round trip.
    pub challenge: Option<&'a [u8]>,
}

impl SaslState {
    const ALL: [(Self, &'static str); 6] = [
        (Self::Success, "SUCCESS"),
        (Self::Negotiate, "NEGOTIATE"),
        (Self::Initiate, "INITIATE"),
        (Self::Challenge, "CHALLENGE"),
        (Self::Response, "RESPONSE"),
        (Self::Wrap, "WRAP"),
    ];

    /// Name in `RpcHeader.proto`.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL[self as usize].1
    }

    /// Returns the state with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|(_, known)| *known == name).map(|(state, _)| *state)
    }

    pub(super) fn from_wire(wire: u64) -> Option<Self> {
        let at = usize::try_from(wire).ok()?;
        Self::ALL.get(at).map(|(state, _)| *state)
    }
}

impl<'a> Sasl<'a> {
    /// Creates a message of a state and an optional token.
    #[must_use]
    pub fn new(state: SaslState, token: Option<&'a [u8]>) -> Self {
        Self { state, token, auths: Vec::new() }
    }

    /// Decodes an `RpcSaslProto`.
    ///
    /// # Errors
    /// The bytes are malformed, or the state is not defined.
    pub fn decode(body: Cursor<'a>) -> Result<Self> {
        let offset = body.offset();
        let mut state = None;
        let mut found = Self::new(SaslState::Success, None);
        proto::message(&tables::SASL, body, &mut (), |number, raw| match number {
            sasl::STATE => state = raw.varint().or(state),
            sasl::TOKEN => found.token = raw.bytes().or(found.token),
            // `message` has reported invalid fields.
            sasl::AUTHS => found.auths.extend(raw.bytes().map(SaslAuth::decode)),
            _ => {}
        })?;
        let wire = state
            .ok_or_else(|| DecodeErrorKind::UnexpectedEof { missing: 1 }.at("state", offset))?;
        found.state = SaslState::from_wire(wire).ok_or_else(|| {
            let value = wire.cast_signed();
            DecodeErrorKind::Unexpected { value, expected: "a state of SASL" }.at("state", offset)
        })?;
        Ok(found)
    }

    /// Appends the message in a frame, as `side` writes it.
    ///
    /// # Errors
    /// [`TooLong`] if it does not fit into a frame; nothing is appended.
    pub fn encode(&self, side: Side, out: &mut Vec<u8>) -> std::result::Result<(), TooLong> {
        let mut body = Vec::new();
        Writer::delimited(&mut body, |header| {
            match side {
                Side::Client => request_header(header),
                Side::Server => self.response_header(header),
            }
            Ok(())
        })?;
        Writer::delimited(&mut body, |message| {
            message.varint(sasl::STATE, self.state as u64);
            if let Some(token) = self.token {
                message.bytes(sasl::TOKEN, token);
            }
            self.auths.iter().try_for_each(|auth| auth.write(message))
        })?;
        frame::encode(&body, out)
    }

    /// Writes the response header as `Server.wrapWithSasl` does: only the required fields.
    fn response_header(&self, header: &mut Writer<'_>) {
        header.varint(response::CALL_ID, u64::from(SASL_ID_ON_THE_WIRE));
        header.varint(response::STATUS, 0);
        if self.state != SaslState::Wrap {
            header.varint(response::VERSION, VERSION.into());
            header.bytes(response::CLIENT_ID, b"");
            header.varint(response::RETRY_COUNT, varint::zigzag(NO_RETRY.into()));
        }
    }
}

fn request_header(header: &mut Writer<'_>) {
    header.varint(request::RPC_KIND, PROTOBUF);
    header.varint(request::RPC_OP, FINAL_PACKET);
    header.varint(request::CALL_ID, varint::zigzag(SASL_ID));
    header.bytes(request::CLIENT_ID, b"");
    header.varint(request::RETRY_COUNT, varint::zigzag(NO_RETRY.into()));
}

impl<'a> SaslAuth<'a> {
    fn decode(message: &'a [u8]) -> Self {
        let mut auth = Self::default();
        let mut message = Cursor::new(message);
        while let Ok((number, raw, _)) = proto::field(&mut message) {
            match number {
                sasl::METHOD => auth.method = raw.text().unwrap_or(auth.method),
                sasl::MECHANISM => auth.mechanism = raw.text().unwrap_or(auth.mechanism),
                sasl::PROTOCOL => auth.protocol = raw.text().or(auth.protocol),
                sasl::SERVER_ID => auth.server_id = raw.text().or(auth.server_id),
                sasl::CHALLENGE => auth.challenge = raw.bytes().or(auth.challenge),
                _ => {}
            }
        }
        auth
    }

    fn write(&self, message: &mut Writer<'_>) -> std::result::Result<(), TooLong> {
        message.message(sasl::AUTHS, |auth| {
            auth.bytes(sasl::METHOD, self.method.as_bytes());
            auth.bytes(sasl::MECHANISM, self.mechanism.as_bytes());
            if let Some(protocol) = self.protocol {
                auth.bytes(sasl::PROTOCOL, protocol.as_bytes());
            }
            if let Some(server_id) = self.server_id {
                auth.bytes(sasl::SERVER_ID, server_id.as_bytes());
            }
            if let Some(challenge) = self.challenge {
                auth.bytes(sasl::CHALLENGE, challenge);
            }
            Ok(())
        })
    }
}

/// SASL call id as a uint32, as responses contain it.
const SASL_ID_ON_THE_WIRE: u32 = 0xffff_ffdf;

#[cfg(test)]
mod tests {
    use super::*;

    fn negotiation() -> Sasl<'static> {
        let auths = vec![
            SaslAuth {
                method: "TOKEN",
                mechanism: "DIGEST-MD5",
                protocol: Some(""),
                server_id: Some("default"),
                challenge: Some(b"realm"),
            },
            SaslAuth { method: "KERBEROS", mechanism: "GSSAPI", ..SaslAuth::default() },
        ];
        Sasl { auths, ..Sasl::new(SaslState::Negotiate, None) }
    }

    #[test]
    fn message_is_decoded_as_it_was_encoded() {
        for (side, header) in [(Side::Client, 4 + 11), (Side::Server, 4 + 15)] {
            let mut out = Vec::new();
            negotiation().encode(side, &mut out).unwrap();
            // Shorter than 128 bytes: its length is one of them.
            let body = Cursor::new(&out[header + 1..]);
            assert_eq!(Sasl::decode(body), Ok(negotiation()));
        }
    }

    #[test]
    fn server_wrap_omits_optional_fields() {
        let mut out = Vec::new();
        Sasl::new(SaslState::Wrap, Some(b"x")).encode(Side::Server, &mut out).unwrap();
        let frame = b"\0\0\0\x0f\x08\x08\xdf\xff\xff\xff\x0f\x10\0\x05\x10\x05\x1a\x01x";
        assert_eq!(out, frame);
    }

    #[test]
    fn states_go_by_their_names() {
        for (at, (state, name)) in SaslState::ALL.into_iter().enumerate() {
            assert_eq!((state as usize, state.name()), (at, name));
            assert_eq!(SaslState::named(name), Some(state));
        }
        assert_eq!(SaslState::named("wrap"), None);
    }

    #[test]
    fn state_that_does_not_exist_is_refused() {
        for (body, value) in [(&b"\x10\x06"[..], Some(6)), (b"\x1a\0", None)] {
            let error = Sasl::decode(Cursor::new(body)).unwrap_err();
            assert_eq!(error.what, "state");
            let expected = value.map_or(DecodeErrorKind::UnexpectedEof { missing: 1 }, |value| {
                DecodeErrorKind::Unexpected { value, expected: "a state of SASL" }
            });
            assert_eq!(error.problem, expected);
        }
    }
}
