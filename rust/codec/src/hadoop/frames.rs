//! Frames: their headers, and the messages after a header.

use std::borrow::Cow;

use super::{
    CONNECTION_CONTEXT_ID, Connection, Dialect, Method, PING_ID, ResolvedMethod, SASL_ID, control,
    open_call::{Engine, OpenCall},
    path_argument,
    sasl::{Sasl, SaslState},
    sasl_wrap::SaslContext,
    secrets::kind_of_unknown,
    service,
    tables::{self, call, context, request, response, sasl},
    writable::{self, Invocation},
};
use crate::{
    Cursor, DecodeError, DecodeErrorKind, Result,
    frame::LENGTH_LEN,
    message::{CallEvent, Kind, Message, NestedRange, Outcome, Reply, Request, Side, Status},
    proto::{self, MessageType, Raw},
    visit::{Shape, Value, Visitor},
};

impl Connection {
    /// Decodes a frame of the client, including its length.
    ///
    /// An error concerns the header: the rest of the frame is unknown. Errors after the header are stored in
    /// the message.
    pub(super) fn client_frame<'a, V: Visitor>(
        &mut self,
        bytes: &'a [u8],
        visitor: &mut V,
    ) -> Result<Message<'a>> {
        let mut cursor = Cursor::at(&bytes[LENGTH_LEN..], LENGTH_LEN);
        let header = delimited(&mut cursor, "RpcRequestHeader length", visitor)?;
        let (header, dialect) = self.request_header(header, visitor)?;
        self.dialect = dialect.or(self.dialect);
        Ok(match header.call_id {
            CONNECTION_CONTEXT_ID => self.connection_context(&mut cursor, visitor),
            PING_ID => {
                let mut message = control(Side::Client, "Ping", Some(PING_ID));
                message.error = trailing(&mut cursor, visitor).err();
                message
            }
            SASL_ID => self.sasl_frame(Side::Client, &mut cursor, visitor),
            0.. => self.call(&header, &mut cursor, visitor),
            other => {
                let mut message = control(Side::Client, "Call", Some(other));
                let problem = DecodeErrorKind::Unexpected { value: other, expected: "a call id" };
                message.error = Some(problem.at("call_id", LENGTH_LEN));
                let _ = trailing(&mut cursor, visitor);
                message
            }
        })
    }

    fn request_header<'a, V: Visitor>(
        &mut self,
        header: Cursor<'a>,
        visitor: &mut V,
    ) -> Result<(RequestHeader<'a>, Option<Dialect>)> {
        if V::ENABLED {
            return RequestHeader::decode(header, self.dialect, visitor);
        }
        if let Some(read) = self.familiar.request(&header, self.dialect) {
            return Ok(read);
        }
        let bytes = header.rest();
        let read = RequestHeader::decode(header, self.dialect, visitor)?;
        if read.0.call_id >= 0 {
            self.familiar.learn_request(bytes, &read.0);
        }
        Ok(read)
    }

    fn connection_context<'a, V: Visitor>(
        &mut self,
        cursor: &mut Cursor<'a>,
        visitor: &mut V,
    ) -> Message<'a> {
        let mut message = control(Side::Client, "ConnectionContext", Some(CONNECTION_CONTEXT_ID));
        let mut user = None;
        let read = delimited(cursor, "IpcConnectionContext length", visitor).and_then(|body| {
            proto::message(&tables::CONNECTION_CONTEXT, body, visitor, |number, raw| {
                if number == context::USER_INFO {
                    user = inner_text(raw, context::EFFECTIVE_USER).or(user);
                }
            })
        });
        // A second context is refused: calls go on to be the first one's until then.
        if self.user.is_none() {
            self.user = user.map(str::to_owned);
        }
        message.error = read.and_then(|()| trailing(cursor, visitor)).err();
        message
    }

    fn call<'a, V: Visitor>(
        &mut self,
        header: &RequestHeader<'a>,
        cursor: &mut Cursor<'a>,
        visitor: &mut V,
    ) -> Message<'a> {
        let mut invocation = Invocation::default();
        let (mut called, mut target) = (None, None);
        let mut is_damaged = false;
        let engine = header.engine();
        let read = match engine {
            Some(Engine::Writable) => writable::invocation(cursor, visitor, &mut invocation),
            Some(Engine::Protobuf) => {
                self.called(cursor, visitor, &mut invocation).and_then(|known| {
                    called = known;
                    let argument = delimited(cursor, "request length", visitor)?;
                    let path = called.and_then(|called| called.path);
                    let kind = called.map(|called| called.method.request);
                    is_damaged = path.is_some()
                        && kind.is_some_and(|kind| {
                            kind.leads_to_secret() && !proto::is_sound(kind, argument.clone(), 0)
                        });
                    within("request", kind, argument, visitor, |number, raw| {
                        if Some(number) == path {
                            target = raw.text().or(target);
                        }
                    })
                })
            }
            None => Err(DecodeErrorKind::Unsupported.at("rpc_kind", LENGTH_LEN)),
        };
        let leads_to_secret = called.is_some_and(|called| called.method.request.leads_to_secret());
        let error = finish(read, leads_to_secret, cursor, visitor).err();
        if is_damaged {
            // The field of the path may contain a secret.
            target = None;
        }
        let engine = engine.unwrap_or(Engine::Protobuf);
        // A retried request may have been answered before, and is answered again.
        let is_first = header.retry_count.is_none_or(|retries| retries <= 0);
        let token = is_first.then(|| self.calls.take_early(&header.call_id)).flatten();
        let token = token.unwrap_or_else(|| {
            let call = OpenCall { engine, method: called.map(|called| called.method) };
            self.calls.open(header.call_id, call)
        });
        let (interface, method) = match called {
            Some(called) => (called.interface.into(), called.method.name.into()),
            None => (simple_name(invocation.protocol), invocation.method),
        };
        let call = CallEvent::Request(Request {
            token,
            interface,
            method,
            target: target.map(Cow::Borrowed),
            retry: header.retry_count,
            caller_context: header.caller_context.map(Cow::Borrowed),
        });
        Message {
            side: Side::Client,
            name: "Call",
            kind: Kind::Request,
            id: Some(header.call_id),
            call,
            carries: None,
            error,
        }
    }

    /// Decodes the invocation header: the method, if a table has it, else its name into `invocation`.
    fn called<'a, V: Visitor>(
        &mut self,
        cursor: &mut Cursor<'a>,
        visitor: &mut V,
        invocation: &mut Invocation<'a>,
    ) -> Result<Option<ResolvedMethod>> {
        let header = delimited(cursor, CALL_HEADER_LENGTH, visitor)?;
        let bytes = header.rest();
        let known = self.familiar.call(bytes);
        if !V::ENABLED && known.is_some() {
            return Ok(known);
        }
        call_header_fields(header, visitor, invocation)?;
        if known.is_some() {
            return Ok(known);
        }
        let called = self.method(invocation);
        if let Some(called) = called {
            self.familiar.learn_call(bytes, called);
        }
        Ok(called)
    }

    /// Returns the called method, if a table has it.
    fn method(&mut self, invocation: &Invocation<'_>) -> Option<ResolvedMethod> {
        // Most connections are of one protocol.
        if self.service.is_none_or(|service| service.protocol != invocation.protocol) {
            self.service = service(&invocation.protocol);
        }
        let service = self.service?;
        let method = service.method(&invocation.method)?;
        Some(ResolvedMethod {
            interface: bare(service.protocol),
            method,
            path: path_argument::path(method),
        })
    }

    /// Decodes a frame of the server, including its length; errors as for `client_frame`.
    pub(super) fn server_frame<'a, V: Visitor>(
        &mut self,
        bytes: &'a [u8],
        visitor: &mut V,
    ) -> Result<Message<'a>> {
        let mut cursor = Cursor::at(&bytes[LENGTH_LEN..], LENGTH_LEN);
        let header = delimited(&mut cursor, "RpcResponseHeader length", visitor)?;
        let (call_id, outcome) = self.response_header(header, visitor)?;
        if call_id == SASL_ID && outcome.status == Status::Ok {
            return Ok(self.sasl_frame(Side::Server, &mut cursor, visitor));
        }
        let (token, open) = self.calls.close(&call_id).unzip();
        let status = outcome.status;
        let read = match status {
            Status::Ok => reply_body(open, &mut cursor, visitor),
            _ => trailing(&mut cursor, visitor),
        };
        let call = if status == Status::Fatal {
            // The server closes the connection after a FATAL: no other call is answered.
            self.calls.close_all();
            CallEvent::AllEnded(outcome)
        } else {
            let is_call = call_id >= 0;
            let token = token.or_else(|| is_call.then(|| self.calls.answer_early(call_id)));
            CallEvent::Reply(Reply { token, outcome })
        };
        let name = if status == Status::Fatal { "Fatal" } else { "Reply" };
        Ok(Message {
            side: Side::Server,
            name,
            kind: Kind::Reply,
            id: Some(call_id),
            call,
            carries: None,
            error: read.err(),
        })
    }

    /// Decodes the response header: the id of the call, and its status.
    fn response_header<'a, V: Visitor>(
        &mut self,
        header: Cursor<'a>,
        visitor: &mut V,
    ) -> Result<(i64, Outcome<'a>)> {
        if !V::ENABLED
            && let Some(call_id) = self.familiar.success(&header)
        {
            return Ok((call_id, Outcome { status: Status::Ok, error_class: None }));
        }
        let bytes = header.rest();
        let read = ResponseHeader::decode(header, visitor)?;
        if !V::ENABLED {
            self.familiar.learn_response(bytes, &read);
        }
        let error_class = read.exception_class_name.map(Cow::Borrowed);
        Ok((read.call_id, Outcome { status: read.status, error_class }))
    }

    fn sasl_frame<'a, V: Visitor>(
        &mut self,
        side: Side,
        cursor: &mut Cursor<'a>,
        visitor: &mut V,
    ) -> Message<'a> {
        let (mut state, mut token) = (None, None);
        let read = delimited(cursor, "RpcSasl length", visitor).and_then(|body| {
            proto::message(&tables::SASL, body, visitor, |number, raw| match number {
                sasl::STATE => state = raw.varint().or(state),
                sasl::TOKEN => token = Some(raw),
                _ => {}
            })
        });
        let state = state.and_then(SaslState::from_wire);
        let mut message = control(side, state.map_or("Wrap", name_of), Some(SASL_ID));
        if let Some(Raw::Bytes(bytes, at)) = token {
            match state {
                Some(SaslState::Wrap) => {
                    let (quality, inside) = self.agreement.open(bytes, side);
                    let end = cursor.offset();
                    if let Some(quality) = quality {
                        visitor.field("protection", end..end, Value::Name(quality.name()));
                    }
                    if let Some(inside) = inside {
                        let range = at + inside.start..at + inside.end;
                        message.carries = Some(NestedRange { range, begins: false, ends: false });
                    }
                }
                Some(SaslState::Initiate | SaslState::Response) => self.agreement.hear(bytes),
                _ => {}
            }
        }
        message.error = read.and_then(|()| trailing(cursor, visitor)).err();
        message
    }
}

