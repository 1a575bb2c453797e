//! Decoder of raw dumps into tables.

use std::collections::VecDeque;

use arrow_array::RecordBatch;
use jvmwire_codec::message::Side;

use crate::{
    output::{Output, OutputOptions},
    protocol::Assumed,
    stream::{Mode, Stream},
    tables::{StreamRow, Table},
};

/// Decoder of raw dumps: the bytes of one direction, or of each, without packets and without times.
///
/// When the ready rows reach [`READY_LIMIT`](crate::READY_LIMIT), the remaining input waits undecoded until
/// they are taken.
#[derive(Debug)]
pub struct DumpDecoder {
    stream: Stream,
    out: Output,
    bytes: [u64; 2],
    /// Input that arrived while the output was full, in order.
    waiting: VecDeque<Waiting>,
}

/// Input of a dump that waits until there is room for its rows.
#[derive(Debug)]
enum Waiting {
    Data {
        side: Side,
        bytes: Vec<u8>,
    },
    /// Rest of the bytes of `side`.
    Rest {
        side: Side,
    },
    EndOf {
        side: Side,
    },
    /// End of the dump and of every table.
    Finish,
}

/// Content of a raw dump.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DumpOf {
    /// Bytes of one side.
    One,
    /// Single messages of either side.
    Any,
    /// Two dumps, one per side.
    Both,
}

impl DumpDecoder {
    /// Creates a decoder; the dump is stream 0.
    #[must_use]
    pub fn new(wanted: &OutputOptions, assumed: Assumed, of: DumpOf) -> Self {
        let mode = match of {
            DumpOf::One => Mode::Dump,
            DumpOf::Any => Mode::DumpOfAny,
            DumpOf::Both => Mode::DumpOfBoth,
        };
        Self {
            stream: Stream::new(0, mode, Some(assumed)),
            out: Output::new(wanted),
            bytes: [0; 2],
            waiting: VecDeque::new(),
        }
    }

    /// Feeds the next bytes of `side`.
    pub fn feed(&mut self, side: Side, bytes: &[u8]) {
        self.bytes[side as usize] += bytes.len() as u64;
        if !self.has_room() {
            self.waiting.push_back(Waiting::Data { side, bytes: bytes.to_vec() });
        } else if !self.stream.data(side, bytes, None, &mut self.out) {
            self.waiting.push_back(Waiting::Rest { side });
        }
    }

    /// Number of bytes of `side` that wait: for the rest of their message, for the other side, or for rows to
    /// be taken.
    #[must_use]
    pub fn held(&self, side: Side) -> usize {
        let waiting = self.waiting.iter().map(|waiting| match waiting {
            Waiting::Data { side: writer, bytes } if *writer == side => bytes.len(),
            _ => 0,
        });
        self.stream.held_of(side) + waiting.sum::<usize>()
    }

    /// Ends the bytes of `side`.
    pub fn end_of(&mut self, side: Side) {
        self.act_in_turn(Waiting::EndOf { side });
    }

    /// Ends the dump and every table.
    pub fn finish(&mut self) {
        self.act_in_turn(Waiting::Finish);
    }

    /// Whether the next input can be decoded at once.
    fn has_room(&self) -> bool {
        self.waiting.is_empty() && !self.out.is_full()
    }

    /// Processes the input at once if there is room, else later.
    fn act_in_turn(&mut self, waiting: Waiting) {
        let rest = if self.has_room() { self.act(waiting) } else { Some(waiting) };
        self.waiting.extend(rest);
    }

    /// Decodes the input; returns the rest if the output is full.
    fn act(&mut self, waiting: Waiting) -> Option<Waiting> {
        let (stream, out) = (&mut self.stream, &mut self.out);
        let is_done = match waiting {
            Waiting::Data { side, ref bytes } => {
                let is_done = stream.data(side, bytes, None, out);
                return (!is_done).then_some(Waiting::Rest { side });
            }
            Waiting::Rest { side } => stream.go_on(side, out),
            Waiting::EndOf { side } => stream.end_of(side, out),
            Waiting::Finish => self.end(),
        };
        (!is_done).then_some(waiting)
    }

    /// Ends the stream and the tables; returns whether all bytes were decoded.
    fn end(&mut self) -> bool {
        if !self.stream.end(&mut self.out) {
            return false;
        }
        let [client, server] = self.bytes.map(|bytes| Some(bytes.cast_signed()));
        let row = StreamRow {
            stream: Some(0),
            protocol: Some(self.stream.protocol()),
            client_bytes: client,
            server_bytes: server,
            messages: Some(self.stream.messages),
            errors: Some(self.stream.errors),
            ended: Some("end of capture"),
            ..StreamRow::default()
        };
        self.out.stream(&row, true);
        self.out.finish();
        true
    }

