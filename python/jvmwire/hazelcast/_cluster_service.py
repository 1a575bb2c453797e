"""Members and partitions as the cluster reports them, and local listeners of their changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._escaping import get_logger
from jvmwire._runtime.operations import Sleep
from jvmwire.errors import RemoteProtocolError
from jvmwire.hazelcast._members import (
    Address,
    Lifecycle,
    Member,
    MembershipChange,
    MembershipEvent,
)
from jvmwire.hazelcast._partitions import PartitionTable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._runtime.operations import Mailbox, Operation

MEMBER, MEMBER_LIST, ATTRIBUTE_CHANGE, PARTITIONS = 200, 201, 202, 217
"""Types of the events about members and partitions."""
ADDED, REMOVED = 1, 2
"""Numbers of the changes in `MemberAttributeEvent` and `MembershipEvent`."""

MAX_MEMBERS = 2048
"""Members of a cluster that a client takes in. (Chosen by jvmwire; Hazelcast has no limit.)"""
SHUTDOWN_POLL_INTERVAL = 0.01
"""Seconds between two checks that callbacks have seen the shutdown. (Chosen by jvmwire.)"""

_log = get_logger("jvmwire.connection")


def _check_count(count: int) -> None:
    if count > MAX_MEMBERS:
        text = f"the cluster names {count} members: expected at most {MAX_MEMBERS}"
        raise RemoteProtocolError(text)


class Membership:
    """The latest members and partitions, and the client's own listeners."""

    def __init__(self) -> None:
        self.members: dict[str, Member] = {}
        """By UUID, in the order in which they joined."""
        self.partitions = PartitionTable()
        self._addresses: frozenset[Address] | None = None
        """Addresses of the members; None if they must be computed again."""
        self._membership_listeners: dict[str, Mailbox] = {}
        self._lifecycle_listeners: dict[str, Mailbox] = {}
        self._migration_listeners: dict[str, Mailbox] = {}

    def is_member(self, address: Address) -> bool:
        """Return whether a member listens at an address."""
        if self._addresses is None:
            self._addresses = frozenset(member.address for member in self.members.values())
        return address in self._addresses

    def apply_event(self, kind: int, fields: tuple[Any, ...]) -> None:
        """Process an event and notify the listeners.

        Raises:
            RemoteProtocolError: the event names more than `MAX_MEMBERS` members.
        """
        self._addresses = None
        if kind == MEMBER_LIST:
            _check_count(len(fields[0]))
            self._take_list([Member.from_fields(member) for member in fields[0]])
        elif kind == MEMBER:
            member = Member.from_fields(fields[0])
            if fields[1] == ADDED:
                _check_count(len(self.members.keys() | {member.uuid}))
                self.members[member.uuid] = member
                self._notify(MembershipChange.ADDED, member)
            elif self.members.pop(member.uuid, None) is not None:
                self._notify(MembershipChange.REMOVED, member)
        elif kind == ATTRIBUTE_CHANGE:
            self._take_attribute(*fields)
        elif kind == PARTITIONS:
            self.take_partitions(*fields)

    def take_partitions(
        self, partitions: Iterable[tuple[dict[str, Any], list[int]]], version: int | None
    ) -> None:
        """Process a partition table and notify the migration listeners."""
        for migrated in self.partitions.update(partitions, version):
            for mailbox in self._migration_listeners.values():
                mailbox.push(migrated)

    def _take_list(self, current: list[Member]) -> None:
        before, self.members = self.members, {member.uuid: member for member in current}
        for member in before.values():
            if member.uuid not in self.members:
                self._notify(MembershipChange.REMOVED, member)
        for member in current:
            if member.uuid not in before:
                self._notify(MembershipChange.ADDED, member)

    def _take_attribute(self, uuid: str, key: str, operation: int, value: str) -> None:
        if (known := self.members.get(uuid)) is None:
            return
        attributes = dict(known.attributes)
        if operation == ADDED:
            attributes[key] = value
        else:
            attributes.pop(key, None)
        member = Member(known.uuid, known.address, known.lite, attributes)
        self.members[uuid] = member
        self._notify(MembershipChange.ATTRIBUTE_CHANGED, member, key)

    def add_membership_listener(self, key: str, mailbox: Mailbox) -> None:
        """Notify `mailbox` of the present members and of each change."""
        members: list[Member] = []
        for member in self.members.values():
            members.append(member)
            mailbox.push(MembershipEvent(MembershipChange.ADDED, member, tuple(members)))
        self._membership_listeners[key] = mailbox

    def add_lifecycle_listener(self, key: str, mailbox: Mailbox) -> None:
        """Notify `mailbox` of lifecycle changes of the client."""
        self._lifecycle_listeners[key] = mailbox

    def add_migration_listener(self, key: str, mailbox: Mailbox) -> None:
        """Notify `mailbox` of each partition with a new owner."""
        self._migration_listeners[key] = mailbox

    def remove_listener(self, key: str) -> bool:
        """Remove a listener; return whether the key was registered."""
        for listeners in (
            self._membership_listeners,
            self._lifecycle_listeners,
            self._migration_listeners,
        ):
            if (mailbox := listeners.pop(key, None)) is not None:
                mailbox.end()
                return True
        return False

    def fire_lifecycle(self, what: Lifecycle) -> None:
        """Notify the lifecycle listeners."""
        for mailbox in self._lifecycle_listeners.values():
            mailbox.push(what)

    def shut_down(self) -> Operation[None]:
        """Notify the lifecycle listeners once of the shutdown, and wait for their callbacks."""
        listeners, self._lifecycle_listeners = self._lifecycle_listeners, {}
        for mailbox in listeners.values():
            mailbox.push(Lifecycle.SHUTDOWN)
        while any(listeners.values()):
            yield Sleep(SHUTDOWN_POLL_INTERVAL)

    @property
    def lifecycle_listeners(self) -> int:
        """The number of lifecycle listeners."""
        return len(self._lifecycle_listeners)

    def _notify(
        self, change: MembershipChange, member: Member, attribute: str | None = None
    ) -> None:
        _log.debug("member %s at %s: %s", member.uuid, member.address, change.name)
        if not self._membership_listeners:
            return
        event = MembershipEvent(change, member, tuple(self.members.values()), attribute)
        for mailbox in self._membership_listeners.values():
            mailbox.push(event)
