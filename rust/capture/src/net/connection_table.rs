//! Table of TCP connections, identified by addresses and ports and numbered in order of appearance.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::file::Packet;
use crate::limits::MAX_MEMORY;
use crate::net::connection::{Connection, Ending, MAX_WAITING_US, Relation, StreamSink};
use crate::net::fragments::{Fragments, MAX_HELD_FRAGMENTS};
use crate::net::lru_table::{AddressPair, EntryState, LruTable};
use crate::net::packet::{PacketContent, Segment};
use crate::net::skipped::{SkipReason, SkippedPackets};

/// Limits of the memory of [`Connections`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of bytes that are held, for a gap to be filled or in the sink, over all streams.
    pub held: usize,
    /// Maximum number of bytes that are kept for comparison with retransmissions, over all streams.
    pub remembered: usize,
    /// Maximum number of connections, including ended ones that may still receive late packets.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { held: MAX_HELD, remembered: MAX_REMEMBERED, connections: MAX_CONNECTIONS }
    }
}

/// Reassembler of packets into streams.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Connections {
    #[serde(skip)]
    limits: Limits,
    /// Connections. Ended ones are kept so that late packets are recognised, and are evicted first.
    streams: LruTable<Connection>,
    next_stream: u32,
    /// Numbers in `streams` of the connections with held segments, by the time at which one of them may have
    /// been held too long, and the connection's number.
    #[serde(skip)]
    schedule: BTreeMap<(i64, u32), u32>,
    #[serde(skip)]
    held: usize,
    #[serde(skip)]
    remembered: usize,
    fragments: Fragments,
    skipped: [SkippedPackets; SkipReason::ALL.len()],
}

