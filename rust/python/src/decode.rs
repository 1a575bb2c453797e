//! Decoders of captures and of dumps.

use std::collections::HashMap;

use arrow_array::RecordBatch as ArrowBatch;
use jvmwire_capture::{Assumed, DumpOf, OutputOptions, Protocol, Redaction, Sorted, Sorter, Table};
use jvmwire_codec::message::Side;
use pyo3::{prelude::*, types::PyBytes};

use crate::{
    batch::{RecordBatch, View},
    error::PyCoreError,
    sorter::{RowSorter, new_sorter},
};

/// Requested tables, with a view of each.
struct Views {
    shown: Vec<Py<View>>,
    /// One sorter per view, by its position, if rows must be in order.
    sorters: Vec<(usize, Sorter)>,
    /// Whether all rows are in the sorters.
    is_finished: bool,
    sorted: Vec<(usize, Sorted)>,
}

impl Views {
    fn new(views: Vec<Py<View>>, in_order: bool) -> Self {
        let sorted = views.iter().enumerate().filter(|_| in_order);
        let sorters = sorted.map(|(at, view)| (at, new_sorter(view.get()))).collect();
        Self { shown: views, sorters, is_finished: false, sorted: Vec::new() }
    }

    /// Builds the options of the decoder, for either the rows of the views or explanations: with both, each
    /// would wait until the other is taken.
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
            fields: view(Table::Messages).is_some_and(|view| view.selection.needs_fields()),
            calls: view(Table::Calls).is_some(),
            streams: view(Table::Streams).is_some(),
            traffic: view(Table::Traffic).is_some(),
            counted: view(Table::Traffic).and_then(|view| view.counted.clone()),
            state: self.shown.is_empty() && !explain,
            explanation: explain,
            redaction: redact.map(Redaction::new),
        })
    }

    /// Moves the rows of decoded batches into the sorters.
    fn sort(
        &mut self,
        mut take: impl FnMut() -> Option<(Table, ArrowBatch)>,
    ) -> Result<(), PyCoreError> {
        while !self.sorters.is_empty()
            && let Some((table, batch)) = take()
        {
            let mut sorters = self.sorters.iter_mut();
            if let Some((at, sorter)) = sorters.find(|(at, _)| self.shown[*at].get().table == table)
            {
                sorter.push(self.shown[*at].get().selection.carry(&batch)?)?;
            }
        }
        Ok(())
    }

    /// Returns the next batch that has rows in its view.
    fn next(
        &mut self,
        mut take: impl FnMut() -> Option<(Table, ArrowBatch)>,
    ) -> Result<Option<(&'static str, RecordBatch)>, PyCoreError> {
        self.sort(&mut take)?;
        if self.is_finished {
            for (at, mut sorter) in self.sorters.drain(..) {
                self.sorted.push((at, sorter.finish()?));
            }
        }
        while let Some((at, sorted)) = self.sorted.last_mut() {
            if let Some(batch) = sorted.next_batch()? {
                let View { table, selection, .. } = self.shown[*at].get();
                return Ok(Some((table.name(), RecordBatch(selection.show(&batch)?))));
            }
            self.sorted.pop();
        }
        while let Some((table, batch)) = take() {
            if let Some(view) = self.shown.iter().map(Py::get).find(|view| view.table == table) {
                let batch = view.selection.apply(&batch)?;
                if batch.num_rows() > 0 {
                    return Ok(Some((table.name(), RecordBatch(batch))));
                }
            }
        }
        Ok(None)
    }

    /// Takes the rows of the one view, sorted as far as they can be on their own.
    fn take_sorter(&mut self, py: Python<'_>) -> Result<RowSorter, PyCoreError> {
        let ([(_, sorter)], [view]) = (&mut self.sorters[..], &self.shown[..]) else {
            return Err(PyCoreError::Argument(
                "only a decoder of one view with in_order=True has a sorter to take".to_owned(),
            ));
        };
        let mut taken = std::mem::replace(sorter, new_sorter(view.get()));
        py.detach(|| taken.settle())?;
        Ok(RowSorter::of(view.clone_ref(py), taken))
    }
}

