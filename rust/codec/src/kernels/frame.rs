use std::mem::MaybeUninit;

use super::copy::{COMMON, SHORT, common, over};
use crate::{
    Level, Result,
    frame::{Frames, Framing, expected_in, foresee_pages, make_room},
};

/// Copies the payloads of all whole frames at the front of `bytes` and returns how many bytes these
/// take.
pub(crate) fn pack(
    bytes: &[u8],
    framing: Framing,
    limit: usize,
    out: &mut Frames,
    level: Level,
) -> Result<usize> {
    match level.at_most_available() {
        // SAFETY: the processor has the level's features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 | Level::Avx2 => unsafe { pack_avx2(bytes, framing, limit, out) },
        _ => pack_all(bytes, framing, limit, out),
    }
}

/// The same with copies of 32 bytes at once.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
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
        let copy = |source: &[u8], _, room: &mut _| common(source, room);
        at += pack_while(&bytes[at..], framing, limit.min(COMMON), out, copy);
        at += pack_while(&bytes[at..], framing, limit.min(SHORT), out, over);
        // What that leaves is long, or near the end, or wrong.
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

/// Copies frames from the front while their payloads are no longer than `limit` and `copy` can copy them,
/// which it may with bytes that follow them.
#[inline(always)]
fn pack_while(
    bytes: &[u8],
    framing: Framing,
    limit: usize,
    out: &mut Frames,
    copy: impl Fn(&[u8], usize, &mut [MaybeUninit<u8>]) -> bool,
) -> usize {
    let Frames { kinds, payloads: out } = out;
    let before = out.values.len();
    if i32::try_from(before + bytes.len()).is_err() {
        return 0;
    }
    // All payloads are shorter than all frames.
    out.values.reserve(bytes.len());
    let room = out.values.spare_capacity_mut();
    let (mut at, mut len) = (0, 0);
    // It was seen that all fit.
    let mut offset = i32::try_from(before).unwrap_or(i32::MAX);
    let (mut more, mut last) = (true, bytes.len());
    while more {
        let expected = expected_in(bytes.len() - at, last).max(BLOCK);
        make_room_for_block(&mut out.offsets, expected);
        if framing.has_kind() {
            make_room_for_block(kinds, expected);
        }
        let (mut count, before) = (0, at);
        let (slots, kind_slots) = (out.offsets.spare_capacity_mut(), kinds.spare_capacity_mut());
        for slot in &mut slots[..BLOCK] {
            // Known before the length is: the next header's place is one addition behind it then.
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
            if framing.has_kind()
                && let Some(slot) = kind_slots.get_mut(count)
            {
                slot.write(header.kind);
            }
            count += 1;
        }
        foresee_pages(bytes, before..at);
        // SAFETY: the first `count` of the spare offsets were written.
        unsafe { out.offsets.set_len(out.offsets.len() + count) };
        if framing.has_kind() {
            // SAFETY: so were those of the spare kinds, of which there are as many.
            unsafe { kinds.set_len(kinds.len() + count) };
        }
    }
    // SAFETY: `len` bytes after the old end were written.
    unsafe { out.values.set_len(before + len) };
    at
}

#[inline(always)]
fn make_room_for_block(slots: &mut Vec<i32>, expected: usize) {
    if slots.capacity() - slots.len() < BLOCK {
        make_room(slots, expected);
    }
}

/// Offsets that room is made for together, at least.
const BLOCK: usize = 64;
