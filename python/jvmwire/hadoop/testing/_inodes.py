"""The files, directories and symbolic links of a namespace in memory."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmwire.hadoop.testing._acls import AclEntry

FILE, DIRECTORY, SYMLINK = "IS_FILE", "IS_DIR", "IS_SYMLINK"
"""Names of `HdfsFileStatusProto.FileType`."""


@dataclass(slots=True, eq=False)
class Inode:
    """File, directory or symbolic link.

    Attributes:
        inode_id: Number that no other inode of the namespace has.
        permission: Permission bits with the sticky bit; with an access control list the bits of the
            group are its mask.
        modified: Time of the last modification in milliseconds since 1970.
        accessed: Time of the last access in milliseconds since 1970; 0 for directories.
        acl: Entries of the access control list, complete and sorted; None if permission bits say
            all.
        xattrs: Values of extended attributes by name with namespace.
        storage_policy: Number of the storage policy; 0 if it is inherited.
    """

    inode_id: int
    name: str
    owner: str
    group: str
    permission: int
    modified: int
    accessed: int = 0
    parent: Directory | None = None
    acl: tuple[AclEntry, ...] | None = None
    xattrs: dict[str, bytes] = field(default_factory=dict)
    storage_policy: int = 0

    @property
    def kind(self) -> str:
        """Name of the type in `HdfsFileStatusProto.FileType`."""
        raise NotImplementedError

    @property
    def count(self) -> int:
        """Number of inodes in the tree of this one, itself included."""
        return 1

    @property
    def replica_bytes(self) -> int:
        """Number of bytes of all replicas of all files in the tree of this inode."""
        return 0

    @property
    def path(self) -> str:
        """The absolute path."""
        if self.parent is None:
            return self.name or "/"
        above = self.parent.path
        return f"{above.rstrip('/')}/{self.name}"

    def ancestors(self) -> Iterator[Directory]:
        """Yield the directories that contain this inode, the closest first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent


@dataclass(slots=True, eq=False)
class File(Inode):
    """File without content, whose length tests may set.

    Attributes:
        length: Number of bytes.
        writer: Client that holds the lease; None if the file is closed.
    """

    length: int = 0
    replication: int = 3
    block_size: int = 128 << 20
    writer: str | None = None

    @property
    def kind(self) -> str:
        return FILE

    @property
    def replica_bytes(self) -> int:
        return self.length * self.replication


@dataclass(slots=True, eq=False)
class Symlink(Inode):
    """Symbolic link.

    Attributes:
        target: The path that it leads to.
    """

    target: str = ""

    @property
    def kind(self) -> str:
        return SYMLINK


@dataclass(slots=True, eq=False)
class Snapshot:
    """Copy of a directory's tree.

    Attributes:
        number: Number of the snapshot in the namespace.
        root: Copy of the directory; its inodes have the numbers of the originals.
        created: Time of the snapshot in milliseconds since 1970.
    """

    number: int
    name: str
    root: Directory
    created: int


@dataclass(slots=True, eq=False)
class Directory(Inode):
    """Directory.

    Attributes:
        children: Inodes by name.
        inodes: Number of inodes in the tree, this one included.
        namespace_quota: Largest number of inodes in the tree; None for no quota.
        space_quota: Largest number of bytes of replicas in the tree; None for no quota.
        type_quotas: Largest number of bytes by storage type.
        ec_policy: Name of the erasure coding policy; None if it is inherited.
        snapshots: Snapshots by name, the oldest first; None if snapshots are not allowed.
    """

    children: dict[str, Inode] = field(default_factory=dict)
    inodes: int = 1
    namespace_quota: int | None = None
    space_quota: int | None = None
    type_quotas: dict[str, int] = field(default_factory=dict)
    ec_policy: str | None = None
    snapshots: dict[str, Snapshot] | None = None

    @property
    def kind(self) -> str:
        return DIRECTORY

    @property
    def count(self) -> int:
        return self.inodes

    @property
    def replica_bytes(self) -> int:
        return sum(inode.replica_bytes for inode in walk(self) if isinstance(inode, File))

    def attach(self, inode: Inode) -> None:
        """Add an inode, and count it in all directories above.

        Args:
            inode: The inode, whose name no child has.
        """
        inode.parent = self
        self.children[inode.name] = inode
        self._count(inode.count)

    def detach(self, inode: Inode) -> None:
        """Remove a child.

        Args:
            inode: The child.
        """
        del self.children[inode.name]
        self._count(-inode.count)
        inode.parent = None

    def _count(self, change: int) -> None:
        self.inodes += change
        for above in self.ancestors():
            above.inodes += change


def walk(top: Inode) -> Iterator[Inode]:
    """Yield an inode and all inodes below it, parents first.

    Args:
        top: The inode.
    """
    waiting = [top]
    while waiting:
        inode = waiting.pop()
        yield inode
        if isinstance(inode, Directory):
            waiting += reversed(inode.children.values())
