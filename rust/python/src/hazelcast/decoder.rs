//! Decoder of a Hazelcast connection.

use std::{
    collections::{BTreeMap, VecDeque},
    ops::Range,
};

use jvmwire_codec::{
    Cursor,
    hazelcast::{EVENT, MessageDecoder, WholeMessage, read_message},
};
use pyo3::{
    prelude::*,
    types::{PyList, PyTuple},
};

use super::{entry_columns::HazelcastEntryColumns, messages::Objects};
use crate::{count::Count, error::PyCoreError};

/// Type, correlation id, whether the message is an event, and fields. The fields are None for an unknown type
/// and for a discarded response. For responses to a batch: 0, the first id of the batch, false, and the number
/// of responses.
type DecodedMessage<'py> = (u16, i64, bool, Option<Bound<'py, PyAny>>);

/// Decoder of the bytes that one peer writes.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HazelcastDecoder {
    decoder: MessageDecoder,
    /// Batches with missing responses, by the first of their ids.
    batches: BTreeMap<i64, Batch>,
    /// Abandoned batches, in the order in which they were abandoned.
    given_up: VecDeque<i64>,
    /// Columns that gather a response, by the id of its request.
    gathering: BTreeMap<i64, Py<HazelcastEntryColumns>>,
    /// Error in the bytes after the messages that were returned.
    wrong: Option<PyCoreError>,
}

#[pymethods]
impl HazelcastDecoder {
    #[new]
    #[pyo3(signature = (*, limit))]
    fn new(limit: usize) -> Self {
        let decoder = MessageDecoder::new(limit);
        Self {
            decoder,
            batches: BTreeMap::new(),
            given_up: VecDeque::new(),
            gathering: BTreeMap::new(),
            wrong: None,
        }
    }

    /// Appends the next bytes of the stream.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.decoder.feed(data);
    }

    /// Stores the responses to the requests from `first_id` on in `replies`.
    #[pyo3(signature = (first_id, replies, /))]
    fn expect(&mut self, py: Python<'_>, first_id: i64, replies: Py<HazelcastReplies>) {
        let (len, missing) = {
            let replies = replies.borrow(py);
            (replies.values.len(), replies.missing)
        };
        let ids = first_id..first_id.saturating_add(i64::try_from(len).unwrap_or(i64::MAX));
        self.batches.insert(first_id, Batch { ids, missing, replies: Some(replies) });
    }

    /// Gathers the list in the response to request `call_id` into `columns`, and returns the list's length in
    /// its place.
    #[pyo3(signature = (call_id, columns, /))]
    fn gather(&mut self, call_id: i64, columns: Py<HazelcastEntryColumns>) {
        self.gathering.insert(call_id, columns);
    }

    /// Takes all complete messages.
    fn next_messages<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Vec<DecodedMessage<'py>>, PyCoreError> {
        if let Some(wrong) = self.wrong.take() {
            return Err(wrong);
        }
        let mut map_decode_error = Vec::new();
        let mut run = Run { first_id: 0, count: 0 };
        let ended = loop {
            match self.next_message(py) {
                Ok(Some((kind, id, false, Some(fields)))) => {
                    match self.answer(py, kind, id, &fields) {
                        Ok(Some(first_id)) if run.count > 0 && run.first_id == first_id => {
                            run.count += 1;
                        }
                        Ok(Some(first_id)) => {
                            run.end(py, &mut map_decode_error)?;
                            run = Run { first_id, count: 1 };
                        }
                        Ok(None) => {
                            run.end(py, &mut map_decode_error)?;
                            map_decode_error.push((kind, id, false, Some(fields)));
                        }
                        Err(wrong) => break Some(wrong),
                    }
                }
                Ok(Some(message)) => {
                    run.end(py, &mut map_decode_error)?;
                    map_decode_error.push(message);
                }
                Ok(None) => break None,
                Err(wrong) => break Some(wrong),
            }
        };
        run.end(py, &mut map_decode_error)?;
        match ended {
            Some(wrong) if map_decode_error.is_empty() => Err(wrong),
            wrong => {
                self.wrong = wrong;
                Ok(map_decode_error)
            }
        }
    }

    /// Discards the response to a request, or the responses to the batch that begins with it; the responses are
    /// still counted.
    #[pyo3(signature = (correlation_id, /))]
    fn forget(&mut self, correlation_id: i64) {
        let Some(batch) = self.batches.get_mut(&correlation_id) else {
            self.gathering.remove(&correlation_id);
            self.decoder.forget(correlation_id);
            return;
        };
        if batch.replies.take().is_some() {
            batch.ids.clone().for_each(|id| self.decoder.forget(id));
            if self.given_up.len() >= MAX_GIVEN_UP {
                self.given_up.retain(|id| self.batches.contains_key(id));
            }
            if self.given_up.len() >= MAX_GIVEN_UP {
                self.given_up.pop_front().and_then(|oldest| self.batches.remove(&oldest));
            }
            self.given_up.push_back(correlation_id);
        }
    }

    /// Number of bytes that are not part of a complete message.
    #[getter]
    fn buffered(&self) -> usize {
        self.decoder.buffered()
    }

    /// Whether no message is returned before more bytes are fed.
    #[getter]
    fn spent(&self) -> bool {
        self.wrong.is_none()
    }
}

