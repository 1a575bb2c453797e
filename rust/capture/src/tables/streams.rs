//! The table `streams`: one row per connection.

use super::table::{Int64, Text, Timestamp, table};

table! {
    /// Row of `streams`.
    row StreamRow;
    /// The table `streams`.
    rows Streams, full_by [];
    stream: Int64,
    protocol: Text,
    client: Option<Text>,
    server: Option<Text>,
    start: Option<Timestamp>,
    end: Option<Timestamp>,
    client_bytes: Option<Int64>,
    server_bytes: Option<Int64>,
    client_packets: Option<Int64>,
    server_packets: Option<Int64>,
    client_lost_bytes: Option<Int64>,
    server_lost_bytes: Option<Int64>,
    client_retransmitted_bytes: Option<Int64>,
    server_retransmitted_bytes: Option<Int64>,
    client_differing_bytes: Option<Int64>,
    server_differing_bytes: Option<Int64>,
    messages: Option<Int64>,
    errors: Option<Int64>,
    ended: Text,
}
