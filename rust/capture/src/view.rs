//! What a user wants to see of a table: some columns, and the rows that an SQL condition keeps.

use std::sync::Arc;

use arrow_arith::boolean::{and_kleene, is_not_null, is_null, not, or_kleene};
use arrow_array::{
    ArrayRef, BooleanArray, Datum, Int32Array, Int64Array, RecordBatch, Scalar, StringArray,
    TimestampMicrosecondArray,
};
use arrow_ord::cmp;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use arrow_select::filter::filter_record_batch;
use arrow_string::like;
use chrono::DateTime;
use sqlparser::{
    ast::{BinaryOperator, Expr, UnaryOperator, Value},
    dialect::GenericDialect,
    parser::Parser,
    tokenizer::Token,
};
use thiserror::Error;

use crate::tables::Table;

/// Columns and a condition, over one table.
#[derive(Debug)]
pub struct View {
    schema: SchemaRef,
    columns: Vec<usize>,
    condition: Option<Predicate>,
}

/// Why a view cannot be made. The text is for the user who wrote it.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ViewError {
    /// A name that no column has.
    #[error("there is no column {name:?}; there are {known}")]
    NoColumn {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// A condition that is not SQL.
    #[error("the condition cannot be read: {0}")]
    Syntax(String),
    /// A condition that is SQL, but more of it than is done here.
    #[error("{0} is not done here: compare columns with constants, and join by AND, OR, NOT")]
    NotDone(String),
    /// A constant that the column cannot be compared with.
    #[error("column {column:?} holds {kind}, which {constant} is not")]
    Constant {
        /// The column.
        column: String,
        /// What it holds.
        kind: &'static str,
        /// What was written.
        constant: String,
    },
}

impl View {
    /// All columns but `fields`, or those named, in that order; all rows, or those that the SQL
    /// condition is true of.
    ///
    /// # Errors
    /// A name or a condition that the table does not have.
    pub fn new(
        table: Table,
        columns: Option<&[String]>,
        condition: Option<&str>,
    ) -> Result<Self, ViewError> {
        let schema = table.schema();
        let columns = if let Some(names) = columns {
            names.iter().map(|name| column(&schema, name)).collect::<Result<_, _>>()?
        } else {
            let fields = schema.fields().iter().enumerate();
            fields.filter(|(_, field)| field.name() != "fields").map(|(at, _)| at).collect()
        };
        let condition = condition.map(|text| Predicate::parse(&schema, text)).transpose()?;
        Ok(Self { schema, columns, condition })
    }

    /// Whether the column `fields` is shown or judged by.
    #[must_use]
    pub fn needs_fields(&self) -> bool {
        let needs = |at: usize| self.schema.field(at).name() == "fields";
        self.columns.iter().any(|at| needs(*at))
            || self.condition.as_ref().is_some_and(|condition| condition.any_column(&needs))
    }

    /// The columns.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        // The indices are the schema's own.
        self.schema.project(&self.columns).map_or_else(|_| self.schema.clone(), Arc::new)
    }

    /// Takes from a batch of the table what is wanted.
    ///
    /// # Errors
    /// If the batch is of another table.
    pub fn apply(&self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let kept = match &self.condition {
            Some(condition) => filter_record_batch(batch, &condition.rows(batch)?)?,
            None => batch.clone(),
        };
        kept.project(&self.columns)
    }
}

#[derive(Debug)]
enum Predicate {
    And(Box<Self>, Box<Self>),
    Or(Box<Self>, Box<Self>),
    Not(Box<Self>),
    Compare(usize, Comparison, Scalar<ArrayRef>),
    Like(usize, Scalar<ArrayRef>),
    IgnoringCase(usize, Scalar<ArrayRef>),
    IsNull(usize),
}

#[derive(Clone, Copy, Debug)]
enum Comparison {
    Eq,
    NotEq,
    Lt,
    LtEq,
    Gt,
    GtEq,
}

impl Predicate {
    fn parse(schema: &SchemaRef, text: &str) -> Result<Self, ViewError> {
        let syntax = |error: &dyn std::fmt::Display| ViewError::Syntax(error.to_string());
        let mut parser =
            Parser::new(&GenericDialect {}).try_with_sql(text).map_err(|error| syntax(&error))?;
        let expression = parser.parse_expr().map_err(|error| syntax(&error))?;
        match parser.peek_token().token {
            Token::EOF => Self::of(schema, &expression),
            more => Err(ViewError::Syntax(format!("{more} follows a whole condition"))),
        }
    }

