//! Import of arrays from Arrow's C data interface.
//!
//! `arrow_array::ffi::from_ffi` reads offsets in place before it aligns them, and panics on a structure with
//! too few buffers or children. This module checks the structures first and makes no unaligned reference.

use std::{
    ffi::{CStr, c_char, c_void},
    ptr::NonNull,
    sync::Arc,
};

use arrow_array::ffi::FFI_ArrowArray;
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_data::{ArrayData, BufferSpec, layout};
use arrow_schema::{ArrowError, DataType, ffi::FFI_ArrowSchema};

/// Imports the array that both structures describe; its contents are not validated.
///
/// # Errors
/// If a structure was released, or lacks a part that its type needs.
///
/// # Safety
/// Both structures are as Arrow's C data interface defines them: every pointer that is not null is valid, and
/// buffers are as long as the array's length and offsets require.
pub(super) unsafe fn import(
    array: FFI_ArrowArray,
    schema: &FFI_ArrowSchema,
) -> Result<ArrayData, ArrowError> {
    if schema.release().is_none() {
        return Err(invalid("the schema was released: another consumer has taken it"));
    }
    if array.is_released() {
        return Err(invalid("the array was released: another consumer has taken it"));
    }
    // SAFETY: `FFI_ArrowSchema` and `Schema` are both the C interface's ArrowSchema.
    let raw = unsafe { &*(&raw const *schema).cast::<Schema>() };
    // SAFETY: the caller vouches for what the schema points to.
    unsafe { raw.check(0)? };
    let data_type = DataType::try_from(schema)?;
    let owner = Arc::new(array);
    // SAFETY: `FFI_ArrowArray` and `Array` are both the C interface's ArrowArray.
    let raw = unsafe { &*Arc::as_ptr(&owner).cast::<Array>() };
    // SAFETY: the caller vouches for what the array points to, which `owner` keeps.
    unsafe { raw.import(data_type, &owner) }
}

fn invalid(text: impl Into<String>) -> ArrowError {
    ArrowError::CDataInterface(text.into())
}

/// `ArrowSchema` of the C data interface.
#[repr(C)]
struct Schema {
    format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *const *const Schema,
    dictionary: *const Schema,
    release: *const c_void,
    private_data: *const c_void,
}

const _: () = assert!(size_of::<Schema>() == size_of::<FFI_ArrowSchema>());

impl Schema {
    /// Checks the conditions under which `DataType::try_from` would panic.
    ///
    /// # Safety
    /// Pointers that are not null are valid, and texts end with a zero byte.
    unsafe fn check(&self, depth: usize) -> Result<(), ArrowError> {
        if depth > MAX_DEPTH {
            return Err(invalid(format!("types are nested more than {MAX_DEPTH} deep")));
        }
        if self.format.is_null() {
            return Err(invalid("a schema has no format"));
        }
        // SAFETY: the caller vouches for the format.
        let format = unsafe { CStr::from_ptr(self.format) };
        let Ok(format) = format.to_str() else {
            return Err(invalid("the format of a schema is not UTF-8"));
        };
        if !self.name.is_null() {
            // SAFETY: the caller vouches for the name.
            let name = unsafe { CStr::from_ptr(self.name) };
            name.to_str().map_err(|_| invalid("the name of a schema is not UTF-8"))?;
        }
        // SAFETY: the caller vouches for the children.
        let children = unsafe { pointers(self.children, self.n_children, "children of a schema")? };
        let needed = match format.as_bytes() {
            [b'+', b'r', ..] => 2,
            [b'+', b's' | b'u', ..] => children.len(),
            [b'+', ..] => 1,
            _ => 0,
        };
        if children.len() < needed {
            let text = format!("format '{format}' needs {needed} children, got {}", children.len());
            return Err(invalid(text));
        }
        for child in children {
            // SAFETY: a child that is not null is valid.
            let child = unsafe { child.as_ref() };
            let child = child.ok_or_else(|| invalid("a child of a schema is null"))?;
            // SAFETY: the caller vouches for what the child points to.
            unsafe { child.check(depth + 1)? };
        }
        // SAFETY: a dictionary that is not null is valid.
        match unsafe { self.dictionary.as_ref() } {
            // SAFETY: the caller vouches for what the dictionary points to.
            Some(values) => unsafe { values.check(depth + 1) },
            None => Ok(()),
        }
    }
}

