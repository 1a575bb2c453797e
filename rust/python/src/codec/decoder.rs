//! Incremental decoders of single values.

use jvmwire_codec::DecodeError;
use pyo3::prelude::*;

use super::Array;
use crate::{error::PyCoreError, ffi::BytesInput};

/// Decodes a stream of values, however the transport chopped it.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct Decoder {
    values: Box<dyn Incremental>,
    /// What came behind the values that were given last.
    damage: Option<DecodeError>,
}

/// A decoder of one format.
pub(crate) trait Incremental: Send + Sync {
    /// The values that are whole by now, and what stands behind them if that is wrong.
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

    #[getter]
    fn buffered(&self) -> usize {
        self.values.buffered()
    }

    fn finish(&self) -> Result<(), PyCoreError> {
        self.judge()?;
        Ok(self.values.finish()?)
    }
}