fn name_of(state: SaslState) -> &'static str {
    match state {
        SaslState::Success => "Success",
        SaslState::Negotiate => "Negotiate",
        SaslState::Initiate => "Initiate",
        SaslState::Challenge => "Challenge",
        SaslState::Response => "Response",
        SaslState::Wrap => "Wrap",
    }
}

/// Content of `RpcRequestHeaderProto`.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct RequestHeader<'a> {
    /// `RpcKindProto`: 1 is the Writable engine, 2 the Protobuf engine.
    pub rpc_kind: Option<u64>,
    /// `OperationProto`: servers accept 0 only.
    pub rpc_op: Option<u64>,
    /// Id of the call. A negative id is another message: -3 the connection context, -4 a ping, -33
    /// authentication.
    pub call_id: i64,
    /// Id of the client, the same on all its connections.
    pub client_id: Option<&'a [u8]>,
    /// Number of earlier attempts of the call.
    pub retry_count: Option<i32>,
    /// Caller context for audit logs.
    pub caller_context: Option<&'a str>,
    /// Last state id of the server that the client has seen.
    pub state_id: Option<i64>,
}

impl<'a> RequestHeader<'a> {
    /// Serialisation engine of arguments and results.
    #[must_use]
    pub fn engine(&self) -> Option<Engine> {
        match self.rpc_kind {
            Some(1) => Some(Engine::Writable),
            Some(2) => Some(Engine::Protobuf),
            _ => None,
        }
    }

