//! Column builders that append one value per row, in fewer steps than general builders.

use std::{ops::Range, sync::Arc};

use arrow_array::{ArrayRef, ArrowPrimitiveType, PrimitiveArray, StringArray};
use arrow_buffer::{ArrowNativeType, BooleanBufferBuilder, Buffer, NullBuffer, OffsetBuffer};
use arrow_schema::DataType;
use jvmwire_codec::buffer_pool;

use crate::lent;

/// A column of text.
#[derive(Debug)]
pub(crate) struct Texts {
    values: Vec<u8>,
    /// Offset of each row's value, and the end of the last one.
    offsets: Vec<i32>,
    absent: NullRuns,
    /// Maximum number of bytes of all values: the range of the offsets.
    limit: usize,
    omitted: Omitted,
}

/// Values that did not fit into a batch.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(crate) struct Omitted {
    pub(crate) texts: u64,
    pub(crate) bytes: u64,
}

impl Omitted {
    pub(crate) fn add(&mut self, other: Self) {
        self.texts += other.texts;
        self.bytes += other.bytes;
    }
}

impl Texts {
    /// Creates a column of at most `limit` bytes.
    fn with_limit(limit: usize) -> Self {
        let (absent, omitted) = (NullRuns::default(), Omitted::default());
        Self { values: Vec::new(), offsets: vec![0], absent, limit, omitted }
    }

    /// Adds a row. A value that does not fit is omitted: the row is null, or empty if the column is not
    /// nullable.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "for every text: a call costs half as much again")]
    pub(crate) fn push(&mut self, value: Option<&(impl AsRef<[u8]> + ?Sized)>) {
        match value.map(AsRef::as_ref) {
            Some(value) if value.len() <= self.limit - self.values.len() => {
                buffer_pool::reserve(&mut self.values, value.len());
                self.values.extend_from_slice(value);
            }
            Some(value) => self.omit(value),
            None => self.absent.push(self.offsets.len() - 1),
        }
        buffer_pool::reserve(&mut self.offsets, 1);
        // No more than the limit, which is one of `i32`.
        self.offsets.push(i32::try_from(self.values.len()).unwrap_or(i32::MAX));
    }

    #[cold]
    fn omit(&mut self, value: &[u8]) {
        self.absent.push(self.offsets.len() - 1);
        self.omitted.add(Omitted { texts: 1, bytes: value.len() as u64 });
    }

    /// Sets the value of the last row, which is empty, without a copy if all rows before it are empty, too.
    pub(crate) fn fill_last(&mut self, value: Vec<u8>) {
        if value.len() > self.limit - self.values.len() {
            self.omitted.add(Omitted { texts: 1, bytes: value.len() as u64 });
            return;
        }
        if self.values.is_empty() {
            self.values = value;
        } else {
            self.values.extend_from_slice(&value);
        }
        if let Some(last) = self.offsets.last_mut() {
            *last = i32::try_from(self.values.len()).unwrap_or(i32::MAX);
        }
    }

    /// Number of bytes of the values.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Takes the record of values omitted since the last call.
    pub(crate) fn take_omitted(&mut self) -> Omitted {
        std::mem::take(&mut self.omitted)
    }

    /// Takes the rows. If a column is not `nullable`, missing values are empty.
    pub(crate) fn take(&mut self, nullable: bool) -> ArrayRef {
        let values = taken(&mut self.values);
        let absent = self.absent.take(self.offsets.len() - 1).filter(|_| nullable);
        let offsets = OffsetBuffer::new(taken(&mut self.offsets).into());
        self.offsets.push(0);
        Arc::new(StringArray::new(offsets, values, absent))
    }
}

impl Default for Texts {
    fn default() -> Self {
        Self::with_limit(TEXT_LIMIT)
    }
}

/// Maximum number of bytes of one column of a batch. A batch is taken once the texts that can be long have 8
/// MiB, and no value comes near to this limit: fields have `FIELDS_LIMIT` and one text, of at most six bytes
/// per byte of the longest message.
const TEXT_LIMIT: usize = i32::MAX as usize;

/// A column of numbers.
#[derive(Debug)]
pub(crate) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    absent: NullRuns,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    #[inline]
    pub(crate) fn push(&mut self, value: Option<T::Native>) {
        if value.is_none() {
            self.absent.push(self.values.len());
        }
        buffer_pool::reserve(&mut self.values, 1);
        self.values.push(value.unwrap_or_default());
    }

    /// Takes the rows, as an array of this type.
    pub(crate) fn take(&mut self, data_type: &DataType) -> ArrayRef {
        let absent = self.absent.take(self.values.len());
        let values = PrimitiveArray::<T>::new(taken(&mut self.values).into(), absent);
        Arc::new(values.with_data_type(data_type.clone()))
    }
}

