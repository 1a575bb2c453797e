//! Decoder of captures into tables: takes bytes, returns record batches.

use std::collections::HashMap;

use ahash::RandomState;
use arrow_array::RecordBatch;
use serde::{Deserialize, Serialize};

use crate::{
    CaptureError, CaptureReader, Connections, Decompressor, MAX_CONNECTIONS, MAX_STATE, Packet,
    Result, SkipReason,
    limits::{CONNECTION_SIZE, MAX_MEMORY, READY_LIMIT, STREAM_SIZE},
    net::skipped::NO_TCP,
    output::OutputOptions,
    overlap::{FileOverlap, OVERLAP},
    protocol::Assumed,
    state::{self, StateError},
    stream::Stream,
    stream::table::Streams,
    tables::Table,
};

/// Decoder of a capture file, compressed or not, fed in chunks of any size.
///
/// Rows are returned while a chunk is being decoded. When the ready rows reach [`READY_LIMIT`], the remaining
/// input waits undecoded until they are taken: the rest of the chunk, of the bytes released by a packet that
/// filled a gap, of a stream's end, or of a message that contains others.
pub struct CaptureDecoder {
    decompressor: Decompressor,
    pipeline: Pipeline,
    waiting: Waiting,
    /// First error of the file.
    damage: Option<CaptureError>,
    /// Whether the error was found while rows were taken, so that no call has returned it yet.
    is_damage_unreported: bool,
}

/// Rest of a chunk, which waits until ready rows are taken.
#[derive(Default)]
struct Waiting {
    bytes: Vec<u8>,
    /// Number of its bytes that are decoded.
    at: usize,
    /// Whether more can be decoded: with no bytes left, a decompressor may still hold output.
    is_unfinished: bool,
    /// Whether all rows are flushed after it is decoded.
    is_flush_due: bool,
}

struct Pipeline {
    reader: CaptureReader,
    overlap: FileOverlap,
    connections: Connections,
    streams: Streams,
}

impl Pipeline {
    fn feed(&mut self, bytes: &[u8]) -> Result<()> {
        let Self { reader, overlap, connections, streams } = self;
        reader.feed(bytes, &mut |packet: Packet<'_>| {
            overlap.packet(packet.ts, packet.original_len);
            connections.packet(&packet, streams);
        })
    }

    /// Reports the packets of the ended file that are older than the end of an earlier file.
    fn end_file(&mut self) {
        let overlapping = self.overlap.end_file();
        if overlapping.packets > 0 {
            self.streams.skipped(OVERLAP, overlapping);
        }
    }
}

impl CaptureDecoder {
    /// Creates a decoder that numbers streams from `first_stream` on. Properties in `assumed` are not detected.
    #[must_use]
    pub fn new(wanted: &OutputOptions, assumed: Option<Assumed>, first_stream: i64) -> Self {
        Self {
            decompressor: Decompressor::new(),
            pipeline: Pipeline {
                reader: CaptureReader::new(),
                overlap: FileOverlap::default(),
                connections: Connections::new(),
                streams: Streams::new(wanted, assumed, first_stream),
            },
            waiting: Waiting::default(),
            damage: None,
            is_damage_unreported: false,
        }
    }

    /// Continues from the state of [`save`](Self::save), in this process or in another: the same rows follow as
    /// would have followed there. Numbers of streams are shifted by `first_stream`.
    ///
    /// # Errors
    /// [`StateError`] for a state that no decoder of this build has saved.
    pub fn load(
        wanted: &OutputOptions,
        saved: &[u8],
        first_stream: i64,
    ) -> std::result::Result<Self, StateError> {
        let Saved { reader, overlap, connections, mut open, assumed, next_stream, redacted } =
            state::decode(saved)?;
        let connections = connections.restore().ok_or(StateError::Damaged)?;
        let are_open = connections.open_streams().all(|number| open.contains_key(&number));
        let is_sound = reader.is_sound()
            && overlap.is_sound()
            && assumed.as_ref().is_none_or(Assumed::is_sound)
            && open.values().all(|stream| stream.is_sound() && stream.number < next_stream)
            && are_open
            && connections.open_streams().count() == open.len();
        if !is_sound {
            return Err(StateError::Damaged);
        }
        let mut streams = Streams::new(wanted, assumed, first_stream);
        for stream in open.values_mut() {
            stream.number = stream.number.saturating_add(first_stream);
            if let Some(redaction) = wanted.redaction.filter(|_| !redacted) {
                stream.redact(redaction);
            }
        }
        streams.next_stream = next_stream.saturating_add(first_stream);
        streams.held = open.values_mut().map(|stream| stream.recount().1).sum();
        streams.open = open;
        let decompressor = match reader.offset() {
            0 => Decompressor::new(),
            offset => Decompressor::of_plain(offset),
        };
        let pipeline = Pipeline { reader, overlap, connections, streams };
        let waiting = Waiting::default();
        Ok(Self { decompressor, pipeline, waiting, damage: None, is_damage_unreported: false })
    }

    /// Returns the state from which [`load`](Self::load) continues, and the offset in the file from which it
    /// must be fed, where a record of the capture begins. `None` inside a compressed file, after damage, and if
    /// the decoder was created without [`OutputOptions::state`].
    ///
    /// # Errors
    /// [`StateError`] if the state exceeds [`MAX_STATE`](crate::MAX_STATE).
    pub fn save(&self) -> std::result::Result<Option<(u64, Vec<u8>)>, StateError> {
        let Pipeline { reader, overlap, connections, streams } = &self.pipeline;
        let at_start = reader.offset() == 0;
        let can_go_on = at_start || self.decompressor.is_plain();
        if !streams.out.keeps_state || self.damage.is_some() || !can_go_on {
            return Ok(None);
        }
        let saved = SavedRef {
            reader,
            overlap,
            connections,
            open: &streams.open,
            assumed: streams.assumed,
            next_stream: streams.next_stream,
            redacted: streams.out.redaction.is_some(),
        };
        Ok(Some((reader.offset(), state::encode(&saved)?)))
    }

