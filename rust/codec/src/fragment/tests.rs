//! Tests of reassembly: limits, order, dropped messages.

use proptest::prelude::*;

use super::*;
use crate::DecodeErrorKind;

const LIMITS: Limits = Limits { message: 100, total: 150, open: 3 };

fn step(below: usize) -> impl Strategy<Value = NonZeroUsize> {
    (1..below).prop_filter_map("not zero", NonZeroUsize::new)
}

proptest! {
    #[test]
    fn flags_say_the_parts(message in prop::collection::vec(any::<u8>(), 0..100), step in step(40)) {
        let mut stream = StreamAssembler::new(100);
        let mut keyed = Reassembler::new(LIMITS);
        let mut joined = None;
        for (flag, piece) in split_pravega(&message, step) {
            prop_assert!(joined.is_none() && piece.len() <= step.get());
            joined = stream.push_pravega(flag, piece).unwrap().map(<[u8]>::to_vec);
        }
        prop_assert_eq!(joined.as_ref(), Some(&message));
        let mut joined = None;
        for (flags, piece) in split_hazelcast(&message, step) {
            prop_assert!(joined.is_none() && piece.len() <= step.get());
            joined = keyed.push(7, FragmentKind::from_hazelcast(flags), piece).unwrap().map(<[u8]>::to_vec);
        }
        prop_assert_eq!(joined, Some(message));
    }

    #[test]
    fn joining_undoes_cutting(
        messages in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..100), step(40)), 0..10),
    ) {
        let mut stream = StreamAssembler::new(100);
        for (message, step) in &messages {
            let mut joined = None;
            for (part, data) in split(message, *step) {
                prop_assert_eq!(joined, None);
                joined = stream.push(part, data).unwrap().map(<[u8]>::to_vec);
            }
            prop_assert_eq!(joined.as_ref(), Some(message));
            prop_assert_eq!(stream.finish(), Ok(()));
            prop_assert_eq!(stream.buffered(), 0);
        }
    }

    #[test]
    fn messages_may_interleave(
        messages in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..50), step(20)), 1..4),
        turns in prop::collection::vec(any::<prop::sample::Index>(), 200),
    ) {
        let mut left: Vec<_> = messages.iter().map(|(message, step)| split(message, *step)).collect();
        let mut keyed = Reassembler::new(LIMITS);
        let mut joined = vec![None; messages.len()];
        let ends = (0..messages.len()).cycle().take(200);
        for id in turns.iter().map(|turn| turn.index(messages.len())).chain(ends) {
            let Some((part, data)) = left[id].next() else { continue };
            let key = i64::try_from(id).unwrap();
            if let Some(message) = keyed.push(key, part, data).unwrap() {
                joined[id] = Some(message.to_vec());
            }
        }
        prop_assert_eq!((keyed.open(), keyed.buffered()), (0, 0));
        for ((message, _), joined) in messages.iter().zip(joined) {
            prop_assert_eq!(Some(message), joined.as_ref());
        }
    }

    #[test]
    fn garbage_never_goes_over_a_limit(
        pieces in prop::collection::vec((0..6_i64, any::<u8>(), prop::collection::vec(any::<u8>(), 0..60)), 0..60),
    ) {
        let mut keyed = Reassembler::new(LIMITS);
        for (id, flags, data) in pieces {
            let message = keyed.push(id, FragmentKind::from_hazelcast(flags), &data);
            prop_assert!(message.is_err() || message.unwrap().is_none_or(|m| m.len() <= LIMITS.message));
            prop_assert!(keyed.open() <= LIMITS.open && keyed.buffered() <= LIMITS.total);
        }
    }
}

#[test]
fn operations_out_of_order_are_refused() {
    let mut stream = StreamAssembler::new(100);
    for part in [FragmentKind::Middle, FragmentKind::End] {
        let problem = stream.push(part, b"x").unwrap_err().problem;
        assert!(matches!(problem, DecodeErrorKind::Unexpected { .. }), "{problem}");
    }
    stream.push(FragmentKind::Begin, b"x").unwrap();
    assert_eq!(
        stream.finish(),
        Err(DecodeErrorKind::UnexpectedEof { missing: 1 }.at("fragment", 3))
    );
    for part in [FragmentKind::Begin, FragmentKind::Whole] {
        let error = stream.push(part, b"x").unwrap_err();
        assert_eq!(
            error.to_string().split(':').next(),
            Some(&*format!("fragment at offset {}", error.offset))
        );
    }
}

#[test]
fn limit_errors_name_the_limit_and_the_value() {
    let refused = |result: crate::Result<Option<&[u8]>>| {
        let error = result.unwrap_err();
        (error.what, error.problem.value())
    };
    let mut stream = StreamAssembler::new(100);
    assert_eq!(stream.push(FragmentKind::Whole, &[0; 100]), Ok(Some(&[0; 100][..])));
    assert_eq!(
        refused(stream.push(FragmentKind::Begin, &[0; 101])),
        ("bytes of a fragmented message", Some(101))
    );
    let mut keyed = Reassembler::new(LIMITS);
    for id in 0..3 {
        keyed.push(id, FragmentKind::Begin, &[0; 40]).unwrap();
    }
    assert_eq!(refused(keyed.push(3, FragmentKind::Begin, b"")), ("open messages", Some(4)));
    assert_eq!(
        refused(keyed.push(0, FragmentKind::Middle, &[0; 61])),
        ("bytes of a fragmented message", Some(101))
    );
    assert_eq!(
        refused(keyed.push(0, FragmentKind::End, &[0; 31])),
        ("bytes of all open messages", Some(151))
    );
    keyed.forget(1);
    assert_eq!((keyed.open(), keyed.buffered()), (2, 80));
    assert_eq!(keyed.push(0, FragmentKind::End, &[0; 31]).unwrap().map(<[u8]>::len), Some(71));
}

