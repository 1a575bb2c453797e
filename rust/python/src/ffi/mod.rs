//! Where memory crosses that the compiler cannot judge: Python's buffers, calls and characters, and
//! Arrow's C interface; all `unsafe` of this crate is here.

#![expect(unsafe_code, reason = "memory that Python and Arrow producers own")]
#![deny(clippy::multiple_unsafe_ops_per_block, clippy::undocumented_unsafe_blocks)]
#![deny(clippy::missing_safety_doc, unsafe_op_in_unsafe_fn)]

mod arrow;
mod buffer;
mod c_data;
mod call;
mod characters;
mod inside;
mod integers;
mod kept;
mod made;
mod pooled;
mod room;
mod slots;
mod strings;

pub(crate) use arrow::{ArrowInput, binary_views, strings};
pub(crate) use buffer::{Data, make_of_part, peek, shared};
pub(crate) use call::{function, method, method_at};
pub(crate) use characters::{joined, str_of};
pub(crate) use integers::{PyNumber, int, long, number_with_end, value_and_offset};
pub(crate) use kept::watch_the_end;
pub(crate) use made::{Made, ok_or_discard};
pub(crate) use pooled::SharedBytes;
pub(crate) use room::BytesBuilder;
pub(crate) use slots::{Slots, untrack};
pub(crate) use strings::{ByteStrings, small_bytes};
