//! Headers between a link layer and the IP packet that contains TCP: tags, labels and tunnels.
//!
//! | outer | carries | by |
//! | --- | --- | --- |
//! | `EtherType` | VLAN tags, MPLS, `PPPoE`, LLC/SNAP | IEEE 802.1Q, RFC 3032, RFC 2516, IEEE 802.2 |
//! | IP | IPv4, IPv6, GRE, `EtherIP`, MPLS | RFC 2003, RFC 4213, RFC 2784, RFC 3378, RFC 4023 |
//! | GRE | any `EtherType`, Ethernet, PPP, ERSPAN I to III | RFC 2784, RFC 2637 |
//! | UDP | VXLAN, VXLAN-GPE, GENEVE, GTP-U, GRE, MPLS | RFC 7348, RFC 8926, TS 29.281, RFC 8086, RFC 7510 |
//! | UDP | LISP, Teredo, TZSP | RFC 9300, RFC 4380, `MikroTik`'s mirror |
//!
//! Encrypted and compressed content, L2TP, NSH, CAPWAP, TRILL, PBB and HSR are not decoded: their packets are
//! counted.

use etherparse::ip_number;

use crate::net::skipped::SkipReason;

/// Kind of header that follows.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Next {
    Ip,
    Ethernet,
    /// Header with this number in Ethernet.
    EtherType(u16),
    Ppp,
}

/// A packet inside a tunnel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnerPacket<'a> {
    pub(crate) next: Next,
    pub(crate) body: &'a [u8],
    /// Number of the virtual network, with the kind of its tunnel in the highest byte; 0 if the tunnel has
    /// none.
    pub(crate) network: u32,
}

impl<'a> InnerPacket<'a> {
    fn new(next: Next, body: &'a [u8]) -> Self {
        Self { next, body, network: 0 }
    }
}

/// Returns the IP packet after tags, labels and other headers below IP; the error for an incomplete header is
/// `short`.
pub(crate) fn ip_packet(
    mut next: Next,
    mut body: &[u8],
    short: SkipReason,
) -> Result<&[u8], SkipReason> {
    loop {
        (next, body) = match next {
            Next::Ip | Next::EtherType(ETHER_IPV4 | ETHER_IPV6) => return Ok(body),
            Next::Ethernet => {
                let (header, rest) = body.split_first_chunk::<14>().ok_or(short)?;
                (Next::EtherType(u16::from_be_bytes([header[12], header[13]])), rest)
            }
            Next::EtherType(0x8100 | 0x88a8 | 0x9100) => {
                let (tag, rest) = body.split_first_chunk::<4>().ok_or(short)?;
                (Next::EtherType(u16::from_be_bytes([tag[2], tag[3]])), rest)
            }
            Next::EtherType(ETHER_MPLS | 0x8848) => behind_labels(body, short)?,
            Next::EtherType(0x8864) => {
                let (header, rest) = body.split_first_chunk::<6>().ok_or(short)?;
                if header[..2] != PPPOE_SESSION {
                    return Err(SkipReason::NotIp);
                }
                (Next::Ppp, rest)
            }
            Next::EtherType(ETHER_BRIDGED) => (Next::Ethernet, body),
            Next::EtherType(ETHER_PPP) => (Next::Ppp, body),
            Next::EtherType(0x88e5) => return Err(SkipReason::Macsec),
            Next::EtherType(ETHER_NSH | 0x22f3 | 0x88e7 | 0x892f | 0x893f | 0x8926 | 0x8909) => {
                return Err(SkipReason::OtherTunnel);
            }
            Next::EtherType(len @ ..=LONGEST_LLC) => {
                let body = body.get(..len.into()).unwrap_or(body);
                let [0xaa, 0xaa, 3, organization @ .., high, low] =
                    body.first_chunk::<8>().ok_or(SkipReason::NotIp)?
                else {
                    return Err(SkipReason::NotIp);
                };
                if ![[0, 0, 0], [0, 0, 0xf8]].contains(organization) {
                    return Err(SkipReason::NotIp);
                }
                (Next::EtherType(u16::from_be_bytes([*high, *low])), &body[8..])
            }
            Next::EtherType(_) => return Err(SkipReason::NotIp),
            Next::Ppp => {
                let body = body.strip_prefix(&[0xff, 3]).unwrap_or(body);
                // The first byte is left out where it is zero and both sides agreed to that.
                let (protocol, rest) = match body {
                    [low, rest @ ..] if low & 1 == 1 => (u16::from(*low), rest),
                    [high, low, rest @ ..] => (u16::from_be_bytes([*high, *low]), rest),
                    _ => return Err(short),
                };
                match protocol {
                    0x0021 | 0x0057 => (Next::Ip, rest),
                    0x0281 | 0x0283 => (Next::EtherType(ETHER_MPLS), rest),
                    // Compressed or encrypted.
                    0x003d | 0x0053 | 0x0055 | 0x00fb | 0x00fd => {
                        return Err(SkipReason::OtherTunnel);
                    }
                    _ => return Err(SkipReason::NotIp),
                }
            }
        };
    }
}

