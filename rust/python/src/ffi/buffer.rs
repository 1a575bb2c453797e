//! Bytes of Python objects with the buffer protocol.

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

/// The bytes of an object with Python's buffer protocol.
pub(crate) enum BytesInput<'a, 'py> {
    /// The bytes of a `bytes` object, which never change.
    Bytes(&'a [u8]),
    /// A part of a `bytes` object that was given as a view.
    Part(Bound<'py, PyBytes>, Range<usize>),
    /// Memory that Python code and other threads may write to. The `Py_buffer` keeps it.
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

    /// Calls `read` with the bytes, which do not change meanwhile: with a copy if others may write to them.
    #[inline]
    pub(crate) fn read<R>(&self, read: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::Bytes(bytes) => read(bytes),
            Self::Part(owner, range) => read(&owner.as_bytes()[range.clone()]),
            Self::Mutable(..) => read(&self.peek(<[u8]>::to_vec)),
        }
    }

    /// Calls `read` with the bytes where they are, without a copy.
    ///
    /// `read` cannot hold or return a Python object, and must not attach to the interpreter: no Python code may
    /// run while it has the bytes.
    #[inline]
    pub(crate) fn peek<R: Send>(&self, read: impl FnOnce(&[u8]) -> R + Send) -> R {
        match self {
            Self::Bytes(bytes) => read(bytes),
            Self::Part(owner, range) => read(&owner.as_bytes()[range.clone()]),
            // SAFETY: `read` runs no Python code, as the bounds on it see to, and this thread has the GIL.
            Self::Mutable(view, _) => read(unsafe { bytes_of(view) }),
        }
    }

    /// Looks for a part of the bytes with `find`, as [`Self::peek`] does, and calls `make` with that part.
    ///
    /// `make` may run Python code: if others may write to the bytes, it is called with a copy of the part, and the
    /// buffer is released before.
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

    /// Calls `read` with the bytes while other threads run Python code: where they are if they are constant, else
    /// with a copy.
    ///
    /// Of few bytes the GIL is kept: to get it back may take longer than to read them.
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

    /// The bytes as a `bytes` object: a copy.
    pub(crate) fn to_bytes(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let len = self.peek(<[u8]>::len);
        PyBytes::new_with(py, len, |copy| {
            self.peek(|bytes| copy.copy_from_slice(bytes));
            Ok(())
        })
    }
}

/// The bytes of an object as Arrow's memory, which keeps the object: in place if they are those of a `bytes`
/// object, else a copy.
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

/// Calls `read` with the bytes of one value where they are, as [`BytesInput::peek`] does.
///
/// A [`BytesInput`] would be written in parts and read as a whole, for which a processor waits longer than a
/// small number takes to decode.
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

/// Makes an object of a part of the bytes, as [`BytesInput::make_from_range`] does.
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

/// The memory of a buffer.
///
/// # Safety
/// The buffer is contiguous and not empty, and no Python code runs while the slice is there.
unsafe fn bytes_of(view: &PyUntypedBuffer) -> &[u8] {
    // SAFETY: the exporter keeps that many bytes there until `view` is dropped; the caller sees to it that no
    // Python code writes to them.
    unsafe { slice::from_raw_parts(view.buf_ptr().cast(), view.len_bytes()) }
}

/// Bytes that take longer to decode than it may take to get the GIL back while nobody else wants it.
const WORTH_DETACHING: usize = 16 << 10;
