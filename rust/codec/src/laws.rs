//! Properties of the cost of the decoders of live clients and servers.

use proptest::prelude::*;

use crate::{
    adversarial::{Content, Format, Reader, traffic},
    cost::take_examined,
};

/// Maximum number of examined bytes per byte read.
const READING: u64 = 4;
/// Number of bytes that may be examined in addition, however few are read.
const ALWAYS: u64 = 4096;

fn examined(reader: Reader, bytes: &[u8], piece: usize) -> (u64, u64) {
    let _ = take_examined();
    let fed = reader.read(bytes, piece);
    (take_examined(), fed as u64)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn readers_examine_few_bytes_for_each(
        reader in prop::sample::select(&Reader::ALL[..]),
        format in prop::sample::select(&Format::ALL[..]),
        content in prop::sample::select(vec![Content::Messages, Content::OneFormat]),
        program in prop::collection::vec(any::<u8>(), 1..40),
        side in 0..2_usize,
    ) {
        let talk = traffic(format, content, &program, 200_000);
        let (examined, fed) = examined(reader, &talk.sides[side], talk.piece);
        prop_assert!(examined <= READING * fed + ALWAYS, "{reader:?}: {examined} for {fed} bytes");
    }
}

#[test]
fn long_frame_in_single_bytes_is_examined_as_one_in_one_piece() {
    let body = vec![0x41; 100_000];
    let length = u32::try_from(body.len()).unwrap();
    let with_itself = length + 4;
    let frames: [(Reader, Vec<u8>); 8] = [
        (Reader::Frames, length.to_be_bytes().to_vec()),
        (Reader::FrameBatches, length.to_be_bytes().to_vec()),
        (Reader::HadoopReplies, length.to_be_bytes().to_vec()),
        (Reader::HadoopRequests, [b"hrpc\x09\0\0", &length.to_be_bytes()[..]].concat()),
        (Reader::Hazelcast, with_itself.to_le_bytes().to_vec()),
        (Reader::Pravega, [[0, 0, 0, 13], length.to_be_bytes()].concat()),
        (Reader::PravegaEvents, [[0; 4], length.to_be_bytes()].concat()),
        (Reader::HamaReplies, b"3\n".to_vec()),
    ];
    for (reader, front) in frames {
        // The last byte does not come, so that the frame's content is not judged.
        let bytes = [&front[..], &body[1..]].concat();
        for piece in [1, 7, 1460] {
            let (examined, fed) = examined(reader, &bytes, piece);
            assert_eq!(fed, bytes.len() as u64, "{reader:?}");
            assert!(examined <= fed + 100, "{reader:?} {piece}: {examined} for {fed} bytes");
        }
    }
}
