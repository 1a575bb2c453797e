//! Encoder of a client: the connection header, the context, calls and pings.

use super::{
    CONNECTION_CONTEXT_ID, Dialect, Engine, MAGIC, PING_ID, VERSION,
    preamble::PING,
    responses::framed,
    tables::{call, context, request},
};
use crate::{TooLong, proto::Writer, varint};

/// Identity of a client, and the protocol that it calls.
#[derive(Clone, Debug)]
pub struct Caller {
    /// Client id, the same in every frame of a client, on all its connections.
    pub client_id: [u8; 16],
    /// Name of the protocol on the wire.
    pub protocol: String,
    /// Version of the protocol.
    pub version: u64,
    /// Serialisation engine of arguments and results.
    pub engine: Engine,
    /// Encoding of call ids.
    pub dialect: Dialect,
    /// Caller context for the audit logs of servers.
    pub context: Option<String>,
    /// Maximum number of bytes of a frame, including its length.
    pub limit: usize,
}

/// Header of a call.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Id of the call, from 0 on, to which the reply refers.
    pub id: i32,
    /// Number of earlier attempts with the same client id and call id.
    pub retry: i32,
    /// Name of the method on the wire.
    pub method: &'a str,
    /// Last state id of the server that the client has seen.
    pub state_id: Option<i64>,
}

/// Content after the connection header: `Server.AuthProtocol`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Auth {
    /// The connection context, and calls.
    None = 0,
    /// SASL messages.
    Sasl = 0xdf,
}

impl Caller {
    /// Appends the connection header.
    pub fn encode_connection_header(service_class: u8, auth: Auth, out: &mut Vec<u8>) {
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&[VERSION, service_class, auth as u8]);
    }

    /// Appends the connection context, which precedes all calls. After authentication, the context need not
    /// name the real user; after authentication by token, it need not name any user.
    ///
    /// # Errors
    /// [`TooLong`] if the names do not fit into a frame.
    pub fn encode_context(
        &self,
        user: Option<&str>,
        real_user: Option<&str>,
        out: &mut Vec<u8>,
    ) -> Result<(), TooLong> {
        self.frame(out, |out| {
            self.header(PROTOBUF, CONNECTION_CONTEXT_ID, NO_RETRY, None, out)?;
            Writer::delimited(out, |message| {
                message.message(context::USER_INFO, |user_info| {
                    if let Some(user) = user {
                        user_info.bytes(context::EFFECTIVE_USER, user.as_bytes());
                    }
                    if let Some(real_user) = real_user {
                        user_info.bytes(context::REAL_USER, real_user.as_bytes());
                    }
                    Ok(())
                })?;
                message.bytes(context::PROTOCOL, self.protocol.as_bytes());
                Ok(())
            })
        })
    }

    /// Appends a ping, which has no reply.
    ///
    /// # Errors
    /// [`TooLong`] if the limit is below the size of a ping.
    pub fn encode_ping(&self, out: &mut Vec<u8>) -> Result<(), TooLong> {
        if self.dialect == Dialect::Beta {
            out.extend_from_slice(&PING);
            return Ok(());
        }
        self.frame(out, |out| self.header(PROTOBUF, PING_ID, NO_RETRY, None, out))
    }

    /// Appends a call; `write` appends the fields of its argument.
    ///
    /// # Errors
    /// The error of `write`; [`TooLong`] if the frame exceeds the limit. `out` is unchanged after an error.
    pub fn encode_call<E: From<TooLong>>(
        &self,
        call: Call<'_>,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Writer<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.frame(out, |out| {
            self.header(PROTOBUF, call.id.into(), call.retry, call.state_id, out)?;
            Writer::delimited(out, |header| {
                header.bytes(call::METHOD, call.method.as_bytes());
                header.bytes(call::PROTOCOL, self.protocol.as_bytes());
                header.varint(call::VERSION, self.version);
                Ok(())
            })?;
            Writer::delimited(out, write)
        })
    }

    /// Appends a call of the Writable engine, with an invocation that is already encoded: method and arguments.
    ///
    /// # Errors
    /// [`TooLong`] if the frame exceeds the limit. `out` is unchanged after an error.
    pub fn encode_invocation(
        &self,
        call: Call<'_>,
        invocation: &[u8],
        out: &mut Vec<u8>,
    ) -> Result<(), TooLong> {
        self.frame(out, |out| {
            self.header(WRITABLE, call.id.into(), call.retry, call.state_id, out)?;
            out.extend_from_slice(invocation);
            Ok(())
        })
    }

    fn header<E>(
        &self,
        rpc_kind: u64,
        call_id: i64,
        retry: i32,
        state_id: Option<i64>,
        out: &mut Vec<u8>,
    ) -> Result<(), E> {
        Writer::delimited(out, |header| {
            header.varint(request::RPC_KIND, rpc_kind);
            header.varint(request::RPC_OP, FINAL_PACKET);
            header.varint(request::CALL_ID, self.dialect.written_call_id(call_id));
            header.bytes(request::CLIENT_ID, &self.client_id);
            header.varint(request::RETRY_COUNT, varint::zigzag(retry.into()));
            if let Some(context) = &self.context {
                header.message(request::CALLER_CONTEXT, |inner| {
                    inner.bytes(request::CONTEXT, context.as_bytes());
                    Ok(())
                })?;
            }
            if let Some(state_id) = state_id {
                header.varint(request::STATE_ID, state_id.cast_unsigned());
            }
            Ok(())
        })
    }

    fn frame<E: From<TooLong>>(
        &self,
        out: &mut Vec<u8>,
        write: impl FnOnce(&mut Vec<u8>) -> Result<(), E>,
    ) -> Result<(), E> {
        framed(self.limit, out, write)
    }
}

