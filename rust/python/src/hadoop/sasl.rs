//! SASL messages of Hadoop RPC.

use jvmwire_codec::{
    hadoop::{Sasl, SaslAuth, SaslState},
    message::Side,
};
use pyo3::{prelude::*, types::PyBytes};

use crate::error::PyCoreError;

/// Method, mechanism, protocol, server id and challenge.
type PyAuth = (String, String, Option<String>, Option<String>, Option<Py<PyBytes>>);
/// Authentication method as Python passes it.
type PyAuthInput = (String, String, Option<String>, Option<String>, Option<Vec<u8>>);
/// State, token and authentication methods.
pub(super) type PySasl = (&'static str, Option<Py<PyBytes>>, Vec<PyAuth>);

pub(super) fn to_tuple(py: Python<'_>, message: &Sasl<'_>) -> PySasl {
    let bytes = |bytes: &[u8]| PyBytes::new(py, bytes).unbind();
    let auths = message.auths.iter().map(|auth| {
        let SaslAuth { method, mechanism, protocol, server_id, challenge } = *auth;
        let text = str::to_owned;
        let (protocol, server_id) = (protocol.map(text), server_id.map(text));
        (text(method), text(mechanism), protocol, server_id, challenge.map(bytes))
    });
    (message.state.name(), message.token.map(bytes), auths.collect())
}

/// Encodes a SASL message in its frame, as the client or the server writes it.
#[pyfunction]
#[pyo3(signature = (side, state, token=None, auths=Vec::new(), /))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands over what it converted")]
pub(crate) fn encode_sasl<'py>(
    py: Python<'py>,
    side: &str,
    state: &str,
    token: Option<&[u8]>,
    auths: Vec<PyAuthInput>,
) -> Result<Bound<'py, PyBytes>, PyCoreError> {
    let Some(side) = [Side::Client, Side::Server].into_iter().find(|known| known.name() == side)
    else {
        return Err(PyCoreError::Argument(format!("there is no side {side:?}")));
    };
    let Some(state) = SaslState::named(state) else {
        return Err(PyCoreError::Argument(format!("there is no state {state:?}")));
    };
    let auths = auths.iter().map(|(method, mechanism, protocol, server_id, challenge)| SaslAuth {
        method,
        mechanism,
        protocol: protocol.as_deref(),
        server_id: server_id.as_deref(),
        challenge: challenge.as_deref(),
    });
    let message = Sasl { state, token, auths: auths.collect() };
    let mut out = Vec::new();
    message.encode(side, &mut out)?;
    Ok(PyBytes::new(py, &out))
}
