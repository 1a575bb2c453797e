"""Enumerations of the NameNode's protocol, whose values are the names on the wire."""

from __future__ import annotations

import enum
from typing import Final, Literal, TypeVar

from jvmwire._checks import suggestion
from jvmwire.errors import ConfigError

ALL_BITS: Final = 0o7777
"""All permission bits, with the sticky bit and those that HDFS ignores."""


class FsAction(enum.StrEnum):
    """Kinds of access to a path: `FsActionProto`."""

    NONE = "NONE"
    EXECUTE = "EXECUTE"
    WRITE = "WRITE"
    WRITE_EXECUTE = "WRITE_EXECUTE"
    READ = "READ"
    READ_EXECUTE = "READ_EXECUTE"
    READ_WRITE = "READ_WRITE"
    PERM_ALL = "PERM_ALL"


FsActionName = Literal[
    "NONE", "EXECUTE", "WRITE", "WRITE_EXECUTE", "READ", "READ_EXECUTE", "READ_WRITE", "PERM_ALL"
]


class AclEntryType(enum.StrEnum):
    """Subjects of an entry of an access control list: `AclEntryTypeProto`."""

    USER = "USER"
    GROUP = "GROUP"
    MASK = "MASK"
    OTHER = "OTHER"


AclEntryTypeName = Literal["USER", "GROUP", "MASK", "OTHER"]


class AclEntryScope(enum.StrEnum):
    """Whether an entry is about a path, or new children of a directory: `AclEntryScopeProto`."""

    ACCESS = "ACCESS"
    DEFAULT = "DEFAULT"


AclEntryScopeName = Literal["ACCESS", "DEFAULT"]


class DatanodeReportType(enum.StrEnum):
    """States of the DataNodes in a report: `DatanodeReportTypeProto`."""

    ALL = "ALL"
    LIVE = "LIVE"
    DEAD = "DEAD"
    DECOMMISSIONING = "DECOMMISSIONING"
    ENTERING_MAINTENANCE = "ENTERING_MAINTENANCE"
    IN_MAINTENANCE = "IN_MAINTENANCE"


DatanodeReportTypeName = Literal[
    "ALL", "LIVE", "DEAD", "DECOMMISSIONING", "ENTERING_MAINTENANCE", "IN_MAINTENANCE"
]


class HAServiceState(enum.StrEnum):
    """High availability state of a NameNode: `HAServiceStateProto`."""

    INITIALIZING = "INITIALIZING"
    ACTIVE = "ACTIVE"
    STANDBY = "STANDBY"
    OBSERVER = "OBSERVER"


class DiffType(enum.StrEnum):
    """Kinds of differences between snapshots: `DiffType` of `SnapshotDiffReport`."""

    CREATE = "CREATE"
    MODIFY = "MODIFY"
    DELETE = "DELETE"
    RENAME = "RENAME"


ChoiceT = TypeVar("ChoiceT", bound=enum.StrEnum)


def choose(kind: type[ChoiceT], name: str, value: str) -> ChoiceT:
    """Return the member of an enumeration that an argument names.

    Args:
        kind: The enumeration.
        name: Name of the argument, for errors.
        value: A member, or its name as a text.

    Returns:
        The member.

    Raises:
        ConfigError: there is no such member.
    """
    try:
        return kind(value)
    except ValueError:
        hint = suggestion(value, kind) if isinstance(value, str) else ""
        raise ConfigError(f"{name} must be one of {', '.join(kind)}, got {value!r}{hint}") from None
