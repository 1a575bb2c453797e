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

    /// The sketch of times that were taken by so many calls each, or of another's bins.
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
