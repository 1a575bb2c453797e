//! Bytes of Python objects that support the buffer protocol.

use std::{ops::Range, ptr::NonNull, slice, sync::Arc};

use arrow_buffer::Buffer;
use pyo3::{
    Borrowed,
    buffer::PyUntypedBuffer,
    exceptions::PyValueError,
    intern,
    prelude::*,
    types::{PyBytes, PyMemoryView},
};

use super::{FastResult, buffer_owner::BufferOwner, bytes_layout::BytesLayout};

/// Bytes of an object that supports Python's buffer protocol.
pub(crate) enum BytesInput<'a, 'py> {
    /// Bytes of a `bytes` object, which are immutable.
    Bytes(&'a [u8]),
    /// Part of a `bytes` object, passed as a view.
    Part(Bound<'py, PyBytes>, Range<usize>),
    /// Memory that Python code and other threads can write to, kept alive by the `Py_buffer`.
    Mutable(PyUntypedBuffer, Python<'py>),
}

impl<'a, 'py> FromPyObject<'a, 'py> for BytesInput<'a, 'py> {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match BytesLayout::get(object.py()).bytes_of(object) {
            Some(bytes) => Ok(Self::Bytes(bytes)),
            None => Self::from_buffer(&object),
        }
    }
}

impl<'py> BytesInput<'_, 'py> {
    #[cold]
    fn from_buffer(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let view = PyUntypedBuffer::get(object)?;
        if !view.is_c_contiguous() {
            return Err(PyValueError::new_err("the buffer is not contiguous"));
        }
        if view.len_bytes() == 0 {
            return Ok(Self::Bytes(&[]));
        }
        // That a view is read-only forbids nothing to those who have the memory another way: only memory inside
        // of a `bytes` object is known not to change, and the object is kept, not the view, which others may
        // release.
        if let Ok(memory) = object.cast::<PyMemoryView>()
            && let Ok(owner) = memory.getattr(intern!(py, "obj"))?.cast_into_exact::<PyBytes>()
        {
            let whole = owner.as_bytes();
            let start = view.buf_ptr().addr().wrapping_sub(whole.as_ptr().addr());
            let range = start..start.saturating_add(view.len_bytes());
            if whole.get(range.clone()).is_some() {
                return Ok(Self::Part(owner, range));
            }
        }
        Ok(Self::Mutable(view, py))
    }

    /// Calls `read` with bytes that do not change during the call: a copy if other threads can write to the
    /// buffer.
    #[inline]
    pub(crate) fn read<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::Bytes(bytes) => read(bytes),
            Self::Part(owner, range) => read(&owner.as_bytes()[range.clone()]),
            Self::Mutable(..) => read(&self.peek(<[u8]>::to_vec)),
        }
    }

    /// Calls `read` with the bytes in place, without a copy.
    ///
    /// `read` cannot hold or return a Python object, and must not attach to the interpreter: no Python code may
    /// run while it borrows the bytes.
    #[inline]
    pub(crate) fn peek<R: Send>(&self, read: impl FnOnce(&[u8]) -> R + Send) -> R {
        match self {
            Self::Bytes(bytes) => read(bytes),
            Self::Part(owner, range) => read(&owner.as_bytes()[range.clone()]),
            // SAFETY: `read` runs no Python code, as the bounds on it see to, and this thread has the GIL.
            Self::Mutable(view, _) => read(unsafe { bytes_of(view) }),
        }
    }

    /// Finds a part of the bytes with `find`, as [`Self::peek`] does, and calls `make` with that part.
    ///
    /// `make` can run Python code: if other threads can write to the buffer, `make` receives a copy of the
    /// part, and the buffer is released before the call.
    pub(crate) fn make_from_range<T: Send, R>(
        self,
        find: impl FnOnce(&[u8]) -> PyResult<(T, Range<usize>)> + Send,
        make: impl FnOnce(T, &[u8]) -> R,
    ) -> PyResult<R> {
        if !matches!(self, Self::Mutable(..)) {
            return self.read(|bytes| {
                let (found, part) = find(bytes)?;
                Ok(make(found, &bytes[part]))
            });
        }
        let copied = self.peek(|bytes| {
            let (found, part) = find(bytes)?;
            Ok::<_, PyErr>((found, bytes[part].to_vec()))
        });
        let (found, part) = copied?;
        drop(self);
        Ok(make(found, &part))
    }

    /// Calls `read` without the GIL, while other threads run Python code: with the bytes in place if they are
    /// immutable, else with a copy.
    ///
    /// For few bytes the GIL is kept, since it can take longer to acquire the GIL again than to read the bytes.
    pub(crate) fn read_detached<R: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&[u8]) -> R + Send,
    ) -> R {
        self.read(|bytes| {
            if bytes.len() < WORTH_DETACHING {
                return read(bytes);
            }
            py.detach(|| read(bytes))
        })
    }

    /// Copies the bytes to a `bytes` object.
    pub(crate) fn to_bytes(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let len = self.peek(<[u8]>::len);
        PyBytes::new_with(py, len, |copy| {
            self.peek(|bytes| copy.copy_from_slice(bytes));
            Ok(())
        })
    }
}

