//! Results of fast calls, and errors that are discarded.

use pyo3::prelude::*;

/// Result of a fast call. The error is boxed so that the result fits registers.
pub(crate) type FastResult<'py> = Result<Bound<'py, PyAny>, Box<PyErr>>;

/// The value of a result whose error is discarded.
pub(crate) fn ok_or_discard<T>(result: PyResult<T>) -> Option<T> {
    result.map_err(drop).map_err(|()| flush_deferred_drops()).ok()
}

/// Releases errors that were dropped in calls that `PyO3` does not know of: it keeps what they hold until
/// it finds the thread attached.
pub(super) fn flush_deferred_drops() {
    Python::try_attach(|_| ());
}
