//! Keys and entries of a request, grouped by partition.

use std::collections::BTreeMap;

use jvmwire_codec::{
    Cursor,
    hazelcast::{Writer, data},
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList},
};

use super::{data::counted, data_column::DataInput};
use crate::error::PyCoreError;

/// Encoded list of `Data`, or of pairs of them, as a request contains it.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct HazelcastPackedList {
    pub(super) count: usize,
    pub(super) bytes: Vec<u8>,
    /// Whether each key is followed by a value.
    pairs: bool,
}

#[pymethods]
impl HazelcastPackedList {
    fn __len__(&self) -> usize {
        self.count
    }

    /// Groups the elements by partition, for `count` partitions.
    #[pyo3(signature = (count, /))]
    fn packed_anew(&self, py: Python<'_>, count: i32) -> Result<Groups, PyCoreError> {
        let count = counted(count)?;
        py.detach(|| {
            let mut groups = Groups::new();
            let mut cursor = Cursor::new(&self.bytes);
            while !cursor.is_empty() {
                let key = next(&mut cursor, "key")?;
                let value = self.pairs.then(|| next(&mut cursor, "value")).transpose()?;
                add(&mut groups, count, key, value)?;
            }
            Ok(groups)
        })
    }
}

/// Reads an encoded key or value.
fn next<'a>(cursor: &mut Cursor<'a>, what: &'static str) -> Result<&'a [u8], PyCoreError> {
    let len = cursor.i32_le(what)?;
    Ok(cursor.take(usize::try_from(len).unwrap_or_default(), what)?)
}

/// Encoded lists by partition.
type Groups = BTreeMap<i32, HazelcastPackedList>;

/// Adds a key, or a key and its value, to its partition among `count`.
fn add(
    groups: &mut Groups,
    count: i32,
    key: &[u8],
    value: Option<&[u8]>,
) -> Result<(), PyCoreError> {
    let partition = data::partition_id(data::partition_hash(key)?, count);
    let group = groups.entry(partition).or_insert_with(|| HazelcastPackedList {
        count: 0,
        bytes: Vec::new(),
        pairs: value.is_some(),
    });
    let mut writer = Writer(&mut group.bytes);
    writer.bytes(key)?;
    if let Some(value) = value {
        writer.bytes(value)?;
    }
    group.count += 1;
    Ok(())
}

/// Groups keys, or pairs of a key and a value, by partition, as encoded lists for requests.
#[pyfunction]
#[pyo3(signature = (keys, values, count, /))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
pub(crate) fn hazelcast_pack(
    py: Python<'_>,
    keys: DataInput<'_>,
    values: Option<DataInput<'_>>,
    count: i32,
) -> Result<Groups, PyCoreError> {
    let count = counted(count)?;
    let keys = keys.slices()?;
    let values = values.as_ref().map(DataInput::slices).transpose()?;
    if let Some(values) = values.as_ref().filter(|values| values.len() != keys.len()) {
        let (keys, values) = (keys.len(), values.len());
        return Err(PyCoreError::Argument(format!("{keys} keys of {values} values")));
    }
    py.detach(|| {
        let mut groups = Groups::new();
        for (index, key) in keys.iter().enumerate() {
            let key = there(*key, "key", index)?;
            let value = values.as_ref().map(|values| there(values[index], "value", index));
            add(&mut groups, count, key, value.transpose()?)?;
        }
        Ok(groups)
    })
}

fn there<'a>(data: Option<&'a [u8]>, what: &str, index: usize) -> Result<&'a [u8], PyCoreError> {
    data.ok_or_else(|| PyCoreError::Argument(format!("{what} {index} is null")))
}

/// Returns the partition of each key, of `count` partitions.
#[pyfunction]
#[pyo3(signature = (keys, count, /))]
pub(crate) fn hazelcast_partition_list(
    keys: &Bound<'_, PyList>,
    count: i32,
) -> Result<Vec<i32>, PyCoreError> {
    let count = counted(count)?;
    keys.iter().map(|key| partition(&key, count)).collect()
}

fn partition(key: &Bound<'_, PyAny>, count: i32) -> Result<i32, PyCoreError> {
    let key = key.cast::<PyBytes>().map_err(PyErr::from)?;
    Ok(data::partition_id(data::partition_hash(key.as_bytes())?, count))
}
