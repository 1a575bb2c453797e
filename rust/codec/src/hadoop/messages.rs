//! The methods of Hadoop's protobuf services, and every message that they lead to.
//!
//! Printed by `tests/peers/hadoop` (`ProtoTables`) from the descriptors of Hadoop
//! 3.5.0: `make tables`.

use super::services::{Method, Service};
use crate::proto::{Field, FieldKind, MessageType};

/// All of them.
pub(super) static SERVICES: &[Service] = &[Service {
    protocol: "org.apache.hadoop.hdfs.protocol.ClientProtocol",
    version: 1,
    methods: CLIENT_NAMENODE_PROTOCOL,
}];

static CLIENT_NAMENODE_PROTOCOL: &[Method] = &[
    Method {
        name: "abandonBlock",
        request: &ABANDON_BLOCK_REQUEST_PROTO,
        response: &ABANDON_BLOCK_RESPONSE_PROTO,
    },
    Method {
        name: "addBlock",
        request: &ADD_BLOCK_REQUEST_PROTO,
        response: &ADD_BLOCK_RESPONSE_PROTO,
    },
    Method {
        name: "addCacheDirective",
        request: &ADD_CACHE_DIRECTIVE_REQUEST_PROTO,
        response: &ADD_CACHE_DIRECTIVE_RESPONSE_PROTO,
    },
    Method {
        name: "addCachePool",
        request: &ADD_CACHE_POOL_REQUEST_PROTO,
        response: &ADD_CACHE_POOL_RESPONSE_PROTO,
    },
    Method {
        name: "addErasureCodingPolicies",
        request: &ADD_ERASURE_CODING_POLICIES_REQUEST_PROTO,
        response: &ADD_ERASURE_CODING_POLICIES_RESPONSE_PROTO,
    },
    Method {
        name: "allowSnapshot",
        request: &ALLOW_SNAPSHOT_REQUEST_PROTO,
        response: &ALLOW_SNAPSHOT_RESPONSE_PROTO,
    },
    Method { name: "append", request: &APPEND_REQUEST_PROTO, response: &APPEND_RESPONSE_PROTO },
    Method {
        name: "cancelDelegationToken",
        request: &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
    },
    Method {
        name: "checkAccess",
        request: &CHECK_ACCESS_REQUEST_PROTO,
        response: &CHECK_ACCESS_RESPONSE_PROTO,
    },
    Method {
        name: "complete",
        request: &COMPLETE_REQUEST_PROTO,
        response: &COMPLETE_RESPONSE_PROTO,
    },
    Method { name: "concat", request: &CONCAT_REQUEST_PROTO, response: &CONCAT_RESPONSE_PROTO },
    Method { name: "create", request: &CREATE_REQUEST_PROTO, response: &CREATE_RESPONSE_PROTO },
    Method {
        name: "createEncryptionZone",
        request: &CREATE_ENCRYPTION_ZONE_REQUEST_PROTO,
        response: &CREATE_ENCRYPTION_ZONE_RESPONSE_PROTO,
    },
    Method {
        name: "createSnapshot",
        request: &CREATE_SNAPSHOT_REQUEST_PROTO,
        response: &CREATE_SNAPSHOT_RESPONSE_PROTO,
    },
    Method {
        name: "createSymlink",
        request: &CREATE_SYMLINK_REQUEST_PROTO,
        response: &CREATE_SYMLINK_RESPONSE_PROTO,
    },
    Method { name: "delete", request: &DELETE_REQUEST_PROTO, response: &DELETE_RESPONSE_PROTO },
    Method {
        name: "deleteSnapshot",
        request: &DELETE_SNAPSHOT_REQUEST_PROTO,
        response: &DELETE_SNAPSHOT_RESPONSE_PROTO,
    },
    Method {
        name: "disableErasureCodingPolicy",
        request: &DISABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &DISABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "disallowSnapshot",
        request: &DISALLOW_SNAPSHOT_REQUEST_PROTO,
        response: &DISALLOW_SNAPSHOT_RESPONSE_PROTO,
    },
    Method {
        name: "enableErasureCodingPolicy",
        request: &ENABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &ENABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "finalizeUpgrade",
        request: &FINALIZE_UPGRADE_REQUEST_PROTO,
        response: &FINALIZE_UPGRADE_RESPONSE_PROTO,
    },
    Method { name: "fsync", request: &FSYNC_REQUEST_PROTO, response: &FSYNC_RESPONSE_PROTO },
    Method {
        name: "getAclStatus",
        request: &GET_ACL_STATUS_REQUEST_PROTO,
        response: &GET_ACL_STATUS_RESPONSE_PROTO,
    },
    Method {
        name: "getAdditionalDatanode",
        request: &GET_ADDITIONAL_DATANODE_REQUEST_PROTO,
        response: &GET_ADDITIONAL_DATANODE_RESPONSE_PROTO,
    },
    Method {
        name: "getBatchedListing",
        request: &GET_BATCHED_LISTING_REQUEST_PROTO,
        response: &GET_BATCHED_LISTING_RESPONSE_PROTO,
    },
    Method {
        name: "getBlockLocations",
        request: &GET_BLOCK_LOCATIONS_REQUEST_PROTO,
        response: &GET_BLOCK_LOCATIONS_RESPONSE_PROTO,
    },
    Method {
        name: "getContentSummary",
        request: &GET_CONTENT_SUMMARY_REQUEST_PROTO,
        response: &GET_CONTENT_SUMMARY_RESPONSE_PROTO,
    },
    Method {
        name: "getCurrentEditLogTxid",
        request: &GET_CURRENT_EDIT_LOG_TXID_REQUEST_PROTO,
        response: &GET_CURRENT_EDIT_LOG_TXID_RESPONSE_PROTO,
    },
    Method {
        name: "getDataEncryptionKey",
        request: &GET_DATA_ENCRYPTION_KEY_REQUEST_PROTO,
        response: &GET_DATA_ENCRYPTION_KEY_RESPONSE_PROTO,
    },
    Method {
        name: "getDatanodeReport",
        request: &GET_DATANODE_REPORT_REQUEST_PROTO,
        response: &GET_DATANODE_REPORT_RESPONSE_PROTO,
    },
    Method {
        name: "getDatanodeStorageReport",
        request: &GET_DATANODE_STORAGE_REPORT_REQUEST_PROTO,
        response: &GET_DATANODE_STORAGE_REPORT_RESPONSE_PROTO,
    },
    Method {
        name: "getDelegationToken",
        request: &GET_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
    },
    Method {
        name: "getECTopologyResultForPolicies",
        request: &GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_REQUEST_PROTO,
        response: &GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_RESPONSE_PROTO,
    },
    Method {
        name: "getEZForPath",
        request: &GET_EZ_FOR_PATH_REQUEST_PROTO,
        response: &GET_EZ_FOR_PATH_RESPONSE_PROTO,
    },
    Method {
        name: "getEditsFromTxid",
        request: &GET_EDITS_FROM_TXID_REQUEST_PROTO,
        response: &GET_EDITS_FROM_TXID_RESPONSE_PROTO,
    },
    Method {
        name: "getEnclosingRoot",
        request: &GET_ENCLOSING_ROOT_REQUEST_PROTO,
        response: &GET_ENCLOSING_ROOT_RESPONSE_PROTO,
    },
    Method {
        name: "getErasureCodingCodecs",
        request: &GET_ERASURE_CODING_CODECS_REQUEST_PROTO,
        response: &GET_ERASURE_CODING_CODECS_RESPONSE_PROTO,
    },
    Method {
        name: "getErasureCodingPolicies",
        request: &GET_ERASURE_CODING_POLICIES_REQUEST_PROTO,
        response: &GET_ERASURE_CODING_POLICIES_RESPONSE_PROTO,
    },
    Method {
        name: "getErasureCodingPolicy",
        request: &GET_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &GET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "getFileInfo",
        request: &GET_FILE_INFO_REQUEST_PROTO,
        response: &GET_FILE_INFO_RESPONSE_PROTO,
    },
    Method {
        name: "getFileLinkInfo",
        request: &GET_FILE_LINK_INFO_REQUEST_PROTO,
        response: &GET_FILE_LINK_INFO_RESPONSE_PROTO,
    },
    Method {
        name: "getFsECBlockGroupStats",
        request: &GET_FS_EC_BLOCK_GROUP_STATS_REQUEST_PROTO,
        response: &GET_FS_EC_BLOCK_GROUP_STATS_RESPONSE_PROTO,
    },
    Method {
        name: "getFsReplicatedBlockStats",
        request: &GET_FS_REPLICATED_BLOCK_STATS_REQUEST_PROTO,
        response: &GET_FS_REPLICATED_BLOCK_STATS_RESPONSE_PROTO,
    },
    Method {
        name: "getFsStats",
        request: &GET_FS_STATUS_REQUEST_PROTO,
        response: &GET_FS_STATS_RESPONSE_PROTO,
    },
    Method {
        name: "getHAServiceState",
        request: &HA_SERVICE_STATE_REQUEST_PROTO,
        response: &HA_SERVICE_STATE_RESPONSE_PROTO,
    },
    Method {
        name: "getLinkTarget",
        request: &GET_LINK_TARGET_REQUEST_PROTO,
        response: &GET_LINK_TARGET_RESPONSE_PROTO,
    },
    Method {
        name: "getListing",
        request: &GET_LISTING_REQUEST_PROTO,
        response: &GET_LISTING_RESPONSE_PROTO,
    },
    Method {
        name: "getLocatedFileInfo",
        request: &GET_LOCATED_FILE_INFO_REQUEST_PROTO,
        response: &GET_LOCATED_FILE_INFO_RESPONSE_PROTO,
    },
    Method {
        name: "getPreferredBlockSize",
        request: &GET_PREFERRED_BLOCK_SIZE_REQUEST_PROTO,
        response: &GET_PREFERRED_BLOCK_SIZE_RESPONSE_PROTO,
    },
    Method {
        name: "getQuotaUsage",
        request: &GET_QUOTA_USAGE_REQUEST_PROTO,
        response: &GET_QUOTA_USAGE_RESPONSE_PROTO,
    },
    Method {
        name: "getServerDefaults",
        request: &GET_SERVER_DEFAULTS_REQUEST_PROTO,
        response: &GET_SERVER_DEFAULTS_RESPONSE_PROTO,
    },
    Method {
        name: "getSlowDatanodeReport",
        request: &GET_SLOW_DATANODE_REPORT_REQUEST_PROTO,
        response: &GET_SLOW_DATANODE_REPORT_RESPONSE_PROTO,
    },
    Method {
        name: "getSnapshotDiffReport",
        request: &GET_SNAPSHOT_DIFF_REPORT_REQUEST_PROTO,
        response: &GET_SNAPSHOT_DIFF_REPORT_RESPONSE_PROTO,
    },
    Method {
        name: "getSnapshotDiffReportListing",
        request: &GET_SNAPSHOT_DIFF_REPORT_LISTING_REQUEST_PROTO,
        response: &GET_SNAPSHOT_DIFF_REPORT_LISTING_RESPONSE_PROTO,
    },
    Method {
        name: "getSnapshotListing",
        request: &GET_SNAPSHOT_LISTING_REQUEST_PROTO,
        response: &GET_SNAPSHOT_LISTING_RESPONSE_PROTO,
    },
    Method {
        name: "getSnapshottableDirListing",
        request: &GET_SNAPSHOTTABLE_DIR_LISTING_REQUEST_PROTO,
        response: &GET_SNAPSHOTTABLE_DIR_LISTING_RESPONSE_PROTO,
    },
    Method {
        name: "getStoragePolicies",
        request: &GET_STORAGE_POLICIES_REQUEST_PROTO,
        response: &GET_STORAGE_POLICIES_RESPONSE_PROTO,
    },
    Method {
        name: "getStoragePolicy",
        request: &GET_STORAGE_POLICY_REQUEST_PROTO,
        response: &GET_STORAGE_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "getXAttrs",
        request: &GET_X_ATTRS_REQUEST_PROTO,
        response: &GET_X_ATTRS_RESPONSE_PROTO,
    },
    Method {
        name: "isFileClosed",
        request: &IS_FILE_CLOSED_REQUEST_PROTO,
        response: &IS_FILE_CLOSED_RESPONSE_PROTO,
    },
    Method {
        name: "listCacheDirectives",
        request: &LIST_CACHE_DIRECTIVES_REQUEST_PROTO,
        response: &LIST_CACHE_DIRECTIVES_RESPONSE_PROTO,
    },
    Method {
        name: "listCachePools",
        request: &LIST_CACHE_POOLS_REQUEST_PROTO,
        response: &LIST_CACHE_POOLS_RESPONSE_PROTO,
    },
    Method {
        name: "listCorruptFileBlocks",
        request: &LIST_CORRUPT_FILE_BLOCKS_REQUEST_PROTO,
        response: &LIST_CORRUPT_FILE_BLOCKS_RESPONSE_PROTO,
    },
    Method {
        name: "listEncryptionZones",
        request: &LIST_ENCRYPTION_ZONES_REQUEST_PROTO,
        response: &LIST_ENCRYPTION_ZONES_RESPONSE_PROTO,
    },
    Method {
        name: "listOpenFiles",
        request: &LIST_OPEN_FILES_REQUEST_PROTO,
        response: &LIST_OPEN_FILES_RESPONSE_PROTO,
    },
    Method {
        name: "listReencryptionStatus",
        request: &LIST_REENCRYPTION_STATUS_REQUEST_PROTO,
        response: &LIST_REENCRYPTION_STATUS_RESPONSE_PROTO,
    },
    Method {
        name: "listXAttrs",
        request: &LIST_X_ATTRS_REQUEST_PROTO,
        response: &LIST_X_ATTRS_RESPONSE_PROTO,
    },
    Method {
        name: "metaSave",
        request: &META_SAVE_REQUEST_PROTO,
        response: &META_SAVE_RESPONSE_PROTO,
    },
    Method { name: "mkdirs", request: &MKDIRS_REQUEST_PROTO, response: &MKDIRS_RESPONSE_PROTO },
    Method {
        name: "modifyAclEntries",
        request: &MODIFY_ACL_ENTRIES_REQUEST_PROTO,
        response: &MODIFY_ACL_ENTRIES_RESPONSE_PROTO,
    },
    Method {
        name: "modifyCacheDirective",
        request: &MODIFY_CACHE_DIRECTIVE_REQUEST_PROTO,
        response: &MODIFY_CACHE_DIRECTIVE_RESPONSE_PROTO,
    },
    Method {
        name: "modifyCachePool",
        request: &MODIFY_CACHE_POOL_REQUEST_PROTO,
        response: &MODIFY_CACHE_POOL_RESPONSE_PROTO,
    },
    Method { name: "msync", request: &MSYNC_REQUEST_PROTO, response: &MSYNC_RESPONSE_PROTO },
    Method {
        name: "recoverLease",
        request: &RECOVER_LEASE_REQUEST_PROTO,
        response: &RECOVER_LEASE_RESPONSE_PROTO,
    },
    Method {
        name: "reencryptEncryptionZone",
        request: &REENCRYPT_ENCRYPTION_ZONE_REQUEST_PROTO,
        response: &REENCRYPT_ENCRYPTION_ZONE_RESPONSE_PROTO,
    },
    Method {
        name: "refreshNodes",
        request: &REFRESH_NODES_REQUEST_PROTO,
        response: &REFRESH_NODES_RESPONSE_PROTO,
    },
    Method {
        name: "removeAcl",
        request: &REMOVE_ACL_REQUEST_PROTO,
        response: &REMOVE_ACL_RESPONSE_PROTO,
    },
    Method {
        name: "removeAclEntries",
        request: &REMOVE_ACL_ENTRIES_REQUEST_PROTO,
        response: &REMOVE_ACL_ENTRIES_RESPONSE_PROTO,
    },
    Method {
        name: "removeCacheDirective",
        request: &REMOVE_CACHE_DIRECTIVE_REQUEST_PROTO,
        response: &REMOVE_CACHE_DIRECTIVE_RESPONSE_PROTO,
    },
    Method {
        name: "removeCachePool",
        request: &REMOVE_CACHE_POOL_REQUEST_PROTO,
        response: &REMOVE_CACHE_POOL_RESPONSE_PROTO,
    },
    Method {
        name: "removeDefaultAcl",
        request: &REMOVE_DEFAULT_ACL_REQUEST_PROTO,
        response: &REMOVE_DEFAULT_ACL_RESPONSE_PROTO,
    },
    Method {
        name: "removeErasureCodingPolicy",
        request: &REMOVE_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &REMOVE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "removeXAttr",
        request: &REMOVE_X_ATTR_REQUEST_PROTO,
        response: &REMOVE_X_ATTR_RESPONSE_PROTO,
    },
    Method { name: "rename", request: &RENAME_REQUEST_PROTO, response: &RENAME_RESPONSE_PROTO },
    Method { name: "rename2", request: &RENAME2_REQUEST_PROTO, response: &RENAME2_RESPONSE_PROTO },
    Method {
        name: "renameSnapshot",
        request: &RENAME_SNAPSHOT_REQUEST_PROTO,
        response: &RENAME_SNAPSHOT_RESPONSE_PROTO,
    },
    Method {
        name: "renewDelegationToken",
        request: &RENEW_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &RENEW_DELEGATION_TOKEN_RESPONSE_PROTO,
    },
    Method {
        name: "renewLease",
        request: &RENEW_LEASE_REQUEST_PROTO,
        response: &RENEW_LEASE_RESPONSE_PROTO,
    },
    Method {
        name: "reportBadBlocks",
        request: &REPORT_BAD_BLOCKS_REQUEST_PROTO,
        response: &REPORT_BAD_BLOCKS_RESPONSE_PROTO,
    },
    Method {
        name: "restoreFailedStorage",
        request: &RESTORE_FAILED_STORAGE_REQUEST_PROTO,
        response: &RESTORE_FAILED_STORAGE_RESPONSE_PROTO,
    },
    Method {
        name: "rollEdits",
        request: &ROLL_EDITS_REQUEST_PROTO,
        response: &ROLL_EDITS_RESPONSE_PROTO,
    },
    Method {
        name: "rollingUpgrade",
        request: &ROLLING_UPGRADE_REQUEST_PROTO,
        response: &ROLLING_UPGRADE_RESPONSE_PROTO,
    },
    Method {
        name: "satisfyStoragePolicy",
        request: &SATISFY_STORAGE_POLICY_REQUEST_PROTO,
        response: &SATISFY_STORAGE_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "saveNamespace",
        request: &SAVE_NAMESPACE_REQUEST_PROTO,
        response: &SAVE_NAMESPACE_RESPONSE_PROTO,
    },
    Method { name: "setAcl", request: &SET_ACL_REQUEST_PROTO, response: &SET_ACL_RESPONSE_PROTO },
    Method {
        name: "setBalancerBandwidth",
        request: &SET_BALANCER_BANDWIDTH_REQUEST_PROTO,
        response: &SET_BALANCER_BANDWIDTH_RESPONSE_PROTO,
    },
    Method {
        name: "setErasureCodingPolicy",
        request: &SET_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &SET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "setOwner",
        request: &SET_OWNER_REQUEST_PROTO,
        response: &SET_OWNER_RESPONSE_PROTO,
    },
    Method {
        name: "setPermission",
        request: &SET_PERMISSION_REQUEST_PROTO,
        response: &SET_PERMISSION_RESPONSE_PROTO,
    },
    Method {
        name: "setQuota",
        request: &SET_QUOTA_REQUEST_PROTO,
        response: &SET_QUOTA_RESPONSE_PROTO,
    },
    Method {
        name: "setReplication",
        request: &SET_REPLICATION_REQUEST_PROTO,
        response: &SET_REPLICATION_RESPONSE_PROTO,
    },
    Method {
        name: "setSafeMode",
        request: &SET_SAFE_MODE_REQUEST_PROTO,
        response: &SET_SAFE_MODE_RESPONSE_PROTO,
    },
    Method {
        name: "setStoragePolicy",
        request: &SET_STORAGE_POLICY_REQUEST_PROTO,
        response: &SET_STORAGE_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "setTimes",
        request: &SET_TIMES_REQUEST_PROTO,
        response: &SET_TIMES_RESPONSE_PROTO,
    },
    Method {
        name: "setXAttr",
        request: &SET_X_ATTR_REQUEST_PROTO,
        response: &SET_X_ATTR_RESPONSE_PROTO,
    },
    Method {
        name: "truncate",
        request: &TRUNCATE_REQUEST_PROTO,
        response: &TRUNCATE_RESPONSE_PROTO,
    },
    Method {
        name: "unsetErasureCodingPolicy",
        request: &UNSET_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &UNSET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "unsetStoragePolicy",
        request: &UNSET_STORAGE_POLICY_REQUEST_PROTO,
        response: &UNSET_STORAGE_POLICY_RESPONSE_PROTO,
    },
    Method {
        name: "updateBlockForPipeline",
        request: &UPDATE_BLOCK_FOR_PIPELINE_REQUEST_PROTO,
        response: &UPDATE_BLOCK_FOR_PIPELINE_RESPONSE_PROTO,
    },
    Method {
        name: "updatePipeline",
        request: &UPDATE_PIPELINE_REQUEST_PROTO,
        response: &UPDATE_PIPELINE_RESPONSE_PROTO,
    },
    Method {
        name: "upgradeStatus",
        request: &UPGRADE_STATUS_REQUEST_PROTO,
        response: &UPGRADE_STATUS_RESPONSE_PROTO,
    },
];

