//! Writer of a bolt's commands.

use std::collections::HashMap;

use jvmwire_codec::storm::BoltWriter;
use pyo3::{
    prelude::*,
    types::{PyByteArray, PyList, PyString, PyTuple},
};

use super::json::Json;

/// Writer of a bolt's commands, buffered for one write.
///
/// It also keeps the ids of the tuples that are not acked or failed yet.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct StormBoltWriter(BoltWriter);

#[pymethods]
impl StormBoltWriter {
    #[new]
    fn new() -> Self {
        Self(BoltWriter::default())
    }

    /// Accepts emits from now on, to these streams with their numbers of fields.
    #[pyo3(signature = (streams, /))]
    fn open(&mut self, streams: Option<HashMap<String, usize>>) {
        self.0.open(streams);
    }

    /// Records tuples as received, to be acked or failed.
    #[pyo3(signature = (ids, /))]
    fn expect(&mut self, ids: &Bound<'_, PyList>) -> PyResult<()> {
        for id in ids {
            self.0.expect(id.cast::<PyString>()?.to_str()?);
        }
        Ok(())
    }

    /// Returns whether a tuple is neither acked nor failed.
    #[pyo3(signature = (id, /))]
    fn is_pending(&self, id: &str) -> bool {
        self.0.is_pending(id)
    }

    /// Records a tuple as acked or failed; returns whether it was pending.
    #[pyo3(signature = (id, /))]
    fn end(&mut self, id: &str) -> bool {
        self.0.end(id)
    }

    /// Adds an emit, and returns the number of buffered bytes; None, with nothing added, if a value or the emit
    /// is unusual or invalid.
    #[pyo3(signature = (values, stream, anchors, /))]
    fn emit(
        &mut self,
        values: &Bound<'_, PyAny>,
        stream: Option<&Bound<'_, PyString>>,
        anchors: &Bound<'_, PyAny>,
    ) -> Option<usize> {
        // Nothing here makes an object that the collector looks at: no other thread comes between.
        let values_len = values.cast_exact::<PyList>().ok()?.len();
        let stream = stream.map(|name| name.to_str()).transpose().ok()?;
        let held: Vec<_> = match anchors.cast_exact::<PyTuple>() {
            Ok(tuple) => tuple.iter().collect(),
            Err(_) => anchors.cast_exact::<PyList>().ok()?.iter().collect(),
        };
        let ids: PyResult<Vec<_>> = held.iter().map(|id| id.cast::<PyString>()?.to_str()).collect();
        self.0.emit(Json::new(values), values_len, stream, &ids.ok()?).then(|| self.0.len())
    }

    /// Acks the pending ones of these tuples; returns their number.
    #[pyo3(signature = (ids, /))]
    fn ack(&mut self, ids: &Bound<'_, PyList>) -> PyResult<usize> {
        let held: Vec<_> = ids.iter().collect();
        let ids: PyResult<Vec<_>> = held.iter().map(|id| id.cast::<PyString>()?.to_str()).collect();
        Ok(self.0.ack(ids?))
    }

    /// Adds complete, encoded messages.
    #[pyo3(signature = (messages, /))]
    fn extend(&mut self, messages: &[u8]) {
        self.0.extend(messages);
    }

    /// Takes the buffered bytes.
    fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        self.0.take(|said| PyByteArray::new(py, said))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}
