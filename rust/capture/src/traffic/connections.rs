//! Connections over time, and what is missing of them in the capture.

use std::collections::BTreeMap;

use crate::{
    tables::StreamRow,
    traffic::{Columns, Row, Sums, Times, floor, interner::Interner},
};

/// Counts of connections that were opened and closed, by bucket, and of those that are incomplete.
#[derive(Debug, Default)]
pub(crate) struct Connections {
    /// By bucket, protocol, and whether they were closed.
    changes: BTreeMap<(Option<i64>, u32, bool), Sums>,
    /// By protocol and kind.
    health: BTreeMap<(u32, Kind), Sums>,
}

/// What is missing of a connection, or odd about it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum Kind {
    Lost,
    Retransmitted,
    Differing,
    Midstream,
    OneSided,
    Reset,
    Evicted,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Retransmitted => "retransmitted",
            Self::Differing => "differing",
            Self::Midstream => "midstream",
            Self::OneSided => "one-sided",
            Self::Reset => "reset",
            Self::Evicted => "evicted",
        }
    }
}

impl Connections {
    /// Counts a connection in buckets of a width.
    pub(crate) fn stream(
        &mut self,
        row: &StreamRow<'_>,
        protocol: u32,
        width: i64,
        seen_from_start: bool,
    ) {
        let of = |count: Option<i64>| count.unwrap_or_default().max(0).cast_unsigned();
        let is_closed = matches!(row.ended, Some("fin" | "reset" | "replaced"));
        // The first packet stands for the opening of a connection that was seen from the middle.
        let opened = row.start.map(|at| (at, false));
        let closed = row.end.filter(|_| is_closed).map(|at| (at, true));
        for (at, is_end) in opened.into_iter().chain(closed) {
            let sums = Sums { calls: 1, times: Times::at(Some(at)), ..Sums::default() };
            let key = (Some(floor(at, width)), protocol, is_end);
            self.changes.entry(key).or_default().add(&sums);
        }
        let sides = |client: Option<i64>, server: Option<i64>| (of(client), of(server));
        let is_one_sided = (of(row.client_packets) == 0) != (of(row.server_packets) == 0);
        let bytes = sides(row.client_bytes, row.server_bytes);
        let none = (0, 0);
        for (kind, is_of_kind, (request_bytes, reply_bytes)) in [
            (Kind::Lost, false, sides(row.client_lost_bytes, row.server_lost_bytes)),
            (
                Kind::Retransmitted,
                false,
                sides(row.client_retransmitted_bytes, row.server_retransmitted_bytes),
            ),
            (Kind::Differing, false, sides(row.client_differing_bytes, row.server_differing_bytes)),
            (Kind::Midstream, !seen_from_start, none),
            (Kind::OneSided, is_one_sided, if is_one_sided { bytes } else { none }),
            (Kind::Reset, row.ended == Some("reset"), none),
            (Kind::Evicted, row.ended == Some("evicted"), none),
        ] {
            if is_of_kind || request_bytes + reply_bytes > 0 {
                let sums = Sums { calls: 1, request_bytes, reply_bytes, ..Sums::default() };
                self.health.entry((protocol, kind)).or_default().add(&sums);
            }
        }
    }

    /// Widens the buckets.
    pub(crate) fn widen_to(&mut self, width: i64) {
        for ((bucket, protocol, is_end), sums) in std::mem::take(&mut self.changes) {
            let key = (bucket.map(|bucket| floor(bucket, width)), protocol, is_end);
            self.changes.entry(key).or_default().add(&sums);
        }
    }

    pub(crate) fn held(&self) -> usize {
        self.changes.len() * size_of::<((Option<i64>, u32, bool), Sums)>()
    }

    pub(crate) fn rows(self, width: i64, rows: &mut Columns, words: &mut Interner) {
        let aspect = words.number("connections");
        for ((bucket, protocol, is_end), sums) in self.changes {
            let status = words.number(if is_end { "closed" } else { "opened" });
            let width = Some(width);
            rows.push(
                &Row { aspect, bucket, width, protocol, status, sums, ..Row::default() },
                words,
            );
        }
        let aspect = words.number("health");
        for ((protocol, kind), sums) in self.health {
            let status = words.number(kind.name());
            rows.push(&Row { aspect, protocol, status, sums, ..Row::default() }, words);
        }
    }
}