/// Returns the payload after the last label of a stack: MPLS does not identify its type, which is derived from
/// the first bits (RFC 4928).
fn behind_labels(mut body: &[u8], short: SkipReason) -> Result<(Next, &[u8]), SkipReason> {
    loop {
        let (label, rest) = body.split_first_chunk::<4>().ok_or(short)?;
        body = rest;
        if label[2] & 1 == 1 {
            break;
        }
    }
    match body.first().ok_or(short)? >> 4 {
        4 | 6 => Ok((Next::Ip, body)),
        // A control word, and Ethernet.
        0 => Ok((Next::Ethernet, body.get(4..).ok_or(short)?)),
        _ => Err(SkipReason::NotIp),
    }
}

/// Whether packets of this protocol above IP may be supported tunnels.
pub(crate) fn may_carry(protocol: u8) -> bool {
    matches!(protocol, IP_IN_IP | IPV6_IN_IP | GRE | ETHER_IP | MPLS_IN_IP | UDP)
}

/// Decodes a tunnel in the payload of an IP packet.
pub(crate) fn inside_ip(
    protocol: u8,
    body: &[u8],
    short: SkipReason,
) -> Result<InnerPacket<'_>, SkipReason> {
    match protocol {
        IP_IN_IP | IPV6_IN_IP => Ok(InnerPacket::new(Next::Ip, body)),
        GRE => inside_gre(body, short),
        UDP => inside_udp(body, short),
        ETHER_IP => Ok(InnerPacket::new(Next::Ethernet, body.get(2..).ok_or(short)?)),
        MPLS_IN_IP => Ok(InnerPacket::new(Next::EtherType(ETHER_MPLS), body)),
        ESP => Err(SkipReason::Esp),
        L2TP => Err(SkipReason::L2tp),
        NSH | IP_COMP | MINIMAL => Err(SkipReason::OtherTunnel),
        _ => Err(SkipReason::NotTcp),
    }
}

/// Whether a UDP datagram that begins with these bytes belongs to a tunnel, by its port.
pub(crate) fn is_tunnel_port(datagram: &[u8]) -> bool {
    matches!(
        port_of(datagram),
        Some(
            VXLAN
                | VXLAN_LINUX
                | VXLAN_GPE
                | GENEVE
                | GTP_U
                | GRE_IN_UDP
                | MPLS_IN_UDP
                | LISP
                | TEREDO
                | TZSP
        )
    )
}

fn port_of(datagram: &[u8]) -> Option<u16> {
    datagram.get(2..4).map(|port| u16::from_be_bytes([port[0], port[1]]))
}

