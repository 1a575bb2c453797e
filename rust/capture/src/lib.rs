//! Captured traffic as tables.
//!
//! The lower half, from bytes to streams, is a chain of pushes; nothing here reads a file or a clock:
//!
//! ```text
//! Decompressor -> CaptureReader -> Connections (Fragments, Segment, Direction) -> StreamSink
//! ```
//!
//! [`CaptureWriter`] goes the other way: conversations become a capture.
//!
//! ```
//! use jvmwire_capture::{CaptureReader, Connections, Decompressor, StreamSink};
//!
//! # fn feed(chunks: &[&[u8]], sink: &mut impl StreamSink) -> jvmwire_capture::Result<()> {
//! let mut decompressor = Decompressor::new();
//! let mut reader = CaptureReader::new();
//! let mut connections = Connections::new();
//! let mut read = |bytes: &[u8]| reader.feed(bytes, &mut |packet| connections.packet(&packet, sink));
//! for chunk in chunks {
//!     decompressor.feed(chunk, &mut read)?;
//! }
//! decompressor.finish(&mut read)?;
//! let end = reader.finish();
//! connections.finish(sink); // what was whole before an error counts
//! end
//! # }
//! ```

mod calls;
mod carried;
mod carry;
mod compression;
mod condition;
mod connection;
mod connections;
mod decode;
mod dump;
mod error;
mod explain;
mod fields;
mod file;
mod fragments;
mod given_traffic;
mod json_text;
mod jsonl;
mod latencies;
#[cfg(test)]
mod laws;
mod lent;
mod merged_traffic;
mod open_call;
mod open_calls;
mod output;
mod packet;
mod protocol;
mod redaction;
mod repeats;
mod roster;
mod sort;
mod state;
mod stream;
mod streams;
mod tables;
mod tcp;
mod told;
mod traffic;
mod traffic_shard;
mod view;
mod words;
mod writer;

pub use compression::Decompressor;
pub use condition::{Comparison, Condition, Constant};
pub use connection::{Ending, Endpoints, SideSummary, StreamSink, StreamSummary};
pub use connections::{
    Connections, Limits, MAX_CONNECTIONS, MAX_HELD, MAX_MEMORY, MAX_REMEMBERED, SkippedPackets,
};
pub use decode::{CaptureDecoder, READY_LIMIT};
pub use dump::{DumpDecoder, DumpOf};
pub use error::{CaptureError, Result};
pub use file::{CaptureReader, MAX_BLOCK_LEN, MAX_INTERFACES, MAX_PACKET_LEN, Packet};
pub use jsonl::write_jsonl;
pub use latencies::{Latencies, NotLatencies};
pub use lent::lent;
pub use merged_traffic::{MergedTraffic, NotTraffic};
pub use output::Wanted;
pub use packet::{Carried, Flags, Fragment, FragmentedPacket, Segment, Skipped};
pub use protocol::{Assumed, AssumedError, Protocol};
pub use redaction::Redaction;
pub use sort::{SortError, Sorted, Sorter};
pub use state::{MAX_STATE, StateError};
pub use tables::{CallRow, Table};
pub use tcp::{Direction, Event, MAX_HELD_PER_DIRECTION, MAX_REMEMBERED_PER_DIRECTION};
pub use view::{View, ViewError};
pub use writer::{CaptureWriter, ConnectionId};
