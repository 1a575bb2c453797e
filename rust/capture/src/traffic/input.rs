//! Batch of the table `traffic` as input of a merge.

use arrow_array::{Array, BinaryArray, Int64Array, StructArray};

use crate::{
    tables::traffic::schema,
    traffic::interner::{InputDictionary, Interner, shortened},
    traffic::latencies::SketchError,
    traffic::shard::{Key, Width},
    traffic::slowest::SlowCall,
    traffic::space_saving::Detail,
    traffic::{NARROWEST, Sums, Times, WORDS},
};

/// Error of a batch that does not have the columns of the table `traffic`.
#[derive(Debug, thiserror::Error)]
pub enum TrafficError {
    /// A column is missing or has another type.
    #[error("the columns of traffic are needed, in their order: {0} is not one of them")]
    Column(String),
    /// Latencies that are not a packed sketch.
    #[error(transparent)]
    Latencies(#[from] SketchError),
}

/// Columns of a batch.
pub(crate) struct TrafficInput<'a> {
    /// Text columns, from `aspect` to `error_class`.
    words: [InputDictionary<'a>; WORDS],
    context: InputDictionary<'a>,
    /// Numbers of the aspects that have a time line.
    timed: [u32; 4],
    /// Numbers of the aspects whose rows are not simply added up, by key.
    by_text: [u32; 3],
    bucket: &'a Int64Array,
    width: &'a Int64Array,
    latencies: &'a BinaryArray,
    first: &'a Int64Array,
    last: &'a Int64Array,
    sums: [&'a Int64Array; 6],
    undercount: &'a Int64Array,
}

/// Way in which a row is merged.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Merging {
    /// It is added to the row of the same key.
    ByKey,
    /// It counts calls of a job.
    Context,
    /// It counts calls of a directory.
    Directory,
    /// It is a slow call.
    Slow,
}

impl<'a> TrafficInput<'a> {
    pub(crate) fn from_batch(
        batch: &'a StructArray,
        words: &mut Interner,
    ) -> Result<Self, TrafficError> {
        let (names, expected) = (batch.column_names(), schema());
        let mut columns = expected.fields().iter().enumerate().map(|(number, field)| {
            match (names.get(number), batch.columns().get(number)) {
                (Some(name), Some(column))
                    if *name == field.name() && column.data_type() == field.data_type() =>
                {
                    Ok(column)
                }
                (name, _) => Err(TrafficError::Column((*name.unwrap_or(&"the end")).to_owned())),
            }
        });
        let mut next = || columns.next().unwrap_or_else(|| unreachable!("there are as many"));
        let [aspect, bucket, width] = [next()?, next()?, next()?];
        let [protocol, client, user, name] = [next()?, next()?, next()?, next()?];
        let [target, pace, status, error_class] = [next()?, next()?, next()?, next()?];
        let context = next()?;
        let [latencies, first, last] = [next()?, next()?, next()?];
        let sums = [next()?, next()?, next()?, next()?, next()?, next()?];
        let undercount = next()?;
        let texts = [aspect, protocol, client, user, name, target, pace, status, error_class];
        let of_peers = [false, false, true, true, true, true, false, false, true];
        let by_text = ["contexts", "directories", "slowest"].map(|aspect| words.number(aspect));
        let aspects = InputDictionary::from_column(aspect, false, words);
        // Texts that need no number are not kept: there may be any number of them.
        let is_numbered = |row: usize| !by_text.contains(&aspects.number(row));
        let mut columns = texts.into_iter().zip(of_peers);
        let mut next = || columns.next().unwrap_or_else(|| unreachable!("there are as many"));
        Ok(Self {
            words: [(); WORDS].map(|()| {
                let (column, are_of_peers) = next();
                if std::ptr::eq(column, target) {
                    InputDictionary::of_some_rows(column, is_numbered, words)
                } else {
                    InputDictionary::from_column(column, are_of_peers, words)
                }
            }),
            context: InputDictionary::of_some_rows(context, |_| false, words),
            timed: ["calls", "latency", "contexts", "connections"]
                .map(|aspect| words.number(aspect)),
            by_text,
            bucket: of_its_type(bucket),
            width: of_its_type(width),
            latencies: of_its_type(latencies),
            first: of_its_type(first),
            last: of_its_type(last),
            sums: sums.map(of_its_type),
            undercount: of_its_type(undercount),
        })
    }