    fn of(schema: &SchemaRef, expression: &Expr) -> Result<Self, ViewError> {
        Ok(match expression {
            Expr::Nested(inner) => Self::of(schema, inner)?,
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => {
                Self::Not(Self::of(schema, expr)?.into())
            }
            Expr::BinaryOp { left, op: BinaryOperator::And, right } => {
                Self::And(Self::of(schema, left)?.into(), Self::of(schema, right)?.into())
            }
            Expr::BinaryOp { left, op: BinaryOperator::Or, right } => {
                Self::Or(Self::of(schema, left)?.into(), Self::of(schema, right)?.into())
            }
            Expr::BinaryOp { left, op, right } => {
                let comparison = Comparison::of(op)
                    .ok_or_else(|| ViewError::NotDone(format!("the operator {op}")))?;
                let at = named_column(schema, left)?;
                Self::Compare(at, comparison, constant(schema, at, right)?)
            }
            Expr::IsNull(inner) => Self::IsNull(named_column(schema, inner)?),
            Expr::IsNotNull(inner) => Self::Not(Self::IsNull(named_column(schema, inner)?).into()),
            Expr::Between { expr, negated, low, high } => {
                let at = named_column(schema, expr)?;
                let from = Self::Compare(at, Comparison::GtEq, constant(schema, at, low)?);
                let to = Self::Compare(at, Comparison::LtEq, constant(schema, at, high)?);
                Self::And(from.into(), to.into()).negated(*negated)
            }
            Expr::InList { expr, list, negated } => {
                let at = named_column(schema, expr)?;
                let mut any = None;
                for item in list {
                    let one = Self::Compare(at, Comparison::Eq, constant(schema, at, item)?);
                    any = Some(match any {
                        Some(others) => Self::Or(Box::new(others), one.into()),
                        None => one,
                    });
                }
                any.ok_or_else(|| ViewError::NotDone("an empty list".into()))?.negated(*negated)
            }
            Expr::Like { negated, any: false, expr, pattern, escape_char: None } => {
                let at = named_column(schema, expr)?;
                Self::Like(at, text_constant(schema, at, pattern)?).negated(*negated)
            }
            Expr::ILike { negated, any: false, expr, pattern, escape_char: None } => {
                let at = named_column(schema, expr)?;
                Self::IgnoringCase(at, text_constant(schema, at, pattern)?).negated(*negated)
            }
            other => return Err(ViewError::NotDone(other.to_string())),
        })
    }

    fn negated(self, negated: bool) -> Self {
        if negated { Self::Not(self.into()) } else { self }
    }

    fn any_column(&self, test: &impl Fn(usize) -> bool) -> bool {
        match self {
            Self::And(left, right) | Self::Or(left, right) => {
                left.any_column(test) || right.any_column(test)
            }
            Self::Not(inner) => inner.any_column(test),
            Self::Compare(at, ..)
            | Self::Like(at, _)
            | Self::IgnoringCase(at, _)
            | Self::IsNull(at) => test(*at),
        }
    }

    fn rows(&self, batch: &RecordBatch) -> Result<BooleanArray, ArrowError> {
        match self {
            Self::And(left, right) => and_kleene(&left.rows(batch)?, &right.rows(batch)?),
            Self::Or(left, right) => or_kleene(&left.rows(batch)?, &right.rows(batch)?),
            Self::Not(inner) => match inner.as_ref() {
                Self::IsNull(at) => is_not_null(batch.column(*at)),
                inner => not(&inner.rows(batch)?),
            },
            Self::Compare(at, comparison, constant) => comparison.rows(batch.column(*at), constant),
            Self::Like(at, pattern) => like::like(batch.column(*at), pattern),
            Self::IgnoringCase(at, pattern) => like::ilike(batch.column(*at), pattern),
            Self::IsNull(at) => is_null(batch.column(*at)),
        }
    }
}

impl Comparison {
    fn of(operator: &BinaryOperator) -> Option<Self> {
        Some(match operator {
            BinaryOperator::Eq => Self::Eq,
            BinaryOperator::NotEq => Self::NotEq,
            BinaryOperator::Lt => Self::Lt,
            BinaryOperator::LtEq => Self::LtEq,
            BinaryOperator::Gt => Self::Gt,
            BinaryOperator::GtEq => Self::GtEq,
            _ => return None,
        })
    }

    fn rows(self, column: &dyn Datum, constant: &dyn Datum) -> Result<BooleanArray, ArrowError> {
        match self {
            Self::Eq => cmp::eq(column, constant),
            Self::NotEq => cmp::neq(column, constant),
            Self::Lt => cmp::lt(column, constant),
            Self::LtEq => cmp::lt_eq(column, constant),
            Self::Gt => cmp::gt(column, constant),
            Self::GtEq => cmp::gt_eq(column, constant),
        }
    }
}

fn column(schema: &SchemaRef, name: &str) -> Result<usize, ViewError> {
    schema.index_of(name).map_err(|_| {
        let known: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        ViewError::NoColumn { name: name.to_owned(), known: known.join(", ") }
    })
}

fn named_column(schema: &SchemaRef, expression: &Expr) -> Result<usize, ViewError> {
    match expression {
        Expr::Identifier(name) => column(schema, &name.value),
        Expr::Nested(inner) => named_column(schema, inner),
        other => Err(ViewError::NotDone(format!("{other} where a column stands"))),
    }
}

