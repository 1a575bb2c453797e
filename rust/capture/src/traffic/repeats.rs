//! Repeated calls: the same method, client, user and target within a short time.
//!
//! Calls are counted per second, with the first and the last of each second. Windows determine only which calls
//! are kept: those that are frequent in a window, or in a window and its neighbour, so that no burst is cut at
//! the end of a window. A frequent call stays frequent while it continues. More calls are kept of the first and
//! the last window, whose neighbours may be in another part of the capture.

use std::collections::BTreeMap;

use ahash::RandomState;
use hashbrown::{HashTable, hash_table::Entry};

use crate::{
    traffic::interner::{Interner, shortened},
    traffic::{Columns, NARROWEST, Row, Sums, Times, floor},
};

/// Calls of a window and of the previous one, and the repeated calls found so far.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    hasher: RandomState,
    window: Option<i64>,
    /// Whether a window was closed: the next one is not the first.
    has_begun: bool,
    current: HashTable<Repeat>,
    /// Calls of the previous window, if there were any.
    before: HashTable<Repeat>,
    found: Vec<Repeat>,
    /// Numbers of bytes of the calls of the window, of those of the previous one, and of the repeated calls.
    held: [usize; 3],
}

/// Call with its counts.
#[derive(Debug)]
struct Repeat {
    hash: u64,
    key: Key,
    calls: u64,
    /// Whether the call is frequent in a window and one of its neighbours, or has been and continues.
    is_often: bool,
    /// Whether calls in another part of the capture may make it frequent.
    is_at_edge: bool,
    /// Counts of the second of the latest call, and of all others by their start.
    latest: Window,
    others: BTreeMap<Option<i64>, Window>,
}

#[derive(Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
struct Key {
    /// Numbers of the client, the user, the method and its pace.
    words: [u32; 4],
    target: Box<str>,
}

/// Counts of a call in one window.
#[derive(Clone, Copy, Debug)]
struct Window {
    start: Option<i64>,
    times: Times,
    calls: u64,
    retries: u64,
}

impl Repeats {
    /// Counts a call; `again` states that it failed or was a retry.
    pub(crate) fn call(&mut self, start: Option<i64>, words: [u32; 4], target: &str, again: bool) {
        let window = start.map(|start| floor(start, WINDOW));
        // Replies come late: a call of the window before is kept in this one, with its own time.
        if window > self.window {
            if self.window.is_some() {
                self.close_window(!self.has_begun);
                self.has_begun = true;
            }
            let follows = self
                .window
                .zip(window)
                .is_some_and(|(before, window)| before.saturating_add(WINDOW) >= window);
            if !follows {
                self.keep_often();
            }
            self.window = window;
        }
        let second = Window {
            start: start.map(|start| floor(start, NARROWEST)),
            times: Times::at(start),
            calls: 1,
            retries: again.into(),
        };
        let target = &*shortened(target);
        let hash = self.hasher.hash_one((words, target));
        let held = &mut self.held[0];
        let has_room = *held < REPEATS_LIMIT;
        let is_full = self.current.len() >= MAX_REPEATS || !has_room;
        let is_same = |known: &Repeat| known.key.words == words && *known.key.target == *target;
        match self.current.entry(hash, is_same, |known| known.hash) {
            Entry::Occupied(known) => *held += known.into_mut().add(second, has_room),
            Entry::Vacant(_) if is_full => {}
            Entry::Vacant(place) => {
                let key = Key { words, target: target.into() };
                let repeat = Repeat {
                    hash,
                    key,
                    calls: 1,
                    is_often: false,
                    is_at_edge: false,
                    latest: second,
                    others: BTreeMap::new(),
                };
                *held += repeat.held();
                place.insert(repeat);
            }
        }
    }

    /// Evaluates the calls of the window together with those of the previous one, which is then closed.
    fn close_window(&mut self, is_edge: bool) {
        judge(&mut self.current, &mut self.before);
        judge(&mut self.before, &mut self.current);
        for repeat in self.current.iter_mut().filter(|_| is_edge) {
            repeat.is_at_edge = repeat.calls >= AT_EDGE;
        }
        self.keep_often();
        std::mem::swap(&mut self.before, &mut self.current);
        self.held.swap(0, 1);
    }

    /// Number of bytes of memory of all kept calls.
    pub(crate) fn held(&self) -> usize {
        self.held.iter().sum()
    }

