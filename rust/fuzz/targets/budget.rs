//! What decoding may cost: bytes examined, and bytes allocated at the peak.

use jvmwire_capture::READY_LIMIT;
use jvmwire_codec::cost::take_examined;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The longest traffic that a program expands to: seldom 4 MiB, as that takes long.
pub fn limit(choice: u8) -> usize {
    if choice.is_multiple_of(16) { 4 << 20 } else { (64 << 10) << (choice % 3) }
}

/// Bytes that are examined however few are fed.
const EXAMINED_ALWAYS: u64 = 4096;
/// Bytes allocated at the peak for each that is fed.
const ALLOCATED: usize = 16;
/// The same however few are fed: builders of tables, hash tables, buffers.
const ALLOCATED_ALWAYS: usize = 4 << 20;
/// How much of a file is fed at a time, at most: a piece is decoded to its end.
pub const PIECE: usize = 128 << 10;
/// Bytes allocated for the rows of a piece: each byte may be a message.
const ROWS: usize = 160 * PIECE;

/// Holds what `act` does with `fed` bytes to the laws: at most `each` are examined for each that is fed.
pub fn within<R>(fed: usize, each: u64, act: impl FnOnce() -> R) -> R {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let _ = take_examined();
    let result = act();
    let examined = take_examined();
    let allocated = ALLOCATOR.peak_usage().saturating_sub(before);
    assert!(examined <= each * fed as u64 + EXAMINED_ALWAYS, "{examined} bytes examined for {fed}");
    assert!(
        allocated <= ALLOCATED * fed + READY_LIMIT + ROWS + ALLOCATED_ALWAYS,
        "{allocated} bytes allocated for {fed}"
    );
    result
}
