//! Frames with a type before their length.

use arrow_array::{Array as _, types::Int32Type};
use jvmwire_codec::{
    SimdLevel,
    frame::{self, Frames},
};
use pyo3::{prelude::*, types::PyBytes};

use super::{Array, Limit, Offset, byte_order_named, frame::places, integer, same_len, written};
use crate::{
    error::PyCoreError,
    ffi::{ArrowInput, BytesInput},
};

/// Frames with their type before their length.
#[pyclass(module = "jvmwire._core", frozen)]
pub(crate) struct TypedFraming {
    framing: frame::Framing,
    limit: usize,
}

#[pymethods]
impl TypedFraming {
    #[new]
    #[pyo3(signature = (*, byte_order="big", includes_itself=false, limit=Limit::MESSAGE))]
    fn new(byte_order: &str, includes_itself: bool, limit: Limit) -> Result<Self, PyCoreError> {
        let framing = frame::Framing::of_order(byte_order_named(byte_order)?).with_kind();
        let framing = if includes_itself { framing.including_itself() } else { framing };
        Ok(Self { framing, limit: limit.0 })
    }

    /// The most bytes that a payload may take.
    #[getter]
    fn limit(&self) -> usize {
        self.limit
    }

    #[pyo3(signature = (kind, payload, /))]
    fn encode<'py>(
        &self,
        py: Python<'py>,
        kind: &Bound<'py, PyAny>,
        payload: BytesInput<'_, '_>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let kind = integer(kind, "a frame's type, an int32")?;
        let wire = payload.peek(|payload| {
            let mut wire = Vec::with_capacity(payload.len() + self.framing.header_len());
            self.framing.encode(kind, payload, &mut wire).map(|()| wire)
        });
        Ok(PyBytes::new(py, &wire.map_err(PyCoreError::from)?))
    }

    #[pyo3(signature = (data, offset=Offset::default(), /), text_signature = "($self, data, offset=0, /)")]
    fn decode<'py>(
        &self,
        py: Python<'py>,
        data: BytesInput<'_, '_>,
        offset: Offset,
    ) -> PyResult<Option<(i32, Bound<'py, PyBytes>, usize)>> {
        let at = offset.0;
        let find = |data: &[u8]| {
            let front = self.framing.front(offset.slice(data)?, self.limit);
            let front = front.map_err(|error| PyCoreError::from(error.moved(at)))?;
            let Some(header) = front else { return Ok((None, 0..0)) };
            let end = header.len + header.payload_len;
            Ok((Some((header.kind, at + end)), at + header.len..at + end))
        };
        data.make_from_range(find, |found, payload| {
            found.map(|(kind, end)| (kind, PyBytes::new(py, payload), end))
        })
    }

    #[pyo3(signature = (kinds, payloads, /))]
    fn encode_all<'py>(
        &self,
        py: Python<'py>,
        kinds: ArrowInput,
        payloads: ArrowInput,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let (kinds, payloads) = (kinds.numbers::<Int32Type>()?.values(), payloads.binary()?);
        same_len(&[kinds.len(), payloads.len()])?;
        let room = payloads.value_data().len() + self.framing.header_len() * kinds.len();
        written(py, room, |wire| {
            for (index, (kind, payload)) in kinds.iter().zip(payloads.iter().flatten()).enumerate()
            {
                let encoded = self.framing.encode(*kind, payload, wire);
                encoded.map_err(|error| PyCoreError::from(error).at(index))?;
            }
            Ok(())
        })
    }

    #[pyo3(signature = (data, /))]
    fn decode_all(
        &self,
        py: Python<'_>,
        data: BytesInput<'_, '_>,
    ) -> Result<(Array, Array, usize), PyCoreError> {
        let mut frames = Frames::default();
        let consumed = data.read_detached(py, |data| {
            frame::scan_compact(data, self.framing, self.limit, &mut frames, SimdLevel::current())
        })?;
        let (kinds, payloads) = columns(frames);
        Ok((kinds, payloads, consumed))
    }

    #[pyo3(signature = (data, /))]
    fn scan(
        &self,
        py: Python<'_>,
        data: BytesInput<'_, '_>,
    ) -> Result<(Array, Array, Array, usize), PyCoreError> {
        let scan = data.read_detached(py, |data| frame::scan(data, self.framing, self.limit))?;
        let (starts, ends) = places(&scan.payloads);
        Ok((Array::numbers::<Int32Type>(scan.kinds), starts, ends, scan.consumed))
    }

    fn decoder(&self) -> TypedFrameDecoder {
        TypedFrameDecoder(frame::FrameDecoder::with(self.framing, self.limit))
    }
}

fn columns(frames: Frames) -> (Array, Array) {
    (Array::numbers::<Int32Type>(frames.kinds), Array::binary(frames.payloads))
}

/// Cuts a stream into frames with their types, however the transport chopped it.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct TypedFrameDecoder(frame::FrameDecoder);

#[pymethods]
impl TypedFrameDecoder {
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: BytesInput<'_, '_>) {
        data.peek(|data| self.0.feed(data));
    }

    fn finish(&mut self) {
        self.0.finish();
    }

    fn next_frame<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<(i32, Bound<'py, PyBytes>)>, PyCoreError> {
        let frame = self.0.next_typed_frame()?;
        Ok(frame.map(|frame| (frame.kind, PyBytes::new(py, frame.payload))))
    }

    fn next_batch(&mut self, py: Python<'_>) -> Result<(Array, Array), PyCoreError> {
        let mut frames = Frames::default();
        py.detach(|| self.0.next_batch(&mut frames, SimdLevel::current()))?;
        Ok(columns(frames))
    }

    /// Number of bytes that wait for the rest of their frame.
    #[getter]
    fn buffered(&self) -> usize {
        self.0.buffered()
    }
}
