//! The messages of `RpcHeader.proto`, `IpcConnectionContext.proto` and `ProtobufRpcEngine.proto`.

use super::{Dialect, secrets::message};
use crate::proto::{Field, FieldKind, MessageType};

impl Dialect {
    /// Returns `RpcRequestHeaderProto`, whose `callId` differs between the dialects.
    pub(super) fn request_header(self) -> &'static MessageType {
        match self {
            Self::Beta => &BETA_REQUEST_HEADER,
            Self::Current => &REQUEST_HEADER,
        }
    }
}

static REQUEST_HEADER: MessageType =
    message("RpcRequestHeaderProto", &request_header_fields(FieldKind::SInt32));

static BETA_REQUEST_HEADER: MessageType =
    message("RpcRequestHeaderProto", &request_header_fields(FieldKind::Int32));

const fn request_header_fields(call_id: FieldKind) -> [Field; 10] {
    [
        Field::one(1, "rpc_kind", FieldKind::Enum(RPC_KINDS)),
        Field::one(request::RPC_OP, "rpc_op", FieldKind::Enum(OPERATIONS)),
        Field::one(request::CALL_ID, "call_id", call_id),
        Field::one(request::CLIENT_ID, "client_id", FieldKind::Uuid),
        Field::one(request::RETRY_COUNT, "retry_count", FieldKind::SInt32),
        Field::one(6, "trace_info", FieldKind::Message(&TRACE_INFO)),
        Field::one(request::CALLER_CONTEXT, "caller_context", FieldKind::Message(&CALLER_CONTEXT)),
        Field::one(request::STATE_ID, "state_id", FieldKind::Int64),
        Field::one(9, "router_federated_state", FieldKind::Bytes),
        Field::one(10, "authorization_header", FieldKind::Bytes),
    ]
}

/// Field numbers of `RpcRequestHeaderProto`.
pub(super) mod request {
    pub(in super::super) const RPC_KIND: u32 = 1;
    pub(in super::super) const RPC_OP: u32 = 2;
    pub(in super::super) const CALL_ID: u32 = 3;
    pub(in super::super) const CLIENT_ID: u32 = 4;
    pub(in super::super) const RETRY_COUNT: u32 = 5;
    pub(in super::super) const CALLER_CONTEXT: u32 = 7;
    pub(in super::super) const STATE_ID: u32 = 8;
    /// Field of `RPCCallerContextProto`.
    pub(in super::super) const CONTEXT: u32 = 1;
}

static TRACE_INFO: MessageType = message(
    "RPCTraceInfoProto",
    &[
        Field::one(1, "trace_id", FieldKind::Int64),
        Field::one(2, "parent_id", FieldKind::Int64),
        Field::one(3, "span_context", FieldKind::Bytes),
    ],
);

pub(super) static CALLER_CONTEXT: MessageType = message(
    "RPCCallerContextProto",
    &[
        Field::one(request::CONTEXT, "context", FieldKind::Text),
        Field::one(2, "signature", FieldKind::Bytes),
    ],
);

pub(super) static RESPONSE_HEADER: MessageType = message(
    "RpcResponseHeaderProto",
    &[
        // uint32 in the file, but -1, -4 and -33 are meant by the numbers that wrap to them.
        Field::one(response::CALL_ID, "call_id", FieldKind::Int32),
        Field::one(response::STATUS, "status", FieldKind::Enum(STATUSES)),
        Field::one(response::VERSION, "server_ipc_version_num", FieldKind::UInt32),
        Field::one(response::EXCEPTION, "exception_class_name", FieldKind::Name),
        Field::one(response::ERROR_MSG, "error_msg", FieldKind::Text),
        Field::one(response::ERROR_DETAIL, "error_detail", FieldKind::Enum(ERROR_CODES)),
        Field::one(response::CLIENT_ID, "client_id", FieldKind::Uuid),
        Field::one(response::RETRY_COUNT, "retry_count", FieldKind::SInt32),
        Field::one(response::STATE_ID, "state_id", FieldKind::Int64),
        Field::one(10, "router_federated_state", FieldKind::Bytes),
    ],
);

/// Field numbers of `RpcResponseHeaderProto`.
pub(super) mod response {
    pub(in super::super) const CALL_ID: u32 = 1;
    pub(in super::super) const STATUS: u32 = 2;
    pub(in super::super) const VERSION: u32 = 3;
    pub(in super::super) const EXCEPTION: u32 = 4;
    pub(in super::super) const ERROR_MSG: u32 = 5;
    pub(in super::super) const ERROR_DETAIL: u32 = 6;
    pub(in super::super) const CLIENT_ID: u32 = 7;
    pub(in super::super) const RETRY_COUNT: u32 = 8;
    pub(in super::super) const STATE_ID: u32 = 9;
}

pub(super) static CONNECTION_CONTEXT: MessageType = message(
    "IpcConnectionContextProto",
    &[
        Field::one(context::USER_INFO, "user_info", FieldKind::Message(&USER_INFORMATION)),
        Field::one(context::PROTOCOL, "protocol", FieldKind::Name),
    ],
);

static USER_INFORMATION: MessageType = message(
    "UserInformationProto",
    &[
        Field::one(context::EFFECTIVE_USER, "effective_user", FieldKind::Text),
        Field::one(context::REAL_USER, "real_user", FieldKind::Text),
    ],
);

