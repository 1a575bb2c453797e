//! One TCP connection, and what it tells of its two directions.

use std::net::SocketAddr;

use jvmwire_codec::message::Side;
use serde::{Deserialize, Serialize};

use crate::limits::HIGHEST;
use crate::net::packet::Segment;
use crate::net::tcp::{Direction, Event, MAX_HELD_PER_DIRECTION};
use crate::protocol::Protocol;

/// What wants to know of streams.
pub trait StreamSink {
    /// A connection's first packet came. Without `seen_from_start` its beginning was not captured.
    fn opened(
        &mut self,
        stream: u32,
        endpoints: &Endpoints,
        ts: Option<i64>,
        seen_from_start: bool,
    );

    /// The next bytes that `side` wrote.
    fn data(&mut self, stream: u32, side: Side, bytes: &[u8], ts: Option<i64>);

    /// The next `bytes` bytes that `side` wrote were not captured.
    fn lost(&mut self, stream: u32, side: Side, bytes: u64, ts: Option<i64>);

    /// Nothing more will come of the stream.
    fn ended(&mut self, stream: u32, summary: StreamSummary);

    /// How many bytes the sink keeps, over all streams, until more comes. They count against
    /// [`Limits::held`](crate::net::connection_table::Limits::held).
    fn held(&self) -> usize {
        0
    }

    /// How many of them are of this stream.
    fn held_of(&self, _stream: u32) -> usize {
        0
    }

    /// How many bytes the sink keeps of no stream, whichever ends. What streams may keep is so much less.
    fn kept(&self) -> usize {
        0
    }
}

/// Who talks with whom.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
pub struct Endpoints {
    /// Who connected: the sender of the SYN, else whose port is not a service's, else whose is higher.
    pub client: SocketAddr,
    /// Who was connected to.
    pub server: SocketAddr,
}

/// How a stream ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// Both sides closed it.
    Fin,
    /// One side broke it off.
    Reset,
    /// A new connection took its ports: its end was not captured.
    Replaced,
    /// It was open when the capture ended.
    EndOfCapture,
    /// A limit was reached and it had been idle the longest.
    Evicted,
}

/// What is known of a stream at its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StreamSummary {
    /// Who talked with whom.
    pub endpoints: Endpoints,
    /// When the first packet came.
    pub start: Option<i64>,
    /// When the last one came.
    pub end: Option<i64>,
    /// Whether the beginning was captured.
    pub seen_from_start: bool,
    /// What the client wrote.
    pub client: SideSummary,
    /// What the server wrote.
    pub server: SideSummary,
    /// How it ended.
    pub ending: Ending,
}

/// What one side of a stream wrote.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SideSummary {
    /// Packets, with or without payload.
    pub packets: u64,
    /// Bytes of the stream.
    pub bytes: u64,
    /// Bytes that came again.
    pub retransmitted: u64,
    /// Those of them that were not what they had been.
    pub differing: u64,
    /// Bytes of the stream that were not captured.
    pub lost: u64,
}

/// The two directions of a connection, and whether it is over.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Connection {
    pub(crate) number: u32,
    pub(crate) endpoints: Endpoints,
    /// The virtual network, as in [`Segment`].
    pub(crate) network: u32,
    pub(crate) seen_from_start: bool,
    start: Option<i64>,
    end: Option<i64>,
    client: Half,
    server: Half,
    pub(crate) has_ended: bool,
    was_reset: bool,
}

#[derive(Debug, Default, Deserialize, Serialize)]
struct Half {
    direction: Direction,
    packets: u64,
}

impl Connection {
    pub(crate) fn opened_by(segment: &Segment<'_>, number: u32, ts: Option<i64>) -> Self {
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
        Self {
            number,
            endpoints: Endpoints { client, server },
            network: segment.network,
            seen_from_start: segment.flags.syn(),
            start: ts,
            end: ts,
            client: Half::default(),
            server: Half::default(),
            has_ended: false,
            was_reset: false,
        }
    }

