//! Search for the first frame of a stream that was not seen from its start: three frames must chain.

use std::cell::Cell;

use crate::{
    cost::examined,
    kernels::movemask::{BLOCK, movemask},
    scan::{Scan, Search},
};

/// Result of probing for a frame at the front of bytes.
#[derive(PartialEq, Eq)]
pub(crate) enum FrameProbe {
    /// A frame of this many bytes.
    Frame(usize),
    NoFrame,
    /// More bytes are needed: this many.
    TooShort(usize),
}

/// Condition under which a chain of frames may begin.
pub(crate) enum Start {
    /// With a frame after this number of bytes, which belong to the chain.
    After(usize),
    /// It needs no chain.
    Certain,
    Never,
    /// More bytes are needed: this many.
    TooShort(usize),
}

/// Returns the first offset at which a chain of three frames begins: see
/// [`ProtocolDecoder::resync`](crate::message::ProtocolDecoder::resync).
///
/// `start` examines the bytes at which a chain may begin, `front` those after the given number of frames. Both are
/// called for an offset when `shortest` bytes are available, and again only when the requested number is available.
/// `seems_to` tests an offset by the first `N` bytes of a frame, for a whole block of offsets together, so it should
/// have no branches; it must be true wherever a chain begins.
pub(crate) fn find_boundary<const N: usize>(
    bytes: &[u8],
    end: bool,
    scan: &mut Scan,
    shortest: usize,
    seems_to: impl Fn(&[u8; N]) -> bool,
    start: impl Fn(&[u8]) -> Start,
    front: impl Fn(usize, &[u8]) -> FrameProbe,
) -> Result<usize, usize> {
    let mut search = scan.known().map_or_else(Search::default, |places| places.search);
    if search.is_found {
        return Ok(search.at);
    }
    while search.at < bytes.len() {
        if search.need == 0 {
            let begun = Cell::new(Chain::default());
            let skipped = skip_until(&bytes[search.at..], &seems_to, |rest| {
                may_begin(rest, &start, &front).inspect(|chain| begun.set(*chain)).is_some()
            });
            examined(skipped);
            search.at += skipped;
            if search.at == bytes.len() {
                break;
            }
            let Chain { frames, len, need } = begun.get();
            (search.frames, search.len) = (frames, len);
            search.need = search.at + len + need.max(shortest);
        }
        match follow(bytes, end, &mut search, &start, &mut &front) {
            Some(true) => {
                let front = bytes[search.at..].first_chunk();
                debug_assert!(front.is_none_or(&seems_to), "a chain begins where none seems to");
                search.is_found = true;
                scan.places().search = search;
                return Ok(search.at);
            }
            Some(false) => search = Search { at: search.at + 1, ..Search::default() },
            None => break,
        }
    }
    scan.places().search = search;
    Err(search.at)
}

/// Frames of a chain that were found so far.
#[derive(Clone, Copy, Debug, Default)]
struct Chain {
    frames: usize,
    len: usize,
    /// Number of bytes that are needed to test for the next frame.
    need: usize,
}

/// Returns the first frames of the chain that may begin with these bytes, at most two; `None` if no chain can.
///
/// `follow` tests them too, with a `Search`. This function has no search: it rejects most offsets, and a search for
/// each of them would cost a third more instructions for traffic of other protocols.
fn may_begin(
    bytes: &[u8],
    start: impl Fn(&[u8]) -> Start,
    front: impl Fn(usize, &[u8]) -> FrameProbe,
) -> Option<Chain> {
    let begins = |start| !matches!(start, Start::After(0) | Start::Never);
    let first = match front(0, bytes) {
        FrameProbe::NoFrame => return begins(start(bytes)).then(Chain::default),
        FrameProbe::TooShort(need) => return Some(Chain { need, ..Chain::default() }),
        FrameProbe::Frame(len) => len,
    };
    let chain = match front(1, &bytes[first..]) {
        FrameProbe::NoFrame => return begins(start(bytes)).then(Chain::default),
        FrameProbe::TooShort(need) => Chain { frames: 1, len: first, need },
        FrameProbe::Frame(len) => Chain { frames: 2, len: first + len, need: 0 },
    };
    Some(if begins(start(bytes)) { Chain::default() } else { chain })
}

