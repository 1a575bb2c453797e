//! Positions of routing keys, and the segments to which they belong.

use jvmwire_codec::pravega;
use pyo3::{
    exceptions::PyValueError,
    intern,
    prelude::*,
    types::{PyBytes, PyList, PyString},
};

/// Returns the position of each routing key among the key ranges of a stream's segments.
#[pyfunction]
#[pyo3(signature = (keys, /))]
pub(crate) fn pravega_positions(keys: &Bound<'_, PyList>) -> PyResult<Vec<f64>> {
    keys.iter().map(|key| position(key.cast::<PyString>()?)).collect()
}

/// Returns the position of the primary part of a key among the partitions of a key-value table.
#[pyfunction]
#[pyo3(signature = (primary_key, /))]
pub(crate) fn pravega_table_position(primary_key: &[u8]) -> f64 {
    pravega::table_position(primary_key)
}

fn position(key: &Bound<'_, PyString>) -> PyResult<f64> {
    if let Ok(text) = key.to_str() {
        return Ok(pravega::position(text.encode_utf16()));
    }
    // With surrogates that have no partner, as a Java string may.
    let py = key.py();
    let units = key.call_method1(intern!(py, "encode"), ("utf-16-le", "surrogatepass"))?;
    let units = units.cast::<PyBytes>()?.as_bytes().as_chunks().0;
    Ok(pravega::position(units.iter().map(|unit| u16::from_le_bytes(*unit))))
}

/// Index of a range, its events, and their positions.
type Part<'py> = (usize, Bound<'py, PyList>, Vec<f64>);

/// Splits events by the range that contains their position, in order; `ends` has the ends of the ranges.
#[pyfunction]
#[pyo3(signature = (events, positions, ends, /))]
pub(crate) fn pravega_split<'py>(
    events: &Bound<'py, PyList>,
    positions: Vec<f64>,
    ends: Vec<f64>,
) -> PyResult<Vec<Part<'py>>> {
    if events.len() != positions.len() || ends.is_empty() {
        let text = format!(
            "{} events have {} positions in {} ranges",
            events.len(),
            positions.len(),
            ends.len()
        );
        return Err(PyValueError::new_err(text));
    }
    let mut parts: Vec<Option<Part<'py>>> = (0..ends.len()).map(|_| None).collect();
    for (event, position) in events.iter().zip(positions) {
        let range = ends.partition_point(|end| *end <= position).min(ends.len() - 1);
        let (_, events, positions) =
            parts[range].get_or_insert_with(|| (range, PyList::empty(events.py()), Vec::new()));
        events.append(event)?;
        positions.push(position);
    }
    Ok(parts.into_iter().flatten().collect())
}
