//! Raw dumps of every protocol and side: few bytes are examined and allocated for each that is fed, however
//! they are cut; fewer if all of them are messages.

#![no_main]

mod budget;

use budget::{PIECE, limit, within};
use jvmwire_capture::{DumpDecoder, DumpOf, OutputOptions, Protocol};
use jvmwire_codec::{
    adversarial::{Content, Format, traffic},
    message::Side,
};
use libfuzzer_sys::fuzz_target;

/// Bytes examined for each that is fed, where all that comes is messages.
const FRAMING: u64 = 4;
/// The same, where messages have to be looked for.
const RESYNCHRONISING: u64 = 16;
/// Pieces of raw inputs.
const PIECES: [usize; 4] = [1, 7, 1460, 65_536];

fuzz_target!(|data: &[u8]| {
    let [protocol, how, length, rest @ ..] = data else { return };
    let protocol = Protocol::ALL[usize::from(*protocol) % Protocol::ALL.len()];
    let of = [DumpOf::One, DumpOf::Any, DumpOf::Both][usize::from(how & 0x0f) % 3];
    let fields = length & 0x80 != 0;
    let (sides, piece, content) = if how & 0x80 == 0 {
        let mut sides = [Vec::new(), Vec::new()];
        sides[usize::from(how & 0x10 != 0)] = rest.to_vec();
        (sides, PIECES[usize::from(how >> 5) % PIECES.len()], Content::OneFormat)
    } else {
        let content = if how & 0x40 == 0 { Content::Messages } else { Content::OneFormat };
        let Some(format) = Format::named(protocol.name()) else { return };
        let talk = traffic(format, content, rest, limit(*length));
        (talk.sides, talk.piece, content)
    };
    let fed = sides[0].len() + sides[1].len();
    let is_all_messages =
        content == Content::Messages && decode(protocol, of, fields, &sides, PIECE);
    let each = if is_all_messages { FRAMING } else { RESYNCHRONISING };
    within(fed, each, || decode(protocol, of, fields, &sides, piece.min(PIECE)));
});

/// Decodes what both sides wrote in turns, and says whether all of it was messages.
fn decode(
    protocol: Protocol,
    of: DumpOf,
    fields: bool,
    sides: &[Vec<u8>; 2],
    piece: usize,
) -> bool {
    let wanted = OutputOptions { messages: true, calls: true, fields, ..OutputOptions::default() };
    let mut decoder = DumpDecoder::new(&wanted, protocol.into(), of);
    let mut turns =
        [Side::Client, Side::Server].map(|side| (side, sides[side as usize].chunks(piece)));
    while turns.iter().any(|(_, left)| left.len() > 0) {
        for (side, left) in &mut turns {
            if let Some(bytes) = left.next() {
                decoder.feed(*side, bytes);
                while decoder.next_batch().is_some() {}
            }
        }
    }
    decoder.finish();
    while decoder.next_batch().is_some() {}
    decoder.undecoded().is_empty()
}