    /// Keeps the frequent calls of the previous window, and drops the others.
    fn keep_often(&mut self) {
        let mut often: Vec<_> = self.before.drain().filter(Repeat::is_kept).collect();
        often.sort_by(|one, other| {
            other.calls.cmp(&one.calls).then_with(|| one.key.cmp(&other.key))
        });
        often.truncate(MAX_REPEATS_A_WINDOW);
        self.held[1] = 0;
        self.held[2] += often.iter().map(Repeat::held).sum::<usize>();
        self.found.append(&mut often);
        if self.found.len() > MAX_REPEATS || self.held[2] > REPEATS_LIMIT {
            self.found.sort_by_key(|repeat| std::cmp::Reverse(repeat.calls));
            let mut held = 0;
            let fit = self.found.iter().take(MAX_REPEATS / 2).take_while(|repeat| {
                held += repeat.held();
                held <= REPEATS_LIMIT / 2
            });
            let fit = fit.count();
            self.found.truncate(fit);
            self.found.shrink_to_fit();
            self.held[2] = self.found.iter().map(Repeat::held).sum();
        }
    }

    /// Adds a row for each second of each repeated call.
    pub(crate) fn rows(mut self, rows: &mut Columns, words: &mut Interner) {
        self.close_window(true);
        self.keep_often();
        let aspect = words.number("repeats");
        let mut seconds: Vec<_> = self
            .found
            .iter()
            .flat_map(|repeat| repeat.seconds().map(move |second| (second, &repeat.key)))
            .collect();
        seconds.sort_by(|(one, key), (other, other_key)| {
            one.start.cmp(&other.start).then_with(|| key.cmp(other_key))
        });
        for (second, Key { words: [client, user, name, pace], target }) in seconds {
            let Window { times, calls, retries, .. } = *second;
            let row = Row {
                aspect,
                bucket: second.start,
                width: Some(NARROWEST),
                client: *client,
                user: *user,
                name: *name,
                target: words.number(target),
                pace: *pace,
                sums: Sums { times, calls, retries, ..Sums::default() },
                ..Row::default()
            };
            rows.push(&row, words);
        }
    }
}

impl Repeat {
    fn is_kept(&self) -> bool {
        self.is_often || self.is_at_edge
    }

    /// Number of bytes of memory of the call.
    fn held(&self) -> usize {
        size_of::<Self>() + self.key.target.len() + self.others.len() * SECOND_SIZE
    }

    /// Adds a second, and returns the number of additional bytes. If there is no room for another second, its
    /// calls are added to the latest one.
    fn add(&mut self, second: Window, has_room: bool) -> usize {
        self.calls += second.calls;
        let seconds = self.others.len();
        if self.latest.start != second.start && has_room {
            let now = self.others.remove(&second.start);
            let before = std::mem::replace(&mut self.latest, second);
            self.others.insert(before.start, before);
            if let Some(now) = now {
                self.latest.add(&now);
            }
            return self.others.len().saturating_sub(seconds) * SECOND_SIZE;
        }
        self.latest.add(&second);
        0
    }

    fn seconds(&self) -> impl Iterator<Item = &Window> {
        self.others.values().chain([&self.latest])
    }
}

impl Window {
    fn add(&mut self, other: &Self) {
        self.times.add(other.times);
        self.calls += other.calls;
        self.retries += other.retries;
    }
}

/// Marks the frequent calls of `some`, the same calls of `others`, which continue them, and calls that are
/// frequent in both together.
fn judge(some: &mut HashTable<Repeat>, others: &mut HashTable<Repeat>) {
    // Of two that are often together one has half of the calls; most calls are made once.
    for repeat in some.iter_mut().filter(|repeat| repeat.is_often || repeat.calls * 2 >= REPEATED) {
        repeat.is_often |= repeat.calls >= REPEATED;
        let is_same = |other: &Repeat| other.key == repeat.key;
        if let Some(other) = others.find_mut(repeat.hash, is_same)
            && (repeat.is_often || other.calls + repeat.calls >= REPEATED)
        {
            (repeat.is_often, other.is_often) = (true, true);
        }
    }
}

