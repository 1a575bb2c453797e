//! Events of writers, until they are stored.

use std::ops::Range;

use arrow_array::{Array as _, BinaryArray, types::Int64Type};
use jvmwire_codec::{fixed::Uuid, frame::BinaryColumn, pravega};
use pyo3::{
    prelude::*,
    pybacked::PyBackedBytes,
    types::{PyBytes, PyList},
};

use super::{
    prepared_blocks::SerializedBlocks,
    values::{held, uuid_bytes},
};
use crate::{
    codec::{Array, binary_array},
    error::PyCoreError,
    ffi::{ArrowInput, ByteStrings, BytesInput, SharedBytes, small_bytes},
};

/// Batch of events in the memory of their owners: byte strings and Arrow arrays are immutable. Small events of
/// a list are copied: into blocks that are ready to be sent, as long as the blocks become full, and into an
/// array.
enum Batch {
    One(PyBackedBytes),
    List(ByteStrings),
    Arrow(BinaryArray),
    SerializedBlocks(SerializedBlocks),
}

impl pravega::Batch for Batch {
    fn count(&self) -> usize {
        match self {
            Self::One(_) => 1,
            Self::List(events) => events.len(),
            Self::Arrow(events) => events.len(),
            Self::SerializedBlocks(events) => events.count(),
        }
    }

    fn bytes(&self, events: Range<usize>) -> usize {
        match self {
            Self::One(event) => event.len() * events.len(),
            Self::List(list) => list.bytes(events),
            Self::Arrow(array) => {
                let offsets = array.value_offsets();
                let len = i64::from(offsets[events.end]) - i64::from(offsets[events.start]);
                usize::try_from(len).unwrap_or_default()
            }
            Self::SerializedBlocks(ready) => ready.bytes(events),
        }
    }

    #[inline]
    fn each<'a>(&'a self, events: Range<usize>, mut take: impl FnMut(&'a [u8])) {
        match self {
            Self::One(event) => events.for_each(|_| take(event)),
            Self::List(list) => list.each(events, take),
            Self::Arrow(array) => {
                let values = array.value_data();
                let mut offsets = array.value_offsets()[events.start..=events.end].iter();
                let at = |offset: &i32| usize::try_from(*offset).unwrap_or_default();
                let mut start = offsets.next().map(at).unwrap_or_default();
                for end in offsets.map(at) {
                    // Checked each time: they are kept for long, and offsets can be written to by force.
                    take(values.get(start..end).unwrap_or_default());
                    start = end;
                }
            }
            Self::SerializedBlocks(ready) => ready.each(events, take),
        }
    }

    fn is_ready(&self) -> bool {
        matches!(self, Self::SerializedBlocks(_))
    }
}

/// Queue of a writer's events, from their addition until they are stored.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct PravegaEvents {
    events: pravega::EventQueue<Batch>,
    /// Maximum number of bytes of a block, and the size of blocks that are sent together.
    limit: usize,
    enough: usize,
}

#[pymethods]
impl PravegaEvents {
    #[new]
    #[pyo3(signature = (limit, enough, /, *, bare=false))]
    fn new(limit: usize, enough: usize, bare: bool) -> Self {
        let events =
            if bare { pravega::EventQueue::bare() } else { pravega::EventQueue::default() };
        Self { events, limit, enough }
    }

    /// Number of events that are not stored.
    fn __len__(&self) -> usize {
        self.events.all().events
    }

    /// Number of bytes that the events take in a segment.
    #[getter]
    fn size(&self) -> usize {
        self.events.all().bytes
    }

    /// Number of events that are not sent.
    #[getter]
    fn unsent(&self) -> usize {
        self.events.unsent().events
    }

    /// Whether events must be sent now: nothing is in flight, or the events fill a block and less than `most`
    /// bytes are in flight.
    #[pyo3(signature = (most, /))]
    fn is_due(&self, most: usize) -> bool {
        let (all, unsent) = (self.events.all(), self.events.unsent());
        let is_alone = unsent.events == all.events;
        let is_full = unsent.bytes >= self.limit && all.bytes.saturating_sub(unsent.bytes) < most;
        unsent.events > 0 && (is_alone || is_full)
    }

    /// Adds an event; returns 1.
    #[pyo3(signature = (event, /))]
    fn push(&mut self, event: &Bound<'_, PyAny>) -> Result<usize, PyCoreError> {
        let event = held(event)?.into();
        self.events.push(Batch::One(event)).map_err(|(_, error)| error)?;
        Ok(1)
    }

