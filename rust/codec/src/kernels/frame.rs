use super::copy::append;
use crate::{
    Level, Result,
    frame::{Frames, Framing},
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
        Level::Avx2 => unsafe { pack_avx2(bytes, framing, limit, out) },
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
    let mut at = 0;
    loop {
        let rest = &bytes[at..];
        let header = framing.header(rest, limit).map_err(|error| error.moved(at))?;
        let Some(header) = header else { return Ok(at) };
        let rest = &rest[header.len..];
        let end = out.payloads.values.len() + header.payload_len;
        let (true, Ok(offset)) = (header.payload_len <= rest.len(), i32::try_from(end)) else {
            return Ok(at);
        };
        append(rest, header.payload_len, &mut out.payloads.values);
        out.payloads.offsets.push(offset);
        if framing.has_kind() {
            out.kinds.push(header.kind);
        }
        at += header.len + header.payload_len;
    }
}
