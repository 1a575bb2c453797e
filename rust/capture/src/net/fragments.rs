//! Reassembly of IP fragments.

use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use crate::limits::MAX_COUNTER;
use crate::net::packet::{Fragment, FragmentedPacket, PacketContent};
use crate::net::skipped::{SkipReason, SkippedPackets};
use crate::net::tcp::{Direction, Event};
use crate::net::tunnel;

/// Fragments of incomplete packets.
///
/// Fragments can arrive in any order and more than once; of overlapping bytes the first are used. The oldest
/// packets are evicted at a limit, and after a time.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Fragments {
    #[serde(skip, default = "most_held")]
    limit: usize,
    packets: HashMap<FragmentedPacket, PartialPacket>,
    /// Packets in the order of their first fragments.
    #[serde(skip)]
    oldest: BTreeMap<u64, FragmentedPacket>,
    begun: u64,
    #[serde(skip)]
    held: usize,
    /// Count of fragments of packets that never became complete.
    lost: SkippedPackets,
    /// Count of such fragments of packets without TCP.
    without_tcp: SkippedPackets,
}

/// A packet whose fragments are complete.
#[derive(Debug)]
pub(crate) struct ReassembledPacket {
    packet: FragmentedPacket,
    payload: Payload,
}

#[derive(Debug, Deserialize, Serialize)]
struct PartialPacket {
    number: u64,
    begun: Option<i64>,
    order: Direction,
    payload: Payload,
    /// Count of the received fragments, to be added to the lost ones if the packet stays incomplete.
    came: SkippedPackets,
    is_whole: bool,
    /// Whether a packet with the same identification was complete: the fragments may be captured twice.
    is_again: bool,
    /// Whether the packet can contain TCP: for UDP, the first fragment must have the port of a tunnel.
    may_be_tcp: bool,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Payload {
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    /// Number of further bytes on the wire: after the first byte that was not captured, the rest is unknown.
    missing: u64,
}

impl Default for Fragments {
    fn default() -> Self {
        Self::with_limit(MAX_HELD_FRAGMENTS)
    }
}

impl Fragments {
    pub(crate) fn with_limit(limit: usize) -> Self {
        Self {
            limit,
            packets: HashMap::new(),
            oldest: BTreeMap::new(),
            begun: 0,
            held: 0,
            lost: SkippedPackets::default(),
            without_tcp: SkippedPackets::default(),
        }
    }

    /// Restores derived state after a load; returns whether the saved state is consistent.
    pub(crate) fn restore(&mut self) -> bool {
        for (packet, parts) in &mut self.packets {
            if !(1..=self.begun).contains(&parts.number) || !parts.restore() {
                return false;
            }
            self.oldest.insert(parts.number, *packet);
            self.held += parts.held() + PACKET_OVERHEAD;
        }
        self.oldest.len() == self.packets.len()
            && self.begun <= MAX_COUNTER
            && self.lost.is_low()
            && self.without_tcp.is_low()
            && self.held <= self.limit
    }

    /// Adds a fragment; returns the packet's content if it is complete.
    pub(crate) fn push(
        &mut self,
        fragment: &Fragment<'_>,
        ts: Option<i64>,
    ) -> Option<ReassembledPacket> {
        let packet = fragment.whole;
        let known = self.packets.get(&packet);
        let is_again = known.is_some_and(|parts| parts.is_whole);
        if is_again || known.is_some_and(|parts| parts.is_older_than(ts)) {
            self.forget(packet);
        }
        let parts = self.packets.entry(packet).or_insert_with(|| {
            self.begun += 1;
            self.oldest.insert(self.begun, packet);
            self.held += PACKET_OVERHEAD;
            PartialPacket {
                may_be_tcp: packet.protocol != tunnel::UDP,
                ..PartialPacket::new(self.begun, ts, is_again)
            }
        });
        let held = parts.held();
        let whole = parts.push(fragment).map(|payload| ReassembledPacket { packet, payload });
        self.held = self.held + parts.held() - held;
        while self.held > self.limit
            && let Some((_, &oldest)) = self.oldest.first_key_value()
        {
            self.forget(oldest);
        }
        whole
    }

