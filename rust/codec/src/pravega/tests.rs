//! Tests of the command tables and of appends.

use std::ops::Range;

use proptest::prelude::*;

use super::*;
use crate::{fixed::Uuid, frame::BinaryColumn};

#[test]
fn commands_stand_in_the_order_of_their_types_and_each_has_its_own_name() {
    assert!(COMMANDS.is_sorted_by_key(|command| command.code));
    for command in COMMANDS {
        assert!(std::ptr::eq(named(command.name).unwrap(), command));
        assert!(std::ptr::eq(of_code(command.code).unwrap(), command));
    }
    assert_eq!(COMMANDS.len(), 70);
}

#[test]
fn early_messages_take_other_types_each_its_own() {
    assert_eq!(MESSAGES.len(), early::MESSAGE_COUNT);
    let ours = Dialect::proposed();
    assert!(ours.commands().iter().all(|(code, message)| *code == message.code));
    let other = Dialect::early([("Event", 77)]).unwrap();
    assert_eq!(other.of_code(77).unwrap().name, "Event");
    assert_eq!((other.named("Event").unwrap().0, other.of_code(8).is_none()), (77, true));
    assert_eq!(Dialect::early([("Event", 3)]), Err(DialectError::SameType(3)));
    assert_eq!(Dialect::early([("Hello", 3)]), Err(DialectError::NoMessage("Hello".into())));
}

#[test]
fn required_fields_precede_optional_ones() {
    for command in COMMANDS.iter().chain(MESSAGES) {
        let first = command.fields.iter().position(Field::is_optional);
        let rest = &command.fields[first.unwrap_or(command.fields.len())..];
        assert!(rest.iter().all(Field::is_optional), "{}", command.name);
    }
}

impl Batch for Vec<Vec<u8>> {
    fn count(&self) -> usize {
        self.len()
    }

    fn bytes(&self, events: Range<usize>) -> usize {
        self[events].iter().map(Vec::len).sum()
    }

    fn each<'a>(&'a self, events: Range<usize>, mut take: impl FnMut(&'a [u8])) {
        self[events].iter().for_each(|event| take(event));
    }
}

#[test]
fn event_that_is_too_long_is_refused_and_leaves_nothing() {
    let mut events = EventQueue::default();
    events.push(vec![b"a".to_vec()]).unwrap();
    let (index, _) = events.push(vec![Vec::new(), vec![0; EVENT_LIMIT + 1]]).unwrap_err();
    assert_eq!(index, 1);
    assert_eq!(events.all(), Size { events: 1, bytes: 9 });
}

/// The appends in `wire`, each its writer's, with its last event's number and what it stores; and
/// whether one is not ended.
fn appends(wire: &[u8]) -> (Vec<(Uuid, i64, Vec<u8>)>, bool) {
    let mut decoder = CommandDecoder::new(Dialect::today(), FRAME_LIMIT);
    let mut wire = wire;
    let mut assembler = AppendAssembler::default();
    let mut found = Vec::new();
    while let Some(command) = decoder.next_command(&mut wire).unwrap() {
        let (writer, rest) = command.payload.split_first_chunk().unwrap();
        let writer = Uuid::from_be_bytes(*writer);
        if command.code == 3 {
            assembler.begin(writer, rest).unwrap();
            continue;
        }
        let int = |at: usize| i32::from_be_bytes(*rest[at..].first_chunk().unwrap());
        let len = usize::try_from(int(4)).unwrap();
        let data = assembler.end(writer, int(0), &rest[8..8 + len], int(8 + len)).unwrap();
        let number = i64::from_be_bytes(*rest[12 + len..].first_chunk().unwrap());
        found.push((writer, number, data));
    }
    (found, assembler.is_open() || decoder.buffered() > 0)
}

#[test]
fn append_block_cut_by_padding_stores_whole_events() {
    let mut assembler = AppendAssembler::default();
    let mut data = b"\0\0\0\0\0\0\0\x01a".to_vec();
    data.extend_from_slice(b"\xff\xff\xff\xff\0\0\0\x02\0\0");
    assembler.begin(Uuid(7), &data).unwrap();
    assert_eq!(assembler.end(Uuid(7), 9, b"", 1).unwrap(), data[..9]);
}

