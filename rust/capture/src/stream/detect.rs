//! Detection of the protocol of a connection by content.

use jvmwire_codec::{
    Scan,
    message::{ProtocolDecoder, Side},
};

use crate::protocol::{AnyDecoder, Protocol};

/// Result of detecting the protocol from the bytes so far.
pub(crate) enum Detected {
    /// This, and who wrote the bytes.
    Found(Protocol, Side),
    /// More must be seen; so many bytes at the front need not be looked at again.
    Undecided {
        useless: usize,
    },
    Unknown,
}

/// State of the protocol detection in one direction: no byte is looked at again by
/// a protocol that has passed it.
///
/// A cache, as [`Scan`] is: without it the same is found, after one more look at the bytes that are held.
#[derive(Debug, Default)]
pub(crate) struct Detection {
    beginning: Scan,
    /// Of each protocol and who may have written the bytes.
    searches: Vec<(AnyDecoder, Side, Scan)>,
}

impl Detection {
    /// Detects the protocol by the first bytes of `side`. `all` says that no more bytes are waited for.
    pub(crate) fn detect_from_start(&mut self, side: Side, bytes: &[u8], all: bool) -> Detected {
        let mut ruled_out = true;
        for protocol in Protocol::TOLD {
            match protocol.probe(side, bytes, all, &mut self.beginning) {
                Some(true) => return Detected::Found(protocol, side),
                Some(false) => {}
                None => ruled_out = false,
            }
        }
        if ruled_out { Detected::Unknown } else { Detected::Undecided { useless: 0 } }
    }

    /// Looks for messages of either side in any protocol. What begins first is what it is, however much
    /// of it has come; `ended` says that no more comes of `side`, `all` that no more is waited for. One frame
    /// alone may be an accident: it counts if there is one of the same protocol in `other` too, in the bytes
    /// of the other side, and one of the two is more than a header. Of these, `allowance` says how many may be
    /// examined.
    pub(crate) fn detect_midstream(
        &mut self,
        side: Side,
        bytes: &[u8],
        (other, allowance): (&[u8], &mut u64),
        ended: bool,
        all: bool,
    ) -> Detected {
        if self.searches.is_empty() {
            let writers = [side, side.peer()];
            self.searches.extend(Protocol::TOLD.into_iter().flat_map(|protocol| {
                // Both sides of Storm are searched for the same.
                let count = if protocol == Protocol::Storm { 1 } else { writers.len() };
                let writers = writers.into_iter().take(count);
                writers.map(move |writer| (AnyDecoder::new(protocol), writer, Scan::default()))
            }));
        }
        let mut first: Option<(usize, Protocol, Side)> = None;
        let mut useless = bytes.len();
        for (decoder, writer, scan) in &mut self.searches {
            match decoder.resync(Some(*writer), bytes, ended, scan) {
                Ok(at)
                    if first.is_none_or(|(earliest, ..)| at < earliest)
                        && (scan.is_certain()
                            || is_spoken_too(decoder, writer.peer(), other, allowance, scan)) =>
                {
                    first = Some((at, decoder.protocol(), *writer));
                }
                Ok(_) => {}
                Err(at) => useless = useless.min(at),
            }
        }
        match first {
            Some((at, protocol, writer)) if at <= useless || all => {
                Detected::Found(protocol, writer)
            }
            Some((at, ..)) => Detected::Undecided { useless: useless.min(at) },
            None => Detected::Undecided { useless },
        }
    }

    /// Takes note that so many useless bytes were dropped from the front.
    pub(crate) fn forget(&mut self, useless: usize) {
        for (.., scan) in &mut self.searches {
            scan.forget(useless);
        }
    }
}

/// Whether there is a message of `side` anywhere in these bytes, if so many may be examined.
fn is_spoken_too(
    decoder: &AnyDecoder,
    side: Side,
    bytes: &[u8],
    allowance: &mut u64,
    beside: &Scan,
) -> bool {
    let Some(rest) = allowance.checked_sub(bytes.len() as u64) else { return false };
    *allowance = rest;
    let mut scan = Scan::default();
    decoder.resync(Some(side), bytes, true, &mut scan).is_ok()
        && beside.found_len().max(scan.found_len()) > EMPTY_FRAME
}

/// A TLS record: handshake, alert or application data of SSL 3 to TLS 1.3.
pub(crate) fn is_tls(bytes: &[u8]) -> bool {
    matches!(bytes, [20..=23, 3, 0..=4, ..])
}

/// Pravega's messages without fields are so long: two numbers, of which other protocols have many.
const EMPTY_FRAME: usize = 8;
/// Bytes that tell TLS from what is spoken here.
pub(crate) const ENOUGH_TO_TELL: usize = 4;
/// Number of bytes of the other side that may be examined after a frame that is alone, for each that came: a
/// frame can be alone before each of many holes, beside the same bytes of the other side (chosen by jvmwire).
pub(crate) const EXAMINED_BESIDE: u64 = 4;
/// Number of bytes of one direction after which an undetected protocol is unknown (chosen by jvmwire).
pub(crate) const UNDECIDED_LIMIT: u64 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    /// A command of Pravega that keeps a connection alive.
    const KEEP_ALIVE: &[u8] = &[0, 0, 0, 100, 0, 0, 0, 0];

    const HELLO: &[u8] = b"\xff\xff\xff\x81\0\0\0\x08\0\0\0\x11\0\0\0\x05";

    fn is_found(side: Side, bytes: &[u8], other: &[u8]) -> bool {
        matches!(
            Detection::default().detect_midstream(side, bytes, (other, &mut 1000), true, true),
            Detected::Found(Protocol::Pravega, _)
        )
    }

    #[test]
    fn two_frames_in_a_row_or_one_in_each_direction_make_a_protocol() {
        let lucky = [KEEP_ALIVE, b"\x88\x88"].concat();
        for one in [KEEP_ALIVE, &lucky] {
            assert!(!is_found(Side::Client, one, b""));
            assert!(!is_found(Side::Client, one, &[0x88; 30]));
            // Short numbers are in every protocol.
            assert!(!is_found(Side::Client, one, KEEP_ALIVE));
            assert!(is_found(Side::Client, one, HELLO));
        }
        assert!(is_found(Side::Client, &KEEP_ALIVE.repeat(2), b""));
    }

    #[test]
    fn tls_is_detected_by_type_and_version() {
        assert!(is_tls(&[22, 3, 1]));
        assert!(!is_tls(&[22, 3]));
        assert!(!is_tls(&[24, 3, 1]));
        assert!(!is_tls(&[22, 2, 0]));
    }
}
