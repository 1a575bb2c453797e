//! `java.io.DataInput` and `DataOutput` for users' `Writable` classes.

use jvmwire_codec::{
    Cursor, DecodeErrorKind,
    hadoop::encode_writable,
    text::{JavaText, StringFormat},
    varint,
};
use pyo3::{
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyDict, PyString},
};

use super::convert::{arguments::Arguments, objects::decode_writable};
use crate::{error::PyCoreError, value::units};

/// Reader of the fields of a user's `Writable`, as `java.io.DataInput`; every read is checked.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HadoopDataInput {
    data: Py<PyBytes>,
    at: usize,
    classes: Py<PyDict>,
    depth: usize,
}

impl HadoopDataInput {
    pub(super) fn new(
        data: &Bound<'_, PyBytes>,
        at: usize,
        classes: &Bound<'_, PyDict>,
        depth: usize,
    ) -> Self {
        Self { data: data.clone().unbind(), at, classes: classes.clone().unbind(), depth }
    }

    pub(super) fn position(&self) -> usize {
        self.at
    }

    fn read<T>(
        &mut self,
        py: Python<'_>,
        read: impl FnOnce(&mut Cursor<'_>) -> jvmwire_codec::Result<T>,
    ) -> Result<T, PyCoreError> {
        let bytes = self.data.as_bytes(py);
        let mut cursor = Cursor::at(&bytes[self.at..], self.at);
        let value = read(&mut cursor)?;
        self.at = cursor.offset();
        Ok(value)
    }

    fn text<'py>(
        &mut self,
        py: Python<'py>,
        format: StringFormat,
    ) -> Result<Bound<'py, PyString>, PyCoreError> {
        let bytes = &self.data.as_bytes(py)[self.at..];
        let read = format.decode(bytes, bytes.len()).map_err(|error| error.moved(self.at))?;
        let Some((text, len)) = read else {
            return Err(DecodeErrorKind::UnexpectedEof { missing: 1 }.at("text", self.at).into());
        };
        self.at += len;
        Ok(match text {
            Some(JavaText::Str(text)) => PyString::new(py, &text),
            Some(JavaText::Units(text)) => units(py, &text)?,
            None => PyString::new(py, ""),
        })
    }
}

#[pymethods]
impl HadoopDataInput {
    /// Reads a boolean.
    fn read_boolean(&mut self, py: Python<'_>) -> Result<bool, PyCoreError> {
        Ok(self.read(py, |cursor| cursor.byte("boolean"))? != 0)
    }

    /// Reads a signed byte.
    fn read_byte(&mut self, py: Python<'_>) -> Result<i8, PyCoreError> {
        self.read(py, |cursor| cursor.i8_be("byte"))
    }

    /// Reads a UTF-16 code unit, big-endian, as a text of one character.
    fn read_char<'py>(&mut self, py: Python<'py>) -> Result<Bound<'py, PyString>, PyCoreError> {
        let unit = self.read(py, |cursor| cursor.u16_be("char"))?;
        Ok(units(py, &[unit])?)
    }

    /// Reads a signed 16-bit integer, big-endian.
    fn read_short(&mut self, py: Python<'_>) -> Result<i16, PyCoreError> {
        self.read(py, |cursor| cursor.i16_be("short"))
    }

    /// Reads a signed 32-bit integer, big-endian.
    fn read_int(&mut self, py: Python<'_>) -> Result<i32, PyCoreError> {
        self.read(py, |cursor| cursor.i32_be("int"))
    }

    /// Reads a signed 64-bit integer, big-endian.
    fn read_long(&mut self, py: Python<'_>) -> Result<i64, PyCoreError> {
        self.read(py, |cursor| cursor.i64_be("long"))
    }

    /// Reads a 32-bit floating-point number, big-endian.
    fn read_float(&mut self, py: Python<'_>) -> Result<f32, PyCoreError> {
        self.read(py, |cursor| cursor.f32_be("float"))
    }

    /// Reads a 64-bit floating-point number, big-endian.
    fn read_double(&mut self, py: Python<'_>) -> Result<f64, PyCoreError> {
        self.read(py, |cursor| cursor.f64_be("double"))
    }

    /// Reads a `VInt` or `VLong`, as `WritableUtils.readVLong`.
    fn read_vlong(&mut self, py: Python<'_>) -> Result<i64, PyCoreError> {
        self.read(py, |cursor| cursor.vlong("vlong"))
    }

    /// Reads `length` bytes.
    #[pyo3(signature = (length, /))]
    fn read_bytes<'py>(
        &mut self,
        py: Python<'py>,
        length: usize,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let start = self.at;
        self.read(py, |cursor| cursor.take(length, "bytes").map(|_| ()))?;
        Ok(PyBytes::new(py, &self.data.as_bytes(py)[start..self.at]))
    }

    /// Reads a text, as `java.io.DataInput.readUTF`.
    fn read_utf<'py>(&mut self, py: Python<'py>) -> Result<Bound<'py, PyString>, PyCoreError> {
        self.text(py, StringFormat::JAVA_UTF)
    }

    /// Reads a text, as `org.apache.hadoop.io.UTF8`.
    fn read_utf8<'py>(&mut self, py: Python<'py>) -> Result<Bound<'py, PyString>, PyCoreError> {
        self.text(py, StringFormat::HADOOP_UTF8)
    }

    /// Reads a text, as `org.apache.hadoop.io.Text`.
    fn read_text<'py>(&mut self, py: Python<'py>) -> Result<Bound<'py, PyString>, PyCoreError> {
        self.text(py, StringFormat::HADOOP_TEXT)
    }

    /// Reads the fields of a `Writable` of the given Java class.
    #[pyo3(signature = (java_class, /))]
    fn read_writable<'py>(
        slf: &Bound<'py, Self>,
        java_class: &str,
    ) -> Result<Bound<'py, PyAny>, PyCoreError> {
        let py = slf.py();
        let (data, at, classes, depth) = {
            let this = slf.borrow();
            let (data, classes) = (this.data.bind(py).clone(), this.classes.bind(py).clone());
            (data, this.at, classes, this.depth)
        };
        let (value, end) = decode_writable(&data, at, java_class, &classes, depth + 1)?;
        slf.borrow_mut().at = end;
        Ok(value)
    }
}

