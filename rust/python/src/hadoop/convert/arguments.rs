//! Encoding of Python objects as Java values, for arguments of `Writable` calls.

use std::borrow::Cow;

use jvmwire_codec::{
    SimdLevel,
    hadoop::{self, EncodeError, JavaType, Object, Primitive},
    text::{self, Encoding},
    visit::Value,
};
use pyo3::{
    exceptions::{PyOverflowError, PyTypeError, PyValueError},
    intern,
    prelude::*,
    sync::PyOnceLock,
    types::{PyBool, PyByteArray, PyBytes, PyDict, PyString, PyType},
};

use crate::error::PyCoreError;
use crate::hadoop::data::HadoopDataOutput;

/// Python value that is encoded as a Java value.
pub(in crate::hadoop) struct Arguments<'py>(pub(in crate::hadoop) Bound<'py, PyAny>);

impl From<EncodeError> for PyCoreError {
    fn from(error: EncodeError) -> Self {
        let message = error.to_string();
        match error {
            // A value of another type would do; no other value of this one does.
            EncodeError::Null(_) | EncodeError::Void => PyTypeError::new_err(message).into(),
            _ => Self::Argument(message),
        }
    }
}

/// Java type, identified by the name that `Class.getName` returns.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct JavaClass(pub(in crate::hadoop) JavaType);

#[pymethods]
impl JavaClass {
    #[new]
    #[pyo3(signature = (name, /))]
    fn new(name: &str) -> Result<Self, PyCoreError> {
        let wrong = || PyCoreError::Argument(format!("{name:?} is no name of a type in Java"));
        Ok(Self(JavaType::from_name(name).ok_or_else(wrong)?))
    }

    /// Name of the type, as `Class.getName` returns it.
    #[getter]
    fn name(&self) -> String {
        self.0.name()
    }

    fn __repr__(&self) -> String {
        format!("JavaClass({:?})", self.0.name())
    }

    /// Encodes a value as an `ObjectWritable`, as replies contain it.
    #[pyo3(signature = (value, /))]
    fn encode<'py>(&self, value: Bound<'py, PyAny>) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let py = value.py();
        let mut out = Vec::new();
        hadoop::encode_object(&self.0, &Arguments(value), &mut out)?;
        Ok(PyBytes::new(py, &out))
    }
}

/// Encodes a `WritableRpcEngine.Invocation` from parameters and their types.
#[pyfunction]
#[pyo3(signature = (protocol, method, version, methods_hash, types, parameters, /))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
pub(crate) fn encode_invocation<'py>(
    py: Python<'py>,
    protocol: &str,
    method: &str,
    version: i64,
    methods_hash: i32,
    types: Vec<Bound<'py, JavaClass>>,
    parameters: Vec<Bound<'py, PyAny>>,
) -> Result<Bound<'py, PyBytes>, PyCoreError> {
    if types.len() != parameters.len() {
        let (wanted, given) = (types.len(), parameters.len());
        let text = format!("{method} has {wanted} parameters, and {given} were given");
        return Err(PyTypeError::new_err(text).into());
    }
    let call = hadoop::Invocation {
        protocol: protocol.into(),
        method: method.into(),
        rpc_version: hadoop::RPC_VERSION,
        client_version: version,
        client_methods_hash: methods_hash,
    };
    let parameters: Vec<_> = types
        .iter()
        .zip(parameters)
        .map(|(kind, value)| (&kind.get().0, Arguments(value)))
        .collect();
    let mut out = Vec::new();
    hadoop::encode_invocation(&call, &parameters, &mut out)?;
    Ok(PyBytes::new(py, &out))
}