/// All of them, in order of name.
pub(super) static MESSAGES: &[&MessageType] = &[
    &ABANDON_BLOCK_REQUEST_PROTO,
    &ABANDON_BLOCK_RESPONSE_PROTO,
    &ACL_ENTRY_PROTO,
    &ACL_STATUS_PROTO,
    &ADD_BLOCK_REQUEST_PROTO,
    &ADD_BLOCK_RESPONSE_PROTO,
    &ADD_CACHE_DIRECTIVE_REQUEST_PROTO,
    &ADD_CACHE_DIRECTIVE_RESPONSE_PROTO,
    &ADD_CACHE_POOL_REQUEST_PROTO,
    &ADD_CACHE_POOL_RESPONSE_PROTO,
    &ADD_ERASURE_CODING_POLICIES_REQUEST_PROTO,
    &ADD_ERASURE_CODING_POLICIES_RESPONSE_PROTO,
    &ADD_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &ALLOW_SNAPSHOT_REQUEST_PROTO,
    &ALLOW_SNAPSHOT_RESPONSE_PROTO,
    &APPEND_REQUEST_PROTO,
    &APPEND_RESPONSE_PROTO,
    &BATCHED_DIRECTORY_LISTING_PROTO,
    &BLOCK_STORAGE_POLICY_PROTO,
    &CACHE_DIRECTIVE_ENTRY_PROTO,
    &CACHE_DIRECTIVE_INFO_EXPIRATION_PROTO,
    &CACHE_DIRECTIVE_INFO_PROTO,
    &CACHE_DIRECTIVE_STATS_PROTO,
    &CACHE_POOL_ENTRY_PROTO,
    &CACHE_POOL_INFO_PROTO,
    &CACHE_POOL_STATS_PROTO,
    &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
    &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
    &CHECK_ACCESS_REQUEST_PROTO,
    &CHECK_ACCESS_RESPONSE_PROTO,
    &CODEC_PROTO,
    &COMPLETE_REQUEST_PROTO,
    &COMPLETE_RESPONSE_PROTO,
    &CONCAT_REQUEST_PROTO,
    &CONCAT_RESPONSE_PROTO,
    &CONTENT_SUMMARY_PROTO,
    &CORRUPT_FILE_BLOCKS_PROTO,
    &CREATE_ENCRYPTION_ZONE_REQUEST_PROTO,
    &CREATE_ENCRYPTION_ZONE_RESPONSE_PROTO,
    &CREATE_REQUEST_PROTO,
    &CREATE_RESPONSE_PROTO,
    &CREATE_SNAPSHOT_REQUEST_PROTO,
    &CREATE_SNAPSHOT_RESPONSE_PROTO,
    &CREATE_SYMLINK_REQUEST_PROTO,
    &CREATE_SYMLINK_RESPONSE_PROTO,
    &DATA_ENCRYPTION_KEY_PROTO,
    &DATANODE_ID_PROTO,
    &DATANODE_INFO_PROTO,
    &DATANODE_STORAGE_PROTO,
    &DATANODE_STORAGE_REPORT_PROTO,
    &DELETE_REQUEST_PROTO,
    &DELETE_RESPONSE_PROTO,
    &DELETE_SNAPSHOT_REQUEST_PROTO,
    &DELETE_SNAPSHOT_RESPONSE_PROTO,
    &DIRECTORY_LISTING_PROTO,
    &DISABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &DISABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &DISALLOW_SNAPSHOT_REQUEST_PROTO,
    &DISALLOW_SNAPSHOT_RESPONSE_PROTO,
    &EC_SCHEMA_OPTION_ENTRY_PROTO,
    &EC_SCHEMA_PROTO,
    &EC_TOPOLOGY_VERIFIER_RESULT_PROTO,
    &ENABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &ENABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &ENCRYPTION_ZONE_PROTO,
    &ERASURE_CODING_POLICY_PROTO,
    &EVENT_BATCH_PROTO,
    &EVENT_PROTO,
    &EVENTS_LIST_PROTO,
    &EXTENDED_BLOCK_PROTO,
    &FILE_ENCRYPTION_INFO_PROTO,
    &FINALIZE_UPGRADE_REQUEST_PROTO,
    &FINALIZE_UPGRADE_RESPONSE_PROTO,
    &FS_PERMISSION_PROTO,
    &FS_SERVER_DEFAULTS_PROTO,
    &FSYNC_REQUEST_PROTO,
    &FSYNC_RESPONSE_PROTO,
    &GET_ACL_STATUS_REQUEST_PROTO,
    &GET_ACL_STATUS_RESPONSE_PROTO,
    &GET_ADDITIONAL_DATANODE_REQUEST_PROTO,
    &GET_ADDITIONAL_DATANODE_RESPONSE_PROTO,
    &GET_BATCHED_LISTING_REQUEST_PROTO,
    &GET_BATCHED_LISTING_RESPONSE_PROTO,
    &GET_BLOCK_LOCATIONS_REQUEST_PROTO,
    &GET_BLOCK_LOCATIONS_RESPONSE_PROTO,
    &GET_CONTENT_SUMMARY_REQUEST_PROTO,
    &GET_CONTENT_SUMMARY_RESPONSE_PROTO,
    &GET_CURRENT_EDIT_LOG_TXID_REQUEST_PROTO,
    &GET_CURRENT_EDIT_LOG_TXID_RESPONSE_PROTO,
    &GET_DATA_ENCRYPTION_KEY_REQUEST_PROTO,
    &GET_DATA_ENCRYPTION_KEY_RESPONSE_PROTO,
    &GET_DATANODE_REPORT_REQUEST_PROTO,
    &GET_DATANODE_REPORT_RESPONSE_PROTO,
    &GET_DATANODE_STORAGE_REPORT_REQUEST_PROTO,
    &GET_DATANODE_STORAGE_REPORT_RESPONSE_PROTO,
    &GET_DELEGATION_TOKEN_REQUEST_PROTO,
    &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
    &GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_REQUEST_PROTO,
    &GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_RESPONSE_PROTO,
    &GET_EZ_FOR_PATH_REQUEST_PROTO,
    &GET_EZ_FOR_PATH_RESPONSE_PROTO,
    &GET_EDITS_FROM_TXID_REQUEST_PROTO,
    &GET_EDITS_FROM_TXID_RESPONSE_PROTO,
    &GET_ENCLOSING_ROOT_REQUEST_PROTO,
    &GET_ENCLOSING_ROOT_RESPONSE_PROTO,
    &GET_ERASURE_CODING_CODECS_REQUEST_PROTO,
    &GET_ERASURE_CODING_CODECS_RESPONSE_PROTO,
    &GET_ERASURE_CODING_POLICIES_REQUEST_PROTO,
    &GET_ERASURE_CODING_POLICIES_RESPONSE_PROTO,
    &GET_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &GET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &GET_FILE_INFO_REQUEST_PROTO,
    &GET_FILE_INFO_RESPONSE_PROTO,
    &GET_FILE_LINK_INFO_REQUEST_PROTO,
    &GET_FILE_LINK_INFO_RESPONSE_PROTO,
    &GET_FS_EC_BLOCK_GROUP_STATS_REQUEST_PROTO,
    &GET_FS_EC_BLOCK_GROUP_STATS_RESPONSE_PROTO,
    &GET_FS_REPLICATED_BLOCK_STATS_REQUEST_PROTO,
    &GET_FS_REPLICATED_BLOCK_STATS_RESPONSE_PROTO,
    &GET_FS_STATS_RESPONSE_PROTO,
    &GET_FS_STATUS_REQUEST_PROTO,
    &GET_LINK_TARGET_REQUEST_PROTO,
    &GET_LINK_TARGET_RESPONSE_PROTO,
    &GET_LISTING_REQUEST_PROTO,
    &GET_LISTING_RESPONSE_PROTO,
    &GET_LOCATED_FILE_INFO_REQUEST_PROTO,
    &GET_LOCATED_FILE_INFO_RESPONSE_PROTO,
    &GET_PREFERRED_BLOCK_SIZE_REQUEST_PROTO,
    &GET_PREFERRED_BLOCK_SIZE_RESPONSE_PROTO,
    &GET_QUOTA_USAGE_REQUEST_PROTO,
    &GET_QUOTA_USAGE_RESPONSE_PROTO,
    &GET_SERVER_DEFAULTS_REQUEST_PROTO,
    &GET_SERVER_DEFAULTS_RESPONSE_PROTO,
    &GET_SLOW_DATANODE_REPORT_REQUEST_PROTO,
    &GET_SLOW_DATANODE_REPORT_RESPONSE_PROTO,
    &GET_SNAPSHOT_DIFF_REPORT_LISTING_REQUEST_PROTO,
    &GET_SNAPSHOT_DIFF_REPORT_LISTING_RESPONSE_PROTO,
    &GET_SNAPSHOT_DIFF_REPORT_REQUEST_PROTO,
    &GET_SNAPSHOT_DIFF_REPORT_RESPONSE_PROTO,
    &GET_SNAPSHOT_LISTING_REQUEST_PROTO,
    &GET_SNAPSHOT_LISTING_RESPONSE_PROTO,
    &GET_SNAPSHOTTABLE_DIR_LISTING_REQUEST_PROTO,
    &GET_SNAPSHOTTABLE_DIR_LISTING_RESPONSE_PROTO,
    &GET_STORAGE_POLICIES_REQUEST_PROTO,
    &GET_STORAGE_POLICIES_RESPONSE_PROTO,
    &GET_STORAGE_POLICY_REQUEST_PROTO,
    &GET_STORAGE_POLICY_RESPONSE_PROTO,
    &GET_X_ATTRS_REQUEST_PROTO,
    &GET_X_ATTRS_RESPONSE_PROTO,
    &HA_SERVICE_STATE_REQUEST_PROTO,
    &HA_SERVICE_STATE_RESPONSE_PROTO,
    &HDFS_FILE_STATUS_PROTO,
    &IS_FILE_CLOSED_REQUEST_PROTO,
    &IS_FILE_CLOSED_RESPONSE_PROTO,
    &LIST_CACHE_DIRECTIVES_REQUEST_PROTO,
    &LIST_CACHE_DIRECTIVES_RESPONSE_PROTO,
    &LIST_CACHE_POOLS_REQUEST_PROTO,
    &LIST_CACHE_POOLS_RESPONSE_PROTO,
    &LIST_CORRUPT_FILE_BLOCKS_REQUEST_PROTO,
    &LIST_CORRUPT_FILE_BLOCKS_RESPONSE_PROTO,
    &LIST_ENCRYPTION_ZONES_REQUEST_PROTO,
    &LIST_ENCRYPTION_ZONES_RESPONSE_PROTO,
    &LIST_OPEN_FILES_REQUEST_PROTO,
    &LIST_OPEN_FILES_RESPONSE_PROTO,
    &LIST_REENCRYPTION_STATUS_REQUEST_PROTO,
    &LIST_REENCRYPTION_STATUS_RESPONSE_PROTO,
    &LIST_X_ATTRS_REQUEST_PROTO,
    &LIST_X_ATTRS_RESPONSE_PROTO,
    &LOCATED_BLOCK_PROTO,
    &LOCATED_BLOCKS_PROTO,
    &META_SAVE_REQUEST_PROTO,
    &META_SAVE_RESPONSE_PROTO,
    &MKDIRS_REQUEST_PROTO,
    &MKDIRS_RESPONSE_PROTO,
    &MODIFY_ACL_ENTRIES_REQUEST_PROTO,
    &MODIFY_ACL_ENTRIES_RESPONSE_PROTO,
    &MODIFY_CACHE_DIRECTIVE_REQUEST_PROTO,
    &MODIFY_CACHE_DIRECTIVE_RESPONSE_PROTO,
    &MODIFY_CACHE_POOL_REQUEST_PROTO,
    &MODIFY_CACHE_POOL_RESPONSE_PROTO,
    &MSYNC_REQUEST_PROTO,
    &MSYNC_RESPONSE_PROTO,
    &OPEN_FILES_BATCH_RESPONSE_PROTO,
    &QUOTA_USAGE_PROTO,
    &RECOVER_LEASE_REQUEST_PROTO,
    &RECOVER_LEASE_RESPONSE_PROTO,
    &REENCRYPT_ENCRYPTION_ZONE_REQUEST_PROTO,
    &REENCRYPT_ENCRYPTION_ZONE_RESPONSE_PROTO,
    &REFRESH_NODES_REQUEST_PROTO,
    &REFRESH_NODES_RESPONSE_PROTO,
    &REMOTE_EXCEPTION_PROTO,
    &REMOVE_ACL_ENTRIES_REQUEST_PROTO,
    &REMOVE_ACL_ENTRIES_RESPONSE_PROTO,
    &REMOVE_ACL_REQUEST_PROTO,
    &REMOVE_ACL_RESPONSE_PROTO,
    &REMOVE_CACHE_DIRECTIVE_REQUEST_PROTO,
    &REMOVE_CACHE_DIRECTIVE_RESPONSE_PROTO,
    &REMOVE_CACHE_POOL_REQUEST_PROTO,
    &REMOVE_CACHE_POOL_RESPONSE_PROTO,
    &REMOVE_DEFAULT_ACL_REQUEST_PROTO,
    &REMOVE_DEFAULT_ACL_RESPONSE_PROTO,
    &REMOVE_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &REMOVE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &REMOVE_X_ATTR_REQUEST_PROTO,
    &REMOVE_X_ATTR_RESPONSE_PROTO,
    &RENAME2_REQUEST_PROTO,
    &RENAME2_RESPONSE_PROTO,
    &RENAME_REQUEST_PROTO,
    &RENAME_RESPONSE_PROTO,
    &RENAME_SNAPSHOT_REQUEST_PROTO,
    &RENAME_SNAPSHOT_RESPONSE_PROTO,
    &RENEW_DELEGATION_TOKEN_REQUEST_PROTO,
    &RENEW_DELEGATION_TOKEN_RESPONSE_PROTO,
    &RENEW_LEASE_REQUEST_PROTO,
    &RENEW_LEASE_RESPONSE_PROTO,
    &REPORT_BAD_BLOCKS_REQUEST_PROTO,
    &REPORT_BAD_BLOCKS_RESPONSE_PROTO,
    &RESTORE_FAILED_STORAGE_REQUEST_PROTO,
    &RESTORE_FAILED_STORAGE_RESPONSE_PROTO,
    &ROLL_EDITS_REQUEST_PROTO,
    &ROLL_EDITS_RESPONSE_PROTO,
    &ROLLING_UPGRADE_INFO_PROTO,
    &ROLLING_UPGRADE_REQUEST_PROTO,
    &ROLLING_UPGRADE_RESPONSE_PROTO,
    &ROLLING_UPGRADE_STATUS_PROTO,
    &SATISFY_STORAGE_POLICY_REQUEST_PROTO,
    &SATISFY_STORAGE_POLICY_RESPONSE_PROTO,
    &SAVE_NAMESPACE_REQUEST_PROTO,
    &SAVE_NAMESPACE_RESPONSE_PROTO,
    &SET_ACL_REQUEST_PROTO,
    &SET_ACL_RESPONSE_PROTO,
    &SET_BALANCER_BANDWIDTH_REQUEST_PROTO,
    &SET_BALANCER_BANDWIDTH_RESPONSE_PROTO,
    &SET_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &SET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &SET_OWNER_REQUEST_PROTO,
    &SET_OWNER_RESPONSE_PROTO,
    &SET_PERMISSION_REQUEST_PROTO,
    &SET_PERMISSION_RESPONSE_PROTO,
    &SET_QUOTA_REQUEST_PROTO,
    &SET_QUOTA_RESPONSE_PROTO,
    &SET_REPLICATION_REQUEST_PROTO,
    &SET_REPLICATION_RESPONSE_PROTO,
    &SET_SAFE_MODE_REQUEST_PROTO,
    &SET_SAFE_MODE_RESPONSE_PROTO,
    &SET_STORAGE_POLICY_REQUEST_PROTO,
    &SET_STORAGE_POLICY_RESPONSE_PROTO,
    &SET_TIMES_REQUEST_PROTO,
    &SET_TIMES_RESPONSE_PROTO,
    &SET_X_ATTR_REQUEST_PROTO,
    &SET_X_ATTR_RESPONSE_PROTO,
    &SNAPSHOT_DIFF_REPORT_CURSOR_PROTO,
    &SNAPSHOT_DIFF_REPORT_ENTRY_PROTO,
    &SNAPSHOT_DIFF_REPORT_LISTING_ENTRY_PROTO,
    &SNAPSHOT_DIFF_REPORT_LISTING_PROTO,
    &SNAPSHOT_DIFF_REPORT_PROTO,
    &SNAPSHOT_LISTING_PROTO,
    &SNAPSHOT_STATUS_PROTO,
    &SNAPSHOTTABLE_DIRECTORY_LISTING_PROTO,
    &SNAPSHOTTABLE_DIRECTORY_STATUS_PROTO,
    &STORAGE_REPORT_PROTO,
    &STORAGE_TYPE_QUOTA_INFO_PROTO,
    &STORAGE_TYPE_QUOTA_INFOS_PROTO,
    &STORAGE_TYPES_PROTO,
    &TOKEN_PROTO,
    &TRUNCATE_REQUEST_PROTO,
    &TRUNCATE_RESPONSE_PROTO,
    &UNSET_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &UNSET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &UNSET_STORAGE_POLICY_REQUEST_PROTO,
    &UNSET_STORAGE_POLICY_RESPONSE_PROTO,
    &UPDATE_BLOCK_FOR_PIPELINE_REQUEST_PROTO,
    &UPDATE_BLOCK_FOR_PIPELINE_RESPONSE_PROTO,
    &UPDATE_PIPELINE_REQUEST_PROTO,
    &UPDATE_PIPELINE_RESPONSE_PROTO,
    &UPGRADE_STATUS_REQUEST_PROTO,
    &UPGRADE_STATUS_RESPONSE_PROTO,
    &X_ATTR_PROTO,
    &ZONE_REENCRYPTION_STATUS_PROTO,
];

