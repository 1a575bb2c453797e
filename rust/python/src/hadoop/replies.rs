//! Decoder of a Hadoop server's replies.

use jvmwire_codec::{
    Cursor,
    hadoop::{REPLY_LIMIT, RemoteError, ReplyDecoder, ReplyTable, Response, Slot},
    proto::pick,
    visit::Value,
};
use pyo3::{
    prelude::*,
    pybacked::PyBackedStr,
    types::{PyBytes, PyList},
};

use super::{
    calls::engine_named,
    convert::{
        columns,
        messages::{single_place, type_named},
        records::HadoopRecord,
    },
    sasl::{PySasl, to_tuple},
};
use crate::{batch::RecordBatch, count::Count, error::PyCoreError};

/// Class, message and error code of a failure.
type PyFailure = (String, String, Option<&'static str>);

/// Decodes what a server writes to one client.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HadoopReplyDecoder(ReplyDecoder);

#[pymethods]
impl HadoopReplyDecoder {
    #[new]
    #[pyo3(signature = (*, client_id, limit=REPLY_LIMIT, engine="protobuf"))]
    fn new(client_id: [u8; 16], limit: usize, engine: &str) -> Result<Self, PyCoreError> {
        Ok(Self(ReplyDecoder::new(client_id, limit, engine_named(engine)?)))
    }

    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    fn next_response(&mut self, py: Python<'_>) -> Result<Option<HadoopResponse>, PyCoreError> {
        Ok(self.0.next_response()?.map(|response| HadoopResponse::new(py, response)))
    }

    fn peek_call_id(&mut self) -> Result<Option<i32>, PyCoreError> {
        Ok(self.0.peek_call_id()?)
    }

    #[pyo3(signature = (first_id, table, /))]
    fn next_replies(
        &mut self,
        py: Python<'_>,
        first_id: i32,
        table: &Bound<'_, HadoopReplyTable>,
    ) -> Result<usize, PyCoreError> {
        let mut table = table.borrow_mut();
        let table = &mut table.0;
        Ok(py.detach(|| self.0.next_replies(first_id, table))?)
    }

    #[getter]
    fn state_id(&self) -> Option<i64> {
        self.0.state_id()
    }

    #[getter]
    fn version(&self) -> Option<i32> {
        self.0.version()
    }

    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

/// A response of a server.
#[pyclass(module = "jvmwire._core", frozen, get_all)]
pub(crate) struct HadoopResponse {
    kind: &'static str,
    /// Of a success and an error.
    call_id: i32,
    /// Of a success.
    payload: Py<PyBytes>,
    /// Of a reply other than a success.
    failure: PyFailure,
    words: Vec<String>,
    sasl: Option<PySasl>,
}

impl HadoopResponse {
    fn new(py: Python<'_>, response: Response<'_>) -> Self {
        let mut made = Self {
            kind: "",
            call_id: -1,
            payload: PyBytes::new(py, b"").unbind(),
            failure: PyFailure::default(),
            words: Vec::new(),
            sasl: None,
        };
        match response {
            Response::Success { call_id, payload } => {
                made.kind = "success";
                made.call_id = call_id;
                made.payload = PyBytes::new(py, payload).unbind();
            }
            Response::Error { call_id, failure } => {
                made.kind = "error";
                made.call_id = call_id;
                made.failure = to_python(failure);
            }
            Response::Fatal(failure) => {
                made.kind = "fatal";
                made.failure = to_python(failure);
            }
            Response::Sasl(message) => {
                made.kind = "sasl";
                made.sasl = Some(to_tuple(py, &message));
            }
            Response::OldVersion(class, text) => {
                made.kind = "old version";
                made.failure = (class.to_owned(), text.to_owned(), None);
            }
            Response::Http(line) => {
                made.kind = "http";
                made.words = vec![String::from_utf8_lossy(line).into_owned()];
            }
        }
        made
    }
}

/// The replies to a batch of calls, each in the place of its call.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HadoopReplyTable(ReplyTable);

#[pymethods]
impl HadoopReplyTable {
    #[new]
    #[pyo3(signature = (count, /))]
    fn new(count: Count) -> PyResult<Self> {
        ReplyTable::new(count.get()).map(Self).map_err(|error| count.no_memory(&error))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    #[getter]
    fn missing(&self) -> usize {
        self.0.missing()
    }

    /// The message that the call at `index` was answered.
    #[pyo3(signature = (index, /))]
    fn payload<'py>(
        &self,
        py: Python<'py>,
        index: usize,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        match self.0.get(index) {
            Some(Slot::Payload(payload)) => Ok(PyBytes::new(py, payload)),
            other => Err(PyCoreError::Argument(format!("call {index} has no result: {other:?}"))),
        }
    }

    /// Of each call that failed, its index and why.
    fn failures(&self) -> Vec<(usize, PyFailure)> {
        let failed = |(index, slot)| match slot {
            Slot::Failed(failure) => Some((index, to_python(failure))),
            _ => None,
        };
        self.0.iter().enumerate().filter_map(failed).collect()
    }

    /// An object for each call, of the message at `path` of what it was answered, about its key;
    /// None where there is none, and where the call failed.
    #[pyo3(signature = (message, path, keys, record, /))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn records<'py>(
        &self,
        py: Python<'py>,
        message: &str,
        path: &str,
        keys: Vec<PyBackedStr>,
        record: &HadoopRecord,
    ) -> Result<Bound<'py, PyList>, PyCoreError> {
        let places = single_place(type_named(message)?, path)?;
        let mut maker = record.maker(py);
        let made: Result<Vec<_>, PyCoreError> = (keys.iter().zip(self.0.iter()))
            .map(|(key, slot)| {
                let mut found = [Value::Null];
                if let Slot::Payload(payload) = slot {
                    pick(Cursor::new(payload), &places, &mut found)?;
                }
                match found {
                    [Value::Bytes(message)] => Ok(Some(maker.make(key, &Cursor::new(message))?)),
                    _ => Ok(None),
                }
            })
            .collect();
        Ok(PyList::new(py, made?)?)
    }

    /// A row for each call: `keys` under a name, the fields of its message, then why it failed.
    #[pyo3(signature = (message, keys, columns, /))]
    #[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
    fn columns(
        &self,
        py: Python<'_>,
        message: &str,
        keys: (String, Vec<String>),
        columns: Vec<(String, String, String)>,
    ) -> Result<RecordBatch, PyCoreError> {
        let plan = columns::Plan::new(type_named(message)?, &columns)?;
        let (name, keys) = keys;
        py.detach(|| plan.read(&self.0, &name, keys)).map(RecordBatch)
    }
}

fn to_python(failure: RemoteError<'_>) -> PyFailure {
    (failure.class.to_owned(), failure.message.to_owned(), failure.code_name())
}
