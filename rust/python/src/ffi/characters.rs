//! `str` objects made from characters of one, two or four bytes.

use std::{mem, ptr};

use jvmwire_codec::text::Characters;
use pyo3::{ffi, prelude::*, types::PyString};

/// Makes a `str` of these characters, by the fastest way that the stable interface offers.
#[inline]
pub(crate) fn str_from_characters<'py>(
    py: Python<'py>,
    characters: Characters<'_>,
) -> Option<Bound<'py, PyString>> {
    match characters {
        Characters::Latin1(bytes) => of_latin1(py, bytes),
        Characters::Ucs2(wide) => of_wide(py, wide, 0xffff),
        Characters::Ucs4(wide) => of_wide(py, wide, 0x10_ffff),
    }
}

fn of_latin1<'py>(py: Python<'py>, bytes: &[u8]) -> Option<Bound<'py, PyString>> {
    let len = bytes.len().cast_signed();
    // SAFETY: `len` bytes are there; Python copies them.
    let made = unsafe { ffi::PyUnicode_DecodeLatin1(bytes.as_ptr().cast(), len, ptr::null()) };
    // SAFETY: what comes is a new reference or null.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, made) };
    super::ok_or_discard(made)?.cast_into().ok()
}

/// Makes a `str` of characters among which one is as wide as `highest`, and none is higher.
///
/// Python searches for the highest character with a branch that is mispredicted at most once per new maximum;
/// `highest` is therefore the first character that it sees.
fn of_wide<'py>(
    py: Python<'py>,
    characters: &mut [u32],
    highest: u32,
) -> Option<Bound<'py, PyString>> {
    if cfg!(windows) {
        // There, C's wide characters have 16 bits.
        return None;
    }
    let first = mem::replace(characters.first_mut()?, highest);
    let len = characters.len().cast_signed();
    // SAFETY: `len` characters are there, of 32 bits each; Python looks at them and copies.
    let made = unsafe { ffi::PyUnicode_FromWideChar(characters.as_ptr().cast(), len) };
    // SAFETY: what comes is a new reference or null.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, made) };
    let made = made.and_then(|made| {
        // SAFETY: the text is new: nobody else has it, so that it may still be written to.
        match unsafe { ffi::PyUnicode_WriteChar(made.as_ptr(), 0, first) } {
            0 => Ok(made),
            _ => Err(PyErr::fetch(py)),
        }
    });
    super::ok_or_discard(made)?.cast_into().ok()
}

/// Concatenates two texts: the first, which is longer, is extended in place if there is no other reference to
/// it.
pub(crate) fn joined<'py>(
    front: Bound<'py, PyString>,
    more: &Bound<'py, PyString>,
) -> Option<Bound<'py, PyString>> {
    let py = front.py();
    let mut text = front.into_ptr();
    // SAFETY: both are texts, and the first is given away.
    unsafe { ffi::PyUnicode_Append(&raw mut text, more.as_ptr()) };
    // SAFETY: what is there now is a reference of ours, or null.
    let made = unsafe { Bound::from_owned_ptr_or_err(py, text) };
    super::ok_or_discard(made)?.cast_into().ok()
}
