use jvmwire_capture::Latencies;
use pyo3::{prelude::*, types::PyBytes};

use crate::error::PyCoreError;

/// How long calls took, in microseconds: a sketch.
#[pyclass(module = "jvmwire._core", name = "LatencySketch")]
#[derive(Default)]
pub(crate) struct LatencySketch(Latencies);

#[pymethods]
impl LatencySketch {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// The sketch of times that were taken by so many calls each.
    #[staticmethod]
    #[pyo3(signature = (times, /))]
    fn of(times: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut made = Latencies::default();
        for time in times.try_iter()? {
            let (micros, calls) = time?.extract()?;
            made.add(micros, calls);
        }
        Ok(Self(made))
    }

    /// The sketch of all times in those that were packed.
    #[staticmethod]
    #[pyo3(signature = (packed, /))]
    fn unpack(packed: &Bound<'_, PyAny>) -> Result<Self, PyCoreError> {
        let mut made = Latencies::default();
        for part in packed.try_iter()? {
            let part = part?;
            let part = Latencies::unpack(part.cast::<PyBytes>().map_err(PyErr::from)?.as_bytes());
            made.merge(&part.map_err(|error| PyCoreError::Argument(error.to_string()))?);
        }
        Ok(Self(made))
    }

    fn pack<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.pack())
    }

    #[getter]
    fn calls(&self) -> u64 {
        self.0.calls()
    }

    #[getter]
    fn longest(&self) -> i64 {
        self.0.longest()
    }

    fn bins(&self) -> Vec<(i64, u64)> {
        self.0.bins().collect()
    }

    fn quantile(&self, share: f64) -> i64 {
        self.0.quantile(share)
    }

    fn above(&self, micros: i64) -> u64 {
        self.0.above(micros)
    }
}
