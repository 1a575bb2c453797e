//! Raw dumps become tables.

use arrow_array::RecordBatch;
use jvmwire_codec::message::Side;

use crate::{
    output::{Output, OutputOptions},
    protocol::Assumed,
    stream::{Mode, Stream},
    tables::{StreamRow, Table},
};

/// Decodes raw dumps: the bytes of one direction, or of each, without packets and without times.
#[derive(Debug)]
pub struct DumpDecoder {
    stream: Stream,
    out: Output,
    bytes: [u64; 2],
}

/// Which direction a raw dump is of.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum DumpOf {
    /// What one side wrote.
    One,
    /// Each message is judged by itself.
    Any,
    /// Two dumps, one of each side.
    Both,
}

impl DumpDecoder {
    /// The dump is stream 0.
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
        }
    }

    /// Takes the next bytes that `side` wrote.
    pub fn feed(&mut self, side: Side, bytes: &[u8]) {
        self.bytes[side as usize] += bytes.len() as u64;
        self.stream.data(side, bytes, None, &mut self.out);
    }

    /// How many bytes of `side` wait: for the rest of their message, or for the other side's.
    #[must_use]
    pub fn held(&self, side: Side) -> usize {
        self.stream.held_of(side)
    }

    /// Ends what `side` wrote.
    pub fn end_of(&mut self, side: Side) {
        self.stream.end_of(side, &mut self.out);
    }

    /// Ends the dump and every table.
    pub fn finish(&mut self) {
        self.stream.end(&mut self.out);
        let [client, server] = self.bytes.map(|bytes| Some(bytes.cast_signed()));
        self.out.stream(&StreamRow {
            stream: Some(0),
            protocol: Some(self.stream.protocol()),
            client_bytes: client,
            server_bytes: server,
            messages: Some(self.stream.messages),
            errors: Some(self.stream.errors),
            ended: Some("end of capture"),
            ..StreamRow::default()
        });
        self.out.finish();
    }

    /// Takes the next batch, and says of which table it is.
    pub fn next_batch(&mut self) -> Option<(Table, RecordBatch)> {
        self.out.next_batch()
    }

    /// Takes what there is to explain.
    pub fn take_text(&mut self) -> String {
        self.out.take_text()
    }

    /// What could not be decoded: the reason, how many pieces, how many bytes.
    #[must_use]
    pub fn undecoded(&self) -> Vec<(&'static str, u64, u64)> {
        self.out.undecoded_by_reason()
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{cast::AsArray, types::Int64Type};

    use super::*;
    use crate::Protocol;

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
}
