//! State of one TCP connection: its two directions, its start and its end.

use std::net::SocketAddr;

use jvmwire_codec::message::Side;
use serde::{Deserialize, Serialize};

use crate::limits::MAX_COUNTER;
use crate::net::held_segment::HeldSegment;
use crate::net::packet::{Flags, Segment};
use crate::net::skipped::SkippedPackets;
use crate::net::tcp::{Direction, Event, MAX_HELD_PER_DIRECTION, Reset};
use crate::protocol::Protocol;

/// Receiver of the events of streams.
pub trait StreamSink {
    /// A connection was opened by its first packets. If `seen_from_start` is false, its start was not captured.
    fn opened(
        &mut self,
        stream: u32,
        endpoints: &Endpoints,
        ts: Option<i64>,
        seen_from_start: bool,
    );

    /// Receives the next bytes of `side`.
    fn data(&mut self, stream: u32, side: Side, bytes: &[u8], ts: Option<i64>);

    /// The next `bytes` bytes of `side` were not captured.
    fn lost(&mut self, stream: u32, side: Side, bytes: u64, ts: Option<i64>);

    /// The next `bytes` bytes of `side` were not captured, and neither was anything else of that side.
    fn unseen(&mut self, stream: u32, side: Side, bytes: u64, ts: Option<i64>) {
        self.lost(stream, side, bytes, ts);
    }

    /// The stream has ended.
    fn ended(&mut self, stream: u32, summary: StreamSummary);

    /// Number of bytes that the sink keeps for incomplete messages, over all streams. They count against
    /// [`Limits::held`](crate::net::connection_table::Limits::held).
    fn held(&self) -> usize {
        0
    }

    /// Number of these bytes that belong to this stream.
    fn held_of(&self, _stream: u32) -> usize {
        0
    }

    /// Maximum number of bytes that the sink keeps independently of streams.
    const MAX_KEPT: usize = 0;

    /// Number of these bytes. The limit of the streams is reduced by it.
    fn kept(&self) -> usize {
        0
    }
}

/// Addresses of both ends of a stream.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Endpoints {
    /// Client: the sender of the SYN, else the side without a well-known port of a service, else the higher
    /// port.
    pub client: SocketAddr,
    /// Server.
    pub server: SocketAddr,
}

/// Reason for the end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Both sides closed the connection.
    Fin,
    /// One side aborted the connection.
    Reset,
    /// A new connection uses the same ports: the end was not captured.
    Replaced,
    /// The connection was open when the capture ended.
    EndOfCapture,
    /// A limit was reached, and the connection had been idle the longest.
    Evicted,
}

/// Summary of a stream at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamSummary {
    /// Addresses of both ends.
    pub endpoints: Endpoints,
    /// Time of the first packet.
    pub start: Option<i64>,
    /// Time of the last packet.
    pub end: Option<i64>,
    /// Whether the start was captured.
    pub seen_from_start: bool,
    /// Summary of the client's bytes.
    pub client: SideSummary,
    /// Summary of the server's bytes.
    pub server: SideSummary,
    /// Reason for the end.
    pub ending: Ending,
}

/// Summary of one side of a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideSummary {
    /// Number of packets with a payload. Packets without one are not counted, since their number before the end
    /// depends on the order of the capture.
    pub packets: u64,
    /// Number of bytes of the stream.
    pub bytes: u64,
    /// Number of retransmitted bytes.
    pub retransmitted: u64,
    /// Number of retransmitted bytes that differ from the original.
    pub differing: u64,
    /// Number of bytes of the stream that were not captured.
    pub lost: u64,
}