    /// Decodes the header; also returns the dialect, if the header determines it.
    pub(super) fn decode<V: Visitor>(
        bytes: Cursor<'a>,
        dialect: Option<Dialect>,
        visitor: &mut V,
    ) -> Result<(Self, Option<Dialect>)> {
        let offset = bytes.offset();
        let seen = dialect.or_else(|| Dialect::of_first(raw_call_id(bytes.clone())?));
        let dialect = seen.unwrap_or_default();
        let mut header = Self::default();
        let (mut call_id, mut in_context, mut has_text) = (None, false, false);
        proto::message(dialect.request_header(), bytes, visitor, |number, raw| match number {
            // Of another wire type a field is one that nobody knows, and changes nothing.
            request::RPC_KIND => header.rpc_kind = raw.varint().or(header.rpc_kind),
            request::RPC_OP => header.rpc_op = raw.varint().or(header.rpc_op),
            request::CLIENT_ID => header.client_id = raw.bytes().or(header.client_id),
            request::STATE_ID => {
                header.state_id = raw.varint().map(u64::cast_signed).or(header.state_id);
            }
            request::CALL_ID => {
                call_id = raw.varint().map(|wire| dialect.call_id(wire)).or(call_id);
            }
            request::RETRY_COUNT => {
                let retries = raw.varint().map(crate::varint::unzigzag);
                let retries = retries.and_then(|retries| i32::try_from(retries).ok());
                header.retry_count = retries.or(header.retry_count);
            }
            request::CALLER_CONTEXT => {
                in_context |= raw.bytes().is_some();
                let text = inner_text(raw, request::CONTEXT);
                has_text |= text.is_some();
                // In a damaged one the signature may have the number of the text.
                let is_sound = raw.bytes().is_some_and(|context| {
                    proto::is_sound(&tables::CALLER_CONTEXT, Cursor::new(context), 0)
                });
                header.caller_context = text.filter(|_| is_sound).or(header.caller_context);
            }
            _ => {}
        })?;
        header.call_id = call_id.ok_or_else(|| absent("call_id", offset))?;
        // RPCCallerContextProto: `required string context`.
        if in_context && !has_text {
            return Err(absent("caller_context.context", offset));
        }
        Ok((header, seen))
    }
}

