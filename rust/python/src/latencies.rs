use jvmwire_capture::Latencies;
use pyo3::prelude::*;

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

    #[pyo3(signature = (micros, calls = 1))]
    fn add(&mut self, micros: i64, calls: u64) {
        self.0.add(micros, calls);
    }

    fn merge(&mut self, other: &Self) {
        self.0.merge(&other.0);
    }

    #[getter]
    fn calls(&self) -> u64 {
        self.0.calls()
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
