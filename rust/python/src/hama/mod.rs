//! What a Hama child needs: lines cut out of its input, many at once.

use jvmwire_codec::hama::{LINE_LIMIT, LineReader};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::error::PyCoreError;

/// Cuts Hama's stream into lines.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HamaDecoder(LineReader);

#[pymethods]
impl HamaDecoder {
    #[new]
    #[pyo3(signature = (*, limit=LINE_LIMIT))]
    fn new(limit: usize) -> Self {
        Self(LineReader::new(limit))
    }

    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    #[pyo3(signature = (count, /))]
    fn take_lines<'py>(
        &mut self,
        py: Python<'py>,
        count: usize,
    ) -> Result<Bound<'py, PyList>, PyCoreError> {
        let mut lines = Vec::new();
        self.0.take_lines(count, |line| lines.push(PyBytes::new(py, line)))?;
        Ok(PyList::new(py, lines)?)
    }

    fn take_byte(&mut self) -> Option<u8> {
        self.0.take_byte()
    }

    /// How many bytes were not taken.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}