fn raw_call_id(mut header: Cursor<'_>) -> Option<u64> {
    while !header.is_empty() {
        let (number, raw, _) = proto::field(&mut header).ok()?;
        if number == request::CALL_ID
            && let Some(wire) = raw.varint()
        {
            return Some(wire);
        }
    }
    None
}

/// Content of `RpcResponseHeaderProto`.
#[derive(Debug)]
pub(super) struct ResponseHeader<'a> {
    pub(super) call_id: i64,
    pub(super) status: Status,
    pub(super) version: Option<i32>,
    pub(super) exception_class_name: Option<&'a str>,
    pub(super) error_msg: Option<&'a str>,
    pub(super) error_detail: Option<i64>,
    pub(super) client_id: Option<&'a [u8]>,
    pub(super) state_id: Option<i64>,
}

impl<'a> ResponseHeader<'a> {
    pub(super) fn decode<V: Visitor>(bytes: Cursor<'a>, visitor: &mut V) -> Result<Self> {
        let offset = bytes.offset();
        let (mut call_id, mut status) = (None, None);
        let mut header = Self {
            call_id: 0,
            status: Status::Ok,
            version: None,
            exception_class_name: None,
            error_msg: None,
            error_detail: None,
            client_id: None,
            state_id: None,
        };
        proto::message(&tables::RESPONSE_HEADER, bytes, visitor, |number, raw| match number {
            // Of another wire type a field is one that nobody knows, and changes nothing.
            response::CALL_ID => call_id = raw.varint().map(proto::low_32_bits).or(call_id),
            response::STATUS => status = raw.varint().or(status),
            response::VERSION => {
                header.version = raw.varint().map(proto::low_32_bits).or(header.version);
            }
            response::EXCEPTION => {
                header.exception_class_name = raw.text().or(header.exception_class_name);
            }
            response::ERROR_MSG => header.error_msg = raw.text().or(header.error_msg),
            response::ERROR_DETAIL => {
                header.error_detail = raw.varint().map(u64::cast_signed).or(header.error_detail);
            }
            response::CLIENT_ID => header.client_id = raw.bytes().or(header.client_id),
            response::STATE_ID => {
                header.state_id = raw.varint().map(u64::cast_signed).or(header.state_id);
            }
            _ => {}
        })?;
        header.call_id = call_id.ok_or_else(|| absent("call_id", offset))?.into();
        header.status = match status.ok_or_else(|| absent("status", offset))? {
            0 => Status::Ok,
            1 => Status::Error,
            2 => Status::Fatal,
            other => {
                let value = other.cast_signed();
                return Err(DecodeErrorKind::Unexpected { value, expected: "a status" }
                    .at("status", offset));
            }
        };
        Ok(header)
    }
}

