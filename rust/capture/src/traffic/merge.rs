//! Merge of traffic counts into one table: rows with the same key are added up, in buckets of one width.

use std::{io, mem, panic::resume_unwind, thread};

use arrow_array::{RecordBatch, StructArray};

use crate::{
    traffic::directories::parent,
    traffic::input::{Merging, TrafficError, TrafficInput},
    traffic::interner::Interner,
    traffic::latencies::SketchError,
    traffic::shard::{Shard, Width},
    traffic::slowest::Slowest,
    traffic::space_saving::{Limits, SpaceSaving},
    traffic::{Columns, NARROWEST, Row, floor},
};

/// Merged traffic of many captures, added up as it arrives.
///
/// Calls and latencies are in buckets of one width: the widest of the input, and wider while there are too
/// many. Other aspects keep their buckets. Once there are `MERGED_ROWS`, buckets are widened further, and then
/// counts without a row are added to rows of "(others)". At most `MERGED_WORDS` bytes of texts are kept. Jobs,
/// directories and slow calls have limits of their own.
#[derive(Debug)]
pub struct MergedTraffic {
    /// Initial and current maximum number of buckets.
    allowed: i64,
    buckets: i64,
    clock_end: i64,
    width: i64,
    line: Option<(i64, i64)>,
    words: Interner,
    /// Maximum number of rows per shard.
    limit: usize,
    /// Shards with alternate buckets, so that two threads can count at the same time.
    shards: [Shard; 2],
    contexts: SpaceSaving,
    directories: SpaceSaving,
    slowest: Slowest,
}

impl MergedTraffic {
    /// Creates an empty merge of at most `buckets` buckets; times from `clock_end` on are ignored.
    #[must_use]
    pub fn new(buckets: i64, clock_end: i64) -> Self {
        Self {
            allowed: buckets.max(1),
            buckets: buckets.max(1),
            clock_end,
            width: 0,
            line: None,
            words: Interner::with_limit(MERGED_WORDS),
            limit: MERGED_ROWS / 2,
            shards: Default::default(),
            contexts: SpaceSaving::new(MERGED_TEXTS, |_| None),
            directories: SpaceSaving::new(MERGED_TEXTS, parent),
            slowest: Slowest::default(),
        }
    }