    /// Feeds the next bytes of the file, after the bytes fed before are decoded completely.
    ///
    /// # Errors
    /// The error of the file: nothing more can be read of it, and [`finish`](Self::finish) still ends the
    /// tables.
    pub fn feed(&mut self, bytes: &[u8]) -> Result<()> {
        self.decode_waiting(usize::MAX);
        let mut rest = bytes;
        let fed = self.decode(&mut rest, READY_LIMIT);
        if let Ok(is_unfinished) = fed {
            self.waiting.is_unfinished = is_unfinished;
            self.waiting.bytes.extend_from_slice(rest);
        }
        self.is_damage_unreported = false;
        fed.map(|_| ())
    }

    /// Decodes from the start of `rest` until the ready rows reach `limit` bytes; returns whether more can be
    /// decoded.
    fn decode(&mut self, rest: &mut &[u8], limit: usize) -> Result<bool> {
        let pipeline = &mut self.pipeline;
        loop {
            let fed = self.decompressor.feed_piece(rest, &mut |plain: &[u8]| pipeline.feed(plain));
            if let Err(error) = &fed {
                self.damage.get_or_insert_with(|| error.clone());
            }
            if !fed? {
                return Ok(false);
            }
            if pipeline.streams.out.ready_bytes() >= limit {
                return Ok(true);
            }
        }
    }

    /// Decodes waiting input until the ready rows reach `limit` bytes; returns whether it did anything.
    fn decode_waiting(&mut self, limit: usize) -> bool {
        if !self.waiting.is_unfinished {
            return false;
        }
        let bytes = std::mem::take(&mut self.waiting.bytes);
        let mut rest = bytes.get(self.waiting.at..).unwrap_or_default();
        let decoded = self.decode(&mut rest, limit);
        self.is_damage_unreported |= decoded.is_err();
        self.waiting.is_unfinished = decoded.unwrap_or(false);
        self.waiting.at = bytes.len() - rest.len();
        if self.waiting.is_unfinished {
            self.waiting.bytes = bytes;
        } else {
            self.waiting.at = 0;
            self.flush_if_due();
        }
        true
    }

    /// Decodes until the ready rows reach their limit; returns whether it did anything. Decoded data that waits
    /// for room precedes undecoded input. Nothing is decoded while ready output of either kind exceeds its
    /// limit.
    fn go_on(&mut self) -> bool {
        if self.pipeline.streams.out.is_full() {
            return false;
        }
        if self.pipeline.streams.go_on() {
            self.flush_if_due();
            return true;
        }
        self.decode_waiting(READY_LIMIT)
    }

    fn flush_if_due(&mut self) {
        let is_done = !self.waiting.is_unfinished && self.pipeline.streams.is_done();
        if is_done && std::mem::take(&mut self.waiting.is_flush_due) {
            self.pipeline.streams.out.flush();
        }
    }

    /// Ends the file, every stream and every table.
    ///
    /// # Errors
    /// If the file is damaged or ends inside a record; the tables are ended anyway.
    pub fn finish(&mut self) -> Result<()> {
        let ended = self.ended();
        let pipeline = &mut self.pipeline;
        pipeline.end_file();
        pipeline.connections.finish(&mut pipeline.streams);
        let connections = &pipeline.connections;
        let by_reason = SkipReason::ALL
            .into_iter()
            .filter_map(|why| why.reason().map(|reason| (reason, connections.skipped(why))));
        for (reason, skipped) in by_reason.chain([(NO_TCP, connections.skipped_without_tcp())]) {
            if skipped.packets > 0 {
                pipeline.streams.skipped(reason, skipped);
            }
        }
        if let Err(error) = ended {
            pipeline.streams.damaged(&error);
            self.damage = Some(error);
        }
        pipeline.streams.finish();
        self.damage.clone().map_or(Ok(()), Err)
    }

    /// Ends the file: the next bytes are those of another file of the same capture, in which the streams
    /// continue.
    ///
    /// # Errors
    /// The error of the file that ends.
    pub fn end_file(&mut self) -> Result<()> {
        let ended = self.ended();
        if let Err(error) = &ended {
            self.pipeline.streams.damaged(error);
        }
        self.pipeline.end_file();
        self.decompressor = Decompressor::new();
        self.pipeline.reader = CaptureReader::new();
        self.damage = None;
        ended
    }

    /// Ends the tables but no stream: the rest of the capture is decoded elsewhere.
    pub fn suspend(&mut self) {
        self.decode_waiting(usize::MAX);
        self.pipeline.streams.finish();
    }

    /// Records that the file cannot be read further, with the reason.
    pub fn break_off(&mut self, reason: &str) {
        self.damage.get_or_insert_with(|| CaptureError::Unreadable { reason: reason.to_owned() });
    }

    /// Returns an error if the file was damaged.
    fn ended(&mut self) -> Result<()> {
        self.decode_waiting(usize::MAX);
        self.is_damage_unreported = false;
        let pipeline = &mut self.pipeline;
        let whole = self.decompressor.finish(&mut |plain: &[u8]| pipeline.feed(plain));
        let ended = whole.and_then(|()| pipeline.reader.finish());
        self.damage.clone().map_or(ended, Err)
    }

    /// Bytes that could not be decoded: the reason, the number of pieces, and the number of bytes.
    #[must_use]
    pub fn undecoded(&self) -> Vec<(&'static str, u64, u64)> {
        self.pipeline.streams.out.undecoded_by_reason()
    }

    /// Completes the batches of all rows decoded so far, for readers of a growing file.
    pub fn flush(&mut self) {
        self.waiting.is_flush_due = self.waiting.is_unfinished || !self.pipeline.streams.is_done();
        self.pipeline.streams.out.flush();
    }

