use std::{panic::RefUnwindSafe, ptr::NonNull, slice, sync::Arc};

use arrow_buffer::Buffer;

use pyo3::{
    Borrowed,
    buffer::PyUntypedBuffer,
    exceptions::PyValueError,
    intern,
    prelude::*,
    types::{PyBytes, PyMemoryView},
};

use super::{Made, inside::Inside};

/// The bytes of whatever has Python's buffer protocol.
pub(crate) enum Data<'a> {
    /// Of `bytes`, which never change.
    Bytes(&'a [u8]),
    /// Of anything else, held until this is dropped.
    Buffer {
        view: PyUntypedBuffer,
        /// Whether nobody can write to it: it is a view of `bytes`.
        constant: bool,
    },
}

impl<'a, 'py> FromPyObject<'a, 'py> for Data<'a> {
    type Error = PyErr;

    #[inline]
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        match Inside::of(object.py()).bytes_of(object) {
            Some(bytes) => Ok(Self::Bytes(bytes)),
            None => Self::of_buffer(&object),
        }
    }
}

impl Data<'_> {
    #[cold]
    fn of_buffer(object: &Bound<'_, PyAny>) -> PyResult<Self> {
        let view = contiguous(object)?;
        // What is read-only forbids nothing to whoever has the memory another way.
        let constant = match object.cast::<PyMemoryView>() {
            Ok(of) => of.getattr(intern!(object.py(), "obj"))?.is_exact_instance_of::<PyBytes>(),
            Err(_) => false,
        };
        Ok(Self::Buffer { view, constant })
    }

    /// Shows `read` the bytes where they are, while no other thread runs Python.
    #[inline]
    pub(crate) fn read<R>(&self, _py: Python<'_>, read: impl FnOnce(&[u8]) -> R) -> R {
        match self {
            Self::Bytes(bytes) => read(bytes),
            // SAFETY: the GIL is held, so that no Python code writes while `read` looks.
            Self::Buffer { view, .. } => read(unsafe { bytes_of(view) }),
        }
    }

    /// Shows `read` the bytes while other threads run: where they are if they are constant, else a copy.
    ///
    /// Of few bytes the GIL is kept: to get it back may take longer than to read them.
    pub(crate) fn read_detached<R: Send>(
        &self,
        py: Python<'_>,
        read: impl FnOnce(&[u8]) -> R + Send,
    ) -> R {
        match self {
            Self::Bytes(bytes) if bytes.len() < WORTH_DETACHING => read(bytes),
            Self::Bytes(bytes) => py.detach(|| read(bytes)),
            Self::Buffer { view, .. } if view.len_bytes() < WORTH_DETACHING => self.read(py, read),
            Self::Buffer { view, constant: true } => {
                // SAFETY: nobody has a way to write to it, and it is held for as long as `view` is.
                let bytes = unsafe { bytes_of(view) };
                py.detach(|| read(bytes))
            }
            Self::Buffer { .. } => {
                let copy = self.read(py, <[u8]>::to_vec);
                py.detach(|| read(&copy))
            }
        }
    }
}

/// The bytes of an object as Arrow's memory, which holds it: where they are if they are constant, else a
/// copy.
pub(crate) fn shared(object: &Bound<'_, PyAny>) -> PyResult<Buffer> {
    let held = match Data::extract(object.as_borrowed())? {
        Data::Bytes(_) => object.clone(),
        // A view of ours, which nobody releases.
        Data::Buffer { constant: true, .. } => PyMemoryView::from(object)?.into_any(),
        data @ Data::Buffer { .. } => {
            return Ok(Buffer::from_vec(data.read(object.py(), <[u8]>::to_vec)));
        }
    };
    Data::extract(held.as_borrowed())?.read(object.py(), |bytes| {
        let owner = Arc::new(Held(Some(held.clone().unbind())));
        // SAFETY: they stay there and do not change for as long as `held` lives, which the owner is.
        Ok(unsafe {
            Buffer::from_custom_allocation(NonNull::from(bytes).cast(), bytes.len(), owner)
        })
    })
}

/// An object for as long as Arrow needs its memory, which any thread may say.
struct Held(Option<Py<PyAny>>);

impl RefUnwindSafe for Held {}

impl Drop for Held {
    fn drop(&mut self) {
        // What is dropped without the GIL is let go with our next call, which may never come. An
        // interpreter that ends has no GIL to give, and needs none of it.
        let held = self.0.take();
        Python::try_attach(|py| held.map(|it| it.drop_ref(py)));
    }
}

/// Shows `read` the bytes of one value where they are.
///
/// A [`Data`] would be written in parts and read as a whole, for which a processor waits longer than a
/// small number takes to decode.
#[inline]
pub(crate) fn read<'py>(
    object: Borrowed<'_, 'py, PyAny>,
    read: impl FnOnce(&[u8]) -> Made<'py>,
) -> Made<'py> {
    let held;
    let bytes = if let Some(bytes) = Inside::of(object.py()).bytes_of(object) {
        bytes
    } else {
        held = contiguous(&object)?;
        // SAFETY: the GIL is held, so that no Python code writes while `read` looks.
        unsafe { bytes_of(&held) }
    };
    read(bytes)
}

#[cold]
fn contiguous(object: &Bound<'_, PyAny>) -> PyResult<PyUntypedBuffer> {
    let view = PyUntypedBuffer::get(object)?;
    if view.is_c_contiguous() {
        Ok(view)
    } else {
        Err(PyValueError::new_err("the buffer is not contiguous"))
    }
}

/// The memory of a buffer.
///
/// # Safety
/// Nobody writes to it while the slice is there.
unsafe fn bytes_of(view: &PyUntypedBuffer) -> &[u8] {
    let len = view.len_bytes();
    if len == 0 {
        // Its pointer may be null.
        return &[];
    }
    // SAFETY: the exporter keeps `len` bytes there, contiguous as was checked, until `view` is dropped;
    // the caller sees to it that they do not change.
    unsafe { slice::from_raw_parts(view.buf_ptr().cast(), len) }
}

/// Bytes that take longer to decode than it may take to get the GIL back while nobody else wants it.
const WORTH_DETACHING: usize = 16 << 10;
