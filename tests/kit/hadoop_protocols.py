# mypy: disable-error-code="empty-body"
"""Protocols that Java peers have too: the walk-through's in two versions, and one of protobuf."""

from dataclasses import dataclass
from typing import Any, Self

from jvmwire._core import decode_message, encode_message
from jvmwire.hadoop.interface import Interface
from jvmwire.hadoop.writable import Int, Long


class OldPing(Interface, protocol="ping", version=1):
    """The walk-through's first version."""

    def ping(self, message: str) -> str: ...


class NewPing(OldPing, version=2):
    """The second, which has a method more."""

    def enterprise_ping(
        self,
        company_name: str,
        referee: str,
        priority: Int,
        time_out: Long,
        use_timeout: bool,  # Java calls it so
        use_use_timeout: bool,
    ) -> str: ...


class PingService:
    """Serves both, in a thread and on the loop."""

    def ping(self, message: str) -> str:
        """Say what was said."""
        return f"pong={message}"

    async def enterprise_ping(self, company_name: str, referee: str, *others: Any) -> str:
        """Say all that was said."""
        told = (str(other).lower() for other in others)
        return f"{company_name} by {referee}: {', '.join(told)}"


@dataclass(frozen=True)
class _Message:
    """What protobuf's compiler would make, as far as it is asked."""

    fields: dict[str, Any]

    @classmethod
    def FromString(cls, data: bytes) -> Self:  # noqa: N802  # protobuf calls it so
        """Read a message."""
        return cls(decode_message(cls.__name__, data))

    def SerializeToString(self) -> bytes:  # noqa: N802
        """Write the message."""
        return encode_message(type(self).__name__, self.fields)


class GetGroupsForUserRequestProto(_Message):
    """Whose groups are wanted."""


class GetGroupsForUserResponseProto(_Message):
    """What they are."""


class Groups(
    Interface,
    protocol="org.apache.hadoop.tools.GetUserMappingsProtocol",
    version=1,
    engine="protobuf",
):
    """The groups of users."""

    def get_groups_for_user(
        self, request: GetGroupsForUserRequestProto
    ) -> GetGroupsForUserResponseProto: ...


class GroupsService:
    """The groups of a user are its name and its name once more."""

    async def get_groups_for_user(
        self, request: GetGroupsForUserRequestProto
    ) -> GetGroupsForUserResponseProto:
        """Return them."""
        user = request.fields["user"]
        if not user:
            raise FileNotFoundError("nobody")
        return GetGroupsForUserResponseProto({"groups": [user, user + user]})
