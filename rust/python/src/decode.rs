//! Decoders of captures and of dumps.

use std::collections::HashMap;

use arrow_array::RecordBatch as ArrowBatch;
use jvmwire_capture::{Assumed, DumpOf, OutputOptions, Protocol, Redaction, Sorted, Sorter, Table};
use jvmwire_codec::message::Side;
use pyo3::{prelude::*, types::PyBytes};

use crate::{
    batch::{RecordBatch, View},
    error::PyCoreError,
};

/// The tables that were asked for, each as its view shows it.
struct Views {
    shown: Vec<Py<View>>,
    /// One a table, where rows are wanted in order.
    sorters: Vec<(Table, Sorter)>,
    sorted: Vec<(Table, Sorted)>,
}

impl Views {
    fn new(views: Vec<Py<View>>, in_order: bool) -> Self {
        let tables = views.iter().map(|view| view.get().table).filter(|_| in_order);
        let sorters = tables.map(|table| (table, Sorter::new(table, SORTED_IN_MEMORY))).collect();
        Self { shown: views, sorters, sorted: Vec::new() }
    }

    /// Options of the decoder: the rows of the views, or explanations. Never both, as each would wait for the
    /// other to be taken.
    fn wanted(
        &self,
        explain: bool,
        redact: Option<[u8; 16]>,
    ) -> Result<OutputOptions, PyCoreError> {
        if explain && !self.shown.is_empty() {
            return Err(PyCoreError::Argument(
                "explain=True makes explanations and no rows: views must be empty".to_owned(),
            ));
        }
        let view = |table| self.shown.iter().map(Py::get).find(|view| view.table == table);
        Ok(OutputOptions {
            messages: view(Table::Messages).is_some(),
            fields: view(Table::Messages).is_some_and(|view| view.view.needs_fields()),
            calls: view(Table::Calls).is_some(),
            streams: view(Table::Streams).is_some(),
            traffic: view(Table::Traffic).is_some(),
            state: self.shown.is_empty() && !explain,
            explanation: explain,
            redaction: redact.map(Redaction::new),
        })
    }

    /// Takes what was decoded to be sorted.
    fn sort(
        &mut self,
        mut take: impl FnMut() -> Option<(Table, ArrowBatch)>,
    ) -> Result<(), PyCoreError> {
        while !self.sorters.is_empty()
            && let Some((table, batch)) = take()
        {
            if let Some((_, sorter)) = self.sorters.iter_mut().find(|(known, _)| *known == table) {
                sorter.push(batch)?;
            }
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), PyCoreError> {
        for (table, mut sorter) in self.sorters.drain(..) {
            self.sorted.push((table, sorter.finish()?));
        }
        Ok(())
    }

    /// The next batch that has rows in its view.
    fn next(
        &mut self,
        mut take: impl FnMut() -> Option<(Table, ArrowBatch)>,
    ) -> Result<Option<(&'static str, RecordBatch)>, PyCoreError> {
        self.sort(&mut take)?;
        loop {
            let (table, batch) = if let Some((table, sorted)) = self.sorted.last_mut() {
                let Some(batch) = sorted.next_batch()? else {
                    self.sorted.pop();
                    continue;
                };
                (*table, batch)
            } else {
                let Some(taken) = take() else { return Ok(None) };
                taken
            };
            if let Some(view) = self.shown.iter().map(Py::get).find(|view| view.table == table) {
                let batch = view.view.apply(&batch)?;
                if batch.num_rows() > 0 {
                    return Ok(Some((table.name(), RecordBatch(batch))));
                }
            }
        }
    }
}

/// A capture file, fed in pieces, becomes record batches.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct CaptureDecoder {
    views: Views,
    decoder: jvmwire_capture::CaptureDecoder,
}

