//! Counts of traffic become one table: rows of one key are added up, in buckets of one width.

use std::{collections::HashMap, ops::Range};

use ahash::RandomState;
use arrow_array::{Array, BinaryArray, Int64Array, RecordBatch, StructArray};
use hashbrown::{HashTable, hash_table::Entry};

use crate::{
    latencies::{NotLatencies, add_packed},
    traffic::{Columns, NARROWEST, Row, Sums, WORDS, floor, schema},
    words::{GivenWords, Words},
};

/// Traffic of many captures, added up as it comes.
///
/// Calls and latencies are in buckets all of one width: the widest that came, and wider while there
/// are too many. Others keep their own.
#[derive(Debug)]
pub struct MergedTraffic {
    buckets: i64,
    clock_end: i64,
    width: i64,
    line: Option<(i64, i64)>,
    words: Words,
    hasher: RandomState,
    /// By the buckets of keys: rows of one come together, and its places stay in the processor's cache.
    places: HashMap<(Width, Option<i64>), HashTable<Place>, RandomState>,
    rows: Vec<(Key, Counts)>,
    /// Latencies as they came, one behind the other.
    came: Vec<u8>,
}

/// What comes of something else than traffic.
#[derive(Debug, thiserror::Error)]
pub enum NotTraffic {
    /// Another column than there should be.
    #[error("the columns of traffic are needed, in their order: {0} is not one of them")]
    Column(String),
    /// Latencies that nobody packed.
    #[error(transparent)]
    Latencies(#[from] NotLatencies),
}

/// What a row counts, and when.
#[derive(Clone, Copy, Debug)]
struct Key {
    words: [u32; WORDS],
    width: Width,
    bucket: Option<i64>,
}

/// Of a row's bucket.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Width {
    OfAll,
    Own(Option<i64>),
}

/// Where in the rows a key is. With the hash of its words, room is made without a look at the rows.
#[derive(Debug)]
struct Place {
    hash: u64,
    row: usize,
}

#[derive(Debug, Default)]
struct Counts {
    sums: Sums,
    latencies: Option<Sketch>,
}

impl Counts {
    /// Adds `other`, of whose latencies those that are as they came are in `came`, as ours are; tells whether
    /// they are still needed there.
    fn add(&mut self, other: Self, came: &[u8]) -> Result<bool, NotLatencies> {
        self.sums.add(&other.sums);
        match (&mut self.latencies, other.latencies) {
            (Some(sketch), Some(other)) => {
                *sketch = Sketch::Added(add_packed(sketch.packed(came), other.packed(came))?);
                Ok(false)
            }
            (sketch @ None, Some(other)) => {
                *sketch = Some(other);
                Ok(true)
            }
            (_, None) => Ok(false),
        }
    }
}

/// Packed latencies.
#[derive(Debug)]
enum Sketch {
    /// Where among those that came: of most keys there is one row.
    AsItCame(Range<usize>),
    Added(Vec<u8>),
}

impl Sketch {
    fn packed<'a>(&'a self, came: &'a [u8]) -> &'a [u8] {
        match self {
            Self::AsItCame(place) => &came[place.clone()],
            Self::Added(packed) => packed,
        }
    }
}

impl MergedTraffic {
    /// Nothing yet. There will be at most so many buckets; times from `clock_end` on are none.
    #[must_use]
    pub fn new(buckets: i64, clock_end: i64) -> Self {
        Self {
            buckets: buckets.max(1),
            clock_end,
            width: 0,
            line: None,
            words: Words::default(),
            hasher: RandomState::default(),
            places: HashMap::default(),
            rows: Vec::new(),
            came: Vec::new(),
        }
    }

    /// Adds rows of the table `traffic`.
    ///
    /// # Errors
    /// [`NotTraffic`] if they have other columns, or latencies to be added that are none; what was added
    /// before is of no use then.
    pub fn add(&mut self, batch: &StructArray) -> Result<(), NotTraffic> {
        let given = Given::of(batch, &mut self.words)?;
        self.widen_to(&given)?;
        for row in 0..batch.len() {
            let words = given.words.each_ref().map(|column| column.number(row));
            let bucket = given.bucket(row, self.clock_end);
            let key = Key { words, width: given.width(row), bucket };
            let before = self.came.len();
            let latencies = given.latencies(row).map(|packed| {
                self.came.extend_from_slice(packed);
                Sketch::AsItCame(before..self.came.len())
            });
            if !self.count(key, Counts { sums: given.sums(row), latencies })? {
                self.came.truncate(before);
            }
        }
        Ok(())
    }