    /// Takes the next batch and its table: `None` when all fed bytes are decoded, or when there is so much
    /// explanation that it must be [taken](Self::take_text) first.
    pub fn next_batch(&mut self) -> Option<(Table, RecordBatch)> {
        loop {
            let batch = self.pipeline.streams.out.next_batch();
            if batch.is_some() || !self.go_on() {
                return batch;
            }
        }
    }

    /// Takes the explanation: empty when all fed bytes are decoded, or when there are so many rows that they
    /// must be [taken](Self::next_batch) first.
    pub fn take_text(&mut self) -> String {
        loop {
            let text = self.pipeline.streams.out.take_text();
            if !text.is_empty() || !self.go_on() {
                return text;
            }
        }
    }

    /// Returns an error of the file that was found after [`feed`](Self::feed) returned, once.
    ///
    /// # Errors
    /// The error of the file.
    pub fn take_damage(&mut self) -> Result<()> {
        let damage = self.damage.as_ref().filter(|_| self.is_damage_unreported);
        let damage = damage.cloned().map_or(Ok(()), Err);
        self.is_damage_unreported = false;
        damage
    }

    /// One more than the number of the last stream.
    #[must_use]
    pub fn next_stream(&self) -> i64 {
        self.pipeline.streams.next_stream
    }
}

/// Saved state of a decoder between two records.
#[derive(Deserialize)]
struct Saved {
    reader: CaptureReader,
    overlap: FileOverlap,
    connections: Connections,
    open: HashMap<u32, Box<Stream>, RandomState>,
    assumed: Option<Assumed>,
    next_stream: i64,
    redacted: bool,
}

/// Borrowed form of [`Saved`].
#[derive(Serialize)]
struct SavedRef<'a> {
    reader: &'a CaptureReader,
    overlap: &'a FileOverlap,
    connections: &'a Connections,
    open: &'a HashMap<u32, Box<Stream>, RandomState>,
    assumed: Option<Assumed>,
    next_stream: i64,
    redacted: bool,
}

/// The maximum state of all streams and of all connections fits into a saved state.
const _: () = {
    let of_each = MAX_CONNECTIONS * (STREAM_SIZE + CONNECTION_SIZE);
    assert!(MAX_MEMORY + of_each <= MAX_STATE);
};

#[cfg(test)]
mod tests {
    use jvmwire_codec::message::Side;
    use proptest::prelude::*;

    use super::*;
    use crate::net::connection_table::Limits;
    use crate::{CaptureWriter, DumpDecoder, DumpOf, Protocol, write_jsonl};
    use arrow_array::cast::AsArray;

    const SEED: &[u8] = include_bytes!("../../../tests/vectors/hadoop/seed/client-call.bin");
    const SEED_REPLY: &[u8] = include_bytes!("../../../tests/vectors/hadoop/seed/reply.bin");

    fn wanted() -> OutputOptions {
        OutputOptions { messages: true, calls: true, streams: true, ..OutputOptions::default() }
    }

    /// Creates a capture of a number of connections, each with the seed's call.
    fn capture(connections: u16) -> Vec<u8> {
        let mut writer = CaptureWriter::new();
        let mut file = writer.header().to_vec();
        for number in 0..connections {
            let client = ([10, 0, 0, 7], 40_000 + number).into();
            let id = writer.open(client, ([10, 0, 0, 1], 8020).into(), 0, &mut file);
            writer.data(id, Side::Client, SEED, 1, &mut file).unwrap();
            writer.data(id, Side::Server, SEED_REPLY, 4, &mut file).unwrap();
            writer.close(id, 5, &mut file).unwrap();
        }
        file
    }

    /// Creates a capture of one connection whose client's first packet comes after all others: `data` of each
    /// side after the gap, and the way in which the connection ends.
    fn behind_a_hole(data: &[u8], is_closed: bool) -> Vec<u8> {
        let mut writer = CaptureWriter::new();
        let mut file = writer.header().to_vec();
        let (client, server) = (([10, 0, 0, 7], 40_000).into(), ([10, 0, 0, 1], 8020).into());
        let id = writer.open(client, server, 0, &mut file);
        let mut first = Vec::new();
        writer.data(id, Side::Client, SEED, 1, &mut first).unwrap();
        for piece in data.chunks(50_000) {
            writer.data(id, Side::Client, piece, 2, &mut file).unwrap();
        }
        if is_closed {
            writer.close(id, 5, &mut file).unwrap();
        }
        file.extend(first);
        file
    }

    #[test]
    fn batches_do_not_wait_for_explanations_nor_explanations_for_batches() {
        // Pings of a client, whose explanations and rows take several times the limit.
        let file = behind_a_hole(&vec![0xff; 600_000], true);
        let explained = OutputOptions { explanation: true, ..OutputOptions::default() };
        for wanted in [explained, OutputOptions { explanation: true, fields: true, ..wanted() }] {
            let mut decoder = CaptureDecoder::new(&wanted, None, 0);
            for piece in file.chunks(1 << 17) {
                decoder.feed(piece).unwrap();
            }
            decoder.finish().unwrap();
            let (mut lines, mut rows, mut is_done) = (0, 0, false);
            while !is_done {
                is_done = true;
                while let Some((_, batch)) = decoder.next_batch() {
                    (rows, is_done) = (rows + batch.num_rows(), false);
                }
                loop {
                    let text = decoder.take_text();
                    if text.is_empty() {
                        break;
                    }
                    (lines, is_done) = (lines + text.lines().count(), false);
                }
            }
            assert!(lines > 600_000 / 4, "{lines}");
            assert!(rows > 600_000 / 4 || !wanted.messages, "{rows}");
        }
    }

