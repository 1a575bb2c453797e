//! Captures: few bytes are examined and allocated for each that is fed, whatever is spoken and however the
//! packets come.

#![no_main]

mod budget;

use budget::{PIECE, limit, within};
use jvmwire_capture::{CaptureDecoder, OutputOptions};
use jvmwire_codec::adversarial::capture;
use libfuzzer_sys::fuzz_target;

/// Bytes examined for each that is fed: 16 by each of five protocols and two writers, until one is found.
const DETECTING: u64 = 160;

fuzz_target!(|data: &[u8]| {
    let [how, length, rest @ ..] = data else { return };
    let built;
    let file = if how & 0x80 == 0 {
        rest
    } else {
        built = capture(rest, limit(*length));
        &built
    };
    let wanted = OutputOptions {
        messages: true,
        calls: true,
        streams: how & 1 != 0,
        traffic: how & 2 != 0,
        ..OutputOptions::default()
    };
    // A compressed file is not measured by its own length.
    if matches!(file, [0x1f, 0x8b, ..] | [0x28, 0xb5, 0x2f, 0xfd, ..] | [_, 0x2a, 0x4d, 0x18, ..]) {
        return;
    }
    within(file.len(), DETECTING, || {
        let mut decoder = CaptureDecoder::new(&wanted, None, 0);
        for piece in file.chunks(PIECE) {
            let fed = decoder.feed(piece);
            while decoder.next_batch().is_some() {}
            if fed.is_err() {
                break;
            }
        }
        let _ = decoder.finish();
        while decoder.next_batch().is_some() {}
    });
});
