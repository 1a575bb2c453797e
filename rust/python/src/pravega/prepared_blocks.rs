//! Blocks of events that are encoded when the events are added.

use std::ops::Range;

use jvmwire_codec::{fixed::Uuid, pravega::PreparedBlocks};
use pyo3::{prelude::*, types::PyList};

use crate::ffi::{SharedBytes, small_bytes};

/// Encoded blocks, and their events until these are stored.
pub(super) struct SerializedBlocks {
    bytes: SharedBytes,
    blocks: PreparedBlocks,
    /// Last sending: the writer, the number of the event before the blocks, and the request id.
    sent: Option<(Uuid, i64, i64)>,
}

impl SerializedBlocks {
    /// Fills blocks with the small events of a list, from `index` on.
    pub(super) fn new(
        list: &Bound<'_, PyList>,
        index: usize,
        longest: usize,
        mut blocks: PreparedBlocks,
    ) -> PyResult<Self> {
        let bytes = SharedBytes::new(blocks.room(longest), |room| {
            let put = |one: &[u8], other: &[u8]| room.put(one, other);
            small_bytes(list, index, longest, |events| blocks.fill(events, put));
            blocks.len()
        })?;
        Ok(Self { bytes, blocks, sent: None })
    }

    pub(super) fn count(&self) -> usize {
        self.blocks.count()
    }

    pub(super) fn bytes(&self, events: Range<usize>) -> usize {
        self.blocks.bytes(events)
    }

    #[inline]
    pub(super) fn each<'a>(&'a self, events: Range<usize>, take: impl FnMut(&'a [u8])) {
        self.blocks.each(&self.bytes, events, take);
    }

    /// Returns the bytes to send; `last` is the number of the event before them.
    pub(super) fn sent<'py>(
        &mut self,
        py: Python<'py>,
        writer: Uuid,
        last: i64,
        request_id: i64,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sent = Some((writer, last, request_id));
        if self.sent != sent {
            let bytes = self.bytes.edit();
            self.blocks.frame(writer, last, request_id, |at, frame| {
                bytes[at..at + frame.len()].copy_from_slice(frame);
            });
            self.sent = sent;
        }
        self.bytes.share(py)
    }
}
