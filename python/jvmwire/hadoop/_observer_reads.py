"""Reads from observer NameNodes, by the rules of Java's `ObserverReadProxyProvider`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HadoopReplyTable
from jvmwire._runtime.channel import FailoverChannel
from jvmwire._runtime.operations import Now
from jvmwire.errors import ServerError, TransportError
from jvmwire.hadoop._commands import CLIENT_PROTOCOL, Invocation, find_method
from jvmwire.hadoop.errors import from_java
from jvmwire.options import NEVER, check_options

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hadoop._session import HadoopClientSession
    from jvmwire.options import ConnectRetries, RetryPolicy
    from jvmwire.transports import Endpoint

PROBE_RETRY_PERIOD = 600.0
"""Default of `probe_retry_period` in seconds: `dfs.client.failover.observer.probe.retry.period`."""
READS = frozenset({
    "checkAccess", "getAclStatus", "getBatchedListing", "getBlockLocations", "getContentSummary",
    "getCurrentEditLogTxid", "getDataEncryptionKey", "getDatanodeReport",
    "getDatanodeStorageReport", "getECTopologyResultForPolicies", "getEZForPath",
    "getEditsFromTxid", "getEnclosingRoot", "getErasureCodingCodecs", "getErasureCodingPolicies",
    "getErasureCodingPolicy", "getFileInfo", "getFileLinkInfo", "getFsECBlockGroupStats",
    "getFsReplicatedBlockStats", "getFsStats", "getLinkTarget", "getListing",
    "getLocatedFileInfo", "getPreferredBlockSize", "getServerDefaults", "getSlowDatanodeReport",
    "getSnapshotDiffReport", "getSnapshotDiffReportListing", "getSnapshotListing",
    "getSnapshottableDirListing", "getStoragePolicies", "getStoragePolicy", "getXAttrs",
    "isFileClosed", "listCacheDirectives", "listCachePools", "listCorruptFileBlocks",
    "listEncryptionZones", "listOpenFiles", "listReencryptionStatus", "listXAttrs",
})  # fmt: skip
"""The methods of `ClientProtocol` that are `@ReadOnly` in Java and not `activeOnly`. Queries of a
NameNode's own state (`getHAServiceState`) go to the NameNode that the client calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserverReads:
    """Options of reads from observer NameNodes; see `HadoopOptions.observer_reads`.

    Times are seconds or a `timedelta`.

    Args:
        auto_msync_period: Seconds after which the next read fetches the state id of the active
            NameNode again, so that it includes the changes of other clients until then. 0 is before
            each read, None only before the first. Setting of Java:
            `dfs.client.failover.observer.auto-msync-period.<name service>`.
        probe_retry_period: Seconds until the client probes for observers again after it found none.
            Setting of Java: `dfs.client.failover.observer.probe.retry.period`.

    Raises:
        ConfigError: a time is negative or NaN, or of a wrong type.
    """

    auto_msync_period: float | None = None
    probe_retry_period: float = PROBE_RETRY_PERIOD

    def __post_init__(self) -> None:
        check_options(self)


