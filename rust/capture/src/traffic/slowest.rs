//! The slowest calls of a capture, with everything that tells one from another.

use crate::{tables::CallRow, traffic::interner::shortened};

/// A slow call, with its own texts.
///
/// The order of the fields is that of calls which took equally long.
#[derive(Clone, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct SlowCall {
    pub(crate) start: Option<i64>,
    /// Protocol, client, user, method, target, status, error class and job; empty if there is none.
    pub(crate) texts: [Box<str>; TEXTS],
    pub(crate) request_bytes: u64,
    pub(crate) reply_bytes: u64,
    pub(crate) retries: u64,
}

/// Number of texts of a slow call.
pub(crate) const TEXTS: usize = 8;

/// The calls that took longest, the longest first.
#[derive(Debug, Default)]
pub(crate) struct Slowest {
    calls: Vec<(i64, SlowCall)>,
}

impl Slowest {
    /// Whether a call of this duration may be among the slowest.
    #[inline]
    pub(crate) fn has_room_for(&self, latency: i64) -> bool {
        self.calls.len() < MAX_SLOWEST
            || self.calls.last().is_some_and(|(shortest, _)| *shortest <= latency)
    }

    /// Adds a call of a table.
    #[inline(never)]
    pub(crate) fn call(
        &mut self,
        latency: i64,
        row: &CallRow<'_>,
        client: &str,
        status: &str,
        job: &str,
    ) {
        let text = |text: Option<&str>| Box::from(&*shortened(text.unwrap_or_default()));
        let texts = [
            text(row.protocol),
            text(Some(client)),
            text(row.user),
            text(row.name),
            text(row.target),
            text(Some(status)),
            text(row.error_class),
            text(Some(job)),
        ];
        let call = SlowCall {
            start: row.start,
            texts,
            request_bytes: row.request_bytes.unwrap_or_default().cast_unsigned(),
            reply_bytes: row.reply_bytes.unwrap_or_default().cast_unsigned(),
            retries: row.retry.is_some_and(|retry| retry > 0).into(),
        };
        self.add(latency, call);
    }

    /// Adds a call, which is dropped if others took longer.
    pub(crate) fn add(&mut self, latency: i64, call: SlowCall) {
        let before = |(known, other): &(i64, SlowCall)| {
            known.cmp(&latency).reverse().then_with(|| other.cmp(&call)).is_le()
        };
        let at = self.calls.partition_point(before);
        self.calls.insert(at, (latency, call));
        self.calls.truncate(MAX_SLOWEST);
    }

    /// Takes the calls with their durations, the slowest first.
    pub(crate) fn take(&mut self) -> Vec<(i64, SlowCall)> {
        std::mem::take(&mut self.calls)
    }
}

/// Number of calls that are kept.
const MAX_SLOWEST: usize = 10;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn slowest(calls: impl IntoIterator<Item = (i64, i64)>) -> Slowest {
        let mut slowest = Slowest::default();
        for (latency, start) in calls {
            let has_room = slowest.has_room_for(latency);
            let before = slowest.calls.clone();
            slowest.add(latency, SlowCall { start: Some(start), ..SlowCall::default() });
            assert!(has_room || slowest.calls == before);
        }
        slowest
    }

    proptest! {
        #[test]
        fn slowest_calls_are_the_same_however_the_capture_is_cut(
            calls in prop::collection::vec((0..20_i64, 0..9_i64), 0..60),
            cut in 0..60_usize,
        ) {
            let whole = slowest(calls.iter().copied()).take();
            let (one, other) = calls.split_at(cut.min(calls.len()));
            let mut merged = Slowest::default();
            for part in [other, one] {
                for (latency, call) in slowest(part.iter().copied()).take() {
                    merged.add(latency, call);
                }
            }
            prop_assert_eq!(merged.take(), whole.clone());
            let mut sorted = calls;
            sorted.sort_by_key(|(latency, start)| (-latency, *start));
            sorted.truncate(MAX_SLOWEST);
            let whole: Vec<_> =
                whole.into_iter().map(|(latency, call)| (latency, call.start.unwrap())).collect();
            prop_assert_eq!(whole, sorted);
        }
    }
}
