//! Decoding of a packet's TCP segment: link layer (Ethernet, BSD loopback, raw IP, Linux cooked), tunnels, IP,
//! TCP.

use std::net::{IpAddr, SocketAddr};

use etherparse::ip_number;
use etherparse::{Ipv4HeaderSlice, Ipv6ExtensionSlice, LaxIpSlice, TcpOptionElement, TcpSlice};
use serde::{Deserialize, Serialize};

use crate::file::Packet;
use crate::net::skipped::SkipReason;
use crate::net::tunnel::{self, ETHER_IPV4, MAX_TUNNELS, Next};

/// TCP segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment<'a> {
    /// Address and port of the sender.
    pub source: SocketAddr,
    /// Address and port of the receiver.
    pub destination: SocketAddr,
    /// Sequence number of the first byte, or of the SYN.
    pub sequence: u32,
    /// Acknowledgement number, if `flags` has ACK.
    pub acknowledgement: u32,
    /// Control bits.
    pub flags: Flags,
    /// Receive window of the sender, before scaling.
    pub window: u16,
    /// Window scale of a SYN.
    pub window_scale: Option<u8>,
    /// Number of the virtual network of a tunnel; 0 without one. Connections of different networks are
    /// distinct, whatever their addresses.
    pub network: u32,
    /// Captured bytes of the stream.
    pub payload: &'a [u8],
    /// Number of further bytes on the wire.
    pub missing: usize,
}

/// Fragment of an IP packet that contains TCP or a tunnel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fragment<'a> {
    /// Packet to which the fragment belongs.
    pub whole: FragmentedPacket,
    /// Offset in that packet's payload.
    pub offset: u16,
    /// Whether more fragments follow it.
    pub more: bool,
    /// Captured bytes.
    pub bytes: &'a [u8],
    /// Number of further bytes on the wire.
    pub missing: usize,
}

/// Header fields that the fragments of one packet share.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Hash, Serialize)]
pub struct FragmentedPacket {
    /// Address of the sender.
    pub source: IpAddr,
    /// Address of the receiver.
    pub destination: IpAddr,
    /// Identification, which the sender does not reuse soon.
    pub identification: u32,
    /// IP protocol number of the content.
    pub protocol: u8,
    /// Virtual network, as in [`Segment`].
    pub network: u32,
    /// Number of tunnels around the packet.
    pub depth: u8,
}