impl Connections {
    /// Creates an empty table with default limits.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates an empty table.
    #[must_use]
    pub fn with_limits(limits: Limits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Restores derived state after a load; `None` if the saved state is inconsistent.
    pub(crate) fn restore(mut self) -> Option<Self> {
        for (pair, standing, stream) in self.streams.all_mut() {
            // Numbers begin again after the last one.
            let is_older = self.next_stream.wrapping_sub(stream.number).cast_signed() > 0;
            let is_sound = stream.restore()
                && is_older
                && stream.has_ended == (standing == EntryState::Ended)
                && *pair
                    == AddressPair::new(
                        stream.endpoints.client,
                        stream.endpoints.server,
                        stream.network,
                    );
            if !is_sound {
                return None;
            }
            self.held += stream.held();
            self.remembered += stream.remembered();
        }
        let waiting = self
            .streams
            .list(EntryState::Open)
            .filter_map(|(number, stream)| Some(((stream.waits_since()?, stream.number), number)));
        self.schedule = waiting.collect();
        let is_sound = self.fragments.restore() && self.skipped.iter().all(SkippedPackets::is_low);
        is_sound.then_some(self)
    }

    /// Iterates over the numbers of the streams that were reported to the sink and have not ended.
    pub(crate) fn open_streams(&self) -> impl Iterator<Item = u32> {
        let open = self.streams.list(EntryState::Open).filter(|(_, stream)| stream.is_open);
        open.map(|(_, stream)| stream.number)
    }

    /// Processes the next packet of the capture.
    pub fn packet(&mut self, packet: &Packet<'_>, sink: &mut impl StreamSink) {
        if let Err(reason) = self.carried(PacketContent::decode(packet), packet.ts, sink) {
            self.skip(reason, packet.original_len as u64);
        }
    }

    fn skip(&mut self, reason: SkipReason, bytes: u64) {
        self.skipped[reason as usize].count(bytes);
    }

    /// Processes the content of a packet: fragments can be nested as deep as tunnels.
    fn carried(
        &mut self,
        carried: Result<PacketContent<'_>, SkipReason>,
        ts: Option<i64>,
        sink: &mut impl StreamSink,
    ) -> Result<(), SkipReason> {
        // By reference, since moving a large segment is expensive.
        match &carried {
            Ok(PacketContent::Segment(segment)) => self.segment(segment, ts, sink),
            Ok(PacketContent::Fragment(fragment)) => {
                if let Some(whole) = self.fragments.push(fragment, ts) {
                    return self.carried(whole.decode(), ts, sink);
                }
            }
            Err(reason) => return Err(*reason),
        }
        Ok(())
    }

    /// Processes the next segment of the capture.
    pub fn segment<S: StreamSink>(&mut self, segment: &Segment<'_>, ts: Option<i64>, sink: &mut S) {
        if let (Some(now), Some((&(since, _), _))) = (ts, self.schedule.first_key_value())
            && now.saturating_sub(since) > MAX_WAITING_US
        {
            self.take_overdue(now, sink);
        }
        let Segment { source, destination, network, .. } = segment;
        let number = match self.streams.number(source, destination, *network) {
            Some(number) => match self.streams.get(number).map(|it| it.relation(segment)) {
                Some(Relation::Same) => number,
                Some(Relation::Challenge) => {
                    if let Some(stream) = self.streams.get_mut(number) {
                        stream.challenge(segment, ts);
                    }
                    return;
                }
                Some(Relation::Proof) => return self.proof(number, segment, ts, sink),
                Some(Relation::New) | None => {
                    self.end(number, Ending::Replaced, sink);
                    self.open(segment, ts, sink)
                }
            },
            None => self.open(segment, ts, sink),
        };
        let Some(stream) = self.streams.get_mut(number) else { return };
        if stream.has_ended {
            if let Some(bytes) = stream.bytes_after_end(segment) {
                self.skip(SkipReason::AfterEnd, bytes);
            }
            return;
        }
        let (held, remembered) = (stream.held(), stream.remembered());
        let waited = stream.waits_since();
        let ending = stream.segment(segment, ts, sink);
        self.held = self.held + stream.held() - held;
        self.remembered = self.remembered + stream.remembered() - remembered;
        if waited.is_none()
            && let Some(since) = stream.waits_since()
        {
            self.schedule.insert((since, stream.number), number);
        }
        if let Some(ending) = ending {
            self.end_open(number, ending, sink);
        } else {
            self.streams.put_last(number, EntryState::Open);
        }
        let held = self.held + sink.held();
        // There nearly always is room whatever the sink keeps, and to count that takes longer.
        if held + S::MAX_KEPT > self.limits.held && held > self.held_limit(sink) {
            self.free_held(sink);
        }
        if self.remembered > self.limits.remembered {
            self.streams.values_mut().for_each(Connection::forget);
            self.remembered = 0;
        }
    }

    /// Opens the connection that a segment proves, and processes the segment. It is a separate function: with a
    /// loop in [`segment`](Self::segment), the compiler would prepare, for each segment, values that only IPv6
    /// addresses need.
    #[cold]
    #[inline(never)]
    fn proof(
        &mut self,
        number: u32,
        segment: &Segment<'_>,
        ts: Option<i64>,
        sink: &mut impl StreamSink,
    ) {
        self.replace_by_challenger(number, sink);
        self.segment(segment, ts, sink);
    }

    /// Processes the segments that have been held too long.
    #[cold]
    #[inline(never)]
    fn take_overdue(&mut self, now: i64, sink: &mut impl StreamSink) {
        while let Some(first) = self.schedule.first_entry()
            && now.saturating_sub(first.key().0) > MAX_WAITING_US
        {
            let ((_, stream_number), number) = first.remove_entry();
            let Some(stream) = self.streams.get_mut(number) else { continue };
            // The held segments may have been processed, and another stream may have this number.
            if stream.number != stream_number || stream.has_ended {
                continue;
            }
            let (held, remembered) = (stream.held(), stream.remembered());
            let ending = stream.take_overdue(now, sink);
            self.held = self.held + stream.held() - held;
            self.remembered = self.remembered + stream.remembered() - remembered;
            if let Some(ending) = ending {
                self.end_open(number, ending, sink);
            } else if let Some(since) = stream.waits_since() {
                self.schedule.insert((since, stream_number), number);
            }
        }
    }

    /// Ends a stream but keeps its connection for late packets.
    fn end_open(&mut self, number: u32, ending: Ending, sink: &mut impl StreamSink) {
        let Some(stream) = self.streams.get_mut(number) else { return };
        self.held -= stream.held();
        self.remembered -= stream.remembered();
        stream.end(ending, sink);
        let (refused, early) = stream.left_out();
        self.leave_out(refused, early);
        self.streams.put_last(number, EntryState::Ended);
    }

    /// Ends a stream whose ports a new connection uses, and opens that connection.
    fn replace_by_challenger(&mut self, number: u32, sink: &mut impl StreamSink) {
        let challenger = self.streams.get_mut(number).and_then(Connection::take_challenger);
        self.end(number, Ending::Replaced, sink);
        if let Some(challenger) = challenger {
            self.segment(&challenger.segment(), challenger.ts, sink);
        }
    }

    fn leave_out(&mut self, refused: SkippedPackets, early: SkippedPackets) {
        self.skipped[SkipReason::Refused as usize].add(refused);
        self.skipped[SkipReason::Early as usize].add(early);
    }

    /// Ends the capture: open streams end, in the order of their numbers.
    pub fn finish(&mut self, sink: &mut impl StreamSink) {
        let challenged: Vec<_> = self
            .streams
            .list(EntryState::Open)
            .filter_map(|(number, stream)| {
                stream.is_challenged().then_some((stream.number, number))
            })
            .collect::<BTreeMap<_, _>>()
            .into_values()
            .collect();
        for number in challenged {
            self.replace_by_challenger(number, sink);
        }
        let mut open = self.streams.drain();
        open.retain(|stream| !stream.has_ended);
        open.sort_unstable_by_key(|stream| stream.number);
        for mut stream in open {
            let ending = stream.take_waiting(sink).unwrap_or(Ending::EndOfCapture);
            stream.end(ending, sink);
            let (refused, early) = stream.left_out();
            self.leave_out(refused, early);
        }
        (self.held, self.remembered) = (0, 0);
        self.schedule.clear();
        self.fragments.finish();
    }

    /// Count of the packets that were skipped for this reason.
    #[must_use]
    pub fn skipped(&self, reason: SkipReason) -> SkippedPackets {
        let mut skipped = self.skipped[reason as usize];
        match reason {
            SkipReason::Fragment => skipped.add(self.fragments.lost()),
            SkipReason::NotTcp => skipped.add(self.fragments.lost_without_tcp()),
            _ => {}
        }
        skipped
    }

    /// Count of the packets without TCP, if no connection was captured.
    #[must_use]
    pub fn skipped_without_tcp(&self) -> SkippedPackets {
        let mut skipped = SkippedPackets::default();
        if self.next_stream == 0 {
            skipped.add(self.skipped(SkipReason::NotIp));
            skipped.add(self.skipped(SkipReason::NotTcp));
        }
        skipped
    }

    /// Memory of the bytes that are held until a gap is filled, over all streams.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held
    }

