//! Tuples of a bolt.

use jvmwire_codec::storm::TICK_STREAM;
use pyo3::{
    prelude::*,
    types::{PyString, PyTuple, PyType},
};

/// One tuple of a bolt, as Storm delivered it.
///
/// Args:
///     id: The id by which the tuple is acked or failed.
///     component: The component that emitted the tuple; Storm may give none.
///     stream: The stream of the tuple.
///     task: The task of the component; -1 for tuples of Storm itself.
///     values: The values, as JSON has them.
#[pyclass(frozen, get_all, module = "jvmwire.storm")]
pub(crate) struct Tuple {
    /// Id by which the tuple is acked or failed.
    pub(super) id: Py<PyString>,
    /// Component that emitted the tuple; Storm may give none.
    pub(super) component: Py<PyAny>,
    /// Stream of the tuple.
    pub(super) stream: Py<PyString>,
    /// Task of the component; -1 for tuples of Storm itself.
    pub(super) task: Py<PyAny>,
    /// Values of the tuple, as JSON has them.
    pub(super) values: Py<PyAny>,
}

impl Tuple {
    fn parts<'py>(&self, py: Python<'py>) -> [Bound<'py, PyAny>; 5] {
        let parts =
            [self.id.as_any(), &self.component, self.stream.as_any(), &self.task, &self.values];
        parts.map(|part| part.bind(py).clone())
    }
}

#[pymethods]
impl Tuple {
    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str, &'static str) {
        FIELDS.into()
    }

    #[new]
    fn new(
        id: Py<PyString>,
        component: Py<PyAny>,
        stream: Py<PyString>,
        task: Py<PyAny>,
        values: Py<PyAny>,
    ) -> Self {
        Self { id, component, stream, task, values }
    }

    /// Whether the tuple is a tick of Storm's clock (`topology.tick.tuple.freq.secs`).
    #[getter]
    fn is_tick(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.stream.bind(py).to_str()? == TICK_STREAM)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        PyTuple::new(py, self.parts(py))?.eq(PyTuple::new(py, other.parts(py))?)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let parts: PyResult<Vec<_>> = FIELDS
            .iter()
            .zip(self.parts(py))
            .map(|(name, part)| Ok(format!("{name}={}", part.repr()?)))
            .collect();
        Ok(format!("Tuple({})", parts?.join(", ")))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyType>, Bound<'py, PyTuple>)> {
        Ok((py.get_type::<Self>(), PyTuple::new(py, self.parts(py))?))
    }
}

const FIELDS: [&str; 5] = ["id", "component", "stream", "task", "values"];

/// Cache of `str` objects of names that occur often.
#[derive(Default)]
pub(super) struct Names(Vec<(String, Py<PyString>)>);

impl Names {
    /// Returns the `str` of a name, made once.
    pub(super) fn text(&mut self, py: Python<'_>, name: &str) -> Py<PyString> {
        if let Some((_, text)) = self.0.iter().find(|(known, _)| known == name) {
            return text.clone_ref(py);
        }
        let text = PyString::new(py, name).unbind();
        self.0.push((name.to_owned(), text.clone_ref(py)));
        text
    }

    /// Returns all names.
    pub(super) fn into_texts(self) -> impl ExactSizeIterator<Item = Py<PyString>> {
        self.0.into_iter().map(|(_, text)| text)
    }
}
