//! Fragments: joining undoes cutting, messages by id are streams side by side, limits hold.

#![no_main]

use std::{collections::HashMap, num::NonZeroUsize};

use jvmwire_codec::{
    Result,
    fragment::{
        FragmentKind, Limits, Reassembler, StreamAssembler, split, split_hazelcast, split_pravega,
    },
};
use libfuzzer_sys::fuzz_target;

/// Small, so that inputs reach it.
const LIMIT: usize = 100;

fuzz_target!(|data: &[u8]| {
    let pieces = pieces(data);
    by_id(&pieces);
    bounded(&pieces);
    cut(data, &pieces);
    if let [size, message @ ..] = data {
        as_sent(message, NonZeroUsize::new(usize::from(*size)).unwrap_or(NonZeroUsize::MIN));
    }
});

/// One fragment: what it is, of which message, and its bytes.
type Piece<'a> = (FragmentKind, i64, &'a [u8]);

/// The input as fragments: flags, a length, then so many bytes.
fn pieces(mut data: &[u8]) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    while let [flags, len, rest @ ..] = data {
        let (piece, rest) = rest.split_at(usize::from(*len).min(rest.len()));
        pieces.push((FragmentKind::from_hazelcast(*flags), i64::from(*flags & 3), piece));
        data = rest;
    }
    pieces
}

fn by_id(pieces: &[Piece<'_>]) {
    let mut keyed = Reassembler::new(Limits { message: LIMIT, total: 4 * LIMIT, open: 4 });
    let mut streams: HashMap<i64, StreamAssembler> = HashMap::new();
    for (part, id, piece) in pieces {
        let stream = streams.entry(*id).or_insert_with(|| StreamAssembler::new(LIMIT));
        match (keyed.push(*id, *part, piece), stream.push(*part, piece)) {
            (Ok(one), Ok(other)) => assert_eq!(one, other),
            (Err(one), Err(other)) => assert_eq!(one.what, other.what),
            (one, other) => panic!("{one:?} {other:?}"),
        }
        assert_eq!(
            keyed.buffered(),
            streams.values().map(StreamAssembler::buffered).sum::<usize>()
        );
        assert_eq!(keyed.open(), streams.values().filter(|it| it.finish().is_err()).count());
    }
}

fn bounded(pieces: &[Piece<'_>]) {
    let limits = Limits { message: LIMIT, total: LIMIT + LIMIT / 2, open: 2 };
    let mut keyed = Reassembler::new(limits);
    for (part, id, piece) in pieces {
        let before = (keyed.open(), keyed.buffered());
        let refused = keyed.push(*id, *part, piece).map(|it| it.map(<[u8]>::len));
        assert!(
            refused.as_ref().is_ok_and(|len| len.is_none_or(|len| len <= LIMIT))
                || refused.is_err()
        );
        let after = (keyed.open(), keyed.buffered());
        assert!(after.0 <= limits.open && after.1 <= limits.total);
        if refused.is_err() {
            assert_eq!(before, after, "what was open stays open");
            keyed.forget(*id);
        }
    }
    (0..4).for_each(|id| keyed.forget(id));
    assert_eq!((keyed.open(), keyed.buffered()), (0, 0));
}

/// Cuts the input itself, at the lengths of its pieces.
fn cut(data: &[u8], pieces: &[Piece<'_>]) {
    let (mut rest, mut lens) = (data, pieces.iter().map(|(_, _, piece)| piece.len()));
    let mut stream = StreamAssembler::new(data.len());
    let mut part = FragmentKind::Begin;
    loop {
        let len = lens.next().unwrap_or(rest.len()).min(rest.len());
        let (piece, after) = rest.split_at(len);
        rest = after;
        if rest.is_empty() {
            part =
                if part == FragmentKind::Begin { FragmentKind::Whole } else { FragmentKind::End };
        }
        let joined: Result<_> = stream.push(part, piece);
        if rest.is_empty() {
            assert_eq!(joined, Ok(Some(data)));
            return;
        }
        assert_eq!(joined, Ok(None));
        part = FragmentKind::Middle;
    }
}

/// What senders make of a message is that message to both readers of fragments.
fn as_sent(message: &[u8], size: NonZeroUsize) {
    let pieces: Vec<_> = split(message, size).collect();
    let lens = message.chunks(size.get()).map(<[u8]>::len).chain(message.is_empty().then_some(0));
    assert!(lens.eq(pieces.iter().map(|(_, piece)| piece.len())));

    let mut stream = StreamAssembler::new(message.len());
    joins(&pieces, message, |part, piece| owned(stream.push(part, piece)));
    let flagged: Vec<_> = split_pravega(message, size).collect();
    assert!(flagged.len() >= 2, "a message in one piece has no flag");
    joins(&flagged, message, |flag, piece| owned(stream.push_pravega(flag, piece)));

    let limits = Limits { message: message.len(), total: message.len(), open: 1 };
    let mut keyed = Reassembler::new(limits);
    let flagged: Vec<_> = split_hazelcast(message, size).collect();
    joins(&flagged, message, |flags, piece| {
        owned(keyed.push(-1, FragmentKind::from_hazelcast(flags), piece))
    });
}

/// The last fragment gives the message, and none before it gives any.
fn joins<F: Copy>(
    fragments: &[(F, &[u8])],
    message: &[u8],
    mut push: impl FnMut(F, &[u8]) -> Result<Option<Vec<u8>>>,
) {
    let last = fragments.len() - 1;
    for (index, (flag, piece)) in fragments.iter().enumerate() {
        assert_eq!(push(*flag, piece), Ok((index == last).then(|| message.to_vec())));
    }
}

fn owned(joined: Result<Option<&[u8]>>) -> Result<Option<Vec<u8>>> {
    joined.map(|message| message.map(<[u8]>::to_vec))
}
