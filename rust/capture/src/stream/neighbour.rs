//! Detection of protocols that are not decoded, by the first bytes of a side.

use crate::output::GapReason;

/// Detects a protocol that is identified but not decoded, by the first bytes of a side. Short prefixes count
/// only at the start of a connection (`from_start`), not in its middle.
pub(crate) fn neighbour(bytes: &[u8], from_start: bool) -> Option<GapReason> {
    let begins_with = |beginnings: &[&[u8]]| beginnings.iter().any(|it| bytes.starts_with(it));
    if begins_with(&[b"PRI * HTTP/2.0\r\n"]) || from_start && is_http2_settings(bytes) {
        Some(GapReason::Http2)
    } else if begins_with(HTTP) {
        Some(GapReason::Http)
    } else if begins_with(&[b"SSH-2.0-", b"SSH-1.99-"]) {
        Some(GapReason::Ssh)
    } else if !from_start {
        None
    } else if begins_with(&[b"HZC"]) {
        Some(GapReason::HazelcastMember)
    } else if is_data_transfer(bytes) {
        Some(GapReason::HdfsData)
    } else if is_zookeeper(bytes) {
        Some(GapReason::ZooKeeper)
    } else {
        None
    }
}

/// Whether the bytes begin with the version that `DataTransferProtocol` has since Hadoop 2.0 and an operation
/// of its `Op`, or with the number of its SASL exchange (`SASL_TRANSFER_MAGIC_NUMBER`).
fn is_data_transfer(bytes: &[u8]) -> bool {
    match bytes {
        // A message follows whose first field is a message: its length is one byte or two.
        [0, 28, 80..=89, rest @ ..] => matches!(rest, [_, 10, ..] | [_, _, 10, ..]),
        // A message follows whose first field is a number.
        [0xde, 0xad, 0xbe, 0xef, rest @ ..] => matches!(rest, [_, 8, ..] | [_, _, 8, ..]),
        _ => false,
    }
}

/// Whether the bytes begin a `ConnectRequest`: its length, protocol version 0.
fn is_zookeeper(bytes: &[u8]) -> bool {
    matches!(bytes, [0, 0, 0, 44 | 45, 0, 0, 0, 0, ..])
}

/// Whether the bytes begin with a server's first frame: SETTINGS, of whole settings, of stream 0.
fn is_http2_settings(bytes: &[u8]) -> bool {
    matches!(bytes, [0, 0, len, 4, 0, 0, 0, 0, 0, ..] if len % 6 == 0)
}

const HTTP: &[&[u8]] = &[
    b"GET /",
    b"HEAD /",
    b"POST /",
    b"PUT /",
    b"DELETE /",
    b"OPTIONS ",
    b"PATCH /",
    b"CONNECT ",
    b"HTTP/1.",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbour_protocols_are_detected_by_their_first_bytes() {
        let cases: [(&[u8], _); 13] = [
            (b"GET /webhdfs/v1/ HTTP/1.1\r\n", Some(GapReason::Http)),
            (b"HTTP/1.1 200 OK\r\n", Some(GapReason::Http)),
            (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", Some(GapReason::Http2)),
            (b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x64", Some(GapReason::Http2)),
            (b"HZC", Some(GapReason::HazelcastMember)),
            (b"SSH-2.0-OpenSSH_9.6\r\n", Some(GapReason::Ssh)),
            (b"\0\x1c\x51\x8c\x01\x0a", Some(GapReason::HdfsData)),
            (b"\xde\xad\xbe\xef\x02\x08\0", Some(GapReason::HdfsData)),
            (b"\xde\xad\xbe\xef", None),
            (b"\0\0\0\x2d\0\0\0\0\0\0\0\0", Some(GapReason::ZooKeeper)),
            (b"\0\x1c\x01", None),
            (b"GETTING", None),
            (b"", None),
        ];
        for (bytes, expected) in cases {
            assert_eq!(neighbour(bytes, true), expected, "{bytes:?}");
        }
        assert_eq!(neighbour(b"HTTP/1.1 200 OK\r\n", false), Some(GapReason::Http));
        assert_eq!(neighbour(b"HZC", false), None);
    }
}
