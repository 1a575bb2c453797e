//! Memory whose validity the compiler cannot check: Python's buffers, calls and characters, and Arrow's C data
//! interface. All `unsafe` code of this crate is in this module.

#![expect(unsafe_code, reason = "memory that Python and Arrow producers own")]
#![deny(clippy::multiple_unsafe_ops_per_block, clippy::undocumented_unsafe_blocks)]
#![deny(clippy::missing_safety_doc, unsafe_op_in_unsafe_fn)]

mod arrow;
mod buffer;
mod buffer_owner;
mod bytes_builder;
mod bytes_layout;
mod c_data;
mod call;
mod characters;
mod fast_result;
mod integers;
mod pooled;
mod slots;
mod strings;

pub(crate) use arrow::{ArrowInput, binary_views, strings};
pub(crate) use buffer::{BytesInput, into_arrow_buffer, make_from_range, peek};
pub(crate) use buffer_owner::register_exit_hook;
pub(crate) use bytes_builder::BytesBuilder;
pub(crate) use call::{function, method, method_at};
pub(crate) use characters::{joined, str_from_characters};
pub(crate) use fast_result::{FastResult, ok_or_discard};
pub(crate) use integers::{PyNumber, int, long, number_and_offset, value_and_offset};
pub(crate) use pooled::SharedBytes;
pub(crate) use slots::{Slots, untrack};
pub(crate) use strings::{ByteStrings, small_bytes};
