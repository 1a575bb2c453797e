//! Python face of the codec and capture crates. Converts types; decides nothing.

mod batch;
mod condition;
mod decode;
mod error;
mod writer;

#[pyo3::pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::{
        batch::{RecordBatch, View},
        decode::{CaptureDecoder, DumpDecoder},
        writer::CaptureWriter,
    };

    #[pymodule_export]
    const PROTOCOLS: [&str; 1] = [jvmwire_capture::Protocol::Hadoop.name()];

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
