"""Access control lists as a NameNode keeps and changes them.

Source: `AclTransformation` and `AclStorage` of `org.apache.hadoop.hdfs.server.namenode`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from jvmwire.hadoop.testing import _java_errors as java

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

SCOPES = ("ACCESS", "DEFAULT")
TYPES = ("USER", "GROUP", "MASK", "OTHER")
ACTIONS = (
    "NONE", "EXECUTE", "WRITE", "WRITE_EXECUTE", "READ", "READ_EXECUTE", "READ_WRITE", "PERM_ALL",
)  # fmt: skip
"""Names of `AclEntryProto.FsActionProto`, by their bits."""
MAX_ENTRIES = 32
"""Largest number of entries of a scope: `AclTransformation.MAX_ENTRIES`."""


@dataclass(frozen=True, slots=True)
class AclEntry:
    """Entry of an access control list.

    Args:
        scope: `ACCESS` or `DEFAULT`.
        kind: `USER`, `GROUP`, `MASK` or `OTHER`.
        name: Name of the user or group; empty for the owner, the file's group, and others.
        bits: The permission, of 3 bits.
    """

    scope: str
    kind: str
    name: str
    bits: int

    @property
    def key(self) -> tuple[str, str, str]:
        """What an entry is about, without its permission."""
        return self.scope, self.kind, self.name

    @property
    def message(self) -> dict[str, Any]:
        """The entry as an `AclEntryProto`."""
        permission = ACTIONS[self.bits]
        entry = {"type": self.kind, "scope": self.scope, "permissions": permission}
        return entry | ({"name": self.name} if self.name else {})


def entries_of(messages: Iterable[Mapping[str, Any]]) -> list[AclEntry]:
    """Return the entries that a request names.

    Args:
        messages: Fields of `AclEntryProto`.

    Returns:
        The entries.

    Raises:
        HadoopError: an entry occurs twice.
    """
    found = [
        AclEntry(
            each["scope"], each["type"], each.get("name", ""), ACTIONS.index(each["permissions"])
        )
        for each in messages
    ]
    if len({entry.key for entry in found}) < len(found):
        raise java.refuse(java.ACL, "Invalid ACL: multiple entries with same scope, type and name.")
    return found


def complete(permission: int, acl: Sequence[AclEntry] | None) -> list[AclEntry]:
    """Return all entries of an inode, also those that permission bits say.

    Args:
        permission: Permission bits.
        acl: Entries of the inode; None if it has no list.

    Returns:
        The entries.
    """
    if acl is not None:
        return list(acl)
    bits = {"USER": permission >> 6 & 7, "GROUP": permission >> 3 & 7, "OTHER": permission & 7}
    return [AclEntry("ACCESS", kind, "", value) for kind, value in bits.items()]


def modified(existing: list[AclEntry], spec: list[AclEntry]) -> list[AclEntry]:
    """Return the entries after those of `spec` were added or took the place of others.

    Args:
        existing: All entries of an inode.
        spec: Entries of a request.

    Returns:
        The entries, complete and sorted.

    Raises:
        HadoopError: the result is not a valid list.
    """
    kept = {entry.key: entry for entry in existing} | {entry.key: entry for entry in spec}
    return _finish(list(kept.values()), spec)


def replaced(existing: list[AclEntry], spec: list[AclEntry]) -> list[AclEntry]:
    """Return the entries after those of `spec` took the place of all others of their scopes.

    Args:
        existing: All entries of an inode.
        spec: Entries of a request.

    Returns:
        The entries, complete and sorted.

    Raises:
        HadoopError: the result is not a valid list.
    """
    scopes = {entry.scope for entry in spec}
    kept = (entry for entry in existing if entry.scope not in scopes)
    return _finish([*kept, *spec], spec)


def without(existing: list[AclEntry], spec: list[AclEntry]) -> list[AclEntry]:
    """Return the entries without those that `spec` names.

    Args:
        existing: All entries of an inode.
        spec: Entries of a request, whose permissions do not matter.

    Returns:
        The entries, complete and sorted.

    Raises:
        HadoopError: the result is not a valid list.
    """
    gone = {entry.key for entry in spec}
    kept = [entry for entry in existing if entry.key not in gone]
    removed = [entry for entry in existing if entry.key in gone]
    return _finish(kept, removed, removes=True)


def without_defaults(existing: list[AclEntry]) -> list[AclEntry]:
    """Return the entries without those of new files.

    Args:
        existing: All entries of an inode.

    Returns:
        The entries of the scope `ACCESS`.
    """
    return [entry for entry in existing if entry.scope == "ACCESS"]


def permission_of(entries: Sequence[AclEntry], special: int) -> int:
    """Return the permission bits that a list implies.

    Args:
        entries: All entries of an inode.
        special: The bits beside the nine: the sticky bit.

    Returns:
        The bits; those of the group are the mask, if there is one.
    """
    by_key = {entry.key: entry.bits for entry in entries}
    group = by_key.get(("ACCESS", "MASK", ""), by_key["ACCESS", "GROUP", ""])
    owner, others = by_key["ACCESS", "USER", ""], by_key["ACCESS", "OTHER", ""]
    return special | owner << 6 | group << 3 | others


def is_minimal(entries: Sequence[AclEntry]) -> bool:
    """Return whether permission bits say all that a list says.

    Args:
        entries: All entries of an inode.

    Returns:
        True if there are only the owner, the group and others.
    """
    return len(entries) == 3


def with_permission(entries: Sequence[AclEntry], permission: int) -> tuple[AclEntry, ...]:
    """Return a list after the permission bits were set: the bits of the group set the mask.

    Args:
        entries: All entries of an inode with a list.
        permission: New permission bits.

    Returns:
        The entries.
    """
    has_mask = any(entry.key == ("ACCESS", "MASK", "") for entry in entries)
    bits = {
        "USER": permission >> 6 & 7,
        "MASK" if has_mask else "GROUP": permission >> 3 & 7,
        "OTHER": permission & 7,
    }
    return tuple(
        replace(entry, bits=bits[entry.kind])
        if entry.scope == "ACCESS" and not entry.name and entry.kind in bits
        else entry
        for entry in entries
    )


def inherited(
    parent: Sequence[AclEntry] | None, mode: int, *, is_directory: bool
) -> list[AclEntry] | None:
    """Return the list of a new inode in a directory.

    Args:
        parent: The list of the directory.
        mode: The permission bits that the client asked for, before its umask.
        is_directory: Whether the new inode is a directory, which inherits the defaults too.

    Returns:
        The entries; None if the directory has no entries for new files.
    """
    defaults = [entry for entry in parent or () if entry.scope == "DEFAULT"]
    if not defaults:
        return None
    has_mask = any(entry.kind == "MASK" for entry in defaults)
    limits = {
        "USER": mode >> 6 & 7,
        "MASK" if has_mask else "GROUP": mode >> 3 & 7,
        "OTHER": mode & 7,
    }
    made = [
        replace(
            entry,
            scope="ACCESS",
            bits=entry.bits & (limits.get(entry.kind, 7) if not entry.name else 7),
        )
        for entry in defaults
    ]
    return [*made, *defaults] if is_directory else made


def _finish(
    entries: list[AclEntry], touched: Sequence[AclEntry], *, removes: bool = False
) -> list[AclEntry]:
    """Complete a changed list: a mask that was not given is made anew where entries changed."""
    entries = _with_owner_defaults(entries)
    scopes = {entry.scope for entry in touched}
    given = {entry.scope for entry in touched if entry.kind == "MASK"}
    for scope in SCOPES:
        inside = [entry for entry in entries if entry.scope == scope]
        masks = [entry for entry in inside if entry.kind == "MASK"]
        is_needed = any(entry.name for entry in inside)
        if scope in given:
            if removes and is_needed:
                raise java.refuse(java.ACL, "Invalid ACL: mask is required and cannot be deleted.")
            continue
        if scope in scopes and (is_needed or masks):
            bits = 0
            for entry in inside:
                if entry.kind == "GROUP" or entry.name:
                    bits |= entry.bits
            entries = [entry for entry in entries if entry not in masks]
            entries.append(AclEntry(scope, "MASK", "", bits))
    _check(entries)
    return sorted(entries, key=lambda e: (SCOPES.index(e.scope), TYPES.index(e.kind), e.name))


def _with_owner_defaults(entries: list[AclEntry]) -> list[AclEntry]:
    """Add the default entries of owner, group and others, from those for access."""
    defaults = {entry.kind for entry in entries if entry.scope == "DEFAULT" and not entry.name}
    if not any(entry.scope == "DEFAULT" for entry in entries):
        return entries
    more = [
        replace(entry, scope="DEFAULT")
        for entry in entries
        if entry.scope == "ACCESS"
        and not entry.name
        and entry.kind != "MASK"
        and entry.kind not in defaults
    ]
    return entries + more


def _check(entries: list[AclEntry]) -> None:
    keys = {entry.key for entry in entries}
    for kind in ("USER", "GROUP", "OTHER"):
        if ("ACCESS", kind, "") not in keys:
            raise java.refuse(
                java.ACL, "Invalid ACL: the user, group and other entries are required."
            )
    for entry in entries:
        if entry.name and entry.kind in ("MASK", "OTHER"):
            raise java.refuse(
                java.ACL, f"Invalid ACL: this entry type must not have a name: {entry.name}."
            )
    for scope in SCOPES:
        count = sum(entry.scope == scope for entry in entries)
        if count > MAX_ENTRIES:
            raise java.refuse(
                java.ACL,
                f"Invalid ACL: ACL has {count} {scope.lower()} entries, which exceeds maximum of "
                f"{MAX_ENTRIES}.",
            )