    /// Adds all events of a list of byte strings or of a binary Arrow array, or none of them; returns their
    /// number.
    #[pyo3(signature = (events, /))]
    fn push_all(&mut self, events: &Bound<'_, PyAny>) -> Result<usize, PyCoreError> {
        let batches = match events.cast::<PyList>() {
            Ok(list) => match self.small(list)? {
                Some(batches) => batches,
                None => vec![Batch::List(list_of(list)?)],
            },
            Err(_) => vec![Batch::Arrow(events.extract::<ArrowInput>()?.binary()?.clone())],
        };
        let before = self.events.all().events;
        // Of several, all have small events, of which none is refused.
        for batch in batches {
            self.events.push(batch).map_err(|(index, error)| PyCoreError::from(error).at(index))?;
        }
        Ok(self.events.all().events - before)
    }

    /// Takes the next unsent events, as blocks of at most `limit` bytes: one block, and further full ones until
    /// there are `enough` bytes.
    ///
    /// Returns the encoded blocks and the number of their events.
    #[pyo3(signature = (writer_id, last_event_number, request_id, /))]
    fn next_blocks<'py>(
        &mut self,
        py: Python<'py>,
        writer_id: &Bound<'py, PyAny>,
        last_event_number: i64,
        request_id: i64,
    ) -> PyResult<(Bound<'py, PyAny>, usize)> {
        let writer = Uuid::from_be_bytes(uuid_bytes(writer_id)?);
        if let Some(Batch::SerializedBlocks(ready)) = self.events.next_ready() {
            let wire = ready.sent(py, writer, last_event_number, request_id)?;
            return Ok((wire, ready.count()));
        }
        let blocks = self.events.next_blocks(self.limit, self.enough);
        let wire = SharedBytes::new(blocks.len(), |room| {
            self.events.send(&blocks, writer, last_event_number, request_id, |one, other| {
                room.put(one, other);
            });
            room.fill();
            blocks.len()
        })?;
        Ok((wire.share(py)?, blocks.events()))
    }

    /// Marks the first `count` events as stored, if that many are sent; returns the number that are not.
    #[pyo3(signature = (count, /))]
    fn acknowledge(&mut self, count: usize) -> usize {
        let sent = self.events.all().events.saturating_sub(self.events.unsent().events);
        if count <= sent {
            self.events.release(count);
        }
        count.saturating_sub(sent)
    }

    /// Removes the first `count` events as stored, whether they were sent or not.
    #[pyo3(signature = (count, /))]
    fn release(&mut self, count: usize) {
        self.events.release(count);
    }

    /// Marks all events that are not stored as unsent.
    fn rewind(&mut self) {
        self.events.rewind();
    }

    /// Returns the events that are not stored, in order.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let mut events = Vec::with_capacity(self.events.all().events);
        self.events.each(|event| events.push(PyBytes::new(py, event)));
        PyList::new(py, events)
    }
}

impl PravegaEvents {
    /// Copies the events of a list; `None` if one of them is not a small `bytes` object.
    fn small(&self, list: &Bound<'_, PyList>) -> PyResult<Option<Vec<Batch>>> {
        // Where memory is made, the collector may run, and with it who takes events from the list.
        let left = |done: usize| list.len().saturating_sub(done);
        let mut batches = Vec::new();
        let mut done = 0;
        let first = small_bytes(list, 0, SMALL, |mut events| events.next().map(<[u8]>::len));
        let Some(mut len) = first else { return Ok(list.is_empty().then_some(batches)) };
        while let Some(blocks) = self.events.ready(left(done), len, self.limit, self.enough) {
            let ready = SerializedBlocks::new(list, done, SMALL, blocks)?;
            let count = ready.count();
            if count == 0 {
                break;
            }
            done += count;
            len = ready.bytes(0..count).div_ceil(count);
            batches.push(Batch::SerializedBlocks(ready));
        }
        let mut rest = BinaryColumn::new();
        rest.offsets.reserve(left(done));
        rest.values.reserve(len * left(done));
        let fit = small_bytes(list, done, SMALL, |mut events| {
            events.by_ref().all(|event| rest.push(event).is_ok()) && events.at_end()
        });
        batches.push(Batch::Arrow(binary_array(rest, None)));
        Ok(fit.then_some(batches))
    }
}

/// Maximum size of an event that is copied rather than referenced (chosen by jvmwire): a copy costs less up to
/// this size.
const SMALL: usize = 256;

/// Keeps the events of a list while they wait: immutable objects themselves, and copies of mutable ones.
fn list_of(list: &Bound<'_, PyList>) -> PyResult<ByteStrings> {
    if let Some(events) = ByteStrings::of_list(list) {
        return Ok(events);
    }
    let mut events = ByteStrings::with_capacity(list.len());
    for event in list.iter() {
        events.push(held(&event)?);
    }
    Ok(events)
}

/// Encoder of appends as blocks, as in Java's client.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct PravegaBlockEncoder(pravega::BlockEncoder);

#[pymethods]
impl PravegaBlockEncoder {
    #[new]
    #[pyo3(signature = (block_size, /))]
    fn new(block_size: usize) -> Self {
        Self(pravega::BlockEncoder::new(block_size))
    }