/// Maximum depth of nested types. (Chosen by jvmwire; the tables of captures nest three deep.)
const MAX_DEPTH: usize = 64;

/// `ArrowArray` of the C data interface.
#[repr(C)]
struct Array {
    length: i64,
    null_count: i64,
    offset: i64,
    n_buffers: i64,
    n_children: i64,
    buffers: *const *const u8,
    children: *const *const Array,
    dictionary: *const Array,
    release: *const c_void,
    private_data: *const c_void,
}

const _: () = assert!(size_of::<Array>() == size_of::<FFI_ArrowArray>());

impl Array {
    /// Imports the array's data; its buffers hold `owner`.
    ///
    /// # Safety
    /// Pointers of the array, of its children and of its dictionary that are not null are valid for as long as
    /// `owner` lives, and buffers are as long as the array's length and offsets require.
    unsafe fn import(
        &self,
        data_type: DataType,
        owner: &Arc<FFI_ArrowArray>,
    ) -> Result<ArrayData, ArrowError> {
        let (len, offset) = (count(self.length, "length")?, count(self.offset, "offset")?);
        let values = len.checked_add(offset).filter(|values| isize::try_from(*values).is_ok());
        let values = values.ok_or_else(|| invalid(format!("{len} values after {offset}")))?;
        check_type(&data_type, values)?;
        // SAFETY: the caller vouches for the buffers.
        let pointers = unsafe { pointers(self.buffers, self.n_buffers, "buffers of an array")? };
        let buffers = Buffers { pointers, owner };
        // SAFETY: the caller vouches for the buffers.
        let (validity, buffers) = unsafe { buffers.of_type(&data_type, values)? };
        // SAFETY: the caller vouches for the children and the dictionary.
        let child_data = unsafe { self.child_data(&data_type, owner)? };
        // The number of nulls is counted, not taken from the producer.
        let builder = ArrayData::builder(data_type)
            .len(len)
            .offset(offset)
            .null_bit_buffer(validity)
            .buffers(buffers)
            .child_data(child_data)
            .align_buffers(true);
        // SAFETY: whoever calls `import` validates the data before it becomes an array.
        unsafe { builder.skip_validation(true) }.build()
    }

    /// Imports the children of an array, or the values of its dictionary.
    ///
    /// # Safety
    /// The same as for [`Self::import`].
    unsafe fn child_data(
        &self,
        data_type: &DataType,
        owner: &Arc<FFI_ArrowArray>,
    ) -> Result<Vec<ArrayData>, ArrowError> {
        // SAFETY: the caller vouches for the children.
        let children = unsafe { pointers(self.children, self.n_children, "children of an array")? };
        let (children, types) = match data_type {
            DataType::Dictionary(_, values) => {
                (std::slice::from_ref(&self.dictionary), vec![&**values])
            }
            DataType::List(field)
            | DataType::FixedSizeList(field, _)
            | DataType::LargeList(field)
            | DataType::ListView(field)
            | DataType::LargeListView(field)
            | DataType::Map(field, _) => (children, vec![field.data_type()]),
            DataType::Struct(fields) => {
                (children, fields.iter().map(|field| field.data_type()).collect())
            }
            DataType::Union(fields, _) => {
                (children, fields.iter().map(|(_, field)| field.data_type()).collect())
            }
            DataType::RunEndEncoded(ends, values) => {
                (children, vec![ends.data_type(), values.data_type()])
            }
            _ => (children, Vec::new()),
        };
        if children.len() != types.len() {
            let (needed, given) = (types.len(), children.len());
            return Err(invalid(format!("{data_type} needs {needed} children, got {given}")));
        }
        let import = |(child, data_type): (&*const Self, &DataType)| {
            // SAFETY: a child that is not null is valid.
            let child = unsafe { child.as_ref() };
            let child = child.ok_or_else(|| invalid(format!("{data_type} of a child is null")))?;
            // SAFETY: the caller vouches for what the child points to.
            unsafe { child.import(data_type.clone(), owner) }
        };
        children.iter().zip(types).map(import).collect()
    }
}