class ObserverReadChannel(FailoverChannel):
    """Channel that sends reads to observer NameNodes, and all other calls to the active one.

    Args:
        endpoints: Endpoints of all NameNodes.
        new_session: Function that returns the session of a new connection.
        reads: Options of reads from observers.
        connect_timeout: Seconds until a connection attempt fails.
        retry: Retry policy of calls to the active NameNode.
        connect_retries: Retry policy of connections, if it differs.
        prepare_endpoint: Function that adds credentials to an endpoint and a session.
    """

    def __init__(
        self,
        endpoints: Sequence[Endpoint],
        new_session: Callable[[], HadoopClientSession],
        *,
        reads: ObserverReads,
        connect_timeout: float,
        retry: RetryPolicy,
        connect_retries: ConnectRetries | None,
        prepare_endpoint: Callable[[Endpoint, Any], Endpoint],
    ) -> None:
        first, *others = endpoints
        super().__init__(
            first,
            new_session,
            connect_timeout=connect_timeout,
            retry=retry,
            connect_retries=connect_retries,
            others=others,
            prepare_endpoint=prepare_endpoint,
        )
        self._reads = reads
        self._channels = [
            FailoverChannel(
                endpoint,
                new_session,
                connect_timeout=connect_timeout,
                retry=NEVER,
                connect_retries=connect_retries,
                prepare_endpoint=prepare_endpoint,
            )
            for endpoint in endpoints
        ]
        """One channel per NameNode, without failover."""
        self._last_observer = 0
        """The index of the NameNode that is tried first: the last one that served a read."""
        self._observes = False
        """Whether that NameNode is known to be an observer."""
        self._synchronized: float | None = None
        """The time of the last query of the active NameNode's state id."""
        self._next_probe_at = 0.0
        """The time of the next probe for observers, if none was found."""

    @property
    def connected(self) -> bool:
        """Whether any of the NameNodes has a connection."""
        return super().connected or any(link.connected for link in self._channels)

    def call(
        self,
        command: Any,
        *,
        call_id: int | None = None,
        server_deduplicates: bool = False,
        instance_of: Callable[[Connection], Hashable | None] | None = None,
    ) -> Operation[Any]:
        """Call a method: a read on an observer if one can serve it, all else on the active one.

        Args:
            command: The command.
            call_id: Call id of an earlier try, if any; for the active NameNode only.
            server_deduplicates: Whether the server has a retry cache for the method.
            instance_of: Function that returns the server instance of a connection, for calls that
                may be resent to the same instance only.

        Returns:
            The result of the command.
        """
        if command.method in READS and (yield Now()) >= self._next_probe_at:
            yield from self._synchronize()
            failed = 0
            for _ in self._channels:
                reader = self._last_observer
                link = self._channels[reader]
                if self._observes or (yield from self._is_observer(link)):
                    try:
                        answer = yield from link.call(command)
                        _check(answer)
                    except (TransportError, ServerError) as error:
                        if isinstance(error, ServerError) and not error.retryable:
                            raise
                        failed += 1
                    else:
                        return answer
                # Another task with the same failure must find that the index has advanced.
                if self._last_observer == reader:
                    self._last_observer, self._observes = (reader + 1) % len(self._channels), False
            if not failed:
                self._next_probe_at = (yield Now()) + self._reads.probe_retry_period
        return (
            yield from super().call(
                command,
                call_id=call_id,
                server_deduplicates=server_deduplicates,
                instance_of=instance_of,
            )
        )

    def _is_observer(self, link: FailoverChannel) -> Operation[bool]:
        """Query the state of a NameNode; as in Java's client, a failed query means no observer."""
        try:
            state = (yield from link.call(_STATE))["state"]
        except (TransportError, ServerError):
            return False
        if state == "OBSERVER" and self._channels[self._last_observer] is link:
            self._observes = True
        return bool(state == "OBSERVER")

    def _synchronize(self) -> Operation[None]:
        """Fetch the state id of the active NameNode, if that is due."""
        now: float = yield Now()
        period = self._reads.auto_msync_period
        if self._synchronized is None or (
            period is not None and now >= self._synchronized + period
        ):
            yield from super().call(_MSYNC)
            self._synchronized = now


def _check(answer: Any) -> None:
    """Raise the error of a refused call of a batch, if another NameNode may serve it."""
    for part in answer if isinstance(answer, list) else ():
        if isinstance(part, HadoopReplyTable):
            for _, failure in part.failures():
                error = from_java(failure)
                if error.retryable:
                    raise error


_STATE = Invocation(find_method(CLIENT_PROTOCOL, "getHAServiceState"), {})
_MSYNC = Invocation(find_method(CLIENT_PROTOCOL, "msync"), {})
