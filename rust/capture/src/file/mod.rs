//! Capture files: records of packets in any supported format.

pub(crate) mod compression;
mod pcap;
mod pcapng;

use serde::{Deserialize, Serialize};

use crate::error::{CaptureError, Result};
use crate::limits::MAX_COUNTER;
use pcap::{PCAP_HEADER_LEN, PCAP_MAGICS, Pcap};
pub use pcapng::{MAX_BLOCK_LEN, MAX_INTERFACES};
use pcapng::{SECTION_HEADER, Section};

/// Captured packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packet<'a> {
    /// Time in microseconds since 1970, UTC; `None` if the format has none (simple packet blocks).
    pub ts: Option<i64>,
    /// Link type of `data`: a number of the `LINKTYPE_` registry.
    pub link_type: i32,
    /// Captured bytes.
    pub data: &'a [u8],
    /// Number of bytes of the packet on the wire.
    pub original_len: usize,
    /// Offset of the packet's record in the uncompressed capture.
    pub file_offset: u64,
}

/// Push parser of pcap and pcapng files.
///
/// Packets are slices of the fed chunk; only a record that a chunk boundary cuts is copied.
#[derive(Default, Deserialize, Serialize)]
pub struct CaptureReader {
    format: Format,
    /// Start of an incomplete record.
    #[serde(skip)]
    carry: Vec<u8>,
    /// Offset of the next record, or of the carry.
    offset: u64,
    #[serde(skip)]
    failed: Option<CaptureError>,
}

impl CaptureReader {
    /// Creates a reader at the start of a capture.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Offset of the first incomplete record.
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Whether a loaded state can have been saved.
    pub(crate) fn is_sound(&self) -> bool {
        let is_sound = match &self.format {
            Format::Untold => self.offset == 0,
            Format::Pcap(_) => self.offset > 0,
            Format::PcapNg(section) => self.offset > 0 && section.is_sound(),
        };
        is_sound && self.offset <= MAX_COUNTER
    }

    /// Feeds the next bytes of the capture, and passes complete packets to `sink`.
    ///
    /// # Errors
    /// A [`CaptureError`] as soon as a record is invalid. The error is final and is returned again: without a
    /// record's true length the next one cannot be found.
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

    /// Ends the capture.
    ///
    /// # Errors
    /// [`CaptureError::CutShort`] inside a record, [`CaptureError::Empty`] if there was none, or the error that
    /// [`feed`](Self::feed) returned.
    pub fn finish(&mut self) -> Result<()> {
        match &self.failed {
            Some(error) => Err(error.clone()),
            None if !self.carry.is_empty() => {
                // The available bytes of a record's header may already state an excessive length.
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

    /// Processes one complete record, of the length that `record_len` returned.
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
    /// Length of the record at the start of `bytes`, or the number of bytes that are needed to read it.
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

/// Maximum length of a packet: tcpdump's `MAXIMUM_SNAPLEN`.
pub const MAX_PACKET_LEN: usize = 256 * 1024;

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::pcapng::{BYTE_ORDER_MAGIC, MIN_BLOCK_LEN};
    use super::*;

    pub(crate) const MICRO: &[u8] =
        include_bytes!("../../../../tests/vectors/captures/loopback-micro.pcap");
    pub(crate) const NANO: &[u8] =
        include_bytes!("../../../../tests/vectors/captures/loopback-nano.pcap");
    pub(crate) const COOKED: &[u8] =
        include_bytes!("../../../../tests/vectors/captures/any-cooked-v2.pcap");
    pub(crate) const IPV6: &[u8] =
        include_bytes!("../../../../tests/vectors/captures/loopback-ipv6.pcap");
    pub(crate) const PCAPNG: &[u8] =
        include_bytes!("../../../../tests/vectors/captures/loopback.pcapng");

    /// `Packet` with owned bytes: ts, link type, data, original length, offset.
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

    /// Writer of numbers in one byte order.
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

    /// Creates two sections of different byte order, several interfaces, every kind of packet block.
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
    fn pcapng_sections_and_interfaces_are_distinguished() {
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
    fn time_out_of_range_is_null() {
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
    fn unknown_file_is_refused_with_its_first_bytes() {
        assert_eq!(
            read([&b"GET / HTTP"[..]]).1,
            Err(CaptureError::NotACapture { magic: 0x4745_5420 })
        );
        assert_eq!(read([]).1, Err(CaptureError::Empty));
        assert_eq!(read([&b"GE"[..]]).1, Err(CaptureError::CutShort { offset: 0, left: 2 }));
    }

    #[test]
    fn claimed_length_is_checked_before_bytes_arrive() {
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
    fn packet_that_does_not_fit_its_block_is_damage() {
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
    fn unknown_version_is_an_error() {
        let mut file = MICRO.to_vec();
        file[4] = 3;
        let error = CaptureError::Version { offset: 0, major: 3, minor: 4 };
        assert_eq!(read([&file[..]]).1, Err(error));
    }

    #[test]
    fn messages_before_damage_count_and_the_reader_ends() {
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
    fn truncated_capture_names_the_offset() {
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