/// Both directions of a connection.
///
/// A segment that acknowledges bytes that were not captured before it is held until they are, since a capture
/// can contain a reply before its request: as long as at most [`MAX_WAITING`] segments and
/// [`MAX_WAITING_BYTES`] are held, and for at most [`MAX_WAITING_US`] of the capture's time. The first segments
/// of a connection are held in the same way until its SYN arrives. If the other direction is not captured at
/// all, segments are held for it only once.
#[expect(clippy::struct_excessive_bools, reason = "each is one independent fact")]
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Connection {
    pub(crate) number: u32,
    pub(crate) endpoints: Endpoints,
    /// Virtual network, as in [`Segment`].
    pub(crate) network: u32,
    pub(crate) seen_from_start: bool,
    /// Whether the connection was reported to the sink: not while its SYN can still arrive.
    pub(crate) is_open: bool,
    start: Option<i64>,
    end: Option<i64>,
    client: SideState,
    server: SideState,
    pub(crate) has_ended: bool,
    was_reset: bool,
    /// Held segments, in the order of the capture.
    waiting: Vec<HeldSegment>,
    #[serde(skip)]
    waiting_bytes: usize,
    /// SYN with a sequence number that is not of this connection: the next segment decides whether it opened a
    /// new one.
    challenger: Option<Box<HeldSegment>>,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct SideState {
    direction: Direction,
    packets: u64,
    /// Number of segments with a payload.
    data_packets: u64,
    /// Window scale, if the SYN was captured; 0 if the SYN has none.
    window_scale: Option<u8>,
    /// Whether segments are not held for bytes of this side, until something of it arrives.
    is_silent: bool,
    /// Sequence number of a RST that its receiver may not have accepted.
    doubtful_reset: Option<u32>,
}

/// Relation of a segment to a connection between the same ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    /// The segment belongs to the connection.
    Same,
    /// The segment belongs to a new connection.
    New,
    /// The segment is a SYN of a new connection, which the receiver rejects while the old one is open.
    Challenge,
    /// The segment proves that the SYN before it opened a new connection.
    Proof,
}

impl Connection {
    pub(crate) fn opened_by(segment: &Segment<'_>, number: u32, ts: Option<i64>) -> Self {
        Self {
            number,
            endpoints: endpoints_of(segment),
            network: segment.network,
            seen_from_start: segment.flags.syn(),
            is_open: false,
            start: ts,
            end: ts,
            client: SideState::default(),
            server: SideState::default(),
            has_ended: false,
            was_reset: false,
            waiting: Vec::new(),
            waiting_bytes: 0,
            challenger: None,
        }
    }

    fn side_of(&self, segment: &Segment<'_>) -> Side {
        if segment.source == self.endpoints.client { Side::Client } else { Side::Server }
    }

    fn side_state(&self, side: Side) -> &SideState {
        match side {
            Side::Client => &self.client,
            Side::Server => &self.server,
        }
    }

    fn side_state_mut(&mut self, side: Side) -> &mut SideState {
        match side {
            Side::Client => &mut self.client,
            Side::Server => &mut self.server,
        }
    }

    /// Returns the relation of a segment with the same ports to this connection.
    pub(crate) fn relation(&self, segment: &Segment<'_>) -> Relation {
        if !self.has_ended && !segment.flags.syn() && self.challenger.is_none() {
            return Relation::Same;
        }
        if let Some(challenger) = &self.challenger
            && is_answer(&challenger.segment(), segment)
        {
            return Relation::Proof;
        }
        let direction = &self.side_state(self.side_of(segment)).direction;
        if segment.flags.syn() {
            let is_late = direction.is_opened_by(segment.sequence);
            return match self.has_ended {
                true if is_late && direction.has_syn(segment.sequence) => Relation::Same,
                true => Relation::New,
                false if is_late || !self.is_open => Relation::Same,
                false => Relation::Challenge,
            };
        }
        if !self.has_ended || segment.flags.rst() || segment.payload.is_empty() {
            return Relation::Same;
        }
        // Segments that were in flight when the connection was reset are late; after a FIN there are none.
        let slack = if self.was_reset { MAX_HELD_PER_DIRECTION as u64 } else { 0 };
        let len = u32::try_from(segment.payload.len()).unwrap_or(u32::MAX);
        if direction.is_passed_by(segment.sequence.wrapping_add(len), slack) {
            Relation::New
        } else {
            Relation::Same
        }
    }

    /// Holds a SYN until it is known whether it opened a new connection. Its payload counts as not captured:
    /// any connection may receive such a SYN, and the held memory is always small.
    pub(crate) fn challenge(&mut self, segment: &Segment<'_>, ts: Option<i64>) {
        let missing = segment.missing + segment.payload.len();
        let segment = Segment { payload: &[], missing, ..*segment };
        self.challenger = Some(Box::new(HeldSegment::new(&segment, ts)));
    }

    pub(crate) fn is_challenged(&self) -> bool {
        self.challenger.is_some()
    }

    pub(crate) fn take_challenger(&mut self) -> Option<Box<HeldSegment>> {
        self.challenger.take()
    }