/// Buffers of one array, kept alive by `owner`.
struct Buffers<'a> {
    pointers: &'a [*const u8],
    owner: &'a Arc<FFI_ArrowArray>,
}

impl Buffers<'_> {
    /// Returns the validity buffer and the other buffers of an array with `values` values, including those
    /// before its offset.
    ///
    /// # Safety
    /// Pointers that are not null are valid for as long as the owner lives, and buffers are as long as `values`
    /// and their offsets require.
    unsafe fn of_type(
        &self,
        data_type: &DataType,
        values: usize,
    ) -> Result<(Option<Buffer>, Vec<Buffer>), ArrowError> {
        let layout = layout(data_type);
        let first = usize::from(layout.can_contain_null_mask);
        let fixed = first + layout.buffers.len();
        let lengths = usize::from(layout.variadic);
        let given = self.pointers.len();
        if given < fixed + lengths || (given > fixed && !layout.variadic && fixed > 0) {
            let needed = fixed + lengths;
            return Err(invalid(format!("{data_type} needs {needed} buffers, got {given}")));
        }
        let mut validity = None;
        if layout.can_contain_null_mask && !self.pointers[0].is_null() {
            // SAFETY: the validity has a bit for each value.
            validity = Some(unsafe { self.buffer(0, values.div_ceil(8))? });
        }
        let mut buffers = Vec::with_capacity(given - first);
        for (index, spec) in (first..).zip(&layout.buffers) {
            let len = match *spec {
                BufferSpec::FixedWidth { .. } if has_offsets(data_type) && values == 0 => {
                    // An empty array may come without offsets, or with any.
                    buffers.push(Buffer::from_vec(vec![0_i64]));
                    continue;
                }
                BufferSpec::FixedWidth { byte_width, .. } => {
                    (values + usize::from(has_offsets(data_type))).checked_mul(byte_width)
                }
                BufferSpec::VariableWidth if values == 0 => Some(0),
                // SAFETY: there are offsets in front of these values, one more than there are values.
                BufferSpec::VariableWidth => Some(unsafe { self.last_offset(data_type, values)? }),
                BufferSpec::BitMap => Some(values.div_ceil(8)),
                BufferSpec::AlwaysNull => Some(0),
            };
            let len = len.ok_or_else(|| invalid(format!("{values} values of {data_type}")))?;
            // SAFETY: the buffer is as long as `values` and their offsets say.
            buffers.push(unsafe { self.buffer(index, len)? });
        }
        for (index, at) in (fixed..given - lengths).enumerate() {
            // SAFETY: the last buffer has the length of each of these, 64 bits wide.
            let len = unsafe { self.integer::<i64>(given - 1, index)? };
            // SAFETY: the buffer is as long as it says.
            buffers.push(unsafe { self.buffer(at, count(len, "length of a buffer")?)? });
        }
        Ok((validity, buffers))
    }

    /// Number of bytes of the values of a type whose offsets are the buffer at index 1.
    ///
    /// # Safety
    /// There are `values` + 1 offsets.
    unsafe fn last_offset(&self, data_type: &DataType, values: usize) -> Result<usize, ArrowError> {
        let last = if matches!(data_type, DataType::LargeUtf8 | DataType::LargeBinary) {
            // SAFETY: the offsets of this type have 64 bits; the caller vouches for their number.
            unsafe { self.integer::<i64>(1, values)? }
        } else {
            // SAFETY: the offsets of this type have 32 bits; the caller vouches for their number.
            i64::from(unsafe { self.integer::<i32>(1, values)? })
        };
        count(last, "offset")
    }

    /// Reads the integer at index `at` of a buffer, which need not be aligned.
    ///
    /// # Safety
    /// The buffer, if it is not null, has more than `at` integers.
    unsafe fn integer<T: Copy>(&self, buffer: usize, at: usize) -> Result<T, ArrowError> {
        let start = self.pointers[buffer].cast::<T>();
        if start.is_null() {
            return Err(invalid(format!("buffer {buffer} is null")));
        }
        // SAFETY: the caller vouches for an integer there.
        let integer = unsafe { start.add(at) };
        // SAFETY: as above; it is read unaligned.
        Ok(unsafe { integer.read_unaligned() })
    }

    /// # Safety
    /// If it is not null, the buffer has `len` bytes, which do not change for as long as the owner lives.
    unsafe fn buffer(&self, index: usize, len: usize) -> Result<Buffer, ArrowError> {
        if len == 0 {
            // The pointer of an empty buffer may be invalid.
            return Ok(MutableBuffer::new(0).into());
        }
        if isize::try_from(len).is_err() {
            return Err(invalid(format!("buffer {index} cannot have {len} bytes")));
        }
        let Some(start) = NonNull::new(self.pointers[index].cast_mut()) else {
            return Err(invalid(format!("buffer {index} of {len} bytes is null")));
        };
        let owner = Arc::clone(self.owner);
        // SAFETY: the caller vouches for the bytes for as long as the owner lives, which the buffer holds.
        Ok(unsafe { Buffer::from_custom_allocation(start, len, owner) })
    }
}

