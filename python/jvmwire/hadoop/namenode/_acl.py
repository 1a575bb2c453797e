"""Access control lists, whose entries have the text form of `hdfs dfs -setfacl`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._checks import check_type
from jvmwire.errors import ConfigError, DecodeError
from jvmwire.hadoop.namenode._choices import (
    AclEntryScope,
    AclEntryScopeName,
    AclEntryType,
    AclEntryTypeName,
    FsAction,
    choose,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ACTIONS = tuple(FsAction)
"""The accesses in the order of their permission bits."""


def permission_letters(bits: int) -> str:
    """Return the lowest three permission bits as `rwx`, with a `-` for each that is not set."""
    return "".join(
        letter if bits & bit else "-" for letter, bit in zip("rwx", (4, 2, 1), strict=True)
    )


@dataclass(frozen=True, slots=True)
class AclEntry:
    """Entry of an access control list, with the text form `default:user:alice:r-x`.

    Args:
        type: The subject of the entry, such as USER; a name is converted to the member of
            `AclEntryType`.
        permissions: The permission bits as in a mode: 4 is read, 2 write, 1 execute.
        name: The name of the user or group; None is the owner or the owning group.
        scope: ACCESS, or DEFAULT for an entry that new children of a directory inherit; a name is
            converted to the member of `AclEntryScope`.

    Source: AclEntryProto.
    """

    type: AclEntryType | AclEntryTypeName
    permissions: int
    name: str | None = None
    scope: AclEntryScope | AclEntryScopeName = AclEntryScope.ACCESS

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "type", choose(AclEntryType, "the type of an ACL entry", self.type)
        )
        object.__setattr__(
            self, "scope", choose(AclEntryScope, "the scope of an ACL entry", self.scope)
        )
        if not 0 <= self.permissions < len(_ACTIONS):
            raise ConfigError(f"{self.permissions} are not valid ACL permissions")

    @classmethod
    def parse(cls, text: str) -> AclEntry:
        """Parse an entry in the text form of `hdfs dfs -getfacl`.

        Args:
            text: An entry such as `user:alice:r-x`, or one without permissions, which names an
                entry to remove.

        Returns:
            The entry; without permissions in the text, its permissions are 0.

        Raises:
            ConfigError: the text is not an entry.
        """
        head, *rest = text.split(":")
        scope = AclEntryScope.ACCESS
        if head == "default":
            scope, (head, *rest) = AclEntryScope.DEFAULT, rest or [""]
        if len(rest) not in (1, 2):
            raise ConfigError(f"{text!r} is not a valid ACL entry")
        permissions = _permissions(rest[1], text) if len(rest) > 1 else 0
        if head.upper() not in list(AclEntryType):
            raise ConfigError(f"{text!r} is not a valid ACL entry")
        return cls(AclEntryType(head.upper()), permissions, rest[0] or None, scope)

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> AclEntry:
        """Return the entry of a decoded message.

        Args:
            message: The fields of an `AclEntryProto`.

        Returns:
            The entry.

        Raises:
            DecodeError: the type, the scope or the permissions have a value that no Hadoop has had.
        """
        kind, scope, actions = message["type"], message["scope"], message["permissions"]
        try:
            bits = _ACTIONS.index(FsAction(actions))
            return cls(AclEntryType(kind), bits, message.get("name") or None, AclEntryScope(scope))
        except ValueError:
            raise DecodeError(
                f"an entry of an access control list has the type {kind}, the scope {scope} and "
                f"the permissions {actions}: expected {', '.join(AclEntryType)}; "
                f"{' or '.join(AclEntryScope)}; {', '.join(FsAction)}"
            ) from None

    def to_fields(self) -> dict[str, Any]:
        """Return the fields of the entry's message.

        Returns:
            The fields of an `AclEntryProto`.
        """
        return {
            "type": str(self.type),
            "scope": str(self.scope),
            "permissions": _ACTIONS[self.permissions].value,
            "name": self.name,
        }

    def __str__(self) -> str:
        entry = f"{self.type.lower()}:{self.name or ''}:{permission_letters(self.permissions)}"
        return f"default:{entry}" if self.scope == "DEFAULT" else entry


def _permissions(letters: str, text: str) -> int:
    bits = 0
    for letter, expected, bit in zip(letters, "rwx", (4, 2, 1), strict=False):
        if letter == expected:
            bits |= bit
        elif letter != "-":
            raise ConfigError(f"{text!r} is not a valid ACL entry")
    if len(letters) != len("rwx"):
        raise ConfigError(f"{text!r} is not a valid ACL entry")
    return bits


def acl_spec(entries: str | Iterable[AclEntry | str]) -> list[dict[str, Any]]:
    """Return the messages of entries.

    Args:
        entries: Entries or their text forms, or one text with entries separated by commas.

    Returns:
        The fields of one `AclEntryProto` per entry, in order.

    Raises:
        ConfigError: a text is not an entry.
    """
    check_type("entries", entries, Iterable)
    found = entries.split(",") if isinstance(entries, str) else list(entries)
    for entry in found:
        if not isinstance(entry, AclEntry | str):
            raise TypeError(f"entries must be AclEntry or str, got {type(entry).__name__}")
    return [
        (AclEntry.parse(entry.strip()) if isinstance(entry, str) else entry).to_fields()
        for entry in found
    ]


@dataclass(frozen=True, slots=True)
class AclStatus:
    """Access control list of a path, without entries of the permission bits in `FileStatus`.

    Attributes:
        owner: The owner's name.
        group: The group's name.
        sticky: Whether the sticky bit is set.
        entries: The entries of the list, without those of the permission bits.
        permission: The permission bits, None if the server does not send them.

    Source: AclStatusProto.
    """

    owner: str
    group: str
    sticky: bool
    entries: Sequence[AclEntry]
    permission: int | None = None

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> AclStatus:
        """Return the access control list of a decoded message.

        Args:
            message: The fields of an `AclStatusProto`.

        Returns:
            The access control list.

        Raises:
            DecodeError: an entry has a value that no Hadoop has had.
        """
        entries = [AclEntry.from_fields(entry) for entry in message.get("entries", [])]
        permission = message.get("permission", {}).get("perm")
        return cls(message["owner"], message["group"], message["sticky"], entries, permission)