    /// Adds an event; returns the bytes to write, which may be empty.
    #[pyo3(signature = (writer_id, request_id, event_number, event, /))]
    fn append<'py>(
        &mut self,
        py: Python<'py>,
        writer_id: &Bound<'py, PyAny>,
        request_id: i64,
        event_number: i64,
        event: BytesInput<'_, '_>,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let writer = Uuid::from_be_bytes(uuid_bytes(writer_id)?);
        let mut out = Vec::new();
        event.peek(|event| self.0.append(writer, request_id, event_number, event, &mut out))?;
        Ok(PyBytes::new(py, &out))
    }

    /// Ends the block that is open, before another command or after an idle period; returns the bytes to write.
    fn finish<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let mut out = Vec::new();
        self.0.finish(&mut out);
        PyBytes::new(py, &out)
    }
}

/// Splitter of a segment's data into events.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct PravegaEventSplitter {
    splitter: pravega::EventSplitter,
    /// Error in the bytes after the events that were returned.
    failure: Option<PyCoreError>,
}

#[pymethods]
impl PravegaEventSplitter {
    #[new]
    #[pyo3(signature = (offset=0, /, *, limit=pravega::LARGE_EVENT_LIMIT))]
    fn new(offset: u64, limit: usize) -> Self {
        Self { splitter: pravega::EventSplitter::new(offset, limit), failure: None }
    }

    /// Takes the events that are complete with these bytes, as a binary array, and the offset at which each
    /// begins.
    #[pyo3(signature = (data, /))]
    fn feed(
        &mut self,
        py: Python<'_>,
        data: BytesInput<'_, '_>,
    ) -> Result<(Array, Array), PyCoreError> {
        let mut events = BinaryColumn::new();
        let offsets = data.read_detached(py, |data| {
            let first = self.splitter.offset();
            self.cut(data, &mut events)?;
            Ok::<_, PyCoreError>(pravega::offsets_of(&events, first))
        })?;
        Ok((Array::binary(events), Array::numbers::<Int64Type>(offsets)))
    }

    /// Takes the events that are complete with these bytes, as a list.
    #[pyo3(signature = (data, /))]
    fn feed_list<'py>(
        &mut self,
        py: Python<'py>,
        data: BytesInput<'_, '_>,
    ) -> Result<Bound<'py, PyList>, PyCoreError> {
        let mut events = BinaryColumn::new();
        data.read_detached(py, |data| self.cut(data, &mut events))?;
        let events: Vec<_> = events.iter().map(|event| PyBytes::new(py, event)).collect();
        Ok(PyList::new(py, events)?)
    }

    /// Raises the error in the bytes after the events that were returned last, if any.
    fn check(&mut self) -> Result<(), PyCoreError> {
        self.failure.take().map_or(Ok(()), Err)
    }

    /// Offset in the segment at which the next event begins.
    #[getter]
    fn offset(&self) -> u64 {
        self.splitter.offset()
    }

    /// Number of bytes that wait for the rest of their event.
    #[getter]
    fn buffered(&self) -> usize {
        self.splitter.buffered()
    }
}

impl PravegaEventSplitter {
    /// Takes the events before an error, and keeps the error for [`Self::check`].
    fn cut(&mut self, data: &[u8], events: &mut BinaryColumn) -> Result<(), PyCoreError> {
        self.check()?;
        match self.splitter.feed(data, events) {
            Err(error) if !events.is_empty() => self.failure = Some(error.into()),
            other => other?,
        }
        Ok(())
    }
}

/// Assembler of the parts of an append.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct PravegaAppendAssembler(pravega::AppendAssembler);

#[pymethods]
impl PravegaAppendAssembler {
    #[new]
    fn new() -> Self {
        Self(pravega::AppendAssembler::default())
    }

    /// Adds the data of an `AppendBlock`.
    #[pyo3(signature = (writer_id, data, /))]
    fn begin(&mut self, writer_id: &Bound<'_, PyAny>, data: &[u8]) -> Result<(), PyCoreError> {
        let writer = Uuid::from_be_bytes(uuid_bytes(writer_id)?);
        Ok(self.0.begin(writer, data)?)
    }

    /// Adds an `AppendBlockEnd`; returns the bytes that the append stores.
    #[pyo3(signature = (writer_id, size_of_whole_events, data, num_events, /))]
    fn end<'py>(
        &mut self,
        writer_id: &Bound<'py, PyAny>,
        size_of_whole_events: i32,
        data: &[u8],
        num_events: i32,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let writer = Uuid::from_be_bytes(uuid_bytes(writer_id)?);
        let stored = self.0.end(writer, size_of_whole_events, data, num_events)?;
        Ok(PyBytes::new(writer_id.py(), &stored))
    }

    /// Whether an `AppendBlock` waits for its end.
    #[getter]
    fn is_open(&self) -> bool {
        self.0.is_open()
    }
}
