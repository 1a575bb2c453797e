//! Python face of the codec and capture crates. Converts types; decides nothing.

#[pyo3::pymodule(gil_used = false)]
mod _core {}
