//! Selection from a table: some columns, and the rows for which a condition is true.

use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use arrow_select::interleave::interleave_record_batch;

use crate::{
    tables::Table,
    tables::filter::{Condition, Test, ViewError, column},
    tables::sort::sort_keys,
};

/// Selection of columns and a condition, over one table.
#[derive(Debug)]
pub struct View {
    schema: SchemaRef,
    columns: Vec<usize>,
    /// The columns that rows to be sorted carry: those selected, and the keys.
    carried: Vec<usize>,
    test: Option<Test>,
}

impl View {
    /// Selects all columns but `fields`, or those named, in that order; and all rows, or those for which the
    /// condition is true.
    ///
    /// # Errors
    /// A name or a constant that does not fit the table.
    pub fn new(
        table: Table,
        columns: Option<&[String]>,
        condition: Option<&Condition>,
    ) -> Result<Self, ViewError> {
        let schema = table.schema();
        let columns = if let Some(names) = columns {
            let mut columns = Vec::new();
            for name in names {
                let at = column(&schema, name)?;
                if columns.contains(&at) {
                    return Err(ViewError::Twice { name: name.clone() });
                }
                columns.push(at);
            }
            columns
        } else {
            let fields = schema.fields().iter().enumerate();
            fields.filter(|(_, field)| field.name() != "fields").map(|(at, _)| at).collect()
        };
        let test = condition.map(|condition| Test::new(condition, &schema)).transpose()?;
        let keys = sort_keys(table);
        let is_key = |at: &usize| keys.contains(&schema.field(*at).name().as_str());
        let mut carried = columns.clone();
        carried.extend((0..schema.fields().len()).filter(|at| is_key(at) && !columns.contains(at)));
        Ok(Self { schema, columns, carried, test })
    }

    /// Whether the column `fields` is selected or used by the condition.
    #[must_use]
    pub fn needs_fields(&self) -> bool {
        let needs = |at: usize| self.schema.field(at).name() == "fields";
        self.columns.iter().any(|at| needs(*at))
            || self.test.as_ref().is_some_and(|test| test.any_column(&needs))
    }

    /// Schema of the selected columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        self.project(&self.columns)
    }

    /// Schema of the rows of [`carry`](Self::carry): the selected columns, then the other keys.
    #[must_use]
    pub fn carried_schema(&self) -> SchemaRef {
        self.project(&self.carried)
    }

    fn project(&self, columns: &[usize]) -> SchemaRef {
        // The indices are the schema's own.
        self.schema.project(columns).map_or_else(|_| self.schema.clone(), Arc::new)
    }

    /// Applies the selection to a batch of the table.
    ///
    /// # Errors
    /// If the batch is of another table.
    pub fn apply(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        self.select(batch, &self.columns)
    }

    /// Applies the condition to a batch of the table, and keeps the columns that sorting needs too.
    ///
    /// # Errors
    /// If the batch is of another table.
    pub fn carry(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        self.select(batch, &self.carried)
    }

    /// Returns the selected columns of rows that were [carried](Self::carry).
    ///
    /// # Errors
    /// If the batch is of another view.
    pub fn show(&self, carried: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        // The selected columns come first.
        let columns: Vec<usize> = (0..self.columns.len()).collect();
        carried.project(&columns)
    }

    fn select(&self, batch: &RecordBatch, columns: &[usize]) -> Result<RecordBatch, ArrowError> {
        let Some(test) = &self.test else { return batch.project(columns) };
        let kept = test.rows(batch);
        let shown = batch.project(columns)?;
        if kept.len() == batch.num_rows() {
            return Ok(shown);
        }
        let picks: Vec<_> = kept.into_iter().map(|row| (0, row)).collect();
        interleave_record_batch(&[&shown], &picks)
    }
}

#[cfg(test)]
mod tests {
    use arrow_array::{Array, StringArray};

    use super::*;
    use crate::{
        tables::filter::{Comparison, Constant},
        tables::{CallRow, Calls, Rows},
    };