fn text_constant(
    schema: &SchemaRef,
    at: usize,
    expression: &Expr,
) -> Result<Scalar<ArrayRef>, ViewError> {
    if schema.field(at).data_type() == &DataType::Utf8 {
        return constant(schema, at, expression);
    }
    Err(ViewError::NotDone(format!("LIKE on column {:?}", schema.field(at).name())))
}

/// A constant of the column's own type.
fn constant(
    schema: &SchemaRef,
    at: usize,
    expression: &Expr,
) -> Result<Scalar<ArrayRef>, ViewError> {
    let field = schema.field(at);
    let text = match expression {
        Expr::Value(value) => match &value.value {
            Value::Number(digits, _) => Constant::Number(digits.clone()),
            Value::SingleQuotedString(text) => Constant::Text(text.clone()),
            other => return Err(ViewError::NotDone(format!("the constant {other}"))),
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match expr.as_ref() {
            Expr::Value(value) => Constant::Number(format!("-{}", value.value)),
            other => return Err(ViewError::NotDone(format!("-{other} where a constant stands"))),
        },
        other => return Err(ViewError::NotDone(format!("{other} where a constant stands"))),
    };
    let (kind, array) = match (field.data_type(), &text) {
        (DataType::Utf8, Constant::Text(text)) => {
            ("text", Some(Arc::new(StringArray::from(vec![text.as_str()])) as ArrayRef))
        }
        (DataType::Utf8, Constant::Number(_)) => ("text", None),
        (DataType::Int32, Constant::Number(digits)) => {
            ("integers", digits.parse().ok().map(|n: i32| Arc::new(Int32Array::from(vec![n])) as _))
        }
        (DataType::Timestamp(..), text) => {
            let micros = match text {
                Constant::Number(digits) => digits.parse().ok(),
                Constant::Text(text) => {
                    DateTime::parse_from_rfc3339(text).ok().map(|time| time.timestamp_micros())
                }
            };
            let array = |micros| TimestampMicrosecondArray::from(vec![micros]).with_timezone("UTC");
            (
                "times (microseconds, or as in '2026-01-31T12:00:00Z')",
                micros.map(|micros: i64| Arc::new(array(micros)) as _),
            )
        }
        (_, Constant::Number(digits)) => {
            ("integers", digits.parse().ok().map(|n: i64| Arc::new(Int64Array::from(vec![n])) as _))
        }
        (_, Constant::Text(_)) => ("integers", None),
    };
    array.map(Scalar::new).ok_or_else(|| ViewError::Constant {
        column: field.name().clone(),
        kind,
        constant: expression.to_string(),
    })
}

enum Constant {
    Number(String),
    Text(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::{CallRow, Calls, Rows};

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
        calls.take()
    }

    fn kept(condition: &str) -> Vec<String> {
        let columns = ["name".to_owned()];
        let view = View::new(Table::Calls, Some(&columns), Some(condition)).unwrap();
        let batch = view.apply(&calls()).unwrap();
        let names = batch.column(0).as_any().downcast_ref::<StringArray>().unwrap();
        names.iter().flatten().map(str::to_owned).collect()
    }

    #[test]
    fn a_condition_keeps_the_rows_it_is_true_of() {
        assert_eq!(kept("latency_us > 10"), ["Q.a"]);
        assert_eq!(kept("name LIKE 'P.%' AND NOT status = 'ok'"), ["P.b"]);
        assert_eq!(kept("latency_us IS NULL OR latency_us IN (30, 31)"), ["P.b", "Q.a"]);
        assert_eq!(kept("latency_us NOT BETWEEN 5 AND 20"), ["Q.a"]);
        assert_eq!(kept("start >= '1970-01-01T00:00:02Z'"), ["P.b", "Q.a"]);
        assert_eq!(kept("start < 2000000 and retry = -1"), ["P.a"]);
        assert_eq!(kept("name ilike 'p.A'"), ["P.a"]);
    }

    #[test]
    fn what_is_not_done_is_said() {
        let said =
            |condition| View::new(Table::Calls, None, Some(condition)).unwrap_err().to_string();
        assert!(said("nam = 'x'").starts_with("there is no column \"nam\"; there are protocol,"));
        assert!(said("name = 3").contains("holds text, which 3 is not"));
        assert!(said("name = ").starts_with("the condition cannot be read"));
        assert!(said("name = 'x' 'y'").contains("follows a whole condition"));
        assert!(said("lower(name) = 'x'").contains("is not done here"));
    }

    #[test]
    fn fields_are_made_only_for_who_wants_them() {
        let all = View::new(Table::Messages, None, None).unwrap();
        assert!(!all.needs_fields());
        assert!(all.schema().column_with_name("fields").is_none());
        assert!(
            View::new(Table::Messages, None, Some("fields LIKE '%x%'")).unwrap().needs_fields()
        );
        let named = ["fields".to_owned()];
        assert!(View::new(Table::Messages, Some(&named), None).unwrap().needs_fields());
    }
}