    /// Number of bytes of a segment after the stream's end, which no receiver has accepted.
    pub(crate) fn bytes_after_end(&self, segment: &Segment<'_>) -> Option<u64> {
        let len = (segment.payload.len() + segment.missing) as u64;
        let direction = &self.side_state(self.side_of(segment)).direction;
        let end = segment.sequence.wrapping_add(u32::try_from(len).unwrap_or(u32::MAX));
        (len > 0 && !segment.flags.rst() && direction.is_passed_by(end, 0)).then_some(len)
    }

    /// Processes or holds a segment; returns the reason if the stream ends.
    pub(crate) fn segment(
        &mut self,
        segment: &Segment<'_>,
        ts: Option<i64>,
        sink: &mut impl StreamSink,
    ) -> Option<Ending> {
        if self.take_in_order(segment, ts, sink) {
            return None;
        }
        if self.is_open && self.is_ready(segment) {
            let ending = self.take(segment, ts, sink);
            return if self.waiting.is_empty() || ending.is_some() {
                ending
            } else {
                self.take_ready(sink)
            };
        }
        if !self.is_open && segment.flags.is_opening() {
            if self.waiting.is_empty() {
                self.is_open = true;
                sink.opened(self.number, &self.endpoints, ts, true);
                return self.take(segment, ts, sink);
            }
            self.wait(segment, ts);
            return self.open(sink);
        }
        if self.is_open && !self.can_wait(segment) {
            return self.take(segment, ts, sink);
        }
        self.wait(segment, ts);
        let mut ending = None;
        while ending.is_none() && self.waits_too_long(ts) {
            ending = self.take_oldest(sink);
        }
        ending
    }

    /// Processes a segment as [`segment`](Self::segment) does in the most frequent case: it opens and ends
    /// nothing, follows the previous one, acknowledges delivered bytes, and no segment is held. Returns false,
    /// without an effect, in other cases.
    #[inline]
    fn take_in_order(
        &mut self,
        segment: &Segment<'_>,
        ts: Option<i64>,
        sink: &mut impl StreamSink,
    ) -> bool {
        let is_plain = segment.flags.is_only_ack() && segment.missing == 0;
        if !(is_plain && self.is_open && self.waiting.is_empty() && self.challenger.is_none()) {
            return false;
        }
        let side = self.side_of(segment);
        let (from, to) = match side {
            Side::Client => (&mut self.client, &mut self.server),
            Side::Server => (&mut self.server, &mut self.client),
        };
        let acknowledged = to.direction.acknowledged_in_order(segment.acknowledgement);
        let (Some(acknowledged), true) =
            (acknowledged, from.direction.is_next_in_order(segment.sequence))
        else {
            return false;
        };
        from.count(segment);
        widen(&mut self.start, &mut self.end, ts);
        to.direction.raise_window(acknowledged, from.window(segment));
        let number = self.number;
        let mut report = |event: Event<'_>| sink_event(sink, number, side, event);
        from.direction.append(segment.payload, ts, &mut report);
        true
    }

    /// Time of the oldest held segment with a time.
    pub(crate) fn waits_since(&self) -> Option<i64> {
        self.waiting.iter().find_map(|it| it.ts)
    }

    /// Processes the segments that have been held too long at this time.
    pub(crate) fn take_overdue(&mut self, now: i64, sink: &mut impl StreamSink) -> Option<Ending> {
        while self.waits_since().is_some_and(|since| now.saturating_sub(since) > MAX_WAITING_US) {
            if let Some(ending) = self.take_oldest(sink) {
                return Some(ending);
            }
        }
        None
    }

    /// Processes all held segments.
    pub(crate) fn take_waiting(&mut self, sink: &mut impl StreamSink) -> Option<Ending> {
        let mut ending = None;
        while ending.is_none() && !(self.waiting.is_empty() && self.is_open) {
            ending = self.take_oldest(sink);
        }
        ending
    }

    fn waits_too_long(&self, now: Option<i64>) -> bool {
        let is_overdue = |(now, since): (i64, i64)| now.saturating_sub(since) > MAX_WAITING_US;
        self.waiting.len() > MAX_WAITING
            || self.waiting_bytes > MAX_WAITING_BYTES
            || now.zip(self.waits_since()).is_some_and(is_overdue)
    }

