# mypy: disable-error-code="empty-body"
"""Protocols of Java peers, too: two versions of the walk-through's, and one of protobuf."""

from typing import Any

from jvmwire.hadoop.rpc._interface import Interface
from jvmwire.hadoop.rpc._writable import Int, Long

from .user_mappings_pb2 import GetGroupsForUserRequestProto, GetGroupsForUserResponseProto


class OldPing(Interface, protocol="ping", version=1):
    """First version of the walk-through's protocol."""

    def ping(self, message: str) -> str: ...


class NewPing(OldPing, version=2):
    """Second version, which has one more method."""

    def enterprise_ping(
        self,
        company_name: str,
        referee: str,
        priority: Int,
        time_out: Long,
        use_timeout: bool,  # Java's name of the method
        use_use_timeout: bool,
    ) -> str: ...


class PingService:
    """Service of both versions, in a thread and on the loop."""

    def ping(self, message: str) -> str:
        """Return the argument."""
        return f"pong={message}"

    async def enterprise_ping(self, company_name: str, referee: str, *others: Any) -> str:
        """Return all arguments."""
        told = (str(other).lower() for other in others)
        return f"{company_name} by {referee}: {', '.join(told)}"


class Groups(
    Interface,
    protocol="org.apache.hadoop.tools.GetUserMappingsProtocol",
    version=1,
    engine="protobuf",
):
    """Protocol for the groups of users."""

    def get_groups_for_user(
        self, request: GetGroupsForUserRequestProto
    ) -> GetGroupsForUserResponseProto: ...


class GroupsService:
    """Service in which the groups of a user are the user's name and the name once more."""

    async def get_groups_for_user(
        self, request: GetGroupsForUserRequestProto
    ) -> GetGroupsForUserResponseProto:
        """Return the groups of a user."""
        user = request.user
        if not user:
            raise FileNotFoundError("nobody")
        return GetGroupsForUserResponseProto(groups=[user, user + user])
