//! Condition on calls that are counted, with no table of calls.

use crate::{
    tables::filter::{Condition, Test, ViewError},
    tables::table::Row,
    tables::{CallRow, Table},
};

/// Condition on the rows of the table `calls`, tested on each call before it is counted.
#[derive(Debug)]
pub struct CallFilter(Test);

impl CallFilter {
    /// Creates the filter for a condition, which names columns of the table `calls`.
    ///
    /// # Errors
    /// A name or a constant that does not fit the table.
    pub fn new(condition: &Condition) -> Result<Self, ViewError> {
        Test::new(condition, &Table::Calls.schema()).map(Self)
    }

    pub(crate) fn is_met(&self, call: &CallRow<'_>) -> bool {
        call.with_cells(|cells| self.0.is_met(&|at| cells[at]))
    }
}
