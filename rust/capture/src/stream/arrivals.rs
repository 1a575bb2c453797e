//! Times of the packets whose bytes wait in one direction.

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};

use crate::limits::MAX_COUNTER;

/// Times of the undecoded bytes of one direction: a message can be decoded long after the last of its packets,
/// while the protocol is being detected or a message boundary is being searched for.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Arrivals {
    newest: Piece,
    /// Earlier pieces with undecoded bytes, in order.
    older: VecDeque<Piece>,
    /// Time of the piece before all of these.
    before: Option<i64>,
}

/// Bytes that arrived at one time, up to the start of the next piece.
#[derive(Clone, Copy, Debug, Default, Deserialize, Serialize)]
struct Piece {
    begin: u64,
    ts: Option<i64>,
}

impl Arrivals {
    /// Records the time of the next bytes; before them, the bytes from `offset` to `begin` wait.
    #[inline]
    pub(crate) fn push(&mut self, ts: Option<i64>, offset: u64, begin: u64) {
        if offset < begin {
            self.keep_newest(offset);
        } else {
            self.before = self.newest.ts;
            if !self.older.is_empty() {
                self.older = VecDeque::new();
            }
        }
        self.newest = Piece { begin, ts };
    }

    fn keep_newest(&mut self, offset: u64) {
        while let Some(first) = self.older.front()
            && self.older.get(1).unwrap_or(&self.newest).begin <= offset
        {
            self.before = first.ts;
            self.older.pop_front();
        }
        if self.older.back().is_none_or(|last| last.ts != self.newest.ts) {
            self.older.push_back(self.newest);
        }
        if self.older.len() > MAX_PIECES {
            self.join_short_pieces();
        }
    }

    /// Merges neighbouring pieces until at most half of the maximum number is left.
    fn join_short_pieces(&mut self) {
        let first = self.older.front().map_or(0, |piece| piece.begin);
        let shortest = (self.newest.begin - first).div_ceil(MAX_PIECES as u64 / 2);
        let mut joined: VecDeque<Piece> = VecDeque::new();
        for piece in self.older.drain(..) {
            match joined.back_mut().filter(|last| piece.begin - last.begin < shortest) {
                Some(last) => last.ts = last.ts.max(piece.ts),
                None => joined.push_back(piece),
            }
        }
        self.older = joined;
    }

    /// Time of the latest packet with bytes from `from` to `end`.
    #[inline]
    pub(crate) fn latest(&self, from: u64, end: u64) -> Option<i64> {
        if from >= self.newest.begin { self.newest.ts } else { self.latest_of_older(from, end) }
    }

    fn latest_of_older(&self, from: u64, end: u64) -> Option<i64> {
        let first = self.older.partition_point(|piece| piece.begin <= from).saturating_sub(1);
        let of_older = self.older.range(first..).take_while(|piece| piece.begin < end);
        let newest = if end > self.newest.begin { self.newest.ts } else { None };
        let latest = of_older.filter_map(|piece| piece.ts).chain(newest).max();
        // A piece that ends where these begin was dropped before they arrived.
        latest.or(self.before)
    }

    /// Number of bytes of memory of the times of earlier pieces.
    #[inline]
    pub(crate) fn held(&self) -> usize {
        self.older.len() * size_of::<Piece>()
    }

    /// Whether a loaded state can have been saved.
    pub(crate) fn is_sound(&self) -> bool {
        self.older.len() <= MAX_PIECES
            && self.newest.begin <= MAX_COUNTER
            && self.older.iter().chain([&self.newest]).is_sorted_by_key(|piece| piece.begin)
    }
}

/// Maximum number of pieces with separate times (chosen by jvmwire): beyond it, neighbours get the later time
/// of both. Packets of an Ethernet exceed it only after a MiB.
const MAX_PIECES: usize = 1024;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_latest_time_of_their_own_packets() {
        let mut arrivals = Arrivals::default();
        for (begin, ts) in [(0, 5), (10, 9), (20, 7), (30, 8)] {
            arrivals.push(Some(ts), 0, begin);
        }
        for (from, end, ts) in
            [(0, 10, 5), (0, 11, 9), (9, 10, 5), (10, 20, 9), (20, 30, 7), (25, 31, 8), (30, 40, 8)]
        {
            assert_eq!(arrivals.latest(from, end), Some(ts), "{from}..{end}");
        }
        assert_eq!(arrivals.held(), 3 * size_of::<Piece>());
        arrivals.push(None, 25, 40);
        assert_eq!(arrivals.latest(25, 30), Some(7));
        assert_eq!(arrivals.latest(25, 50), Some(8));
        assert_eq!(arrivals.latest(0, 20), Some(9));
        arrivals.push(Some(20), 50, 50);
        assert_eq!((arrivals.latest(50, 60), arrivals.held()), (Some(20), 0));
    }

    #[test]
    fn memory_of_many_pieces_is_bounded_and_times_are_never_too_early() {
        let mut arrivals = Arrivals::default();
        for at in 0..100_000_u64 {
            arrivals.push(Some(at.cast_signed()), 0, at);
            assert!(arrivals.held() <= MAX_PIECES * size_of::<Piece>());
        }
        assert!(arrivals.is_sound());
        for at in 0..100_000_u64 {
            let ts = arrivals.latest(at, at + 1).unwrap().cast_unsigned();
            assert!((at..at + 600).contains(&ts), "{at}: {ts}");
        }
    }
}