impl HazelcastDecoder {
    /// Stores a response in the batch that awaits it; returns the batch.
    fn answer(
        &mut self,
        py: Python<'_>,
        kind: u16,
        id: i64,
        fields: &Bound<'_, PyAny>,
    ) -> Result<Option<i64>, PyCoreError> {
        let Some((&first_id, batch)) = self.batches.range_mut(..=id).next_back() else {
            return Ok(None);
        };
        if !batch.ids.contains(&id) {
            return Ok(None);
        }
        if let Some(replies) = &batch.replies {
            let index = usize::try_from(id - first_id).unwrap_or(usize::MAX);
            replies.borrow_mut(py).take(index, kind, fields)?;
        }
        batch.missing -= 1;
        if batch.missing == 0 {
            self.batches.remove(&first_id);
        }
        Ok(Some(first_id))
    }

    fn next_message<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<DecodedMessage<'py>>, PyCoreError> {
        let gathering = &mut self.gathering;
        let tell = |whole: WholeMessage<'_>| {
            let header = whole.header;
            let Some(fields) = whole.fields else {
                let none = PyTuple::empty(py).into_any();
                return Ok((header.kind, header.correlation_id, false, Some(none)));
            };
            let mut cursor = Cursor::at(fields, header.data_offset);
            let columns =
                if gathering.is_empty() { None } else { gathering.remove(&header.correlation_id) };
            let read = |kind| match columns.as_ref().map(|it| it.borrow_mut(py)) {
                Some(mut it) if it.kind == header.kind => it.read(kind, &mut cursor, py),
                _ => read_message(kind, &mut cursor, &mut Objects(py)),
            };
            let fields = whole.kind.map(read).transpose()?;
            Ok((header.kind, header.correlation_id, header.flags & EVENT != 0, fields))
        };
        self.decoder.next_message(tell)?.transpose()
    }
}

/// Maximum number of abandoned batches whose responses are awaited (chosen by jvmwire): the same number that a
/// client's connection counts.
const MAX_GIVEN_UP: usize = 65_536;

/// Requests whose responses are returned together.
struct Batch {
    ids: Range<i64>,
    /// Number of missing responses.
    missing: usize,
    /// Destination of the responses; `None` if the batch was abandoned.
    replies: Option<Py<HazelcastReplies>>,
}

/// Consecutive responses to one batch.
struct Run {
    first_id: i64,
    count: usize,
}

impl Run {
    fn end<'py>(
        &mut self,
        py: Python<'py>,
        map_decode_error: &mut Vec<DecodedMessage<'py>>,
    ) -> PyResult<()> {
        if self.count > 0 {
            let count = self.count.into_pyobject(py)?.into_any();
            map_decode_error.push((0, self.first_id, false, Some(count)));
            self.count = 0;
        }
        Ok(())
    }
}

/// Responses to a batch of requests, in the order of the requests.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HazelcastReplies {
    /// Message type that a response must have.
    kind: u16,
    values: Vec<Option<Py<PyAny>>>,
    failures: Vec<(usize, u16, Py<PyAny>)>,
    missing: usize,
}

#[pymethods]
impl HazelcastReplies {
    #[new]
    #[pyo3(signature = (count, kind, /))]
    fn new(count: Count, kind: u16) -> PyResult<Self> {
        let mut values = count.room()?;
        values.resize_with(count.get(), || None);
        Ok(Self { kind, values, failures: Vec::new(), missing: count.get() })
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    /// Number of missing responses.
    #[getter]
    fn missing(&self) -> usize {
        self.missing
    }

    /// Returns the first field of each response; None for a response without fields.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.values.iter().map(|value| value.as_ref().map(|it| it.bind(py))))
    }

    /// Lists the responses of another type than expected: index, type and fields.
    fn failures(&self, py: Python<'_>) -> Vec<(usize, u16, Py<PyAny>)> {
        self.failures.iter().map(|(at, kind, it)| (*at, *kind, it.clone_ref(py))).collect()
    }
}

impl HazelcastReplies {
    fn take(
        &mut self,
        index: usize,
        kind: u16,
        fields: &Bound<'_, PyAny>,
    ) -> Result<(), PyCoreError> {
        let py = fields.py();
        if self.values[index].is_some() || self.missing == 0 {
            let text = format!("a second answer to request {index} of a batch");
            return Err(wrong(text));
        }
        self.missing -= 1;
        if kind == self.kind {
            let fields = fields.cast::<PyTuple>().map_err(PyErr::from)?;
            let first =
                if fields.is_empty() { py.None().into_bound(py) } else { fields.get_item(0)? };
            self.values[index] = Some(first.unbind());
        } else {
            self.values[index] = Some(py.None());
            self.failures.push((index, kind, fields.clone().unbind()));
        }
        Ok(())
    }
}

fn wrong(message: String) -> PyCoreError {
    PyCoreError::Decode { message, what: "message", offset: None, value: None }
}
