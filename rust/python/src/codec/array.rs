//! Arrow arrays that the codec's functions return.

use std::{collections::HashMap, sync::Arc};

use arrow_array::{
    Array as _, ArrayRef, BinaryArray, FixedSizeBinaryArray, PrimitiveArray, cast::AsArray,
    types::ArrowPrimitiveType,
};
use arrow_buffer::{NullBuffer, OffsetBuffer};
use arrow_schema::{
    DataType, Field,
    extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY},
};
use jvmwire_capture::lent;
use jvmwire_codec::frame::BinaryColumn;
use pyo3::{
    exceptions::{PyTypeError, PyValueError},
    prelude::*,
    types::PyCapsule,
};

use crate::{
    batch::{array_capsule, schema_capsule},
    ffi::ArrowInput,
};

/// Array of values, exported through Arrow's `PyCapsule` interface.
///
/// `pyarrow.array(array)` imports it without copying.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct Array {
    values: ArrayRef,
    /// Name of the values' Arrow extension type.
    extension: Option<&'static str>,
}

impl Array {
    pub(crate) fn new(values: impl arrow_array::Array + 'static) -> Self {
        Self { values: Arc::new(values), extension: None }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    pub(crate) fn numbers<T: ArrowPrimitiveType>(values: Vec<T::Native>) -> Self {
        Self::new(PrimitiveArray::<T>::new(lent(values).into(), None))
    }

    pub(crate) fn binary(packed: BinaryColumn) -> Self {
        Self::binary_or_null(packed, None)
    }

    pub(crate) fn binary_or_null(packed: BinaryColumn, nulls: Option<NullBuffer>) -> Self {
        Self::new(binary_array(packed, nulls))
    }

    /// Builds an array of UUIDs of 16 bytes each, the most significant byte first.
    pub(crate) fn uuids(bytes: Vec<u8>) -> Self {
        let values = FixedSizeBinaryArray::new(16, lent(bytes), None);
        Self { values: Arc::new(values), extension: Some("arrow.uuid") }
    }
}

/// Builds an array of byte strings, with nulls where `nulls` marks them.
pub(crate) fn binary_array(packed: BinaryColumn, nulls: Option<NullBuffer>) -> BinaryArray {
    let offsets = OffsetBuffer::new(lent(packed.offsets).into());
    BinaryArray::new(offsets, lent(packed.values), nulls)
}

impl ArrowInput {
    /// Returns the numbers, if the array has exactly the type `T` and no nulls.
    pub(crate) fn numbers<T: ArrowPrimitiveType>(&self) -> PyResult<&PrimitiveArray<T>> {
        self.none_missing()?;
        self.expect_type(&T::DATA_TYPE, self.0.as_primitive_opt())
    }

    /// Returns the byte strings, if the array is binary without nulls.
    pub(crate) fn binary(&self) -> PyResult<&BinaryArray> {
        self.none_missing()?;
        self.binary_or_null()
    }

    /// Returns the byte strings, if the array is binary; nulls are allowed.
    pub(crate) fn binary_or_null(&self) -> PyResult<&BinaryArray> {
        self.expect_type(&DataType::Binary, self.0.as_binary_opt())
    }

    /// Returns the bytes of the UUIDs, 16 each, the most significant first, if the array has no nulls.
    pub(crate) fn uuids(&self) -> PyResult<&[u8]> {
        self.none_missing()?;
        let uuids = self.0.as_fixed_size_binary_opt().filter(|it| it.value_length() == 16);
        Ok(self.expect_type(&DataType::FixedSizeBinary(16), uuids)?.value_data())
    }

    fn none_missing(&self) -> PyResult<()> {
        match self.0.null_count() {
            0 => Ok(()),
            nulls => {
                Err(PyValueError::new_err(format!("{nulls} values of the Arrow array are null")))
            }
        }
    }

    pub(crate) fn expect_type<'a, T>(
        &self,
        needed: &DataType,
        values: Option<&'a T>,
    ) -> PyResult<&'a T> {
        values.ok_or_else(|| {
            let given = self.0.data_type();
            PyTypeError::new_err(format!("an Arrow array of {needed} is needed, not of {given}"))
        })
    }
}

#[pymethods]
impl Array {
    fn __len__(&self) -> usize {
        self.values.len()
    }

    /// Bytes of memory that the values take.
    #[getter]
    fn nbytes(&self) -> usize {
        self.values.get_buffer_memory_size()
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> Result<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>), PyErr> {
        // The interface lets a producer answer with its own schema.
        drop(requested_schema);
        Ok((self.__arrow_c_schema__(py)?, array_capsule(py, &self.values.to_data())?))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let field = Field::new("", self.values.data_type().clone(), true);
        let field = match self.extension {
            None => field,
            Some(name) => field.with_metadata(HashMap::from([
                (EXTENSION_TYPE_NAME_KEY.to_owned(), name.to_owned()),
                (EXTENSION_TYPE_METADATA_KEY.to_owned(), String::new()),
            ])),
        };
        schema_capsule(py, &field)
    }
}