/// TCP content of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PacketContent<'a> {
    /// A segment.
    Segment(Segment<'a>),
    /// A fragment of a packet.
    Fragment(Fragment<'a>),
}

impl<'a> PacketContent<'a> {
    /// Decodes a packet from its link layer up.
    ///
    /// Checksums are ignored: with offloading, captures at the sender contain wrong ones. Lengths are not
    /// limited to the MTU: loopback and offloading produce packets of 64 KB and more.
    ///
    /// # Errors
    /// [`SkipReason`] if the packet contains no TCP, or not enough of it.
    pub fn decode(packet: &Packet<'a>) -> Result<Self, SkipReason> {
        let cut_off = packet.original_len.saturating_sub(packet.data.len());
        // Too short because of the snaplen is another matter than too short.
        let short = if cut_off > 0 { SkipReason::Cut } else { SkipReason::Malformed };
        let ip = if let Some(ip) = ipv4_in_ethernet(packet) {
            ip
        } else {
            let (next, body) = below_ip(packet, short)?;
            tunnel::ip_packet(next, body, short)?
        };
        Self::decode_ip(ip, Within { cut_off, short, ..Within::default() })
    }

    fn decode_ip(bytes: &'a [u8], within: Within) -> Result<Self, SkipReason> {
        let Within { cut_off, short, network, depth } = within;
        // Nearly every packet: whole, and TCP over IPv4.
        if let Ok(header) = Ipv4HeaderSlice::from_slice(bytes)
            && header.protocol() == ip_number::TCP
            && !header.is_fragmenting_payload()
            && let Some(body) = bytes.get(header.slice().len()..header.total_len().into())
        {
            let ends = (header.source_addr().into(), header.destination_addr().into());
            return Segment::decode(ends, network, body, 0, short).map(Self::Segment);
        }
        let (ip, _) = LaxIpSlice::from_slice(bytes).map_err(|error| match error {
            etherparse::err::ip::LaxHeaderSliceError::Len(_) => short,
            etherparse::err::ip::LaxHeaderSliceError::Content(_) => SkipReason::Malformed,
        })?;
        let body = ip.payload();
        let protocol = body.ip_number.0;
        let is_tcp = body.ip_number == ip_number::TCP;
        if !(is_tcp || body.fragmented && tunnel::may_carry(protocol)) {
            return Self::decode_tunnel(protocol, body.payload, within);
        }
        let (source, destination, stated) = match &ip {
            LaxIpSlice::Ipv4(v4) => {
                let header = v4.header();
                let source = IpAddr::from(header.source_addr());
                (source, header.destination_addr().into(), usize::from(header.total_len()))
            }
            LaxIpSlice::Ipv6(v6) => {
                let header = v6.header();
                let stated = match usize::from(header.payload_length()) {
                    0 => 0,
                    len => etherparse::Ipv6Header::LEN + len,
                };
                (IpAddr::from(header.source_addr()), header.destination_addr().into(), stated)
            }
        };
        let missing = match stated {
            // The network card fills it in, or it does not fit into the field.
            0 => cut_off,
            _ if body.incomplete => stated.saturating_sub(bytes.len()),
            _ => 0,
        };
        if !body.fragmented {
            let ends = (source, destination);
            return Segment::decode(ends, network, body.payload, missing, short).map(Self::Segment);
        }
        let (identification, offset, more) = place_of(&ip).ok_or(short)?;
        Ok(Self::Fragment(Fragment {
            whole: FragmentedPacket {
                source,
                destination,
                identification,
                protocol,
                network,
                depth,
            },
            offset,
            more,
            bytes: body.payload,
            missing,
        }))
    }

    /// Decodes the content of a reassembled packet.
    pub(crate) fn decode_whole(
        packet: &FragmentedPacket,
        bytes: &'a [u8],
        missing: usize,
    ) -> Result<Self, SkipReason> {
        let short = if missing > 0 { SkipReason::Cut } else { SkipReason::Malformed };
        let FragmentedPacket { source, destination, protocol, network, depth, .. } = *packet;
        if protocol == ip_number::TCP.0 {
            let segment = Segment::decode((source, destination), network, bytes, missing, short)?;
            return Ok(Self::Segment(segment));
        }
        let within = Within { cut_off: missing, short, network, depth };
        Self::decode_tunnel(protocol, bytes, within)
    }

    fn decode_tunnel(protocol: u8, bytes: &'a [u8], within: Within) -> Result<Self, SkipReason> {
        let inside = tunnel::inside_ip(protocol, bytes, within.short)?;
        if usize::from(within.depth) >= MAX_TUNNELS {
            return Err(SkipReason::OtherTunnel);
        }
        let ip = tunnel::ip_packet(inside.next, inside.body, within.short)?;
        // The innermost network counts; that of an outer tunnel distinguishes equal inner ones.
        let network = match (inside.network, within.network) {
            (0, outer) => outer,
            (inner, 0) => inner,
            (inner, outer) => inner ^ outer.rotate_left(12),
        };
        Self::decode_ip(ip, Within { network, depth: within.depth + 1, ..within })
    }
}

/// Context of an IP packet from the headers around it.
#[derive(Clone, Copy)]
struct Within {
    /// Number of bytes of the packet that were not captured.
    cut_off: usize,
    /// Reason for an incomplete header.
    short: SkipReason,
    network: u32,
    depth: u8,
}

impl Default for Within {
    fn default() -> Self {
        Self { cut_off: 0, short: SkipReason::Malformed, network: 0, depth: 0 }
    }
}

impl<'a> Segment<'a> {
    /// Decodes the content of an IP packet from one address to the other, of which the last `missing` bytes
    /// were not captured. The error for an incomplete header is `short`.
    pub(crate) fn decode(
        (source, destination): (IpAddr, IpAddr),
        network: u32,
        bytes: &'a [u8],
        missing: usize,
        short: SkipReason,
    ) -> Result<Self, SkipReason> {
        let tcp = TcpSlice::from_slice(bytes).map_err(|error| match error {
            etherparse::err::tcp::HeaderSliceError::Len(_) => short,
            etherparse::err::tcp::HeaderSliceError::Content(_) => SkipReason::Malformed,
        })?;
        let flags = Flags(tcp.header_slice().get(13).copied().unwrap_or_default());
        Ok(Self {
            source: SocketAddr::new(source, tcp.source_port()),
            destination: SocketAddr::new(destination, tcp.destination_port()),
            sequence: tcp.sequence_number(),
            acknowledgement: tcp.acknowledgment_number(),
            flags,
            window: tcp.window_size(),
            window_scale: if flags.syn() { window_scale(&tcp) } else { None },
            network,
            payload: tcp.payload(),
            missing,
        })
    }
}

fn window_scale(tcp: &TcpSlice<'_>) -> Option<u8> {
    tcp.options_iterator().find_map(|option| match option {
        Ok(TcpOptionElement::WindowScale(scale)) => Some(scale.min(MAX_WINDOW_SCALE)),
        _ => None,
    })
}

/// Returns a fragment's identification, its offset in bytes, and whether more follow.
fn place_of(ip: &LaxIpSlice<'_>) -> Option<(u32, u16, bool)> {
    match ip {
        LaxIpSlice::Ipv4(v4) => {
            let header = v4.header();
            let offset = header.fragments_offset().byte_offset();
            Some((header.identification().into(), offset, header.more_fragments()))
        }
        LaxIpSlice::Ipv6(v6) => v6.extensions().clone().into_iter().find_map(|it| match it {
            Ipv6ExtensionSlice::Fragment(header) => {
                let header = header.to_header();
                let offset = header.fragment_offset.byte_offset();
                Some((header.identification, offset, header.more_fragments))
            }
            _ => None,
        }),
    }
}

/// Returns the IP packet in the most frequent case: directly in an Ethernet frame.
#[inline]
fn ipv4_in_ethernet<'a>(packet: &Packet<'a>) -> Option<&'a [u8]> {
    let (header, ip) = packet.data.split_first_chunk::<14>()?;
    (packet.link_type == LINKTYPE_ETHERNET && header[12..] == ETHER_IPV4.to_be_bytes())
        .then_some(ip)
}