fn inside_udp(body: &[u8], short: SkipReason) -> Result<InnerPacket<'_>, SkipReason> {
    let (port, body) = (port_of(body).ok_or(short)?, body.get(8..).ok_or(short)?);
    match port {
        VXLAN | VXLAN_LINUX | VXLAN_GPE => {
            let (header, rest) = body.split_first_chunk::<8>().ok_or(short)?;
            // Without the flag for it there is no network: another protocol uses the port.
            if header[0] & 0x08 == 0 {
                return Err(SkipReason::NotTcp);
            }
            let next = match (port, header[0] & 0x04, header[3]) {
                (VXLAN_GPE, 0x04, 1 | 2) => Next::Ip,
                (VXLAN_GPE, 0x04, 3) | (VXLAN_GPE, 0, _) | (VXLAN | VXLAN_LINUX, ..) => {
                    Next::Ethernet
                }
                _ => return Err(SkipReason::OtherTunnel),
            };
            Ok(InnerPacket {
                network: network_of(1, &header[4..7]),
                ..InnerPacket::new(next, rest)
            })
        }
        GENEVE => {
            let (header, rest) = body.split_first_chunk::<8>().ok_or(short)?;
            // Version 0; control messages carry no packets of users.
            if header[0] >> 6 != 0 || header[1] & 0x80 != 0 {
                return Err(SkipReason::NotTcp);
            }
            let rest = rest.get(usize::from(header[0] & 0x3f) * 4..).ok_or(short)?;
            let next = Next::EtherType(u16::from_be_bytes([header[2], header[3]]));
            Ok(InnerPacket {
                network: network_of(2, &header[4..7]),
                ..InnerPacket::new(next, rest)
            })
        }
        GTP_U => inside_gtp(body, short),
        GRE_IN_UDP => inside_gre(body, short),
        MPLS_IN_UDP => Ok(InnerPacket::new(Next::EtherType(ETHER_MPLS), body)),
        LISP => {
            let (header, rest) = body.split_first_chunk::<8>().ok_or(short)?;
            // The network is stated if the flag for it is set.
            let network = if header[0] & 8 == 0 { 0 } else { network_of(4, &header[4..7]) };
            match rest.first().ok_or(short)? >> 4 {
                4 | 6 => Ok(InnerPacket { network, ..InnerPacket::new(Next::Ip, rest) }),
                _ => Err(SkipReason::NotTcp),
            }
        }
        // Headers of its own come before those packets only that set a tunnel up.
        TEREDO if body.first().is_some_and(|first| first >> 4 == 6) => {
            Ok(InnerPacket::new(Next::Ip, body))
        }
        // Clients may use these ports too: the first bytes decide.
        TZSP if body.starts_with(&[1, 0]) => inside_tzsp(body, short),
        WIREGUARD if body.starts_with(&[4, 0, 0, 0]) && body.len() >= 32 => {
            Err(SkipReason::OtherTunnel)
        }
        OPENVPN if matches!(body.first().map(|first| first >> 3), Some(6 | 9)) => {
            Err(SkipReason::OtherTunnel)
        }
        CAPWAP_DATA => Err(SkipReason::OtherTunnel),
        // Control messages have the highest bit.
        1701 if body.first().is_some_and(|first| first & 0x80 == 0) => Err(SkipReason::L2tp),
        // Four zeros: the key exchange; one byte: keeps a translated address alive.
        4500 if body.len() > 8 && body[..4] != [0; 4] => Err(SkipReason::Esp),
        _ => Err(SkipReason::NotTcp),
    }
}

fn inside_gre(body: &[u8], short: SkipReason) -> Result<InnerPacket<'_>, SkipReason> {
    let (header, mut rest) = body.split_first_chunk::<4>().ok_or(short)?;
    let has = |flag: u8| header[0] & flag != 0;
    let (kind, version) = (u16::from_be_bytes([header[2], header[3]]), header[1] & 7);
    let mut network = 0;
    match version {
        0 if has(GRE_ROUTING) => return Err(SkipReason::OtherTunnel),
        0 => {
            rest = rest.get(if has(GRE_CHECKSUM) { 4 } else { 0 }..).ok_or(short)?;
            if has(GRE_KEY) {
                let (key, behind) = rest.split_first_chunk::<4>().ok_or(short)?;
                // NVGRE (RFC 7637): the network, then a number of the flow.
                network = if kind == ETHER_BRIDGED { network_of(3, &key[..3]) } else { 0 };
                rest = behind;
            }
        }
        1 if kind == ETHER_PPP => {
            rest = rest.get(4..).ok_or(short)?;
            if header[1] & 0x80 != 0 && !has(GRE_SEQUENCE) {
                // An acknowledgement alone.
                return Err(SkipReason::NotTcp);
            }
            rest = rest.get(if header[1] & 0x80 != 0 { 4 } else { 0 }..).ok_or(short)?;
        }
        _ => return Err(SkipReason::OtherTunnel),
    }
    rest = rest.get(if has(GRE_SEQUENCE) { 4 } else { 0 }..).ok_or(short)?;
    let next = match kind {
        // Without a sequence number it has no header of its own: type I.
        ERSPAN_II if !has(GRE_SEQUENCE) => Next::Ethernet,
        ERSPAN_II => {
            rest = rest.get(8..).ok_or(short)?;
            Next::Ethernet
        }
        ERSPAN_III => {
            let (header, behind) = rest.split_first_chunk::<12>().ok_or(short)?;
            rest = behind.get(if header[11] & 1 == 1 { 8 } else { 0 }..).ok_or(short)?;
            match header[10] >> 2 & 0x1f {
                0 => Next::Ethernet,
                2 => Next::Ip,
                _ => return Err(SkipReason::OtherTunnel),
            }
        }
        kind => Next::EtherType(kind),
    };
    Ok(InnerPacket { network, ..InnerPacket::new(next, rest) })
}

