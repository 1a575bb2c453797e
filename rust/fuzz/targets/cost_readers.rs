//! The decoders of live connections: few bytes are examined and allocated for each that is read, however the
//! stream is cut.

#![no_main]

mod budget;

use budget::{PIECE, limit, within};
use jvmwire_codec::adversarial::{Content, Format, Reader, traffic};
use libfuzzer_sys::fuzz_target;

/// Bytes examined for each that is read.
const READING: u64 = 4;
/// Pieces of raw inputs.
const PIECES: [usize; 4] = [1, 7, 1460, 65_536];

fuzz_target!(|data: &[u8]| {
    let [reader, how, length, rest @ ..] = data else { return };
    let reader = Reader::ALL[usize::from(*reader) % Reader::ALL.len()];
    let (bytes, piece) = if how & 0x80 == 0 {
        (rest.to_vec(), PIECES[usize::from(*how) % PIECES.len()])
    } else {
        let format = Format::ALL[usize::from(how & 0x3f) % Format::ALL.len()];
        let content = if how & 0x40 == 0 { Content::Messages } else { Content::OneFormat };
        let talk = traffic(format, content, rest, limit(*length));
        (talk.sides.concat(), talk.piece)
    };
    within(bytes.len(), READING, || reader.read(&bytes, piece.min(PIECE)));
});
