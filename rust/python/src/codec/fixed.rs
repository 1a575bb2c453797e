//! Numbers and UUIDs of a fixed width.

use std::borrow::Cow;

use arrow_array::types::{
    Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type,
    UInt32Type, UInt64Type,
};
use jvmwire_codec::{
    DecodeError, DecodeErrorKind,
    fixed::{self, Fixed as _, Uuid, WIDEST},
    frame::ByteOrder,
};
use pyo3::{
    Borrowed, IntoPyObjectExt,
    exceptions::{PyTypeError, PyValueError},
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{IntoPyDict, PyBytes, PyType},
};

use super::{
    Array, Decoder, byte_order_name, byte_order_named, decode_at, decoder::Incremental, integer,
    written,
};
use crate::{
    decode::not_one_of,
    error::PyCoreError,
    ffi::{
        ArrowInput, BytesInput, FastResult, PyNumber, method, method_at, number_and_offset,
        value_and_offset,
    },
};

/// Format of numbers or UUIDs of a fixed width.
///
/// Args:
///     kind: The type: `int8` to `int64`, `uint8` to `uint64`, `float32`, `float64` or `uuid`.
///     `byte_order`: `big` (the default) or `little`.
///
/// Raises:
///     `ValueError`: the kind or the byte order is unknown.
#[pyclass(module = "jvmwire._core", frozen, generic)]
pub(crate) struct Fixed {
    kind: Kind,
    order: ByteOrder,
}

/// Value with its types in Python and Arrow.
trait Value: fixed::Fixed + Send + Sync {
    const NAME: &'static str;

    fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Self>;
    /// Converts to a tuple of the Python value and the offset of its end.
    fn value_and_offset(self, py: Python<'_>, end: usize) -> FastResult<'_>;
    fn from_arrow(values: &ArrowInput) -> PyResult<Cow<'_, [Self]>>;
    fn to_arrow(values: Vec<Self>) -> Array;
}

macro_rules! kinds {
    ($($kind:ident $name:literal $value:ty;)*) => {
        #[derive(Clone, Copy)]
        enum Kind { $($kind),* }

        impl Kind {
            const ALL: &[Self] = &[$(Self::$kind),*];

            const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }
        }

        /// Evaluates the second argument with `T` as the type of the kind that the first argument names.
        macro_rules! with_kind {
            ($given:expr, $does:expr) => {
                match $given {
                    $(Kind::$kind => {
                        type T = $value;
                        $does
                    })*
                }
            };
        }
    };
}

kinds! {
    Int8 "int8" i8;
    UInt8 "uint8" u8;
    Int16 "int16" i16;
    UInt16 "uint16" u16;
    Int32 "int32" i32;
    UInt32 "uint32" u32;
    Int64 "int64" i64;
    UInt64 "uint64" u64;
    Float32 "float32" f32;
    Float64 "float64" f64;
    Uuid "uuid" Uuid;
}