    #[test]
    fn rows_of_a_filled_hole_are_handed_out_as_they_are_taken() {
        // Pings of a client: a row each. With a last message that is cut short, what is in it is searched.
        let pings = vec![0xff; 600_000];
        let mut cut_short = pings.clone();
        cut_short.extend([0, 0x0f, 0, 0]);
        cut_short.extend(&pings);
        for (data, is_closed) in [(&pings, false), (&pings, true), (&cut_short, true)] {
            let file = behind_a_hole(data, is_closed);
            let mut all = wanted();
            all.fields = true;
            let mut decoder = CaptureDecoder::new(&all, None, 0);
            let (mut messages, mut offset) = (0, 0);
            let mut take = |decoder: &mut CaptureDecoder| {
                while let Some((table, batch)) = decoder.next_batch() {
                    let ready = decoder.pipeline.streams.out.ready_bytes();
                    assert!(ready < 2 * READY_LIMIT, "{ready} bytes are ready");
                    if table == Table::Messages {
                        messages += batch.num_rows();
                        let offsets: &arrow_array::Int64Array = batch["offset"].as_primitive();
                        assert!(offsets.values().iter().all(|it| *it >= offset));
                        offset = offsets.values().last().copied().unwrap_or(offset);
                    }
                }
            };
            for piece in file.chunks(1 << 17) {
                decoder.feed(piece).unwrap();
                take(&mut decoder);
            }
            decoder.finish().unwrap();
            take(&mut decoder);
            assert!(messages > pings.len() / 4, "{messages}");
        }
    }