static ABANDON_BLOCK_REQUEST_PROTO: MessageType = MessageType {
    name: "AbandonBlockRequestProto",
    fields: &[
        Field::required(1, "b", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "src", FieldKind::Text),
        Field::required(3, "holder", FieldKind::Text),
        Field::one(4, "file_id", FieldKind::UInt64),
    ],
};

static ABANDON_BLOCK_RESPONSE_PROTO: MessageType =
    MessageType { name: "AbandonBlockResponseProto", fields: &[] };

static ACL_ENTRY_PROTO: MessageType = MessageType {
    name: "AclEntryProto",
    fields: &[
        Field::required(1, "type", FieldKind::Enum(ACL_ENTRY_PROTO_ACL_ENTRY_TYPE_PROTO)),
        Field::required(2, "scope", FieldKind::Enum(ACL_ENTRY_PROTO_ACL_ENTRY_SCOPE_PROTO)),
        Field::required(3, "permissions", FieldKind::Enum(ACL_ENTRY_PROTO_FS_ACTION_PROTO)),
        Field::one(4, "name", FieldKind::Text),
    ],
};

static ACL_STATUS_PROTO: MessageType = MessageType {
    name: "AclStatusProto",
    fields: &[
        Field::required(1, "owner", FieldKind::Text),
        Field::required(2, "group", FieldKind::Text),
        Field::required(3, "sticky", FieldKind::Bool),
        Field::list(4, "entries", FieldKind::Message(&ACL_ENTRY_PROTO)),
        Field::one(5, "permission", FieldKind::Message(&FS_PERMISSION_PROTO)),
    ],
};

