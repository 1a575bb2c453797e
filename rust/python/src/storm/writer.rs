//! Writer of a bolt's commands.

use std::collections::HashMap;

use jvmwire_codec::storm::BoltWriter;
use pyo3::{
    prelude::*,
    types::{PyByteArray, PyList, PyString, PyTuple},
};

use super::json::Json;

/// Commands of a bolt, gathered for one write, and the tuples that it has yet to ack or fail.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct StormBoltWriter(BoltWriter);

#[pymethods]
impl StormBoltWriter {
    #[new]
    fn new() -> Self {
        Self(BoltWriter::default())
    }

    /// Takes emits from now on, to these streams of so many fields.
    #[pyo3(signature = (streams, /))]
    fn open(&mut self, streams: Option<HashMap<String, usize>>) {
        self.0.open(streams);
    }

    /// Notes that these tuples have come.
    #[pyo3(signature = (ids, /))]
    fn expect(&mut self, ids: &Bound<'_, PyList>) -> PyResult<()> {
        for id in ids {
            self.0.expect(id.cast::<PyString>()?.to_str()?);
        }
        Ok(())
    }

    #[pyo3(signature = (id, /))]
    fn is_pending(&self, id: &str) -> bool {
        self.0.is_pending(id)
    }

    /// Notes that something is said of a tuple; whether nothing was before.
    #[pyo3(signature = (id, /))]
    fn end(&mut self, id: &str) -> bool {
        self.0.end(id)
    }

    /// Adds an emit, and returns how many bytes wait; None if it adds none, as something is rare or
    /// wrong.
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

    /// Acks those of the tuples that are pending; returns how many.
    #[pyo3(signature = (ids, /))]
    fn ack(&mut self, ids: &Bound<'_, PyList>) -> PyResult<usize> {
        let held: Vec<_> = ids.iter().collect();
        let ids: PyResult<Vec<_>> = held.iter().map(|id| id.cast::<PyString>()?.to_str()).collect();
        Ok(self.0.ack(ids?))
    }

    /// Adds whole messages.
    #[pyo3(signature = (messages, /))]
    fn extend(&mut self, messages: &[u8]) {
        self.0.extend(messages);
    }

    /// Takes the waiting bytes.
    fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyByteArray> {
        self.0.take(|said| PyByteArray::new(py, said))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}
