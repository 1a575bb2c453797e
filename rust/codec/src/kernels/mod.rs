//! Inner loops that safe Rust cannot make fast enough; all `unsafe` code of this crate is in this module.
//!
//! Each kernel has a reference in safe Rust with which it is compared, is equivalent to one `memcpy`, or does
//! not affect results. The postconditions on which callers rely (number of written elements, UTF-8) are
//! asserted where [`CHECKED`] is true: in unoptimised tests and in fuzz targets.

#![expect(unsafe_code, reason = "SIMD intrinsics, and writes to memory that is not initialized")]
#![deny(clippy::undocumented_unsafe_blocks, clippy::multiple_unsafe_ops_per_block)]
#![expect(clippy::inline_always, reason = "a loop takes on the features of the kernel it is in")]

pub(crate) mod copy;
pub(crate) mod frame;
pub(crate) mod modified_utf8;
pub(crate) mod movemask;
pub(crate) mod prefetch;
pub(crate) mod short_text;
pub(crate) mod surrogates;
pub(crate) mod text;
pub(crate) mod utf8;
pub(crate) mod varint;
#[cfg(target_arch = "x86_64")]
mod vector;
pub(crate) mod vlong;

/// Whether kernels assert their postconditions, which takes too much time in release builds.
const CHECKED: bool = cfg!(any(debug_assertions, fuzzing));

/// Adds the first `count` elements of the spare capacity to `out`.
///
/// # Safety
/// These elements were written, which implies that `out` has capacity for them.
#[inline(always)]
unsafe fn append_written<T>(out: &mut Vec<T>, count: usize) {
    if CHECKED {
        let room = out.capacity() - out.len();
        assert!(count <= room, "a kernel claims {count} elements written in room for {room}");
    }
    // SAFETY: the caller wrote them, in capacity that `out` has.
    unsafe { out.set_len(out.len() + count) };
}

/// Asserts that the bytes that a kernel appended to a text are UTF-8.
#[inline(always)]
fn assert_utf8(appended: &[u8]) {
    if CHECKED && let Err(error) = std::str::from_utf8(appended) {
        panic!("a kernel appended what is not UTF-8 to a text: {error}");
    }
}

#[cfg(all(test, debug_assertions))]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "elements written in room for")]
    fn kernel_that_counts_more_than_there_is_room_for_is_stopped() {
        let mut out = Vec::<u8>::with_capacity(8);
        let more = out.capacity() + 1;
        // SAFETY: none: the promise is broken, and the assertion comes before the length is changed.
        unsafe { append_written(&mut out, more) };
    }

    #[test]
    #[should_panic(expected = "not UTF-8")]
    fn kernel_that_appends_invalid_utf8_panics() {
        assert_utf8(b"a\xed\xa0\x80");
    }
}