/// Converts the bytes of an object to an Arrow buffer: a `bytes` object is used in place and kept alive, other
/// objects are copied.
pub(crate) fn into_arrow_buffer(object: &Bound<'_, PyAny>) -> PyResult<Buffer> {
    let (owner, range) = match BytesInput::extract(object.as_borrowed())? {
        BytesInput::Bytes(bytes) => match object.cast_exact::<PyBytes>() {
            Ok(owner) => (owner.clone(), 0..bytes.len()),
            Err(_) => return Ok(Buffer::from_vec(bytes.to_vec())),
        },
        BytesInput::Part(owner, range) => (owner, range),
        data @ BytesInput::Mutable(..) => return Ok(Buffer::from_vec(data.peek(<[u8]>::to_vec))),
    };
    let (start, len) = (NonNull::from(&owner.as_bytes()[range.clone()]), range.len());
    let owner = Arc::new(BufferOwner::new(owner.unbind()));
    // SAFETY: the bytes of a `bytes` object stay where they are and do not change for as long as it lives, and
    // the owner keeps a reference to it that nobody else can take.
    Ok(unsafe { Buffer::from_custom_allocation(start.cast(), len, owner) })
}

/// Calls `read` with the bytes of one value in place, as [`BytesInput::peek`] does.
///
/// A [`BytesInput`] would be written to memory in parts and then read as a whole; the processor waits longer
/// for such a load than it takes to decode a small number.
#[inline]
pub(crate) fn peek<R: Send>(
    object: Borrowed<'_, '_, PyAny>,
    read: impl FnOnce(&[u8]) -> R + Send,
) -> PyResult<R> {
    match BytesLayout::get(object.py()).bytes_of(object) {
        Some(bytes) => Ok(read(bytes)),
        None => Ok(BytesInput::from_buffer(&object)?.peek(read)),
    }
}

/// Makes an object from a part of the bytes, as [`BytesInput::make_from_range`] does.
#[inline]
pub(crate) fn make_from_range<'py, T: Send>(
    object: Borrowed<'_, 'py, PyAny>,
    find: impl FnOnce(&[u8]) -> PyResult<(T, Range<usize>)> + Send,
    make: impl FnOnce(T, &[u8]) -> FastResult<'py>,
) -> FastResult<'py> {
    if let Some(bytes) = BytesLayout::get(object.py()).bytes_of(object) {
        let (found, part) = find(bytes)?;
        return make(found, &bytes[part]);
    }
    BytesInput::from_buffer(&object)?.make_from_range(find, make)?
}

/// Returns the memory of a buffer.
///
/// # Safety
/// The buffer is contiguous and not empty, and no Python code runs while the slice exists.
unsafe fn bytes_of(view: &PyUntypedBuffer) -> &[u8] {
    // SAFETY: the exporter keeps that many bytes there until `view` is dropped; the caller sees to it that no
    // Python code writes to them.
    unsafe { slice::from_raw_parts(view.buf_ptr().cast(), view.len_bytes()) }
}

/// Minimum number of bytes for which the GIL is released: to decode them takes longer than to acquire an
/// uncontended GIL again.
const WORTH_DETACHING: usize = 16 << 10;
