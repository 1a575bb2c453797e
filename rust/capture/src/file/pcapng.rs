//! pcapng: blocks of `type: u32, length: u32, body, length: u32`. Either byte order.

use pcap_parser::{Block, InterfaceDescriptionBlock, OptionCode, parse_block_be, parse_block_le};
use serde::{Deserialize, Serialize};

use super::{Packet, packet_len, u32_at};
use crate::error::{CaptureError, Result};

/// Current section of a pcapng file, which has a byte order and interfaces.
#[derive(Default, Deserialize, Serialize)]
pub(super) struct Section {
    big_endian: bool,
    interfaces: Vec<Interface>,
}

impl Section {
    pub(super) fn is_sound(&self) -> bool {
        self.interfaces.len() <= MAX_INTERFACES && self.interfaces.iter().all(Interface::is_sound)
    }

    pub(super) fn block_len(&self, bytes: &[u8], offset: u64) -> Result<usize> {
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

    /// Byte order of the block; `None` if more bytes are needed. A section header defines its byte order.
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

    pub(super) fn block(
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
        // The block is complete, so that missing bytes are missing inside it.
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

    /// Decodes `interface: u16, drops: u16, ts: u64 (high, low), kept: u32, original: u32`, then the packet.
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
    /// Maximum number of captured bytes per packet; 0 means no limit.
    snaplen: u32,
    unit: Unit,
    /// Offset that is added to every timestamp.
    offset_micros: i128,
}

/// Unit of a timestamp, relative to microseconds.
#[derive(Deserialize, Eq, PartialEq, Serialize)]
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

    fn is_sound(&self) -> bool {
        let is_unit = (0..=u8::MAX).any(|resolution| self.unit == Unit::decode(resolution));
        let seconds = i64::try_from(self.offset_micros / 1_000_000);
        is_unit && seconds.is_ok_and(|it| i128::from(it) * 1_000_000 == self.offset_micros)
    }

    /// Converts a timestamp; `None` if it is out of range.
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

/// Maximum length of a pcapng block: Wireshark's `MAX_BLOCK_SIZE`.
pub const MAX_BLOCK_LEN: usize = 16 * 1024 * 1024;

/// Maximum number of interfaces of a section: obsolete packet blocks number them with 16 bits.
pub const MAX_INTERFACES: usize = 1 << 16;

/// Size of the type and of both lengths.
pub(super) const MIN_BLOCK_LEN: usize = 12;

const PCAPNG_MAJOR_VERSION: u16 = 1;

/// Type of a section header block, the same in both byte orders.
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
pub(super) const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
const OBSOLETE_PACKET: u32 = 2;

/// Default of `if_tsresol`: microseconds.
const DEFAULT_RESOLUTION: u8 = 6;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forged_interfaces_are_refused() {
        let saved = || Interface {
            link_type: 1,
            snaplen: 0,
            unit: Unit::decode(9),
            offset_micros: 7_000_000,
        };
        assert!(saved().is_sound());
        let forged: [fn(&mut Interface); 5] = [
            |it| it.unit = Unit::PerMicro(0),
            |it| it.unit = Unit::Micros(u64::MAX),
            |it| it.unit = Unit::BinaryFraction(128),
            |it| it.offset_micros = 7,
            |it| it.offset_micros = i128::MAX,
        ];
        for forge in forged {
            let mut interface = saved();
            forge(&mut interface);
            let section = Section { big_endian: false, interfaces: vec![interface] };
            assert!(!section.is_sound());
        }
    }
}
