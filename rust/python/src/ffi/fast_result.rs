//! Results of fast calls, and errors that nobody will see.

use pyo3::prelude::*;

/// What a call makes. An error is boxed so that both fit registers: it would be written and read again.
pub(crate) type FastResult<'py> = Result<Bound<'py, PyAny>, Box<PyErr>>;

/// What came of an attempt whose error nobody will see.
pub(crate) fn ok_or_discard<T>(result: PyResult<T>) -> Option<T> {
    result.map_err(drop).map_err(|()| flush_deferred_drops()).ok()
}

/// Lets go of errors that were dropped in calls that `PyO3` does not know of: it keeps what they hold until
/// it finds the thread attached.
pub(super) fn flush_deferred_drops() {
    Python::try_attach(|_| ());
}
