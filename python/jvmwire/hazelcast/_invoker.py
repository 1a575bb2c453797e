"""Interfaces of a cluster for the features that call it: CP sessions, near and query caches."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from jvmwire.hazelcast._commands import NO_PARTITION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jvmwire._core import HazelcastMessage
    from jvmwire._runtime.operations import Connection, Mailbox, NewMailbox, Operation, Task
    from jvmwire.hazelcast._commands import Command, Key, Request
    from jvmwire.hazelcast._listener_service import Registration
    from jvmwire.hazelcast._members import Address, Member
    from jvmwire.hazelcast._options import HazelcastOptions
    from jvmwire.hazelcast.near_cache._records import NearCacheStatistics
    from jvmwire.hazelcast.serialization import SerializationService

T = TypeVar("T")


class Invoker(Protocol):
    """Calls, listeners and members of one cluster; implemented by `Cluster`."""

    options: HazelcastOptions
    serialization: SerializationService

    @property
    def name(self) -> str:
        """The name of the client as members show it."""

    @property
    def members(self) -> Mapping[str, Member]:
        """The members by UUID, in the order in which they joined."""

    def oldest_version(self) -> tuple[int, ...]:
        """Return the lowest version among the connected members."""

    def partition_of(self, data: bytes) -> int:
        """Return the partition of a serialized key; the table must be known."""

    def ready(self) -> Operation[None]:
        """Wait until the cluster's partitions are known."""

    def create_proxy(self, service: str, name: str) -> Operation[None]:
        """Create the proxy of a structure in the cluster, once."""

    def shared(self, service: str, name: str, new: Callable[[], T]) -> T:
        """Return the state that all proxies of a structure share."""

    def call(self, command: Request, *, connection: Connection | None = None) -> Operation[Any]:
        """Send `command`, retry it where that is safe, and return its result."""

    def call_member(self, address: Address, command: Command) -> Operation[Any]:
        """Send a command to the member at `address` and return the result."""

    def release_if_granted(self, release: Request, fields: tuple[Any, ...]) -> Operation[Any]:
        """Send `release` if `fields` are a grant, and return the fields of its response."""

    def request(
        self,
        message: HazelcastMessage,
        fields: tuple[Any, ...],
        partition_id: int = NO_PARTITION,
        *,
        key: bytes | str | Key | None = None,
        structure: tuple[str, str] | None = None,
    ) -> Operation[tuple[Any, ...]]:
        """Send a request and return the fields of the response."""

    def new_mailbox(
        self,
        callback: Callable[[Any], Any] = ...,
        understand: Callable[[Any], Any] | None = None,
    ) -> NewMailbox:
        """Return the instruction that makes the queue of a listener."""

    def register(self, registration: Registration) -> Operation[str]:
        """Register a listener on all members where needed; return its id in this client."""

    def register_locally(self, mailbox: Mailbox, producer_task: Task | None = None) -> str:
        """Register a listener of client-side events, with its feeder task; return its id."""

    def add_membership_listener(self, key: str, mailbox: Mailbox) -> None:
        """Notify `mailbox` of the present members and of each change."""

    def remove(self, registration_id: str) -> Operation[bool]:
        """Remove a listener; return whether the id was registered."""

    def remove_later(self, registration: Registration) -> None:
        """Remove a listener in the background, for callers that must not wait."""


class StructureObserver(Protocol):
    """Owner of state that depends on structures: the near caches of a client."""

    def note_destroyed(self, service: str, name: str) -> None:
        """Drop the cached state of a destroyed structure."""

    def statistics(self) -> Mapping[str, NearCacheStatistics]:
        """Return the statistics of near caches by the names of their maps."""


class OpenTransaction(Protocol):
    """Transaction of a thread or task, of which there is one at a time."""

    @property
    def lives(self) -> bool:
        """Whether the transaction can still be committed."""
