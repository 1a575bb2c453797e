use std::{
    alloc::{GlobalAlloc, Layout, System},
    ptr,
};

use mimalloc::MiMalloc;

/// Where all of Rust's memory comes from.
///
/// Most blocks come from mimalloc, which keeps for a while what is given back: batches are made in the pages
/// of those before, as each fresh one is a fault, and faults are dear in virtual machines. What is large
/// comes from the system and goes back at once: kept, it would count beside all that is held.
pub(crate) struct Memory;

/// Bytes from which on a block is large. Ours.
const LARGE: usize = 1 << 20;

const fn is_large(size: usize) -> bool {
    size >= LARGE
}

// SAFETY: a block's size says which of two allocators it is of, and each is asked for its own blocks only.
unsafe impl GlobalAlloc for Memory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: what the caller vouches for is what these ask for.
        unsafe {
            if is_large(layout.size()) { System.alloc(layout) } else { MiMalloc.alloc(layout) }
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        unsafe {
            if is_large(layout.size()) {
                System.alloc_zeroed(layout)
            } else {
                MiMalloc.alloc_zeroed(layout)
            }
        }
    }

    #[inline]
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as above; and it was allocated by its size.
        unsafe {
            if is_large(layout.size()) {
                System.dealloc(block, layout);
            } else {
                MiMalloc.dealloc(block, layout);
            }
        }
    }

    #[inline]
    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above; a block that moves from one to the other has room for what both sizes hold.
        unsafe {
            match (is_large(layout.size()), is_large(size)) {
                (true, true) => System.realloc(block, layout, size),
                (false, false) => MiMalloc.realloc(block, layout, size),
                _ => {
                    let moved = self.alloc(Layout::from_size_align_unchecked(size, layout.align()));
                    if !moved.is_null() {
                        ptr::copy_nonoverlapping(block, moved, layout.size().min(size));
                        self.dealloc(block, layout);
                    }
                    moved
                }
            }
        }
    }
}
