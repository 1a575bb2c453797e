use std::ptr;

use pyo3::{ffi, prelude::*, types::PyString};

/// The `str` of these characters, each a number that Unicode has.
///
/// The only way to it that the stable interface has; beyond Latin-1 sooner than through any encoding.
pub(crate) fn str_of<'py>(py: Python<'py>, characters: &[u32]) -> Option<Bound<'py, PyString>> {
    if cfg!(windows) {
        // There, C's wide characters have 16 bits.
        return None;
    }
    let len = characters.len().cast_signed();
    // SAFETY: `len` characters are there, of 32 bits each; Python looks at them and copies.
    let made = unsafe {
        let made = ffi::PyUnicode_FromWideChar(characters.as_ptr().cast(), len);
        Bound::from_owned_ptr_or_err(py, made)
    };
    super::attempt(made)?.cast_into().ok()
}

/// The `str` of Latin-1. Of numbers Python looks for the highest by a branch that is mostly mispredicted,
/// which takes as long as all the rest.
pub(crate) fn str_of_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    let len = bytes.len().cast_signed();
    // SAFETY: `len` bytes are there; Python copies them.
    let made = unsafe {
        let made = ffi::PyUnicode_DecodeLatin1(bytes.as_ptr().cast(), len, ptr::null());
        Bound::from_owned_ptr_or_err(py, made)
    };
    super::attempt(made)?.cast_into().ok()
}
