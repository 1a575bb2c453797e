//! Streams of one capture: each is decoded as its bytes arrive, and becomes a row when it ends.

use std::collections::{HashMap, VecDeque};

use ahash::RandomState;
use jvmwire_codec::message::Side;

use crate::{
    CaptureError, Ending, Endpoints, SkippedPackets, StreamSink, StreamSummary,
    output::{GapReason, Output, OutputOptions, UnansweredAs},
    protocol::Assumed,
    stream::{Mode, Stream},
    tables::{MessageRow, NO_STREAM, StreamRow},
    traffic::MAX_TRAFFIC,
};

/// Streams of one capture.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) open: HashMap<u32, Box<Stream>, RandomState>,
    pub(crate) assumed: Option<Assumed>,
    first_stream: i64,
    pub(crate) next_stream: i64,
    pub(crate) held: usize,
    pub(crate) out: Output,
    /// Input that arrived while the output was full, in order.
    waiting: VecDeque<Waiting>,
}

/// Input of the streams that waits until there is room for its rows. A packet that fills a gap can release as
/// many bytes as were held after the gap.
#[derive(Debug)]
enum Waiting {
    Data {
        stream: u32,
        side: Side,
        bytes: Vec<u8>,
        ts: Option<i64>,
    },
    /// Rest of earlier input.
    Rest {
        stream: u32,
        side: Side,
    },
    Lost {
        stream: u32,
        side: Side,
        bytes: u64,
        why: GapReason,
    },
    Ended {
        stream: u32,
        summary: StreamSummary,
    },
    Damaged(CaptureError),
    Skipped(&'static str, SkippedPackets),
    /// End of all tables.
    Finish,
}

impl Streams {
    pub(crate) fn new(wanted: &OutputOptions, assumed: Option<Assumed>, first_stream: i64) -> Self {
        Self {
            open: HashMap::default(),
            assumed,
            first_stream,
            next_stream: first_stream,
            held: 0,
            out: Output::of_many_streams(wanted),
            waiting: VecDeque::new(),
        }
    }

    /// Calls `act` with a stream, and returns its result: whether all was decoded.
    fn with(&mut self, stream: u32, act: impl FnOnce(&mut Stream, &mut Output) -> bool) -> bool {
        let Some(stream) = self.open.get_mut(&stream) else { return true };
        let is_done = act(stream, &mut self.out);
        let (before, held) = stream.recount();
        self.held = self.held - before + held;
        is_done
    }

    /// Whether the next input can be decoded at once.
    fn has_room(&self) -> bool {
        self.waiting.is_empty() && !self.out.is_full()
    }

    /// Decodes waiting input until the output is full; returns whether it did anything.
    pub(crate) fn go_on(&mut self) -> bool {
        let has_waited = !self.waiting.is_empty();
        while !self.out.is_full()
            && let Some(waiting) = self.waiting.pop_front()
        {
            if let Some(rest) = self.act(waiting) {
                self.waiting.push_front(rest);
            }
        }
        has_waited
    }