    /// Adds rows of the table `traffic`: several batches together take less time than one by one.
    ///
    /// # Errors
    /// [`TrafficError`] if they have other columns, or latencies that are not packed sketches; the counts are
    /// unusable afterwards.
    pub fn add<'a>(
        &mut self,
        batches: impl IntoIterator<Item = &'a StructArray>,
    ) -> Result<(), TrafficError> {
        let given =
            batches.into_iter().map(|batch| TrafficInput::from_batch(batch, &mut self.words));
        let given = given.collect::<Result<Vec<_>, _>>()?;
        if self.shards.iter().any(|shard| shard.len() > self.limit / 2) {
            self.buckets = (self.buckets / 2).max(self.buckets.min(FEWEST_BUCKETS));
        }
        self.widen_to(&given)?;
        let (width, clock_end, limit) = (self.width, self.clock_end, self.limit);
        for batch in &given {
            self.add_by_text(batch);
        }
        let count = |shard: &mut Shard, turn| -> Result<Vec<_>, SketchError> {
            let mut beyond = Vec::new();
            for batch in &given {
                for row in 0..batch.rows() {
                    if turn_of(batch.bucket(row, clock_end), width) == turn
                        && batch.merging(row) == Merging::ByKey
                    {
                        let key = batch.key(row, clock_end).in_buckets_of(width);
                        let (sums, latencies) = (batch.sums(row, clock_end), batch.latencies(row));
                        if shard.has_room(limit, &key) {
                            shard.count(key, sums, latencies)?;
                        } else {
                            beyond.push((key, sums, latencies));
                        }
                    }
                }
            }
            Ok(beyond)
        };
        let is_much = given.iter().map(TrafficInput::rows).sum::<usize>() >= MUCH;
        let [first, second] = &mut self.shards;
        let (counted, at_the_same_time) = thread::scope(|scope| {
            let other = thread::Builder::new();
            let other = is_much.then(|| other.spawn_scoped(scope, || count(second, 1)));
            let other = other.and_then(io::Result::ok);
            let counted = count(first, 0);
            (counted, other.map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic))))
        });
        let mut beyond = counted?;
        beyond.extend(at_the_same_time.unwrap_or_else(|| count(second, 1))?);
        for (key, sums, latencies) in beyond {
            first.count_with_others(limit, key, sums, latencies)?;
        }
        Ok(())
    }

    /// Adds the rows of jobs, directories and slow calls, which have limits of their own.
    fn add_by_text(&mut self, batch: &TrafficInput<'_>) {
        let clock_end = self.clock_end;
        for row in 0..batch.rows() {
            let (counts, text) = match batch.merging(row) {
                Merging::ByKey => continue,
                Merging::Slow => {
                    let (latency, call) = batch.slow_call(row, clock_end);
                    self.slowest.add(latency, call);
                    continue;
                }
                Merging::Context => (&mut self.contexts, batch.context(row)),
                Merging::Directory => (&mut self.directories, batch.target(row)),
            };
            counts.add_undercount(batch.undercount(row));
            let (mut detail, sums) = (batch.detail(row, clock_end), batch.sums(row, clock_end));
            detail.bucket = detail.bucket.map(|bucket| floor(bucket, self.width));
            if sums.calls > 0 {
                counts.add(text, detail, &sums);
            }
        }
    }

    /// Takes the merged counts, one row per key.
    #[must_use]
    pub fn finish(&mut self) -> RecordBatch {
        let mut done = mem::replace(self, Self::new(self.allowed, self.clock_end));
        let mut rows = Columns::with_capacity(done.shards.iter().map(Shard::len).sum());
        let of_all = if done.width == 0 { NARROWEST } else { done.width };
        for (key, sums, latencies) in done.shards.iter().flat_map(Shard::rows) {
            let [aspect, protocol, client, user, name, target, ..] = key.words;
            let [.., pace, status, error_class] = key.words;
            let row = Row {
                aspect,
                bucket: key.bucket,
                width: match key.width {
                    Width::OfAll => Some(of_all),
                    Width::Own(width) => width,
                },
                protocol,
                client,
                user,
                name,
                target,
                pace,
                status,
                error_class,
                latencies,
                sums,
                ..Row::default()
            };
            rows.push(&row, &done.words);
        }
        rows.push_contexts(done.contexts, of_all, &mut done.words);
        rows.push_directories(done.directories, &mut done.words);
        rows.push_slowest(done.slowest, &mut done.words);
        rows.finish()
    }

    /// Widens the buckets to those of `given`, and until the whole time range fits into the allowed number.
    fn widen_to(&mut self, given: &[TrafficInput<'_>]) -> Result<(), SketchError> {
        let before = self.width;
        for batch in given {
            for row in 0..batch.rows() {
                let bucket = batch.bucket(row, self.clock_end);
                let (Some(bucket), Some(width)) = (bucket, batch.width_of_line(row)) else {
                    continue;
                };
                self.width = self.width.max(width);
                let (first, last) = self.line.unwrap_or((bucket, bucket));
                self.line = Some((first.min(bucket), last.max(bucket)));
            }
        }
        let Some((first, last)) = self.line else { return Ok(()) };
        self.width = self.width.max(1);
        while last / self.width - first / self.width >= self.buckets {
            self.width = self.width.saturating_mul(2);
        }
        if self.width != before {
            self.contexts.widen_to(self.width);
            for shard in mem::take(&mut self.shards) {
                for (key, sums, latencies) in shard.rows() {
                    let key = key.in_buckets_of(self.width);
                    let shard = &mut self.shards[turn_of(key.bucket, self.width)];
                    shard.count(key, sums, latencies)?;
                }
            }
        }
        Ok(())
    }
}

/// Returns the shard of a bucket. While the width is unchanged, all rows of a key are in one shard.
fn turn_of(bucket: Option<i64>, width: i64) -> usize {
    let number = bucket.unwrap_or_default().checked_div(width).unwrap_or_default();
    usize::from(number % 2 == 1)
}

