//! Prefetch of a cache line.

/// Prefetches the cache line at `place`, which will be read soon and which the hardware prefetcher cannot
/// predict.
#[inline(always)]
pub fn prefetch(place: *const u8) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse"))]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch reads and writes nothing that a program sees, and faults at no address.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse")))]
    let _ = place;
}
