//! Where frames begin in a stream that was not seen from its start: where three of them chain.

/// What bytes may begin with.
pub(crate) enum Front {
    /// A frame of this many bytes.
    Frame(usize),
    NoFrame,
    /// More must be seen.
    TooShort,
}

/// The first offset from which `begins` says that frames begin: see
/// [`Conversation::resume`](crate::message::Conversation::resume).
pub(crate) fn first(bytes: &[u8], begins: impl Fn(&[u8]) -> Option<bool>) -> Result<usize, usize> {
    let mut at = 0;
    while at < bytes.len() {
        match begins(&bytes[at..]) {
            Some(true) => return Ok(at),
            Some(false) => at += 1,
            None => break,
        }
    }
    Err(at)
}

/// Whether `bytes` begin a chain of frames; `None` if more must be seen. `front` looks at the bytes
/// behind as many frames; `begun` says that what came before them is of the chain.
pub(crate) fn chains(
    bytes: &[u8],
    end: bool,
    begun: bool,
    front: impl Fn(usize, &[u8]) -> Front,
) -> Option<bool> {
    let mut rest = bytes;
    for seen in 0..CHAIN {
        match front(seen, rest) {
            Front::Frame(len) => rest = &rest[len..],
            Front::NoFrame => return Some(false),
            // A chain that breaks off with the stream is one if it has begun.
            Front::TooShort if end => return Some(begun || seen > 0),
            Front::TooShort => return None,
        }
        if rest.is_empty() && end {
            return Some(true);
        }
    }
    Some(true)
}

/// Frames one behind the other that are no accident. Ours.
const CHAIN: usize = 3;