/// Decodes the bytes after the link layer's header; the error is `short` if the header is incomplete.
fn below_ip<'a>(packet: &Packet<'a>, short: SkipReason) -> Result<(Next, &'a [u8]), SkipReason> {
    let data = packet.data;
    match packet.link_type {
        LINKTYPE_ETHERNET => Ok((Next::Ethernet, data)),
        LINKTYPE_NULL | LINKTYPE_LOOP => {
            let (family, body) = data.split_first_chunk().ok_or(short)?;
            // NULL has it in the byte order of a host that is not known.
            let family = u32::from_be_bytes(*family);
            let is_ip = IP_FAMILIES.contains(&family) || IP_FAMILIES.contains(&family.swap_bytes());
            if is_ip { Ok((Next::Ip, body)) } else { Err(SkipReason::NotIp) }
        }
        LINKTYPE_RAW | LINKTYPE_IPV4 | LINKTYPE_IPV6 | DLT_RAW | DLT_RAW_OPENBSD => {
            Ok((Next::Ip, data))
        }
        LINKTYPE_LINUX_SLL => {
            let (header, body) = data.split_first_chunk::<16>().ok_or(short)?;
            Ok((Next::EtherType(u16::from_be_bytes([header[14], header[15]])), body))
        }
        LINKTYPE_LINUX_SLL2 => {
            let (header, body) = data.split_first_chunk::<20>().ok_or(short)?;
            Ok((Next::EtherType(u16::from_be_bytes([header[0], header[1]])), body))
        }
        LINKTYPE_PPP | LINKTYPE_PPP_HDLC => Ok((Next::Ppp, data)),
        _ => Err(SkipReason::LinkType),
    }
}

/// Control bits of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flags(pub u8);

impl Flags {
    /// Whether the segment ends with the sender's last byte.
    #[must_use]
    pub fn fin(self) -> bool {
        self.0 & 0x01 != 0
    }

    /// Whether the sender opens its direction.
    #[must_use]
    pub fn syn(self) -> bool {
        self.0 & 0x02 != 0
    }

    /// Whether the sender requests a connection: SYN without ACK.
    #[must_use]
    pub fn is_opening(self) -> bool {
        self.syn() && !self.ack()
    }

    /// Whether the connection is aborted.
    #[must_use]
    pub fn rst(self) -> bool {
        self.0 & 0x04 != 0
    }

    /// Whether the acknowledgement number is valid.
    #[must_use]
    pub fn ack(self) -> bool {
        self.0 & 0x10 != 0
    }

    /// Whether ACK is the only one of ACK, SYN, FIN and RST that is set.
    pub(crate) fn is_only_ack(self) -> bool {
        self.0 & 0x17 == 0x10
    }
}

