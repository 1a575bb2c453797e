//! The table `calls`: one row per request, joined with its reply.

use super::table::{Int32, Int64, Text, Timestamp, table};

table! {
    /// A row of `calls`.
    row CallRow;
    /// The table `calls`.
    rows Calls, full_by [target, attributes, name, user, error_class];
    /// The protocol's name.
    protocol: Text,
    /// The connection's number.
    stream: Int64,
    /// Address and port of the client.
    client: Option<Text>,
    /// Address and port of the server.
    server: Option<Text>,
    /// The id that request and reply share.
    id: Option<Text>,
    /// The user of the connection.
    user: Option<Text>,
    /// Interface and method.
    name: Text,
    /// What the call is about: a path, a segment, a structure.
    target: Option<Text>,
    /// Where in the client's bytes the request begins.
    request_offset: Int64,
    /// Where in the server's bytes the reply begins; none if it never came.
    reply_offset: Option<Int64>,
    /// The request's length on the wire.
    request_bytes: Int64,
    /// The reply's length on the wire.
    reply_bytes: Option<Int64>,
    /// When the request was complete.
    start: Option<Timestamp>,
    /// From then to the reply's last byte.
    latency_us: Option<Int64>,
    /// `ok error fatal lost`.
    status: Text,
    /// The Java class of the exception.
    error_class: Option<Text>,
    /// How often the client had sent the call before.
    retry: Option<Int32>,
    /// What else the protocol says, as a JSON object.
    attributes: Option<Text>,
}
