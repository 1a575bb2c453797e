//! The table `calls`: one row per request, joined with its reply.

use super::table::{Int32, Int64, Text, Timestamp, table};

table! {
    /// Row of `calls`.
    row CallRow;
    /// The table `calls`.
    rows Calls, full_by [target, attributes, name, user, error_class];
    /// Name of the protocol.
    protocol: Text,
    /// Number of the connection.
    stream: Int64,
    /// Address and port of the client.
    client: Option<Text>,
    /// Address and port of the server.
    server: Option<Text>,
    /// Id that request and reply share.
    id: Option<Text>,
    /// User of the connection.
    user: Option<Text>,
    /// Interface and method.
    name: Text,
    /// Object of the call: a path, a segment, a structure.
    target: Option<Text>,
    /// Offset of the request in the client's bytes.
    request_offset: Int64,
    /// Offset of the reply in the server's bytes; none without a reply.
    reply_offset: Option<Int64>,
    /// Length of the request on the wire.
    request_bytes: Int64,
    /// Length of the reply on the wire.
    reply_bytes: Option<Int64>,
    /// Time at which the request was complete.
    start: Option<Timestamp>,
    /// Time from then to the reply's last byte.
    latency_us: Option<Int64>,
    /// Status: `ok error fatal lost`.
    status: Text,
    /// Java class of the exception.
    error_class: Option<Text>,
    /// Number of earlier attempts of the client.
    retry: Option<Int32>,
    /// Other properties of the protocol, as a JSON object.
    attributes: Option<Text>,
}