    fn side_of(&self, segment: &Segment<'_>) -> Side {
        if segment.source == self.endpoints.client { Side::Client } else { Side::Server }
    }

    /// Whether the segment is of a new connection between the same ports.
    pub(crate) fn gives_way_to(&self, segment: &Segment<'_>) -> bool {
        if !self.has_ended && !segment.flags.syn() {
            return false;
        }
        let direction = match self.side_of(segment) {
            Side::Client => &self.client.direction,
            Side::Server => &self.server.direction,
        };
        if segment.flags.syn() {
            return !direction.is_opened_by(segment.sequence)
                || self.has_ended && !direction.has_syn(segment.sequence);
        }
        if segment.flags.rst() || segment.payload.is_empty() {
            return false;
        }
        // What was under way when the connection was reset is late; behind a FIN nothing comes.
        let slack = if self.was_reset { MAX_HELD_PER_DIRECTION as u64 } else { 0 };
        let len = u32::try_from(segment.payload.len()).unwrap_or(u32::MAX);
        direction.is_passed_by(segment.sequence.wrapping_add(len), slack)
    }

    /// Takes a segment; says so if it ends the stream.
    pub(crate) fn segment(
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
        from.packets += 1;
        self.end = self.end.max(ts);
        let flags = segment.flags;
        if flags.rst() {
            // Neither its number nor a payload that explains it is of the stream.
            return Some(Ending::Reset);
        }
        let mut sequence = segment.sequence;
        if flags.syn() {
            from.direction.syn(sequence);
            sequence = sequence.wrapping_add(1);
            if flags.ack() {
                to.direction.start(segment.acknowledgement);
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
            let mut report = |event: Event<'_>| sink_event(sink, number, side.peer(), event);
            to.direction.acknowledge(segment.acknowledgement, &mut report);
        }
        let both = [&self.client.direction, &self.server.direction];
        both.iter().all(|it| it.is_finished() && it.is_acknowledged()).then_some(Ending::Fin)
    }

    pub(crate) fn end(&mut self, ending: Ending, sink: &mut impl StreamSink) {
        let closed = |half: &Half| half.direction.is_finished();
        // Only the last acknowledgement is missing.
        let ending =
            if closed(&self.client) && closed(&self.server) { Ending::Fin } else { ending };
        for (side, half) in [(Side::Client, &mut self.client), (Side::Server, &mut self.server)] {
            let mut report = |event: Event<'_>| sink_event(sink, self.number, side, event);
            half.direction.finish(self.end, &mut report);
        }
        self.has_ended = true;
        self.was_reset = ending == Ending::Reset;
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

    /// Finds again what follows from what was saved, and says whether that can be.
    pub(crate) fn loaded(&mut self) -> bool {
        let are_sound = self.client.loaded() && self.server.loaded();
        are_sound && (!self.has_ended || self.held() + self.remembered() == 0)
    }

    pub(crate) fn held(&self) -> usize {
        self.client.direction.held() + self.server.direction.held()
    }

    pub(crate) fn remembered(&self) -> usize {
        self.client.direction.remembered() + self.server.direction.remembered()
    }

    pub(crate) fn forget(&mut self) {
        self.client.direction.forget();
        self.server.direction.forget();
    }
}

impl Half {
    fn loaded(&mut self) -> bool {
        self.direction.loaded() && self.packets <= HIGHEST
    }

    fn summary(&self) -> SideSummary {
        SideSummary {
            packets: self.packets,
            bytes: self.direction.bytes(),
            retransmitted: self.direction.retransmitted(),
            differing: self.direction.differing(),
            lost: self.direction.lost(),
        }
    }
}

fn sink_event(sink: &mut impl StreamSink, stream: u32, side: Side, event: Event<'_>) {
    match event {
        Event::Data { bytes, ts } => sink.data(stream, side, bytes, ts),
        Event::Lost { bytes, ts } => sink.lost(stream, side, bytes, ts),
    }
}
