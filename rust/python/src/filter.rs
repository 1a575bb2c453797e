//! Row filters, from nested tuples.

use jvmwire_capture::{Comparison, Condition, Constant};
use pyo3::{exceptions::PyValueError, prelude::*, types::PyTuple};

/// Condition as nested tuples: `("and", a, b)`, `("not", a)`, `("=", column, constant)`, `("like", column,
/// pattern)`, `("is null", column)`.
pub(crate) struct PyCondition(pub(crate) Condition);

impl<'py> FromPyObject<'_, 'py> for PyCondition {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        Self::at_depth(&object, 0)
    }
}

impl PyCondition {
    fn at_depth(object: &Bound<'_, PyAny>, depth: usize) -> PyResult<Self> {
        if depth > MAX_DEPTH {
            let text = format!("a condition is nested deeper than {MAX_DEPTH} levels");
            return Err(PyValueError::new_err(text));
        }
        let tuple = object.cast::<PyTuple>()?;
        let operator: String = tuple.get_item(0)?.extract()?;
        let inner = |at: usize| -> PyResult<Box<Condition>> {
            let Self(condition) = Self::at_depth(&tuple.get_item(at)?, depth + 1)?;
            Ok(Box::new(condition))
        };
        let column = || tuple.get_item(1)?.extract::<String>();
        let compared = |comparison| -> PyResult<Condition> {
            let constant = tuple.get_item(2)?;
            let constant = match constant.extract::<i64>() {
                Ok(number) => Constant::Int(number),
                Err(_) => Constant::Text(constant.extract()?),
            };
            Ok(Condition::Compare(column()?, comparison, constant))
        };
        let like = |ignoring_case| -> PyResult<Condition> {
            let pattern = tuple.get_item(2)?.extract()?;
            Ok(Condition::Like { column: column()?, pattern, ignoring_case })
        };
        Ok(Self(match operator.as_str() {
            "and" => Condition::And(inner(1)?, inner(2)?),
            "or" => Condition::Or(inner(1)?, inner(2)?),
            "not" => Condition::Not(inner(1)?),
            "=" => compared(Comparison::Equal)?,
            "<" => compared(Comparison::Less)?,
            "<=" => compared(Comparison::LessOrEqual)?,
            ">" => compared(Comparison::Greater)?,
            ">=" => compared(Comparison::GreaterOrEqual)?,
            "like" => like(false)?,
            "ilike" => like(true)?,
            "is null" => Condition::IsNull(column()?),
            other => {
                return Err(PyValueError::new_err(format!("{other:?} is no condition's operator")));
            }
        }))
    }
}

/// Maximum depth of a condition (chosen by jvmwire): each level needs stack when it is traversed.
const MAX_DEPTH: usize = 500;
