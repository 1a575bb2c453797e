//! Record batches of the replies to a batch of calls.

use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray, builder::StringBuilder};
use jvmwire_codec::{
    Cursor, DecodeError,
    hadoop::{ReplyTable, Slot},
    proto::{self, FieldKind, MessageType, Projection, RepeatedFieldPath},
};

use super::column::Column;
use crate::error::PyCoreError;

/// Columns of a table: the fields of a message that become columns, and their types.
pub(in crate::hadoop) struct Plan {
    names: Vec<String>,
    places: Projection,
    /// Kind and name of each column; consecutive entries with the same name stay separate columns until they
    /// are merged at the end.
    columns: Vec<(FieldKind, String)>,
}

impl Plan {
    /// Creates a plan from a name, a field path and a conversion per column. The conversions are `text` for
    /// bytes that are UTF-8 or are converted with replacement, `child` for a name in the directory that the
    /// message is about, `timestamp` for milliseconds since 1970, `mode` for a permission, `flags` for the bits
    /// that Hadoop 2 stores above it, or empty. If consecutive entries have the same name, the second is the
    /// path for rows in which the first has no value.
    pub(in crate::hadoop) fn new(
        message: &'static MessageType,
        columns: &[(String, String, String)],
    ) -> Result<Self, PyCoreError> {
        let mut plan =
            Self { names: Vec::new(), places: Projection::new(message), columns: Vec::new() };
        for (name, path, shown) in columns {
            let wrong = || {
                let text = format!("{} has no {path} that can be shown as {shown:?}", message.name);
                PyCoreError::Argument(text)
            };
            let field = plan.places.add(path).ok_or_else(wrong)?;
            Column::new(field, shown, 0, &[]).ok_or_else(wrong)?;
            plan.names.push(name.clone());
            plan.columns.push((field, shown.clone()));
        }
        Ok(plan)
    }

    /// Builds the columns: `keys`, the planned columns, and the class and message of failures.
    pub(in crate::hadoop) fn read(
        &self,
        replies: &ReplyTable,
        key: &str,
        keys: Vec<String>,
    ) -> Result<RecordBatch, PyCoreError> {
        let mut columns = self.begin(replies.len(), &[]);
        let mut classes = StringBuilder::new();
        let mut messages = StringBuilder::new();
        for (row, slot) in replies.iter().enumerate() {
            if let Slot::Payload(payload) = slot {
                self.pick(Cursor::new(payload), row, &mut columns)?;
            }
            let failure = if let Slot::Failed(failure) = slot { Some(failure) } else { None };
            classes.append_option(failure.map(|failure| failure.class));
            messages.append_option(failure.map(|failure| failure.message));
        }
        let mut named: Vec<(&str, ArrayRef)> = vec![(key, Arc::new(StringArray::from(keys)))];
        named.extend(self.finish(columns)?);
        named.push(("error_class", Arc::new(classes.finish())));
        named.push(("error_message", Arc::new(messages.finish())));
        to_batch(named)
    }

    /// Builds the columns of the messages in lists: one row per message of all lists, in order.
    pub(in crate::hadoop) fn read_lists<P: AsRef<[u8]>>(
        &self,
        list: &RepeatedFieldPath,
        payloads: &[(String, P)],
    ) -> Result<RecordBatch, PyCoreError> {
        let mut parents = Vec::with_capacity(payloads.len());
        let mut rows = 0;
        for (parent, payload) in payloads {
            list.each(Cursor::new(payload.as_ref()), |_| {
                rows += 1;
                Ok::<_, DecodeError>(())
            })?;
            parents.push((parent.as_str(), rows));
        }
        let mut columns = self.begin(rows, &parents);
        let mut row = 0;
        for (_, payload) in payloads {
            list.each(Cursor::new(payload.as_ref()), |message| {
                self.pick(message, row, &mut columns)?;
                row += 1;
                Ok::<_, PyCoreError>(())
            })?;
        }
        to_batch(self.finish(columns)?)
    }

    fn begin<'a>(&self, rows: usize, parents: &'a [(&'a str, usize)]) -> Vec<Column<'a>> {
        let columns = self.columns.iter();
        columns.filter_map(|(kind, shown)| Column::new(*kind, shown, rows, parents)).collect()
    }

    fn pick<'a>(
        &self,
        message: Cursor<'a>,
        row: usize,
        columns: &mut [Column<'a>],
    ) -> Result<(), PyCoreError> {
        Ok(proto::pick_each(message, &self.places, |slot, _, raw| columns[slot].put(row, raw))?)
    }

    fn finish(&self, columns: Vec<Column<'_>>) -> Result<Vec<(&str, ArrayRef)>, PyCoreError> {
        let mut named: Vec<(&str, Column<'_>)> = Vec::with_capacity(columns.len());
        for (name, column) in self.names.iter().zip(columns) {
            match named.last_mut() {
                Some((before, first)) if before == name => first.fill_from(column),
                _ => named.push((name, column)),
            }
        }
        named.into_iter().map(|(name, column)| Ok((name, column.finish()?))).collect()
    }
}

fn to_batch(columns: Vec<(&str, ArrayRef)>) -> Result<RecordBatch, PyCoreError> {
    let nullable = columns.into_iter().map(|(name, array)| (name, array, true));
    Ok(RecordBatch::try_from_iter_with_nullable(nullable)?)
}
