//! Counter of the bytes that decoding examines, for tests of its cost.
//!
//! Code that looks for the end of a message, or for the next message after damage, reports how many
//! bytes it examines. Outside tests the report compiles to nothing.

/// Reports that so many bytes were examined.
#[inline(always)]
#[expect(clippy::inline_always, reason = "compiles to nothing in the wheel")]
pub fn examined(bytes: usize) {
    #[cfg(any(test, feature = "laws"))]
    counting::EXAMINED.with(|count| count.set(count.get() + bytes as u64));
    #[cfg(not(any(test, feature = "laws")))]
    let _ = bytes;
}

/// Returns how many bytes this thread examined since the last call.
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
