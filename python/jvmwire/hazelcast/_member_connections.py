"""Authenticated connections to members."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.hazelcast._members import Address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jvmwire._runtime.operations import Connection
    from jvmwire.hazelcast._members import Member
    from jvmwire.hazelcast._session import MemberAuthentication

OLDEST = (3, 6)
"""Version assumed for a member that is too old to report one."""


@dataclass(frozen=True, slots=True)
class MemberConnection:
    """An authenticated connection and its member."""

    connection: Connection
    authentication: MemberAuthentication

    @property
    def address(self) -> Address:
        """Address that the member advertises."""
        return Address(*self.authentication.address)

    @property
    def version(self) -> tuple[int, ...]:
        """The member's version."""
        found = re.match(r"(\d+)\.(\d+)", self.authentication.server_version)
        return tuple(map(int, found.groups())) if found else OLDEST


class MemberConnections:
    """One connection to each member that is connected."""

    def __init__(self, balancer: Callable[[Sequence[Member]], Member] | None) -> None:
        self.owner: MemberConnection | None = None
        """Connection to the member that owns the client's resources; also one of the other
        connections."""
        self.late_replies = 0
        """Replies on lost connections that no call waited for any more."""
        self._by_address: dict[Address, MemberConnection] = {}
        self._balancer = balancer
        self._turn = 0

    def __bool__(self) -> bool:
        return bool(self._by_address)

    def __len__(self) -> int:
        return len(self._by_address)

    def __contains__(self, address: Address) -> bool:
        return address in self._by_address

    def get(self, address: Address) -> MemberConnection | None:
        """Return the connection to a member, if it exists."""
        return self._by_address.get(address)

    def all(self) -> list[MemberConnection]:
        """Return all connections."""
        return list(self._by_address.values())

    def add(self, link: MemberConnection, *, as_owner: bool) -> MemberConnection | None:
        """Take a connection in; return the one too many, if there are two to a member now.

        That is the newer one, unless its member is to look after us.
        """
        former = self._by_address.get(link.address)
        if former is not None and (
            not former.connection.alive or former.connection is link.connection
        ):
            former = None
        if former is not None and not as_owner:
            return link
        self._by_address[link.address] = link
        return former

    def drop(self, link: MemberConnection) -> bool:
        """Remove a lost connection; return whether it was the owner's."""
        self.late_replies += link.connection.late_replies
        known = self._by_address.get(link.address)
        if known is not None and known.connection is link.connection:
            del self._by_address[link.address]
        if self.owner is None or self.owner.connection is not link.connection:
            return False
        self.owner = None
        return True

    def any(self, members: Iterable[Member]) -> MemberConnection | None:
        """Return a connection for any request: the balancer's choice, else round-robin."""
        if not self._by_address:
            return None
        if self._balancer is not None:
            known = [member for member in members if member.address in self._by_address]
            if known:
                return self._by_address[self._balancer(known).address]
        self._turn += 1
        links = list(self._by_address.values())
        return links[self._turn % len(links)]

    def oldest_version(self) -> tuple[int, ...]:
        """Return the lowest version among the connected members."""
        return min((link.version for link in self._by_address.values()), default=OLDEST)