static ADD_BLOCK_REQUEST_PROTO: MessageType = MessageType {
    name: "AddBlockRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
        Field::one(3, "previous", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::list(4, "exclude_nodes", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::one(5, "file_id", FieldKind::UInt64),
        Field::list(6, "favored_nodes", FieldKind::Text),
        Field::list(7, "flags", FieldKind::Enum(ADD_BLOCK_FLAG_PROTO)),
    ],
};

static ADD_BLOCK_RESPONSE_PROTO: MessageType = MessageType {
    name: "AddBlockResponseProto",
    fields: &[Field::required(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
};

static ADD_CACHE_DIRECTIVE_REQUEST_PROTO: MessageType = MessageType {
    name: "AddCacheDirectiveRequestProto",
    fields: &[
        Field::required(1, "info", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
        Field::one(2, "cache_flags", FieldKind::UInt32),
    ],
};

static ADD_CACHE_DIRECTIVE_RESPONSE_PROTO: MessageType = MessageType {
    name: "AddCacheDirectiveResponseProto",
    fields: &[Field::required(1, "id", FieldKind::Int64)],
};

static ADD_CACHE_POOL_REQUEST_PROTO: MessageType = MessageType {
    name: "AddCachePoolRequestProto",
    fields: &[Field::required(1, "info", FieldKind::Message(&CACHE_POOL_INFO_PROTO))],
};

static ADD_CACHE_POOL_RESPONSE_PROTO: MessageType =
    MessageType { name: "AddCachePoolResponseProto", fields: &[] };

static ADD_ERASURE_CODING_POLICIES_REQUEST_PROTO: MessageType = MessageType {
    name: "AddErasureCodingPoliciesRequestProto",
    fields: &[Field::list(1, "ec_policies", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO))],
};

static ADD_ERASURE_CODING_POLICIES_RESPONSE_PROTO: MessageType = MessageType {
    name: "AddErasureCodingPoliciesResponseProto",
    fields: &[Field::list(
        1,
        "responses",
        FieldKind::Message(&ADD_ERASURE_CODING_POLICY_RESPONSE_PROTO),
    )],
};

static ADD_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType = MessageType {
    name: "AddErasureCodingPolicyResponseProto",
    fields: &[
        Field::required(1, "policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO)),
        Field::required(2, "succeed", FieldKind::Bool),
        Field::one(3, "error_msg", FieldKind::Text),
    ],
};

static ALLOW_SNAPSHOT_REQUEST_PROTO: MessageType = MessageType {
    name: "AllowSnapshotRequestProto",
    fields: &[Field::required(1, "snapshot_root", FieldKind::Text)],
};

static ALLOW_SNAPSHOT_RESPONSE_PROTO: MessageType =
    MessageType { name: "AllowSnapshotResponseProto", fields: &[] };

static APPEND_REQUEST_PROTO: MessageType = MessageType {
    name: "AppendRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
        Field::one(3, "flag", FieldKind::UInt32),
    ],
};

static APPEND_RESPONSE_PROTO: MessageType = MessageType {
    name: "AppendResponseProto",
    fields: &[
        Field::one(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO)),
        Field::one(2, "stat", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
    ],
};

static BATCHED_DIRECTORY_LISTING_PROTO: MessageType = MessageType {
    name: "BatchedDirectoryListingProto",
    fields: &[
        Field::list(1, "partial_listing", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "parent_idx", FieldKind::UInt32),
        Field::one(3, "exception", FieldKind::Message(&REMOTE_EXCEPTION_PROTO)),
    ],
};

static BLOCK_STORAGE_POLICY_PROTO: MessageType = MessageType {
    name: "BlockStoragePolicyProto",
    fields: &[
        Field::required(1, "policy_id", FieldKind::UInt32),
        Field::required(2, "name", FieldKind::Text),
        Field::required(3, "creation_policy", FieldKind::Message(&STORAGE_TYPES_PROTO)),
        Field::one(4, "creation_fallback_policy", FieldKind::Message(&STORAGE_TYPES_PROTO)),
        Field::one(5, "replication_fallback_policy", FieldKind::Message(&STORAGE_TYPES_PROTO)),
    ],
};

static CACHE_DIRECTIVE_ENTRY_PROTO: MessageType = MessageType {
    name: "CacheDirectiveEntryProto",
    fields: &[
        Field::required(1, "info", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
        Field::required(2, "stats", FieldKind::Message(&CACHE_DIRECTIVE_STATS_PROTO)),
    ],
};

static CACHE_DIRECTIVE_INFO_EXPIRATION_PROTO: MessageType = MessageType {
    name: "CacheDirectiveInfoExpirationProto",
    fields: &[
        Field::required(1, "millis", FieldKind::Int64),
        Field::required(2, "is_relative", FieldKind::Bool),
    ],
};

static CACHE_DIRECTIVE_INFO_PROTO: MessageType = MessageType {
    name: "CacheDirectiveInfoProto",
    fields: &[
        Field::one(1, "id", FieldKind::Int64),
        Field::one(2, "path", FieldKind::Text),
        Field::one(3, "replication", FieldKind::UInt32),
        Field::one(4, "pool", FieldKind::Text),
        Field::one(5, "expiration", FieldKind::Message(&CACHE_DIRECTIVE_INFO_EXPIRATION_PROTO)),
    ],
};

static CACHE_DIRECTIVE_STATS_PROTO: MessageType = MessageType {
    name: "CacheDirectiveStatsProto",
    fields: &[
        Field::required(1, "bytes_needed", FieldKind::Int64),
        Field::required(2, "bytes_cached", FieldKind::Int64),
        Field::required(3, "files_needed", FieldKind::Int64),
        Field::required(4, "files_cached", FieldKind::Int64),
        Field::required(5, "has_expired", FieldKind::Bool),
    ],
};

static CACHE_POOL_ENTRY_PROTO: MessageType = MessageType {
    name: "CachePoolEntryProto",
    fields: &[
        Field::required(1, "info", FieldKind::Message(&CACHE_POOL_INFO_PROTO)),
        Field::required(2, "stats", FieldKind::Message(&CACHE_POOL_STATS_PROTO)),
    ],
};

static CACHE_POOL_INFO_PROTO: MessageType = MessageType {
    name: "CachePoolInfoProto",
    fields: &[
        Field::one(1, "pool_name", FieldKind::Text),
        Field::one(2, "owner_name", FieldKind::Text),
        Field::one(3, "group_name", FieldKind::Text),
        Field::one(4, "mode", FieldKind::Int32),
        Field::one(5, "limit", FieldKind::Int64),
        Field::one(6, "max_relative_expiry", FieldKind::Int64),
        Field::one(7, "default_replication", FieldKind::UInt32),
    ],
};

static CACHE_POOL_STATS_PROTO: MessageType = MessageType {
    name: "CachePoolStatsProto",
    fields: &[
        Field::required(1, "bytes_needed", FieldKind::Int64),
        Field::required(2, "bytes_cached", FieldKind::Int64),
        Field::required(3, "bytes_overlimit", FieldKind::Int64),
        Field::required(4, "files_needed", FieldKind::Int64),
        Field::required(5, "files_cached", FieldKind::Int64),
    ],
};

static CANCEL_DELEGATION_TOKEN_REQUEST_PROTO: MessageType = MessageType {
    name: "CancelDelegationTokenRequestProto",
    fields: &[Field::required(1, "token", FieldKind::Message(&TOKEN_PROTO))],
};

static CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO: MessageType =
    MessageType { name: "CancelDelegationTokenResponseProto", fields: &[] };

static CHECK_ACCESS_REQUEST_PROTO: MessageType = MessageType {
    name: "CheckAccessRequestProto",
    fields: &[
        Field::required(1, "path", FieldKind::Text),
        Field::required(2, "mode", FieldKind::Enum(ACL_ENTRY_PROTO_FS_ACTION_PROTO)),
    ],
};

static CHECK_ACCESS_RESPONSE_PROTO: MessageType =
    MessageType { name: "CheckAccessResponseProto", fields: &[] };

static CODEC_PROTO: MessageType = MessageType {
    name: "CodecProto",
    fields: &[
        Field::required(1, "codec", FieldKind::Text),
        Field::required(2, "coders", FieldKind::Text),
    ],
};

static COMPLETE_REQUEST_PROTO: MessageType = MessageType {
    name: "CompleteRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
        Field::one(3, "last", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::one(4, "file_id", FieldKind::UInt64),
    ],
};

static COMPLETE_RESPONSE_PROTO: MessageType = MessageType {
    name: "CompleteResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static CONCAT_REQUEST_PROTO: MessageType = MessageType {
    name: "ConcatRequestProto",
    fields: &[Field::required(1, "trg", FieldKind::Text), Field::list(2, "srcs", FieldKind::Text)],
};

static CONCAT_RESPONSE_PROTO: MessageType =
    MessageType { name: "ConcatResponseProto", fields: &[] };

static CONTENT_SUMMARY_PROTO: MessageType = MessageType {
    name: "ContentSummaryProto",
    fields: &[
        Field::required(1, "length", FieldKind::UInt64),
        Field::required(2, "file_count", FieldKind::UInt64),
        Field::required(3, "directory_count", FieldKind::UInt64),
        Field::required(4, "quota", FieldKind::UInt64),
        Field::required(5, "space_consumed", FieldKind::UInt64),
        Field::required(6, "space_quota", FieldKind::UInt64),
        Field::one(7, "type_quota_infos", FieldKind::Message(&STORAGE_TYPE_QUOTA_INFOS_PROTO)),
        Field::one(8, "snapshot_length", FieldKind::UInt64),
        Field::one(9, "snapshot_file_count", FieldKind::UInt64),
        Field::one(10, "snapshot_directory_count", FieldKind::UInt64),
        Field::one(11, "snapshot_space_consumed", FieldKind::UInt64),
        Field::one(12, "erasure_coding_policy", FieldKind::Text),
    ],
};

static CORRUPT_FILE_BLOCKS_PROTO: MessageType = MessageType {
    name: "CorruptFileBlocksProto",
    fields: &[
        Field::list(1, "files", FieldKind::Text),
        Field::required(2, "cookie", FieldKind::Text),
    ],
};

static CREATE_ENCRYPTION_ZONE_REQUEST_PROTO: MessageType = MessageType {
    name: "CreateEncryptionZoneRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "key_name", FieldKind::Text),
    ],
};

static CREATE_ENCRYPTION_ZONE_RESPONSE_PROTO: MessageType =
    MessageType { name: "CreateEncryptionZoneResponseProto", fields: &[] };

static CREATE_REQUEST_PROTO: MessageType = MessageType {
    name: "CreateRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "masked", FieldKind::Message(&FS_PERMISSION_PROTO)),
        Field::required(3, "client_name", FieldKind::Text),
        Field::required(4, "create_flag", FieldKind::UInt32),
        Field::required(5, "create_parent", FieldKind::Bool),
        Field::required(6, "replication", FieldKind::UInt32),
        Field::required(7, "block_size", FieldKind::UInt64),
        Field::list(8, "crypto_protocol_version", FieldKind::Enum(CRYPTO_PROTOCOL_VERSION_PROTO)),
        Field::one(9, "unmasked", FieldKind::Message(&FS_PERMISSION_PROTO)),
        Field::one(10, "ec_policy_name", FieldKind::Text),
        Field::one(11, "storage_policy", FieldKind::Text),
    ],
};

static CREATE_RESPONSE_PROTO: MessageType = MessageType {
    name: "CreateResponseProto",
    fields: &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
};

static CREATE_SNAPSHOT_REQUEST_PROTO: MessageType = MessageType {
    name: "CreateSnapshotRequestProto",
    fields: &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::one(2, "snapshot_name", FieldKind::Text),
    ],
};

static CREATE_SNAPSHOT_RESPONSE_PROTO: MessageType = MessageType {
    name: "CreateSnapshotResponseProto",
    fields: &[Field::required(1, "snapshot_path", FieldKind::Text)],
};

static CREATE_SYMLINK_REQUEST_PROTO: MessageType = MessageType {
    name: "CreateSymlinkRequestProto",
    fields: &[
        Field::required(1, "target", FieldKind::Text),
        Field::required(2, "link", FieldKind::Text),
        Field::required(3, "dir_perm", FieldKind::Message(&FS_PERMISSION_PROTO)),
        Field::required(4, "create_parent", FieldKind::Bool),
    ],
};

static CREATE_SYMLINK_RESPONSE_PROTO: MessageType =
    MessageType { name: "CreateSymlinkResponseProto", fields: &[] };

static DATA_ENCRYPTION_KEY_PROTO: MessageType = MessageType {
    name: "DataEncryptionKeyProto",
    fields: &[
        Field::required(1, "key_id", FieldKind::UInt32),
        Field::required(2, "block_pool_id", FieldKind::Text),
        Field::required(3, "nonce", FieldKind::Bytes),
        Field::required(4, "encryption_key", FieldKind::Bytes),
        Field::required(5, "expiry_date", FieldKind::UInt64),
        Field::one(6, "encryption_algorithm", FieldKind::Text),
    ],
};

static DATANODE_ID_PROTO: MessageType = MessageType {
    name: "DatanodeIDProto",
    fields: &[
        Field::required(1, "ip_addr", FieldKind::Text),
        Field::required(2, "host_name", FieldKind::Text),
        Field::required(3, "datanode_uuid", FieldKind::Text),
        Field::required(4, "xfer_port", FieldKind::UInt32),
        Field::required(5, "info_port", FieldKind::UInt32),
        Field::required(6, "ipc_port", FieldKind::UInt32),
        Field::one(7, "info_secure_port", FieldKind::UInt32),
    ],
};

static DATANODE_INFO_PROTO: MessageType = MessageType {
    name: "DatanodeInfoProto",
    fields: &[
        Field::required(1, "id", FieldKind::Message(&DATANODE_ID_PROTO)),
        Field::one(2, "capacity", FieldKind::UInt64),
        Field::one(3, "dfs_used", FieldKind::UInt64),
        Field::one(4, "remaining", FieldKind::UInt64),
        Field::one(5, "block_pool_used", FieldKind::UInt64),
        Field::one(6, "last_update", FieldKind::UInt64),
        Field::one(7, "xceiver_count", FieldKind::UInt32),
        Field::one(8, "location", FieldKind::Text),
        Field::one(9, "non_dfs_used", FieldKind::UInt64),
        Field::one(10, "admin_state", FieldKind::Enum(DATANODE_INFO_PROTO_ADMIN_STATE)),
        Field::one(11, "cache_capacity", FieldKind::UInt64),
        Field::one(12, "cache_used", FieldKind::UInt64),
        Field::one(13, "last_update_monotonic", FieldKind::UInt64),
        Field::one(14, "upgrade_domain", FieldKind::Text),
        Field::one(15, "last_block_report_time", FieldKind::UInt64),
        Field::one(16, "last_block_report_monotonic", FieldKind::UInt64),
        Field::one(17, "num_blocks", FieldKind::UInt32),
        Field::one(18, "software_version", FieldKind::Text),
    ],
};

static DATANODE_STORAGE_PROTO: MessageType = MessageType {
    name: "DatanodeStorageProto",
    fields: &[
        Field::required(1, "storage_uuid", FieldKind::Text),
        Field::one(2, "state", FieldKind::Enum(DATANODE_STORAGE_PROTO_STORAGE_STATE)),
        Field::one(3, "storage_type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
    ],
};

static DATANODE_STORAGE_REPORT_PROTO: MessageType = MessageType {
    name: "DatanodeStorageReportProto",
    fields: &[
        Field::required(1, "datanode_info", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::list(2, "storage_reports", FieldKind::Message(&STORAGE_REPORT_PROTO)),
    ],
};

static DELETE_REQUEST_PROTO: MessageType = MessageType {
    name: "DeleteRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "recursive", FieldKind::Bool),
    ],
};

static DELETE_RESPONSE_PROTO: MessageType = MessageType {
    name: "DeleteResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static DELETE_SNAPSHOT_REQUEST_PROTO: MessageType = MessageType {
    name: "DeleteSnapshotRequestProto",
    fields: &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "snapshot_name", FieldKind::Text),
    ],
};

static DELETE_SNAPSHOT_RESPONSE_PROTO: MessageType =
    MessageType { name: "DeleteSnapshotResponseProto", fields: &[] };

static DIRECTORY_LISTING_PROTO: MessageType = MessageType {
    name: "DirectoryListingProto",
    fields: &[
        Field::list(1, "partial_listing", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "remaining_entries", FieldKind::UInt32),
    ],
};

static DISABLE_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "DisableErasureCodingPolicyRequestProto",
    fields: &[Field::required(1, "ec_policy_name", FieldKind::Text)],
};

static DISABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "DisableErasureCodingPolicyResponseProto", fields: &[] };

static DISALLOW_SNAPSHOT_REQUEST_PROTO: MessageType = MessageType {
    name: "DisallowSnapshotRequestProto",
    fields: &[Field::required(1, "snapshot_root", FieldKind::Text)],
};

static DISALLOW_SNAPSHOT_RESPONSE_PROTO: MessageType =
    MessageType { name: "DisallowSnapshotResponseProto", fields: &[] };

static EC_SCHEMA_OPTION_ENTRY_PROTO: MessageType = MessageType {
    name: "ECSchemaOptionEntryProto",
    fields: &[
        Field::required(1, "key", FieldKind::Text),
        Field::required(2, "value", FieldKind::Text),
    ],
};

static EC_SCHEMA_PROTO: MessageType = MessageType {
    name: "ECSchemaProto",
    fields: &[
        Field::required(1, "codec_name", FieldKind::Text),
        Field::required(2, "data_units", FieldKind::UInt32),
        Field::required(3, "parity_units", FieldKind::UInt32),
        Field::list(4, "options", FieldKind::Message(&EC_SCHEMA_OPTION_ENTRY_PROTO)),
    ],
};

