use std::ops::Range;

use jvmwire_codec::{
    Cursor,
    frame::Packed,
    hazelcast::{Group, Maker, MessageType, read_message},
    visit::Value,
};
use pyo3::prelude::*;

use super::messages::{Objects, Open};
use crate::error::PyCoreError;

/// The values of many answers, or keys and values, with no object for each.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HazelcastGathered {
    /// The type that an answer must have.
    pub(super) kind: u16,
    pub(super) keys: Packed,
    pub(super) values: Packed,
}

#[pymethods]
impl HazelcastGathered {
    #[new]
    #[pyo3(signature = (kind, /))]
    fn new(kind: u16) -> Self {
        Self { kind, keys: Packed::new(), values: Packed::new() }
    }

    fn __len__(&self) -> usize {
        self.values.len()
    }
}

impl HazelcastGathered {
    /// Reads an answer: its list goes in here, and is told by its length. Of an answer that is wrong,
    /// nothing stays.
    pub(super) fn read<'py>(
        &mut self,
        message: &'static MessageType,
        cursor: &mut Cursor<'_>,
        py: Python<'py>,
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        let (keys, values) = (self.keys.len(), self.values.len());
        let mut gathering =
            Gathering { objects: Objects(py), into: self, within: false, is_key: false };
        let read = read_message(message, cursor, &mut gathering);
        if read.is_err() {
            truncate(&mut self.keys, keys);
            truncate(&mut self.values, values);
        }
        read
    }
}

fn truncate(packed: &mut Packed, len: usize) {
    packed.offsets.truncate(len + 1);
    let end = packed.offsets.last().copied().unwrap_or_default();
    packed.values.truncate(usize::try_from(end).unwrap_or_default());
}

/// Gathers what stands in the first list of a message, and makes objects of all else.
struct Gathering<'a, 'py> {
    objects: Objects<'py>,
    into: &'a mut HazelcastGathered,
    /// Whether what comes is of the list.
    within: bool,
    /// Whether it is the key of an entry.
    is_key: bool,
}

enum Opened<'py> {
    List(usize),
    Entry,
    Made(Open<'py>),
}

impl<'py> Maker for Gathering<'_, 'py> {
    type Made = Bound<'py, PyAny>;
    type Open = Opened<'py>;
    type Error = PyCoreError;

    fn value(
        &mut self,
        name: &'static str,
        at: Range<usize>,
        value: Value<'_>,
    ) -> Result<Self::Made, PyCoreError> {
        if !self.within {
            return self.objects.value(name, at, value);
        }
        // Nothing is a null.
        let data = if let Value::Bytes(data) = value { data } else { &[] };
        let into = if self.is_key { &mut self.into.keys } else { &mut self.into.values };
        self.is_key = false;
        into.push(data)?;
        Ok(self.objects.0.None().into_bound(self.objects.0))
    }

    fn layout(&mut self, _: &'static str, _: Range<usize>, _: Value<'_>) {}

    fn open(&mut self, name: &'static str, group: Group, count: usize) -> Opened<'py> {
        match group {
            Group::List if !self.within => {
                self.within = true;
                Opened::List(count)
            }
            Group::Entry if self.within => {
                self.is_key = true;
                Opened::Entry
            }
            _ => Opened::Made(self.objects.open(name, group, count)),
        }
    }

    fn add(
        &mut self,
        open: &mut Opened<'py>,
        name: &'static str,
        made: Self::Made,
    ) -> Result<(), PyCoreError> {
        match open {
            Opened::List(_) | Opened::Entry => Ok(()),
            Opened::Made(open) => self.objects.add(open, name, made),
        }
    }

    fn close(&mut self, open: Opened<'py>) -> Result<Self::Made, PyCoreError> {
        let py = self.objects.0;
        match open {
            Opened::List(count) => {
                self.within = false;
                Ok(count.into_pyobject(py).map_err(PyErr::from)?.into_any())
            }
            Opened::Entry => Ok(py.None().into_bound(py)),
            Opened::Made(open) => self.objects.close(open),
        }
    }
}
