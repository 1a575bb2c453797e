//! What a Storm component needs: messages cut out of its input, many at once.

use jvmwire_codec::storm::{BatchDecoder, MESSAGE_LIMIT};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::error::PyCoreError;

/// Cuts Storm's stream into messages.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct StormDecoder(BatchDecoder);

#[pymethods]
impl StormDecoder {
    #[new]
    #[pyo3(signature = (*, limit=MESSAGE_LIMIT))]
    fn new(limit: usize) -> Self {
        Self(BatchDecoder::new(limit))
    }

    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    /// All whole messages as one JSON array, how many they are, and whether an integer among them
    /// may not fit 64 bits.
    fn next_batch<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<(Bound<'py, PyBytes>, usize, bool), PyCoreError> {
        let batch = self.0.next_batch()?;
        Ok((PyBytes::new(py, &batch.json), batch.count, batch.wide))
    }

    /// The messages of the latest batch, each by itself.
    fn latest<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let messages: Vec<_> = self.0.latest().map(|it| PyBytes::new(py, it)).collect();
        PyList::new(py, messages)
    }

    /// How many bytes wait for the end of their message.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}