/// Decodes TZSP: version and type, the encapsulated protocol, then tags up to the end tag.
fn inside_tzsp(body: &[u8], short: SkipReason) -> Result<InnerPacket<'_>, SkipReason> {
    let (header, mut rest) = body.split_first_chunk::<4>().ok_or(short)?;
    if header[2..] != [0, 1] {
        return Err(SkipReason::OtherTunnel);
    }
    loop {
        rest = match rest {
            [0, behind @ ..] => behind,
            [1, behind @ ..] => return Ok(InnerPacket::new(Next::Ethernet, behind)),
            [_, len, behind @ ..] => behind.get(usize::from(*len)..).ok_or(short)?,
            _ => return Err(short),
        };
    }
}

fn inside_gtp(body: &[u8], short: SkipReason) -> Result<InnerPacket<'_>, SkipReason> {
    let (header, mut rest) = body.split_first_chunk::<8>().ok_or(short)?;
    // Version 1 of GTP, not of its charging protocol; other messages than this carry no packets.
    if header[0] >> 4 != 3 || header[1] != 255 {
        return Err(SkipReason::NotTcp);
    }
    if header[0] & 7 != 0 {
        let (optional, behind) = rest.split_first_chunk::<4>().ok_or(short)?;
        rest = behind;
        let mut kind = if header[0] & 4 == 0 { 0 } else { optional[3] };
        while kind != 0 {
            let len = usize::from(*rest.first().ok_or(short)?) * 4;
            let extension = rest.get(..len).filter(|it| !it.is_empty()).ok_or(short)?;
            (kind, rest) = (extension[len - 1], &rest[len..]);
        }
    }
    match rest.first().ok_or(short)? >> 4 {
        4 | 6 => Ok(InnerPacket::new(Next::Ip, rest)),
        _ => Err(SkipReason::NotIp),
    }
}

fn network_of(kind: u8, number: &[u8]) -> u32 {
    match number {
        [a, b, c] => u32::from_be_bytes([kind, *a, *b, *c]),
        _ => 0,
    }
}

/// Maximum number of nested tunnels; deeper ones are not decoded (chosen by jvmwire).
pub(crate) const MAX_TUNNELS: usize = 8;

pub(crate) const ETHER_IPV4: u16 = 0x0800;
const ETHER_IPV6: u16 = 0x86dd;
const ETHER_MPLS: u16 = 0x8847;
const ETHER_BRIDGED: u16 = 0x6558;
const ETHER_PPP: u16 = 0x880b;
const ETHER_NSH: u16 = 0x894f;
const ERSPAN_II: u16 = 0x88be;
const ERSPAN_III: u16 = 0x22eb;
/// Maximum value of the type field that is a length; LLC follows.
const LONGEST_LLC: u16 = 1500;
/// Version and type 1, code 0.
const PPPOE_SESSION: [u8; 2] = [0x11, 0];

const GRE_CHECKSUM: u8 = 0x80;
const GRE_ROUTING: u8 = 0x40;
const GRE_KEY: u8 = 0x20;
const GRE_SEQUENCE: u8 = 0x10;

const IP_IN_IP: u8 = ip_number::IPV4.0;
const IPV6_IN_IP: u8 = ip_number::IPV6.0;
const GRE: u8 = ip_number::GRE.0;
pub(crate) const UDP: u8 = ip_number::UDP.0;
const ESP: u8 = 50;
const ETHER_IP: u8 = 97;
const L2TP: u8 = 115;
const MPLS_IN_IP: u8 = 137;
const NSH: u8 = 145;
/// Compressed (RFC 3173).
const IP_COMP: u8 = 108;
/// Minimal encapsulation (RFC 2004).
const MINIMAL: u8 = 55;

