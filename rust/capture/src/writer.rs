//! Writer of pcap files from the bytes of connections: little-endian, microseconds, Ethernet frames.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};

use etherparse::{PacketBuilder, PacketBuilderStep, TcpHeader, TcpOptionElement};

use jvmwire_codec::message::Side;

use crate::error::{CaptureError, Result};
use crate::net::connection::Endpoints;

/// A connection of a [`CaptureWriter`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConnectionId(u32);

/// Writer of the bytes of two sides as the packets that a capture of them would contain.
///
/// Every call appends to `out`; a file is [`header`](Self::header), then all appended bytes. Times are
/// microseconds, UTC.
#[derive(Debug, Default)]
pub struct CaptureWriter {
    open: HashMap<ConnectionId, Connection>,
    opened: u32,
}

impl CaptureWriter {
    /// Creates a writer without connections.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Encodes the file's header.
    #[must_use]
    pub fn header(&self) -> [u8; 24] {
        let mut header = [0; 24];
        header[..4].copy_from_slice(&MAGIC.to_le_bytes());
        header[4..6].copy_from_slice(&MAJOR_VERSION.to_le_bytes());
        header[6..8].copy_from_slice(&MINOR_VERSION.to_le_bytes());
        header[16..20].copy_from_slice(&SNAPLEN.to_le_bytes());
        header[20..].copy_from_slice(&LINKTYPE_ETHERNET.to_le_bytes());
        header
    }

    /// Opens a connection: SYN, SYN-ACK, ACK. If only one address is IPv6, the other is mapped.
    pub fn open(
        &mut self,
        client: SocketAddr,
        server: SocketAddr,
        ts: i64,
        out: &mut Vec<u8>,
    ) -> ConnectionId {
        let id = ConnectionId(self.opened);
        self.opened = self.opened.wrapping_add(1);
        let mut connection = Connection::new(Endpoints { client, server });
        connection.packet(Side::Client, Control::Syn, &[], ts, out);
        connection.packet(Side::Server, Control::Syn, &[], ts, out);
        connection.packet(Side::Client, Control::None, &[], ts, out);
        self.open.insert(id, connection);
        id
    }

    /// Encodes bytes of `side`, in as many segments as they need.
    ///
    /// # Errors
    /// [`CaptureError::NotOpen`] if the connection was closed.
    pub fn data(
        &mut self,
        id: ConnectionId,
        side: Side,
        bytes: &[u8],
        ts: i64,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let connection =
            self.open.get_mut(&id).ok_or(CaptureError::NotOpen { connection: id.0 })?;
        for segment in bytes.chunks(MAX_SEGMENT_LEN) {
            connection.packet(side, Control::None, segment, ts, out);
        }
        Ok(())
    }

    /// Closes a connection: FIN, FIN, ACK, the client first.
    ///
    /// # Errors
    /// [`CaptureError::NotOpen`] if the connection was closed.
    pub fn close(&mut self, id: ConnectionId, ts: i64, out: &mut Vec<u8>) -> Result<()> {
        let mut connection = self.take(id)?;
        connection.packet(Side::Client, Control::Fin, &[], ts, out);
        connection.packet(Side::Server, Control::Fin, &[], ts, out);
        connection.packet(Side::Client, Control::None, &[], ts, out);
        Ok(())
    }

    /// Aborts a connection with a RST of `side`.
    ///
    /// # Errors
    /// [`CaptureError::NotOpen`] if the connection was closed.
    pub fn reset(
        &mut self,
        id: ConnectionId,
        side: Side,
        ts: i64,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        self.take(id)?.packet(side, Control::Rst, &[], ts, out);
        Ok(())
    }

    fn take(&mut self, id: ConnectionId) -> Result<Connection> {
        self.open.remove(&id).ok_or(CaptureError::NotOpen { connection: id.0 })
    }
}

#[derive(Debug)]
struct Connection {
    endpoints: Endpoints,
    /// Next sequence number of the client.
    client_sequence: u32,
    server_sequence: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Control {
    None,
    Syn,
    Fin,
    Rst,
}

impl Connection {
    fn new(mut endpoints: Endpoints) -> Self {
        if endpoints.client.is_ipv6() || endpoints.server.is_ipv6() {
            endpoints =
                Endpoints { client: to_ipv6(endpoints.client), server: to_ipv6(endpoints.server) };
        }
        Self { endpoints, client_sequence: 0, server_sequence: 0 }
    }