/// Eight seconds, in microseconds: the time of the first retries of Hadoop's clients.
const WINDOW: i64 = 8_000_000;
/// Number of calls in the first or last window from which a call may be repeated in another part.
const AT_EDGE: u64 = 2;
/// Number of calls in a window and its neighbour from which a call is repeated.
const REPEATED: u64 = 8;
/// Maximum number of different calls per window (chosen by jvmwire).
const MAX_REPEATS: usize = 64 << 10;
/// Maximum number of bytes of the calls of a window, and of the repeated calls (chosen by jvmwire): calls
/// without room are counted, but not checked for repeats.
pub(crate) const REPEATS_LIMIT: usize = 12 << 20;
/// Approximate number of bytes of a second in the tree of a call's seconds.
const SECOND_SIZE: usize = 2 * size_of::<(Option<i64>, Window)>();
/// Maximum number of repeated calls that are reported per window (chosen by jvmwire).
const MAX_REPEATS_A_WINDOW: usize = 64;

#[cfg(test)]
mod tests {
    use arrow_array::{
        Int64Array, RecordBatch, StringArray, StructArray,
        cast::AsArray,
        types::{Int32Type, Int64Type},
    };

    use super::*;
    use crate::{MergedTraffic, tables::CallRow, traffic::Traffic};