const VXLAN: u16 = 4789;
/// VXLAN port of Linux, which precedes the assigned number.
const VXLAN_LINUX: u16 = 8472;
const VXLAN_GPE: u16 = 4790;
const GENEVE: u16 = 6081;
const GTP_U: u16 = 2152;
const GRE_IN_UDP: u16 = 4754;
const MPLS_IN_UDP: u16 = 6635;
const LISP: u16 = 4341;
const TEREDO: u16 = 3544;
const TZSP: u16 = 37008;
const WIREGUARD: u16 = 51820;
const OPENVPN: u16 = 1194;
const CAPWAP_DATA: u16 = 5247;

#[cfg(test)]
mod tests {
    use etherparse::PacketBuilder;
    use proptest::prelude::*;

    use super::*;
    use crate::file::Packet;
    use crate::net::packet::{PacketContent, Segment};

    const ETHERNET: i32 = 1;

    fn ip() -> Vec<u8> {
        let mut bytes = Vec::new();
        PacketBuilder::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .tcp(1000, 2000, 7, 9)
            .write_to_vec(&mut bytes, b"hello")
            .unwrap();
        bytes
    }

    fn ipv6() -> Vec<u8> {
        let mut bytes = Vec::new();
        PacketBuilder::ipv6([1; 16], [2; 16], 64)
            .tcp(1000, 2000, 7, 9)
            .write_to_vec(&mut bytes, b"hello")
            .unwrap();
        bytes
    }

    fn frame(kind: u16, body: &[u8]) -> Vec<u8> {
        [&[0; 12], &kind.to_be_bytes()[..], body].concat()
    }

    fn in_ipv4(protocol: u8, body: &[u8]) -> Vec<u8> {
        let len = u16::try_from(20 + body.len()).unwrap().to_be_bytes();
        let head =
            [0x45, 0, len[0], len[1], 0, 1, 0, 0, 64, protocol, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2];
        [&head[..], body].concat()
    }

    fn in_ipv6(protocol: u8, body: &[u8]) -> Vec<u8> {
        let len = u16::try_from(body.len()).unwrap().to_be_bytes();
        [&[0x60, 0, 0, 0, len[0], len[1], protocol, 64][..], &[3; 16], &[4; 16], body].concat()
    }

    fn in_udp(port: u16, body: &[u8]) -> Vec<u8> {
        let (port, len) =
            (port.to_be_bytes(), u16::try_from(8 + body.len()).unwrap().to_be_bytes());
        in_ipv4(UDP, &[&[0xc3, 0x50], &port[..], &len, &[0, 0], body].concat())
    }

    fn in_gre(header: &[u8], body: &[u8]) -> Vec<u8> {
        in_ipv4(GRE, &[header, body].concat())
    }

