//! Sorts a table's rows by stream and offset, in bounded memory.

use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, BufReader, BufWriter, Seek},
};

use arrow_array::{Int64Array, RecordBatch, StringArray, cast::AsArray, types::Int64Type};
use arrow_ipc::{reader::StreamReader, writer::StreamWriter};
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::interleave::interleave_record_batch;

use crate::tables::Table;

/// Error of a temporary file that could not be written or read.
#[derive(Debug, thiserror::Error)]
#[error("rows cannot be sorted in temporary files in {}: {reason}", std::env::temp_dir().display())]
pub struct SortError {
    /// The operating system's error number, if there is one.
    pub errno: Option<i32>,
    reason: String,
}

impl From<io::Error> for SortError {
    fn from(error: io::Error) -> Self {
        Self { errno: error.raw_os_error(), reason: error.to_string() }
    }
}

impl From<ArrowError> for SortError {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::IoError(_, error) => error.into(),
            error => Self { errno: None, reason: error.to_string() },
        }
    }
}

/// Sorter of rows by (stream, offset, client before server), which writes rows that do not fit into memory to
/// temporary files. Rows with equal keys stay in the order in which they were added.
///
/// Memory is bounded by the limit, twice the rows of one batch, and one batch of each file that is merged; at
/// most 128 files are merged, whose batches take at most twice the limit, if there are more than two. Rows are
/// written once each time that the number of files grows by that factor.
pub struct Sorter {
    table: Table,
    schema: SchemaRef,
    pending: Vec<RecordBatch>,
    pending_bytes: usize,
    limit: usize,
    spilled: Vec<Spill>,
}

/// Sorted rows in a temporary file.
struct Spill {
    file: File,
    /// Number of times that its rows were merged.
    merges: u32,
    /// Number of bytes of its largest batch.
    largest: usize,
}

impl Sorter {
    /// Creates a sorter of rows with the columns of `schema`, those of the keys among them, that holds at most
    /// `limit` bytes of rows in memory.
    #[must_use]
    pub fn new(table: Table, schema: SchemaRef, limit: usize) -> Self {
        Self { table, schema, pending: Vec::new(), pending_bytes: 0, limit, spilled: Vec::new() }
    }

    /// Adds rows with the columns of the schema.
    ///
    /// # Errors
    /// If a temporary file cannot be written.
    pub fn push(&mut self, batch: RecordBatch) -> Result<(), SortError> {
        if batch.num_rows() == 0 {
            return Ok(());
        }
        self.pending_bytes += batch.get_array_memory_size();
        self.pending.push(batch);
        if self.pending_bytes > self.limit {
            self.spill_pending()?;
        }
        Ok(())
    }

    /// Adds the rows of another sorter of the same table and schema, as if they were pushed now.
    ///
    /// # Errors
    /// If a temporary file cannot be written or read.
    pub fn append(&mut self, other: Self) -> Result<(), SortError> {
        if !other.spilled.is_empty() {
            self.spill_pending()?;
        }
        for spill in other.spilled {
            self.add(spill)?;
        }
        other.pending.into_iter().try_for_each(|batch| self.push(batch))
    }

    /// Sorts the rows in memory, and writes them to a file if they are many: little work is left to a sorter
    /// that they are [appended](Self::append) to.
    ///
    /// # Errors
    /// If a temporary file cannot be written or read.
    pub fn settle(&mut self) -> Result<(), SortError> {
        if self.pending_bytes > SETTLED_IN_MEMORY {
            return self.spill_pending();
        }
        for batch in &mut self.pending {
            *batch = sorted_batch(self.table, batch);
        }
        Ok(())
    }