impl<T: ArrowPrimitiveType> Default for Numbers<T> {
    fn default() -> Self {
        Self { values: Vec::new(), absent: NullRuns::default() }
    }
}

/// Rows without a value, as runs: in most columns none or nearly all.
#[derive(Debug, Default)]
struct NullRuns {
    runs: Vec<Range<usize>>,
}

impl NullRuns {
    #[inline]
    fn push(&mut self, row: usize) {
        match self.runs.last_mut() {
            Some(run) if run.end == row => run.end += 1,
            _ => self.runs.push(row..row + 1),
        }
    }

    /// Returns the null buffer; `None` if all `rows` have a value.
    fn take(&mut self, rows: usize) -> Option<NullBuffer> {
        if self.runs.is_empty() {
            return None;
        }
        let mut present = BooleanBufferBuilder::new(rows);
        for run in self.runs.drain(..) {
            present.append_n(run.start - present.len(), true);
            present.append_n(run.len(), false);
        }
        present.append_n(rows - present.len(), true);
        Some(NullBuffer::new(present.finish()))
    }
}

/// Takes the values, and leaves capacity for slightly more: the next batch has a similar size.
fn taken<T: ArrowNativeType>(values: &mut Vec<T>) -> Buffer {
    let room = buffer_pool::take_vec(values.len() + values.len() / 8);
    lent(std::mem::replace(values, room))
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, cast::AsArray, types::Int64Type};

    use super::*;

    #[test]
    fn value_without_room_is_left_out_and_counted() {
        for nullable in [true, false] {
            let mut text = Texts::with_limit(10);
            for value in ["12345", "123456", "67890", "1", ""] {
                text.push(Some(value));
            }
            assert_eq!(text.take_omitted(), Omitted { texts: 2, bytes: 7 });
            let none = (!nullable).then_some("");
            let expected = [Some("12345"), none, Some("67890"), none, Some("")];
            let taken = text.take(nullable);
            assert_eq!(taken.as_string::<i32>().iter().collect::<Vec<_>>(), expected);
            text.push(Some("1234567890"));
            assert_eq!(text.take(nullable).as_string::<i32>().value(0), "1234567890");
            assert_eq!(text.take_omitted(), Omitted::default());
        }
    }

    #[test]
    fn long_value_becomes_the_last_rows_and_is_not_copied_into_an_empty_column() {
        let mut text = Texts::with_limit(10);
        for (before, is_moved) in [("", true), ("a", false)] {
            text.push(Some(before));
            text.push(Some(""));
            let long = b"12345".to_vec();
            let at = long.as_ptr();
            text.fill_last(long);
            assert_eq!(text.values.as_ptr() == at, is_moved);
            text.push(Some("x"));
            let taken = text.take(false);
            let values = taken.as_string::<i32>();
            assert_eq!(values.iter().flatten().collect::<Vec<_>>(), [before, "12345", "x"]);
        }
        text.push(Some(""));
        text.fill_last(vec![b'x'; 11]);
        assert_eq!(text.take_omitted(), Omitted { texts: 1, bytes: 11 });
        assert_eq!(text.take(true).as_string::<i32>().value(0), "");
    }

    #[test]
    fn rows_are_taken_as_they_were_pushed() {
        let (mut text, mut numbers) = (Texts::default(), Numbers::<Int64Type>::default());
        for batch in [&[Some("a"), None, Some(""), Some("bé")][..], &[Some("x")], &[]] {
            let lengths = || batch.iter().map(|value| value.map(|value| value.len() as u64));
            let mut total = 0;
            for (value, len) in batch.iter().zip(lengths()) {
                text.push(*value);
                numbers.push(len.map(u64::cast_signed));
                total += value.unwrap_or_default().len();
            }
            assert_eq!(text.len(), total);
            let (text, numbers) = (text.take(true), numbers.take(&DataType::Int64));
            assert_eq!(text.as_string::<i32>().iter().collect::<Vec<_>>(), batch);
            let expected: Vec<_> = lengths().map(|len| len.map(u64::cast_signed)).collect();
            assert_eq!(numbers.as_primitive::<Int64Type>().iter().collect::<Vec<_>>(), expected);
            assert_eq!(text.nulls().is_some(), batch.contains(&None));
        }
    }
}