    /// Takes what was added up, a row a key, in the order in which they came.
    #[must_use]
    pub fn finish(&mut self) -> RecordBatch {
        let done = std::mem::replace(self, Self::new(self.buckets, self.clock_end));
        let mut rows = Columns::with_capacity(done.rows.len());
        let of_all = if done.width == 0 { NARROWEST } else { done.width };
        for (key, counts) in &done.rows {
            let [aspect, protocol, client, user, name, target, status, error_class] = key.words;
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
                status,
                error_class,
                latencies: counts.latencies.as_ref().map(|sketch| sketch.packed(&done.came)),
                sums: counts.sums,
            };
            rows.push(&row, &done.words);
        }
        rows.finish()
    }

    /// Adds to the row of a key; tells whether the latencies are still needed as they came.
    fn count(&mut self, mut key: Key, counts: Counts) -> Result<bool, NotLatencies> {
        if key.width == Width::OfAll {
            key.bucket = key.bucket.map(|bucket| floor(bucket, self.width));
        }
        let Self { hasher, places, rows, came, .. } = self;
        let hash = hasher.hash_one(key.words);
        let is_there = |place: &Place| place.hash == hash && rows[place.row].0.words == key.words;
        let places = places.entry((key.width, key.bucket)).or_default();
        match places.entry(hash, is_there, |place| place.hash) {
            Entry::Occupied(place) => rows[place.get().row].1.add(counts, came),
            Entry::Vacant(place) => {
                place.insert(Place { hash, row: rows.len() });
                rows.push((key, counts));
                Ok(true)
            }
        }
    }

    /// Widens the buckets to those of `given`, and until all time fits into as many as are allowed.
    fn widen_to(&mut self, given: &Given<'_>) -> Result<(), NotLatencies> {
        let before = self.width;
        for row in 0..given.rows() {
            let Some(bucket) = given.bucket(row, self.clock_end) else { continue };
            if given.width(row) == Width::OfAll {
                self.width = self.width.max(at(given.width, row).unwrap_or(NARROWEST));
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
            self.places.clear();
            for (key, counts) in std::mem::take(&mut self.rows) {
                self.count(key, counts)?;
            }
        }
        Ok(())
    }
}

/// The columns of a batch.
struct Given<'a> {
    /// From `aspect` to `error_class`.
    words: [GivenWords<'a>; WORDS],
    /// The numbers of aspects that have a time line.
    timed: [u32; 2],
    bucket: &'a Int64Array,
    width: &'a Int64Array,
    latencies: &'a BinaryArray,
    sums: [&'a Int64Array; 6],
}

impl<'a> Given<'a> {
    fn of(batch: &'a StructArray, words: &mut Words) -> Result<Self, NotTraffic> {
        let (names, expected) = (batch.column_names(), schema());
        let mut columns = expected.fields().iter().enumerate().map(|(number, field)| {
            match (names.get(number), batch.columns().get(number)) {
                (Some(name), Some(column))
                    if *name == field.name() && column.data_type() == field.data_type() =>
                {
                    Ok(column)
                }
                (name, _) => Err(NotTraffic::Column((*name.unwrap_or(&"the end")).to_owned())),
            }
        });
        let mut next = || columns.next().unwrap_or_else(|| unreachable!("there are as many"));
        let [aspect, bucket, width] = [next()?, next()?, next()?];
        let [protocol, client, user, name] = [next()?, next()?, next()?, next()?];
        let [target, status, error_class] = [next()?, next()?, next()?];
        let latencies = next()?;
        let sums = [next()?, next()?, next()?, next()?, next()?, next()?];
        let texts = [aspect, protocol, client, user, name, target, status, error_class];
        Ok(Self {
            words: texts.map(|column| GivenWords::of(column, words)),
            timed: ["calls", "latency"].map(|aspect| words.number(aspect)),
            bucket: of_its_type(bucket),
            width: of_its_type(width),
            latencies: of_its_type(latencies),
            sums: sums.map(of_its_type),
        })
    }

    fn rows(&self) -> usize {
        self.width.len()
    }

    fn width(&self, row: usize) -> Width {
        let [aspect, ..] = &self.words;
        if self.timed.contains(&aspect.number(row)) {
            Width::OfAll
        } else {
            Width::Own(at(self.width, row))
        }
    }

    fn bucket(&self, row: usize, clock_end: i64) -> Option<i64> {
        at(self.bucket, row).filter(|bucket| (0..clock_end).contains(bucket))
    }

    fn latencies(&self, row: usize) -> Option<&'a [u8]> {
        self.latencies.is_valid(row).then(|| self.latencies.value(row))
    }

    fn sums(&self, row: usize) -> Sums {
        let [calls, retries, request_bytes, reply_bytes, latency, slowest] =
            self.sums.map(|column| at(column, row).unwrap_or_default().max(0));
        Sums {
            calls: calls.cast_unsigned(),
            retries: retries.cast_unsigned(),
            request_bytes: request_bytes.cast_unsigned(),
            reply_bytes: reply_bytes.cast_unsigned(),
            latency: latency.cast_unsigned(),
            slowest,
        }
    }
}