    /// Ends the capture: incomplete packets are lost.
    pub(crate) fn finish(&mut self) {
        while let Some((_, &oldest)) = self.oldest.first_key_value() {
            self.forget(oldest);
        }
    }

    /// Count of lost packets.
    pub(crate) fn lost(&self) -> SkippedPackets {
        self.lost
    }

    /// Count of lost packets without TCP.
    pub(crate) fn lost_without_tcp(&self) -> SkippedPackets {
        self.without_tcp
    }

    fn forget(&mut self, packet: FragmentedPacket) {
        let Some(parts) = self.packets.remove(&packet) else { return };
        self.oldest.remove(&parts.number);
        self.held -= parts.held() + PACKET_OVERHEAD;
        if !parts.is_whole && !parts.is_again {
            let lost = if parts.may_be_tcp { &mut self.lost } else { &mut self.without_tcp };
            lost.add(parts.came);
        }
    }
}

impl ReassembledPacket {
    /// Decodes the packet.
    pub(crate) fn decode(&self) -> Result<PacketContent<'_>, SkipReason> {
        let Payload { bytes, missing } = &self.payload;
        let missing = usize::try_from(*missing).unwrap_or(usize::MAX);
        PacketContent::decode_whole(&self.packet, bytes, missing)
    }
}

impl PartialPacket {
    fn new(number: u64, begun: Option<i64>, is_again: bool) -> Self {
        let mut order = Direction::new();
        order.start(0);
        Self {
            number,
            begun,
            order,
            payload: Payload::default(),
            came: SkippedPackets::default(),
            is_whole: false,
            is_again,
            may_be_tcp: true,
        }
    }

    fn restore(&mut self) -> bool {
        let Payload { bytes, missing } = &self.payload;
        let is_low = bytes.len() as u64 + missing.min(&MAX_COUNTER) <= MAX_PACKET_LEN.into();
        self.order.restore() && is_low && self.came.is_low()
    }

    fn push(&mut self, fragment: &Fragment<'_>) -> Option<Payload> {
        let at = u32::from(fragment.offset);
        let len = fragment.bytes.len() + fragment.missing;
        self.may_be_tcp |= at == 0 && tunnel::is_tunnel_port(fragment.bytes);
        self.came.count(len as u64);
        // A packet that exceeds the limit of IP is not reassembled: its fragments are lost.
        let end = at.checked_add(u32::try_from(len).ok()?).filter(|end| *end <= MAX_PACKET_LEN)?;
        if !fragment.more {
            self.order.fin(end);
        }
        let payload = &mut self.payload;
        self.order.segment(at, fragment.bytes, fragment.missing, None, &mut |event| match event {
            Event::Data { bytes, .. } if payload.missing == 0 => {
                payload.bytes.extend_from_slice(bytes);
            }
            Event::Data { bytes, .. } => payload.missing += bytes.len() as u64,
            Event::Lost { bytes, .. } => payload.missing += bytes,
        });
        self.is_whole = self.order.is_finished();
        self.is_whole.then(|| {
            self.order = Direction::new();
            std::mem::take(&mut self.payload)
        })
    }

    fn is_older_than(&self, now: Option<i64>) -> bool {
        self.begun.zip(now).is_some_and(|(begun, now)| now.saturating_sub(begun) > PATIENCE_US)
    }

    fn held(&self) -> usize {
        self.payload.bytes.len() + self.order.held() + self.order.remembered()
    }
}

/// Maximum memory for fragments of incomplete packets, and for the identifications of complete ones.
pub(crate) const MAX_HELD_FRAGMENTS: usize = 16 * 1024 * 1024;

fn most_held() -> usize {
    MAX_HELD_FRAGMENTS
}

