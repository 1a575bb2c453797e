//! Properties of framing: the same frames for any chunk boundary, size and kernel.

use proptest::prelude::*;

use super::*;
use crate::{DelimiterInPayload, SimdLevel};

const FRAMINGS: [Framing; 7] = [
    Framing::BIG_ENDIAN,
    Framing::LITTLE_ENDIAN,
    Framing::BIG_ENDIAN.including_itself(),
    Framing::LITTLE_ENDIAN.including_itself(),
    Framing::PRAVEGA,
    Framing::EVENTS,
    Framing::LITTLE_ENDIAN.with_kind().including_itself(),
];

/// Factor of the size of inputs, smaller under Miri, which is slow.
const FEW: usize = if cfg!(miri) { 2 } else { 10 };

/// Encodes a header with any `length`.
fn length_at(framing: Framing, length: i32) -> Vec<u8> {
    let mut wire = vec![0; framing.header_len() - LENGTH_LEN];
    wire.extend(match framing.order() {
        ByteOrder::Big => length.to_be_bytes(),
        ByteOrder::Little => length.to_le_bytes(),
    });
    wire
}

/// Reads views as Arrow's columnar format defines them.
fn viewed<const SIZE: usize>(views: Views, wire: &[u8]) -> Vec<Vec<u8>> {
    let int =
        |bytes: &[u8]| usize::try_from(i32::from_le_bytes(bytes.try_into().unwrap())).unwrap();
    let payload = |view: u128| {
        let view = view.to_le_bytes();
        let len = int(&view[..4]);
        if len <= INLINE {
            assert!(view[4 + len..].iter().all(|byte| *byte == 0));
            return view[4..4 + len].to_vec();
        }
        let start = int(&view[8..12]) * SIZE + int(&view[12..]);
        assert_eq!(wire[start..start + 4], view[4..8]);
        wire[start..start + len].to_vec()
    };
    views.into_views().into_iter().map(payload).collect()
}

fn fed<T>(wire: &[u8], step: usize, mut feed: impl FnMut(&[u8]) -> Vec<T>) -> Vec<T> {
    wire.chunks(step).flat_map(&mut feed).collect()
}

fn decoded(decoder: &mut FrameDecoder) -> Vec<(i32, Vec<u8>)> {
    let mut frames = Vec::new();
    while let Some(frame) = decoder.next_typed_frame().unwrap() {
        frames.push((frame.kind, frame.payload.to_vec()));
    }
    frames
}

/// Reads lines as `BufferedReader.readLine` is documented.
fn java_lines(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = vec![];
    let mut line = vec![];
    let mut bytes = bytes.iter().copied().peekable();
    let mut open = false;
    while let Some(byte) = bytes.next() {
        open = !matches!(byte, b'\n' | b'\r');
        if open {
            line.push(byte);
            continue;
        }
        if byte == b'\r' {
            bytes.next_if_eq(&b'\n');
        }
        lines.push(std::mem::take(&mut line));
    }
    if open {
        lines.push(line);
    }
    lines
}

fn line_ish() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec![&b"\n"[..], b"\r", b"\r\n", b"end", b"a", b"{\"x\":1}"]);
    prop::collection::vec(piece, 0..4 * FEW).prop_map(|pieces| pieces.concat())
}

#[test]
fn view_is_its_payload_however_many_there_are_and_however_long() {
    let lengths = [0, 12, 13, 60, 160, 161, 200].into_iter().cycle().take(700);
    // As many of a kind as fill a block, and one more, and one less.
    let runs =
        [63, 64, 65, 128].into_iter().flat_map(|count| [60, 300].map(|len| vec![len; count]));
    for lengths in runs.chain([lengths.collect()]) {
        let payloads: Vec<_> = lengths
            .into_iter()
            .enumerate()
            .map(|(at, len)| vec![at.to_le_bytes()[0]; len])
            .collect();
        for framing in FRAMINGS {
            let mut wire = Vec::new();
            for payload in &payloads {
                framing.encode(0, payload, &mut wire).unwrap();
            }
            let views = Views::of_frames(&wire, framing, 300).unwrap();
            assert_eq!(views.consumed(), wire.len());
            assert_eq!(viewed::<REGION>(views, &wire), payloads);
        }
    }
}

