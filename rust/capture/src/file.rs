//! pcap: a 24-byte header, then records of 16 bytes and a packet; pcapng: blocks of
//! `type: u32, length: u32, body, length: u32`. Either byte order.

use pcap_parser::nom::IResult;
use pcap_parser::{
    Block, InterfaceDescriptionBlock, LegacyPcapBlock, OptionCode, PcapError, parse_block_be,
    parse_block_le, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_frame_modified,
    parse_pcap_header,
};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::error::{CaptureError, Result};

/// One captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Microseconds, UTC, since 1970; `None` if the format carries none (simple packet blocks).
    pub ts: Option<i64>,
    /// What `data` begins with: a number of the `LINKTYPE_` registry.
    pub link_type: i32,
    /// The bytes that were kept.
    pub data: &'a [u8],
    /// How many bytes the packet had on the wire.
    pub original_len: usize,
    /// Where the packet's record begins in the uncompressed capture.
    pub file_offset: u64,
}

/// Push parser of pcap and pcapng files.
///
/// Packets are slices of what was fed; only a record that a chunk's end cut is copied.
#[derive(Default, Deserialize, Serialize)]
pub struct CaptureReader {
    format: Format,
    /// The beginning of a record that is not whole yet.
    #[serde(skip)]
    carry: Vec<u8>,
    /// Where the next record, or the carry, begins.
    offset: u64,
    #[serde(skip)]
    failed: Option<CaptureError>,
}

impl CaptureReader {
    /// Creates a reader that has seen nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Where the next record begins, of those that are not whole yet.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Takes the next bytes of the capture and hands on the packets that are whole.
    ///
    /// # Errors
    /// A [`CaptureError`] as soon as a record cannot be right. The reader is over then and returns
    /// the same error again: without a record's true length the next one cannot be found.
    pub fn feed(&mut self, chunk: &[u8], sink: &mut impl FnMut(Packet<'_>)) -> Result<()> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        let fed = self.feed_unless_failed(chunk, sink);
        if let Err(error) = &fed {
            self.failed = Some(error.clone());
            self.carry = Vec::new();
        }
        fed
    }

    /// Says that the capture ended.
    ///
    /// # Errors
    /// [`CaptureError::CutShort`] inside a record, [`CaptureError::Empty`] if there was none, or
    /// the error that [`feed`](Self::feed) returned.
    pub fn finish(&mut self) -> Result<()> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None if !self.carry.is_empty() => {
                // What is there of a record's header may already say too much.
                self.format.record_len(&self.carry, self.offset)?;
                Err(CaptureError::CutShort { offset: self.offset, left: self.carry.len() })
            }
            None if self.offset == 0 => Err(CaptureError::Empty),
            None => Ok(()),
        }
    }

    fn feed_unless_failed(
        &mut self,
        mut chunk: &[u8],
        sink: &mut impl FnMut(Packet<'_>),
    ) -> Result<()> {
        while !self.carry.is_empty() {
            let wanted = self.format.record_len(&self.carry, self.offset)?;
            if let Some(missing @ 1..) = wanted.checked_sub(self.carry.len()) {
                let (more, rest) = chunk.split_at(missing.min(chunk.len()));
                self.carry.extend_from_slice(more);
                chunk = rest;
                if more.len() < missing {
                    return Ok(());
                }
            } else {
                let mut record = std::mem::take(&mut self.carry);
                self.record(&record, sink)?;
                record.clear();
                self.carry = record;
                break;
            }
        }
        loop {
            let wanted = self.format.record_len(chunk, self.offset)?;
            let Some((record, rest)) = chunk.split_at_checked(wanted) else {
                self.carry.extend_from_slice(chunk);
                return Ok(());
            };
            self.record(record, sink)?;
            chunk = rest;
        }
    }

    /// Takes one whole record, as long as `record_len` said.
    fn record(&mut self, record: &[u8], sink: &mut impl FnMut(Packet<'_>)) -> Result<()> {
        let offset = self.offset;
        match &mut self.format {
            Format::Pcap(pcap) => sink(pcap.packet(record, offset)?),
            Format::PcapNg(section) => section.block(record, offset, sink)?,
            Format::Untold if record.starts_with(&SECTION_HEADER.to_be_bytes()) => {
                let mut section = Section::default();
                section.block(record, offset, sink)?;
                self.format = Format::PcapNg(section);
            }
            Format::Untold => self.format = Format::Pcap(Pcap::decode(record)?),
        }
        self.offset += record.len() as u64;
        Ok(())
    }
}

#[derive(Default, Deserialize, Serialize)]
enum Format {
    #[default]
    Untold,
    Pcap(Pcap),
    PcapNg(Section),
}

impl Format {
    /// How long the record is that `bytes` begin with, or how many bytes it takes to tell.
    fn record_len(&self, bytes: &[u8], offset: u64) -> Result<usize> {
        match self {
            Self::Untold => match bytes.first_chunk().map(|magic| u32::from_be_bytes(*magic)) {
                None => Ok(4),
                Some(SECTION_HEADER) => Section::default().block_len(bytes, offset),
                Some(magic) if PCAP_MAGICS.contains(&magic) => Ok(PCAP_HEADER_LEN),
                Some(magic) => Err(CaptureError::NotACapture { magic }),
            },
            Self::Pcap(pcap) => pcap.record_len(bytes, offset),
            Self::PcapNg(section) => section.block_len(bytes, offset),
        }
    }
}

type ParseFrame =
    for<'a> fn(&'a [u8]) -> IResult<&'a [u8], LegacyPcapBlock<'a>, PcapError<&'a [u8]>>;

