//! Skipped packets: reasons and counts.

use serde::{Deserialize, Serialize};

use crate::limits::MAX_COUNTER;

/// Reason why a packet has no segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SkipReason {
    /// The link type is not supported.
    LinkType,
    /// The packet contains another protocol than IP.
    NotIp,
    /// The packet contains another protocol than TCP.
    NotTcp,
    /// The packet is a fragment of an IP packet of which others were not captured.
    Fragment,
    /// The snaplen cut the headers.
    Cut,
    /// A header is inconsistent or incomplete.
    Malformed,
    /// The packet is encrypted by `IPsec`.
    Esp,
    /// The packet is encrypted by `MACsec`.
    Macsec,
    /// The packet is in L2TP, which is not decoded.
    L2tp,
    /// The packet is in an unsupported tunnel, or in too many.
    OtherTunnel,
    /// The receiver rejects the packet: its sequence number is outside of the window.
    Refused,
    /// The packet has bytes from before the first known ones of its connection.
    Early,
    /// The connection of the packet had ended.
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

    /// Text for such packets; `None` if they contain no TCP, which is reported only for a capture without any
    /// TCP: see [`NO_TCP`].
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

/// Text for packets without TCP, if there are no others.
pub(crate) const NO_TCP: &str = "packets that carry no TCP, in a capture without any";

/// Count of packets that contribute to no stream.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
pub struct SkippedPackets {
    /// Number of packets.
    pub packets: u64,
    /// Number of their bytes on the wire; for fragments, of their payloads.
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

    /// Whether loaded counts can be incremented without overflow.
    pub(crate) fn is_low(&self) -> bool {
        self.packets <= MAX_COUNTER && self.bytes <= MAX_COUNTER
    }
}