static EC_TOPOLOGY_VERIFIER_RESULT_PROTO: MessageType = MessageType {
    name: "ECTopologyVerifierResultProto",
    fields: &[
        Field::required(1, "result_message", FieldKind::Text),
        Field::required(2, "is_supported", FieldKind::Bool),
    ],
};

static ENABLE_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "EnableErasureCodingPolicyRequestProto",
    fields: &[Field::required(1, "ec_policy_name", FieldKind::Text)],
};

static ENABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "EnableErasureCodingPolicyResponseProto", fields: &[] };

static ENCRYPTION_ZONE_PROTO: MessageType = MessageType {
    name: "EncryptionZoneProto",
    fields: &[
        Field::required(1, "id", FieldKind::Int64),
        Field::required(2, "path", FieldKind::Text),
        Field::required(3, "suite", FieldKind::Enum(CIPHER_SUITE_PROTO)),
        Field::required(
            4,
            "crypto_protocol_version",
            FieldKind::Enum(CRYPTO_PROTOCOL_VERSION_PROTO),
        ),
        Field::required(5, "key_name", FieldKind::Text),
    ],
};

static ERASURE_CODING_POLICY_PROTO: MessageType = MessageType {
    name: "ErasureCodingPolicyProto",
    fields: &[
        Field::one(1, "name", FieldKind::Text),
        Field::one(2, "schema", FieldKind::Message(&EC_SCHEMA_PROTO)),
        Field::one(3, "cell_size", FieldKind::UInt32),
        Field::required(4, "id", FieldKind::UInt32),
        Field::one(5, "state", FieldKind::Enum(ERASURE_CODING_POLICY_STATE)),
    ],
};

static EVENT_BATCH_PROTO: MessageType = MessageType {
    name: "EventBatchProto",
    fields: &[
        Field::required(1, "txid", FieldKind::Int64),
        Field::list(2, "events", FieldKind::Message(&EVENT_PROTO)),
    ],
};

static EVENT_PROTO: MessageType = MessageType {
    name: "EventProto",
    fields: &[
        Field::required(1, "type", FieldKind::Enum(EVENT_TYPE)),
        Field::required(2, "contents", FieldKind::Bytes),
    ],
};

static EVENTS_LIST_PROTO: MessageType = MessageType {
    name: "EventsListProto",
    fields: &[
        Field::list(1, "events", FieldKind::Message(&EVENT_PROTO)),
        Field::required(2, "first_txid", FieldKind::Int64),
        Field::required(3, "last_txid", FieldKind::Int64),
        Field::required(4, "sync_txid", FieldKind::Int64),
        Field::list(5, "batch", FieldKind::Message(&EVENT_BATCH_PROTO)),
    ],
};

static EXTENDED_BLOCK_PROTO: MessageType = MessageType {
    name: "ExtendedBlockProto",
    fields: &[
        Field::required(1, "pool_id", FieldKind::Text),
        Field::required(2, "block_id", FieldKind::UInt64),
        Field::required(3, "generation_stamp", FieldKind::UInt64),
        Field::one(4, "num_bytes", FieldKind::UInt64),
    ],
};

static FILE_ENCRYPTION_INFO_PROTO: MessageType = MessageType {
    name: "FileEncryptionInfoProto",
    fields: &[
        Field::required(1, "suite", FieldKind::Enum(CIPHER_SUITE_PROTO)),
        Field::required(
            2,
            "crypto_protocol_version",
            FieldKind::Enum(CRYPTO_PROTOCOL_VERSION_PROTO),
        ),
        Field::required(3, "key", FieldKind::Bytes),
        Field::required(4, "iv", FieldKind::Bytes),
        Field::required(5, "key_name", FieldKind::Text),
        Field::required(6, "ez_key_version_name", FieldKind::Text),
    ],
};

static FINALIZE_UPGRADE_REQUEST_PROTO: MessageType =
    MessageType { name: "FinalizeUpgradeRequestProto", fields: &[] };

static FINALIZE_UPGRADE_RESPONSE_PROTO: MessageType =
    MessageType { name: "FinalizeUpgradeResponseProto", fields: &[] };

static FS_PERMISSION_PROTO: MessageType = MessageType {
    name: "FsPermissionProto",
    fields: &[Field::required(1, "perm", FieldKind::UInt32)],
};

static FS_SERVER_DEFAULTS_PROTO: MessageType = MessageType {
    name: "FsServerDefaultsProto",
    fields: &[
        Field::required(1, "block_size", FieldKind::UInt64),
        Field::required(2, "bytes_per_checksum", FieldKind::UInt32),
        Field::required(3, "write_packet_size", FieldKind::UInt32),
        Field::required(4, "replication", FieldKind::UInt32),
        Field::required(5, "file_buffer_size", FieldKind::UInt32),
        Field::one(6, "encrypt_data_transfer", FieldKind::Bool),
        Field::one(7, "trash_interval", FieldKind::UInt64),
        Field::one(8, "checksum_type", FieldKind::Enum(CHECKSUM_TYPE_PROTO)),
        Field::one(9, "key_provider_uri", FieldKind::Text),
        Field::one(10, "policy_id", FieldKind::UInt32),
        Field::one(11, "snapshot_trash_root_enabled", FieldKind::Bool),
    ],
};

static FSYNC_REQUEST_PROTO: MessageType = MessageType {
    name: "FsyncRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client", FieldKind::Text),
        Field::one(3, "last_block_length", FieldKind::SInt64),
        Field::one(4, "file_id", FieldKind::UInt64),
    ],
};

static FSYNC_RESPONSE_PROTO: MessageType = MessageType { name: "FsyncResponseProto", fields: &[] };

static GET_ACL_STATUS_REQUEST_PROTO: MessageType = MessageType {
    name: "GetAclStatusRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static GET_ACL_STATUS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetAclStatusResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Message(&ACL_STATUS_PROTO))],
};

static GET_ADDITIONAL_DATANODE_REQUEST_PROTO: MessageType = MessageType {
    name: "GetAdditionalDatanodeRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "blk", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::list(3, "existings", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::list(4, "excludes", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::required(5, "num_additional_nodes", FieldKind::UInt32),
        Field::required(6, "client_name", FieldKind::Text),
        Field::list(7, "existing_storage_uuids", FieldKind::Text),
        Field::one(8, "file_id", FieldKind::UInt64),
    ],
};

static GET_ADDITIONAL_DATANODE_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetAdditionalDatanodeResponseProto",
    fields: &[Field::required(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
};

static GET_BATCHED_LISTING_REQUEST_PROTO: MessageType = MessageType {
    name: "GetBatchedListingRequestProto",
    fields: &[
        Field::list(1, "paths", FieldKind::Text),
        Field::required(2, "start_after", FieldKind::Bytes),
        Field::required(3, "need_location", FieldKind::Bool),
    ],
};

static GET_BATCHED_LISTING_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetBatchedListingResponseProto",
    fields: &[
        Field::list(1, "listings", FieldKind::Message(&BATCHED_DIRECTORY_LISTING_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
        Field::required(3, "start_after", FieldKind::Bytes),
    ],
};

static GET_BLOCK_LOCATIONS_REQUEST_PROTO: MessageType = MessageType {
    name: "GetBlockLocationsRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "offset", FieldKind::UInt64),
        Field::required(3, "length", FieldKind::UInt64),
    ],
};

static GET_BLOCK_LOCATIONS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetBlockLocationsResponseProto",
    fields: &[Field::one(1, "locations", FieldKind::Message(&LOCATED_BLOCKS_PROTO))],
};

static GET_CONTENT_SUMMARY_REQUEST_PROTO: MessageType = MessageType {
    name: "GetContentSummaryRequestProto",
    fields: &[Field::required(1, "path", FieldKind::Text)],
};

static GET_CONTENT_SUMMARY_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetContentSummaryResponseProto",
    fields: &[Field::required(1, "summary", FieldKind::Message(&CONTENT_SUMMARY_PROTO))],
};

static GET_CURRENT_EDIT_LOG_TXID_REQUEST_PROTO: MessageType =
    MessageType { name: "GetCurrentEditLogTxidRequestProto", fields: &[] };

static GET_CURRENT_EDIT_LOG_TXID_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetCurrentEditLogTxidResponseProto",
    fields: &[Field::required(1, "txid", FieldKind::Int64)],
};

static GET_DATA_ENCRYPTION_KEY_REQUEST_PROTO: MessageType =
    MessageType { name: "GetDataEncryptionKeyRequestProto", fields: &[] };

static GET_DATA_ENCRYPTION_KEY_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetDataEncryptionKeyResponseProto",
    fields: &[Field::one(1, "data_encryption_key", FieldKind::Message(&DATA_ENCRYPTION_KEY_PROTO))],
};

static GET_DATANODE_REPORT_REQUEST_PROTO: MessageType = MessageType {
    name: "GetDatanodeReportRequestProto",
    fields: &[Field::required(1, "type", FieldKind::Enum(DATANODE_REPORT_TYPE_PROTO))],
};

static GET_DATANODE_REPORT_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetDatanodeReportResponseProto",
    fields: &[Field::list(1, "di", FieldKind::Message(&DATANODE_INFO_PROTO))],
};

static GET_DATANODE_STORAGE_REPORT_REQUEST_PROTO: MessageType = MessageType {
    name: "GetDatanodeStorageReportRequestProto",
    fields: &[Field::required(1, "type", FieldKind::Enum(DATANODE_REPORT_TYPE_PROTO))],
};

static GET_DATANODE_STORAGE_REPORT_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetDatanodeStorageReportResponseProto",
    fields: &[Field::list(
        1,
        "datanode_storage_reports",
        FieldKind::Message(&DATANODE_STORAGE_REPORT_PROTO),
    )],
};

static GET_DELEGATION_TOKEN_REQUEST_PROTO: MessageType = MessageType {
    name: "GetDelegationTokenRequestProto",
    fields: &[Field::required(1, "renewer", FieldKind::Text)],
};

static GET_DELEGATION_TOKEN_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetDelegationTokenResponseProto",
    fields: &[Field::one(1, "token", FieldKind::Message(&TOKEN_PROTO))],
};

static GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_REQUEST_PROTO: MessageType = MessageType {
    name: "GetECTopologyResultForPoliciesRequestProto",
    fields: &[Field::list(1, "policies", FieldKind::Text)],
};

static GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetECTopologyResultForPoliciesResponseProto",
    fields: &[Field::required(
        1,
        "response",
        FieldKind::Message(&EC_TOPOLOGY_VERIFIER_RESULT_PROTO),
    )],
};

static GET_EZ_FOR_PATH_REQUEST_PROTO: MessageType = MessageType {
    name: "GetEZForPathRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static GET_EZ_FOR_PATH_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetEZForPathResponseProto",
    fields: &[Field::one(1, "zone", FieldKind::Message(&ENCRYPTION_ZONE_PROTO))],
};

static GET_EDITS_FROM_TXID_REQUEST_PROTO: MessageType = MessageType {
    name: "GetEditsFromTxidRequestProto",
    fields: &[Field::required(1, "txid", FieldKind::Int64)],
};

static GET_EDITS_FROM_TXID_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetEditsFromTxidResponseProto",
    fields: &[Field::required(1, "events_list", FieldKind::Message(&EVENTS_LIST_PROTO))],
};

static GET_ENCLOSING_ROOT_REQUEST_PROTO: MessageType = MessageType {
    name: "GetEnclosingRootRequestProto",
    fields: &[Field::one(1, "filename", FieldKind::Text)],
};

static GET_ENCLOSING_ROOT_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetEnclosingRootResponseProto",
    fields: &[Field::one(1, "enclosing_root_path", FieldKind::Text)],
};

static GET_ERASURE_CODING_CODECS_REQUEST_PROTO: MessageType =
    MessageType { name: "GetErasureCodingCodecsRequestProto", fields: &[] };

static GET_ERASURE_CODING_CODECS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetErasureCodingCodecsResponseProto",
    fields: &[Field::list(1, "codec", FieldKind::Message(&CODEC_PROTO))],
};

static GET_ERASURE_CODING_POLICIES_REQUEST_PROTO: MessageType =
    MessageType { name: "GetErasureCodingPoliciesRequestProto", fields: &[] };

static GET_ERASURE_CODING_POLICIES_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetErasureCodingPoliciesResponseProto",
    fields: &[Field::list(1, "ec_policies", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO))],
};

static GET_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "GetErasureCodingPolicyRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static GET_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetErasureCodingPolicyResponseProto",
    fields: &[Field::one(1, "ec_policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO))],
};

static GET_FILE_INFO_REQUEST_PROTO: MessageType = MessageType {
    name: "GetFileInfoRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static GET_FILE_INFO_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetFileInfoResponseProto",
    fields: &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
};

static GET_FILE_LINK_INFO_REQUEST_PROTO: MessageType = MessageType {
    name: "GetFileLinkInfoRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static GET_FILE_LINK_INFO_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetFileLinkInfoResponseProto",
    fields: &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
};

static GET_FS_EC_BLOCK_GROUP_STATS_REQUEST_PROTO: MessageType =
    MessageType { name: "GetFsECBlockGroupStatsRequestProto", fields: &[] };

static GET_FS_EC_BLOCK_GROUP_STATS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetFsECBlockGroupStatsResponseProto",
    fields: &[
        Field::required(1, "low_redundancy", FieldKind::UInt64),
        Field::required(2, "corrupt_blocks", FieldKind::UInt64),
        Field::required(3, "missing_blocks", FieldKind::UInt64),
        Field::required(4, "blocks_in_future", FieldKind::UInt64),
        Field::required(5, "pending_deletion_blocks", FieldKind::UInt64),
        Field::one(6, "highest_prio_low_redundancy_blocks", FieldKind::UInt64),
        Field::one(7, "badly_distributed_blocks", FieldKind::UInt64),
    ],
};

static GET_FS_REPLICATED_BLOCK_STATS_REQUEST_PROTO: MessageType =
    MessageType { name: "GetFsReplicatedBlockStatsRequestProto", fields: &[] };

static GET_FS_REPLICATED_BLOCK_STATS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetFsReplicatedBlockStatsResponseProto",
    fields: &[
        Field::required(1, "low_redundancy", FieldKind::UInt64),
        Field::required(2, "corrupt_blocks", FieldKind::UInt64),
        Field::required(3, "missing_blocks", FieldKind::UInt64),
        Field::required(4, "missing_repl_one_blocks", FieldKind::UInt64),
        Field::required(5, "blocks_in_future", FieldKind::UInt64),
        Field::required(6, "pending_deletion_blocks", FieldKind::UInt64),
        Field::one(7, "highest_prio_low_redundancy_blocks", FieldKind::UInt64),
        Field::one(8, "badly_distributed_blocks", FieldKind::UInt64),
    ],
};

