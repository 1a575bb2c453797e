//! Copies of the payloads of frames into one buffer, in one pass over the frames.

use std::mem::MaybeUninit;

#[cfg(target_arch = "x86_64")]
use macro_rules_attribute::apply;

use super::{
    CHECKED, append_written,
    copy::{COMMON, SHORT, copy_chunk, copy_overlapping},
};
#[cfg(target_arch = "x86_64")]
use crate::level::avx2;
use crate::{
    Result, SimdLevel,
    frame::{Frames, Framing, estimate_frames, prefetch_pages, reserve_frames},
};

/// Copies the payloads of all complete frames at the start of `bytes`, and returns the number of bytes of the
/// frames.
pub(crate) fn pack(
    bytes: &[u8],
    framing: Framing,
    limit: usize,
    out: &mut Frames,
    level: SimdLevel,
) -> Result<usize> {
    match level.clamp_to_cpu() {
        // SAFETY: `clamp_to_cpu` names no level whose features the processor lacks.
        #[cfg(target_arch = "x86_64")]
        SimdLevel::Avx512 | SimdLevel::Avx2 => unsafe { pack_avx2(bytes, framing, limit, out) },
        _ => pack_all(bytes, framing, limit, out),
    }
}

/// [`pack`] with copies of 32 bytes.
#[cfg(target_arch = "x86_64")]
#[apply(avx2)]
fn pack_avx2(bytes: &[u8], framing: Framing, limit: usize, out: &mut Frames) -> Result<usize> {
    pack_all(bytes, framing, limit, out)
}

#[inline(always)]
fn pack_all(bytes: &[u8], framing: Framing, limit: usize, out: &mut Frames) -> Result<usize> {
    // A framing that is known when the loop is compiled asks nothing of each frame.
    match framing {
        Framing::BIG_ENDIAN => pack_as(bytes, Framing::BIG_ENDIAN, limit, out),
        Framing::PRAVEGA => pack_as(bytes, Framing::PRAVEGA, limit, out),
        Framing::EVENTS => pack_as(bytes, Framing::EVENTS, limit, out),
        _ => pack_as(bytes, framing, limit, out),
    }
}

#[inline(always)]
fn pack_as(bytes: &[u8], framing: Framing, limit: usize, out: &mut Frames) -> Result<usize> {
    let mut at = 0;
    loop {
        // Most frames are alike: a loop with one copy keeps all that it needs in registers.
        let copy = |source: &[u8], _, room: &mut _| copy_chunk(source, room);
        at += pack_while(&bytes[at..], framing, limit.min(COMMON), out, copy);
        at += pack_while(&bytes[at..], framing, limit.min(SHORT), out, copy_overlapping);
        // The remaining frame is long, near the end, or invalid.
        let rest = &bytes[at..];
        let header = framing.header(rest, limit).map_err(|error| error.moved(at))?;
        let Some(header) = header else { return Ok(at) };
        let rest = &rest[header.len..];
        let payloads = &mut out.payloads;
        let end = payloads.values.len() + header.payload_len;
        let (true, Ok(offset)) = (header.payload_len <= rest.len(), i32::try_from(end)) else {
            return Ok(at);
        };
        payloads.values.extend_from_slice(&rest[..header.payload_len]);
        payloads.offsets.push(offset);
        if framing.has_kind() {
            out.kinds.push(header.kind);
        }
        at += header.len + header.payload_len;
    }
}

/// Copies frames from the start while their payloads have at most `limit` bytes and `copy` succeeds; `copy` may
/// also copy bytes after the payload.
#[inline(always)]
fn pack_while(
    bytes: &[u8],
    framing: Framing,
    limit: usize,
    out: &mut Frames,
    copy: impl Fn(&[u8], usize, &mut [MaybeUninit<u8>]) -> bool,
) -> usize {
    let Frames { kinds, payloads } = out;
    let values_before = payloads.values.len();
    // All payloads are shorter than all frames, so that every offset in here fits.
    let Ok(mut offset) = i32::try_from(values_before) else { return 0 };
    if i32::try_from(values_before + bytes.len()).is_err() {
        return 0;
    }
    payloads.values.reserve(bytes.len());
    let room = payloads.values.spare_capacity_mut();
    let (mut at, mut len) = (0, 0);
    let (mut more, mut last) = (true, bytes.len());
    while more {
        let expected = estimate_frames(bytes.len() - at, last).max(BLOCK);
        make_room_for_block(&mut payloads.offsets, expected);
        let offset_slots = &mut payloads.offsets.spare_capacity_mut()[..BLOCK];
        let mut kind_slots: &mut [MaybeUninit<i32>] = &mut [];
        if framing.has_kind() {
            make_room_for_block(kinds, expected);
            kind_slots = &mut kinds.spare_capacity_mut()[..BLOCK];
        }
        let block_start = at;
        let mut count = 0;
        for slot in offset_slots {
            // Computed before the length is read: the next header's position is then one addition away.
            let start = at + framing.header_len();
            let front = bytes.get(at..start).unwrap_or_default();
            let Ok(Some(header)) = framing.header(front, limit) else {
                more = false;
                break;
            };
            if !copy(&bytes[start..], header.payload_len, &mut room[len..]) {
                more = false;
                break;
            }
            last = header.len + header.payload_len;
            at = start + header.payload_len;
            len += header.payload_len;
            offset = offset.wrapping_add(i32::try_from(header.payload_len).unwrap_or(i32::MAX));
            slot.write(offset);
            if framing.has_kind() {
                kind_slots[count].write(header.kind);
            }
            count += 1;
        }
        prefetch_pages(bytes, block_start..at);
        // SAFETY: each pass of the loop that was counted wrote one offset, the first `count`.
        unsafe { append_written(&mut payloads.offsets, count) };
        if framing.has_kind() {
            // SAFETY: each pass that was counted wrote one kind as well, or panicked.
            unsafe { append_written(kinds, count) };
        }
    }
    // SAFETY: `copy` wrote each payload from the end of the one before on, `len` bytes in all.
    unsafe { append_written(&mut payloads.values, len) };
    if CHECKED {
        let end = payloads.offsets.last().map(|end| usize::try_from(*end));
        let expected = payloads.values.len();
        assert_eq!(end, Some(Ok(expected)), "the last offset is where the payloads end");
    }
    at
}

#[inline(always)]
fn make_room_for_block(slots: &mut Vec<i32>, expected: usize) {
    if slots.capacity() - slots.len() < BLOCK {
        reserve_frames(slots, expected);
    }
}

/// Minimum number of offsets for which capacity is reserved together.
const BLOCK: usize = 64;
