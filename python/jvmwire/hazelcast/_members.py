"""Members of a cluster, their addresses, and events of the membership and of the client."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_PORT = 5701


class Address(NamedTuple):
    """Address at which a member listens.

    Args:
        host: Host name or IP address.
        port: TCP port.
    """

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Parse `host:port`, `[::1]:port`, or a host whose port is 5701.

        Args:
            text: Text to parse.

        Returns:
            The address.

        Raises:
            ConfigError: `text` has none of these forms.
        """
        endpoint = Tcp.parse(text, default_port=DEFAULT_PORT)
        return cls(endpoint.host, endpoint.port)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Address:
        """Create an address from the fields of an `Address` in a message.

        Args:
            fields: Decoded fields.

        Returns:
            The address.
        """
        return cls(fields["host"], fields["port"])


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the cluster.

    Args:
        uuid: UUID of the member.
        address: Address at which it listens.
        lite: Whether it is a lite member, which stores no data.
        attributes: Attributes of the member by name.
    """

    uuid: str
    address: Address
    lite: bool = False
    attributes: Mapping[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Member:
        """Create a member from the fields of a `Member` in a message.

        Args:
            fields: Decoded fields.

        Returns:
            The member.
        """
        return cls(
            fields["uuid"],
            Address.from_fields(fields["address"]),
            fields["lite_member"],
            dict(fields["attributes"]),
        )


class MembershipChange(enum.Enum):
    """Kind of a membership event."""

    ADDED = enum.auto()
    REMOVED = enum.auto()
    ATTRIBUTE_CHANGED = enum.auto()


@dataclass(frozen=True, slots=True)
class MembershipEvent:
    """The event that a member joined, left, or changed an attribute.

    Args:
        change: Kind of the event.
        member: Member that joined, left or changed.
        members: All members after the change.
        attribute: Name of the changed attribute, or None.
    """

    change: MembershipChange
    member: Member
    members: tuple[Member, ...]
    attribute: str | None = None
    """Name of the changed attribute."""


class Lifecycle(enum.Enum):
    """State change of the client."""

    CONNECTED = enum.auto()
    """The client is connected to a cluster: members and partitions are known."""
    DISCONNECTED = enum.auto()
    """The last connection is lost; the client is reconnecting."""
    SHUTDOWN = enum.auto()
    """The client was closed."""
