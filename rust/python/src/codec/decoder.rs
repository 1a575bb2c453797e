//! Incremental decoders of single values.

use jvmwire_codec::DecodeError;
use pyo3::prelude::*;

use super::Array;
use crate::{error::PyCoreError, ffi::BytesInput};

/// Incremental decoder of a stream of values of one format.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct Decoder {
    values: Box<dyn Incremental>,
    /// Error in the bytes after the values that were returned last.
    damage: Option<DecodeError>,
}

/// Incremental decoder of one format.
pub(crate) trait Incremental: Send + Sync {
    /// Decodes the values that are complete with `data`, and the error that follows them, if any.
    fn feed(&mut self, data: &[u8]) -> (Array, Result<(), DecodeError>);

    fn buffered(&self) -> usize;

    fn finish(&self) -> Result<(), DecodeError>;
}

impl Decoder {
    pub(crate) fn new(values: impl Incremental + 'static) -> Self {
        Self { values: Box::new(values), damage: None }
    }

    fn judge(&self) -> Result<(), DecodeError> {
        self.damage.clone().map_or(Ok(()), Err)
    }
}

#[pymethods]
impl Decoder {
    /// Decodes the values that are complete with these bytes.
    ///
    /// Args:
    ///     data: The next bytes of the stream, in chunks of any size.
    ///
    /// Returns:
    ///     The values, which may be none; values before malformed bytes are returned first.
    ///
    /// Raises:
    ///     `DecodeError`: malformed bytes follow the values returned before.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, py: Python<'_>, data: BytesInput<'_, '_>) -> Result<Array, PyCoreError> {
        self.judge()?;
        let values = &mut self.values;
        let (whole, fed) = data.read_detached(py, |data| values.feed(data));
        self.damage = fed.err();
        if whole.is_empty() {
            self.judge()?;
        }
        Ok(whole)
    }

    /// Number of bytes that wait for the rest of their value.
    #[getter]
    fn buffered(&self) -> usize {
        self.values.buffered()
    }

    /// Checks that the stream ended at the end of a value.
    ///
    /// Raises:
    ///     `DecodeError`: the stream ended inside a value, or was malformed.
    fn finish(&self) -> Result<(), PyCoreError> {
        self.judge()?;
        Ok(self.values.finish()?)
    }
}