/// Decoder of a capture file that is fed in pieces, into record batches.
///
/// Args:
///     views: The tables to decode, with columns and conditions.
///     protocol: The protocol of all connections; None (the default) detects it per connection.
///     types: Numbers of messages by name, for `pravega-early` with other numbers than the
///         built-in ones; None (the default) selects the built-in ones.
///     `first_stream`: Number of the first stream, 0 by default.
///     `in_order`: Sort rows by (stream, offset), to be taken after `finish`; False by default.
///     explain: Produce explanations instead of rows; `views` must be empty. False by default.
///     redact: A key of 16 bytes, with which values chosen by users are replaced; None (the
///         default) keeps them.
///     state: A state from `save`, from which decoding continues; None (the default) starts anew.
///
/// Raises:
///     `ValueError`: the protocol or a type is unknown, or `explain` is combined with views.
///     `DecodeError`: `state` was not saved by this build.
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

    /// Decodes the next bytes of the file.
    ///
    /// Args:
    ///     data: The next bytes of the file, in chunks of any size.
    ///
    /// Raises:
    ///     `NotACapture`: the file has another format.
    ///     `DecodeError`: the file is damaged and cannot be read further; `finish` still ends the
    ///         tables.
    fn feed(&mut self, py: Python<'_>, data: &[u8]) -> Result<(), PyCoreError> {
        py.detach(|| {
            self.decoder.feed(data)?;
            self.views.sort(|| self.decoder.next_batch())?;
            Ok(self.decoder.take_damage()?)
        })
    }

    /// Ends the file, its streams and the tables.
    ///
    /// Raises:
    ///     `DecodeError`: the file is damaged or ends inside a record; the tables are ended anyway.
    fn finish(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            let finished = self.decoder.finish();
            self.views.is_finished = true;
            self.views.sort(|| self.decoder.next_batch())?;
            Ok(finished?)
        })
    }

    /// Ends the file; the next bytes are those of another file of the same capture.
    ///
    /// Connections continue in the next file.
    ///
    /// Raises:
    ///     `DecodeError`: the file that ends is damaged.
    fn end_file(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            let ended = self.decoder.end_file();
            self.views.sort(|| self.decoder.next_batch())?;
            Ok(ended?)
        })
    }

    /// Ends the tables but no stream: the rest of the capture is decoded elsewhere.
    fn suspend(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            self.decoder.suspend();
            self.views.is_finished = true;
            self.views.sort(|| self.decoder.next_batch())
        })
    }

    /// Saves the state from which another decoder can continue.
    ///
    /// Returns:
    ///     The offset in the file from which the other decoder must be fed, and the state; None
    ///     inside a compressed file, after damage, or if the decoder produces rows or
    ///     explanations.
    ///
    /// Raises:
    ///     `DecodeError`: the state exceeds its size limit.
    fn save<'py>(
        &self,
        py: Python<'py>,
    ) -> Result<Option<(u64, Bound<'py, PyBytes>)>, PyCoreError> {
        let saved = py.detach(|| self.decoder.save())?;
        Ok(saved.map(|(offset, state)| (offset, PyBytes::new(py, &state))))
    }

    /// Records that the file cannot be read further, with the reason.
    ///
    /// Args:
    ///     reason: The reason, which the `DecodeError` of `finish` or `end_file` contains.
    fn break_off(&mut self, reason: &str) {
        self.decoder.break_off(reason);
    }

    /// Completes the batches of all rows decoded so far, for readers of a growing file.
    fn flush(&mut self) {
        self.decoder.flush();
    }

    /// Takes the next batch that has rows.
    ///
    /// Returns:
    ///     The name of the table and the batch; None if more must be fed, or an explanation taken.
    ///
    /// Raises:
    ///     `DecodeError`: the file is damaged; raised once.
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

    /// Takes the rows of the one view, for a sorter that they are appended to.
    ///
    /// Returns:
    ///     The sorted rows, which `next_batch` no longer returns.
    ///
    /// Raises:
    ///     `ValueError`: the decoder has several views, or does not sort.
    fn take_sorter(&mut self, py: Python<'_>) -> Result<RowSorter, PyCoreError> {
        self.views.take_sorter(py)
    }

    /// Returns the bytes that could not be decoded.
    ///
    /// Returns:
    ///     Per reason: the reason, the number of pieces, and the number of bytes.
    fn undecoded(&self) -> Vec<(&'static str, u64, u64)> {
        self.decoder.undecoded()
    }

    /// Takes the explanation of the bytes decoded so far, an annotated hex dump.
    ///
    /// Raises:
    ///     `DecodeError`: the file is damaged; raised once.
    fn take_explanation(&mut self, py: Python<'_>) -> Result<String, PyCoreError> {
        py.detach(|| {
            let text = self.decoder.take_text();
            if text.is_empty() {
                self.decoder.take_damage()?;
            }
            Ok(text)
        })
    }

    /// One more than the number of the last stream.
    #[getter]
    fn next_stream(&self) -> i64 {
        self.decoder.next_stream()
    }
}

