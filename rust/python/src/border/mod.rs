//! Where memory crosses that the compiler cannot judge: Python's buffers and Arrow's C interface; all
//! `unsafe` of this crate is here.

#![expect(unsafe_code, reason = "memory that Python and Arrow producers own")]

mod arrow;
mod buffer;
mod slots;

pub(crate) use arrow::{Imported, strings};
pub(crate) use buffer::Data;
pub(crate) use slots::{Slots, untrack};