    /// Whether all bytes that the segment acknowledges were delivered.
    fn is_ready(&self, segment: &Segment<'_>) -> bool {
        if !segment.flags.ack() || segment.flags.syn() {
            return true;
        }
        let to = self.side_state(self.side_of(segment).peer());
        match to.direction.bytes_ahead(segment.acknowledgement) {
            Some(ahead) => ahead == 0 || to.is_silent,
            None => to.is_silent,
        }
    }

    /// Whether the bytes that the segment acknowledges can still arrive while it is held.
    fn can_wait(&self, segment: &Segment<'_>) -> bool {
        let to = self.side_state(self.side_of(segment).peer());
        let ahead = to.direction.bytes_ahead(segment.acknowledgement);
        ahead.is_none_or(|ahead| ahead <= MAX_WAITING_BYTES as u64)
    }

    fn wait(&mut self, segment: &Segment<'_>, ts: Option<i64>) {
        let held = HeldSegment::new(segment, ts);
        self.waiting_bytes += held.cost();
        self.waiting.push(held);
    }

    fn remove_waiting(&mut self, at: usize) -> HeldSegment {
        let held = self.waiting.remove(at);
        self.waiting_bytes -= held.cost();
        held
    }

    /// Processes the held segments whose acknowledged bytes were delivered.
    fn take_ready(&mut self, sink: &mut impl StreamSink) -> Option<Ending> {
        while let Some(at) = self.waiting.iter().position(|it| self.is_ready(&it.segment())) {
            let held = self.remove_waiting(at);
            let ending = self.take(&held.segment(), held.ts, sink);
            if ending.is_some() {
                return ending;
            }
        }
        None
    }

    /// Processes the oldest held segment, whatever it acknowledges.
    fn take_oldest(&mut self, sink: &mut impl StreamSink) -> Option<Ending> {
        if !self.is_open {
            return self.open(sink);
        }
        if self.waiting.is_empty() {
            return None;
        }
        let held = self.remove_waiting(0);
        let segment = held.segment();
        let side = self.side_of(&segment).peer();
        let number = self.number;
        let to = self.side_state_mut(side);
        to.is_silent = true;
        let mut report = |event: Event<'_>| sink_event(sink, number, side, event);
        to.direction.waive(segment.acknowledgement, &mut report);
        self.take(&segment, held.ts, sink).or_else(|| self.take_ready(sink))
    }

    /// Opens the stream with the held segments: no earlier bytes will arrive.
    fn open(&mut self, sink: &mut impl StreamSink) -> Option<Ending> {
        let find =
            |is_it: fn(Flags) -> bool| self.waiting.iter().position(|it| is_it(it.segment().flags));
        let opening = find(Flags::is_opening).or_else(|| find(Flags::syn));
        if let Some(opening) = opening.and_then(|at| self.waiting.get(at)) {
            self.endpoints = endpoints_of(&opening.segment());
            self.seen_from_start = true;
        }
        self.is_open = true;
        sink.opened(self.number, &self.endpoints, self.start, self.seen_from_start);
        if let Some(at) = opening {
            let held = self.remove_waiting(at);
            let ending = self.take(&held.segment(), held.ts, sink);
            if ending.is_some() {
                return ending;
            }
        } else {
            for side in [Side::Client, Side::Server] {
                if let Some(first) = self.lowest_waiting(side) {
                    self.side_state_mut(side).direction.start(first);
                }
            }
        }
        self.take_ready(sink)
    }

    /// Lowest sequence number of the held segments of a side with a payload, without those that are far from
    /// the first.
    fn lowest_waiting(&self, side: Side) -> Option<u32> {
        let mut numbers = self.waiting.iter().filter_map(|it| {
            let segment = it.segment();
            (self.side_of(&segment) == side && !segment.flags.rst())
                .then_some((segment.sequence, segment.payload.len() + segment.missing > 1))
        });
        let (first, _) = numbers.next()?;
        let before = numbers
            .filter(|(_, has_bytes)| *has_bytes)
            .map(|(number, _)| first.wrapping_sub(number))
            .filter(|before| usize::try_from(*before).is_ok_and(|it| it <= MAX_WAITING_BYTES))
            .max();
        Some(first.wrapping_sub(before.unwrap_or(0)))
    }

