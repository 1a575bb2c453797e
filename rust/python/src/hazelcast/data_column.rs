//! Columns of `Data`, from and to Arrow arrays.

use arrow_array::{
    Array as _, BooleanArray, NullArray, PrimitiveArray, TimestampMillisecondArray,
    cast::AsArray,
    types::{
        ArrowPrimitiveType, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type,
        TimestampMillisecondType,
    },
};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{DataType, TimeUnit};
use jvmwire_capture::lent;
use jvmwire_codec::{
    frame::{BinaryColumn, ByteOrder},
    hazelcast::data::{self, Column, ColumnError},
    text::Strings,
};
use pyo3::{
    Borrowed,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyBytes, PyList},
};

use crate::{
    codec::Array,
    error::PyCoreError,
    ffi::{ArrowInput, strings},
};

/// Many `Data`: a list of `bytes`, or a binary Arrow array; both may contain nulls.
pub(crate) enum DataInput<'py> {
    List(Vec<Option<Bound<'py, PyBytes>>>),
    Array(ArrowInput),
}

impl<'py> FromPyObject<'_, 'py> for DataInput<'py> {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyList>() {
            return Ok(Self::List(object.extract()?));
        }
        let array: ArrowInput = object.extract()?;
        array.binary_or_null()?;
        Ok(Self::Array(array))
    }
}

impl DataInput<'_> {
    pub(super) fn slices(&self) -> PyResult<Vec<Option<&[u8]>>> {
        Ok(match self {
            Self::List(list) => {
                list.iter().map(|data| data.as_ref().map(PyBytesMethods::as_bytes)).collect()
            }
            Self::Array(array) => array.binary_or_null()?.iter().collect(),
        })
    }

    /// Decodes the values into a column.
    pub(super) fn column(&self, py: Python<'_>, order: ByteOrder) -> PyResult<Array> {
        let slices = self.slices()?;
        let read = py.detach(|| Column::read(slices.iter().copied(), order));
        let (column, valid) = read.map_err(PyCoreError::from)?;
        Ok(array_of(column, valid))
    }

    /// Computes the partition of each, of `count` partitions; a null has that of an empty `Data`.
    pub(super) fn partition_ids(&self, py: Python<'_>, count: i32) -> PyResult<Array> {
        let slices = self.slices()?;
        let ids = py.detach(|| {
            let hashes = slices.iter().enumerate().map(|(index, data)| {
                let hash = data::partition_hash(data.unwrap_or_default());
                hash.map(|hash| data::partition_id(hash, count))
                    .map_err(|error| ColumnError::Decode { index, error })
            });
            hashes.collect::<Result<Vec<i32>, _>>()
        });
        Ok(Array::numbers::<Int32Type>(ids.map_err(PyCoreError::from)?))
    }
}

/// Decodes concatenated `Data` into a column.
pub(super) fn packed_column(
    py: Python<'_>,
    packed: &BinaryColumn,
    order: ByteOrder,
) -> PyResult<Array> {
    let read = py.detach(|| Column::read(packed.iter().map(Some), order));
    let (column, valid) = read.map_err(PyCoreError::from)?;
    Ok(array_of(column, valid))
}

/// Encodes each value of an Arrow array as a `Data`; nulls stay null.
pub(super) fn datas_of(py: Python<'_>, values: &ArrowInput, order: ByteOrder) -> PyResult<Array> {
    let nulls = values.0.nulls().cloned();
    let len = values.0.len();
    let column = column_of(values)?;
    let packed = py.detach(|| {
        let valid: Vec<bool> = match &nulls {
            Some(nulls) => nulls.iter().collect(),
            None => vec![true; len],
        };
        column.write(&valid, order)
    });
    Ok(Array::binary_or_null(packed.map_err(PyCoreError::from)?, nulls))
}

fn column_of(values: &ArrowInput) -> PyResult<Column> {
    fn numbers<T: ArrowPrimitiveType>(values: &ArrowInput) -> Vec<T::Native> {
        values.0.as_primitive::<T>().values().to_vec()
    }
    Ok(match values.0.data_type() {
        DataType::Boolean => Column::Boolean(values.0.as_boolean().values().iter().collect()),
        DataType::Int8 => Column::Byte(numbers::<Int8Type>(values)),
        DataType::Int16 => Column::Short(numbers::<Int16Type>(values)),
        DataType::Int32 => Column::Integer(numbers::<Int32Type>(values)),
        DataType::Int64 => Column::Long(numbers::<Int64Type>(values)),
        DataType::Float32 => Column::Float(numbers::<Float32Type>(values)),
        DataType::Float64 => Column::Double(numbers::<Float64Type>(values)),
        DataType::Timestamp(TimeUnit::Millisecond, Some(_)) => {
            Column::Date(numbers::<TimestampMillisecondType>(values))
        }
        DataType::Utf8 => {
            let mut texts = Strings::new();
            for text in values.0.as_string::<i32>() {
                texts.values.push_str(text.unwrap_or_default());
                // No longer than what they come from.
                texts.offsets.push(i32::try_from(texts.values.len()).unwrap_or(i32::MAX));
            }
            Column::String(texts)
        }
        DataType::Binary => {
            let mut packed = BinaryColumn::new();
            for bytes in values.0.as_binary::<i32>() {
                packed.push(bytes.unwrap_or_default()).map_err(PyCoreError::from)?;
            }
            Column::ByteArray(packed)
        }
        other => {
            let text = format!(
                "no type of Hazelcast's is written for {other}: an Arrow array of boolean, int8 to \
                 int64, float, double, utf8, binary or timestamp(ms) with a time zone is needed"
            );
            return Err(PyTypeError::new_err(text));
        }
    })
}

fn array_of(column: Column, valid: Vec<bool>) -> Array {
    fn numbers<T: ArrowPrimitiveType>(values: Vec<T::Native>, nulls: Option<NullBuffer>) -> Array {
        Array::new(PrimitiveArray::<T>::new(lent(values).into(), nulls))
    }
    let nulls = valid.contains(&false).then(|| NullBuffer::from(valid));
    match column {
        Column::Null(count) => Array::new(NullArray::new(count)),
        Column::Boolean(values) => {
            Array::new(BooleanArray::new(BooleanBuffer::from(values), nulls))
        }
        Column::Byte(values) => numbers::<Int8Type>(values, nulls),
        Column::Short(values) => numbers::<Int16Type>(values, nulls),
        Column::Integer(values) => numbers::<Int32Type>(values, nulls),
        Column::Long(values) => numbers::<Int64Type>(values, nulls),
        Column::Float(values) => numbers::<Float32Type>(values, nulls),
        Column::Double(values) => numbers::<Float64Type>(values, nulls),
        Column::String(texts) => Array::new(strings(texts.offsets, texts.values, nulls)),
        Column::ByteArray(packed) => Array::binary_or_null(packed, nulls),
        Column::Date(values) => {
            let dates = TimestampMillisecondArray::new(lent(values).into(), nulls);
            Array::new(dates.with_timezone("UTC"))
        }
    }
}