    fn spill_pending(&mut self) -> Result<(), SortError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let sorted = self.take_pending();
        let spill = Spill::write(&self.schema, sorted, 0)?;
        self.add(spill)
    }

    /// Adds a file, and merges the files of rows that were merged the same number of times once there are
    /// enough of them.
    fn add(&mut self, spill: Spill) -> Result<(), SortError> {
        let mut merges = spill.merges;
        self.spilled.push(spill);
        loop {
            let last = self.spilled.iter().rev();
            let as_often = last.take_while(|spill| spill.merges == merges).count();
            if !self.is_merge_due(as_often) {
                return Ok(());
            }
            merges += 1;
            let sorted = self.merge_last(as_often)?;
            self.spilled.push(Spill::write(&self.schema, sorted, merges)?);
        }
    }

    /// Number of bytes of the batches of files that are merged together.
    fn merge_limit(&self) -> usize {
        self.limit.saturating_mul(2)
    }

    /// Whether the last `count` files are as many as can be merged together.
    fn is_merge_due(&self, count: usize) -> bool {
        let last = self.spilled.iter().rev().take(count);
        let (bytes, largest) = last.fold((0, 0), |(bytes, largest), spill| {
            (bytes + spill.largest, spill.largest.max(largest))
        });
        count >= 2 && (count >= MAX_FAN_IN || bytes + largest > self.merge_limit())
    }

    /// Number of the last `count` files that can be merged together.
    fn fan_in(&self, count: usize) -> usize {
        let mut bytes = 0;
        let fit = self.spilled.iter().rev().take(count).take_while(|spill| {
            bytes += spill.largest;
            bytes <= self.merge_limit()
        });
        fit.count().clamp(2, MAX_FAN_IN)
    }

    fn merge_last(&mut self, count: usize) -> Result<Sorted, SortError> {
        let from = self.spilled.len().saturating_sub(count);
        let runs = self.spilled.drain(from..).map(|spill| {
            let reader = StreamReader::try_new(BufReader::new(spill.file), None)?;
            Ok(Run::new(self.table, Source::File(Box::new(reader))))
        });
        Ok(Sorted::new(runs.collect::<Result<_, SortError>>()?))
    }

    fn take_pending(&mut self) -> Sorted {
        self.pending_bytes = 0;
        let table = self.table;
        let runs = std::mem::take(&mut self.pending)
            .into_iter()
            .map(|batch| Run::new(table, Source::Memory(Some(sorted_batch(table, &batch)))));
        Sorted::new(runs.collect())
    }

    /// Ends the input.
    ///
    /// # Errors
    /// If a temporary file cannot be written or read.
    pub fn finish(&mut self) -> Result<Sorted, SortError> {
        if self.spilled.is_empty() {
            return Ok(self.take_pending());
        }
        self.spill_pending()?;
        loop {
            // Neighbours are merged, the last first, so that equal keys stay in order.
            let mut merged = Vec::new();
            while !self.can_merge_at_once(&merged) && self.spilled.len() > 1 {
                let count = self.fan_in(self.spilled.len());
                let sorted = self.merge_last(count)?;
                merged.push(Spill::write(&self.schema, sorted, 0)?);
            }
            let is_last = self.can_merge_at_once(&merged);
            self.spilled.extend(merged.into_iter().rev());
            if is_last {
                return self.merge_last(self.spilled.len());
            }
        }
    }

    /// Whether all files can be merged together, `merged` among them.
    fn can_merge_at_once(&self, merged: &[Spill]) -> bool {
        let count = self.spilled.len() + merged.len();
        let bytes: usize = self.spilled.iter().chain(merged).map(|spill| spill.largest).sum();
        count <= 2 || (count <= MAX_FAN_IN && bytes <= self.merge_limit())
    }
}

impl Spill {
    fn write(schema: &SchemaRef, mut sorted: Sorted, merges: u32) -> Result<Self, SortError> {
        let mut file = tempfile::tempfile()?;
        let mut writer = StreamWriter::try_new(BufWriter::new(&file), schema)?;
        let mut largest = 0;
        while let Some(batch) = sorted.next_batch()? {
            largest = largest.max(batch.get_array_memory_size());
            writer.write(&batch)?;
        }
        writer.finish()?;
        drop(writer);
        file.rewind()?;
        Ok(Self { file, merges, largest })
    }
}

/// Sorted rows, batch by batch.
pub struct Sorted {
    runs: Vec<Run>,
    started: bool,
    heap: BinaryHeap<Reverse<(Key, usize)>>,
}

impl Sorted {
    fn new(runs: Vec<Run>) -> Self {
        Self { runs, started: false, heap: BinaryHeap::new() }
    }

    /// Returns the next rows.
    ///
    /// # Errors
    /// If a temporary file cannot be read.
    pub fn next_batch(&mut self) -> Result<Option<RecordBatch>, SortError> {
        if !self.started {
            self.started = true;
            for at in 0..self.runs.len() {
                self.advance(at)?;
            }
        }
        let mut rows = Vec::new();
        let mut bytes = 0;
        while rows.len() < BATCH_ROWS && bytes < BATCH_BYTES {
            let Some(Reverse((_, at))) = self.heap.pop() else { break };
            rows.push((at, self.runs[at].row));
            bytes += self.runs[at].row_bytes();
            self.runs[at].row += 1;
            if !self.runs[at].has_row() {
                // The batch is needed until its rows are out.
                let batch = self.gather(&rows)?;
                self.advance(at)?;
                return Ok(Some(batch));
            }
            self.heap.push(Reverse((self.runs[at].key(), at)));
        }
        if rows.is_empty() { Ok(None) } else { Ok(Some(self.gather(&rows)?)) }
    }

