"""Locks of the NameNode's namesystem that the methods of its protocols take.

The NameNode has one lock for its namespace and its blocks: any number of readers, or one writer. A
call that takes the write lock stops all others.

Source: NameNodeRpcServer, FSNamesystem and BlockManager of Hadoop 3.5: the methods that call
`writeLock` or `readLock`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Lock(StrEnum):
    """The lock that a method takes."""

    WRITE = "write"
    READ = "read"
    NONE = "none"


def lock_of(name: str | None) -> Lock | None:
    """Return the lock that a method takes; None if it is no method of the NameNode.

    Args:
        name: A method such as `ClientProtocol.getListing`, as in the table `calls`.

    Returns:
        The lock, or None.
    """
    return _LOCKS.get(name or "")


_WRITE: Final = {
    "ClientProtocol": (
        "abandonBlock addBlock addCacheDirective addCachePool addErasureCodingPolicies"
        " allowSnapshot append cancelDelegationToken complete concat create createEncryptionZone"
        " createSnapshot createSymlink delete deleteSnapshot disableErasureCodingPolicy"
        " disallowSnapshot enableErasureCodingPolicy finalizeUpgrade fsync getDelegationToken"
        " mkdirs modifyAclEntries modifyCacheDirective modifyCachePool recoverLease"
        " reencryptEncryptionZone removeAcl removeAclEntries removeCacheDirective removeCachePool"
        " removeDefaultAcl removeErasureCodingPolicy removeXAttr rename rename2 renameSnapshot"
        " renewDelegationToken reportBadBlocks restoreFailedStorage rollEdits rollingUpgrade"
        " satisfyStoragePolicy setAcl setErasureCodingPolicy setOwner setPermission setQuota"
        " setReplication setSafeMode setStoragePolicy setTimes setXAttr truncate"
        " unsetErasureCodingPolicy unsetStoragePolicy updateBlockForPipeline updatePipeline"
    ),
    "DatanodeProtocol": (
        "blockReceivedAndDeleted blockReport cacheReport commitBlockSynchronization"
        " registerDatanode reportBadBlocks"
    ),
    "NamenodeProtocol": "errorReport registerSubordinateNamenode rollEditLog startCheckpoint",
}
# getBlockLocations takes the write lock, too, when the time of the last access is due (once per
# hour and file by default).
_READ: Final = {
    "ClientProtocol": (
        "checkAccess getAclStatus getAdditionalDatanode getBatchedListing getBlockLocations"
        " getContentSummary getDatanodeReport getDatanodeStorageReport"
        " getECTopologyResultForPolicies getEZForPath getEnclosingRoot getErasureCodingCodecs"
        " getErasureCodingPolicies getErasureCodingPolicy getFileInfo getFileLinkInfo getLinkTarget"
        " getListing getLocatedFileInfo getPreferredBlockSize getQuotaUsage getSlowDatanodeReport"
        " getSnapshotDiffReport getSnapshotDiffReportListing getSnapshotListing"
        " getSnapshottableDirListing getStoragePolicies getStoragePolicy getXAttrs isFileClosed"
        " listCacheDirectives listCachePools listCorruptFileBlocks listEncryptionZones"
        " listOpenFiles listReencryptionStatus listXAttrs metaSave saveNamespace"
    ),
    "DatanodeProtocol": "sendHeartbeat versionRequest",
    "NamenodeProtocol": "endCheckpoint getBlocks versionRequest",
}
_NONE: Final = {
    "ClientProtocol": (
        "getCurrentEditLogTxid getDataEncryptionKey getEditsFromTxid getFsECBlockGroupStats"
        " getFsReplicatedBlockStats getFsStats getHAServiceState getServerDefaults msync"
        " refreshNodes renewLease setBalancerBandwidth upgradeStatus"
    ),
    "DatanodeLifelineProtocol": "sendLifeline",
    "DatanodeProtocol": "errorReport",
    "NamenodeProtocol": (
        "getBlockKeys getEditLogManifest getMostRecentCheckpointTxId getMostRecentNameNodeFileTxId"
        " getNextSPSPath getTransactionId isRollingUpgrade isUpgradeFinalized"
    ),
}
_LOCKS: Final = {
    f"{protocol}.{method}": lock
    for lock, methods in ((Lock.WRITE, _WRITE), (Lock.READ, _READ), (Lock.NONE, _NONE))
    for protocol, names in methods.items()
    for method in names.split()
}