/// Decoder of raw dumps of one direction, or of both, into record batches.
///
/// Args:
///     views: The tables to decode, with columns and conditions.
///     protocol: The protocol of the connection.
///     of: The content of the dump: `client`, `server` or `both`, or `any` for single messages.
///     types: Numbers of messages by name, for `pravega-early` with other numbers than the
///         built-in ones; None (the default) selects the built-in ones.
///     `in_order`: Sort rows by (stream, offset), to be taken after `finish`; False by default.
///     explain: Produce explanations instead of rows; `views` must be empty. False by default.
///     redact: A key of 16 bytes, with which values chosen by users are replaced; None (the
///         default) keeps them.
///
/// Raises:
///     `ValueError`: the protocol, a type or `of` is unknown, or `explain` is combined with views.
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

    /// Decodes the next bytes of `side`, `client` or `server`.
    ///
    /// Args:
    ///     side: The side that wrote the bytes.
    ///     data: The bytes, in chunks of any size.
    fn feed(&mut self, py: Python<'_>, side: &str, data: &[u8]) -> Result<(), PyCoreError> {
        let side = side_named(side)?;
        py.detach(|| {
            self.decoder.feed(side, data);
            self.views.sort(|| self.decoder.next_batch())
        })
    }

    /// Returns the number of bytes of `side` that wait.
    ///
    /// They wait for the rest of their message, for the other side, or for rows to be taken.
    ///
    /// Args:
    ///     side: `client` or `server`.
    fn held(&self, side: &str) -> Result<usize, PyCoreError> {
        Ok(self.decoder.held(side_named(side)?))
    }

    /// Ends the bytes of `side`, `client` or `server`.
    ///
    /// Args:
    ///     side: `client` or `server`.
    fn end_of(&mut self, py: Python<'_>, side: &str) -> Result<(), PyCoreError> {
        let side = side_named(side)?;
        py.detach(|| self.decoder.end_of(side));
        Ok(())
    }

    /// Ends the dump and the tables.
    fn finish(&mut self, py: Python<'_>) -> Result<(), PyCoreError> {
        py.detach(|| {
            self.decoder.finish();
            self.views.is_finished = true;
            self.views.sort(|| self.decoder.next_batch())
        })
    }

    /// Takes the next batch that has rows.
    ///
    /// Returns:
    ///     The name of the table and the batch; None if more must be fed, or an explanation taken.
    fn next_batch(
        &mut self,
        py: Python<'_>,
    ) -> Result<Option<(&'static str, RecordBatch)>, PyCoreError> {
        py.detach(|| self.views.next(|| self.decoder.next_batch()))
    }

    /// Returns the bytes that could not be decoded.
    ///
    /// Returns:
    ///     Per reason: the reason, the number of pieces, and the number of bytes.
    fn undecoded(&self) -> Vec<(&'static str, u64, u64)> {
        self.decoder.undecoded()
    }

    /// Takes the explanation of the bytes decoded so far, an annotated hex dump.
    fn take_explanation(&mut self, py: Python<'_>) -> String {
        py.detach(|| self.decoder.take_text())
    }
}

/// Numbers of message types, by message name.
type Types = HashMap<String, i32>;

fn assumed(protocol: &str, types: Option<Types>) -> Result<Assumed, PyCoreError> {
    let known = Protocol::NAMES;
    let named = Protocol::named(protocol);
    let named = named.ok_or_else(|| not_one_of("protocol", protocol, &known))?;
    let Some(types) = types else { return Ok(named.into()) };
    let types = types.iter().map(|(name, code)| (name.as_str(), *code));
    Assumed::with_types(named, types).map_err(|error| PyCoreError::Argument(error.to_string()))
}

/// Returns the side with this name, or an error.
pub(crate) fn side_named(side: &str) -> Result<Side, PyCoreError> {
    [Side::Client, Side::Server]
        .into_iter()
        .find(|known| known.name() == side)
        .ok_or_else(|| not_one_of("side", side, &["client", "server"]))
}

/// Error for an argument that is not one of the known names.
pub(crate) fn not_one_of(what: &str, given: &str, known: &[&str]) -> PyCoreError {
    PyCoreError::Argument(format!("{what} {given:?} is not one of {}", known.join(", ")))
}
