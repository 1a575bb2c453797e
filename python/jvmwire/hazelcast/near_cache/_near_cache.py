"""Near cache of a map, and the invalidations that keep it up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._escaping import get_logger
from jvmwire._runtime.operations import EndOfMessages, Receive, Sleep, Spawn
from jvmwire._times import to_seconds
from jvmwire.errors import JvmWireError, LimitExceeded
from jvmwire.hazelcast._commands import Request
from jvmwire.hazelcast._listener_service import Registration
from jvmwire.hazelcast._proxies.entries import EntryEventType
from jvmwire.hazelcast.near_cache._config import InMemoryFormat, NearCacheConfig
from jvmwire.hazelcast.near_cache._records import MISSING, NearCacheStatistics, NearCacheStore
from jvmwire.hazelcast.near_cache._repairing import Repairing

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import Mailbox, Operation
    from jvmwire.hazelcast._invoker import Invoker
    from jvmwire.hazelcast.near_cache._records import Reservation

_LISTEN = HazelcastMessage.named("Map.addNearCacheInvalidationListener")
_LISTEN_OLD = HazelcastMessage.named("Map.addNearCacheEntryListener")
_UNLISTEN = HazelcastMessage.named("Map.removeEntryListener")
_FETCH = HazelcastMessage.named("Map.fetchNearCacheInvalidationMetadata")

NUMBERS_INVALIDATIONS = (3, 8)
"""First version of members that number invalidations: protocol 1.4."""
MAP_SERVICE = "hz:impl:mapService"
SINGLE, BATCH = 215, 216
"""Types of the invalidation events."""

_log = get_logger("jvmwire.connection")


class NearCache:
    """The near cache of one map, used by the operations of one client, one at a time."""

    def __init__(
        self,
        cluster: Invoker,
        name: str,
        config: NearCacheConfig,
        clock: Callable[[], float],
    ) -> None:
        self._cluster = cluster
        self._name = name
        self._config = config
        self._records = NearCacheStore(config, clock)
        self._repairing = Repairing(config.max_tolerated_miss_count)
        self._registration: Registration | None = None

    @property
    def statistics(self) -> NearCacheStatistics:
        """The statistics so far."""
        return self._records.statistics

    def find(self, key: bytes) -> Any:
        """Return the cached value of a key, or `MISSING`.

        Args:
            key: Serialized key.

        Returns:
            The value, None if the map has no entry, or `MISSING`.
        """
        found = self._records.find(key, self._repairing.is_stale)
        if found is MISSING or self._config.in_memory_format is InMemoryFormat.OBJECT:
            return found
        return self._cluster.serialization.to_object(found)

    def reserve(self, key: bytes) -> Reservation | None:
        """Reserve a key before its value is fetched.

        Args:
            key: Serialized key.

        Returns:
            The reservation, or None if the key is reserved already.
        """
        partition_id = self._cluster.partition_of(key)
        state = self._repairing.state(partition_id)
        return self._records.reserve(key, partition_id, state.uuid, state.sequence)

    def publish(self, reservation: Reservation | None, data: bytes | None) -> Any:
        """Deserialize a fetched value, and cache it if it was not invalidated meanwhile.

        Args:
            reservation: Result of `reserve`.
            data: Serialized value.

        Returns:
            The value.
        """
        value = self._cluster.serialization.to_object(data)
        binary = self._config.in_memory_format is InMemoryFormat.BINARY
        self._records.publish(reservation, data if binary else value)
        return value

    def cancel(self, reservation: Reservation | None) -> None:
        """Cancel a reservation whose value could not be fetched.

        Args:
            reservation: Result of `reserve`.
        """
        self._records.cancel(reservation)

    def invalidate(self, key: bytes) -> None:
        """Remove a key and its reservation, because its entry may have changed.

        Args:
            key: Serialized key.
        """
        self._records.invalidate(key)

    def clear(self) -> None:
        """Remove all keys and reservations, because any entry may have changed."""
        self._records.clear()

    # Invalidations from the cluster.

    def ready(self) -> Operation[None]:
        """Wait until the invalidation listener is registered."""
        if self._registration is not None or not self._config.invalidate_on_change:
            return
        cluster = self._cluster
        yield from cluster.ready()
        if self._registration is not None:
            return  # a concurrent call has registered it
        mailbox: Mailbox = yield cluster.new_mailbox()
        numbered = cluster.oldest_version() >= NUMBERS_INVALIDATIONS
        self._registration = registration = Registration(
            _LISTEN if numbered else _LISTEN_OLD,
            (self._name, int(EntryEventType.INVALIDATION)),
            _UNLISTEN,
            (self._name,),
            mailbox,
            (MAP_SERVICE, self._name),
            # Changes before the registration cause no event.
            registered=self.start_over,
        )
        try:
            yield from cluster.register(registration)
        except BaseException:
            self._registration = None
            raise
        yield Spawn(self._watch_invalidations(mailbox), f"changes of {self._name}")
        if numbered:
            yield Spawn(self._repair(), f"repair of {self._name}")
            yield from self._fetch(first=True)

    def start_over(self) -> None:
        """Remove all entries, because invalidations may have been missed."""
        self.clear()
        self._repairing.clear()

    def close(self) -> Operation[None]:
        """Remove all entries and the invalidation listener."""
        registration, self._registration = self._registration, None
        if registration is not None:
            yield from self._cluster.remove(registration.id)
        self.start_over()

    def _watch_invalidations(self, mailbox: Mailbox) -> Operation[None]:
        while True:
            try:
                kind, fields = yield Receive(mailbox)
            except EndOfMessages:
                return
            except LimitExceeded:
                self.start_over()
                continue
            # Keys, UUIDs of the sources and of partitions, sequences; before 3.8 only keys.
            if kind == SINGLE:
                self._handle_event(*fields)
            elif kind == BATCH:
                for one in zip(*(column for column in fields if column is not None), strict=False):
                    self._handle_event(*one)

    def _handle_event(
        self,
        key: bytes | None,
        _: str | None = None,
        uuid: bytes | None = None,
        sequence: int | None = None,
    ) -> None:
        if key is None:
            self.clear()
            return
        self.invalidate(key)
        if uuid is not None and sequence is not None:
            self._repairing.handle_event(self._cluster.partition_of(key), uuid, sequence)

    def _repair(self) -> Operation[None]:
        """Fetch the latest invalidation sequences of the members periodically."""
        registration = self._registration
        interval = to_seconds("reconciliation_interval", self._config.reconciliation_interval)
        while registration is self._registration:
            yield Sleep(interval)
            try:
                yield from self._fetch(first=False)
            except JvmWireError as error:
                _log.debug("what changed in %s is not known: %s", self._name, error)

    def _fetch(self, *, first: bool) -> Operation[None]:
        for member in list(self._cluster.members.values()):
            if member.lite:
                continue
            at = member.address
            fields = ([self._name], {"host": at.host, "port": at.port})
            try:
                found = yield from self._cluster.call_member(
                    at, Request(_FETCH, fields, idempotent=True)
                )
            except ValueError:
                continue  # it has left
            numbered, uuids = found
            for partition_id, uuid in uuids:
                self._repairing.take_uuid(partition_id, uuid)
            for name, sequences in numbered:
                if name != self._name:
                    continue
                for partition_id, sequence in sequences:
                    if first:
                        self._repairing.begin(partition_id, sequence)
                    else:
                        self._repairing.reconcile(partition_id, sequence)
