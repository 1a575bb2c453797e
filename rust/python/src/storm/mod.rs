//! Storm for Python: the messages of a component's input, in batches.

use jvmwire_codec::storm::{BatchDecoder, Emit, MESSAGE_LIMIT};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyList, PyString},
};

use crate::error::PyCoreError;

mod json;
mod tuple;
mod writer;

use json::Json;
use tuple::Names;
pub(crate) use tuple::Tuple;
pub(crate) use writer::StormBoltWriter;

/// Decoder of the messages in Storm's stream.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct StormDecoder(BatchDecoder);

#[pymethods]
impl StormDecoder {
    #[new]
    #[pyo3(signature = (*, limit=MESSAGE_LIMIT))]
    fn new(limit: usize) -> Self {
        Self(BatchDecoder::new(limit))
    }

    /// Appends the next bytes of the stream.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    /// Takes all complete messages as the current batch; returns their number.
    fn next_batch(&mut self) -> Result<usize, PyCoreError> {
        Ok(self.0.next_batch()?)
    }

    /// Returns the messages of the batch, one by one.
    fn batch<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let messages: Vec<_> = self.0.batch().map(|it| PyBytes::new(py, it)).collect();
        PyList::new(py, messages)
    }

    /// Returns the batch as one JSON array, and whether it may have an integer of over 64 bits.
    fn array<'py>(&self, py: Python<'py>) -> (Bound<'py, PyBytes>, bool) {
        let array = self.0.array();
        (PyBytes::new(py, &array.json), array.wide)
    }

    /// Returns the batch as tuples, whose values `loads` parses; their ids; and the names of their streams.
    ///
    /// Returns None unless every message is a tuple that all JSON parsers read alike.
    #[pyo3(signature = (loads, /))]
    fn tuples<'py>(&self, loads: &Bound<'py, PyAny>) -> PyResult<Option<TuplesOf<'py>>> {
        let py = loads.py();
        let Some(tuples) = self.0.tuples() else { return Ok(None) };
        let values = loads.call1((PyBytes::new(py, &tuples.values),))?.cast_into::<PyList>()?;
        let (mut components, mut streams) = (Names::default(), Names::default());
        let mut made = Vec::with_capacity(tuples.heads.len());
        let mut ids = Vec::with_capacity(tuples.heads.len());
        for (head, values) in tuples.heads.iter().zip(values) {
            let id = PyString::new(py, &head.id);
            ids.push(id.clone());
            made.push(Bound::new(
                py,
                Tuple {
                    id: id.unbind(),
                    component: match &head.component {
                        Some(name) => components.text(py, name).into_any(),
                        None => py.None(),
                    },
                    stream: streams.text(py, &head.stream),
                    task: head.task.into_pyobject(py)?.into_any().unbind(),
                    values: values.unbind(),
                },
            )?);
        }
        Ok(Some((
            PyList::new(py, made)?,
            PyList::new(py, ids)?,
            PyList::new(py, streams.into_texts())?,
        )))
    }

    /// Number of bytes that wait for the end of their message.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

type TuplesOf<'py> = (Bound<'py, PyList>, Bound<'py, PyList>, Bound<'py, PyList>);

/// Encodes an emit; None if a value is of a type that is rare in JSON.
#[pyfunction]
#[pyo3(signature = (values, stream, id, anchors, task, need_task_ids, /))]
pub(crate) fn encode_storm_emit<'py>(
    values: &Bound<'py, PyAny>,
    stream: Option<&Bound<'py, PyString>>,
    id: Option<&Bound<'py, PyAny>>,
    anchors: Option<&Bound<'py, PyAny>>,
    task: Option<i64>,
    need_task_ids: bool,
) -> Option<Bound<'py, PyBytes>> {
    let stream = match stream {
        Some(name) => Some(name.to_str().ok()?),
        None => None,
    };
    let emit: Emit<'_, _> = Emit {
        tuple: Json::new(values),
        stream,
        id: id.map(Json::new),
        anchors: anchors.map(Json::new),
        task,
        need_task_ids,
    };
    Some(PyBytes::new(values.py(), &emit.encode()?))
}
