//! Copies of text that is valid without conversion: ASCII, or characters of up to three bytes.

#[cfg(target_arch = "x86_64")]
use macro_rules_attribute::apply;

use super::{append_written, assert_utf8};
use crate::SimdLevel;
#[cfg(target_arch = "x86_64")]
use crate::level::avx2;

/// Appends blocks of ASCII from the start of `bytes`, and returns their number of bytes; the rest is shorter
/// than a block, or begins with a block that has other characters.
pub(crate) fn append_ascii(bytes: &[u8], out: &mut String, level: SimdLevel) -> usize {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 | SimdLevel::Avx2 => unsafe { append_ascii_avx2(bytes, out) },
        _ => append_blocks(bytes, out),
    }
}

#[cfg(target_arch = "x86_64")]
#[apply(avx2)]
fn append_ascii_avx2(bytes: &[u8], out: &mut String) -> usize {
    append_blocks(bytes, out)
}

#[inline(always)]
fn append_blocks(bytes: &[u8], out: &mut String) -> usize {
    let before = out.len();
    // SAFETY: blocks are appended whole, and only those that are ASCII.
    let out = unsafe { out.as_mut_vec() };
    let len = append_while(bytes, out, |block| block.iter().fold(0, |any, byte| any | byte) < 0x80);
    assert_utf8(&out[before..]);
    len
}

/// Appends blocks from the start of `bytes` while all bytes are at least `least` and below F0, and returns
/// their number of bytes.
pub(crate) fn append_same(bytes: &[u8], least: u8, out: &mut Vec<u8>) -> usize {
    append_while(bytes, out, |block| {
        let most = block.iter().fold(0, |most, byte| byte.wrapping_sub(least).max(most));
        most < 0xf0 - least
    })
}

/// Checks and copies each block while it is in registers.
#[inline(always)]
fn append_while(bytes: &[u8], out: &mut Vec<u8>, good: impl Fn(&[u8; BLOCK]) -> bool) -> usize {
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    if blocks.first().is_some_and(&good) {
        out.reserve(bytes.len());
    }
    let mut len = 0;
    for (block, target) in blocks.iter().zip(out.spare_capacity_mut().as_chunks_mut::<BLOCK>().0) {
        if !good(block) {
            break;
        }
        let target: *mut [std::mem::MaybeUninit<u8>; BLOCK] = target;
        // SAFETY: the target is BLOCK bytes long and borrowed mutably, and bytes need no alignment.
        unsafe { target.cast::<[u8; BLOCK]>().write(*block) };
        len += BLOCK;
    }
    // SAFETY: the loop wrote `len` bytes from the old end on, a block at a time.
    unsafe { append_written(out, len) };
    len
}

/// Appends `text` in pieces too short for glibc's `rep movsb`, which is used from 2 KiB on: on a Zen 3, if
/// source and target have similar low address bits, copies of whole chunks took three times as long (bench
/// `mutf8-decode/latin`).
pub(crate) fn append(text: &str, out: &mut String) {
    out.reserve(text.len());
    let before = out.len();
    // SAFETY: all of `text` is appended; there is room, so nothing stops it half-way.
    let out = unsafe { out.as_mut_vec() };
    for piece in text.as_bytes().chunks(PIECE) {
        out.extend_from_slice(piece);
    }
    assert_utf8(&out[before..]);
}

/// Number of bytes per block.
const BLOCK: usize = 64;

/// Number of bytes per copy.
const PIECE: usize = 1 << 10;