/// Maximum number of rows before some are counted together (chosen by jvmwire): five times those of one
/// decoder.
const MERGED_ROWS: usize = 1 << 20;
/// Maximum number of bytes of the texts of all rows.
const MERGED_WORDS: usize = 64 << 20;
/// Limits of all jobs, and of all directories: four times those of one decoder.
const MERGED_TEXTS: Limits = Limits { texts: 32 << 10, text_bytes: 4 << 20, rows: 512 << 10 };
/// Number of buckets below which they are not widened further to reduce the number of rows (chosen by jvmwire).
const FEWEST_BUCKETS: i64 = 50;
/// Number of rows from which a second thread is used.
const MUCH: usize = 4096;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{traffic::Sums, traffic::latencies::Latencies};

    const CLOCK_END: i64 = 1 << 52;

    const WORDS_OF_ROWS: [&str; 5] = ["calls", "latency", "repeats", "10.0.0.7", "P.m"];
    const CALLS: u32 = 2;
    const LATENCY: u32 = 3;
    const REPEATS: u32 = 4;

    fn given(rows: &[Row<'_>]) -> StructArray {
        let mut words = Interner::default();
        for text in WORDS_OF_ROWS {
            words.number(text);
        }
        let mut columns = Columns::default();
        for row in rows {
            columns.push(row, &words);
        }
        columns.finish().into()
    }

    fn call(second: i64, width: i64) -> Row<'static> {
        Row {
            aspect: CALLS,
            bucket: Some(second * 1_000_000),
            width: Some(width * 1_000_000),
            client: 5,
            name: 6,
            sums: Sums { calls: 1, slowest: second, ..Sums::default() },
            ..Row::default()
        }
    }

    fn width_of(given: &TrafficInput<'_>, row: usize) -> Option<i64> {
        match given.width(row) {
            Width::OfAll => given.width_of_line(row),
            Width::Own(width) => width,
        }
    }

    /// Bucket, width, calls, the longest duration, and packed latencies.
    type Rows = Vec<(Option<i64>, Option<i64>, i64, i64, Option<Vec<u8>>)>;

    fn rows_of(merged: &mut MergedTraffic) -> Rows {
        let all = StructArray::from(merged.finish());
        let all = TrafficInput::from_batch(&all, &mut Interner::default()).unwrap();
        let mut rows: Rows = (0..all.rows())
            .map(|row| {
                let sums = all.sums(row, CLOCK_END);
                let (bucket, width) = (all.bucket(row, CLOCK_END), width_of(&all, row));
                let latencies = all.latencies(row).map(<[u8]>::to_vec);
                (bucket, width, sums.calls.cast_signed(), sums.slowest, latencies)
            })
            .collect();
        rows.sort_unstable();
        rows
    }

    fn merged(batches: &[StructArray], buckets: i64) -> Rows {
        let mut merged = MergedTraffic::new(buckets, CLOCK_END);
        for batch in batches {
            merged.add([batch]).unwrap();
        }
        rows_of(&mut merged)
    }

    #[test]
    fn buckets_widen_until_all_time_fits_and_no_call_is_lost() {
        let far: Vec<_> = (0..1000).map(|second| given(&[call(second, 1)])).collect();
        let rows = merged(&far, 400);
        assert_eq!(rows.len(), 250);
        assert_eq!(rows[0], (Some(0), Some(4_000_000), 4, 3, None));
    }

    #[test]
    fn order_and_the_batches_do_not_matter() {
        let rows = [call(0, 1), call(3, 4), call(9, 2), call(3, 1), call(600, 1)];
        let apart: Vec<_> = rows.iter().rev().map(|row| given(std::slice::from_ref(row))).collect();
        let together = merged(&[given(&rows)], 100);
        assert_eq!(together.len(), 3);
        assert_eq!(merged(&apart, 100), together);
    }

    #[test]
    fn bulk_encoding_equals_repeated_small_encodings() {
        let mut latencies = Latencies::default();
        latencies.add(3, 1);
        let packed = latencies.pack();
        let row = |n: i64| match n % 3 {
            0 => call(n * 7919 % 5000, 1),
            1 => Row { aspect: REPEATS, ..call(n * 104_729 % 5000, 8) },
            _ => Row { latencies: Some(&packed), aspect: LATENCY, ..call(n * 1299 % 7000, 1) },
        };
        let rows: Vec<_> = (0..3 * i64::try_from(MUCH).unwrap()).map(row).collect();
        let little: Vec<_> = rows.chunks(MUCH / 5).rev().map(given).collect();
        let mut at_once = MergedTraffic::new(400, CLOCK_END);
        at_once.add(&little).unwrap();
        assert_eq!(rows_of(&mut at_once), merged(&little, 400));
        assert_eq!(merged(&[given(&rows)], 400), merged(&little, 400));
    }

    /// Sets a text of a row.
    type SetWord = fn(&mut Row<'_>, u32);

    /// Creates rows of many clients, or of many methods, one per second.
    fn of_many(aspect: &str, calls: i64, set: SetWord) -> StructArray {
        let mut words = Interner::default();
        let mut columns = Columns::default();
        let mut latencies = Latencies::default();
        latencies.add(7, 1);
        let packed = latencies.pack();
        for n in 0..calls {
            let aspect = words.number(aspect);
            let word = words.number(&format!("a word {n}"));
            let latencies = (aspect == 2).then_some(&packed[..]);
            let mut row = Row { latencies, ..call(n, 1) };
            (row.aspect, row.client, row.name) = (aspect, 0, 0);
            set(&mut row, word);
            columns.push(&row, &words);
        }
        columns.finish().into()
    }

    #[test]
    fn rows_beyond_the_limit_are_counted_together_and_no_call_is_lost() {
        let by: [(&str, SetWord); 3] = [
            ("calls", |row, word| row.client = word),
            ("calls", |row, word| (row.client, row.name) = (word, word)),
            ("latency", |row, word| row.name = word),
        ];
        for (aspect, set) in by {
            let given = of_many(aspect, 40_000, set);
            let mut merged = MergedTraffic { limit: 500, ..MergedTraffic::new(400, CLOCK_END) };
            merged.add([&given]).unwrap();
            merged.add([&given]).unwrap();
            assert!(merged.shards.iter().map(Shard::len).sum::<usize>() < 1100 + (16 << 10));
            assert_eq!(merged.buckets, 200);
            let rows = rows_of(&mut merged);
            assert_eq!(rows.iter().map(|row| row.2).sum::<i64>(), 80_000);
        }
    }

    #[test]
    fn repeats_beyond_the_limit_have_no_user() {
        let given = of_many("repeats", 2000, |row, word| row.target = word);
        let mut merged = MergedTraffic { limit: 500, ..MergedTraffic::new(400, CLOCK_END) };
        merged.add([&given]).unwrap();
        assert_eq!(rows_of(&mut merged).len(), 500);
    }

    #[test]
    fn rows_without_times_keep_their_buckets() {
        let repeats = |second| Row { aspect: REPEATS, width: Some(8), ..call(second, 1) };
        let rows = merged(&[given(&[call(1, 64), repeats(3), repeats(4)])], 400);
        assert_eq!(
            rows.iter().map(|row| row.1).collect::<Vec<_>>(),
            [Some(64_000_000), Some(8), Some(8)]
        );
    }

    #[test]
    fn sum_saturates_at_the_largest_value_of_a_column() {
        let most = Sums { calls: i64::MAX.cast_unsigned(), ..Sums::default() };
        let rows = [Row { sums: most, ..call(0, 1) }, Row { sums: most, ..call(0, 1) }];
        assert_eq!(merged(&[given(&rows)], 400)[0].2, i64::MAX);
    }

    #[test]
    fn latencies_of_a_bucket_are_those_of_all_its_calls() {
        let [mut first, mut second] = [Latencies::default(), Latencies::default()];
        first.add(5, 2);
        second.add(900, 1);
        let packed = [first.pack(), second.pack()];
        let rows = packed.each_ref().map(|packed| timed(packed));
        let mut merged = MergedTraffic::new(400, CLOCK_END);
        merged.add([&given(&rows)]).unwrap();
        let whole = StructArray::from(merged.finish());
        let whole = TrafficInput::from_batch(&whole, &mut Interner::default()).unwrap();
        let mut latencies = Latencies::default();
        latencies.merge_packed(whole.latencies(0).unwrap()).unwrap();
        assert_eq!(
            (whole.sums(0, CLOCK_END).calls, latencies.calls(), latencies.longest()),
            (2, 3, 900)
        );
    }

    #[test]
    fn latencies_stay_those_of_their_row_whatever_comes_between() {
        let mut merged = MergedTraffic::new(50, CLOCK_END);
        // A row of each second has latencies, one has none, and both come again once buckets are wider.
        for second in (0..100).chain(0..100) {
            let mut latencies = Latencies::default();
            latencies.add(second / 4, 1);
            let packed = &latencies.pack();
            let rows = [
                Row { aspect: LATENCY, ..call(second, 1) },
                Row { aspect: LATENCY, latencies: Some(packed), ..call(second, 1) },
                call(second, 1),
            ];
            merged.add([&given(&rows)]).unwrap();
        }
        let whole = StructArray::from(merged.finish());
        let whole = TrafficInput::from_batch(&whole, &mut Interner::default()).unwrap();
        let mut seen = 0;
        for row in 0..whole.rows() {
            let Some(packed) = whole.latencies(row) else { continue };
            let first = whole.bucket(row, CLOCK_END).unwrap() / 1_000_000;
            let mut latencies = Latencies::default();
            latencies.merge_packed(packed).unwrap();
            let times: Vec<_> = latencies.bins().collect();
            assert_eq!(times, [(first / 4, 4)]);
            seen += times.iter().map(|(_, calls)| calls).sum::<u64>();
        }
        assert_eq!(seen, 200);
    }

    #[test]
    fn adding_an_invalid_sketch_is_refused() {
        let packed = Latencies::default().pack();
        for rows in [[timed(&packed), timed(b"")], [timed(b""), timed(&packed)]] {
            let added = MergedTraffic::new(400, CLOCK_END).add([&given(&rows)]);
            assert!(matches!(added, Err(TrafficError::Latencies(_))));
        }
    }

    fn timed(latencies: &[u8]) -> Row<'_> {
        Row { aspect: LATENCY, latencies: Some(latencies), ..call(0, 1) }
    }

    #[test]
    fn other_columns_are_named() {
        let other = arrow_array::RecordBatch::try_from_iter([(
            "name",
            std::sync::Arc::new(arrow_array::StringArray::from(vec!["a"])) as _,
        )]);
        let error = MergedTraffic::new(400, CLOCK_END).add([&other.unwrap().into()]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the columns of traffic are needed, in their order: name is not one of them"
        );
    }
}
