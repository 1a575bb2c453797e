//! Both of Pravega's protocols: cutting does not matter to commands, rows, events; no more is kept than
//! the limit; appends are put together or refused; every byte is in one row; nothing panics.

#![no_main]

mod rows;

use jvmwire_capture::{DumpOf, Protocol};
use jvmwire_codec::{
    DecodeError,
    fixed::Uuid,
    frame::BinaryColumn,
    message::Side,
    pravega::{
        AppendAssembler, CommandDecoder, Dialect, EventSplitter, FRAME_LIMIT, LARGE_EVENT_LIMIT,
        visit_fields,
    },
};
use libfuzzer_sys::fuzz_target;
use rows::{covers, decoded, lines};

/// Small, so that inputs reach it.
const LIMIT: usize = 400;

fuzz_target!(|data: &[u8]| {
    let [how, step, stream @ ..] = data else { return };
    let (step, all) = (usize::from(*step).max(1), stream.len().max(1));
    let (dialect, protocol) = if how & 4 == 0 {
        (Dialect::today(), Protocol::Pravega)
    } else {
        (Dialect::proposed(), Protocol::PravegaEarly)
    };
    for limit in [LIMIT, FRAME_LIMIT] {
        assert_eq!(commands(dialect, stream, step, limit), commands(dialect, stream, all, limit));
    }
    let side = if how & 1 == 0 { Side::Client } else { Side::Server };
    let of = if how & 2 == 0 { DumpOf::One } else { DumpOf::Any };
    let whole = decoded(protocol, stream, all, side, of);
    assert_eq!(lines(&decoded(protocol, stream, step, side, of)), lines(&whole));
    covers(&whole, stream.len());
    assert_eq!(events(stream, step), events(stream, all));
    append(stream, step);
});

type Seen = (Vec<(i32, Vec<u8>, Option<DecodeError>)>, Option<DecodeError>);

fn commands(dialect: Dialect, stream: &[u8], step: usize, limit: usize) -> Seen {
    let mut decoder = CommandDecoder::new(dialect, limit);
    let mut seen = Vec::new();
    for (number, mut chunk) in stream.chunks(step).enumerate() {
        if number % 3 == 2 {
            decoder.feed(std::mem::take(&mut chunk));
        }
        loop {
            match decoder.next_command(&mut chunk) {
                Ok(Some(command)) => {
                    let walked =
                        command.command.map(|it| visit_fields(it, command.payload, &mut ()));
                    let error = walked.and_then(Result::err);
                    seen.push((command.code, command.payload.to_vec(), error));
                }
                Ok(None) => break,
                Err(error) => return (seen, Some(error)),
            }
        }
        // A frame, and a message that comes in pieces.
        assert!(decoder.buffered() < 2 * limit);
    }
    (seen, None)
}

/// The whole events of a segment that holds `stream`, and where it is none.
fn events(stream: &[u8], step: usize) -> (Vec<Vec<u8>>, Option<DecodeError>) {
    let mut cutter = EventSplitter::new(7, LARGE_EVENT_LIMIT);
    let mut seen = Vec::new();
    for chunk in stream.chunks(step) {
        let mut out = BinaryColumn::new();
        let fed = cutter.feed(chunk, &mut out);
        if let Err(error) = fed {
            // How many of a chunk's events are told before it depends on the chunk.
            return (Vec::new(), Some(error));
        }
        seen.extend(out.iter().map(<[u8]>::to_vec));
    }
    let taken: usize = seen.iter().map(|event| event.len() + 8).sum();
    assert_eq!(cutter.offset(), 7 + taken as u64);
    assert_eq!(taken + cutter.buffered(), stream.len());
    (seen, None)
}

/// A block of the first bytes and an end of the others: what it stores is no more than both.
fn append(stream: &[u8], at: usize) {
    let (block, end) = stream.split_at(at.min(stream.len()));
    let mut assembler = AppendAssembler::default();
    for whole in [0, at, block.len(), end.len(), usize::MAX] {
        assembler.begin(Uuid(7), block).expect("none is open");
        let whole = i32::try_from(whole).unwrap_or(-1);
        if let Ok(stored) = assembler.end(Uuid(7), whole, end, 1) {
            assert!(stored.len() <= stream.len());
        }
        assert!(!assembler.is_open());
    }
}