// https://www.tcpdump.org/linktypes.html
const LINKTYPE_NULL: i32 = 0;
const LINKTYPE_ETHERNET: i32 = 1;
const LINKTYPE_PPP: i32 = 9;
const LINKTYPE_PPP_HDLC: i32 = 50;
const LINKTYPE_RAW: i32 = 101;
const LINKTYPE_LOOP: i32 = 108;
const LINKTYPE_LINUX_SLL: i32 = 113;
const LINKTYPE_IPV4: i32 = 228;
const LINKTYPE_IPV6: i32 = 229;
const LINKTYPE_LINUX_SLL2: i32 = 276;
/// Link type of raw IP in memory on some systems, and in the files of some tools.
const DLT_RAW: i32 = 12;
const DLT_RAW_OPENBSD: i32 = 14;

/// Maximum window scale (RFC 7323).
const MAX_WINDOW_SCALE: u8 = 14;

/// `AF_INET`, and `AF_INET6` of Linux, NetBSD, FreeBSD and macOS.
const IP_FAMILIES: [u32; 5] = [2, 10, 24, 28, 30];

#[cfg(test)]
mod tests {
    use etherparse::{IpFragOffset, IpHeaders, IpNumber, Ipv6Extensions, Ipv6Header};
    use etherparse::{Ipv4Header, Ipv6FragmentHeader, LinuxSllPacketType, PacketBuilder, VlanId};
    use proptest::prelude::*;

    use super::*;
    use crate::file::CaptureReader;
    use crate::file::tests::{COOKED, IPV6, MICRO};

    const PAYLOAD: &[u8] = b"hello";

