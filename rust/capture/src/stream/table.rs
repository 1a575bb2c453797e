//! The streams of one capture: each is decoded as its bytes come, and is a row when it ends.

use std::collections::HashMap;

use ahash::RandomState;
use jvmwire_codec::message::Side;

use crate::{
    CaptureError, Ending, Endpoints, SkippedPackets, StreamSink, StreamSummary,
    output::{Output, Unanswered, Undecoded, Wanted},
    protocol::Assumed,
    stream::{Mode, Stream},
    tables::{MessageRow, NO_STREAM, StreamRow},
};

/// The streams of one capture.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) open: HashMap<u32, Stream, RandomState>,
    pub(crate) assumed: Option<Assumed>,
    first_stream: i64,
    pub(crate) next_stream: i64,
    pub(crate) held: usize,
    pub(crate) out: Output,
}

impl Streams {
    pub(crate) fn new(wanted: &Wanted, assumed: Option<Assumed>, first_stream: i64) -> Self {
        Self {
            open: HashMap::default(),
            assumed,
            first_stream,
            next_stream: first_stream,
            held: 0,
            out: Output::of_many_streams(wanted),
        }
    }

    fn with(&mut self, stream: u32, act: impl FnOnce(&mut Stream, &mut Output)) {
        let Some(stream) = self.open.get_mut(&stream) else { return };
        act(stream, &mut self.out);
        let (before, held) = stream.recount();
        self.held = self.held - before + held;
    }

    /// A row that says what is wrong with the file, and where in it.
    pub(crate) fn damaged(&mut self, error: &CaptureError) {
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
        self.out.undecoded(&row, Undecoded::DamagedCapture);
    }

    /// A row that says how many packets were of no use, and why.
    pub(crate) fn skipped(&mut self, why: Undecoded, skipped: SkippedPackets) {
        let text = format!("{}: {}", why.reason(), skipped.packets);
        let row = MessageRow {
            protocol: Some("unknown"),
            stream: Some(NO_STREAM),
            side: Some("any"),
            offset: Some(0),
            length: Some(skipped.bytes.cast_signed()),
            error: Some(&text),
            ..MessageRow::default()
        };
        self.out.undecoded(&row, why);
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
        self.open.insert(stream, opened);
    }

    fn data(&mut self, stream: u32, side: Side, bytes: &[u8], ts: Option<i64>) {
        self.with(stream, |stream, out| stream.data(side, bytes, ts, out));
    }

    fn lost(&mut self, stream: u32, side: Side, bytes: u64, _: Option<i64>) {
        self.with(stream, |stream, out| stream.lost(side, bytes, out));
    }

    fn ended(&mut self, stream: u32, summary: StreamSummary) {
        self.with(stream, |stream, out| {
            if summary.ending == Ending::Evicted {
                stream.evict();
            }
            if matches!(summary.ending, Ending::EndOfCapture | Ending::Evicted) {
                out.unanswered = Unanswered::Open;
            }
            stream.end(out);
            out.unanswered = Unanswered::Lost;
        });
        let Some(mut ended) = self.open.remove(&stream) else { return };
        self.held -= ended.recount().0;
        let count = |n: u64| Some(n.cast_signed());
        let turned = ended.is_turned_round();
        let (client, server) = if turned {
            (summary.server, summary.client)
        } else {
            (summary.client, summary.server)
        };
        self.out.stream(&StreamRow {
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
        });
    }

    fn held(&self) -> usize {
        self.held
    }

    fn held_of(&self, stream: u32) -> usize {
        self.open.get(&stream).map_or(0, Stream::held)
    }
}