    pub(crate) fn merging(&self, row: usize) -> Merging {
        let [aspect, ..] = &self.words;
        let aspect = aspect.number(row);
        let ways = [Merging::Context, Merging::Directory, Merging::Slow];
        let found = self.by_text.iter().zip(ways).find(|(known, _)| **known == aspect);
        found.map_or(Merging::ByKey, |(_, way)| way)
    }

    /// Job of a row of contexts.
    pub(crate) fn context(&self, row: usize) -> &'a str {
        self.context.text(row)
    }

    /// Directory of a row of directories.
    pub(crate) fn target(&self, row: usize) -> &'a str {
        let [.., target, _, _, _] = &self.words;
        target.text(row)
    }

    /// Properties by which calls of a job or of a directory are counted.
    pub(crate) fn detail(&self, row: usize, clock_end: i64) -> Detail {
        let [_, _, _, user, name, _, _, status, _] = &self.words;
        let [user, name, status] = [user, name, status].map(|column| column.number(row));
        Detail { bucket: self.bucket(row, clock_end), user, name, status }
    }

    /// Maximum number of calls of a job or a directory that other rows count.
    pub(crate) fn undercount(&self, row: usize) -> u64 {
        at(self.undercount, row).unwrap_or_default().max(0).cast_unsigned()
    }

    /// A slow call, with its duration.
    pub(crate) fn slow_call(&self, row: usize, clock_end: i64) -> (i64, SlowCall) {
        let [_, protocol, client, user, name, target, _, status, error_class] = &self.words;
        let columns = [protocol, client, user, name, target, status, error_class, &self.context];
        let sums = self.sums(row, clock_end);
        let call = SlowCall {
            start: sums.times.ends().map(|(first, _)| first),
            texts: columns.map(|column| Box::from(&*shortened(column.text(row)))),
            request_bytes: sums.request_bytes,
            reply_bytes: sums.reply_bytes,
            retries: sums.retries,
        };
        (sums.slowest, call)
    }

    pub(crate) fn rows(&self) -> usize {
        self.width.len()
    }

    pub(crate) fn key(&self, row: usize, clock_end: i64) -> Key {
        Key {
            words: self.words.each_ref().map(|column| column.number(row)),
            width: self.width(row),
            bucket: self.bucket(row, clock_end),
        }
    }

    /// Width of the bucket of a row on the time line.
    pub(crate) fn width_of_line(&self, row: usize) -> Option<i64> {
        (self.width(row) == Width::OfAll).then(|| at(self.width, row).unwrap_or(NARROWEST))
    }

    pub(crate) fn width(&self, row: usize) -> Width {
        let [aspect, ..] = &self.words;
        if self.timed.contains(&aspect.number(row)) {
            Width::OfAll
        } else {
            Width::Own(at(self.width, row))
        }
    }

    pub(crate) fn bucket(&self, row: usize, clock_end: i64) -> Option<i64> {
        believed(self.bucket, row, clock_end)
    }

    pub(crate) fn latencies(&self, row: usize) -> Option<&'a [u8]> {
        self.latencies.is_valid(row).then(|| self.latencies.value(row))
    }

    pub(crate) fn sums(&self, row: usize, clock_end: i64) -> Sums {
        let [calls, retries, request_bytes, reply_bytes, latency, slowest] =
            self.sums.map(|column| at(column, row).unwrap_or_default().max(0));
        let [first, last] = [self.first, self.last].map(|column| believed(column, row, clock_end));
        Sums {
            times: Times::new(first, last),
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

/// Returns a time, unless it is out of the range of clocks.
#[inline]
fn believed(column: &Int64Array, row: usize, clock_end: i64) -> Option<i64> {
    at(column, row).filter(|ts| (0..clock_end).contains(ts))
}
