//! Detection of the protocol of a connection by content.

use jvmwire_codec::{
    Scan,
    message::{ProtocolDecoder, Side},
};

use crate::protocol::{AnyDecoder, Protocol};

/// Result of detecting the protocol from the bytes so far.
pub(crate) enum Detected {
    /// The protocol, and the writer of the bytes.
    Found(Protocol, Side),
    /// More bytes are needed; this number of bytes at the start need not be examined again.
    Undecided {
        useless: usize,
    },
    Unknown,
}

/// State of the protocol detection in one direction: no byte is examined again by a protocol that has passed
/// it.
///
/// It is a cache, as [`Scan`] is: without it the result is the same, after one more scan of the held bytes.
#[derive(Debug, Default)]
pub(crate) struct Detection {
    beginning: Scan,
    /// Search of each protocol and possible writer of the bytes.
    searches: Vec<(AnyDecoder, Side, Scan)>,
}

impl Detection {
    /// Detects the protocol by the first bytes of `side`. `all` states that no more bytes are awaited.
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

    /// Searches for messages of either side in any protocol. The message that begins first determines the
    /// protocol, however much of it has arrived; `ended` states that no more bytes of `side` follow, `all` that
    /// no more are awaited. A single frame can be a coincidence: it counts if there is one of the same protocol
    /// in `other`, the bytes of the other side, too, and one of the two is more than a header. `allowance` is
    /// the number of these bytes that may be examined.
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

    /// Adjusts the offsets after `useless` bytes were removed from the start.
    pub(crate) fn forget(&mut self, useless: usize) {
        for (.., scan) in &mut self.searches {
            scan.forget(useless);
        }
    }
}

/// Whether there is a message of `side` anywhere in these bytes, if that many may be examined.
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

/// Whether the bytes begin a TLS record: handshake, alert or application data of SSL 3 to TLS 1.3.
pub(crate) fn is_tls(bytes: &[u8]) -> bool {
    matches!(bytes, [20..=23, 3, 0..=4, ..])
}

/// Length of Pravega's messages without fields: two numbers, which are frequent in other protocols, too.
const EMPTY_FRAME: usize = 8;
/// Number of bytes that distinguish TLS from the supported protocols.
pub(crate) const ENOUGH_TO_TELL: usize = 4;
/// Number of bytes of the other side that may be examined after a single frame, per byte that arrived: there
/// can be a single frame before each of many gaps, with the same bytes of the other side (chosen by jvmwire).
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
