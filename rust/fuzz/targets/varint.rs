//! Varints, frames and texts: what decodes encodes to the same value again.

#![no_main]

use jvmwire_codec::{
    frame::{self, FrameDecoder},
    text::{self, Encoding},
    varint,
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok((value, len)) = varint::decode(data) {
        let mut wire = Vec::new();
        varint::encode(value, &mut wire);
        assert!(wire.len() <= len);
        assert_eq!(varint::decode(&wire), Ok((value, wire.len())));
        assert_eq!(varint::zigzag(varint::unzigzag(value)), value);
    }
    if let Ok((value, len)) = varint::decode_vlong(data) {
        let mut wire = Vec::new();
        varint::encode_vlong(value, &mut wire);
        assert!(wire.len() <= len);
        assert_eq!(varint::decode_vlong(&wire), Ok((value, wire.len())));
    }
    for encoding in [Encoding::ModifiedUtf8, Encoding::HadoopUtf8] {
        if let Ok(decoded) = text::decode_strict(data, encoding) {
            let mut wire = Vec::new();
            if text::encode(&decoded, encoding, &mut wire).is_ok() {
                assert_eq!(text::decode_strict(&wire[2..], encoding).as_deref(), Ok(&*decoded));
            }
        }
    }
    let mut frames = FrameDecoder::new(1000);
    let mut wire = Vec::new();
    for chunk in data.chunks(7) {
        frames.feed(chunk);
        while let Ok(Some(payload)) = frames.next_frame() {
            frame::encode(payload, &mut wire).expect("it was a frame");
        }
    }
    assert!(data.starts_with(&wire) || frame::length_prefixed(data, 1000).is_err());
});