/// Writer of the fields of a user's `Writable`, as `java.io.DataOutput`.
#[pyclass(module = "jvmwire._core")]
#[derive(Default)]
pub(crate) struct HadoopDataOutput(pub(super) Vec<u8>);

#[pymethods]
impl HadoopDataOutput {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Returns the written bytes.
    fn getvalue<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0)
    }

    /// Writes a boolean.
    #[pyo3(signature = (value, /))]
    fn write_boolean(&mut self, value: bool) {
        self.0.push(value.into());
    }

    /// Writes a signed byte.
    #[pyo3(signature = (value, /))]
    fn write_byte(&mut self, value: i8) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Writes a text of one UTF-16 code unit, big-endian.
    #[pyo3(signature = (value, /))]
    fn write_char(&mut self, value: &Bound<'_, PyString>) -> Result<(), PyCoreError> {
        let unit = super::convert::arguments::unit(value)?;
        self.0.extend_from_slice(&unit.to_be_bytes());
        Ok(())
    }

    /// Writes a signed 16-bit integer, big-endian.
    #[pyo3(signature = (value, /))]
    fn write_short(&mut self, value: i16) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Writes a signed 32-bit integer, big-endian.
    #[pyo3(signature = (value, /))]
    fn write_int(&mut self, value: i32) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Writes a signed 64-bit integer, big-endian.
    #[pyo3(signature = (value, /))]
    fn write_long(&mut self, value: i64) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Writes a 32-bit floating-point number, big-endian.
    #[pyo3(signature = (value, /))]
    fn write_float(&mut self, value: f32) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Writes a 64-bit floating-point number, big-endian.
    #[pyo3(signature = (value, /))]
    fn write_double(&mut self, value: f64) {
        self.0.extend_from_slice(&value.to_be_bytes());
    }

    /// Writes a `VInt` or `VLong`, as `WritableUtils.writeVLong`.
    #[pyo3(signature = (value, /))]
    fn write_vlong(&mut self, value: i64) {
        varint::encode_vlong(value, &mut self.0);
    }

    /// Writes bytes, without a length.
    #[pyo3(signature = (data, /))]
    fn write_bytes(&mut self, data: &[u8]) {
        self.0.extend_from_slice(data);
    }

    /// Writes a text, as `java.io.DataOutput.writeUTF`.
    #[pyo3(signature = (text, /))]
    fn write_utf(&mut self, text: &Bound<'_, PyString>) -> Result<(), PyCoreError> {
        write_text(text, StringFormat::JAVA_UTF, &mut self.0)
    }

    /// Writes a text, as `org.apache.hadoop.io.UTF8`.
    #[pyo3(signature = (text, /))]
    fn write_utf8(&mut self, text: &Bound<'_, PyString>) -> Result<(), PyCoreError> {
        write_text(text, StringFormat::HADOOP_UTF8, &mut self.0)
    }

    /// Writes a text, as `org.apache.hadoop.io.Text`.
    #[pyo3(signature = (text, /))]
    fn write_text(&mut self, text: &Bound<'_, PyString>) -> Result<(), PyCoreError> {
        write_text(text, StringFormat::HADOOP_TEXT, &mut self.0)
    }

    /// Writes the fields of a `Writable`, without its class.
    #[pyo3(signature = (value, /))]
    fn write_writable(slf: &Bound<'_, Self>, value: Bound<'_, PyAny>) -> Result<(), PyCoreError> {
        let mut out = Vec::new();
        encode_writable(&Arguments(value), &mut out)?;
        slf.borrow_mut().0.append(&mut out);
        Ok(())
    }
}

fn write_text(
    text: &Bound<'_, PyString>,
    format: StringFormat,
    out: &mut Vec<u8>,
) -> Result<(), PyCoreError> {
    if let Ok(text) = text.to_str() {
        return Ok(format.encode(text, out)?);
    }
    let text = super::convert::arguments::lossless(text)?;
    format
        .encode_wtf8(text.as_bytes(), out)
        .map_err(|error| PyValueError::new_err(error.to_string()).into())
}
