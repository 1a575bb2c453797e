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

/// Decoder of the bytes that a server writes to one client.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HadoopReplyDecoder(ReplyDecoder);

#[pymethods]
impl HadoopReplyDecoder {
    #[new]
    #[pyo3(signature = (*, client_id, limit=REPLY_LIMIT, engine="protobuf"))]
    fn new(client_id: [u8; 16], limit: usize, engine: &str) -> Result<Self, PyCoreError> {
        Ok(Self(ReplyDecoder::new(client_id, limit, engine_named(engine)?)))
    }

    /// Appends the next bytes of the stream.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    /// Takes the next complete response, or None if more must be fed.
    fn next_response(&mut self, py: Python<'_>) -> Result<Option<HadoopResponse>, PyCoreError> {
        Ok(self.0.next_response()?.map(|response| HadoopResponse::new(py, response)))
    }

    /// Returns the id of the call that the next complete response answers, without taking it.
    fn peek_call_id(&mut self) -> Result<Option<i32>, PyCoreError> {
        Ok(self.0.peek_call_id()?)
    }

    /// Takes consecutive replies to the calls from `first_id` on, and returns their number.
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

    /// Last state id of the server in a reply.
    #[getter]
    fn state_id(&self) -> Option<i64> {
        self.0.state_id()
    }

    /// Version of Hadoop RPC that the server supports, if the last response has it.
    #[getter]
    fn version(&self) -> Option<i32> {
        self.0.version()
    }

    /// Number of bytes that wait for the rest of their frame.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

/// Response of a server.
#[pyclass(module = "jvmwire._core", frozen, get_all)]
pub(crate) struct HadoopResponse {
    /// Kind of the response: `success`, `error`, `fatal`, `sasl`, `old version` or `http`.
    kind: &'static str,
    /// Id of the call, in a success or an error.
    call_id: i32,
    /// Payload of a success.
    payload: Py<PyBytes>,
    /// Failure of a reply other than a success: class, message and error code.
    failure: PyFailure,
    /// Status line as one element, in a response of an HTTP server.
    words: Vec<String>,
    /// SASL message, in a response of this kind: state, token and authentication methods.
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

/// Replies to a batch of calls, in the order of the calls.
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

    /// Number of calls without a reply.
    #[getter]
    fn missing(&self) -> usize {
        self.0.missing()
    }

    /// Returns the message in the reply to the call at `index`.
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

    /// Lists the failed calls: index and failure.
    fn failures(&self) -> Vec<(usize, PyFailure)> {
        let failed = |(index, slot)| match slot {
            Slot::Failed(failure) => Some((index, to_python(failure))),
            _ => None,
        };
        self.0.iter().enumerate().filter_map(failed).collect()
    }

    /// Makes an object per call, from the message at `path` of its reply and the call's key.
    ///
    /// Returns a list in the order of the calls, with None for a call that failed or whose reply has no such
    /// message.
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

    /// Builds a table of one row per call: the named `keys`, the fields of the reply, then the class and
    /// message of a failure.
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
