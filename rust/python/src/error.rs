//! Conversion of the core's errors into exceptions of `jvmwire.errors`.

use jvmwire_capture::{CaptureError, SortError, StateError, ViewError};
use jvmwire_codec::{DelimiterInPayload, TooLong, hazelcast::data::ColumnError, text::TextError};
use pyo3::{
    PyErr,
    exceptions::{PyOSError, PyValueError},
    import_exception,
};

// Defined in Python, where its place in the tree of errors is; imported once, at the first raise.
import_exception!(jvmwire.errors, DecodeError);
import_exception!(jvmwire.errors, NotACapture);

/// Error of a Python call, to which `?` converts the errors of the crates.
pub(crate) enum PyCoreError {
    /// Malformed bytes: `DecodeError`.
    Decode { message: String, what: &'static str, offset: Option<u64>, value: Option<i128> },
    /// File in another format: `NotACapture`.
    NotACapture { message: String, value: Option<i128> },
    /// Invalid argument of the caller.
    Argument(String),
    /// Exception that Python raised.
    Raised(PyErr),
}

impl From<PyErr> for PyCoreError {
    fn from(error: PyErr) -> Self {
        Self::Raised(error)
    }
}

impl From<CaptureError> for PyCoreError {
    fn from(error: CaptureError) -> Self {
        let message = error.to_string();
        match error {
            CaptureError::NotOpen { .. } => Self::Argument(message),
            CaptureError::NotACapture { .. } => Self::NotACapture { message, value: error.value() },
            error => Self::Decode {
                message,
                what: "capture",
                offset: error.offset(),
                value: error.value(),
            },
        }
    }
}

impl From<StateError> for PyCoreError {
    fn from(error: StateError) -> Self {
        let message = error.to_string();
        Self::Decode { message, what: "state", offset: None, value: None }
    }
}

impl From<jvmwire_codec::DecodeError> for PyCoreError {
    fn from(error: jvmwire_codec::DecodeError) -> Self {
        Self::Decode {
            message: error.to_string(),
            what: error.what,
            offset: Some(error.position() as u64),
            value: error.problem.value(),
        }
    }
}

impl From<TooLong> for PyCoreError {
    fn from(error: TooLong) -> Self {
        Self::Argument(error.to_string())
    }
}

impl From<DelimiterInPayload> for PyCoreError {
    fn from(error: DelimiterInPayload) -> Self {
        Self::Argument(error.to_string())
    }
}

impl From<TextError> for PyCoreError {
    fn from(error: TextError) -> Self {
        Self::Argument(error.to_string())
    }
}

impl From<ColumnError> for PyCoreError {
    fn from(error: ColumnError) -> Self {
        let message = error.to_string();
        match error {
            ColumnError::Decode { error, .. } => Self::Decode {
                message,
                what: error.what,
                offset: Some(error.position() as u64),
                value: error.problem.value(),
            },
            ColumnError::Mixed { .. } | ColumnError::TooLong(_) => Self::Argument(message),
        }
    }
}

impl PyCoreError {
    /// Adds the index of the value, for an error in a column of values.
    pub(crate) fn at(self, index: usize) -> Self {
        match self {
            Self::Argument(message) => Self::Argument(format!("value {index}: {message}")),
            other => other,
        }
    }
}

impl From<SortError> for PyCoreError {
    fn from(error: SortError) -> Self {
        let message = error.to_string();
        Self::Raised(match error.errno {
            Some(errno) => PyOSError::new_err((errno, message)),
            None => PyOSError::new_err(message),
        })
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

impl From<PyCoreError> for Box<PyErr> {
    fn from(error: PyCoreError) -> Self {
        Self::new(error.into())
    }
}

impl From<PyCoreError> for PyErr {
    fn from(error: PyCoreError) -> Self {
        match error {
            PyCoreError::Decode { message, what, offset, value } => {
                DecodeError::new_err((message, what, offset, value))
            }
            PyCoreError::NotACapture { message, value } => {
                NotACapture::new_err((message, "capture", 0, value))
            }
            PyCoreError::Argument(message) => PyValueError::new_err(message),
            PyCoreError::Raised(error) => error,
        }
    }
}