    /// Evicts a connection if the table is full, and adds a new one.
    fn open(&mut self, segment: &Segment<'_>, ts: Option<i64>, sink: &mut impl StreamSink) -> u32 {
        while self.streams.len() >= self.limits.connections.max(1) {
            let first = |standing| self.streams.first(standing);
            let Some(longest) = first(EntryState::Ended).or_else(|| first(EntryState::Open)) else {
                break;
            };
            self.end(longest, Ending::Evicted, sink);
        }
        let stream = Connection::opened_by(segment, self.next_stream, ts);
        self.next_stream = self.next_stream.wrapping_add(1);
        let pair = AddressPair::new(segment.source, segment.destination, segment.network);
        self.streams.insert(pair, EntryState::Open, stream)
    }

    /// Maximum number of bytes that streams may hold.
    fn held_limit(&self, sink: &impl StreamSink) -> usize {
        self.limits.held.saturating_sub(sink.kept())
    }

    /// Removes a connection, and ends its stream if it is open.
    fn end(&mut self, number: u32, ending: Ending, sink: &mut impl StreamSink) {
        let Some(mut stream) = self.streams.remove(number) else { return };
        if !stream.has_ended {
            self.held -= stream.held();
            self.remembered -= stream.remembered();
            let ending = stream.take_waiting(sink).unwrap_or(ending);
            stream.end(ending, sink);
            let (refused, early) = stream.left_out();
            self.leave_out(refused, early);
        }
    }

    /// Ends the streams that have been idle the longest, among those that hold at least the mean number of
    /// bytes, until there is room for some time: this takes few passes for many packets, and never ends a
    /// stream that holds almost nothing.
    fn free_held(&mut self, sink: &mut impl StreamSink) {
        let limit = self.held_limit(sink);
        let goal = limit - limit / 8;
        loop {
            let total = self.held + sink.held();
            let mut excess = total.saturating_sub(goal);
            let open = self.streams.list(EntryState::Open).count().max(1);
            let mean = (total / open).max(1);
            let mut evicted = Vec::new();
            for (number, stream) in self.streams.list(EntryState::Open) {
                if excess == 0 {
                    break;
                }
                let held = stream.held() + sink.held_of(stream.number);
                if held >= mean {
                    excess = excess.saturating_sub(held);
                    evicted.push(number);
                }
            }
            if evicted.is_empty() {
                return;
            }
            for number in evicted {
                self.end(number, Ending::Evicted, sink);
            }
        }
    }
}

/// Maximum memory for held bytes: of gaps, and of incomplete messages.
pub const MAX_HELD: usize = MAX_MEMORY - MAX_REMEMBERED - MAX_HELD_FRAGMENTS;

/// Maximum memory for bytes that are kept for comparison with retransmissions.
pub const MAX_REMEMBERED: usize = 32 * 1024 * 1024;

/// Maximum number of connections in the table, of about a kilobyte each.
pub const MAX_CONNECTIONS: usize = 100_000;

#[cfg(test)]
pub(crate) mod tests {
    use std::collections::BTreeMap;
    use std::net::SocketAddr;

    use jvmwire_codec::message::Side;
    use proptest::prelude::*;

    use super::*;
    use crate::file::CaptureReader;
    use crate::file::tests::{COOKED, IPV6, MICRO, NANO, PCAPNG};
    use crate::net::connection::{Endpoints, SideSummary, StreamSummary};
    use crate::net::packet::Flags;

    /// Events of a sink, by stream.
    #[derive(Debug, Default, PartialEq)]
    pub(crate) struct Recorder(pub(crate) Vec<RecordedStream>);

    #[derive(Debug, PartialEq)]
    pub(crate) struct RecordedStream {
        pub(crate) endpoints: Endpoints,
        pub(crate) seen_from_start: bool,
        /// Bytes of each side; a lost byte is a question mark.
        pub(crate) client: Vec<u8>,
        pub(crate) server: Vec<u8>,
        pub(crate) summary: Option<StreamSummary>,
    }

    impl Recorder {
        fn written(&mut self, stream: u32, side: Side) -> &mut Vec<u8> {
            let stream = &mut self.0[stream as usize];
            assert_eq!(stream.summary, None, "nothing comes after the end");
            match side {
                Side::Client => &mut stream.client,
                Side::Server => &mut stream.server,
            }
        }

        pub(crate) fn endings(&self) -> Vec<Option<Ending>> {
            self.0.iter().map(|stream| stream.summary.map(|summary| summary.ending)).collect()
        }
    }

    impl StreamSink for Recorder {
        fn opened(
            &mut self,
            stream: u32,
            endpoints: &Endpoints,
            _: Option<i64>,
            seen_from_start: bool,
        ) {
            let opened = || RecordedStream {
                endpoints: *endpoints,
                seen_from_start,
                client: Vec::new(),
                server: Vec::new(),
                summary: None,
            };
            // One that began before it may wait for its SYN.
            let len = self.0.len().max(stream as usize + 1);
            self.0.resize_with(len, opened);
            self.0[stream as usize] = opened();
        }

        fn data(&mut self, stream: u32, side: Side, bytes: &[u8], _: Option<i64>) {
            assert!(!bytes.is_empty());
            self.written(stream, side).extend_from_slice(bytes);
        }

        fn lost(&mut self, stream: u32, side: Side, bytes: u64, _: Option<i64>) {
            assert!(bytes > 0);
            self.written(stream, side).extend((0..bytes.min(1000)).map(|_| b'?'));
        }

        fn ended(&mut self, stream: u32, summary: StreamSummary) {
            let stream = &mut self.0[stream as usize];
            assert_eq!(stream.summary.replace(summary), None);
            assert_eq!(stream.endpoints, summary.endpoints);
        }
    }