#[pymethods]
impl CaptureDecoder {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "Python gives all but one by name")]
    #[pyo3(signature = (views, *, protocol=None, types=None, first_stream=0, in_order=false, explain=false, redact=None, state=None))]
    fn new(
        views: Vec<Py<View>>,
        protocol: Option<&str>,
        types: Option<Types>,
        first_stream: i64,
        in_order: bool,
        explain: bool,
        redact: Option<[u8; 16]>,
        state: Option<&[u8]>,
    ) -> Result<Self, PyCoreError> {
        let views = Views::new(views, in_order);
        let assumed = protocol.map(|protocol| assumed(protocol, types)).transpose()?;
        let wanted = views.wanted(explain, redact)?;
        let decoder = match state {
            Some(state) => jvmwire_capture::CaptureDecoder::load(&wanted, state, first_stream)?,
            None => jvmwire_capture::CaptureDecoder::new(&wanted, assumed, first_stream),
        };
        Ok(Self { views, decoder })
    }

    fn feed(&mut self, py: Python<'_>, data: &[u8]) -> Result<(), PyCoreError> {
        py.detach(|| {
            self.decoder.feed(data)?;
            self.views.sort(|| self.decoder.next_batch())?;
            Ok(self.decoder.take_damage()?)
        })
    }

    fn finish(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            let finished = self.decoder.finish();
            self.views.sort(|| self.decoder.next_batch())?;
            self.views.finish()?;
            Ok(finished?)
        })
    }

    fn end_file(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            let ended = self.decoder.end_file();
            self.views.sort(|| self.decoder.next_batch())?;
            Ok(ended?)
        })
    }

    fn suspend(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            self.decoder.suspend();
            self.views.sort(|| self.decoder.next_batch())?;
            self.views.finish()
        })
    }

    fn save<'py>(
        &self,
        py: Python<'py>,
    ) -> Result<Option<(u64, Bound<'py, PyBytes>)>, PyCoreError> {
        let saved = py.detach(|| self.decoder.save())?;
        Ok(saved.map(|(offset, state)| (offset, PyBytes::new(py, &state))))
    }

    fn break_off(&mut self, reason: &str) {
        self.decoder.break_off(reason);
    }

    fn flush(&mut self) {
        self.decoder.flush();
    }

    fn next_batch(
        &mut self,
        py: Python<'_>,
    ) -> Result<Option<(&'static str, RecordBatch)>, PyCoreError> {
        py.detach(|| {
            let batch = self.views.next(|| self.decoder.next_batch())?;
            if batch.is_none() {
                self.decoder.take_damage()?;
            }
            Ok(batch)
        })
    }

    fn undecoded(&self) -> Vec<(&'static str, u64, u64)> {
        self.decoder.undecoded()
    }

    fn take_explanation(&mut self, py: Python<'_>) -> Result<String, PyCoreError> {
        py.detach(|| {
            let text = self.decoder.take_text();
            if text.is_empty() {
                self.decoder.take_damage()?;
            }
            Ok(text)
        })
    }

    #[getter]
    fn next_stream(&self) -> i64 {
        self.decoder.next_stream()
    }
}

/// Raw dumps of one direction, or of both, become record batches.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct DumpDecoder {
    views: Views,
    decoder: jvmwire_capture::DumpDecoder,
}

#[pymethods]
impl DumpDecoder {
    #[new]
    #[pyo3(signature = (views, *, protocol, of, types=None, in_order=false, explain=false, redact=None))]
    fn new(
        views: Vec<Py<View>>,
        protocol: &str,
        of: &str,
        types: Option<Types>,
        in_order: bool,
        explain: bool,
        redact: Option<[u8; 16]>,
    ) -> Result<Self, PyCoreError> {
        let views = Views::new(views, in_order);
        let of = match of {
            "client" | "server" => DumpOf::One,
            "any" => DumpOf::Any,
            "both" => DumpOf::Both,
            _ => return Err(not_one_of("direction", of, &["client", "server", "any", "both"])),
        };
        let wanted = views.wanted(explain, redact)?;
        let assumed = assumed(protocol, types)?;
        let decoder = jvmwire_capture::DumpDecoder::new(&wanted, assumed, of);
        Ok(Self { views, decoder })
    }

    fn feed(&mut self, py: Python<'_>, side: &str, data: &[u8]) -> Result<(), PyCoreError> {
        let side = side_named(side)?;
        py.detach(|| {
            self.decoder.feed(side, data);
            self.views.sort(|| self.decoder.next_batch())
        })
    }

    fn held(&self, side: &str) -> Result<usize, PyCoreError> {
        Ok(self.decoder.held(side_named(side)?))
    }

    fn end_of(&mut self, py: Python<'_>, side: &str) -> Result<(), PyCoreError> {
        let side = side_named(side)?;
        py.detach(|| self.decoder.end_of(side));
        Ok(())
    }

    fn finish(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            self.decoder.finish();
            self.views.sort(|| self.decoder.next_batch())?;
            self.views.finish()
        })
    }

    fn next_batch(
        &mut self,
        py: Python<'_>,
    ) -> Result<Option<(&'static str, RecordBatch)>, PyCoreError> {
        py.detach(|| self.views.next(|| self.decoder.next_batch()))
    }

    fn undecoded(&self) -> Vec<(&'static str, u64, u64)> {
        self.decoder.undecoded()
    }

    fn take_explanation(&mut self, py: Python<'_>) -> String {
        py.detach(|| self.decoder.take_text())
    }
}

/// Rows that wait in memory for their order; the rest waits in temporary files.
const SORTED_IN_MEMORY: usize = 64 << 20;

/// Numbers of message types, by the messages' names.
type Types = HashMap<String, i32>;

fn assumed(protocol: &str, types: Option<Types>) -> Result<Assumed, PyCoreError> {
    let known = Protocol::NAMES;
    let named = Protocol::named(protocol);
    let named = named.ok_or_else(|| not_one_of("protocol", protocol, &known))?;
    let Some(types) = types else { return Ok(named.into()) };
    let types = types.iter().map(|(name, code)| (name.as_str(), *code));
    Assumed::with_types(named, types).map_err(|error| PyCoreError::Argument(error.to_string()))
}

/// The side of that name.
pub(crate) fn side_named(side: &str) -> Result<Side, PyCoreError> {
    [Side::Client, Side::Server]
        .into_iter()
        .find(|known| known.name() == side)
        .ok_or_else(|| not_one_of("side", side, &["client", "server"]))
}

/// Error of an argument that is none of the known names.
pub(crate) fn not_one_of(what: &str, given: &str, known: &[&str]) -> PyCoreError {
    PyCoreError::Argument(format!("{what} {given:?} is not one of {}", known.join(", ")))
}
