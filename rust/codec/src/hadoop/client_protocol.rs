//! `ClientProtocol`: what HDFS clients ask of a `NameNode`.

use crate::{Cursor, proto};

/// The path a call is about, for the methods whose first field is one (`ClientNamenodeProtocol.proto`).
pub(super) fn path<'a>(protocol: &str, method: &str, request: &'a [u8]) -> Option<&'a str> {
    if protocol != NAME || !PATH_FIRST.contains(&method) {
        return None;
    }
    let mut cursor = Cursor::new(request);
    match proto::field(&mut cursor) {
        Ok((1, raw, _)) => raw.text(),
        _ => None,
    }
}

const NAME: &str = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

/// In alphabetical order.
const PATH_FIRST: &[&str] = &[
    "abandonBlock",
    "addBlock",
    "allowSnapshot",
    "append",
    "checkAccess",
    "complete",
    "concat",
    "create",
    "createEncryptionZone",
    "createSnapshot",
    "createSymlink",
    "delete",
    "deleteSnapshot",
    "disallowSnapshot",
    "fsync",
    "getAclStatus",
    "getAdditionalDatanode",
    "getBlockLocations",
    "getContentSummary",
    "getEZForPath",
    "getEnclosingRoot",
    "getErasureCodingPolicy",
    "getFileInfo",
    "getFileLinkInfo",
    "getLinkTarget",
    "getListing",
    "getLocatedFileInfo",
    "getPreferredBlockSize",
    "getQuotaUsage",
    "getSnapshotDiffReport",
    "getSnapshotDiffReportListing",
    "getSnapshotListing",
    "getStoragePolicy",
    "getXAttrs",
    "isFileClosed",
    "listCorruptFileBlocks",
    "listXAttrs",
    "mkdirs",
    "modifyAclEntries",
    "recoverLease",
    "removeAcl",
    "removeAclEntries",
    "removeDefaultAcl",
    "removeXAttr",
    "rename",
    "rename2",
    "renameSnapshot",
    "satisfyStoragePolicy",
    "setAcl",
    "setErasureCodingPolicy",
    "setOwner",
    "setPermission",
    "setQuota",
    "setReplication",
    "setStoragePolicy",
    "setTimes",
    "setXAttr",
    "truncate",
    "unsetErasureCodingPolicy",
    "unsetStoragePolicy",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_field_is_the_path() {
        assert_eq!(path(NAME, "getFileInfo", b"\x0a\x04/a/b"), Some("/a/b"));
        assert_eq!(path(NAME, "getServerDefaults", b"\x0a\x04/a/b"), None);
        assert_eq!(path("other.Protocol", "getFileInfo", b"\x0a\x04/a/b"), None);
        assert_eq!(path(NAME, "getFileInfo", b""), None);
    }
}
