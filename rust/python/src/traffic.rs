//! Merge of `traffic` tables.

use arrow_array::{Array, StructArray};
use pyo3::{exceptions::PyTypeError, prelude::*};

use crate::{batch::RecordBatch, error::PyCoreError, ffi::ArrowInput};

/// Merged `traffic` tables, whose counts are added as batches arrive.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct MergedTraffic(jvmwire_capture::MergedTraffic);

#[pymethods]
impl MergedTraffic {
    #[new]
    #[pyo3(signature = (*, buckets, clock_end))]
    fn new(buckets: i64, clock_end: i64) -> Self {
        Self(jvmwire_capture::MergedTraffic::new(buckets, clock_end))
    }

    /// Adds record batches of the table `traffic`.
    #[pyo3(signature = (batches, /))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn add(&mut self, batches: Vec<ArrowInput>) -> PyResult<()> {
        let rows = batches.iter().map(|batch| batch.0.as_any().downcast_ref::<StructArray>());
        let rows: Option<Vec<_>> = rows.collect();
        let rows = rows.ok_or_else(|| PyTypeError::new_err("record batches are needed"))?;
        self.0.add(rows).map_err(|error| PyCoreError::Argument(error.to_string()))?;
        Ok(())
    }

    /// Takes the merged counts, one row per key.
    fn finish(&mut self) -> RecordBatch {
        RecordBatch(self.0.finish())
    }
}
