//! Raw dumps: cutting does not matter, every byte is in one row, nothing panics.

#![no_main]

mod rows;

use jvmwire_capture::{DumpOf, Protocol};
use jvmwire_codec::message::Side;
use libfuzzer_sys::fuzz_target;
use rows::{covers, decoded, lines};

fuzz_target!(|data: &[u8]| {
    let [how, step, stream @ ..] = data else { return };
    let side = if how & 1 == 0 { Side::Client } else { Side::Server };
    let of = if how & 2 == 0 { DumpOf::One } else { DumpOf::Any };
    let whole = decoded(Protocol::Hadoop, stream, stream.len().max(1), side, of);
    let cut = decoded(Protocol::Hadoop, stream, usize::from(*step).max(1), side, of);
    assert_eq!(lines(&whole), lines(&cut));
    covers(&whole, stream.len());
});