    fn packet(link_type: i32, data: &[u8]) -> Packet<'_> {
        Packet { ts: None, link_type, data, original_len: data.len(), file_offset: 0 }
    }

    fn segment<'a>(packet: &Packet<'a>) -> Result<Segment<'a>, SkipReason> {
        PacketContent::decode(packet).map(|carried| match carried {
            PacketContent::Segment(segment) => segment,
            PacketContent::Fragment(fragment) => panic!("{fragment:?}"),
        })
    }

    fn decode(link_type: i32, data: &[u8]) -> Result<Segment<'_>, SkipReason> {
        segment(&packet(link_type, data))
    }

    fn ipv4() -> Vec<u8> {
        let mut bytes = Vec::new();
        PacketBuilder::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .tcp(1000, 2000, 7, 9)
            .ack(8)
            .syn()
            .write_to_vec(&mut bytes, PAYLOAD)
            .unwrap();
        bytes
    }

    fn ipv6() -> Vec<u8> {
        let mut bytes = Vec::new();
        PacketBuilder::ipv6([1; 16], [2; 16], 64)
            .tcp(1000, 2000, 7, 9)
            .write_to_vec(&mut bytes, PAYLOAD)
            .unwrap();
        bytes
    }

    fn ethernet(kind: u16, body: &[u8]) -> Vec<u8> {
        [&[0; 12], &kind.to_be_bytes()[..], body].concat()
    }

    #[test]
    fn segment_has_the_values_of_its_headers() {
        let bytes = ipv4();
        let segment = decode(LINKTYPE_RAW, &bytes).unwrap();
        let expected = Segment {
            source: "10.0.0.1:1000".parse().unwrap(),
            destination: "10.0.0.2:2000".parse().unwrap(),
            sequence: 7,
            acknowledgement: 8,
            flags: Flags(0x12),
            window: 9,
            window_scale: None,
            network: 0,
            payload: PAYLOAD,
            missing: 0,
        };
        assert_eq!(segment, expected);
        assert!(segment.flags.syn() && segment.flags.ack());
        assert!(!segment.flags.fin() && !segment.flags.rst());
    }

    #[test]
    fn every_link_layer_gives_the_same_segment() {
        for (ip, kind, families) in [(ipv4(), 0x0800_u16, [2, 2]), (ipv6(), 0x86dd, [24, 30])] {
            let expected = decode(LINKTYPE_RAW, &ip).unwrap();
            let [big, little] = [u32::to_be_bytes(families[0]), u32::to_le_bytes(families[1])];
            let kind_bytes = kind.to_be_bytes();
            let tag = [&[0, 5], &kind_bytes[..], &ip].concat();
            let two_tags = [&[0, 6, 0x81, 0][..], &tag].concat();
            let cases = [
                (LINKTYPE_ETHERNET, ethernet(kind, &ip)),
                (LINKTYPE_ETHERNET, ethernet(0x8100, &tag)),
                (LINKTYPE_ETHERNET, ethernet(0x88a8, &two_tags)),
                (LINKTYPE_NULL, [&little, &ip[..]].concat()),
                (LINKTYPE_NULL, [&big, &ip[..]].concat()),
                (LINKTYPE_LOOP, [&big, &ip[..]].concat()),
                (if kind == 0x0800 { LINKTYPE_IPV4 } else { LINKTYPE_IPV6 }, ip.clone()),
                (DLT_RAW, ip.clone()),
                (DLT_RAW_OPENBSD, ip.clone()),
                (LINKTYPE_LINUX_SLL, [&[0; 14], &kind_bytes[..], &ip].concat()),
                (LINKTYPE_LINUX_SLL2, [&kind_bytes[..], &[0; 18], &ip].concat()),
            ];
            for (link_type, bytes) in cases {
                assert_eq!(decode(link_type, &bytes), Ok(expected), "link type {link_type}");
            }
        }
    }

    #[test]
    fn etherparse_writes_vlan_tags_and_cooked_headers_as_they_are_read() {
        let mut double = Vec::new();
        PacketBuilder::ethernet2([1; 6], [2; 6])
            .double_vlan(VlanId::try_new(5).unwrap(), VlanId::try_new(6).unwrap())
            .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .tcp(1, 2, 3, 4)
            .write_to_vec(&mut double, PAYLOAD)
            .unwrap();
        assert_eq!(decode(LINKTYPE_ETHERNET, &double).unwrap().payload, PAYLOAD);

        let mut cooked = Vec::new();
        PacketBuilder::linux_sll(LinuxSllPacketType::OUTGOING, 6, [1, 2, 3, 4, 5, 6, 0, 0])
            .ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .tcp(1, 2, 3, 4)
            .write_to_vec(&mut cooked, PAYLOAD)
            .unwrap();
        assert_eq!(decode(LINKTYPE_LINUX_SLL, &cooked).unwrap().payload, PAYLOAD);
    }

    #[test]
    fn padding_of_a_short_frame_is_not_payload() {
        let bytes = [&ethernet(0x0800, &ipv4())[..], &[0; 6]].concat();
        let segment = decode(LINKTYPE_ETHERNET, &bytes).unwrap();
        assert_eq!((segment.payload, segment.missing), (PAYLOAD, 0));
    }

    #[test]
    fn wrong_checksum_is_not_looked_at() {
        let mut bytes = ipv4();
        bytes[10] ^= 0xff;
        bytes[36] ^= 0xff;
        assert_eq!(decode(LINKTYPE_RAW, &bytes).unwrap().payload, PAYLOAD);
    }

    #[test]
    fn total_length_of_zero_means_the_whole_packet() {
        let mut bytes = ipv4();
        bytes[2..4].copy_from_slice(&[0, 0]);
        let mut whole = packet(LINKTYPE_RAW, &bytes);
        assert_eq!(segment(&whole).unwrap().payload, PAYLOAD);
        whole.original_len += 1000;
        assert_eq!(segment(&whole).unwrap().missing, 1000);

        let mut bytes = ipv6();
        bytes[4..6].copy_from_slice(&[0, 0]);
        assert_eq!(decode(LINKTYPE_RAW, &bytes).unwrap().payload, PAYLOAD);
    }

    #[test]
    fn bytes_cut_by_the_snaplen_are_missing() {
        for ip in [ipv4(), ipv6()] {
            let bytes = ethernet(if ip[0] >> 4 == 4 { 0x0800 } else { 0x86dd }, &ip);
            for cut in 0..bytes.len() {
                let data = &bytes[..bytes.len() - cut];
                let cut_packet = Packet { data, ..packet(LINKTYPE_ETHERNET, &bytes) };
                let segment = segment(&cut_packet);
                if cut <= PAYLOAD.len() {
                    let segment = segment.unwrap();
                    assert_eq!(segment.payload, &PAYLOAD[..PAYLOAD.len() - cut]);
                    assert_eq!(segment.missing, cut);
                } else if cut > 0 {
                    assert!(
                        matches!(segment, Err(SkipReason::Cut | SkipReason::NotTcp)),
                        "{segment:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn fragment_names_its_packet() {
        for (more, offset) in [(true, 0), (false, 800)] {
            let place = IpFragOffset::try_new(offset / 8).unwrap();
            let mut v4 = Ipv4Header::new(20, 64, IpNumber::TCP, [1; 4], [2; 4]).unwrap();
            (v4.identification, v4.more_fragments, v4.fragment_offset) = (7, more, place);
            let mut v6 = Ipv6Header { hop_limit: 64, ..Ipv6Header::default() };
            (v6.source, v6.destination) = ([1; 16], [2; 16]);
            let fragment = Ipv6FragmentHeader::new(IpNumber::TCP, place, more, 7);
            let extensions = Ipv6Extensions { fragment: Some(fragment), ..Default::default() };
            let headers = vec![
                IpHeaders::Ipv4(v4, etherparse::Ipv4Extensions::default()),
                IpHeaders::Ipv6(v6, extensions),
            ];
            let addresses = [([1; 4].into(), [2; 4].into()), ([1; 16].into(), [2; 16].into())];
            for (header, (source, destination)) in headers.into_iter().zip(addresses) {
                let mut bytes = Vec::new();
                PacketBuilder::ip(header)
                    .tcp(1, 2, 3, 4)
                    .write_to_vec(&mut bytes, PAYLOAD)
                    .unwrap();
                let whole = FragmentedPacket {
                    source,
                    destination,
                    identification: 7,
                    protocol: 6,
                    network: 0,
                    depth: 0,
                };
                let said = &bytes[bytes.len() - 25..];
                let expected = Fragment { whole, offset, more, bytes: said, missing: 0 };
                let carried = PacketContent::decode(&packet(LINKTYPE_RAW, &bytes));
                assert_eq!(carried, Ok(PacketContent::Fragment(expected)));

                let data = &bytes[..bytes.len() - 2];
                let cut = Packet { data, ..packet(LINKTYPE_RAW, &bytes) };
                let expected = Fragment { bytes: &said[..23], missing: 2, ..expected };
                assert_eq!(PacketContent::decode(&cut), Ok(PacketContent::Fragment(expected)));
            }
        }
    }

    #[test]
    fn packet_without_tcp_is_skipped_with_a_reason() {
        let mut udp = Vec::new();
        PacketBuilder::ipv4([1; 4], [2; 4], 64).udp(1, 2).write_to_vec(&mut udp, b"x").unwrap();
        let mut bad_offset = ipv4();
        bad_offset[32] = 0;
        let cases = [
            (LINKTYPE_RAW, udp, SkipReason::NotTcp),
            (LINKTYPE_ETHERNET, ethernet(0x0806, &[0; 28]), SkipReason::NotIp),
            (LINKTYPE_NULL, vec![0; 40], SkipReason::NotIp),
            (105, ipv4(), SkipReason::LinkType),
            (LINKTYPE_RAW, bad_offset, SkipReason::Malformed),
            (LINKTYPE_RAW, vec![0x45, 0], SkipReason::Malformed),
            (LINKTYPE_RAW, vec![], SkipReason::Malformed),
            (LINKTYPE_ETHERNET, vec![0; 13], SkipReason::Malformed),
        ];
        for (link_type, bytes, reason) in cases {
            assert_eq!(decode(link_type, &bytes), Err(reason));
        }
    }

    #[test]
    fn every_packet_of_the_real_captures_is_a_segment() {
        for file in [MICRO, COOKED, IPV6] {
            let mut text = Vec::new();
            let mut keep = |packet: Packet<'_>| {
                text.extend_from_slice(segment(&packet).unwrap().payload);
            };
            CaptureReader::new().feed(file, &mut keep).unwrap();
            assert_eq!(text, b"hello, server\nhello, client\n");
        }
    }

    proptest! {
        #[test]
        fn garbage_never_panics(
            link_type in prop::sample::select(&[0, 1, 101, 108, 113, 228, 229, 276, 12, 14, 99][..]),
            start in 0_usize..4,
            garbage in prop::collection::vec(any::<u8>(), 0..120),
            cut_off in 0_usize..3,
        ) {
            let start = [vec![], ipv4()[..20].to_vec(), ipv6()[..40].to_vec(), ethernet(0x8100, &[])][start].clone();
            let bytes = [start, garbage].concat();
            let original_len = bytes.len() + cut_off;
            let _ = PacketContent::decode(&Packet { original_len, ..packet(link_type, &bytes) });
        }
    }
}
