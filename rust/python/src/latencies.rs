use arrow_array::BinaryArray;
use jvmwire_capture::Latencies;
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyBytes};

use crate::{border::Imported, error::PyCoreError};

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

    /// The sketch of all times in those that were packed, an Arrow array of binary.
    #[staticmethod]
    #[pyo3(signature = (packed, /))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn unpack(packed: Imported) -> PyResult<Self> {
        let packed = packed.0.as_any().downcast_ref::<BinaryArray>();
        let packed = packed.ok_or_else(|| PyTypeError::new_err("an array of binary is needed"))?;
        let mut made = Latencies::default();
        for part in packed.iter().flatten() {
            made.merge_packed(part).map_err(|error| PyCoreError::Argument(error.to_string()))?;
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
