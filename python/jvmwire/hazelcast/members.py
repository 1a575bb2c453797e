"""Members of a cluster, and where they listen."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from jvmwire.transports import Tcp

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_PORT = 5701


class Address(NamedTuple):
    """Where a member listens."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @classmethod
    def parse(cls, text: str) -> Address:
        """Read `host:port`, `[::1]:port`, or a host that listens on port 5701.

        Raises:
            ConfigError: it is none of these.
        """
        endpoint = Tcp.parse(text, default_port=DEFAULT_PORT)
        return cls(endpoint.host, endpoint.port)

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Address:
        """Make one of the fields of an `Address`."""
        return cls(fields["host"], fields["port"])


@dataclass(frozen=True, slots=True)
class Member:
    """A member of the cluster."""

    uuid: str
    address: Address
    lite: bool = False
    """Whether it keeps no data."""
    attributes: Mapping[str, str] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Member:
        """Make one of the fields of a `Member`."""
        return cls(
            fields["uuid"],
            Address.of(fields["address"]),
            fields["lite_member"],
            dict(fields["attributes"]),
        )


class MembershipChange(enum.Enum):
    """What came to pass with a member."""

    ADDED = enum.auto()
    REMOVED = enum.auto()
    ATTRIBUTE_CHANGED = enum.auto()


@dataclass(frozen=True, slots=True)
class MembershipEvent:
    """A member came, went, or changed."""

    change: MembershipChange
    member: Member
    members: tuple[Member, ...]
    """All members afterwards."""
    attribute: str | None = None
    """Which changed."""


class Lifecycle(enum.Enum):
    """What came to pass with the client."""

    CONNECTED = enum.auto()
    """To a cluster: its members and partitions are known."""
    DISCONNECTED = enum.auto()
    """The last connection is lost; it is being made again."""
    SHUTDOWN = enum.auto()
    """The client was closed."""
