//! Errors of captures, with the offset and the value.

/// Error after which a capture cannot be read further. Complete packets before it were processed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CaptureError {
    /// The file cannot be read.
    #[error("the capture cannot be read: {reason}")]
    Unreadable {
        /// Reason, as reported by the reader of the file.
        reason: String,
    },
    /// The input is empty.
    #[error("the capture is empty")]
    Empty,
    /// The first four bytes are those of an unsupported format.
    #[error("neither pcap nor pcapng: the first four bytes are {magic:#010x}")]
    NotACapture {
        /// The first four bytes, read as a big-endian number.
        magic: u32,
    },
    /// A header has an unsupported version of the format.
    #[error("format version {major}.{minor} at offset {offset} is not known")]
    Version {
        /// Offset of the header.
        offset: u64,
        /// Major version.
        major: u16,
        /// Minor version.
        minor: u16,
    },
    /// A record announces more bytes than the limit.
    #[error("the record at offset {offset} claims {claimed} bytes, the limit is {max}")]
    TooLong {
        /// Offset of the record.
        offset: u64,
        /// Announced length.
        claimed: u64,
        /// The limit.
        max: u64,
    },
    /// A pcapng block has an invalid length.
    #[error("the block at offset {offset} claims an impossible length of {claimed}")]
    BlockLength {
        /// Offset of the block.
        offset: u64,
        /// Announced length: less than 12, not a multiple of 4, or different from the one at the end.
        claimed: u32,
    },
    /// The fields of a pcapng block exceed the block.
    #[error("the block of type {kind:#010x} at offset {offset} is damaged")]
    Block {
        /// Offset of the block.
        offset: u64,
        /// Type of the block.
        kind: u32,
    },
    /// A packet refers to an interface that no block described.
    #[error("the packet at offset {offset} is of interface {claimed}, {known} are known")]
    Interface {
        /// Offset of the packet's block.
        offset: u64,
        /// Number of the interface.
        claimed: u32,
        /// Number of interfaces that the section has described.
        known: usize,
    },
    /// A section describes more interfaces than the limit.
    #[error("the section describes more than {max} interfaces at offset {offset}")]
    Interfaces {
        /// Offset of the first block that exceeds the limit.
        offset: u64,
        /// The limit.
        max: usize,
    },
    /// The capture ends inside a record.
    #[error("the capture is cut short: {left} bytes of a record are left at offset {offset}")]
    CutShort {
        /// Offset of the record.
        offset: u64,
        /// Number of its bytes that are present.
        left: usize,
    },
    /// The gzip data cannot be decompressed, or a checksum does not match.
    #[error("damaged gzip data before offset {offset} of the compressed file")]
    Gzip {
        /// Offset in the compressed file that was reached.
        offset: u64,
    },
    /// The gzip data ends too early, or its last checksum does not match.
    #[error("gzip data is not whole at its end, offset {offset} of the compressed file")]
    GzipEnd {
        /// Length of the compressed file.
        offset: u64,
    },
    /// The zstd data cannot be decompressed, or requires a larger window than the limit.
    #[error("damaged zstd data at offset {offset} of the compressed file")]
    Zstd {
        /// Offset in the compressed file that was reached.
        offset: u64,
    },
    /// The zstd data ends inside a frame.
    #[error("zstd data is not whole at its end, offset {offset} of the compressed file")]
    ZstdEnd {
        /// Length of the compressed file.
        offset: u64,
    },
    /// The caller wrote to a connection that is not open.
    #[error("connection {connection} is not open")]
    NotOpen {
        /// Number of the connection.
        connection: u32,
    },
}

/// Result of the capture layer.
pub type Result<T> = std::result::Result<T, CaptureError>;

impl CaptureError {
    /// Offset of the error in the capture; for compressed data, in the compressed file.
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

    /// Invalid value, if the error has one.
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
