//! Errors of captures, with the numbers that say where.

/// Why a capture cannot be read on. What was whole before the error has been handed out.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    /// What holds it cannot be read.
    #[error("the capture cannot be read: {reason}")]
    Unreadable {
        /// In the words of whoever tried.
        reason: String,
    },
    /// The input is empty.
    #[error("the capture is empty")]
    Empty,
    /// The first four bytes are of no format known here.
    #[error("neither pcap nor pcapng: the first four bytes are {magic:#010x}")]
    NotACapture {
        /// The first four bytes, read as a big-endian number.
        magic: u32,
    },
    /// A header is of a version of the format that is not described anywhere.
    #[error("format version {major}.{minor} at offset {offset} is not known")]
    Version {
        /// Where the header begins.
        offset: u64,
        /// Its major version.
        major: u16,
        /// Its minor version.
        minor: u16,
    },
    /// A record claims more bytes than the limit.
    #[error("the record at offset {offset} claims {claimed} bytes, the limit is {max}")]
    TooLong {
        /// Where the record begins.
        offset: u64,
        /// The stated length.
        claimed: u64,
        /// The limit.
        max: u64,
    },
    /// A pcapng block states a length that no block can have.
    #[error("the block at offset {offset} claims an impossible length of {claimed}")]
    BlockLength {
        /// Where the block begins.
        offset: u64,
        /// The stated length: less than 12, not a multiple of 4, or unlike the one at the end.
        claimed: u32,
    },
    /// A pcapng block's fields do not fit into it.
    #[error("the block of type {kind:#010x} at offset {offset} is damaged")]
    Block {
        /// Where the block begins.
        offset: u64,
        /// The type of the block.
        kind: u32,
    },
    /// A packet is of an interface that no block described.
    #[error("the packet at offset {offset} is of interface {claimed}, {known} are known")]
    Interface {
        /// Where the packet's block begins.
        offset: u64,
        /// The stated number of the interface.
        claimed: u32,
        /// Number of interfaces that the section has described.
        known: usize,
    },
    /// A section describes more interfaces than the limit.
    #[error("the section describes more than {max} interfaces at offset {offset}")]
    Interfaces {
        /// Where the block that is too many begins.
        offset: u64,
        /// The limit.
        max: usize,
    },
    /// The capture ends inside a record.
    #[error("the capture is cut short: {left} bytes of a record are left at offset {offset}")]
    CutShort {
        /// Where the record begins.
        offset: u64,
        /// Number of its bytes that there are.
        left: usize,
    },
    /// The gzip data cannot be decompressed, or a checksum of it is wrong.
    #[error("damaged gzip data before offset {offset} of the compressed file")]
    Gzip {
        /// The place in the compressed file that had been reached.
        offset: u64,
    },
    /// The gzip data ends too early, or the last checksum of it is wrong.
    #[error("gzip data is not whole at its end, offset {offset} of the compressed file")]
    GzipEnd {
        /// The length of the compressed file.
        offset: u64,
    },
    /// The zstd data cannot be decompressed, or wants a larger window than the limit.
    #[error("damaged zstd data at offset {offset} of the compressed file")]
    Zstd {
        /// The place in the compressed file that had been reached.
        offset: u64,
    },
    /// The zstd data ends inside a frame.
    #[error("zstd data is not whole at its end, offset {offset} of the compressed file")]
    ZstdEnd {
        /// The length of the compressed file.
        offset: u64,
    },
    /// The caller wrote to a connection that is not open.
    #[error("connection {connection} is not open")]
    NotOpen {
        /// The connection's number.
        connection: u32,
    },
}

/// Result of the capture layer.
pub type Result<T> = std::result::Result<T, CaptureError>;

impl CaptureError {
    /// Where in the capture it is wrong; of compressed data, where in the compressed file.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match *self {
            Self::Empty | Self::NotACapture { .. } => Some(0),
            Self::Version { offset, .. }
            | Self::TooLong { offset, .. }
            | Self::BlockLength { offset, .. }
            | Self::Block { offset, .. }
            | Self::Interface { offset, .. }
            | Self::Interfaces { offset, .. }
            | Self::CutShort { offset, .. }
            | Self::Gzip { offset }
            | Self::GzipEnd { offset }
            | Self::Zstd { offset }
            | Self::ZstdEnd { offset } => Some(offset),
            Self::Unreadable { .. } | Self::NotOpen { .. } => None,
        }
    }

    /// The number that offends, where there is one.
    #[must_use]
    pub fn value(&self) -> Option<i128> {
        match *self {
            Self::NotACapture { magic } => Some(magic.into()),
            Self::TooLong { claimed, .. } => Some(claimed.into()),
            Self::BlockLength { claimed, .. } | Self::Interface { claimed, .. } => {
                Some(claimed.into())
            }
            Self::Block { kind, .. } => Some(kind.into()),
            _ => None,
        }
    }
}
