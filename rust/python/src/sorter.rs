//! Sorter of rows that several decoders produced.

use jvmwire_capture::{Sorted, Sorter};
use pyo3::prelude::*;

use crate::{
    batch::{RecordBatch, View},
    error::PyCoreError,
};

/// Sorter of the rows of one view by (stream, offset), in bounded memory.
///
/// Rows that do not fit into memory are in temporary files. Rows with equal keys come in the order
/// in which they were appended.
///
/// Args:
///     view: The view of the decoders whose rows are sorted.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct RowSorter {
    view: Py<View>,
    rows: Rows,
}

enum Rows {
    Added(Sorter),
    Sorted(Sorted),
}

impl RowSorter {
    pub(crate) fn of(view: Py<View>, sorter: Sorter) -> Self {
        Self { view, rows: Rows::Added(sorter) }
    }
}

#[pymethods]
impl RowSorter {
    #[new]
    fn new(view: Py<View>) -> Self {
        let sorter = new_sorter(view.get());
        Self::of(view, sorter)
    }

    /// Adds rows after those added before.
    ///
    /// Args:
    ///     part: The sorter of a decoder with the same view, which has no rows afterwards.
    ///
    /// Raises:
    ///     `ValueError`: the view is another one, or batches were taken from either sorter.
    fn append(&mut self, py: Python<'_>, mut part: PyRefMut<'_, Self>) -> Result<(), PyCoreError> {
        if !self.view.is(&part.view) {
            return Err(PyCoreError::Argument("the part has rows of another view".to_owned()));
        }
        let empty = new_sorter(self.view.get());
        let (Rows::Added(all), Rows::Added(rows)) = (&mut self.rows, &mut part.rows) else {
            return Err(PyCoreError::Argument(
                "rows are added before batches are taken".to_owned(),
            ));
        };
        let rows = std::mem::replace(rows, empty);
        Ok(py.detach(|| all.append(rows))?)
    }

    /// Takes the next batch, after all rows were added.
    ///
    /// Returns:
    ///     The batch; None after the last one.
    fn next_batch(&mut self, py: Python<'_>) -> Result<Option<RecordBatch>, PyCoreError> {
        let Self { view, rows } = self;
        let selection = &view.get().selection;
        py.detach(|| {
            if let Rows::Added(sorter) = rows {
                *rows = Rows::Sorted(sorter.finish()?);
            }
            let Rows::Sorted(sorted) = rows else { return Ok(None) };
            let batch = sorted.next_batch()?.map(|batch| selection.show(&batch)).transpose()?;
            Ok(batch.map(RecordBatch))
        })
    }
}

/// Creates an empty sorter of the rows of a view.
pub(crate) fn new_sorter(view: &View) -> Sorter {
    Sorter::new(view.table, view.selection.carried_schema(), SORTED_IN_MEMORY)
}

/// Number of bytes of rows that a sorter keeps in memory; further rows go to temporary files.
const SORTED_IN_MEMORY: usize = 64 << 20;
