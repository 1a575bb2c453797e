//! Offset of the data within a `bytes` object.

use std::slice;
#[cfg(feature = "cpython-gil")]
use std::sync::OnceLock;

use pyo3::{Borrowed, ffi, prelude::*, types::PyBytes};

/// Offset of the data within objects whose type is exactly `bytes`, which is the same in all of them.
#[cfg(feature = "cpython-gil")]
#[derive(Clone, Copy)]
pub(super) struct BytesLayout(usize);

#[cfg(feature = "cpython-gil")]
impl BytesLayout {
    /// Returns the offset; the first call measures it on an object.
    #[inline]
    pub(super) fn get(py: Python<'_>) -> Self {
        *LAYOUT.get_or_init(|| {
            let bytes = PyBytes::new(py, &[]);
            // SAFETY: it is `bytes`.
            let data = unsafe { ffi::PyBytes_AsString(bytes.as_ptr()) };
            Self(data.addr() - bytes.as_ptr().addr())
        })
    }

    /// Returns the bytes of an object whose type is exactly `bytes`, without the one or two calls of the C
    /// interface that each object would need.
    #[inline]
    pub(super) fn bytes_of<'a>(self, object: Borrowed<'a, '_, PyAny>) -> Option<&'a [u8]> {
        if !object.is_exact_instance_of::<PyBytes>() {
            return None;
        }
        // SAFETY: it is `bytes`, which has a size.
        let len = unsafe { ffi::Py_SIZE(object.as_ptr()) }.cast_unsigned();
        // SAFETY: CPython has the data of every `bytes` object in the object, behind the same fields.
        let start = unsafe { object.as_ptr().cast::<u8>().add(self.0) };
        // SAFETY: `len` bytes are there, and do not change for as long as the object is borrowed.
        Some(unsafe { slice::from_raw_parts(start, len) })
    }
}

#[cfg(feature = "cpython-gil")]
static LAYOUT: OnceLock<BytesLayout> = OnceLock::new();

/// Access to the data of `bytes` through Python's functions.
#[cfg(not(feature = "cpython-gil"))]
#[derive(Clone, Copy)]
pub(super) struct BytesLayout;

#[cfg(not(feature = "cpython-gil"))]
impl BytesLayout {
    #[inline]
    pub(super) fn get(_: Python<'_>) -> Self {
        Self
    }

    /// Returns the bytes of an object whose type is exactly `bytes`.
    #[expect(clippy::unused_self, reason = "called alike with the feature and without it")]
    #[inline]
    pub(super) fn bytes_of<'a>(self, object: Borrowed<'a, '_, PyAny>) -> Option<&'a [u8]> {
        if !object.is_exact_instance_of::<PyBytes>() {
            return None;
        }
        // SAFETY: it is `bytes`.
        let start = unsafe { ffi::PyBytes_AsString(object.as_ptr()) };
        // SAFETY: it is `bytes`.
        let len = unsafe { ffi::PyBytes_Size(object.as_ptr()) }.cast_unsigned();
        // SAFETY: `len` bytes are there, and do not change for as long as the object is borrowed.
        Some(unsafe { slice::from_raw_parts(start.cast(), len) })
    }
}