/// Default limit of servers: `ipc.maximum.data.length`. They close the connection on a larger frame, without a
/// reply.
pub const REQUEST_LIMIT: usize = 128 << 20;
/// `RpcConstants.INVALID_RETRY_COUNT`.
pub(super) const NO_RETRY: i32 = -1;
/// `RpcKindProto.RPC_WRITABLE`.
const WRITABLE: u64 = 1;
/// `RpcKindProto.RPC_PROTOCOL_BUFFER`.
pub(super) const PROTOBUF: u64 = 2;
/// `RpcRequestHeaderProto.OperationProto.RPC_FINAL_PACKET`.
pub(super) const FINAL_PACKET: u64 = 0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scan;
    use crate::{
        hadoop::Connection,
        message::{CallEvent, Decoded, ProtocolDecoder, Side},
    };

    fn caller() -> Caller {
        Caller {
            client_id: [7; 16],
            protocol: "a.Proto".into(),
            version: 1,
            engine: Engine::Protobuf,
            dialect: Dialect::Current,
            context: None,
            limit: REQUEST_LIMIT,
        }
    }

    #[test]
    fn ping_is_as_long_as_javas() {
        let mut out = Vec::new();
        caller().encode_ping(&mut out).unwrap();
        assert_eq!(out.len(), 31);
        assert_eq!(out[..11], [0, 0, 0, 27, 26, 8, 2, 16, 0, 24, 7]);
    }

    #[test]
    fn encoded_requests_are_decoded_to_the_same_calls() {
        let mut out = Vec::new();
        let caller = Caller { context: Some("a job".into()), ..caller() };
        Caller::encode_connection_header(0, Auth::None, &mut out);
        caller.encode_context(Some("alice"), Some("oozie"), &mut out).unwrap();
        let call = Call { id: 70_000, retry: 2, method: "find", state_id: Some(300) };
        let path = "/a".repeat(100);
        caller
            .encode_call::<TooLong>(call, &mut out, |message| {
                message.bytes(1, path.as_bytes());
                Ok(())
            })
            .unwrap();
        let (mut connection, mut at) = (Connection::new(), 0);
        let mut last = None;
        for name in ["ConnectionHeader", "ConnectionContext", "Call"] {
            match connection.decode(
                Some(Side::Client),
                &out[at..],
                true,
                &mut Scan::default(),
                &mut (),
            ) {
                Decoded::Message(message, len) => {
                    assert_eq!((message.name, &message.error), (name, &None));
                    at += len;
                    last = Some(message);
                }
                other => panic!("{other:?}"),
            }
        }
        assert_eq!((at, connection.user()), (out.len(), Some("alice")));
        let message = last.unwrap();
        assert_eq!(message.id, Some(70_000));
        let CallEvent::Request(request) = message.call else { panic!("{:?}", message.call) };
        assert_eq!((&*request.interface, &*request.method), ("Proto", "find"));
        assert_eq!(request.retry, Some(2));
        assert_eq!(request.caller_context.as_deref(), Some("a job"));
    }

    #[test]
    fn early_client_writes_the_documented_bytes() {
        let seed = include_bytes!("../../../../tests/vectors/hadoop/seed/client-call.bin");
        let caller = Caller {
            client_id: *seed[24..].first_chunk().unwrap(),
            protocol: "ping".into(),
            dialect: Dialect::Beta,
            engine: Engine::Writable,
            ..caller()
        };
        let mut out = Vec::new();
        Caller::encode_connection_header(0, Auth::None, &mut out);
        caller.encode_context(Some("eleibovi"), None, &mut out).unwrap();
        let call = Call { id: 0, retry: 0, method: "ping", state_id: None };
        let invocation = &seed[seed.len() - 36..];
        caller.encode_invocation(call, invocation, &mut out).unwrap();
        assert_eq!(out, seed);
        caller.encode_ping(&mut out).unwrap();
        assert_eq!(out[seed.len()..], PING);
    }

    #[test]
    fn call_over_the_limit_is_refused_and_leaves_nothing() {
        let caller = Caller { limit: 50, ..caller() };
        let mut out = vec![1];
        let call = Call { id: 0, retry: 0, method: "find", state_id: None };
        let refused = caller.encode_call::<TooLong>(call, &mut out, |message| {
            message.bytes(1, b"long");
            Ok(())
        });
        assert_eq!(refused, Err(TooLong { len: 52, max: 50 }));
        assert_eq!(out, [1]);
    }
}
