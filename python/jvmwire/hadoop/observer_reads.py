"""Reads that an observer answers: what Java's `ObserverReadProxyProvider` does for its clients."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic
from typing import TYPE_CHECKING, Any

from jvmwire._core import HadoopReplyTable
from jvmwire._runtime.channel import FailoverChannel
from jvmwire.errors import ServerError, TransportError
from jvmwire.hadoop.commands import CLIENT_PROTOCOL, Invocation, find_method
from jvmwire.hadoop.errors import from_java
from jvmwire.options import NEVER

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hadoop.session import HadoopClientSession
    from jvmwire.options import ConnectRetries, RetryPolicy
    from jvmwire.transports import Endpoint

PROBE_RETRY_PERIOD = 600.0
"""`dfs.client.failover.observer.probe.retry.period`, in seconds here."""
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
"""Methods of `ClientProtocol` that are `@ReadOnly` in Java and not `activeOnly`. How a NameNode
itself is doing (`getHAServiceState`) is asked of the one that is called."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObserverReads:
    """Has observers answer what is only read; `HadoopOptions.observer_reads`."""

    auto_msync_period: float | None = None
    """Seconds after which the active NameNode is asked again how far it is, before a read: what
    other clients changed until then is seen. 0 is before each read, None is but before the first.
    `dfs.client.failover.observer.auto-msync-period.<name service>`."""
    probe_retry_period: float = PROBE_RETRY_PERIOD
    """Seconds until observers are looked for again where there was none, or none could be reached.
    `dfs.client.failover.observer.probe.retry.period`."""


class ObserverReadChannel(FailoverChannel):
    """NameNodes of which some are observers: these answer reads, the active one all else."""

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
        """Each NameNode by itself."""
        self._last_observer = 0
        """Who is asked first: the last one that answered a read."""
        self._observes = False
        """Whether the reader is known to be an observer."""
        self._synchronized: float | None = None
        """When the active NameNode was last asked how far it is."""
        self._next_probe_at = 0.0
        """When observers are looked for again, if none was found."""

    @property
    def connected(self) -> bool:
        """Whether there is a connection, to whichever of them."""
        return super().connected or any(link.connected for link in self._channels)

    def call(
        self,
        command: Any,
        *,
        call_id: int | None = None,
        server_deduplicates: bool = False,
        instance_of: Callable[[Connection], Hashable | None] | None = None,
    ) -> Operation[Any]:
        """Return what `command` is answered: a read by an observer, if there is one that can."""
        if command.method in READS and monotonic() >= self._next_probe_at:
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
                # Who comes second with the same bad news finds that we have turned.
                if self._last_observer == reader:
                    self._last_observer, self._observes = (reader + 1) % len(self._channels), False
            if not failed:
                self._next_probe_at = monotonic() + self._reads.probe_retry_period
        return (
            yield from super().call(
                command,
                call_id=call_id,
                server_deduplicates=server_deduplicates,
                instance_of=instance_of,
            )
        )

    def _is_observer(self, link: FailoverChannel) -> Operation[bool]:
        """Ask a NameNode what it is; one that does not say is none, as to Java's client."""
        try:
            state = (yield from link.call(_STATE))["state"]
        except (TransportError, ServerError):
            return False
        if state == "OBSERVER" and self._channels[self._last_observer] is link:
            self._observes = True
        return bool(state == "OBSERVER")

    def _synchronize(self) -> Operation[None]:
        """Learn how far the active NameNode is, if that is due."""
        now, period = monotonic(), self._reads.auto_msync_period
        if self._synchronized is None or (
            period is not None and now >= self._synchronized + period
        ):
            yield from super().call(_MSYNC)
            self._synchronized = now


def _check(answer: Any) -> None:
    """Raise what a call of a batch was refused with, if another NameNode may answer it."""
    for part in answer if isinstance(answer, list) else ():
        if isinstance(part, HadoopReplyTable):
            for _, failure in part.failures():
                error = from_java(failure)
                if error.retryable:
                    raise error


_STATE = Invocation(find_method(CLIENT_PROTOCOL, "getHAServiceState"), {})
_MSYNC = Invocation(find_method(CLIENT_PROTOCOL, "msync"), {})
