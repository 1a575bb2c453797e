use std::collections::BTreeMap;

use jvmwire_codec::hazelcast::data;
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict, PyList},
};

use crate::error::PyCoreError;

/// The partition of each key, of `count`.
#[pyfunction]
#[pyo3(signature = (keys, count, /))]
pub(crate) fn hazelcast_partition_list(
    keys: &Bound<'_, PyList>,
    count: i32,
) -> Result<Vec<i32>, PyCoreError> {
    keys.iter().map(|key| partition(&key, count)).collect()
}

/// The keys of each partition, of `count`.
#[pyfunction]
#[pyo3(signature = (keys, count, /))]
pub(crate) fn hazelcast_group<'py>(
    keys: &Bound<'py, PyList>,
    count: i32,
) -> Result<Bound<'py, PyDict>, PyCoreError> {
    let mut groups: BTreeMap<i32, Vec<Bound<'py, PyAny>>> = BTreeMap::new();
    for key in keys.iter() {
        groups.entry(partition(&key, count)?).or_default().push(key);
    }
    to_dict(keys.py(), groups)
}

/// The pairs of a key and a value of each partition, of `count`.
#[pyfunction]
#[pyo3(signature = (keys, values, count, /))]
pub(crate) fn hazelcast_group_entries<'py>(
    keys: &Bound<'py, PyList>,
    values: &Bound<'py, PyList>,
    count: i32,
) -> Result<Bound<'py, PyDict>, PyCoreError> {
    if keys.len() != values.len() {
        let (keys, values) = (keys.len(), values.len());
        return Err(PyCoreError::Argument(format!("{keys} keys of {values} values")));
    }
    let mut groups: BTreeMap<i32, Vec<Bound<'py, PyAny>>> = BTreeMap::new();
    for (key, value) in keys.iter().zip(values.iter()) {
        let partition = partition(&key, count)?;
        let pair = (key, value).into_pyobject(keys.py())?.into_any();
        groups.entry(partition).or_default().push(pair);
    }
    to_dict(keys.py(), groups)
}

fn partition(key: &Bound<'_, PyAny>, count: i32) -> Result<i32, PyCoreError> {
    let key = key.cast::<PyBytes>().map_err(PyErr::from)?;
    Ok(data::partition_id(data::partition_hash(key.as_bytes())?, count))
}

fn to_dict<'py>(
    py: Python<'py>,
    groups: BTreeMap<i32, Vec<Bound<'py, PyAny>>>,
) -> Result<Bound<'py, PyDict>, PyCoreError> {
    let dict = PyDict::new(py);
    for (partition, members) in groups {
        dict.set_item(partition, PyList::new(py, members)?)?;
    }
    Ok(dict)
}
