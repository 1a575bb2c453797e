//! State of a Hadoop call until its reply.

use serde::{Deserialize, Serialize};

use super::Method;

/// Fields of the request that the reply does not repeat.
#[derive(Clone, Copy, Debug, Deserialize, Serialize)]
pub(super) struct OpenCall {
    pub(super) engine: Engine,
    /// Method, if a generated table has it.
    pub(super) method: Option<&'static Method>,
}

/// Serialisation of a call's arguments and its result: `RpcKindProto`.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub enum Engine {
    /// `WritableRpcEngine`.
    Writable,
    /// `ProtobufRpcEngine2`, and its predecessor.
    Protobuf,
}