impl Object for Arguments<'_> {
    type Error = PyCoreError;

    fn is_null(&self) -> bool {
        self.0.is_none()
    }

    fn number(&self, kind: Primitive) -> Result<Value<'static>, PyCoreError> {
        let value = &self.0;
        let read = match kind {
            Primitive::Boolean => value
                .cast::<PyBool>()
                .map(|value| Value::Bool(value.is_true()))
                .map_err(PyErr::from),
            Primitive::Char => value
                .cast::<PyString>()
                .map_err(PyErr::from)
                .and_then(|text| Ok(Value::UInt(unit(text)?.into()))),
            Primitive::Byte => value.extract::<i8>().map(|value| Value::Int(value.into())),
            Primitive::Short => value.extract::<i16>().map(|value| Value::Int(value.into())),
            Primitive::Int => value.extract::<i32>().map(|value| Value::Int(value.into())),
            Primitive::Long => value.extract::<i64>().map(Value::Int),
            Primitive::Float | Primitive::Double => value.extract::<f64>().map(Value::Float),
        };
        let number = read.map_err(|error| self.as_kind(kind, error))?;
        #[expect(clippy::cast_possible_truncation, reason = "it is what is asked")]
        if let (Primitive::Float, Value::Float(value)) = (kind, number)
            && value.is_finite()
            && !(value as f32).is_finite()
        {
            return Err(PyCoreError::Argument(format!("{value} is out of the range of a float")));
        }
        Ok(number)
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>, PyCoreError> {
        if let Ok(bytes) = self.0.cast::<PyBytes>() {
            return Ok(Cow::Borrowed(bytes.as_bytes()));
        }
        match self.0.cast::<PyByteArray>() {
            Ok(bytes) => Ok(Cow::Owned(bytes.to_vec())),
            Err(error) => Err(PyErr::from(error).into()),
        }
    }

    fn write_text(&self, encoding: Encoding, out: &mut Vec<u8>) -> Result<(), PyCoreError> {
        let text = self.0.cast::<PyString>().map_err(PyErr::from)?;
        if let Ok(text) = text.to_str() {
            text::encode_into(text, encoding, out, SimdLevel::current());
            return Ok(());
        }
        let bytes = lossless(text)?;
        text::encode_wtf8(bytes.as_bytes(), encoding, out)
            .map_err(|problem| PyCoreError::Argument(problem.to_string()))
    }

    fn elements(&self) -> Result<Vec<Self>, PyCoreError> {
        if self.0.is_instance_of::<PyString>() || self.0.is_instance_of::<PyDict>() {
            let text = format!("{} is no array", self.0.get_type().name()?);
            return Err(PyTypeError::new_err(text).into());
        }
        let elements: PyResult<Vec<_>> = self.0.try_iter()?.map(|item| item.map(Self)).collect();
        Ok(elements?)
    }

    fn entries(&self) -> Result<Vec<(Self, Self)>, PyCoreError> {
        let dict = self.0.cast::<PyDict>().map_err(PyErr::from)?;
        Ok(dict.iter().map(|(key, value)| (Self(key), Self(value))).collect())
    }

    fn constant(&self) -> Result<Option<String>, PyCoreError> {
        static ENUM: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let py = self.0.py();
        if !self.0.is_instance(ENUM.import(py, "enum", "Enum")?)? {
            return Ok(None);
        }
        Ok(Some(self.0.getattr(intern!(py, "name"))?.extract()?))
    }

    fn class(&self) -> Result<String, PyCoreError> {
        let kind = self.0.get_type();
        let Ok(name) = kind.getattr(intern!(self.0.py(), "java_class")) else {
            let text = format!("{} is neither a Writable nor a constant", kind.name()?);
            return Err(PyTypeError::new_err(text).into());
        };
        Ok(name.extract()?)
    }

    fn content(&self) -> Result<Self, PyCoreError> {
        Ok(Self(self.0.getattr(intern!(self.0.py(), "value"))?))
    }

    fn signature(&self) -> Result<(i64, Option<Vec<i32>>), PyCoreError> {
        let py = self.0.py();
        let version = self.0.getattr(intern!(py, "version"))?.extract()?;
        Ok((version, self.0.getattr(intern!(py, "methods"))?.extract()?))
    }

    fn write_fields(&self, out: &mut Vec<u8>) -> Result<(), PyCoreError> {
        let py = self.0.py();
        let output = Bound::new(py, HadoopDataOutput::default())?;
        self.0.call_method1(intern!(py, "write"), (&output,))?;
        out.append(&mut output.borrow_mut().0);
        Ok(())
    }
}

impl Arguments<'_> {
    /// Adds the expected type to an error; a number that is out of range becomes a wrong value.
    fn as_kind(&self, kind: Primitive, error: PyErr) -> PyCoreError {
        let py = self.0.py();
        let text = format!("{} for Java's {}: {}", self.0, kind.name(), error.value(py));
        let said = if error.is_instance_of::<PyOverflowError>(py)
            || error.is_instance_of::<PyValueError>(py)
        {
            PyValueError::new_err(text)
        } else {
            PyTypeError::new_err(text)
        };
        said.set_cause(py, Some(error));
        said.into()
    }
}

/// Converts a text of exactly one UTF-16 code unit.
pub(in crate::hadoop) fn unit(text: &Bound<'_, PyString>) -> PyResult<u16> {
    let encoded =
        text.call_method1(intern!(text.py(), "encode"), ("utf-16-be", "surrogatepass"))?;
    match *encoded.cast::<PyBytes>()?.as_bytes() {
        [high, low] => Ok(u16::from_be_bytes([high, low])),
        _ => Err(PyValueError::new_err("a char is one unit of UTF-16")),
    }
}

/// Encodes a text as UTF-8, with three bytes for each lone surrogate.
pub(in crate::hadoop) fn lossless<'py>(
    text: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyBytes>> {
    let encoded = text.call_method1(intern!(text.py(), "encode"), ("utf-8", "surrogatepass"))?;
    Ok(encoded.cast_into::<PyBytes>()?)
}
