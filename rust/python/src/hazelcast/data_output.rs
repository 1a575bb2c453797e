//! `ObjectDataOutput` for users' classes.

#![expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]

use jvmwire_codec::hazelcast::data::Output;
use pyo3::{
    PyTraverseError, PyVisit,
    exceptions::PyValueError,
    prelude::*,
    types::{PyBytes, PyInt, PyList, PyString},
};

use super::data::{HazelcastDataCodec, Writing, judge_nesting, map_length_error};
use crate::{codec::number, ffi::BytesInput};

/// Writer of a value in Python code, as `ObjectDataOutput`.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HazelcastDataOutput {
    codec: Py<HazelcastDataCodec>,
    output: Output,
    depth: usize,
}

impl HazelcastDataOutput {
    pub(super) fn new(codec: Py<HazelcastDataCodec>, output: Output, depth: usize) -> Self {
        Self { codec, output, depth }
    }

    pub(super) fn take(&mut self) -> Output {
        let order = self.output.order();
        std::mem::replace(&mut self.output, Output::new(order))
    }

    fn write<'py>(
        &mut self,
        py: Python<'py>,
        write: impl FnOnce(&mut Writing<'_, 'py>) -> PyResult<()>,
    ) -> PyResult<()> {
        let output = self.take();
        let codec = self.codec.bind(py);
        let mut writing = Writing { codec, output, depth: self.depth };
        let written = write(&mut writing);
        self.output = writing.output;
        written
    }
}

#[pymethods]
impl HazelcastDataOutput {
    /// Writes a signed byte.
    #[pyo3(signature = (value, /))]
    fn write_byte(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.output.i8(number(value, "a byte")?);
        Ok(())
    }

    /// Writes a signed 16-bit integer.
    #[pyo3(signature = (value, /))]
    fn write_short(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.output.i16(number(value, "a short")?);
        Ok(())
    }

    /// Writes a UTF-16 code unit.
    #[pyo3(signature = (value, /))]
    fn write_char_code(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.output.u16(number(value, "a char")?);
        Ok(())
    }

    /// Writes a signed 32-bit integer.
    #[pyo3(signature = (value, /))]
    fn write_int(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.output.i32(number(value, "an int")?);
        Ok(())
    }

    /// Writes a signed 64-bit integer.
    #[pyo3(signature = (value, /))]
    fn write_long(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.output.i64(number(value, "a long")?);
        Ok(())
    }

    /// Writes a 32-bit floating-point number.
    #[pyo3(signature = (value, /))]
    fn write_float(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.output.f32(number(value, "a float")?);
        Ok(())
    }

    /// Writes a 64-bit floating-point number.
    #[pyo3(signature = (value, /))]
    fn write_double(&mut self, value: &Bound<'_, PyAny>) -> PyResult<()> {
        self.output.f64(number(value, "a double")?);
        Ok(())
    }

    /// Writes a boolean.
    #[pyo3(signature = (value, /))]
    fn write_boolean(&mut self, value: bool) {
        self.output.i8(value.into());
    }

    /// Writes a string; None writes a null.
    #[pyo3(signature = (value, /))]
    fn write_utf<'py>(
        &mut self,
        py: Python<'py>,
        value: Option<&Bound<'py, PyString>>,
    ) -> PyResult<()> {
        match value {
            Some(text) => self.write(py, |writing| writing.text(text)),
            None => map_length_error(self.output.count(None)),
        }
    }

    /// Writes bytes after their number; None writes a null.
    #[pyo3(signature = (value, /))]
    fn write_byte_array(&mut self, value: Option<BytesInput<'_, '_>>) -> PyResult<()> {
        match value {
            Some(bytes) => {
                map_length_error(bytes.peek(|bytes| self.output.byte_array(Some(bytes))))
            }
            None => map_length_error(self.output.byte_array(None)),
        }
    }

    /// Writes a list of strings after their number; None writes a null.
    #[pyo3(signature = (values, /))]
    fn write_utf_array<'py>(
        &mut self,
        py: Python<'py>,
        values: Option<Vec<Option<Bound<'py, PyString>>>>,
    ) -> PyResult<()> {
        map_length_error(self.output.count(values.as_ref().map(Vec::len)))?;
        for value in values.iter().flatten() {
            self.write_utf(py, value.as_ref())?;
        }
        Ok(())
    }

    /// Writes the number of elements that follow; None writes a null.
    #[pyo3(signature = (count, /))]
    fn write_count(&mut self, count: Option<usize>) -> PyResult<()> {
        map_length_error(self.output.count(count))
    }

    /// Writes bytes, without their number.
    #[pyo3(signature = (value, /))]
    fn write_bytes(&mut self, value: BytesInput<'_, '_>) {
        value.peek(|bytes| self.output.raw(bytes));
    }

    /// Writes a value with its type id.
    #[pyo3(signature = (value, /))]
    fn write_object<'py>(&mut self, py: Python<'py>, value: &Bound<'py, PyAny>) -> PyResult<()> {
        self.write(py, |writing| writing.object(value))
    }

    /// Writes a list of values with their type ids.
    #[pyo3(signature = (values, /))]
    fn write_list<'py>(&mut self, py: Python<'py>, values: &Bound<'py, PyList>) -> PyResult<()> {
        self.write(py, |writing| writing.list(values))
    }

    /// Writes an integer as a `java.math.BigInteger`: the shortest two's complement.
    #[pyo3(signature = (value, /))]
    fn write_big_integer<'py>(
        &mut self,
        py: Python<'py>,
        value: &Bound<'py, PyInt>,
    ) -> PyResult<()> {
        self.write(py, |writing| writing.big_integer(value))
    }

    /// Enters a nested value without a type id, and checks the depth.
    fn enter(&mut self) -> PyResult<()> {
        self.depth += 1;
        judge_nesting(self.depth)
    }

    /// Leaves a nested value that was entered with `enter`.
    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// Overwrites an `int` that was written before, at a position.
    #[pyo3(signature = (position, value, /))]
    fn put_int(&mut self, position: usize, value: i32) -> PyResult<()> {
        if self.output.put_i32(position, value) {
            return Ok(());
        }
        Err(PyValueError::new_err(format!("no int was written at position {position}")))
    }

    /// Number of bytes from the start of the data.
    #[getter]
    fn position(&self) -> usize {
        self.output.bytes().len()
    }

    /// Returns the written bytes.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.output.bytes())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.codec)
    }
}
