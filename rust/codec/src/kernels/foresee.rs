/// Asks for what stands so many bytes behind `at`, where a scan of short frames will be soon: as only the header before
/// says where the next one is, the processor asks for none by itself.
#[inline(always)]
pub(crate) fn foresee(bytes: &[u8], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let place = bytes.as_ptr().wrapping_add(at).wrapping_add(AHEAD);
        // SAFETY: nothing is read or written, and what is not there may be asked for, too.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(place.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at);
}

/// Bytes to be ahead: a page, so that its address is looked up early, too.
#[cfg(target_arch = "x86_64")]
const AHEAD: usize = 4096;
