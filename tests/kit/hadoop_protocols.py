# mypy: disable-error-code="empty-body"
"""Protocols that Java peers have too: the walk-through's in two versions, and one of protobuf."""

from typing import Any

from jvmwire.hadoop.interface import Interface
from jvmwire.hadoop.writable import Int, Long

from .user_mappings_pb2 import GetGroupsForUserRequestProto, GetGroupsForUserResponseProto


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
        user = request.user
        if not user:
            raise FileNotFoundError("nobody")
        return GetGroupsForUserResponseProto(groups=[user, user + user])