    /// Whether no input waits.
    pub(crate) fn is_done(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Decodes the input; returns the rest if the output is full.
    fn act(&mut self, waiting: Waiting) -> Option<Waiting> {
        let is_done = match waiting {
            Waiting::Data { stream, side, ref bytes, ts } => {
                let is_done = self.with(stream, |stream, out| stream.data(side, bytes, ts, out));
                return (!is_done).then_some(Waiting::Rest { stream, side });
            }
            Waiting::Rest { stream, side } => {
                self.with(stream, |stream, out| stream.go_on(side, out))
            }
            Waiting::Lost { stream, side, bytes, why } => {
                self.with(stream, |stream, out| stream.lost(side, bytes, why, out))
            }
            Waiting::Ended { stream, summary } => self.end(stream, summary),
            Waiting::Damaged(ref error) => {
                self.damaged_row(error);
                true
            }
            Waiting::Skipped(reason, skipped) => {
                self.skipped_row(reason, skipped);
                true
            }
            Waiting::Finish => {
                self.out.finish();
                true
            }
        };
        (!is_done).then_some(waiting)
    }

    /// Processes the input at once if there is room, else later.
    fn act_in_turn(&mut self, waiting: Waiting) {
        let rest = if self.has_room() { self.act(waiting) } else { Some(waiting) };
        self.waiting.extend(rest);
    }

    /// Ends the tables.
    pub(crate) fn finish(&mut self) {
        self.act_in_turn(Waiting::Finish);
    }

    /// Adds a row with the error of the file and its offset.
    pub(crate) fn damaged(&mut self, error: &CaptureError) {
        self.act_in_turn(Waiting::Damaged(error.clone()));
    }

    /// Adds a row with the number of skipped packets and the reason.
    pub(crate) fn skipped(&mut self, reason: &'static str, skipped: SkippedPackets) {
        self.act_in_turn(Waiting::Skipped(reason, skipped));
    }

    fn damaged_row(&mut self, error: &CaptureError) {
        let text = error.to_string();
        let row = MessageRow {
            protocol: Some("unknown"),
            stream: Some(NO_STREAM),
            side: Some("any"),
            offset: Some(error.offset().unwrap_or_default().cast_signed()),
            length: Some(0),
            error: Some(&text),
            ..MessageRow::default()
        };
        self.out.undecoded(&row, GapReason::DamagedCapture.reason());
    }

    fn skipped_row(&mut self, reason: &'static str, skipped: SkippedPackets) {
        let text = format!("{reason}: {}", skipped.packets);
        let row = MessageRow {
            protocol: Some("unknown"),
            stream: Some(NO_STREAM),
            side: Some("any"),
            offset: Some(0),
            length: Some(skipped.bytes.cast_signed()),
            error: Some(&text),
            ..MessageRow::default()
        };
        self.out.undecoded(&row, reason);
    }

    /// Ends a stream; returns whether all of it was decoded.
    fn end(&mut self, stream: u32, summary: StreamSummary) -> bool {
        let is_done = self.with(stream, |stream, out| {
            if summary.ending == Ending::Evicted {
                stream.evict();
            }
            if matches!(summary.ending, Ending::EndOfCapture | Ending::Evicted) {
                out.unanswered = UnansweredAs::Open;
            }
            let is_done = stream.end(out);
            out.unanswered = UnansweredAs::Lost;
            is_done
        });
        if !is_done {
            return false;
        }
        let Some(mut ended) = self.open.remove(&stream) else { return true };
        self.held -= ended.recount().0;
        if summary.ending == Ending::Evicted {
            ended.report_eviction(summary.end, &mut self.out);
        }
        let count = |n: u64| Some(n.cast_signed());
        let turned = ended.is_turned_round();
        let (client, server) = if turned {
            (summary.server, summary.client)
        } else {
            (summary.client, summary.server)
        };
        let row = StreamRow {
            stream: Some(ended.number),
            protocol: Some(ended.protocol()),
            client: ended.client.as_deref(),
            server: ended.server.as_deref(),
            start: summary.start,
            end: summary.end,
            client_bytes: count(client.bytes),
            server_bytes: count(server.bytes),
            client_packets: count(client.packets),
            server_packets: count(server.packets),
            client_lost_bytes: count(client.lost),
            server_lost_bytes: count(server.lost),
            client_retransmitted_bytes: count(client.retransmitted),
            server_retransmitted_bytes: count(server.retransmitted),
            client_differing_bytes: count(client.differing),
            server_differing_bytes: count(server.differing),
            messages: Some(ended.messages),
            errors: Some(ended.errors),
            ended: Some(match summary.ending {
                Ending::Fin => "fin",
                Ending::Reset => "reset",
                Ending::Replaced => "replaced",
                Ending::EndOfCapture => "end of capture",
                Ending::Evicted => "evicted",
            }),
        };
        self.out.stream(&row, summary.seen_from_start);
        true
    }
}

impl StreamSink for Streams {
    fn opened(&mut self, stream: u32, ends: &Endpoints, _: Option<i64>, seen_from_start: bool) {
        let number = self.first_stream.saturating_add(stream.into());
        self.next_stream = self.next_stream.max(number.saturating_add(1));
        let mode = if seen_from_start { Mode::FromStart } else { Mode::Midway };
        let mut opened = Stream::new(number, mode, self.assumed);
        opened.client = Some(ends.client.to_string());
        opened.server = Some(ends.server.to_string());
        self.open.insert(stream, Box::new(opened));
    }

    fn data(&mut self, stream: u32, side: Side, bytes: &[u8], ts: Option<i64>) {
        if !self.has_room() {
            self.waiting.push_back(Waiting::Data { stream, side, bytes: bytes.to_vec(), ts });
        } else if !self.with(stream, |stream, out| stream.data(side, bytes, ts, out)) {
            self.waiting.push_back(Waiting::Rest { stream, side });
        }
    }

    fn lost(&mut self, stream: u32, side: Side, bytes: u64, _: Option<i64>) {
        self.act_in_turn(Waiting::Lost { stream, side, bytes, why: GapReason::NotCaptured });
    }

    fn unseen(&mut self, stream: u32, side: Side, bytes: u64, _: Option<i64>) {
        self.act_in_turn(Waiting::Lost { stream, side, bytes, why: GapReason::OneSided });
    }

    fn ended(&mut self, stream: u32, summary: StreamSummary) {
        self.act_in_turn(Waiting::Ended { stream, summary });
    }

    fn held(&self) -> usize {
        self.held
    }

    fn held_of(&self, stream: u32) -> usize {
        self.open.get(&stream).map_or(0, |stream| stream.held())
    }

    const MAX_KEPT: usize = MAX_TRAFFIC;

    fn kept(&self) -> usize {
        self.out.kept()
    }
}
