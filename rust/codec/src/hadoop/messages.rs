//! The methods of Hadoop's protobuf services, and every message that they lead to.
//!
//! Printed by `tests/peers/hadoop` (`ProtoTables`) from the descriptors of Hadoop
//! 3.5.0: `make tables`.

use super::secrets::message;
use super::services::{Method, Repetition, Service};
use crate::proto::{Field, FieldKind, MessageType};

/// All of them, in order of the protocol's name.
pub(super) static SERVICES: &[Service] = &[
    Service { protocol: "CsiAdaptorPB", version: 1, methods: CSI_ADAPTOR_PB_METHODS },
    Service {
        protocol: "org.apache.hadoop.ha.HAServiceProtocol",
        version: 1,
        methods: HA_SERVICE_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.ha.ZKFCProtocol",
        version: 1,
        methods: ZKFC_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.protocol.ClientDatanodeProtocol",
        version: 1,
        methods: CLIENT_DATANODE_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.protocol.ClientProtocol",
        version: 1,
        methods: CLIENT_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.protocol.ReconfigurationProtocol",
        version: 1,
        methods: RECONFIGURATION_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.qjournal.protocol.InterQJournalProtocol",
        version: 1,
        methods: INTER_Q_JOURNAL_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.qjournal.protocol.QJournalProtocol",
        version: 1,
        methods: Q_JOURNAL_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.server.aliasmap.AliasMapProtocol",
        version: 1,
        methods: ALIAS_MAP_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.server.protocol.DatanodeLifelineProtocol",
        version: 1,
        methods: DATANODE_LIFELINE_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol",
        version: 1,
        methods: DATANODE_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.server.protocol.InterDatanodeProtocol",
        version: 1,
        methods: INTER_DATANODE_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.server.protocol.JournalProtocol",
        version: 1,
        methods: JOURNAL_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol",
        version: 1,
        methods: NAMENODE_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.ipc.GenericRefreshProtocol",
        version: 1,
        methods: GENERIC_REFRESH_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.ipc.ProtocolMetaInfoPB",
        version: 1,
        methods: PROTOCOL_META_INFO_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.ipc.RefreshCallQueueProtocol",
        version: 1,
        methods: REFRESH_CALL_QUEUE_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.mapreduce.v2.api.HSAdminRefreshProtocol",
        version: 1,
        methods: HS_ADMIN_REFRESH_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.mapreduce.v2.api.HSClientProtocolPB",
        version: 1,
        methods: HS_CLIENT_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.mapreduce.v2.api.MRClientProtocolPB",
        version: 1,
        methods: MR_CLIENT_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.security.RefreshUserMappingsProtocol",
        version: 1,
        methods: REFRESH_USER_MAPPINGS_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol",
        version: 1,
        methods: REFRESH_AUTHORIZATION_POLICY_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.tools.GetUserMappingsProtocol",
        version: 1,
        methods: GET_USER_MAPPINGS_PROTOCOL_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.api.ApplicationClientProtocolPB",
        version: 1,
        methods: APPLICATION_CLIENT_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.api.ApplicationHistoryProtocolPB",
        version: 1,
        methods: APPLICATION_HISTORY_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.api.ApplicationMasterProtocolPB",
        version: 1,
        methods: APPLICATION_MASTER_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.api.ClientSCMProtocolPB",
        version: 1,
        methods: CLIENT_SCM_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.api.ContainerManagementProtocolPB",
        version: 1,
        methods: CONTAINER_MANAGEMENT_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.server.api.CollectorNodemanagerProtocolPB",
        version: 1,
        methods: COLLECTOR_NODEMANAGER_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.server.api.DistributedSchedulingAMProtocolPB",
        version: 1,
        methods: DISTRIBUTED_SCHEDULING_AM_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.server.api.ResourceManagerAdministrationProtocolPB",
        version: 1,
        methods: RESOURCE_MANAGER_ADMINISTRATION_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.server.api.ResourceTrackerPB",
        version: 1,
        methods: RESOURCE_TRACKER_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.server.api.SCMAdminProtocolPB",
        version: 1,
        methods: SCM_ADMIN_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.server.api.SCMUploaderProtocolPB",
        version: 1,
        methods: SCM_UPLOADER_PROTOCOL_PB_METHODS,
    },
    Service {
        protocol: "org.apache.hadoop.yarn.server.nodemanager.api.LocalizationProtocolPB",
        version: 1,
        methods: LOCALIZATION_PROTOCOL_PB_METHODS,
    },
];

static CSI_ADAPTOR_PB_METHODS: &[Method] = &[
    Method {
        name: "getPluginInfo",
        request: &GET_PLUGIN_INFO_REQUEST,
        response: &GET_PLUGIN_INFO_RESPONSE,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "nodePublishVolume",
        request: &NODE_PUBLISH_VOLUME_REQUEST,
        response: &NODE_PUBLISH_VOLUME_RESPONSE,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "nodeUnpublishVolume",
        request: &NODE_UNPUBLISH_VOLUME_REQUEST,
        response: &NODE_UNPUBLISH_VOLUME_RESPONSE,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "validateVolumeCapacity",
        request: &VALIDATE_VOLUME_CAPABILITIES_REQUEST,
        response: &VALIDATE_VOLUME_CAPABILITIES_RESPONSE,
        repetition: Repetition::Unsafe,
    },
];

static HA_SERVICE_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "getServiceStatus",
        request: &GET_SERVICE_STATUS_REQUEST_PROTO,
        response: &GET_SERVICE_STATUS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "monitorHealth",
        request: &MONITOR_HEALTH_REQUEST_PROTO,
        response: &MONITOR_HEALTH_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "transitionToActive",
        request: &TRANSITION_TO_ACTIVE_REQUEST_PROTO,
        response: &TRANSITION_TO_ACTIVE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "transitionToObserver",
        request: &TRANSITION_TO_OBSERVER_REQUEST_PROTO,
        response: &TRANSITION_TO_OBSERVER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "transitionToStandby",
        request: &TRANSITION_TO_STANDBY_REQUEST_PROTO,
        response: &TRANSITION_TO_STANDBY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static ZKFC_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "cedeActive",
        request: &CEDE_ACTIVE_REQUEST_PROTO,
        response: &CEDE_ACTIVE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "gracefulFailover",
        request: &GRACEFUL_FAILOVER_REQUEST_PROTO,
        response: &GRACEFUL_FAILOVER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static CLIENT_DATANODE_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "cancelDiskBalancerPlan",
        request: &CANCEL_PLAN_REQUEST_PROTO,
        response: &CANCEL_PLAN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "deleteBlockPool",
        request: &DELETE_BLOCK_POOL_REQUEST_PROTO,
        response: &DELETE_BLOCK_POOL_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "evictWriters",
        request: &EVICT_WRITERS_REQUEST_PROTO,
        response: &EVICT_WRITERS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getBalancerBandwidth",
        request: &GET_BALANCER_BANDWIDTH_REQUEST_PROTO,
        response: &GET_BALANCER_BANDWIDTH_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getBlockLocalPathInfo",
        request: &GET_BLOCK_LOCAL_PATH_INFO_REQUEST_PROTO,
        response: &GET_BLOCK_LOCAL_PATH_INFO_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getDatanodeInfo",
        request: &GET_DATANODE_INFO_REQUEST_PROTO,
        response: &GET_DATANODE_INFO_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getDiskBalancerSetting",
        request: &DISK_BALANCER_SETTING_REQUEST_PROTO,
        response: &DISK_BALANCER_SETTING_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getReconfigurationStatus",
        request: &GET_RECONFIGURATION_STATUS_REQUEST_PROTO,
        response: &GET_RECONFIGURATION_STATUS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getReplicaVisibleLength",
        request: &GET_REPLICA_VISIBLE_LENGTH_REQUEST_PROTO,
        response: &GET_REPLICA_VISIBLE_LENGTH_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getVolumeReport",
        request: &GET_VOLUME_REPORT_REQUEST_PROTO,
        response: &GET_VOLUME_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "listReconfigurableProperties",
        request: &LIST_RECONFIGURABLE_PROPERTIES_REQUEST_PROTO,
        response: &LIST_RECONFIGURABLE_PROPERTIES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "queryDiskBalancerPlan",
        request: &QUERY_PLAN_STATUS_REQUEST_PROTO,
        response: &QUERY_PLAN_STATUS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "refreshNamenodes",
        request: &REFRESH_NAMENODES_REQUEST_PROTO,
        response: &REFRESH_NAMENODES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "shutdownDatanode",
        request: &SHUTDOWN_DATANODE_REQUEST_PROTO,
        response: &SHUTDOWN_DATANODE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "startReconfiguration",
        request: &START_RECONFIGURATION_REQUEST_PROTO,
        response: &START_RECONFIGURATION_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "submitDiskBalancerPlan",
        request: &SUBMIT_DISK_BALANCER_PLAN_REQUEST_PROTO,
        response: &SUBMIT_DISK_BALANCER_PLAN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "triggerBlockReport",
        request: &TRIGGER_BLOCK_REPORT_REQUEST_PROTO,
        response: &TRIGGER_BLOCK_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static CLIENT_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "abandonBlock",
        request: &ABANDON_BLOCK_REQUEST_PROTO,
        response: &ABANDON_BLOCK_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "addBlock",
        request: &ADD_BLOCK_REQUEST_PROTO,
        response: &ADD_BLOCK_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "addCacheDirective",
        request: &ADD_CACHE_DIRECTIVE_REQUEST_PROTO,
        response: &ADD_CACHE_DIRECTIVE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "addCachePool",
        request: &ADD_CACHE_POOL_REQUEST_PROTO,
        response: &ADD_CACHE_POOL_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "addErasureCodingPolicies",
        request: &ADD_ERASURE_CODING_POLICIES_REQUEST_PROTO,
        response: &ADD_ERASURE_CODING_POLICIES_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "allowSnapshot",
        request: &ALLOW_SNAPSHOT_REQUEST_PROTO,
        response: &ALLOW_SNAPSHOT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "append",
        request: &APPEND_REQUEST_PROTO,
        response: &APPEND_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "cancelDelegationToken",
        request: &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "checkAccess",
        request: &CHECK_ACCESS_REQUEST_PROTO,
        response: &CHECK_ACCESS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "complete",
        request: &COMPLETE_REQUEST_PROTO,
        response: &COMPLETE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "concat",
        request: &CONCAT_REQUEST_PROTO,
        response: &CONCAT_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "create",
        request: &CREATE_REQUEST_PROTO,
        response: &CREATE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "createEncryptionZone",
        request: &CREATE_ENCRYPTION_ZONE_REQUEST_PROTO,
        response: &CREATE_ENCRYPTION_ZONE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "createSnapshot",
        request: &CREATE_SNAPSHOT_REQUEST_PROTO,
        response: &CREATE_SNAPSHOT_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "createSymlink",
        request: &CREATE_SYMLINK_REQUEST_PROTO,
        response: &CREATE_SYMLINK_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "delete",
        request: &DELETE_REQUEST_PROTO,
        response: &DELETE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "deleteSnapshot",
        request: &DELETE_SNAPSHOT_REQUEST_PROTO,
        response: &DELETE_SNAPSHOT_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "disableErasureCodingPolicy",
        request: &DISABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &DISABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "disallowSnapshot",
        request: &DISALLOW_SNAPSHOT_REQUEST_PROTO,
        response: &DISALLOW_SNAPSHOT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "enableErasureCodingPolicy",
        request: &ENABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &ENABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "finalizeUpgrade",
        request: &FINALIZE_UPGRADE_REQUEST_PROTO,
        response: &FINALIZE_UPGRADE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "fsync",
        request: &FSYNC_REQUEST_PROTO,
        response: &FSYNC_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getAclStatus",
        request: &GET_ACL_STATUS_REQUEST_PROTO,
        response: &GET_ACL_STATUS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getAdditionalDatanode",
        request: &GET_ADDITIONAL_DATANODE_REQUEST_PROTO,
        response: &GET_ADDITIONAL_DATANODE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getBatchedListing",
        request: &GET_BATCHED_LISTING_REQUEST_PROTO,
        response: &GET_BATCHED_LISTING_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getBlockLocations",
        request: &GET_BLOCK_LOCATIONS_REQUEST_PROTO,
        response: &GET_BLOCK_LOCATIONS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getContentSummary",
        request: &GET_CONTENT_SUMMARY_REQUEST_PROTO,
        response: &GET_CONTENT_SUMMARY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getCurrentEditLogTxid",
        request: &GET_CURRENT_EDIT_LOG_TXID_REQUEST_PROTO,
        response: &GET_CURRENT_EDIT_LOG_TXID_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getDataEncryptionKey",
        request: &GET_DATA_ENCRYPTION_KEY_REQUEST_PROTO,
        response: &GET_DATA_ENCRYPTION_KEY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getDatanodeReport",
        request: &GET_DATANODE_REPORT_REQUEST_PROTO,
        response: &GET_DATANODE_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getDatanodeStorageReport",
        request: &GET_DATANODE_STORAGE_REPORT_REQUEST_PROTO,
        response: &GET_DATANODE_STORAGE_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getDelegationToken",
        request: &GET_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getECTopologyResultForPolicies",
        request: &GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_REQUEST_PROTO,
        response: &GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getEZForPath",
        request: &GET_EZ_FOR_PATH_REQUEST_PROTO,
        response: &GET_EZ_FOR_PATH_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getEditsFromTxid",
        request: &GET_EDITS_FROM_TXID_REQUEST_PROTO,
        response: &GET_EDITS_FROM_TXID_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getEnclosingRoot",
        request: &GET_ENCLOSING_ROOT_REQUEST_PROTO,
        response: &GET_ENCLOSING_ROOT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getErasureCodingCodecs",
        request: &GET_ERASURE_CODING_CODECS_REQUEST_PROTO,
        response: &GET_ERASURE_CODING_CODECS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getErasureCodingPolicies",
        request: &GET_ERASURE_CODING_POLICIES_REQUEST_PROTO,
        response: &GET_ERASURE_CODING_POLICIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getErasureCodingPolicy",
        request: &GET_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &GET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getFileInfo",
        request: &GET_FILE_INFO_REQUEST_PROTO,
        response: &GET_FILE_INFO_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getFileLinkInfo",
        request: &GET_FILE_LINK_INFO_REQUEST_PROTO,
        response: &GET_FILE_LINK_INFO_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getFsECBlockGroupStats",
        request: &GET_FS_EC_BLOCK_GROUP_STATS_REQUEST_PROTO,
        response: &GET_FS_EC_BLOCK_GROUP_STATS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getFsReplicatedBlockStats",
        request: &GET_FS_REPLICATED_BLOCK_STATS_REQUEST_PROTO,
        response: &GET_FS_REPLICATED_BLOCK_STATS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getFsStats",
        request: &GET_FS_STATUS_REQUEST_PROTO,
        response: &GET_FS_STATS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getHAServiceState",
        request: &HA_SERVICE_STATE_REQUEST_PROTO,
        response: &HA_SERVICE_STATE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getLinkTarget",
        request: &GET_LINK_TARGET_REQUEST_PROTO,
        response: &GET_LINK_TARGET_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getListing",
        request: &GET_LISTING_REQUEST_PROTO,
        response: &GET_LISTING_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getLocatedFileInfo",
        request: &GET_LOCATED_FILE_INFO_REQUEST_PROTO,
        response: &GET_LOCATED_FILE_INFO_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getPreferredBlockSize",
        request: &GET_PREFERRED_BLOCK_SIZE_REQUEST_PROTO,
        response: &GET_PREFERRED_BLOCK_SIZE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getQuotaUsage",
        request: &GET_QUOTA_USAGE_REQUEST_PROTO,
        response: &GET_QUOTA_USAGE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getServerDefaults",
        request: &GET_SERVER_DEFAULTS_REQUEST_PROTO,
        response: &GET_SERVER_DEFAULTS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getSlowDatanodeReport",
        request: &GET_SLOW_DATANODE_REPORT_REQUEST_PROTO,
        response: &GET_SLOW_DATANODE_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getSnapshotDiffReport",
        request: &GET_SNAPSHOT_DIFF_REPORT_REQUEST_PROTO,
        response: &GET_SNAPSHOT_DIFF_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getSnapshotDiffReportListing",
        request: &GET_SNAPSHOT_DIFF_REPORT_LISTING_REQUEST_PROTO,
        response: &GET_SNAPSHOT_DIFF_REPORT_LISTING_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getSnapshotListing",
        request: &GET_SNAPSHOT_LISTING_REQUEST_PROTO,
        response: &GET_SNAPSHOT_LISTING_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getSnapshottableDirListing",
        request: &GET_SNAPSHOTTABLE_DIR_LISTING_REQUEST_PROTO,
        response: &GET_SNAPSHOTTABLE_DIR_LISTING_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getStoragePolicies",
        request: &GET_STORAGE_POLICIES_REQUEST_PROTO,
        response: &GET_STORAGE_POLICIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getStoragePolicy",
        request: &GET_STORAGE_POLICY_REQUEST_PROTO,
        response: &GET_STORAGE_POLICY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getXAttrs",
        request: &GET_X_ATTRS_REQUEST_PROTO,
        response: &GET_X_ATTRS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "isFileClosed",
        request: &IS_FILE_CLOSED_REQUEST_PROTO,
        response: &IS_FILE_CLOSED_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listCacheDirectives",
        request: &LIST_CACHE_DIRECTIVES_REQUEST_PROTO,
        response: &LIST_CACHE_DIRECTIVES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listCachePools",
        request: &LIST_CACHE_POOLS_REQUEST_PROTO,
        response: &LIST_CACHE_POOLS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listCorruptFileBlocks",
        request: &LIST_CORRUPT_FILE_BLOCKS_REQUEST_PROTO,
        response: &LIST_CORRUPT_FILE_BLOCKS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listEncryptionZones",
        request: &LIST_ENCRYPTION_ZONES_REQUEST_PROTO,
        response: &LIST_ENCRYPTION_ZONES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listOpenFiles",
        request: &LIST_OPEN_FILES_REQUEST_PROTO,
        response: &LIST_OPEN_FILES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listReencryptionStatus",
        request: &LIST_REENCRYPTION_STATUS_REQUEST_PROTO,
        response: &LIST_REENCRYPTION_STATUS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listXAttrs",
        request: &LIST_X_ATTRS_REQUEST_PROTO,
        response: &LIST_X_ATTRS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "metaSave",
        request: &META_SAVE_REQUEST_PROTO,
        response: &META_SAVE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "mkdirs",
        request: &MKDIRS_REQUEST_PROTO,
        response: &MKDIRS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "modifyAclEntries",
        request: &MODIFY_ACL_ENTRIES_REQUEST_PROTO,
        response: &MODIFY_ACL_ENTRIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "modifyCacheDirective",
        request: &MODIFY_CACHE_DIRECTIVE_REQUEST_PROTO,
        response: &MODIFY_CACHE_DIRECTIVE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "modifyCachePool",
        request: &MODIFY_CACHE_POOL_REQUEST_PROTO,
        response: &MODIFY_CACHE_POOL_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "msync",
        request: &MSYNC_REQUEST_PROTO,
        response: &MSYNC_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "recoverLease",
        request: &RECOVER_LEASE_REQUEST_PROTO,
        response: &RECOVER_LEASE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "reencryptEncryptionZone",
        request: &REENCRYPT_ENCRYPTION_ZONE_REQUEST_PROTO,
        response: &REENCRYPT_ENCRYPTION_ZONE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "refreshNodes",
        request: &REFRESH_NODES_REQUEST_PROTO,
        response: &REFRESH_NODES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "removeAcl",
        request: &REMOVE_ACL_REQUEST_PROTO,
        response: &REMOVE_ACL_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "removeAclEntries",
        request: &REMOVE_ACL_ENTRIES_REQUEST_PROTO,
        response: &REMOVE_ACL_ENTRIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "removeCacheDirective",
        request: &REMOVE_CACHE_DIRECTIVE_REQUEST_PROTO,
        response: &REMOVE_CACHE_DIRECTIVE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "removeCachePool",
        request: &REMOVE_CACHE_POOL_REQUEST_PROTO,
        response: &REMOVE_CACHE_POOL_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "removeDefaultAcl",
        request: &REMOVE_DEFAULT_ACL_REQUEST_PROTO,
        response: &REMOVE_DEFAULT_ACL_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "removeErasureCodingPolicy",
        request: &REMOVE_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &REMOVE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "removeXAttr",
        request: &REMOVE_X_ATTR_REQUEST_PROTO,
        response: &REMOVE_X_ATTR_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "rename",
        request: &RENAME_REQUEST_PROTO,
        response: &RENAME_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "rename2",
        request: &RENAME2_REQUEST_PROTO,
        response: &RENAME2_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "renameSnapshot",
        request: &RENAME_SNAPSHOT_REQUEST_PROTO,
        response: &RENAME_SNAPSHOT_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "renewDelegationToken",
        request: &RENEW_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &RENEW_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "renewLease",
        request: &RENEW_LEASE_REQUEST_PROTO,
        response: &RENEW_LEASE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "reportBadBlocks",
        request: &REPORT_BAD_BLOCKS_REQUEST_PROTO,
        response: &REPORT_BAD_BLOCKS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "restoreFailedStorage",
        request: &RESTORE_FAILED_STORAGE_REQUEST_PROTO,
        response: &RESTORE_FAILED_STORAGE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "rollEdits",
        request: &ROLL_EDITS_REQUEST_PROTO,
        response: &ROLL_EDITS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "rollingUpgrade",
        request: &ROLLING_UPGRADE_REQUEST_PROTO,
        response: &ROLLING_UPGRADE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "satisfyStoragePolicy",
        request: &SATISFY_STORAGE_POLICY_REQUEST_PROTO,
        response: &SATISFY_STORAGE_POLICY_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "saveNamespace",
        request: &SAVE_NAMESPACE_REQUEST_PROTO,
        response: &SAVE_NAMESPACE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "setAcl",
        request: &SET_ACL_REQUEST_PROTO,
        response: &SET_ACL_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setBalancerBandwidth",
        request: &SET_BALANCER_BANDWIDTH_REQUEST_PROTO,
        response: &SET_BALANCER_BANDWIDTH_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setErasureCodingPolicy",
        request: &SET_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &SET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "setOwner",
        request: &SET_OWNER_REQUEST_PROTO,
        response: &SET_OWNER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setPermission",
        request: &SET_PERMISSION_REQUEST_PROTO,
        response: &SET_PERMISSION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setQuota",
        request: &SET_QUOTA_REQUEST_PROTO,
        response: &SET_QUOTA_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setReplication",
        request: &SET_REPLICATION_REQUEST_PROTO,
        response: &SET_REPLICATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setSafeMode",
        request: &SET_SAFE_MODE_REQUEST_PROTO,
        response: &SET_SAFE_MODE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setStoragePolicy",
        request: &SET_STORAGE_POLICY_REQUEST_PROTO,
        response: &SET_STORAGE_POLICY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setTimes",
        request: &SET_TIMES_REQUEST_PROTO,
        response: &SET_TIMES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "setXAttr",
        request: &SET_X_ATTR_REQUEST_PROTO,
        response: &SET_X_ATTR_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "truncate",
        request: &TRUNCATE_REQUEST_PROTO,
        response: &TRUNCATE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "unsetErasureCodingPolicy",
        request: &UNSET_ERASURE_CODING_POLICY_REQUEST_PROTO,
        response: &UNSET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "unsetStoragePolicy",
        request: &UNSET_STORAGE_POLICY_REQUEST_PROTO,
        response: &UNSET_STORAGE_POLICY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "updateBlockForPipeline",
        request: &UPDATE_BLOCK_FOR_PIPELINE_REQUEST_PROTO,
        response: &UPDATE_BLOCK_FOR_PIPELINE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "updatePipeline",
        request: &UPDATE_PIPELINE_REQUEST_PROTO,
        response: &UPDATE_PIPELINE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "upgradeStatus",
        request: &UPGRADE_STATUS_REQUEST_PROTO,
        response: &UPGRADE_STATUS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static RECONFIGURATION_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "getReconfigurationStatus",
        request: &GET_RECONFIGURATION_STATUS_REQUEST_PROTO,
        response: &GET_RECONFIGURATION_STATUS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listReconfigurableProperties",
        request: &LIST_RECONFIGURABLE_PROPERTIES_REQUEST_PROTO,
        response: &LIST_RECONFIGURABLE_PROPERTIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "startReconfiguration",
        request: &START_RECONFIGURATION_REQUEST_PROTO,
        response: &START_RECONFIGURATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static INTER_Q_JOURNAL_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "getEditLogManifestFromJournal",
        request: &QJOURNAL_GET_EDIT_LOG_MANIFEST_REQUEST_PROTO,
        response: &QJOURNAL_GET_EDIT_LOG_MANIFEST_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getStorageInfo",
        request: &GET_STORAGE_INFO_REQUEST_PROTO,
        response: &STORAGE_INFO_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static Q_JOURNAL_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "acceptRecovery",
        request: &ACCEPT_RECOVERY_REQUEST_PROTO,
        response: &ACCEPT_RECOVERY_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "canRollBack",
        request: &CAN_ROLL_BACK_REQUEST_PROTO,
        response: &CAN_ROLL_BACK_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "discardSegments",
        request: &DISCARD_SEGMENTS_REQUEST_PROTO,
        response: &DISCARD_SEGMENTS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "doFinalize",
        request: &DO_FINALIZE_REQUEST_PROTO,
        response: &DO_FINALIZE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "doPreUpgrade",
        request: &DO_PRE_UPGRADE_REQUEST_PROTO,
        response: &DO_PRE_UPGRADE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "doRollback",
        request: &DO_ROLLBACK_REQUEST_PROTO,
        response: &DO_ROLLBACK_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "doUpgrade",
        request: &DO_UPGRADE_REQUEST_PROTO,
        response: &DO_UPGRADE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "finalizeLogSegment",
        request: &FINALIZE_LOG_SEGMENT_REQUEST_PROTO,
        response: &FINALIZE_LOG_SEGMENT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "format",
        request: &FORMAT_REQUEST_PROTO,
        response: &FORMAT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getEditLogManifest",
        request: &QJOURNAL_GET_EDIT_LOG_MANIFEST_REQUEST_PROTO,
        response: &QJOURNAL_GET_EDIT_LOG_MANIFEST_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getJournalCTime",
        request: &GET_JOURNAL_C_TIME_REQUEST_PROTO,
        response: &GET_JOURNAL_C_TIME_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getJournalState",
        request: &GET_JOURNAL_STATE_REQUEST_PROTO,
        response: &GET_JOURNAL_STATE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getJournaledEdits",
        request: &GET_JOURNALED_EDITS_REQUEST_PROTO,
        response: &GET_JOURNALED_EDITS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "heartbeat",
        request: &QJOURNAL_HEARTBEAT_REQUEST_PROTO,
        response: &QJOURNAL_HEARTBEAT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "isFormatted",
        request: &IS_FORMATTED_REQUEST_PROTO,
        response: &IS_FORMATTED_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "journal",
        request: &QJOURNAL_JOURNAL_REQUEST_PROTO,
        response: &QJOURNAL_JOURNAL_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "newEpoch",
        request: &NEW_EPOCH_REQUEST_PROTO,
        response: &NEW_EPOCH_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "prepareRecovery",
        request: &PREPARE_RECOVERY_REQUEST_PROTO,
        response: &PREPARE_RECOVERY_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "purgeLogs",
        request: &PURGE_LOGS_REQUEST_PROTO,
        response: &PURGE_LOGS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "startLogSegment",
        request: &QJOURNAL_START_LOG_SEGMENT_REQUEST_PROTO,
        response: &QJOURNAL_START_LOG_SEGMENT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static ALIAS_MAP_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "getBlockPoolId",
        request: &BLOCK_POOL_REQUEST_PROTO,
        response: &BLOCK_POOL_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "list",
        request: &LIST_REQUEST_PROTO,
        response: &LIST_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "read",
        request: &READ_REQUEST_PROTO,
        response: &READ_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "write",
        request: &WRITE_REQUEST_PROTO,
        response: &WRITE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static DATANODE_LIFELINE_PROTOCOL_METHODS: &[Method] = &[Method {
    name: "sendLifeline",
    request: &DATANODE_HEARTBEAT_REQUEST_PROTO,
    response: &LIFELINE_RESPONSE_PROTO,
    repetition: Repetition::Idempotent,
}];

static DATANODE_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "blockReceivedAndDeleted",
        request: &BLOCK_RECEIVED_AND_DELETED_REQUEST_PROTO,
        response: &BLOCK_RECEIVED_AND_DELETED_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "blockReport",
        request: &BLOCK_REPORT_REQUEST_PROTO,
        response: &BLOCK_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "cacheReport",
        request: &CACHE_REPORT_REQUEST_PROTO,
        response: &CACHE_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "commitBlockSynchronization",
        request: &COMMIT_BLOCK_SYNCHRONIZATION_REQUEST_PROTO,
        response: &COMMIT_BLOCK_SYNCHRONIZATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "errorReport",
        request: &DATANODE_ERROR_REPORT_REQUEST_PROTO,
        response: &DATANODE_ERROR_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "registerDatanode",
        request: &REGISTER_DATANODE_REQUEST_PROTO,
        response: &REGISTER_DATANODE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "reportBadBlocks",
        request: &DATANODE_REPORT_BAD_BLOCKS_REQUEST_PROTO,
        response: &DATANODE_REPORT_BAD_BLOCKS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "sendHeartbeat",
        request: &DATANODE_HEARTBEAT_REQUEST_PROTO,
        response: &DATANODE_HEARTBEAT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "versionRequest",
        request: &VERSION_REQUEST_PROTO,
        response: &VERSION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static INTER_DATANODE_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "initReplicaRecovery",
        request: &INIT_REPLICA_RECOVERY_REQUEST_PROTO,
        response: &INIT_REPLICA_RECOVERY_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "updateReplicaUnderRecovery",
        request: &UPDATE_REPLICA_UNDER_RECOVERY_REQUEST_PROTO,
        response: &UPDATE_REPLICA_UNDER_RECOVERY_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static JOURNAL_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "fence",
        request: &FENCE_REQUEST_PROTO,
        response: &FENCE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "journal",
        request: &JOURNAL_REQUEST_PROTO,
        response: &JOURNAL_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "startLogSegment",
        request: &START_LOG_SEGMENT_REQUEST_PROTO,
        response: &START_LOG_SEGMENT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static NAMENODE_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "endCheckpoint",
        request: &END_CHECKPOINT_REQUEST_PROTO,
        response: &END_CHECKPOINT_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "errorReport",
        request: &NAMENODE_ERROR_REPORT_REQUEST_PROTO,
        response: &NAMENODE_ERROR_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getBlockKeys",
        request: &GET_BLOCK_KEYS_REQUEST_PROTO,
        response: &GET_BLOCK_KEYS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getBlocks",
        request: &GET_BLOCKS_REQUEST_PROTO,
        response: &GET_BLOCKS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getEditLogManifest",
        request: &NAMENODE_GET_EDIT_LOG_MANIFEST_REQUEST_PROTO,
        response: &NAMENODE_GET_EDIT_LOG_MANIFEST_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getMostRecentCheckpointTxId",
        request: &GET_MOST_RECENT_CHECKPOINT_TX_ID_REQUEST_PROTO,
        response: &GET_MOST_RECENT_CHECKPOINT_TX_ID_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getMostRecentNameNodeFileTxId",
        request: &GET_MOST_RECENT_NAME_NODE_FILE_TX_ID_REQUEST_PROTO,
        response: &GET_MOST_RECENT_NAME_NODE_FILE_TX_ID_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getNextSPSPath",
        request: &GET_NEXT_SPS_PATH_REQUEST_PROTO,
        response: &GET_NEXT_SPS_PATH_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "getTransactionId",
        request: &GET_TRANSACTION_ID_REQUEST_PROTO,
        response: &GET_TRANSACTION_ID_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "isRollingUpgrade",
        request: &IS_ROLLING_UPGRADE_REQUEST_PROTO,
        response: &IS_ROLLING_UPGRADE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "isUpgradeFinalized",
        request: &IS_UPGRADE_FINALIZED_REQUEST_PROTO,
        response: &IS_UPGRADE_FINALIZED_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "registerSubordinateNamenode",
        request: &REGISTER_REQUEST_PROTO,
        response: &REGISTER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "rollEditLog",
        request: &ROLL_EDIT_LOG_REQUEST_PROTO,
        response: &ROLL_EDIT_LOG_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "startCheckpoint",
        request: &START_CHECKPOINT_REQUEST_PROTO,
        response: &START_CHECKPOINT_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "versionRequest",
        request: &VERSION_REQUEST_PROTO,
        response: &VERSION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static GENERIC_REFRESH_PROTOCOL_METHODS: &[Method] = &[Method {
    name: "refresh",
    request: &GENERIC_REFRESH_REQUEST_PROTO,
    response: &GENERIC_REFRESH_RESPONSE_COLLECTION_PROTO,
    repetition: Repetition::Idempotent,
}];

static PROTOCOL_META_INFO_PB_METHODS: &[Method] = &[
    Method {
        name: "getProtocolSignature",
        request: &GET_PROTOCOL_SIGNATURE_REQUEST_PROTO,
        response: &GET_PROTOCOL_SIGNATURE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getProtocolVersions",
        request: &GET_PROTOCOL_VERSIONS_REQUEST_PROTO,
        response: &GET_PROTOCOL_VERSIONS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static REFRESH_CALL_QUEUE_PROTOCOL_METHODS: &[Method] = &[Method {
    name: "refreshCallQueue",
    request: &REFRESH_CALL_QUEUE_REQUEST_PROTO,
    response: &REFRESH_CALL_QUEUE_RESPONSE_PROTO,
    repetition: Repetition::Idempotent,
}];

static HS_ADMIN_REFRESH_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "refreshAdminAcls",
        request: &MAPREDUCE_REFRESH_ADMIN_ACLS_REQUEST_PROTO,
        response: &MAPREDUCE_REFRESH_ADMIN_ACLS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "refreshJobRetentionSettings",
        request: &REFRESH_JOB_RETENTION_SETTINGS_REQUEST_PROTO,
        response: &REFRESH_JOB_RETENTION_SETTINGS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "refreshLoadedJobCache",
        request: &REFRESH_LOADED_JOB_CACHE_REQUEST_PROTO,
        response: &REFRESH_LOADED_JOB_CACHE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "refreshLogRetentionSettings",
        request: &REFRESH_LOG_RETENTION_SETTINGS_REQUEST_PROTO,
        response: &REFRESH_LOG_RETENTION_SETTINGS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static HS_CLIENT_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "cancelDelegationToken",
        request: &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "failTaskAttempt",
        request: &FAIL_TASK_ATTEMPT_REQUEST_PROTO,
        response: &FAIL_TASK_ATTEMPT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getCounters",
        request: &GET_COUNTERS_REQUEST_PROTO,
        response: &GET_COUNTERS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getDelegationToken",
        request: &GET_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getDiagnostics",
        request: &GET_DIAGNOSTICS_REQUEST_PROTO,
        response: &GET_DIAGNOSTICS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getJobReport",
        request: &GET_JOB_REPORT_REQUEST_PROTO,
        response: &GET_JOB_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskAttemptCompletionEvents",
        request: &GET_TASK_ATTEMPT_COMPLETION_EVENTS_REQUEST_PROTO,
        response: &GET_TASK_ATTEMPT_COMPLETION_EVENTS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskAttemptReport",
        request: &GET_TASK_ATTEMPT_REPORT_REQUEST_PROTO,
        response: &GET_TASK_ATTEMPT_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskReport",
        request: &GET_TASK_REPORT_REQUEST_PROTO,
        response: &GET_TASK_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskReports",
        request: &GET_TASK_REPORTS_REQUEST_PROTO,
        response: &GET_TASK_REPORTS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "killJob",
        request: &KILL_JOB_REQUEST_PROTO,
        response: &KILL_JOB_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "killTask",
        request: &KILL_TASK_REQUEST_PROTO,
        response: &KILL_TASK_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "killTaskAttempt",
        request: &KILL_TASK_ATTEMPT_REQUEST_PROTO,
        response: &KILL_TASK_ATTEMPT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "renewDelegationToken",
        request: &RENEW_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &RENEW_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static MR_CLIENT_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "cancelDelegationToken",
        request: &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "failTaskAttempt",
        request: &FAIL_TASK_ATTEMPT_REQUEST_PROTO,
        response: &FAIL_TASK_ATTEMPT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getCounters",
        request: &GET_COUNTERS_REQUEST_PROTO,
        response: &GET_COUNTERS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getDelegationToken",
        request: &GET_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getDiagnostics",
        request: &GET_DIAGNOSTICS_REQUEST_PROTO,
        response: &GET_DIAGNOSTICS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getJobReport",
        request: &GET_JOB_REPORT_REQUEST_PROTO,
        response: &GET_JOB_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskAttemptCompletionEvents",
        request: &GET_TASK_ATTEMPT_COMPLETION_EVENTS_REQUEST_PROTO,
        response: &GET_TASK_ATTEMPT_COMPLETION_EVENTS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskAttemptReport",
        request: &GET_TASK_ATTEMPT_REPORT_REQUEST_PROTO,
        response: &GET_TASK_ATTEMPT_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskReport",
        request: &GET_TASK_REPORT_REQUEST_PROTO,
        response: &GET_TASK_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getTaskReports",
        request: &GET_TASK_REPORTS_REQUEST_PROTO,
        response: &GET_TASK_REPORTS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "killJob",
        request: &KILL_JOB_REQUEST_PROTO,
        response: &KILL_JOB_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "killTask",
        request: &KILL_TASK_REQUEST_PROTO,
        response: &KILL_TASK_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "killTaskAttempt",
        request: &KILL_TASK_ATTEMPT_REQUEST_PROTO,
        response: &KILL_TASK_ATTEMPT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "renewDelegationToken",
        request: &RENEW_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &RENEW_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static REFRESH_USER_MAPPINGS_PROTOCOL_METHODS: &[Method] = &[
    Method {
        name: "refreshSuperUserGroupsConfiguration",
        request: &REFRESH_SUPER_USER_GROUPS_CONFIGURATION_REQUEST_PROTO,
        response: &REFRESH_SUPER_USER_GROUPS_CONFIGURATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshUserToGroupsMappings",
        request: &REFRESH_USER_TO_GROUPS_MAPPINGS_REQUEST_PROTO,
        response: &REFRESH_USER_TO_GROUPS_MAPPINGS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static REFRESH_AUTHORIZATION_POLICY_PROTOCOL_METHODS: &[Method] = &[Method {
    name: "refreshServiceAcl",
    request: &REFRESH_SERVICE_ACL_REQUEST_PROTO,
    response: &REFRESH_SERVICE_ACL_RESPONSE_PROTO,
    repetition: Repetition::Idempotent,
}];

static GET_USER_MAPPINGS_PROTOCOL_METHODS: &[Method] = &[Method {
    name: "getGroupsForUser",
    request: &GET_GROUPS_FOR_USER_REQUEST_PROTO,
    response: &GET_GROUPS_FOR_USER_RESPONSE_PROTO,
    repetition: Repetition::Idempotent,
}];

static APPLICATION_CLIENT_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "cancelDelegationToken",
        request: &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "deleteReservation",
        request: &RESERVATION_DELETE_REQUEST_PROTO,
        response: &RESERVATION_DELETE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "failApplicationAttempt",
        request: &FAIL_APPLICATION_ATTEMPT_REQUEST_PROTO,
        response: &FAIL_APPLICATION_ATTEMPT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "forceKillApplication",
        request: &KILL_APPLICATION_REQUEST_PROTO,
        response: &KILL_APPLICATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplicationAttemptReport",
        request: &GET_APPLICATION_ATTEMPT_REPORT_REQUEST_PROTO,
        response: &GET_APPLICATION_ATTEMPT_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplicationAttempts",
        request: &GET_APPLICATION_ATTEMPTS_REQUEST_PROTO,
        response: &GET_APPLICATION_ATTEMPTS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplicationReport",
        request: &GET_APPLICATION_REPORT_REQUEST_PROTO,
        response: &GET_APPLICATION_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplications",
        request: &GET_APPLICATIONS_REQUEST_PROTO,
        response: &GET_APPLICATIONS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getAttributesToNodes",
        request: &GET_ATTRIBUTES_TO_NODES_REQUEST_PROTO,
        response: &GET_ATTRIBUTES_TO_NODES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getClusterMetrics",
        request: &GET_CLUSTER_METRICS_REQUEST_PROTO,
        response: &GET_CLUSTER_METRICS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getClusterNodeAttributes",
        request: &GET_CLUSTER_NODE_ATTRIBUTES_REQUEST_PROTO,
        response: &GET_CLUSTER_NODE_ATTRIBUTES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getClusterNodeLabels",
        request: &GET_CLUSTER_NODE_LABELS_REQUEST_PROTO,
        response: &GET_CLUSTER_NODE_LABELS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getClusterNodes",
        request: &GET_CLUSTER_NODES_REQUEST_PROTO,
        response: &GET_CLUSTER_NODES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getContainerReport",
        request: &GET_CONTAINER_REPORT_REQUEST_PROTO,
        response: &GET_CONTAINER_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getContainers",
        request: &GET_CONTAINERS_REQUEST_PROTO,
        response: &GET_CONTAINERS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getDelegationToken",
        request: &GET_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getLabelsToNodes",
        request: &GET_LABELS_TO_NODES_REQUEST_PROTO,
        response: &GET_LABELS_TO_NODES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getNewApplication",
        request: &GET_NEW_APPLICATION_REQUEST_PROTO,
        response: &GET_NEW_APPLICATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getNewReservation",
        request: &GET_NEW_RESERVATION_REQUEST_PROTO,
        response: &GET_NEW_RESERVATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getNodeToLabels",
        request: &GET_NODES_TO_LABELS_REQUEST_PROTO,
        response: &GET_NODES_TO_LABELS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getNodesToAttributes",
        request: &GET_NODES_TO_ATTRIBUTES_REQUEST_PROTO,
        response: &GET_NODES_TO_ATTRIBUTES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getQueueInfo",
        request: &GET_QUEUE_INFO_REQUEST_PROTO,
        response: &GET_QUEUE_INFO_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getQueueUserAcls",
        request: &GET_QUEUE_USER_ACLS_INFO_REQUEST_PROTO,
        response: &GET_QUEUE_USER_ACLS_INFO_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getResourceProfile",
        request: &GET_RESOURCE_PROFILE_REQUEST_PROTO,
        response: &GET_RESOURCE_PROFILE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getResourceProfiles",
        request: &GET_ALL_RESOURCE_PROFILES_REQUEST_PROTO,
        response: &GET_ALL_RESOURCE_PROFILES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getResourceTypeInfo",
        request: &GET_ALL_RESOURCE_TYPE_INFO_REQUEST_PROTO,
        response: &GET_ALL_RESOURCE_TYPE_INFO_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "listReservations",
        request: &RESERVATION_LIST_REQUEST_PROTO,
        response: &RESERVATION_LIST_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "moveApplicationAcrossQueues",
        request: &MOVE_APPLICATION_ACROSS_QUEUES_REQUEST_PROTO,
        response: &MOVE_APPLICATION_ACROSS_QUEUES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "renewDelegationToken",
        request: &RENEW_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &RENEW_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "signalToContainer",
        request: &SIGNAL_CONTAINER_REQUEST_PROTO,
        response: &SIGNAL_CONTAINER_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "submitApplication",
        request: &SUBMIT_APPLICATION_REQUEST_PROTO,
        response: &SUBMIT_APPLICATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "submitReservation",
        request: &RESERVATION_SUBMISSION_REQUEST_PROTO,
        response: &RESERVATION_SUBMISSION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "updateApplicationPriority",
        request: &UPDATE_APPLICATION_PRIORITY_REQUEST_PROTO,
        response: &UPDATE_APPLICATION_PRIORITY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "updateApplicationTimeouts",
        request: &UPDATE_APPLICATION_TIMEOUTS_REQUEST_PROTO,
        response: &UPDATE_APPLICATION_TIMEOUTS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "updateReservation",
        request: &RESERVATION_UPDATE_REQUEST_PROTO,
        response: &RESERVATION_UPDATE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static APPLICATION_HISTORY_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "cancelDelegationToken",
        request: &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplicationAttemptReport",
        request: &GET_APPLICATION_ATTEMPT_REPORT_REQUEST_PROTO,
        response: &GET_APPLICATION_ATTEMPT_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplicationAttempts",
        request: &GET_APPLICATION_ATTEMPTS_REQUEST_PROTO,
        response: &GET_APPLICATION_ATTEMPTS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplicationReport",
        request: &GET_APPLICATION_REPORT_REQUEST_PROTO,
        response: &GET_APPLICATION_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getApplications",
        request: &GET_APPLICATIONS_REQUEST_PROTO,
        response: &GET_APPLICATIONS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getContainerReport",
        request: &GET_CONTAINER_REPORT_REQUEST_PROTO,
        response: &GET_CONTAINER_REPORT_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getContainers",
        request: &GET_CONTAINERS_REQUEST_PROTO,
        response: &GET_CONTAINERS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getDelegationToken",
        request: &GET_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "renewDelegationToken",
        request: &RENEW_DELEGATION_TOKEN_REQUEST_PROTO,
        response: &RENEW_DELEGATION_TOKEN_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static APPLICATION_MASTER_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "allocate",
        request: &ALLOCATE_REQUEST_PROTO,
        response: &ALLOCATE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "finishApplicationMaster",
        request: &FINISH_APPLICATION_MASTER_REQUEST_PROTO,
        response: &FINISH_APPLICATION_MASTER_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "registerApplicationMaster",
        request: &REGISTER_APPLICATION_MASTER_REQUEST_PROTO,
        response: &REGISTER_APPLICATION_MASTER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static CLIENT_SCM_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "release",
        request: &RELEASE_SHARED_CACHE_RESOURCE_REQUEST_PROTO,
        response: &RELEASE_SHARED_CACHE_RESOURCE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "use",
        request: &USE_SHARED_CACHE_RESOURCE_REQUEST_PROTO,
        response: &USE_SHARED_CACHE_RESOURCE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static CONTAINER_MANAGEMENT_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "commitLastReInitialization",
        request: &CONTAINER_ID_PROTO,
        response: &COMMIT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getContainerStatuses",
        request: &GET_CONTAINER_STATUSES_REQUEST_PROTO,
        response: &GET_CONTAINER_STATUSES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "getLocalizationStatuses",
        request: &GET_LOCALIZATION_STATUSES_REQUEST_PROTO,
        response: &GET_LOCALIZATION_STATUSES_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "increaseContainersResource",
        request: &INCREASE_CONTAINERS_RESOURCE_REQUEST_PROTO,
        response: &INCREASE_CONTAINERS_RESOURCE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "localize",
        request: &RESOURCE_LOCALIZATION_REQUEST_PROTO,
        response: &RESOURCE_LOCALIZATION_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "reInitializeContainer",
        request: &RE_INITIALIZE_CONTAINER_REQUEST_PROTO,
        response: &RE_INITIALIZE_CONTAINER_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "restartContainer",
        request: &CONTAINER_ID_PROTO,
        response: &RESTART_CONTAINER_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "rollbackLastReInitialization",
        request: &CONTAINER_ID_PROTO,
        response: &ROLLBACK_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "signalToContainer",
        request: &SIGNAL_CONTAINER_REQUEST_PROTO,
        response: &SIGNAL_CONTAINER_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "startContainers",
        request: &START_CONTAINERS_REQUEST_PROTO,
        response: &START_CONTAINERS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "stopContainers",
        request: &STOP_CONTAINERS_REQUEST_PROTO,
        response: &STOP_CONTAINERS_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "updateContainer",
        request: &CONTAINER_UPDATE_REQUEST_PROTO,
        response: &CONTAINER_UPDATE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static COLLECTOR_NODEMANAGER_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "getTimelineCollectorContext",
        request: &GET_TIMELINE_COLLECTOR_CONTEXT_REQUEST_PROTO,
        response: &GET_TIMELINE_COLLECTOR_CONTEXT_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "reportNewCollectorInfo",
        request: &REPORT_NEW_COLLECTOR_INFO_REQUEST_PROTO,
        response: &REPORT_NEW_COLLECTOR_INFO_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static DISTRIBUTED_SCHEDULING_AM_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "allocate",
        request: &ALLOCATE_REQUEST_PROTO,
        response: &ALLOCATE_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "allocateForDistributedScheduling",
        request: &DISTRIBUTED_SCHEDULING_ALLOCATE_REQUEST_PROTO,
        response: &DISTRIBUTED_SCHEDULING_ALLOCATE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "finishApplicationMaster",
        request: &FINISH_APPLICATION_MASTER_REQUEST_PROTO,
        response: &FINISH_APPLICATION_MASTER_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "registerApplicationMaster",
        request: &REGISTER_APPLICATION_MASTER_REQUEST_PROTO,
        response: &REGISTER_APPLICATION_MASTER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "registerApplicationMasterForDistributedScheduling",
        request: &REGISTER_APPLICATION_MASTER_REQUEST_PROTO,
        response: &REGISTER_DISTRIBUTED_SCHEDULING_AM_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static RESOURCE_MANAGER_ADMINISTRATION_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "addToClusterNodeLabels",
        request: &ADD_TO_CLUSTER_NODE_LABELS_REQUEST_PROTO,
        response: &ADD_TO_CLUSTER_NODE_LABELS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "batchSaveFederationQueuePolicies",
        request: &BATCH_SAVE_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO,
        response: &BATCH_SAVE_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "checkForDecommissioningNodes",
        request: &CHECK_FOR_DECOMMISSIONING_NODES_REQUEST_PROTO,
        response: &CHECK_FOR_DECOMMISSIONING_NODES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "deleteFederationApplication",
        request: &DELETE_FEDERATION_APPLICATION_REQUEST_PROTO,
        response: &DELETE_FEDERATION_APPLICATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "deleteFederationPoliciesByQueues",
        request: &DELETE_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO,
        response: &DELETE_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "deregisterSubCluster",
        request: &DEREGISTER_SUB_CLUSTER_REQUEST_PROTO,
        response: &DEREGISTER_SUB_CLUSTER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getFederationSubClusters",
        request: &GET_SUB_CLUSTERS_REQUEST_PROTO,
        response: &GET_SUB_CLUSTERS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "getGroupsForUser",
        request: &YARN_GET_GROUPS_FOR_USER_REQUEST_PROTO,
        response: &YARN_GET_GROUPS_FOR_USER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "listFederationQueuePolicies",
        request: &QUERY_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO,
        response: &QUERY_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "mapAttributesToNodes",
        request: &NODES_TO_ATTRIBUTES_MAPPING_REQUEST_PROTO,
        response: &NODES_TO_ATTRIBUTES_MAPPING_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshAdminAcls",
        request: &YARN_REFRESH_ADMIN_ACLS_REQUEST_PROTO,
        response: &YARN_REFRESH_ADMIN_ACLS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshClusterMaxPriority",
        request: &REFRESH_CLUSTER_MAX_PRIORITY_REQUEST_PROTO,
        response: &REFRESH_CLUSTER_MAX_PRIORITY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshNodes",
        request: &YARN_REFRESH_NODES_REQUEST_PROTO,
        response: &YARN_REFRESH_NODES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshNodesResources",
        request: &REFRESH_NODES_RESOURCES_REQUEST_PROTO,
        response: &REFRESH_NODES_RESOURCES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshQueues",
        request: &REFRESH_QUEUES_REQUEST_PROTO,
        response: &REFRESH_QUEUES_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshServiceAcls",
        request: &REFRESH_SERVICE_ACLS_REQUEST_PROTO,
        response: &REFRESH_SERVICE_ACLS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshSuperUserGroupsConfiguration",
        request: &YARN_REFRESH_SUPER_USER_GROUPS_CONFIGURATION_REQUEST_PROTO,
        response: &YARN_REFRESH_SUPER_USER_GROUPS_CONFIGURATION_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "refreshUserToGroupsMappings",
        request: &YARN_REFRESH_USER_TO_GROUPS_MAPPINGS_REQUEST_PROTO,
        response: &YARN_REFRESH_USER_TO_GROUPS_MAPPINGS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "removeFromClusterNodeLabels",
        request: &REMOVE_FROM_CLUSTER_NODE_LABELS_REQUEST_PROTO,
        response: &REMOVE_FROM_CLUSTER_NODE_LABELS_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "replaceLabelsOnNodes",
        request: &REPLACE_LABELS_ON_NODE_REQUEST_PROTO,
        response: &REPLACE_LABELS_ON_NODE_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "saveFederationQueuePolicy",
        request: &SAVE_FEDERATION_QUEUE_POLICY_REQUEST_PROTO,
        response: &SAVE_FEDERATION_QUEUE_POLICY_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "updateNodeResource",
        request: &UPDATE_NODE_RESOURCE_REQUEST_PROTO,
        response: &UPDATE_NODE_RESOURCE_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static RESOURCE_TRACKER_PB_METHODS: &[Method] = &[
    Method {
        name: "nodeHeartbeat",
        request: &NODE_HEARTBEAT_REQUEST_PROTO,
        response: &NODE_HEARTBEAT_RESPONSE_PROTO,
        repetition: Repetition::AtMostOnce,
    },
    Method {
        name: "registerNodeManager",
        request: &REGISTER_NODE_MANAGER_REQUEST_PROTO,
        response: &REGISTER_NODE_MANAGER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
    Method {
        name: "unRegisterNodeManager",
        request: &UN_REGISTER_NODE_MANAGER_REQUEST_PROTO,
        response: &UN_REGISTER_NODE_MANAGER_RESPONSE_PROTO,
        repetition: Repetition::Idempotent,
    },
];

static SCM_ADMIN_PROTOCOL_PB_METHODS: &[Method] = &[Method {
    name: "runCleanerTask",
    request: &RUN_SHARED_CACHE_CLEANER_TASK_REQUEST_PROTO,
    response: &RUN_SHARED_CACHE_CLEANER_TASK_RESPONSE_PROTO,
    repetition: Repetition::Unsafe,
}];

static SCM_UPLOADER_PROTOCOL_PB_METHODS: &[Method] = &[
    Method {
        name: "canUpload",
        request: &SCM_UPLOADER_CAN_UPLOAD_REQUEST_PROTO,
        response: &SCM_UPLOADER_CAN_UPLOAD_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
    Method {
        name: "notify",
        request: &SCM_UPLOADER_NOTIFY_REQUEST_PROTO,
        response: &SCM_UPLOADER_NOTIFY_RESPONSE_PROTO,
        repetition: Repetition::Unsafe,
    },
];

static LOCALIZATION_PROTOCOL_PB_METHODS: &[Method] = &[Method {
    name: "heartbeat",
    request: &LOCALIZER_STATUS_PROTO,
    response: &LOCALIZER_HEARTBEAT_RESPONSE_PROTO,
    repetition: Repetition::Unsafe,
}];

/// All of them, in order of name.
pub(super) static MESSAGES: &[&MessageType] = &[
    &AM_INFO_PROTO,
    &ABANDON_BLOCK_REQUEST_PROTO,
    &ABANDON_BLOCK_RESPONSE_PROTO,
    &ACCEPT_RECOVERY_REQUEST_PROTO,
    &ACCEPT_RECOVERY_RESPONSE_PROTO,
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
    &ADD_TO_CLUSTER_NODE_LABELS_REQUEST_PROTO,
    &ADD_TO_CLUSTER_NODE_LABELS_RESPONSE_PROTO,
    &ALLOCATE_REQUEST_PROTO,
    &ALLOCATE_RESPONSE_PROTO,
    &ALLOW_SNAPSHOT_REQUEST_PROTO,
    &ALLOW_SNAPSHOT_RESPONSE_PROTO,
    &APP_COLLECTOR_DATA_PROTO,
    &APP_TIMEOUTS_MAP_PROTO,
    &APPEND_REQUEST_PROTO,
    &APPEND_RESPONSE_PROTO,
    &APPLICATION_ACL_MAP_PROTO,
    &APPLICATION_ATTEMPT_ID_PROTO,
    &APPLICATION_ATTEMPT_REPORT_PROTO,
    &APPLICATION_ID_PROTO,
    &APPLICATION_REPORT_PROTO,
    &APPLICATION_RESOURCE_USAGE_REPORT_PROTO,
    &APPLICATION_SUBMISSION_CONTEXT_PROTO,
    &APPLICATION_TIMEOUT_MAP_PROTO,
    &APPLICATION_TIMEOUT_PROTO,
    &APPLICATION_UPDATE_TIMEOUT_MAP_PROTO,
    &ATTRIBUTE_TO_NODES_PROTO,
    &BALANCER_BANDWIDTH_COMMAND_PROTO,
    &BATCH_SAVE_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO,
    &BATCH_SAVE_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO,
    &BATCHED_DIRECTORY_LISTING_PROTO,
    &BLOCK_COMMAND_PROTO,
    &BLOCK_EC_RECONSTRUCTION_COMMAND_PROTO,
    &BLOCK_EC_RECONSTRUCTION_INFO_PROTO,
    &BLOCK_ID_COMMAND_PROTO,
    &BLOCK_KEY_PROTO,
    &BLOCK_POOL_REQUEST_PROTO,
    &BLOCK_POOL_RESPONSE_PROTO,
    &BLOCK_PROTO,
    &BLOCK_RECEIVED_AND_DELETED_REQUEST_PROTO,
    &BLOCK_RECEIVED_AND_DELETED_RESPONSE_PROTO,
    &BLOCK_RECOVERY_COMMAND_PROTO,
    &BLOCK_REPORT_CONTEXT_PROTO,
    &BLOCK_REPORT_REQUEST_PROTO,
    &BLOCK_REPORT_RESPONSE_PROTO,
    &BLOCK_STORAGE_POLICY_PROTO,
    &BLOCK_WITH_LOCATIONS_PROTO,
    &BLOCKS_WITH_LOCATIONS_PROTO,
    &CACHE_DIRECTIVE_ENTRY_PROTO,
    &CACHE_DIRECTIVE_INFO_EXPIRATION_PROTO,
    &CACHE_DIRECTIVE_INFO_PROTO,
    &CACHE_DIRECTIVE_STATS_PROTO,
    &CACHE_POOL_ENTRY_PROTO,
    &CACHE_POOL_INFO_PROTO,
    &CACHE_POOL_STATS_PROTO,
    &CACHE_REPORT_REQUEST_PROTO,
    &CACHE_REPORT_RESPONSE_PROTO,
    &CAN_ROLL_BACK_REQUEST_PROTO,
    &CAN_ROLL_BACK_RESPONSE_PROTO,
    &CANCEL_DELEGATION_TOKEN_REQUEST_PROTO,
    &CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO,
    &CANCEL_PLAN_REQUEST_PROTO,
    &CANCEL_PLAN_RESPONSE_PROTO,
    &CEDE_ACTIVE_REQUEST_PROTO,
    &CEDE_ACTIVE_RESPONSE_PROTO,
    &CHECK_ACCESS_REQUEST_PROTO,
    &CHECK_ACCESS_RESPONSE_PROTO,
    &CHECK_FOR_DECOMMISSIONING_NODES_REQUEST_PROTO,
    &CHECK_FOR_DECOMMISSIONING_NODES_RESPONSE_PROTO,
    &CHECKPOINT_COMMAND_PROTO,
    &CHECKPOINT_SIGNATURE_PROTO,
    &CODEC_PROTO,
    &COLLECTOR_INFO_PROTO,
    &COMMIT_BLOCK_SYNCHRONIZATION_REQUEST_PROTO,
    &COMMIT_BLOCK_SYNCHRONIZATION_RESPONSE_PROTO,
    &COMMIT_RESPONSE_PROTO,
    &COMPLETE_REQUEST_PROTO,
    &COMPLETE_RESPONSE_PROTO,
    &COMPOSITE_PLACEMENT_CONSTRAINT_PROTO,
    &CONCAT_REQUEST_PROTO,
    &CONCAT_RESPONSE_PROTO,
    &CONTAINER_EXCEPTION_MAP_PROTO,
    &CONTAINER_ID_PROTO,
    &CONTAINER_LAUNCH_CONTEXT_PROTO,
    &CONTAINER_LOCALIZATION_STATUSES_PROTO,
    &CONTAINER_PROTO,
    &CONTAINER_QUEUING_LIMIT_PROTO,
    &CONTAINER_REPORT_PROTO,
    &CONTAINER_RETRY_CONTEXT_PROTO,
    &CONTAINER_STATUS_PROTO,
    &CONTAINER_UPDATE_REQUEST_PROTO,
    &CONTAINER_UPDATE_RESPONSE_PROTO,
    &CONTENT_SUMMARY_PROTO,
    &CORRUPT_FILE_BLOCKS_PROTO,
    &COUNTER_GROUP_PROTO,
    &COUNTER_PROTO,
    &COUNTERS_PROTO,
    &CREATE_ENCRYPTION_ZONE_REQUEST_PROTO,
    &CREATE_ENCRYPTION_ZONE_RESPONSE_PROTO,
    &CREATE_REQUEST_PROTO,
    &CREATE_RESPONSE_PROTO,
    &CREATE_SNAPSHOT_REQUEST_PROTO,
    &CREATE_SNAPSHOT_RESPONSE_PROTO,
    &CREATE_SYMLINK_REQUEST_PROTO,
    &CREATE_SYMLINK_RESPONSE_PROTO,
    &DATA_ENCRYPTION_KEY_PROTO,
    &DATANODE_COMMAND_PROTO,
    &DATANODE_ID_PROTO,
    &DATANODE_INFO_PROTO,
    &DATANODE_INFOS_PROTO,
    &DATANODE_LOCAL_INFO_PROTO,
    &DATANODE_REGISTRATION_PROTO,
    &DATANODE_STORAGE_PROTO,
    &DATANODE_STORAGE_REPORT_PROTO,
    &DATANODE_VOLUME_INFO_PROTO,
    &DELETE_BLOCK_POOL_REQUEST_PROTO,
    &DELETE_BLOCK_POOL_RESPONSE_PROTO,
    &DELETE_FEDERATION_APPLICATION_REQUEST_PROTO,
    &DELETE_FEDERATION_APPLICATION_RESPONSE_PROTO,
    &DELETE_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO,
    &DELETE_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO,
    &DELETE_REQUEST_PROTO,
    &DELETE_RESPONSE_PROTO,
    &DELETE_SNAPSHOT_REQUEST_PROTO,
    &DELETE_SNAPSHOT_RESPONSE_PROTO,
    &DEREGISTER_SUB_CLUSTER_REQUEST_PROTO,
    &DEREGISTER_SUB_CLUSTER_RESPONSE_PROTO,
    &DEREGISTER_SUB_CLUSTERS_PROTO,
    &DIRECTORY_LISTING_PROTO,
    &DISABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &DISABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &DISALLOW_SNAPSHOT_REQUEST_PROTO,
    &DISALLOW_SNAPSHOT_RESPONSE_PROTO,
    &DISCARD_SEGMENTS_REQUEST_PROTO,
    &DISCARD_SEGMENTS_RESPONSE_PROTO,
    &DISK_BALANCER_SETTING_REQUEST_PROTO,
    &DISK_BALANCER_SETTING_RESPONSE_PROTO,
    &DISTRIBUTED_SCHEDULING_ALLOCATE_REQUEST_PROTO,
    &DISTRIBUTED_SCHEDULING_ALLOCATE_RESPONSE_PROTO,
    &DO_FINALIZE_REQUEST_PROTO,
    &DO_FINALIZE_RESPONSE_PROTO,
    &DO_PRE_UPGRADE_REQUEST_PROTO,
    &DO_PRE_UPGRADE_RESPONSE_PROTO,
    &DO_ROLLBACK_REQUEST_PROTO,
    &DO_ROLLBACK_RESPONSE_PROTO,
    &DO_UPGRADE_REQUEST_PROTO,
    &DO_UPGRADE_RESPONSE_PROTO,
    &EC_SCHEMA_OPTION_ENTRY_PROTO,
    &EC_SCHEMA_PROTO,
    &EC_TOPOLOGY_VERIFIER_RESULT_PROTO,
    &ENABLE_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &ENABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &ENCRYPTION_ZONE_PROTO,
    &END_CHECKPOINT_REQUEST_PROTO,
    &END_CHECKPOINT_RESPONSE_PROTO,
    &ENHANCED_HEADROOM_PROTO,
    &ERASURE_CODING_POLICY_PROTO,
    &EVENT_BATCH_PROTO,
    &EVENT_PROTO,
    &EVENTS_LIST_PROTO,
    &EVICT_WRITERS_REQUEST_PROTO,
    &EVICT_WRITERS_RESPONSE_PROTO,
    &EXECUTION_TYPE_REQUEST_PROTO,
    &EXPORTED_BLOCK_KEYS_PROTO,
    &EXTENDED_BLOCK_PROTO,
    &FAIL_APPLICATION_ATTEMPT_REQUEST_PROTO,
    &FAIL_APPLICATION_ATTEMPT_RESPONSE_PROTO,
    &FAIL_TASK_ATTEMPT_REQUEST_PROTO,
    &FAIL_TASK_ATTEMPT_RESPONSE_PROTO,
    &FEDERATION_QUEUE_WEIGHT_PROTO,
    &FEDERATION_SUB_CLUSTER_PROTO,
    &FENCE_REQUEST_PROTO,
    &FENCE_RESPONSE_PROTO,
    &FILE_ENCRYPTION_INFO_PROTO,
    &FINALIZE_COMMAND_PROTO,
    &FINALIZE_LOG_SEGMENT_REQUEST_PROTO,
    &FINALIZE_LOG_SEGMENT_RESPONSE_PROTO,
    &FINALIZE_UPGRADE_REQUEST_PROTO,
    &FINALIZE_UPGRADE_RESPONSE_PROTO,
    &FINISH_APPLICATION_MASTER_REQUEST_PROTO,
    &FINISH_APPLICATION_MASTER_RESPONSE_PROTO,
    &FORMAT_REQUEST_PROTO,
    &FORMAT_RESPONSE_PROTO,
    &FS_PERMISSION_PROTO,
    &FS_SERVER_DEFAULTS_PROTO,
    &FSYNC_REQUEST_PROTO,
    &FSYNC_RESPONSE_PROTO,
    &GENERIC_REFRESH_REQUEST_PROTO,
    &GENERIC_REFRESH_RESPONSE_COLLECTION_PROTO,
    &GENERIC_REFRESH_RESPONSE_PROTO,
    &GET_ACL_STATUS_REQUEST_PROTO,
    &GET_ACL_STATUS_RESPONSE_PROTO,
    &GET_ADDITIONAL_DATANODE_REQUEST_PROTO,
    &GET_ADDITIONAL_DATANODE_RESPONSE_PROTO,
    &GET_ALL_RESOURCE_PROFILES_REQUEST_PROTO,
    &GET_ALL_RESOURCE_PROFILES_RESPONSE_PROTO,
    &GET_ALL_RESOURCE_TYPE_INFO_REQUEST_PROTO,
    &GET_ALL_RESOURCE_TYPE_INFO_RESPONSE_PROTO,
    &GET_APPLICATION_ATTEMPT_REPORT_REQUEST_PROTO,
    &GET_APPLICATION_ATTEMPT_REPORT_RESPONSE_PROTO,
    &GET_APPLICATION_ATTEMPTS_REQUEST_PROTO,
    &GET_APPLICATION_ATTEMPTS_RESPONSE_PROTO,
    &GET_APPLICATION_REPORT_REQUEST_PROTO,
    &GET_APPLICATION_REPORT_RESPONSE_PROTO,
    &GET_APPLICATIONS_REQUEST_PROTO,
    &GET_APPLICATIONS_RESPONSE_PROTO,
    &GET_ATTRIBUTES_TO_NODES_REQUEST_PROTO,
    &GET_ATTRIBUTES_TO_NODES_RESPONSE_PROTO,
    &GET_BALANCER_BANDWIDTH_REQUEST_PROTO,
    &GET_BALANCER_BANDWIDTH_RESPONSE_PROTO,
    &GET_BATCHED_LISTING_REQUEST_PROTO,
    &GET_BATCHED_LISTING_RESPONSE_PROTO,
    &GET_BLOCK_KEYS_REQUEST_PROTO,
    &GET_BLOCK_KEYS_RESPONSE_PROTO,
    &GET_BLOCK_LOCAL_PATH_INFO_REQUEST_PROTO,
    &GET_BLOCK_LOCAL_PATH_INFO_RESPONSE_PROTO,
    &GET_BLOCK_LOCATIONS_REQUEST_PROTO,
    &GET_BLOCK_LOCATIONS_RESPONSE_PROTO,
    &GET_BLOCKS_REQUEST_PROTO,
    &GET_BLOCKS_RESPONSE_PROTO,
    &GET_CLUSTER_METRICS_REQUEST_PROTO,
    &GET_CLUSTER_METRICS_RESPONSE_PROTO,
    &GET_CLUSTER_NODE_ATTRIBUTES_REQUEST_PROTO,
    &GET_CLUSTER_NODE_ATTRIBUTES_RESPONSE_PROTO,
    &GET_CLUSTER_NODE_LABELS_REQUEST_PROTO,
    &GET_CLUSTER_NODE_LABELS_RESPONSE_PROTO,
    &GET_CLUSTER_NODES_REQUEST_PROTO,
    &GET_CLUSTER_NODES_RESPONSE_PROTO,
    &GET_CONTAINER_REPORT_REQUEST_PROTO,
    &GET_CONTAINER_REPORT_RESPONSE_PROTO,
    &GET_CONTAINER_STATUSES_REQUEST_PROTO,
    &GET_CONTAINER_STATUSES_RESPONSE_PROTO,
    &GET_CONTAINERS_REQUEST_PROTO,
    &GET_CONTAINERS_RESPONSE_PROTO,
    &GET_CONTENT_SUMMARY_REQUEST_PROTO,
    &GET_CONTENT_SUMMARY_RESPONSE_PROTO,
    &GET_COUNTERS_REQUEST_PROTO,
    &GET_COUNTERS_RESPONSE_PROTO,
    &GET_CURRENT_EDIT_LOG_TXID_REQUEST_PROTO,
    &GET_CURRENT_EDIT_LOG_TXID_RESPONSE_PROTO,
    &GET_DATA_ENCRYPTION_KEY_REQUEST_PROTO,
    &GET_DATA_ENCRYPTION_KEY_RESPONSE_PROTO,
    &GET_DATANODE_INFO_REQUEST_PROTO,
    &GET_DATANODE_INFO_RESPONSE_PROTO,
    &GET_DATANODE_REPORT_REQUEST_PROTO,
    &GET_DATANODE_REPORT_RESPONSE_PROTO,
    &GET_DATANODE_STORAGE_REPORT_REQUEST_PROTO,
    &GET_DATANODE_STORAGE_REPORT_RESPONSE_PROTO,
    &GET_DELEGATION_TOKEN_REQUEST_PROTO,
    &GET_DELEGATION_TOKEN_RESPONSE_PROTO,
    &GET_DIAGNOSTICS_REQUEST_PROTO,
    &GET_DIAGNOSTICS_RESPONSE_PROTO,
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
    &GET_GROUPS_FOR_USER_REQUEST_PROTO,
    &GET_GROUPS_FOR_USER_RESPONSE_PROTO,
    &GET_JOB_REPORT_REQUEST_PROTO,
    &GET_JOB_REPORT_RESPONSE_PROTO,
    &GET_JOURNAL_C_TIME_REQUEST_PROTO,
    &GET_JOURNAL_C_TIME_RESPONSE_PROTO,
    &GET_JOURNAL_STATE_REQUEST_PROTO,
    &GET_JOURNAL_STATE_RESPONSE_PROTO,
    &GET_JOURNALED_EDITS_REQUEST_PROTO,
    &GET_JOURNALED_EDITS_RESPONSE_PROTO,
    &GET_LABELS_TO_NODES_REQUEST_PROTO,
    &GET_LABELS_TO_NODES_RESPONSE_PROTO,
    &GET_LINK_TARGET_REQUEST_PROTO,
    &GET_LINK_TARGET_RESPONSE_PROTO,
    &GET_LISTING_REQUEST_PROTO,
    &GET_LISTING_RESPONSE_PROTO,
    &GET_LOCALIZATION_STATUSES_REQUEST_PROTO,
    &GET_LOCALIZATION_STATUSES_RESPONSE_PROTO,
    &GET_LOCATED_FILE_INFO_REQUEST_PROTO,
    &GET_LOCATED_FILE_INFO_RESPONSE_PROTO,
    &GET_MOST_RECENT_CHECKPOINT_TX_ID_REQUEST_PROTO,
    &GET_MOST_RECENT_CHECKPOINT_TX_ID_RESPONSE_PROTO,
    &GET_MOST_RECENT_NAME_NODE_FILE_TX_ID_REQUEST_PROTO,
    &GET_MOST_RECENT_NAME_NODE_FILE_TX_ID_RESPONSE_PROTO,
    &GET_NEW_APPLICATION_REQUEST_PROTO,
    &GET_NEW_APPLICATION_RESPONSE_PROTO,
    &GET_NEW_RESERVATION_REQUEST_PROTO,
    &GET_NEW_RESERVATION_RESPONSE_PROTO,
    &GET_NEXT_SPS_PATH_REQUEST_PROTO,
    &GET_NEXT_SPS_PATH_RESPONSE_PROTO,
    &GET_NODES_TO_ATTRIBUTES_REQUEST_PROTO,
    &GET_NODES_TO_ATTRIBUTES_RESPONSE_PROTO,
    &GET_NODES_TO_LABELS_REQUEST_PROTO,
    &GET_NODES_TO_LABELS_RESPONSE_PROTO,
    &GET_PLUGIN_INFO_REQUEST,
    &GET_PLUGIN_INFO_RESPONSE,
    &GET_PREFERRED_BLOCK_SIZE_REQUEST_PROTO,
    &GET_PREFERRED_BLOCK_SIZE_RESPONSE_PROTO,
    &GET_PROTOCOL_SIGNATURE_REQUEST_PROTO,
    &GET_PROTOCOL_SIGNATURE_RESPONSE_PROTO,
    &GET_PROTOCOL_VERSIONS_REQUEST_PROTO,
    &GET_PROTOCOL_VERSIONS_RESPONSE_PROTO,
    &GET_QUEUE_INFO_REQUEST_PROTO,
    &GET_QUEUE_INFO_RESPONSE_PROTO,
    &GET_QUEUE_USER_ACLS_INFO_REQUEST_PROTO,
    &GET_QUEUE_USER_ACLS_INFO_RESPONSE_PROTO,
    &GET_QUOTA_USAGE_REQUEST_PROTO,
    &GET_QUOTA_USAGE_RESPONSE_PROTO,
    &GET_RECONFIGURATION_STATUS_CONFIG_CHANGE_PROTO,
    &GET_RECONFIGURATION_STATUS_REQUEST_PROTO,
    &GET_RECONFIGURATION_STATUS_RESPONSE_PROTO,
    &GET_REPLICA_VISIBLE_LENGTH_REQUEST_PROTO,
    &GET_REPLICA_VISIBLE_LENGTH_RESPONSE_PROTO,
    &GET_RESOURCE_PROFILE_REQUEST_PROTO,
    &GET_RESOURCE_PROFILE_RESPONSE_PROTO,
    &GET_SERVER_DEFAULTS_REQUEST_PROTO,
    &GET_SERVER_DEFAULTS_RESPONSE_PROTO,
    &GET_SERVICE_STATUS_REQUEST_PROTO,
    &GET_SERVICE_STATUS_RESPONSE_PROTO,
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
    &GET_STORAGE_INFO_REQUEST_PROTO,
    &GET_STORAGE_POLICIES_REQUEST_PROTO,
    &GET_STORAGE_POLICIES_RESPONSE_PROTO,
    &GET_STORAGE_POLICY_REQUEST_PROTO,
    &GET_STORAGE_POLICY_RESPONSE_PROTO,
    &GET_SUB_CLUSTERS_REQUEST_PROTO,
    &GET_SUB_CLUSTERS_RESPONSE_PROTO,
    &GET_TASK_ATTEMPT_COMPLETION_EVENTS_REQUEST_PROTO,
    &GET_TASK_ATTEMPT_COMPLETION_EVENTS_RESPONSE_PROTO,
    &GET_TASK_ATTEMPT_REPORT_REQUEST_PROTO,
    &GET_TASK_ATTEMPT_REPORT_RESPONSE_PROTO,
    &GET_TASK_REPORT_REQUEST_PROTO,
    &GET_TASK_REPORT_RESPONSE_PROTO,
    &GET_TASK_REPORTS_REQUEST_PROTO,
    &GET_TASK_REPORTS_RESPONSE_PROTO,
    &GET_TIMELINE_COLLECTOR_CONTEXT_REQUEST_PROTO,
    &GET_TIMELINE_COLLECTOR_CONTEXT_RESPONSE_PROTO,
    &GET_TRANSACTION_ID_REQUEST_PROTO,
    &GET_TRANSACTION_ID_RESPONSE_PROTO,
    &GET_VOLUME_REPORT_REQUEST_PROTO,
    &GET_VOLUME_REPORT_RESPONSE_PROTO,
    &GET_X_ATTRS_REQUEST_PROTO,
    &GET_X_ATTRS_RESPONSE_PROTO,
    &GRACEFUL_FAILOVER_REQUEST_PROTO,
    &GRACEFUL_FAILOVER_RESPONSE_PROTO,
    &HA_SERVICE_STATE_REQUEST_PROTO,
    &HA_SERVICE_STATE_RESPONSE_PROTO,
    &HA_STATE_CHANGE_REQUEST_INFO_PROTO,
    &HDFS_FILE_STATUS_PROTO,
    &INCREASE_CONTAINERS_RESOURCE_REQUEST_PROTO,
    &INCREASE_CONTAINERS_RESOURCE_RESPONSE_PROTO,
    &INIT_REPLICA_RECOVERY_REQUEST_PROTO,
    &INIT_REPLICA_RECOVERY_RESPONSE_PROTO,
    &IS_FILE_CLOSED_REQUEST_PROTO,
    &IS_FILE_CLOSED_RESPONSE_PROTO,
    &IS_FORMATTED_REQUEST_PROTO,
    &IS_FORMATTED_RESPONSE_PROTO,
    &IS_ROLLING_UPGRADE_REQUEST_PROTO,
    &IS_ROLLING_UPGRADE_RESPONSE_PROTO,
    &IS_UPGRADE_FINALIZED_REQUEST_PROTO,
    &IS_UPGRADE_FINALIZED_RESPONSE_PROTO,
    &JOB_ID_PROTO,
    &JOB_REPORT_PROTO,
    &JOURNAL_ID_PROTO,
    &JOURNAL_INFO_PROTO,
    &JOURNAL_REQUEST_PROTO,
    &JOURNAL_RESPONSE_PROTO,
    &KEY_UPDATE_COMMAND_PROTO,
    &KEY_VALUE_PROTO,
    &KILL_APPLICATION_REQUEST_PROTO,
    &KILL_APPLICATION_RESPONSE_PROTO,
    &KILL_JOB_REQUEST_PROTO,
    &KILL_JOB_RESPONSE_PROTO,
    &KILL_TASK_ATTEMPT_REQUEST_PROTO,
    &KILL_TASK_ATTEMPT_RESPONSE_PROTO,
    &KILL_TASK_REQUEST_PROTO,
    &KILL_TASK_RESPONSE_PROTO,
    &LABELS_TO_NODE_IDS_PROTO,
    &LIFELINE_RESPONSE_PROTO,
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
    &LIST_RECONFIGURABLE_PROPERTIES_REQUEST_PROTO,
    &LIST_RECONFIGURABLE_PROPERTIES_RESPONSE_PROTO,
    &LIST_REENCRYPTION_STATUS_REQUEST_PROTO,
    &LIST_REENCRYPTION_STATUS_RESPONSE_PROTO,
    &LIST_REQUEST_PROTO,
    &LIST_RESPONSE_PROTO,
    &LIST_X_ATTRS_REQUEST_PROTO,
    &LIST_X_ATTRS_RESPONSE_PROTO,
    &LOCAL_RESOURCE_PROTO,
    &LOCAL_RESOURCE_STATUS_PROTO,
    &LOCALIZATION_STATUS_PROTO,
    &LOCALIZER_HEARTBEAT_RESPONSE_PROTO,
    &LOCALIZER_STATUS_PROTO,
    &LOCATED_BLOCK_PROTO,
    &LOCATED_BLOCKS_PROTO,
    &LOG_AGGREGATION_CONTEXT_PROTO,
    &LOG_AGGREGATION_REPORT_PROTO,
    &MASTER_KEY_PROTO,
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
    &MONITOR_HEALTH_REQUEST_PROTO,
    &MONITOR_HEALTH_RESPONSE_PROTO,
    &MOVE_APPLICATION_ACROSS_QUEUES_REQUEST_PROTO,
    &MOVE_APPLICATION_ACROSS_QUEUES_RESPONSE_PROTO,
    &MSYNC_REQUEST_PROTO,
    &MSYNC_RESPONSE_PROTO,
    &NM_CONTAINER_STATUS_PROTO,
    &NM_TOKEN_PROTO,
    &NNHA_STATUS_HEARTBEAT_PROTO,
    &NAMENODE_COMMAND_PROTO,
    &NAMENODE_REGISTRATION_PROTO,
    &NAMESPACE_INFO_PROTO,
    &NEW_EPOCH_REQUEST_PROTO,
    &NEW_EPOCH_RESPONSE_PROTO,
    &NODE_ATTRIBUTE_INFO_PROTO,
    &NODE_ATTRIBUTE_KEY_PROTO,
    &NODE_ATTRIBUTE_PROTO,
    &NODE_ATTRIBUTES_PROTO,
    &NODE_HEALTH_STATUS_PROTO,
    &NODE_HEARTBEAT_REQUEST_PROTO,
    &NODE_HEARTBEAT_RESPONSE_PROTO,
    &NODE_ID_PROTO,
    &NODE_ID_TO_LABELS_PROTO,
    &NODE_LABEL_PROTO,
    &NODE_LABELS_PROTO,
    &NODE_PUBLISH_VOLUME_REQUEST,
    &NODE_PUBLISH_VOLUME_RESPONSE,
    &NODE_REPORT_PROTO,
    &NODE_RESOURCE_MAP_PROTO,
    &NODE_STATUS_PROTO,
    &NODE_TO_ATTRIBUTE_VALUE_PROTO,
    &NODE_TO_ATTRIBUTES_PROTO,
    &NODE_UNPUBLISH_VOLUME_REQUEST,
    &NODE_UNPUBLISH_VOLUME_RESPONSE,
    &NODES_TO_ATTRIBUTES_MAPPING_REQUEST_PROTO,
    &NODES_TO_ATTRIBUTES_MAPPING_RESPONSE_PROTO,
    &OPEN_FILES_BATCH_RESPONSE_PROTO,
    &OPPORTUNISTIC_CONTAINERS_STATUS_PROTO,
    &PLACEMENT_CONSTRAINT_MAP_ENTRY_PROTO,
    &PLACEMENT_CONSTRAINT_PROTO,
    &PLACEMENT_CONSTRAINT_TARGET_PROTO,
    &PREEMPTION_CONTAINER_PROTO,
    &PREEMPTION_CONTRACT_PROTO,
    &PREEMPTION_MESSAGE_PROTO,
    &PREEMPTION_RESOURCE_REQUEST_PROTO,
    &PREPARE_RECOVERY_REQUEST_PROTO,
    &PREPARE_RECOVERY_RESPONSE_PROTO,
    &PRIORITY_PROTO,
    &PROTOCOL_SIGNATURE_PROTO,
    &PROTOCOL_VERSION_PROTO,
    &PROVIDED_STORAGE_LOCATION_PROTO,
    &PURGE_LOGS_REQUEST_PROTO,
    &PURGE_LOGS_RESPONSE_PROTO,
    &QUERY_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO,
    &QUERY_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO,
    &QUERY_PLAN_STATUS_REQUEST_PROTO,
    &QUERY_PLAN_STATUS_RESPONSE_PROTO,
    &QUEUE_CONFIGURATIONS_MAP_PROTO,
    &QUEUE_CONFIGURATIONS_PROTO,
    &QUEUE_INFO_PROTO,
    &QUEUE_STATISTICS_PROTO,
    &QUEUE_USER_ACL_INFO_PROTO,
    &QUOTA_USAGE_PROTO,
    &RE_INITIALIZE_CONTAINER_REQUEST_PROTO,
    &RE_INITIALIZE_CONTAINER_RESPONSE_PROTO,
    &READ_REQUEST_PROTO,
    &READ_RESPONSE_PROTO,
    &RECEIVED_DELETED_BLOCK_INFO_PROTO,
    &RECOVER_LEASE_REQUEST_PROTO,
    &RECOVER_LEASE_RESPONSE_PROTO,
    &RECOVERING_BLOCK_PROTO,
    &REENCRYPT_ENCRYPTION_ZONE_REQUEST_PROTO,
    &REENCRYPT_ENCRYPTION_ZONE_RESPONSE_PROTO,
    &REFRESH_CALL_QUEUE_REQUEST_PROTO,
    &REFRESH_CALL_QUEUE_RESPONSE_PROTO,
    &REFRESH_CLUSTER_MAX_PRIORITY_REQUEST_PROTO,
    &REFRESH_CLUSTER_MAX_PRIORITY_RESPONSE_PROTO,
    &REFRESH_JOB_RETENTION_SETTINGS_REQUEST_PROTO,
    &REFRESH_JOB_RETENTION_SETTINGS_RESPONSE_PROTO,
    &REFRESH_LOADED_JOB_CACHE_REQUEST_PROTO,
    &REFRESH_LOADED_JOB_CACHE_RESPONSE_PROTO,
    &REFRESH_LOG_RETENTION_SETTINGS_REQUEST_PROTO,
    &REFRESH_LOG_RETENTION_SETTINGS_RESPONSE_PROTO,
    &REFRESH_NAMENODES_REQUEST_PROTO,
    &REFRESH_NAMENODES_RESPONSE_PROTO,
    &REFRESH_NODES_REQUEST_PROTO,
    &REFRESH_NODES_RESOURCES_REQUEST_PROTO,
    &REFRESH_NODES_RESOURCES_RESPONSE_PROTO,
    &REFRESH_NODES_RESPONSE_PROTO,
    &REFRESH_QUEUES_REQUEST_PROTO,
    &REFRESH_QUEUES_RESPONSE_PROTO,
    &REFRESH_SERVICE_ACL_REQUEST_PROTO,
    &REFRESH_SERVICE_ACL_RESPONSE_PROTO,
    &REFRESH_SERVICE_ACLS_REQUEST_PROTO,
    &REFRESH_SERVICE_ACLS_RESPONSE_PROTO,
    &REFRESH_SUPER_USER_GROUPS_CONFIGURATION_REQUEST_PROTO,
    &REFRESH_SUPER_USER_GROUPS_CONFIGURATION_RESPONSE_PROTO,
    &REFRESH_USER_TO_GROUPS_MAPPINGS_REQUEST_PROTO,
    &REFRESH_USER_TO_GROUPS_MAPPINGS_RESPONSE_PROTO,
    &REGISTER_APPLICATION_MASTER_REQUEST_PROTO,
    &REGISTER_APPLICATION_MASTER_RESPONSE_PROTO,
    &REGISTER_COMMAND_PROTO,
    &REGISTER_DATANODE_REQUEST_PROTO,
    &REGISTER_DATANODE_RESPONSE_PROTO,
    &REGISTER_DISTRIBUTED_SCHEDULING_AM_RESPONSE_PROTO,
    &REGISTER_NODE_MANAGER_REQUEST_PROTO,
    &REGISTER_NODE_MANAGER_RESPONSE_PROTO,
    &REGISTER_REQUEST_PROTO,
    &REGISTER_RESPONSE_PROTO,
    &REJECTED_SCHEDULING_REQUEST_PROTO,
    &RELEASE_SHARED_CACHE_RESOURCE_REQUEST_PROTO,
    &RELEASE_SHARED_CACHE_RESOURCE_RESPONSE_PROTO,
    &REMOTE_EDIT_LOG_MANIFEST_PROTO,
    &REMOTE_EDIT_LOG_PROTO,
    &REMOTE_EXCEPTION_PROTO,
    &REMOTE_NODE_PROTO,
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
    &REMOVE_FROM_CLUSTER_NODE_LABELS_REQUEST_PROTO,
    &REMOVE_FROM_CLUSTER_NODE_LABELS_RESPONSE_PROTO,
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
    &REPLACE_LABELS_ON_NODE_REQUEST_PROTO,
    &REPLACE_LABELS_ON_NODE_RESPONSE_PROTO,
    &REPORT_BAD_BLOCKS_REQUEST_PROTO,
    &REPORT_BAD_BLOCKS_RESPONSE_PROTO,
    &REPORT_NEW_COLLECTOR_INFO_REQUEST_PROTO,
    &REPORT_NEW_COLLECTOR_INFO_RESPONSE_PROTO,
    &REQUEST_INFO_PROTO,
    &RESERVATION_ALLOCATION_STATE_PROTO,
    &RESERVATION_DEFINITION_PROTO,
    &RESERVATION_DELETE_REQUEST_PROTO,
    &RESERVATION_DELETE_RESPONSE_PROTO,
    &RESERVATION_ID_PROTO,
    &RESERVATION_LIST_REQUEST_PROTO,
    &RESERVATION_LIST_RESPONSE_PROTO,
    &RESERVATION_REQUEST_PROTO,
    &RESERVATION_REQUESTS_PROTO,
    &RESERVATION_SUBMISSION_REQUEST_PROTO,
    &RESERVATION_SUBMISSION_RESPONSE_PROTO,
    &RESERVATION_UPDATE_REQUEST_PROTO,
    &RESERVATION_UPDATE_RESPONSE_PROTO,
    &RESOURCE_ALLOCATION_REQUEST_PROTO,
    &RESOURCE_BLACKLIST_REQUEST_PROTO,
    &RESOURCE_INFORMATION_PROTO,
    &RESOURCE_LOCALIZATION_REQUEST_PROTO,
    &RESOURCE_LOCALIZATION_RESPONSE_PROTO,
    &RESOURCE_LOCALIZATION_SPEC_PROTO,
    &RESOURCE_OPTION_PROTO,
    &RESOURCE_PROFILE_ENTRY,
    &RESOURCE_PROFILES_PROTO,
    &RESOURCE_PROTO,
    &RESOURCE_REQUEST_PROTO,
    &RESOURCE_SIZING_PROTO,
    &RESOURCE_TYPE_INFO_PROTO,
    &RESOURCE_UTILIZATION_PROTO,
    &RESTART_CONTAINER_RESPONSE_PROTO,
    &RESTORE_FAILED_STORAGE_REQUEST_PROTO,
    &RESTORE_FAILED_STORAGE_RESPONSE_PROTO,
    &ROLL_EDIT_LOG_REQUEST_PROTO,
    &ROLL_EDIT_LOG_RESPONSE_PROTO,
    &ROLL_EDITS_REQUEST_PROTO,
    &ROLL_EDITS_RESPONSE_PROTO,
    &ROLLBACK_RESPONSE_PROTO,
    &ROLLING_UPGRADE_INFO_PROTO,
    &ROLLING_UPGRADE_REQUEST_PROTO,
    &ROLLING_UPGRADE_RESPONSE_PROTO,
    &ROLLING_UPGRADE_STATUS_PROTO,
    &RUN_SHARED_CACHE_CLEANER_TASK_REQUEST_PROTO,
    &RUN_SHARED_CACHE_CLEANER_TASK_RESPONSE_PROTO,
    &SCM_UPLOADER_CAN_UPLOAD_REQUEST_PROTO,
    &SCM_UPLOADER_CAN_UPLOAD_RESPONSE_PROTO,
    &SCM_UPLOADER_NOTIFY_REQUEST_PROTO,
    &SCM_UPLOADER_NOTIFY_RESPONSE_PROTO,
    &SATISFY_STORAGE_POLICY_REQUEST_PROTO,
    &SATISFY_STORAGE_POLICY_RESPONSE_PROTO,
    &SAVE_FEDERATION_QUEUE_POLICY_REQUEST_PROTO,
    &SAVE_FEDERATION_QUEUE_POLICY_RESPONSE_PROTO,
    &SAVE_NAMESPACE_REQUEST_PROTO,
    &SAVE_NAMESPACE_RESPONSE_PROTO,
    &SCHEDULING_REQUEST_PROTO,
    &SEGMENT_STATE_PROTO,
    &SERIALIZED_EXCEPTION_PROTO,
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
    &SHUTDOWN_DATANODE_REQUEST_PROTO,
    &SHUTDOWN_DATANODE_RESPONSE_PROTO,
    &SIGNAL_CONTAINER_REQUEST_PROTO,
    &SIGNAL_CONTAINER_RESPONSE_PROTO,
    &SIMPLE_PLACEMENT_CONSTRAINT_PROTO,
    &SLOW_DISK_REPORT_PROTO,
    &SLOW_PEER_REPORT_PROTO,
    &SNAPSHOT_DIFF_REPORT_CURSOR_PROTO,
    &SNAPSHOT_DIFF_REPORT_ENTRY_PROTO,
    &SNAPSHOT_DIFF_REPORT_LISTING_ENTRY_PROTO,
    &SNAPSHOT_DIFF_REPORT_LISTING_PROTO,
    &SNAPSHOT_DIFF_REPORT_PROTO,
    &SNAPSHOT_LISTING_PROTO,
    &SNAPSHOT_STATUS_PROTO,
    &SNAPSHOTTABLE_DIRECTORY_LISTING_PROTO,
    &SNAPSHOTTABLE_DIRECTORY_STATUS_PROTO,
    &START_CHECKPOINT_REQUEST_PROTO,
    &START_CHECKPOINT_RESPONSE_PROTO,
    &START_CONTAINER_REQUEST_PROTO,
    &START_CONTAINERS_REQUEST_PROTO,
    &START_CONTAINERS_RESPONSE_PROTO,
    &START_LOG_SEGMENT_REQUEST_PROTO,
    &START_LOG_SEGMENT_RESPONSE_PROTO,
    &START_RECONFIGURATION_REQUEST_PROTO,
    &START_RECONFIGURATION_RESPONSE_PROTO,
    &STOP_CONTAINERS_REQUEST_PROTO,
    &STOP_CONTAINERS_RESPONSE_PROTO,
    &STORAGE_BLOCK_REPORT_PROTO,
    &STORAGE_INFO_PROTO,
    &STORAGE_RECEIVED_DELETED_BLOCKS_PROTO,
    &STORAGE_REPORT_PROTO,
    &STORAGE_TYPE_QUOTA_INFO_PROTO,
    &STORAGE_TYPE_QUOTA_INFOS_PROTO,
    &STORAGE_TYPES_PROTO,
    &STORAGE_UUIDS_PROTO,
    &STRICT_PREEMPTION_CONTRACT_PROTO,
    &STRING_BYTES_MAP_PROTO,
    &STRING_COUNTER_GROUP_MAP_PROTO,
    &STRING_COUNTER_MAP_PROTO,
    &STRING_FLOAT_MAP_PROTO,
    &STRING_LOCAL_RESOURCE_MAP_PROTO,
    &STRING_LONG_MAP_PROTO,
    &STRING_STRING_MAP_PROTO,
    &SUBMIT_APPLICATION_REQUEST_PROTO,
    &SUBMIT_APPLICATION_RESPONSE_PROTO,
    &SUBMIT_DISK_BALANCER_PLAN_REQUEST_PROTO,
    &SUBMIT_DISK_BALANCER_PLAN_RESPONSE_PROTO,
    &SYSTEM_CREDENTIALS_FOR_APPS_PROTO,
    &TASK_ATTEMPT_COMPLETION_EVENT_PROTO,
    &TASK_ATTEMPT_ID_PROTO,
    &TASK_ATTEMPT_REPORT_PROTO,
    &TASK_ID_PROTO,
    &TASK_REPORT_PROTO,
    &TIMED_PLACEMENT_CONSTRAINT_PROTO,
    &TOKEN_PROTO,
    &TRANSITION_TO_ACTIVE_REQUEST_PROTO,
    &TRANSITION_TO_ACTIVE_RESPONSE_PROTO,
    &TRANSITION_TO_OBSERVER_REQUEST_PROTO,
    &TRANSITION_TO_OBSERVER_RESPONSE_PROTO,
    &TRANSITION_TO_STANDBY_REQUEST_PROTO,
    &TRANSITION_TO_STANDBY_RESPONSE_PROTO,
    &TRIGGER_BLOCK_REPORT_REQUEST_PROTO,
    &TRIGGER_BLOCK_REPORT_RESPONSE_PROTO,
    &TRUNCATE_REQUEST_PROTO,
    &TRUNCATE_RESPONSE_PROTO,
    &URL_PROTO,
    &UN_REGISTER_NODE_MANAGER_REQUEST_PROTO,
    &UN_REGISTER_NODE_MANAGER_RESPONSE_PROTO,
    &UNSET_ERASURE_CODING_POLICY_REQUEST_PROTO,
    &UNSET_ERASURE_CODING_POLICY_RESPONSE_PROTO,
    &UNSET_STORAGE_POLICY_REQUEST_PROTO,
    &UNSET_STORAGE_POLICY_RESPONSE_PROTO,
    &UPDATE_APPLICATION_PRIORITY_REQUEST_PROTO,
    &UPDATE_APPLICATION_PRIORITY_RESPONSE_PROTO,
    &UPDATE_APPLICATION_TIMEOUTS_REQUEST_PROTO,
    &UPDATE_APPLICATION_TIMEOUTS_RESPONSE_PROTO,
    &UPDATE_BLOCK_FOR_PIPELINE_REQUEST_PROTO,
    &UPDATE_BLOCK_FOR_PIPELINE_RESPONSE_PROTO,
    &UPDATE_CONTAINER_ERROR_PROTO,
    &UPDATE_CONTAINER_REQUEST_PROTO,
    &UPDATE_NODE_RESOURCE_REQUEST_PROTO,
    &UPDATE_NODE_RESOURCE_RESPONSE_PROTO,
    &UPDATE_PIPELINE_REQUEST_PROTO,
    &UPDATE_PIPELINE_RESPONSE_PROTO,
    &UPDATE_REPLICA_UNDER_RECOVERY_REQUEST_PROTO,
    &UPDATE_REPLICA_UNDER_RECOVERY_RESPONSE_PROTO,
    &UPDATED_CONTAINER_PROTO,
    &UPGRADE_STATUS_REQUEST_PROTO,
    &UPGRADE_STATUS_RESPONSE_PROTO,
    &USE_SHARED_CACHE_RESOURCE_REQUEST_PROTO,
    &USE_SHARED_CACHE_RESOURCE_RESPONSE_PROTO,
    &VALIDATE_VOLUME_CAPABILITIES_REQUEST,
    &VALIDATE_VOLUME_CAPABILITIES_RESPONSE,
    &VERSION_REQUEST_PROTO,
    &VERSION_RESPONSE_PROTO,
    &VOLUME_CAPABILITY,
    &VOLUME_FAILURE_SUMMARY_PROTO,
    &WRITE_REQUEST_PROTO,
    &WRITE_RESPONSE_PROTO,
    &X_ATTR_PROTO,
    &YARN_CLUSTER_METRICS_PROTO,
    &ZONE_REENCRYPTION_STATUS_PROTO,
    &DATANODE_ERROR_REPORT_REQUEST_PROTO,
    &DATANODE_ERROR_REPORT_RESPONSE_PROTO,
    &DATANODE_HEARTBEAT_REQUEST_PROTO,
    &DATANODE_HEARTBEAT_RESPONSE_PROTO,
    &DATANODE_REPORT_BAD_BLOCKS_REQUEST_PROTO,
    &DATANODE_REPORT_BAD_BLOCKS_RESPONSE_PROTO,
    &MAPREDUCE_REFRESH_ADMIN_ACLS_REQUEST_PROTO,
    &MAPREDUCE_REFRESH_ADMIN_ACLS_RESPONSE_PROTO,
    &NAMENODE_ERROR_REPORT_REQUEST_PROTO,
    &NAMENODE_ERROR_REPORT_RESPONSE_PROTO,
    &NAMENODE_GET_EDIT_LOG_MANIFEST_REQUEST_PROTO,
    &NAMENODE_GET_EDIT_LOG_MANIFEST_RESPONSE_PROTO,
    &QJOURNAL_GET_EDIT_LOG_MANIFEST_REQUEST_PROTO,
    &QJOURNAL_GET_EDIT_LOG_MANIFEST_RESPONSE_PROTO,
    &QJOURNAL_HEARTBEAT_REQUEST_PROTO,
    &QJOURNAL_HEARTBEAT_RESPONSE_PROTO,
    &QJOURNAL_JOURNAL_REQUEST_PROTO,
    &QJOURNAL_JOURNAL_RESPONSE_PROTO,
    &QJOURNAL_START_LOG_SEGMENT_REQUEST_PROTO,
    &QJOURNAL_START_LOG_SEGMENT_RESPONSE_PROTO,
    &YARN_GET_GROUPS_FOR_USER_REQUEST_PROTO,
    &YARN_GET_GROUPS_FOR_USER_RESPONSE_PROTO,
    &YARN_REFRESH_ADMIN_ACLS_REQUEST_PROTO,
    &YARN_REFRESH_ADMIN_ACLS_RESPONSE_PROTO,
    &YARN_REFRESH_NODES_REQUEST_PROTO,
    &YARN_REFRESH_NODES_RESPONSE_PROTO,
    &YARN_REFRESH_SUPER_USER_GROUPS_CONFIGURATION_REQUEST_PROTO,
    &YARN_REFRESH_SUPER_USER_GROUPS_CONFIGURATION_RESPONSE_PROTO,
    &YARN_REFRESH_USER_TO_GROUPS_MAPPINGS_REQUEST_PROTO,
    &YARN_REFRESH_USER_TO_GROUPS_MAPPINGS_RESPONSE_PROTO,
];

static CANCEL_DELEGATION_TOKEN_REQUEST_PROTO: MessageType = message(
    "CancelDelegationTokenRequestProto",
    &[Field::required(1, "token", FieldKind::Message(&TOKEN_PROTO))],
);

static CANCEL_DELEGATION_TOKEN_RESPONSE_PROTO: MessageType =
    message("CancelDelegationTokenResponseProto", &[]);

static CEDE_ACTIVE_REQUEST_PROTO: MessageType =
    message("CedeActiveRequestProto", &[Field::required(1, "millis_to_cede", FieldKind::UInt32)]);

static CEDE_ACTIVE_RESPONSE_PROTO: MessageType = message("CedeActiveResponseProto", &[]);

static GENERIC_REFRESH_REQUEST_PROTO: MessageType = message(
    "GenericRefreshRequestProto",
    &[Field::one(1, "identifier", FieldKind::Text), Field::list(2, "args", FieldKind::Text)],
);

static GENERIC_REFRESH_RESPONSE_COLLECTION_PROTO: MessageType = message(
    "GenericRefreshResponseCollectionProto",
    &[Field::list(1, "responses", FieldKind::Message(&GENERIC_REFRESH_RESPONSE_PROTO))],
);

static GENERIC_REFRESH_RESPONSE_PROTO: MessageType = message(
    "GenericRefreshResponseProto",
    &[
        Field::one(1, "exit_status", FieldKind::Int32),
        Field::one(2, "user_message", FieldKind::Text),
        Field::one(3, "sender_name", FieldKind::Text),
    ],
);

static GET_DELEGATION_TOKEN_REQUEST_PROTO: MessageType =
    message("GetDelegationTokenRequestProto", &[Field::required(1, "renewer", FieldKind::Text)]);

static GET_DELEGATION_TOKEN_RESPONSE_PROTO: MessageType = message(
    "GetDelegationTokenResponseProto",
    &[Field::one(1, "token", FieldKind::Message(&TOKEN_PROTO))],
);

static GET_GROUPS_FOR_USER_REQUEST_PROTO: MessageType =
    message("GetGroupsForUserRequestProto", &[Field::required(1, "user", FieldKind::Text)]);

static GET_GROUPS_FOR_USER_RESPONSE_PROTO: MessageType =
    message("GetGroupsForUserResponseProto", &[Field::list(1, "groups", FieldKind::Text)]);

static GET_PROTOCOL_SIGNATURE_REQUEST_PROTO: MessageType = message(
    "GetProtocolSignatureRequestProto",
    &[
        Field::required(1, "protocol", FieldKind::Text),
        Field::required(2, "rpc_kind", FieldKind::Text),
    ],
);

static GET_PROTOCOL_SIGNATURE_RESPONSE_PROTO: MessageType = message(
    "GetProtocolSignatureResponseProto",
    &[Field::list(1, "protocol_signature", FieldKind::Message(&PROTOCOL_SIGNATURE_PROTO))],
);

static GET_PROTOCOL_VERSIONS_REQUEST_PROTO: MessageType =
    message("GetProtocolVersionsRequestProto", &[Field::required(1, "protocol", FieldKind::Text)]);

static GET_PROTOCOL_VERSIONS_RESPONSE_PROTO: MessageType = message(
    "GetProtocolVersionsResponseProto",
    &[Field::list(1, "protocol_versions", FieldKind::Message(&PROTOCOL_VERSION_PROTO))],
);

static GET_SERVICE_STATUS_REQUEST_PROTO: MessageType = message("GetServiceStatusRequestProto", &[]);

static GET_SERVICE_STATUS_RESPONSE_PROTO: MessageType = message(
    "GetServiceStatusResponseProto",
    &[
        Field::required(1, "state", FieldKind::Enum(HA_SERVICE_STATE_PROTO)),
        Field::one(2, "ready_to_become_active", FieldKind::Bool),
        Field::one(3, "not_ready_reason", FieldKind::Text),
    ],
);

static GRACEFUL_FAILOVER_REQUEST_PROTO: MessageType = message("GracefulFailoverRequestProto", &[]);

static GRACEFUL_FAILOVER_RESPONSE_PROTO: MessageType =
    message("GracefulFailoverResponseProto", &[]);

static HA_STATE_CHANGE_REQUEST_INFO_PROTO: MessageType = message(
    "HAStateChangeRequestInfoProto",
    &[Field::required(1, "req_source", FieldKind::Enum(HA_REQUEST_SOURCE))],
);

static MONITOR_HEALTH_REQUEST_PROTO: MessageType = message("MonitorHealthRequestProto", &[]);

static MONITOR_HEALTH_RESPONSE_PROTO: MessageType = message("MonitorHealthResponseProto", &[]);

static PROTOCOL_SIGNATURE_PROTO: MessageType = message(
    "ProtocolSignatureProto",
    &[
        Field::required(1, "version", FieldKind::UInt64),
        Field::list(2, "methods", FieldKind::UInt32),
    ],
);

static PROTOCOL_VERSION_PROTO: MessageType = message(
    "ProtocolVersionProto",
    &[
        Field::required(1, "rpc_kind", FieldKind::Text),
        Field::list(2, "versions", FieldKind::UInt64),
    ],
);

static REFRESH_CALL_QUEUE_REQUEST_PROTO: MessageType = message("RefreshCallQueueRequestProto", &[]);

static REFRESH_CALL_QUEUE_RESPONSE_PROTO: MessageType =
    message("RefreshCallQueueResponseProto", &[]);

static REFRESH_SERVICE_ACL_REQUEST_PROTO: MessageType =
    message("RefreshServiceAclRequestProto", &[]);

static REFRESH_SERVICE_ACL_RESPONSE_PROTO: MessageType =
    message("RefreshServiceAclResponseProto", &[]);

static REFRESH_SUPER_USER_GROUPS_CONFIGURATION_REQUEST_PROTO: MessageType =
    message("RefreshSuperUserGroupsConfigurationRequestProto", &[]);

static REFRESH_SUPER_USER_GROUPS_CONFIGURATION_RESPONSE_PROTO: MessageType =
    message("RefreshSuperUserGroupsConfigurationResponseProto", &[]);

static REFRESH_USER_TO_GROUPS_MAPPINGS_REQUEST_PROTO: MessageType =
    message("RefreshUserToGroupsMappingsRequestProto", &[]);

static REFRESH_USER_TO_GROUPS_MAPPINGS_RESPONSE_PROTO: MessageType =
    message("RefreshUserToGroupsMappingsResponseProto", &[]);

static RENEW_DELEGATION_TOKEN_REQUEST_PROTO: MessageType = message(
    "RenewDelegationTokenRequestProto",
    &[Field::required(1, "token", FieldKind::Message(&TOKEN_PROTO))],
);

static RENEW_DELEGATION_TOKEN_RESPONSE_PROTO: MessageType = message(
    "RenewDelegationTokenResponseProto",
    &[Field::required(1, "new_expiry_time", FieldKind::UInt64)],
);

static TOKEN_PROTO: MessageType = message(
    "TokenProto",
    &[
        Field::required(1, "identifier", FieldKind::Bytes),
        Field::required(2, "password", FieldKind::Bytes),
        Field::required(3, "kind", FieldKind::Text),
        Field::required(4, "service", FieldKind::Text),
    ],
);

static TRANSITION_TO_ACTIVE_REQUEST_PROTO: MessageType = message(
    "TransitionToActiveRequestProto",
    &[Field::required(1, "req_info", FieldKind::Message(&HA_STATE_CHANGE_REQUEST_INFO_PROTO))],
);

static TRANSITION_TO_ACTIVE_RESPONSE_PROTO: MessageType =
    message("TransitionToActiveResponseProto", &[]);

static TRANSITION_TO_OBSERVER_REQUEST_PROTO: MessageType = message(
    "TransitionToObserverRequestProto",
    &[Field::required(1, "req_info", FieldKind::Message(&HA_STATE_CHANGE_REQUEST_INFO_PROTO))],
);

static TRANSITION_TO_OBSERVER_RESPONSE_PROTO: MessageType =
    message("TransitionToObserverResponseProto", &[]);

static TRANSITION_TO_STANDBY_REQUEST_PROTO: MessageType = message(
    "TransitionToStandbyRequestProto",
    &[Field::required(1, "req_info", FieldKind::Message(&HA_STATE_CHANGE_REQUEST_INFO_PROTO))],
);

static TRANSITION_TO_STANDBY_RESPONSE_PROTO: MessageType =
    message("TransitionToStandbyResponseProto", &[]);

static ABANDON_BLOCK_REQUEST_PROTO: MessageType = message(
    "AbandonBlockRequestProto",
    &[
        Field::required(1, "b", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "src", FieldKind::Text),
        Field::required(3, "holder", FieldKind::Text),
        Field::one(4, "file_id", FieldKind::UInt64),
    ],
);

static ABANDON_BLOCK_RESPONSE_PROTO: MessageType = message("AbandonBlockResponseProto", &[]);

static ACL_ENTRY_PROTO: MessageType = message(
    "AclEntryProto",
    &[
        Field::required(1, "type", FieldKind::Enum(ACL_ENTRY_PROTO_ACL_ENTRY_TYPE_PROTO)),
        Field::required(2, "scope", FieldKind::Enum(ACL_ENTRY_PROTO_ACL_ENTRY_SCOPE_PROTO)),
        Field::required(3, "permissions", FieldKind::Enum(ACL_ENTRY_PROTO_FS_ACTION_PROTO)),
        Field::one(4, "name", FieldKind::Text),
    ],
);

static ACL_STATUS_PROTO: MessageType = message(
    "AclStatusProto",
    &[
        Field::required(1, "owner", FieldKind::Text),
        Field::required(2, "group", FieldKind::Text),
        Field::required(3, "sticky", FieldKind::Bool),
        Field::list(4, "entries", FieldKind::Message(&ACL_ENTRY_PROTO)),
        Field::one(5, "permission", FieldKind::Message(&FS_PERMISSION_PROTO)),
    ],
);

static ADD_BLOCK_REQUEST_PROTO: MessageType = message(
    "AddBlockRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
        Field::one(3, "previous", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::list(4, "exclude_nodes", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::one(5, "file_id", FieldKind::UInt64),
        Field::list(6, "favored_nodes", FieldKind::Text),
        Field::list(7, "flags", FieldKind::Enum(ADD_BLOCK_FLAG_PROTO)),
    ],
);

static ADD_BLOCK_RESPONSE_PROTO: MessageType = message(
    "AddBlockResponseProto",
    &[Field::required(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
);

static ADD_CACHE_DIRECTIVE_REQUEST_PROTO: MessageType = message(
    "AddCacheDirectiveRequestProto",
    &[
        Field::required(1, "info", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
        Field::one(2, "cache_flags", FieldKind::UInt32),
    ],
);

static ADD_CACHE_DIRECTIVE_RESPONSE_PROTO: MessageType =
    message("AddCacheDirectiveResponseProto", &[Field::required(1, "id", FieldKind::Int64)]);

static ADD_CACHE_POOL_REQUEST_PROTO: MessageType = message(
    "AddCachePoolRequestProto",
    &[Field::required(1, "info", FieldKind::Message(&CACHE_POOL_INFO_PROTO))],
);

static ADD_CACHE_POOL_RESPONSE_PROTO: MessageType = message("AddCachePoolResponseProto", &[]);

static ADD_ERASURE_CODING_POLICIES_REQUEST_PROTO: MessageType = message(
    "AddErasureCodingPoliciesRequestProto",
    &[Field::list(1, "ec_policies", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO))],
);

static ADD_ERASURE_CODING_POLICIES_RESPONSE_PROTO: MessageType = message(
    "AddErasureCodingPoliciesResponseProto",
    &[Field::list(1, "responses", FieldKind::Message(&ADD_ERASURE_CODING_POLICY_RESPONSE_PROTO))],
);

static ADD_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType = message(
    "AddErasureCodingPolicyResponseProto",
    &[
        Field::required(1, "policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO)),
        Field::required(2, "succeed", FieldKind::Bool),
        Field::one(3, "error_msg", FieldKind::Text),
    ],
);

static ALLOW_SNAPSHOT_REQUEST_PROTO: MessageType =
    message("AllowSnapshotRequestProto", &[Field::required(1, "snapshot_root", FieldKind::Text)]);

static ALLOW_SNAPSHOT_RESPONSE_PROTO: MessageType = message("AllowSnapshotResponseProto", &[]);

static APPEND_REQUEST_PROTO: MessageType = message(
    "AppendRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
        Field::one(3, "flag", FieldKind::UInt32),
    ],
);

static APPEND_RESPONSE_PROTO: MessageType = message(
    "AppendResponseProto",
    &[
        Field::one(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO)),
        Field::one(2, "stat", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
    ],
);

static BATCHED_DIRECTORY_LISTING_PROTO: MessageType = message(
    "BatchedDirectoryListingProto",
    &[
        Field::list(1, "partial_listing", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "parent_idx", FieldKind::UInt32),
        Field::one(3, "exception", FieldKind::Message(&REMOTE_EXCEPTION_PROTO)),
    ],
);

static BLOCK_EC_RECONSTRUCTION_INFO_PROTO: MessageType = message(
    "BlockECReconstructionInfoProto",
    &[
        Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "source_dn_infos", FieldKind::Message(&DATANODE_INFOS_PROTO)),
        Field::required(3, "target_dn_infos", FieldKind::Message(&DATANODE_INFOS_PROTO)),
        Field::required(4, "target_storage_uuids", FieldKind::Message(&STORAGE_UUIDS_PROTO)),
        Field::required(5, "target_storage_types", FieldKind::Message(&STORAGE_TYPES_PROTO)),
        Field::required(6, "live_block_indices", FieldKind::Bytes),
        Field::required(7, "ec_policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO)),
        Field::one(8, "exclude_reconstructed_indices", FieldKind::Bytes),
    ],
);

static BLOCK_KEY_PROTO: MessageType = message(
    "BlockKeyProto",
    &[
        Field::required(1, "key_id", FieldKind::UInt32),
        Field::required(2, "expiry_date", FieldKind::UInt64),
        Field::one(3, "key_bytes", FieldKind::Bytes),
    ],
);

static BLOCK_POOL_REQUEST_PROTO: MessageType = message("BlockPoolRequestProto", &[]);

static BLOCK_POOL_RESPONSE_PROTO: MessageType =
    message("BlockPoolResponseProto", &[Field::required(1, "block_pool_id", FieldKind::Text)]);

static BLOCK_PROTO: MessageType = message(
    "BlockProto",
    &[
        Field::required(1, "block_id", FieldKind::UInt64),
        Field::required(2, "gen_stamp", FieldKind::UInt64),
        Field::one(3, "num_bytes", FieldKind::UInt64),
    ],
);

static BLOCK_STORAGE_POLICY_PROTO: MessageType = message(
    "BlockStoragePolicyProto",
    &[
        Field::required(1, "policy_id", FieldKind::UInt32),
        Field::required(2, "name", FieldKind::Text),
        Field::required(3, "creation_policy", FieldKind::Message(&STORAGE_TYPES_PROTO)),
        Field::one(4, "creation_fallback_policy", FieldKind::Message(&STORAGE_TYPES_PROTO)),
        Field::one(5, "replication_fallback_policy", FieldKind::Message(&STORAGE_TYPES_PROTO)),
    ],
);

static BLOCK_WITH_LOCATIONS_PROTO: MessageType = message(
    "BlockWithLocationsProto",
    &[
        Field::required(1, "block", FieldKind::Message(&BLOCK_PROTO)),
        Field::list(2, "datanode_uuids", FieldKind::Text),
        Field::list(3, "storage_uuids", FieldKind::Text),
        Field::list(4, "storage_types", FieldKind::Enum(STORAGE_TYPE_PROTO)),
        Field::one(5, "indices", FieldKind::Bytes),
        Field::one(6, "data_block_num", FieldKind::UInt32),
        Field::one(7, "cell_size", FieldKind::UInt32),
    ],
);

static BLOCKS_WITH_LOCATIONS_PROTO: MessageType = message(
    "BlocksWithLocationsProto",
    &[Field::list(1, "blocks", FieldKind::Message(&BLOCK_WITH_LOCATIONS_PROTO))],
);

static CACHE_DIRECTIVE_ENTRY_PROTO: MessageType = message(
    "CacheDirectiveEntryProto",
    &[
        Field::required(1, "info", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
        Field::required(2, "stats", FieldKind::Message(&CACHE_DIRECTIVE_STATS_PROTO)),
    ],
);

static CACHE_DIRECTIVE_INFO_EXPIRATION_PROTO: MessageType = message(
    "CacheDirectiveInfoExpirationProto",
    &[
        Field::required(1, "millis", FieldKind::Int64),
        Field::required(2, "is_relative", FieldKind::Bool),
    ],
);

static CACHE_DIRECTIVE_INFO_PROTO: MessageType = message(
    "CacheDirectiveInfoProto",
    &[
        Field::one(1, "id", FieldKind::Int64),
        Field::one(2, "path", FieldKind::Text),
        Field::one(3, "replication", FieldKind::UInt32),
        Field::one(4, "pool", FieldKind::Text),
        Field::one(5, "expiration", FieldKind::Message(&CACHE_DIRECTIVE_INFO_EXPIRATION_PROTO)),
    ],
);

static CACHE_DIRECTIVE_STATS_PROTO: MessageType = message(
    "CacheDirectiveStatsProto",
    &[
        Field::required(1, "bytes_needed", FieldKind::Int64),
        Field::required(2, "bytes_cached", FieldKind::Int64),
        Field::required(3, "files_needed", FieldKind::Int64),
        Field::required(4, "files_cached", FieldKind::Int64),
        Field::required(5, "has_expired", FieldKind::Bool),
    ],
);

static CACHE_POOL_ENTRY_PROTO: MessageType = message(
    "CachePoolEntryProto",
    &[
        Field::required(1, "info", FieldKind::Message(&CACHE_POOL_INFO_PROTO)),
        Field::required(2, "stats", FieldKind::Message(&CACHE_POOL_STATS_PROTO)),
    ],
);

static CACHE_POOL_INFO_PROTO: MessageType = message(
    "CachePoolInfoProto",
    &[
        Field::one(1, "pool_name", FieldKind::Text),
        Field::one(2, "owner_name", FieldKind::Text),
        Field::one(3, "group_name", FieldKind::Text),
        Field::one(4, "mode", FieldKind::Int32),
        Field::one(5, "limit", FieldKind::Int64),
        Field::one(6, "max_relative_expiry", FieldKind::Int64),
        Field::one(7, "default_replication", FieldKind::UInt32),
    ],
);

static CACHE_POOL_STATS_PROTO: MessageType = message(
    "CachePoolStatsProto",
    &[
        Field::required(1, "bytes_needed", FieldKind::Int64),
        Field::required(2, "bytes_cached", FieldKind::Int64),
        Field::required(3, "bytes_overlimit", FieldKind::Int64),
        Field::required(4, "files_needed", FieldKind::Int64),
        Field::required(5, "files_cached", FieldKind::Int64),
    ],
);

static CANCEL_PLAN_REQUEST_PROTO: MessageType =
    message("CancelPlanRequestProto", &[Field::required(1, "plan_id", FieldKind::Text)]);

static CANCEL_PLAN_RESPONSE_PROTO: MessageType = message("CancelPlanResponseProto", &[]);

static CHECK_ACCESS_REQUEST_PROTO: MessageType = message(
    "CheckAccessRequestProto",
    &[
        Field::required(1, "path", FieldKind::Text),
        Field::required(2, "mode", FieldKind::Enum(ACL_ENTRY_PROTO_FS_ACTION_PROTO)),
    ],
);

static CHECK_ACCESS_RESPONSE_PROTO: MessageType = message("CheckAccessResponseProto", &[]);

static CHECKPOINT_COMMAND_PROTO: MessageType = message(
    "CheckpointCommandProto",
    &[
        Field::required(1, "signature", FieldKind::Message(&CHECKPOINT_SIGNATURE_PROTO)),
        Field::required(2, "need_to_return_image", FieldKind::Bool),
    ],
);

static CHECKPOINT_SIGNATURE_PROTO: MessageType = message(
    "CheckpointSignatureProto",
    &[
        Field::required(1, "block_pool_id", FieldKind::Text),
        Field::required(2, "most_recent_checkpoint_tx_id", FieldKind::UInt64),
        Field::required(3, "cur_segment_tx_id", FieldKind::UInt64),
        Field::required(4, "storage_info", FieldKind::Message(&STORAGE_INFO_PROTO)),
    ],
);

static CODEC_PROTO: MessageType = message(
    "CodecProto",
    &[Field::required(1, "codec", FieldKind::Text), Field::required(2, "coders", FieldKind::Text)],
);

static COMPLETE_REQUEST_PROTO: MessageType = message(
    "CompleteRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
        Field::one(3, "last", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::one(4, "file_id", FieldKind::UInt64),
    ],
);

static COMPLETE_RESPONSE_PROTO: MessageType =
    message("CompleteResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static CONCAT_REQUEST_PROTO: MessageType = message(
    "ConcatRequestProto",
    &[Field::required(1, "trg", FieldKind::Text), Field::list(2, "srcs", FieldKind::Text)],
);

static CONCAT_RESPONSE_PROTO: MessageType = message("ConcatResponseProto", &[]);

static CONTENT_SUMMARY_PROTO: MessageType = message(
    "ContentSummaryProto",
    &[
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
);

static CORRUPT_FILE_BLOCKS_PROTO: MessageType = message(
    "CorruptFileBlocksProto",
    &[Field::list(1, "files", FieldKind::Text), Field::required(2, "cookie", FieldKind::Text)],
);

static CREATE_ENCRYPTION_ZONE_REQUEST_PROTO: MessageType = message(
    "CreateEncryptionZoneRequestProto",
    &[Field::required(1, "src", FieldKind::Text), Field::one(2, "key_name", FieldKind::Text)],
);

static CREATE_ENCRYPTION_ZONE_RESPONSE_PROTO: MessageType =
    message("CreateEncryptionZoneResponseProto", &[]);

static CREATE_REQUEST_PROTO: MessageType = message(
    "CreateRequestProto",
    &[
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
);

static CREATE_RESPONSE_PROTO: MessageType = message(
    "CreateResponseProto",
    &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
);

static CREATE_SNAPSHOT_REQUEST_PROTO: MessageType = message(
    "CreateSnapshotRequestProto",
    &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::one(2, "snapshot_name", FieldKind::Text),
    ],
);

static CREATE_SNAPSHOT_RESPONSE_PROTO: MessageType =
    message("CreateSnapshotResponseProto", &[Field::required(1, "snapshot_path", FieldKind::Text)]);

static CREATE_SYMLINK_REQUEST_PROTO: MessageType = message(
    "CreateSymlinkRequestProto",
    &[
        Field::required(1, "target", FieldKind::Text),
        Field::required(2, "link", FieldKind::Text),
        Field::required(3, "dir_perm", FieldKind::Message(&FS_PERMISSION_PROTO)),
        Field::required(4, "create_parent", FieldKind::Bool),
    ],
);

static CREATE_SYMLINK_RESPONSE_PROTO: MessageType = message("CreateSymlinkResponseProto", &[]);

static DATA_ENCRYPTION_KEY_PROTO: MessageType = message(
    "DataEncryptionKeyProto",
    &[
        Field::required(1, "key_id", FieldKind::UInt32),
        Field::required(2, "block_pool_id", FieldKind::Text),
        Field::required(3, "nonce", FieldKind::Bytes),
        Field::required(4, "encryption_key", FieldKind::Bytes),
        Field::required(5, "expiry_date", FieldKind::UInt64),
        Field::one(6, "encryption_algorithm", FieldKind::Text),
    ],
);

static DATANODE_ID_PROTO: MessageType = message(
    "DatanodeIDProto",
    &[
        Field::required(1, "ip_addr", FieldKind::Text),
        Field::required(2, "host_name", FieldKind::Text),
        Field::required(3, "datanode_uuid", FieldKind::Text),
        Field::required(4, "xfer_port", FieldKind::UInt32),
        Field::required(5, "info_port", FieldKind::UInt32),
        Field::required(6, "ipc_port", FieldKind::UInt32),
        Field::one(7, "info_secure_port", FieldKind::UInt32),
    ],
);

static DATANODE_INFO_PROTO: MessageType = message(
    "DatanodeInfoProto",
    &[
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
);

static DATANODE_INFOS_PROTO: MessageType = message(
    "DatanodeInfosProto",
    &[Field::list(1, "datanodes", FieldKind::Message(&DATANODE_INFO_PROTO))],
);

static DATANODE_LOCAL_INFO_PROTO: MessageType = message(
    "DatanodeLocalInfoProto",
    &[
        Field::required(1, "software_version", FieldKind::Text),
        Field::required(2, "config_version", FieldKind::Text),
        Field::required(3, "uptime", FieldKind::UInt64),
    ],
);

static DATANODE_STORAGE_PROTO: MessageType = message(
    "DatanodeStorageProto",
    &[
        Field::required(1, "storage_uuid", FieldKind::Text),
        Field::one(2, "state", FieldKind::Enum(DATANODE_STORAGE_PROTO_STORAGE_STATE)),
        Field::one(3, "storage_type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
    ],
);

static DATANODE_STORAGE_REPORT_PROTO: MessageType = message(
    "DatanodeStorageReportProto",
    &[
        Field::required(1, "datanode_info", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::list(2, "storage_reports", FieldKind::Message(&STORAGE_REPORT_PROTO)),
    ],
);

static DATANODE_VOLUME_INFO_PROTO: MessageType = message(
    "DatanodeVolumeInfoProto",
    &[
        Field::required(1, "path", FieldKind::Text),
        Field::required(2, "storage_type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
        Field::required(3, "used_space", FieldKind::UInt64),
        Field::required(4, "free_space", FieldKind::UInt64),
        Field::required(5, "reserved_space", FieldKind::UInt64),
        Field::required(6, "reserved_space_for_replicas", FieldKind::UInt64),
        Field::required(7, "num_blocks", FieldKind::UInt64),
    ],
);

static DELETE_BLOCK_POOL_REQUEST_PROTO: MessageType = message(
    "DeleteBlockPoolRequestProto",
    &[
        Field::required(1, "block_pool", FieldKind::Text),
        Field::required(2, "force", FieldKind::Bool),
    ],
);

static DELETE_BLOCK_POOL_RESPONSE_PROTO: MessageType = message("DeleteBlockPoolResponseProto", &[]);

static DELETE_REQUEST_PROTO: MessageType = message(
    "DeleteRequestProto",
    &[Field::required(1, "src", FieldKind::Text), Field::required(2, "recursive", FieldKind::Bool)],
);

static DELETE_RESPONSE_PROTO: MessageType =
    message("DeleteResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static DELETE_SNAPSHOT_REQUEST_PROTO: MessageType = message(
    "DeleteSnapshotRequestProto",
    &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "snapshot_name", FieldKind::Text),
    ],
);

static DELETE_SNAPSHOT_RESPONSE_PROTO: MessageType = message("DeleteSnapshotResponseProto", &[]);

static DIRECTORY_LISTING_PROTO: MessageType = message(
    "DirectoryListingProto",
    &[
        Field::list(1, "partial_listing", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "remaining_entries", FieldKind::UInt32),
    ],
);

static DISABLE_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = message(
    "DisableErasureCodingPolicyRequestProto",
    &[Field::required(1, "ec_policy_name", FieldKind::Text)],
);

static DISABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    message("DisableErasureCodingPolicyResponseProto", &[]);

static DISALLOW_SNAPSHOT_REQUEST_PROTO: MessageType = message(
    "DisallowSnapshotRequestProto",
    &[Field::required(1, "snapshot_root", FieldKind::Text)],
);

static DISALLOW_SNAPSHOT_RESPONSE_PROTO: MessageType =
    message("DisallowSnapshotResponseProto", &[]);

static DISK_BALANCER_SETTING_REQUEST_PROTO: MessageType =
    message("DiskBalancerSettingRequestProto", &[Field::required(1, "key", FieldKind::Text)]);

static DISK_BALANCER_SETTING_RESPONSE_PROTO: MessageType =
    message("DiskBalancerSettingResponseProto", &[Field::required(1, "value", FieldKind::Text)]);

static EC_SCHEMA_OPTION_ENTRY_PROTO: MessageType = message(
    "ECSchemaOptionEntryProto",
    &[Field::required(1, "key", FieldKind::Text), Field::required(2, "value", FieldKind::Text)],
);

static EC_SCHEMA_PROTO: MessageType = message(
    "ECSchemaProto",
    &[
        Field::required(1, "codec_name", FieldKind::Text),
        Field::required(2, "data_units", FieldKind::UInt32),
        Field::required(3, "parity_units", FieldKind::UInt32),
        Field::list(4, "options", FieldKind::Message(&EC_SCHEMA_OPTION_ENTRY_PROTO)),
    ],
);

static EC_TOPOLOGY_VERIFIER_RESULT_PROTO: MessageType = message(
    "ECTopologyVerifierResultProto",
    &[
        Field::required(1, "result_message", FieldKind::Text),
        Field::required(2, "is_supported", FieldKind::Bool),
    ],
);

static ENABLE_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = message(
    "EnableErasureCodingPolicyRequestProto",
    &[Field::required(1, "ec_policy_name", FieldKind::Text)],
);

static ENABLE_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    message("EnableErasureCodingPolicyResponseProto", &[]);

static ENCRYPTION_ZONE_PROTO: MessageType = message(
    "EncryptionZoneProto",
    &[
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
);

static ERASURE_CODING_POLICY_PROTO: MessageType = message(
    "ErasureCodingPolicyProto",
    &[
        Field::one(1, "name", FieldKind::Text),
        Field::one(2, "schema", FieldKind::Message(&EC_SCHEMA_PROTO)),
        Field::one(3, "cell_size", FieldKind::UInt32),
        Field::required(4, "id", FieldKind::UInt32),
        Field::one(5, "state", FieldKind::Enum(ERASURE_CODING_POLICY_STATE)),
    ],
);

static EVENT_BATCH_PROTO: MessageType = message(
    "EventBatchProto",
    &[
        Field::required(1, "txid", FieldKind::Int64),
        Field::list(2, "events", FieldKind::Message(&EVENT_PROTO)),
    ],
);

static EVENT_PROTO: MessageType = message(
    "EventProto",
    &[
        Field::required(1, "type", FieldKind::Enum(EVENT_TYPE)),
        Field::required(2, "contents", FieldKind::Bytes),
    ],
);

static EVENTS_LIST_PROTO: MessageType = message(
    "EventsListProto",
    &[
        Field::list(1, "events", FieldKind::Message(&EVENT_PROTO)),
        Field::required(2, "first_txid", FieldKind::Int64),
        Field::required(3, "last_txid", FieldKind::Int64),
        Field::required(4, "sync_txid", FieldKind::Int64),
        Field::list(5, "batch", FieldKind::Message(&EVENT_BATCH_PROTO)),
    ],
);

static EVICT_WRITERS_REQUEST_PROTO: MessageType = message("EvictWritersRequestProto", &[]);

static EVICT_WRITERS_RESPONSE_PROTO: MessageType = message("EvictWritersResponseProto", &[]);

static EXPORTED_BLOCK_KEYS_PROTO: MessageType = message(
    "ExportedBlockKeysProto",
    &[
        Field::required(1, "is_block_token_enabled", FieldKind::Bool),
        Field::required(2, "key_update_interval", FieldKind::UInt64),
        Field::required(3, "token_life_time", FieldKind::UInt64),
        Field::required(4, "current_key", FieldKind::Message(&BLOCK_KEY_PROTO)),
        Field::list(5, "all_keys", FieldKind::Message(&BLOCK_KEY_PROTO)),
    ],
);

static EXTENDED_BLOCK_PROTO: MessageType = message(
    "ExtendedBlockProto",
    &[
        Field::required(1, "pool_id", FieldKind::Text),
        Field::required(2, "block_id", FieldKind::UInt64),
        Field::required(3, "generation_stamp", FieldKind::UInt64),
        Field::one(4, "num_bytes", FieldKind::UInt64),
    ],
);

static FENCE_REQUEST_PROTO: MessageType = message(
    "FenceRequestProto",
    &[
        Field::required(1, "journal_info", FieldKind::Message(&JOURNAL_INFO_PROTO)),
        Field::required(2, "epoch", FieldKind::UInt64),
        Field::one(3, "fencer_info", FieldKind::Text),
    ],
);

static FENCE_RESPONSE_PROTO: MessageType = message(
    "FenceResponseProto",
    &[
        Field::one(1, "previous_epoch", FieldKind::UInt64),
        Field::one(2, "last_transaction_id", FieldKind::UInt64),
        Field::one(3, "in_sync", FieldKind::Bool),
    ],
);

static FILE_ENCRYPTION_INFO_PROTO: MessageType = message(
    "FileEncryptionInfoProto",
    &[
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
);

static FINALIZE_UPGRADE_REQUEST_PROTO: MessageType = message("FinalizeUpgradeRequestProto", &[]);

static FINALIZE_UPGRADE_RESPONSE_PROTO: MessageType = message("FinalizeUpgradeResponseProto", &[]);

static FS_PERMISSION_PROTO: MessageType =
    message("FsPermissionProto", &[Field::required(1, "perm", FieldKind::UInt32)]);

static FS_SERVER_DEFAULTS_PROTO: MessageType = message(
    "FsServerDefaultsProto",
    &[
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
);

static FSYNC_REQUEST_PROTO: MessageType = message(
    "FsyncRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client", FieldKind::Text),
        Field::one(3, "last_block_length", FieldKind::SInt64),
        Field::one(4, "file_id", FieldKind::UInt64),
    ],
);

static FSYNC_RESPONSE_PROTO: MessageType = message("FsyncResponseProto", &[]);

static GET_ACL_STATUS_REQUEST_PROTO: MessageType =
    message("GetAclStatusRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static GET_ACL_STATUS_RESPONSE_PROTO: MessageType = message(
    "GetAclStatusResponseProto",
    &[Field::required(1, "result", FieldKind::Message(&ACL_STATUS_PROTO))],
);

static GET_ADDITIONAL_DATANODE_REQUEST_PROTO: MessageType = message(
    "GetAdditionalDatanodeRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "blk", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::list(3, "existings", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::list(4, "excludes", FieldKind::Message(&DATANODE_INFO_PROTO)),
        Field::required(5, "num_additional_nodes", FieldKind::UInt32),
        Field::required(6, "client_name", FieldKind::Text),
        Field::list(7, "existing_storage_uuids", FieldKind::Text),
        Field::one(8, "file_id", FieldKind::UInt64),
    ],
);

static GET_ADDITIONAL_DATANODE_RESPONSE_PROTO: MessageType = message(
    "GetAdditionalDatanodeResponseProto",
    &[Field::required(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
);

static GET_BALANCER_BANDWIDTH_REQUEST_PROTO: MessageType =
    message("GetBalancerBandwidthRequestProto", &[]);

static GET_BALANCER_BANDWIDTH_RESPONSE_PROTO: MessageType = message(
    "GetBalancerBandwidthResponseProto",
    &[Field::required(1, "bandwidth", FieldKind::UInt64)],
);

static GET_BATCHED_LISTING_REQUEST_PROTO: MessageType = message(
    "GetBatchedListingRequestProto",
    &[
        Field::list(1, "paths", FieldKind::Text),
        Field::required(2, "start_after", FieldKind::Bytes),
        Field::required(3, "need_location", FieldKind::Bool),
    ],
);

static GET_BATCHED_LISTING_RESPONSE_PROTO: MessageType = message(
    "GetBatchedListingResponseProto",
    &[
        Field::list(1, "listings", FieldKind::Message(&BATCHED_DIRECTORY_LISTING_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
        Field::required(3, "start_after", FieldKind::Bytes),
    ],
);

static GET_BLOCK_LOCAL_PATH_INFO_REQUEST_PROTO: MessageType = message(
    "GetBlockLocalPathInfoRequestProto",
    &[
        Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "token", FieldKind::Message(&TOKEN_PROTO)),
    ],
);

static GET_BLOCK_LOCAL_PATH_INFO_RESPONSE_PROTO: MessageType = message(
    "GetBlockLocalPathInfoResponseProto",
    &[
        Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "local_path", FieldKind::Text),
        Field::required(3, "local_meta_path", FieldKind::Text),
    ],
);

static GET_BLOCK_LOCATIONS_REQUEST_PROTO: MessageType = message(
    "GetBlockLocationsRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "offset", FieldKind::UInt64),
        Field::required(3, "length", FieldKind::UInt64),
    ],
);

static GET_BLOCK_LOCATIONS_RESPONSE_PROTO: MessageType = message(
    "GetBlockLocationsResponseProto",
    &[Field::one(1, "locations", FieldKind::Message(&LOCATED_BLOCKS_PROTO))],
);

static GET_CONTENT_SUMMARY_REQUEST_PROTO: MessageType =
    message("GetContentSummaryRequestProto", &[Field::required(1, "path", FieldKind::Text)]);

static GET_CONTENT_SUMMARY_RESPONSE_PROTO: MessageType = message(
    "GetContentSummaryResponseProto",
    &[Field::required(1, "summary", FieldKind::Message(&CONTENT_SUMMARY_PROTO))],
);

static GET_CURRENT_EDIT_LOG_TXID_REQUEST_PROTO: MessageType =
    message("GetCurrentEditLogTxidRequestProto", &[]);

static GET_CURRENT_EDIT_LOG_TXID_RESPONSE_PROTO: MessageType =
    message("GetCurrentEditLogTxidResponseProto", &[Field::required(1, "txid", FieldKind::Int64)]);

static GET_DATA_ENCRYPTION_KEY_REQUEST_PROTO: MessageType =
    message("GetDataEncryptionKeyRequestProto", &[]);

static GET_DATA_ENCRYPTION_KEY_RESPONSE_PROTO: MessageType = message(
    "GetDataEncryptionKeyResponseProto",
    &[Field::one(1, "data_encryption_key", FieldKind::Message(&DATA_ENCRYPTION_KEY_PROTO))],
);

static GET_DATANODE_INFO_REQUEST_PROTO: MessageType = message("GetDatanodeInfoRequestProto", &[]);

static GET_DATANODE_INFO_RESPONSE_PROTO: MessageType = message(
    "GetDatanodeInfoResponseProto",
    &[Field::required(1, "local_info", FieldKind::Message(&DATANODE_LOCAL_INFO_PROTO))],
);

static GET_DATANODE_REPORT_REQUEST_PROTO: MessageType = message(
    "GetDatanodeReportRequestProto",
    &[Field::required(1, "type", FieldKind::Enum(DATANODE_REPORT_TYPE_PROTO))],
);

static GET_DATANODE_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetDatanodeReportResponseProto",
    &[Field::list(1, "di", FieldKind::Message(&DATANODE_INFO_PROTO))],
);

static GET_DATANODE_STORAGE_REPORT_REQUEST_PROTO: MessageType = message(
    "GetDatanodeStorageReportRequestProto",
    &[Field::required(1, "type", FieldKind::Enum(DATANODE_REPORT_TYPE_PROTO))],
);

static GET_DATANODE_STORAGE_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetDatanodeStorageReportResponseProto",
    &[Field::list(
        1,
        "datanode_storage_reports",
        FieldKind::Message(&DATANODE_STORAGE_REPORT_PROTO),
    )],
);

static GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_REQUEST_PROTO: MessageType = message(
    "GetECTopologyResultForPoliciesRequestProto",
    &[Field::list(1, "policies", FieldKind::Text)],
);

static GET_EC_TOPOLOGY_RESULT_FOR_POLICIES_RESPONSE_PROTO: MessageType = message(
    "GetECTopologyResultForPoliciesResponseProto",
    &[Field::required(1, "response", FieldKind::Message(&EC_TOPOLOGY_VERIFIER_RESULT_PROTO))],
);

static GET_EZ_FOR_PATH_REQUEST_PROTO: MessageType =
    message("GetEZForPathRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static GET_EZ_FOR_PATH_RESPONSE_PROTO: MessageType = message(
    "GetEZForPathResponseProto",
    &[Field::one(1, "zone", FieldKind::Message(&ENCRYPTION_ZONE_PROTO))],
);

static GET_EDITS_FROM_TXID_REQUEST_PROTO: MessageType =
    message("GetEditsFromTxidRequestProto", &[Field::required(1, "txid", FieldKind::Int64)]);

static GET_EDITS_FROM_TXID_RESPONSE_PROTO: MessageType = message(
    "GetEditsFromTxidResponseProto",
    &[Field::required(1, "events_list", FieldKind::Message(&EVENTS_LIST_PROTO))],
);

static GET_ENCLOSING_ROOT_REQUEST_PROTO: MessageType =
    message("GetEnclosingRootRequestProto", &[Field::one(1, "filename", FieldKind::Text)]);

static GET_ENCLOSING_ROOT_RESPONSE_PROTO: MessageType = message(
    "GetEnclosingRootResponseProto",
    &[Field::one(1, "enclosing_root_path", FieldKind::Text)],
);

static GET_ERASURE_CODING_CODECS_REQUEST_PROTO: MessageType =
    message("GetErasureCodingCodecsRequestProto", &[]);

static GET_ERASURE_CODING_CODECS_RESPONSE_PROTO: MessageType = message(
    "GetErasureCodingCodecsResponseProto",
    &[Field::list(1, "codec", FieldKind::Message(&CODEC_PROTO))],
);

static GET_ERASURE_CODING_POLICIES_REQUEST_PROTO: MessageType =
    message("GetErasureCodingPoliciesRequestProto", &[]);

static GET_ERASURE_CODING_POLICIES_RESPONSE_PROTO: MessageType = message(
    "GetErasureCodingPoliciesResponseProto",
    &[Field::list(1, "ec_policies", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO))],
);

static GET_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType =
    message("GetErasureCodingPolicyRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static GET_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType = message(
    "GetErasureCodingPolicyResponseProto",
    &[Field::one(1, "ec_policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO))],
);

static GET_FILE_INFO_REQUEST_PROTO: MessageType =
    message("GetFileInfoRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static GET_FILE_INFO_RESPONSE_PROTO: MessageType = message(
    "GetFileInfoResponseProto",
    &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
);

static GET_FILE_LINK_INFO_REQUEST_PROTO: MessageType =
    message("GetFileLinkInfoRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static GET_FILE_LINK_INFO_RESPONSE_PROTO: MessageType = message(
    "GetFileLinkInfoResponseProto",
    &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
);

static GET_FS_EC_BLOCK_GROUP_STATS_REQUEST_PROTO: MessageType =
    message("GetFsECBlockGroupStatsRequestProto", &[]);

static GET_FS_EC_BLOCK_GROUP_STATS_RESPONSE_PROTO: MessageType = message(
    "GetFsECBlockGroupStatsResponseProto",
    &[
        Field::required(1, "low_redundancy", FieldKind::UInt64),
        Field::required(2, "corrupt_blocks", FieldKind::UInt64),
        Field::required(3, "missing_blocks", FieldKind::UInt64),
        Field::required(4, "blocks_in_future", FieldKind::UInt64),
        Field::required(5, "pending_deletion_blocks", FieldKind::UInt64),
        Field::one(6, "highest_prio_low_redundancy_blocks", FieldKind::UInt64),
        Field::one(7, "badly_distributed_blocks", FieldKind::UInt64),
    ],
);

static GET_FS_REPLICATED_BLOCK_STATS_REQUEST_PROTO: MessageType =
    message("GetFsReplicatedBlockStatsRequestProto", &[]);

static GET_FS_REPLICATED_BLOCK_STATS_RESPONSE_PROTO: MessageType = message(
    "GetFsReplicatedBlockStatsResponseProto",
    &[
        Field::required(1, "low_redundancy", FieldKind::UInt64),
        Field::required(2, "corrupt_blocks", FieldKind::UInt64),
        Field::required(3, "missing_blocks", FieldKind::UInt64),
        Field::required(4, "missing_repl_one_blocks", FieldKind::UInt64),
        Field::required(5, "blocks_in_future", FieldKind::UInt64),
        Field::required(6, "pending_deletion_blocks", FieldKind::UInt64),
        Field::one(7, "highest_prio_low_redundancy_blocks", FieldKind::UInt64),
        Field::one(8, "badly_distributed_blocks", FieldKind::UInt64),
    ],
);

static GET_FS_STATS_RESPONSE_PROTO: MessageType = message(
    "GetFsStatsResponseProto",
    &[
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
);

static GET_FS_STATUS_REQUEST_PROTO: MessageType = message("GetFsStatusRequestProto", &[]);

static GET_LINK_TARGET_REQUEST_PROTO: MessageType =
    message("GetLinkTargetRequestProto", &[Field::required(1, "path", FieldKind::Text)]);

static GET_LINK_TARGET_RESPONSE_PROTO: MessageType =
    message("GetLinkTargetResponseProto", &[Field::one(1, "target_path", FieldKind::Text)]);

static GET_LISTING_REQUEST_PROTO: MessageType = message(
    "GetListingRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "start_after", FieldKind::Bytes),
        Field::required(3, "need_location", FieldKind::Bool),
    ],
);

static GET_LISTING_RESPONSE_PROTO: MessageType = message(
    "GetListingResponseProto",
    &[Field::one(1, "dir_list", FieldKind::Message(&DIRECTORY_LISTING_PROTO))],
);

static GET_LOCATED_FILE_INFO_REQUEST_PROTO: MessageType = message(
    "GetLocatedFileInfoRequestProto",
    &[Field::one(1, "src", FieldKind::Text), Field::one(2, "need_block_token", FieldKind::Bool)],
);

static GET_LOCATED_FILE_INFO_RESPONSE_PROTO: MessageType = message(
    "GetLocatedFileInfoResponseProto",
    &[Field::one(1, "fs", FieldKind::Message(&HDFS_FILE_STATUS_PROTO))],
);

static GET_PREFERRED_BLOCK_SIZE_REQUEST_PROTO: MessageType = message(
    "GetPreferredBlockSizeRequestProto",
    &[Field::required(1, "filename", FieldKind::Text)],
);

static GET_PREFERRED_BLOCK_SIZE_RESPONSE_PROTO: MessageType = message(
    "GetPreferredBlockSizeResponseProto",
    &[Field::required(1, "bsize", FieldKind::UInt64)],
);

static GET_QUOTA_USAGE_REQUEST_PROTO: MessageType =
    message("GetQuotaUsageRequestProto", &[Field::required(1, "path", FieldKind::Text)]);

static GET_QUOTA_USAGE_RESPONSE_PROTO: MessageType = message(
    "GetQuotaUsageResponseProto",
    &[Field::required(1, "usage", FieldKind::Message(&QUOTA_USAGE_PROTO))],
);

static GET_RECONFIGURATION_STATUS_CONFIG_CHANGE_PROTO: MessageType = message(
    "GetReconfigurationStatusConfigChangeProto",
    &[
        Field::required(1, "name", FieldKind::Text),
        Field::required(2, "old_value", FieldKind::Text),
        Field::one(3, "new_value", FieldKind::Text),
        Field::one(4, "error_message", FieldKind::Text),
    ],
);

static GET_RECONFIGURATION_STATUS_REQUEST_PROTO: MessageType =
    message("GetReconfigurationStatusRequestProto", &[]);

static GET_RECONFIGURATION_STATUS_RESPONSE_PROTO: MessageType = message(
    "GetReconfigurationStatusResponseProto",
    &[
        Field::required(1, "start_time", FieldKind::Int64),
        Field::one(2, "end_time", FieldKind::Int64),
        Field::list(
            3,
            "changes",
            FieldKind::Message(&GET_RECONFIGURATION_STATUS_CONFIG_CHANGE_PROTO),
        ),
    ],
);

static GET_REPLICA_VISIBLE_LENGTH_REQUEST_PROTO: MessageType = message(
    "GetReplicaVisibleLengthRequestProto",
    &[Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO))],
);

static GET_REPLICA_VISIBLE_LENGTH_RESPONSE_PROTO: MessageType = message(
    "GetReplicaVisibleLengthResponseProto",
    &[Field::required(1, "length", FieldKind::UInt64)],
);

static GET_SERVER_DEFAULTS_REQUEST_PROTO: MessageType =
    message("GetServerDefaultsRequestProto", &[]);

static GET_SERVER_DEFAULTS_RESPONSE_PROTO: MessageType = message(
    "GetServerDefaultsResponseProto",
    &[Field::required(1, "server_defaults", FieldKind::Message(&FS_SERVER_DEFAULTS_PROTO))],
);

static GET_SLOW_DATANODE_REPORT_REQUEST_PROTO: MessageType =
    message("GetSlowDatanodeReportRequestProto", &[]);

static GET_SLOW_DATANODE_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetSlowDatanodeReportResponseProto",
    &[Field::list(1, "datanode_info_proto", FieldKind::Message(&DATANODE_INFO_PROTO))],
);

static GET_SNAPSHOT_DIFF_REPORT_LISTING_REQUEST_PROTO: MessageType = message(
    "GetSnapshotDiffReportListingRequestProto",
    &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "from_snapshot", FieldKind::Text),
        Field::required(3, "to_snapshot", FieldKind::Text),
        Field::one(4, "cursor", FieldKind::Message(&SNAPSHOT_DIFF_REPORT_CURSOR_PROTO)),
    ],
);

static GET_SNAPSHOT_DIFF_REPORT_LISTING_RESPONSE_PROTO: MessageType = message(
    "GetSnapshotDiffReportListingResponseProto",
    &[Field::required(1, "diff_report", FieldKind::Message(&SNAPSHOT_DIFF_REPORT_LISTING_PROTO))],
);

static GET_SNAPSHOT_DIFF_REPORT_REQUEST_PROTO: MessageType = message(
    "GetSnapshotDiffReportRequestProto",
    &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "from_snapshot", FieldKind::Text),
        Field::required(3, "to_snapshot", FieldKind::Text),
    ],
);

static GET_SNAPSHOT_DIFF_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetSnapshotDiffReportResponseProto",
    &[Field::required(1, "diff_report", FieldKind::Message(&SNAPSHOT_DIFF_REPORT_PROTO))],
);

static GET_SNAPSHOT_LISTING_REQUEST_PROTO: MessageType = message(
    "GetSnapshotListingRequestProto",
    &[Field::required(1, "snapshot_root", FieldKind::Text)],
);

static GET_SNAPSHOT_LISTING_RESPONSE_PROTO: MessageType = message(
    "GetSnapshotListingResponseProto",
    &[Field::one(1, "snapshot_list", FieldKind::Message(&SNAPSHOT_LISTING_PROTO))],
);

static GET_SNAPSHOTTABLE_DIR_LISTING_REQUEST_PROTO: MessageType =
    message("GetSnapshottableDirListingRequestProto", &[]);

static GET_SNAPSHOTTABLE_DIR_LISTING_RESPONSE_PROTO: MessageType = message(
    "GetSnapshottableDirListingResponseProto",
    &[Field::one(
        1,
        "snapshottable_dir_list",
        FieldKind::Message(&SNAPSHOTTABLE_DIRECTORY_LISTING_PROTO),
    )],
);

static GET_STORAGE_POLICIES_REQUEST_PROTO: MessageType =
    message("GetStoragePoliciesRequestProto", &[]);

static GET_STORAGE_POLICIES_RESPONSE_PROTO: MessageType = message(
    "GetStoragePoliciesResponseProto",
    &[Field::list(1, "policies", FieldKind::Message(&BLOCK_STORAGE_POLICY_PROTO))],
);

static GET_STORAGE_POLICY_REQUEST_PROTO: MessageType =
    message("GetStoragePolicyRequestProto", &[Field::required(1, "path", FieldKind::Text)]);

static GET_STORAGE_POLICY_RESPONSE_PROTO: MessageType = message(
    "GetStoragePolicyResponseProto",
    &[Field::required(1, "storage_policy", FieldKind::Message(&BLOCK_STORAGE_POLICY_PROTO))],
);

static GET_VOLUME_REPORT_REQUEST_PROTO: MessageType = message("GetVolumeReportRequestProto", &[]);

static GET_VOLUME_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetVolumeReportResponseProto",
    &[Field::list(1, "volume_info", FieldKind::Message(&DATANODE_VOLUME_INFO_PROTO))],
);

static GET_X_ATTRS_REQUEST_PROTO: MessageType = message(
    "GetXAttrsRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "x_attrs", FieldKind::Message(&X_ATTR_PROTO)),
    ],
);

static GET_X_ATTRS_RESPONSE_PROTO: MessageType = message(
    "GetXAttrsResponseProto",
    &[Field::list(1, "x_attrs", FieldKind::Message(&X_ATTR_PROTO))],
);

static HA_SERVICE_STATE_REQUEST_PROTO: MessageType = message("HAServiceStateRequestProto", &[]);

static HA_SERVICE_STATE_RESPONSE_PROTO: MessageType = message(
    "HAServiceStateResponseProto",
    &[Field::required(1, "state", FieldKind::Enum(HA_SERVICE_STATE_PROTO))],
);

static HDFS_FILE_STATUS_PROTO: MessageType = message(
    "HdfsFileStatusProto",
    &[
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
);

static INIT_REPLICA_RECOVERY_REQUEST_PROTO: MessageType = message(
    "InitReplicaRecoveryRequestProto",
    &[Field::required(1, "block", FieldKind::Message(&RECOVERING_BLOCK_PROTO))],
);

static INIT_REPLICA_RECOVERY_RESPONSE_PROTO: MessageType = message(
    "InitReplicaRecoveryResponseProto",
    &[
        Field::required(1, "replica_found", FieldKind::Bool),
        Field::one(2, "state", FieldKind::Enum(REPLICA_STATE_PROTO)),
        Field::one(3, "block", FieldKind::Message(&BLOCK_PROTO)),
    ],
);

static IS_FILE_CLOSED_REQUEST_PROTO: MessageType =
    message("IsFileClosedRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static IS_FILE_CLOSED_RESPONSE_PROTO: MessageType =
    message("IsFileClosedResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static JOURNAL_INFO_PROTO: MessageType = message(
    "JournalInfoProto",
    &[
        Field::required(1, "cluster_id", FieldKind::Text),
        Field::one(2, "layout_version", FieldKind::UInt32),
        Field::one(3, "namespace_id", FieldKind::UInt32),
    ],
);

static JOURNAL_REQUEST_PROTO: MessageType = message(
    "JournalRequestProto",
    &[
        Field::required(1, "journal_info", FieldKind::Message(&JOURNAL_INFO_PROTO)),
        Field::required(2, "first_txn_id", FieldKind::UInt64),
        Field::required(3, "num_txns", FieldKind::UInt32),
        Field::required(4, "records", FieldKind::Bytes),
        Field::required(5, "epoch", FieldKind::UInt64),
    ],
);

static JOURNAL_RESPONSE_PROTO: MessageType = message("JournalResponseProto", &[]);

static KEY_VALUE_PROTO: MessageType = message(
    "KeyValueProto",
    &[
        Field::one(1, "key", FieldKind::Message(&BLOCK_PROTO)),
        Field::one(2, "value", FieldKind::Message(&PROVIDED_STORAGE_LOCATION_PROTO)),
    ],
);

static LIST_CACHE_DIRECTIVES_REQUEST_PROTO: MessageType = message(
    "ListCacheDirectivesRequestProto",
    &[
        Field::required(1, "prev_id", FieldKind::Int64),
        Field::required(2, "filter", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
    ],
);

static LIST_CACHE_DIRECTIVES_RESPONSE_PROTO: MessageType = message(
    "ListCacheDirectivesResponseProto",
    &[
        Field::list(1, "elements", FieldKind::Message(&CACHE_DIRECTIVE_ENTRY_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
);

static LIST_CACHE_POOLS_REQUEST_PROTO: MessageType =
    message("ListCachePoolsRequestProto", &[Field::required(1, "prev_pool_name", FieldKind::Text)]);

static LIST_CACHE_POOLS_RESPONSE_PROTO: MessageType = message(
    "ListCachePoolsResponseProto",
    &[
        Field::list(1, "entries", FieldKind::Message(&CACHE_POOL_ENTRY_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
);

static LIST_CORRUPT_FILE_BLOCKS_REQUEST_PROTO: MessageType = message(
    "ListCorruptFileBlocksRequestProto",
    &[Field::required(1, "path", FieldKind::Text), Field::one(2, "cookie", FieldKind::Text)],
);

static LIST_CORRUPT_FILE_BLOCKS_RESPONSE_PROTO: MessageType = message(
    "ListCorruptFileBlocksResponseProto",
    &[Field::required(1, "corrupt", FieldKind::Message(&CORRUPT_FILE_BLOCKS_PROTO))],
);

static LIST_ENCRYPTION_ZONES_REQUEST_PROTO: MessageType =
    message("ListEncryptionZonesRequestProto", &[Field::required(1, "id", FieldKind::Int64)]);

static LIST_ENCRYPTION_ZONES_RESPONSE_PROTO: MessageType = message(
    "ListEncryptionZonesResponseProto",
    &[
        Field::list(1, "zones", FieldKind::Message(&ENCRYPTION_ZONE_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
);

static LIST_OPEN_FILES_REQUEST_PROTO: MessageType = message(
    "ListOpenFilesRequestProto",
    &[
        Field::required(1, "id", FieldKind::Int64),
        Field::list(2, "types", FieldKind::Enum(OPEN_FILES_TYPE_PROTO)),
        Field::one(3, "path", FieldKind::Text),
    ],
);

static LIST_OPEN_FILES_RESPONSE_PROTO: MessageType = message(
    "ListOpenFilesResponseProto",
    &[
        Field::list(1, "entries", FieldKind::Message(&OPEN_FILES_BATCH_RESPONSE_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
        Field::list(3, "types", FieldKind::Enum(OPEN_FILES_TYPE_PROTO)),
    ],
);

static LIST_RECONFIGURABLE_PROPERTIES_REQUEST_PROTO: MessageType =
    message("ListReconfigurablePropertiesRequestProto", &[]);

static LIST_RECONFIGURABLE_PROPERTIES_RESPONSE_PROTO: MessageType = message(
    "ListReconfigurablePropertiesResponseProto",
    &[Field::list(1, "name", FieldKind::Text)],
);

static LIST_REENCRYPTION_STATUS_REQUEST_PROTO: MessageType =
    message("ListReencryptionStatusRequestProto", &[Field::required(1, "id", FieldKind::Int64)]);

static LIST_REENCRYPTION_STATUS_RESPONSE_PROTO: MessageType = message(
    "ListReencryptionStatusResponseProto",
    &[
        Field::list(1, "statuses", FieldKind::Message(&ZONE_REENCRYPTION_STATUS_PROTO)),
        Field::required(2, "has_more", FieldKind::Bool),
    ],
);

static LIST_REQUEST_PROTO: MessageType =
    message("ListRequestProto", &[Field::one(1, "marker", FieldKind::Message(&BLOCK_PROTO))]);

static LIST_RESPONSE_PROTO: MessageType = message(
    "ListResponseProto",
    &[
        Field::list(1, "file_regions", FieldKind::Message(&KEY_VALUE_PROTO)),
        Field::one(2, "next_marker", FieldKind::Message(&BLOCK_PROTO)),
    ],
);

static LIST_X_ATTRS_REQUEST_PROTO: MessageType =
    message("ListXAttrsRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static LIST_X_ATTRS_RESPONSE_PROTO: MessageType = message(
    "ListXAttrsResponseProto",
    &[Field::list(1, "x_attrs", FieldKind::Message(&X_ATTR_PROTO))],
);

static LOCATED_BLOCK_PROTO: MessageType = message(
    "LocatedBlockProto",
    &[
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
);

static LOCATED_BLOCKS_PROTO: MessageType = message(
    "LocatedBlocksProto",
    &[
        Field::required(1, "file_length", FieldKind::UInt64),
        Field::list(2, "blocks", FieldKind::Message(&LOCATED_BLOCK_PROTO)),
        Field::required(3, "under_construction", FieldKind::Bool),
        Field::one(4, "last_block", FieldKind::Message(&LOCATED_BLOCK_PROTO)),
        Field::required(5, "is_last_block_complete", FieldKind::Bool),
        Field::one(6, "file_encryption_info", FieldKind::Message(&FILE_ENCRYPTION_INFO_PROTO)),
        Field::one(7, "ec_policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO)),
    ],
);

static META_SAVE_REQUEST_PROTO: MessageType =
    message("MetaSaveRequestProto", &[Field::required(1, "filename", FieldKind::Text)]);

static META_SAVE_RESPONSE_PROTO: MessageType = message("MetaSaveResponseProto", &[]);

static MKDIRS_REQUEST_PROTO: MessageType = message(
    "MkdirsRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "masked", FieldKind::Message(&FS_PERMISSION_PROTO)),
        Field::required(3, "create_parent", FieldKind::Bool),
        Field::one(4, "unmasked", FieldKind::Message(&FS_PERMISSION_PROTO)),
    ],
);

static MKDIRS_RESPONSE_PROTO: MessageType =
    message("MkdirsResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static MODIFY_ACL_ENTRIES_REQUEST_PROTO: MessageType = message(
    "ModifyAclEntriesRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "acl_spec", FieldKind::Message(&ACL_ENTRY_PROTO)),
    ],
);

static MODIFY_ACL_ENTRIES_RESPONSE_PROTO: MessageType =
    message("ModifyAclEntriesResponseProto", &[]);

static MODIFY_CACHE_DIRECTIVE_REQUEST_PROTO: MessageType = message(
    "ModifyCacheDirectiveRequestProto",
    &[
        Field::required(1, "info", FieldKind::Message(&CACHE_DIRECTIVE_INFO_PROTO)),
        Field::one(2, "cache_flags", FieldKind::UInt32),
    ],
);

static MODIFY_CACHE_DIRECTIVE_RESPONSE_PROTO: MessageType =
    message("ModifyCacheDirectiveResponseProto", &[]);

static MODIFY_CACHE_POOL_REQUEST_PROTO: MessageType = message(
    "ModifyCachePoolRequestProto",
    &[Field::required(1, "info", FieldKind::Message(&CACHE_POOL_INFO_PROTO))],
);

static MODIFY_CACHE_POOL_RESPONSE_PROTO: MessageType = message("ModifyCachePoolResponseProto", &[]);

static MSYNC_REQUEST_PROTO: MessageType = message("MsyncRequestProto", &[]);

static MSYNC_RESPONSE_PROTO: MessageType = message("MsyncResponseProto", &[]);

static NNHA_STATUS_HEARTBEAT_PROTO: MessageType = message(
    "NNHAStatusHeartbeatProto",
    &[
        Field::required(1, "state", FieldKind::Enum(NNHA_STATUS_HEARTBEAT_PROTO_STATE)),
        Field::required(2, "txid", FieldKind::UInt64),
    ],
);

static NAMENODE_COMMAND_PROTO: MessageType = message(
    "NamenodeCommandProto",
    &[
        Field::required(1, "action", FieldKind::UInt32),
        Field::required(2, "type", FieldKind::Enum(NAMENODE_COMMAND_PROTO_TYPE)),
        Field::one(3, "checkpoint_cmd", FieldKind::Message(&CHECKPOINT_COMMAND_PROTO)),
    ],
);

static NAMENODE_REGISTRATION_PROTO: MessageType = message(
    "NamenodeRegistrationProto",
    &[
        Field::required(1, "rpc_address", FieldKind::Text),
        Field::required(2, "http_address", FieldKind::Text),
        Field::required(3, "storage_info", FieldKind::Message(&STORAGE_INFO_PROTO)),
        Field::one(4, "role", FieldKind::Enum(NAMENODE_REGISTRATION_PROTO_NAMENODE_ROLE_PROTO)),
    ],
);

static NAMESPACE_INFO_PROTO: MessageType = message(
    "NamespaceInfoProto",
    &[
        Field::required(1, "build_version", FieldKind::Text),
        Field::required(2, "unused", FieldKind::UInt32),
        Field::required(3, "block_pool_id", FieldKind::Text),
        Field::required(4, "storage_info", FieldKind::Message(&STORAGE_INFO_PROTO)),
        Field::required(5, "software_version", FieldKind::Text),
        Field::one(6, "capabilities", FieldKind::UInt64),
        Field::one(7, "state", FieldKind::Enum(NNHA_STATUS_HEARTBEAT_PROTO_STATE)),
    ],
);

static OPEN_FILES_BATCH_RESPONSE_PROTO: MessageType = message(
    "OpenFilesBatchResponseProto",
    &[
        Field::required(1, "id", FieldKind::Int64),
        Field::required(2, "path", FieldKind::Text),
        Field::required(3, "client_name", FieldKind::Text),
        Field::required(4, "client_machine", FieldKind::Text),
    ],
);

static PROVIDED_STORAGE_LOCATION_PROTO: MessageType = message(
    "ProvidedStorageLocationProto",
    &[
        Field::required(1, "path", FieldKind::Text),
        Field::required(2, "offset", FieldKind::Int64),
        Field::required(3, "length", FieldKind::Int64),
        Field::required(4, "nonce", FieldKind::Bytes),
    ],
);

static QUERY_PLAN_STATUS_REQUEST_PROTO: MessageType = message("QueryPlanStatusRequestProto", &[]);

static QUERY_PLAN_STATUS_RESPONSE_PROTO: MessageType = message(
    "QueryPlanStatusResponseProto",
    &[
        Field::one(1, "result", FieldKind::UInt32),
        Field::one(2, "plan_id", FieldKind::Text),
        Field::one(3, "current_status", FieldKind::Text),
        Field::one(4, "plan_file", FieldKind::Text),
    ],
);

static QUOTA_USAGE_PROTO: MessageType = message(
    "QuotaUsageProto",
    &[
        Field::required(1, "file_and_directory_count", FieldKind::UInt64),
        Field::required(2, "quota", FieldKind::UInt64),
        Field::required(3, "space_consumed", FieldKind::UInt64),
        Field::required(4, "space_quota", FieldKind::UInt64),
        Field::one(5, "type_quota_infos", FieldKind::Message(&STORAGE_TYPE_QUOTA_INFOS_PROTO)),
    ],
);

static READ_REQUEST_PROTO: MessageType =
    message("ReadRequestProto", &[Field::required(1, "key", FieldKind::Message(&BLOCK_PROTO))]);

static READ_RESPONSE_PROTO: MessageType = message(
    "ReadResponseProto",
    &[Field::one(1, "value", FieldKind::Message(&PROVIDED_STORAGE_LOCATION_PROTO))],
);

static RECOVER_LEASE_REQUEST_PROTO: MessageType = message(
    "RecoverLeaseRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "client_name", FieldKind::Text),
    ],
);

static RECOVER_LEASE_RESPONSE_PROTO: MessageType =
    message("RecoverLeaseResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static RECOVERING_BLOCK_PROTO: MessageType = message(
    "RecoveringBlockProto",
    &[
        Field::required(1, "new_gen_stamp", FieldKind::UInt64),
        Field::required(2, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO)),
        Field::one(3, "truncate_block", FieldKind::Message(&BLOCK_PROTO)),
        Field::one(4, "ec_policy", FieldKind::Message(&ERASURE_CODING_POLICY_PROTO)),
        Field::one(5, "block_indices", FieldKind::Bytes),
    ],
);

static REENCRYPT_ENCRYPTION_ZONE_REQUEST_PROTO: MessageType = message(
    "ReencryptEncryptionZoneRequestProto",
    &[
        Field::required(1, "action", FieldKind::Enum(REENCRYPT_ACTION_PROTO)),
        Field::required(2, "zone", FieldKind::Text),
    ],
);

static REENCRYPT_ENCRYPTION_ZONE_RESPONSE_PROTO: MessageType =
    message("ReencryptEncryptionZoneResponseProto", &[]);

static REFRESH_NAMENODES_REQUEST_PROTO: MessageType = message("RefreshNamenodesRequestProto", &[]);

static REFRESH_NAMENODES_RESPONSE_PROTO: MessageType =
    message("RefreshNamenodesResponseProto", &[]);

static REFRESH_NODES_REQUEST_PROTO: MessageType = message("RefreshNodesRequestProto", &[]);

static REFRESH_NODES_RESPONSE_PROTO: MessageType = message("RefreshNodesResponseProto", &[]);

static REMOTE_EDIT_LOG_MANIFEST_PROTO: MessageType = message(
    "RemoteEditLogManifestProto",
    &[
        Field::list(1, "logs", FieldKind::Message(&REMOTE_EDIT_LOG_PROTO)),
        Field::one(2, "committed_txn_id", FieldKind::UInt64),
    ],
);

static REMOTE_EDIT_LOG_PROTO: MessageType = message(
    "RemoteEditLogProto",
    &[
        Field::required(1, "start_tx_id", FieldKind::UInt64),
        Field::required(2, "end_tx_id", FieldKind::UInt64),
        Field::one(3, "is_in_progress", FieldKind::Bool),
    ],
);

static REMOTE_EXCEPTION_PROTO: MessageType = message(
    "RemoteExceptionProto",
    &[Field::required(1, "class_name", FieldKind::Text), Field::one(2, "message", FieldKind::Text)],
);

static REMOVE_ACL_ENTRIES_REQUEST_PROTO: MessageType = message(
    "RemoveAclEntriesRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "acl_spec", FieldKind::Message(&ACL_ENTRY_PROTO)),
    ],
);

static REMOVE_ACL_ENTRIES_RESPONSE_PROTO: MessageType =
    message("RemoveAclEntriesResponseProto", &[]);

static REMOVE_ACL_REQUEST_PROTO: MessageType =
    message("RemoveAclRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static REMOVE_ACL_RESPONSE_PROTO: MessageType = message("RemoveAclResponseProto", &[]);

static REMOVE_CACHE_DIRECTIVE_REQUEST_PROTO: MessageType =
    message("RemoveCacheDirectiveRequestProto", &[Field::required(1, "id", FieldKind::Int64)]);

static REMOVE_CACHE_DIRECTIVE_RESPONSE_PROTO: MessageType =
    message("RemoveCacheDirectiveResponseProto", &[]);

static REMOVE_CACHE_POOL_REQUEST_PROTO: MessageType =
    message("RemoveCachePoolRequestProto", &[Field::required(1, "pool_name", FieldKind::Text)]);

static REMOVE_CACHE_POOL_RESPONSE_PROTO: MessageType = message("RemoveCachePoolResponseProto", &[]);

static REMOVE_DEFAULT_ACL_REQUEST_PROTO: MessageType =
    message("RemoveDefaultAclRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static REMOVE_DEFAULT_ACL_RESPONSE_PROTO: MessageType =
    message("RemoveDefaultAclResponseProto", &[]);

static REMOVE_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = message(
    "RemoveErasureCodingPolicyRequestProto",
    &[Field::required(1, "ec_policy_name", FieldKind::Text)],
);

static REMOVE_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    message("RemoveErasureCodingPolicyResponseProto", &[]);

static REMOVE_X_ATTR_REQUEST_PROTO: MessageType = message(
    "RemoveXAttrRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "x_attr", FieldKind::Message(&X_ATTR_PROTO)),
    ],
);

static REMOVE_X_ATTR_RESPONSE_PROTO: MessageType = message("RemoveXAttrResponseProto", &[]);

static RENAME2_REQUEST_PROTO: MessageType = message(
    "Rename2RequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "dst", FieldKind::Text),
        Field::required(3, "overwrite_dest", FieldKind::Bool),
        Field::one(4, "move_to_trash", FieldKind::Bool),
    ],
);

static RENAME2_RESPONSE_PROTO: MessageType = message("Rename2ResponseProto", &[]);

static RENAME_REQUEST_PROTO: MessageType = message(
    "RenameRequestProto",
    &[Field::required(1, "src", FieldKind::Text), Field::required(2, "dst", FieldKind::Text)],
);

static RENAME_RESPONSE_PROTO: MessageType =
    message("RenameResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static RENAME_SNAPSHOT_REQUEST_PROTO: MessageType = message(
    "RenameSnapshotRequestProto",
    &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "snapshot_old_name", FieldKind::Text),
        Field::required(3, "snapshot_new_name", FieldKind::Text),
    ],
);

static RENAME_SNAPSHOT_RESPONSE_PROTO: MessageType = message("RenameSnapshotResponseProto", &[]);

static RENEW_LEASE_REQUEST_PROTO: MessageType = message(
    "RenewLeaseRequestProto",
    &[
        Field::required(1, "client_name", FieldKind::Text),
        Field::list(2, "namespaces", FieldKind::Text),
    ],
);

static RENEW_LEASE_RESPONSE_PROTO: MessageType = message("RenewLeaseResponseProto", &[]);

static REPORT_BAD_BLOCKS_REQUEST_PROTO: MessageType = message(
    "ReportBadBlocksRequestProto",
    &[Field::list(1, "blocks", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
);

static REPORT_BAD_BLOCKS_RESPONSE_PROTO: MessageType = message("ReportBadBlocksResponseProto", &[]);

static RESTORE_FAILED_STORAGE_REQUEST_PROTO: MessageType =
    message("RestoreFailedStorageRequestProto", &[Field::required(1, "arg", FieldKind::Text)]);

static RESTORE_FAILED_STORAGE_RESPONSE_PROTO: MessageType =
    message("RestoreFailedStorageResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static ROLL_EDITS_REQUEST_PROTO: MessageType = message("RollEditsRequestProto", &[]);

static ROLL_EDITS_RESPONSE_PROTO: MessageType = message(
    "RollEditsResponseProto",
    &[Field::required(1, "new_segment_tx_id", FieldKind::UInt64)],
);

static ROLLING_UPGRADE_INFO_PROTO: MessageType = message(
    "RollingUpgradeInfoProto",
    &[
        Field::required(1, "status", FieldKind::Message(&ROLLING_UPGRADE_STATUS_PROTO)),
        Field::required(2, "start_time", FieldKind::UInt64),
        Field::required(3, "finalize_time", FieldKind::UInt64),
        Field::required(4, "created_rollback_images", FieldKind::Bool),
    ],
);

static ROLLING_UPGRADE_REQUEST_PROTO: MessageType = message(
    "RollingUpgradeRequestProto",
    &[Field::required(1, "action", FieldKind::Enum(ROLLING_UPGRADE_ACTION_PROTO))],
);

static ROLLING_UPGRADE_RESPONSE_PROTO: MessageType = message(
    "RollingUpgradeResponseProto",
    &[Field::one(1, "rolling_upgrade_info", FieldKind::Message(&ROLLING_UPGRADE_INFO_PROTO))],
);

static ROLLING_UPGRADE_STATUS_PROTO: MessageType = message(
    "RollingUpgradeStatusProto",
    &[
        Field::required(1, "block_pool_id", FieldKind::Text),
        Field::one(2, "finalized", FieldKind::Bool),
    ],
);

static SATISFY_STORAGE_POLICY_REQUEST_PROTO: MessageType =
    message("SatisfyStoragePolicyRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static SATISFY_STORAGE_POLICY_RESPONSE_PROTO: MessageType =
    message("SatisfyStoragePolicyResponseProto", &[]);

static SAVE_NAMESPACE_REQUEST_PROTO: MessageType = message(
    "SaveNamespaceRequestProto",
    &[Field::one(1, "time_window", FieldKind::UInt64), Field::one(2, "tx_gap", FieldKind::UInt64)],
);

static SAVE_NAMESPACE_RESPONSE_PROTO: MessageType =
    message("SaveNamespaceResponseProto", &[Field::one(1, "saved", FieldKind::Bool)]);

static SET_ACL_REQUEST_PROTO: MessageType = message(
    "SetAclRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::list(2, "acl_spec", FieldKind::Message(&ACL_ENTRY_PROTO)),
    ],
);

static SET_ACL_RESPONSE_PROTO: MessageType = message("SetAclResponseProto", &[]);

static SET_BALANCER_BANDWIDTH_REQUEST_PROTO: MessageType = message(
    "SetBalancerBandwidthRequestProto",
    &[Field::required(1, "bandwidth", FieldKind::Int64)],
);

static SET_BALANCER_BANDWIDTH_RESPONSE_PROTO: MessageType =
    message("SetBalancerBandwidthResponseProto", &[]);

static SET_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType = message(
    "SetErasureCodingPolicyRequestProto",
    &[Field::required(1, "src", FieldKind::Text), Field::one(2, "ec_policy_name", FieldKind::Text)],
);

static SET_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    message("SetErasureCodingPolicyResponseProto", &[]);

static SET_OWNER_REQUEST_PROTO: MessageType = message(
    "SetOwnerRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "username", FieldKind::Text),
        Field::one(3, "groupname", FieldKind::Text),
    ],
);

static SET_OWNER_RESPONSE_PROTO: MessageType = message("SetOwnerResponseProto", &[]);

static SET_PERMISSION_REQUEST_PROTO: MessageType = message(
    "SetPermissionRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "permission", FieldKind::Message(&FS_PERMISSION_PROTO)),
    ],
);

static SET_PERMISSION_RESPONSE_PROTO: MessageType = message("SetPermissionResponseProto", &[]);

static SET_QUOTA_REQUEST_PROTO: MessageType = message(
    "SetQuotaRequestProto",
    &[
        Field::required(1, "path", FieldKind::Text),
        Field::required(2, "namespace_quota", FieldKind::UInt64),
        Field::required(3, "storagespace_quota", FieldKind::UInt64),
        Field::one(4, "storage_type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
    ],
);

static SET_QUOTA_RESPONSE_PROTO: MessageType = message("SetQuotaResponseProto", &[]);

static SET_REPLICATION_REQUEST_PROTO: MessageType = message(
    "SetReplicationRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "replication", FieldKind::UInt32),
    ],
);

static SET_REPLICATION_RESPONSE_PROTO: MessageType =
    message("SetReplicationResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static SET_SAFE_MODE_REQUEST_PROTO: MessageType = message(
    "SetSafeModeRequestProto",
    &[
        Field::required(1, "action", FieldKind::Enum(SAFE_MODE_ACTION_PROTO)),
        Field::one(2, "checked", FieldKind::Bool),
    ],
);

static SET_SAFE_MODE_RESPONSE_PROTO: MessageType =
    message("SetSafeModeResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static SET_STORAGE_POLICY_REQUEST_PROTO: MessageType = message(
    "SetStoragePolicyRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "policy_name", FieldKind::Text),
    ],
);

static SET_STORAGE_POLICY_RESPONSE_PROTO: MessageType =
    message("SetStoragePolicyResponseProto", &[]);

static SET_TIMES_REQUEST_PROTO: MessageType = message(
    "SetTimesRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "mtime", FieldKind::UInt64),
        Field::required(3, "atime", FieldKind::UInt64),
    ],
);

static SET_TIMES_RESPONSE_PROTO: MessageType = message("SetTimesResponseProto", &[]);

static SET_X_ATTR_REQUEST_PROTO: MessageType = message(
    "SetXAttrRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::one(2, "x_attr", FieldKind::Message(&X_ATTR_PROTO)),
        Field::one(3, "flag", FieldKind::UInt32),
    ],
);

static SET_X_ATTR_RESPONSE_PROTO: MessageType = message("SetXAttrResponseProto", &[]);

static SHUTDOWN_DATANODE_REQUEST_PROTO: MessageType =
    message("ShutdownDatanodeRequestProto", &[Field::required(1, "for_upgrade", FieldKind::Bool)]);

static SHUTDOWN_DATANODE_RESPONSE_PROTO: MessageType =
    message("ShutdownDatanodeResponseProto", &[]);

static SNAPSHOT_DIFF_REPORT_CURSOR_PROTO: MessageType = message(
    "SnapshotDiffReportCursorProto",
    &[
        Field::required(1, "start_path", FieldKind::Bytes),
        Field::required(2, "index", FieldKind::Int32),
    ],
);

static SNAPSHOT_DIFF_REPORT_ENTRY_PROTO: MessageType = message(
    "SnapshotDiffReportEntryProto",
    &[
        Field::required(1, "fullpath", FieldKind::Bytes),
        Field::required(2, "modification_label", FieldKind::Text),
        Field::one(3, "target_path", FieldKind::Bytes),
    ],
);

static SNAPSHOT_DIFF_REPORT_LISTING_ENTRY_PROTO: MessageType = message(
    "SnapshotDiffReportListingEntryProto",
    &[
        Field::required(1, "fullpath", FieldKind::Bytes),
        Field::required(2, "dir_id", FieldKind::UInt64),
        Field::required(3, "is_reference", FieldKind::Bool),
        Field::one(4, "target_path", FieldKind::Bytes),
        Field::one(5, "file_id", FieldKind::UInt64),
    ],
);

static SNAPSHOT_DIFF_REPORT_LISTING_PROTO: MessageType = message(
    "SnapshotDiffReportListingProto",
    &[
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
);

static SNAPSHOT_DIFF_REPORT_PROTO: MessageType = message(
    "SnapshotDiffReportProto",
    &[
        Field::required(1, "snapshot_root", FieldKind::Text),
        Field::required(2, "from_snapshot", FieldKind::Text),
        Field::required(3, "to_snapshot", FieldKind::Text),
        Field::list(
            4,
            "diff_report_entries",
            FieldKind::Message(&SNAPSHOT_DIFF_REPORT_ENTRY_PROTO),
        ),
    ],
);

static SNAPSHOT_LISTING_PROTO: MessageType = message(
    "SnapshotListingProto",
    &[Field::list(1, "snapshot_listing", FieldKind::Message(&SNAPSHOT_STATUS_PROTO))],
);

static SNAPSHOT_STATUS_PROTO: MessageType = message(
    "SnapshotStatusProto",
    &[
        Field::required(1, "dir_status", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "snapshot_id", FieldKind::UInt32),
        Field::required(3, "parent_fullpath", FieldKind::Bytes),
        Field::required(4, "is_deleted", FieldKind::Bool),
    ],
);

static SNAPSHOTTABLE_DIRECTORY_LISTING_PROTO: MessageType = message(
    "SnapshottableDirectoryListingProto",
    &[Field::list(
        1,
        "snapshottable_dir_listing",
        FieldKind::Message(&SNAPSHOTTABLE_DIRECTORY_STATUS_PROTO),
    )],
);

static SNAPSHOTTABLE_DIRECTORY_STATUS_PROTO: MessageType = message(
    "SnapshottableDirectoryStatusProto",
    &[
        Field::required(1, "dir_status", FieldKind::Message(&HDFS_FILE_STATUS_PROTO)),
        Field::required(2, "snapshot_quota", FieldKind::UInt32),
        Field::required(3, "snapshot_number", FieldKind::UInt32),
        Field::required(4, "parent_fullpath", FieldKind::Bytes),
    ],
);

static START_LOG_SEGMENT_REQUEST_PROTO: MessageType = message(
    "StartLogSegmentRequestProto",
    &[
        Field::required(1, "journal_info", FieldKind::Message(&JOURNAL_INFO_PROTO)),
        Field::required(2, "txid", FieldKind::UInt64),
        Field::required(3, "epoch", FieldKind::UInt64),
    ],
);

static START_LOG_SEGMENT_RESPONSE_PROTO: MessageType = message("StartLogSegmentResponseProto", &[]);

static START_RECONFIGURATION_REQUEST_PROTO: MessageType =
    message("StartReconfigurationRequestProto", &[]);

static START_RECONFIGURATION_RESPONSE_PROTO: MessageType =
    message("StartReconfigurationResponseProto", &[]);

static STORAGE_INFO_PROTO: MessageType = message(
    "StorageInfoProto",
    &[
        Field::required(1, "layout_version", FieldKind::UInt32),
        Field::required(2, "namespce_id", FieldKind::UInt32),
        Field::required(3, "cluster_id", FieldKind::Text),
        Field::required(4, "c_time", FieldKind::UInt64),
    ],
);

static STORAGE_REPORT_PROTO: MessageType = message(
    "StorageReportProto",
    &[
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
);

static STORAGE_TYPE_QUOTA_INFO_PROTO: MessageType = message(
    "StorageTypeQuotaInfoProto",
    &[
        Field::one(1, "type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
        Field::required(2, "quota", FieldKind::UInt64),
        Field::required(3, "consumed", FieldKind::UInt64),
    ],
);

static STORAGE_TYPE_QUOTA_INFOS_PROTO: MessageType = message(
    "StorageTypeQuotaInfosProto",
    &[Field::list(1, "type_quota_info", FieldKind::Message(&STORAGE_TYPE_QUOTA_INFO_PROTO))],
);

static STORAGE_TYPES_PROTO: MessageType = message(
    "StorageTypesProto",
    &[Field::list(1, "storage_types", FieldKind::Enum(STORAGE_TYPE_PROTO))],
);

static STORAGE_UUIDS_PROTO: MessageType =
    message("StorageUuidsProto", &[Field::list(1, "storage_uuids", FieldKind::Text)]);

static SUBMIT_DISK_BALANCER_PLAN_REQUEST_PROTO: MessageType = message(
    "SubmitDiskBalancerPlanRequestProto",
    &[
        Field::required(1, "plan_id", FieldKind::Text),
        Field::required(2, "plan", FieldKind::Text),
        Field::one(3, "plan_version", FieldKind::UInt64),
        Field::one(4, "ignore_date_check", FieldKind::Bool),
        Field::required(5, "plan_file", FieldKind::Text),
    ],
);

static SUBMIT_DISK_BALANCER_PLAN_RESPONSE_PROTO: MessageType =
    message("SubmitDiskBalancerPlanResponseProto", &[]);

static TRIGGER_BLOCK_REPORT_REQUEST_PROTO: MessageType = message(
    "TriggerBlockReportRequestProto",
    &[
        Field::required(1, "incremental", FieldKind::Bool),
        Field::one(2, "nn_address", FieldKind::Text),
    ],
);

static TRIGGER_BLOCK_REPORT_RESPONSE_PROTO: MessageType =
    message("TriggerBlockReportResponseProto", &[]);

static TRUNCATE_REQUEST_PROTO: MessageType = message(
    "TruncateRequestProto",
    &[
        Field::required(1, "src", FieldKind::Text),
        Field::required(2, "new_length", FieldKind::UInt64),
        Field::required(3, "client_name", FieldKind::Text),
    ],
);

static TRUNCATE_RESPONSE_PROTO: MessageType =
    message("TruncateResponseProto", &[Field::required(1, "result", FieldKind::Bool)]);

static UNSET_ERASURE_CODING_POLICY_REQUEST_PROTO: MessageType =
    message("UnsetErasureCodingPolicyRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static UNSET_ERASURE_CODING_POLICY_RESPONSE_PROTO: MessageType =
    message("UnsetErasureCodingPolicyResponseProto", &[]);

static UNSET_STORAGE_POLICY_REQUEST_PROTO: MessageType =
    message("UnsetStoragePolicyRequestProto", &[Field::required(1, "src", FieldKind::Text)]);

static UNSET_STORAGE_POLICY_RESPONSE_PROTO: MessageType =
    message("UnsetStoragePolicyResponseProto", &[]);

static UPDATE_BLOCK_FOR_PIPELINE_REQUEST_PROTO: MessageType = message(
    "UpdateBlockForPipelineRequestProto",
    &[
        Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "client_name", FieldKind::Text),
    ],
);

static UPDATE_BLOCK_FOR_PIPELINE_RESPONSE_PROTO: MessageType = message(
    "UpdateBlockForPipelineResponseProto",
    &[Field::required(1, "block", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
);

static UPDATE_PIPELINE_REQUEST_PROTO: MessageType = message(
    "UpdatePipelineRequestProto",
    &[
        Field::required(1, "client_name", FieldKind::Text),
        Field::required(2, "old_block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(3, "new_block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::list(4, "new_nodes", FieldKind::Message(&DATANODE_ID_PROTO)),
        Field::list(5, "storage_ids", FieldKind::Text),
    ],
);

static UPDATE_PIPELINE_RESPONSE_PROTO: MessageType = message("UpdatePipelineResponseProto", &[]);

static UPDATE_REPLICA_UNDER_RECOVERY_REQUEST_PROTO: MessageType = message(
    "UpdateReplicaUnderRecoveryRequestProto",
    &[
        Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "recovery_id", FieldKind::UInt64),
        Field::required(3, "new_length", FieldKind::UInt64),
        Field::one(4, "new_block_id", FieldKind::UInt64),
    ],
);

static UPDATE_REPLICA_UNDER_RECOVERY_RESPONSE_PROTO: MessageType = message(
    "UpdateReplicaUnderRecoveryResponseProto",
    &[Field::one(1, "storage_uuid", FieldKind::Text)],
);

static UPGRADE_STATUS_REQUEST_PROTO: MessageType = message("UpgradeStatusRequestProto", &[]);

static UPGRADE_STATUS_RESPONSE_PROTO: MessageType = message(
    "UpgradeStatusResponseProto",
    &[Field::required(1, "upgrade_finalized", FieldKind::Bool)],
);

static VERSION_REQUEST_PROTO: MessageType = message("VersionRequestProto", &[]);

static VERSION_RESPONSE_PROTO: MessageType = message(
    "VersionResponseProto",
    &[Field::required(1, "info", FieldKind::Message(&NAMESPACE_INFO_PROTO))],
);

static WRITE_REQUEST_PROTO: MessageType = message(
    "WriteRequestProto",
    &[Field::required(1, "key_value_pair", FieldKind::Message(&KEY_VALUE_PROTO))],
);

static WRITE_RESPONSE_PROTO: MessageType = message("WriteResponseProto", &[]);

static X_ATTR_PROTO: MessageType = message(
    "XAttrProto",
    &[
        Field::required(1, "namespace", FieldKind::Enum(X_ATTR_PROTO_X_ATTR_NAMESPACE_PROTO)),
        Field::required(2, "name", FieldKind::Text),
        Field::one(3, "value", FieldKind::Bytes),
    ],
);

static ZONE_REENCRYPTION_STATUS_PROTO: MessageType = message(
    "ZoneReencryptionStatusProto",
    &[
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
);

static BALANCER_BANDWIDTH_COMMAND_PROTO: MessageType =
    message("BalancerBandwidthCommandProto", &[Field::required(1, "bandwidth", FieldKind::UInt64)]);

static BLOCK_COMMAND_PROTO: MessageType = message(
    "BlockCommandProto",
    &[
        Field::required(1, "action", FieldKind::Enum(BLOCK_COMMAND_PROTO_ACTION)),
        Field::required(2, "block_pool_id", FieldKind::Text),
        Field::list(3, "blocks", FieldKind::Message(&BLOCK_PROTO)),
        Field::list(4, "targets", FieldKind::Message(&DATANODE_INFOS_PROTO)),
        Field::list(5, "target_storage_uuids", FieldKind::Message(&STORAGE_UUIDS_PROTO)),
        Field::list(6, "target_storage_types", FieldKind::Message(&STORAGE_TYPES_PROTO)),
    ],
);

static BLOCK_EC_RECONSTRUCTION_COMMAND_PROTO: MessageType = message(
    "BlockECReconstructionCommandProto",
    &[Field::list(
        1,
        "block_ec_reconstructioninfo",
        FieldKind::Message(&BLOCK_EC_RECONSTRUCTION_INFO_PROTO),
    )],
);

static BLOCK_ID_COMMAND_PROTO: MessageType = message(
    "BlockIdCommandProto",
    &[
        Field::required(1, "action", FieldKind::Enum(BLOCK_ID_COMMAND_PROTO_ACTION)),
        Field::required(2, "block_pool_id", FieldKind::Text),
        Field::list(3, "block_ids", FieldKind::UInt64),
    ],
);

static BLOCK_RECEIVED_AND_DELETED_REQUEST_PROTO: MessageType = message(
    "BlockReceivedAndDeletedRequestProto",
    &[
        Field::required(1, "registration", FieldKind::Message(&DATANODE_REGISTRATION_PROTO)),
        Field::required(2, "block_pool_id", FieldKind::Text),
        Field::list(3, "blocks", FieldKind::Message(&STORAGE_RECEIVED_DELETED_BLOCKS_PROTO)),
    ],
);

static BLOCK_RECEIVED_AND_DELETED_RESPONSE_PROTO: MessageType =
    message("BlockReceivedAndDeletedResponseProto", &[]);

static BLOCK_RECOVERY_COMMAND_PROTO: MessageType = message(
    "BlockRecoveryCommandProto",
    &[Field::list(1, "blocks", FieldKind::Message(&RECOVERING_BLOCK_PROTO))],
);

static BLOCK_REPORT_CONTEXT_PROTO: MessageType = message(
    "BlockReportContextProto",
    &[
        Field::required(1, "total_rpcs", FieldKind::Int32),
        Field::required(2, "cur_rpc", FieldKind::Int32),
        Field::required(3, "id", FieldKind::Int64),
        Field::one(4, "lease_id", FieldKind::UInt64),
    ],
);

static BLOCK_REPORT_REQUEST_PROTO: MessageType = message(
    "BlockReportRequestProto",
    &[
        Field::required(1, "registration", FieldKind::Message(&DATANODE_REGISTRATION_PROTO)),
        Field::required(2, "block_pool_id", FieldKind::Text),
        Field::list(3, "reports", FieldKind::Message(&STORAGE_BLOCK_REPORT_PROTO)),
        Field::one(4, "context", FieldKind::Message(&BLOCK_REPORT_CONTEXT_PROTO)),
    ],
);

static BLOCK_REPORT_RESPONSE_PROTO: MessageType = message(
    "BlockReportResponseProto",
    &[Field::one(1, "cmd", FieldKind::Message(&DATANODE_COMMAND_PROTO))],
);

static CACHE_REPORT_REQUEST_PROTO: MessageType = message(
    "CacheReportRequestProto",
    &[
        Field::required(1, "registration", FieldKind::Message(&DATANODE_REGISTRATION_PROTO)),
        Field::required(2, "block_pool_id", FieldKind::Text),
        Field::list(3, "blocks", FieldKind::UInt64),
    ],
);

static CACHE_REPORT_RESPONSE_PROTO: MessageType = message(
    "CacheReportResponseProto",
    &[Field::one(1, "cmd", FieldKind::Message(&DATANODE_COMMAND_PROTO))],
);

static COMMIT_BLOCK_SYNCHRONIZATION_REQUEST_PROTO: MessageType = message(
    "CommitBlockSynchronizationRequestProto",
    &[
        Field::required(1, "block", FieldKind::Message(&EXTENDED_BLOCK_PROTO)),
        Field::required(2, "new_gen_stamp", FieldKind::UInt64),
        Field::required(3, "new_length", FieldKind::UInt64),
        Field::required(4, "close_file", FieldKind::Bool),
        Field::required(5, "delete_block", FieldKind::Bool),
        Field::list(6, "new_taragets", FieldKind::Message(&DATANODE_ID_PROTO)),
        Field::list(7, "new_target_storages", FieldKind::Text),
    ],
);

static COMMIT_BLOCK_SYNCHRONIZATION_RESPONSE_PROTO: MessageType =
    message("CommitBlockSynchronizationResponseProto", &[]);

static DATANODE_COMMAND_PROTO: MessageType = message(
    "DatanodeCommandProto",
    &[
        Field::required(1, "cmd_type", FieldKind::Enum(DATANODE_COMMAND_PROTO_TYPE)),
        Field::one(2, "balancer_cmd", FieldKind::Message(&BALANCER_BANDWIDTH_COMMAND_PROTO)),
        Field::one(3, "blk_cmd", FieldKind::Message(&BLOCK_COMMAND_PROTO)),
        Field::one(4, "recovery_cmd", FieldKind::Message(&BLOCK_RECOVERY_COMMAND_PROTO)),
        Field::one(5, "finalize_cmd", FieldKind::Message(&FINALIZE_COMMAND_PROTO)),
        Field::one(6, "key_update_cmd", FieldKind::Message(&KEY_UPDATE_COMMAND_PROTO)),
        Field::one(7, "register_cmd", FieldKind::Message(&REGISTER_COMMAND_PROTO)),
        Field::one(8, "blk_id_cmd", FieldKind::Message(&BLOCK_ID_COMMAND_PROTO)),
        Field::one(
            9,
            "blk_ec_reconstruction_cmd",
            FieldKind::Message(&BLOCK_EC_RECONSTRUCTION_COMMAND_PROTO),
        ),
    ],
);

static DATANODE_REGISTRATION_PROTO: MessageType = message(
    "DatanodeRegistrationProto",
    &[
        Field::required(1, "datanode_id", FieldKind::Message(&DATANODE_ID_PROTO)),
        Field::required(2, "storage_info", FieldKind::Message(&STORAGE_INFO_PROTO)),
        Field::required(3, "keys", FieldKind::Message(&EXPORTED_BLOCK_KEYS_PROTO)),
        Field::required(4, "software_version", FieldKind::Text),
    ],
);

static DATANODE_ERROR_REPORT_REQUEST_PROTO: MessageType = message(
    "datanode.ErrorReportRequestProto",
    &[
        Field::required(1, "registartion", FieldKind::Message(&DATANODE_REGISTRATION_PROTO)),
        Field::required(2, "error_code", FieldKind::UInt32),
        Field::required(3, "msg", FieldKind::Text),
    ],
);

static DATANODE_ERROR_REPORT_RESPONSE_PROTO: MessageType =
    message("datanode.ErrorReportResponseProto", &[]);

static FINALIZE_COMMAND_PROTO: MessageType =
    message("FinalizeCommandProto", &[Field::required(1, "block_pool_id", FieldKind::Text)]);

static DATANODE_HEARTBEAT_REQUEST_PROTO: MessageType = message(
    "datanode.HeartbeatRequestProto",
    &[
        Field::required(1, "registration", FieldKind::Message(&DATANODE_REGISTRATION_PROTO)),
        Field::list(2, "reports", FieldKind::Message(&STORAGE_REPORT_PROTO)),
        Field::one(3, "xmits_in_progress", FieldKind::UInt32),
        Field::one(4, "xceiver_count", FieldKind::UInt32),
        Field::one(5, "failed_volumes", FieldKind::UInt32),
        Field::one(6, "cache_capacity", FieldKind::UInt64),
        Field::one(7, "cache_used", FieldKind::UInt64),
        Field::one(8, "volume_failure_summary", FieldKind::Message(&VOLUME_FAILURE_SUMMARY_PROTO)),
        Field::one(9, "request_full_block_report_lease", FieldKind::Bool),
        Field::list(10, "slow_peers", FieldKind::Message(&SLOW_PEER_REPORT_PROTO)),
        Field::list(11, "slow_disks", FieldKind::Message(&SLOW_DISK_REPORT_PROTO)),
    ],
);

static DATANODE_HEARTBEAT_RESPONSE_PROTO: MessageType = message(
    "datanode.HeartbeatResponseProto",
    &[
        Field::list(1, "cmds", FieldKind::Message(&DATANODE_COMMAND_PROTO)),
        Field::required(2, "ha_status", FieldKind::Message(&NNHA_STATUS_HEARTBEAT_PROTO)),
        Field::one(3, "rolling_upgrade_status", FieldKind::Message(&ROLLING_UPGRADE_STATUS_PROTO)),
        Field::one(
            4,
            "rolling_upgrade_status_v2",
            FieldKind::Message(&ROLLING_UPGRADE_STATUS_PROTO),
        ),
        Field::one(5, "full_block_report_lease_id", FieldKind::UInt64),
        Field::one(6, "is_slownode", FieldKind::Bool),
    ],
);

static KEY_UPDATE_COMMAND_PROTO: MessageType = message(
    "KeyUpdateCommandProto",
    &[Field::required(1, "keys", FieldKind::Message(&EXPORTED_BLOCK_KEYS_PROTO))],
);

static RECEIVED_DELETED_BLOCK_INFO_PROTO: MessageType = message(
    "ReceivedDeletedBlockInfoProto",
    &[
        Field::required(1, "block", FieldKind::Message(&BLOCK_PROTO)),
        Field::one(2, "delete_hint", FieldKind::Text),
        Field::required(
            3,
            "status",
            FieldKind::Enum(RECEIVED_DELETED_BLOCK_INFO_PROTO_BLOCK_STATUS),
        ),
    ],
);

static REGISTER_COMMAND_PROTO: MessageType = message("RegisterCommandProto", &[]);

static REGISTER_DATANODE_REQUEST_PROTO: MessageType = message(
    "RegisterDatanodeRequestProto",
    &[Field::required(1, "registration", FieldKind::Message(&DATANODE_REGISTRATION_PROTO))],
);

static REGISTER_DATANODE_RESPONSE_PROTO: MessageType = message(
    "RegisterDatanodeResponseProto",
    &[Field::required(1, "registration", FieldKind::Message(&DATANODE_REGISTRATION_PROTO))],
);

static DATANODE_REPORT_BAD_BLOCKS_REQUEST_PROTO: MessageType = message(
    "datanode.ReportBadBlocksRequestProto",
    &[Field::list(1, "blocks", FieldKind::Message(&LOCATED_BLOCK_PROTO))],
);

static DATANODE_REPORT_BAD_BLOCKS_RESPONSE_PROTO: MessageType =
    message("datanode.ReportBadBlocksResponseProto", &[]);

static SLOW_DISK_REPORT_PROTO: MessageType = message(
    "SlowDiskReportProto",
    &[
        Field::one(1, "base_path", FieldKind::Text),
        Field::one(2, "mean_metadata_op_latency", FieldKind::Double),
        Field::one(3, "mean_read_io_latency", FieldKind::Double),
        Field::one(4, "mean_write_io_latency", FieldKind::Double),
    ],
);

static SLOW_PEER_REPORT_PROTO: MessageType = message(
    "SlowPeerReportProto",
    &[
        Field::one(1, "data_node_id", FieldKind::Text),
        Field::one(2, "aggregate_latency", FieldKind::Double),
        Field::one(3, "median", FieldKind::Double),
        Field::one(4, "mad", FieldKind::Double),
        Field::one(5, "upper_limit_latency", FieldKind::Double),
    ],
);

static STORAGE_BLOCK_REPORT_PROTO: MessageType = message(
    "StorageBlockReportProto",
    &[
        Field::required(1, "storage", FieldKind::Message(&DATANODE_STORAGE_PROTO)),
        Field::list(2, "blocks", FieldKind::UInt64),
        Field::one(3, "number_of_blocks", FieldKind::UInt64),
        Field::list(4, "blocks_buffers", FieldKind::Bytes),
    ],
);

static STORAGE_RECEIVED_DELETED_BLOCKS_PROTO: MessageType = message(
    "StorageReceivedDeletedBlocksProto",
    &[
        Field::required(1, "storage_uuid", FieldKind::Text),
        Field::list(2, "blocks", FieldKind::Message(&RECEIVED_DELETED_BLOCK_INFO_PROTO)),
        Field::one(3, "storage", FieldKind::Message(&DATANODE_STORAGE_PROTO)),
    ],
);

static VOLUME_FAILURE_SUMMARY_PROTO: MessageType = message(
    "VolumeFailureSummaryProto",
    &[
        Field::list(1, "failed_storage_locations", FieldKind::Text),
        Field::required(2, "last_volume_failure_date", FieldKind::UInt64),
        Field::required(3, "estimated_capacity_lost_total", FieldKind::UInt64),
    ],
);

static LIFELINE_RESPONSE_PROTO: MessageType = message("LifelineResponseProto", &[]);

static END_CHECKPOINT_REQUEST_PROTO: MessageType = message(
    "EndCheckpointRequestProto",
    &[
        Field::required(1, "registration", FieldKind::Message(&NAMENODE_REGISTRATION_PROTO)),
        Field::required(2, "signature", FieldKind::Message(&CHECKPOINT_SIGNATURE_PROTO)),
    ],
);

static END_CHECKPOINT_RESPONSE_PROTO: MessageType = message("EndCheckpointResponseProto", &[]);

static NAMENODE_ERROR_REPORT_REQUEST_PROTO: MessageType = message(
    "namenode.ErrorReportRequestProto",
    &[
        Field::required(1, "registration", FieldKind::Message(&NAMENODE_REGISTRATION_PROTO)),
        Field::required(2, "error_code", FieldKind::UInt32),
        Field::required(3, "msg", FieldKind::Text),
    ],
);

static NAMENODE_ERROR_REPORT_RESPONSE_PROTO: MessageType =
    message("namenode.ErrorReportResponseProto", &[]);

static GET_BLOCK_KEYS_REQUEST_PROTO: MessageType = message("GetBlockKeysRequestProto", &[]);

static GET_BLOCK_KEYS_RESPONSE_PROTO: MessageType = message(
    "GetBlockKeysResponseProto",
    &[Field::one(1, "keys", FieldKind::Message(&EXPORTED_BLOCK_KEYS_PROTO))],
);

static GET_BLOCKS_REQUEST_PROTO: MessageType = message(
    "GetBlocksRequestProto",
    &[
        Field::required(1, "datanode", FieldKind::Message(&DATANODE_ID_PROTO)),
        Field::required(2, "size", FieldKind::UInt64),
        Field::one(3, "min_block_size", FieldKind::UInt64),
        Field::one(4, "time_interval", FieldKind::UInt64),
        Field::one(5, "storage_type", FieldKind::Enum(STORAGE_TYPE_PROTO)),
    ],
);

static GET_BLOCKS_RESPONSE_PROTO: MessageType = message(
    "GetBlocksResponseProto",
    &[Field::required(1, "blocks", FieldKind::Message(&BLOCKS_WITH_LOCATIONS_PROTO))],
);

static NAMENODE_GET_EDIT_LOG_MANIFEST_REQUEST_PROTO: MessageType = message(
    "namenode.GetEditLogManifestRequestProto",
    &[Field::required(1, "since_tx_id", FieldKind::UInt64)],
);

static NAMENODE_GET_EDIT_LOG_MANIFEST_RESPONSE_PROTO: MessageType = message(
    "namenode.GetEditLogManifestResponseProto",
    &[Field::required(1, "manifest", FieldKind::Message(&REMOTE_EDIT_LOG_MANIFEST_PROTO))],
);

static GET_MOST_RECENT_CHECKPOINT_TX_ID_REQUEST_PROTO: MessageType =
    message("GetMostRecentCheckpointTxIdRequestProto", &[]);

static GET_MOST_RECENT_CHECKPOINT_TX_ID_RESPONSE_PROTO: MessageType = message(
    "GetMostRecentCheckpointTxIdResponseProto",
    &[Field::required(1, "tx_id", FieldKind::UInt64)],
);

static GET_MOST_RECENT_NAME_NODE_FILE_TX_ID_REQUEST_PROTO: MessageType = message(
    "GetMostRecentNameNodeFileTxIdRequestProto",
    &[Field::required(1, "name_node_file", FieldKind::Text)],
);

static GET_MOST_RECENT_NAME_NODE_FILE_TX_ID_RESPONSE_PROTO: MessageType = message(
    "GetMostRecentNameNodeFileTxIdResponseProto",
    &[Field::required(1, "tx_id", FieldKind::UInt64)],
);

static GET_NEXT_SPS_PATH_REQUEST_PROTO: MessageType = message("GetNextSPSPathRequestProto", &[]);

static GET_NEXT_SPS_PATH_RESPONSE_PROTO: MessageType =
    message("GetNextSPSPathResponseProto", &[Field::one(1, "sps_path", FieldKind::UInt64)]);

static GET_TRANSACTION_ID_REQUEST_PROTO: MessageType = message("GetTransactionIdRequestProto", &[]);

static GET_TRANSACTION_ID_RESPONSE_PROTO: MessageType =
    message("GetTransactionIdResponseProto", &[Field::required(1, "tx_id", FieldKind::UInt64)]);

static IS_ROLLING_UPGRADE_REQUEST_PROTO: MessageType = message("IsRollingUpgradeRequestProto", &[]);

static IS_ROLLING_UPGRADE_RESPONSE_PROTO: MessageType = message(
    "IsRollingUpgradeResponseProto",
    &[Field::required(1, "is_rolling_upgrade", FieldKind::Bool)],
);

static IS_UPGRADE_FINALIZED_REQUEST_PROTO: MessageType =
    message("IsUpgradeFinalizedRequestProto", &[]);

static IS_UPGRADE_FINALIZED_RESPONSE_PROTO: MessageType = message(
    "IsUpgradeFinalizedResponseProto",
    &[Field::required(1, "is_upgrade_finalized", FieldKind::Bool)],
);

static REGISTER_REQUEST_PROTO: MessageType = message(
    "RegisterRequestProto",
    &[Field::required(1, "registration", FieldKind::Message(&NAMENODE_REGISTRATION_PROTO))],
);

static REGISTER_RESPONSE_PROTO: MessageType = message(
    "RegisterResponseProto",
    &[Field::required(1, "registration", FieldKind::Message(&NAMENODE_REGISTRATION_PROTO))],
);

static ROLL_EDIT_LOG_REQUEST_PROTO: MessageType = message("RollEditLogRequestProto", &[]);

static ROLL_EDIT_LOG_RESPONSE_PROTO: MessageType = message(
    "RollEditLogResponseProto",
    &[Field::required(1, "signature", FieldKind::Message(&CHECKPOINT_SIGNATURE_PROTO))],
);

static START_CHECKPOINT_REQUEST_PROTO: MessageType = message(
    "StartCheckpointRequestProto",
    &[Field::required(1, "registration", FieldKind::Message(&NAMENODE_REGISTRATION_PROTO))],
);

static START_CHECKPOINT_RESPONSE_PROTO: MessageType = message(
    "StartCheckpointResponseProto",
    &[Field::required(1, "command", FieldKind::Message(&NAMENODE_COMMAND_PROTO))],
);

static ACCEPT_RECOVERY_REQUEST_PROTO: MessageType = message(
    "AcceptRecoveryRequestProto",
    &[
        Field::required(1, "req_info", FieldKind::Message(&REQUEST_INFO_PROTO)),
        Field::required(2, "state_to_accept", FieldKind::Message(&SEGMENT_STATE_PROTO)),
        Field::required(3, "from_url", FieldKind::Text),
    ],
);

static ACCEPT_RECOVERY_RESPONSE_PROTO: MessageType = message("AcceptRecoveryResponseProto", &[]);

static CAN_ROLL_BACK_REQUEST_PROTO: MessageType = message(
    "CanRollBackRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "storage", FieldKind::Message(&STORAGE_INFO_PROTO)),
        Field::required(3, "prev_storage", FieldKind::Message(&STORAGE_INFO_PROTO)),
        Field::required(4, "target_layout_version", FieldKind::Int32),
        Field::one(5, "name_service_id", FieldKind::Text),
    ],
);

static CAN_ROLL_BACK_RESPONSE_PROTO: MessageType =
    message("CanRollBackResponseProto", &[Field::required(1, "can_roll_back", FieldKind::Bool)]);

static DISCARD_SEGMENTS_REQUEST_PROTO: MessageType = message(
    "DiscardSegmentsRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "start_tx_id", FieldKind::UInt64),
        Field::one(3, "name_service_id", FieldKind::Text),
    ],
);

static DISCARD_SEGMENTS_RESPONSE_PROTO: MessageType = message("DiscardSegmentsResponseProto", &[]);

static DO_FINALIZE_REQUEST_PROTO: MessageType = message(
    "DoFinalizeRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::one(2, "name_service_id", FieldKind::Text),
    ],
);

static DO_FINALIZE_RESPONSE_PROTO: MessageType = message("DoFinalizeResponseProto", &[]);

static DO_PRE_UPGRADE_REQUEST_PROTO: MessageType = message(
    "DoPreUpgradeRequestProto",
    &[Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO))],
);

static DO_PRE_UPGRADE_RESPONSE_PROTO: MessageType = message("DoPreUpgradeResponseProto", &[]);

static DO_ROLLBACK_REQUEST_PROTO: MessageType = message(
    "DoRollbackRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::one(2, "nameservice_id", FieldKind::Text),
    ],
);

static DO_ROLLBACK_RESPONSE_PROTO: MessageType = message("DoRollbackResponseProto", &[]);

static DO_UPGRADE_REQUEST_PROTO: MessageType = message(
    "DoUpgradeRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "s_info", FieldKind::Message(&STORAGE_INFO_PROTO)),
    ],
);

static DO_UPGRADE_RESPONSE_PROTO: MessageType = message("DoUpgradeResponseProto", &[]);

static FINALIZE_LOG_SEGMENT_REQUEST_PROTO: MessageType = message(
    "FinalizeLogSegmentRequestProto",
    &[
        Field::required(1, "req_info", FieldKind::Message(&REQUEST_INFO_PROTO)),
        Field::required(2, "start_tx_id", FieldKind::UInt64),
        Field::required(3, "end_tx_id", FieldKind::UInt64),
    ],
);

static FINALIZE_LOG_SEGMENT_RESPONSE_PROTO: MessageType =
    message("FinalizeLogSegmentResponseProto", &[]);

static FORMAT_REQUEST_PROTO: MessageType = message(
    "FormatRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "ns_info", FieldKind::Message(&NAMESPACE_INFO_PROTO)),
        Field::one(3, "name_service_id", FieldKind::Text),
        Field::one(4, "force", FieldKind::Bool),
    ],
);

static FORMAT_RESPONSE_PROTO: MessageType = message("FormatResponseProto", &[]);

static QJOURNAL_GET_EDIT_LOG_MANIFEST_REQUEST_PROTO: MessageType = message(
    "qjournal.GetEditLogManifestRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "since_tx_id", FieldKind::UInt64),
        Field::one(4, "in_progress_ok", FieldKind::Bool),
        Field::one(5, "name_service_id", FieldKind::Text),
    ],
);

static QJOURNAL_GET_EDIT_LOG_MANIFEST_RESPONSE_PROTO: MessageType = message(
    "qjournal.GetEditLogManifestResponseProto",
    &[
        Field::required(1, "manifest", FieldKind::Message(&REMOTE_EDIT_LOG_MANIFEST_PROTO)),
        Field::required(2, "http_port", FieldKind::UInt32),
        Field::one(3, "from_url", FieldKind::Text),
    ],
);

static GET_JOURNAL_C_TIME_REQUEST_PROTO: MessageType = message(
    "GetJournalCTimeRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::one(2, "name_service_id", FieldKind::Text),
    ],
);

static GET_JOURNAL_C_TIME_RESPONSE_PROTO: MessageType = message(
    "GetJournalCTimeResponseProto",
    &[Field::required(1, "result_c_time", FieldKind::Int64)],
);

static GET_JOURNAL_STATE_REQUEST_PROTO: MessageType = message(
    "GetJournalStateRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::one(2, "name_service_id", FieldKind::Text),
    ],
);

static GET_JOURNAL_STATE_RESPONSE_PROTO: MessageType = message(
    "GetJournalStateResponseProto",
    &[
        Field::required(1, "last_promised_epoch", FieldKind::UInt64),
        Field::required(2, "http_port", FieldKind::UInt32),
        Field::one(3, "from_url", FieldKind::Text),
    ],
);

static GET_JOURNALED_EDITS_REQUEST_PROTO: MessageType = message(
    "GetJournaledEditsRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "since_tx_id", FieldKind::UInt64),
        Field::required(3, "max_txns", FieldKind::UInt32),
        Field::one(4, "name_service_id", FieldKind::Text),
    ],
);

static GET_JOURNALED_EDITS_RESPONSE_PROTO: MessageType = message(
    "GetJournaledEditsResponseProto",
    &[
        Field::required(1, "txn_count", FieldKind::UInt32),
        Field::one(2, "edit_log", FieldKind::Bytes),
    ],
);

static GET_STORAGE_INFO_REQUEST_PROTO: MessageType = message(
    "GetStorageInfoRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::one(2, "name_service_id", FieldKind::Text),
    ],
);

static QJOURNAL_HEARTBEAT_REQUEST_PROTO: MessageType = message(
    "qjournal.HeartbeatRequestProto",
    &[Field::required(1, "req_info", FieldKind::Message(&REQUEST_INFO_PROTO))],
);

static QJOURNAL_HEARTBEAT_RESPONSE_PROTO: MessageType =
    message("qjournal.HeartbeatResponseProto", &[]);

static IS_FORMATTED_REQUEST_PROTO: MessageType = message(
    "IsFormattedRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::one(2, "name_service_id", FieldKind::Text),
    ],
);

static IS_FORMATTED_RESPONSE_PROTO: MessageType =
    message("IsFormattedResponseProto", &[Field::required(1, "is_formatted", FieldKind::Bool)]);

static JOURNAL_ID_PROTO: MessageType =
    message("JournalIdProto", &[Field::required(1, "identifier", FieldKind::Text)]);

static QJOURNAL_JOURNAL_REQUEST_PROTO: MessageType = message(
    "qjournal.JournalRequestProto",
    &[
        Field::required(1, "req_info", FieldKind::Message(&REQUEST_INFO_PROTO)),
        Field::required(2, "first_txn_id", FieldKind::UInt64),
        Field::required(3, "num_txns", FieldKind::UInt32),
        Field::required(4, "records", FieldKind::Bytes),
        Field::required(5, "segment_txn_id", FieldKind::UInt64),
        Field::one(6, "name_service_id", FieldKind::Text),
    ],
);

static QJOURNAL_JOURNAL_RESPONSE_PROTO: MessageType = message("qjournal.JournalResponseProto", &[]);

static NEW_EPOCH_REQUEST_PROTO: MessageType = message(
    "NewEpochRequestProto",
    &[
        Field::required(1, "jid", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "ns_info", FieldKind::Message(&NAMESPACE_INFO_PROTO)),
        Field::required(3, "epoch", FieldKind::UInt64),
        Field::one(4, "name_service_id", FieldKind::Text),
    ],
);

static NEW_EPOCH_RESPONSE_PROTO: MessageType =
    message("NewEpochResponseProto", &[Field::one(1, "last_segment_tx_id", FieldKind::UInt64)]);

static PREPARE_RECOVERY_REQUEST_PROTO: MessageType = message(
    "PrepareRecoveryRequestProto",
    &[
        Field::required(1, "req_info", FieldKind::Message(&REQUEST_INFO_PROTO)),
        Field::required(2, "segment_tx_id", FieldKind::UInt64),
    ],
);

static PREPARE_RECOVERY_RESPONSE_PROTO: MessageType = message(
    "PrepareRecoveryResponseProto",
    &[
        Field::one(1, "segment_state", FieldKind::Message(&SEGMENT_STATE_PROTO)),
        Field::one(2, "accepted_in_epoch", FieldKind::UInt64),
        Field::required(3, "last_writer_epoch", FieldKind::UInt64),
        Field::one(4, "last_committed_tx_id", FieldKind::UInt64),
    ],
);

static PURGE_LOGS_REQUEST_PROTO: MessageType = message(
    "PurgeLogsRequestProto",
    &[
        Field::required(1, "req_info", FieldKind::Message(&REQUEST_INFO_PROTO)),
        Field::required(2, "min_tx_id_to_keep", FieldKind::UInt64),
    ],
);

static PURGE_LOGS_RESPONSE_PROTO: MessageType = message("PurgeLogsResponseProto", &[]);

static REQUEST_INFO_PROTO: MessageType = message(
    "RequestInfoProto",
    &[
        Field::required(1, "journal_id", FieldKind::Message(&JOURNAL_ID_PROTO)),
        Field::required(2, "epoch", FieldKind::UInt64),
        Field::required(3, "ipc_serial_number", FieldKind::UInt64),
        Field::one(4, "committed_tx_id", FieldKind::UInt64),
        Field::one(5, "name_service_id", FieldKind::Text),
    ],
);

static SEGMENT_STATE_PROTO: MessageType = message(
    "SegmentStateProto",
    &[
        Field::required(1, "start_tx_id", FieldKind::UInt64),
        Field::required(2, "end_tx_id", FieldKind::UInt64),
        Field::required(3, "is_in_progress", FieldKind::Bool),
    ],
);

static QJOURNAL_START_LOG_SEGMENT_REQUEST_PROTO: MessageType = message(
    "qjournal.StartLogSegmentRequestProto",
    &[
        Field::required(1, "req_info", FieldKind::Message(&REQUEST_INFO_PROTO)),
        Field::required(2, "txid", FieldKind::UInt64),
        Field::one(3, "layout_version", FieldKind::SInt32),
    ],
);

static QJOURNAL_START_LOG_SEGMENT_RESPONSE_PROTO: MessageType =
    message("qjournal.StartLogSegmentResponseProto", &[]);

static AM_INFO_PROTO: MessageType = message(
    "AMInfoProto",
    &[
        Field::one(1, "application_attempt_id", FieldKind::Message(&APPLICATION_ATTEMPT_ID_PROTO)),
        Field::one(2, "start_time", FieldKind::Int64),
        Field::one(3, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(4, "node_manager_host", FieldKind::Text),
        Field::one(5, "node_manager_port", FieldKind::Int32),
        Field::one(6, "node_manager_http_port", FieldKind::Int32),
    ],
);

static COUNTER_GROUP_PROTO: MessageType = message(
    "CounterGroupProto",
    &[
        Field::one(1, "name", FieldKind::Text),
        Field::one(2, "display_name", FieldKind::Text),
        Field::list(3, "counters", FieldKind::Message(&STRING_COUNTER_MAP_PROTO)),
    ],
);

static COUNTER_PROTO: MessageType = message(
    "CounterProto",
    &[
        Field::one(1, "name", FieldKind::Text),
        Field::one(2, "display_name", FieldKind::Text),
        Field::one(3, "value", FieldKind::Int64),
    ],
);

static COUNTERS_PROTO: MessageType = message(
    "CountersProto",
    &[Field::list(1, "counter_groups", FieldKind::Message(&STRING_COUNTER_GROUP_MAP_PROTO))],
);

static FAIL_TASK_ATTEMPT_REQUEST_PROTO: MessageType = message(
    "FailTaskAttemptRequestProto",
    &[Field::one(1, "task_attempt_id", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO))],
);

static FAIL_TASK_ATTEMPT_RESPONSE_PROTO: MessageType = message("FailTaskAttemptResponseProto", &[]);

static GET_COUNTERS_REQUEST_PROTO: MessageType = message(
    "GetCountersRequestProto",
    &[Field::one(1, "job_id", FieldKind::Message(&JOB_ID_PROTO))],
);

static GET_COUNTERS_RESPONSE_PROTO: MessageType = message(
    "GetCountersResponseProto",
    &[Field::one(1, "counters", FieldKind::Message(&COUNTERS_PROTO))],
);

static GET_DIAGNOSTICS_REQUEST_PROTO: MessageType = message(
    "GetDiagnosticsRequestProto",
    &[Field::one(1, "task_attempt_id", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO))],
);

static GET_DIAGNOSTICS_RESPONSE_PROTO: MessageType =
    message("GetDiagnosticsResponseProto", &[Field::list(1, "diagnostics", FieldKind::Text)]);

static GET_JOB_REPORT_REQUEST_PROTO: MessageType = message(
    "GetJobReportRequestProto",
    &[Field::one(1, "job_id", FieldKind::Message(&JOB_ID_PROTO))],
);

static GET_JOB_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetJobReportResponseProto",
    &[Field::one(1, "job_report", FieldKind::Message(&JOB_REPORT_PROTO))],
);

static GET_TASK_ATTEMPT_COMPLETION_EVENTS_REQUEST_PROTO: MessageType = message(
    "GetTaskAttemptCompletionEventsRequestProto",
    &[
        Field::one(1, "job_id", FieldKind::Message(&JOB_ID_PROTO)),
        Field::one(2, "from_event_id", FieldKind::Int32),
        Field::one(3, "max_events", FieldKind::Int32),
    ],
);

static GET_TASK_ATTEMPT_COMPLETION_EVENTS_RESPONSE_PROTO: MessageType = message(
    "GetTaskAttemptCompletionEventsResponseProto",
    &[Field::list(
        1,
        "completion_events",
        FieldKind::Message(&TASK_ATTEMPT_COMPLETION_EVENT_PROTO),
    )],
);

static GET_TASK_ATTEMPT_REPORT_REQUEST_PROTO: MessageType = message(
    "GetTaskAttemptReportRequestProto",
    &[Field::one(1, "task_attempt_id", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO))],
);

static GET_TASK_ATTEMPT_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetTaskAttemptReportResponseProto",
    &[Field::one(1, "task_attempt_report", FieldKind::Message(&TASK_ATTEMPT_REPORT_PROTO))],
);

static GET_TASK_REPORT_REQUEST_PROTO: MessageType = message(
    "GetTaskReportRequestProto",
    &[Field::one(1, "task_id", FieldKind::Message(&TASK_ID_PROTO))],
);

static GET_TASK_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetTaskReportResponseProto",
    &[Field::one(1, "task_report", FieldKind::Message(&TASK_REPORT_PROTO))],
);

static GET_TASK_REPORTS_REQUEST_PROTO: MessageType = message(
    "GetTaskReportsRequestProto",
    &[
        Field::one(1, "job_id", FieldKind::Message(&JOB_ID_PROTO)),
        Field::one(2, "task_type", FieldKind::Enum(TASK_TYPE_PROTO)),
    ],
);

static GET_TASK_REPORTS_RESPONSE_PROTO: MessageType = message(
    "GetTaskReportsResponseProto",
    &[Field::list(1, "task_reports", FieldKind::Message(&TASK_REPORT_PROTO))],
);

static JOB_ID_PROTO: MessageType = message(
    "JobIdProto",
    &[
        Field::one(1, "app_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "id", FieldKind::Int32),
    ],
);

static JOB_REPORT_PROTO: MessageType = message(
    "JobReportProto",
    &[
        Field::one(1, "job_id", FieldKind::Message(&JOB_ID_PROTO)),
        Field::one(2, "job_state", FieldKind::Enum(JOB_STATE_PROTO)),
        Field::one(3, "map_progress", FieldKind::Float),
        Field::one(4, "reduce_progress", FieldKind::Float),
        Field::one(5, "cleanup_progress", FieldKind::Float),
        Field::one(6, "setup_progress", FieldKind::Float),
        Field::one(7, "start_time", FieldKind::Int64),
        Field::one(8, "finish_time", FieldKind::Int64),
        Field::one(9, "user", FieldKind::Text),
        Field::one(10, "job_name", FieldKind::Text),
        Field::one(11, "tracking_url", FieldKind::Text),
        Field::one(12, "diagnostics", FieldKind::Text),
        Field::one(13, "job_file", FieldKind::Text),
        Field::list(14, "am_infos", FieldKind::Message(&AM_INFO_PROTO)),
        Field::one(15, "submit_time", FieldKind::Int64),
        Field::one(16, "is_uber", FieldKind::Bool),
        Field::one(17, "job_priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(18, "history_file", FieldKind::Text),
    ],
);

static KILL_JOB_REQUEST_PROTO: MessageType =
    message("KillJobRequestProto", &[Field::one(1, "job_id", FieldKind::Message(&JOB_ID_PROTO))]);

static KILL_JOB_RESPONSE_PROTO: MessageType = message("KillJobResponseProto", &[]);

static KILL_TASK_ATTEMPT_REQUEST_PROTO: MessageType = message(
    "KillTaskAttemptRequestProto",
    &[Field::one(1, "task_attempt_id", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO))],
);

static KILL_TASK_ATTEMPT_RESPONSE_PROTO: MessageType = message("KillTaskAttemptResponseProto", &[]);

static KILL_TASK_REQUEST_PROTO: MessageType = message(
    "KillTaskRequestProto",
    &[Field::one(1, "task_id", FieldKind::Message(&TASK_ID_PROTO))],
);

static KILL_TASK_RESPONSE_PROTO: MessageType = message("KillTaskResponseProto", &[]);

static MAPREDUCE_REFRESH_ADMIN_ACLS_REQUEST_PROTO: MessageType =
    message("mapreduce.RefreshAdminAclsRequestProto", &[]);

static MAPREDUCE_REFRESH_ADMIN_ACLS_RESPONSE_PROTO: MessageType =
    message("mapreduce.RefreshAdminAclsResponseProto", &[]);

static REFRESH_JOB_RETENTION_SETTINGS_REQUEST_PROTO: MessageType =
    message("RefreshJobRetentionSettingsRequestProto", &[]);

static REFRESH_JOB_RETENTION_SETTINGS_RESPONSE_PROTO: MessageType =
    message("RefreshJobRetentionSettingsResponseProto", &[]);

static REFRESH_LOADED_JOB_CACHE_REQUEST_PROTO: MessageType =
    message("RefreshLoadedJobCacheRequestProto", &[]);

static REFRESH_LOADED_JOB_CACHE_RESPONSE_PROTO: MessageType =
    message("RefreshLoadedJobCacheResponseProto", &[]);

static REFRESH_LOG_RETENTION_SETTINGS_REQUEST_PROTO: MessageType =
    message("RefreshLogRetentionSettingsRequestProto", &[]);

static REFRESH_LOG_RETENTION_SETTINGS_RESPONSE_PROTO: MessageType =
    message("RefreshLogRetentionSettingsResponseProto", &[]);

static STRING_COUNTER_GROUP_MAP_PROTO: MessageType = message(
    "StringCounterGroupMapProto",
    &[
        Field::one(1, "key", FieldKind::Text),
        Field::one(2, "value", FieldKind::Message(&COUNTER_GROUP_PROTO)),
    ],
);

static STRING_COUNTER_MAP_PROTO: MessageType = message(
    "StringCounterMapProto",
    &[
        Field::one(1, "key", FieldKind::Text),
        Field::one(2, "value", FieldKind::Message(&COUNTER_PROTO)),
    ],
);

static TASK_ATTEMPT_COMPLETION_EVENT_PROTO: MessageType = message(
    "TaskAttemptCompletionEventProto",
    &[
        Field::one(1, "attempt_id", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO)),
        Field::one(2, "status", FieldKind::Enum(TASK_ATTEMPT_COMPLETION_EVENT_STATUS_PROTO)),
        Field::one(3, "map_output_server_address", FieldKind::Text),
        Field::one(4, "attempt_run_time", FieldKind::Int32),
        Field::one(5, "event_id", FieldKind::Int32),
    ],
);

static TASK_ATTEMPT_ID_PROTO: MessageType = message(
    "TaskAttemptIdProto",
    &[
        Field::one(1, "task_id", FieldKind::Message(&TASK_ID_PROTO)),
        Field::one(2, "id", FieldKind::Int32),
    ],
);

static TASK_ATTEMPT_REPORT_PROTO: MessageType = message(
    "TaskAttemptReportProto",
    &[
        Field::one(1, "task_attempt_id", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO)),
        Field::one(2, "task_attempt_state", FieldKind::Enum(TASK_ATTEMPT_STATE_PROTO)),
        Field::one(3, "progress", FieldKind::Float),
        Field::one(4, "start_time", FieldKind::Int64),
        Field::one(5, "finish_time", FieldKind::Int64),
        Field::one(6, "counters", FieldKind::Message(&COUNTERS_PROTO)),
        Field::one(7, "diagnostic_info", FieldKind::Text),
        Field::one(8, "state_string", FieldKind::Text),
        Field::one(9, "phase", FieldKind::Enum(PHASE_PROTO)),
        Field::one(10, "shuffle_finish_time", FieldKind::Int64),
        Field::one(11, "sort_finish_time", FieldKind::Int64),
        Field::one(12, "node_manager_host", FieldKind::Text),
        Field::one(13, "node_manager_port", FieldKind::Int32),
        Field::one(14, "node_manager_http_port", FieldKind::Int32),
        Field::one(15, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
    ],
);

static TASK_ID_PROTO: MessageType = message(
    "TaskIdProto",
    &[
        Field::one(1, "job_id", FieldKind::Message(&JOB_ID_PROTO)),
        Field::one(2, "task_type", FieldKind::Enum(TASK_TYPE_PROTO)),
        Field::one(3, "id", FieldKind::Int32),
    ],
);

static TASK_REPORT_PROTO: MessageType = message(
    "TaskReportProto",
    &[
        Field::one(1, "task_id", FieldKind::Message(&TASK_ID_PROTO)),
        Field::one(2, "task_state", FieldKind::Enum(TASK_STATE_PROTO)),
        Field::one(3, "progress", FieldKind::Float),
        Field::one(4, "start_time", FieldKind::Int64),
        Field::one(5, "finish_time", FieldKind::Int64),
        Field::one(6, "counters", FieldKind::Message(&COUNTERS_PROTO)),
        Field::list(7, "running_attempts", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO)),
        Field::one(8, "successful_attempt", FieldKind::Message(&TASK_ATTEMPT_ID_PROTO)),
        Field::list(9, "diagnostics", FieldKind::Text),
    ],
);

static ADD_TO_CLUSTER_NODE_LABELS_REQUEST_PROTO: MessageType = message(
    "AddToClusterNodeLabelsRequestProto",
    &[
        Field::list(1, "deprecated_node_labels", FieldKind::Text),
        Field::list(2, "node_labels", FieldKind::Message(&NODE_LABEL_PROTO)),
        Field::one(3, "sub_cluster_id", FieldKind::Text),
    ],
);

static ADD_TO_CLUSTER_NODE_LABELS_RESPONSE_PROTO: MessageType =
    message("AddToClusterNodeLabelsResponseProto", &[]);

static ALLOCATE_REQUEST_PROTO: MessageType = message(
    "AllocateRequestProto",
    &[
        Field::list(1, "ask", FieldKind::Message(&RESOURCE_REQUEST_PROTO)),
        Field::list(2, "release", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(3, "blacklist_request", FieldKind::Message(&RESOURCE_BLACKLIST_REQUEST_PROTO)),
        Field::one(4, "response_id", FieldKind::Int32),
        Field::one(5, "progress", FieldKind::Float),
        Field::list(7, "update_requests", FieldKind::Message(&UPDATE_CONTAINER_REQUEST_PROTO)),
        Field::list(10, "scheduling_requests", FieldKind::Message(&SCHEDULING_REQUEST_PROTO)),
        Field::one(11, "tracking_url", FieldKind::Text),
    ],
);

static ALLOCATE_RESPONSE_PROTO: MessageType = message(
    "AllocateResponseProto",
    &[
        Field::one(1, "a_m_command", FieldKind::Enum(AM_COMMAND_PROTO)),
        Field::one(2, "response_id", FieldKind::Int32),
        Field::list(3, "allocated_containers", FieldKind::Message(&CONTAINER_PROTO)),
        Field::list(4, "completed_container_statuses", FieldKind::Message(&CONTAINER_STATUS_PROTO)),
        Field::one(5, "limit", FieldKind::Message(&RESOURCE_PROTO)),
        Field::list(6, "updated_nodes", FieldKind::Message(&NODE_REPORT_PROTO)),
        Field::one(7, "num_cluster_nodes", FieldKind::Int32),
        Field::one(8, "preempt", FieldKind::Message(&PREEMPTION_MESSAGE_PROTO)),
        Field::list(9, "nm_tokens", FieldKind::Message(&NM_TOKEN_PROTO)),
        Field::one(12, "am_rm_token", FieldKind::Message(&TOKEN_PROTO)),
        Field::one(13, "application_priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(14, "collector_info", FieldKind::Message(&COLLECTOR_INFO_PROTO)),
        Field::list(15, "update_errors", FieldKind::Message(&UPDATE_CONTAINER_ERROR_PROTO)),
        Field::list(16, "updated_containers", FieldKind::Message(&UPDATED_CONTAINER_PROTO)),
        Field::list(17, "containers_from_previous_attempts", FieldKind::Message(&CONTAINER_PROTO)),
        Field::list(
            18,
            "rejected_scheduling_requests",
            FieldKind::Message(&REJECTED_SCHEDULING_REQUEST_PROTO),
        ),
        Field::one(19, "enhanced_headroom", FieldKind::Message(&ENHANCED_HEADROOM_PROTO)),
    ],
);

static APP_COLLECTOR_DATA_PROTO: MessageType = message(
    "AppCollectorDataProto",
    &[
        Field::one(1, "app_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "app_collector_addr", FieldKind::Text),
        Field::one(3, "rm_identifier", FieldKind::Int64),
        Field::one(4, "version", FieldKind::Int64),
        Field::one(5, "app_collector_token", FieldKind::Message(&TOKEN_PROTO)),
    ],
);

static APP_TIMEOUTS_MAP_PROTO: MessageType = message(
    "AppTimeoutsMapProto",
    &[
        Field::one(1, "application_timeout_type", FieldKind::Enum(APPLICATION_TIMEOUT_TYPE_PROTO)),
        Field::one(2, "application_timeout", FieldKind::Message(&APPLICATION_TIMEOUT_PROTO)),
    ],
);

static APPLICATION_ACL_MAP_PROTO: MessageType = message(
    "ApplicationACLMapProto",
    &[
        Field::one(1, "access_type", FieldKind::Enum(APPLICATION_ACCESS_TYPE_PROTO)),
        Field::one(2, "acl", FieldKind::Text),
    ],
);

static APPLICATION_ATTEMPT_ID_PROTO: MessageType = message(
    "ApplicationAttemptIdProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "attempt_id", FieldKind::Int32),
    ],
);

static APPLICATION_ATTEMPT_REPORT_PROTO: MessageType = message(
    "ApplicationAttemptReportProto",
    &[
        Field::one(1, "application_attempt_id", FieldKind::Message(&APPLICATION_ATTEMPT_ID_PROTO)),
        Field::one(2, "host", FieldKind::Text),
        Field::one(3, "rpc_port", FieldKind::Int32),
        Field::one(4, "tracking_url", FieldKind::Text),
        Field::one(5, "diagnostics", FieldKind::Text),
        Field::one(
            6,
            "yarn_application_attempt_state",
            FieldKind::Enum(YARN_APPLICATION_ATTEMPT_STATE_PROTO),
        ),
        Field::one(7, "am_container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(8, "original_tracking_url", FieldKind::Text),
        Field::one(9, "start_time", FieldKind::Int64),
        Field::one(10, "finish_time", FieldKind::Int64),
    ],
);

static APPLICATION_ID_PROTO: MessageType = message(
    "ApplicationIdProto",
    &[Field::one(1, "id", FieldKind::Int32), Field::one(2, "cluster_timestamp", FieldKind::Int64)],
);

static APPLICATION_REPORT_PROTO: MessageType = message(
    "ApplicationReportProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "user", FieldKind::Text),
        Field::one(3, "queue", FieldKind::Text),
        Field::one(4, "name", FieldKind::Text),
        Field::one(5, "host", FieldKind::Text),
        Field::one(6, "rpc_port", FieldKind::Int32),
        Field::one(7, "client_to_am_token", FieldKind::Message(&TOKEN_PROTO)),
        Field::one(8, "yarn_application_state", FieldKind::Enum(YARN_APPLICATION_STATE_PROTO)),
        Field::one(9, "tracking_url", FieldKind::Text),
        Field::one(10, "diagnostics", FieldKind::Text),
        Field::one(11, "start_time", FieldKind::Int64),
        Field::one(12, "finish_time", FieldKind::Int64),
        Field::one(13, "final_application_status", FieldKind::Enum(FINAL_APPLICATION_STATUS_PROTO)),
        Field::one(
            14,
            "app_resource_usage",
            FieldKind::Message(&APPLICATION_RESOURCE_USAGE_REPORT_PROTO),
        ),
        Field::one(15, "original_tracking_url", FieldKind::Text),
        Field::one(
            16,
            "current_application_attempt_id",
            FieldKind::Message(&APPLICATION_ATTEMPT_ID_PROTO),
        ),
        Field::one(17, "progress", FieldKind::Float),
        Field::one(18, "application_type", FieldKind::Text),
        Field::one(19, "am_rm_token", FieldKind::Message(&TOKEN_PROTO)),
        Field::list(20, "application_tags", FieldKind::Text),
        Field::one(21, "log_aggregation_status", FieldKind::Enum(LOG_AGGREGATION_STATUS_PROTO)),
        Field::one(22, "unmanaged_application", FieldKind::Bool),
        Field::one(23, "priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(24, "app_node_label_expression", FieldKind::Text),
        Field::one(25, "am_node_label_expression", FieldKind::Text),
        Field::list(26, "app_timeouts", FieldKind::Message(&APP_TIMEOUTS_MAP_PROTO)),
        Field::one(27, "launch_time", FieldKind::Int64),
        Field::one(28, "submit_time", FieldKind::Int64),
        Field::one(29, "rm_cluster_id", FieldKind::Text),
    ],
);

static APPLICATION_RESOURCE_USAGE_REPORT_PROTO: MessageType = message(
    "ApplicationResourceUsageReportProto",
    &[
        Field::one(1, "num_used_containers", FieldKind::Int32),
        Field::one(2, "num_reserved_containers", FieldKind::Int32),
        Field::one(3, "used_resources", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(4, "reserved_resources", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(5, "needed_resources", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(6, "memory_seconds", FieldKind::Int64),
        Field::one(7, "vcore_seconds", FieldKind::Int64),
        Field::one(8, "queue_usage_percentage", FieldKind::Float),
        Field::one(9, "cluster_usage_percentage", FieldKind::Float),
        Field::one(10, "preempted_memory_seconds", FieldKind::Int64),
        Field::one(11, "preempted_vcore_seconds", FieldKind::Int64),
        Field::list(
            12,
            "application_resource_usage_map",
            FieldKind::Message(&STRING_LONG_MAP_PROTO),
        ),
        Field::list(
            13,
            "application_preempted_resource_usage_map",
            FieldKind::Message(&STRING_LONG_MAP_PROTO),
        ),
    ],
);

static APPLICATION_SUBMISSION_CONTEXT_PROTO: MessageType = message(
    "ApplicationSubmissionContextProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "application_name", FieldKind::Text),
        Field::one(3, "queue", FieldKind::Text),
        Field::one(4, "priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(5, "am_container_spec", FieldKind::Message(&CONTAINER_LAUNCH_CONTEXT_PROTO)),
        Field::one(6, "cancel_tokens_when_complete", FieldKind::Bool),
        Field::one(7, "unmanaged_am", FieldKind::Bool),
        Field::one(8, "max_app_attempts", FieldKind::Int32),
        Field::one(9, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(10, "application_type", FieldKind::Text),
        Field::one(11, "keep_containers_across_application_attempts", FieldKind::Bool),
        Field::list(12, "application_tags", FieldKind::Text),
        Field::one(13, "attempt_failures_validity_interval", FieldKind::Int64),
        Field::one(
            14,
            "log_aggregation_context",
            FieldKind::Message(&LOG_AGGREGATION_CONTEXT_PROTO),
        ),
        Field::one(15, "reservation_id", FieldKind::Message(&RESERVATION_ID_PROTO)),
        Field::one(16, "node_label_expression", FieldKind::Text),
        Field::list(
            17,
            "am_container_resource_request",
            FieldKind::Message(&RESOURCE_REQUEST_PROTO),
        ),
        Field::list(18, "application_timeouts", FieldKind::Message(&APPLICATION_TIMEOUT_MAP_PROTO)),
        Field::list(
            19,
            "application_scheduling_properties",
            FieldKind::Message(&STRING_STRING_MAP_PROTO),
        ),
    ],
);

static APPLICATION_TIMEOUT_MAP_PROTO: MessageType = message(
    "ApplicationTimeoutMapProto",
    &[
        Field::one(1, "application_timeout_type", FieldKind::Enum(APPLICATION_TIMEOUT_TYPE_PROTO)),
        Field::one(2, "timeout", FieldKind::Int64),
    ],
);

static APPLICATION_TIMEOUT_PROTO: MessageType = message(
    "ApplicationTimeoutProto",
    &[
        Field::required(
            1,
            "application_timeout_type",
            FieldKind::Enum(APPLICATION_TIMEOUT_TYPE_PROTO),
        ),
        Field::one(2, "expire_time", FieldKind::Text),
        Field::one(3, "remaining_time", FieldKind::Int64),
    ],
);

static APPLICATION_UPDATE_TIMEOUT_MAP_PROTO: MessageType = message(
    "ApplicationUpdateTimeoutMapProto",
    &[
        Field::one(1, "application_timeout_type", FieldKind::Enum(APPLICATION_TIMEOUT_TYPE_PROTO)),
        Field::one(2, "expire_time", FieldKind::Text),
    ],
);

static ATTRIBUTE_TO_NODES_PROTO: MessageType = message(
    "AttributeToNodesProto",
    &[
        Field::required(1, "node_attribute", FieldKind::Message(&NODE_ATTRIBUTE_KEY_PROTO)),
        Field::list(2, "node_value_map", FieldKind::Message(&NODE_TO_ATTRIBUTE_VALUE_PROTO)),
    ],
);

static BATCH_SAVE_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO: MessageType = message(
    "BatchSaveFederationQueuePoliciesRequestProto",
    &[Field::list(
        1,
        "federation_queue_weights",
        FieldKind::Message(&FEDERATION_QUEUE_WEIGHT_PROTO),
    )],
);

static BATCH_SAVE_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO: MessageType = message(
    "BatchSaveFederationQueuePoliciesResponseProto",
    &[Field::required(1, "message", FieldKind::Text)],
);

static CHECK_FOR_DECOMMISSIONING_NODES_REQUEST_PROTO: MessageType = message(
    "CheckForDecommissioningNodesRequestProto",
    &[Field::one(1, "sub_cluster_id", FieldKind::Text)],
);

static CHECK_FOR_DECOMMISSIONING_NODES_RESPONSE_PROTO: MessageType = message(
    "CheckForDecommissioningNodesResponseProto",
    &[Field::list(1, "decommissioning_nodes", FieldKind::Message(&NODE_ID_PROTO))],
);

static COLLECTOR_INFO_PROTO: MessageType = message(
    "CollectorInfoProto",
    &[
        Field::one(1, "collector_addr", FieldKind::Text),
        Field::one(2, "collector_token", FieldKind::Message(&TOKEN_PROTO)),
    ],
);

static COMMIT_RESPONSE_PROTO: MessageType = message("CommitResponseProto", &[]);

static COMPOSITE_PLACEMENT_CONSTRAINT_PROTO: MessageType = message(
    "CompositePlacementConstraintProto",
    &[
        Field::required(
            1,
            "composite_type",
            FieldKind::Enum(COMPOSITE_PLACEMENT_CONSTRAINT_PROTO_COMPOSITE_TYPE),
        ),
        Field::list(2, "child_constraints", FieldKind::Message(&PLACEMENT_CONSTRAINT_PROTO)),
        Field::list(
            3,
            "timed_child_constraints",
            FieldKind::Message(&TIMED_PLACEMENT_CONSTRAINT_PROTO),
        ),
    ],
);

static CONTAINER_EXCEPTION_MAP_PROTO: MessageType = message(
    "ContainerExceptionMapProto",
    &[
        Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(2, "exception", FieldKind::Message(&SERIALIZED_EXCEPTION_PROTO)),
    ],
);

static CONTAINER_ID_PROTO: MessageType = message(
    "ContainerIdProto",
    &[
        Field::one(1, "app_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "app_attempt_id", FieldKind::Message(&APPLICATION_ATTEMPT_ID_PROTO)),
        Field::one(3, "id", FieldKind::Int64),
    ],
);

static CONTAINER_LAUNCH_CONTEXT_PROTO: MessageType = message(
    "ContainerLaunchContextProto",
    &[
        Field::list(1, "local_resources", FieldKind::Message(&STRING_LOCAL_RESOURCE_MAP_PROTO)),
        Field::one(2, "tokens", FieldKind::Bytes),
        Field::list(3, "service_data", FieldKind::Message(&STRING_BYTES_MAP_PROTO)),
        Field::list(4, "environment", FieldKind::Message(&STRING_STRING_MAP_PROTO)),
        Field::list(5, "command", FieldKind::Text),
        Field::list(6, "application_acls", FieldKind::Message(&APPLICATION_ACL_MAP_PROTO)),
        Field::one(
            7,
            "container_retry_context",
            FieldKind::Message(&CONTAINER_RETRY_CONTEXT_PROTO),
        ),
        Field::one(8, "tokens_conf", FieldKind::Bytes),
    ],
);

static CONTAINER_LOCALIZATION_STATUSES_PROTO: MessageType = message(
    "ContainerLocalizationStatusesProto",
    &[
        Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(2, "localization_statuses", FieldKind::Message(&LOCALIZATION_STATUS_PROTO)),
    ],
);

static CONTAINER_PROTO: MessageType = message(
    "ContainerProto",
    &[
        Field::one(1, "id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(2, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(3, "node_http_address", FieldKind::Text),
        Field::one(4, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(5, "priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(6, "container_token", FieldKind::Message(&TOKEN_PROTO)),
        Field::one(7, "execution_type", FieldKind::Enum(EXECUTION_TYPE_PROTO)),
        Field::one(8, "allocation_request_id", FieldKind::Int64),
        Field::one(9, "version", FieldKind::Int32),
        Field::list(10, "allocation_tags", FieldKind::Text),
        Field::one(11, "exposed_ports", FieldKind::Text),
    ],
);

static CONTAINER_QUEUING_LIMIT_PROTO: MessageType = message(
    "ContainerQueuingLimitProto",
    &[
        Field::one(1, "max_queue_length", FieldKind::Int32),
        Field::one(2, "max_queue_wait_time_in_ms", FieldKind::Int32),
    ],
);

static CONTAINER_REPORT_PROTO: MessageType = message(
    "ContainerReportProto",
    &[
        Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(2, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(3, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(4, "priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(5, "creation_time", FieldKind::Int64),
        Field::one(6, "finish_time", FieldKind::Int64),
        Field::one(7, "diagnostics_info", FieldKind::Text),
        Field::one(8, "log_url", FieldKind::Text),
        Field::one(9, "container_exit_status", FieldKind::Int32),
        Field::one(10, "container_state", FieldKind::Enum(CONTAINER_STATE_PROTO)),
        Field::one(11, "node_http_address", FieldKind::Text),
        Field::one(12, "execution_type", FieldKind::Enum(EXECUTION_TYPE_PROTO)),
        Field::one(13, "exposed_ports", FieldKind::Text),
    ],
);

static CONTAINER_RETRY_CONTEXT_PROTO: MessageType = message(
    "ContainerRetryContextProto",
    &[
        Field::one(1, "retry_policy", FieldKind::Enum(CONTAINER_RETRY_POLICY_PROTO)),
        Field::list(2, "error_codes", FieldKind::Int32),
        Field::one(3, "max_retries", FieldKind::Int32),
        Field::one(4, "retry_interval", FieldKind::Int32),
        Field::one(5, "failures_validity_interval", FieldKind::Int64),
    ],
);

static CONTAINER_STATUS_PROTO: MessageType = message(
    "ContainerStatusProto",
    &[
        Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(2, "state", FieldKind::Enum(CONTAINER_STATE_PROTO)),
        Field::one(3, "diagnostics", FieldKind::Text),
        Field::one(4, "exit_status", FieldKind::Int32),
        Field::one(5, "capability", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(6, "execution_type", FieldKind::Enum(EXECUTION_TYPE_PROTO)),
        Field::list(7, "container_attributes", FieldKind::Message(&STRING_STRING_MAP_PROTO)),
        Field::one(8, "container_sub_state", FieldKind::Enum(CONTAINER_SUB_STATE_PROTO)),
    ],
);

static CONTAINER_UPDATE_REQUEST_PROTO: MessageType = message(
    "ContainerUpdateRequestProto",
    &[Field::list(1, "update_container_token", FieldKind::Message(&TOKEN_PROTO))],
);

static CONTAINER_UPDATE_RESPONSE_PROTO: MessageType = message(
    "ContainerUpdateResponseProto",
    &[
        Field::list(1, "succeeded_requests", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(2, "failed_requests", FieldKind::Message(&CONTAINER_EXCEPTION_MAP_PROTO)),
    ],
);

static DELETE_FEDERATION_APPLICATION_REQUEST_PROTO: MessageType = message(
    "DeleteFederationApplicationRequestProto",
    &[Field::one(1, "application", FieldKind::Text)],
);

static DELETE_FEDERATION_APPLICATION_RESPONSE_PROTO: MessageType = message(
    "DeleteFederationApplicationResponseProto",
    &[Field::one(1, "message", FieldKind::Text)],
);

static DELETE_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO: MessageType = message(
    "DeleteFederationQueuePoliciesRequestProto",
    &[Field::list(1, "queues", FieldKind::Text)],
);

static DELETE_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO: MessageType = message(
    "DeleteFederationQueuePoliciesResponseProto",
    &[Field::required(1, "message", FieldKind::Text)],
);

static DEREGISTER_SUB_CLUSTER_REQUEST_PROTO: MessageType = message(
    "DeregisterSubClusterRequestProto",
    &[Field::one(1, "sub_cluster_id", FieldKind::Text)],
);

static DEREGISTER_SUB_CLUSTER_RESPONSE_PROTO: MessageType = message(
    "DeregisterSubClusterResponseProto",
    &[Field::list(
        1,
        "deregister_sub_clusters",
        FieldKind::Message(&DEREGISTER_SUB_CLUSTERS_PROTO),
    )],
);

static DEREGISTER_SUB_CLUSTERS_PROTO: MessageType = message(
    "DeregisterSubClustersProto",
    &[
        Field::one(1, "sub_cluster_id", FieldKind::Text),
        Field::one(2, "deregister_state", FieldKind::Text),
        Field::one(3, "last_heart_beat_time", FieldKind::Text),
        Field::one(4, "information", FieldKind::Text),
        Field::one(5, "sub_cluster_state", FieldKind::Text),
    ],
);

static DISTRIBUTED_SCHEDULING_ALLOCATE_REQUEST_PROTO: MessageType = message(
    "DistributedSchedulingAllocateRequestProto",
    &[
        Field::one(1, "allocate_request", FieldKind::Message(&ALLOCATE_REQUEST_PROTO)),
        Field::list(2, "allocated_containers", FieldKind::Message(&CONTAINER_PROTO)),
    ],
);

static DISTRIBUTED_SCHEDULING_ALLOCATE_RESPONSE_PROTO: MessageType = message(
    "DistributedSchedulingAllocateResponseProto",
    &[
        Field::one(1, "allocate_response", FieldKind::Message(&ALLOCATE_RESPONSE_PROTO)),
        Field::list(2, "nodes_for_scheduling", FieldKind::Message(&REMOTE_NODE_PROTO)),
    ],
);

static ENHANCED_HEADROOM_PROTO: MessageType = message(
    "EnhancedHeadroomProto",
    &[
        Field::one(1, "total_pending_count", FieldKind::Int32),
        Field::one(2, "total_active_cores", FieldKind::Int32),
    ],
);

static EXECUTION_TYPE_REQUEST_PROTO: MessageType = message(
    "ExecutionTypeRequestProto",
    &[
        Field::one(1, "execution_type", FieldKind::Enum(EXECUTION_TYPE_PROTO)),
        Field::one(2, "enforce_execution_type", FieldKind::Bool),
    ],
);

static FAIL_APPLICATION_ATTEMPT_REQUEST_PROTO: MessageType = message(
    "FailApplicationAttemptRequestProto",
    &[Field::one(1, "application_attempt_id", FieldKind::Message(&APPLICATION_ATTEMPT_ID_PROTO))],
);

static FAIL_APPLICATION_ATTEMPT_RESPONSE_PROTO: MessageType =
    message("FailApplicationAttemptResponseProto", &[]);

static FEDERATION_QUEUE_WEIGHT_PROTO: MessageType = message(
    "FederationQueueWeightProto",
    &[
        Field::one(1, "router_weight", FieldKind::Text),
        Field::one(2, "amrm_weight", FieldKind::Text),
        Field::one(3, "head_room_alpha", FieldKind::Text),
        Field::one(4, "queue", FieldKind::Text),
        Field::one(5, "policy_manager_class_name", FieldKind::Text),
    ],
);

static FEDERATION_SUB_CLUSTER_PROTO: MessageType = message(
    "FederationSubClusterProto",
    &[
        Field::one(1, "sub_cluster_id", FieldKind::Text),
        Field::one(2, "last_heart_beat_time", FieldKind::Text),
        Field::one(3, "sub_cluster_state", FieldKind::Text),
    ],
);

static FINISH_APPLICATION_MASTER_REQUEST_PROTO: MessageType = message(
    "FinishApplicationMasterRequestProto",
    &[
        Field::one(1, "diagnostics", FieldKind::Text),
        Field::one(2, "tracking_url", FieldKind::Text),
        Field::one(3, "final_application_status", FieldKind::Enum(FINAL_APPLICATION_STATUS_PROTO)),
    ],
);

static FINISH_APPLICATION_MASTER_RESPONSE_PROTO: MessageType = message(
    "FinishApplicationMasterResponseProto",
    &[Field::one(1, "is_unregistered", FieldKind::Bool)],
);

static GET_ALL_RESOURCE_PROFILES_REQUEST_PROTO: MessageType =
    message("GetAllResourceProfilesRequestProto", &[]);

static GET_ALL_RESOURCE_PROFILES_RESPONSE_PROTO: MessageType = message(
    "GetAllResourceProfilesResponseProto",
    &[Field::required(1, "resource_profiles", FieldKind::Message(&RESOURCE_PROFILES_PROTO))],
);

static GET_ALL_RESOURCE_TYPE_INFO_REQUEST_PROTO: MessageType =
    message("GetAllResourceTypeInfoRequestProto", &[]);

static GET_ALL_RESOURCE_TYPE_INFO_RESPONSE_PROTO: MessageType = message(
    "GetAllResourceTypeInfoResponseProto",
    &[Field::list(1, "resource_type_info", FieldKind::Message(&RESOURCE_TYPE_INFO_PROTO))],
);

static GET_APPLICATION_ATTEMPT_REPORT_REQUEST_PROTO: MessageType = message(
    "GetApplicationAttemptReportRequestProto",
    &[Field::one(1, "application_attempt_id", FieldKind::Message(&APPLICATION_ATTEMPT_ID_PROTO))],
);

static GET_APPLICATION_ATTEMPT_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetApplicationAttemptReportResponseProto",
    &[Field::one(
        1,
        "application_attempt_report",
        FieldKind::Message(&APPLICATION_ATTEMPT_REPORT_PROTO),
    )],
);

static GET_APPLICATION_ATTEMPTS_REQUEST_PROTO: MessageType = message(
    "GetApplicationAttemptsRequestProto",
    &[Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO))],
);

static GET_APPLICATION_ATTEMPTS_RESPONSE_PROTO: MessageType = message(
    "GetApplicationAttemptsResponseProto",
    &[Field::list(
        1,
        "application_attempts",
        FieldKind::Message(&APPLICATION_ATTEMPT_REPORT_PROTO),
    )],
);

static GET_APPLICATION_REPORT_REQUEST_PROTO: MessageType = message(
    "GetApplicationReportRequestProto",
    &[Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO))],
);

static GET_APPLICATION_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetApplicationReportResponseProto",
    &[Field::one(1, "application_report", FieldKind::Message(&APPLICATION_REPORT_PROTO))],
);

static GET_APPLICATIONS_REQUEST_PROTO: MessageType = message(
    "GetApplicationsRequestProto",
    &[
        Field::list(1, "application_types", FieldKind::Text),
        Field::list(2, "application_states", FieldKind::Enum(YARN_APPLICATION_STATE_PROTO)),
        Field::list(3, "users", FieldKind::Text),
        Field::list(4, "queues", FieldKind::Text),
        Field::one(5, "limit", FieldKind::Int64),
        Field::one(6, "start_begin", FieldKind::Int64),
        Field::one(7, "start_end", FieldKind::Int64),
        Field::one(8, "finish_begin", FieldKind::Int64),
        Field::one(9, "finish_end", FieldKind::Int64),
        Field::list(10, "application_tags", FieldKind::Text),
        Field::one(11, "scope", FieldKind::Enum(APPLICATIONS_REQUEST_SCOPE_PROTO)),
        Field::one(12, "name", FieldKind::Text),
    ],
);

static GET_APPLICATIONS_RESPONSE_PROTO: MessageType = message(
    "GetApplicationsResponseProto",
    &[Field::list(1, "applications", FieldKind::Message(&APPLICATION_REPORT_PROTO))],
);

static GET_ATTRIBUTES_TO_NODES_REQUEST_PROTO: MessageType = message(
    "GetAttributesToNodesRequestProto",
    &[Field::list(1, "node_attributes", FieldKind::Message(&NODE_ATTRIBUTE_KEY_PROTO))],
);

static GET_ATTRIBUTES_TO_NODES_RESPONSE_PROTO: MessageType = message(
    "GetAttributesToNodesResponseProto",
    &[Field::list(1, "attributes_to_nodes", FieldKind::Message(&ATTRIBUTE_TO_NODES_PROTO))],
);

static GET_CLUSTER_METRICS_REQUEST_PROTO: MessageType =
    message("GetClusterMetricsRequestProto", &[]);

static GET_CLUSTER_METRICS_RESPONSE_PROTO: MessageType = message(
    "GetClusterMetricsResponseProto",
    &[Field::one(1, "cluster_metrics", FieldKind::Message(&YARN_CLUSTER_METRICS_PROTO))],
);

static GET_CLUSTER_NODE_ATTRIBUTES_REQUEST_PROTO: MessageType =
    message("GetClusterNodeAttributesRequestProto", &[]);

static GET_CLUSTER_NODE_ATTRIBUTES_RESPONSE_PROTO: MessageType = message(
    "GetClusterNodeAttributesResponseProto",
    &[Field::list(1, "node_attributes", FieldKind::Message(&NODE_ATTRIBUTE_INFO_PROTO))],
);

static GET_CLUSTER_NODE_LABELS_REQUEST_PROTO: MessageType =
    message("GetClusterNodeLabelsRequestProto", &[]);

static GET_CLUSTER_NODE_LABELS_RESPONSE_PROTO: MessageType = message(
    "GetClusterNodeLabelsResponseProto",
    &[
        Field::list(1, "deprecated_node_labels", FieldKind::Text),
        Field::list(2, "node_labels", FieldKind::Message(&NODE_LABEL_PROTO)),
    ],
);

static GET_CLUSTER_NODES_REQUEST_PROTO: MessageType = message(
    "GetClusterNodesRequestProto",
    &[Field::list(1, "node_states", FieldKind::Enum(NODE_STATE_PROTO))],
);

static GET_CLUSTER_NODES_RESPONSE_PROTO: MessageType = message(
    "GetClusterNodesResponseProto",
    &[Field::list(1, "node_reports", FieldKind::Message(&NODE_REPORT_PROTO))],
);

static GET_CONTAINER_REPORT_REQUEST_PROTO: MessageType = message(
    "GetContainerReportRequestProto",
    &[Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO))],
);

static GET_CONTAINER_REPORT_RESPONSE_PROTO: MessageType = message(
    "GetContainerReportResponseProto",
    &[Field::one(1, "container_report", FieldKind::Message(&CONTAINER_REPORT_PROTO))],
);

static GET_CONTAINER_STATUSES_REQUEST_PROTO: MessageType = message(
    "GetContainerStatusesRequestProto",
    &[Field::list(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO))],
);

static GET_CONTAINER_STATUSES_RESPONSE_PROTO: MessageType = message(
    "GetContainerStatusesResponseProto",
    &[
        Field::list(1, "status", FieldKind::Message(&CONTAINER_STATUS_PROTO)),
        Field::list(2, "failed_requests", FieldKind::Message(&CONTAINER_EXCEPTION_MAP_PROTO)),
    ],
);

static GET_CONTAINERS_REQUEST_PROTO: MessageType = message(
    "GetContainersRequestProto",
    &[Field::one(1, "application_attempt_id", FieldKind::Message(&APPLICATION_ATTEMPT_ID_PROTO))],
);

static GET_CONTAINERS_RESPONSE_PROTO: MessageType = message(
    "GetContainersResponseProto",
    &[Field::list(1, "containers", FieldKind::Message(&CONTAINER_REPORT_PROTO))],
);

static YARN_GET_GROUPS_FOR_USER_REQUEST_PROTO: MessageType =
    message("yarn.GetGroupsForUserRequestProto", &[Field::required(1, "user", FieldKind::Text)]);

static YARN_GET_GROUPS_FOR_USER_RESPONSE_PROTO: MessageType =
    message("yarn.GetGroupsForUserResponseProto", &[Field::list(1, "groups", FieldKind::Text)]);

static GET_LABELS_TO_NODES_REQUEST_PROTO: MessageType =
    message("GetLabelsToNodesRequestProto", &[Field::list(1, "node_labels", FieldKind::Text)]);

static GET_LABELS_TO_NODES_RESPONSE_PROTO: MessageType = message(
    "GetLabelsToNodesResponseProto",
    &[Field::list(1, "labels_to_nodes", FieldKind::Message(&LABELS_TO_NODE_IDS_PROTO))],
);

static GET_LOCALIZATION_STATUSES_REQUEST_PROTO: MessageType = message(
    "GetLocalizationStatusesRequestProto",
    &[Field::list(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO))],
);

static GET_LOCALIZATION_STATUSES_RESPONSE_PROTO: MessageType = message(
    "GetLocalizationStatusesResponseProto",
    &[
        Field::list(
            1,
            "cntn_localization_statuses",
            FieldKind::Message(&CONTAINER_LOCALIZATION_STATUSES_PROTO),
        ),
        Field::list(2, "failed_requests", FieldKind::Message(&CONTAINER_EXCEPTION_MAP_PROTO)),
    ],
);

static GET_NEW_APPLICATION_REQUEST_PROTO: MessageType =
    message("GetNewApplicationRequestProto", &[]);

static GET_NEW_APPLICATION_RESPONSE_PROTO: MessageType = message(
    "GetNewApplicationResponseProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "maximum_capability", FieldKind::Message(&RESOURCE_PROTO)),
    ],
);

static GET_NEW_RESERVATION_REQUEST_PROTO: MessageType =
    message("GetNewReservationRequestProto", &[]);

static GET_NEW_RESERVATION_RESPONSE_PROTO: MessageType = message(
    "GetNewReservationResponseProto",
    &[Field::one(1, "reservation_id", FieldKind::Message(&RESERVATION_ID_PROTO))],
);

static GET_NODES_TO_ATTRIBUTES_REQUEST_PROTO: MessageType =
    message("GetNodesToAttributesRequestProto", &[Field::list(1, "hostnames", FieldKind::Text)]);

static GET_NODES_TO_ATTRIBUTES_RESPONSE_PROTO: MessageType = message(
    "GetNodesToAttributesResponseProto",
    &[Field::list(1, "nodes_to_attributes", FieldKind::Message(&NODE_TO_ATTRIBUTES_PROTO))],
);

static GET_NODES_TO_LABELS_REQUEST_PROTO: MessageType =
    message("GetNodesToLabelsRequestProto", &[]);

static GET_NODES_TO_LABELS_RESPONSE_PROTO: MessageType = message(
    "GetNodesToLabelsResponseProto",
    &[Field::list(1, "node_to_labels", FieldKind::Message(&NODE_ID_TO_LABELS_PROTO))],
);

static GET_PLUGIN_INFO_REQUEST: MessageType = message("GetPluginInfoRequest", &[]);

static GET_PLUGIN_INFO_RESPONSE: MessageType = message(
    "GetPluginInfoResponse",
    &[
        Field::required(1, "name", FieldKind::Text),
        Field::required(2, "vendor_version", FieldKind::Text),
    ],
);

static GET_QUEUE_INFO_REQUEST_PROTO: MessageType = message(
    "GetQueueInfoRequestProto",
    &[
        Field::one(1, "queue_name", FieldKind::Text),
        Field::one(2, "include_applications", FieldKind::Bool),
        Field::one(3, "include_child_queues", FieldKind::Bool),
        Field::one(4, "recursive", FieldKind::Bool),
        Field::one(5, "sub_cluster_id", FieldKind::Text),
    ],
);

static GET_QUEUE_INFO_RESPONSE_PROTO: MessageType = message(
    "GetQueueInfoResponseProto",
    &[Field::one(1, "queue_info", FieldKind::Message(&QUEUE_INFO_PROTO))],
);

static GET_QUEUE_USER_ACLS_INFO_REQUEST_PROTO: MessageType =
    message("GetQueueUserAclsInfoRequestProto", &[]);

static GET_QUEUE_USER_ACLS_INFO_RESPONSE_PROTO: MessageType = message(
    "GetQueueUserAclsInfoResponseProto",
    &[Field::list(1, "queue_user_acls", FieldKind::Message(&QUEUE_USER_ACL_INFO_PROTO))],
);

static GET_RESOURCE_PROFILE_REQUEST_PROTO: MessageType =
    message("GetResourceProfileRequestProto", &[Field::required(1, "profile", FieldKind::Text)]);

static GET_RESOURCE_PROFILE_RESPONSE_PROTO: MessageType = message(
    "GetResourceProfileResponseProto",
    &[Field::required(1, "resources", FieldKind::Message(&RESOURCE_PROTO))],
);

static GET_SUB_CLUSTERS_REQUEST_PROTO: MessageType = message("GetSubClustersRequestProto", &[]);

static GET_SUB_CLUSTERS_RESPONSE_PROTO: MessageType = message(
    "GetSubClustersResponseProto",
    &[Field::list(1, "sub_clusters", FieldKind::Message(&FEDERATION_SUB_CLUSTER_PROTO))],
);

static GET_TIMELINE_COLLECTOR_CONTEXT_REQUEST_PROTO: MessageType = message(
    "GetTimelineCollectorContextRequestProto",
    &[Field::one(1, "app_id", FieldKind::Message(&APPLICATION_ID_PROTO))],
);

static GET_TIMELINE_COLLECTOR_CONTEXT_RESPONSE_PROTO: MessageType = message(
    "GetTimelineCollectorContextResponseProto",
    &[
        Field::one(1, "user_id", FieldKind::Text),
        Field::one(2, "flow_name", FieldKind::Text),
        Field::one(3, "flow_version", FieldKind::Text),
        Field::one(4, "flow_run_id", FieldKind::Int64),
    ],
);

static INCREASE_CONTAINERS_RESOURCE_REQUEST_PROTO: MessageType = message(
    "IncreaseContainersResourceRequestProto",
    &[Field::list(1, "increase_containers", FieldKind::Message(&TOKEN_PROTO))],
);

static INCREASE_CONTAINERS_RESOURCE_RESPONSE_PROTO: MessageType = message(
    "IncreaseContainersResourceResponseProto",
    &[
        Field::list(1, "succeeded_requests", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(2, "failed_requests", FieldKind::Message(&CONTAINER_EXCEPTION_MAP_PROTO)),
    ],
);

static KILL_APPLICATION_REQUEST_PROTO: MessageType = message(
    "KillApplicationRequestProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "diagnostics", FieldKind::Text),
    ],
);

static KILL_APPLICATION_RESPONSE_PROTO: MessageType =
    message("KillApplicationResponseProto", &[Field::one(1, "is_kill_completed", FieldKind::Bool)]);

static LABELS_TO_NODE_IDS_PROTO: MessageType = message(
    "LabelsToNodeIdsProto",
    &[
        Field::one(1, "node_labels", FieldKind::Text),
        Field::list(2, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
    ],
);

static LOCAL_RESOURCE_PROTO: MessageType = message(
    "LocalResourceProto",
    &[
        Field::one(1, "resource", FieldKind::Message(&URL_PROTO)),
        Field::one(2, "size", FieldKind::Int64),
        Field::one(3, "timestamp", FieldKind::Int64),
        Field::one(4, "type", FieldKind::Enum(LOCAL_RESOURCE_TYPE_PROTO)),
        Field::one(5, "visibility", FieldKind::Enum(LOCAL_RESOURCE_VISIBILITY_PROTO)),
        Field::one(6, "pattern", FieldKind::Text),
        Field::one(7, "should_be_uploaded_to_shared_cache", FieldKind::Bool),
    ],
);

static LOCAL_RESOURCE_STATUS_PROTO: MessageType = message(
    "LocalResourceStatusProto",
    &[
        Field::one(1, "resource", FieldKind::Message(&LOCAL_RESOURCE_PROTO)),
        Field::one(2, "status", FieldKind::Enum(RESOURCE_STATUS_TYPE_PROTO)),
        Field::one(3, "local_path", FieldKind::Message(&URL_PROTO)),
        Field::one(4, "local_size", FieldKind::Int64),
        Field::one(5, "exception", FieldKind::Message(&SERIALIZED_EXCEPTION_PROTO)),
    ],
);

static LOCALIZATION_STATUS_PROTO: MessageType = message(
    "LocalizationStatusProto",
    &[
        Field::one(1, "resource_key", FieldKind::Text),
        Field::one(2, "localization_state", FieldKind::Enum(LOCALIZATION_STATE_PROTO)),
        Field::one(3, "diagnostics", FieldKind::Text),
    ],
);

static LOCALIZER_HEARTBEAT_RESPONSE_PROTO: MessageType = message(
    "LocalizerHeartbeatResponseProto",
    &[
        Field::one(1, "action", FieldKind::Enum(LOCALIZER_ACTION_PROTO)),
        Field::list(2, "resources", FieldKind::Message(&RESOURCE_LOCALIZATION_SPEC_PROTO)),
    ],
);

static LOCALIZER_STATUS_PROTO: MessageType = message(
    "LocalizerStatusProto",
    &[
        Field::one(1, "localizer_id", FieldKind::Text),
        Field::list(2, "resources", FieldKind::Message(&LOCAL_RESOURCE_STATUS_PROTO)),
    ],
);

static LOG_AGGREGATION_CONTEXT_PROTO: MessageType = message(
    "LogAggregationContextProto",
    &[
        Field::one(1, "include_pattern", FieldKind::Text),
        Field::one(2, "exclude_pattern", FieldKind::Text),
        Field::one(3, "rolled_logs_include_pattern", FieldKind::Text),
        Field::one(4, "rolled_logs_exclude_pattern", FieldKind::Text),
        Field::one(5, "log_aggregation_policy_class_name", FieldKind::Text),
        Field::one(6, "log_aggregation_policy_parameters", FieldKind::Text),
    ],
);

static LOG_AGGREGATION_REPORT_PROTO: MessageType = message(
    "LogAggregationReportProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "log_aggregation_status", FieldKind::Enum(LOG_AGGREGATION_STATUS_PROTO)),
        Field::one(3, "diagnostics", FieldKind::Text),
    ],
);

static MASTER_KEY_PROTO: MessageType = message(
    "MasterKeyProto",
    &[Field::one(1, "key_id", FieldKind::Int32), Field::one(2, "bytes", FieldKind::Bytes)],
);

static MOVE_APPLICATION_ACROSS_QUEUES_REQUEST_PROTO: MessageType = message(
    "MoveApplicationAcrossQueuesRequestProto",
    &[
        Field::required(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::required(2, "target_queue", FieldKind::Text),
    ],
);

static MOVE_APPLICATION_ACROSS_QUEUES_RESPONSE_PROTO: MessageType =
    message("MoveApplicationAcrossQueuesResponseProto", &[]);

static NM_CONTAINER_STATUS_PROTO: MessageType = message(
    "NMContainerStatusProto",
    &[
        Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(2, "container_state", FieldKind::Enum(CONTAINER_STATE_PROTO)),
        Field::one(3, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(4, "priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(5, "diagnostics", FieldKind::Text),
        Field::one(6, "container_exit_status", FieldKind::Int32),
        Field::one(7, "creation_time", FieldKind::Int64),
        Field::one(8, "node_label_expression", FieldKind::Text),
        Field::one(9, "version", FieldKind::Int32),
        Field::one(10, "execution_type", FieldKind::Enum(EXECUTION_TYPE_PROTO)),
        Field::one(11, "allocation_request_id", FieldKind::Int64),
        Field::list(12, "allocation_tags", FieldKind::Text),
    ],
);

static NM_TOKEN_PROTO: MessageType = message(
    "NMTokenProto",
    &[
        Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(2, "token", FieldKind::Message(&TOKEN_PROTO)),
    ],
);

static NODE_ATTRIBUTE_INFO_PROTO: MessageType = message(
    "NodeAttributeInfoProto",
    &[
        Field::required(1, "attribute_key", FieldKind::Message(&NODE_ATTRIBUTE_KEY_PROTO)),
        Field::required(2, "attribute_type", FieldKind::Enum(NODE_ATTRIBUTE_TYPE_PROTO)),
    ],
);

static NODE_ATTRIBUTE_KEY_PROTO: MessageType = message(
    "NodeAttributeKeyProto",
    &[
        Field::one(1, "attribute_prefix", FieldKind::Text),
        Field::required(2, "attribute_name", FieldKind::Text),
    ],
);

static NODE_ATTRIBUTE_PROTO: MessageType = message(
    "NodeAttributeProto",
    &[
        Field::required(1, "attribute_key", FieldKind::Message(&NODE_ATTRIBUTE_KEY_PROTO)),
        Field::one(2, "attribute_type", FieldKind::Enum(NODE_ATTRIBUTE_TYPE_PROTO)),
        Field::one(3, "attribute_value", FieldKind::Text),
    ],
);

static NODE_ATTRIBUTES_PROTO: MessageType = message(
    "NodeAttributesProto",
    &[Field::list(1, "node_attributes", FieldKind::Message(&NODE_ATTRIBUTE_PROTO))],
);

static NODE_HEALTH_STATUS_PROTO: MessageType = message(
    "NodeHealthStatusProto",
    &[
        Field::one(1, "is_node_healthy", FieldKind::Bool),
        Field::one(2, "health_report", FieldKind::Text),
        Field::one(3, "last_health_report_time", FieldKind::Int64),
    ],
);

static NODE_HEARTBEAT_REQUEST_PROTO: MessageType = message(
    "NodeHeartbeatRequestProto",
    &[
        Field::one(1, "node_status", FieldKind::Message(&NODE_STATUS_PROTO)),
        Field::one(
            2,
            "last_known_container_token_master_key",
            FieldKind::Message(&MASTER_KEY_PROTO),
        ),
        Field::one(3, "last_known_nm_token_master_key", FieldKind::Message(&MASTER_KEY_PROTO)),
        Field::one(4, "node_labels", FieldKind::Message(&NODE_LABELS_PROTO)),
        Field::list(
            5,
            "log_aggregation_reports_for_apps",
            FieldKind::Message(&LOG_AGGREGATION_REPORT_PROTO),
        ),
        Field::list(6, "registering_collectors", FieldKind::Message(&APP_COLLECTOR_DATA_PROTO)),
        Field::one(7, "node_attributes", FieldKind::Message(&NODE_ATTRIBUTES_PROTO)),
        Field::one(8, "token_sequence_no", FieldKind::Int64),
    ],
);

static NODE_HEARTBEAT_RESPONSE_PROTO: MessageType = message(
    "NodeHeartbeatResponseProto",
    &[
        Field::one(1, "response_id", FieldKind::Int32),
        Field::one(2, "container_token_master_key", FieldKind::Message(&MASTER_KEY_PROTO)),
        Field::one(3, "nm_token_master_key", FieldKind::Message(&MASTER_KEY_PROTO)),
        Field::one(4, "node_action", FieldKind::Enum(NODE_ACTION_PROTO)),
        Field::list(5, "containers_to_cleanup", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(6, "applications_to_cleanup", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(7, "next_heart_beat_interval", FieldKind::Int64),
        Field::one(8, "diagnostics_message", FieldKind::Text),
        Field::list(9, "containers_to_be_removed_from_nm", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(
            10,
            "system_credentials_for_apps",
            FieldKind::Message(&SYSTEM_CREDENTIALS_FOR_APPS_PROTO),
        ),
        Field::one(11, "are_node_labels_accepted_by_rm", FieldKind::Bool),
        Field::list(12, "containers_to_decrease", FieldKind::Message(&CONTAINER_PROTO)),
        Field::list(
            13,
            "containers_to_signal",
            FieldKind::Message(&SIGNAL_CONTAINER_REQUEST_PROTO),
        ),
        Field::one(14, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(
            15,
            "container_queuing_limit",
            FieldKind::Message(&CONTAINER_QUEUING_LIMIT_PROTO),
        ),
        Field::list(16, "app_collectors", FieldKind::Message(&APP_COLLECTOR_DATA_PROTO)),
        Field::list(17, "containers_to_update", FieldKind::Message(&CONTAINER_PROTO)),
        Field::one(18, "are_node_attributes_accepted_by_rm", FieldKind::Bool),
        Field::one(19, "token_sequence_no", FieldKind::Int64),
    ],
);

static NODE_ID_PROTO: MessageType = message(
    "NodeIdProto",
    &[Field::one(1, "host", FieldKind::Text), Field::one(2, "port", FieldKind::Int32)],
);

static NODE_ID_TO_LABELS_PROTO: MessageType = message(
    "NodeIdToLabelsProto",
    &[
        Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::list(2, "node_labels", FieldKind::Text),
    ],
);

static NODE_LABEL_PROTO: MessageType = message(
    "NodeLabelProto",
    &[Field::one(1, "name", FieldKind::Text), Field::one(2, "is_exclusive", FieldKind::Bool)],
);

static NODE_LABELS_PROTO: MessageType = message(
    "NodeLabelsProto",
    &[Field::list(1, "node_labels", FieldKind::Message(&NODE_LABEL_PROTO))],
);

static NODE_PUBLISH_VOLUME_REQUEST: MessageType = message(
    "NodePublishVolumeRequest",
    &[
        Field::required(1, "volume_id", FieldKind::Text),
        Field::list(2, "publish_context", FieldKind::Message(&STRING_STRING_MAP_PROTO)),
        Field::one(3, "staging_target_path", FieldKind::Text),
        Field::required(4, "target_path", FieldKind::Text),
        Field::required(5, "volume_capability", FieldKind::Message(&VOLUME_CAPABILITY)),
        Field::required(6, "readonly", FieldKind::Bool),
        Field::list(7, "secrets", FieldKind::Message(&STRING_STRING_MAP_PROTO)),
        Field::list(8, "volume_context", FieldKind::Message(&STRING_STRING_MAP_PROTO)),
    ],
);

static NODE_PUBLISH_VOLUME_RESPONSE: MessageType = message("NodePublishVolumeResponse", &[]);

static NODE_REPORT_PROTO: MessageType = message(
    "NodeReportProto",
    &[
        Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(2, "http_address", FieldKind::Text),
        Field::one(3, "rack_name", FieldKind::Text),
        Field::one(4, "used", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(5, "capability", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(6, "num_containers", FieldKind::Int32),
        Field::one(7, "node_state", FieldKind::Enum(NODE_STATE_PROTO)),
        Field::one(8, "health_report", FieldKind::Text),
        Field::one(9, "last_health_report_time", FieldKind::Int64),
        Field::list(10, "node_labels", FieldKind::Text),
        Field::one(11, "containers_utilization", FieldKind::Message(&RESOURCE_UTILIZATION_PROTO)),
        Field::one(12, "node_utilization", FieldKind::Message(&RESOURCE_UTILIZATION_PROTO)),
        Field::one(13, "decommissioning_timeout", FieldKind::UInt32),
        Field::one(14, "node_update_type", FieldKind::Enum(NODE_UPDATE_TYPE_PROTO)),
        Field::list(15, "node_attributes", FieldKind::Message(&NODE_ATTRIBUTE_PROTO)),
    ],
);

static NODE_RESOURCE_MAP_PROTO: MessageType = message(
    "NodeResourceMapProto",
    &[
        Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(2, "resource_option", FieldKind::Message(&RESOURCE_OPTION_PROTO)),
    ],
);

static NODE_STATUS_PROTO: MessageType = message(
    "NodeStatusProto",
    &[
        Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(2, "response_id", FieldKind::Int32),
        Field::list(3, "containers_statuses", FieldKind::Message(&CONTAINER_STATUS_PROTO)),
        Field::one(4, "node_health_status", FieldKind::Message(&NODE_HEALTH_STATUS_PROTO)),
        Field::list(5, "keep_alive_applications", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(6, "containers_utilization", FieldKind::Message(&RESOURCE_UTILIZATION_PROTO)),
        Field::one(7, "node_utilization", FieldKind::Message(&RESOURCE_UTILIZATION_PROTO)),
        Field::list(8, "increased_containers", FieldKind::Message(&CONTAINER_PROTO)),
        Field::one(
            9,
            "opportunistic_containers_status",
            FieldKind::Message(&OPPORTUNISTIC_CONTAINERS_STATUS_PROTO),
        ),
    ],
);

static NODE_TO_ATTRIBUTE_VALUE_PROTO: MessageType = message(
    "NodeToAttributeValueProto",
    &[
        Field::required(1, "hostname", FieldKind::Text),
        Field::required(2, "attribute_value", FieldKind::Text),
    ],
);

static NODE_TO_ATTRIBUTES_PROTO: MessageType = message(
    "NodeToAttributesProto",
    &[
        Field::one(1, "node", FieldKind::Text),
        Field::list(2, "node_attributes", FieldKind::Message(&NODE_ATTRIBUTE_PROTO)),
    ],
);

static NODE_UNPUBLISH_VOLUME_REQUEST: MessageType = message(
    "NodeUnpublishVolumeRequest",
    &[
        Field::required(1, "volume_id", FieldKind::Text),
        Field::required(2, "target_path", FieldKind::Text),
    ],
);

static NODE_UNPUBLISH_VOLUME_RESPONSE: MessageType = message("NodeUnpublishVolumeResponse", &[]);

static NODES_TO_ATTRIBUTES_MAPPING_REQUEST_PROTO: MessageType = message(
    "NodesToAttributesMappingRequestProto",
    &[
        Field::one(1, "operation", FieldKind::Enum(ATTRIBUTE_MAPPING_OPERATION_TYPE_PROTO)),
        Field::list(2, "node_to_attributes", FieldKind::Message(&NODE_TO_ATTRIBUTES_PROTO)),
        Field::one(3, "fail_on_unknown_nodes", FieldKind::Bool),
        Field::one(4, "sub_cluster_id", FieldKind::Text),
    ],
);

static NODES_TO_ATTRIBUTES_MAPPING_RESPONSE_PROTO: MessageType =
    message("NodesToAttributesMappingResponseProto", &[]);

static OPPORTUNISTIC_CONTAINERS_STATUS_PROTO: MessageType = message(
    "OpportunisticContainersStatusProto",
    &[
        Field::one(1, "running_opport_containers", FieldKind::Int32),
        Field::one(2, "opport_memory_used", FieldKind::Int64),
        Field::one(3, "opport_cores_used", FieldKind::Int32),
        Field::one(4, "queued_opport_containers", FieldKind::Int32),
        Field::one(5, "wait_queue_length", FieldKind::Int32),
        Field::one(6, "estimated_queue_wait_time", FieldKind::Int32),
        Field::one(7, "opport_queue_capacity", FieldKind::Int32),
    ],
);

static PLACEMENT_CONSTRAINT_MAP_ENTRY_PROTO: MessageType = message(
    "PlacementConstraintMapEntryProto",
    &[
        Field::list(1, "allocation_tags", FieldKind::Text),
        Field::one(2, "placement_constraint", FieldKind::Message(&PLACEMENT_CONSTRAINT_PROTO)),
    ],
);

static PLACEMENT_CONSTRAINT_PROTO: MessageType = message(
    "PlacementConstraintProto",
    &[
        Field::one(1, "simple_constraint", FieldKind::Message(&SIMPLE_PLACEMENT_CONSTRAINT_PROTO)),
        Field::one(
            2,
            "composite_constraint",
            FieldKind::Message(&COMPOSITE_PLACEMENT_CONSTRAINT_PROTO),
        ),
    ],
);

static PLACEMENT_CONSTRAINT_TARGET_PROTO: MessageType = message(
    "PlacementConstraintTargetProto",
    &[
        Field::required(
            1,
            "target_type",
            FieldKind::Enum(PLACEMENT_CONSTRAINT_TARGET_PROTO_TARGET_TYPE),
        ),
        Field::one(2, "target_key", FieldKind::Text),
        Field::list(3, "target_values", FieldKind::Text),
    ],
);

static PREEMPTION_CONTAINER_PROTO: MessageType = message(
    "PreemptionContainerProto",
    &[Field::one(1, "id", FieldKind::Message(&CONTAINER_ID_PROTO))],
);

static PREEMPTION_CONTRACT_PROTO: MessageType = message(
    "PreemptionContractProto",
    &[
        Field::list(1, "resource", FieldKind::Message(&PREEMPTION_RESOURCE_REQUEST_PROTO)),
        Field::list(2, "container", FieldKind::Message(&PREEMPTION_CONTAINER_PROTO)),
    ],
);

static PREEMPTION_MESSAGE_PROTO: MessageType = message(
    "PreemptionMessageProto",
    &[
        Field::one(1, "strict_contract", FieldKind::Message(&STRICT_PREEMPTION_CONTRACT_PROTO)),
        Field::one(2, "contract", FieldKind::Message(&PREEMPTION_CONTRACT_PROTO)),
    ],
);

static PREEMPTION_RESOURCE_REQUEST_PROTO: MessageType = message(
    "PreemptionResourceRequestProto",
    &[Field::one(1, "resource", FieldKind::Message(&RESOURCE_REQUEST_PROTO))],
);

static PRIORITY_PROTO: MessageType =
    message("PriorityProto", &[Field::one(1, "priority", FieldKind::Int32)]);

static QUERY_FEDERATION_QUEUE_POLICIES_REQUEST_PROTO: MessageType = message(
    "QueryFederationQueuePoliciesRequestProto",
    &[
        Field::one(1, "page_size", FieldKind::Int32),
        Field::one(2, "current_page", FieldKind::Int32),
        Field::one(3, "queue", FieldKind::Text),
        Field::list(4, "queues", FieldKind::Text),
    ],
);

static QUERY_FEDERATION_QUEUE_POLICIES_RESPONSE_PROTO: MessageType = message(
    "QueryFederationQueuePoliciesResponseProto",
    &[
        Field::one(1, "total_size", FieldKind::Int32),
        Field::one(2, "total_page", FieldKind::Int32),
        Field::one(3, "current_page", FieldKind::Int32),
        Field::one(4, "page_size", FieldKind::Int32),
        Field::list(
            5,
            "federation_queue_weights",
            FieldKind::Message(&FEDERATION_QUEUE_WEIGHT_PROTO),
        ),
    ],
);

static QUEUE_CONFIGURATIONS_MAP_PROTO: MessageType = message(
    "QueueConfigurationsMapProto",
    &[
        Field::required(1, "partition_name", FieldKind::Text),
        Field::one(2, "queue_configurations", FieldKind::Message(&QUEUE_CONFIGURATIONS_PROTO)),
    ],
);

static QUEUE_CONFIGURATIONS_PROTO: MessageType = message(
    "QueueConfigurationsProto",
    &[
        Field::one(1, "capacity", FieldKind::Float),
        Field::one(2, "absolute_capacity", FieldKind::Float),
        Field::one(3, "max_capacity", FieldKind::Float),
        Field::one(4, "absolute_max_capacity", FieldKind::Float),
        Field::one(5, "max_am_percentage", FieldKind::Float),
        Field::one(6, "effective_min_capacity", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(7, "effective_max_capacity", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(8, "configured_min_capacity", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(9, "configured_max_capacity", FieldKind::Message(&RESOURCE_PROTO)),
    ],
);

static QUEUE_INFO_PROTO: MessageType = message(
    "QueueInfoProto",
    &[
        Field::one(1, "queue_name", FieldKind::Text),
        Field::one(2, "capacity", FieldKind::Float),
        Field::one(3, "maximum_capacity", FieldKind::Float),
        Field::one(4, "current_capacity", FieldKind::Float),
        Field::one(5, "state", FieldKind::Enum(QUEUE_STATE_PROTO)),
        Field::list(6, "child_queues", FieldKind::Message(&QUEUE_INFO_PROTO)),
        Field::list(7, "applications", FieldKind::Message(&APPLICATION_REPORT_PROTO)),
        Field::list(8, "accessible_node_labels", FieldKind::Text),
        Field::one(9, "default_node_label_expression", FieldKind::Text),
        Field::one(10, "queue_statistics", FieldKind::Message(&QUEUE_STATISTICS_PROTO)),
        Field::one(11, "preemption_disabled", FieldKind::Bool),
        Field::list(
            12,
            "queue_configurations_map",
            FieldKind::Message(&QUEUE_CONFIGURATIONS_MAP_PROTO),
        ),
        Field::one(13, "intra_queue_preemption_disabled", FieldKind::Bool),
        Field::one(14, "weight", FieldKind::Float),
        Field::one(15, "queue_path", FieldKind::Text),
        Field::one(16, "max_parallel_apps", FieldKind::Int32),
        Field::one(17, "scheduler_type", FieldKind::Text),
        Field::one(18, "min_resource_v_core", FieldKind::Int32),
        Field::one(19, "min_resource_memory", FieldKind::Int64),
        Field::one(20, "max_resource_v_core", FieldKind::Int32),
        Field::one(21, "max_resource_memory", FieldKind::Int64),
        Field::one(22, "reserved_resource_v_core", FieldKind::Int32),
        Field::one(23, "reserved_resource_memory", FieldKind::Int64),
        Field::one(24, "steady_fair_share_v_core", FieldKind::Int32),
        Field::one(25, "steady_fair_share_memory", FieldKind::Int64),
        Field::one(26, "sub_cluster_id", FieldKind::Text),
        Field::one(27, "max_running_app", FieldKind::Int32),
    ],
);

static QUEUE_STATISTICS_PROTO: MessageType = message(
    "QueueStatisticsProto",
    &[
        Field::one(1, "num_apps_submitted", FieldKind::Int64),
        Field::one(2, "num_apps_running", FieldKind::Int64),
        Field::one(3, "num_apps_pending", FieldKind::Int64),
        Field::one(4, "num_apps_completed", FieldKind::Int64),
        Field::one(5, "num_apps_killed", FieldKind::Int64),
        Field::one(6, "num_apps_failed", FieldKind::Int64),
        Field::one(7, "num_active_users", FieldKind::Int64),
        Field::one(8, "available_memory_mb", FieldKind::Int64),
        Field::one(9, "allocated_memory_mb", FieldKind::Int64),
        Field::one(10, "pending_memory_mb", FieldKind::Int64),
        Field::one(11, "reserved_memory_mb", FieldKind::Int64),
        Field::one(12, "available_v_cores", FieldKind::Int64),
        Field::one(13, "allocated_v_cores", FieldKind::Int64),
        Field::one(14, "pending_v_cores", FieldKind::Int64),
        Field::one(15, "reserved_v_cores", FieldKind::Int64),
        Field::one(16, "allocated_containers", FieldKind::Int64),
        Field::one(17, "pending_containers", FieldKind::Int64),
        Field::one(18, "reserved_containers", FieldKind::Int64),
    ],
);

static QUEUE_USER_ACL_INFO_PROTO: MessageType = message(
    "QueueUserACLInfoProto",
    &[
        Field::one(1, "queue_name", FieldKind::Text),
        Field::list(2, "user_acls", FieldKind::Enum(QUEUE_ACL_PROTO)),
    ],
);

static RE_INITIALIZE_CONTAINER_REQUEST_PROTO: MessageType = message(
    "ReInitializeContainerRequestProto",
    &[
        Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::one(
            2,
            "container_launch_context",
            FieldKind::Message(&CONTAINER_LAUNCH_CONTEXT_PROTO),
        ),
        Field::one(3, "auto_commit", FieldKind::Bool),
    ],
);

static RE_INITIALIZE_CONTAINER_RESPONSE_PROTO: MessageType =
    message("ReInitializeContainerResponseProto", &[]);

static YARN_REFRESH_ADMIN_ACLS_REQUEST_PROTO: MessageType = message(
    "yarn.RefreshAdminAclsRequestProto",
    &[Field::one(1, "sub_cluster_id", FieldKind::Text)],
);

static YARN_REFRESH_ADMIN_ACLS_RESPONSE_PROTO: MessageType =
    message("yarn.RefreshAdminAclsResponseProto", &[]);

static REFRESH_CLUSTER_MAX_PRIORITY_REQUEST_PROTO: MessageType = message(
    "RefreshClusterMaxPriorityRequestProto",
    &[Field::one(1, "sub_cluster_id", FieldKind::Text)],
);

static REFRESH_CLUSTER_MAX_PRIORITY_RESPONSE_PROTO: MessageType =
    message("RefreshClusterMaxPriorityResponseProto", &[]);

static YARN_REFRESH_NODES_REQUEST_PROTO: MessageType = message(
    "yarn.RefreshNodesRequestProto",
    &[
        Field::one(1, "decommission_type", FieldKind::Enum(DECOMMISSION_TYPE_PROTO)),
        Field::one(2, "decommission_timeout", FieldKind::Int32),
        Field::one(3, "sub_cluster_id", FieldKind::Text),
    ],
);

static REFRESH_NODES_RESOURCES_REQUEST_PROTO: MessageType = message(
    "RefreshNodesResourcesRequestProto",
    &[Field::one(1, "sub_cluster_id", FieldKind::Text)],
);

static REFRESH_NODES_RESOURCES_RESPONSE_PROTO: MessageType =
    message("RefreshNodesResourcesResponseProto", &[]);

static YARN_REFRESH_NODES_RESPONSE_PROTO: MessageType =
    message("yarn.RefreshNodesResponseProto", &[]);

static REFRESH_QUEUES_REQUEST_PROTO: MessageType =
    message("RefreshQueuesRequestProto", &[Field::one(1, "sub_cluster_id", FieldKind::Text)]);

static REFRESH_QUEUES_RESPONSE_PROTO: MessageType = message("RefreshQueuesResponseProto", &[]);

static REFRESH_SERVICE_ACLS_REQUEST_PROTO: MessageType =
    message("RefreshServiceAclsRequestProto", &[Field::one(1, "sub_cluster_id", FieldKind::Text)]);

static REFRESH_SERVICE_ACLS_RESPONSE_PROTO: MessageType =
    message("RefreshServiceAclsResponseProto", &[]);

static YARN_REFRESH_SUPER_USER_GROUPS_CONFIGURATION_REQUEST_PROTO: MessageType = message(
    "yarn.RefreshSuperUserGroupsConfigurationRequestProto",
    &[Field::one(1, "sub_cluster_id", FieldKind::Text)],
);

static YARN_REFRESH_SUPER_USER_GROUPS_CONFIGURATION_RESPONSE_PROTO: MessageType =
    message("yarn.RefreshSuperUserGroupsConfigurationResponseProto", &[]);

static YARN_REFRESH_USER_TO_GROUPS_MAPPINGS_REQUEST_PROTO: MessageType = message(
    "yarn.RefreshUserToGroupsMappingsRequestProto",
    &[Field::one(1, "sub_cluster_id", FieldKind::Text)],
);

static YARN_REFRESH_USER_TO_GROUPS_MAPPINGS_RESPONSE_PROTO: MessageType =
    message("yarn.RefreshUserToGroupsMappingsResponseProto", &[]);

static REGISTER_APPLICATION_MASTER_REQUEST_PROTO: MessageType = message(
    "RegisterApplicationMasterRequestProto",
    &[
        Field::one(1, "host", FieldKind::Text),
        Field::one(2, "rpc_port", FieldKind::Int32),
        Field::one(3, "tracking_url", FieldKind::Text),
        Field::list(
            4,
            "placement_constraints",
            FieldKind::Message(&PLACEMENT_CONSTRAINT_MAP_ENTRY_PROTO),
        ),
    ],
);

static REGISTER_APPLICATION_MASTER_RESPONSE_PROTO: MessageType = message(
    "RegisterApplicationMasterResponseProto",
    &[
        Field::one(1, "maximum_capability", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(2, "client_to_am_token_master_key", FieldKind::Bytes),
        Field::list(3, "application_acls", FieldKind::Message(&APPLICATION_ACL_MAP_PROTO)),
        Field::list(4, "containers_from_previous_attempts", FieldKind::Message(&CONTAINER_PROTO)),
        Field::one(5, "queue", FieldKind::Text),
        Field::list(6, "nm_tokens_from_previous_attempts", FieldKind::Message(&NM_TOKEN_PROTO)),
        Field::list(7, "scheduler_resource_types", FieldKind::Enum(SCHEDULER_RESOURCE_TYPES)),
        Field::one(8, "resource_profiles", FieldKind::Message(&RESOURCE_PROFILES_PROTO)),
        Field::list(9, "resource_types", FieldKind::Message(&RESOURCE_TYPE_INFO_PROTO)),
    ],
);

static REGISTER_DISTRIBUTED_SCHEDULING_AM_RESPONSE_PROTO: MessageType = message(
    "RegisterDistributedSchedulingAMResponseProto",
    &[
        Field::one(
            1,
            "register_response",
            FieldKind::Message(&REGISTER_APPLICATION_MASTER_RESPONSE_PROTO),
        ),
        Field::one(2, "max_container_resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(3, "min_container_resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(4, "incr_container_resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(5, "container_token_expiry_interval", FieldKind::Int32),
        Field::one(6, "container_id_start", FieldKind::Int64),
        Field::list(7, "nodes_for_scheduling", FieldKind::Message(&REMOTE_NODE_PROTO)),
    ],
);

static REGISTER_NODE_MANAGER_REQUEST_PROTO: MessageType = message(
    "RegisterNodeManagerRequestProto",
    &[
        Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(3, "http_port", FieldKind::Int32),
        Field::one(4, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(5, "nm_version", FieldKind::Text),
        Field::list(6, "container_statuses", FieldKind::Message(&NM_CONTAINER_STATUS_PROTO)),
        Field::list(7, "running_applications", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(8, "node_labels", FieldKind::Message(&NODE_LABELS_PROTO)),
        Field::one(9, "physical_resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::list(
            10,
            "log_aggregation_reports_for_apps",
            FieldKind::Message(&LOG_AGGREGATION_REPORT_PROTO),
        ),
        Field::one(11, "node_attributes", FieldKind::Message(&NODE_ATTRIBUTES_PROTO)),
        Field::one(12, "node_status", FieldKind::Message(&NODE_STATUS_PROTO)),
    ],
);

static REGISTER_NODE_MANAGER_RESPONSE_PROTO: MessageType = message(
    "RegisterNodeManagerResponseProto",
    &[
        Field::one(1, "container_token_master_key", FieldKind::Message(&MASTER_KEY_PROTO)),
        Field::one(2, "nm_token_master_key", FieldKind::Message(&MASTER_KEY_PROTO)),
        Field::one(3, "node_action", FieldKind::Enum(NODE_ACTION_PROTO)),
        Field::one(4, "rm_identifier", FieldKind::Int64),
        Field::one(5, "diagnostics_message", FieldKind::Text),
        Field::one(6, "rm_version", FieldKind::Text),
        Field::one(7, "are_node_labels_accepted_by_rm", FieldKind::Bool),
        Field::one(8, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(9, "are_node_attributes_accepted_by_rm", FieldKind::Bool),
    ],
);

static REJECTED_SCHEDULING_REQUEST_PROTO: MessageType = message(
    "RejectedSchedulingRequestProto",
    &[
        Field::required(1, "reason", FieldKind::Enum(REJECTION_REASON_PROTO)),
        Field::required(2, "request", FieldKind::Message(&SCHEDULING_REQUEST_PROTO)),
    ],
);

static RELEASE_SHARED_CACHE_RESOURCE_REQUEST_PROTO: MessageType = message(
    "ReleaseSharedCacheResourceRequestProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "resource_key", FieldKind::Text),
    ],
);

static RELEASE_SHARED_CACHE_RESOURCE_RESPONSE_PROTO: MessageType =
    message("ReleaseSharedCacheResourceResponseProto", &[]);

static REMOTE_NODE_PROTO: MessageType = message(
    "RemoteNodeProto",
    &[
        Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO)),
        Field::one(2, "http_address", FieldKind::Text),
        Field::one(3, "rack_name", FieldKind::Text),
        Field::one(4, "node_partition", FieldKind::Text),
    ],
);

static REMOVE_FROM_CLUSTER_NODE_LABELS_REQUEST_PROTO: MessageType = message(
    "RemoveFromClusterNodeLabelsRequestProto",
    &[
        Field::list(1, "node_labels", FieldKind::Text),
        Field::one(2, "sub_cluster_id", FieldKind::Text),
    ],
);

static REMOVE_FROM_CLUSTER_NODE_LABELS_RESPONSE_PROTO: MessageType =
    message("RemoveFromClusterNodeLabelsResponseProto", &[]);

static REPLACE_LABELS_ON_NODE_REQUEST_PROTO: MessageType = message(
    "ReplaceLabelsOnNodeRequestProto",
    &[
        Field::list(1, "node_to_labels", FieldKind::Message(&NODE_ID_TO_LABELS_PROTO)),
        Field::one(2, "fail_on_unknown_nodes", FieldKind::Bool),
        Field::one(3, "sub_cluster_id", FieldKind::Text),
    ],
);

static REPLACE_LABELS_ON_NODE_RESPONSE_PROTO: MessageType =
    message("ReplaceLabelsOnNodeResponseProto", &[]);

static REPORT_NEW_COLLECTOR_INFO_REQUEST_PROTO: MessageType = message(
    "ReportNewCollectorInfoRequestProto",
    &[Field::list(1, "app_collectors", FieldKind::Message(&APP_COLLECTOR_DATA_PROTO))],
);

static REPORT_NEW_COLLECTOR_INFO_RESPONSE_PROTO: MessageType =
    message("ReportNewCollectorInfoResponseProto", &[]);

static RESERVATION_ALLOCATION_STATE_PROTO: MessageType = message(
    "ReservationAllocationStateProto",
    &[
        Field::one(1, "reservation_definition", FieldKind::Message(&RESERVATION_DEFINITION_PROTO)),
        Field::list(
            2,
            "allocation_requests",
            FieldKind::Message(&RESOURCE_ALLOCATION_REQUEST_PROTO),
        ),
        Field::one(3, "start_time", FieldKind::Int64),
        Field::one(4, "end_time", FieldKind::Int64),
        Field::one(5, "user", FieldKind::Text),
        Field::one(6, "contains_gangs", FieldKind::Bool),
        Field::one(7, "acceptance_time", FieldKind::Int64),
        Field::one(8, "reservation_id", FieldKind::Message(&RESERVATION_ID_PROTO)),
    ],
);

static RESERVATION_DEFINITION_PROTO: MessageType = message(
    "ReservationDefinitionProto",
    &[
        Field::one(1, "reservation_requests", FieldKind::Message(&RESERVATION_REQUESTS_PROTO)),
        Field::one(2, "arrival", FieldKind::Int64),
        Field::one(3, "deadline", FieldKind::Int64),
        Field::one(4, "reservation_name", FieldKind::Text),
        Field::one(5, "recurrence_expression", FieldKind::Text),
        Field::one(6, "priority", FieldKind::Message(&PRIORITY_PROTO)),
    ],
);

static RESERVATION_DELETE_REQUEST_PROTO: MessageType = message(
    "ReservationDeleteRequestProto",
    &[Field::one(1, "reservation_id", FieldKind::Message(&RESERVATION_ID_PROTO))],
);

static RESERVATION_DELETE_RESPONSE_PROTO: MessageType =
    message("ReservationDeleteResponseProto", &[]);

static RESERVATION_ID_PROTO: MessageType = message(
    "ReservationIdProto",
    &[Field::one(1, "id", FieldKind::Int64), Field::one(2, "cluster_timestamp", FieldKind::Int64)],
);

static RESERVATION_LIST_REQUEST_PROTO: MessageType = message(
    "ReservationListRequestProto",
    &[
        Field::one(1, "queue", FieldKind::Text),
        Field::one(3, "reservation_id", FieldKind::Text),
        Field::one(4, "start_time", FieldKind::Int64),
        Field::one(5, "end_time", FieldKind::Int64),
        Field::one(6, "include_resource_allocations", FieldKind::Bool),
    ],
);

static RESERVATION_LIST_RESPONSE_PROTO: MessageType = message(
    "ReservationListResponseProto",
    &[Field::list(1, "reservations", FieldKind::Message(&RESERVATION_ALLOCATION_STATE_PROTO))],
);

static RESERVATION_REQUEST_PROTO: MessageType = message(
    "ReservationRequestProto",
    &[
        Field::one(1, "capability", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(2, "num_containers", FieldKind::Int32),
        Field::one(3, "concurrency", FieldKind::Int32),
        Field::one(4, "duration", FieldKind::Int64),
    ],
);

static RESERVATION_REQUESTS_PROTO: MessageType = message(
    "ReservationRequestsProto",
    &[
        Field::list(1, "reservation_resources", FieldKind::Message(&RESERVATION_REQUEST_PROTO)),
        Field::one(2, "interpreter", FieldKind::Enum(RESERVATION_REQUEST_INTERPRETER_PROTO)),
    ],
);

static RESERVATION_SUBMISSION_REQUEST_PROTO: MessageType = message(
    "ReservationSubmissionRequestProto",
    &[
        Field::one(1, "queue", FieldKind::Text),
        Field::one(2, "reservation_definition", FieldKind::Message(&RESERVATION_DEFINITION_PROTO)),
        Field::one(3, "reservation_id", FieldKind::Message(&RESERVATION_ID_PROTO)),
    ],
);

static RESERVATION_SUBMISSION_RESPONSE_PROTO: MessageType =
    message("ReservationSubmissionResponseProto", &[]);

static RESERVATION_UPDATE_REQUEST_PROTO: MessageType = message(
    "ReservationUpdateRequestProto",
    &[
        Field::one(1, "reservation_definition", FieldKind::Message(&RESERVATION_DEFINITION_PROTO)),
        Field::one(2, "reservation_id", FieldKind::Message(&RESERVATION_ID_PROTO)),
    ],
);

static RESERVATION_UPDATE_RESPONSE_PROTO: MessageType =
    message("ReservationUpdateResponseProto", &[]);

static RESOURCE_ALLOCATION_REQUEST_PROTO: MessageType = message(
    "ResourceAllocationRequestProto",
    &[
        Field::one(1, "start_time", FieldKind::Int64),
        Field::one(2, "end_time", FieldKind::Int64),
        Field::one(3, "resource", FieldKind::Message(&RESOURCE_PROTO)),
    ],
);

static RESOURCE_BLACKLIST_REQUEST_PROTO: MessageType = message(
    "ResourceBlacklistRequestProto",
    &[
        Field::list(1, "blacklist_additions", FieldKind::Text),
        Field::list(2, "blacklist_removals", FieldKind::Text),
    ],
);

static RESOURCE_INFORMATION_PROTO: MessageType = message(
    "ResourceInformationProto",
    &[
        Field::required(1, "key", FieldKind::Text),
        Field::one(2, "value", FieldKind::Int64),
        Field::one(3, "units", FieldKind::Text),
        Field::one(4, "type", FieldKind::Enum(RESOURCE_TYPES_PROTO)),
        Field::list(5, "tags", FieldKind::Text),
        Field::list(6, "attributes", FieldKind::Message(&STRING_STRING_MAP_PROTO)),
    ],
);

static RESOURCE_LOCALIZATION_REQUEST_PROTO: MessageType = message(
    "ResourceLocalizationRequestProto",
    &[
        Field::one(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(2, "local_resources", FieldKind::Message(&STRING_LOCAL_RESOURCE_MAP_PROTO)),
    ],
);

static RESOURCE_LOCALIZATION_RESPONSE_PROTO: MessageType =
    message("ResourceLocalizationResponseProto", &[]);

static RESOURCE_LOCALIZATION_SPEC_PROTO: MessageType = message(
    "ResourceLocalizationSpecProto",
    &[
        Field::one(1, "resource", FieldKind::Message(&LOCAL_RESOURCE_PROTO)),
        Field::one(2, "destination_directory", FieldKind::Message(&URL_PROTO)),
    ],
);

static RESOURCE_OPTION_PROTO: MessageType = message(
    "ResourceOptionProto",
    &[
        Field::one(1, "resource", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(2, "over_commit_timeout", FieldKind::Int32),
    ],
);

static RESOURCE_PROFILE_ENTRY: MessageType = message(
    "ResourceProfileEntry",
    &[
        Field::required(1, "name", FieldKind::Text),
        Field::required(2, "resources", FieldKind::Message(&RESOURCE_PROTO)),
    ],
);

static RESOURCE_PROFILES_PROTO: MessageType = message(
    "ResourceProfilesProto",
    &[Field::list(1, "resource_profiles_map", FieldKind::Message(&RESOURCE_PROFILE_ENTRY))],
);

static RESOURCE_PROTO: MessageType = message(
    "ResourceProto",
    &[
        Field::one(1, "memory", FieldKind::Int64),
        Field::one(2, "virtual_cores", FieldKind::Int32),
        Field::list(3, "resource_value_map", FieldKind::Message(&RESOURCE_INFORMATION_PROTO)),
    ],
);

static RESOURCE_REQUEST_PROTO: MessageType = message(
    "ResourceRequestProto",
    &[
        Field::one(1, "priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(2, "resource_name", FieldKind::Text),
        Field::one(3, "capability", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(4, "num_containers", FieldKind::Int32),
        Field::one(5, "relax_locality", FieldKind::Bool),
        Field::one(6, "node_label_expression", FieldKind::Text),
        Field::one(7, "execution_type_request", FieldKind::Message(&EXECUTION_TYPE_REQUEST_PROTO)),
        Field::one(8, "allocation_request_id", FieldKind::Int64),
    ],
);

static RESOURCE_SIZING_PROTO: MessageType = message(
    "ResourceSizingProto",
    &[
        Field::one(1, "num_allocations", FieldKind::Int32),
        Field::one(2, "resources", FieldKind::Message(&RESOURCE_PROTO)),
    ],
);

static RESOURCE_TYPE_INFO_PROTO: MessageType = message(
    "ResourceTypeInfoProto",
    &[
        Field::required(1, "name", FieldKind::Text),
        Field::one(2, "units", FieldKind::Text),
        Field::one(3, "type", FieldKind::Enum(RESOURCE_TYPES_PROTO)),
    ],
);

static RESOURCE_UTILIZATION_PROTO: MessageType = message(
    "ResourceUtilizationProto",
    &[
        Field::one(1, "pmem", FieldKind::Int32),
        Field::one(2, "vmem", FieldKind::Int32),
        Field::one(3, "cpu", FieldKind::Float),
        Field::list(4, "custom_resources", FieldKind::Message(&STRING_FLOAT_MAP_PROTO)),
    ],
);

static RESTART_CONTAINER_RESPONSE_PROTO: MessageType =
    message("RestartContainerResponseProto", &[]);

static ROLLBACK_RESPONSE_PROTO: MessageType = message("RollbackResponseProto", &[]);

static RUN_SHARED_CACHE_CLEANER_TASK_REQUEST_PROTO: MessageType =
    message("RunSharedCacheCleanerTaskRequestProto", &[]);

static RUN_SHARED_CACHE_CLEANER_TASK_RESPONSE_PROTO: MessageType = message(
    "RunSharedCacheCleanerTaskResponseProto",
    &[Field::one(1, "accepted", FieldKind::Bool)],
);

static SCM_UPLOADER_CAN_UPLOAD_REQUEST_PROTO: MessageType =
    message("SCMUploaderCanUploadRequestProto", &[Field::one(1, "resource_key", FieldKind::Text)]);

static SCM_UPLOADER_CAN_UPLOAD_RESPONSE_PROTO: MessageType =
    message("SCMUploaderCanUploadResponseProto", &[Field::one(1, "uploadable", FieldKind::Bool)]);

static SCM_UPLOADER_NOTIFY_REQUEST_PROTO: MessageType = message(
    "SCMUploaderNotifyRequestProto",
    &[Field::one(1, "resource_key", FieldKind::Text), Field::one(2, "filename", FieldKind::Text)],
);

static SCM_UPLOADER_NOTIFY_RESPONSE_PROTO: MessageType =
    message("SCMUploaderNotifyResponseProto", &[Field::one(1, "accepted", FieldKind::Bool)]);

static SAVE_FEDERATION_QUEUE_POLICY_REQUEST_PROTO: MessageType = message(
    "SaveFederationQueuePolicyRequestProto",
    &[
        Field::required(1, "queue", FieldKind::Text),
        Field::required(
            2,
            "federation_queue_weight",
            FieldKind::Message(&FEDERATION_QUEUE_WEIGHT_PROTO),
        ),
        Field::one(3, "policy_manager_class_name", FieldKind::Text),
    ],
);

static SAVE_FEDERATION_QUEUE_POLICY_RESPONSE_PROTO: MessageType = message(
    "SaveFederationQueuePolicyResponseProto",
    &[Field::required(1, "message", FieldKind::Text)],
);

static SCHEDULING_REQUEST_PROTO: MessageType = message(
    "SchedulingRequestProto",
    &[
        Field::one(1, "allocation_request_id", FieldKind::Int64),
        Field::one(2, "priority", FieldKind::Message(&PRIORITY_PROTO)),
        Field::one(3, "execution_type", FieldKind::Message(&EXECUTION_TYPE_REQUEST_PROTO)),
        Field::list(4, "allocation_tags", FieldKind::Text),
        Field::one(5, "resource_sizing", FieldKind::Message(&RESOURCE_SIZING_PROTO)),
        Field::one(6, "placement_constraint", FieldKind::Message(&PLACEMENT_CONSTRAINT_PROTO)),
    ],
);

static SERIALIZED_EXCEPTION_PROTO: MessageType = message(
    "SerializedExceptionProto",
    &[
        Field::one(1, "message", FieldKind::Text),
        Field::one(2, "trace", FieldKind::Text),
        Field::one(3, "class_name", FieldKind::Text),
        Field::one(4, "cause", FieldKind::Message(&SERIALIZED_EXCEPTION_PROTO)),
    ],
);

static SIGNAL_CONTAINER_REQUEST_PROTO: MessageType = message(
    "SignalContainerRequestProto",
    &[
        Field::required(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::required(2, "command", FieldKind::Enum(SIGNAL_CONTAINER_COMMAND_PROTO)),
    ],
);

static SIGNAL_CONTAINER_RESPONSE_PROTO: MessageType = message("SignalContainerResponseProto", &[]);

static SIMPLE_PLACEMENT_CONSTRAINT_PROTO: MessageType = message(
    "SimplePlacementConstraintProto",
    &[
        Field::required(1, "scope", FieldKind::Text),
        Field::list(
            2,
            "target_expressions",
            FieldKind::Message(&PLACEMENT_CONSTRAINT_TARGET_PROTO),
        ),
        Field::one(3, "min_cardinality", FieldKind::Int32),
        Field::one(4, "max_cardinality", FieldKind::Int32),
        Field::one(5, "attribute_op_code", FieldKind::Enum(NODE_ATTRIBUTE_OP_CODE_PROTO)),
    ],
);

static START_CONTAINER_REQUEST_PROTO: MessageType = message(
    "StartContainerRequestProto",
    &[
        Field::one(
            1,
            "container_launch_context",
            FieldKind::Message(&CONTAINER_LAUNCH_CONTEXT_PROTO),
        ),
        Field::one(2, "container_token", FieldKind::Message(&TOKEN_PROTO)),
    ],
);

static START_CONTAINERS_REQUEST_PROTO: MessageType = message(
    "StartContainersRequestProto",
    &[Field::list(
        1,
        "start_container_request",
        FieldKind::Message(&START_CONTAINER_REQUEST_PROTO),
    )],
);

static START_CONTAINERS_RESPONSE_PROTO: MessageType = message(
    "StartContainersResponseProto",
    &[
        Field::list(1, "services_meta_data", FieldKind::Message(&STRING_BYTES_MAP_PROTO)),
        Field::list(2, "succeeded_requests", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(3, "failed_requests", FieldKind::Message(&CONTAINER_EXCEPTION_MAP_PROTO)),
    ],
);

static STOP_CONTAINERS_REQUEST_PROTO: MessageType = message(
    "StopContainersRequestProto",
    &[Field::list(1, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO))],
);

static STOP_CONTAINERS_RESPONSE_PROTO: MessageType = message(
    "StopContainersResponseProto",
    &[
        Field::list(1, "succeeded_requests", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::list(2, "failed_requests", FieldKind::Message(&CONTAINER_EXCEPTION_MAP_PROTO)),
    ],
);

static STRICT_PREEMPTION_CONTRACT_PROTO: MessageType = message(
    "StrictPreemptionContractProto",
    &[Field::list(1, "container", FieldKind::Message(&PREEMPTION_CONTAINER_PROTO))],
);

static STRING_BYTES_MAP_PROTO: MessageType = message(
    "StringBytesMapProto",
    &[Field::one(1, "key", FieldKind::Text), Field::one(2, "value", FieldKind::Bytes)],
);

static STRING_FLOAT_MAP_PROTO: MessageType = message(
    "StringFloatMapProto",
    &[Field::required(1, "key", FieldKind::Text), Field::required(2, "value", FieldKind::Float)],
);

static STRING_LOCAL_RESOURCE_MAP_PROTO: MessageType = message(
    "StringLocalResourceMapProto",
    &[
        Field::one(1, "key", FieldKind::Text),
        Field::one(2, "value", FieldKind::Message(&LOCAL_RESOURCE_PROTO)),
    ],
);

static STRING_LONG_MAP_PROTO: MessageType = message(
    "StringLongMapProto",
    &[Field::required(1, "key", FieldKind::Text), Field::required(2, "value", FieldKind::Int64)],
);

static STRING_STRING_MAP_PROTO: MessageType = message(
    "StringStringMapProto",
    &[Field::one(1, "key", FieldKind::Text), Field::one(2, "value", FieldKind::Text)],
);

static SUBMIT_APPLICATION_REQUEST_PROTO: MessageType = message(
    "SubmitApplicationRequestProto",
    &[Field::one(
        1,
        "application_submission_context",
        FieldKind::Message(&APPLICATION_SUBMISSION_CONTEXT_PROTO),
    )],
);

static SUBMIT_APPLICATION_RESPONSE_PROTO: MessageType =
    message("SubmitApplicationResponseProto", &[]);

static SYSTEM_CREDENTIALS_FOR_APPS_PROTO: MessageType = message(
    "SystemCredentialsForAppsProto",
    &[
        Field::one(1, "app_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "credentials_for_app", FieldKind::Bytes),
    ],
);

static TIMED_PLACEMENT_CONSTRAINT_PROTO: MessageType = message(
    "TimedPlacementConstraintProto",
    &[
        Field::required(1, "placement_constraint", FieldKind::Message(&PLACEMENT_CONSTRAINT_PROTO)),
        Field::required(2, "scheduling_delay", FieldKind::Int64),
        Field::one(3, "delay_unit", FieldKind::Enum(TIMED_PLACEMENT_CONSTRAINT_PROTO_DELAY_UNIT)),
    ],
);

static URL_PROTO: MessageType = message(
    "URLProto",
    &[
        Field::one(1, "scheme", FieldKind::Text),
        Field::one(2, "host", FieldKind::Text),
        Field::one(3, "port", FieldKind::Int32),
        Field::one(4, "file", FieldKind::Text),
        Field::one(5, "user_info", FieldKind::Text),
    ],
);

static UN_REGISTER_NODE_MANAGER_REQUEST_PROTO: MessageType = message(
    "UnRegisterNodeManagerRequestProto",
    &[Field::one(1, "node_id", FieldKind::Message(&NODE_ID_PROTO))],
);

static UN_REGISTER_NODE_MANAGER_RESPONSE_PROTO: MessageType =
    message("UnRegisterNodeManagerResponseProto", &[]);

static UPDATE_APPLICATION_PRIORITY_REQUEST_PROTO: MessageType = message(
    "UpdateApplicationPriorityRequestProto",
    &[
        Field::required(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::required(2, "application_priority", FieldKind::Message(&PRIORITY_PROTO)),
    ],
);

static UPDATE_APPLICATION_PRIORITY_RESPONSE_PROTO: MessageType = message(
    "UpdateApplicationPriorityResponseProto",
    &[Field::one(1, "application_priority", FieldKind::Message(&PRIORITY_PROTO))],
);

static UPDATE_APPLICATION_TIMEOUTS_REQUEST_PROTO: MessageType = message(
    "UpdateApplicationTimeoutsRequestProto",
    &[
        Field::required(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::list(
            2,
            "application_timeouts",
            FieldKind::Message(&APPLICATION_UPDATE_TIMEOUT_MAP_PROTO),
        ),
    ],
);

static UPDATE_APPLICATION_TIMEOUTS_RESPONSE_PROTO: MessageType = message(
    "UpdateApplicationTimeoutsResponseProto",
    &[Field::list(
        1,
        "application_timeouts",
        FieldKind::Message(&APPLICATION_UPDATE_TIMEOUT_MAP_PROTO),
    )],
);

static UPDATE_CONTAINER_ERROR_PROTO: MessageType = message(
    "UpdateContainerErrorProto",
    &[
        Field::one(1, "reason", FieldKind::Text),
        Field::one(2, "update_request", FieldKind::Message(&UPDATE_CONTAINER_REQUEST_PROTO)),
        Field::one(3, "current_container_version", FieldKind::Int32),
    ],
);

static UPDATE_CONTAINER_REQUEST_PROTO: MessageType = message(
    "UpdateContainerRequestProto",
    &[
        Field::required(1, "container_version", FieldKind::Int32),
        Field::required(2, "container_id", FieldKind::Message(&CONTAINER_ID_PROTO)),
        Field::required(3, "update_type", FieldKind::Enum(CONTAINER_UPDATE_TYPE_PROTO)),
        Field::one(4, "capability", FieldKind::Message(&RESOURCE_PROTO)),
        Field::one(5, "execution_type", FieldKind::Enum(EXECUTION_TYPE_PROTO)),
    ],
);

static UPDATE_NODE_RESOURCE_REQUEST_PROTO: MessageType = message(
    "UpdateNodeResourceRequestProto",
    &[
        Field::list(1, "node_resource_map", FieldKind::Message(&NODE_RESOURCE_MAP_PROTO)),
        Field::one(2, "sub_cluster_id", FieldKind::Text),
    ],
);

static UPDATE_NODE_RESOURCE_RESPONSE_PROTO: MessageType =
    message("UpdateNodeResourceResponseProto", &[]);

static UPDATED_CONTAINER_PROTO: MessageType = message(
    "UpdatedContainerProto",
    &[
        Field::required(1, "update_type", FieldKind::Enum(CONTAINER_UPDATE_TYPE_PROTO)),
        Field::required(2, "container", FieldKind::Message(&CONTAINER_PROTO)),
    ],
);

static USE_SHARED_CACHE_RESOURCE_REQUEST_PROTO: MessageType = message(
    "UseSharedCacheResourceRequestProto",
    &[
        Field::one(1, "application_id", FieldKind::Message(&APPLICATION_ID_PROTO)),
        Field::one(2, "resource_key", FieldKind::Text),
    ],
);

static USE_SHARED_CACHE_RESOURCE_RESPONSE_PROTO: MessageType =
    message("UseSharedCacheResourceResponseProto", &[Field::one(1, "path", FieldKind::Text)]);

static VALIDATE_VOLUME_CAPABILITIES_REQUEST: MessageType = message(
    "ValidateVolumeCapabilitiesRequest",
    &[
        Field::required(1, "volume_id", FieldKind::Text),
        Field::list(2, "volume_capabilities", FieldKind::Message(&VOLUME_CAPABILITY)),
        Field::list(3, "volume_attributes", FieldKind::Message(&STRING_STRING_MAP_PROTO)),
    ],
);

static VALIDATE_VOLUME_CAPABILITIES_RESPONSE: MessageType = message(
    "ValidateVolumeCapabilitiesResponse",
    &[Field::required(1, "supported", FieldKind::Bool), Field::one(2, "message", FieldKind::Text)],
);

static VOLUME_CAPABILITY: MessageType = message(
    "VolumeCapability",
    &[
        Field::required(1, "volume_type", FieldKind::Enum(VOLUME_CAPABILITY_VOLUME_TYPE)),
        Field::required(2, "access_mode", FieldKind::Enum(VOLUME_CAPABILITY_ACCESS_MODE)),
        Field::list(3, "mount_flags", FieldKind::Text),
    ],
);

static YARN_CLUSTER_METRICS_PROTO: MessageType = message(
    "YarnClusterMetricsProto",
    &[
        Field::one(1, "num_node_managers", FieldKind::Int32),
        Field::one(2, "num_decommissioned_nms", FieldKind::Int32),
        Field::one(3, "num_active_nms", FieldKind::Int32),
        Field::one(4, "num_lost_nms", FieldKind::Int32),
        Field::one(5, "num_unhealthy_nms", FieldKind::Int32),
        Field::one(6, "num_rebooted_nms", FieldKind::Int32),
        Field::one(7, "num_decommissioning_nms", FieldKind::Int32),
        Field::one(8, "num_shutdown_nms", FieldKind::Int32),
    ],
);

const HA_REQUEST_SOURCE: &[(i64, &str)] =
    &[(0, "REQUEST_BY_USER"), (1, "REQUEST_BY_USER_FORCED"), (2, "REQUEST_BY_ZKFC")];

const HA_SERVICE_STATE_PROTO: &[(i64, &str)] =
    &[(0, "INITIALIZING"), (1, "ACTIVE"), (2, "STANDBY"), (3, "OBSERVER")];

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

const HDFS_FILE_STATUS_PROTO_FILE_TYPE: &[(i64, &str)] =
    &[(1, "IS_DIR"), (2, "IS_FILE"), (3, "IS_SYMLINK")];

const NNHA_STATUS_HEARTBEAT_PROTO_STATE: &[(i64, &str)] =
    &[(0, "ACTIVE"), (1, "STANDBY"), (2, "OBSERVER")];

const NAMENODE_COMMAND_PROTO_TYPE: &[(i64, &str)] =
    &[(0, "NamenodeCommand"), (1, "CheckPointCommand")];

const NAMENODE_REGISTRATION_PROTO_NAMENODE_ROLE_PROTO: &[(i64, &str)] =
    &[(1, "NAMENODE"), (2, "BACKUP"), (3, "CHECKPOINT")];

const OPEN_FILES_TYPE_PROTO: &[(i64, &str)] =
    &[(1, "ALL_OPEN_FILES"), (2, "BLOCKING_DECOMMISSION")];

const REENCRYPT_ACTION_PROTO: &[(i64, &str)] = &[(1, "CANCEL_REENCRYPT"), (2, "START_REENCRYPT")];

const REENCRYPTION_STATE_PROTO: &[(i64, &str)] =
    &[(1, "SUBMITTED"), (2, "PROCESSING"), (3, "COMPLETED")];

const REPLICA_STATE_PROTO: &[(i64, &str)] =
    &[(0, "FINALIZED"), (1, "RBW"), (2, "RWR"), (3, "RUR"), (4, "TEMPORARY")];

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

const BLOCK_COMMAND_PROTO_ACTION: &[(i64, &str)] =
    &[(1, "TRANSFER"), (2, "INVALIDATE"), (3, "SHUTDOWN")];

const BLOCK_ID_COMMAND_PROTO_ACTION: &[(i64, &str)] = &[(1, "CACHE"), (2, "UNCACHE")];

const DATANODE_COMMAND_PROTO_TYPE: &[(i64, &str)] = &[
    (0, "BalancerBandwidthCommand"),
    (1, "BlockCommand"),
    (2, "BlockRecoveryCommand"),
    (3, "FinalizeCommand"),
    (4, "KeyUpdateCommand"),
    (5, "RegisterCommand"),
    (6, "UnusedUpgradeCommand"),
    (7, "NullDatanodeCommand"),
    (8, "BlockIdCommand"),
    (9, "BlockECReconstructionCommand"),
];

const RECEIVED_DELETED_BLOCK_INFO_PROTO_BLOCK_STATUS: &[(i64, &str)] =
    &[(1, "RECEIVING"), (2, "RECEIVED"), (3, "DELETED")];

const JOB_STATE_PROTO: &[(i64, &str)] = &[
    (1, "J_NEW"),
    (2, "J_INITED"),
    (3, "J_RUNNING"),
    (4, "J_SUCCEEDED"),
    (5, "J_FAILED"),
    (6, "J_KILLED"),
    (7, "J_ERROR"),
];

const PHASE_PROTO: &[(i64, &str)] = &[
    (1, "P_STARTING"),
    (2, "P_MAP"),
    (3, "P_SHUFFLE"),
    (4, "P_SORT"),
    (5, "P_REDUCE"),
    (6, "P_CLEANUP"),
];

const TASK_ATTEMPT_COMPLETION_EVENT_STATUS_PROTO: &[(i64, &str)] = &[
    (1, "TACE_FAILED"),
    (2, "TACE_KILLED"),
    (3, "TACE_SUCCEEDED"),
    (4, "TACE_OBSOLETE"),
    (5, "TACE_TIPFAILED"),
];

const TASK_ATTEMPT_STATE_PROTO: &[(i64, &str)] = &[
    (1, "TA_NEW"),
    (2, "TA_STARTING"),
    (3, "TA_RUNNING"),
    (4, "TA_COMMIT_PENDING"),
    (5, "TA_SUCCEEDED"),
    (6, "TA_FAILED"),
    (7, "TA_KILLED"),
];

const TASK_STATE_PROTO: &[(i64, &str)] = &[
    (1, "TS_NEW"),
    (2, "TS_SCHEDULED"),
    (3, "TS_RUNNING"),
    (4, "TS_SUCCEEDED"),
    (5, "TS_FAILED"),
    (6, "TS_KILLED"),
];

const TASK_TYPE_PROTO: &[(i64, &str)] = &[(1, "MAP"), (2, "REDUCE")];

const AM_COMMAND_PROTO: &[(i64, &str)] = &[(1, "AM_RESYNC"), (2, "AM_SHUTDOWN")];

const APPLICATION_ACCESS_TYPE_PROTO: &[(i64, &str)] =
    &[(1, "APPACCESS_VIEW_APP"), (2, "APPACCESS_MODIFY_APP")];

const APPLICATION_TIMEOUT_TYPE_PROTO: &[(i64, &str)] = &[(1, "APP_TIMEOUT_LIFETIME")];

const APPLICATIONS_REQUEST_SCOPE_PROTO: &[(i64, &str)] = &[(0, "ALL"), (1, "VIEWABLE"), (2, "OWN")];

const ATTRIBUTE_MAPPING_OPERATION_TYPE_PROTO: &[(i64, &str)] =
    &[(1, "REPLACE"), (2, "ADD"), (3, "REMOVE")];

const COMPOSITE_PLACEMENT_CONSTRAINT_PROTO_COMPOSITE_TYPE: &[(i64, &str)] =
    &[(1, "AND"), (2, "OR"), (3, "DELAYED_OR")];

const CONTAINER_RETRY_POLICY_PROTO: &[(i64, &str)] =
    &[(0, "NEVER_RETRY"), (1, "RETRY_ON_ALL_ERRORS"), (2, "RETRY_ON_SPECIFIC_ERROR_CODES")];

const CONTAINER_STATE_PROTO: &[(i64, &str)] = &[(1, "C_NEW"), (2, "C_RUNNING"), (3, "C_COMPLETE")];

const CONTAINER_SUB_STATE_PROTO: &[(i64, &str)] = &[
    (1, "CSS_SCHEDULED"),
    (2, "CSS_RUNNING"),
    (3, "CSS_PAUSED"),
    (4, "CSS_COMPLETING"),
    (5, "CSS_DONE"),
];

const CONTAINER_UPDATE_TYPE_PROTO: &[(i64, &str)] = &[
    (0, "INCREASE_RESOURCE"),
    (1, "DECREASE_RESOURCE"),
    (2, "PROMOTE_EXECUTION_TYPE"),
    (3, "DEMOTE_EXECUTION_TYPE"),
];

const DECOMMISSION_TYPE_PROTO: &[(i64, &str)] = &[(1, "NORMAL"), (2, "GRACEFUL"), (3, "FORCEFUL")];

const EXECUTION_TYPE_PROTO: &[(i64, &str)] = &[(1, "GUARANTEED"), (2, "OPPORTUNISTIC")];

const FINAL_APPLICATION_STATUS_PROTO: &[(i64, &str)] = &[
    (0, "APP_UNDEFINED"),
    (1, "APP_SUCCEEDED"),
    (2, "APP_FAILED"),
    (3, "APP_KILLED"),
    (4, "APP_ENDED"),
];

const LOCAL_RESOURCE_TYPE_PROTO: &[(i64, &str)] = &[(1, "ARCHIVE"), (2, "FILE"), (3, "PATTERN")];

const LOCAL_RESOURCE_VISIBILITY_PROTO: &[(i64, &str)] =
    &[(1, "PUBLIC"), (2, "PRIVATE"), (3, "APPLICATION")];

const LOCALIZATION_STATE_PROTO: &[(i64, &str)] =
    &[(1, "L_PENDING"), (2, "L_COMPLETED"), (3, "L_FAILED")];

const LOCALIZER_ACTION_PROTO: &[(i64, &str)] = &[(1, "LIVE"), (2, "DIE")];

const LOG_AGGREGATION_STATUS_PROTO: &[(i64, &str)] = &[
    (1, "LOG_DISABLED"),
    (2, "LOG_NOT_START"),
    (3, "LOG_RUNNING"),
    (4, "LOG_SUCCEEDED"),
    (5, "LOG_FAILED"),
    (6, "LOG_TIME_OUT"),
    (7, "LOG_RUNNING_WITH_FAILURE"),
];

const NODE_ACTION_PROTO: &[(i64, &str)] = &[(0, "NORMAL"), (1, "RESYNC"), (2, "SHUTDOWN")];

const NODE_ATTRIBUTE_OP_CODE_PROTO: &[(i64, &str)] = &[(1, "NO_OP"), (2, "EQ"), (3, "NE")];

const NODE_ATTRIBUTE_TYPE_PROTO: &[(i64, &str)] = &[(1, "STRING")];

const NODE_STATE_PROTO: &[(i64, &str)] = &[
    (1, "NS_NEW"),
    (2, "NS_RUNNING"),
    (3, "NS_UNHEALTHY"),
    (4, "NS_DECOMMISSIONED"),
    (5, "NS_LOST"),
    (6, "NS_REBOOTED"),
    (7, "NS_DECOMMISSIONING"),
    (8, "NS_SHUTDOWN"),
];

const NODE_UPDATE_TYPE_PROTO: &[(i64, &str)] =
    &[(0, "NODE_USABLE"), (1, "NODE_UNUSABLE"), (2, "NODE_DECOMMISSIONING")];

const PLACEMENT_CONSTRAINT_TARGET_PROTO_TARGET_TYPE: &[(i64, &str)] =
    &[(1, "NODE_ATTRIBUTE"), (2, "ALLOCATION_TAG"), (3, "SELF")];

const QUEUE_ACL_PROTO: &[(i64, &str)] =
    &[(1, "QACL_SUBMIT_APPLICATIONS"), (2, "QACL_ADMINISTER_QUEUE")];

const QUEUE_STATE_PROTO: &[(i64, &str)] = &[(1, "Q_STOPPED"), (2, "Q_RUNNING"), (3, "Q_DRAINING")];

const REJECTION_REASON_PROTO: &[(i64, &str)] =
    &[(1, "RRP_COULD_NOT_PLACE_ON_NODE"), (2, "RRP_COULD_NOT_SCHEDULE_ON_NODE")];

const RESERVATION_REQUEST_INTERPRETER_PROTO: &[(i64, &str)] =
    &[(0, "R_ANY"), (1, "R_ALL"), (2, "R_ORDER"), (3, "R_ORDER_NO_GAP")];

const RESOURCE_STATUS_TYPE_PROTO: &[(i64, &str)] =
    &[(1, "FETCH_PENDING"), (2, "FETCH_SUCCESS"), (3, "FETCH_FAILURE")];

const RESOURCE_TYPES_PROTO: &[(i64, &str)] = &[(0, "COUNTABLE")];

const SCHEDULER_RESOURCE_TYPES: &[(i64, &str)] = &[(0, "MEMORY"), (1, "CPU")];

const SIGNAL_CONTAINER_COMMAND_PROTO: &[(i64, &str)] =
    &[(1, "OUTPUT_THREAD_DUMP"), (2, "GRACEFUL_SHUTDOWN"), (3, "FORCEFUL_SHUTDOWN")];

const TIMED_PLACEMENT_CONSTRAINT_PROTO_DELAY_UNIT: &[(i64, &str)] =
    &[(1, "MILLISECONDS"), (2, "OPPORTUNITIES")];

const VOLUME_CAPABILITY_ACCESS_MODE: &[(i64, &str)] = &[
    (0, "UNKNOWN"),
    (1, "SINGLE_NODE_WRITER"),
    (2, "SINGLE_NODE_READER_ONLY"),
    (3, "MULTI_NODE_READER_ONLY"),
    (4, "MULTI_NODE_SINGLE_WRITER"),
    (5, "MULTI_NODE_MULTI_WRITER"),
];

const VOLUME_CAPABILITY_VOLUME_TYPE: &[(i64, &str)] = &[(0, "BLOCK"), (1, "FILE_SYSTEM")];

const YARN_APPLICATION_ATTEMPT_STATE_PROTO: &[(i64, &str)] = &[
    (1, "APP_ATTEMPT_NEW"),
    (2, "APP_ATTEMPT_SUBMITTED"),
    (3, "APP_ATTEMPT_SCHEDULED"),
    (4, "APP_ATTEMPT_ALLOCATED_SAVING"),
    (5, "APP_ATTEMPT_ALLOCATED"),
    (6, "APP_ATTEMPT_LAUNCHED"),
    (7, "APP_ATTEMPT_FAILED"),
    (8, "APP_ATTEMPT_RUNNING"),
    (9, "APP_ATTEMPT_FINISHING"),
    (10, "APP_ATTEMPT_FINISHED"),
    (11, "APP_ATTEMPT_KILLED"),
];

const YARN_APPLICATION_STATE_PROTO: &[(i64, &str)] = &[
    (1, "NEW"),
    (2, "NEW_SAVING"),
    (3, "SUBMITTED"),
    (4, "ACCEPTED"),
    (5, "RUNNING"),
    (6, "FINISHED"),
    (7, "FAILED"),
    (8, "KILLED"),
];
