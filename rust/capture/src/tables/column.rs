//! Columns that grow by a value a row, in fewer steps than builders that can do more.

use std::sync::Arc;

use arrow_array::{ArrayRef, ArrowPrimitiveType, PrimitiveArray, StringArray};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};

/// A column of text.
#[derive(Debug)]
pub(crate) struct Text {
    values: Vec<u8>,
    /// Where each row's value begins, and where the last one ends.
    offsets: Vec<i32>,
    present: Present,
}

impl Text {
    #[inline]
    pub(crate) fn push(&mut self, value: Option<&str>) {
        self.values.extend_from_slice(value.unwrap_or_default().as_bytes());
        // Batches are taken long before.
        self.offsets.push(i32::try_from(self.values.len()).unwrap_or(i32::MAX));
        self.present.push(value.is_some());
    }

    /// How many bytes the values take.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Takes the rows.
    pub(crate) fn take(&mut self) -> ArrayRef {
        let values = Buffer::from_vec(taken(&mut self.values));
        let offsets = OffsetBuffer::new(ScalarBuffer::from(taken(&mut self.offsets)));
        self.offsets.push(0);
        Arc::new(StringArray::new(offsets, values, self.present.take()))
    }
}

impl Default for Text {
    fn default() -> Self {
        Self { values: Vec::new(), offsets: vec![0], present: Present::default() }
    }
}

/// A column of numbers.
#[derive(Debug)]
pub(crate) struct Numbers<T: ArrowPrimitiveType> {
    values: Vec<T::Native>,
    present: Present,
}

impl<T: ArrowPrimitiveType> Numbers<T> {
    #[inline]
    pub(crate) fn push(&mut self, value: Option<T::Native>) {
        self.values.push(value.unwrap_or_default());
        self.present.push(value.is_some());
    }

    pub(crate) fn take(&mut self) -> PrimitiveArray<T> {
        PrimitiveArray::new(taken(&mut self.values).into(), self.present.take())
    }
}

impl<T: ArrowPrimitiveType> Default for Numbers<T> {
    fn default() -> Self {
        Self { values: Vec::new(), present: Present::default() }
    }
}

/// Which rows have a value.
#[derive(Debug, Default)]
struct Present {
    rows: Vec<bool>,
    absent: bool,
}

impl Present {
    #[inline]
    fn push(&mut self, present: bool) {
        self.rows.push(present);
        self.absent |= !present;
    }

    /// `None` if all have one.
    fn take(&mut self) -> Option<NullBuffer> {
        let rows = taken(&mut self.rows);
        std::mem::take(&mut self.absent).then(|| NullBuffer::from(rows))
    }
}

/// Takes what is there, and leaves as much room: the next batch is about as large.
fn taken<T>(values: &mut Vec<T>) -> Vec<T> {
    let room = Vec::with_capacity(values.len());
    std::mem::replace(values, room)
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, cast::AsArray, types::Int64Type};

    use super::*;

    #[test]
    fn rows_are_taken_as_they_were_pushed() {
        let (mut text, mut numbers) = (Text::default(), Numbers::<Int64Type>::default());
        for batch in [&[Some("a"), None, Some(""), Some("bé")][..], &[Some("x")], &[]] {
            let lengths = || batch.iter().map(|value| value.map(|value| value.len() as u64));
            let mut total = 0;
            for (value, len) in batch.iter().zip(lengths()) {
                text.push(*value);
                numbers.push(len.map(u64::cast_signed));
                total += value.unwrap_or_default().len();
            }
            assert_eq!(text.len(), total);
            let (text, numbers) = (text.take(), numbers.take());
            assert_eq!(text.as_string::<i32>().iter().collect::<Vec<_>>(), batch);
            let expected: Vec<_> = lengths().map(|len| len.map(u64::cast_signed)).collect();
            assert_eq!(numbers.iter().collect::<Vec<_>>(), expected);
            assert_eq!(text.nulls().is_some(), batch.contains(&None));
        }
    }
}
