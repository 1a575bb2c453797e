//! Import and validation of Arrow arrays.

use arrow_array::{
    ArrayRef, BinaryArray, BinaryViewArray, StringArray, ffi::FFI_ArrowArray, make_array,
};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer};
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, ffi::FFI_ArrowSchema};
use jvmwire_capture::lent;
use jvmwire_codec::{
    frame::{REGION, Views},
    text::{Encoding, decode_strict},
};
use pyo3::{
    Borrowed,
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    types::{PyCapsule, PyTuple},
};

use super::c_data::import;

/// Array imported without a copy through Arrow's `PyCapsule` interface.
pub(crate) struct ArrowInput(pub(crate) ArrayRef);

impl<'py> FromPyObject<'_, 'py> for ArrowInput {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        let Some(export) = object.getattr_opt(intern!(object.py(), "__arrow_c_array__"))? else {
            let kind = object.get_type();
            let text = format!("an Arrow array is needed, which {} is not", kind.name()?);
            return Err(PyTypeError::new_err(text));
        };
        let capsules = export.call0()?;
        let capsules = capsules.cast::<PyTuple>()?;
        let (schema, array) = (capsules.get_item(0)?, capsules.get_item(1)?);
        let schema = schema.cast::<PyCapsule>()?.pointer_checked(Some(c"arrow_schema"))?;
        let array = array.cast::<PyCapsule>()?.pointer_checked(Some(c"arrow_array"))?;
        // SAFETY: by its name, the capsule holds an ArrowSchema. It is moved out: the capsule keeps one that is
        // marked as released, as the interface wants it, and nobody else can release what is read here.
        let schema = unsafe { FFI_ArrowSchema::from_raw(schema.cast().as_ptr()) };
        // SAFETY: by its name, the capsule holds an ArrowArray, which is moved out as well.
        let array = unsafe { FFI_ArrowArray::from_raw(array.cast().as_ptr()) };
        // SAFETY: the producer vouches for structures that it hands over by this interface; contents are
        // judged before they become an array.
        let data = unsafe { import(array, &schema) };
        let judged = data.and_then(|data| validate(&data).map(|()| data));
        match judged {
            Ok(data) => Ok(Self(make_array(data))),
            Err(ArrowError::CDataInterface(text)) => {
                Err(PyValueError::new_err(format!("the Arrow array cannot be read: {text}")))
            }
            Err(error) => Err(PyValueError::new_err(error.to_string())),
        }
    }
}

/// Validates all contents of an array. Arrow's own validation of text decodes each non-ASCII character
/// separately, so it runs only to describe the error of a text that is known to be invalid.
fn validate(data: &ArrayData) -> Result<(), ArrowError> {
    if *data.data_type() == DataType::Utf8 && are_texts(data)? {
        return Ok(());
    }
    data.validate_full()
}

/// Whether the bytes between the first and the last offset are UTF-8, and every offset is a character boundary.
fn are_texts(data: &ArrayData) -> Result<bool, ArrowError> {
    let bytes = data.clone().into_builder().data_type(DataType::Binary).build()?;
    let bytes = BinaryArray::from(bytes);
    let offsets = bytes.value_offsets();
    let (Some(first), Some(last)) = (offsets.first(), offsets.last()) else { return Ok(true) };
    let place = |offset: &i32| usize::try_from(*offset).unwrap_or_default();
    let values = bytes.value_data().get(place(first)..place(last));
    let text = values.and_then(|values| decode_strict(values, Encoding::Utf8).ok());
    Ok(text.is_some_and(|text| offsets.iter().all(|at| is_between(&text, at.wrapping_sub(*first)))))
}

/// Whether an offset is a character boundary.
fn is_between(text: &str, offset: i32) -> bool {
    usize::try_from(offset).is_ok_and(|at| text.is_char_boundary(at))
}

/// Builds an Arrow string array from concatenated strings, without validating the characters again.
///
/// # Panics
/// If an offset is not a character boundary of `values`.
pub(crate) fn strings(offsets: Vec<i32>, values: String, nulls: Option<NullBuffer>) -> StringArray {
    assert!(offsets.iter().all(|at| is_between(&values, *at)), "offsets are between characters");
    let offsets = OffsetBuffer::new(lent(offsets).into());
    assert!(nulls.as_ref().is_none_or(|nulls| nulls.len() == offsets.len() - 1));
    // SAFETY: `values` is UTF-8, all offsets are between its characters, as was just seen, and rise, as
    // `OffsetBuffer::new` has seen.
    unsafe { StringArray::new_unchecked(offsets, lent(values.into_bytes()), nulls) }
}

/// Builds an Arrow view array of the ranges that `views` finds in `bytes`; also returns the number of consumed
/// bytes.
pub(crate) fn binary_views<E>(
    bytes: &Buffer,
    views: impl FnOnce(&[u8]) -> Result<Views, E>,
) -> Result<(BinaryViewArray, usize), E> {
    let views = views(bytes)?;
    let consumed = views.consumed();
    assert!(consumed <= bytes.len(), "no view points behind the bytes");
    let regions = (0..consumed).step_by(REGION).map(|start| bytes.slice(start)).collect::<Vec<_>>();
    let views = lent(views.into_views()).into();
    if cfg!(debug_assertions) {
        // Every test is an attempt to refute what the next comment says.
        let checked = BinaryViewArray::try_new(views, regions, None);
        return Ok((checked.expect("views are those of the bytes"), consumed));
    }
    // SAFETY: `Views` were found in these bytes: none points behind `consumed`, up to which there are regions, and
    // a prefix is that of its bytes.
    let array = unsafe { BinaryViewArray::new_unchecked(views, regions.into(), None) };
    Ok((array, consumed))
}
