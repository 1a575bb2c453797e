//! State of a Hadoop call until its reply.

use serde::{Deserialize, Serialize};

use super::Method;

/// What the request says, and the reply does not.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct OpenCall {
    pub(super) engine: Engine,
    /// If it is one that we have a table of.
    pub(super) method: Option<&'static Method>,
}

/// What serialises a call's arguments and its result: `RpcKindProto`.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Engine {
    /// `WritableRpcEngine`.
    Writable,
    /// `ProtobufRpcEngine2`, and the one before it.
    Protobuf,
}
