//! Conditions on the rows of a table, with SQL's three truth values.

use std::cmp::Ordering;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema};
use chrono::DateTime;
use thiserror::Error;

use crate::tables::{Cell, Column};

/// Error of an invalid view. The text is for the user who wrote it.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ViewError {
    /// There is no column with this name.
    #[error("there is no column {name:?}; there are {known}")]
    NoColumn {
        /// Requested name.
        name: String,
        /// Existing names.
        known: String,
    },
    /// A name occurs twice: the rows could not be JSON objects.
    #[error("column {name:?} is named twice")]
    Twice {
        /// The name.
        name: String,
    },
    /// A constant cannot be compared with the column.
    #[error("column {column:?} holds {kind}, which {constant} is not")]
    Constant {
        /// The column.
        column: String,
        /// Type of the column.
        kind: &'static str,
        /// Constant, as it was written.
        constant: String,
    },
}

/// Condition as it was written: columns by name, constants without conversion.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// Both conditions are true.
    And(Box<Self>, Box<Self>),
    /// At least one condition is true.
    Or(Box<Self>, Box<Self>),
    /// The condition is false.
    Not(Box<Self>),
    /// Comparison of a column with a constant.
    Compare(String, Comparison, Constant),
    /// SQL's LIKE of a column and a pattern: `%` is any text, `_` any character.
    Like {
        /// The column.
        column: String,
        /// The pattern.
        pattern: String,
        /// Whether the comparison ignores case.
        ignoring_case: bool,
    },
    /// The column is null.
    IsNull(String),
}

/// Comparison of a column with a constant.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Comparison {
    /// `=`
    Equal,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

/// A constant in a condition.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// Text; for a column of times, an RFC 3339 time.
    Text(String),
    /// Integer; for a column of times, microseconds since 1970, UTC.
    Int(i64),
}

/// Condition on a table: columns by index, constants of the columns' types.
#[derive(Debug)]
pub(crate) enum Test {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Compare(usize, Comparison, Constant),
    Like(usize, String, bool),
    IsNull(usize),
}

impl Test {
    pub(crate) fn new(condition: &Condition, schema: &Schema) -> Result<Self, ViewError> {
        let inner = |condition: &Condition| Self::new(condition, schema).map(Box::new);
        Ok(match condition {
            Condition::And(left, right) => Self::And(inner(left)?, inner(right)?),
            Condition::Or(left, right) => Self::Or(inner(left)?, inner(right)?),
            Condition::Not(negated) => Self::Not(inner(negated)?),
            Condition::Compare(name, comparison, constant) => {
                let at = column(schema, name)?;
                Self::Compare(at, *comparison, fitting(schema, at, constant)?)
            }
            Condition::Like { column: name, pattern, ignoring_case } => {
                let at = column(schema, name)?;
                fitting(schema, at, &Constant::Text(pattern.clone()))?;
                let pattern = if *ignoring_case { pattern.to_lowercase() } else { pattern.clone() };
                Self::Like(at, pattern, *ignoring_case)
            }
            Condition::IsNull(name) => Self::IsNull(column(schema, name)?),
        })
    }

    /// Whether `wanted` is true for a column of the condition.
    pub(crate) fn any_column(&self, wanted: &impl Fn(usize) -> bool) -> bool {
        match self {
            Self::And(left, right) | Self::Or(left, right) => {
                left.any_column(wanted) || right.any_column(wanted)
            }
            Self::Not(inner) => inner.any_column(wanted),
            Self::Compare(at, ..) | Self::Like(at, ..) | Self::IsNull(at) => wanted(*at),
        }
    }

    /// Returns the rows for which the condition is true.
    pub(crate) fn rows(&self, batch: &RecordBatch) -> Vec<usize> {
        let columns: Vec<Column<'_>> = batch.columns().iter().map(Column::from_array).collect();
        let is_met = |row: &usize| self.is_met(&|at| columns[at].cell(*row));
        (0..batch.num_rows()).filter(is_met).collect()
    }