    fn decode(frame: &[u8]) -> Result<Segment<'_>, SkipReason> {
        let original_len = frame.len();
        let packet =
            Packet { ts: None, link_type: ETHERNET, data: frame, original_len, file_offset: 0 };
        match PacketContent::decode(&packet)? {
            PacketContent::Segment(segment) => Ok(segment),
            PacketContent::Fragment(fragment) => panic!("{fragment:?}"),
        }
    }

    /// Creates a frame for every kind of tunnel, each with its network.
    fn tunnels() -> Vec<(&'static str, Vec<u8>, u32)> {
        let (ip, ipv6, inner) = (ip(), ipv6(), frame(0x0800, &ip()));
        let at = |name, frame: Vec<u8>| (name, frame, 0);
        let snap = [&[0xaa, 0xaa, 3, 0, 0, 0, 8, 0][..], &ip].concat();
        let v4 = |packet: &[u8]| frame(0x0800, packet);
        let v6 = |packet: &[u8]| frame(0x86dd, packet);
        let vxlan = [&[8, 0, 0, 0, 0, 0, 42, 0][..], &inner].concat();
        let gpe = [&[0x0c, 0, 0, 1, 0, 0, 42, 0][..], &ip].concat();
        let geneve = [&[1, 0, 0x65, 0x58, 0, 0, 42, 0, 1, 2, 3, 4][..], &inner].concat();
        let gtp = [&[0x30, 255, 0, 9, 0, 0, 0, 1][..], &ip].concat();
        let gtp_extended =
            [&[0x34, 255, 0, 9, 0, 0, 0, 1, 0, 0, 0, 0x85, 1, 0, 9, 0][..], &ipv6].concat();
        let erspan_iii = [
            &[0x10, 0, 0x22, 0xeb, 0, 0, 0, 1][..],
            &[0x20, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1],
            &[0; 8],
            &inner,
        ];
        vec![
            at("VLAN 0x9100", frame(0x9100, &[&[0, 5, 8, 0][..], &ip].concat())),
            at("LLC/SNAP", frame(u16::try_from(snap.len()).unwrap(), &snap)),
            at("MPLS", frame(0x8847, &[&[0, 1, 0, 64, 0, 2, 1, 64][..], &ip].concat())),
            at(
                "Ethernet over MPLS",
                frame(0x8847, &[&[0, 2, 1, 64, 0, 0, 0, 0][..], &inner].concat()),
            ),
            at("PPPoE", frame(0x8864, &[&[0x11, 0, 0, 1, 0, 9, 0, 0x21][..], &ip].concat())),
            at(
                "PPPoE, IPv6",
                frame(0x8864, &[&[0x11, 0, 0, 1, 0, 9, 0, 0x57][..], &ipv6].concat()),
            ),
            at("4in4", v4(&in_ipv4(4, &ip))),
            at("6in4", v4(&in_ipv4(41, &ipv6))),
            at("4in6", v6(&in_ipv6(4, &ip))),
            at("6in6", v6(&in_ipv6(41, &ipv6))),
            at("GRE", v4(&in_gre(&[0, 0, 8, 0], &ip))),
            at("GRE over IPv6", v6(&in_ipv6(47, &[&[0, 0, 0x86, 0xdd][..], &ipv6].concat()))),
            at("GRE with all", v4(&in_gre(&[&[0xb0, 0, 8, 0][..], &[0; 12]].concat(), &ip))),
            at("GRE with Ethernet", v4(&in_gre(&[0, 0, 0x65, 0x58], &inner))),
            ("NVGRE", v4(&in_gre(&[0x20, 0, 0x65, 0x58, 0, 0, 42, 1], &inner)), 3 << 24 | 0x2a),
            at("PPTP", v4(&in_gre(&[0x30, 1, 0x88, 0x0b, 0, 9, 0, 1, 0, 0, 0, 1, 0x21], &ip))),
            at("ERSPAN I", v4(&in_gre(&[0, 0, 0x88, 0xbe], &inner))),
            at(
                "ERSPAN II",
                v4(&in_gre(&[0x10, 0, 0x88, 0xbe, 0, 0, 0, 1, 0x10, 0, 0, 1, 0, 0, 0, 0], &inner)),
            ),
            at("ERSPAN III", v4(&in_gre(&[], &erspan_iii.concat()))),
            at("EtherIP", v4(&in_ipv4(97, &[&[0x30, 0][..], &inner].concat()))),
            ("VXLAN", v4(&in_udp(4789, &vxlan)), 1 << 24 | 0x2a),
            ("VXLAN of Linux", v4(&in_udp(8472, &vxlan)), 1 << 24 | 0x2a),
            ("VXLAN-GPE", v4(&in_udp(4790, &gpe)), 1 << 24 | 0x2a),
            ("GENEVE", v4(&in_udp(6081, &geneve)), 2 << 24 | 0x2a),
            at("GTP-U", v4(&in_udp(2152, &gtp))),
            at("GTP-U with an extension", v4(&in_udp(2152, &gtp_extended))),
            at("GRE in UDP", v4(&in_udp(4754, &[&[0, 0, 8, 0][..], &ip].concat()))),
            (
                "LISP",
                v4(&in_udp(4341, &[&[8, 0, 0, 0, 0, 0, 42, 0][..], &ip].concat())),
                4 << 24 | 0x2a,
            ),
            at("Teredo", v4(&in_udp(3544, &ipv6))),
            at("TZSP", v4(&in_udp(37008, &[&[1, 0, 0, 1, 0, 10, 1, 9, 1][..], &inner].concat()))),
            at("MPLS in UDP", v4(&in_udp(6635, &[&[0, 2, 1, 64][..], &ip].concat()))),
        ]
    }

    #[test]
    fn every_tunnel_gives_the_segment_inside() {
        for (name, frame, network) in tunnels() {
            let segment = decode(&frame).unwrap_or_else(|reason| panic!("{name}: {reason:?}"));
            assert_eq!((segment.payload, segment.missing), (&b"hello"[..], 0), "{name}");
            assert_eq!((segment.sequence, segment.network), (7, network), "{name}");
        }
    }

    #[test]
    fn bytes_of_a_tunnel_that_the_snaplen_cut_off_are_missing() {
        for (name, frame, _) in tunnels() {
            let data = &frame[..frame.len() - 2];
            let packet = Packet {
                ts: None,
                link_type: ETHERNET,
                data,
                original_len: frame.len(),
                file_offset: 0,
            };
            let Ok(PacketContent::Segment(segment)) = PacketContent::decode(&packet) else {
                panic!("{name}")
            };
            assert_eq!((segment.payload, segment.missing), (&b"hel"[..], 2), "{name}");
        }
    }

    #[test]
    fn tunnels_within_tunnels_are_looked_into_up_to_a_limit() {
        let mut packet = ip();
        for depth in 1..=MAX_TUNNELS + 1 {
            packet = in_ipv4(4, &packet);
            let decoded = decode(&frame(0x0800, &packet)).map(|segment| segment.payload.len());
            let expected = if depth <= MAX_TUNNELS { Ok(5) } else { Err(SkipReason::OtherTunnel) };
            assert_eq!(decoded, expected.clone(), "{depth}");
        }
    }

    #[test]
    fn packets_of_other_tunnels_are_counted_by_reason() {
        let cases = [
            (frame(0x0800, &in_ipv4(50, &[7; 40])), SkipReason::Esp),
            (frame(0x0800, &in_udp(4500, &[7; 40])), SkipReason::Esp),
            (frame(0x0800, &in_udp(4500, &[0xff])), SkipReason::NotTcp),
            (frame(0x0800, &in_ipv4(115, &[7; 40])), SkipReason::L2tp),
            (frame(0x0800, &in_udp(1701, &[0x40, 2, 0, 9])), SkipReason::L2tp),
            (frame(0x0800, &in_udp(1701, &[0xc8, 2, 0, 9])), SkipReason::NotTcp),
            (frame(0x88e5, &[7; 40]), SkipReason::Macsec),
            (frame(0x894f, &[7; 40]), SkipReason::OtherTunnel),
            (frame(0x0800, &in_gre(&[0x40, 0, 8, 0], &[0; 40])), SkipReason::OtherTunnel),
            (frame(0x0800, &in_udp(4789, &[0; 40])), SkipReason::NotTcp),
            (frame(0x0800, &in_udp(53, &[8; 40])), SkipReason::NotTcp),
            (frame(0x0800, &in_udp(2152, &[0x30, 1, 0, 0, 0, 0, 0, 0])), SkipReason::NotTcp),
            (
                frame(0x0800, &in_udp(51820, &[&[4, 0, 0, 0][..], &[7; 28]].concat())),
                SkipReason::OtherTunnel,
            ),
            (frame(0x0800, &in_udp(51820, &[7; 40])), SkipReason::NotTcp),
            (frame(0x0800, &in_udp(37008, &[7; 40])), SkipReason::NotTcp),
            (frame(0x0800, &in_udp(37008, &[1, 0, 0, 18, 1])), SkipReason::OtherTunnel),
            (frame(0x0800, &in_udp(1194, &[0x48, 0, 0, 1, 7])), SkipReason::OtherTunnel),
            (frame(0x0800, &in_udp(5247, &[0; 40])), SkipReason::OtherTunnel),
            (frame(0x0800, &in_ipv4(108, &[7; 40])), SkipReason::OtherTunnel),
            (frame(0x88e7, &[7; 40]), SkipReason::OtherTunnel),
            (frame(0x8863, &[0x11, 9, 0, 0, 0, 0]), SkipReason::NotIp),
            (frame(3, &[0x42, 0x42, 3]), SkipReason::NotIp),
        ];
        for (frame, reason) in cases {
            assert_eq!(decode(&frame), Err(reason), "{frame:?}");
        }
    }

    proptest! {
        #[test]
        fn damaged_tunnels_never_panic(
            (at, byte, cut) in (any::<prop::sample::Index>(), any::<u8>(), any::<prop::sample::Index>()),
            which in 0..tunnels().len(),
        ) {
            let mut frame = tunnels().swap_remove(which).1;
            let at = at.index(frame.len());
            frame[at] = byte;
            let data = &frame[..cut.index(frame.len() + 1)];
            let original_len = frame.len();
            let _ = PacketContent::decode(&Packet { ts: None, link_type: ETHERNET, data, original_len, file_offset: 0 });
        }
    }
}
