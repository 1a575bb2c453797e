//! Acknowledgements of appends.

use std::ops::Range;

use jvmwire_codec::{
    pravega::{Received, visit_fields},
    visit::{Shape, Value, Visitor},
};
use pyo3::{prelude::*, types::PyInt};

use super::values::ObjectCache;
use crate::error::PyCoreError;

/// Acknowledgement that a writer's events are stored, up to an event number.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct PravegaDataAppended {
    /// The writer's UUID as an `int`, which can be hashed without a Python call.
    #[pyo3(get)]
    writer: Py<PyInt>,
    /// Number of the last event that is stored.
    #[pyo3(get)]
    event_number: i64,
    /// Offset of the segment's end after these events; -1 if an old store does not send it.
    #[pyo3(get)]
    write_offset: i64,
}

#[pymethods]
impl PravegaDataAppended {
    #[new]
    #[pyo3(signature = (writer, event_number, write_offset, /))]
    fn new(writer: Py<PyInt>, event_number: i64, write_offset: i64) -> Self {
        Self { writer, event_number, write_offset }
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        Ok(self.event_number == other.event_number
            && self.write_offset == other.write_offset
            && self.writer.bind(py).compare(&other.writer)?.is_eq())
    }

    fn __repr__(&self) -> String {
        let (writer, number, offset) = (&self.writer, self.event_number, self.write_offset);
        format!("PravegaDataAppended({writer}, {number}, {offset})")
    }
}

impl PravegaDataAppended {
    pub(super) fn decode(
        py: Python<'_>,
        received: &Received<'_>,
        known: &mut ObjectCache,
    ) -> Result<Self, PyCoreError> {
        let mut read = AppendedFields { writer: [0; 16], event_number: 0, write_offset: -1 };
        if let Some(command) = received.command {
            visit_fields(command, received.payload, &mut read)?;
        }
        let writer = known.writer(py, read.writer)?;
        Ok(Self { writer, event_number: read.event_number, write_offset: read.write_offset })
    }
}

/// Fields of `DataAppended` that a writer needs.
struct AppendedFields {
    writer: [u8; 16],
    event_number: i64,
    write_offset: i64,
}

impl Visitor for AppendedFields {
    fn field(&mut self, name: &str, _: Range<usize>, value: Value<'_>) {
        match (name, value) {
            ("writer_id", Value::Uuid(bytes)) => self.writer = bytes,
            ("event_number", Value::Int(number)) => self.event_number = number,
            ("current_segment_write_offset", Value::Int(offset)) => self.write_offset = offset,
            _ => {}
        }
    }

    fn layout(&mut self, _: &str, _: Range<usize>, _: Value<'_>) {}

    fn enter(&mut self, _: &str, _: Shape) {}

    fn leave(&mut self) {}
}