    pub(crate) fn read(file: &[u8]) -> Recorder {
        let mut heard = Recorder::default();
        let mut connections = Connections::new();
        let mut reader = CaptureReader::new();
        reader.feed(file, &mut |packet| connections.packet(&packet, &mut heard)).unwrap();
        reader.finish().unwrap();
        connections.finish(&mut heard);
        heard
    }

    const FIN: u8 = 1;
    const SYN: u8 = 2;
    const RST: u8 = 4;
    const ACK: u8 = 16;

    /// Creates a segment of the client with this port, to port 80.
    fn from_client(port: u16, flags: u8, numbers: (u32, u32), payload: &[u8]) -> Segment<'_> {
        Segment {
            source: SocketAddr::from(([10, 0, 0, 1], port)),
            destination: SocketAddr::from(([10, 0, 0, 2], 80)),
            sequence: numbers.0,
            acknowledgement: numbers.1,
            flags: Flags(flags),
            window: u16::MAX,
            window_scale: None,
            network: 0,
            payload,
            missing: 0,
        }
    }

    fn from_server(port: u16, flags: u8, numbers: (u32, u32), payload: &[u8]) -> Segment<'_> {
        let segment = from_client(port, flags, numbers, payload);
        Segment { source: segment.destination, destination: segment.source, ..segment }
    }

    fn hear(connections: &mut Connections, heard: &mut Recorder, segments: &[Segment<'_>]) {
        for (ts, segment) in (0..).zip(segments) {
            connections.segment(segment, Some(ts), heard);
        }
    }

    fn heard(segments: &[Segment<'_>]) -> Recorder {
        let (mut connections, mut heard) = (Connections::new(), Recorder::default());
        hear(&mut connections, &mut heard, segments);
        connections.finish(&mut heard);
        assert_eq!(connections.held(), 0);
        heard
    }

    /// Creates a complete connection; the client's sequence numbers begin at `initial`.
    fn whole(port: u16, initial: u32) -> [Segment<'static>; 8] {
        let n = move |more: u32| initial.wrapping_add(more);
        [
            from_client(port, SYN, (n(0), 0), b""),
            from_server(port, SYN | ACK, (500, n(1)), b""),
            from_client(port, ACK, (n(1), 501), b""),
            from_client(port, ACK, (n(1), 501), b"ping"),
            from_server(port, ACK, (501, n(5)), b"pong!"),
            from_client(port, ACK | FIN, (n(5), 506), b""),
            from_server(port, ACK | FIN, (506, n(6)), b""),
            from_client(port, ACK, (n(6), 507), b""),
        ]
    }

    #[test]
    fn real_captures_hold_the_conversation() {
        for (file, port) in
            [(MICRO, 47101), (NANO, 47102), (COOKED, 47103), (IPV6, 47104), (PCAPNG, 47105)]
        {
            let heard = read(file);
            let [stream] = &heard.0[..] else { panic!("{heard:?}") };
            assert_eq!(stream.client, b"hello, server\n");
            assert_eq!(stream.server, b"hello, client\n");
            // The client has the lower port; the SYN identifies it.
            assert_eq!(stream.endpoints.server.port(), port);
            let summary = stream.summary.unwrap();
            assert_eq!((summary.ending, summary.seen_from_start), (Ending::Fin, true));
            assert!(summary.start < summary.end);
            let side = SideSummary { packets: 1, bytes: 14, ..SideSummary::default() };
            assert_eq!((summary.client, summary.server), (side, side));
        }
    }

    #[test]
    fn whole_connection_ends_with_its_last_acknowledgement() {
        let (mut connections, mut heard) = (Connections::new(), Recorder::default());
        hear(&mut connections, &mut heard, &whole(4000, 7)[..7]);
        assert_eq!(heard.endings(), [None]);
        hear(&mut connections, &mut heard, &whole(4000, 7)[7..]);
        assert_eq!(heard.endings(), [Some(Ending::Fin)]);
        assert_eq!(heard.0[0].client, b"ping");
        assert_eq!(heard.0[0].server, b"pong!");
        assert_eq!(heard.0[0].summary.unwrap().client.packets, 1);
    }

    #[test]
    fn close_without_the_last_acknowledgement_is_a_close() {
        assert_eq!(heard(&whole(4000, 7)[..7]).endings(), [Some(Ending::Fin)]);
        assert_eq!(heard(&whole(4000, 7)[..6]).endings(), [Some(Ending::EndOfCapture)]);
    }

    #[test]
    fn late_packets_of_a_connection_that_ended_are_not_a_new_one() {
        let segments = [&whole(4000, 7)[..], &whole(4000, 7)].concat();
        assert_eq!(heard(&segments).endings(), [Some(Ending::Fin)]);
    }

    #[test]
    fn new_syn_on_ports_that_were_used_is_a_new_stream() {
        let segments = [&whole(4000, 7)[..], &whole(4000, 9000)].concat();
        let heard = heard(&segments);
        assert_eq!(heard.endings(), [Some(Ending::Fin); 2]);
        assert_eq!(heard.0[0].client, heard.0[1].client);
    }

    #[test]
    fn new_syn_on_ports_that_are_in_use_ends_the_old_stream() {
        let segments = [&whole(4000, 7)[..4], &whole(4000, 900_000)].concat();
        assert_eq!(heard(&segments).endings(), [Some(Ending::Replaced), Some(Ending::Fin)]);
    }

    #[test]
    fn syn_sent_again_is_the_same_stream() {
        let syn = whole(4000, 7)[0];
        let heard = heard(&[&[syn, syn][..], &whole(4000, 7)].concat());
        assert_eq!(heard.endings(), [Some(Ending::Fin)]);
        assert_eq!(heard.0[0].server, b"pong!");
    }

    #[test]
    fn data_behind_a_fin_is_a_new_stream_whose_syn_was_not_captured() {
        let data = from_client(4000, ACK, (70_000, 80_000), b"again");
        let heard = heard(&[&whole(4000, 7)[..], &[data]].concat());
        assert_eq!(heard.0[1].client, b"again");
        assert!(!heard.0[1].seen_from_start);
    }

    #[test]
    fn reset_ends_the_stream_at_once_and_later_data_is_late() {
        let rst = from_server(4000, RST, (501, 0), b"go away");
        let under_way = from_client(4000, ACK, (12, 501), b"more");
        let heard = heard(&[&whole(4000, 7)[..4], &[rst, under_way, rst]].concat());
        assert_eq!(heard.endings(), [Some(Ending::Reset)]);
        assert_eq!((&heard.0[0].client[..], &heard.0[0].server[..]), (&b"ping"[..], &b""[..]));
    }

    /// Feeds a connection of ten exchanges of four bytes, with `strays` in the middle that do not belong to it.
    fn around(strays: &[Segment<'_>]) -> Recorder {
        let mut segments = whole(4000, 7)[..3].to_vec();
        for turn in 0..10 {
            if turn == 5 {
                segments.extend_from_slice(strays);
            }
            segments.push(from_client(4000, ACK, (8 + 4 * turn, 501 + 4 * turn), b"ping"));
            segments.push(from_server(4000, ACK, (501 + 4 * turn, 12 + 4 * turn), b"pong"));
        }
        segments.push(from_client(4000, ACK | FIN, (48, 541), b""));
        segments.push(from_server(4000, ACK | FIN, (541, 49), b""));
        segments.push(from_client(4000, ACK, (49, 542), b""));
        heard(&segments)
    }

    #[test]
    fn segments_that_their_receiver_refuses_change_nothing() {
        let far = 1 << 30;
        let cases = [
            vec![from_client(4000, RST, (28 + far, 0), b"")],
            vec![from_client(4000, RST, (28_u32.wrapping_sub(far), 0), b"")],
            vec![from_client(4000, RST, (27, 0), b"")],
            vec![from_client(4000, RST, (28 + 100, 0), b"")],
            vec![from_server(4000, RST | ACK, (7, 28), b"")],
            vec![from_server(4000, RST, (521 + 70_000, 0), b"")],
            vec![from_client(4000, FIN | ACK, (28 + 200_000, 521), b"")],
            vec![from_client(4000, FIN | ACK, (9, 521), b"")],
            vec![from_client(4000, ACK, (28 + far - 4, 521), b"far ahead")],
            vec![from_client(4000, ACK, (28 + 200_000, 521), b"beyond the window")],
            vec![from_client(4000, ACK, (28_u32.wrapping_sub(far), 521), b"long ago")],
            vec![from_client(4000, SYN, (90_000, 0), b"")],
            vec![from_server(4000, SYN | ACK, (70_000, 80_000), b"")],
            vec![from_client(4000, ACK, (28, 521 + far + 5), b"")],
        ];
        let expected = around(&[]);
        for strays in cases {
            let heard = around(&strays);
            assert_eq!(heard.endings(), [Some(Ending::Fin)], "{strays:?}");
            assert_eq!(heard.0[0].client, expected.0[0].client, "{strays:?}");
            assert_eq!(heard.0[0].server, expected.0[0].server, "{strays:?}");
            let summary = heard.0[0].summary.unwrap();
            assert_eq!((summary.client.lost, summary.server.lost), (0, 0), "{strays:?}");
        }
    }

    #[test]
    fn bytes_that_are_refused_are_counted() {
        let (mut connections, mut heard) = (Connections::new(), Recorder::default());
        let beyond = from_client(4000, ACK, (8 + 200_000, 501), b"beyond");
        let before = from_client(4000, ACK, (8_u32.wrapping_sub(100), 501), b"before");
        let segments = [&whole(4000, 7)[..3], &[beyond, before], &whole(4000, 7)[3..]].concat();
        hear(&mut connections, &mut heard, &segments);
        connections.finish(&mut heard);
        assert_eq!(heard.0[0].client, b"ping");
        let refused = SkippedPackets { packets: 2, bytes: 12 };
        assert_eq!(connections.skipped(SkipReason::Refused), refused);
    }

    #[test]
    fn bytes_beyond_the_window_that_were_acknowledged_are_of_the_stream() {
        let segments = [
            &whole(4000, 7)[..3],
            &[from_client(4000, ACK, (8 + 200_000, 501), b"far")],
            &[from_server(4000, ACK, (501, 8 + 200_003), b"")],
        ]
        .concat();
        let heard = heard(&segments);
        let summary = heard.0[0].summary.unwrap();
        assert_eq!((summary.client.bytes, summary.client.lost), (3, 200_000));
    }

    #[test]
    fn bytes_after_a_reset_are_counted() {
        let (mut connections, mut heard) = (Connections::new(), Recorder::default());
        let rst = from_server(4000, RST, (501, 0), b"");
        let late = from_client(4000, ACK, (12, 501), b"more");
        hear(&mut connections, &mut heard, &[&whole(4000, 7)[..4], &[rst, late]].concat());
        let after_end = SkippedPackets { packets: 1, bytes: 4 };
        assert_eq!(connections.skipped(SkipReason::AfterEnd), after_end);
    }

    #[test]
    fn reset_behind_bytes_that_were_not_captured_ends_the_stream_at_its_end() {
        let rst = from_client(4000, RST, (12 + 50, 0), b"");
        let heard = heard(&[&whole(4000, 7)[..4], &[rst]].concat());
        assert_eq!(heard.endings(), [Some(Ending::Reset)]);
    }

    #[test]
    fn bytes_from_before_a_stream_seen_from_the_middle_are_counted() {
        let (mut connections, mut heard) = (Connections::new(), Recorder::default());
        // Too late to be put in order.
        let mut segments = vec![from_client(4000, 0, (1000, 0), b"x")];
        segments.extend((0..70).map(|_| from_client(4000, 0, (1001, 0), b"")));
        segments.push(from_client(4000, 0, (900, 0), b"early"));
        hear(&mut connections, &mut heard, &segments);
        connections.finish(&mut heard);
        assert_eq!(connections.skipped(SkipReason::Early), SkippedPackets { packets: 1, bytes: 5 });
    }

    #[test]
    fn direction_that_was_not_captured_is_lost_to_the_byte() {
        let of_client = |segment: &&Segment<'_>| segment.source.port() == 4000;
        let of_server = |segment: &&Segment<'_>| segment.source.port() == 80;
        let client = heard(&whole(4000, 7).iter().filter(of_client).copied().collect::<Vec<_>>());
        let summary = client.0[0].summary.unwrap();
        assert_eq!((summary.client.bytes, summary.server.lost), (4, 5));
        let server = heard(&whole(4000, 7).iter().filter(of_server).copied().collect::<Vec<_>>());
        let summary = server.0[0].summary.unwrap();
        assert_eq!((summary.client.lost, summary.server.bytes), (4, 5));
        // The same without the start: earlier acknowledgements are unknown.
        let middle =
            [from_client(4000, ACK, (8, 501), b"a"), from_client(4000, ACK, (9, 601), b"b")];
        assert_eq!(heard(&middle).0[0].summary.unwrap().server.lost, 100);
    }

    #[test]
    fn answers_that_were_captured_before_their_questions_wait() {
        let mut segments = whole(4000, 7).to_vec();
        segments.swap(3, 4);
        let mut connections = Connections::new();
        let mut order = Order::default();
        for segment in &segments {
            connections.segment(segment, Some(0), &mut order);
        }
        assert_eq!(order.0, [(Side::Client, b"ping".to_vec()), (Side::Server, b"pong!".to_vec())]);
    }

    /// Data of each side, in the order of the events.
    #[derive(Default)]
    struct Order(Vec<(Side, Vec<u8>)>);

    impl StreamSink for Order {
        fn opened(&mut self, _: u32, _: &Endpoints, _: Option<i64>, _: bool) {}
        fn data(&mut self, _: u32, side: Side, bytes: &[u8], _: Option<i64>) {
            self.0.push((side, bytes.to_vec()));
        }
        fn lost(&mut self, _: u32, _: Side, _: u64, _: Option<i64>) {}
        fn ended(&mut self, _: u32, _: StreamSummary) {}
    }

    #[test]
    fn segment_waits_for_a_second_and_for_few_others() {
        let answer = from_server(4000, ACK, (501, 12), b"pong");
        let start = &whole(4000, 7)[..3];
        let told = |later: &dyn Fn(&mut Connections, &mut Order)| {
            let (mut connections, mut order) = (Connections::new(), Order::default());
            for segment in start.iter().chain([&answer]) {
                connections.segment(segment, Some(0), &mut order);
            }
            assert!(order.0.is_empty() && connections.held() > 0);
            later(&mut connections, &mut order);
            (order.0.len(), connections.held())
        };
        let other = from_client(5000, SYN, (7, 0), b"");
        // Another connection's packet shows that time goes on.
        assert_eq!(told(&|it, order| it.segment(&other, Some(1_000_001), order)), (1, 0));
        assert_eq!(told(&|it, order| it.finish(order)), (1, 0));
        let (count, _) = told(&|it, order| {
            for _ in 0..64 {
                it.segment(&from_server(4000, ACK, (505, 12), b""), Some(0), order);
            }
        });
        assert_eq!(count, 1);
    }

    #[test]
    fn gap_that_cannot_close_is_not_waited_for() {
        let (mut connections, mut order) = (Connections::new(), Order::default());
        for segment in &whole(4000, 7)[..3] {
            connections.segment(segment, Some(0), &mut order);
        }
        let far = from_server(4000, ACK, (501, 8 + (1 << 21)), b"pong");
        connections.segment(&far, Some(0), &mut order);
        assert_eq!((order.0.len(), connections.held()), (1, 0));
    }

    #[test]
    fn direction_that_is_not_captured_is_waited_for_once() {
        let (mut connections, mut order) = (Connections::new(), Order::default());
        let mut most_held = 0;
        for n in 0..200 {
            let segment = from_client(4000, ACK, (1000 + n, 7000 + n), b"x");
            connections.segment(&segment, Some(0), &mut order);
            if n > 64 {
                most_held = most_held.max(connections.held());
            }
        }
        assert_eq!((order.0.len(), most_held), (200, 0));
    }

    #[test]
    fn connection_with_reordered_packets_begins_with_its_syn() {
        let segments = whole(4000, 7);
        for order in [[3, 2, 1, 0], [2, 3, 0, 1], [1, 3, 0, 2], [3, 1, 2, 0]] {
            let shuffled: Vec<_> = order.into_iter().chain(4..8).map(|n| segments[n]).collect();
            let heard = heard(&shuffled);
            assert_eq!(heard.endings(), [Some(Ending::Fin)], "{order:?}");
            assert!(heard.0[0].seen_from_start, "{order:?}");
            assert_eq!(heard.0[0].endpoints.client.port(), 4000);
            assert_eq!(
                (&heard.0[0].client[..], &heard.0[0].server[..]),
                (&b"ping"[..], &b"pong!"[..])
            );
        }
    }

    #[test]
    fn answered_syn_waits_for_its_syn() {
        let mut segments = whole(4000, 7);
        segments.swap(0, 1);
        let mut connections = Connections::new();
        let mut heard = Recorder::default();
        for (segment, ts) in segments.iter().zip([2, 1, 3, 4, 5, 6, 7, 8]) {
            connections.segment(segment, Some(ts), &mut heard);
        }
        let [stream] = &heard.0[..] else { panic!("{heard:?}") };
        let summary = stream.summary.unwrap();
        assert_eq!((summary.start, summary.ending), (Some(1), Ending::Fin));
        assert_eq!((&stream.client[..], &stream.server[..]), (&b"ping"[..], &b"pong!"[..]));
    }

    #[test]
    fn refused_connection_is_reported() {
        let segments =
            [from_client(4000, SYN, (7, 0), b""), from_server(4000, RST | ACK, (0, 8), b"")];
        let heard = heard(&segments);
        assert_eq!(heard.endings(), [Some(Ending::Reset)]);
        assert!(heard.0[0].client.is_empty() && heard.0[0].server.is_empty());
    }

    #[test]
    fn client_is_the_sender_of_the_syn_else_chosen_by_ports() {
        let client = SocketAddr::from(([10, 0, 0, 1], 4000));
        let low = SocketAddr::from(([10, 0, 0, 1], 8));
        let service = |segment: Segment<'static>| {
            let port = |mut end: SocketAddr| {
                end.set_port(if end.port() == 80 { 8020 } else { end.port() });
                end
            };
            let (source, destination) = (port(segment.source), port(segment.destination));
            Segment { source, destination, ..segment }
        };
        let cases = [
            // A port below that of a service that is known.
            (service(from_client(4000, ACK, (7, 0), b"")), client, false),
            (service(from_server(4000, ACK, (7, 0), b"")), client, false),
            (from_client(8, SYN, (7, 0), b""), low, true),
            (from_server(8, SYN | ACK, (7, 0), b""), low, true),
            (from_client(4000, ACK, (7, 0), b""), client, false),
            (from_server(4000, ACK, (7, 0), b""), client, false),
        ];
        for (segment, client, seen_from_start) in cases {
            let heard = heard(&[segment]);
            assert_eq!(heard.0[0].endpoints.client, client);
            assert_eq!(heard.0[0].seen_from_start, seen_from_start);
        }
    }

    #[test]
    fn syn_that_was_captured_too_late_is_of_the_same_stream() {
        let mut segments = whole(4000, 7);
        segments[..4].rotate_left(1); // the SYN is last but the first bytes
        let heard = heard(&segments);
        assert_eq!(heard.endings(), [Some(Ending::Fin)]);
        assert_eq!(heard.0[0].client, b"ping");
    }

    #[test]
    fn first_bytes_are_known_to_be_lost_by_the_answer_to_the_syn() {
        let segments =
            [from_server(4000, SYN | ACK, (500, 8), b""), from_client(4000, ACK, (10, 501), b"ng")];
        let heard = heard(&segments);
        assert_eq!(heard.0[0].client, b"??ng");
        assert_eq!(heard.0[0].summary.unwrap().client.lost, 2);
    }

    #[test]
    fn longest_idle_connection_gives_way() {
        let limits = Limits { connections: 2, ..Limits::default() };
        let (mut connections, mut heard) = (Connections::with_limits(limits), Recorder::default());
        let data = |port| from_client(port, SYN, (7, 0), b"x");
        hear(&mut connections, &mut heard, &[data(1), data(2), data(1), data(3)]);
        assert_eq!(heard.endings(), [None, Some(Ending::Evicted), None]);
        // One that has ended gives way first.
        let rst = from_client(3, RST, (9, 0), b"");
        hear(&mut connections, &mut heard, &[rst, data(4)]);
        assert_eq!(heard.endings()[2..], [Some(Ending::Reset), None]);
        connections.finish(&mut heard);
        assert_eq!(heard.endings()[0], Some(Ending::EndOfCapture));
    }

    #[test]
    fn longest_idle_connection_that_holds_bytes_gives_way() {
        let limits = Limits { held: 1000, ..Limits::default() };
        let (mut connections, mut heard) = (Connections::with_limits(limits), Recorder::default());
        let payload = [b'x'; 300];
        let data = |port| from_client(port, SYN, (6, 0), b"x");
        let behind_a_hole = |port| from_client(port, 0, (10, 0), &payload);
        let open = [4001, 4002, 4003, 4004].map(data);
        hear(&mut connections, &mut heard, &open);
        hear(&mut connections, &mut heard, &[4002, 4003, 4004].map(behind_a_hole));
        assert_eq!(heard.endings(), [None, Some(Ending::Evicted), None, None]);
        assert_eq!(&heard.0[1].client[..4], b"x??x");
        assert_eq!(heard.0[1].client.len(), 303);
        assert!(connections.held() <= limits.held);
    }

    #[test]
    fn bytes_kept_by_a_sink_count_against_the_limit() {
        /// Sink that keeps the client's bytes of every stream.
        #[derive(Default)]
        struct KeepingSink(BTreeMap<u32, usize>, Vec<(u32, Ending)>);

        impl StreamSink for KeepingSink {
            fn opened(&mut self, _: u32, _: &Endpoints, _: Option<i64>, _: bool) {}
            fn data(&mut self, stream: u32, _: Side, bytes: &[u8], _: Option<i64>) {
                *self.0.entry(stream).or_default() += bytes.len();
            }
            fn lost(&mut self, _: u32, _: Side, _: u64, _: Option<i64>) {}
            fn ended(&mut self, stream: u32, summary: StreamSummary) {
                self.0.remove(&stream);
                self.1.push((stream, summary.ending));
            }
            fn held(&self) -> usize {
                self.0.values().sum()
            }
            fn held_of(&self, stream: u32) -> usize {
                self.0.get(&stream).copied().unwrap_or_default()
            }
        }

        let limits = Limits { held: 1000, ..Limits::default() };
        let (mut connections, mut hoard) =
            (Connections::with_limits(limits), KeepingSink::default());
        for (port, len) in [(4001, 300), (4002, 0), (4003, 300), (4004, 300), (4005, 300)] {
            let payload = vec![b'x'; len];
            connections.segment(&from_client(port, SYN, (7, 0), &payload), None, &mut hoard);
        }
        assert_eq!(hoard.1, [(0, Ending::Evicted), (2, Ending::Evicted)]);
        assert_eq!(hoard.held(), 600);
    }

    #[test]
    fn bytes_that_came_again_and_differ_are_counted_by_side() {
        let mut segments = whole(4000, 7).to_vec();
        segments.insert(4, from_client(4000, ACK, (8, 501), b"pong"));
        let heard = heard(&segments);
        let summary = heard.0[0].summary.unwrap();
        assert_eq!((summary.client.retransmitted, summary.client.differing), (4, 1));
        assert_eq!(summary.server.differing, 0);
        assert_eq!(heard.0[0].client, b"ping");
    }

    #[test]
    fn skipped_packets_are_counted_by_reason() {
        let (mut connections, mut heard) = (Connections::new(), Recorder::default());
        let packet = Packet { ts: None, link_type: 99, data: b"", original_len: 0, file_offset: 0 };
        connections.packet(&packet, &mut heard);
        assert_eq!(
            SkipReason::ALL.map(|reason| connections.skipped(reason).packets),
            [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        );
        assert_eq!(heard, Recorder::default());
    }

    proptest! {
        #[test]
        fn disorder_and_repetition_of_packets_after_both_syns_give_the_same_bytes(
            order in Just((2..7_usize).chain(1..7).collect::<Vec<_>>()).prop_shuffle(),
            initial in prop_oneof![any::<u32>(), Just(u32::MAX), Just(u32::MAX - 3)],
        ) {
            let segments = whole(4000, initial);
            let shuffled: Vec<_> = [0, 1].into_iter().chain(order).map(|n| segments[n]).collect();
            let heard = heard(&shuffled);
            prop_assert_eq!(heard.0.len(), 1);
            prop_assert_eq!(&heard.0[0].client[..], b"ping");
            prop_assert_eq!(&heard.0[0].server[..], b"pong!");
        }

        #[test]
        fn garbage_never_panics_and_memory_is_bounded(
            segments in prop::collection::vec(
                (any::<bool>(), 79_u16..83, any::<u8>(), any::<(u32, u32)>(), 0_usize..2000, 0_usize..3), 1..200,
            ),
        ) {
            let limits = Limits { held: 5000, remembered: 3000, connections: 3 };
            let (mut connections, mut heard) = (Connections::with_limits(limits), Recorder::default());
            let payload = [b'x'; 2000];
            for (side, port, flags, numbers, len, missing) in segments {
                let from = if side { from_client } else { from_server };
                let segment = Segment { missing, ..from(port, flags, numbers, &payload[..len]) };
                connections.segment(&segment, None, &mut heard);
                prop_assert!(connections.held() <= limits.held);
                prop_assert!(connections.streams.len() <= limits.connections);
                let open = || connections.streams.list(EntryState::Open).map(|(_, it)| it);
                let ended = || connections.streams.list(EntryState::Ended).map(|(_, it)| it);
                prop_assert!(open().all(|it| !it.has_ended) && ended().all(|it| it.has_ended));
                prop_assert_eq!(open().map(Connection::held).sum::<usize>(), connections.held);
                let remembered: usize = open().chain(ended()).map(Connection::remembered).sum();
                prop_assert_eq!(remembered, connections.remembered);
                prop_assert!(remembered <= limits.remembered);
                prop_assert_eq!(connections.streams.len(), open().count() + ended().count());
                let saved = postcard::to_stdvec(&connections).unwrap();
                let each = connections.streams.len() * crate::limits::CONNECTION_SIZE;
                let most = connections.held + remembered + each + 1024;
                prop_assert!(saved.len() <= most, "{} for {most}", saved.len());
                let loaded = postcard::from_bytes::<Connections>(&saved).unwrap().restore().unwrap();
                prop_assert_eq!(loaded.held, connections.held);
                prop_assert_eq!(loaded.remembered, connections.remembered);
            }
            connections.finish(&mut heard);
            prop_assert!(heard.endings().iter().all(Option::is_some));
            for stream in &heard.0 {
                prop_assert!(stream.summary.unwrap().client.bytes <= stream.client.len() as u64);
            }
        }
    }
}
