//! One direction of a TCP stream, reassembled by its sequence numbers.

use std::collections::BTreeMap;

use jvmwire_codec::cost::examined;
use serde::{Deserialize, Serialize};

use crate::limits::MAX_COUNTER;
use crate::net::skipped::SkippedPackets;

/// Event of one direction of a TCP stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// The next bytes of the stream.
    Data {
        /// Bytes of the stream.
        bytes: &'a [u8],
        /// Time of the segment that contained them.
        ts: Option<i64>,
    },
    /// The next bytes of the stream were not captured.
    Lost {
        /// Number of bytes.
        bytes: u64,
        /// Time of the segment after them.
        ts: Option<i64>,
    },
}

/// Reassembler of the segments of one direction.
///
/// Bytes that arrive in order are delivered without a copy. Of overlapping bytes the first are used, as a
/// receiver has read them; retransmitted bytes that differ are counted as far as the original is held or among
/// the last [`MAX_REMEMBERED_PER_DIRECTION`]. A gap is kept open until the other side has acknowledged the
/// bytes after it and did not request it again, until [`MAX_HELD_PER_DIRECTION`], or until the end; then it is
/// lost.
///
/// Segments that a receiver rejects (RFC 9293, 3.10.7.4) have no effect: bytes from before the start, and bytes
/// and a FIN after a gap that are beyond the receiver's window. Since a capture may lack the acknowledgement
/// that opened the window, such bytes are kept separately until an acknowledgement or the end decides. Bytes
/// that follow the previous ones without a gap are never rejected.
///
/// Positions are sequence numbers extended beyond 32 bits, so that they never wrap.
#[derive(Debug, Default, Deserialize, Serialize)]
pub struct Direction {
    /// Next position; `None` before the first segment.
    next: Option<u64>,
    /// Start of the stream.
    first: u64,
    /// Whether the start is known from a SYN or its acknowledgement; else earlier bytes were not captured.
    is_first_known: bool,
    /// Position before which the receiver accepts bytes, as far as it has announced.
    edge: Option<u64>,
    /// Position of a FIN beyond that; it is valid once it is acknowledged.
    late_fin: Option<u64>,
    /// Lowest and highest position acknowledged before any segment was captured.
    unseen: Option<(u64, u64)>,
    /// Position up to which segments that acknowledge bytes are no longer held for them.
    waived: u64,
    /// Bytes beyond the window, by position, and the next position at the time when the first of them arrived.
    strays: BTreeMap<u64, Held>,
    strays_since: u64,
    /// Count of segments with bytes that the receiver rejects.
    refused: SkippedPackets,
    /// Count of segments with bytes from before the first segment of a connection whose start was not captured.
    early: SkippedPackets,
    initial_sequence: Option<u32>,
    fin: Option<u64>,
    /// Highest position that the other side has acknowledged.
    acknowledged: Option<u64>,
    /// Number of acknowledgements of held bytes while the gap before them remained.
    acknowledged_beyond_hole: u32,
    /// Non-overlapping pieces after a gap, by position.
    held: BTreeMap<u64, Held>,
    #[serde(skip)]
    held_bytes: usize,
    /// Positions covered by the held pieces: adjacent pieces are one run, from its first position to the
    /// position after its last. A span is compared with runs, however many pieces they have.
    #[serde(skip)]
    runs: BTreeMap<u64, u64>,
    /// Last delivered bytes, up to `next`: a ring buffer once it is full.
    #[serde(with = "serde_bytes")]
    recent: Vec<u8>,
    /// Index of the oldest of them.
    oldest: usize,
    /// Number of bytes that they count, by their length alone, so that a loaded state counts the same as a
    /// saved one.
    #[serde(skip)]
    remembered: usize,
    bytes: u64,
    retransmitted: u64,
    differing: u64,
    lost: u64,
}

#[derive(Debug, Deserialize, Serialize)]
struct Held {
    #[serde(with = "serde_bytes")]
    bytes: Box<[u8]>,
    missing: u64,
    ts: Option<i64>,
}

/// Bytes of a segment at the positions `at..end`: the captured ones, then the truncated ones.
#[derive(Clone, Copy)]
struct Span<'a> {
    at: u64,
    end: u64,
    bytes: &'a [u8],
}

impl Direction {
    /// Creates a direction without segments.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Restores derived state after a load; returns whether the saved state is consistent: held bytes are after
    /// the next position, and no number can overflow when it is incremented.
    pub(crate) fn restore(&mut self) -> bool {
        self.held_bytes = self.held.values().chain(self.strays.values()).map(Held::cost).sum();
        self.remembered = capacity_for(self.recent.len());
        let mut free = self.next;
        let in_order = self.held.iter().all(|(at, held)| {
            let is_behind = free.is_some_and(|free| *at >= free);
            let end = at.checked_add(held.bytes.len() as u64);
            free = end.and_then(|end| end.checked_add(held.missing));
            is_behind && free.is_some()
        });
        if in_order {
            let pieces = self.held.iter().map(|(at, held)| (*at, at + held.len()));
            for (at, end) in pieces.collect::<Vec<_>>() {
                self.cover(at, end);
            }
        }
        let counts =
            [self.bytes, self.retransmitted, self.differing, self.lost, self.first, self.waived];
        let unseen = self.unseen.unwrap_or_default();
        let stray = self.strays.last_key_value().map(|(at, it)| at.saturating_add(it.len()));
        let optional =
            [free, self.next, self.fin, self.acknowledged, self.edge, self.late_fin, stray];
        let strays_are_low = self.strays.values().all(|it| it.missing <= MAX_COUNTER);
        let numbers = optional.into_iter().flatten().chain([unseen.0, unseen.1, self.strays_since]);
        let is_low = numbers.chain(counts).all(|number| number <= MAX_COUNTER);
        let is_ring = self.recent.len() == MAX_REMEMBERED_PER_DIRECTION;
        in_order
            && (free.is_some() || self.held.is_empty())
            && is_low
            && strays_are_low
            && unseen.0 <= unseen.1
            && self.strays.len() <= MAX_STRAYS
            && (self.next.is_some() || self.strays.is_empty())
            && self.next.is_none_or(|next| next >= SEQ_MODULUS && self.first <= next)
            && [&self.refused, &self.early].into_iter().all(SkippedPackets::is_low)
            && self.acknowledged_beyond_hole < MAX_OUT_OF_ORDER
            && self.held_bytes <= MAX_HELD_PER_DIRECTION
            && self.recent.len() <= MAX_REMEMBERED_PER_DIRECTION
            && if is_ring { self.oldest < self.recent.len() } else { self.oldest == 0 }
    }

