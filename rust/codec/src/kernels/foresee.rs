/// Asks for what stands at `place` and will be read soon, where a processor would wait for it: it cannot tell
/// by itself.
#[inline(always)]
pub fn foresee(place: *const u8) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: nothing is read or written, and what is not there may be asked for, too.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
