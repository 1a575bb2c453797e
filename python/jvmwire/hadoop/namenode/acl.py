"""Who may do what: entries of access control lists, in the words of `hdfs dfs -setfacl`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire.errors import DecodeError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SCOPES = ("ACCESS", "DEFAULT")
TYPES = ("USER", "GROUP", "MASK", "OTHER")
_ACTIONS = (
    "NONE",
    "EXECUTE",
    "WRITE",
    "WRITE_EXECUTE",
    "READ",
    "READ_EXECUTE",
    "READ_WRITE",
    "PERM_ALL",
)


@dataclass(frozen=True, slots=True)
class AclEntry:
    """`AclEntryProto`, in text `default:user:alice:r-x`."""

    type: str
    """USER, GROUP, MASK or OTHER."""
    permissions: int
    """As in a mode: 4 is to read, 2 to write, 1 to execute."""
    name: str | None = None
    """Of a user or a group; None is the owner, or the owning group."""
    scope: str = "ACCESS"
    """ACCESS, or DEFAULT: what new entries of a directory get."""

    def __post_init__(self) -> None:
        if self.type not in TYPES or self.scope not in SCOPES:
            raise ValueError(f"{self.scope}:{self.type} is no entry of an access control list")
        if not 0 <= self.permissions < len(_ACTIONS):
            raise ValueError(f"{self.permissions} are no permissions of an access control list")

    @classmethod
    def parse(cls, text: str) -> AclEntry:
        """Read an entry as `hdfs dfs -getfacl` shows it; without permissions it is to be removed.

        Raises:
            ValueError: it is none.
        """
        head, *rest = text.split(":")
        scope = "ACCESS"
        if head == "default":
            scope, (head, *rest) = "DEFAULT", rest or [""]
        if len(rest) not in (1, 2):
            raise ValueError(f"{text!r} is no entry of an access control list")
        permissions = _permissions(rest[1], text) if len(rest) > 1 else 0
        return cls(head.upper(), permissions, rest[0] or None, scope)

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> AclEntry:
        """Make one of a decoded message.

        Raises:
            DecodeError: it has a value that no Hadoop has had.
        """
        kind, scope, actions = message["type"], message["scope"], message["permissions"]
        if kind not in TYPES or scope not in SCOPES or actions not in _ACTIONS:
            raise DecodeError(
                f"an entry of an access control list has the type {kind}, the scope {scope} and "
                f"the permissions {actions}: expected {', '.join(TYPES)}; {' or '.join(SCOPES)}; "
                f"{', '.join(_ACTIONS)}"
            )
        return cls(kind, _ACTIONS.index(actions), message.get("name") or None, scope)

    def to_fields(self) -> dict[str, Any]:
        """Return the message."""
        return {
            "type": self.type,
            "scope": self.scope,
            "permissions": _ACTIONS[self.permissions],
            "name": self.name,
        }

    def __str__(self) -> str:
        letters = "".join(
            letter if self.permissions & bit else "-"
            for letter, bit in zip("rwx", (4, 2, 1), strict=True)
        )
        entry = f"{self.type.lower()}:{self.name or ''}:{letters}"
        return f"default:{entry}" if self.scope == "DEFAULT" else entry


def _permissions(letters: str, text: str) -> int:
    bits = 0
    for letter, expected, bit in zip(letters, "rwx", (4, 2, 1), strict=False):
        if letter == expected:
            bits |= bit
        elif letter != "-":
            raise ValueError(f"{text!r} is no entry of an access control list")
    if len(letters) != len("rwx"):
        raise ValueError(f"{text!r} is no entry of an access control list")
    return bits


def acl_spec(entries: str | Iterable[AclEntry | str]) -> list[dict[str, Any]]:
    """Return the messages of entries, or of a text that has them between commas."""
    found = entries.split(",") if isinstance(entries, str) else entries
    return [
        (AclEntry.parse(entry.strip()) if isinstance(entry, str) else entry).to_fields()
        for entry in found
    ]


@dataclass(frozen=True, slots=True)
class AclStatus:
    """`AclStatusProto`: the entries beside the permission, which `FileStatus` has."""

    owner: str
    group: str
    sticky: bool
    entries: Sequence[AclEntry]
    permission: int | None = None

    @classmethod
    def from_fields(cls, message: Mapping[str, Any]) -> AclStatus:
        """Make one of a decoded message."""
        entries = [AclEntry.from_fields(entry) for entry in message.get("entries", [])]
        permission = message.get("permission", {}).get("perm")
        return cls(message["owner"], message["group"], message["sticky"], entries, permission)
