//! Hama streaming for Python.

use jvmwire_codec::hama::{
    ChildMessage, EncodeError, Escaping, LINE_LIMIT, OpCode, OpReader, OpTable, OpWriter,
    ReplyReader,
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList, PyString, PyTuple},
};

use crate::{count::Count, error::PyCoreError};

/// Writer of a child's operations, buffered for one write.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HamaOpWriter(OpWriter);

#[pymethods]
impl HamaOpWriter {
    #[new]
    #[pyo3(signature = (*, early=false, escaping=false))]
    fn new(early: bool, escaping: bool) -> Self {
        Self(OpWriter::new(table(early), self::escaping(escaping)))
    }

    /// Adds an operation with its arguments.
    #[pyo3(signature = (op, /, *arguments))]
    fn add(&mut self, op: &str, arguments: &Bound<'_, PyTuple>) -> PyResult<()> {
        let op = self.named(op)?;
        let held: Vec<Bound<'_, PyString>> = arguments.extract()?;
        let texts = held.iter().map(|text| text.to_str()).collect::<PyResult<Vec<_>>>()?;
        Ok(self.0.add(op, &texts).map_err(PyCoreError::from)?)
    }

    /// Adds an operation once per pair of arguments.
    #[pyo3(signature = (op, pairs, /))]
    fn add_pairs(
        &mut self,
        op: &str,
        pairs: Vec<(Bound<'_, PyString>, Bound<'_, PyString>)>,
    ) -> PyResult<()> {
        let op = self.named(op)?;
        for (first, second) in pairs {
            let pair = [first.to_str()?, second.to_str()?];
            self.0.add(op, &pair).map_err(PyCoreError::from)?;
        }
        Ok(())
    }

    /// Adds an operation without arguments, `count` times.
    #[pyo3(signature = (op, count, /))]
    fn repeat(&mut self, op: &str, count: Count) -> PyResult<()> {
        let op = self.named(op)?;
        for _ in 0..count.get() {
            self.0.add(op, &[]).map_err(PyCoreError::from)?;
        }
        Ok(())
    }

    /// Adds operations that another writer has encoded.
    #[pyo3(signature = (operations, /))]
    fn extend(&mut self, operations: &[u8]) {
        self.0.extend(operations);
    }

    /// Adds a LOG for each line of a text.
    #[pyo3(signature = (text, /))]
    fn log(&mut self, text: &str) {
        self.0.log(text);
    }

    /// Adds the acknowledgement that a step has ended.
    #[pyo3(signature = (op, /))]
    fn acknowledge(&mut self, op: &str) -> PyResult<()> {
        let op = self.named(op)?;
        self.0.acknowledge(op);
        Ok(())
    }

    /// Takes the buffered bytes.
    fn take<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.take())
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

impl HamaOpWriter {
    fn named(&self, name: &str) -> Result<jvmwire_codec::hama::Op, PyCoreError> {
        let op = self.0.named(name);
        op.ok_or_else(|| PyCoreError::Argument(format!("{name} is no operation of Hama's")))
    }
}

/// Reader of a task's output, as lines and single bytes.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HamaReplyReader(ReplyReader);

#[pymethods]
impl HamaReplyReader {
    #[new]
    #[pyo3(signature = (*, padded=true, escaping=false, limit=LINE_LIMIT))]
    fn new(padded: bool, escaping: bool, limit: usize) -> Self {
        Self(ReplyReader::new(limit, padded, self::escaping(escaping)))
    }

    /// Appends the next bytes of the stream.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    /// Takes the next `count` lines, or None if they are incomplete.
    #[pyo3(signature = (count, /))]
    fn take_lines<'py>(
        &mut self,
        py: Python<'py>,
        count: usize,
    ) -> Result<Option<Bound<'py, PyList>>, PyCoreError> {
        self.lines(py, count, false)
    }

    /// Takes the next `count` lines and decodes their escapes, or None if they are incomplete.
    #[pyo3(signature = (count, /))]
    fn take_values<'py>(
        &mut self,
        py: Python<'py>,
        count: usize,
    ) -> Result<Option<Bound<'py, PyList>>, PyCoreError> {
        self.lines(py, count, true)
    }

    /// Takes a line with a count and that number of lines, or None if they are incomplete.
    fn take_counted<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<Bound<'py, PyList>>, PyCoreError> {
        let lines = PyList::empty(py);
        let taken = self.0.take_counted(|line| lines.append(line).map_err(PyCoreError::from))?;
        Ok(taken.then_some(lines))
    }

    /// Takes the next byte, or None if there is none.
    fn take_byte(&mut self) -> Option<u8> {
        self.0.take_byte()
    }

    /// Number of bytes that are not taken.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

impl HamaReplyReader {
    fn lines<'py>(
        &mut self,
        py: Python<'py>,
        count: usize,
        values: bool,
    ) -> Result<Option<Bound<'py, PyList>>, PyCoreError> {
        let lines = PyList::empty(py);
        let taken =
            self.0.take(count, values, |line| lines.append(line).map_err(PyCoreError::from))?;
        Ok(taken.then_some(lines))
    }
}

/// Reader of a child's output, one operation with its lines at a time.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HamaOpReader(OpReader);

#[pymethods]
impl HamaOpReader {
    #[new]
    #[pyo3(signature = (*, early=false, limit=LINE_LIMIT))]
    fn new(early: bool, limit: usize) -> Self {
        Self(OpReader::new(table(early), limit))
    }

    /// Appends the next bytes of the stream.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    /// Ends the stream: the remaining bytes are the last line.
    fn finish(&mut self) {
        self.0.finish();
    }

    /// Takes the next complete operation: its name and its arguments.
    fn next_op<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<Bound<'py, PyTuple>>, PyCoreError> {
        let Some((said, bytes)) = self.0.next_said()? else { return Ok(None) };
        let text = |range: std::ops::Range<usize>| {
            let problem = |error: std::str::Utf8Error| {
                let at = error.valid_up_to();
                jvmwire_codec::DecodeErrorKind::NotText { at, encoding: "UTF-8" }
                    .at("line", range.start)
            };
            std::str::from_utf8(&bytes[range.clone()]).map_err(problem)
        };
        let mut told: Vec<&str> = Vec::with_capacity(3);
        match said {
            ChildMessage::Ack(step) => told.extend(["ACK", text(step)?]),
            ChildMessage::Op(op, own, lines) => {
                told.push(op.name);
                if op.code == OpCode::Log {
                    told.push(text(own)?);
                }
                for line in lines {
                    told.push(text(line)?);
                }
            }
        }
        Ok(Some(PyTuple::new(py, told)?))
    }

    /// Number of bytes that are not taken.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

impl From<EncodeError> for PyCoreError {
    fn from(error: EncodeError) -> Self {
        Self::Argument(error.to_string())
    }
}

fn table(early: bool) -> OpTable {
    if early { OpTable::Early } else { OpTable::Current }
}

fn escaping(on: bool) -> Escaping {
    if on { Escaping::On } else { Escaping::Off }
}
