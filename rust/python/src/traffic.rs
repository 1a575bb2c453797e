//! Merge of `traffic` tables, and the jobs and directories that they count by.

use std::num::NonZeroUsize;

use arrow_array::{Array as _, StringArray, StructArray, cast::AsArray};
use arrow_schema::DataType;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
};

use crate::{batch::RecordBatch, codec::Array, error::PyCoreError, ffi::ArrowInput};

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

/// Returns the job of each text of the column `attributes`.
#[pyfunction]
#[pyo3(signature = (attributes, /))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
pub(crate) fn jobs_of(attributes: ArrowInput) -> PyResult<Array> {
    Ok(Array::new(jvmwire_capture::jobs_of(texts(&attributes)?)))
}

/// Returns the directory of each call.
#[pyfunction]
#[pyo3(signature = (protocols, names, targets, /, *, depth))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
pub(crate) fn directories_of(
    protocols: ArrowInput,
    names: ArrowInput,
    targets: ArrowInput,
    depth: NonZeroUsize,
) -> PyResult<Array> {
    let (protocols, names, targets) = (texts(&protocols)?, texts(&names)?, texts(&targets)?);
    if protocols.len() != targets.len() || names.len() != targets.len() {
        let (protocols, names, targets) = (protocols.len(), names.len(), targets.len());
        return Err(PyValueError::new_err(format!(
            "invalid lengths {protocols}, {names} and {targets}: expected one row per call in each column"
        )));
    }
    Ok(Array::new(jvmwire_capture::directories_of(protocols, names, targets, depth.get())))
}

fn texts(column: &ArrowInput) -> PyResult<&StringArray> {
    column.expect_type(&DataType::Utf8, column.0.as_string_opt())
}
