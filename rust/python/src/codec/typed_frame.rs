//! Frames with a type before the length.

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

/// Format of frames with a type and a length, 32 bits each, before the payload.
///
/// Args:
///     `byte_order`: The byte order of both, `big` (the default) or `little`.
///     `includes_itself`: Whether the length counts the header; False by default.
///     limit: Maximum bytes of a payload, `MESSAGE_LIMIT` by default.
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

    /// Maximum bytes of a payload.
    #[getter]
    fn limit(&self) -> usize {
        self.limit
    }

    /// Encodes one frame.
    ///
    /// Args:
    ///     kind: The type, an int32.
    ///     payload: The payload.
    ///
    /// Returns:
    ///     The bytes of the frame.
    ///
    /// Raises:
    ///     `ValueError`: the type does not fit, or the payload is too long.
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

    /// Decodes the frame at an offset.
    ///
    /// Args:
    ///     data: The bytes that contain the frame.
    ///     offset: Where the frame begins, 0 by default.
    ///
    /// Returns:
    ///     The type, the payload, and the offset of the frame's end; None if it is incomplete.
    ///
    /// Raises:
    ///     `DecodeError`: the length is invalid or exceeds `limit`.
    ///     `ValueError`: the offset is beyond the data.
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

    /// Encodes columns of types and payloads as frames, one after the other.
    ///
    /// Args:
    ///     kinds: An Arrow array of type int32, without nulls.
    ///     payloads: An Arrow array of type binary of the same length, without nulls.
    ///
    /// Returns:
    ///     The bytes of all frames.
    ///
    /// Raises:
    ///     `ValueError`: a value is null, a payload is too long, or the lengths of the arrays differ.
    ///     `TypeError`: an array has another type.
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

    /// Copies the types and payloads of all complete frames into Arrow arrays.
    ///
    /// Args:
    ///     data: The bytes, whose first frame begins at 0.
    ///
    /// Returns:
    ///     An int32 array of the types, a binary array of the payloads, and the number of bytes
    ///     that the frames take.
    ///
    /// Raises:
    ///     `DecodeError`: a length is invalid or exceeds `limit`.
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

    /// Finds all complete frames.
    ///
    /// Args:
    ///     data: The bytes, whose first frame begins at 0.
    ///
    /// Returns:
    ///     An int32 array of the types, two int64 arrays with the start and the end of each
    ///     payload, and the number of bytes that the frames take.
    ///
    /// Raises:
    ///     `DecodeError`: a length is invalid or exceeds `limit`.
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

    /// Returns a new incremental decoder of this format.
    fn decoder(&self) -> TypedFrameDecoder {
        TypedFrameDecoder(frame::FrameDecoder::with(self.framing, self.limit))
    }
}

fn columns(frames: Frames) -> (Array, Array) {
    (Array::numbers::<Int32Type>(frames.kinds), Array::binary(frames.payloads))
}

/// Incremental decoder of the typed frames of a stream.
#[pyclass(module = "jvmwire._core")]
pub(crate) struct TypedFrameDecoder(frame::FrameDecoder);

#[pymethods]
impl TypedFrameDecoder {
    /// Appends the next bytes of the stream, in chunks of any size.
    ///
    /// Args:
    ///     data: The bytes.
    #[pyo3(signature = (data, /))]
    fn feed(&mut self, data: BytesInput<'_, '_>) {
        data.peek(|data| self.0.feed(data));
    }

    /// Ends the stream: an incomplete frame becomes an error.
    fn finish(&mut self) {
        self.0.finish();
    }

    /// Takes the type and payload of the next complete frame, or None if more must be fed.
    ///
    /// Raises:
    ///     `DecodeError`: the frame is malformed, exceeds the limit, or is cut off by the end.
    fn next_frame<'py>(
        &mut self,
        py: Python<'py>,
    ) -> Result<Option<(i32, Bound<'py, PyBytes>)>, PyCoreError> {
        let frame = self.0.next_typed_frame()?;
        Ok(frame.map(|frame| (frame.kind, PyBytes::new(py, frame.payload))))
    }

    /// Takes the types (int32) and payloads (binary) of all complete frames.
    ///
    /// Raises:
    ///     `DecodeError`: the first remaining frame is malformed, exceeds the limit, or is cut off.
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
