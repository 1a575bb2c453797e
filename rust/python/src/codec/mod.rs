//! The codec's formats as Python classes: each encodes and decodes one value, a stream, or an Arrow array.

#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]

mod array;
mod decoder;
mod fixed;
mod fragment;
mod frame;
mod pieces;
mod text;
mod typed_frame;
mod varint;

pub(crate) use array::{Array, binary_array};
pub(crate) use decoder::Decoder;
pub(crate) use fixed::Fixed;
pub(crate) use fragment::{KeyedAssembler, StreamAssembler};
pub(crate) use frame::{FrameDecoder, Framing};
pub(crate) use text::{StringFormat, Text, Utf8, text_of, utf8_of};
pub(crate) use typed_frame::{TypedFrameDecoder, TypedFraming};
pub(crate) use varint::Varint;

use std::ops::Range;

use jvmwire_codec::{SimdLevel, buffer_pool, frame::ByteOrder};
use pyo3::{
    Borrowed,
    exceptions::{PyOverflowError, PyValueError},
    prelude::*,
    types::PyBytes,
};

use crate::{
    decode::not_one_of,
    error::PyCoreError,
    ffi::{self, FastResult},
};

/// Offset in the data at which decoding begins.
#[derive(Clone, Copy, Default)]
pub(crate) struct Offset(usize);

impl<'py> FromPyObject<'_, 'py> for Offset {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        integer(&object, "an offset").map(Self)
    }
}

impl Offset {
    /// Returns the bytes from the offset on.
    #[inline]
    fn slice(self, data: &[u8]) -> PyResult<&[u8]> {
        data.get(self.0..).ok_or_else(|| {
            let (at, len) = (self.0, data.len());
            PyValueError::new_err(format!("offset {at} is beyond the {len} bytes of data"))
        })
    }
}

/// Returns the bytes that `encode` writes without the GIL; `room` is their expected number.
fn written(
    py: Python<'_>,
    room: usize,
    encode: impl FnOnce(&mut Vec<u8>) -> Result<(), PyCoreError> + Send,
) -> PyResult<Bound<'_, PyBytes>> {
    let mut wire = buffer_pool::take_vec(room);
    let encoded = py.detach(|| encode(&mut wire));
    let wire_bytes = encoded.map(|()| PyBytes::new(py, &wire));
    buffer_pool::recycle(wire);
    Ok(wire_bytes?)
}

/// Decodes the value in `data` at the offset given by the second argument of the call, 0 by default. Returns
/// the result of `decode` and the offset.
#[inline]
fn decode_at<T: Send>(
    data: Borrowed<'_, '_, PyAny>,
    offset: Option<Borrowed<'_, '_, PyAny>>,
    decode: impl FnOnce(&[u8]) -> T + Send,
) -> PyResult<(T, usize)> {
    let offset: Offset = offset.map(Borrowed::extract).transpose()?.unwrap_or_default();
    let decoded = ffi::peek(data, |data| Ok::<_, PyErr>(decode(offset.slice(data)?)))?;
    Ok((decoded?, offset.0))
}

/// Finds a part of `data` with `find`, from the offset given by the second argument of the call (0 by default),
/// and makes an object of the part.
///
/// `find` receives the bytes and their offset, and returns its result and the range of the part within the
/// bytes.
#[inline]
fn make_of_part_at<'py, T: Send>(
    data: Borrowed<'_, 'py, PyAny>,
    offset: Option<Borrowed<'_, 'py, PyAny>>,
    find: impl FnOnce(&[u8], usize) -> PyResult<(T, Range<usize>)> + Send,
    make: impl FnOnce(T, &[u8], usize) -> FastResult<'py>,
) -> FastResult<'py> {
    let offset: Offset = offset.map(Borrowed::extract).transpose()?.unwrap_or_default();
    let at = offset.0;
    let find = |data: &[u8]| {
        let (found, part) = find(offset.slice(data)?, at)?;
        Ok((found, at + part.start..at + part.end))
    };
    ffi::make_from_range(data, find, |found, part| make(found, part, at))
}