    fn packet(&mut self, side: Side, control: Control, payload: &[u8], ts: i64, out: &mut Vec<u8>) {
        let Endpoints { client, server } = self.endpoints;
        let (source, destination, sequence, acknowledged) = match side {
            Side::Client => (client, server, &mut self.client_sequence, self.server_sequence),
            Side::Server => (server, client, &mut self.server_sequence, self.client_sequence),
        };
        let mut packet = segment(source, destination, *sequence);
        // All but the very first segment acknowledge.
        if (side, control) != (Side::Client, Control::Syn) {
            packet = packet.ack(acknowledged);
        }
        packet = match control {
            Control::None if payload.is_empty() => packet,
            Control::None => packet.psh(),
            // Three bytes: the only error is too many.
            Control::Syn => match packet.syn().options(&[WINDOW_SCALE]) {
                Ok(packet) => packet,
                Err(_) => return,
            },
            Control::Fin => packet.fin(),
            Control::Rst => packet.rst(),
        };
        let consumed = payload.len() + usize::from(matches!(control, Control::Syn | Control::Fin));
        *sequence = sequence.wrapping_add(u32::try_from(consumed).unwrap_or(u32::MAX));

        let len = u32::try_from(packet.size(payload.len())).unwrap_or(u32::MAX).to_le_bytes();
        let seconds =
            u32::try_from(ts.div_euclid(MICROS)).unwrap_or(if ts < 0 { 0 } else { u32::MAX });
        let micros = u32::try_from(ts.rem_euclid(MICROS)).unwrap_or_default();
        out.extend_from_slice(&seconds.to_le_bytes());
        out.extend_from_slice(&micros.to_le_bytes());
        out.extend_from_slice(&len);
        out.extend_from_slice(&len);
        // The only errors are payloads that are too long for IP; MAX_SEGMENT_LEN is not.
        let _ = packet.write_to_vec(out, payload);
    }
}

fn segment(
    source: SocketAddr,
    destination: SocketAddr,
    sequence: u32,
) -> PacketBuilderStep<TcpHeader> {
    let ethernet = PacketBuilder::ethernet2(NO_ADDRESS, NO_ADDRESS);
    let ip = match (source.ip(), destination.ip()) {
        (IpAddr::V4(source), IpAddr::V4(destination)) => {
            ethernet.ipv4(source.octets(), destination.octets(), HOP_LIMIT)
        }
        (source, destination) => ethernet.ipv6(octets(source), octets(destination), HOP_LIMIT),
    };
    ip.tcp(source.port(), destination.port(), sequence, WINDOW)
}

fn to_ipv6(address: SocketAddr) -> SocketAddr {
    SocketAddr::new(IpAddr::from(octets(address.ip())), address.port())
}

fn octets(address: IpAddr) -> [u8; 16] {
    match address {
        IpAddr::V4(v4) => v4.to_ipv6_mapped().octets(),
        IpAddr::V6(v6) => v6.octets(),
    }
}

/// Maximum payload of a segment: with its headers it stays below the 65,535 bytes of an IP packet.
const MAX_SEGMENT_LEN: usize = 65_000;

const MAGIC: u32 = 0xa1b2_c3d4;
const MAJOR_VERSION: u16 = 2;
const MINOR_VERSION: u16 = 4;
/// Snaplen of tcpdump. No segment exceeds it.
const SNAPLEN: u32 = 256 * 1024;
const LINKTYPE_ETHERNET: u32 = 1;
const MICROS: i64 = 1_000_000;

/// Link-layer address of loopback interfaces.
const NO_ADDRESS: [u8; 6] = [0; 6];
const HOP_LIMIT: u8 = 64;
const WINDOW: u16 = u16::MAX;

/// Maximum of RFC 7323, so that readers of the capture do not report a full receive window.
const WINDOW_SCALE: TcpOptionElement = TcpOptionElement::WindowScale(14);

#[cfg(test)]
mod tests {
    use etherparse::{PacketHeaders, TransportHeader};
    use proptest::prelude::*;

    use super::*;
    use crate::file::CaptureReader;
    use crate::net::connection::Ending;
    use crate::net::connection_table::tests::read;

    const CLIENT: ([u8; 4], u16) = ([10, 0, 0, 1], 40_000);
    const SERVER: ([u8; 4], u16) = ([10, 0, 0, 2], 8020);