    /// Processes a segment; returns the reason if it ends the stream.
    fn take(
        &mut self,
        segment: &Segment<'_>,
        ts: Option<i64>,
        sink: &mut impl StreamSink,
    ) -> Option<Ending> {
        let side = self.side_of(segment);
        let number = self.number;
        let (from, to) = match side {
            Side::Client => (&mut self.client, &mut self.server),
            Side::Server => (&mut self.server, &mut self.client),
        };
        from.count(segment);
        widen(&mut self.start, &mut self.end, ts);
        let flags = segment.flags;
        if flags.rst() {
            // Neither its number nor a payload that explains it is of the stream.
            let is_refusal =
                flags.ack() && to.direction.bytes_ahead(segment.acknowledgement) == Some(0);
            match from.direction.judge_reset(segment.sequence) {
                Reset::Taken => return Some(Ending::Reset),
                // It answers a SYN: the number of the side that refuses is not known.
                _ if from.packets == 1 && is_refusal => return Some(Ending::Reset),
                Reset::Doubtful => from.doubtful_reset = Some(segment.sequence),
                Reset::Refused => {}
            }
            return None;
        }
        let mut sequence = segment.sequence;
        if flags.syn() {
            from.direction.syn(sequence);
            from.window_scale = Some(segment.window_scale.unwrap_or(0));
            sequence = sequence.wrapping_add(1);
            if flags.ack() {
                to.direction.syn_acknowledged(segment.acknowledgement);
            }
        }
        let mut report = |event: Event<'_>| sink_event(sink, number, side, event);
        from.direction.segment(sequence, segment.payload, segment.missing, ts, &mut report);
        if flags.fin() {
            let len = segment.payload.len() + segment.missing;
            let len = u32::try_from(len).unwrap_or(u32::MAX);
            from.direction.fin(sequence.wrapping_add(len));
        }
        if flags.ack() {
            let window = from.window(segment);
            let mut report = |event: Event<'_>| sink_event(sink, number, side.peer(), event);
            to.direction.acknowledge(segment.acknowledgement, Some(window), &mut report);
        }
        if !segment.payload.is_empty() && self.challenger.is_some() {
            self.refuse_challenger(side, segment);
        }
        let both = [&self.client.direction, &self.server.direction];
        both.iter().all(|it| it.is_finished() && it.is_acknowledged()).then_some(Ending::Fin)
    }

    /// Drops a SYN after which the old connection continued.
    fn refuse_challenger(&mut self, side: Side, segment: &Segment<'_>) {
        let end = segment.sequence.wrapping_add(u32::try_from(segment.payload.len()).unwrap_or(0));
        if self.side_state(side).direction.bytes_ahead(end) == Some(0) {
            self.challenger = None;
        }
    }

    pub(crate) fn end(&mut self, ending: Ending, sink: &mut impl StreamSink) {
        let closed = [&self.client, &self.server].map(|state| state.direction.is_finished());
        let was_reset = [&self.client, &self.server].into_iter().any(|state| {
            state.doubtful_reset.is_some_and(|number| !state.direction.has_passed(number))
        });
        let ending = match ending {
            // Only the last acknowledgement is missing.
            _ if closed == [true; 2] => Ending::Fin,
            Ending::EndOfCapture | Ending::Replaced | Ending::Evicted if was_reset => Ending::Reset,
            ending => ending,
        };
        let peer_closed = |at: usize| ending != Ending::Reset && closed[1 - at];
        let halves = [(Side::Client, &mut self.client), (Side::Server, &mut self.server)];
        for (at, (side, state)) in halves.into_iter().enumerate() {
            let (number, is_unseen) = (self.number, state.packets == 0);
            let mut report = |event: Event<'_>| match event {
                Event::Lost { bytes, ts } if is_unseen => sink.unseen(number, side, bytes, ts),
                event => sink_event(sink, number, side, event),
            };
            state.direction.finish(self.end, peer_closed(at), &mut report);
        }
        self.has_ended = true;
        self.was_reset = ending == Ending::Reset;
        (self.waiting, self.waiting_bytes) = (Vec::new(), 0);
        sink.ended(
            self.number,
            StreamSummary {
                endpoints: self.endpoints,
                start: self.start,
                end: self.end,
                seen_from_start: self.seen_from_start,
                client: self.client.summary(),
                server: self.server.summary(),
                ending,
            },
        );
    }

    /// Counts of segments with a payload that their receivers rejected, and with bytes from before the first
    /// ones.
    pub(crate) fn left_out(&self) -> (SkippedPackets, SkippedPackets) {
        let (mut refused, mut early) = self.client.direction.left_out();
        let (more_refused, more_early) = self.server.direction.left_out();
        refused.add(more_refused);
        early.add(more_early);
        (refused, early)
    }

    /// Restores derived state after a load; returns whether the saved state is consistent.
    pub(crate) fn restore(&mut self) -> bool {
        self.waiting_bytes = self.waiting.iter().map(HeldSegment::cost).sum();
        let are_sound = self.client.restore() && self.server.restore();
        let network = self.network;
        let are_ours = self.waiting.iter().chain(self.challenger.as_deref()).all(|it| {
            let Segment { source, destination, network: of, .. } = it.segment();
            let Endpoints { client, server } = self.endpoints;
            of == network && [(client, server), (server, client)].contains(&(source, destination))
        });
        are_sound
            && are_ours
            && self.waiting.len() <= MAX_WAITING
            && self.waiting_bytes <= MAX_WAITING_BYTES
            && (self.is_open || !self.has_ended && !self.waiting.is_empty())
            && (!self.has_ended || self.held() + self.remembered() == 0)
    }

    pub(crate) fn held(&self) -> usize {
        self.client.direction.held() + self.server.direction.held() + self.waiting_bytes
    }

    pub(crate) fn remembered(&self) -> usize {
        self.client.direction.remembered() + self.server.direction.remembered()
    }

    pub(crate) fn forget(&mut self) {
        self.client.direction.forget();
        self.server.direction.forget();
    }
}