    /// Decodes waiting input until the output is full; returns whether it did anything.
    fn go_on(&mut self) -> bool {
        if self.out.is_full() {
            return false;
        }
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

    /// Takes the next batch and its table: `None` when all fed bytes are decoded, or when there is so much
    /// explanation that it must be [taken](Self::take_text) first.
    pub fn next_batch(&mut self) -> Option<(Table, RecordBatch)> {
        loop {
            let batch = self.out.next_batch();
            if batch.is_some() || !self.go_on() {
                return batch;
            }
        }
    }

    /// Takes the explanation: empty when all fed bytes are decoded, or when there are so many rows that they
    /// must be [taken](Self::next_batch) first.
    pub fn take_text(&mut self) -> String {
        loop {
            let text = self.out.take_text();
            if !text.is_empty() || !self.go_on() {
                return text;
            }
        }
    }

    /// Bytes that could not be decoded: the reason, the number of pieces, and the number of bytes.
    #[must_use]
    pub fn undecoded(&self) -> Vec<(&'static str, u64, u64)> {
        self.out.undecoded_by_reason()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{cast::AsArray, types::Int64Type};

    use super::*;
    use crate::{Protocol, READY_LIMIT};

    const CALL: &[u8] = include_bytes!("../../../tests/vectors/hadoop/seed/client-call.bin");
    const REPLY: &[u8] = include_bytes!("../../../tests/vectors/hadoop/seed/reply.bin");

    #[test]
    fn dumps_of_both_sides_are_one_stream() {
        let wanted = OutputOptions { streams: true, ..OutputOptions::default() };
        let mut decoder = DumpDecoder::new(&wanted, Protocol::Hadoop.into(), DumpOf::Both);
        decoder.feed(Side::Server, REPLY);
        assert_eq!(decoder.held(Side::Server), REPLY.len());
        decoder.feed(Side::Client, CALL);
        assert_eq!(decoder.held(Side::Server), 0);
        decoder.finish();
        let (table, streams) = decoder.next_batch().unwrap();
        assert_eq!((table, streams.num_rows()), (Table::Streams, 1));
        let bytes = |name| streams[name].as_primitive::<Int64Type>().value(0);
        assert_eq!((bytes("client_bytes"), bytes("server_bytes")), (128, 55));
        assert!(decoder.next_batch().is_none());
    }

    #[test]
    fn explanations_of_one_piece_are_handed_out_as_they_are_taken() {
        let wanted = OutputOptions { explanation: true, ..OutputOptions::default() };
        let mut decoder = DumpDecoder::new(&wanted, Protocol::Hadoop.into(), DumpOf::One);
        decoder.feed(Side::Client, CALL);
        // Pings, of which each is explained by many times its bytes.
        decoder.feed(Side::Client, &vec![0xff; 1_000_000]);
        decoder.end_of(Side::Client);
        decoder.finish();
        let mut explained = 0;
        loop {
            let ready = decoder.out.ready_bytes();
            assert!(ready < 2 * READY_LIMIT, "{ready} bytes are ready");
            let text = decoder.take_text();
            if text.is_empty() {
                break;
            }
            explained += text.matches("// ---- ").count();
        }
        assert_eq!(explained, 3 + 1_000_000 / 4);
    }

    #[test]
    fn replies_that_waited_for_their_requests_are_handed_out_as_they_are_taken() {
        const PAIRS: usize = 30_000;
        let wanted =
            OutputOptions { messages: true, fields: true, calls: true, ..OutputOptions::default() };
        let mut decoder = DumpDecoder::new(&wanted, Protocol::Hadoop.into(), DumpOf::Both);
        // All replies are there before the first request is.
        decoder.feed(Side::Server, &REPLY.repeat(PAIRS));
        let [hello, request] = [&CALL[..61], &CALL[61..]];
        decoder.feed(Side::Client, hello);
        decoder.feed(Side::Client, &request.repeat(PAIRS));
        assert!(decoder.held(Side::Server) > 0, "all is decoded before any of it is taken");
        let (mut messages, mut calls) = (0, 0);
        let mut take = |decoder: &mut DumpDecoder| {
            while let Some((table, batch)) = decoder.next_batch() {
                match table {
                    Table::Messages => messages += batch.num_rows(),
                    Table::Calls => calls += batch.num_rows(),
                    Table::Streams | Table::Traffic => {}
                }
            }
        };
        take(&mut decoder);
        assert_eq!(decoder.held(Side::Server), 0);
        decoder.finish();
        take(&mut decoder);
        assert_eq!((messages, calls), (2 + 2 * PAIRS, PAIRS));
    }
}