    fn advance(&mut self, at: usize) -> Result<(), ArrowError> {
        let run = &mut self.runs[at];
        run.load()?;
        if run.has_row() {
            self.heap.push(Reverse((run.key(), at)));
        }
        Ok(())
    }

    fn gather(&self, rows: &[(usize, usize)]) -> Result<RecordBatch, ArrowError> {
        // Few runs give to a batch: the others need not be looked at.
        let mut places = vec![None; self.runs.len()];
        let mut batches = Vec::new();
        let mut picks = Vec::with_capacity(rows.len());
        for &(run, row) in rows {
            let place = *places[run].get_or_insert_with(|| {
                batches.extend(self.runs[run].batch.as_ref());
                batches.len() - 1
            });
            picks.push((place, row));
        }
        interleave_record_batch(&batches, &picks)
    }
}

struct Run {
    table: Table,
    source: Source,
    batch: Option<RecordBatch>,
    keys: Vec<Key>,
    row: usize,
}

enum Source {
    Memory(Option<RecordBatch>),
    File(Box<StreamReader<BufReader<File>>>),
}

impl Run {
    fn new(table: Table, source: Source) -> Self {
        Self { table, source, batch: None, keys: Vec::new(), row: 0 }
    }

    fn load(&mut self) -> Result<(), ArrowError> {
        self.row = 0;
        self.batch = match &mut self.source {
            Source::Memory(batch) => batch.take(),
            Source::File(reader) => reader.next().transpose()?,
        };
        self.keys = self.batch.as_ref().map(|batch| keys(self.table, batch)).unwrap_or_default();
        Ok(())
    }

    fn has_row(&self) -> bool {
        self.row < self.keys.len()
    }

    fn key(&self) -> Key {
        self.keys[self.row]
    }

    /// Number of bytes of text in the row.
    fn row_bytes(&self) -> usize {
        let columns = self.batch.iter().flat_map(RecordBatch::columns);
        let texts = columns.filter_map(|column| column.as_string_opt::<i32>());
        texts.map(|text| text.value_length(self.row).unsigned_abs() as usize).sum()
    }
}

/// Stream, offset, and whether the server wrote it.
type Key = (i64, i64, bool);

fn sorted_batch(table: Table, batch: &RecordBatch) -> RecordBatch {
    let keys = keys(table, batch);
    if keys.is_sorted() {
        return batch.clone();
    }
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by_key(|row| keys[*row]);
    let picks: Vec<_> = order.into_iter().map(|row| (0, row)).collect();
    // The rows are the batch's own.
    interleave_record_batch(&[batch], &picks).unwrap_or_else(|_| batch.clone())
}

/// Names of the columns of a stream, an offset and a side; a table need not have all of them.
pub(crate) fn sort_keys(table: Table) -> [&'static str; 3] {
    let offset = match table {
        Table::Calls => "request_offset",
        _ => "offset",
    };
    ["stream", offset, "side"]
}

fn keys(table: Table, batch: &RecordBatch) -> Vec<Key> {
    let numbers = |name: &str| -> Option<&Int64Array> {
        batch.column_by_name(name)?.as_primitive_opt::<Int64Type>()
    };
    let [stream, offset, side] = sort_keys(table);
    let (streams, offsets) = (numbers(stream), numbers(offset));
    let sides: Option<&StringArray> =
        batch.column_by_name(side).and_then(|side| side.as_string_opt());
    (0..batch.num_rows())
        .map(|row| {
            (
                streams.map_or(0, |column| column.value(row)),
                offsets.map_or(0, |column| column.value(row)),
                sides.is_some_and(|column| column.value(row) == "server"),
            )
        })
        .collect()
}

