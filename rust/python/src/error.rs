use jvmwire_capture::{CaptureError, ViewError};
use pyo3::{PyErr, exceptions::PyValueError, import_exception};

// Defined in Python, where its place in the tree of errors is; imported once, at the first raise.
import_exception!(jvmwire.errors, DecodeError);

/// Lets `?` carry the crates' errors into Python.
pub(crate) enum PyCoreError {
    /// Bytes that the format does not allow.
    Decode { message: String, what: &'static str, offset: Option<u64>, value: Option<i128> },
    /// An argument of the caller's.
    Argument(String),
}

impl From<CaptureError> for PyCoreError {
    fn from(error: CaptureError) -> Self {
        let message = error.to_string();
        match error {
            CaptureError::NotOpen { .. } => Self::Argument(message),
            error => Self::Decode {
                message,
                what: "capture",
                offset: error.offset(),
                value: error.value(),
            },
        }
    }
}

impl From<ViewError> for PyCoreError {
    fn from(error: ViewError) -> Self {
        Self::Argument(error.to_string())
    }
}

impl From<arrow_schema::ArrowError> for PyCoreError {
    fn from(error: arrow_schema::ArrowError) -> Self {
        Self::Argument(error.to_string())
    }
}

impl From<PyCoreError> for PyErr {
    fn from(error: PyCoreError) -> Self {
        match error {
            PyCoreError::Decode { message, what, offset, value } => {
                DecodeError::new_err((message, what, offset, value))
            }
            PyCoreError::Argument(message) => PyValueError::new_err(message),
        }
    }
}
