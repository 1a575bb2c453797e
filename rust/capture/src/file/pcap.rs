//! pcap: a 24-byte header, then records of 16 bytes and a packet. Either byte order.

use pcap_parser::nom::IResult;
use pcap_parser::{
    LegacyPcapBlock, PcapError, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_frame_modified,
    parse_pcap_header,
};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Packet, packet_len, u32_at};
use crate::error::{CaptureError, Result};

type ParseFrame =
    for<'a> fn(&'a [u8]) -> IResult<&'a [u8], LegacyPcapBlock<'a>, PcapError<&'a [u8]>>;

/// Content of a pcap file's header.
pub(super) struct Pcap {
    header: [u8; PCAP_HEADER_LEN],
    parse: ParseFrame,
    record_header_len: usize,
    big_endian: bool,
    nanoseconds: bool,
    link_type: i32,
}

impl Pcap {
    pub(super) fn decode(bytes: &[u8]) -> Result<Self> {
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
            // The upper bits state the length of the frames' check sequences.
            link_type: header.network.0 & 0xffff,
        })
    }

    pub(super) fn record_len(&self, bytes: &[u8], offset: u64) -> Result<usize> {
        let Some(claimed) = u32_at(bytes, 8, self.big_endian) else {
            return Ok(self.record_header_len);
        };
        Ok(self.record_header_len + packet_len(claimed, offset)?)
    }

    pub(super) fn packet<'a>(&self, record: &'a [u8], offset: u64) -> Result<Packet<'a>> {
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

pub(super) const PCAP_HEADER_LEN: usize = 24;
const PCAP_MAJOR_VERSION: u16 = 2;

/// Magic numbers of pcap files, read in big-endian order: micro- and nanoseconds in either order, and the
/// "modified" format of old Linux distributions, with 24-byte record headers, in its original order.
pub(super) const PCAP_MAGICS: [u32; 5] =
    [0xa1b2_c3d4, 0xd4c3_b2a1, 0xa1b2_3c4d, 0x4d3c_b2a1, 0x34cd_b2a1];