    fn started() -> (CaptureWriter, Vec<u8>) {
        let writer = CaptureWriter::new();
        let file = writer.header().to_vec();
        (writer, file)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn written_values_are_read_back(
            ipv6 in any::<(bool, bool)>(),
            said in prop::collection::vec((0..3_u16, any::<bool>(), 0_usize..150_000), 0..12),
            ts in 0..4_000_000_000_000_000_i64,
        ) {
            let (mut writer, mut file) = started();
            let noise: Vec<u8> = (0..150_000_u32).map(|n| n.to_le_bytes()[usize::from(n % 7 == 0)]).collect();
            let address = |v6, (ip, port): ([u8; 4], u16)| {
                SocketAddr::new(if v6 { [7; 16].into() } else { ip.into() }, port)
            };
            let (client, server) = (address(ipv6.0, CLIENT), address(ipv6.1, SERVER));
            let ids = [0, 1, 2].map(|n| {
                let client = SocketAddr::new(client.ip(), client.port() + n);
                writer.open(client, server, ts, &mut file)
            });
            let mut expected = [(); 3].map(|()| (Vec::new(), Vec::new()));
            for (n, from_client, len) in said {
                let n = usize::from(n);
                let side = if from_client { Side::Client } else { Side::Server };
                writer.data(ids[n], side, &noise[..len], ts, &mut file).unwrap();
                let expected = if from_client { &mut expected[n].0 } else { &mut expected[n].1 };
                expected.extend_from_slice(&noise[..len]);
            }
            writer.close(ids[0], ts, &mut file).unwrap();
            writer.reset(ids[1], Side::Server, ts + 1, &mut file).unwrap();

            let heard = read(&file);
            prop_assert_eq!(heard.endings(), [Ending::Fin, Ending::Reset, Ending::EndOfCapture].map(Some));
            for (stream, expected) in heard.0.iter().zip(expected) {
                prop_assert!(stream.client == expected.0);
                prop_assert!(stream.server == expected.1);
                let summary = stream.summary.unwrap();
                prop_assert!(summary.seen_from_start);
                prop_assert_eq!(summary.start, Some(ts));
                prop_assert_eq!((summary.client.lost, summary.client.retransmitted), (0, 0));
                prop_assert_eq!(stream.endpoints.server.port(), 8020);
                if !ipv6.0 && !ipv6.1 {
                    prop_assert_eq!(stream.endpoints.server, server);
                }
            }
        }
    }

    #[test]
    fn checksums_are_right() {
        let (mut writer, mut file) = started();
        let id = writer.open(CLIENT.into(), SERVER.into(), 0, &mut file);
        writer.data(id, Side::Client, &vec![1; 70_000], 0, &mut file).unwrap();
        writer.close(id, 0, &mut file).unwrap();
        let mut count = 0;
        let mut check = |packet: crate::Packet<'_>| {
            let headers = PacketHeaders::from_ethernet_slice(packet.data).unwrap();
            let Some(etherparse::NetHeaders::Ipv4(ip, _)) = headers.net else { panic!() };
            let Some(TransportHeader::Tcp(tcp)) = headers.transport else { panic!() };
            let payload = headers.payload.slice();
            assert_eq!(ip.header_checksum, ip.calc_header_checksum());
            assert_eq!(tcp.checksum, tcp.calc_checksum_ipv4(&ip, payload).unwrap());
            count += 1;
        };
        CaptureReader::new().feed(&file, &mut check).unwrap();
        assert_eq!(count, 3 + 2 + 3);
    }

    #[test]
    fn closed_connection_takes_nothing_more() {
        let (mut writer, mut file) = started();
        let id = writer.open(CLIENT.into(), SERVER.into(), 0, &mut file);
        writer.close(id, 0, &mut file).unwrap();
        let len = file.len();
        let error = Err(CaptureError::NotOpen { connection: 0 });
        assert_eq!(writer.data(id, Side::Client, b"x", 0, &mut file), error);
        assert_eq!(writer.close(id, 0, &mut file), error);
        assert_eq!(writer.reset(id, Side::Client, 0, &mut file), error);
        assert_eq!(file.len(), len);
    }

    #[test]
    fn time_that_the_format_cannot_say_is_the_nearest_it_can() {
        for (ts, said) in [(-1, 0), (i64::MAX, i64::from(u32::MAX))] {
            let (mut writer, mut file) = started();
            writer.open(CLIENT.into(), SERVER.into(), ts, &mut file);
            let mut check = |packet: crate::Packet<'_>| {
                assert_eq!(packet.ts.unwrap().div_euclid(MICROS), said);
            };
            CaptureReader::new().feed(&file, &mut check).unwrap();
        }
    }
}