/// `ProtobufRpcEngine2`: a delimited `RequestHeaderProto`, then the delimited argument.
pub(super) fn call_header<'a, V: Visitor>(
    cursor: &mut Cursor<'a>,
    visitor: &mut V,
    called: &mut Invocation<'a>,
) -> Result<()> {
    let header = delimited(cursor, CALL_HEADER_LENGTH, visitor)?;
    call_header_fields(header, visitor, called)
}

fn call_header_fields<'a, V: Visitor>(
    header: Cursor<'a>,
    visitor: &mut V,
    called: &mut Invocation<'a>,
) -> Result<()> {
    proto::message(&tables::CALL_HEADER, header, visitor, |number, raw| match number {
        // Of another wire type a field is one that nobody knows, and changes nothing.
        call::METHOD => replace(&mut called.method, raw.text().map(Cow::Borrowed)),
        call::PROTOCOL => replace(&mut called.protocol, raw.text().map(Cow::Borrowed)),
        call::VERSION => {
            replace(&mut called.client_version, raw.varint().map(u64::cast_signed));
        }
        _ => {}
    })
}

/// Decodes the body of a reply, according to its request.
fn reply_body<V: Visitor>(
    call: Option<OpenCall>,
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
) -> Result<()> {
    // If the request was not captured, the encoding is guessed, since the reply does not state it.
    let method = call.and_then(|call| call.method);
    if let Some(engine) = call.map(|call| call.engine).or_else(|| read_both_ways(cursor)) {
        let read = result(engine, method, cursor, visitor);
        let leads_to_secret = method.is_some_and(|method| method.response.leads_to_secret());
        finish(read, leads_to_secret, cursor, visitor)
    } else {
        let at = cursor.offset();
        let bytes = cursor.take_rest();
        visitor.field("response", at..cursor.offset(), Value::Bytes(bytes));
        Ok(())
    }
}

/// Ends a frame after its message was `read`. The remaining bytes are hidden if the message's type leads to a
/// secret.
fn finish<V: Visitor>(
    read: Result<()>,
    leads_to_secret: bool,
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
) -> Result<()> {
    if leads_to_secret && (read.is_err() || !cursor.is_empty()) {
        visitor.hide_rest();
        read?;
        return Err(surplus(cursor.offset(), cursor.take_rest()));
    }
    read.and_then(|()| trailing(cursor, visitor))
}

fn result<V: Visitor>(
    engine: Engine,
    method: Option<&Method>,
    cursor: &mut Cursor<'_>,
    visitor: &mut V,
) -> Result<()> {
    match engine {
        Engine::Protobuf => {
            let result = delimited(cursor, "response length", visitor)?;
            within("response", method.map(|method| method.response), result, visitor, |_, _| {})
        }
        Engine::Writable => writable::object(cursor, "response", visitor),
    }
}

/// Returns the first engine with which the reply decodes completely, if any.
fn read_both_ways(cursor: &Cursor<'_>) -> Option<Engine> {
    [Engine::Protobuf, Engine::Writable].into_iter().find(|engine| {
        let mut cursor = cursor.clone();
        result(*engine, None, &mut cursor, &mut ()).is_ok() && cursor.is_empty()
    })
}