/// Maximum number of files that are merged together (chosen by jvmwire: far below the number that a process may
/// open).
const MAX_FAN_IN: usize = 128;
/// Number of bytes of rows that a settled sorter keeps in memory (chosen by jvmwire).
const SETTLED_IN_MEMORY: usize = 1 << 20;
/// Number of rows of a batch that is returned, or written to a file.
const BATCH_ROWS: usize = 64 << 10;
/// Number of bytes of text in such a batch: one of each file is in memory at a time.
const BATCH_BYTES: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tables::{MessageRow, Messages, Rows};

    fn batch(rows: &[Key]) -> RecordBatch {
        numbered(rows, 1)
    }

    /// Creates a batch of rows whose lengths are numbers from `first` on.
    fn numbered(rows: &[Key], first: i64) -> RecordBatch {
        let mut messages = Messages::default();
        for ((stream, offset, server), length) in rows.iter().zip(first..) {
            messages.push(&MessageRow {
                protocol: Some("hadoop"),
                stream: Some(*stream),
                side: Some(if *server { "server" } else { "client" }),
                offset: Some(*offset),
                length: Some(length),
                ..MessageRow::default()
            });
        }
        messages.take().0
    }

    proptest! {
        #[test]
        fn rows_come_in_order_whatever_fits_into_memory(
            batches in prop::collection::vec(
                prop::collection::vec((0..4_i64, 0..100_i64, any::<bool>()), 0..50), 0..8),
            limit in 0..20_000_usize,
        ) {
            let mut sorter = Sorter::new(Table::Messages, Table::Messages.schema(), limit);
            for rows in &batches {
                sorter.push(batch(rows)).unwrap();
            }
            let mut sorted = sorter.finish().unwrap();
            let mut seen = Vec::new();
            while let Some(batch) = sorted.next_batch().unwrap() {
                seen.extend(keys(Table::Messages, &batch));
            }
            let mut expected: Vec<Key> = batches.concat();
            expected.sort_unstable();
            prop_assert_eq!(seen, expected);
        }
    }

    proptest! {
        #[test]
        fn rows_of_appended_sorters_come_in_order_and_equal_keys_as_they_were_added(
            parts in prop::collection::vec(
                prop::collection::vec(
                    prop::collection::vec((0..2_i64, 0..5_i64, any::<bool>()), 0..40), 0..6),
                0..6),
            limit in 0..40_000_usize,
        ) {
            let sorter = || Sorter::new(Table::Messages, Table::Messages.schema(), limit);
            let (mut all, mut first, mut expected) = (sorter(), 0, Vec::new());
            for batches in &parts {
                let mut part = sorter();
                for rows in batches {
                    part.push(numbered(rows, first)).unwrap();
                    expected.extend(rows.iter().copied().zip(first..));
                    first += i64::try_from(rows.len()).unwrap();
                }
                part.settle().unwrap();
                all.append(part).unwrap();
            }
            let (mut sorted, mut seen) = (all.finish().unwrap(), Vec::new());
            while let Some(batch) = sorted.next_batch().unwrap() {
                let lengths: &Int64Array = batch["length"].as_primitive();
                seen.extend(keys(Table::Messages, &batch).into_iter().zip(lengths.values().to_vec()));
            }
            expected.sort_by_key(|(key, _)| *key);
            prop_assert_eq!(seen, expected);
        }
    }

    #[test]
    fn files_are_merged_once_there_are_as_many_as_fit() {
        let mut sorter = Sorter::new(Table::Messages, Table::Messages.schema(), 100);
        for count in 1..=19 {
            // Nothing reads them: files without rows cannot be merged.
            let file = tempfile::tempfile().unwrap();
            sorter.add(Spill { file, merges: 0, largest: 10 }).unwrap();
            assert_eq!((sorter.spilled.len(), sorter.is_merge_due(count)), (count, false));
        }
        let file = tempfile::tempfile().unwrap();
        sorter.add(Spill { file, merges: 0, largest: 10 }).unwrap_err();
    }

    #[test]
    fn few_files_are_open_however_many_rows_there_are() {
        let mut sorter = Sorter::new(Table::Messages, Table::Messages.schema(), 20_000);
        let mut most = 0;
        for number in 0..1000 {
            // A batch takes more than the limit allows for two.
            let rows: Vec<Key> = (0..200).map(|row| (row, 1000 - number, false)).collect();
            sorter.push(batch(&rows)).unwrap();
            most = most.max(sorter.spilled.len());
        }
        assert!(most <= 24, "{most} files");
        let mut rows = sorter.finish().unwrap();
        let mut seen = Vec::new();
        while let Some(batch) = rows.next_batch().unwrap() {
            seen.extend(keys(Table::Messages, &batch));
        }
        assert!(seen.is_sorted());
        assert_eq!(seen.len(), 200_000);
    }
}
