//! `ObjectDataInput` for users' classes.

#![expect(
    clippy::redundant_closure_for_method_calls,
    reason = "a method by its name is not general enough over lifetimes"
)]

use jvmwire_codec::hazelcast::data::Input;
use pyo3::{
    PyTraverseError, PyVisit,
    prelude::*,
    types::{PyBytes, PyList},
};

use super::data::{HazelcastDataCodec, Reading, map_decode_error};

/// Reader of a value in Python code, as `ObjectDataInput`.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HazelcastDataInput {
    codec: Py<HazelcastDataCodec>,
    data: Py<PyBytes>,
    position: usize,
    depth: usize,
}

impl HazelcastDataInput {
    pub(super) fn new(
        codec: Py<HazelcastDataCodec>,
        data: Py<PyBytes>,
        position: usize,
        depth: usize,
    ) -> Self {
        Self { codec, data, position, depth }
    }

    pub(super) fn position(&self) -> usize {
        self.position
    }

    /// Reads one element, and advances the position if that succeeds.
    fn read<'py, T>(
        &mut self,
        py: Python<'py>,
        read: impl FnOnce(&mut Reading<'_, 'py>) -> PyResult<T>,
    ) -> PyResult<T> {
        let (codec, data) = (self.codec.bind(py), self.data.bind(py));
        let input = Input::at(data.as_bytes(), self.position, codec.get().order);
        let (bytes, data) = (data.as_bytes(), Some(data.clone()));
        let mut reading = Reading { codec, bytes, data, input, depth: self.depth };
        let value = read(&mut reading)?;
        self.position = reading.input.position();
        Ok(value)
    }
}

#[pymethods]
impl HazelcastDataInput {
    /// Reads a signed byte.
    fn read_byte(&mut self, py: Python<'_>) -> PyResult<i8> {
        self.read(py, |reading| map_decode_error(reading.input.i8()))
    }

    /// Reads a signed 16-bit integer.
    fn read_short(&mut self, py: Python<'_>) -> PyResult<i16> {
        self.read(py, |reading| map_decode_error(reading.input.i16()))
    }

    /// Reads a UTF-16 code unit.
    fn read_char_code(&mut self, py: Python<'_>) -> PyResult<u16> {
        self.read(py, |reading| map_decode_error(reading.input.u16()))
    }

    /// Reads a signed 32-bit integer.
    fn read_int(&mut self, py: Python<'_>) -> PyResult<i32> {
        self.read(py, |reading| map_decode_error(reading.input.i32()))
    }

    /// Reads a signed 64-bit integer.
    fn read_long(&mut self, py: Python<'_>) -> PyResult<i64> {
        self.read(py, |reading| map_decode_error(reading.input.i64()))
    }

    /// Reads a 32-bit floating-point number.
    fn read_float(&mut self, py: Python<'_>) -> PyResult<f32> {
        self.read(py, |reading| map_decode_error(reading.input.f32()))
    }

    /// Reads a 64-bit floating-point number.
    fn read_double(&mut self, py: Python<'_>) -> PyResult<f64> {
        self.read(py, |reading| map_decode_error(reading.input.f64()))
    }

    /// Reads a boolean.
    fn read_boolean(&mut self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.read_byte(py)? != 0)
    }

    /// Reads a string; None for a null.
    fn read_utf<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, |reading| reading.text())
    }

    /// Reads bytes after their number; None for a null.
    fn read_byte_array<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, |reading| reading.byte_array())
    }

    /// Reads a list of strings after their number; None for a null.
    fn read_utf_array<'py>(&mut self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.read(py, |reading| {
            let Some(count) = map_decode_error(reading.input.count(4))? else { return Ok(None) };
            let list = PyList::empty(py);
            for _ in 0..count {
                list.append(reading.text()?)?;
            }
            Ok(Some(list))
        })
    }

    /// Reads a number of elements, of which each takes `width` bytes; None for a null.
    #[pyo3(signature = (width, /))]
    fn read_count(&mut self, py: Python<'_>, width: usize) -> PyResult<Option<usize>> {
        self.read(py, |reading| map_decode_error(reading.input.count(width)))
    }

    /// Reads `count` bytes.
    #[pyo3(signature = (count, /))]
    fn read_bytes<'py>(&mut self, py: Python<'py>, count: usize) -> PyResult<Bound<'py, PyBytes>> {
        self.read(py, |reading| Ok(PyBytes::new(py, map_decode_error(reading.input.take(count))?)))
    }

    /// Reads a value with its type id.
    fn read_object<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, |reading| reading.object())
    }

    /// Reads a list of values with their type ids; None for a null.
    fn read_list<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, |reading| reading.list())
    }

    /// Enters a nested value without a type id, and checks the depth.
    fn enter(&mut self) -> PyResult<()> {
        self.depth += 1;
        map_decode_error(jvmwire_codec::hazelcast::data::judge_depth(self.depth, self.position))
    }

    /// Leaves a nested value that was entered with `enter`.
    fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    #[getter(position)]
    fn get_position(&self) -> usize {
        self.position
    }

    #[setter(position)]
    fn set_position(&mut self, py: Python<'_>, position: i64) -> PyResult<()> {
        self.read(py, |reading| map_decode_error(reading.input.seek(position)))
    }

    /// Number of bytes of the `Data`, including its header.
    #[getter]
    fn size(&self, py: Python<'_>) -> usize {
        self.data.bind(py).as_bytes().len()
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.codec)
    }
}