static GET_FS_STATS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetFsStatsResponseProto",
    fields: &[
        Field::required(1, "capacity", FieldKind::UInt64),
        Field::required(2, "used", FieldKind::UInt64),
        Field::required(3, "remaining", FieldKind::UInt64),
        Field::required(4, "under_replicated", FieldKind::UInt64),
        Field::required(5, "corrupt_blocks", FieldKind::UInt64),
        Field::required(6, "missing_blocks", FieldKind::UInt64),
        Field::one(7, "missing_repl_one_blocks", FieldKind::UInt64),
        Field::one(8, "blocks_in_future", FieldKind::UInt64),
        Field::one(9, "pending_deletion_blocks", FieldKind::UInt64),
    ],
};

static GET_FS_STATUS_REQUEST_PROTO: MessageType =
    MessageType { name: "GetFsStatusRequestProto", fields: &[] };

static GET_LINK_TARGET_REQUEST_PROTO: MessageType = MessageType {
    name: "GetLinkTargetRequestProto",
    fields: &[Field::required(1, "path", FieldKind::Text)],
};

static GET_LINK_TARGET_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetLinkTargetResponseProto",
    fields: &[Field::one(1, "target_path", FieldKind::Text)],
};

static GET_LISTING_REQUEST_PROTO: MessageType = MessageType {
    name: "GetListingRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "start_after", FieldKind::Bytes),
        Field::required(3, "need_location", FieldKind::Bool),
    ],
};

static GET_LISTING_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetListingResponseProto",
    fields: &[Field::one(1, "dir_list", FieldKind::Message(&DIRECTORY_LISTING_PROTO))],
};

static GET_LOCATED_FILE_INFO_REQUEST_PROTO: MessageType = MessageType {
    name: "GetLocatedFileInfoRequestProto",
    fields: &[
        Field::one(1, "src", FieldKind::Text),
        Field::one(2, "need_block_token", FieldKind::Bool),
    ],
};

static GET_LOCATED_FILE_INFO_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetLocatedFileInfoResponseProto",
    fields: &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
};

static GET_PREFERRED_BLOCK_SIZE_REQUEST_PROTO: MessageType = MessageType {
    name: "GetPreferredBlockSizeRequestProto",
    fields: &[Field::required(1, "filename", FieldKind::Text)],
};

static GET_PREFERRED_BLOCK_SIZE_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetPreferredBlockSizeResponseProto",
    fields: &[Field::required(1, "bsize", FieldKind::UInt64)],
};

static GET_QUOTA_USAGE_REQUEST_PROTO: MessageType = MessageType {
    name: "GetQuotaUsageRequestProto",
    fields: &[Field::required(1, "path", FieldKind::Text)],
};

static GET_QUOTA_USAGE_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetQuotaUsageResponseProto",
    fields: &[Field::required(1, "usage", FieldKind::Message(&QUOTA_USAGE_PROTO))],
};

static GET_SERVER_DEFAULTS_REQUEST_PROTO: MessageType =
    MessageType { name: "GetServerDefaultsRequestProto", fields: &[] };

static GET_SERVER_DEFAULTS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetServerDefaultsResponseProto",
    fields: &[Field::required(1, "server_defaults", FieldKind::Message(&FS_SERVER_DEFAULTS_PROTO))],
};

static GET_SLOW_DATANODE_REPORT_REQUEST_PROTO: MessageType =
    MessageType { name: "GetSlowDatanodeReportRequestProto", fields: &[] };

static GET_SLOW_DATANODE_REPORT_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetSlowDatanodeReportResponseProto",
    fields: &[Field::list(1, "datanode_info_proto", FieldKind::Message(&DATANODE_INFO_PROTO))],
};

static GET_SNAPSHOT_DIFF_REPORT_LISTING_REQUEST_PROTO: MessageType = MessageType {
    name: "GetSnapshotDiffReportListingRequestProto",
    fields: &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "from_snapshot", FieldKind::Text),
        Field::required(3, "to_snapshot", FieldKind::Text),
        Field::one(4, "cursor", FieldKind::Message(&SNAPSHOT_DIFF_REPORT_CURSOR_PROTO)),
    ],
};

static GET_SNAPSHOT_DIFF_REPORT_LISTING_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetSnapshotDiffReportListingResponseProto",
    fields: &[Field::required(
        1,
        "diff_report",
        FieldKind::Message(&SNAPSHOT_DIFF_REPORT_LISTING_PROTO),
    )],
};

static GET_SNAPSHOT_DIFF_REPORT_REQUEST_PROTO: MessageType = MessageType {
    name: "GetSnapshotDiffReportRequestProto",
    fields: &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "from_snapshot", FieldKind::Text),
        Field::required(3, "to_snapshot", FieldKind::Text),
    ],
};

static GET_SNAPSHOT_DIFF_REPORT_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetSnapshotDiffReportResponseProto",
    fields: &[Field::required(1, "diff_report", FieldKind::Message(&SNAPSHOT_DIFF_REPORT_PROTO))],
};

static GET_SNAPSHOT_LISTING_REQUEST_PROTO: MessageType = MessageType {
    name: "GetSnapshotListingRequestProto",
    fields: &[Field::required(1, "snapshot_root", FieldKind::Text)],
};

static GET_SNAPSHOT_LISTING_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetSnapshotListingResponseProto",
    fields: &[Field::one(1, "snapshot_list", FieldKind::Message(&SNAPSHOT_LISTING_PROTO))],
};

static GET_SNAPSHOTTABLE_DIR_LISTING_REQUEST_PROTO: MessageType =
    MessageType { name: "GetSnapshottableDirListingRequestProto", fields: &[] };

static GET_SNAPSHOTTABLE_DIR_LISTING_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetSnapshottableDirListingResponseProto",
    fields: &[Field::one(
        1,
        "snapshottable_dir_list",
        FieldKind::Message(&SNAPSHOTTABLE_DIRECTORY_LISTING_PROTO),
    )],
};

static GET_STORAGE_POLICIES_REQUEST_PROTO: MessageType =
    MessageType { name: "GetStoragePoliciesRequestProto", fields: &[] };

static GET_STORAGE_POLICIES_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetStoragePoliciesResponseProto",
    fields: &[Field::list(1, "policies", FieldKind::Message(&BLOCK_STORAGE_POLICY_PROTO))],
};

static GET_STORAGE_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "GetStoragePolicyRequestProto",
    fields: &[Field::required(1, "path", FieldKind::Text)],
};

static GET_STORAGE_POLICY_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetStoragePolicyResponseProto",
    fields: &[Field::required(
        1,
        "storage_policy",
        FieldKind::Message(&BLOCK_STORAGE_POLICY_PROTO),
    )],
};

static GET_X_ATTRS_REQUEST_PROTO: MessageType = MessageType {
    name: "GetXAttrsRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "x_attrs", FieldKind::Message(&X_ATTR_PROTO)),
    ],
};

static GET_X_ATTRS_RESPONSE_PROTO: MessageType = MessageType {
    name: "GetXAttrsResponseProto",
    fields: &[Field::list(1, "x_attrs", FieldKind::Message(&X_ATTR_PROTO))],
};

static HA_SERVICE_STATE_REQUEST_PROTO: MessageType =
    MessageType { name: "HAServiceStateRequestProto", fields: &[] };

static HA_SERVICE_STATE_RESPONSE_PROTO: MessageType = MessageType {
    name: "HAServiceStateResponseProto",
    fields: &[Field::required(1, "state", FieldKind::Enum(HA_SERVICE_STATE_PROTO))],
};

