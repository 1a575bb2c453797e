"""Cluster calls of the NameNode: DataNodes, space, safe mode, and high availability state."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HadoopList, decode_message
from jvmwire._runtime.client import operation
from jvmwire.hadoop._client import RpcMethods
from jvmwire.hadoop.namenode._choices import DatanodeReportType, HAServiceState, choose
from jvmwire.hadoop.namenode._lazy_rows import Rows
from jvmwire.hadoop.namenode._records import Record, signed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmwire._runtime.operations import Operation
    from jvmwire.hadoop.namenode._choices import DatanodeReportTypeName


@dataclass(frozen=True, slots=True, kw_only=True)
class FsStats(Record):
    """Space in bytes and counts of blocks of the whole file system.

    Attributes:
        capacity: Bytes of all DataNodes.
        used: Bytes that HDFS uses.
        remaining: Bytes that HDFS may still use.
        under_replicated: The number of blocks with fewer replicas than they should have.
        corrupt_blocks: The number of blocks with corrupt replicas.
        missing_blocks: The number of blocks without a usable replica.
        missing_repl_one_blocks: The number of missing blocks that have one replica only.
        blocks_in_future: Bytes of blocks with generation stamps of the future.
        pending_deletion_blocks: The number of blocks that wait for their deletion.

    Source: GetFsStatsResponseProto.
    """

    capacity: int
    used: int
    remaining: int
    under_replicated: int
    corrupt_blocks: int
    missing_blocks: int
    missing_repl_one_blocks: int = 0
    blocks_in_future: int = 0
    pending_deletion_blocks: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerDefaults(Record):
    """Defaults that the NameNode recommends to clients.

    Attributes:
        block_size: The size of blocks in bytes.
        bytes_per_checksum: Bytes that one checksum covers.
        write_packet_size: Bytes of a packet of data that is written.
        replication: The number of replicas.
        file_buffer_size: Bytes of a client's buffer.
        encrypt_data_transfer: Whether DataNodes encrypt the data that they send and receive.
        trash_interval: Minutes for which deleted files stay in the trash; 0 disables the trash.
        checksum_type: The type of checksums.
        key_provider_uri: The address of the key management server, None without one.

    Source: FsServerDefaultsProto.
    """

    block_size: int
    bytes_per_checksum: int
    write_packet_size: int
    replication: int
    file_buffer_size: int
    encrypt_data_transfer: bool = False
    trash_interval: int = 0
    checksum_type: str = "CHECKSUM_CRC32"
    key_provider_uri: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DatanodeInfo(Record):
    """State of a DataNode in the records of the NameNode.

    Attributes:
        host: The host name.
        address: The IP address and the data transfer port.
        uuid: The identifier of the DataNode.
        location: The rack of the DataNode, such as `/default-rack`.
        admin_state: The administrative state.
        capacity: The size of the storage in bytes; the next four fields are in bytes too.
        dfs_used: Bytes of HDFS.
        remaining: Bytes that HDFS may still use.
        block_pool_used: Bytes of this name service.
        non_dfs_used: Bytes of other users of the disks.
        xceiver_count: The number of open data transfer connections.
        last_update: The time of the last heartbeat in milliseconds since 1970; negative before
            1970.
        num_blocks: The number of blocks.
        software_version: The version of Hadoop.

    Source: DatanodeInfoProto.
    """

    host: str
    address: str
    uuid: str
    location: str = ""
    admin_state: str = "NORMAL"
    capacity: int = 0
    dfs_used: int = 0
    remaining: int = 0
    block_pool_used: int = 0
    non_dfs_used: int = 0
    xceiver_count: int = 0
    last_update: int = 0
    num_blocks: int = 0
    software_version: str = ""

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> DatanodeInfo:
        """Return the DataNode of a decoded message.

        Args:
            message: The fields of a `DatanodeInfoProto`.

        Returns:
            The DataNode.
        """
        found = message["id"]
        return super(DatanodeInfo, cls).from_fields(
            {
                **message,
                "admin_state": str(message.get("admin_state", "NORMAL")),
                "last_update": signed(message.get("last_update", 0)),
                "host": found["host_name"],
                "address": f"{found['ip_addr']}:{found['xfer_port']}",
                "uuid": found["datanode_uuid"],
            }
        )


_RESPONSE = "GetDatanodeReportResponseProto"
_COLUMNS = [
    ("host", "id.host_name", ""),
    ("ip_address", "id.ip_addr", ""),
    ("port", "id.xfer_port", ""),
    ("uuid", "id.datanode_uuid", ""),
    ("location", "location", ""),
    ("admin_state", "admin_state", ""),
    ("capacity", "capacity", ""),
    ("dfs_used", "dfs_used", ""),
    ("remaining", "remaining", ""),
    ("block_pool_used", "block_pool_used", ""),
    ("non_dfs_used", "non_dfs_used", ""),
    ("xceiver_count", "xceiver_count", ""),
    ("last_update", "last_update", "timestamp"),
    ("num_blocks", "num_blocks", ""),
    ("software_version", "software_version", ""),
]


class DatanodeReport(Rows[DatanodeInfo]):
    """Sequence of DataNodes, which Arrow imports as one record batch.

    Args:
        payload: A `GetDatanodeReportResponseProto`.
    """

    def __init__(self, payload: bytes) -> None:
        super().__init__([("", payload)], HadoopList(_RESPONSE, "di"), _decode, _COLUMNS)


def _decode(answers: Sequence[tuple[str, bytes]]) -> list[DatanodeInfo]:
    reports = (decode_message(_RESPONSE, payload) for _, payload in answers)
    return [DatanodeInfo.from_fields(node) for report in reports for node in report.get("di", [])]


class ClusterMethods(RpcMethods):
    """Calls that read and change the state of the cluster."""

    @operation
    def get_fs_stats(self) -> Operation[FsStats]:
        """Return the space of the file system and the counts of its damaged blocks.

        Returns:
            Bytes and counts of blocks.

        Source: ClientProtocol.getStats.
        """
        return FsStats.from_fields((yield from self._invoke("getFsStats", {})))

    @operation
    def get_server_defaults(self) -> Operation[ServerDefaults]:
        """Return the defaults that the NameNode recommends to clients.

        Returns:
            The block size, the replication and further defaults.

        Source: ClientProtocol.getServerDefaults.
        """
        answer = yield from self._invoke("getServerDefaults", {})
        found = answer["server_defaults"]
        checksum = str(found.get("checksum_type", "CHECKSUM_CRC32"))
        return ServerDefaults.from_fields({**found, "checksum_type": checksum})

    @operation
    def get_datanode_report(
        self, kind: DatanodeReportType | DatanodeReportTypeName = DatanodeReportType.ALL
    ) -> Operation[DatanodeReport]:
        """Return the DataNodes of the cluster.

        Args:
            kind: The state of the DataNodes, such as `DatanodeReportType.LIVE` or "LIVE".

        Returns:
            A sequence of `DatanodeInfo`, which Arrow imports as one record batch.

        Raises:
            ConfigError: there is no such state.

        Source: ClientProtocol.getDatanodeReport.
        """
        asked = {"type": choose(DatanodeReportType, "kind", kind).value}
        return DatanodeReport((yield from self._invoke_raw("getDatanodeReport", asked)))

    @operation
    def get_safe_mode(self) -> Operation[bool]:
        """Return whether the NameNode is in safe mode, in which it rejects changes.

        Returns:
            True in safe mode.

        Source: ClientProtocol.setSafeMode.
        """
        return (yield from self._safe_mode("SAFEMODE_GET"))

    @operation
    def enter_safe_mode(self) -> Operation[bool]:
        """Put the NameNode into safe mode.

        Returns:
            Whether the NameNode is in safe mode afterwards.

        Source: ClientProtocol.setSafeMode.
        """
        return (yield from self._safe_mode("SAFEMODE_ENTER"))

    @operation
    def leave_safe_mode(self) -> Operation[bool]:
        """Let the NameNode leave safe mode.

        Returns:
            Whether the NameNode is still in safe mode afterwards.

        Source: ClientProtocol.setSafeMode.
        """
        return (yield from self._safe_mode("SAFEMODE_LEAVE"))

    def _safe_mode(self, action: str) -> Operation[bool]:
        asked = {"action": action, "checked": False}
        on: bool = (yield from self._invoke("setSafeMode", asked))["result"]
        return on

    @operation
    def save_namespace(self) -> Operation[bool]:
        """Save the namespace to a new image; the NameNode must be in safe mode.

        Returns:
            Whether the NameNode saved an image.

        Source: ClientProtocol.saveNamespace.
        """
        answer = yield from self._invoke("saveNamespace", {"time_window": 0, "tx_gap": 0})
        return bool(answer.get("saved"))

    @operation
    def get_service_state(self) -> Operation[HAServiceState | str]:
        """Return the high availability state of the NameNode that serves the call.

        Returns:
            A member of `HAServiceState`, which is equal to its name, such as "ACTIVE"; of a state
            that later versions of Hadoop may add, the number as a text.

        Source: ClientProtocol.getHAServiceState.
        """
        # The states of later Hadoop versions are decoded as numbers.
        state = str((yield from self._invoke("getHAServiceState", {}))["state"])
        return HAServiceState(state) if state in list(HAServiceState) else state

    @operation
    def msync(self) -> Operation[None]:
        """Fetch the active NameNode's state id; later reads from observers are at least as recent.

        Source: ClientProtocol.msync.
        """
        yield from self._invoke("msync", {})
