//! Decoder of a Hadoop client's requests, for servers.

use jvmwire_codec::hadoop::{
    self, AnsweredCall, DATA_LIMIT, Dialect, ErrorResponse, Request, RequestDecoder,
    connection_context, sasl_message,
};
use pyo3::{
    prelude::*,
    types::{PyBytes, PyDict},
};

use super::{
    received_calls::HadoopCalls,
    sasl::{PySasl, to_tuple},
};
use crate::error::PyCoreError;

/// Decoder of the bytes that one client writes to a server.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct HadoopRequestDecoder(RequestDecoder);

#[pymethods]
impl HadoopRequestDecoder {
    /// Creates the decoder. If `within` is true, the bytes are frames inside other frames (SASL `WRAP`),
    /// without a connection header.
    #[new]
    #[pyo3(signature = (*, limit=DATA_LIMIT, beta=false, within=false))]
    fn new(limit: usize, beta: bool, within: bool) -> Self {
        let dialect = if beta { None } else { Some(Dialect::Current) };
        let new = if within { RequestDecoder::within } else { RequestDecoder::new };
        Self(new(limit, dialect))
    }

    /// Appends the next bytes of the stream.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: &[u8]) {
        self.0.feed(data);
    }

    /// Takes the next complete request, or None if more must be fed.
    fn next_request(&mut self, py: Python<'_>) -> Result<Option<HadoopRequest>, PyCoreError> {
        let Some(request) = self.0.next_request()? else { return Ok(None) };
        let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
        let mut told = HadoopRequest {
            opening: None,
            error: None,
            rpc_kind: None,
            rpc_op: None,
            call_id: -1,
            client_id: None,
            retry_count: -1,
            body: bytes(b""),
        };
        match request {
            Request::Opening(opening) => told.opening = Some(bytes(&opening)),
            Request::Undecodable(error) => told.error = Some(error.to_string()),
            Request::Frame(header, body) => {
                told.rpc_kind = header.rpc_kind;
                told.rpc_op = header.rpc_op;
                told.call_id = i32::try_from(header.call_id).unwrap_or(-1);
                told.client_id = header.client_id.map(bytes);
                told.retry_count = header.retry_count.unwrap_or(-1);
                told.body = bytes(body);
            }
        }
        Ok(Some(told))
    }

    /// Takes the next calls that differ only in their ids and arguments, at most `most`.
    ///
    /// `classes` maps names of Java classes to Python classes. Returns None if no call is next.
    #[pyo3(signature = (classes, most, /))]
    fn next_calls(
        &mut self,
        classes: &Bound<'_, PyDict>,
        most: usize,
    ) -> Result<Option<HadoopCalls>, PyCoreError> {
        HadoopCalls::take(&mut self.0, classes, most)
    }

    /// Number of bytes that wait for the rest of their frame.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}

/// Message of a client.
#[pyclass(module = "jvmwire._core", frozen, get_all)]
pub(crate) struct HadoopRequest {
    /// First bytes of a connection; all other fields are empty then.
    opening: Option<Py<PyBytes>>,
    /// Reason why the header is unreadable.
    error: Option<String>,
    /// Serialisation engine (`RpcKindProto`): 1 is Writable, 2 is Protobuf.
    rpc_kind: Option<u64>,
    /// Operation (`OperationProto`): servers accept 0 only.
    rpc_op: Option<u64>,
    /// Id of the call; a negative id is that of another message.
    call_id: i32,
    /// Id of the client, the same on all its connections.
    client_id: Option<Py<PyBytes>>,
    /// Number of earlier attempts of the call.
    retry_count: i32,
    /// Bytes after the header.
    body: Py<PyBytes>,
}

#[pymethods]
impl HadoopRequest {
    /// Decodes a SASL message: state, token and authentication methods.
    fn decode_sasl(&self, py: Python<'_>) -> Result<PySasl, PyCoreError> {
        Ok(to_tuple(py, &sasl_message(self.body.as_bytes(py))?))
    }

    /// Decodes the connection context: the user, the real user and the protocol.
    fn decode_context(&self, py: Python<'_>) -> Result<[Option<String>; 3], PyCoreError> {
        let told = connection_context(self.body.as_bytes(py))?;
        Ok([told.user, told.real_user, told.protocol].map(|text| text.map(str::to_owned)))
    }
}

/// Encodes an error reply to a request other than a regular call; by default it ends the connection.
#[pyfunction]
#[pyo3(signature = (call_id, retry_count, java_class, message, code, /, *, fatal=true))]
pub(crate) fn encode_refusal<'py>(
    py: Python<'py>,
    call_id: i32,
    retry_count: i32,
    java_class: &str,
    message: &str,
    code: u64,
    fatal: bool,
) -> Result<Bound<'py, PyBytes>, PyCoreError> {
    let refusal = ErrorResponse { fatal, class: java_class, message, code };
    let answered = AnsweredCall { call_id, retry_count, client_id: b"", state_id: None };
    let mut out = Vec::new();
    hadoop::encode_refusal(answered, refusal, &mut out)?;
    Ok(PyBytes::new(py, &out))
}

/// Encodes the error reply for clients of the versions 2 to 8; empty for older ones.
#[pyfunction]
#[pyo3(signature = (version, java_class, message, /))]
pub(crate) fn encode_old_version<'py>(
    py: Python<'py>,
    version: i8,
    java_class: &str,
    message: &str,
) -> Result<Bound<'py, PyBytes>, PyCoreError> {
    let mut out = Vec::new();
    hadoop::encode_old_version(version, java_class, message, &mut out)?;
    Ok(PyBytes::new(py, &out))
}