fn of_its_type<T: 'static>(column: &arrow_array::ArrayRef) -> &T {
    column.as_any().downcast_ref().unwrap_or_else(|| unreachable!("its type was compared"))
}

#[inline]
fn at(column: &Int64Array, row: usize) -> Option<i64> {
    column.is_valid(row).then(|| column.value(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::latencies::Latencies;

    const CLOCK_END: i64 = 1 << 52;

    const WORDS_OF_ROWS: [&str; 5] = ["calls", "latency", "repeats", "10.0.0.7", "P.m"];
    const CALLS: u32 = 1;
    const LATENCY: u32 = 2;
    const REPEATS: u32 = 3;

    fn given(rows: &[Row<'_>]) -> StructArray {
        let mut words = Words::default();
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
            client: 4,
            name: 5,
            sums: Sums { calls: 1, slowest: second, ..Sums::default() },
            ..Row::default()
        }
    }

    fn merged(batches: &[StructArray], buckets: i64) -> Vec<(Option<i64>, Option<i64>, i64, i64)> {
        let mut merged = MergedTraffic::new(buckets, CLOCK_END);
        for batch in batches {
            merged.add(batch).unwrap();
        }
        let all = StructArray::from(merged.finish());
        let all = Given::of(&all, &mut Words::default()).unwrap();
        let mut rows: Vec<_> = (0..all.rows())
            .map(|row| {
                let sums = all.sums(row);
                let calls = sums.calls.cast_signed();
                (at(all.bucket, row), at(all.width, row), calls, sums.slowest)
            })
            .collect();
        rows.sort_unstable();
        rows
    }

    #[test]
    fn buckets_widen_until_all_time_fits_and_no_call_is_lost() {
        let far: Vec<_> = (0..1000).map(|second| given(&[call(second, 1)])).collect();
        let rows = merged(&far, 400);
        assert_eq!(rows.len(), 250);
        assert_eq!(rows[0], (Some(0), Some(4_000_000), 4, 3));
    }

    #[test]
    fn the_order_and_the_batches_do_not_matter() {
        let rows = [call(0, 1), call(3, 4), call(9, 2), call(3, 1), call(600, 1)];
        let apart: Vec<_> = rows.iter().rev().map(|row| given(std::slice::from_ref(row))).collect();
        let together = merged(&[given(&rows)], 100);
        assert_eq!(together.len(), 3);
        assert_eq!(merged(&apart, 100), together);
    }

    #[test]
    fn what_has_no_time_line_keeps_its_buckets() {
        let repeats = |second| Row { aspect: REPEATS, width: Some(8), ..call(second, 1) };
        let rows = merged(&[given(&[call(1, 64), repeats(3), repeats(4)])], 400);
        let width = |row: &(_, Option<i64>, _, _)| row.1;
        assert_eq!(
            rows.iter().map(width).collect::<Vec<_>>(),
            [Some(64_000_000), Some(8), Some(8)]
        );
    }

    #[test]
    fn a_sum_stays_at_what_a_column_holds() {
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
        merged.add(&given(&rows)).unwrap();
        let whole = StructArray::from(merged.finish());
        let whole = Given::of(&whole, &mut Words::default()).unwrap();
        let mut latencies = Latencies::default();
        latencies.merge_packed(whole.latencies(0).unwrap()).unwrap();
        assert_eq!((whole.sums(0).calls, latencies.calls(), latencies.longest()), (2, 3, 900));
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
            merged.add(&given(&rows)).unwrap();
        }
        let whole = StructArray::from(merged.finish());
        let whole = Given::of(&whole, &mut Words::default()).unwrap();
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
    fn what_is_added_to_latencies_and_is_none_is_refused() {
        let packed = Latencies::default().pack();
        for rows in [[timed(&packed), timed(b"")], [timed(b""), timed(&packed)]] {
            let added = MergedTraffic::new(400, CLOCK_END).add(&given(&rows));
            assert!(matches!(added, Err(NotTraffic::Latencies(_))));
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
        let error = MergedTraffic::new(400, CLOCK_END).add(&other.unwrap().into()).unwrap_err();
        assert_eq!(
            error.to_string(),
            "the columns of traffic are needed, in their order: name is not one of them"
        );
    }
}