/// What a pcap file's header says.
struct Pcap {
    header: [u8; PCAP_HEADER_LEN],
    parse: ParseFrame,
    record_header_len: usize,
    big_endian: bool,
    nanoseconds: bool,
    link_type: i32,
}

impl Pcap {
    fn decode(bytes: &[u8]) -> Result<Self> {
        let (Some(&whole), Ok((_, header))) = (bytes.first_chunk(), parse_pcap_header(bytes))
        else {
            return Err(CaptureError::CutShort { offset: 0, left: bytes.len() });
        };
        let (major, minor) = (header.version_major, header.version_minor);
        if major != PCAP_MAJOR_VERSION {
            return Err(CaptureError::Version { offset: 0, major, minor });
        }
        let big_endian = header.is_bigendian();
        let (parse, record_header_len): (ParseFrame, _) = if header.is_modified_format() {
            (parse_pcap_frame_modified, 24)
        } else if big_endian {
            (parse_pcap_frame_be, 16)
        } else {
            (parse_pcap_frame, 16)
        };
        Ok(Self {
            header: whole,
            parse,
            record_header_len,
            big_endian,
            nanoseconds: header.is_nanosecond_precision(),
            // The upper bits say how long the frames' check sequences are.
            link_type: header.network.0 & 0xffff,
        })
    }

    fn record_len(&self, bytes: &[u8], offset: u64) -> Result<usize> {
        let Some(claimed) = u32_at(bytes, 8, self.big_endian) else {
            return Ok(self.record_header_len);
        };
        Ok(self.record_header_len + packet_len(claimed, offset)?)
    }

    fn packet<'a>(&self, record: &'a [u8], offset: u64) -> Result<Packet<'a>> {
        let Ok((_, frame)) = (self.parse)(record) else {
            return Err(CaptureError::CutShort { offset, left: record.len() });
        };
        let micros = if self.nanoseconds { frame.ts_usec / 1000 } else { frame.ts_usec };
        Ok(Packet {
            ts: Some(i64::from(frame.ts_sec) * 1_000_000 + i64::from(micros)),
            link_type: self.link_type,
            data: frame.data,
            original_len: frame.origlen as usize,
            file_offset: offset,
        })
    }
}

impl Serialize for Pcap {
    fn serialize<S: Serializer>(&self, to: S) -> std::result::Result<S::Ok, S::Error> {
        self.header.serialize(to)
    }
}