/// Checks the type of an array with `values` values for the conditions under which `layout` and validation
/// would panic.
fn check_type(data_type: &DataType, values: usize) -> Result<(), ArrowError> {
    match data_type {
        DataType::FixedSizeBinary(size) | DataType::FixedSizeList(_, size) => {
            let size = usize::try_from(*size)
                .map_err(|_| invalid(format!("{data_type} has a negative size")))?;
            let total = values.checked_mul(size);
            total.map(drop).ok_or_else(|| invalid(format!("{values} values of {data_type}")))
        }
        DataType::Dictionary(keys, _) if !keys.is_dictionary_key_type() => {
            Err(invalid(format!("the keys of a dictionary must be integers, not {keys}")))
        }
        _ => Ok(()),
    }
}

/// Whether the first buffer of a type after the validity has one more offset than there are values.
fn has_offsets(data_type: &DataType) -> bool {
    use DataType::{Binary, LargeBinary, LargeList, LargeUtf8, List, Map, Utf8};
    matches!(data_type, Utf8 | LargeUtf8 | Binary | LargeBinary | List(_) | LargeList(_) | Map(..))
}

fn count(value: i64, what: &str) -> Result<usize, ArrowError> {
    usize::try_from(value).map_err(|_| invalid(format!("invalid {what}: {value}")))
}

/// Converts a C array of pointers to a slice.
///
/// # Safety
/// If `start` is not null, it points to `count` pointers, which remain valid for `'a`.
unsafe fn pointers<'a, T>(
    start: *const *const T,
    count: i64,
    what: &str,
) -> Result<&'a [*const T], ArrowError> {
    let len = self::count(count, what)?;
    if len == 0 {
        return Ok(&[]);
    }
    if start.is_null() {
        return Err(invalid(format!("the {len} {what} are null")));
    }
    // SAFETY: the caller vouches for `len` pointers.
    Ok(unsafe { std::slice::from_raw_parts(start, len) })
}