static HDFS_FILE_STATUS_PROTO: MessageType = MessageType {
    name: "HdfsFileStatusProto",
    fields: &[
        Field::required(1, "file_type", FieldKind::Enum(HDFS_FILE_STATUS_PROTO_FILE_TYPE)),
        Field::required(2, "path", FieldKind::Bytes),
        Field::required(3, "length", FieldKind::UInt64),
        Field::required(4, "permission", FieldKind::Message(&FS_PERMISSION_PROTO)),
        Field::required(5, "owner", FieldKind::Text),
        Field::required(6, "group", FieldKind::Text),
        Field::required(7, "modification_time", FieldKind::UInt64),
        Field::required(8, "access_time", FieldKind::UInt64),
        Field::one(9, "symlink", FieldKind::Bytes),
        Field::one(10, "block_replication", FieldKind::UInt32),
        Field::one(11, "blocksize", FieldKind::UInt64),
        Field::one(12, "locations", FieldKind::Message(&LOCATED_BLOCKS_PROTO)),
        Field::one(13, "file_id", FieldKind::UInt64),
        Field::one(14, "children_num", FieldKind::Int32),
        Field::one(15, "file_encryption_info", FieldKind::Message(&FILE_ENCRYPTION_INFO_PROTO)),
        Field::one(16, "storage_policy", FieldKind::UInt32),
        Field::one(17, "ec_policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO)),
        Field::one(18, "flags", FieldKind::UInt32),
        Field::one(19, "namespace", FieldKind::Text),
    ],
};

static IS_FILE_CLOSED_REQUEST_PROTO: MessageType = MessageType {
    name: "IsFileClosedRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static IS_FILE_CLOSED_RESPONSE_PROTO: MessageType = MessageType {
    name: "IsFileClosedResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static LIST_CACHE_DIRECTIVES_REQUEST_PROTO: MessageType = MessageType {
    name: "ListCacheDirectivesRequestProto",
    fields: &[
        Field::required(1, "prev_id", FieldKind::Int64),
        Field::required(2, "filter", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
    ],
};

static LIST_CACHE_DIRECTIVES_RESPONSE_PROTO: MessageType = MessageType {
    name: "ListCacheDirectivesResponseProto",
    fields: &[
        Field::list(1, "elements", FieldKind::Message(&CACHE_DIRECTIVE_ENTRY_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
};

static LIST_CACHE_POOLS_REQUEST_PROTO: MessageType = MessageType {
    name: "ListCachePoolsRequestProto",
    fields: &[Field::required(1, "prev_pool_name", FieldKind::Text)],
};

static LIST_CACHE_POOLS_RESPONSE_PROTO: MessageType = MessageType {
    name: "ListCachePoolsResponseProto",
    fields: &[
        Field::list(1, "entries", FieldKind::Message(&CACHE_POOL_ENTRY_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
};

static LIST_CORRUPT_FILE_BLOCKS_REQUEST_PROTO: MessageType = MessageType {
    name: "ListCorruptFileBlocksRequestProto",
    fields: &[
        Field::required(1, "path", FieldKind::Text),
        Field::one(2, "cookie", FieldKind::Text),
    ],
};

static LIST_CORRUPT_FILE_BLOCKS_RESPONSE_PROTO: MessageType = MessageType {
    name: "ListCorruptFileBlocksResponseProto",
    fields: &[Field::required(1, "corrupt", FieldKind::Message(&CORRUPT_FILE_BLOCKS_PROTO))],
};

static LIST_ENCRYPTION_ZONES_REQUEST_PROTO: MessageType = MessageType {
    name: "ListEncryptionZonesRequestProto",
    fields: &[Field::required(1, "id", FieldKind::Int64)],
};

static LIST_ENCRYPTION_ZONES_RESPONSE_PROTO: MessageType = MessageType {
    name: "ListEncryptionZonesResponseProto",
    fields: &[
        Field::list(1, "zones", FieldKind::Message(&ENCRYPTION_ZONE_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
};

static LIST_OPEN_FILES_REQUEST_PROTO: MessageType = MessageType {
    name: "ListOpenFilesRequestProto",
    fields: &[
        Field::required(1, "id", FieldKind::Int64),
        Field::list(2, "types", FieldKind::Enum(OPEN_FILES_TYPE_PROTO)),
        Field::one(3, "path", FieldKind::Text),
    ],
};

static LIST_OPEN_FILES_RESPONSE_PROTO: MessageType = MessageType {
    name: "ListOpenFilesResponseProto",
    fields: &[
        Field::list(1, "entries", FieldKind::Message(&OPEN_FILES_BATCH_RESPONSE_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
        Field::list(3, "types", FieldKind::Enum(OPEN_FILES_TYPE_PROTO)),
    ],
};

static LIST_REENCRYPTION_STATUS_REQUEST_PROTO: MessageType = MessageType {
    name: "ListReencryptionStatusRequestProto",
    fields: &[Field::required(1, "id", FieldKind::Int64)],
};

static LIST_REENCRYPTION_STATUS_RESPONSE_PROTO: MessageType = MessageType {
    name: "ListReencryptionStatusResponseProto",
    fields: &[
        Field::list(1, "statuses", FieldKind::Message(&ZONE_REENCRYPTION_STATUS_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
};

static LIST_X_ATTRS_REQUEST_PROTO: MessageType = MessageType {
    name: "ListXAttrsRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static LIST_X_ATTRS_RESPONSE_PROTO: MessageType = MessageType {
    name: "ListXAttrsResponseProto",
    fields: &[Field::list(1, "x_attrs", FieldKind::Message(&X_ATTR_PROTO))],
};

static LOCATED_BLOCK_PROTO: MessageType = MessageType {
    name: "LocatedBlockProto",
    fields: &[
        Field::required(1, "b", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "offset", FieldKind::UInt64),
        Field::list(3, "locs", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::required(4, "corrupt", FieldKind::Bool),
        Field::required(5, "block_token", FieldKind::Message(&TOKEN_PROTO)),
        Field::list(6, "is_cached", FieldKind::Bool),
        Field::list(7, "storage_types", FieldKind::Enum(STORAGE_TYPE_PROTO)),
        Field::list(8, "storage_ids", FieldKind::Text),
        Field::one(9, "block_indices", FieldKind::Bytes),
        Field::list(10, "block_tokens", FieldKind::Message(&TOKEN_PROTO)),
    ],
};

static LOCATED_BLOCKS_PROTO: MessageType = MessageType {
    name: "LocatedBlocksProto",
    fields: &[
        Field::required(1, "file_length", FieldKind::UInt64),
        Field::list(2, "blocks", FieldKind::Message(&LOCATED_BLOCK_PROTO)),
        Field::required(3, "under_construction", FieldKind::Bool),
        Field::one(4, "last_block", FieldKind::Message(&LOCATED_BLOCK_PROTO)),
        Field::required(5, "is_last_block_complete", FieldKind::Bool),
        Field::one(6, "file_encryption_info", FieldKind::Message(&FILE_ENCRYPTION_INFO_PROTO)),
        Field::one(7, "ec_policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO)),
    ],
};

static META_SAVE_REQUEST_PROTO: MessageType = MessageType {
    name: "MetaSaveRequestProto",
    fields: &[Field::required(1, "filename", FieldKind::Text)],
};

static META_SAVE_RESPONSE_PROTO: MessageType =
    MessageType { name: "MetaSaveResponseProto", fields: &[] };

static MKDIRS_REQUEST_PROTO: MessageType = MessageType {
    name: "MkdirsRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "masked", FieldKind::Message(&FS_PERMISSION_PROTO)),
        Field::required(3, "create_parent", FieldKind::Bool),
        Field::one(4, "unmasked", FieldKind::Message(&FS_PERMISSION_PROTO)),
    ],
};

static MKDIRS_RESPONSE_PROTO: MessageType = MessageType {
    name: "MkdirsResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static MODIFY_ACL_ENTRIES_REQUEST_PROTO: MessageType = MessageType {
    name: "ModifyAclEntriesRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "acl_spec", FieldKind::Message(&ACL_ENTRY_PROTO)),
    ],
};

static MODIFY_ACL_ENTRIES_RESPONSE_PROTO: MessageType =
    MessageType { name: "ModifyAclEntriesResponseProto", fields: &[] };

static MODIFY_CACHE_DIRECTIVE_REQUEST_PROTO: MessageType = MessageType {
    name: "ModifyCacheDirectiveRequestProto",
    fields: &[
        Field::required(1, "info", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
        Field::one(2, "cache_flags", FieldKind::UInt32),
    ],
};

static MODIFY_CACHE_DIRECTIVE_RESPONSE_PROTO: MessageType =
    MessageType { name: "ModifyCacheDirectiveResponseProto", fields: &[] };

static MODIFY_CACHE_POOL_REQUEST_PROTO: MessageType = MessageType {
    name: "ModifyCachePoolRequestProto",
    fields: &[Field::required(1, "info", FieldKind::Message(&CACHE_POOL_INFO_PROTO))],
};

static MODIFY_CACHE_POOL_RESPONSE_PROTO: MessageType =
    MessageType { name: "ModifyCachePoolResponseProto", fields: &[] };

static MSYNC_REQUEST_PROTO: MessageType = MessageType { name: "MsyncRequestProto", fields: &[] };

static MSYNC_RESPONSE_PROTO: MessageType = MessageType { name: "MsyncResponseProto", fields: &[] };

static OPEN_FILES_BATCH_RESPONSE_PROTO: MessageType = MessageType {
    name: "OpenFilesBatchResponseProto",
    fields: &[
        Field::required(1, "id", FieldKind::Int64),
        Field::required(2, "path", FieldKind::Text),
        Field::required(3, "client_name", FieldKind::Text),
        Field::required(4, "client_machine", FieldKind::Text),
    ],
};

static QUOTA_USAGE_PROTO: MessageType = MessageType {
    name: "QuotaUsageProto",
    fields: &[
        Field::required(1, "file_and_directory_count", FieldKind::UInt64),
        Field::required(2, "quota", FieldKind::UInt64),
        Field::required(3, "space_consumed", FieldKind::UInt64),
        Field::required(4, "space_quota", FieldKind::UInt64),
        Field::one(5, "type_quota_infos", FieldKind::Message(&STORAGE_TYPE_QUOTA_INFOS_PROTO)),
    ],
};

static RECOVER_LEASE_REQUEST_PROTO: MessageType = MessageType {
    name: "RecoverLeaseRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
    ],
};

static RECOVER_LEASE_RESPONSE_PROTO: MessageType = MessageType {
    name: "RecoverLeaseResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static REENCRYPT_ENCRYPTION_ZONE_REQUEST_PROTO: MessageType = MessageType {
    name: "ReencryptEncryptionZoneRequestProto",
    fields: &[
        Field::required(1, "action", FieldKind::Enum(REENCRYPT_ACTION_PROTO)),
        Field::required(2, "zone", FieldKind::Text),
    ],
};

static REENCRYPT_ENCRYPTION_ZONE_RESPONSE_PROTO: MessageType =
    MessageType { name: "ReencryptEncryptionZoneResponseProto", fields: &[] };

static REFRESH_NODES_REQUEST_PROTO: MessageType =
    MessageType { name: "RefreshNodesRequestProto", fields: &[] };

static REFRESH_NODES_RESPONSE_PROTO: MessageType =
    MessageType { name: "RefreshNodesResponseProto", fields: &[] };

static REMOTE_EXCEPTION_PROTO: MessageType = MessageType {
    name: "RemoteExceptionProto",
    fields: &[
        Field::required(1, "class_name", FieldKind::Text),
        Field::one(2, "message", FieldKind::Text),
    ],
};

static REMOVE_ACL_ENTRIES_REQUEST_PROTO: MessageType = MessageType {
    name: "RemoveAclEntriesRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "acl_spec", FieldKind::Message(&ACL_ENTRY_PROTO)),
    ],
};

static REMOVE_ACL_ENTRIES_RESPONSE_PROTO: MessageType =
    MessageType { name: "RemoveAclEntriesResponseProto", fields: &[] };

static REMOVE_ACL_REQUEST_PROTO: MessageType = MessageType {
    name: "RemoveAclRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static REMOVE_ACL_RESPONSE_PROTO: MessageType =
    MessageType { name: "RemoveAclResponseProto", fields: &[] };

static REMOVE_CACHE_DIRECTIVE_REQUEST_PROTO: MessageType = MessageType {
    name: "RemoveCacheDirectiveRequestProto",
    fields: &[Field::required(1, "id", FieldKind::Int64)],
};

static REMOVE_CACHE_DIRECTIVE_RESPONSE_PROTO: MessageType =
    MessageType { name: "RemoveCacheDirectiveResponseProto", fields: &[] };

static REMOVE_CACHE_POOL_REQUEST_PROTO: MessageType = MessageType {
    name: "RemoveCachePoolRequestProto",
    fields: &[Field::required(1, "pool_name", FieldKind::Text)],
};

static REMOVE_CACHE_POOL_RESPONSE_PROTO: MessageType =
    MessageType { name: "RemoveCachePoolResponseProto", fields: &[] };

static REMOVE_DEFAULT_ACL_REQUEST_PROTO: MessageType = MessageType {
    name: "RemoveDefaultAclRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static REMOVE_DEFAULT_ACL_RESPONSE_PROTO: MessageType =
    MessageType { name: "RemoveDefaultAclResponseProto", fields: &[] };

static REMOVE_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "RemoveErasureCodingPolicyRequestProto",
    fields: &[Field::required(1, "ec_policy_name", FieldKind::Text)],
};

static REMOVE_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "RemoveErasureCodingPolicyResponseProto", fields: &[] };

static REMOVE_X_ATTR_REQUEST_PROTO: MessageType = MessageType {
    name: "RemoveXAttrRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "x_attr", FieldKind::Message(&X_ATTR_PROTO)),
    ],
};

static REMOVE_X_ATTR_RESPONSE_PROTO: MessageType =
    MessageType { name: "RemoveXAttrResponseProto", fields: &[] };

static RENAME2_REQUEST_PROTO: MessageType = MessageType {
    name: "Rename2RequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "dst", FieldKind::Text),
        Field::required(3, "overwrite_dest", FieldKind::Bool),
        Field::one(4, "move_to_trash", FieldKind::Bool),
    ],
};

static RENAME2_RESPONSE_PROTO: MessageType =
    MessageType { name: "Rename2ResponseProto", fields: &[] };

static RENAME_REQUEST_PROTO: MessageType = MessageType {
    name: "RenameRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "dst", FieldKind::Text),
    ],
};

static RENAME_RESPONSE_PROTO: MessageType = MessageType {
    name: "RenameResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static RENAME_SNAPSHOT_REQUEST_PROTO: MessageType = MessageType {
    name: "RenameSnapshotRequestProto",
    fields: &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "snapshot_old_name", FieldKind::Text),
        Field::required(3, "snapshot_new_name", FieldKind::Text),
    ],
};

static RENAME_SNAPSHOT_RESPONSE_PROTO: MessageType =
    MessageType { name: "RenameSnapshotResponseProto", fields: &[] };

static RENEW_DELEGATION_TOKEN_REQUEST_PROTO: MessageType = MessageType {
    name: "RenewDelegationTokenRequestProto",
    fields: &[Field::required(1, "token", FieldKind::Message(&TOKEN_PROTO))],
};

static RENEW_DELEGATION_TOKEN_RESPONSE_PROTO: MessageType = MessageType {
    name: "RenewDelegationTokenResponseProto",
    fields: &[Field::required(1, "new_expiry_time", FieldKind::UInt64)],
};

static RENEW_LEASE_REQUEST_PROTO: MessageType = MessageType {
    name: "RenewLeaseRequestProto",
    fields: &[
        Field::required(1, "client_name", FieldKind::Text),
        Field::list(2, "namespaces", FieldKind::Text),
    ],
};

static RENEW_LEASE_RESPONSE_PROTO: MessageType =
    MessageType { name: "RenewLeaseResponseProto", fields: &[] };

static REPORT_BAD_BLOCKS_REQUEST_PROTO: MessageType = MessageType {
    name: "ReportBadBlocksRequestProto",
    fields: &[Field::list(1, "blocks", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
};

static REPORT_BAD_BLOCKS_RESPONSE_PROTO: MessageType =
    MessageType { name: "ReportBadBlocksResponseProto", fields: &[] };

static RESTORE_FAILED_STORAGE_REQUEST_PROTO: MessageType = MessageType {
    name: "RestoreFailedStorageRequestProto",
    fields: &[Field::required(1, "arg", FieldKind::Text)],
};

static RESTORE_FAILED_STORAGE_RESPONSE_PROTO: MessageType = MessageType {
    name: "RestoreFailedStorageResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static ROLL_EDITS_REQUEST_PROTO: MessageType =
    MessageType { name: "RollEditsRequestProto", fields: &[] };

static ROLL_EDITS_RESPONSE_PROTO: MessageType = MessageType {
    name: "RollEditsResponseProto",
    fields: &[Field::required(1, "new_segment_tx_id", FieldKind::UInt64)],
};

static ROLLING_UPGRADE_INFO_PROTO: MessageType = MessageType {
    name: "RollingUpgradeInfoProto",
    fields: &[
        Field::required(1, "status", FieldKind::Message(&ROLLING_UPGRADE_STATUS_PROTO)),
        Field::required(2, "start_time", FieldKind::UInt64),
        Field::required(3, "finalize_time", FieldKind::UInt64),
        Field::required(4, "created_rollback_images", FieldKind::Bool),
    ],
};

static ROLLING_UPGRADE_REQUEST_PROTO: MessageType = MessageType {
    name: "RollingUpgradeRequestProto",
    fields: &[Field::required(1, "action", FieldKind::Enum(ROLLING_UPGRADE_ACTION_PROTO))],
};

static ROLLING_UPGRADE_RESPONSE_PROTO: MessageType = MessageType {
    name: "RollingUpgradeResponseProto",
    fields: &[Field::one(
        1,
        "rolling_upgrade_info",
        FieldKind::Message(&ROLLING_UPGRADE_INFO_PROTO),
    )],
};

static ROLLING_UPGRADE_STATUS_PROTO: MessageType = MessageType {
    name: "RollingUpgradeStatusProto",
    fields: &[
        Field::required(1, "block_pool_id", FieldKind::Text),
        Field::one(2, "finalized", FieldKind::Bool),
    ],
};

static SATISFY_STORAGE_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "SatisfyStoragePolicyRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static SATISFY_STORAGE_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "SatisfyStoragePolicyResponseProto", fields: &[] };

static SAVE_NAMESPACE_REQUEST_PROTO: MessageType = MessageType {
    name: "SaveNamespaceRequestProto",
    fields: &[
        Field::one(1, "time_window", FieldKind::UInt64),
        Field::one(2, "tx_gap", FieldKind::UInt64),
    ],
};

static SAVE_NAMESPACE_RESPONSE_PROTO: MessageType = MessageType {
    name: "SaveNamespaceResponseProto",
    fields: &[Field::one(1, "saved", FieldKind::Bool)],
};

static SET_ACL_REQUEST_PROTO: MessageType = MessageType {
    name: "SetAclRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "acl_spec", FieldKind::Message(&ACL_ENTRY_PROTO)),
    ],
};

static SET_ACL_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetAclResponseProto", fields: &[] };

static SET_BALANCER_BANDWIDTH_REQUEST_PROTO: MessageType = MessageType {
    name: "SetBalancerBandwidthRequestProto",
    fields: &[Field::required(1, "bandwidth", FieldKind::Int64)],
};

static SET_BALANCER_BANDWIDTH_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetBalancerBandwidthResponseProto", fields: &[] };

static SET_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "SetErasureCodingPolicyRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "ec_policy_name", FieldKind::Text),
    ],
};

static SET_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetErasureCodingPolicyResponseProto", fields: &[] };

static SET_OWNER_REQUEST_PROTO: MessageType = MessageType {
    name: "SetOwnerRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "username", FieldKind::Text),
        Field::one(3, "groupname", FieldKind::Text),
    ],
};

static SET_OWNER_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetOwnerResponseProto", fields: &[] };

static SET_PERMISSION_REQUEST_PROTO: MessageType = MessageType {
    name: "SetPermissionRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "permission", FieldKind::Message(&FS_PERMISSION_PROTO)),
    ],
};

static SET_PERMISSION_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetPermissionResponseProto", fields: &[] };

static SET_QUOTA_REQUEST_PROTO: MessageType = MessageType {
    name: "SetQuotaRequestProto",
    fields: &[
        Field::required(1, "path", FieldKind::Text),
        Field::required(2, "namespace_quota", FieldKind::UInt64),
        Field::required(3, "storagespace_quota", FieldKind::UInt64),
        Field::one(4, "storage_type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
    ],
};

static SET_QUOTA_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetQuotaResponseProto", fields: &[] };

static SET_REPLICATION_REQUEST_PROTO: MessageType = MessageType {
    name: "SetReplicationRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "replication", FieldKind::UInt32),
    ],
};

static SET_REPLICATION_RESPONSE_PROTO: MessageType = MessageType {
    name: "SetReplicationResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static SET_SAFE_MODE_REQUEST_PROTO: MessageType = MessageType {
    name: "SetSafeModeRequestProto",
    fields: &[
        Field::required(1, "action", FieldKind::Enum(SAFE_MODE_ACTION_PROTO)),
        Field::one(2, "checked", FieldKind::Bool),
    ],
};

static SET_SAFE_MODE_RESPONSE_PROTO: MessageType = MessageType {
    name: "SetSafeModeResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static SET_STORAGE_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "SetStoragePolicyRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "policy_name", FieldKind::Text),
    ],
};

static SET_STORAGE_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetStoragePolicyResponseProto", fields: &[] };

static SET_TIMES_REQUEST_PROTO: MessageType = MessageType {
    name: "SetTimesRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "mtime", FieldKind::UInt64),
        Field::required(3, "atime", FieldKind::UInt64),
    ],
};

static SET_TIMES_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetTimesResponseProto", fields: &[] };

static SET_X_ATTR_REQUEST_PROTO: MessageType = MessageType {
    name: "SetXAttrRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "x_attr", FieldKind::Message(&X_ATTR_PROTO)),
        Field::one(3, "flag", FieldKind::UInt32),
    ],
};

static SET_X_ATTR_RESPONSE_PROTO: MessageType =
    MessageType { name: "SetXAttrResponseProto", fields: &[] };

static SNAPSHOT_DIFF_REPORT_CURSOR_PROTO: MessageType = MessageType {
    name: "SnapshotDiffReportCursorProto",
    fields: &[
        Field::required(1, "start_path", FieldKind::Bytes),
        Field::required(2, "index", FieldKind::Int32),
    ],
};

static SNAPSHOT_DIFF_REPORT_ENTRY_PROTO: MessageType = MessageType {
    name: "SnapshotDiffReportEntryProto",
    fields: &[
        Field::required(1, "fullpath", FieldKind::Bytes),
        Field::required(2, "modification_label", FieldKind::Text),
        Field::one(3, "target_path", FieldKind::Bytes),
    ],
};

static SNAPSHOT_DIFF_REPORT_LISTING_ENTRY_PROTO: MessageType = MessageType {
    name: "SnapshotDiffReportListingEntryProto",
    fields: &[
        Field::required(1, "fullpath", FieldKind::Bytes),
        Field::required(2, "dir_id", FieldKind::UInt64),
        Field::required(3, "is_reference", FieldKind::Bool),
        Field::one(4, "target_path", FieldKind::Bytes),
        Field::one(5, "file_id", FieldKind::UInt64),
    ],
};

static SNAPSHOT_DIFF_REPORT_LISTING_PROTO: MessageType = MessageType {
    name: "SnapshotDiffReportListingProto",
    fields: &[
        Field::list(
            1,
            "modified_entries",
            FieldKind::Message(&SNAPSHOT_DIFF_REPORT_LISTING_ENTRY_PROTO),
        ),
        Field::list(
            2,
            "created_entries",
            FieldKind::Message(&SNAPSHOT_DIFF_REPORT_LISTING_ENTRY_PROTO),
        ),
        Field::list(
            3,
            "deleted_entries",
            FieldKind::Message(&SNAPSHOT_DIFF_REPORT_LISTING_ENTRY_PROTO),
        ),
        Field::required(4, "is_from_earlier", FieldKind::Bool),
        Field::one(5, "cursor", FieldKind::Message(&SNAPSHOT_DIFF_REPORT_CURSOR_PROTO)),
    ],
};

static SNAPSHOT_DIFF_REPORT_PROTO: MessageType = MessageType {
    name: "SnapshotDiffReportProto",
    fields: &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "from_snapshot", FieldKind::Text),
        Field::required(3, "to_snapshot", FieldKind::Text),
        Field::list(
            4,
            "diff_report_entries",
            FieldKind::Message(&SNAPSHOT_DIFF_REPORT_ENTRY_PROTO),
        ),
    ],
};

static SNAPSHOT_LISTING_PROTO: MessageType = MessageType {
    name: "SnapshotListingProto",
    fields: &[Field::list(1, "snapshot_listing", FieldKind::Message(&SNAPSHOT_STATUS_PROTO))],
};

static SNAPSHOT_STATUS_PROTO: MessageType = MessageType {
    name: "SnapshotStatusProto",
    fields: &[
        Field::required(1, "dir_status", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "snapshot_id", FieldKind::UInt32),
        Field::required(3, "parent_fullpath", FieldKind::Bytes),
        Field::required(4, "is_deleted", FieldKind::Bool),
    ],
};

static SNAPSHOTTABLE_DIRECTORY_LISTING_PROTO: MessageType = MessageType {
    name: "SnapshottableDirectoryListingProto",
    fields: &[Field::list(
        1,
        "snapshottable_dir_listing",
        FieldKind::Message(&SNAPSHOTTABLE_DIRECTORY_STATUS_PROTO),
    )],
};

static SNAPSHOTTABLE_DIRECTORY_STATUS_PROTO: MessageType = MessageType {
    name: "SnapshottableDirectoryStatusProto",
    fields: &[
        Field::required(1, "dir_status", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "snapshot_quota", FieldKind::UInt32),
        Field::required(3, "snapshot_number", FieldKind::UInt32),
        Field::required(4, "parent_fullpath", FieldKind::Bytes),
    ],
};

static STORAGE_REPORT_PROTO: MessageType = MessageType {
    name: "StorageReportProto",
    fields: &[
        Field::required(1, "storage_uuid", FieldKind::Text),
        Field::one(2, "failed", FieldKind::Bool),
        Field::one(3, "capacity", FieldKind::UInt64),
        Field::one(4, "dfs_used", FieldKind::UInt64),
        Field::one(5, "remaining", FieldKind::UInt64),
        Field::one(6, "block_pool_used", FieldKind::UInt64),
        Field::one(7, "storage", FieldKind::Message(&DATANODE_STORAGE_PROTO)),
        Field::one(8, "non_dfs_used", FieldKind::UInt64),
        Field::one(9, "mount", FieldKind::Text),
    ],
};

static STORAGE_TYPE_QUOTA_INFO_PROTO: MessageType = MessageType {
    name: "StorageTypeQuotaInfoProto",
    fields: &[
        Field::one(1, "type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
        Field::required(2, "quota", FieldKind::UInt64),
        Field::required(3, "consumed", FieldKind::UInt64),
    ],
};

static STORAGE_TYPE_QUOTA_INFOS_PROTO: MessageType = MessageType {
    name: "StorageTypeQuotaInfosProto",
    fields: &[Field::list(
        1,
        "type_quota_info",
        FieldKind::Message(&STORAGE_TYPE_QUOTA_INFO_PROTO),
    )],
};

static STORAGE_TYPES_PROTO: MessageType = MessageType {
    name: "StorageTypesProto",
    fields: &[Field::list(1, "storage_types", FieldKind::Enum(STORAGE_TYPE_PROTO))],
};

static TOKEN_PROTO: MessageType = MessageType {
    name: "TokenProto",
    fields: &[
        Field::required(1, "identifier", FieldKind::Bytes),
        Field::required(2, "password", FieldKind::Bytes),
        Field::required(3, "kind", FieldKind::Text),
        Field::required(4, "service", FieldKind::Text),
    ],
};

static TRUNCATE_REQUEST_PROTO: MessageType = MessageType {
    name: "TruncateRequestProto",
    fields: &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "new_length", FieldKind::UInt64),
        Field::required(3, "client_name", FieldKind::Text),
    ],
};

static TRUNCATE_RESPONSE_PROTO: MessageType = MessageType {
    name: "TruncateResponseProto",
    fields: &[Field::required(1, "result", FieldKind::Bool)],
};

static UNSET_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "UnsetErasureCodingPolicyRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static UNSET_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "UnsetErasureCodingPolicyResponseProto", fields: &[] };

static UNSET_STORAGE_POLICY_REQUEST_PROTO: MessageType = MessageType {
    name: "UnsetStoragePolicyRequestProto",
    fields: &[Field::required(1, "src", FieldKind::Text)],
};

static UNSET_STORAGE_POLICY_RESPONSE_PROTO: MessageType =
    MessageType { name: "UnsetStoragePolicyResponseProto", fields: &[] };

static UPDATE_BLOCK_FOR_PIPELINE_REQUEST_PROTO: MessageType = MessageType {
    name: "UpdateBlockForPipelineRequestProto",
    fields: &[
        Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "client_name", FieldKind::Text),
    ],
};