/// Converts a Python object to an integer of type `T`; an error if `T` cannot represent it.
#[inline]
pub(crate) fn integer<'a, 'py, T>(object: &'a Bound<'py, PyAny>, what: &str) -> PyResult<T>
where
    T: FromPyObject<'a, 'py, Error = PyErr> + TryFrom<i64>,
{
    match ffi::long(object).map(T::try_from) {
        Some(Ok(value)) => Ok(value),
        _ => number(object, what),
    }
}

/// Converts a Python object to a number of type `T`; an error if `T` cannot represent it.
pub(crate) fn number<'a, 'py, T>(object: &'a Bound<'py, PyAny>, what: &str) -> PyResult<T>
where
    T: FromPyObject<'a, 'py, Error = PyErr>,
{
    object.extract().map_err(|error: PyErr| {
        if error.is_instance_of::<PyOverflowError>(object.py()) {
            PyValueError::new_err(format!("{object} does not fit {what}"))
        } else {
            error
        }
    })
}

/// Checks that columns have the same length.
fn same_len(lens: &[usize]) -> PyResult<()> {
    if lens.windows(2).all(|it| it[0] == it[1]) {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("the Arrow arrays differ in length: {lens:?}")))
}

pub(crate) fn byte_order_named(name: &str) -> Result<ByteOrder, PyCoreError> {
    match name {
        "big" => Ok(ByteOrder::Big),
        "little" => Ok(ByteOrder::Little),
        _ => Err(not_one_of("byte order", name, &["big", "little"])),
    }
}

const fn byte_order_name(order: ByteOrder) -> &'static str {
    match order {
        ByteOrder::Big => "big",
        ByteOrder::Little => "little",
    }
}

/// Maximum number of bytes, or of other units, that a peer may announce.
#[derive(Clone, Copy)]
pub(crate) struct Limit(usize);

impl Limit {
    /// Default limit of the bytes of one message (chosen by jvmwire).
    pub(crate) const MESSAGE: Self = Self(64 << 20);
    /// Default limit of the bytes of all incomplete messages (chosen by jvmwire).
    const TOTAL: Self = Self(256 << 20);
    /// Default limit of the number of incomplete messages (chosen by jvmwire).
    const OPEN: Self = Self(1 << 16);

    pub(crate) const fn get(self) -> usize {
        self.0
    }
}

impl<'py> FromPyObject<'_, 'py> for Limit {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        // Neither Java's lengths nor Arrow's offsets are larger.
        let limit: i32 = integer(&object, "a limit, which 31 bits hold")?;
        let negative = |_| PyValueError::new_err(format!("a limit cannot be {limit}"));
        usize::try_from(limit).map(Self).map_err(negative)
    }
}

/// Names of the kernel levels that this processor supports, the lowest first.
pub(crate) fn levels() -> Vec<&'static str> {
    SimdLevel::available().iter().map(|level| level.name()).collect()
}

/// Returns the name of the kernel level in use.
///
/// The default is the highest of `LEVELS`; the environment variable `JVMWIRE_KERNELS` overrides it.
#[pyfunction]
pub(crate) fn level() -> &'static str {
    SimdLevel::current().name()
}

/// Selects the kernel level that the environment variable names.
pub(crate) fn fix_level() -> PyResult<()> {
    let Some(name) = std::env::var_os(KERNELS) else { return Ok(()) };
    let known = SimdLevel::available();
    let Some(level) = known.iter().find(|level| name == level.name()) else {
        let known = levels().join(", ");
        let text = format!("{KERNELS} is '{}', and this processor has {known}", name.display());
        return Err(PyValueError::new_err(text));
    };
    level.set_global();
    Ok(())
}

/// Environment variable that selects the kernel level.
const KERNELS: &str = "JVMWIRE_KERNELS";