    /// Whether the condition is true for a row, given its values by column.
    pub(crate) fn is_met<'a>(&self, cell: &impl Fn(usize) -> Cell<'a>) -> bool {
        self.is_true(cell) == Some(true)
    }

    /// Evaluates the condition for a row; `None` if the result depends on a null.
    fn is_true<'a>(&self, cell: &impl Fn(usize) -> Cell<'a>) -> Option<bool> {
        match self {
            Self::And(left, right) => match left.is_true(cell) {
                Some(false) => Some(false),
                left => match (left, right.is_true(cell)) {
                    (_, Some(false)) => Some(false),
                    (Some(true), right) => right,
                    _ => None,
                },
            },
            Self::Or(left, right) => match left.is_true(cell) {
                Some(true) => Some(true),
                left => match (left, right.is_true(cell)) {
                    (_, Some(true)) => Some(true),
                    (Some(false), right) => right,
                    _ => None,
                },
            },
            Self::Not(inner) => inner.is_true(cell).map(|truth| !truth),
            Self::IsNull(at) => Some(cell(*at) == Cell::Null),
            Self::Compare(at, comparison, constant) => {
                let order = match (cell(*at), constant) {
                    (Cell::Int(value), Constant::Int(constant)) => value.cmp(constant),
                    (Cell::Text(value), Constant::Text(constant)) => value.cmp(constant.as_str()),
                    _ => return None,
                };
                Some(comparison.holds(order))
            }
            Self::Like(at, pattern, ignoring_case) => match cell(*at) {
                Cell::Text(text) if *ignoring_case => Some(is_like(&text.to_lowercase(), pattern)),
                Cell::Text(text) => Some(is_like(text, pattern)),
                _ => None,
            },
        }
    }
}

impl Comparison {
    fn holds(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Less => order.is_lt(),
            Self::LessOrEqual => order.is_le(),
            Self::Greater => order.is_gt(),
            Self::GreaterOrEqual => order.is_ge(),
        }
    }
}

/// Converts a constant to the column's type.
fn fitting(schema: &Schema, at: usize, constant: &Constant) -> Result<Constant, ViewError> {
    let field = schema.field(at);
    let misfit = |kind| ViewError::Constant {
        column: field.name().clone(),
        kind,
        constant: match constant {
            Constant::Text(text) => format!("'{text}'"),
            Constant::Int(number) => number.to_string(),
        },
    };
    match (field.data_type(), constant) {
        (DataType::Utf8 | DataType::Dictionary(..), Constant::Int(_)) => Err(misfit("text")),
        (DataType::Timestamp(..), Constant::Text(text)) => DateTime::parse_from_rfc3339(text)
            .map(|time| Constant::Int(time.timestamp_micros()))
            .map_err(|_| misfit("times (microseconds, or as in '2026-01-31T12:00:00Z')")),
        (DataType::Utf8 | DataType::Dictionary(..), Constant::Text(_)) | (_, Constant::Int(_)) => {
            Ok(constant.clone())
        }
        (_, Constant::Text(_)) => Err(misfit("integers")),
    }
}

/// SQL's LIKE: on a mismatch, the last `%` is extended by one character.
fn is_like(text: &str, pattern: &str) -> bool {
    let (mut text, mut pattern) = (text.chars(), pattern.chars());
    let mut retry = None;
    loop {
        let mut ahead = pattern.clone();
        match ahead.next() {
            Some('%') => {
                pattern = ahead;
                retry = Some((text.clone(), pattern.clone()));
                continue;
            }
            wanted => {
                let mut rest = text.clone();
                match (wanted, rest.next()) {
                    (None, None) => return true,
                    (Some(wanted), Some(found)) if wanted == '_' || wanted == found => {
                        (text, pattern) = (rest, ahead);
                        continue;
                    }
                    _ => {}
                }
            }
        }
        let Some((mut skipped, after)) = retry else { return false };
        if skipped.next().is_none() {
            return false;
        }
        (text, pattern) = (skipped.clone(), after.clone());
        retry = Some((skipped, after));
    }
}

/// Returns the index of the column with this name.
pub(crate) fn column(schema: &Schema, name: &str) -> Result<usize, ViewError> {
    schema.index_of(name).map_err(|_| {
        let known: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        ViewError::NoColumn { name: name.to_owned(), known: known.join(", ") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_is_sqls() {
        for (text, pattern, is) in [
            ("abc", "abc", true),
            ("abc", "a%", true),
            ("abc", "%c", true),
            ("abc", "%b%", true),
            ("abc", "a_c", true),
            ("abc", "a_", false),
            ("abc", "", false),
            ("", "", true),
            ("", "%", true),
            ("", "_", false),
            ("aab", "%ab", true),
            ("mississippi", "m%iss%ip%i", true),
            ("mississippi", "m%iss%ip", false),
            ("h\u{e9}", "h_", true),
        ] {
            assert_eq!(is_like(text, pattern), is, "{text} LIKE {pattern}");
        }
    }
}
