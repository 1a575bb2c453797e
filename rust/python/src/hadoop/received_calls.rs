//! Calls that a server received, and the encoding of their replies.

use jvmwire_codec::{
    hadoop::{
        self, AnsweredCall, Engine, ErrorResponse, RequestDecoder, RequestHeader, protobuf_call,
    },
    varint,
};
use pyo3::{
    exceptions::{PyException, PyIndexError},
    prelude::*,
    types::{PyBytes, PyDict, PyList, PyString, PyTuple},
};

use super::convert::{
    arguments::{Arguments, JavaClass},
    objects::{InvocationHeader, decode_invocation},
};
use crate::error::{DecodeError, PyCoreError};

/// Consecutive calls that differ only in their ids and arguments.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct HadoopCalls {
    call_ids: Vec<i32>,
    /// Number of bytes of the frames per call, rounded up.
    #[pyo3(get)]
    bytes_per_call: usize,
    /// Arguments per call; in the Protobuf engine one encoded message.
    #[pyo3(get)]
    arguments: Py<PyList>,
    /// Reason why the arguments are unreadable; the batch has one call in this case.
    #[pyo3(get)]
    error: Option<String>,
    /// Serialisation engine (`RpcKindProto`): 1 is Writable, 2 is Protobuf.
    #[pyo3(get)]
    rpc_kind: u64,
    /// Id of the client, the same on all its connections.
    #[pyo3(get)]
    client_id: Py<PyBytes>,
    /// Number of earlier attempts of the call.
    #[pyo3(get)]
    retry_count: i32,
    /// Caller context for audit logs.
    #[pyo3(get)]
    caller_context: Option<Py<PyString>>,
    /// Name of the protocol.
    #[pyo3(get)]
    protocol: Py<PyString>,
    /// Name of the method.
    #[pyo3(get)]
    method: Py<PyString>,
    /// Version of the Writable engine.
    #[pyo3(get)]
    engine_version: i64,
    /// Version of the protocol.
    #[pyo3(get)]
    version: i64,
    /// Classes of the parameters; empty in the Protobuf engine.
    #[pyo3(get)]
    classes: Py<PyTuple>,
    /// Method and classes.
    #[pyo3(get)]
    key: Py<PyTuple>,
}

/// Header fields that the calls of a batch share.
#[derive(Eq, PartialEq)]
struct SharedHeader {
    rpc_kind: Option<u64>,
    client_id: Vec<u8>,
    retry_count: Option<i32>,
    caller_context: Option<String>,
    called: InvocationHeader,
}

impl SharedHeader {
    fn new(header: &RequestHeader<'_>, called: InvocationHeader) -> Self {
        Self {
            rpc_kind: header.rpc_kind,
            client_id: header.client_id.unwrap_or_default().to_vec(),
            retry_count: header.retry_count,
            caller_context: header.caller_context.map(str::to_owned),
            called,
        }
    }
}

impl HadoopCalls {
    pub(super) fn take(
        decoder: &mut RequestDecoder,
        classes: &Bound<'_, PyDict>,
        most: usize,
    ) -> Result<Option<Self>, PyCoreError> {
        let py = classes.py();
        let mut first: Option<SharedHeader> = None;
        let mut call_ids = Vec::new();
        let mut bytes = 0;
        let arguments = PyList::empty(py);
        while call_ids.len() < most && bytes < BATCH_BYTES {
            let Some((header, body)) = decoder.peek_call()? else { break };
            let len = body.len() + header.client_id.map_or(0, <[u8]>::len);
            // A small call does not share its fate, and its memory, with a large one.
            if !call_ids.is_empty() && len > BATCH_BYTES {
                break;
            }
            let call_id = i32::try_from(header.call_id).unwrap_or(-1);
            match decode(&header, body, classes) {
                Ok((called, argument)) => {
                    let alike = SharedHeader::new(&header, called);
                    match &first {
                        Some(first) if *first != alike => break,
                        Some(_) => {}
                        None => first = Some(alike),
                    }
                    arguments.append(argument)?;
                }
                Err(_) if first.is_some() => break,
                Err(error) => {
                    let error = PyErr::from(error);
                    if !error.is_instance_of::<DecodeError>(py) {
                        return Err(error.into());
                    }
                    let alike = SharedHeader::new(&header, InvocationHeader::default());
                    decoder.take_call()?;
                    let told = Some(error.value(py).to_string());
                    return Ok(Some(Self::new(alike, (vec![call_id], len), arguments, told)?));
                }
            }
            call_ids.push(call_id);
            bytes += len;
            decoder.take_call()?;
        }
        let calls = (call_ids, bytes);
        Ok(first.map(|alike| Self::new(alike, calls, arguments, None)).transpose()?)
    }
}

impl HadoopCalls {
    fn new(
        alike: SharedHeader,
        (call_ids, bytes): (Vec<i32>, usize),
        arguments: Bound<'_, PyList>,
        error: Option<String>,
    ) -> PyResult<Self> {
        let py = arguments.py();
        let text = |text: &str| PyString::new(py, text);
        let called = alike.called;
        let method = text(&called.method);
        let classes = PyTuple::new(py, called.classes)?;
        let key = PyTuple::new(py, [&method])?.as_sequence().concat(classes.as_sequence())?;
        Ok(Self {
            bytes_per_call: bytes.div_ceil(call_ids.len().max(1)),
            call_ids,
            arguments: arguments.unbind(),
            error,
            rpc_kind: alike.rpc_kind.unwrap_or_default(),
            client_id: PyBytes::new(py, &alike.client_id).unbind(),
            retry_count: alike.retry_count.unwrap_or(-1),
            caller_context: alike.caller_context.map(|context| text(&context).unbind()),
            protocol: text(&called.protocol).unbind(),
            method: method.unbind(),
            engine_version: called.engine_version,
            version: called.version,
            classes: classes.unbind(),
            key: key.to_tuple()?.unbind(),
        })
    }