/// Memory of a packet in addition to its bytes.
const PACKET_OVERHEAD: usize = 512;

/// Maximum length of a packet: the offset fields of IPv4 and of IPv6's fragment header cannot exceed it.
const MAX_PACKET_LEN: u32 = (1 << 16) - 1;

/// Time after which Linux drops an incomplete packet (`ipfrag_time`); senders may then reuse its
/// identification.
const PATIENCE_US: i64 = 30_000_000;

#[cfg(test)]
mod tests {
    use etherparse::PacketBuilder;
    use proptest::prelude::*;

    use super::*;
    use crate::net::packet::Segment;

    const NAME: FragmentedPacket = FragmentedPacket {
        source: std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 1)),
        destination: std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 0, 2)),
        identification: 7,
        protocol: 6,
        network: 0,
        depth: 0,
    };

    /// Creates the payload of an IP packet: a segment with `len` bytes.
    fn carried(len: usize) -> Vec<u8> {
        let payload: Vec<u8> = (0..len).map(|n| n.to_le_bytes()[0]).collect();
        let mut packet = Vec::new();
        PacketBuilder::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 64)
            .tcp(1000, 2000, 3, 4)
            .write_to_vec(&mut packet, &payload)
            .unwrap();
        packet.split_off(20)
    }

    fn segment(whole: &ReassembledPacket) -> Segment<'_> {
        let Ok(PacketContent::Segment(segment)) = whole.decode() else { panic!("{whole:?}") };
        segment
    }

    fn part(carried: &[u8], from: usize, to: usize) -> Fragment<'_> {
        Fragment {
            whole: NAME,
            offset: u16::try_from(from).unwrap(),
            more: to < carried.len(),
            bytes: &carried[from..to],
            missing: 0,
        }
    }

    fn again(fragment: Fragment<'_>, identification: u32) -> Fragment<'_> {
        Fragment { whole: FragmentedPacket { identification, ..NAME }, ..fragment }
    }

    fn lost_of(mut fragments: Fragments) -> u64 {
        fragments.finish();
        assert_eq!((fragments.held, fragments.packets.len()), (0, 0));
        fragments.lost().packets
    }

    proptest! {
        #[test]
        fn in_any_order_and_with_repetitions_they_are_the_segment(
            order in Just([0, 1, 2, 3, 4, 0, 2, 4].to_vec()).prop_shuffle(),
            size in 8..50_usize,
        ) {
            let carried = carried(size * 5 - 20);
            let ends: Vec<_> = (0..=5).map(|n| if n == 5 { carried.len() } else { n * size }).collect();
            let mut fragments = Fragments::default();
            let whole: Vec<_> = order
                .into_iter()
                .filter_map(|n| fragments.push(&part(&carried, ends[n], ends[n + 1]), None))
                .collect();
            prop_assert_eq!(whole.len(), 1);
            let segment = segment(&whole[0]);
            prop_assert_eq!(segment.source.to_string(), "10.0.0.1:1000");
            prop_assert_eq!(segment.payload, &carried[20..]);
            prop_assert_eq!(segment.missing, 0);
            prop_assert_eq!(lost_of(fragments), 0);
        }

        #[test]
        fn garbage_never_panics_and_memory_is_bounded(
            parts in prop::collection::vec((0..9_u32, any::<u16>(), any::<bool>(), 0..2000_usize, 0..3_usize), 1..200),
        ) {
            let bytes = [7; 2000];
            let mut fragments = Fragments::with_limit(5000);
            for (identification, offset, more, len, missing) in parts {
                let whole = FragmentedPacket { identification, ..NAME };
                let fragment = Fragment { whole, offset, more, bytes: &bytes[..len], missing };
                if let Some(whole) = fragments.push(&fragment, None) {
                    let _ = whole.decode();
                }
                prop_assert!(fragments.held <= 5000);
                prop_assert_eq!(fragments.packets.len(), fragments.oldest.len());
                let saved = postcard::to_stdvec(&fragments).unwrap();
                let mut loaded: Fragments = postcard::from_bytes(&saved).unwrap();
                prop_assert!(loaded.restore());
                prop_assert_eq!(&loaded.oldest, &fragments.oldest);
                prop_assert_eq!(loaded.held, fragments.held);
            }
            lost_of(fragments);
        }
    }

    #[test]
    fn first_of_two_contents_wins() {
        let carried = carried(60);
        let mut fragments = Fragments::default();
        assert!(fragments.push(&part(&carried, 40, 80), None).is_none());
        let other = vec![0xff; 80];
        assert!(fragments.push(&part(&other, 40, 80), None).is_none());
        let whole = fragments.push(&part(&carried, 0, 48), None).unwrap();
        assert_eq!(segment(&whole).payload, &carried[20..]);
    }

    #[test]
    fn fragment_cut_by_the_snaplen_loses_all_later_bytes() {
        let carried = carried(60);
        let mut fragments = Fragments::default();
        let first = part(&carried, 0, 40);
        let first = Fragment { bytes: &first.bytes[..32], missing: 8, ..first };
        assert!(fragments.push(&first, None).is_none());
        let whole = fragments.push(&part(&carried, 40, 80), None).unwrap();
        let segment = segment(&whole);
        assert_eq!((segment.payload, segment.missing), (&carried[20..32], 48));
    }

    #[test]
    fn packet_that_is_never_whole_is_counted() {
        let carried = carried(60);
        let mut fragments = Fragments::default();
        assert!(fragments.push(&part(&carried, 0, 40), None).is_none());
        assert!(fragments.push(&again(part(&carried, 40, 80), 8), None).is_none());
        fragments.finish();
        assert_eq!(fragments.lost(), SkippedPackets { packets: 2, bytes: 80 });
    }

    #[test]
    fn oldest_give_way() {
        let carried = carried(60);
        let mut fragments = Fragments::with_limit(4 * (PACKET_OVERHEAD + 100));
        for identification in 0..10 {
            fragments.push(&again(part(&carried, 0, 40), identification), None);
        }
        assert!(fragments.push(&again(part(&carried, 40, 80), 0), None).is_none());
        assert!(fragments.push(&again(part(&carried, 40, 80), 9), None).is_some());
        assert_eq!(lost_of(fragments), 9 + 1);
    }

    #[test]
    fn fragments_that_are_too_old_are_of_another_packet() {
        let carried = carried(60);
        let mut fragments = Fragments::default();
        fragments.push(&part(&[0; 80], 0, 40), Some(0));
        assert!(fragments.push(&part(&carried, 40, 80), Some(PATIENCE_US + 1)).is_none());
        let whole = fragments.push(&part(&carried, 0, 40), Some(PATIENCE_US + 2)).unwrap();
        assert_eq!(segment(&whole).payload, &carried[20..]);
        assert_eq!(lost_of(fragments), 1);
    }

    #[test]
    fn load_rejects_inconsistent_state() {
        let saved = || {
            let mut fragments = Fragments::default();
            fragments.push(&part(&carried(60), 40, 80), None);
            fragments
        };
        let loaded = |fragments: &Fragments| {
            let saved = postcard::to_stdvec(fragments).unwrap();
            postcard::from_bytes::<Fragments>(&saved).unwrap().restore()
        };
        assert!(loaded(&saved()));
        let forged: [fn(&mut Fragments); 6] = [
            |it| it.begun = u64::MAX,
            |it| it.begun = 0,
            |it| it.lost.bytes = u64::MAX,
            |it| it.packets.values_mut().for_each(|parts| parts.number = 0),
            |it| it.packets.values_mut().for_each(|parts| parts.came.packets = u64::MAX),
            |it| it.packets.values_mut().for_each(|parts| parts.payload.missing = u64::MAX),
        ];
        for forge in forged {
            let mut fragments = saved();
            forge(&mut fragments);
            assert!(!loaded(&fragments));
        }
    }
}
