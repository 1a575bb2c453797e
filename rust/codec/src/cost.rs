//! Counter of the bytes that decoding examines, for tests of its cost.
//!
//! Code that searches for the end of a message, or for the next message after damage, reports the number of
//! bytes that it examines. Outside tests the report compiles to nothing.

/// Reports a number of examined bytes.
#[inline(always)]
#[expect(clippy::inline_always, reason = "compiles to nothing in the wheel")]
pub fn examined(bytes: usize) {
    #[cfg(any(test, feature = "laws"))]
    counting::EXAMINED.with(|count| count.set(count.get() + bytes as u64));
    #[cfg(not(any(test, feature = "laws")))]
    let _ = bytes;
}

/// Returns the number of bytes that this thread examined since the last call.
#[cfg(any(test, feature = "laws"))]
#[must_use]
pub fn take_examined() -> u64 {
    counting::EXAMINED.with(std::cell::Cell::take)
}

#[cfg(any(test, feature = "laws"))]
mod counting {
    use std::cell::Cell;

    thread_local! {
        pub(super) static EXAMINED: Cell<u64> = const { Cell::new(0) };
    }
}