    fn calls() -> RecordBatch {
        let mut calls = Calls::default();
        for (name, latency, start) in
            [("P.a", Some(10), 1_000_000), ("P.b", None, 2_000_000), ("Q.a", Some(30), 3_000_000)]
        {
            calls.push(&CallRow {
                protocol: Some("hadoop"),
                stream: Some(0),
                name: Some(name),
                request_offset: Some(0),
                request_bytes: Some(1),
                status: Some(if latency.is_some() { "ok" } else { "lost" }),
                start: Some(start),
                latency_us: latency,
                retry: Some(-1),
                ..CallRow::default()
            });
        }
        calls.take().0
    }

    fn compared(column: &str, comparison: Comparison, constant: Constant) -> Condition {
        Condition::Compare(column.into(), comparison, constant)
    }

    fn text(text: &str) -> Constant {
        Constant::Text(text.into())
    }

    fn kept(condition: &Condition) -> Vec<String> {
        let columns = ["name".to_owned()];
        let view = View::new(Table::Calls, Some(&columns), Some(condition)).unwrap();
        let batch = view.apply(&calls()).unwrap();
        let names = batch.column(0).as_any().downcast_ref::<StringArray>().unwrap();
        names.iter().flatten().map(str::to_owned).collect()
    }

    #[test]
    fn condition_keeps_the_rows_it_is_true_of() {
        let slow = compared("latency_us", Comparison::Greater, Constant::Int(10));
        assert_eq!(kept(&slow), ["Q.a"]);
        let unanswered = Condition::IsNull("latency_us".into());
        assert_eq!(kept(&Condition::Or(slow.clone().into(), unanswered.into())), ["P.b", "Q.a"]);
        let like =
            Condition::Like { column: "name".into(), pattern: "p.%".into(), ignoring_case: true };
        assert_eq!(kept(&like), ["P.a", "P.b"]);
        let late = compared("start", Comparison::GreaterOrEqual, text("1970-01-01T00:00:02Z"));
        assert_eq!(kept(&late), ["P.b", "Q.a"]);
        let retry = compared("retry", Comparison::Equal, Constant::Int(-1));
        assert_eq!(kept(&Condition::And(retry.into(), like.into())), ["P.a", "P.b"]);
    }

    #[test]
    fn value_that_is_not_there_makes_nothing_true() {
        let slow = compared("latency_us", Comparison::Greater, Constant::Int(10));
        assert_eq!(kept(&Condition::Not(slow.into())), ["P.a"]);
    }

    #[test]
    fn rows_to_be_sorted_carry_the_keys_that_are_not_shown() {
        let columns = ["name".to_owned(), "stream".to_owned()];
        let slow = compared("latency_us", Comparison::Greater, Constant::Int(10));
        let view = View::new(Table::Calls, Some(&columns), Some(&slow)).unwrap();
        let carried = view.carry(&calls()).unwrap();
        assert_eq!(carried.schema(), view.carried_schema());
        assert_eq!((carried.num_rows(), carried.num_columns()), (1, 3));
        assert!(carried.column_by_name("request_offset").is_some());
        assert_eq!(view.show(&carried).unwrap(), view.apply(&calls()).unwrap());
    }

    #[test]
    fn unknown_columns_are_named() {
        let said = |condition: &Condition| {
            View::new(Table::Calls, None, Some(condition)).unwrap_err().to_string()
        };
        let missing = said(&Condition::IsNull("nam".into()));
        assert!(missing.starts_with("there is no column \"nam\"; there are protocol,"));
        let number = said(&compared("name", Comparison::Equal, Constant::Int(3)));
        assert_eq!(number, "column \"name\" holds text, which 3 is not");
        let word = said(&compared("retry", Comparison::Equal, text("x")));
        assert_eq!(word, "column \"retry\" holds integers, which 'x' is not");
    }

    #[test]
    fn fields_are_formatted_only_on_request() {
        let all = View::new(Table::Messages, None, None).unwrap();
        assert!(!all.needs_fields());
        assert!(all.schema().column_with_name("fields").is_none());
        let judged = Condition::IsNull("fields".into());
        assert!(View::new(Table::Messages, None, Some(&judged)).unwrap().needs_fields());
        let named = ["fields".to_owned()];
        assert!(View::new(Table::Messages, Some(&named), None).unwrap().needs_fields());
    }
}
