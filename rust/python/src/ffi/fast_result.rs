//! Results of fast calls, and errors that are discarded.

use pyo3::prelude::*;

/// Result of a fast call. The error is boxed so that the result fits into registers.
pub(crate) type FastResult<'py> = Result<Bound<'py, PyAny>, Box<PyErr>>;

/// Returns the value of a result, and discards its error.
pub(crate) fn ok_or_discard<T>(result: PyResult<T>) -> Option<T> {
    result.map_err(drop).map_err(|()| flush_deferred_drops()).ok()
}

/// Releases errors that were dropped in calls unknown to `PyO3`, which keeps their contents until it finds the
/// thread attached.
pub(super) fn flush_deferred_drops() {
    Python::try_attach(|_| ());
}