    /// Processes a SYN; the first byte follows its number.
    pub fn syn(&mut self, sequence: u32) {
        self.start(sequence.wrapping_add(1));
        self.is_first_known = true;
        self.initial_sequence.get_or_insert(sequence);
    }

    /// Processes the acknowledgement of a SYN that may not have been captured: the first byte has the
    /// acknowledged number.
    pub(crate) fn syn_acknowledged(&mut self, acknowledgement: u32) {
        if self.next.is_none() {
            self.start(acknowledgement);
            self.is_first_known = true;
        }
    }

    /// Starts the stream at this number, unless it has started.
    pub fn start(&mut self, sequence: u32) {
        if self.next.is_some() {
            return;
        }
        // One turn above zero, so that an older number than the first has a position too.
        let next = SEQ_MODULUS + u64::from(sequence);
        (self.next, self.first) = (Some(next), next);
        if let Some((_, highest)) = self.unseen.take()
            && let Some(position) = self.position(low_half(highest))
            && position.abs_diff(next) <= MAX_WINDOW
        {
            self.acknowledged = Some(position);
        }
    }

    /// Processes a segment's payload, of which the last `missing` bytes were not captured.
    pub fn segment(
        &mut self,
        sequence: u32,
        payload: &[u8],
        missing: usize,
        ts: Option<i64>,
        out: &mut impl FnMut(Event<'_>),
    ) {
        self.start(sequence);
        let (Some(next), Some(at)) = (self.next, self.position(sequence)) else { return };
        let len = payload.len() as u64 + missing as u64;
        if at < self.first && len > 0 {
            self.before_first(at, len);
        }
        let end = self.fin.map_or(at + len, |fin| fin.min(at + len));
        if end < at + len && len > 0 {
            self.refused.count(at + len - end.max(at));
        }
        if at >= end || end <= self.first {
            return;
        }
        let span = Span { at, end: at + len, bytes: payload }.until(end).from(self.first);
        let at = span.at;
        if at > next && at >= self.edge.unwrap_or(next + MAX_WINDOW) {
            self.stray(span, ts);
            self.give_up_excess(out);
            return;
        }
        let seen = next.clamp(at, end);
        if seen > at {
            self.retransmitted += seen - at;
            self.compare_with_recent(span.until(seen), next);
        }
        let span = span.from(seen);
        if span.at > next {
            self.hold(span, ts);
            self.give_up_excess(out);
        } else if let Some((&first, _)) = self.held.first_key_value() {
            self.hand_on(span.until(first), ts, out);
            self.hold(span.from(first), ts);
            self.release(out);
        } else {
            self.hand_on(span, ts, out);
        }
        if !self.strays.is_empty() {
            self.take_adjacent_strays(out);
        }
    }

    /// Whether a segment with this number follows the previous one, and no bytes and no FIN are held.
    #[inline]
    pub(crate) fn is_next_in_order(&self, sequence: u32) -> bool {
        self.next.is_some_and(|next| low_half(next) == sequence)
            && self.fin.is_none()
            && self.late_fin.is_none()
            && self.is_without_holes()
    }

    /// Returns the position that this number acknowledges, if all bytes before it were delivered and none are
    /// held.
    #[inline]
    pub(crate) fn acknowledged_in_order(&self, acknowledgement: u32) -> Option<u64> {
        let next = self.next?;
        let before = u64::from(low_half(next).wrapping_sub(acknowledgement));
        let is_plain = before <= MAX_WINDOW && self.late_fin.is_none() && self.is_without_holes();
        is_plain.then(|| next - before)
    }

    #[inline]
    fn is_without_holes(&self) -> bool {
        self.held.is_empty() && self.strays.is_empty()
    }

    /// Delivers the bytes of a segment that [is next](Self::is_next_in_order).
    #[inline]
    pub(crate) fn append(
        &mut self,
        bytes: &[u8],
        ts: Option<i64>,
        out: &mut impl FnMut(Event<'_>),
    ) {
        if let Some(at) = self.next
            && !bytes.is_empty()
        {
            self.bytes += bytes.len() as u64;
            self.next = Some(at + bytes.len() as u64);
            self.remember(bytes);
            out(Event::Data { bytes, ts });
        }
    }

    /// Records an acknowledged position, and the size of the receive window after it.
    #[inline]
    pub(crate) fn raise_window(&mut self, acknowledged: u64, window: u64) {
        let edge = acknowledged + window.max(LEAST_WINDOW);
        if self.acknowledged.is_none_or(|before| before < acknowledged) {
            self.acknowledged = Some(acknowledged);
        }
        if self.edge.is_none_or(|before| before < edge) {
            self.edge = Some(edge);
        }
    }

    /// Delivers the bytes beyond the window that follow without a gap now.
    fn take_adjacent_strays(&mut self, out: &mut impl FnMut(Event<'_>)) {
        while let Some(first) = self.strays.first_entry()
            && Some(*first.key()) == self.next
        {
            let (at, stray) = first.remove_entry();
            self.held_bytes -= stray.cost();
            self.hold(Span { at, end: at + stray.len(), bytes: &stray.bytes }, stray.ts);
            self.release(out);
        }
    }

    /// Processes a FIN that follows the byte before this number.
    pub fn fin(&mut self, sequence: u32) {
        self.start(sequence);
        let (Some(next), Some(position)) = (self.next, self.position(sequence)) else { return };
        if self.fin.is_some() || position < next {
            return;
        }
        if position == next || position <= self.edge.unwrap_or(next + MAX_WINDOW) {
            self.fin = Some(position);
        } else {
            self.late_fin = Some(position);
        }
    }

    /// Processes an acknowledgement, with the size of the receive window, if that is known.
    pub fn acknowledge(
        &mut self,
        acknowledgement: u32,
        window: Option<u64>,
        out: &mut impl FnMut(Event<'_>),
    ) {
        let Some(next) = self.next else {
            self.acknowledge_unseen(acknowledgement);
            return;
        };
        let Some(position) = self.position(acknowledgement) else { return };
        // No receiver takes so much at once: the number is not of this stream.
        if position > next + MAX_WINDOW || next > position + MAX_WINDOW {
            return;
        }
        match window {
            Some(window) => self.raise_window(position, window),
            None => self.acknowledged = self.acknowledged.max(Some(position)),
        }
        if self.late_fin.is_some_and(|fin| position == fin + 1) && self.fin.is_none() {
            self.fin = self.late_fin;
        }
        if !self.strays.is_empty() {
            self.judge_strays(position, next);
            self.release(out);
            self.give_up_excess(out);
        }
        if self.held.first_key_value().is_some_and(|(first, _)| position >= *first) {
            self.acknowledged_beyond_hole += 1;
            if self.acknowledged_beyond_hole >= MAX_OUT_OF_ORDER {
                self.skip_gap(out);
            }
        }
    }

    /// Ends the direction: gaps will not be filled any more. If the other side has `closed`, its last
    /// acknowledgement includes a FIN.
    pub fn finish(&mut self, ts: Option<i64>, closed: bool, out: &mut impl FnMut(Event<'_>)) {
        while !self.held.is_empty() {
            self.skip_gap(out);
        }
        for (_, stray) in std::mem::take(&mut self.strays) {
            self.held_bytes -= stray.cost();
            self.refused.count(stray.len());
        }
        self.forget();
        if let (None, Some((lowest, highest))) = (self.next, self.unseen.take()) {
            (self.next, self.first, self.acknowledged) = (Some(lowest), lowest, Some(highest));
        }
        let Some(next) = self.next else { return };
        let end = self.fin.or(match self.acknowledged {
            Some(acknowledged) if closed => Some(acknowledged - 1),
            // Just one more may be the number of a FIN that was not captured.
            Some(acknowledged) if acknowledged > next + 1 => Some(acknowledged),
            _ => None,
        });
        if let Some(end) = end {
            self.lose(end.saturating_sub(next), ts, out);
        }
    }

    /// Skips the gaps before the acknowledged number, and holds no more segments for them.
    pub(crate) fn waive(&mut self, acknowledgement: u32, out: &mut impl FnMut(Event<'_>)) {
        let Some(position) = self.position(acknowledgement) else { return };
        while self.held.first_key_value().is_some_and(|(first, _)| *first < position) {
            self.skip_gap(out);
        }
        self.waived = self.waived.max(position);
    }

    /// Number of acknowledged sequence numbers of which no bytes were delivered; `None` before the first
    /// segment.
    pub(crate) fn bytes_ahead(&self, acknowledgement: u32) -> Option<u64> {
        let (next, position) = (self.next?, self.position(acknowledgement)?);
        let known = if self.fin == Some(next) { next + 1 } else { next };
        Some(position.saturating_sub(known.max(self.waived)))
    }

    /// Returns the reaction of this direction's receiver to a RST with this number.
    pub(crate) fn judge_reset(&self, sequence: u32) -> Reset {
        let (Some(next), Some(at)) = (self.next, self.position(sequence)) else {
            return match self.unseen {
                // The receiver has acknowledged the number that it expects.
                Some((_, highest)) if low_half(highest) != sequence => Reset::Doubtful,
                _ => Reset::Taken,
            };
        };
        let last_held = self.runs.last_key_value().map(|(_, end)| *end);
        let is_next = at == next
            || Some(at) == self.acknowledged
            || Some(at) == last_held
            || self.fin.is_some_and(|fin| at == fin || at == fin + 1);
        if is_next {
            Reset::Taken
        } else if at > next && at <= self.edge.unwrap_or(next + MAX_WINDOW) {
            Reset::Doubtful
        } else {
            Reset::Refused
        }
    }

    /// Whether bytes from this number on were delivered or are held.
    pub(crate) fn has_passed(&self, sequence: u32) -> bool {
        let (Some(next), Some(at)) = (self.next, self.position(sequence)) else { return false };
        next > at || self.runs.last_key_value().is_some_and(|(_, end)| *end > at)
    }

    /// Counts of segments with bytes that the receiver rejected, and with bytes from before the first segment.
    pub(crate) fn left_out(&self) -> (SkippedPackets, SkippedPackets) {
        (self.refused, self.early)
    }

    /// Whether the stream was delivered up to its FIN.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.fin.is_some() && self.next >= self.fin
    }

    /// Whether the other side has acknowledged the FIN.
    #[must_use]
    pub fn is_acknowledged(&self) -> bool {
        self.fin.is_some() && self.acknowledged > self.fin
    }

    /// Whether a SYN with this number can be the one that opened the direction.
    #[must_use]
    pub fn is_opened_by(&self, sequence: u32) -> bool {
        match (self.initial_sequence, self.next) {
            (Some(initial), _) => initial == sequence,
            (None, Some(_)) => {
                // The packets of a capture may be out of order: it can come after the first bytes.
                let before = self.position(sequence.wrapping_add(1));
                let before = before.and_then(|at| self.first.checked_sub(at));
                !self.is_first_known && before.is_some_and(|before| before <= LATE_SYN)
                    || before == Some(0)
            }
            (None, None) => true,
        }
    }

    /// Whether the SYN with this number was captured, or its acknowledgement.
    #[must_use]
    pub fn has_syn(&self, sequence: u32) -> bool {
        let follows = || low_half(self.first) == sequence.wrapping_add(1);
        self.initial_sequence.map_or_else(
            || self.next.is_some() && self.is_first_known && follows(),
            |initial| initial == sequence,
        )
    }

    /// Whether a segment that ends before this number is ahead of all delivered bytes by more than `slack`.
    #[must_use]
    pub fn is_passed_by(&self, sequence: u32, slack: u64) -> bool {
        let (Some(next), Some(at)) = (self.next, self.position(sequence)) else { return true };
        at > next + slack
    }

    /// Number of bytes of memory of the held segments.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held_bytes
    }

    /// Number of delivered bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Number of retransmitted bytes.
    #[must_use]
    pub fn retransmitted(&self) -> u64 {
        self.retransmitted
    }

    /// Number of bytes reported as lost.
    #[must_use]
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Number of retransmitted bytes that differ from the original.
    #[must_use]
    pub fn differing(&self) -> u64 {
        self.differing
    }

    /// Number of bytes of memory that is kept only for comparison with retransmissions.
    #[must_use]
    pub fn remembered(&self) -> usize {
        self.remembered
    }

    /// Releases that memory.
    pub fn forget(&mut self) {
        (self.recent, self.oldest, self.remembered) = (Vec::new(), 0, 0);
    }

    /// Counts bytes from before the start.
    fn before_first(&mut self, at: u64, len: u64) {
        let before = (self.first - at).min(len);
        if !self.is_first_known {
            self.early.count(before);
        } else if at + 1 < self.first {
            // A keep-alive probe has the number of the byte before the next one.
            self.refused.count(before);
        }
    }

    /// Keeps a span that the receiver may reject.
    fn stray(&mut self, span: Span<'_>, ts: Option<i64>) {
        let next = self.next.unwrap_or_default();
        if self.strays.is_empty() {
            self.strays_since = next;
        }
        if self.strays.contains_key(&span.at) {
            return;
        }
        let held = Held { bytes: span.bytes.into(), missing: span.missing(), ts };
        self.held_bytes += held.cost();
        self.strays.insert(span.at, held);
        let cost: usize = self.strays.values().map(Held::cost).sum();
        if self.strays.len() <= MAX_STRAYS && cost <= MAX_STRAY_BYTES {
            return;
        }
        if self.strays_since == next {
            // Nothing else comes: it is the capture that lacks much, acknowledgements too.
            self.edge = None;
            self.keep_strays(u64::MAX);
        } else if let Some((_, first)) = self.strays.pop_first() {
            self.held_bytes -= first.cost();
            self.refused.count(first.len());
        }
    }

    /// Resolves bytes beyond the window by an acknowledgement: acknowledged bytes that were not delivered are
    /// those.
    fn judge_strays(&mut self, acknowledged: u64, next: u64) {
        while let Some(first) = self.strays.first_entry()
            && *first.key() < next
        {
            let stray = first.remove();
            self.held_bytes -= stray.cost();
            self.refused.count(stray.len());
        }
        self.keep_strays(acknowledged);
    }

    /// Moves the bytes beyond the window before this position to the held ones, as if they had arrived inside
    /// the window.
    fn keep_strays(&mut self, before: u64) {
        while let Some(first) = self.strays.first_entry()
            && *first.key() < before
        {
            let (at, stray) = first.remove_entry();
            self.held_bytes -= stray.cost();
            let span = Span { at, end: at + stray.len(), bytes: &stray.bytes };
            self.hold(span, stray.ts);
        }
    }

    fn acknowledge_unseen(&mut self, acknowledgement: u32) {
        let (lowest, highest) = self.unseen.unwrap_or_else(|| {
            let position = SEQ_MODULUS + u64::from(acknowledgement);
            (position, position)
        });
        let by = acknowledgement.wrapping_sub(low_half(highest)).cast_signed();
        if u64::from(by.unsigned_abs()) <= MAX_WINDOW {
            let position = highest.saturating_add_signed(by.into());
            self.unseen = Some((lowest.min(position), highest.max(position)));
        } else {
            self.unseen = Some((lowest, highest));
        }
    }

    /// Returns the position with this number that is nearest to `next`; `None` before the first segment.
    fn position(&self, sequence: u32) -> Option<u64> {
        let next = self.next?;
        let by = sequence.wrapping_sub(low_half(next)).cast_signed();
        Some(next.saturating_add_signed(i64::from(by)))
    }

    /// Counts the bytes of a span that differ from the delivered ones; the span ends at or before `next`.
    fn compare_with_recent(&mut self, span: Span<'_>, next: u64) {
        let known = self.recent.len();
        let span = span.from(next - known as u64);
        let back = usize::try_from(next - span.at).unwrap_or(usize::MAX);
        let (newer, older) = self.recent.split_at(self.oldest);
        let before = older.iter().chain(newer).skip(known.saturating_sub(back));
        self.differing +=
            before.zip(span.bytes).map(|(old, new)| u64::from(old != new)).sum::<u64>();
    }

    /// Counts the captured bytes of the span that differ from the held ones, piece by piece: a piece has at
    /// least one position, so that there are no more pieces than bytes in the span.
    fn compare_with_held(&mut self, span: Span<'_>) {
        let captured = span.at + span.bytes.len() as u64;
        let before = self.held.range(..=span.at).next_back();
        let overlapping =
            before.into_iter().chain(self.held.range(span.at + 1..captured.max(span.at + 1)));
        for (at, held) in overlapping {
            examined(1);
            self.differing += held.differing(*at, span);
        }
    }

    /// Holds the parts of the span that are not held yet.
    fn hold(&mut self, span: Span<'_>, ts: Option<i64>) {
        if span.at >= span.end {
            return;
        }
        self.compare_with_held(span);
        let mut at = match self.runs.range(..=span.at).next_back() {
            Some((_, end)) => span.at.max(*end),
            None => span.at,
        };
        let mut new = 0;
        while at < span.end {
            examined(1);
            let after = self.runs.range(at..span.end).next();
            let (gap_end, resync) =
                after.map_or((span.end, span.end), |(start, end)| (*start, *end));
            if at < gap_end {
                let gap = span.from(at).until(gap_end);
                let held = Held { bytes: gap.bytes.into(), missing: gap.missing(), ts };
                self.held_bytes += held.cost();
                self.held.insert(at, held);
                // The run before it, if any, ends at or after `span.at`; the next begins where it ends.
                self.cover(at, gap_end);
                new += gap_end - at;
            }
            at = resync;
        }
        self.retransmitted += span.end.saturating_sub(span.at).saturating_sub(new);
    }

    /// Adds positions that are not covered yet to the runs, and joins adjacent runs.
    fn cover(&mut self, at: u64, end: u64) {
        let end = self.runs.remove(&end).unwrap_or(end);
        match self.runs.range_mut(..at).next_back() {
            Some((_, before)) if *before == at => *before = end,
            _ => drop(self.runs.insert(at, end)),
        }
    }

    /// Delivers the held pieces that are next.
    fn release(&mut self, out: &mut impl FnMut(Event<'_>)) {
        if let Some(first) = self.runs.first_entry()
            && Some(*first.key()) == self.next
        {
            first.remove();
        }
        while let Some(first) = self.held.first_entry()
            && Some(*first.key()) == self.next
        {
            let (at, held) = first.remove_entry();
            self.held_bytes -= held.cost();
            self.acknowledged_beyond_hole = 0;
            self.hand_on(Span { at, end: at + held.len(), bytes: &held.bytes }, held.ts, out);
        }
    }

    fn give_up_excess(&mut self, out: &mut impl FnMut(Event<'_>)) {
        while self.held_bytes > MAX_HELD_PER_DIRECTION && !self.held.is_empty() {
            self.skip_gap(out);
        }
    }

    fn skip_gap(&mut self, out: &mut impl FnMut(Event<'_>)) {
        let (Some((&first, held)), Some(next)) = (self.held.first_key_value(), self.next) else {
            return;
        };
        let ts = held.ts;
        self.lose(first.saturating_sub(next), ts, out);
        self.release(out);
    }

    /// Delivers a span that begins at `next`.
    fn hand_on(&mut self, span: Span<'_>, ts: Option<i64>, out: &mut impl FnMut(Event<'_>)) {
        self.append(span.bytes, ts, out);
        self.lose(span.missing(), ts, out);
    }

    /// Keeps bytes for comparison with retransmissions, in place of the oldest ones.
    fn remember(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(MAX_REMEMBERED_PER_DIRECTION)..];
        let room = MAX_REMEMBERED_PER_DIRECTION - self.recent.len();
        let (added, rest) = bytes.split_at(room.min(bytes.len()));
        if !added.is_empty() {
            let len = self.recent.len() + added.len();
            if len > self.recent.capacity() {
                self.recent.reserve_exact(capacity_for(len) - self.recent.len());
            }
            self.recent.extend_from_slice(added);
            self.remembered = capacity_for(len);
        }
        let (behind, front) = rest.split_at(rest.len().min(self.recent.len() - self.oldest));
        for part in [behind, front] {
            if !part.is_empty() {
                let end = self.oldest + part.len();
                self.recent[self.oldest..end].copy_from_slice(part);
                self.oldest = if end == self.recent.len() { 0 } else { end };
            }
        }
    }

    fn lose(&mut self, bytes: u64, ts: Option<i64>, out: &mut impl FnMut(Event<'_>)) {
        if bytes > 0 {
            self.recent.clear();
            (self.oldest, self.remembered) = (0, 0);
            self.lost += bytes;
            self.next = self.next.map(|next| next + bytes);
            out(Event::Lost { bytes, ts });
        }
    }
}

/// Returns the sequence number of a position.
fn low_half(position: u64) -> u32 {
    let [_, _, _, _, low @ ..] = position.to_be_bytes();
    u32::from_be_bytes(low)
}

/// Reaction of a receiver to a RST (RFC 9293, 3.10.7.4, after RFC 5961).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reset {
    /// The sequence number is the receiver's next: the connection ends.
    Taken,
    /// The sequence number is in the window: the receiver sends a challenge, unless the capture lacks the bytes
    /// before it.
    Doubtful,
    /// The sequence number is outside of the window: the RST has no effect.
    Refused,
}

/// Memory of `len` bytes that arrive piece by piece.
fn capacity_for(len: usize) -> usize {
    if len == 0 { 0 } else { len.next_power_of_two() }
}

impl Held {
    fn len(&self) -> u64 {
        self.bytes.len() as u64 + self.missing
    }

    fn cost(&self) -> usize {
        self.bytes.len() + HELD_OVERHEAD
    }

    /// Number of bytes of the span that differ from those that are held from `at` on.
    fn differing(&self, at: u64, span: Span<'_>) -> u64 {
        let held = Span { at, end: at + self.len(), bytes: &self.bytes };
        let (ours, theirs) = (held.from(span.at), span.from(held.at));
        if ours.at != theirs.at {
            return 0;
        }
        ours.bytes.iter().zip(theirs.bytes).map(|(old, new)| u64::from(old != new)).sum()
    }
}

impl Span<'_> {
    fn from(self, at: u64) -> Self {
        let at = at.clamp(self.at, self.end);
        let skip = usize::try_from(at - self.at).unwrap_or(usize::MAX);
        Self { at, bytes: self.bytes.get(skip..).unwrap_or_default(), ..self }
    }

    fn until(self, end: u64) -> Self {
        let end = end.clamp(self.at, self.end);
        let keep = usize::try_from(end - self.at).unwrap_or(usize::MAX);
        Self { end, bytes: self.bytes.get(..keep).unwrap_or(self.bytes), ..self }
    }

    fn missing(&self) -> u64 {
        (self.end - self.at).saturating_sub(self.bytes.len() as u64)
    }
}

/// Maximum memory for the held segments of one direction: more than the default window of a Linux receiver
/// (`tcp_rmem`, 6 MiB, of which half is overhead).
pub const MAX_HELD_PER_DIRECTION: usize = 4 * 1024 * 1024;

/// Maximum number of delivered bytes of one direction that are kept for comparison with retransmissions:
/// several segments.
pub const MAX_REMEMBERED_PER_DIRECTION: usize = 16 * 1024;

/// Number of acknowledgements of bytes after a gap at which the gap is skipped: the receiver has the bytes, the
/// capture does not. One would be enough if the packets of a capture were always in order.
const MAX_OUT_OF_ORDER: u32 = 32;

/// Maximum window (RFC 7323).
pub(crate) const MAX_WINDOW: u64 = 1 << 30;

/// Minimum of a window, used for smaller ones: senders may probe a closed window.
const LEAST_WINDOW: u64 = 1 << 16;

/// Maximum number of pieces beyond the window that are kept, and maximum number of their bytes (chosen by
/// jvmwire).
const MAX_STRAYS: usize = 64;
const MAX_STRAY_BYTES: usize = 1 << 20;

/// Memory of a held piece in addition to its bytes: its node in the tree and the allocator's overhead.
const HELD_OVERHEAD: usize = 128;

/// Maximum distance between a stream's first bytes in a capture and a SYN after them.
const LATE_SYN: u64 = 1 << 16;

/// Modulus of sequence numbers.
const SEQ_MODULUS: u64 = 1 << 32;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Recorded output: the bytes, with `None` for a lost one.
    #[derive(Default)]
    struct Recorder(Vec<Option<u8>>);

    impl Recorder {
        fn hear(&mut self, event: Event<'_>) {
            match event {
                Event::Data { bytes, .. } => {
                    assert!(!bytes.is_empty());
                    self.0.extend(bytes.iter().copied().map(Some));
                }
                Event::Lost { bytes, .. } => {
                    assert!(bytes > 0);
                    self.0.extend((0..bytes).map(|_| None));
                }
            }
        }

        fn text(&self) -> String {
            self.0.iter().map(|byte| char::from(byte.unwrap_or(b'?'))).collect()
        }
    }

    /// Feeds (number, payload, missing) and then the end.
    fn heard(segments: &[(u32, &[u8], usize)]) -> (Recorder, Direction) {
        let (mut heard, mut direction) = (Recorder::default(), Direction::new());
        for (sequence, payload, missing) in segments {
            direction.segment(*sequence, payload, *missing, None, &mut |event| heard.hear(event));
        }
        direction.finish(None, false, &mut |event| heard.hear(event));
        (heard, direction)
    }

    fn text(segments: &[(u32, &[u8], usize)]) -> String {
        heard(segments).0.text()
    }

    /// Generates a stream, its first sequence number, and segments of it that cover it out of order.
    fn shuffled() -> impl Strategy<Value = (Vec<u8>, u32, Vec<(usize, usize)>)> {
        let start = prop_oneof![any::<u32>(), (u32::MAX - 300)..u32::MAX];
        (prop::collection::vec(any::<u8>(), 1..400), start).prop_flat_map(|(stream, start)| {
            let len = stream.len();
            let piece = (0..len, 1..80_usize).prop_map(move |(at, n)| (at, (at + n).min(len)));
            (prop::collection::vec(piece, 0..20), prop::collection::vec(0..len, 0..20))
                .prop_map(move |(mut pieces, mut cuts)| {
                    cuts.extend([0, len]);
                    cuts.sort_unstable();
                    pieces.extend(cuts.windows(2).map(|cut| (cut[0], cut[1])));
                    pieces
                })
                .prop_shuffle()
                .prop_map(move |pieces| (stream.clone(), start, pieces))
        })
    }

    fn number(start: u32, at: usize) -> u32 {
        start.wrapping_add(u32::try_from(at).unwrap())
    }

    proptest! {
        #[test]
        fn disorder_repetition_and_overlap_give_back_the_stream((stream, start, pieces) in shuffled()) {
            let (mut heard, mut direction) = (Recorder::default(), Direction::new());
            direction.syn(start.wrapping_sub(1));
            let mut fed = 0;
            for (from, to) in pieces {
                direction.segment(number(start, from), &stream[from..to], 0, None, &mut |event| heard.hear(event));
                fed += to - from;
            }
            // Not even the end is needed: nothing waits.
            prop_assert_eq!(direction.held(), 0);
            prop_assert_eq!(heard.0, stream.iter().copied().map(Some).collect::<Vec<_>>());
            prop_assert_eq!(direction.retransmitted(), (fed - stream.len()) as u64);
            prop_assert_eq!(direction.lost(), 0);
            prop_assert_eq!(direction.differing(), 0);
        }

        #[test]
        fn only_bytes_without_a_segment_are_lost((stream, start, pieces) in shuffled(), keep in 0_usize..10) {
            let pieces: Vec<_> = pieces.into_iter().filter(|(from, to)| from < to).take(keep).collect();
            let (mut heard, mut direction) = (Recorder::default(), Direction::new());
            direction.syn(start.wrapping_sub(1));
            let mut expected = vec![None; pieces.iter().map(|piece| piece.1).max().unwrap_or(0)];
            for (from, to) in &pieces {
                expected[*from..*to].copy_from_slice(&stream[*from..*to].iter().copied().map(Some).collect::<Vec<_>>());
                direction.segment(number(start, *from), &stream[*from..*to], 0, None, &mut |event| heard.hear(event));
            }
            direction.finish(None, false, &mut |event| heard.hear(event));
            prop_assert_eq!(direction.held(), 0);
            prop_assert_eq!(direction.lost(), expected.iter().filter(|byte| byte.is_none()).count() as u64);
            prop_assert_eq!(heard.0, expected);
        }

        #[test]
        fn garbage_never_panics_and_memory_is_bounded(
            calls in prop::collection::vec((0..5, any::<u32>(), 0_usize..70_000, 0_usize..3), 1..300),
        ) {
            let payload = vec![7; 70_000];
            let mut direction = Direction::new();
            let mut bytes = 0;
            let mut count = |event: Event<'_>| if let Event::Data { bytes: data, .. } = event {
                bytes += data.len() as u64;
            };
            for (call, sequence, len, missing) in calls {
                match call {
                    0 => direction.syn(sequence),
                    1 => direction.fin(sequence),
                    2 => direction.acknowledge(sequence, None, &mut count),
                    _ => direction.segment(sequence, &payload[..len], missing, None, &mut count),
                }
                prop_assert!(direction.held() <= MAX_HELD_PER_DIRECTION);
                prop_assert!(direction.remembered() <= MAX_REMEMBERED_PER_DIRECTION);
            }
            direction.finish(None, false, &mut count);
            prop_assert_eq!(direction.held(), 0);
            prop_assert_eq!(direction.bytes(), bytes);
        }
    }

    #[test]
    fn load_rejects_inconsistent_state() {
        let saved = || {
            let mut direction = Direction::new();
            direction.segment(0, b"a", 0, None, &mut |_| {});
            direction.segment(4, b"efg", 0, None, &mut |_| {});
            direction.segment(9, b"j", 0, None, &mut |_| {});
            direction
        };
        let forged: [fn(&mut Direction); 9] = [
            |it| it.next = None,
            |it| it.next = it.next.map(|next| next + 5),
            |it| it.next = Some(1),
            |it| it.lost = u64::MAX,
            |it| it.acknowledged = Some(u64::MAX),
            |it| it.held.values_mut().for_each(|held| held.missing = 7),
            |it| it.held.values_mut().for_each(|held| held.missing = u64::MAX - SEQ_MODULUS),
            |it| it.held.values_mut().skip(1).for_each(|held| held.missing = u64::MAX),
            |it| it.acknowledged_beyond_hole = u32::MAX,
        ];
        let loaded = |direction: &Direction| {
            let saved = postcard::to_stdvec(direction).unwrap();
            let mut loaded: Direction = postcard::from_bytes(&saved).unwrap();
            loaded.restore().then_some(loaded)
        };
        let held = loaded(&saved()).unwrap().held();
        assert_eq!(held, saved().held());
        for forge in forged {
            let mut direction = saved();
            forge(&mut direction);
            assert!(loaded(&direction).is_none());
        }
    }

    #[test]
    fn bytes_in_order_are_not_copied() {
        let mut direction = Direction::new();
        let payload = b"in order";
        let mut calls = 0;
        direction.segment(5, payload, 0, Some(9), &mut |event| {
            let Event::Data { bytes, ts } = event else { panic!("{event:?}") };
            assert!(std::ptr::eq(bytes, payload));
            assert_eq!(ts, Some(9));
            calls += 1;
        });
        assert_eq!(calls, 1);
    }

    #[test]
    fn span_over_adjacent_pieces_costs_no_more_than_its_bytes() {
        let (mut direction, mut none) = (Direction::new(), |_: Event<'_>| {});
        direction.segment(1000, b"x", 0, None, &mut none);
        for n in 0..10_000 {
            direction.segment(1100 + n, b"y", 0, None, &mut none);
        }
        assert_eq!(direction.runs.len(), 1);
        let _ = jvmwire_codec::cost::take_examined();
        for _ in 0..1000 {
            direction.segment(1100, b"yyz", 9_997, None, &mut none);
        }
        assert!(jvmwire_codec::cost::take_examined() <= 1000 * 6);
        assert_eq!((direction.differing(), direction.retransmitted()), (1000, 10_000_000));
        let saved = postcard::to_stdvec(&direction).unwrap();
        let mut loaded: Direction = postcard::from_bytes(&saved).unwrap();
        assert!(loaded.restore());
        assert_eq!(loaded.runs, direction.runs);
    }

    #[test]
    fn first_of_two_contents_wins() {
        assert_eq!(text(&[(0, b"abc", 0), (1, b"XXd", 0)]), "abcd");
        // Also while both wait.
        assert_eq!(
            text(&[(0, b"a", 0), (3, b"de", 0), (2, b"cXXf", 0), (1, b"bXXXXg", 0)]),
            "abcdefg"
        );
    }

    #[test]
    fn bytes_that_come_again_and_differ_are_counted() {
        let differing = |segments: &[_]| heard(segments).1.differing();
        assert_eq!(differing(&[(0, b"abc", 0), (1, b"bcd", 0), (0, b"abcde", 0)]), 0);
        assert_eq!(differing(&[(0, b"abc", 0), (1, b"XcX", 0), (2, b"XX", 0)]), 1 + 1);
        // Also while both wait, and after a gap.
        let held: [(_, &[u8], _); 4] =
            [(0, b"a", 0), (3, b"de", 0), (2, b"cXXf", 0), (1, b"bXXXXg", 0)];
        assert_eq!(differing(&held), 2 + 4);
        assert_eq!(differing(&[(0, b"ab", 2), (0, b"XbXX", 0), (4, b"e", 0), (2, b"XXX", 0)]), 1);
    }

    #[test]
    fn bytes_kept_for_comparison_are_bounded() {
        let len = MAX_REMEMBERED_PER_DIRECTION;
        let mut direction = Direction::new();
        direction.segment(0, &vec![b'a'; 3 * len], 0, None, &mut |_| {});
        direction.segment(number(0, 3 * len), b"b", 0, None, &mut |_| {});
        assert_eq!(direction.remembered(), len);
        direction.segment(0, &vec![b'X'; 3 * len + 1], 0, None, &mut |_| {});
        assert_eq!(direction.differing(), len as u64);
        direction.segment(0, b"XX", 0, None, &mut |_| {});
        assert_eq!(direction.differing(), len as u64);
        direction.forget();
        assert_eq!(direction.remembered(), 0);
    }

    #[test]
    fn stream_seen_from_the_middle_begins_with_its_first_segment() {
        assert_eq!(text(&[(1000, b"mid", 0), (1003, b"dle", 0)]), "middle");
    }

    #[test]
    fn numbers_wrap_around() {
        let start = u32::MAX - 1;
        assert_eq!(text(&[(start, b"ab", 0), (2, b"ef", 0), (0, b"cd", 0)]), "abcdef");
        let (mut heard, mut direction) = (Recorder::default(), Direction::new());
        direction.syn(u32::MAX);
        direction.segment(0, b"x", 0, None, &mut |event| heard.hear(event));
        assert_eq!(heard.text(), "x");
    }

    #[test]
    fn bytes_cut_by_the_snaplen_are_lost_at_their_place() {
        assert_eq!(text(&[(0, b"ab", 3), (5, b"f", 0)]), "ab???f");
        assert_eq!(text(&[(0, b"a", 0), (4, b"e", 2), (1, b"bc", 1)]), "abc?e??");
        assert_eq!(text(&[(0, b"", 4)]), "????");
    }

    #[test]
    fn data_behind_a_filled_hole_keeps_its_own_time() {
        let mut direction = Direction::new();
        let mut times = Vec::new();
        let mut note = |event: Event<'_>| {
            let (Event::Data { ts, .. } | Event::Lost { ts, .. }) = event;
            times.push(ts.unwrap());
        };
        direction.segment(0, b"a", 0, Some(1), &mut note);
        direction.segment(2, b"c", 0, Some(2), &mut note);
        direction.segment(1, b"b", 0, Some(3), &mut note);
        direction.segment(5, b"f", 0, Some(4), &mut note);
        direction.finish(Some(9), false, &mut note);
        assert_eq!(times, [1, 3, 2, 4, 4]);
    }

    #[test]
    fn gap_is_skipped_after_many_acknowledgements_behind_it() {
        let (mut heard, mut direction) = (Recorder::default(), Direction::new());
        direction.segment(0, b"a", 0, None, &mut |event| heard.hear(event));
        direction.segment(3, b"d", 0, None, &mut |event| heard.hear(event));
        for _ in 0..2 * MAX_OUT_OF_ORDER {
            direction.acknowledge(1, None, &mut |event| heard.hear(event)); // asks for what is missing
        }
        for _ in 1..MAX_OUT_OF_ORDER {
            direction.acknowledge(4, None, &mut |event| heard.hear(event));
        }
        assert_eq!(heard.text(), "a");
        direction.acknowledge(4, None, &mut |event| heard.hear(event));
        assert_eq!(heard.text(), "a??d");
    }

    #[test]
    fn hole_is_given_up_when_too_much_is_held() {
        let mut direction = Direction::new();
        direction.segment(0, b"a", 0, None, &mut |_| {});
        let (mut lost, mut bytes) = (0, 0);
        let segment = [0; 1000];
        for n in 0..5000 {
            direction.segment(10 + n * 1000, &segment, 0, None, &mut |event| match event {
                Event::Data { bytes: data, .. } => bytes += data.len(),
                Event::Lost { bytes, .. } => lost += bytes,
            });
            assert!(direction.held() <= MAX_HELD_PER_DIRECTION);
        }
        assert_eq!((lost, bytes), (9, 5_000_000));
    }

    #[test]
    fn acknowledged_bytes_that_were_not_captured_are_lost_at_the_end() {
        let (mut heard, mut direction) = (Recorder::default(), Direction::new());
        direction.syn(0);
        direction.segment(1, b"ab", 0, None, &mut |event| heard.hear(event));
        direction.acknowledge(6, None, &mut |event| heard.hear(event));
        direction.finish(None, false, &mut |event| heard.hear(event));
        assert_eq!(heard.text(), "ab???");
    }

    #[test]
    fn one_number_more_may_be_a_fin() {
        let (mut heard, mut direction) = (Recorder::default(), Direction::new());
        direction.segment(1, b"ab", 0, None, &mut |event| heard.hear(event));
        direction.acknowledge(4, None, &mut |event| heard.hear(event));
        direction.finish(None, false, &mut |event| heard.hear(event));
        assert_eq!(heard.text(), "ab");
    }

    #[test]
    fn direction_is_finished_when_all_before_its_fin_came() {
        let (mut heard, mut direction) = (Recorder::default(), Direction::new());
        direction.syn(9);
        direction.fin(13);
        assert!(!direction.is_finished());
        direction.segment(10, b"abcX", 0, None, &mut |event| heard.hear(event));
        assert!(direction.is_finished() && !direction.is_acknowledged());
        direction.acknowledge(13, None, &mut |_| {});
        assert!(!direction.is_acknowledged());
        direction.acknowledge(14, None, &mut |_| {});
        assert!(direction.is_acknowledged());
        assert_eq!(heard.text(), "abc");
    }
}