/// Field numbers of `IpcConnectionContextProto` and `UserInformationProto`.
pub(super) mod context {
    pub(in super::super) const USER_INFO: u32 = 2;
    pub(in super::super) const PROTOCOL: u32 = 3;
    pub(in super::super) const EFFECTIVE_USER: u32 = 1;
    pub(in super::super) const REAL_USER: u32 = 2;
}

pub(super) static SASL: MessageType = message(
    "RpcSaslProto",
    &[
        Field::one(1, "version", FieldKind::UInt32),
        Field::one(sasl::STATE, "state", FieldKind::Enum(SASL_STATES)),
        Field::one(sasl::TOKEN, "token", FieldKind::Bytes),
        Field::list(sasl::AUTHS, "auths", FieldKind::Message(&SASL_AUTH)),
    ],
);

static SASL_AUTH: MessageType = message(
    "SaslAuth",
    &[
        Field::one(sasl::METHOD, "method", FieldKind::Name),
        Field::one(sasl::MECHANISM, "mechanism", FieldKind::Name),
        Field::one(sasl::PROTOCOL, "protocol", FieldKind::Name),
        Field::one(sasl::SERVER_ID, "server_id", FieldKind::Text),
        Field::one(sasl::CHALLENGE, "challenge", FieldKind::Bytes),
    ],
);

/// Field numbers of `RpcSaslProto`.
pub(super) mod sasl {
    pub(in super::super) const STATE: u32 = 2;
    pub(in super::super) const TOKEN: u32 = 3;
    pub(in super::super) const AUTHS: u32 = 4;
    /// Field of `SaslAuth`, like those below.
    pub(in super::super) const METHOD: u32 = 1;
    pub(in super::super) const MECHANISM: u32 = 2;
    pub(in super::super) const PROTOCOL: u32 = 3;
    pub(in super::super) const SERVER_ID: u32 = 4;
    pub(in super::super) const CHALLENGE: u32 = 5;
}

/// File of tokens, which is not part of any call: `Security.proto`.
pub(super) static CREDENTIALS: MessageType =
    message("CredentialsProto", &[Field::list(1, "tokens", FieldKind::Message(&CREDENTIALS_KV))]);

static CREDENTIALS_KV: MessageType = message(
    "CredentialsKVProto",
    &[
        Field::required(1, "alias", FieldKind::Text),
        Field::one(2, "token", FieldKind::Message(&TOKEN)),
    ],
);

pub(super) static TOKEN: MessageType = message(
    "TokenProto",
    &[
        Field::required(1, "identifier", FieldKind::Bytes),
        Field::required(2, "password", FieldKind::Bytes),
        Field::required(3, "kind", FieldKind::Text),
        Field::required(4, "service", FieldKind::Text),
    ],
);

/// `RequestHeaderProto` on the wire; users know its fields as method and protocol.
pub(super) static CALL_HEADER: MessageType = message(
    "RequestHeaderProto",
    &[
        Field::one(call::METHOD, "method", FieldKind::Name),
        Field::one(call::PROTOCOL, "protocol", FieldKind::Name),
        Field::one(call::VERSION, "client_protocol_version", FieldKind::UInt64),
    ],
);

/// Field numbers of `RequestHeaderProto`.
pub(super) mod call {
    pub(in super::super) const METHOD: u32 = 1;
    pub(in super::super) const PROTOCOL: u32 = 2;
    pub(in super::super) const VERSION: u32 = 3;
}

/// Messages that are neither arguments nor results of methods.
pub(super) static HEADERS: &[&MessageType] = &[
    &REQUEST_HEADER,
    &TRACE_INFO,
    &CALLER_CONTEXT,
    &RESPONSE_HEADER,
    &CONNECTION_CONTEXT,
    &USER_INFORMATION,
    &SASL,
    &SASL_AUTH,
    &CREDENTIALS,
    &CREDENTIALS_KV,
    &CALL_HEADER,
];

const RPC_KINDS: &[(i64, &str)] =
    &[(0, "RPC_BUILTIN"), (1, "RPC_WRITABLE"), (2, "RPC_PROTOCOL_BUFFER")];
const OPERATIONS: &[(i64, &str)] =
    &[(0, "RPC_FINAL_PACKET"), (1, "RPC_CONTINUATION_PACKET"), (2, "RPC_CLOSE_CONNECTION")];
const STATUSES: &[(i64, &str)] = &[(0, "SUCCESS"), (1, "ERROR"), (2, "FATAL")];
pub(super) const ERROR_CODES: &[(i64, &str)] = &[
    (1, "ERROR_APPLICATION"),
    (2, "ERROR_NO_SUCH_METHOD"),
    (3, "ERROR_NO_SUCH_PROTOCOL"),
    (4, "ERROR_RPC_SERVER"),
    (5, "ERROR_SERIALIZING_RESPONSE"),
    (6, "ERROR_RPC_VERSION_MISMATCH"),
    (10, "FATAL_UNKNOWN"),
    (11, "FATAL_UNSUPPORTED_SERIALIZATION"),
    (12, "FATAL_INVALID_RPC_HEADER"),
    (13, "FATAL_DESERIALIZING_REQUEST"),
    (14, "FATAL_VERSION_MISMATCH"),
    (15, "FATAL_UNAUTHORIZED"),
];
const SASL_STATES: &[(i64, &str)] = &[
    (0, "SUCCESS"),
    (1, "NEGOTIATE"),
    (2, "INITIATE"),
    (3, "CHALLENGE"),
    (4, "RESPONSE"),
    (5, "WRAP"),
];
