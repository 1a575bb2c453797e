//! Capture files: cutting does not matter, nothing panics.

#![no_main]

use jvmwire_capture::{CaptureDecoder, OutputOptions, write_jsonl};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let [step, file @ ..] = data else { return };
    assert_eq!(decoded(file, file.len().max(1)), decoded(file, usize::from(*step).max(1)));
});

fn decoded(file: &[u8], step: usize) -> String {
    let wanted = OutputOptions {
        messages: true,
        fields: true,
        calls: true,
        streams: true,
        traffic: true,
        ..OutputOptions::default()
    };
    let mut decoder = CaptureDecoder::new(&wanted, None, 0);
    let damage = file.chunks(step).find_map(|chunk| decoder.feed(chunk).err());
    let end = decoder.finish().err();
    let mut lines = format!("{:?}\n", damage.or(end)).into_bytes();
    while let Some((_, batch)) = decoder.next_batch() {
        write_jsonl(&batch, &mut lines);
    }
    String::from_utf8(lines).expect("JSON is UTF-8")
}