impl<'de> Deserialize<'de> for Pcap {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        let header = <[u8; PCAP_HEADER_LEN]>::deserialize(from)?;
        Self::decode(&header).map_err(de::Error::custom)
    }
}

/// The section of a pcapng file that is being read: byte order and interfaces are its own.
#[derive(Default, Deserialize, Serialize)]
struct Section {
    big_endian: bool,
    interfaces: Vec<Interface>,
}

impl Section {
    fn block_len(&self, bytes: &[u8], offset: u64) -> Result<usize> {
        let Some(big_endian) = self.byte_order(bytes, offset)? else {
            return Ok(MIN_BLOCK_LEN);
        };
        let Some(claimed) = u32_at(bytes, 4, big_endian) else {
            return Ok(MIN_BLOCK_LEN);
        };
        let len = claimed as usize;
        if len > MAX_BLOCK_LEN {
            return Err(CaptureError::TooLong {
                offset,
                claimed: u64::from(claimed),
                max: MAX_BLOCK_LEN as u64,
            });
        }
        if len < MIN_BLOCK_LEN || !len.is_multiple_of(4) {
            return Err(CaptureError::BlockLength { offset, claimed });
        }
        Ok(len)
    }

    /// The byte order of the block; `None` if more bytes are wanted. A section header brings its own.
    fn byte_order(&self, bytes: &[u8], offset: u64) -> Result<Option<bool>> {
        let Some(&[k0, k1, k2, k3, _, _, _, _, m0, m1, m2, m3]) = bytes.first_chunk() else {
            return Ok(None);
        };
        if u32::from_be_bytes([k0, k1, k2, k3]) != SECTION_HEADER {
            return Ok(Some(self.big_endian));
        }
        match u32::from_be_bytes([m0, m1, m2, m3]) {
            BYTE_ORDER_MAGIC => Ok(Some(true)),
            magic if magic.swap_bytes() == BYTE_ORDER_MAGIC => Ok(Some(false)),
            _ => Err(CaptureError::Block { offset, kind: SECTION_HEADER }),
        }
    }