    fn answered<'a>(&'a self, py: Python<'a>, index: usize) -> PyResult<AnsweredCall<'a>> {
        Ok(AnsweredCall {
            call_id: self.call_id(index)?,
            retry_count: self.retry_count,
            client_id: self.client_id.as_bytes(py),
            state_id: None,
        })
    }

    /// Encodes replies to the calls from `first` on, with the values from `at` on, until one cannot be encoded.
    fn answer<'py>(
        &self,
        values: &Bound<'py, PyList>,
        (at, first): (usize, usize),
        write: impl Fn(Bound<'py, PyAny>, &mut Vec<u8>) -> Result<(), PyCoreError>,
    ) -> Result<(Bound<'py, PyBytes>, usize), PyCoreError> {
        let py = values.py();
        let mut out = Vec::new();
        let mut count = 0;
        for value in values.iter().skip(at) {
            if value.is_instance_of::<PyException>() {
                break;
            }
            let answered = self.answered(py, first.saturating_add(count))?;
            match hadoop::encode_success(answered, &mut out, |out| write(value, out)) {
                Ok(()) => count += 1,
                Err(error) if count == 0 => return Err(error),
                Err(_) => break,
            }
        }
        Ok((PyBytes::new(py, &out), count))
    }
}

#[pymethods]
impl HadoopCalls {
    fn __len__(&self) -> usize {
        self.call_ids.len()
    }

    /// Returns the id of the call at `index`.
    #[pyo3(signature = (index, /))]
    fn call_id(&self, index: usize) -> PyResult<i32> {
        let beyond = || PyIndexError::new_err(format!("there is no call at {index}"));
        self.call_ids.get(index).copied().ok_or_else(beyond)
    }

    /// Encodes replies of the Writable engine to consecutive calls.
    ///
    /// The first call is at index `first`, its value at index `at`.
    ///
    /// Returns the bytes and the number of replies, up to the first value that is an exception or cannot be
    /// encoded. If that is the first value, its error is raised.
    #[pyo3(signature = (java_class, values, at, first, /))]
    fn answer_objects<'py>(
        &self,
        java_class: &Bound<'py, JavaClass>,
        values: &Bound<'py, PyList>,
        at: usize,
        first: usize,
    ) -> Result<(Bound<'py, PyBytes>, usize), PyCoreError> {
        let java_class = &java_class.get().0;
        self.answer(values, (at, first), |value, out| {
            hadoop::encode_object(java_class, &Arguments(value), out)
        })
    }

    /// Encodes replies of the Protobuf engine, as `answer_objects` does; the values are encoded messages.
    #[pyo3(signature = (messages, at, first, /))]
    fn answer_messages<'py>(
        &self,
        messages: &Bound<'py, PyList>,
        at: usize,
        first: usize,
    ) -> Result<(Bound<'py, PyBytes>, usize), PyCoreError> {
        self.answer(messages, (at, first), |message, out| {
            let message = message.cast::<PyBytes>().map_err(PyErr::from)?;
            varint::encode(message.as_bytes().len() as u64, out);
            out.extend_from_slice(message.as_bytes());
            Ok(())
        })
    }

    /// Encodes an error reply to one call; the connection stays open.
    #[pyo3(signature = (index, java_class, message, code, /))]
    fn refuse<'py>(
        &self,
        py: Python<'py>,
        index: usize,
        java_class: &str,
        message: &str,
        code: u64,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let refusal = ErrorResponse { fatal: false, class: java_class, message, code };
        let mut out = Vec::new();
        hadoop::encode_refusal(self.answered(py, index)?, refusal, &mut out)?;
        Ok(PyBytes::new(py, &out))
    }
}

/// Decodes the method and arguments of a call.
fn decode<'py>(
    header: &RequestHeader<'_>,
    body: &[u8],
    classes: &Bound<'py, PyDict>,
) -> Result<(InvocationHeader, Bound<'py, PyList>), PyCoreError> {
    let py = classes.py();
    if header.engine() == Some(Engine::Writable) {
        return decode_invocation(&PyBytes::new(py, body), classes);
    }
    let (called, argument) = protobuf_call(body)?;
    let called = InvocationHeader {
        protocol: called.protocol.into_owned(),
        method: called.method.into_owned(),
        engine_version: ENGINE_VERSION,
        version: called.client_version,
        classes: Vec::new(),
    };
    Ok((called, PyList::new(py, [PyBytes::new(py, argument)])?))
}

/// Maximum number of bytes of frames in a batch before no further call joins it: the arguments of a batch are
/// released together, so this bounds the memory that one unfinished call keeps alive besides its arguments.
const BATCH_BYTES: usize = 1 << 20;
/// `WritableRpcEngine.writableRpcVersion`, the only version that Java's engine accepts.
const ENGINE_VERSION: i64 = 2;
