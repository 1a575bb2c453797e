//! Latency sketches.

use arrow_array::{Array as _, BinaryArray};
use jvmwire_capture::{Latencies, SketchError};
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyBytes,
};

use crate::{error::PyCoreError, ffi::ArrowInput};

/// Sketch of the durations of calls, in microseconds.
#[pyclass(module = "jvmwire._core", name = "LatencySketch")]
#[derive(Default)]
pub(crate) struct LatencySketch(Latencies);

#[pymethods]
impl LatencySketch {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Builds a sketch from pairs of a duration and the number of calls that took it.
    #[staticmethod]
    #[pyo3(signature = (times, /))]
    fn from_times(times: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut made = Latencies::default();
        for time in times.try_iter()? {
            let (micros, calls) = time?.extract()?;
            made.add(micros, calls);
        }
        Ok(Self(made))
    }

    /// Merges the packed sketches of an Arrow array, one result per pair of neighbouring bounds.
    #[staticmethod]
    #[pyo3(signature = (packed, bounds, /))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn pool(packed: ArrowInput, bounds: Vec<usize>) -> PyResult<Vec<Self>> {
        let packed = packed.0.as_any().downcast_ref::<BinaryArray>();
        let packed = packed.ok_or_else(|| PyTypeError::new_err("an array of binary is needed"))?;
        if !bounds.is_sorted() || bounds.last().is_some_and(|last| *last > packed.len()) {
            let text = format!("bounds go up, to {} at most", packed.len());
            return Err(PyValueError::new_err(text));
        }
        let pools = bounds.windows(2).map(|ends| {
            let mut made = Latencies::default();
            for part in (ends[0]..ends[1]).filter(|at| packed.is_valid(*at)) {
                made.merge_packed(packed.value(part))?;
            }
            Ok(Self(made))
        });
        let pools: Result<_, SketchError> = pools.collect();
        Ok(pools.map_err(|error| PyCoreError::Argument(error.to_string()))?)
    }

    /// Encodes the sketch in a few bytes.
    fn pack<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.pack())
    }

    /// Number of calls.
    #[getter]
    fn calls(&self) -> u64 {
        self.0.calls()
    }

    /// Longest duration in microseconds; 0 without calls.
    #[getter]
    fn longest(&self) -> i64 {
        self.0.longest()
    }

    /// Lists the bins that are not empty: longest duration and number of calls of each.
    fn bins(&self) -> Vec<(i64, u64)> {
        self.0.bins().collect()
    }

    /// Returns the duration that a share of the calls did not exceed.
    ///
    /// The result is up to a sixteenth larger; 0 without calls.
    fn quantile(&self, share: f64) -> i64 {
        self.0.quantile(share)
    }

    /// Returns the number of calls in bins that extend beyond a duration.
    fn above(&self, micros: i64) -> u64 {
        self.0.above(micros)
    }
}
