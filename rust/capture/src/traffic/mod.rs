//! Counts of calls for a report, made where the calls are decoded; their size is bounded.
//!
//! Long form with a column `aspect`, so that the counts of many captures can be added up: `calls` by time,
//! client, user, method and status; `latency` as packed sketches; `repeats` of the same call; `contexts` by job
//! and `directories` by path, each a space-saving sketch; the `slowest` calls; `connections` over time, and
//! their `health`; `messages`, `streams` and `undecoded` bytes; `span`, from the first to the last message. A
//! bucket determines only where calls are counted: `first` and `last` are the times of the calls.

pub(crate) mod connections;
pub(crate) mod directories;
pub(crate) mod grouping;
pub(crate) mod input;
pub(crate) mod interner;
pub(crate) mod jobs;
pub(crate) mod latencies;
pub(crate) mod merge;
pub(crate) mod repeats;
pub(crate) mod shard;
pub(crate) mod slowest;
pub(crate) mod space_saving;

use std::{
    collections::HashMap,
    hash::{Hash, Hasher},
    sync::Arc,
};

use ahash::RandomState;
use arrow_array::{
    Int64Array, RecordBatch,
    builder::{BinaryBuilder, Int64Builder},
};
use jvmwire_codec::expectation::{Expectation, Pace};

use crate::{
    protocol::Protocol,
    tables::traffic::schema,
    tables::{CallRow, StreamRow, batch},
    traffic::connections::Connections,
    traffic::directories::{MAX_DEPTH, directory_of, parent, takes_directory},
    traffic::interner::{DictionaryBuilder, Interner, OTHERS, OTHERS_NUMBER},
    traffic::jobs::Jobs,
    traffic::latencies::Latencies,
    traffic::repeats::Repeats,
    traffic::slowest::{SlowCall, Slowest},
    traffic::space_saving::{Detail, Limits, SpaceSaving},
};

/// Counts whose size depends on the kinds of traffic, not on its amount.
#[derive(Debug)]
pub(crate) struct Traffic {
    width: i64,
    first: Option<i64>,
    last: Option<i64>,
    words: Interner,
    /// Number of the last text of each column.
    latest: [u32; COLUMNS],
    /// Methods, by the numbers of their protocol and their name.
    methods: HashMap<(u32, u32), Method, RandomState>,
    calls: HashMap<CallKey, Sums, RandomState>,
    latency: HashMap<LatencyKey, Latencies, RandomState>,
    /// Number of bytes of the sketches.
    sketched: usize,
    repeats: Repeats,
    jobs: Jobs,
    contexts: SpaceSaving,
    directories: SpaceSaving,
    slowest: Slowest,
    connections: Connections,
    /// Number of messages per protocol, of which there are few.
    messages: Vec<(u32, u64)>,
    streams: Vec<(u32, u64)>,
}

/// Expected behaviour of a method, and the number of its pace.
#[derive(Clone, Copy, Debug)]
struct Method {
    expectation: Expectation,
    pace: u32,
    /// Whether its target is a directory, or is counted like one.
    takes_directory: bool,
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct CallKey {
    bucket: Option<i64>,
    protocol: u32,
    client: u32,
    user: u32,
    name: u32,
    pace: u32,
    status: u32,
    error_class: u32,
}

impl Hash for CallKey {
    /// Hashes two numbers at a time.
    fn hash<H: Hasher>(&self, state: &mut H) {
        let &Self { bucket, protocol, client, user, name, pace, status, error_class } = self;
        state.write_i64(bucket.unwrap_or(i64::MIN));
        for [one, other] in [[protocol, client], [user, name], [pace, status]] {
            state.write_u64(u64::from(one) << 32 | u64::from(other));
        }
        state.write_u32(error_class);
    }
}

#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
struct LatencyKey {
    bucket: Option<i64>,
    name: u32,
    pace: u32,
}

impl Hash for LatencyKey {
    /// Hashes whole words instead of fields.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_i64(self.bucket.unwrap_or(i64::MIN));
        state.write_u64(u64::from(self.name) << 32 | u64::from(self.pace));
    }
}

/// Times of the first and the last of some calls, in microseconds since 1970.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Times {
    first: i64,
    last: i64,
}

impl Default for Times {
    /// Creates the times without a call: the last is before the first.
    fn default() -> Self {
        Self { first: i64::MAX, last: i64::MIN }
    }
}

impl Times {
    pub(crate) fn new(first: Option<i64>, last: Option<i64>) -> Self {
        let times = first.zip(last).map(|(first, last)| Self { first, last });
        times.filter(|times| times.first <= times.last).unwrap_or_default()
    }

    pub(crate) fn at(ts: Option<i64>) -> Self {
        Self::new(ts, ts)
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.first = self.first.min(other.first);
        self.last = self.last.max(other.last);
    }

