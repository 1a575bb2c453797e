//! Detection of files of one capture whose packets overlap in time.

use serde::{Deserialize, Serialize};

use crate::net::connection::MAX_WAITING_US;
use crate::net::skipped::SkippedPackets;

/// Text for packets that are read after later ones of another file.
pub(crate) const OVERLAP: &str =
    "packets read after later ones, since files overlap in time: merge them first (mergecap)";

/// Comparison of the times of a file's packets with the end of the earlier files.
///
/// A packet may be [`MAX_WAITING_US`] earlier: segments are held for as long.
#[derive(Debug, Deserialize, PartialEq, Serialize)]
pub(crate) struct FileOverlap {
    /// Latest end of the earlier files, in microseconds since 1970.
    end: i64,
    /// Time of the last packet.
    last: i64,
    /// Count of the file's packets that are older than that end.
    packets: SkippedPackets,
}

impl Default for FileOverlap {
    fn default() -> Self {
        Self { end: i64::MIN, last: i64::MIN, packets: SkippedPackets::default() }
    }
}

impl FileOverlap {
    pub(crate) fn packet(&mut self, ts: Option<i64>, bytes: usize) {
        let Some(ts) = ts else { return };
        self.last = ts;
        if ts.saturating_add(MAX_WAITING_US) < self.end {
            self.packets.count(bytes as u64);
        }
    }

    /// Ends the file, and returns the count of its packets that are older than the end of the earlier files.
    pub(crate) fn end_file(&mut self) -> SkippedPackets {
        self.end = self.end.max(self.last);
        std::mem::take(&mut self.packets)
    }

    /// Whether loaded counts can be incremented without overflow.
    pub(crate) fn is_sound(&self) -> bool {
        self.packets.is_low()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_from_before_the_end_of_any_file_before_are_counted() {
        let mut overlap = FileOverlap::default();
        for (times, expected) in [
            (&[5_000_000, 1_000_000, i64::MAX, 9_000_000][..], 0),
            (&[8_000_000, 7_999_999, i64::MIN, 8_500_000], 2),
            (&[8_000_000, 7_000_000], 1),
            (&[], 0),
        ] {
            for ts in times {
                overlap.packet(Some(*ts), 100);
            }
            overlap.packet(None, 100);
            let bytes = expected * 100;
            assert_eq!(overlap.end_file(), SkippedPackets { packets: expected, bytes });
        }
    }
}
