//! Values of many responses as one column.

use std::ops::Range;

use jvmwire_codec::{
    Cursor,
    frame::BinaryColumn,
    hazelcast::{FieldBuilder, Group, Kind, MessageType, gather, read_message},
    visit::Value,
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};

use super::messages::{Objects, Open};
use crate::error::PyCoreError;

/// Values, or keys and values, of many responses, without an object for each.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HazelcastEntryColumns {
    /// Message type that a response must have.
    pub(super) kind: u16,
    pub(super) keys: BinaryColumn,
    pub(super) values: BinaryColumn,
}

#[pymethods]
impl HazelcastEntryColumns {
    #[new]
    #[pyo3(signature = (kind, /))]
    fn new(kind: u16) -> Self {
        Self { kind, keys: BinaryColumn::new(), values: BinaryColumn::new() }
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }

    /// Returns the gathered keys, serialized.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let keys: Vec<_> = self.keys.iter().map(|key| PyBytes::new(py, key)).collect();
        PyList::new(py, keys)
    }
}

impl HazelcastEntryColumns {
    /// Decodes a response: its list is appended to the columns and replaced by its length. A malformed response
    /// leaves the columns unchanged.
    pub(super) fn read<'py>(
        &mut self,
        message: &'static MessageType,
        cursor: &mut Cursor<'_>,
        py: Python<'py>,
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        let (keys, values) = (self.keys.len(), self.values.len());
        let mut gathering = ColumnBuilder { objects: Objects(py), into: self };
        let read = read_message(message, cursor, &mut gathering);
        if read.is_err() {
            truncate(&mut self.keys, keys);
            truncate(&mut self.values, values);
        }
        read
    }
}

fn truncate(packed: &mut BinaryColumn, len: usize) {
    packed.offsets.truncate(len + 1);
    let end = packed.offsets.last().copied().unwrap_or_default();
    packed.values.truncate(usize::try_from(end).unwrap_or_default());
}

/// Visitor that gathers the elements of a message's lists, and makes objects of all other fields.
struct ColumnBuilder<'a, 'py> {
    objects: Objects<'py>,
    into: &'a mut HazelcastEntryColumns,
}

impl<'py> FieldBuilder for ColumnBuilder<'_, 'py> {
    type Output = Bound<'py, PyAny>;
    type Open = Open<'py>;
    type Error = PyCoreError;

    fn value(
        &mut self,
        name: &'static str,
        at: Range<usize>,
        value: Value<'_>,
    ) -> Result<Self::Output, PyCoreError> {
        self.objects.value(name, at, value)
    }

    fn layout(&mut self, _: &'static str, _: Range<usize>, _: Value<'_>) {}

    fn list(
        &mut self,
        element: &'static Kind,
        count: usize,
        cursor: &mut Cursor<'_>,
    ) -> Result<Option<Self::Output>, PyCoreError> {
        let (keys, values) = (&mut self.into.keys, &mut self.into.values);
        if !gather::<PyCoreError>(element, count, cursor, keys, values)? {
            return Ok(None);
        }
        let count = count.into_pyobject(self.objects.0).map_err(PyErr::from)?;
        Ok(Some(count.into_any()))
    }

    fn open(&mut self, name: &'static str, group: Group, count: usize) -> Self::Open {
        self.objects.open(name, group, count)
    }

    fn add(
        &mut self,
        open: &mut Self::Open,
        name: &'static str,
        made: Self::Output,
    ) -> Result<(), PyCoreError> {
        self.objects.add(open, name, made)
    }

    fn close(&mut self, open: Self::Open) -> Result<Self::Output, PyCoreError> {
        self.objects.close(open)
    }
}