#[test]
fn block_ends_with_the_rest_of_its_last_event() {
    let mut assembler = AppendAssembler::default();
    let mut data = b"\0\0\0\0\0\0\0\x01a".to_vec();
    data.extend_from_slice(b"\xff\xff\xff\xfe\0\0\0\x04\0\0\0\0");
    assembler.begin(Uuid(7), &data).unwrap();
    assert!(assembler.begin(Uuid(7), &data).is_err());
    let stored = assembler.end(Uuid(7), 9, b"\0\0\0\x02bc", 2).unwrap();
    assert_eq!(stored, b"\0\0\0\0\0\0\0\x01a\0\0\0\0\0\0\0\x02bc");
    assembler.begin(Uuid(7), &data).unwrap();
    assert!(assembler.end(Uuid(8), 9, b"", 1).is_err());
    assembler.begin(Uuid(7), &data).unwrap();
    assert!(assembler.end(Uuid(7), 99, b"", 1).is_err());
    assert!(assembler.end(Uuid(7), 0, b"", 0).is_err());
}

proptest! {
    #[test]
    fn blocks_of_any_size_store_each_writers_events_in_order(
        events in prop::collection::vec((0..3_u128, prop::collection::vec(any::<u8>(), 0..60)), 1..60),
        size in 0..200_usize,
    ) {
        let mut encoder = BlockEncoder::new(size);
        let mut wire = Vec::new();
        for (number, (writer, event)) in (1..).zip(&events) {
            encoder.append(Uuid(*writer), 7, number, event, &mut wire).unwrap();
        }
        encoder.finish(&mut wire);
        let (appends, is_open) = appends(&wire);
        let mut stored: std::collections::BTreeMap<Uuid, Vec<u8>> = std::collections::BTreeMap::new();
        for (writer, _, data) in appends {
            stored.entry(writer).or_default().extend(data);
        }
        for writer in 0..3 {
            let bytes = stored.remove(&Uuid(writer)).unwrap_or_default();
            let mut out = BinaryColumn::new();
            EventSplitter::new(0, EVENT_LIMIT).feed(&bytes, &mut out).unwrap();
            let wanted = events.iter().filter(|(of, _)| *of == writer).map(|(_, it)| it);
            prop_assert!(out.iter().eq(wanted.map(Vec::as_slice)));
        }
        prop_assert!(!is_open);
    }

    #[test]
    fn every_event_is_in_one_block_in_order(
        events in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 1..50),
        limit in 1..300_usize,
        batch in 1..20_usize,
    ) {
        let mut waiting = EventQueue::default();
        for batch in events.chunks(batch) {
            waiting.push(batch.to_vec()).unwrap();
        }
        let size = |events: &[Vec<u8>]| events.iter().map(|event| event.len() + 8).sum::<usize>();
        let mut stored = 0_usize;
        for (connection, enough) in [(0, 0), (1, 3 * limit)] {
            let mut last = stored;
            while waiting.unsent().events > 0 {
                let blocks = waiting.next_blocks(limit, enough);
                let count = blocks.events();
                let before = waiting.unsent();
                let mut wire = Vec::new();
                let put = |one: &[u8], other: &[u8]| wire.extend([one, other].concat());
                waiting.send(&blocks, Uuid(7), last.cast_signed() as i64, 9, put);
                prop_assert_eq!(wire.len(), blocks.len());
                prop_assert_eq!(waiting.unsent().events, before.events - count);
                let mut seen = Vec::new();
                for (_, number, data) in appends(&wire).0 {
                    let mut out = BinaryColumn::new();
                    EventSplitter::new(0, EVENT_LIMIT).feed(&data, &mut out).unwrap();
                    prop_assert!(data.len() <= limit || out.len() == 1);
                    seen.extend(out.iter().map(<[u8]>::to_vec));
                    prop_assert_eq!(number, (last + seen.len()).cast_signed() as i64);
                }
                prop_assert_eq!(&seen, &events[last..last + count]);
                last += count;
                // Of the first connection only some are stored.
                if connection == 0 && last * 2 < events.len() {
                    waiting.release(last - stored);
                    stored = last;
                }
                prop_assert_eq!(waiting.all().events, events.len() - stored);
                prop_assert_eq!(waiting.all().bytes, size(&events[stored..]));
                prop_assert_eq!(waiting.unsent().bytes, size(&events[last..]));
            }
            waiting.rewind();
            // The store tells of one more than it had acknowledged.
            if connection == 0 {
                waiting.release(1);
                stored += 1;
            }
            prop_assert_eq!(waiting.unsent(), waiting.all());
            let mut left = Vec::new();
            waiting.each(|event| left.push(event.to_vec()));
            prop_assert_eq!(&left, &events[stored..]);
        }
        waiting.release(usize::MAX);
        prop_assert_eq!((waiting.all(), waiting.unsent()), (Size::default(), Size::default()));
    }

    #[test]
    fn ready_blocks_are_those_that_are_made_when_they_are_sent(
        events in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 1..50),
        limit in 1..300_usize,
        enough in 0..600_usize,
        len in 0..60_usize,
        bare in any::<bool>(),
    ) {
        let mut waiting = if bare { EventQueue::bare() } else { EventQueue::default() };
        let Some(mut ready) = waiting.ready(events.len(), len, limit, enough) else {
            return Ok(());
        };
        let mut wire = Vec::new();
        ready.fill(events.iter().map(Vec::as_slice), |one, other| wire.extend([one, other].concat()));
        prop_assert!(wire.len() <= ready.room(30));
        wire.truncate(ready.len());
        ready.frame(Uuid(7), 5, 9, |at, frame| wire[at..at + frame.len()].copy_from_slice(frame));
        let count = ready.count();
        let mut seen = Vec::new();
        ready.each(&wire, 0..count, |event| seen.push(event.to_vec()));
        prop_assert_eq!(&seen, &events[..count]);
        for at in 0..count {
            let mut rest = Vec::new();
            ready.each(&wire, at..count, |event| rest.push(event.to_vec()));
            prop_assert_eq!(&rest, &events[at..count]);
            prop_assert_eq!(ready.bytes(at..count), rest.concat().len());
        }
        waiting.push(events).unwrap();
        let (mut made, mut last) = (Vec::new(), 5);
        while last - 5 < count {
            let blocks = waiting.next_blocks(limit, 0);
            waiting.send(&blocks, Uuid(7), last.cast_signed() as i64, 9, |one, other| {
                made.extend([one, other].concat());
            });
            last += blocks.events();
        }
        prop_assert_eq!(made, wire);
    }

    #[test]
    fn cutting_a_segment_into_events_does_not_depend_on_the_reads(
        events in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..30), 0..50),
        size in 1..100_usize,
    ) {
        let mut wire = Vec::new();
        for event in &events {
            wire.extend_from_slice(&[0; 4]);
            wire.extend_from_slice(&u32::try_from(event.len()).unwrap().to_be_bytes());
            wire.extend_from_slice(event);
        }
        let mut cutter = EventSplitter::new(100, EVENT_LIMIT);
        let mut seen: Vec<Vec<u8>> = Vec::new();
        for piece in wire.chunks(size) {
            let mut out = BinaryColumn::new();
            cutter.feed(piece, &mut out).unwrap();
            seen.extend(out.iter().map(<[u8]>::to_vec));
        }
        prop_assert_eq!(cutter.offset(), 100 + wire.len() as u64);
        prop_assert_eq!(seen, events);
    }

    #[test]
    fn no_bytes_make_a_walk_panic(
        command in prop::sample::select(COMMANDS.iter().chain(MESSAGES).collect::<Vec<_>>()),
        payload in prop::collection::vec(any::<u8>(), 0..100),
    ) {
        let _ = visit_fields(command, &payload, &mut ());
    }
}