    fn block(
        &mut self,
        bytes: &[u8],
        offset: u64,
        sink: &mut impl FnMut(Packet<'_>),
    ) -> Result<()> {
        let big_endian = self.byte_order(bytes, offset)?.unwrap_or(self.big_endian);
        let kind = u32_at(bytes, 0, big_endian).unwrap_or_default();
        let damaged = CaptureError::Block { offset, kind };
        if let (Some(first), Some((_, last))) =
            (u32_at(bytes, 4, big_endian), bytes.split_last_chunk::<4>())
            && u32_at(last, 0, big_endian) != Some(first)
        {
            return Err(CaptureError::BlockLength { offset, claimed: first });
        }
        let parse = if big_endian { parse_block_be } else { parse_block_le };
        // The block is whole: what is missing now is missing inside it.
        let Ok((_, block)) = parse(bytes) else {
            return Err(damaged);
        };
        match block {
            Block::SectionHeader(header) => {
                let (major, minor) = (header.major_version, header.minor_version);
                if major != PCAPNG_MAJOR_VERSION {
                    return Err(CaptureError::Version { offset, major, minor });
                }
                *self = Self { big_endian, interfaces: Vec::new() };
            }
            Block::InterfaceDescription(description) => {
                if self.interfaces.len() == MAX_INTERFACES {
                    return Err(CaptureError::Interfaces { offset, max: MAX_INTERFACES });
                }
                self.interfaces.push(Interface::decode(&description, big_endian));
            }
            Block::EnhancedPacket(packet) => {
                let interface = self.interface(packet.if_id, offset)?;
                let data = packet.data.get(..packet_len(packet.caplen, offset)?).ok_or(damaged)?;
                sink(Packet {
                    ts: interface.micros(packet.ts_high, packet.ts_low),
                    link_type: interface.link_type,
                    data,
                    original_len: packet.origlen as usize,
                    file_offset: offset,
                });
            }
            Block::SimplePacket(packet) => {
                let interface = self.interface(0, offset)?;
                // The length that was kept is stated nowhere; it follows from these.
                let kept = match interface.snaplen {
                    0 => packet.origlen,
                    snaplen => packet.origlen.min(snaplen),
                };
                let data = packet.data.get(..packet_len(kept, offset)?).ok_or(damaged)?;
                sink(Packet {
                    ts: None,
                    link_type: interface.link_type,
                    data,
                    original_len: packet.origlen as usize,
                    file_offset: offset,
                });
            }
            Block::Unknown(old) if kind == OBSOLETE_PACKET => {
                sink(self.obsolete_packet(old.data, offset)?.ok_or(damaged)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// `interface: u16, drops: u16, ts: u64 (high, low), kept: u32, original: u32`, then the packet.
    fn obsolete_packet<'a>(&self, body: &'a [u8], offset: u64) -> Result<Option<Packet<'a>>> {
        let word = |at| u32_at(body, at, self.big_endian);
        let (Some(interface), Some(high), Some(low), Some(kept), Some(original)) =
            (word(0), word(4), word(8), word(12), word(16))
        else {
            return Ok(None);
        };
        let interface = if self.big_endian { interface >> 16 } else { interface & 0xffff };
        let interface = self.interface(interface, offset)?;
        let kept = packet_len(kept, offset)?;
        Ok(body.get(20..).and_then(|rest| rest.get(..kept)).map(|data| Packet {
            ts: interface.micros(high, low),
            link_type: interface.link_type,
            data,
            original_len: original as usize,
            file_offset: offset,
        }))
    }

    fn interface(&self, number: u32, offset: u64) -> Result<&Interface> {
        self.interfaces.get(number as usize).ok_or(CaptureError::Interface {
            offset,
            claimed: number,
            known: self.interfaces.len(),
        })
    }
}

#[derive(Deserialize, Serialize)]
struct Interface {
    link_type: i32,
    /// 0 means no limit.
    snaplen: u32,
    unit: Unit,
    /// Added to every timestamp.
    offset_micros: i128,
}

/// What a timestamp counts, seen from microseconds.
#[derive(Deserialize, Serialize)]
enum Unit {
    Micros(u64),
    PerMicro(u64),
    /// 2^-n seconds.
    BinaryFraction(u8),
}

impl Interface {
    // pcap-parser reads both options too, but the offset in little-endian only, and it refuses
    // binary resolutions.
    fn decode(description: &InterfaceDescriptionBlock<'_>, big_endian: bool) -> Self {
        let option = |code| {
            let found = description.options.iter().find(|option| option.code == code);
            found.map(|option| option.value.as_ref())
        };
        let resolution = option(OptionCode::IfTsresol).and_then(|value| value.first());
        let seconds = option(OptionCode::IfTsoffset).and_then(|value| value.first_chunk());
        let seconds = seconds.map_or(0, |bytes| {
            if big_endian { i64::from_be_bytes(*bytes) } else { i64::from_le_bytes(*bytes) }
        });
        Self {
            link_type: description.linktype.0,
            snaplen: description.snaplen,
            unit: Unit::decode(resolution.copied().unwrap_or(DEFAULT_RESOLUTION)),
            offset_micros: i128::from(seconds) * 1_000_000,
        }
    }

    /// `None` if the time is none of this era: it does not fit.
    fn micros(&self, high: u32, low: u32) -> Option<i64> {
        let count = u64::from(high) << 32 | u64::from(low);
        let micros = match self.unit {
            Unit::Micros(each) => i128::from(count) * i128::from(each),
            Unit::PerMicro(each) => i128::from(count / each),
            Unit::BinaryFraction(n) => (i128::from(count) * 1_000_000) >> n,
        };
        i64::try_from(micros + self.offset_micros).ok()
    }
}

impl Unit {
    fn decode(resolution: u8) -> Self {
        if resolution & 0x80 != 0 {
            return Self::BinaryFraction(resolution & 0x7f);
        }
        let exponent = u32::from(resolution);
        // A unit so small that no power of ten holds it counts nothing that a microsecond shows.
        let power = |exponent| 10_u64.checked_pow(exponent).unwrap_or(u64::MAX);
        match exponent.checked_sub(6) {
            Some(more) => Self::PerMicro(power(more)),
            None => Self::Micros(power(6 - exponent)),
        }
    }
}

fn packet_len(claimed: u32, offset: u64) -> Result<usize> {
    let len = claimed as usize;
    if len > MAX_PACKET_LEN {
        let (claimed, max) = (u64::from(claimed), MAX_PACKET_LEN as u64);
        return Err(CaptureError::TooLong { offset, claimed, max });
    }
    Ok(len)
}

fn u32_at(bytes: &[u8], at: usize, big_endian: bool) -> Option<u32> {
    let word = bytes.get(at..)?.first_chunk()?;
    Some(if big_endian { u32::from_be_bytes(*word) } else { u32::from_le_bytes(*word) })
}

/// Longest packet of a capture: tcpdump's `MAXIMUM_SNAPLEN`.
pub const MAX_PACKET_LEN: usize = 256 * 1024;

/// Longest pcapng block: Wireshark's `MAX_BLOCK_SIZE`.
pub const MAX_BLOCK_LEN: usize = 16 * 1024 * 1024;

/// Most interfaces of a section: obsolete packet blocks number them with 16 bits.
pub const MAX_INTERFACES: usize = 1 << 16;

/// Type and both lengths.
const MIN_BLOCK_LEN: usize = 12;

const PCAP_HEADER_LEN: usize = 24;
const PCAP_MAJOR_VERSION: u16 = 2;
const PCAPNG_MAJOR_VERSION: u16 = 1;

/// The first bytes of a pcap file, read in big-endian: micro- and nanoseconds in either order, and
/// the "modified" format of old Linux distributions, with 24-byte record headers, as they wrote it.
const PCAP_MAGICS: [u32; 5] = [0xa1b2_c3d4, 0xd4c3_b2a1, 0xa1b2_3c4d, 0x4d3c_b2a1, 0x34cd_b2a1];

/// The type of a section header block, the same in both byte orders.
const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
const OBSOLETE_PACKET: u32 = 2;

/// `if_tsresol` if an interface does not say: microseconds.
const DEFAULT_RESOLUTION: u8 = 6;

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    pub(crate) const MICRO: &[u8] =
        include_bytes!("../../../tests/vectors/captures/loopback-micro.pcap");
    pub(crate) const NANO: &[u8] =
        include_bytes!("../../../tests/vectors/captures/loopback-nano.pcap");
    pub(crate) const COOKED: &[u8] =
        include_bytes!("../../../tests/vectors/captures/any-cooked-v2.pcap");
    pub(crate) const IPV6: &[u8] =
        include_bytes!("../../../tests/vectors/captures/loopback-ipv6.pcap");
    pub(crate) const PCAPNG: &[u8] =
        include_bytes!("../../../tests/vectors/captures/loopback.pcapng");

    /// `Packet` with its bytes owned: ts, link type, data, original length, offset.
    type Owned = (Option<i64>, i32, Vec<u8>, usize, u64);

    fn owned(packet: &Packet<'_>) -> Owned {
        let Packet { ts, link_type, data, original_len, file_offset } = *packet;
        (ts, link_type, data.to_vec(), original_len, file_offset)
    }

    fn read<'a>(chunks: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Owned>, Result<()>) {
        let mut packets = Vec::new();
        let mut reader = CaptureReader::new();
        let fed = chunks
            .into_iter()
            .try_for_each(|chunk| reader.feed(chunk, &mut |packet| packets.push(owned(&packet))));
        (packets, fed.and_then(|()| reader.finish()))
    }

    /// Writes numbers in one byte order.
    struct Bytes {
        big_endian: bool,
        bytes: Vec<u8>,
    }

    impl Bytes {
        fn new(big_endian: bool) -> Self {
            Self { big_endian, bytes: Vec::new() }
        }

        fn u16(mut self, value: u16) -> Self {
            let value = if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
            self.bytes.extend_from_slice(&value);
            self
        }

        fn u32(mut self, value: u32) -> Self {
            let value = if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
            self.bytes.extend_from_slice(&value);
            self
        }

        fn i64(mut self, value: i64) -> Self {
            let value = if self.big_endian { value.to_be_bytes() } else { value.to_le_bytes() };
            self.bytes.extend_from_slice(&value);
            self
        }

        fn raw(mut self, bytes: &[u8]) -> Self {
            self.bytes.extend_from_slice(bytes);
            self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
            self
        }

        fn block(self, kind: u32) -> Vec<u8> {
            let len = u32::try_from(self.bytes.len() + MIN_BLOCK_LEN).unwrap();
            Self::new(self.big_endian).u32(kind).u32(len).raw(&self.bytes).u32(len).bytes
        }
    }

    fn pcap(big_endian: bool, magic: u32, record: &[u32; 4], data: &[u8]) -> Vec<u8> {
        let header =
            Bytes::new(big_endian).u32(magic).u16(2).u16(4).u32(0).u32(0).u32(65535).u32(1);
        let mut file = record.iter().fold(header, |file, field| file.u32(*field)).bytes;
        file.extend_from_slice(data);
        file
    }

    fn section(big_endian: bool) -> Vec<u8> {
        Bytes::new(big_endian).u32(BYTE_ORDER_MAGIC).u16(1).u16(0).i64(-1).block(SECTION_HEADER)
    }

    fn interface(big_endian: bool, link_type: u16, snaplen: u32, options: &Bytes) -> Vec<u8> {
        let body = Bytes::new(big_endian).u16(link_type).u16(0).u32(snaplen);
        body.raw(&options.bytes).block(1)
    }

    fn enhanced(big_endian: bool, interface: u32, ts: [u32; 2], data: &[u8]) -> Vec<u8> {
        let len = u32::try_from(data.len()).unwrap();
        let body = Bytes::new(big_endian).u32(interface).u32(ts[0]).u32(ts[1]).u32(len).u32(len);
        body.raw(data).block(6)
    }

    /// Two sections of different byte order, several interfaces, every kind of packet block.
    fn rich_pcapng() -> Vec<u8> {
        let mut file = Vec::new();
        for big_endian in [false, true] {
            let bytes = || Bytes::new(big_endian);
            let nanoseconds = bytes().u16(9).u16(1).raw(&[9]).u16(14).u16(8).i64(100);
            let binary = bytes().u16(9).u16(1).raw(&[0x8a]);
            file.extend(section(big_endian));
            file.extend(interface(big_endian, 1, 3, &bytes()));
            file.extend(interface(big_endian, 101, 0, &nanoseconds));
            file.extend(interface(big_endian, 276, 0, &binary));
            file.extend(enhanced(big_endian, 0, [0, 7], b"micro"));
            file.extend(bytes().raw(b"whatever this is").block(0x0bad_0bad));
            file.extend(enhanced(big_endian, 1, [1, 0], b"nano"));
            file.extend(enhanced(big_endian, 2, [0, 512], b""));
            file.extend(bytes().u32(5).raw(b"sim").block(3));
            let obsolete = bytes().u16(2).u16(9).u32(0).u32(1024).u32(2).u32(3);
            file.extend(obsolete.raw(b"ob").block(2));
        }
        file
    }

    fn of_every_kind() -> Vec<Vec<u8>> {
        let real = [MICRO, NANO, COOKED, IPV6, PCAPNG].map(<[u8]>::to_vec);
        real.into_iter().chain([rich_pcapng()]).collect()
    }

    #[test]
    fn real_captures_are_read() {
        let cases = [
            (MICRO, 1, 1_795_251_579_020_779),
            (NANO, 1, 1_795_251_583_222_536),
            (COOKED, 276, 1_795_251_587_455_629),
            (IPV6, 1, 1_795_251_591_677_581),
            (PCAPNG, 1, 1_795_251_595_906_981),
        ];
        for (file, link_type, ts) in cases {
            let (packets, end) = read([file]);
            assert_eq!(end, Ok(()));
            assert_eq!(packets.len(), 10);
            assert!(packets.iter().all(|packet| packet.1 == link_type));
            assert!(packets.iter().all(|packet| packet.2.len() == packet.3));
            assert_eq!(packets[0].0, Some(ts));
            assert!(packets.is_sorted_by_key(|packet| (packet.0, packet.4)));
        }
        assert_eq!(read([MICRO]).0[0].4, 24);
    }

    #[test]
    fn both_byte_orders_and_precisions_are_read() {
        for big_endian in [false, true] {
            let micro = pcap(big_endian, 0xa1b2_c3d4, &[3, 5, 2, 9], b"ab");
            assert_eq!(read([&micro[..]]).0, [(Some(3_000_005), 1, b"ab".to_vec(), 9, 24)]);
            let nano = pcap(big_endian, 0xa1b2_3c4d, &[3, 5999, 2, 9], b"ab");
            assert_eq!(read([&nano[..]]).0, [(Some(3_000_005), 1, b"ab".to_vec(), 9, 24)]);
        }
        let modified = pcap(false, 0xa1b2_cd34, &[3, 5, 2, 9], b"8 more..ab");
        assert_eq!(read([&modified[..]]).0, [(Some(3_000_005), 1, b"ab".to_vec(), 9, 24)]);
    }

    #[test]
    fn sections_and_interfaces_of_pcapng_are_told_apart() {
        let file = rich_pcapng();
        let (packets, end) = read([&file[..]]);
        assert_eq!(end, Ok(()));
        let packets: Vec<_> = packets.into_iter().map(|it| (it.0, it.1, it.2, it.3)).collect();
        let once = [
            (Some(7), 1, b"micro".to_vec(), 5),
            (Some(100_000_000 + (1 << 32) / 1000), 101, b"nano".to_vec(), 4),
            (Some(500_000), 276, b"".to_vec(), 0),
            (None, 1, b"sim".to_vec(), 5),
            (Some(1_000_000), 276, b"ob".to_vec(), 3),
        ];
        assert_eq!(packets, [once.clone(), once].concat());
    }

    #[test]
    fn a_time_beyond_all_eras_is_none() {
        let options = Bytes::new(false).u16(9).u16(1).raw(&[0]);
        let file = [
            section(false),
            interface(false, 1, 0, &options),
            enhanced(false, 0, [u32::MAX, u32::MAX], b"x"),
        ]
        .concat();
        assert_eq!(read([&file[..]]).0[0].0, None);
    }

    #[test]
    fn what_is_no_capture_is_said_with_its_first_bytes() {
        assert_eq!(
            read([&b"GET / HTTP"[..]]).1,
            Err(CaptureError::NotACapture { magic: 0x4745_5420 })
        );
        assert_eq!(read([]).1, Err(CaptureError::Empty));
        assert_eq!(read([&b"GE"[..]]).1, Err(CaptureError::CutShort { offset: 0, left: 2 }));
    }

    #[test]
    fn a_claim_is_judged_before_it_is_waited_for() {
        let file = pcap(false, 0xa1b2_c3d4, &[0, 0, 0x0004_0001, 0], b"");
        let (claimed, max) = (0x0004_0001, 0x0004_0000);
        assert_eq!(read([&file[..]]).1, Err(CaptureError::TooLong { offset: 24, claimed, max }));

        let block = |len: u32| [section(false), Bytes::new(false).u32(6).u32(len).u32(0).bytes];
        let (claimed, max) = (0x0100_0004, 0x0100_0000);
        let end = read([&block(0x0100_0004).concat()[..]]).1;
        assert_eq!(end, Err(CaptureError::TooLong { offset: 28, claimed, max }));
        for claimed in [0, 8, 33] {
            let end = read([&block(claimed).concat()[..]]).1;
            assert_eq!(end, Err(CaptureError::BlockLength { offset: 28, claimed }));
        }
    }

    #[test]
    fn a_packet_that_does_not_fit_its_block_is_damage() {
        let body = || Bytes::new(false).u32(0).u32(0).u32(0).u32(9).u32(9);
        let start = [section(false), interface(false, 1, 0, &Bytes::new(false))].concat();
        let offset = start.len() as u64;
        let file = [start.clone(), body().raw(b"only5").block(6)].concat();
        assert_eq!(read([&file[..]]).1, Err(CaptureError::Block { offset, kind: 6 }));

        let mut file = [start.clone(), body().raw(b"all nine.").block(6)].concat();
        *file.last_mut().unwrap() = 1;
        assert_eq!(read([&file[..]]).1, Err(CaptureError::BlockLength { offset, claimed: 44 }));

        let file = [start, enhanced(false, 7, [0, 0], b"")].concat();
        let error = CaptureError::Interface { offset, claimed: 7, known: 1 };
        assert_eq!(read([&file[..]]).1, Err(error));
    }

    #[test]
    fn an_unknown_version_is_an_error() {
        let mut file = MICRO.to_vec();
        file[4] = 3;
        let error = CaptureError::Version { offset: 0, major: 3, minor: 4 };
        assert_eq!(read([&file[..]]).1, Err(error));
    }

    #[test]
    fn what_was_whole_before_the_damage_counts_and_the_reader_is_over() {
        let mut file = MICRO.to_vec();
        file[24 + 16 + 74 + 11] = 0xff; // the second record's length
        let mut reader = CaptureReader::new();
        let mut count = 0;
        let error = reader.feed(&file, &mut |_| count += 1).unwrap_err();
        assert!(matches!(error, CaptureError::TooLong { offset: 114, .. }));
        assert_eq!(reader.feed(MICRO, &mut |_| count += 1), Err(error.clone()));
        assert_eq!(reader.finish(), Err(error));
        assert_eq!(count, 1);
    }

    #[test]
    fn a_capture_that_is_cut_short_says_where() {
        for file in of_every_kind() {
            let (all, _) = read([&file[..]]);
            for len in 1..file.len() {
                let (packets, end) = read([&file[..len]]);
                assert_eq!(packets[..], all[..packets.len()]);
                if let Err(error) = end {
                    let CaptureError::CutShort { offset, left } = error else { panic!("{error}") };
                    assert_eq!(offset + left as u64, len as u64);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn cutting_does_not_matter(cuts in prop::collection::vec(0_usize..1500, 0..20)) {
            for file in of_every_kind() {
                let mut cuts: Vec<_> = cuts.iter().map(|cut| *cut.min(&file.len())).collect();
                cuts.extend([0, file.len()]);
                cuts.sort_unstable();
                let chunks = cuts.windows(2).map(|cut| &file[cut[0]..cut[1]]);
                prop_assert_eq!(read(chunks), read([&file[..]]));
            }
        }

        #[test]
        fn garbage_never_panics(
            kind in 0_usize..6,
            at in any::<prop::sample::Index>(),
            garbage in prop::collection::vec(any::<u8>(), 1..40),
            chunk_len in 1_usize..100,
        ) {
            let mut file = of_every_kind().swap_remove(kind);
            let at = at.index(file.len());
            for (byte, garbage) in file[at..].iter_mut().zip(garbage) {
                *byte = garbage;
            }
            let _ = read(file.chunks(chunk_len));
        }

        #[test]
        fn noise_behind_a_header_never_panics(
            kind in 0_usize..6,
            noise in prop::collection::vec(any::<u8>(), 0..400),
        ) {
            let header = of_every_kind().swap_remove(kind);
            let _ = read([&header[..if kind < 4 { 24 } else { 28 }], &noise[..]]);
        }
    }
}
