//! Hazelcast's Open Binary Client Protocol 1.x: `"CB2"`, then frames of messages: requests of the client, and
//! responses and events of members. Each message type is found by its number in one table.

mod connection;
pub mod data;
mod expected;
mod fields;
mod frames;
mod generated;
mod resync;
mod secrets;
mod tables;

pub use connection::Connection;
pub use expected::EXPECTED;
pub use fields::{FieldBuilder, Group, Writer, gather, read_message};
pub use frames::{EVENT, HEADER_LEN, Header, MessageDecoder, WholeMessage, encode_message};
pub use secrets::secrets_of;
pub use tables::{
    Choice, Field, Kind, MessageType, Partition, Role, message_named, message_type, message_types,
};

/// First bytes of a client.
pub const PREAMBLE: &[u8; 3] = b"CB2";
/// Default ports of members: 5701 and the two after it.
pub const PORTS: [u16; 3] = [5701, 5702, 5703];
/// Maximum size of a message on a captured connection (chosen by jvmwire; the protocol has no limit for
/// responses).
pub const MESSAGE_LIMIT: usize = 64 << 20;
