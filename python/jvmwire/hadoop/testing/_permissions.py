"""Who may do what in a namespace.

Source: `FSPermissionChecker` of `org.apache.hadoop.hdfs.server.namenode`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.hadoop.testing import _java_errors as java
from jvmwire.hadoop.testing._acls import ACTIONS
from jvmwire.hadoop.testing._inodes import DIRECTORY, Directory, Inode, walk

if TYPE_CHECKING:
    from collections.abc import Iterable

READ, WRITE, EXECUTE = 4, 2, 1
SYMBOLS = (*ACTIONS[:-1], "ALL")
"""Names of `FsAction`, by their bits."""
STICKY = 0o1000


@dataclass(frozen=True, slots=True)
class User:
    """User of a call.

    Args:
        name: The name.
        groups: Names of the groups, the primary group first.
        is_superuser: Whether no permission is checked.
    """

    name: str
    groups: tuple[str, ...]
    is_superuser: bool

    def check_superuser(self) -> None:
        """Refuse a call of the administrator by anyone else.

        Raises:
            HadoopError: the user is not the superuser.
        """
        if not self.is_superuser:
            text = f"Access denied for user {self.name}. Superuser privilege is required"
            raise java.refuse(java.ACCESS_CONTROL, text)

    def check_owner(self, inode: Inode) -> None:
        """Refuse a call of the owner by anyone else.

        Args:
            inode: The inode.

        Raises:
            HadoopError: the user is neither its owner nor the superuser.
        """
        if not self.is_superuser and self.name != inode.owner:
            text = f"Permission denied. user={self.name} is not the owner of inode={inode.path}"
            raise java.refuse(java.ACCESS_CONTROL, text)

    def check(self, inode: Inode, bits: int) -> None:
        """Refuse an access that permissions do not allow.

        Args:
            inode: The inode.
            bits: The access, of 3 bits.

        Raises:
            HadoopError: the user lacks a permission.
        """
        if not self.is_superuser and not self._may(inode, bits):
            raise java.refuse(
                java.ACCESS_CONTROL,
                f"Permission denied: user={self.name}, access={SYMBOLS[bits]}, "
                f'inode="{inode.path}":{inode.owner}:{inode.group}:{symbols(inode)}',
            )

    def check_traverse(self, inodes: Iterable[Inode], *, creates: bool) -> None:
        """Refuse a path through directories that the user must not enter.

        Args:
            inodes: The components above the last one, from the root.
            creates: Whether the last component is about to be made.

        Raises:
            HadoopError: a directory must not be entered, or a component is none.
        """
        for inode in inodes:
            if not isinstance(inode, Directory):
                java_class = java.NOT_A_DIRECTORY if creates else java.ACCESS_CONTROL
                raise java.refuse(java_class, f"{inode.path} (is not a directory)")
            self.check(inode, EXECUTE)

    def check_subtree(self, top: Directory, bits: int, *, may_be_empty: bool = False) -> None:
        """Refuse an access to directories that permissions or sticky bits do not allow.

        Args:
            top: The directory, whose own access is checked too.
            bits: The access, of 3 bits.
            may_be_empty: Whether empty directories need no permission. Default: False.

        Raises:
            HadoopError: the user lacks a permission in the tree.
        """
        if self.is_superuser:
            return
        for inode in walk(top):
            if not isinstance(inode, Directory):
                continue
            if inode.children or not may_be_empty:
                self.check(inode, bits)
            for child in inode.children.values():
                self._check_sticky(inode, child)

    def check_removal(self, inode: Inode) -> None:
        """Refuse the removal of an inode from its directory.

        Args:
            inode: The inode.

        Raises:
            HadoopError: the directory is not writable, or its sticky bit keeps others' files.
        """
        parent = inode.parent
        if parent is None or self.is_superuser:
            return
        self.check(parent, WRITE)
        self._check_sticky(parent, inode)

    def _check_sticky(self, parent: Directory, inode: Inode) -> None:
        if parent.permission & STICKY and self.name not in (parent.owner, inode.owner):
            raise java.refuse(
                java.ACCESS_CONTROL,
                f"Permission denied by sticky bit: user={self.name}, "
                f'path="{inode.path}":{inode.owner}:{inode.group}:{symbols(inode)}, '
                f'parent="{parent.path}":{parent.owner}:{parent.group}:{symbols(parent)}',
            )

    def _may(self, inode: Inode, bits: int) -> bool:
        if self.name == inode.owner:
            return inode.permission >> 6 & bits == bits
        if inode.acl is None:
            shift = 3 if inode.group in self.groups else 0
            return inode.permission >> shift & bits == bits
        mask = inode.permission >> 3 & 7
        is_member = False
        for entry in inode.acl:
            if entry.scope != "ACCESS":
                continue
            if entry.kind == "USER" and entry.name == self.name:
                return entry.bits & mask & bits == bits
            if entry.kind == "GROUP" and (entry.name or inode.group) in self.groups:
                is_member = True
                if entry.bits & mask & bits == bits:
                    return True
        return not is_member and inode.permission & bits == bits


def symbols(inode: Inode) -> str:
    """Return permissions as `ls -l` shows them.

    Args:
        inode: The inode.

    Returns:
        Ten characters, and a plus sign if there is an access control list.
    """
    letters = "".join(
        letter if inode.permission >> (8 - at) & 1 else "-" for at, letter in enumerate("rwx" * 3)
    )
    if inode.permission & STICKY:
        letters = letters[:-1] + ("t" if letters[-1] == "x" else "T")
    kind = "d" if inode.kind == DIRECTORY else "-"
    return kind + letters + ("+" if inode.acl is not None else "")