    fn call(start: i64, target: &str) -> CallRow<'_> {
        CallRow {
            protocol: Some("hadoop"),
            client: Some("10.0.0.7:4711"),
            user: Some("alice"),
            name: Some("P.m"),
            target: Some(target),
            status: Some("error"),
            start: Some(start),
            latency_us: Some(10),
            ..CallRow::default()
        }
    }

    fn counted<'a>(calls: impl IntoIterator<Item = CallRow<'a>>) -> RecordBatch {
        let mut traffic = Traffic::default();
        for row in calls {
            traffic.call(&row, None, false);
        }
        traffic.into_batch(&[])
    }

    fn text(batch: &RecordBatch, column: &str, row: usize) -> String {
        let column = batch.column_by_name(column).unwrap().as_dictionary::<Int32Type>();
        let texts: &StringArray = column.values().as_string();
        column.key(row).map(|at| texts.value(at).to_owned()).unwrap_or_default()
    }

    /// Returns the seconds of repeated calls: the number of calls, the first and the last.
    fn repeats(batch: &RecordBatch) -> Vec<(i64, i64, i64)> {
        let number = |name: &str| -> &Int64Array {
            batch.column_by_name(name).unwrap().as_primitive::<Int64Type>()
        };
        let (calls, first, last) = (number("calls"), number("first"), number("last"));
        (0..batch.num_rows())
            .filter(|row| text(batch, "aspect", *row) == "repeats")
            .map(|row| (calls.value(row), first.value(row), last.value(row)))
            .collect()
    }

    #[test]
    fn call_repeated_in_a_window_is_reported_and_one_that_is_not_is_not() {
        let others: Vec<_> = (0..20).map(|n| format!("/other/{n}")).collect();
        let rows = (0..20).flat_map(|n| {
            [call(1000 + i64::try_from(n).unwrap() * 1000, "/a"), call(1000, &others[n])]
        });
        assert_eq!(repeats(&counted(rows)), [(20, 1000, 20_000)]);
    }

    #[test]
    fn burst_is_whole_wherever_a_window_ends() {
        for before in 0..=20 {
            // 20 calls in 20 microseconds, some of them in the window before.
            let start = 10 * WINDOW - before;
            let found = repeats(&counted((0..20).map(|n| call(start + n, "/a"))));
            assert_eq!(found.iter().map(|(calls, ..)| calls).sum::<i64>(), 20, "{before}");
            assert_eq!(found.first().map(|(_, first, _)| *first), Some(start));
            assert_eq!(found.last().map(|(.., last)| *last), Some(start + 19));
        }
    }

    #[test]
    fn calls_of_one_microsecond_and_of_minutes_have_their_own_times() {
        assert_eq!(repeats(&counted((0..30).map(|_| call(7, "/a")))), [(30, 7, 7)]);
        let slow = repeats(&counted((0..120).map(|n| call(n * 1_000_000 + n, "/a"))));
        assert_eq!(
            (slow.len(), slow[0], slow[119]),
            (120, (1, 0, 0), (1, 119_000_119, 119_000_119))
        );
    }

    #[test]
    fn reply_that_comes_late_does_not_move_its_call() {
        let late = [call(9_000_000, "/a"), call(3_000_000, "/a"), call(9_000_001, "/a")];
        let rows = (0..8).map(|n| call(8_500_000 + n, "/a")).chain(late);
        let expected =
            [(1, 3_000_000, 3_000_000), (8, 8_500_000, 8_500_007), (2, 9_000_000, 9_000_001)];
        assert_eq!(repeats(&counted(rows)), expected);
    }

    #[test]
    fn windows_that_are_apart_are_not_added_up() {
        // Windows at the edges are for other parts to add to.
        let edges = [call(0, "/x"), call(9 * WINDOW, "/x")];
        let apart = [2, 5].map(|window| (0..7).map(move |n| call(window * WINDOW + n, "/a")));
        let [begin, end] = edges;
        let rows = [begin].into_iter().chain(apart.into_iter().flatten()).chain([end]);
        assert_eq!(repeats(&counted(rows)), []);
    }

    #[test]
    fn burst_that_fades_is_whole_to_its_end() {
        let fading = (0..20).chain((1..30).map(|n| n * WINDOW / 2));
        let found =
            repeats(&counted(fading.map(|at| call(at, "/a")).chain([call(99 * WINDOW, "/x")])));
        assert_eq!(found.iter().map(|(calls, ..)| calls).sum::<i64>(), 49);
        assert_eq!(found.last().unwrap().2, 29 * WINDOW / 2);
    }

    #[test]
    fn burst_is_whole_wherever_the_capture_is_cut_into_parts() {
        let calls: Vec<_> = (0..40).map(|n| call(3 * WINDOW + n, "/a")).collect();
        for cut in 2..=38 {
            let (first, second) = calls.split_at(cut);
            let found = [first, second].map(|part| repeats(&counted(part.iter().copied())));
            assert_eq!(found.iter().flatten().map(|(calls, ..)| calls).sum::<i64>(), 40);
        }
    }

    #[test]
    fn name_with_a_nul_stays_in_its_column() {
        let rows = || {
            (0..20).map(|n| CallRow { user: Some("x\0y"), name: Some("P\0.m"), ..call(n, "/a\0b") })
        };
        let batch = counted(rows());
        let row = (0..batch.num_rows()).find(|row| text(&batch, "aspect", *row) == "repeats");
        let row = row.unwrap();
        let said = ["client", "user", "name", "target"].map(|column| text(&batch, column, row));
        assert_eq!(said, ["10.0.0.7", "x\0y", "P\0.m", "/a\0b"]);
        // Two keys that are one when they are joined stay two.
        let other = (0..20).map(|n| CallRow {
            user: Some("x"),
            name: Some("y\0P\0.m"),
            ..call(n, "/a\0b")
        });
        assert_eq!(repeats(&counted(rows().chain(other))).len(), 2);
    }

    #[test]
    fn many_long_targets_take_no_more_than_the_limit() {
        let mut repeats = Repeats::default();
        for window in 0..3 {
            for n in 0..200_000 {
                let target = format!("/{}{}", "x".repeat(900), n / 20);
                repeats.call(Some(window * WINDOW + n), [1; 4], &target, false);
                repeats.call(Some(n * 1_000_000 - window), [1; 4], &target, false);
                assert!(repeats.held() <= 3 * (REPEATS_LIMIT + 4096), "{}", repeats.held());
            }
        }
        let held = repeats.found.iter().map(Repeat::held).sum::<usize>();
        assert!(held == repeats.held[2] && held > 0);
    }

    #[test]
    fn parts_add_up_to_the_whole_in_any_order() {
        let calls: Vec<_> = (0..600).map(|n| call(n * 41_003, "/a")).collect();
        let parts: Vec<StructArray> =
            calls.chunks(100).map(|part| counted(part.iter().copied()).into()).collect();
        let merged = |parts: Vec<&StructArray>| {
            let mut merged = MergedTraffic::new(400, 1 << 52);
            for part in parts {
                merged.add([part]).unwrap();
            }
            let mut seconds = repeats(&merged.finish());
            seconds.sort_by_key(|(_, first, _)| *first);
            seconds
        };
        let whole = repeats(&counted(calls.iter().copied()));
        assert_eq!(merged(parts.iter().collect()), whole);
        assert_eq!(merged(parts.iter().rev().collect()), whole);
        assert_eq!(whole.iter().map(|(calls, ..)| calls).sum::<i64>(), 600);
    }
}