macro_rules! numbers {
    ($($number:ty, $name:literal, $arrow:ty, $from:expr;)*) => {$(
        impl Value for $number {
            const NAME: &'static str = $name;

            fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Self> {
                let from: fn(&Bound<'_, PyAny>) -> PyResult<Self> = $from;
                from(value)
            }

            fn value_and_offset(self, py: Python<'_>, end: usize) -> FastResult<'_> {
                number_and_offset(py, PyNumber::FastResult(self.into_bound_py_any(py)?), end)
            }

            fn from_arrow(values: &ArrowInput) -> PyResult<Cow<'_, [Self]>> {
                Ok(Cow::Borrowed(values.numbers::<$arrow>()?.values()))
            }

            fn to_arrow(values: Vec<Self>) -> Array {
                Array::numbers::<$arrow>(values)
            }
        }
    )*};
}

numbers! {
    i8, "int8", Int8Type, |value| integer(value, "int8");
    u8, "uint8", UInt8Type, |value| integer(value, "uint8");
    i16, "int16", Int16Type, |value| integer(value, "int16");
    u16, "uint16", UInt16Type, |value| integer(value, "uint16");
    i32, "int32", Int32Type, |value| integer(value, "int32");
    u32, "uint32", UInt32Type, |value| integer(value, "uint32");
    i64, "int64", Int64Type, |value| integer(value, "int64");
    u64, "uint64", UInt64Type, |value| integer(value, "uint64");
    f32, "float32", Float32Type, single;
    f64, "float64", Float64Type, |value| value.extract();
}

/// Converts a number to `float` as Java's cast does, but rejects numbers beyond the range of a `float`.
fn single(value: &Bound<'_, PyAny>) -> PyResult<f32> {
    let (double, single): (f64, f32) = (value.extract()?, value.extract()?);
    if single.is_infinite() && double.is_finite() {
        return Err(PyValueError::new_err(format!("{value} does not fit float32")));
    }
    Ok(single)
}

impl Value for Uuid {
    const NAME: &'static str = "uuid";

    fn from_python(value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = value.py();
        if !value.is_instance(uuid_class(py)?)? {
            let kind = value.get_type();
            return Err(PyTypeError::new_err(format!("a UUID is needed, not {}", kind.name()?)));
        }
        Ok(Self::from_be_bytes(value.getattr(intern!(py, "bytes"))?.extract()?))
    }

    fn value_and_offset(self, py: Python<'_>, end: usize) -> FastResult<'_> {
        let bytes = PyBytes::new(py, &self.to_be_bytes());
        let by_name = [(intern!(py, "bytes"), bytes)].into_py_dict(py)?;
        value_and_offset(&uuid_class(py)?.call((), Some(&by_name))?, end)
    }

    fn from_arrow(values: &ArrowInput) -> PyResult<Cow<'_, [Self]>> {
        let mut uuids = Vec::new();
        fixed::decode_all(values.uuids()?, ByteOrder::Big, &mut uuids);
        Ok(Cow::Owned(uuids))
    }

    fn to_arrow(values: Vec<Self>) -> Array {
        let mut bytes = Vec::new();
        fixed::encode_all(&values, ByteOrder::Big, &mut bytes);
        Array::uuids(bytes)
    }
}

fn uuid_class(py: Python<'_>) -> PyResult<&Bound<'_, PyType>> {
    static UUID: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    UUID.import(py, "uuid", "UUID")
}

#[pymethods]
impl Fixed {
    #[new]
    #[pyo3(signature = (kind, byte_order="big", /))]
    fn new(kind: &str, byte_order: &str) -> Result<Self, PyCoreError> {
        let known = Kind::ALL.iter().copied();
        let Some(kind) = known.clone().find(|it| it.name() == kind) else {
            return Err(not_one_of("kind", kind, &known.map(Kind::name).collect::<Vec<_>>()));
        };
        Ok(Self { kind, order: byte_order_named(byte_order)? })
    }

    /// Name of the type.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind.name()
    }

    /// Byte order, `big` or `little`.
    #[getter]
    fn byte_order(&self) -> &'static str {
        byte_order_name(self.order)
    }

    /// Bytes of one value.
    #[getter]
    fn width(&self) -> usize {
        with_kind!(self.kind, T::LEN)
    }

    fn __repr__(&self) -> String {
        format!("Fixed('{}', '{}')", self.kind(), self.byte_order())
    }

    #[classattr]
    fn encode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method(py, "encode", "value", "Encodes one value.", Self::encode_one)
    }

    #[classattr]
    fn decode(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        method_at(
            py,
            "decode",
            "Decodes one value; returns it and the offset of its end.",
            Self::decode_one,
        )
    }

    /// Encodes a column of values, one after the other.
    ///
    /// Args:
    ///     values: An Arrow array of exactly the format's type, without nulls.
    ///
    /// Returns:
    ///     The bytes of all values.
    ///
    /// Raises:
    ///     `ValueError`: a value is null.
    ///     `TypeError`: the array has another type.
    #[pyo3(signature = (values, /))]
    fn encode_all<'py>(
        &self,
        py: Python<'py>,
        values: ArrowInput,
    ) -> PyResult<Bound<'py, PyBytes>> {
        with_kind!(self.kind, {
            let values = T::from_arrow(&values)?;
            written(py, values.len() * T::LEN, |wire| {
                fixed::encode_all(&values, self.order, wire);
                Ok(())
            })
        })
    }

    /// Decodes bytes that consist of complete values.
    ///
    /// Args:
    ///     data: The bytes, read in place if no other thread can write to them.
    ///
    /// Returns:
    ///     An Arrow array of the values.
    ///
    /// Raises:
    ///     `DecodeError`: a value is malformed, or the last one is incomplete.
    #[pyo3(signature = (data, /))]
    fn decode_all(&self, py: Python<'_>, data: BytesInput<'_, '_>) -> Result<Array, PyCoreError> {
        let order = self.order;
        let decoded =
            with_kind!(self.kind, data.read_detached(py, |it| decode_all::<T>(it, order)));
        Ok(decoded?)
    }

    /// Returns a new incremental decoder of this format.
    fn decoder(&self) -> Decoder {
        with_kind!(self.kind, Decoder::new(fixed::Decoder::<T>::new(self.order)))
    }
}

impl Fixed {
    fn encode_one<'py>(&self, value: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
        let mut out = [0; WIDEST];
        let len = with_kind!(self.kind, {
            fixed::put(T::from_python(&value)?, self.order, &mut out);
            T::LEN
        });
        Ok(PyBytes::new(value.py(), &out[..len]).into_any())
    }

    fn decode_one<'py>(
        &self,
        data: Borrowed<'_, 'py, PyAny>,
        offset: Option<Borrowed<'_, 'py, PyAny>>,
    ) -> FastResult<'py> {
        let py = data.py();
        with_kind!(
            self.kind,
            match decode_at(data, offset, |bytes| fixed::decode::<T>(bytes, self.order))? {
                (Ok(value), at) => value.value_and_offset(py, at + T::LEN),
                (Err(problem), at) => Err(PyCoreError::from(problem.at(T::NAME, at)).into()),
            }
        )
    }
}

fn decode_all<T: Value>(bytes: &[u8], order: ByteOrder) -> Result<Array, DecodeError> {
    let mut values = Vec::new();
    let taken = fixed::decode_all::<T>(bytes, order, &mut values);
    match bytes.len() - taken {
        0 => Ok(T::to_arrow(values)),
        rest => Err(DecodeErrorKind::UnexpectedEof { missing: T::LEN - rest }.at(T::NAME, taken)),
    }
}

impl<T: Value> Incremental for fixed::Decoder<T> {
    fn feed(&mut self, data: &[u8]) -> (Array, Result<(), DecodeError>) {
        let mut values = Vec::new();
        self.feed(data, &mut values);
        (T::to_arrow(values), Ok(()))
    }

    fn buffered(&self) -> usize {
        self.buffered()
    }

    fn finish(&self) -> Result<(), DecodeError> {
        self.finish(T::NAME)
    }
}