/// Returns the number of bytes at the front at which no frame begins, by the first `N` bytes of a frame; the last
/// `N - 1` bytes are not tested.
///
/// `seems_to` tests a block of offsets together; where it is true, `may_begin` decides by all bytes from there on.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the compiler makes vectors of the two closures")]
fn skip_until<const N: usize>(
    bytes: &[u8],
    seems_to: impl Fn(&[u8; N]) -> bool,
    may_begin: impl Fn(&[u8]) -> bool,
) -> usize {
    const { assert!(N <= MAX_FRONT) };
    let mut at = 0;
    // Where many offsets seem to begin a frame, testing a whole block after each would take longer.
    while at < BLOCK
        && let Some(by) = skip_places::<FEW, N>(&bytes[at..], &seems_to, &may_begin)
    {
        at += by;
        if by < FEW {
            return at;
        }
    }
    while let Some(by) = skip_places::<BLOCK, N>(&bytes[at..], &seems_to, &may_begin) {
        at += by;
        if by < BLOCK {
            return at;
        }
    }
    let last = bytes.len().saturating_sub(N - 1).max(at);
    (at..last)
        .find(|at| bytes[*at..].first_chunk().is_some_and(&seems_to) && may_begin(&bytes[*at..]))
        .unwrap_or(last)
}

/// Returns the number of the first `LEN` offsets at which no frame begins, up to one at which a frame may begin;
/// `None` if there are too few bytes.
#[inline(always)]
#[expect(clippy::inline_always, reason = "the compiler makes vectors of the two closures")]
fn skip_places<const LEN: usize, const N: usize>(
    bytes: &[u8],
    seems_to: impl Fn(&[u8; N]) -> bool,
    may_begin: impl Fn(&[u8]) -> bool,
) -> Option<usize> {
    let block = bytes.get(..LEN + MAX_FRONT)?;
    let mut flags = [0; BLOCK];
    for (by, flag) in flags.iter_mut().enumerate().take(LEN) {
        *flag = u8::from(seems_to(&std::array::from_fn(|nth| block[by + nth]))) << 7;
    }
    let mut mask = movemask(&flags);
    while mask != 0 {
        let by = mask.trailing_zeros() as usize;
        if may_begin(&bytes[by..]) {
            return Some(by);
        }
        mask &= mask - 1;
    }
    Some(LEN)
}

/// Maximum number of bytes of a frame that `seems_to` of [`skip_until`] tests.
const MAX_FRONT: usize = 8;
/// Number of offsets that are tested together before larger blocks.
const FEW: usize = 16;

/// Whether a chain begins at the position of the search; `None` if more bytes are needed.
pub(crate) fn follow(
    bytes: &[u8],
    end: bool,
    search: &mut Search,
    start: impl Fn(&[u8]) -> Start,
    front: &mut impl FnMut(usize, &[u8]) -> FrameProbe,
) -> Option<bool> {
    if bytes.len() < search.need && !end {
        return None;
    }
    let rest = &bytes[search.at..];
    if search.frames == 0 {
        examined(1);
        match start(rest) {
            Start::After(len) => search.len = len,
            Start::Certain => return Some(true),
            Start::Never => return Some(false),
            Start::TooShort(_) if end => return Some(false),
            Start::TooShort(need) => {
                search.need = search.at + need;
                return None;
            }
        }
    }
    while search.frames < CHAIN {
        if end && search.len == rest.len() && search.frames > 0 {
            break;
        }
        match front(search.frames, &rest[search.len..]) {
            FrameProbe::Frame(len) => {
                search.frames += 1;
                search.len += len;
            }
            FrameProbe::NoFrame => return Some(false),
            // A chain that the end of the stream cuts counts if it has begun.
            FrameProbe::TooShort(_) if end => return Some(search.len > 0),
            FrameProbe::TooShort(need) => {
                search.need = search.at + search.len + need;
                return None;
            }
        }
    }
    Some(true)
}

/// Number of consecutive frames that are not a coincidence (chosen by jvmwire).
const CHAIN: usize = 3;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn blocks_of_places_are_passed_as_each_place_alone(
            bytes in proptest::collection::vec(prop_oneof![9 => Just(7_u8), 1 => 0..3_u8], 0..300),
            ends in proptest::collection::vec(0..3_u8, 3),
        ) {
            let may_begin = |rest: &[u8]| rest.starts_with(&ends);
            let found = skip_until(&bytes, |front: &[u8; 3]| front[0] < 3, may_begin);
            let first = bytes.windows(3).position(|front| front == ends);
            prop_assert_eq!(found, first.unwrap_or(bytes.len().saturating_sub(2)));
        }
    }
}