    pub(crate) fn ends(self) -> Option<(i64, i64)> {
        (self.first <= self.last).then_some((self.first, self.last))
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Sums {
    pub(crate) times: Times,
    pub(crate) calls: u64,
    pub(crate) retries: u64,
    pub(crate) request_bytes: u64,
    pub(crate) reply_bytes: u64,
    pub(crate) latency: u64,
    pub(crate) slowest: i64,
}

impl Sums {
    pub(crate) fn add(&mut self, other: &Self) {
        self.times.add(other.times);
        self.calls = self.calls.saturating_add(other.calls);
        self.retries = self.retries.saturating_add(other.retries);
        self.request_bytes = self.request_bytes.saturating_add(other.request_bytes);
        self.reply_bytes = self.reply_bytes.saturating_add(other.reply_bytes);
        self.latency = self.latency.saturating_add(other.latency);
        self.slowest = self.slowest.max(other.slowest);
    }
}

impl Default for Traffic {
    fn default() -> Self {
        Self {
            width: NARROWEST,
            first: None,
            last: None,
            words: Interner::default(),
            latest: [0; COLUMNS],
            methods: HashMap::default(),
            calls: HashMap::default(),
            latency: HashMap::default(),
            sketched: 0,
            repeats: Repeats::default(),
            jobs: Jobs::new(),
            contexts: SpaceSaving::new(CONTEXT_LIMITS, |_| None),
            directories: SpaceSaving::new(DIRECTORY_LIMITS, parent),
            slowest: Slowest::default(),
            connections: Connections::default(),
            messages: Vec::new(),
            streams: Vec::new(),
        }
    }
}

impl Traffic {
    pub(crate) fn message(&mut self, protocol: &str, ts: Option<i64>) {
        if let Some(ts) = ts {
            self.first = Some(self.first.map_or(ts, |first| first.min(ts)));
            self.last = Some(self.last.map_or(ts, |last| last.max(ts)));
        }
        let protocol = self.word(0, Some(protocol));
        count_one(&mut self.messages, protocol);
    }

    pub(crate) fn stream(&mut self, row: &StreamRow<'_>, seen_from_start: bool) {
        let protocol = self.word(0, row.protocol);
        count_one(&mut self.streams, protocol);
        self.widen_to(row.start);
        self.widen_to(row.end);
        self.connections.stream(row, protocol, self.width, seen_from_start);
    }

    /// Counts a call. `is_open` states that it did not end: its connection continued after the end of the
    /// capture, or was no longer tracked.
    #[inline(never)]
    pub(crate) fn call(&mut self, row: &CallRow<'_>, caller_context: Option<&str>, is_open: bool) {
        self.widen_to(row.start);
        let bucket = row.start.map(|start| floor(start, self.width));
        let host = row.client.map(host);
        let protocol = self.word(0, row.protocol);
        let name = self.word(3, row.name);
        let client = self.word(1, host);
        let user = self.word(2, row.user);
        let Method { expectation, pace, takes_directory } =
            self.method(protocol, name, row.name.unwrap_or_default());
        let status = match row.status {
            // A long poll has no reply when its client leaves first.
            Some("lost") if is_open || expectation.pace == Pace::Waits => Some(OPEN),
            Some("error") if expectation.is_refusal(row.error_class.unwrap_or_default()) => {
                Some(REFUSED)
            }
            status => status,
        };
        let failed = !matches!(status, Some("ok" | OPEN | REFUSED));
        let retried = row.retry.is_some_and(|retry| retry > 0);
        let ended = status.unwrap_or_default();
        let status = self.word(4, status);
        let error_class = self.word(5, row.error_class);
        let key = CallKey { bucket, protocol, client, user, name, pace, status, error_class };
        let repeated = [key.client, key.user, key.name, key.pace];
        let latency = row.latency_us.unwrap_or_default();
        let sums = Sums {
            times: Times::at(row.start),
            calls: 1,
            retries: retried.into(),
            request_bytes: row.request_bytes.unwrap_or_default().cast_unsigned(),
            reply_bytes: row.reply_bytes.unwrap_or_default().cast_unsigned(),
            latency: latency.cast_unsigned(),
            slowest: latency,
        };
        let key = match self.calls.get_mut(&key) {
            Some(known) => {
                known.add(&sums);
                key
            }
            None => self.add_key(key, sums),
        };
        if let Some(latency) = row.latency_us {
            self.sketch(LatencyKey { bucket, name: key.name, pace: key.pace }, latency);
        }
        if expectation.pace != Pace::Background {
            let detail = Detail { bucket: None, user: key.user, name: key.name, status };
            if let Some(context) = caller_context.filter(|context| !context.is_empty()) {
                let Self { jobs, contexts, .. } = self;
                contexts.add(jobs.job(context), Detail { bucket, ..detail }, &sums);
            }
            let directory =
                row.target.and_then(|target| directory_of(target, takes_directory, MAX_DEPTH));
            if let Some(directory) = directory {
                self.directories.add(directory, detail, &sums);
            }
            if row.latency_us.is_some()
                && expectation.pace == Pace::Ordinary
                && self.slowest.has_room_for(latency)
            {
                let job = caller_context.map_or("", |context| self.jobs.job(context));
                self.slowest.call(latency, row, host.unwrap_or_default(), ended, job);
            }
        }
        // Calls of others are not the same call again.
        if !repeated.contains(&OTHERS_NUMBER) {
            let target = row.target.unwrap_or_default();
            self.repeats.call(row.start, repeated, target, failed || retried);
        }
    }

    /// Counts calls whose key is not known, and returns the key with which they are counted.
    #[inline(never)]
    fn add_key(&mut self, mut key: CallKey, sums: Sums) -> CallKey {
        if self.calls.len() >= MAX_KEYS {
            let (client, user) = (OTHERS_NUMBER, OTHERS_NUMBER);
            key = CallKey { bucket: None, client, user, ..key };
            if self.calls.len() >= MAX_KEYS + MAX_FOLDED_KEYS && !self.calls.contains_key(&key) {
                key = CallKey { name: OTHERS_NUMBER, error_class: folded(key.error_class), ..key };
            }
        }
        self.calls.entry(key).or_default().add(&sums);
        key
    }

    /// Counts the duration of a call.
    fn sketch(&mut self, mut key: LatencyKey, latency: i64) {
        let others = LatencyKey { bucket: None, name: OTHERS_NUMBER, ..key };
        let add = |sketch: &mut Latencies| {
            let before = if sketch.calls() == 0 { 0 } else { sketch.held() };
            sketch.add(latency, 1);
            sketch.held() - before
        };
        let grown = if let Some(sketch) = self.latency.get_mut(&key) {
            add(sketch)
        } else {
            if self.latency.len() >= MAX_SKETCHES || self.sketched >= SKETCHES_LIMIT {
                key = others;
            }
            add(self.latency.entry(key).or_default())
        };
        self.sketched += grown;
        if grown > 0 && self.sketched > SKETCHES_LIMIT && key != others {
            // A sketch grows with the longest time: from here on it is counted with the others.
            let Some(folded) = self.latency.remove(&key) else { return };
            let sketch = self.latency.entry(others).or_default();
            let before = if sketch.calls() == 0 { 0 } else { sketch.held() };
            sketch.merge(&folded);
            self.sketched = self.sketched + sketch.held() - before - folded.held();
        }
    }

    /// Number of bytes of memory of the counts.
    pub(crate) fn held(&self) -> usize {
        let calls = self.calls.len() * size_of::<(CallKey, Sums)>();
        let by_text = self.contexts.held() + self.directories.held() + self.jobs.held();
        let connections = self.connections.held();
        self.words.held() + calls + self.sketched + self.repeats.held() + by_text + connections
    }

    /// Returns the method with these numbers; `text` is its name, since names that did not fit share a number.
    fn method(&mut self, protocol: u32, name: u32, text: &str) -> Method {
        if name != OTHERS_NUMBER
            && let Some(method) = self.methods.get(&(protocol, name))
        {
            return *method;
        }
        let known = self.words.text(protocol).and_then(Protocol::named);
        let expectation = known.map(|known| known.expectation(text)).unwrap_or_default();
        let method = Method {
            expectation,
            pace: self.words.number(expectation.pace.name()),
            takes_directory: takes_directory(known, text),
        };
        if name != OTHERS_NUMBER {
            self.methods.insert((protocol, name), method);
        }
        method
    }

    /// Returns the number of a column's text, which often is the same as in the previous row.
    #[inline]
    fn word(&mut self, column: usize, text: Option<&str>) -> u32 {
        // Most rows have no error, and memcmp of an empty text takes a tenth of a microsecond.
        let Some(text) = text.filter(|text| !text.is_empty()) else { return 0 };
        let latest = self.latest[column];
        if self.words.text(latest).unwrap_or_default() == text {
            return latest;
        }
        self.next_word(column, text)
    }

    /// Returns the number of a column's text that differs from the previous row's.
    #[inline(never)]
    fn next_word(&mut self, column: usize, text: &str) -> u32 {
        let number = match column {
            0 | 4 => self.words.number(text),
            _ => self.words.number_of_peer(text),
        };
        self.latest[column] = number;
        number
    }

    /// Doubles the buckets' width until the whole time range fits into [`MAX_BUCKETS`].
    fn widen_to(&mut self, ts: Option<i64>) {
        let Some(ts) = ts else { return };
        let first = self.first.map_or(ts, |first| first.min(ts));
        let last = self.last.map_or(ts, |last| last.max(ts));
        (self.first, self.last) = (Some(first), Some(last));
        let width = self.width;
        let span = last.saturating_sub(first);
        while self.width.checked_mul(MAX_BUCKETS).is_some_and(|shown| span >= shown) {
            self.width = self.width.saturating_mul(2);
        }
        if self.width == width {
            return;
        }
        let width = self.width;
        let widened = |bucket: Option<i64>| bucket.map(|bucket| floor(bucket, width));
        for (key, sums) in std::mem::take(&mut self.calls) {
            let key = CallKey { bucket: widened(key.bucket), ..key };
            self.calls.entry(key).or_default().add(&sums);
        }
        for (key, latencies) in std::mem::take(&mut self.latency) {
            let key = LatencyKey { bucket: widened(key.bucket), ..key };
            self.latency.entry(key).or_default().merge(&latencies);
        }
        self.sketched = self.latency.values().map(Latencies::held).sum();
        self.contexts.widen_to(width);
        self.connections.widen_to(width);
    }

    pub(crate) fn into_batch(mut self, undecoded: &[(&'static str, u64, u64)]) -> RecordBatch {
        let mut rows = Columns::default();
        let mut words = std::mem::take(&mut self.words);
        let aspect = words.number("calls");
        let mut calls: Vec<_> = self.calls.into_iter().collect();
        calls.sort_unstable_by_key(|(key, _)| *key);
        for (key, sums) in calls {
            let row = Row {
                aspect,
                bucket: key.bucket,
                width: Some(self.width),
                protocol: key.protocol,
                client: key.client,
                user: key.user,
                name: key.name,
                pace: key.pace,
                status: key.status,
                error_class: key.error_class,
                sums,
                ..Row::default()
            };
            rows.push(&row, &words);
        }
        let aspect = words.number("latency");
        let mut latency: Vec<_> = self.latency.into_iter().collect();
        latency.sort_unstable_by_key(|(key, _)| *key);
        for (key, latencies) in latency {
            let row = Row {
                aspect,
                bucket: key.bucket,
                width: Some(self.width),
                name: key.name,
                pace: key.pace,
                latencies: Some(&latencies.pack()),
                sums: Sums { calls: latencies.calls(), ..Sums::default() },
                ..Row::default()
            };
            rows.push(&row, &words);
        }
        self.repeats.rows(&mut rows, &mut words);
        rows.push_contexts(self.contexts, self.width, &mut words);
        rows.push_directories(self.directories, &mut words);
        rows.push_slowest(self.slowest, &mut words);
        self.connections.rows(self.width, &mut rows, &mut words);
        for (aspect, counts) in [("messages", &self.messages), ("streams", &self.streams)] {
            let aspect = words.number(aspect);
            let mut counts = counts.clone();
            counts.sort_unstable();
            for (protocol, calls) in counts {
                let sums = Sums { calls, ..Sums::default() };
                rows.push(&Row { aspect, protocol, sums, ..Row::default() }, &words);
            }
        }
        let aspect = words.number("undecoded");
        for &(reason, calls, request_bytes) in undecoded {
            let sums = Sums { calls, request_bytes, ..Sums::default() };
            let error_class = words.number(reason);
            rows.push(&Row { aspect, error_class, sums, ..Row::default() }, &words);
        }
        if let (Some(first), Some(last)) = (self.first, self.last) {
            let aspect = words.number("span");
            let width = Some(last.saturating_sub(first));
            rows.push(&Row { aspect, bucket: Some(first), width, ..Row::default() }, &words);
        }
        rows.finish()
    }
}

/// Increments the count of a protocol.
fn count_one(counts: &mut Vec<(u32, u64)>, protocol: u32) {
    match counts.iter_mut().find(|(known, _)| *known == protocol) {
        Some((_, count)) => *count += 1,
        None => counts.push((protocol, 1)),
    }
}

/// Row with its texts as numbers.
#[derive(Default)]
pub(crate) struct Row<'a> {
    pub(crate) aspect: u32,
    pub(crate) bucket: Option<i64>,
    pub(crate) width: Option<i64>,
    pub(crate) protocol: u32,
    pub(crate) client: u32,
    pub(crate) user: u32,
    pub(crate) name: u32,
    pub(crate) target: u32,
    pub(crate) pace: u32,
    pub(crate) status: u32,
    pub(crate) error_class: u32,
    pub(crate) context: u32,
    pub(crate) latencies: Option<&'a [u8]>,
    pub(crate) sums: Sums,
    pub(crate) undercount: Option<u64>,
}

#[derive(Default)]
pub(crate) struct Columns {
    words: [DictionaryBuilder; WORDS],
    context: DictionaryBuilder,
    bucket: Int64Builder,
    width: Int64Builder,
    latencies: BinaryBuilder,
    first: Int64Builder,
    last: Int64Builder,
    sums: [Vec<i64>; 6],
    undercount: Int64Builder,
}

impl Columns {
    /// Creates columns with capacity for `rows`.
    pub(crate) fn with_capacity(rows: usize) -> Self {
        Self {
            words: std::array::from_fn(|_| DictionaryBuilder::with_capacity(rows)),
            bucket: Int64Builder::with_capacity(rows),
            width: Int64Builder::with_capacity(rows),
            latencies: BinaryBuilder::default(),
            first: Int64Builder::with_capacity(rows),
            last: Int64Builder::with_capacity(rows),
            sums: std::array::from_fn(|_| Vec::with_capacity(rows)),
            context: DictionaryBuilder::with_capacity(rows),
            undercount: Int64Builder::with_capacity(rows),
        }
    }

    /// Adds the rows of jobs, by time.
    pub(crate) fn push_contexts(
        &mut self,
        contexts: SpaceSaving,
        width: i64,
        words: &mut Interner,
    ) {
        self.push_texts("contexts", contexts, Some(width), words, |row, text| row.context = text);
    }

    /// Adds the rows of directories.
    pub(crate) fn push_directories(&mut self, directories: SpaceSaving, words: &mut Interner) {
        self.push_texts("directories", directories, None, words, |row, text| row.target = text);
    }

    fn push_texts(
        &mut self,
        aspect: &str,
        mut counts: SpaceSaving,
        width: Option<i64>,
        words: &mut Interner,
        set: fn(&mut Row<'_>, u32),
    ) {
        let aspect = words.number(aspect);
        let undercount = counts.undercount();
        for (text, Detail { bucket, user, name, status }, sums) in counts.take_rows() {
            let mut row = Row { aspect, bucket, width, user, name, status, sums, ..Row::default() };
            set(&mut row, words.number(&text));
            self.push(&row, words);
        }
        if undercount > 0 {
            let mut row = Row { aspect, width, undercount: Some(undercount), ..Row::default() };
            set(&mut row, words.number(OTHERS));
            self.push(&row, words);
        }
    }

    /// Adds a row for each of the slowest calls.
    pub(crate) fn push_slowest(&mut self, mut slowest: Slowest, words: &mut Interner) {
        let aspect = words.number("slowest");
        for (latency, call) in slowest.take() {
            let SlowCall { start, texts, request_bytes, reply_bytes, retries } = call;
            let [protocol, client, user, name, target, status, error_class, context] =
                texts.map(|text| words.number(&text));
            let sums = Sums {
                times: Times::at(start),
                calls: 1,
                retries,
                request_bytes,
                reply_bytes,
                latency: latency.cast_unsigned(),
                slowest: latency,
            };
            let row = Row {
                aspect,
                protocol,
                client,
                user,
                name,
                target,
                status,
                error_class,
                context,
                sums,
                ..Row::default()
            };
            self.push(&row, words);
        }
    }

    pub(crate) fn push(&mut self, row: &Row<'_>, words: &Interner) {
        let &Row { aspect, protocol, client, user, name, target, .. } = row;
        let &Row { pace, status, error_class, .. } = row;
        let numbers = [aspect, protocol, client, user, name, target, pace, status, error_class];
        for (column, number) in self.words.iter_mut().zip(numbers) {
            column.push(number, words);
        }
        self.context.push(row.context, words);
        let undercount = row.undercount.map(|calls| i64::try_from(calls).unwrap_or(i64::MAX));
        self.undercount.append_option(undercount);
        self.bucket.append_option(row.bucket);
        self.width.append_option(row.width);
        self.latencies.append_option(row.latencies);
        let Sums { times, calls, retries, request_bytes, reply_bytes, latency, slowest } = row.sums;
        self.first.append_option(times.ends().map(|(first, _)| first));
        self.last.append_option(times.ends().map(|(_, last)| last));
        let sums = [calls, retries, request_bytes, reply_bytes, latency, slowest.cast_unsigned()];
        for (column, sum) in self.sums.iter_mut().zip(sums) {
            column.push(i64::try_from(sum).unwrap_or(i64::MAX));
        }
    }

    pub(crate) fn finish(mut self) -> RecordBatch {
        let [aspect, others @ ..] = self.words.map(DictionaryBuilder::finish);
        let mut columns: Vec<arrow_array::ArrayRef> =
            vec![aspect, Arc::new(self.bucket.finish()), Arc::new(self.width.finish())];
        columns.extend(others);
        columns.push(self.context.finish());
        columns.push(Arc::new(self.latencies.finish()));
        columns.push(Arc::new(self.first.finish()));
        columns.push(Arc::new(self.last.finish()));
        columns.extend(self.sums.map(|sum| Arc::new(Int64Array::from(sum)) as _));
        columns.push(Arc::new(self.undercount.finish()));
        batch(schema(), columns)
    }
}

pub(crate) fn floor(ts: i64, width: i64) -> i64 {
    ts.div_euclid(width).saturating_mul(width)
}

/// Returns the number of the text that replaces one which is counted with others; the number for no text is
/// unchanged.
pub(crate) fn folded(number: u32) -> u32 {
    if number == 0 { 0 } else { OTHERS_NUMBER }
}

/// Returns the address without the port.
fn host(address: &str) -> &str {
    // A port is short: a search from the end, byte by byte, is fast.
    let port = address.bytes().rposition(|byte| byte == b':');
    let host = port.and_then(|at| address.get(..at)).unwrap_or(address);
    host.trim_start_matches('[').trim_end_matches(']')
}

/// Number of text columns in the table that are part of a key.
pub(crate) const WORDS: usize = 9;
/// Number of texts in the key of a call's counts.
const COLUMNS: usize = 6;
/// Minimum width of a bucket: one second, in microseconds.
pub(crate) const NARROWEST: i64 = 1_000_000;
/// Maximum number of buckets that a report can show.
const MAX_BUCKETS: i64 = 512;
/// Maximum number of keys, beyond which clients and users are counted together (chosen by jvmwire).
const MAX_KEYS: usize = 200_000;
/// Number of further keys beyond which methods and error classes are counted together, too (chosen by jvmwire).
const MAX_FOLDED_KEYS: usize = 16 << 10;
/// Maximum number of methods with a separate latency sketch per bucket of time (chosen by jvmwire), of up to
/// eight kilobytes each, usually one or two.
const MAX_SKETCHES: usize = 32 << 10;
/// Maximum number of bytes of these sketches (chosen by jvmwire): further methods share one sketch.
const SKETCHES_LIMIT: usize = 48 << 20;
/// Limits of the jobs of one decoder (chosen by jvmwire): a thousand jobs, for five minutes each.
const CONTEXT_LIMITS: Limits = Limits { texts: 2048, text_bytes: 512 << 10, rows: 64 << 10 };
/// Limits of the directories of one decoder (chosen by jvmwire).
const DIRECTORY_LIMITS: Limits = Limits { texts: 8192, text_bytes: 1 << 20, rows: 128 << 10 };
/// Maximum number of bytes of memory of the counts of one decoder: the sum of the limits of texts, calls,
/// sketches, repeats, jobs and directories.
pub(crate) const MAX_TRAFFIC: usize = 160 << 20;
const _: () = {
    let keys = (MAX_KEYS + MAX_FOLDED_KEYS) * size_of::<(CallKey, Sums)>();
    let most = interner::WORDS_LIMIT + keys + SKETCHES_LIMIT + 3 * repeats::REPEATS_LIMIT;
    let by_text = CONTEXT_LIMITS.bytes() + DIRECTORY_LIMITS.bytes() + jobs::JOBS_LIMIT;
    assert!(most + by_text <= MAX_TRAFFIC);
};
/// Status of a call that did not end.
const OPEN: &str = "open";
/// Status of a call with an error that is expected for its method.
const REFUSED: &str = "refused";

#[cfg(test)]
mod tests {
    use arrow_array::{
        Array, ArrayAccessor, StringArray,
        cast::AsArray,
        types::{Int32Type, Int64Type},
    };

    use super::*;
    use crate::traffic::interner::OTHERS;

    fn call(start: i64, latency: i64) -> CallRow<'static> {
        CallRow {
            protocol: Some("hadoop"),
            client: Some("10.0.0.7:4711"),
            user: Some("alice"),
            name: Some("P.m"),
            target: Some("/a"),
            status: Some("ok"),
            start: Some(start),
            latency_us: Some(latency),
            ..CallRow::default()
        }
    }

    fn counted(traffic: Traffic, aspect: &str) -> Vec<i64> {
        let batch = traffic.into_batch(&[]);
        let aspects = batch.column(0).as_dictionary::<Int32Type>();
        let aspects = aspects.downcast_dict::<StringArray>().unwrap();
        let calls = batch.column_by_name("calls").unwrap();
        let calls = calls.as_any().downcast_ref::<Int64Array>().unwrap();
        (0..batch.num_rows())
            .filter(|row| aspects.value(*row) == aspect)
            .map(|row| calls.value(row))
            .collect()
    }

    #[test]
    fn times_as_far_apart_as_can_be_written_are_counted() {
        let mut traffic = Traffic::default();
        for start in [i64::MIN, i64::MAX] {
            traffic.message("hadoop", Some(start));
            traffic.call(&call(start, 10), None, false);
        }
        let batch = traffic.into_batch(&[]);
        let widths = batch.column_by_name("width").unwrap().as_primitive::<Int64Type>();
        assert_eq!(widths.value(batch.num_rows() - 1), i64::MAX);
    }

    #[test]
    fn time_widens_and_no_call_is_lost() {
        let mut traffic = Traffic::default();
        for second in 0..5000 {
            traffic.call(&call(second * 1_000_000, 10), None, false);
        }
        assert_eq!(traffic.width, 16_000_000);
        let calls = counted(traffic, "calls");
        assert_eq!(calls.iter().sum::<i64>(), 5000);
        assert_eq!(calls.len(), 313);
    }

    #[test]
    fn latencies_widen_with_time_and_none_is_lost() {
        let mut traffic = Traffic::default();
        for second in 0..5000 {
            traffic.call(&call(second * 1_000_000, second % 4), None, false);
        }
        let latencies = counted(traffic, "latency");
        assert_eq!((latencies.len(), latencies.iter().sum::<i64>()), (313, 5000));
    }

    #[test]
    fn methods_without_end_are_sketched_together() {
        let mut traffic = Traffic::default();
        for n in 0..MAX_SKETCHES + 1000 {
            let name = format!("P.m{n}");
            traffic.call(&CallRow { name: Some(&name), ..call(0, 10) }, None, false);
        }
        assert_eq!(traffic.latency.len(), MAX_SKETCHES + 1);
        assert_eq!(counted(traffic, "latency").iter().max(), Some(&1000));
    }

    /// Returns the number of calls in rows in which some text is "(others)", and in all rows.
    fn folded_calls(traffic: Traffic) -> (i64, i64) {
        let batch = traffic.into_batch(&[]);
        let text = |name: &str, row: usize| {
            let column = batch.column_by_name(name).unwrap().as_dictionary::<Int32Type>();
            column.key(row).map(|at| column.values().as_string::<i32>().value(at).to_owned())
        };
        let calls = batch.column_by_name("calls").unwrap().as_primitive::<Int64Type>();
        let rows = (0..batch.num_rows()).filter(|row| text("aspect", *row).unwrap() == "calls");
        rows.fold((0, 0), |(folded, all), row| {
            let names = ["client", "user", "name", "error_class"];
            let is_folded = names.iter().any(|it| text(it, row).as_deref() == Some(OTHERS));
            (folded + if is_folded { calls.value(row) } else { 0 }, all + calls.value(row))
        })
    }

    #[test]
    fn many_and_long_texts_are_counted_together_within_the_limit() {
        let long = "x".repeat(900);
        let columns: [fn(&str) -> CallRow<'_>; 4] = [
            |text| CallRow { name: Some(text), ..call(0, 10) },
            |text| CallRow { user: Some(text), ..call(0, 10) },
            |text| CallRow { error_class: Some(text), status: Some("error"), ..call(0, 10) },
            |text| CallRow { target: Some(text), ..call(0, 10) },
        ];
        for (column, of) in columns.into_iter().enumerate() {
            let mut traffic = Traffic::default();
            let calls = 50_000;
            for n in 0..calls {
                traffic.call(&of(&format!("{n}{long}")), None, false);
                assert!(traffic.held() < MAX_TRAFFIC);
            }
            let (folded, all) = folded_calls(traffic);
            assert_eq!((all, folded > 0), (calls, column < 3), "{column}");
        }
    }

    #[test]
    fn many_keys_of_short_texts_are_counted_together_within_the_limit() {
        let mut traffic = Traffic::default();
        let kept = MAX_KEYS + MAX_FOLDED_KEYS;
        let calls = i64::try_from(kept).unwrap() + 50_000;
        for n in 0..calls {
            let name = format!("{n}");
            traffic.call(
                &CallRow { name: Some(&name), latency_us: None, ..call(0, 0) },
                None,
                false,
            );
        }
        assert!(traffic.calls.len() <= kept + 1 && traffic.held() < MAX_TRAFFIC);
        assert_eq!(folded_calls(traffic), (50_000 + (calls - 50_000 - 200_000), calls));
    }

    #[test]
    fn sketches_of_long_times_stay_within_their_limit_and_count_every_call() {
        let mut traffic = Traffic::default();
        let calls = 40_000;
        for n in 0..calls {
            let name = format!("{}", n % 20_000);
            let latency = if n < 20_000 { 1 } else { i64::MAX / 2 };
            traffic.call(&CallRow { name: Some(&name), ..call(0, latency) }, None, false);
            assert!(traffic.sketched <= SKETCHES_LIMIT + (16 << 10));
        }
        let held = traffic.latency.values().map(Latencies::held).sum::<usize>();
        assert_eq!(held, traffic.sketched);
        assert_eq!(counted(traffic, "latency").iter().sum::<i64>(), calls);
    }

    /// Rows of an aspect: text, user, method, status, calls and longest duration.
    type Texts = Vec<(Vec<String>, i64, i64)>;

    fn rows_of(batch: &RecordBatch, aspect: &str) -> Texts {
        let text = |name: &str, row: usize| {
            let column = batch.column_by_name(name).unwrap().as_dictionary::<Int32Type>();
            let texts = column.values().as_string::<i32>();
            column.key(row).map(|at| texts.value(at).to_owned()).unwrap_or_default()
        };
        let number = |name: &str, row: usize| {
            batch.column_by_name(name).unwrap().as_primitive::<Int64Type>().value(row)
        };
        let rows = (0..batch.num_rows()).filter(|row| text("aspect", *row) == aspect);
        let mut rows: Texts = rows
            .map(|row| {
                let names = ["context", "target", "user", "name", "status"];
                let texts = names.map(|name| text(name, row)).into();
                (texts, number("calls", row), number("latency_max_us", row))
            })
            .collect();
        rows.sort_unstable();
        rows
    }

    /// Counts calls, each given by a small number.
    fn count_some(numbers: &[i64]) -> RecordBatch {
        let mut traffic = Traffic::default();
        for n in numbers {
            let target = format!("/data/{}/x/y/{n}", n % 5);
            let job = format!("mr_attempt_1700000000000_000{}_m_{n}", n % 3);
            let user = if n % 2 == 0 { "alice" } else { "bob" };
            let row = CallRow {
                name: Some("ClientProtocol.getFileInfo"),
                target: Some(&target),
                user: Some(user),
                ..call(n * 700_000, n * 37 % 50)
            };
            traffic.call(&row, Some(&job).filter(|_| n % 7 > 0).map(|job| &**job), false);
        }
        let (start, end) = (numbers.iter().min(), numbers.iter().max());
        let [start, end] = [start, end].map(|n| n.map(|n| n * 700_000));
        let ended = Some("fin");
        let row = StreamRow {
            protocol: Some("hadoop"),
            start,
            end,
            ended,
            client_packets: Some(1),
            client_lost_bytes: Some(7),
            ..StreamRow::default()
        };
        traffic.stream(&row, false);
        traffic.into_batch(&[])
    }

    fn merged(parts: Vec<RecordBatch>) -> RecordBatch {
        let mut merged = merge::MergedTraffic::new(400, 1 << 52);
        for part in parts {
            merged.add([&part.into()]).unwrap();
        }
        merged.finish()
    }

    proptest::proptest! {
        #[test]
        fn jobs_directories_and_slow_calls_are_the_same_however_calls_are_cut_and_merged(
            numbers in proptest::collection::vec(0..200_i64, 1..60),
            cut in 0..60_usize,
        ) {
            let (one, other) = numbers.split_at(cut.min(numbers.len()));
            let whole = merged(vec![count_some(&numbers)]);
            let there = merged(vec![count_some(one), count_some(other)]);
            let back = merged(vec![count_some(other), merged(vec![count_some(one)])]);
            for aspect in ["contexts", "directories", "slowest"] {
                proptest::prop_assert_eq!(rows_of(&there, aspect), rows_of(&whole, aspect));
                proptest::prop_assert_eq!(rows_of(&back, aspect), rows_of(&whole, aspect));
            }
        }
    }

    #[test]
    fn calls_are_counted_by_job_and_by_directory_and_the_slowest_are_kept() {
        let batch = count_some(&[1, 2, 4, 7]);
        let jobs: Vec<_> = rows_of(&batch, "contexts");
        let job = |n: i64| format!("application_1700000000000_000{n}");
        let count = |n: i64| -> i64 {
            jobs.iter().filter(|(texts, ..)| texts[0] == job(n)).map(|(_, calls, _)| calls).sum()
        };
        assert_eq!([count(0), count(1), count(2)], [0, 2, 1]);
        let directories: Vec<_> = rows_of(&batch, "directories");
        let expected = ["/data/1/x/y", "/data/2/x/y", "/data/2/x/y", "/data/4/x/y"];
        let found: Vec<_> = directories.iter().map(|(texts, ..)| &*texts[1]).collect();
        assert_eq!(found, expected);
        let slowest: Vec<_> = rows_of(&batch, "slowest");
        let last = slowest.iter().max_by_key(|(.., longest)| *longest).unwrap();
        assert_eq!((&*last.0[0], &*last.0[1], last.2), (&*job(1), "/data/4/x/y/4", 48));
        let told = |aspect| {
            let rows = rows_of(&batch, aspect).into_iter();
            rows.map(|(texts, calls, _)| (texts[4].clone(), calls)).collect::<Vec<_>>()
        };
        let one = |status: &str| (status.to_owned(), 1);
        assert_eq!(told("connections"), [one("closed"), one("opened")]);
        assert_eq!(told("health"), [one("lost"), one("midstream"), one("one-sided")]);
    }

    #[test]
    fn heartbeats_and_long_polls_are_not_among_the_slowest_calls() {
        let mut traffic = Traffic::default();
        for (protocol, name) in
            [("hadoop", "DatanodeProtocol.sendHeartbeat"), ("hazelcast", "Queue.poll")]
        {
            let row = CallRow { protocol: Some(protocol), name: Some(name), ..call(0, 1 << 40) };
            traffic.call(&row, Some("a job"), false);
        }
        let batch = traffic.into_batch(&[]);
        assert_eq!(rows_of(&batch, "slowest"), []);
        // A heartbeat has no job and no path; the long poll is a call.
        assert_eq!(rows_of(&batch, "contexts").len(), 1);
    }

    #[test]
    fn many_jobs_and_directories_stay_within_the_limit_and_count_every_call() {
        let mut traffic = Traffic::default();
        let calls = 60_000;
        for n in 0..calls {
            let (target, job) = (format!("/{n}/{n}/{n}/{n}/x"), format!("job {n}"));
            let row = CallRow { target: Some(&target), ..call(n * 1000, 10) };
            traffic.call(&row, Some(&job), false);
            assert!(traffic.held() < MAX_TRAFFIC);
        }
        let batch = merged(vec![traffic.into_batch(&[])]);
        for aspect in ["contexts", "directories"] {
            let rows = rows_of(&batch, aspect);
            assert_eq!(rows.iter().map(|(_, calls, _)| calls).sum::<i64>(), calls);
        }
        let undercounts = batch.column_by_name("undercount").unwrap();
        let undercounts = undercounts.as_primitive::<Int64Type>();
        let said: Vec<_> = undercounts.iter().flatten().collect();
        assert!(said.len() == 2 && said.iter().all(|most| (1..60).contains(most)), "{said:?}");
    }

    #[test]
    fn addresses_lose_their_port() {
        assert_eq!(host("10.0.0.7:4711"), "10.0.0.7");
        assert_eq!(host("[::1]:4711"), "::1");
    }
}
