//! Packets that give no segment: why, and how many.

use serde::{Deserialize, Serialize};

use crate::limits::MAX_COUNTER;

/// Why a packet gives no segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// The link type is not known here.
    LinkType,
    /// It carries something else than IP.
    NotIp,
    /// It carries something else than TCP.
    NotTcp,
    /// It is a fragment of an IP packet of which others were not captured.
    Fragment,
    /// The snaplen cut into the headers.
    Cut,
    /// A header contradicts itself or is not whole.
    Malformed,
    /// It is encrypted, by `IPsec`.
    Esp,
    /// It is encrypted, by `MACsec`.
    Macsec,
    /// It is in L2TP, which is not looked into.
    L2tp,
    /// It is in another tunnel, or in too many.
    OtherTunnel,
    /// Its receiver refuses it: its number is not in the window.
    Refused,
    /// It has bytes from before the first ones of its connection that are known.
    Early,
    /// Its connection was over.
    AfterEnd,
}

impl SkipReason {
    /// Every reason, in the order of the enum.
    pub const ALL: [Self; 13] = [
        Self::LinkType,
        Self::NotIp,
        Self::NotTcp,
        Self::Fragment,
        Self::Cut,
        Self::Malformed,
        Self::Esp,
        Self::Macsec,
        Self::L2tp,
        Self::OtherTunnel,
        Self::Refused,
        Self::Early,
        Self::AfterEnd,
    ];

    /// Text for such packets; `None` if nothing of TCP was in them, which is told only of a capture without
    /// any TCP: see [`NO_TCP`].
    pub(crate) fn reason(self) -> Option<&'static str> {
        match self {
            Self::LinkType => Some("packets of a link type not known here"),
            Self::NotIp | Self::NotTcp => None,
            Self::Fragment => Some("fragments of IP packets that are not whole"),
            Self::Cut => Some("packets cut off inside their headers"),
            Self::Malformed => Some("damaged packets"),
            Self::Esp => Some("packets inside IPsec, which are not looked into"),
            Self::Macsec => Some("packets inside MACsec, which are not looked into"),
            Self::L2tp => Some("packets inside L2TP, which are not looked into"),
            Self::OtherTunnel => Some("packets inside tunnels that are not looked into"),
            Self::Refused => Some("segments that their receiver refuses, by their numbers"),
            Self::Early => Some("segments from before the first known byte of their connection"),
            Self::AfterEnd => Some("segments after the end of their connection"),
        }
    }
}

/// Text for packets without TCP if there are no others.
pub(crate) const NO_TCP: &str = "packets that carry no TCP, in a capture without any";

/// Packets of which no stream has anything.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct SkippedPackets {
    /// How many.
    pub packets: u64,
    /// Their bytes on the wire; of fragments, what they carried.
    pub bytes: u64,
}

impl SkippedPackets {
    /// Counts one more packet.
    pub(crate) fn count(&mut self, bytes: u64) {
        self.packets += 1;
        self.bytes += bytes;
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.packets += more.packets;
        self.bytes += more.bytes;
    }

    /// Whether the counts, which were loaded, can be counted on from.
    pub(crate) fn is_low(&self) -> bool {
        self.packets <= MAX_COUNTER && self.bytes <= MAX_COUNTER
    }
}