static UPDATE_BLOCK_FOR_PIPELINE_RESPONSE_PROTO: MessageType = MessageType {
    name: "UpdateBlockForPipelineResponseProto",
    fields: &[Field::required(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
};

static UPDATE_PIPELINE_REQUEST_PROTO: MessageType = MessageType {
    name: "UpdatePipelineRequestProto",
    fields: &[
        Field::required(1, "client_name", FieldKind::Text),
        Field::required(2, "old_block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(3, "new_block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::list(4, "new_nodes", FieldKind::Message(&DATANODE_ID_PROTO)),
        Field::list(5, "storage_ids", FieldKind::Text),
    ],
};

static UPDATE_PIPELINE_RESPONSE_PROTO: MessageType =
    MessageType { name: "UpdatePipelineResponseProto", fields: &[] };

static UPGRADE_STATUS_REQUEST_PROTO: MessageType =
    MessageType { name: "UpgradeStatusRequestProto", fields: &[] };

static UPGRADE_STATUS_RESPONSE_PROTO: MessageType = MessageType {
    name: "UpgradeStatusResponseProto",
    fields: &[Field::required(1, "upgrade_finalized", FieldKind::Bool)],
};

static X_ATTR_PROTO: MessageType = MessageType {
    name: "XAttrProto",
    fields: &[
        Field::required(1, "namespace", FieldKind::Enum(X_ATTR_PROTO_X_ATTR_NAMESPACE_PROTO)),
        Field::required(2, "name", FieldKind::Text),
        Field::one(3, "value", FieldKind::Bytes),
    ],
};

static ZONE_REENCRYPTION_STATUS_PROTO: MessageType = MessageType {
    name: "ZoneReencryptionStatusProto",
    fields: &[
        Field::required(1, "id", FieldKind::Int64),
        Field::required(2, "path", FieldKind::Text),
        Field::required(3, "state", FieldKind::Enum(REENCRYPTION_STATE_PROTO)),
        Field::required(4, "ez_key_version_name", FieldKind::Text),
        Field::required(5, "submission_time", FieldKind::Int64),
        Field::required(6, "canceled", FieldKind::Bool),
        Field::required(7, "num_reencrypted", FieldKind::Int64),
        Field::required(8, "num_failures", FieldKind::Int64),
        Field::one(9, "completion_time", FieldKind::Int64),
        Field::one(10, "last_file", FieldKind::Text),
    ],
};

const ACL_ENTRY_PROTO_ACL_ENTRY_SCOPE_PROTO: &[(i64, &str)] = &[(0, "ACCESS"), (1, "DEFAULT")];

const ACL_ENTRY_PROTO_ACL_ENTRY_TYPE_PROTO: &[(i64, &str)] =
    &[(0, "USER"), (1, "GROUP"), (2, "MASK"), (3, "OTHER")];

const ACL_ENTRY_PROTO_FS_ACTION_PROTO: &[(i64, &str)] = &[
    (0, "NONE"),
    (1, "EXECUTE"),
    (2, "WRITE"),
    (3, "WRITE_EXECUTE"),
    (4, "READ"),
    (5, "READ_EXECUTE"),
    (6, "READ_WRITE"),
    (7, "PERM_ALL"),
];

const ADD_BLOCK_FLAG_PROTO: &[(i64, &str)] =
    &[(1, "NO_LOCAL_WRITE"), (2, "IGNORE_CLIENT_LOCALITY")];

const CHECKSUM_TYPE_PROTO: &[(i64, &str)] =
    &[(0, "CHECKSUM_NULL"), (1, "CHECKSUM_CRC32"), (2, "CHECKSUM_CRC32C")];

const CIPHER_SUITE_PROTO: &[(i64, &str)] =
    &[(1, "UNKNOWN"), (2, "AES_CTR_NOPADDING"), (3, "SM4_CTR_NOPADDING")];

const CRYPTO_PROTOCOL_VERSION_PROTO: &[(i64, &str)] =
    &[(1, "UNKNOWN_PROTOCOL_VERSION"), (2, "ENCRYPTION_ZONES")];

const DATANODE_INFO_PROTO_ADMIN_STATE: &[(i64, &str)] = &[
    (0, "NORMAL"),
    (1, "DECOMMISSION_INPROGRESS"),
    (2, "DECOMMISSIONED"),
    (3, "ENTERING_MAINTENANCE"),
    (4, "IN_MAINTENANCE"),
];

const DATANODE_REPORT_TYPE_PROTO: &[(i64, &str)] = &[
    (1, "ALL"),
    (2, "LIVE"),
    (3, "DEAD"),
    (4, "DECOMMISSIONING"),
    (5, "ENTERING_MAINTENANCE"),
    (6, "IN_MAINTENANCE"),
];

const DATANODE_STORAGE_PROTO_STORAGE_STATE: &[(i64, &str)] =
    &[(0, "NORMAL"), (1, "READ_ONLY_SHARED")];

const ERASURE_CODING_POLICY_STATE: &[(i64, &str)] =
    &[(1, "DISABLED"), (2, "ENABLED"), (3, "REMOVED")];

const EVENT_TYPE: &[(i64, &str)] = &[
    (0, "EVENT_CREATE"),
    (1, "EVENT_CLOSE"),
    (2, "EVENT_APPEND"),
    (3, "EVENT_RENAME"),
    (4, "EVENT_METADATA"),
    (5, "EVENT_UNLINK"),
    (6, "EVENT_TRUNCATE"),
];

const HA_SERVICE_STATE_PROTO: &[(i64, &str)] =
    &[(0, "INITIALIZING"), (1, "ACTIVE"), (2, "STANDBY"), (3, "OBSERVER")];

const HDFS_FILE_STATUS_PROTO_FILE_TYPE: &[(i64, &str)] =
    &[(1, "IS_DIR"), (2, "IS_FILE"), (3, "IS_SYMLINK")];

const OPEN_FILES_TYPE_PROTO: &[(i64, &str)] =
    &[(1, "ALL_OPEN_FILES"), (2, "BLOCKING_DECOMMISSION")];

const REENCRYPT_ACTION_PROTO: &[(i64, &str)] = &[(1, "CANCEL_REENCRYPT"), (2, "START_REENCRYPT")];

const REENCRYPTION_STATE_PROTO: &[(i64, &str)] =
    &[(1, "SUBMITTED"), (2, "PROCESSING"), (3, "COMPLETED")];

const ROLLING_UPGRADE_ACTION_PROTO: &[(i64, &str)] = &[(1, "QUERY"), (2, "START"), (3, "FINALIZE")];

const SAFE_MODE_ACTION_PROTO: &[(i64, &str)] = &[
    (1, "SAFEMODE_LEAVE"),
    (2, "SAFEMODE_ENTER"),
    (3, "SAFEMODE_GET"),
    (4, "SAFEMODE_FORCE_EXIT"),
];

const STORAGE_TYPE_PROTO: &[(i64, &str)] =
    &[(1, "DISK"), (2, "SSD"), (3, "ARCHIVE"), (4, "RAM_DISK"), (5, "PROVIDED"), (6, "NVDIMM")];

const X_ATTR_PROTO_X_ATTR_NAMESPACE_PROTO: &[(i64, &str)] =
    &[(0, "USER"), (1, "TRUSTED"), (2, "SECURITY"), (3, "SYSTEM"), (4, "RAW")];