/// Returns the bytes inside a SASL wrap of the server, if they are readable.
pub(super) fn wrapped(body: &[u8], agreement: SaslContext) -> Option<&[u8]> {
    let mut cursor = Cursor::new(body);
    let header = delimited(&mut cursor, "RpcResponseHeader length", &mut ()).ok()?;
    if ResponseHeader::decode(header, &mut ()).ok()?.call_id != SASL_ID {
        return None;
    }
    let message = Sasl::decode(delimited(&mut cursor, "RpcSasl length", &mut ()).ok()?).ok()?;
    let token = message.token.filter(|_| message.state == SaslState::Wrap)?;
    agreement.open(token, Side::Server).1.map(|inside| &token[inside])
}

/// Reads a message with a varint length prefix.
#[inline]
pub(super) fn delimited<'a, V: Visitor>(
    cursor: &mut Cursor<'a>,
    what: &'static str,
    visitor: &mut V,
) -> Result<Cursor<'a>> {
    let at = cursor.offset();
    let len = cursor.len_varint(super::MESSAGE_LIMIT, what)?;
    visitor.layout(what, at..cursor.offset(), Value::UInt(len as u64));
    cursor.sub(len, what)
}

fn within<'a, V: Visitor>(
    name: &str,
    kind: Option<&MessageType>,
    body: Cursor<'a>,
    visitor: &mut V,
    take: impl FnMut(u32, Raw<'a>),
) -> Result<()> {
    visitor.enter(name, Shape::Object);
    let read = proto::carried_message(kind, kind_of_unknown, body, visitor, take);
    visitor.leave();
    read
}

/// Reports an error if bytes follow the messages of a frame: `Client.Connection` fails the connection.
pub(super) fn trailing<V: Visitor>(cursor: &mut Cursor<'_>, visitor: &mut V) -> Result<()> {
    let at = cursor.offset();
    let bytes = cursor.take_rest();
    if bytes.is_empty() {
        return Ok(());
    }
    visitor.field("trailing", at..cursor.offset(), Value::Bytes(bytes));
    Err(surplus(at, bytes))
}

/// Error for bytes after the messages of a frame.
fn surplus(at: usize, bytes: &[u8]) -> DecodeError {
    let value = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    DecodeErrorKind::Unexpected { value, expected: "0 trailing bytes" }.at("trailing", at)
}

fn replace<T>(field: &mut T, read: Option<T>) {
    if let Some(value) = read {
        *field = value;
    }
}

fn absent(what: &'static str, offset: usize) -> DecodeError {
    DecodeErrorKind::UnexpectedEof { missing: 1 }.at(what, offset)
}

/// Returns the text field `number` of the message in `raw`.
pub(super) fn inner_text(raw: Raw<'_>, number: u32) -> Option<&str> {
    text_field(Cursor::new(raw.bytes()?), number)
}

/// Returns the text field `number` of a message.
pub(super) fn text_field(mut message: Cursor<'_>, number: u32) -> Option<&str> {
    let mut text = None;
    while !message.is_empty() {
        let Ok((found, raw, _)) = proto::field(&mut message) else { break };
        if found == number {
            text = raw.text().or(text);
        }
    }
    text
}

