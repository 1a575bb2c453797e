use jvmwire_capture::Latencies;
use pyo3::{prelude::*, types::PyBytes};

use crate::error::PyCoreError;

/// How long calls took, in microseconds: a sketch that merges.
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

    #[staticmethod]
    #[pyo3(signature = (packed, /))]
    fn unpack(packed: &[u8]) -> Result<Self, PyCoreError> {
        let made = Latencies::unpack(packed);
        Ok(Self(made.map_err(|error| PyCoreError::Argument(error.to_string()))?))
    }

    fn pack<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.pack())
    }

    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
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
