//! Variable-length integers.

use arrow_array::types::{ArrowPrimitiveType, Int32Type, Int64Type, UInt32Type, UInt64Type};
use jvmwire_codec::{
    DecodeError, DecodeErrorKind, SimdLevel,
    varint::{self, Format, MAX_LEN},
};
use pyo3::{Borrowed, prelude::*, types::PyBytes};

use super::{Array, Decoder, decode_at, decoder::Incremental, integer, written};
use crate::{
    decode::not_one_of,
    error::PyCoreError,
    ffi::{ArrowInput, BytesInput, FastResult, PyNumber, method, method_at, number_and_offset},
};

/// Format of a variable-length integer.
///
/// Args:
///     name: The name of the format: `unsigned32`, `unsigned64`, `signed32`, `signed64`,
///         `protobuf-int32`, `zigzag32`, `zigzag64`, `vint` or `vlong`.
///
/// Raises:
///     `ValueError`: the name is unknown.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct Varint(Kind);

/// Format with the Arrow type of its values.
trait Arrow: Format<Out = <Self as Format>::Value, Value: Send> {
    type Type: ArrowPrimitiveType<Native = Self::Value>;
}

macro_rules! formats {
    ($($constant:ident $name:literal $format:ident $arrow:ty;)*) => {
        #[derive(Clone, Copy)]
        enum Kind { $($format),* }

        $(impl Arrow for varint::$format {
            type Type = $arrow;
        })*

        impl Kind {
            const ALL: &[Self] = &[$(Self::$format),*];

            const fn name(self) -> &'static str {
                match self { $(Self::$format => $name),* }
            }
        }

        impl Varint {
            $(pub(crate) const $constant: Self = Self(Kind::$format);)*
        }

        /// Evaluates the second argument with `F` as the type of the format that the first argument names.
        macro_rules! with_format {
            ($kind:expr, $does:expr) => {
                match $kind {
                    $(Kind::$format => {
                        type F = varint::$format;
                        $does
                    })*
                }
            };
        }
    };
}

formats! {
    UNSIGNED32 "unsigned32" Unsigned32 UInt32Type;
    UNSIGNED64 "unsigned64" Unsigned64 UInt64Type;
    SIGNED32 "signed32" Signed32 Int32Type;
    SIGNED64 "signed64" Signed64 Int64Type;
    PROTOBUF_INT32 "protobuf-int32" ProtobufInt32 Int32Type;
    ZIGZAG32 "zigzag32" ZigZag32 Int32Type;
    ZIGZAG64 "zigzag64" ZigZag64 Int64Type;
    VINT "vint" VInt Int32Type;
    VLONG "vlong" VLong Int64Type;
}

#[pymethods]
impl Varint {
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(name: &str) -> Result<Self, PyCoreError> {
        let mut known = Kind::ALL.iter().copied();
        known.find(|kind| kind.name() == name).map(Self).ok_or_else(|| {
            let known: Vec<_> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            not_one_of("varint", name, &known)
        })
    }

    /// Name of the format.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("Varint('{}')", self.name())
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
        with_format!(self.0, {
            let values = values.numbers::<<F as Arrow>::Type>()?.values();
            written(py, values.len() * size_of::<<F as Format>::Value>(), |wire| {
                varint::encode_all::<F>(values, wire, SimdLevel::current());
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
        let values = with_format!(self.0, data.read_detached(py, decode_all::<F>));
        Ok(values?)
    }

    /// Returns a new incremental decoder of this format.
    fn decoder(&self) -> Decoder {
        let level = SimdLevel::current();
        with_format!(self.0, Decoder::new(varint::Decoder::<F>::new(level)))
    }
}

impl Varint {
    #[inline]
    fn encode_one<'py>(&self, value: Borrowed<'_, 'py, PyAny>) -> FastResult<'py> {
        let mut out = [0; MAX_LEN];
        let len = with_format!(self.0, F::put(integer(&value, F::NAME)?, &mut out));
        Ok(PyBytes::new(value.py(), &out[..len]).into_any())
    }

    #[inline]
    fn decode_one<'py>(
        &self,
        data: Borrowed<'_, 'py, PyAny>,
        offset: Option<Borrowed<'_, 'py, PyAny>>,
    ) -> FastResult<'py> {
        let py = data.py();
        with_format!(
            self.0,
            match decode_at(data, offset, F::decode)? {
                (Ok((value, len)), at) =>
                    number_and_offset(py, PyNumber::int(py, value)?, at + len),
                (Err(problem), at) => Err(PyCoreError::from(problem.at(F::NAME, at)).into()),
            }
        )
    }
}

fn decode_all<F: Arrow>(bytes: &[u8]) -> Result<Array, DecodeError> {
    let mut values = Vec::new();
    let taken = varint::decode_all::<F>(bytes, &mut values, SimdLevel::current())?;
    match F::decode(&bytes[taken..]) {
        Err(problem @ DecodeErrorKind::UnexpectedEof { .. }) if taken < bytes.len() => {
            Err(problem.at(F::NAME, taken))
        }
        _ => Ok(Array::numbers::<F::Type>(values)),
    }
}

impl<F: Arrow + Send + Sync> Incremental for varint::Decoder<F> {
    fn feed(&mut self, data: &[u8]) -> (Array, Result<(), DecodeError>) {
        let mut values = Vec::new();
        let fed = self.feed(data, &mut values);
        (Array::numbers::<F::Type>(values), fed)
    }

    fn buffered(&self) -> usize {
        self.buffered()
    }

    fn finish(&self) -> Result<(), DecodeError> {
        self.finish()
    }
}
