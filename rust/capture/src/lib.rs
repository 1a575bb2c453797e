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

mod decode;
mod dump;
mod error;
mod file;
#[cfg(test)]
mod laws;
mod limits;
mod net;
mod output;
mod overlap;
mod protocol;
mod state;
mod stream;
mod tables;
mod traffic;
mod writer;

pub use decode::CaptureDecoder;
pub use dump::{DumpDecoder, DumpOf};
pub use error::{CaptureError, Result};
pub use file::compression::Decompressor;
pub use file::{CaptureReader, MAX_BLOCK_LEN, MAX_INTERFACES, MAX_PACKET_LEN, Packet};
pub use limits::{MAX_MEMORY, READY_LIMIT};
pub use net::connection::{Ending, Endpoints, SideSummary, StreamSink, StreamSummary};
pub use net::connection_table::{Connections, Limits, MAX_CONNECTIONS, MAX_HELD, MAX_REMEMBERED};
pub use net::packet::{Flags, Fragment, FragmentedPacket, PacketContent, Segment};
pub use net::skipped::{SkipReason, SkippedPackets};
pub use net::tcp::{Direction, Event, MAX_HELD_PER_DIRECTION, MAX_REMEMBERED_PER_DIRECTION};
pub use output::OutputOptions;
pub use protocol::{Assumed, AssumedError, Protocol};
pub use state::{MAX_STATE, StateError};
pub use tables::Table;
pub use tables::call_filter::CallFilter;
pub use tables::filter::{Comparison, Condition, Constant, ViewError};
pub use tables::jsonl::write_jsonl;
pub use tables::pooled_buffer::lent;
pub use tables::redaction::Redaction;
pub use tables::sort::{SortError, Sorted, Sorter};
pub use tables::view::View;
pub use traffic::grouping::{directories_of, jobs_of};
pub use traffic::input::TrafficError;
pub use traffic::latencies::{Latencies, SketchError};
pub use traffic::merge::MergedTraffic;
pub use writer::{CaptureWriter, ConnectionId};
