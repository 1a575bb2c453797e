//! Writer of captures.

use std::net::SocketAddr;

use jvmwire_capture::ConnectionId;
use pyo3::{prelude::*, types::PyBytes};

use crate::{decode::side_named, error::PyCoreError};

/// Writer of conversations as the bytes of a pcap file.
///
/// Each method returns the bytes to append to the file. Times are microseconds since 1970.
#[pyclass(module = "jvmwire._core")]
#[derive(Default)]
pub(crate) struct CaptureWriter {
    writer: jvmwire_capture::CaptureWriter,
    connections: Vec<ConnectionId>,
}

#[pymethods]
impl CaptureWriter {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Encodes the header of the file.
    fn header<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.writer.header())
    }

    /// Opens a connection: SYN, SYN-ACK, ACK.
    ///
    /// Args:
    ///     client: Address and port of the client, such as `127.0.0.1:40000`.
    ///     server: Address and port of the server; if only one address is IPv6, the other is
    ///         mapped.
    ///     ts: Time in microseconds since 1970.
    ///
    /// Returns:
    ///     The number of the connection, and the packets.
    ///
    /// Raises:
    ///     `ValueError`: an address is invalid.
    fn open<'py>(
        &mut self,
        py: Python<'py>,
        client: &str,
        server: &str,
        ts: i64,
    ) -> Result<(usize, Bound<'py, PyBytes>), PyCoreError> {
        let mut packets = Vec::new();
        let id = self.writer.open(address(client)?, address(server)?, ts, &mut packets);
        self.connections.push(id);
        Ok((self.connections.len() - 1, PyBytes::new(py, &packets)))
    }

    /// Encodes bytes that `side` wrote, in as many segments as they need.
    ///
    /// Args:
    ///     connection: The number of the connection, from `open`.
    ///     side: The side that wrote the bytes, `client` or `server`.
    ///     data: The bytes.
    ///     ts: Time in microseconds since 1970.
    ///
    /// Returns:
    ///     The packets.
    ///
    /// Raises:
    ///     `ValueError`: the connection is not open, or `side` is not `client` or `server`.
    fn data<'py>(
        &mut self,
        py: Python<'py>,
        connection: usize,
        side: &str,
        data: &[u8],
        ts: i64,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let (id, side) = (self.connection(connection)?, side_named(side)?);
        let mut packets = Vec::with_capacity(data.len() + 128);
        self.writer.data(id, side, data, ts, &mut packets)?;
        Ok(PyBytes::new(py, &packets))
    }

    /// Closes a connection: FIN, FIN, ACK, the client first.
    ///
    /// Args:
    ///     connection: The number of the connection, from `open`.
    ///     ts: Time in microseconds since 1970.
    ///
    /// Returns:
    ///     The packets.
    ///
    /// Raises:
    ///     `ValueError`: the connection is not open.
    fn close<'py>(
        &mut self,
        py: Python<'py>,
        connection: usize,
        ts: i64,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let id = self.connection(connection)?;
        let mut packets = Vec::new();
        self.writer.close(id, ts, &mut packets)?;
        Ok(PyBytes::new(py, &packets))
    }

    /// Aborts a connection with a RST of `side`.
    ///
    /// Args:
    ///     connection: The number of the connection, from `open`.
    ///     side: The side that aborts, `client` or `server`.
    ///     ts: Time in microseconds since 1970.
    ///
    /// Returns:
    ///     The packet.
    ///
    /// Raises:
    ///     `ValueError`: the connection is not open, or `side` is not `client` or `server`.
    fn reset<'py>(
        &mut self,
        py: Python<'py>,
        connection: usize,
        side: &str,
        ts: i64,
    ) -> Result<Bound<'py, PyBytes>, PyCoreError> {
        let (id, side) = (self.connection(connection)?, side_named(side)?);
        let mut packets = Vec::new();
        self.writer.reset(id, side, ts, &mut packets)?;
        Ok(PyBytes::new(py, &packets))
    }
}

impl CaptureWriter {
    fn connection(&self, number: usize) -> Result<ConnectionId, PyCoreError> {
        let missing = || PyCoreError::Argument(format!("there is no connection {number}"));
        self.connections.get(number).copied().ok_or_else(missing)
    }
}

fn address(text: &str) -> Result<SocketAddr, PyCoreError> {
    text.parse().map_err(|_| {
        PyCoreError::Argument(format!("{text:?} is no address and port, as 127.0.0.1:8020 is"))
    })
}