/// Returns the simple name of a class: `ClientProtocol` of `org.apache.hadoop.hdfs.protocol.ClientProtocol`.
fn simple_name(class: Cow<'_, str>) -> Cow<'_, str> {
    match class {
        Cow::Borrowed(class) => bare(class).into(),
        Cow::Owned(class) => bare(&class).to_owned().into(),
    }
}

fn bare(class: &str) -> &str {
    class.rfind(['.', '$']).map_or(class, |dot| &class[dot + 1..])
}

/// Returns the error in the header of an incomplete frame; `None` while it can be valid.
pub(super) fn header_error(
    side: Side,
    dialect: Option<Dialect>,
    body: &[u8],
) -> Option<DecodeError> {
    let mut cursor = Cursor::at(body, LENGTH_LEN);
    let what = match side {
        Side::Client => "RpcRequestHeader length",
        Side::Server => "RpcResponseHeader length",
    };
    let read = delimited(&mut cursor, what, &mut ()).and_then(|header| match side {
        _ if header.rest().len() > EARLY_LIMIT => Ok(()),
        Side::Client => RequestHeader::decode(header, dialect, &mut ()).map(|_| ()),
        Side::Server => ResponseHeader::decode(header, &mut ()).map(|_| ()),
    });
    read.err().filter(|error| !matches!(error.problem, DecodeErrorKind::UnexpectedEof { .. }))
}

/// Returns the id of the call that a frame of the server answers, and its status.
pub(super) fn answered(body: &[u8]) -> Option<(i64, Status)> {
    let mut cursor = Cursor::new(body);
    let header = delimited(&mut cursor, "RpcResponseHeader length", &mut ()).ok()?;
    ResponseHeader::decode(header, &mut ()).ok().map(|header| (header.call_id, header.status))
}

const CALL_HEADER_LENGTH: &str = "RequestHeader length";
/// Maximum size of a header that is validated before its frame is complete (chosen by jvmwire): headers with
/// caller context, tokens and stack traces are below it. Larger headers are validated once, when the frame is
/// complete, not again with each chunk.
const EARLY_LIMIT: usize = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    const REQUEST: &[u8] = &[12, 8, 2, 16, 0, 24, 0, 0x22, 2, 7, 7, 0x28, 0];

    #[test]
    fn header_is_validated_once_it_is_complete() {
        for len in 0..=REQUEST.len() {
            assert_eq!(header_error(Side::Client, None, &REQUEST[..len]), None);
        }
        // Field 0 does not exist.
        let wrong = [3, 0, 0, 0];
        assert_eq!(header_error(Side::Client, None, &wrong[..3]), None);
        let error = header_error(Side::Client, None, &wrong).unwrap();
        assert_eq!((error.what, error.offset), ("tag", LENGTH_LEN + 1));
        assert!(header_error(Side::Server, None, &[5, 8, 0, 16, 7, 0]).is_some());
    }

    #[test]
    fn field_of_another_wire_type_changes_nothing() {
        // Of each field a number where there is a text, or four bytes where there is a number.
        let more = b"\x20\x05\x38\x05\x0d\x07\x07\x07\x07\x15\x07\x07\x07\x07\
            \x1d\x07\x07\x07\x07\x2d\x07\x07\x07\x07\x45\x07\x07\x07\x07";
        let read = |bytes: &[u8]| {
            let read = RequestHeader::decode(Cursor::new(bytes), None, &mut ());
            format!("{read:?}")
        };
        let header = [&REQUEST[1..], b"\x3a\x05\x0a\x03job\x40\x07"].concat();
        assert!(read(&header).contains("client_id: Some([7, 7])"), "{}", read(&header));
        assert!(read(&header).contains("caller_context: Some(\"job\")"), "{}", read(&header));
        assert_eq!(read(&[&header, &more[..]].concat()), read(&header));
        assert_eq!(read(&[&more[..], &header].concat()), read(&header));
        assert_eq!(text_field(Cursor::new(b"\x0a\x01a\x08\x05\x0a\x01b\x08\x05"), 1), Some("b"));
    }

    #[test]
    fn long_header_is_not_validated_again_with_each_piece() {
        let mut body = Vec::new();
        crate::varint::encode(EARLY_LIMIT as u64 + 1, &mut body);
        body.resize(body.len() + EARLY_LIMIT + 1, 0);
        assert_eq!(header_error(Side::Client, None, &body), None);
    }

    #[test]
    fn reply_names_its_call_and_outcome() {
        assert_eq!(answered(&[6, 8, 7, 16, 0, 24, 9]), Some((7, Status::Ok)));
        let minus_one = [10, 8, 0xff, 0xff, 0xff, 0xff, 0x0f, 16, 2, 24, 9];
        assert_eq!(answered(&minus_one), Some((-1, Status::Fatal)));
        assert_eq!(answered(&[2, 8, 7]), None);
    }

    #[test]
    fn interface_goes_by_the_last_part_of_its_name() {
        for (class, name) in [
            ("org.apache.hadoop.hdfs.protocol.ClientProtocol", "ClientProtocol"),
            ("a.B$C", "C"),
            ("ping", "ping"),
            ("", ""),
        ] {
            assert_eq!(simple_name(Cow::Borrowed(class)), name);
            assert_eq!(simple_name(Cow::Owned(class.into())), name);
        }
    }
}