/// Client and server of a segment: the client sends the SYN, else has no service's port, else the higher port.
fn endpoints_of(segment: &Segment<'_>) -> Endpoints {
    let (source, destination) = (segment.source, segment.destination);
    let source_is_client = match (segment.flags.syn(), segment.flags.ack()) {
        (true, ack) => !ack,
        (false, _) => match [source, destination].map(|end| Protocol::is_port(end.port())) {
            [true, false] => false,
            [false, true] => true,
            // Clients' ports are given out from a range that is above most services'.
            _ => source.port() >= destination.port(),
        },
    };
    let (client, server) =
        if source_is_client { (source, destination) } else { (destination, source) };
    Endpoints { client, server }
}

/// Whether the segment can only follow the SYN.
fn is_answer(syn: &Segment<'_>, segment: &Segment<'_>) -> bool {
    let next = syn.sequence.wrapping_add(1);
    if segment.source == syn.source {
        !segment.flags.syn() && segment.sequence == next
    } else {
        segment.flags.ack() && segment.acknowledgement == next
    }
}

/// Maximum number of held segments of a connection, and maximum number of bytes of memory for them.
const MAX_WAITING: usize = 64;
const MAX_WAITING_BYTES: usize = 1 << 20;

/// Maximum time for which segments are held, in the capture's time.
pub(crate) const MAX_WAITING_US: i64 = 1_000_000;

impl SideState {
    fn restore(&mut self) -> bool {
        self.direction.restore()
            && self.packets <= MAX_COUNTER
            && self.data_packets <= self.packets
            && self.window_scale.is_none_or(|scale| scale <= 14)
    }

    /// Counts a segment of this side.
    #[inline]
    fn count(&mut self, segment: &Segment<'_>) {
        self.packets += 1;
        self.data_packets += u64::from(segment.payload.len() + segment.missing > 0);
        self.is_silent = false;
    }

    /// Size of the receive window of the segment's sender.
    fn window(&self, segment: &Segment<'_>) -> u64 {
        let window = u64::from(segment.window);
        // Windows of SYNs are not scaled. If no SYN states the scale, the maximum is assumed.
        if segment.flags.syn() { window } else { window << self.window_scale.unwrap_or(14) }
    }

    fn summary(&self) -> SideSummary {
        SideSummary {
            packets: self.data_packets,
            bytes: self.direction.bytes(),
            retransmitted: self.direction.retransmitted(),
            differing: self.direction.differing(),
            lost: self.direction.lost(),
        }
    }
}

/// Extends the time from `start` to `end` so that it includes `ts`.
#[inline]
fn widen(start: &mut Option<i64>, end: &mut Option<i64>, ts: Option<i64>) {
    if ts < *start && ts.is_some() {
        *start = ts;
    }
    *end = (*end).max(ts);
}

fn sink_event(sink: &mut impl StreamSink, stream: u32, side: Side, event: Event<'_>) {
    match event {
        Event::Data { bytes, ts } => sink.data(stream, side, bytes, ts),
        Event::Lost { bytes, ts } => sink.lost(stream, side, bytes, ts),
    }
}
