//! Copy of a held segment.

use std::net::SocketAddr;

use serde::{Deserialize, Serialize};

use crate::net::packet::{Flags, Segment};

/// Segment that was captured before the bytes that it acknowledges, or before the SYN of its connection.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct HeldSegment {
    source: SocketAddr,
    destination: SocketAddr,
    sequence: u32,
    acknowledgement: u32,
    flags: u8,
    window: u16,
    window_scale: Option<u8>,
    network: u32,
    #[serde(with = "serde_bytes")]
    payload: Box<[u8]>,
    missing: u32,
    pub(crate) ts: Option<i64>,
}

impl HeldSegment {
    pub(crate) fn new(segment: &Segment<'_>, ts: Option<i64>) -> Self {
        Self {
            source: segment.source,
            destination: segment.destination,
            sequence: segment.sequence,
            acknowledgement: segment.acknowledgement,
            flags: segment.flags.0,
            window: segment.window,
            window_scale: segment.window_scale,
            network: segment.network,
            payload: segment.payload.into(),
            missing: u32::try_from(segment.missing).unwrap_or(u32::MAX),
            ts,
        }
    }

    pub(crate) fn segment(&self) -> Segment<'_> {
        Segment {
            source: self.source,
            destination: self.destination,
            sequence: self.sequence,
            acknowledgement: self.acknowledgement,
            flags: Flags(self.flags),
            window: self.window,
            window_scale: self.window_scale,
            network: self.network,
            payload: &self.payload,
            missing: usize::try_from(self.missing).unwrap_or(usize::MAX),
        }
    }

    /// Number of bytes of memory of the segment.
    pub(crate) fn cost(&self) -> usize {
        size_of::<Self>() + self.payload.len()
    }
}