#[test]
fn fragments_of_a_dropped_message_are_dropped_until_its_end() {
    let mut keyed = Reassembler::new(LIMITS);
    keyed.push(1, FragmentKind::Begin, b"a").unwrap();
    keyed.forget(1);
    assert!(keyed.is_forgotten(1));
    for _ in 0..10 {
        assert_eq!(keyed.push(1, FragmentKind::Middle, &[0; 100]), Ok(None));
    }
    assert_eq!((keyed.open(), keyed.buffered()), (0, 0));
    assert_eq!(keyed.push(1, FragmentKind::End, b"b"), Ok(None));
    assert!(!keyed.is_forgotten(1));
    keyed.push(1, FragmentKind::End, b"c").unwrap_err();
    // One that had not begun is as any other.
    keyed.forget(2);
    keyed.push(2, FragmentKind::Begin, b"d").unwrap();
    assert_eq!(keyed.push(2, FragmentKind::End, b"e"), Ok(Some(&b"de"[..])));
    // Nor does an id that is used again stay forgotten.
    keyed.push(1, FragmentKind::Begin, b"f").unwrap();
    keyed.forget(1);
    assert_eq!(keyed.push(1, FragmentKind::Whole, b"g"), Ok(Some(&b"g"[..])));
    keyed.push(1, FragmentKind::Middle, b"h").unwrap_err();
}

#[test]
fn no_more_forgotten_messages_are_remembered_than_may_be_open() {
    let mut keyed = Reassembler::new(LIMITS);
    for id in 0..4 {
        keyed.push(id, FragmentKind::Begin, b"a").unwrap();
        keyed.forget(id);
    }
    assert_eq!(
        (0..4).map(|id| keyed.is_forgotten(id)).collect::<Vec<_>>(),
        [false, true, true, true]
    );
    keyed.push(0, FragmentKind::End, b"b").unwrap_err();
}

#[test]
fn forgotten_messages_are_found_without_a_search() {
    let limits = Limits { message: 100, total: 1 << 20, open: 1 << 16 };
    let mut keyed = Reassembler::new(limits);
    let ids = if cfg!(miri) { 100 } else { 60_000 };
    for id in 0..ids {
        keyed.push(id, FragmentKind::Begin, b"a").unwrap();
        keyed.forget(id);
    }
    // Each of these took as many comparisons as there were forgotten messages.
    for id in (0..ids).rev() {
        assert_eq!(keyed.push(id, FragmentKind::Middle, b"b"), Ok(None));
        assert_eq!(keyed.push(id, FragmentKind::End, b"c"), Ok(None));
        assert!(!keyed.is_forgotten(id));
    }
    assert!(keyed.is_sound(limits) && keyed.held() == 0);
}

#[test]
fn message_that_was_given_takes_no_room_in_a_saved_state() {
    let mut keyed = Reassembler::new(LIMITS);
    let empty = serde_json::to_vec(&keyed).unwrap().len();
    keyed.push(1, FragmentKind::Begin, &[7; 40]).unwrap();
    assert!(keyed.held() > 40);
    assert_eq!(keyed.push(1, FragmentKind::End, &[7; 40]).unwrap().map(<[u8]>::len), Some(80));
    assert_eq!(keyed.held(), 0);
    assert!(serde_json::to_vec(&keyed).unwrap().len() < empty + 8);
    keyed.push(2, FragmentKind::Begin, b"a").unwrap();
    assert_eq!(keyed.take(2, FragmentKind::End, b"b"), Ok(Some(b"ab".to_vec())));
    assert_eq!(keyed.done.capacity(), 0);
}

#[test]
fn message_of_many_small_fragments_takes_no_more_room_than_its_limit() {
    let limit = if cfg!(miri) { 1000 } else { 100_000 };
    let mut stream = StreamAssembler::new(limit);
    stream.push(FragmentKind::Begin, b"").unwrap();
    for _ in 0..limit {
        stream.push(FragmentKind::Middle, b"x").unwrap();
        assert!(stream.message.capacity() <= limit);
    }
}

#[test]
fn hazelcasts_other_flags_are_not_looked_at() {
    assert_eq!(FragmentKind::from_hazelcast(0xc1), FragmentKind::Whole);
    assert_eq!(FragmentKind::from_hazelcast(0x81), FragmentKind::Begin);
    assert_eq!(FragmentKind::from_hazelcast(0x41), FragmentKind::End);
    assert_eq!(FragmentKind::from_hazelcast(0x01), FragmentKind::Middle);
    assert_eq!(FragmentKind::from_pravega(2), Some(FragmentKind::End));
    assert_eq!(FragmentKind::from_pravega(3), None);
}