proptest! {
    #[test]
    fn cutting_does_not_matter(
        frames in prop::collection::vec((any::<i32>(), prop::collection::vec(any::<u8>(), 0..20)), 0..10),
        step in 1..30_usize,
    ) {
        for framing in FRAMINGS {
            let mut wire = Vec::new();
            let mut expected = Vec::new();
            for (kind, payload) in &frames {
                framing.encode(*kind, payload, &mut wire).unwrap();
                expected.push((if framing.has_kind() { *kind } else { 0 }, payload.clone()));
            }
            let mut decoder = FrameDecoder::with(framing, 1000);
            let seen = fed(&wire, step, |chunk| { decoder.feed(chunk); decoded(&mut decoder) });
            prop_assert_eq!(&seen, &expected);
            prop_assert_eq!(decoder.buffered(), 0);
            decoder.feed(&wire);
            prop_assert_eq!(decoded(&mut decoder), expected);
        }
    }

    #[test]
    fn frame_scan_agrees_with_the_decoder(
        wire in prop::collection::vec(prop_oneof![Just(0_u8), 0..9_u8, any::<u8>()], 0..if cfg!(miri) { 120 } else { 200 }),
    ) {
        for framing in FRAMINGS {
            let mut decoder = FrameDecoder::with(framing, 100);
            decoder.feed(&wire);
            let mut seen = Vec::new();
            let error = loop {
                match decoder.next_typed_frame() {
                    Ok(Some(frame)) => seen.push((frame.kind, frame.payload.to_vec())),
                    Ok(None) => break None,
                    Err(error) => break Some(error),
                }
            };
            let good = match scan(&wire, framing, 100) {
                Ok(scan) => { prop_assert_eq!(error, None); scan }
                Err(refused) => {
                    prop_assert_eq!(error.as_ref(), Some(&refused));
                    let before = if refused.what == "frame type" { 0 } else { framing.header_len() - LENGTH_LEN };
                    let front = refused.offset - before;
                    scan(&wire[..front], framing, 100).unwrap()
                }
            };
            for &level in SimdLevel::available() {
                let mut frames = Frames::default();
                let taken = scan_compact(&wire, framing, 100, &mut frames, level);
                prop_assert_eq!(taken.err(), scan(&wire, framing, 100).err());
                let mut copied = BinaryColumn::new();
                compact(&wire, &good.payloads, &mut copied);
                prop_assert_eq!(frames, Frames { kinds: good.kinds.clone(), payloads: copied });
            }
            let payloads: Vec<_> = good.payloads.iter().map(|at| wire[at.clone()].to_vec()).collect();
            prop_assert_eq!(payloads, seen.iter().map(|frame| frame.1.clone()).collect::<Vec<_>>());
            if framing.has_kind() {
                prop_assert_eq!(good.kinds, seen.iter().map(|frame| frame.0).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn frames_of_any_length_are_copied_whole(
        lengths in prop::collection::vec(prop_oneof![0..140_usize, 400..700_usize], 0..FEW),
        torn in 0..20_usize,
    ) {
        for framing in FRAMINGS {
            let (mut wire, mut expected) = (Vec::new(), BinaryColumn::new());
            for (length, fill) in lengths.iter().zip(1..) {
                let payload = vec![fill; *length];
                framing.encode(0, &payload, &mut wire).unwrap();
                expected.push(&payload).unwrap();
            }
            let whole = wire.len();
            framing.encode(0, &[255; 20], &mut wire).unwrap();
            wire.truncate(whole + torn);
            for &level in SimdLevel::available() {
                let mut frames = Frames::default();
                prop_assert_eq!(scan_compact(&wire, framing, 1000, &mut frames, level), Ok(whole));
                prop_assert_eq!(&frames.payloads, &expected);
            }
        }
    }

    #[test]
    fn frame_batches_equal_single_frames(
        wire in prop::collection::vec(prop_oneof![Just(0_u8), 0..9_u8, any::<u8>()], 0..200),
        step in 1..90_usize,
    ) {
        for framing in FRAMINGS {
            let mut one_by_one = FrameDecoder::with(framing, 100);
            one_by_one.feed(&wire);
            one_by_one.finish();
            let mut expected = Frames::default();
            let end = loop {
                match one_by_one.next_typed_frame() {
                    Ok(Some(frame)) => {
                        expected.payloads.push(frame.payload).unwrap();
                        expected.kinds.extend(framing.has_kind().then_some(frame.kind));
                    }
                    end => break end.map(|_| ()),
                }
            };
            for &level in SimdLevel::available() {
                let mut decoder = FrameDecoder::with(framing, 100);
                let mut frames = Frames::default();
                for chunk in wire.chunks(step) {
                    decoder.feed(chunk);
                    let _ = decoder.next_batch(&mut frames, level);
                }
                decoder.finish();
                prop_assert_eq!(decoder.next_batch(&mut frames, level), end.clone());
                prop_assert_eq!(&frames, &expected);
            }
        }
    }

    #[test]
    fn batches_of_lines_and_messages_equal_single_ones(
        wire in line_ish(), step in 1..20_usize, limit in 0..20_usize,
    ) {
        let mut lines = LineDecoder::new(limit);
        let mut messages = MessageDecoder::new(limit);
        let (mut expected_lines, mut expected_messages) = (BinaryColumn::new(), BinaryColumn::new());
        lines.feed(&wire);
        messages.feed(&wire);
        lines.finish();
        messages.finish();
        while let Ok(Some(line)) = lines.next_line() {
            expected_lines.push(line).unwrap();
        }
        while let Ok(Some(message)) = messages.next_message() {
            expected_messages.push(message).unwrap();
        }
        let (mut line_decoder, mut message_decoder) =
            (LineDecoder::new(limit), MessageDecoder::new(limit));
        let (mut seen_lines, mut seen_messages) = (BinaryColumn::new(), BinaryColumn::new());
        for chunk in wire.chunks(step) {
            line_decoder.feed(chunk);
            message_decoder.feed(chunk);
            let _ = line_decoder.next_batch(&mut seen_lines);
            let _ = message_decoder.next_batch(&mut seen_messages);
        }
        line_decoder.finish();
        message_decoder.finish();
        prop_assert_eq!(
            line_decoder.next_batch(&mut seen_lines).map_err(|error| error.offset),
            lines.next_line().map(|_| ()).map_err(|error| error.offset)
        );
        prop_assert_eq!(
            message_decoder.next_batch(&mut seen_messages).map_err(|error| error.offset),
            messages.next_message().map(|_| ()).map_err(|error| error.offset)
        );
        prop_assert_eq!(seen_lines, expected_lines);
        prop_assert_eq!(seen_messages, expected_messages);
    }

    #[test]
    fn encoded_line_or_message_decodes_as_one(payload in line_ish()) {
        let mut wire = Vec::new();
        let found = match encode_line(&payload, &mut wire) {
            Ok(()) => first_line(&wire, Input::Open, 1000).unwrap(),
            Err(DelimiterInPayload { at }) => {
                prop_assert!(matches!(payload[at], b'\r' | b'\n'));
                prop_assert!(wire.is_empty());
                None
            }
        };
        prop_assert_eq!(found, (!wire.is_empty()).then_some((0..payload.len(), wire.len())));
        wire.clear();
        match encode_message(&payload, &mut wire) {
            Ok(()) => {
                let found = first_message(&wire, Input::Open, 1000).unwrap();
                prop_assert_eq!(found, Some((0..payload.len(), wire.len())));
            }
            Err(DelimiterInPayload { at }) => {
                prop_assert!(payload[at..] == *b"\r" || payload[at..].starts_with(b"end"));
            }
        }
    }

    #[test]
    fn compact_copy_is_all_payloads_end_to_end(
        payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..if cfg!(miri) { 120 } else { 300 }), 0..2 * FEW),
    ) {
        let mut wire = Vec::new();
        for payload in &payloads {
            encode(payload, &mut wire).unwrap();
        }
        let found = scan(&wire, Framing::BIG_ENDIAN, 300).unwrap();
        let mut packed = BinaryColumn::new();
        for round in 1..3 {
            prop_assert_eq!(compact(&wire, &found.payloads, &mut packed), payloads.len());
            prop_assert_eq!(&packed.values, &payloads.concat().repeat(round));
            prop_assert_eq!(packed.len(), round * payloads.len());
        }
        for (at, payload) in packed.offsets.windows(2).zip(payloads.iter().cycle()) {
            let at = usize::try_from(at[0]).unwrap()..usize::try_from(at[1]).unwrap();
            prop_assert_eq!(&packed.values[at], payload);
        }
    }

    #[test]
    fn view_is_its_payload_in_whatever_region(
        payloads in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..4 * FEW),
        rest in prop::collection::vec(any::<u8>(), 0..4),
    ) {
        for framing in FRAMINGS {
            let mut wire = Vec::new();
            for payload in &payloads {
                framing.encode(7, payload, &mut wire).unwrap();
            }
            let end = wire.len();
            wire.extend(&rest);
            let one = Views::of_frames(&wire, framing, 60).unwrap();
            prop_assert_eq!(one.consumed(), end);
            prop_assert_eq!(&viewed::<REGION>(one, &wire), &payloads);
            let many = Views::in_regions::<16>(&wire, framing, 60).unwrap();
            prop_assert_eq!(&viewed::<16>(many, &wire), &payloads);
            let found = scan(&wire, framing, 60).unwrap().payloads;
            let placed = Views::of_payloads(&wire, &found, end).unwrap();
            prop_assert_eq!(&viewed::<REGION>(placed, &wire), &payloads);
        }
    }

    #[test]
    fn lines_are_javas_however_they_are_cut(wire in line_ish(), step in 1..9_usize) {
        let mut decoder = LineDecoder::new(1000);
        let rest = |decoder: &mut LineDecoder| {
            let mut lines = Vec::new();
            while let Some(line) = decoder.next_line().unwrap() {
                lines.push(line.to_vec());
            }
            lines
        };
        let mut seen = fed(&wire, step, |chunk| { decoder.feed(chunk); rest(&mut decoder) });
        decoder.finish();
        seen.extend(rest(&mut decoder));
        let expected = java_lines(&wire);
        prop_assert_eq!(&seen, &expected);
        let bulk = scan_lines(&wire, Input::Ended, 1000).unwrap();
        prop_assert_eq!(bulk.consumed, wire.len());
        let bulk: Vec<_> = bulk.payloads.into_iter().map(|at| wire[at].to_vec()).collect();
        prop_assert_eq!(bulk, expected);
    }

    #[test]
    fn messages_are_lines_up_to_end_however_they_are_cut(wire in line_ish(), step in 1..9_usize) {
        let mut expected = Vec::new();
        let mut start = 0;
        let mut end = 0;
        let lines = scan_lines(&wire, Input::Ended, 1000).unwrap().payloads;
        for (index, line) in lines.iter().enumerate() {
            if wire[line.clone()] == *b"end" {
                expected.push(wire[start..end.max(start)].to_vec());
                start = lines.get(index + 1).map_or(wire.len(), |next| next.start);
            }
            end = if wire[line.clone()] == *b"end" { start } else { line.end };
        }
        let bulk = scan_messages(&wire, Input::Ended, 1000).unwrap();
        let bulk: Vec<_> = bulk.payloads.into_iter().map(|at| wire[at].to_vec()).collect();
        prop_assert_eq!(&bulk, &expected);
        let mut decoder = MessageDecoder::new(1000);
        let rest = |decoder: &mut MessageDecoder| {
            let mut messages = Vec::new();
            while let Ok(Some(message)) = decoder.next_message() {
                messages.push(message.to_vec());
            }
            messages
        };
        let mut seen = fed(&wire, step, |chunk| { decoder.feed(chunk); rest(&mut decoder) });
        decoder.finish();
        seen.extend(rest(&mut decoder));
        prop_assert_eq!(seen, expected);
        prop_assert_eq!(decoder.next_message().is_err(), decoder.buffered() > 0);
    }
}

#[test]
fn hostile_length_is_refused_before_anything_is_buffered_for_it() {
    for framing in FRAMINGS {
        let counted = i32::try_from(framing.header_len()).unwrap();
        let counted = if framing == framing.including_itself() { counted } else { 0 };
        let judged = |length| framing.header(&length_at(framing, length), 100);
        for length in [-1, 101 + counted, i32::MAX, i32::MIN] {
            let error = judged(length).unwrap_err();
            assert_eq!(error.offset, framing.header_len() - LENGTH_LEN);
            let limit = 100 + u64::try_from(counted).unwrap();
            let problem = match u64::try_from(length) {
                Ok(value) => DecodeErrorKind::OverLimit { value, limit },
                // Behind a type the length is unsigned.
                Err(_) if framing.header_len() > LENGTH_LEN => {
                    DecodeErrorKind::OverLimit { value: length.cast_unsigned().into(), limit }
                }
                Err(_) => DecodeErrorKind::Negative { value: length.into() },
            };
            assert_eq!(error.problem, problem, "{framing:?}");
        }
        for (length, payload_len) in [(counted, 0), (100 + counted, 100)] {
            assert_eq!(judged(length).unwrap().unwrap().payload_len, payload_len);
        }
        if counted > 0 {
            let problem = judged(counted - 1).unwrap_err().problem;
            assert!(matches!(problem, DecodeErrorKind::Unexpected { .. }), "{problem}");
        }
    }
    assert_eq!(length_prefixed(&0_i32.to_be_bytes(), 100), Ok(FramePrefix::Whole(0)));
    assert_eq!(length_prefixed(&100_i32.to_be_bytes(), 100), Ok(FramePrefix::Incomplete));
}

#[test]
fn lone_carriage_return_waits_for_the_next_byte() {
    let open = scan_lines(b"a\r", Input::Open, 10).unwrap();
    assert_eq!((open.payloads.len(), open.consumed), (0, 0));
    let ended = scan_lines(b"a\r", Input::Ended, 10).unwrap();
    assert_eq!(ended.payloads.first(), Some(&(0..1)));
    assert_eq!(ended.consumed, 2);
}

#[test]
fn line_or_message_without_end_is_refused_at_the_limit() {
    let mut lines = LineDecoder::new(3);
    lines.feed(b"ab\nabc");
    assert_eq!(lines.next_line(), Ok(Some(&b"ab"[..])));
    assert_eq!(lines.next_line(), Ok(None));
    lines.feed(b"d");
    let over = DecodeErrorKind::OverLimit { value: 4, limit: 3 };
    assert_eq!(lines.next_line(), Err(over.clone().at("line length", 3)));

    let mut messages = MessageDecoder::new(3);
    messages.feed(b"a\nb\nend\na\nb");
    assert_eq!(messages.next_message(), Ok(Some(&b"a\nb"[..])));
    assert_eq!(messages.next_message(), Ok(None));
    messages.feed(b"c\n");
    assert_eq!(messages.next_message(), Err(over.at("message length", 8)));
}

#[test]
fn message_is_written_as_storm_reads_it() {
    let mut wire = Vec::new();
    encode_message(b"{}", &mut wire).unwrap();
    assert_eq!(wire, b"{}\nend\n");
    assert_eq!(scan_messages(b"end\n\nend\n", Input::Open, 9).unwrap().payloads, [0..0, 4..4]);
}
