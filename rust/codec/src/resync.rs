//! Search for the first frame of a stream that was not seen from its start: three frames must chain.

use crate::{
    cost::examined,
    scan::{Scan, Search},
};

/// Result of probing for a frame at the front of bytes.
pub(crate) enum FrameProbe {
    /// A frame of this many bytes.
    Frame(usize),
    NoFrame,
    /// It cannot be judged before this many bytes are there.
    TooShort(usize),
}

/// Condition under which a chain of frames may begin.
pub(crate) enum Start {
    /// With a frame after so many bytes, which are of the chain.
    After(usize),
    /// It needs no chain.
    Certain,
    Never,
    /// It cannot be told before this many bytes are there.
    TooShort(usize),
}

/// The first offset from which three frames chain: see
/// [`ProtocolDecoder::resync`](crate::message::ProtocolDecoder::resync).
///
/// `skip` says how many bytes at the front certainly begin no frame, by few of them; `start` looks at the
/// bytes where a chain may begin, `front` at those after as many frames. Each is asked about an offset
/// when `shortest` bytes are there, and again only when as many are there as it asked for.
pub(crate) fn find_boundary(
    bytes: &[u8],
    end: bool,
    scan: &mut Scan,
    shortest: usize,
    skip: impl Fn(&[u8]) -> usize,
    start: impl Fn(&[u8]) -> Start,
    mut front: impl FnMut(usize, &[u8]) -> FrameProbe,
) -> Result<usize, usize> {
    let mut search = scan.known().map_or_else(Search::default, |places| places.search);
    if search.is_found {
        return Ok(search.at);
    }
    while search.at < bytes.len() {
        if search.need == 0 {
            let skipped = skip(&bytes[search.at..]);
            examined(skipped);
            search.at += skipped;
            if search.at == bytes.len() {
                break;
            }
            search.need = search.at + shortest;
        }
        match follow(bytes, end, &mut search, &start, &mut front) {
            Some(true) => {
                search.is_found = true;
                scan.places().search = search;
                return Ok(search.at);
            }
            Some(false) => search = Search { at: search.at + 1, ..Search::default() },
            None => break,
        }
    }
    scan.places().search = search;
    Err(search.at)
}

/// Number of bytes at the front that begin no frame, going by the first `N` of a frame; the last `N - 1` bytes are
/// not judged.
pub(crate) fn skip_until<const N: usize>(
    bytes: &[u8],
    may_begin: impl Fn(&[u8; N]) -> bool,
) -> usize {
    let mut fronts = bytes.windows(N).filter_map(<[u8]>::first_chunk);
    fronts.position(may_begin).unwrap_or(bytes.len().saturating_sub(N - 1))
}

/// Whether a chain begins where the search is; `None` if more bytes are needed.
pub(crate) fn follow(
    bytes: &[u8],
    end: bool,
    search: &mut Search,
    start: impl Fn(&[u8]) -> Start,
    front: &mut impl FnMut(usize, &[u8]) -> FrameProbe,
) -> Option<bool> {
    if bytes.len() < search.need && !end {
        return None;
    }
    let rest = &bytes[search.at..];
    if search.frames == 0 {
        examined(1);
        match start(rest) {
            Start::After(len) => search.len = len,
            Start::Certain => return Some(true),
            Start::Never => return Some(false),
            Start::TooShort(_) if end => return Some(false),
            Start::TooShort(need) => {
                search.need = search.at + need;
                return None;
            }
        }
    }
    while search.frames < CHAIN {
        if end && search.len == rest.len() && search.frames > 0 {
            break;
        }
        match front(search.frames, &rest[search.len..]) {
            FrameProbe::Frame(len) => {
                search.frames += 1;
                search.len += len;
            }
            FrameProbe::NoFrame => return Some(false),
            // A chain that breaks off with the stream is one if it has begun.
            FrameProbe::TooShort(_) if end => return Some(search.len > 0),
            FrameProbe::TooShort(need) => {
                search.need = search.at + search.len + need;
                return None;
            }
        }
    }
    Some(true)
}

/// Number of frames in a row that are not an accident (chosen by jvmwire).
const CHAIN: usize = 3;
