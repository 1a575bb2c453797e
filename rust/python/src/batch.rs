//! Record batches and views of tables, through Arrow's `PyCapsule` interface.

use std::sync::Arc;

use arrow_array::{Array, StructArray, ffi::to_ffi};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, ffi::FFI_ArrowSchema};
use jvmwire_capture::{CallFilter, Table, write_jsonl};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyCapsule},
};

use crate::{error::PyCoreError, filter::PyCondition};

/// Rows of a table, exported through Arrow's `PyCapsule` interface.
///
/// `pyarrow.record_batch(batch)` imports it without copying.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct RecordBatch(pub(crate) arrow_array::RecordBatch);

#[pymethods]
impl RecordBatch {
    /// Number of rows.
    #[getter]
    fn num_rows(&self) -> usize {
        self.0.num_rows()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>), PyErr> {
        // The interface lets a producer answer with its own schema.
        drop(requested_schema);
        let data = StructArray::from(self.0.clone()).into_data();
        Ok((schema_capsule(py, self.0.schema_ref().as_ref())?, array_capsule(py, &data)?))
    }

    /// Encodes the rows as JSON, one object per line, in UTF-8.
    fn to_jsonl<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let lines = py.detach(|| {
            let mut lines = Vec::new();
            write_jsonl(&self.0, &mut lines);
            lines
        });
        PyBytes::new(py, &lines)
    }
}

/// Selection of a table, its columns and its rows.
///
/// Args:
///     table: The name of the table: `messages`, `calls`, `streams` or `traffic`.
///     columns: Names of columns, in order; None (the default) selects the default columns.
///     condition: The condition that rows must meet; None (the default) selects all rows.
///     counted: The condition on rows of `calls` that calls must meet to be counted in the table
///         `traffic`; None (the default) counts all calls.
///
/// Raises:
///     `ValueError`: the table or a column does not exist, a condition does not fit its table, or
///         `counted` is given for another table than `traffic`.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct View {
    pub(crate) table: Table,
    pub(crate) selection: jvmwire_capture::View,
    /// Condition on the calls that the table `traffic` counts.
    pub(crate) counted: Option<Arc<CallFilter>>,
}

#[pymethods]
impl View {
    #[new]
    #[pyo3(signature = (table, *, columns=None, condition=None, counted=None))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn new(
        table: &str,
        columns: Option<Vec<String>>,
        condition: Option<PyCondition>,
        counted: Option<PyCondition>,
    ) -> Result<Self, PyCoreError> {
        let known = Table::named(table).ok_or_else(|| {
            let known: Vec<&str> = Table::ALL.iter().map(|table| table.name()).collect();
            PyCoreError::Argument(format!("there is no table {table:?}; there are {known:?}"))
        })?;
        let selection = jvmwire_capture::View::new(
            known,
            columns.as_deref(),
            condition.as_ref().map(|it| &it.0),
        )?;
        if counted.is_some() && known != Table::Traffic {
            return Err(PyCoreError::Argument(format!("table {table} does not count calls")));
        }
        let counted = counted.map(|it| CallFilter::new(&it.0)).transpose()?.map(Arc::new);
        Ok(Self { table: known, selection, counted })
    }

    /// Name of the table.
    #[getter]
    fn table(&self) -> &'static str {
        self.table.name()
    }

    /// Names of the columns, in order.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.selection.schema().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        schema_capsule(py, self.selection.schema().as_ref())
    }
}

/// Exports a schema or field through Arrow's `PyCapsule` interface.
pub(crate) fn schema_capsule<S>(py: Python<'_>, schema: S) -> PyResult<Bound<'_, PyCapsule>>
where
    FFI_ArrowSchema: TryFrom<S, Error = ArrowError>,
{
    let schema = FFI_ArrowSchema::try_from(schema).map_err(PyCoreError::from)?;
    PyCapsule::new_with_value(py, schema, c"arrow_schema")
}

/// Exports an array through Arrow's `PyCapsule` interface.
pub(crate) fn array_capsule<'py>(
    py: Python<'py>,
    data: &ArrayData,
) -> PyResult<Bound<'py, PyCapsule>> {
    let (array, _) = to_ffi(data).map_err(PyCoreError::from)?;
    PyCapsule::new_with_value(py, array, c"arrow_array")
}