    fn rows(mut next: impl FnMut() -> Option<(Table, RecordBatch)>, wanted: Table) -> Vec<String> {
        let mut text = Vec::new();
        while let Some((table, batch)) = next() {
            if table == wanted {
                write_jsonl(&batch, &mut text);
            }
        }
        String::from_utf8(text).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn evicted_connection_has_a_row_in_every_table_that_reports_undecoded_data() {
        let mut writer = CaptureWriter::new();
        let mut file = writer.header().to_vec();
        for (number, data) in [SEED, b"GET / HTTP/1.1\r\n", SEED].into_iter().enumerate() {
            let client = ([10, 0, 0, 7], 40_000 + u16::try_from(number).unwrap()).into();
            let id = writer.open(client, ([10, 0, 0, 1], 8020).into(), 0, &mut file);
            writer.data(id, Side::Client, data, 1, &mut file).unwrap();
        }
        let wanted = OutputOptions { traffic: true, ..wanted() };
        let mut decoder = CaptureDecoder::new(&wanted, None, 0);
        let limits = Limits { connections: 1, ..Limits::default() };
        decoder.pipeline.connections = Connections::with_limits(limits);
        decoder.feed(&file).unwrap();
        decoder.finish().unwrap();
        let mut text = Vec::new();
        while let Some((_, batch)) = decoder.next_batch() {
            write_jsonl(&batch, &mut text);
        }
        let text = String::from_utf8(text).unwrap();
        let why = "connection given up to stay within the memory limit";
        let rows: Vec<_> = text.lines().filter(|row| row.contains(why)).collect();
        let [message, traffic] = rows[..] else { panic!("{rows:?}") };
        assert!(message.contains(r#""stream":0,"side":"any","offset":0,"length":0"#), "{message}");
        assert!(traffic.contains(r#""aspect":"undecoded""#), "{traffic}");
        assert!(decoder.undecoded().contains(&(why, 1, 0)), "{:?}", decoder.undecoded());
        let evicted: Vec<_> =
            text.lines().filter(|row| row.contains(r#""ended":"evicted""#)).collect();
        assert_eq!(evicted.len(), 2);
        assert!(evicted[0].contains(r#""errors":1"#), "{}", evicted[0]);
    }

    #[test]
    fn streams_are_numbered_from_where_they_shall_be() {
        let mut decoder = CaptureDecoder::new(&wanted(), None, 7);
        decoder.feed(&capture(3)).unwrap();
        decoder.finish().unwrap();
        assert_eq!(decoder.next_stream(), 10);
        let streams = rows(|| decoder.next_batch(), Table::Streams);
        for (row, number) in streams.iter().zip(7..) {
            assert!(row.starts_with(&format!("{{\"stream\":{number},")), "{row}");
        }
        assert_eq!(streams.len(), 3);
        assert!(decoder.undecoded().is_empty());
    }

    #[test]
    fn call_has_its_addresses_and_how_long_it_took() {
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        decoder.feed(&capture(1)).unwrap();
        decoder.finish().unwrap();
        let calls = rows(|| decoder.next_batch(), Table::Calls);
        for part in [r#""client":"10.0.0.7:40000""#, r#""latency_us":3"#, r#""status":"ok""#] {
            assert!(calls[0].contains(part), "{part} in {}", calls[0]);
        }
    }

    #[test]
    fn packets_before_damage_are_kept_and_the_damage_is_a_row() {
        let file = capture(2);
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        decoder.feed(&file[..file.len() - 10]).unwrap();
        let error = decoder.finish().unwrap_err();
        assert!(matches!(error, CaptureError::CutShort { .. }));
        let messages = rows(|| decoder.next_batch(), Table::Messages);
        assert_eq!(messages.len(), 2 * 4 + 1);
        assert!(messages[8].contains(&error.to_string()));
        assert_eq!(decoder.undecoded(), [("the capture file is damaged", 1, 0)]);
    }

    /// Creates a compressed capture of one connection with a number of pings in millions, 15,000 per packet.
    fn bomb(pings: usize) -> Vec<u8> {
        let mut writer = CaptureWriter::new();
        let mut file = writer.header().to_vec();
        let client = ([10, 0, 0, 7], 40_000).into();
        let id = writer.open(client, ([10, 0, 0, 1], 8020).into(), 0, &mut file);
        writer.data(id, Side::Client, SEED, 1, &mut file).unwrap();
        let packet = vec![0xff; 60_000];
        for _ in 0..pings * 1_000_000 / 15_000 {
            writer.data(id, Side::Client, &packet, 2, &mut file).unwrap();
        }
        writer.close(id, 5, &mut file).unwrap();
        zstd::encode_all(&file[..], 3).unwrap()
    }

    #[test]
    fn ready_rows_are_bounded_however_small_the_file_is() {
        let file = bomb(2);
        assert!(file.len() < 64 << 10);
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        decoder.feed(&file).unwrap();
        let (mut rows, mut most) = (0, 0);
        loop {
            most = most.max(decoder.pipeline.streams.out.ready_bytes());
            let Some((table, batch)) = decoder.next_batch() else { break };
            rows += if table == Table::Messages { batch.num_rows() } else { 0 };
        }
        assert!((1..READY_LIMIT * 2).contains(&most), "{most}");
        decoder.finish().unwrap();
        while let Some((table, batch)) = decoder.next_batch() {
            rows += if table == Table::Messages { batch.num_rows() } else { 0 };
        }
        assert_eq!(rows, 3 + 2_000_000 / 15_000 * 15_000);
    }

    #[test]
    fn damage_after_waiting_rows_is_reported_when_they_are_taken() {
        let mut file = bomb(2);
        let len = file.len();
        file[len - 100..].fill(0xff);
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        decoder.feed(&file).unwrap();
        assert_eq!(decoder.take_damage(), Ok(()));
        while decoder.next_batch().is_some() {}
        let damage = decoder.take_damage().unwrap_err();
        assert!(matches!(damage, CaptureError::Zstd { .. }), "{damage}");
        assert_eq!(decoder.take_damage(), Ok(()));
        assert_eq!(decoder.finish(), Err(damage));
    }

    #[test]
    fn flush_writes_waiting_events() {
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        decoder.feed(&bomb(2)).unwrap();
        decoder.flush();
        let mut rows = 0;
        while let Some((_, batch)) = decoder.next_batch() {
            rows += batch.num_rows();
        }
        // The messages, the call that was never answered, and its stream.
        assert_eq!(rows, 3 + 2_000_000 / 15_000 * 15_000 + 1 + 1);
    }

    #[test]
    fn streams_that_ended_keep_nothing() {
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        let file = capture(3);
        let mut most = 0;
        for piece in file.chunks(50) {
            decoder.feed(piece).unwrap();
            most = most.max(decoder.pipeline.streams.held);
        }
        // The user and the open call of a connection.
        assert!(most > 100, "{most}");
        assert_eq!((decoder.pipeline.streams.open.len(), decoder.pipeline.streams.held), (0, 0));
    }

    /// Splits the packets of a capture that are longer than `size` into fragments of that size, the last first.
    /// All packets are IPv4 in Ethernet frames, without options.
    fn fragmented(file: &[u8], size: usize) -> Vec<u8> {
        let mut out = file[..24].to_vec();
        let mut number = 0_u16;
        let mut cut = |packet: Packet<'_>| {
            let record = usize::try_from(packet.file_offset).unwrap();
            let (time, (headers, carried)) =
                (&file[record..record + 8], packet.data.split_at(14 + 20));
            number += 1;
            for (at, part) in carried.chunks(size).enumerate().collect::<Vec<_>>().into_iter().rev()
            {
                let more = u16::from((at + 1) * size < carried.len()) << 13;
                let place = u16::try_from(at * size / 8).unwrap() | more;
                let len = u16::try_from(20 + part.len()).unwrap();
                let mut headers = headers.to_vec();
                headers[16..18].copy_from_slice(&len.to_be_bytes());
                headers[18..20].copy_from_slice(&number.to_be_bytes());
                headers[20..22].copy_from_slice(&place.to_be_bytes());
                let len = (u32::from(len) + 14).to_le_bytes();
                out.extend([time, &len, &len, &headers, part].concat());
            }
        };
        CaptureReader::new().feed(file, &mut cut).unwrap();
        out
    }

    fn messages_of(file: &[u8]) -> (Vec<String>, Vec<(&'static str, u64, u64)>) {
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        decoder.feed(file).unwrap();
        decoder.finish().unwrap();
        let rows = rows(|| decoder.next_batch(), Table::Messages);
        (rows, decoder.undecoded())
    }

    #[test]
    fn capture_of_fragments_gives_the_same_rows() {
        let whole = messages_of(&capture(3));
        assert_eq!((whole.0.len(), whole.1.len()), (12, 0));
        for size in [24, 40, 96] {
            assert_eq!(messages_of(&fragmented(&capture(3), size)), whole);
        }
    }

    #[test]
    fn packets_that_are_of_no_use_are_a_row_by_reason() {
        let file = capture(1);
        let mut unknown = file.clone();
        unknown[20] = 105;
        let (rows, undecoded) = messages_of(&unknown);
        assert!(rows[0].contains(r#""error":"packets of a link type not known here: 8""#));
        assert_eq!(undecoded.len(), 1);
        assert_eq!(undecoded[0].0, "packets of a link type not known here");

        // Without its last packet, which is the first part of an acknowledgement.
        let fragments = fragmented(&file, 16);
        let lost = fragments.len() - (16 + 14 + 20 + 16);
        let (rows, undecoded) = messages_of(&fragments[..lost]);
        assert_eq!(undecoded, [("fragments of IP packets that are not whole", 1, 4)]);
        assert_eq!(rows[..4], messages_of(&file).0);
        assert!(rows[4].contains(r#""stream":-1,"side":"any","offset":0,"length":4"#));
    }

    #[test]
    fn explanation_of_a_capture_names_the_stream() {
        let wanted = OutputOptions { explanation: true, ..OutputOptions::default() };
        let mut decoder = CaptureDecoder::new(&wanted, None, 0);
        let file = capture(2);
        decoder.feed(&file[..file.len() - 10]).unwrap();
        decoder.finish().unwrap_err();
        let text = decoder.take_text();
        for line in [
            "// ---- Reply: server wrote 55 bytes at offset 0 of stream 0\n",
            "// ---- Reply: server wrote 55 bytes at offset 0 of stream 1\n",
            "// ---- 0 bytes of the capture at offset ",
        ] {
            assert!(text.contains(line), "{line}");
        }
        let mut dump = DumpDecoder::new(&wanted, Protocol::Hadoop.into(), DumpOf::One);
        dump.feed(Side::Server, SEED_REPLY);
        dump.finish();
        assert!(dump.take_text().starts_with("// ---- Reply: server wrote 55 bytes at offset 0\n"));
    }

    /// Decodes the file with one decoder per range; ranges end at or before `cuts`.
    fn in_ranges(file: &[u8], cuts: &[usize]) -> (Vec<(Table, String)>, usize) {
        let skimmed = OutputOptions { state: true, ..OutputOptions::default() };
        let mut skim = CaptureDecoder::new(&skimmed, None, 0);
        let (mut rows, mut at, mut fed) = (Vec::new(), 0, 0);
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        let mut handed_on = 0;
        for &cut in cuts {
            let _ = skim.feed(&file[fed..cut]);
            fed = cut;
            let Some((end, state)) = skim.save().unwrap() else { break };
            let end = usize::try_from(end).unwrap();
            decoder.feed(&file[at..end]).unwrap();
            decoder.suspend();
            all_rows(&mut decoder, &mut rows);
            decoder = CaptureDecoder::load(&wanted(), &state, 0).unwrap();
            handed_on += state.len();
            at = end;
        }
        let _ = decoder.feed(&file[at..]);
        let _ = decoder.finish();
        all_rows(&mut decoder, &mut rows);
        (rows, handed_on)
    }

    fn all_rows(decoder: &mut CaptureDecoder, rows: &mut Vec<(Table, String)>) {
        while let Some((table, batch)) = decoder.next_batch() {
            let mut text = Vec::new();
            write_jsonl(&batch, &mut text);
            let text = String::from_utf8(text).unwrap();
            rows.extend(text.lines().map(|line| (table, line.to_owned())));
        }
    }

    fn of_table(rows: &[(Table, String)], wanted: Table) -> Vec<&str> {
        let of_it = rows.iter().filter(|(table, _)| *table == wanted);
        of_it.map(|(_, row)| row.as_str()).collect()
    }

    #[test]
    fn ranges_give_the_rows_of_the_whole_wherever_it_is_cut() {
        let file = capture(3);
        let (damaged, mut late) = (&file[..file.len() - 10], file.clone());
        late.extend_from_slice(&file[24..]);
        for file in [&file, damaged, &late, &fragmented(&file, 40)[..], b"no capture"] {
            let (whole, _) = in_ranges(file, &[]);
            for cut in (0..=file.len()).step_by(17) {
                let (ranges, _) = in_ranges(file, &[cut, (cut + 100).min(file.len())]);
                for table in Table::ALL {
                    assert_eq!(of_table(&ranges, table), of_table(&whole, table), "cut at {cut}");
                }
            }
        }
    }

    #[test]
    fn capture_goes_on_in_the_next_file() {
        let file = capture(3);
        let whole = messages_of(&file).0;
        let mut records = Vec::new();
        let mut note =
            |packet: Packet<'_>| records.push(usize::try_from(packet.file_offset).unwrap());
        CaptureReader::new().feed(&file, &mut note).unwrap();
        for cut in records {
            let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
            decoder.feed(&file[..cut]).unwrap();
            decoder.end_file().unwrap();
            decoder.feed(&file[..24]).unwrap();
            decoder.feed(&file[cut..]).unwrap();
            decoder.finish().unwrap();
            assert_eq!(rows(|| decoder.next_batch(), Table::Messages), whole);
        }
    }

    #[test]
    fn files_that_overlap_in_time_are_told_by_a_range_too() {
        let mut writer = CaptureWriter::new();
        let header = writer.header().to_vec();
        let mut files = [header.clone(), header];
        for (file, time) in files.iter_mut().zip([9_000_000, 1_000_000]) {
            writer.open(([10, 0, 0, 7], 40_000).into(), ([10, 0, 0, 1], 8020).into(), time, file);
        }
        let skimmed = OutputOptions { state: true, ..OutputOptions::default() };
        let mut skim = CaptureDecoder::new(&skimmed, None, 0);
        skim.feed(&files[0]).unwrap();
        skim.end_file().unwrap();
        let (at, state) = skim.save().unwrap().unwrap();
        assert_eq!(at, 0);
        let mut range = CaptureDecoder::load(&wanted(), &state, 0).unwrap();
        range.feed(&files[1]).unwrap();
        range.end_file().unwrap();
        range.suspend();
        let bytes = (files[1].len() - 24 - 3 * 16) as u64;
        assert_eq!(range.undecoded(), [(OVERLAP, 1, bytes)]);
    }

    #[test]
    fn state_that_is_not_whole_is_refused() {
        let skimmed = OutputOptions { state: true, ..OutputOptions::default() };
        let mut skim = CaptureDecoder::new(&skimmed, None, 0);
        let file = capture(2);
        skim.feed(&file[..file.len() / 2]).unwrap();
        let (_, state) = skim.save().unwrap().unwrap();
        assert!(CaptureDecoder::load(&wanted(), &state, 0).is_ok());
        for at in 0..state.len() {
            assert!(CaptureDecoder::load(&wanted(), &state[..at], 0).is_err());
            let mut flipped = state.clone();
            flipped[at] ^= 0x10;
            // Changes that the checksum does not cover have no effect, or are rejected.
            let _ = CaptureDecoder::load(&wanted(), &flipped, 0);
        }
        let longer = state::forged(&state, |plain| plain.push(0));
        assert!(CaptureDecoder::load(&wanted(), &longer, 0).is_err());
    }

    #[test]
    fn counts_that_were_forged_are_refused() {
        let skimmed = OutputOptions { state: true, ..OutputOptions::default() };
        let mut skim = CaptureDecoder::new(&skimmed, None, 0);
        let file = fragmented(&capture(3), 40);
        skim.feed(&file[..file.len() / 2]).unwrap();
        let (_, state) = skim.save().unwrap().unwrap();
        let load = |forge: &dyn Fn(&mut Saved)| {
            let mut saved: Saved = state::decode(&state).unwrap();
            forge(&mut saved);
            let forged = SavedRef {
                reader: &saved.reader,
                overlap: &saved.overlap,
                connections: &saved.connections,
                open: &saved.open,
                assumed: saved.assumed,
                next_stream: saved.next_stream,
                redacted: saved.redacted,
            };
            CaptureDecoder::load(&wanted(), &state::encode(&forged).unwrap(), 0).map(drop)
        };
        assert_eq!(load(&|_| {}), Ok(()));
        let forged: [&dyn Fn(&mut Saved); 4] = [
            &|it| it.next_stream = 0,
            &|it| it.open.clear(),
            &|it| it.open.values_mut().for_each(|stream| stream.errors = i64::MAX),
            &|it| it.open.values_mut().for_each(|stream| stream.number = -1),
        ];
        for forge in forged {
            assert_eq!(load(forge), Err(StateError::Damaged));
        }
    }

    /// Recorded captures, one per protocol.
    const RECORDINGS: [&[u8]; 6] = [
        include_bytes!("../../../tests/vectors/hadoop/recordings/writable-3.5.0.pcap"),
        include_bytes!("../../../tests/vectors/hazelcast/recordings/member-3.12.13.pcap"),
        include_bytes!("../../../tests/vectors/pravega/recordings/segmentstore-0.13.0.pcap"),
        include_bytes!("../../../tests/vectors/hama/recordings/copy-0.7.1.pcap"),
        include_bytes!("../../../tests/vectors/storm/recordings/doubler-2.8.3.pcap"),
        include_bytes!("../../../tests/vectors/captures/loopback.pcapng"),
    ];

    /// Change of a saved state, at any position.
    #[derive(Clone, Debug)]
    enum Forgery {
        Byte(u8),
        /// A number at or near its maximum.
        High(u64),
        Leave(usize),
        Twice(usize),
    }

    fn forgery() -> impl Strategy<Value = Forgery> {
        prop_oneof![
            any::<u8>().prop_map(Forgery::Byte),
            (0..3_u64, 0..=64_u32).prop_map(|(less, by)| {
                Forgery::High(u64::MAX.checked_shr(by).unwrap_or(0).saturating_sub(less))
            }),
            (1..20_usize).prop_map(Forgery::Leave),
            (1..20_usize).prop_map(Forgery::Twice),
        ]
    }

    fn forge(plain: &mut Vec<u8>, at: usize, forgery: &Forgery) {
        let until = |len: usize| at..(at + len).min(plain.len());
        match *forgery {
            Forgery::Byte(byte) => plain[at] = byte,
            Forgery::High(mut number) => {
                let len = plain[at..].iter().take_while(|byte| **byte >= 0x80).count() + 1;
                let mut varint = Vec::new();
                while number >= 0x80 {
                    varint.push(number.to_le_bytes()[0] | 0x80);
                    number >>= 7;
                }
                varint.push(number.to_le_bytes()[0]);
                plain.splice(until(len), varint);
            }
            Forgery::Leave(len) => drop(plain.drain(until(len))),
            Forgery::Twice(len) => {
                let again = plain[until(len)].to_vec();
                plain.splice(at..at, again);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2048, ..ProptestConfig::default() })]
        #[test]
        fn forged_state_is_refused_or_continues(
            recording in prop::sample::select(&RECORDINGS[..]),
            fragments in prop::option::of(prop::sample::select(vec![24_usize, 40, 96])),
            cut in any::<prop::sample::Index>(),
            forgeries in prop::collection::vec((any::<prop::sample::Index>(), forgery()), 1..4),
        ) {
            let file = match fragments {
                Some(size) => &fragmented(&capture(3), size)[..],
                None => &recording[..recording.len().min(1 << 16)],
            };
            let skimmed = OutputOptions { state: true, ..OutputOptions::default() };
            let mut skim = CaptureDecoder::new(&skimmed, None, 0);
            skim.feed(&file[..cut.index(file.len())]).unwrap();
            let (end, state) = skim.save().unwrap().unwrap();
            prop_assert!(CaptureDecoder::load(&wanted(), &state, 0).is_ok());
            let state = state::forged(&state, |plain| {
                for (at, forgery) in &forgeries {
                    if !plain.is_empty() {
                        forge(plain, at.index(plain.len()), forgery);
                    }
                }
            });
            let wanted = OutputOptions { traffic: true, fields: true, ..wanted() };
            if let Ok(mut decoder) = CaptureDecoder::load(&wanted, &state, 0) {
                let _ = decoder.feed(&file[usize::try_from(end).unwrap()..]);
                let _ = decoder.finish();
                all_rows(&mut decoder, &mut Vec::new());
            }
        }
    }

    /// Splits a pcap file into its header and its records with their times.
    fn records(file: &[u8]) -> (&[u8], Vec<(i64, &[u8])>) {
        let mut places = Vec::new();
        let mut note = |packet: Packet<'_>| {
            places.push((packet.ts.unwrap(), usize::try_from(packet.file_offset).unwrap()));
        };
        CaptureReader::new().feed(file, &mut note).unwrap();
        let ends = places[1..].iter().map(|(_, at)| *at).chain([file.len()]);
        let records: Vec<_> =
            places.iter().zip(ends).map(|((ts, at), end)| (*ts, &file[*at..end])).collect();
        (&file[..places[0].1], records)
    }

    /// Reorders the records of a pcap file: within groups of at most 16 that were captured within half a
    /// second, by `keys`.
    fn shuffled(file: &[u8], keys: &[u32]) -> Vec<u8> {
        let (header, records) = records(file);
        let mut out = header.to_vec();
        let mut rest = &records[..];
        while let Some((first, _)) = rest.first() {
            let near = |(ts, _): &&(i64, &[u8])| (ts - first).abs() <= 500_000;
            let len = rest.iter().take(16).take_while(near).count();
            let mut group: Vec<_> =
                rest[..len].iter().zip(keys.iter().cycle().skip(rest.len())).collect();
            group.sort_by_key(|(_, key)| **key);
            for ((_, record), _) in group {
                out.extend_from_slice(record);
            }
            rest = &rest[len..];
        }
        out
    }

    /// Returns all rows without the number of their stream, sorted.
    fn rows_of(file: &[u8]) -> Vec<(Table, String)> {
        let wanted = OutputOptions { fields: true, ..wanted() };
        let mut decoder = CaptureDecoder::new(&wanted, None, 0);
        decoder.feed(file).unwrap();
        decoder.finish().unwrap();
        let mut rows = Vec::new();
        all_rows(&mut decoder, &mut rows);
        for (table, row) in &mut rows {
            let mut parsed: serde_json::Map<String, serde_json::Value> =
                serde_json::from_str(row).unwrap();
            parsed.remove("stream");
            // Packets without bytes that come after the end of their connection are not counted.
            if *table == Table::Streams {
                parsed.remove("start");
            }
            for side in ["client", "server"] {
                parsed.remove(&format!("{side}_packets"));
            }
            *row = serde_json::to_string(&parsed).unwrap();
        }
        rows.sort_by(|a, b| (a.0 as usize, &a.1).cmp(&(b.0 as usize, &b.1)));
        rows
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]
        #[test]
        fn shuffled_capture_gives_the_rows_of_the_ordered_one(
            which in 0..RECORDINGS.len() - 1,
            keys in prop::collection::vec(any::<u32>(), 97),
        ) {
            let file = RECORDINGS[which];
            prop_assert_eq!(rows_of(&shuffled(file, &keys)), rows_of(file));
        }
    }

    /// Damage to a capture.
    #[derive(Clone, Copy, Debug)]
    enum Mishap {
        Byte(u8),
        Cut,
        Drop,
        Twice,
        Late,
    }

    fn mishap() -> impl Strategy<Value = Mishap> {
        prop_oneof![
            4 => any::<u8>().prop_map(Mishap::Byte),
            1 => Just(Mishap::Cut),
            1 => Just(Mishap::Drop),
            1 => Just(Mishap::Twice),
            1 => Just(Mishap::Late),
        ]
    }

    /// Applies mishaps to a recording, each to the record and the byte that its numbers select.
    fn mutated(file: &[u8], mishaps: &[(usize, usize, Mishap)]) -> Vec<u8> {
        let (header, records) = records(file);
        let mut records: Vec<_> = records.into_iter().map(|(_, record)| record.to_vec()).collect();
        for (which, at, mishap) in mishaps {
            if records.len() < 2 {
                break;
            }
            let which = which % records.len();
            let len = records[which].len();
            match mishap {
                Mishap::Byte(byte) if len > 16 => records[which][16 + at % (len - 16)] = *byte,
                Mishap::Cut if len > 16 => {
                    let kept = u32::try_from(at % (len - 16)).unwrap();
                    records[which][8..12].copy_from_slice(&kept.to_le_bytes());
                    records[which].truncate(16 + kept as usize);
                }
                Mishap::Byte(_) | Mishap::Cut => {}
                Mishap::Drop => drop(records.remove(which)),
                Mishap::Twice => records.insert(which, records[which].clone()),
                Mishap::Late => {
                    let record = records.remove(which);
                    records.insert((which + at % 100).min(records.len()), record);
                }
            }
        }
        [header, &records.concat()].concat()
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]
        #[test]
        fn damaged_recording_is_never_another_protocol_and_reports_the_damage(
            which in 0..RECORDINGS.len() - 1,
            mishaps in prop::collection::vec((any::<usize>(), any::<usize>(), mishap()), 1..8),
        ) {
            let names = ["hadoop", "hazelcast", "pravega", "hama", "storm"];
            let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
            decoder.feed(&mutated(RECORDINGS[which], &mishaps)).unwrap();
            decoder.finish().unwrap();
            let undecoded = !decoder.undecoded().is_empty();
            for row in rows(|| decoder.next_batch(), Table::Streams) {
                let row: serde_json::Value = serde_json::from_str(&row).unwrap();
                let protocol = row["protocol"].as_str().unwrap();
                prop_assert!(protocol == names[which] || !names.contains(&protocol), "{row}");
                let bytes = row["client_bytes"].as_i64().unwrap() + row["server_bytes"].as_i64().unwrap();
                prop_assert!(bytes == 0 || row["messages"] != 0 || undecoded, "{row}");
            }
        }
    }

    #[test]
    fn file_that_cannot_be_read_on_is_a_row() {
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        decoder.feed(&capture(1)).unwrap();
        decoder.break_off("the disk is gone");
        assert!(matches!(decoder.finish(), Err(CaptureError::Unreadable { .. })));
        let messages = rows(|| decoder.next_batch(), Table::Messages);
        assert_eq!(messages.len(), 4 + 1);
        assert!(messages[4].contains("the disk is gone"));
    }

    #[test]
    fn nothing_is_read_behind_damage() {
        let mut decoder = CaptureDecoder::new(&wanted(), None, 0);
        let error = decoder.feed(b"no capture at all").unwrap_err();
        assert_eq!(decoder.feed(&capture(1)), Err(error.clone()));
        assert_eq!(decoder.finish(), Err(error));
        assert_eq!(rows(|| decoder.next_batch(), Table::Messages).len(), 1);
    }

    #[test]
    fn only_the_tables_that_are_wanted_are_made() {
        let wanted = OutputOptions { calls: true, ..OutputOptions::default() };
        let mut decoder = CaptureDecoder::new(&wanted, None, 0);
        decoder.feed(&capture(2)).unwrap();
        decoder.finish().unwrap();
        let mut tables = Vec::new();
        while let Some((table, _)) = decoder.next_batch() {
            tables.push(table);
        }
        assert_eq!(tables, [Table::Calls]);
    }
}
