"""A NameNode's namespace in memory: directories, files and links, and the calls that change them.

Source: `FSDirMkdirOp`, `FSDirWriteFileOp`, `FSDirRenameOp` and `FSDirDeleteOp` of
`org.apache.hadoop.hdfs.server.namenode`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.hadoop.errors import HadoopError
from jvmwire.hadoop.testing import _java_errors as java
from jvmwire.hadoop.testing._acls import inherited, is_minimal, permission_of
from jvmwire.hadoop.testing._inodes import Directory, File, Inode, Symlink, walk
from jvmwire.hadoop.testing._paths import SNAPSHOTS, check_new, join, split
from jvmwire.hadoop.testing._permissions import EXECUTE, READ, STICKY, WRITE, User

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ROOT_ID = 16385
"""Number of the root: `INodeId.ROOT_INODE_ID`."""
MAX_ENTRIES_OF_DIRECTORY = 1 << 20
"""The default of `dfs.namenode.fs-limits.max-directory-items`."""


@dataclass(slots=True)
class Namespace:
    """Namespace with the owner and the permissions of a fresh NameNode.

    Args:
        superuser: Name of the user whose access is not checked.
        supergroup: Group whose members are superusers too.
        groups: Groups of users by name; a user that is not there has one group of its own name.
        max_inodes: Largest number of inodes, snapshots included.
        clock: Function that returns milliseconds since 1970.
    """

    superuser: str
    supergroup: str
    groups: Mapping[str, Sequence[str]]
    max_inodes: int
    clock: Callable[[], int]
    root: Directory = field(init=False)
    transactions: int = field(default=1, init=False)
    """Number of the last change."""
    copied: int = field(default=0, init=False)
    """Number of inodes in snapshots."""
    _last_id: int = field(default=ROOT_ID, init=False)

    def __post_init__(self) -> None:
        self.root = Directory(
            ROOT_ID, "", self.superuser, self.supergroup, 0o755, self.clock(), snapshots={}
        )

    def user(self, name: str | None) -> User:
        """Return a user with its groups.

        Args:
            name: Name of the user; None for a client that names none.

        Returns:
            The user.
        """
        name = name or "nobody"
        groups = tuple(self.groups.get(name, (name,)))
        if name == self.superuser and name not in self.groups:
            groups = (self.supergroup,)
        return User(name, groups, name == self.superuser or self.supergroup in groups)

    # Paths

    def resolve(self, user: User, path: str, *, creates: bool = False) -> list[Inode | None]:
        """Return the inodes of a path from the root; those that are missing are None.

        Args:
            user: The user, who must be allowed to enter the directories.
            path: The path, which may lead into a snapshot.
            creates: Whether the last component is about to be made. Default: False.

        Returns:
            The inodes, at least the root.

        Raises:
            HadoopError: the path is not valid, a directory must not be entered, or a component
                above the last one is a link.
        """
        parts = split(path)
        if parts[:2] == [".reserved", ".inodes"]:
            parts = self._by_number(parts, path)
        found: list[Inode | None] = [self.root]
        current: Inode | None = self.root
        for at, part in enumerate(parts):
            if isinstance(current, Symlink):
                raise self._link_error(path, current)
            current = self._child(current, part, parts[at - 1] if at else "")
            found.append(current)
        above = (inode for inode in found[:-1] if inode is not None)
        user.check_traverse(above, creates=creates)
        return found

    def _child(self, current: Inode | None, part: str, above: str) -> Inode | None:
        if not isinstance(current, Directory):
            return None
        if part == SNAPSHOTS:
            return current if current.snapshots is not None else None
        if above == SNAPSHOTS:
            snapshot = (current.snapshots or {}).get(part)
            return snapshot.root if snapshot is not None else None
        return current.children.get(part)

    def _by_number(self, parts: list[str], path: str) -> list[str]:
        number = int(parts[2]) if len(parts) > 2 and parts[2].isdecimal() else -1
        inode = next((each for each in walk(self.root) if each.inode_id == number), None)
        if inode is None:
            raise java.refuse(
                java.FILE_NOT_FOUND, f"File for given inode path does not exist: {path}"
            )
        return [*split(inode.path), *parts[3:]]

    def _link_error(self, path: str, link: Symlink) -> Exception:
        return java.refuse(
            java.UNRESOLVED_PATH, f"Unresolved path {path}: {link.path} is a link to {link.target}"
        )

    def find(
        self, user: User, path: str, *, follow: bool = True, creates: bool = False
    ) -> Inode | None:
        """Return the inode at a path.

        Args:
            user: The user.
            path: The path.
            follow: Whether a link at the end of the path is refused, as clients follow links.
                Default: True.
            creates: Whether the last component is about to be made. Default: False.

        Returns:
            The inode; None if there is none.

        Raises:
            HadoopError: the path cannot be resolved.
        """
        inode = self.resolve(user, path, creates=creates)[-1]
        if follow and isinstance(inode, Symlink):
            raise self._link_error(path, inode)
        return inode

    def is_below_file(self, path: str) -> bool:
        """Return whether a component of a path above the last one is a file.

        Args:
            path: The path.

        Returns:
            True if so.
        """
        current: Inode | None = self.root
        for part in split(path):
            if isinstance(current, File):
                return True
            current = current.children.get(part) if isinstance(current, Directory) else None
        return False

    def existing(self, user: User, path: str) -> Inode:
        """Return the inode at a path, which must exist.

        Args:
            user: The user.
            path: The path.

        Returns:
            The inode.

        Raises:
            HadoopError: it does not exist, or the path cannot be resolved.
        """
        inode = self.find(user, path)
        if inode is None:
            raise java.missing(path)
        return inode

    def changeable(self, user: User, path: str) -> Inode:
        """Return the inode at a path, which must exist outside of snapshots.

        Args:
            user: The user.
            path: The path.

        Returns:
            The inode.

        Raises:
            HadoopError: it does not exist, is in a snapshot, or the path cannot be resolved.
        """
        if SNAPSHOTS in split(path):
            raise java.refuse(
                java.SNAPSHOT, f"Modification on a read-only snapshot is disallowed: {path}"
            )
        return self.existing(user, path)

    # Directories and files

    def mkdirs(
        self, user: User, path: str, permission: int, unmasked: int, *, create_parent: bool = True
    ) -> Directory:
        """Create a directory, and those above it that are missing.

        Args:
            user: The user.
            path: The path.
            permission: Permission bits.
            unmasked: Permission bits before the umask of the client, for inherited lists.
            create_parent: Whether to create the directories above. Default: True.

        Returns:
            The directory, which may have been there.

        Raises:
            HadoopError: a component is a file, or the user lacks a permission.
        """
        parts = check_new(path)
        inodes = self.resolve(user, path, creates=True)
        last = inodes[-1]
        if isinstance(last, Directory):
            return last
        if last is not None:
            raise java.refuse(java.FILE_EXISTS, f"Path is not a directory: {path}")
        self.check_ancestor(user, inodes)
        if not create_parent and not isinstance(inodes[-2], Directory):
            parent = join(parts[:-1])
            raise java.refuse(java.FILE_NOT_FOUND, f"Parent directory doesn't exist: {parent}")
        return self._make_directories(user, parts, permission, unmasked)

    def check_ancestor(self, user: User, inodes: list[Inode | None]) -> None:
        """Refuse a change by a user who must not write to the last directory that exists.

        Args:
            user: The user.
            inodes: The inodes of a path.

        Raises:
            HadoopError: the user lacks the permission.
        """
        user.check(next(each for each in reversed(inodes[:-1]) if each is not None), WRITE)

    def _make_directories(
        self, user: User, parts: list[str], permission: int | None, unmasked: int
    ) -> Directory:
        """Make what is missing of a path; without a permission, with that of the one above."""
        current = self.root
        for at, part in enumerate(parts):
            child = current.children.get(part)
            if child is None:
                # The directories above the wanted one are at least writable for their owner.
                more = 0o300 if permission is None or at < len(parts) - 1 else 0
                bits = (current.permission if permission is None else permission) | more
                if more:
                    bits &= ~STICKY
                made = Directory(
                    self._next_id(), part, user.name, current.group, bits, self.clock()
                )
                self.add(current, made, bits if permission is None else unmasked)
                current = made
            elif isinstance(child, Directory):
                current = child
            else:
                text = f"{child.path} (is not a directory)"
                raise java.refuse(java.NOT_A_DIRECTORY, text)
        return current

    def create(
        self,
        user: User,
        path: str,
        *,
        permission: int,
        unmasked: int,
        replication: int,
        block_size: int,
        writer: str | None = None,
        overwrite: bool = False,
        create_parent: bool = True,
    ) -> File:
        """Create an empty file.

        Args:
            user: The user.
            path: The path.
            permission: Permission bits.
            unmasked: Permission bits before the umask of the client, for inherited lists.
            replication: Number of replicas.
            block_size: Bytes of a block.
            writer: Client that holds the lease until it completes the file. Default: None.
            overwrite: Whether to replace a file. Default: False.
            create_parent: Whether to create the directories above. Default: True.

        Returns:
            The file.

        Raises:
            HadoopError: the path exists or is no path, or the user lacks a permission.
        """
        parts = check_new(path)
        inodes = self.resolve(user, path, creates=True)
        last = inodes[-1]
        self.check_ancestor(user, inodes)
        if isinstance(last, Directory):
            raise java.refuse(java.FILE_EXISTS, f"{path} already exists as a directory")
        if last is not None and overwrite:
            user.check(last, WRITE)
        if last is not None and not overwrite:
            self._check_not_open(last, path)
            raise java.refuse(java.FILE_EXISTS, f"{path} already exists")
        if last is not None:
            self.remove(last)
        if not create_parent and inodes[-2] is None:
            parent = join(parts[:-1])
            raise java.refuse(java.FILE_NOT_FOUND, f"Parent directory doesn't exist: {parent}")
        parent_directory = self._make_directories(user, parts[:-1], None, 0o777)
        now = self.clock()
        made = File(
            *(self._next_id(), parts[-1], user.name, parent_directory.group, permission, now, now),
            replication=replication,
            block_size=block_size,
            writer=writer,
        )
        self.add(parent_directory, made, unmasked)
        return made

    def _check_not_open(self, inode: Inode, path: str) -> None:
        if isinstance(inode, File) and inode.writer is not None:
            text = f"Failed to CREATE_FILE {path} because the lease of {inode.writer} is current"
            raise java.refuse(java.ALREADY_BEING_CREATED, text)

    def symlink(self, user: User, target: str, link: str, *, create_parent: bool) -> Symlink:
        """Create a symbolic link.

        Args:
            user: The user.
            target: The path that it leads to.
            link: The path of the link.
            create_parent: Whether to create the directories above.

        Returns:
            The link.

        Raises:
            HadoopError: the path of the link exists, or the user lacks a permission.
        """
        parts = check_new(link)
        inodes = self.resolve(user, link, creates=True)
        if inodes[-1] is not None:
            raise java.refuse(java.FILE_EXISTS, f"failed to create link {link}: it exists")
        if not create_parent:
            self.existing(user, join(parts[:-1]))
        self.check_ancestor(user, inodes)
        parent = self._make_directories(user, parts[:-1], None, 0o777)
        now = self.clock()
        made = Symlink(
            *(self._next_id(), parts[-1], user.name, parent.group, 0o777, now, now), target=target
        )
        self.add(parent, made, 0o777)
        return made

    def add(self, parent: Directory, inode: Inode, unmasked: int) -> None:
        """Add a new inode to a directory, with the list that it inherits.

        Args:
            parent: The directory.
            inode: The inode.
            unmasked: Permission bits before the umask of the client.

        Raises:
            HadoopError: a limit or a quota would be exceeded.
        """
        self.reserve(1)
        self.check_quota(parent, 1, inode.replica_bytes)
        if len(parent.children) >= MAX_ENTRIES_OF_DIRECTORY:
            text = (
                f"The directory item limit of {parent.path} is exceeded: "
                f"limit={MAX_ENTRIES_OF_DIRECTORY} items={len(parent.children) + 1}"
            )
            raise java.refuse(java.MAX_ITEMS, text)
        if not isinstance(inode, Symlink):
            self._inherit(parent, inode, unmasked)
        parent.attach(inode)
        parent.modified = inode.modified
        self.changed()

    def _inherit(self, parent: Directory, inode: Inode, unmasked: int) -> None:
        entries = inherited(parent.acl, unmasked, is_directory=isinstance(inode, Directory))
        if entries is None:
            return
        inode.permission = permission_of(entries, unmasked & STICKY)
        inode.acl = None if is_minimal(entries) else tuple(entries)

    def remove(self, inode: Inode) -> None:
        """Remove an inode from its directory.

        Args:
            inode: The inode.
        """
        parent = inode.parent
        if parent is not None:
            parent.detach(inode)
            parent.modified = self.clock()
        self.changed()

    def delete(self, user: User, path: str, *, recursive: bool) -> bool:
        """Delete a file, a link or a directory.

        Args:
            user: The user.
            path: The path.
            recursive: Whether a directory may have entries.

        Returns:
            Whether it existed.

        Raises:
            HadoopError: the directory has entries or snapshots, or the user lacks a permission.
        """
        if SNAPSHOTS in split(path):
            text = f"Modification on a read-only snapshot is disallowed: {path}"
            raise java.refuse(java.SNAPSHOT, text)
        inodes = self.resolve(user, path)
        inode = inodes[-1]
        if inode is self.root:
            return False
        if inode is None:
            self._check_missing(user, inodes)
            return False
        user.check_removal(inode)
        if isinstance(inode, Directory):
            self._check_subtree(user, inode)
            if inode.children and not recursive:
                text = f"{path} is non empty': Directory is not empty"
                raise java.refuse(java.NOT_EMPTY, text)
        self.remove(inode)
        return True

    def _check_subtree(self, user: User, top: Directory) -> None:
        for inode in walk(top):
            if isinstance(inode, Directory) and inode.snapshots and inode is not self.root:
                raise java.refuse(
                    java.SNAPSHOT,
                    f"The directory {inode.path} cannot be deleted since {inode.path} is "
                    "snapshottable and already has snapshots",
                )
        user.check_subtree(top, READ | WRITE | EXECUTE, may_be_empty=True)

    # Renames

    def move(self, user: User, source: str, target: str) -> bool:
        """Rename, or move into an existing directory; tell failures by False.

        Args:
            user: The user.
            source: The path.
            target: The new path, or the directory to move into.

        Returns:
            Whether it was renamed.

        Raises:
            HadoopError: the user lacks a permission, or a path is not valid.
        """
        inodes = self.resolve(user, source)
        there = self.find(user, target, follow=False, creates=True)
        if isinstance(there, Directory) and split(source):
            target = f"{target.rstrip('/')}/{split(source)[-1]}"
        parts = check_new(target)
        targets = self.resolve(user, target, creates=True)
        self._check_rename(user, inodes, targets)
        inode, parent = inodes[-1], targets[-2] if parts else None
        if inode is not None and inode is targets[-1]:
            return True
        if inode is None or inode is self.root or targets[-1] is not None:
            return False
        if not isinstance(parent, Directory) or _is_within(parent, inode):
            return False
        self._rename(inode, parent, parts[-1])
        return True

    def _check_rename(
        self, user: User, source: list[Inode | None], target: list[Inode | None]
    ) -> None:
        if source[-1] is not None:
            user.check_removal(source[-1])
        else:
            self._check_missing(user, source)
        self.check_ancestor(user, target)

    def _check_missing(self, user: User, inodes: list[Inode | None]) -> None:
        """Refuse a removal of what is not there by a user who must not write to its directory."""
        above = inodes[-2] if len(inodes) > 1 else None
        if above is not None:
            user.check(above, WRITE)

    def rename(self, user: User, source: str, target: str, *, overwrite: bool) -> None:
        """Rename; tell failures by exceptions.

        Args:
            user: The user.
            source: The path.
            target: The new path.
            overwrite: Whether to replace a file or an empty directory at the new path.

        Raises:
            HadoopError: the rename is not possible.
        """
        inodes = self.resolve(user, source)
        parts = check_new(target)
        targets = self.resolve(user, target, creates=True)
        if not parts:
            raise java.refuse(java.IO, "rename destination cannot be the root")
        self._check_rename(user, inodes, targets)
        inode, parent, there = inodes[-1], targets[-2], targets[-1]
        if inode is None:
            raise java.refuse(java.FILE_NOT_FOUND, f"rename source {source} is not found.")
        if inode is self.root:
            raise java.refuse(java.IO, "rename source cannot be the root")
        if there is inode:
            text = f"The source {source} and destination {target} are the same"
            raise java.refuse(java.FILE_EXISTS, text)
        if inode in targets[:-1]:
            text = f"Rename destination {target} is a directory or file under source {source}"
            raise java.refuse(java.IO, text)
        if there is not None:
            self._check_replaceable(inode, there, source, target, overwrite=overwrite)
        if parent is None:
            text = f"rename destination parent {target} not found."
            raise java.refuse(java.FILE_NOT_FOUND, text)
        if not isinstance(parent, Directory):
            text = f"rename destination parent {target} is a file."
            raise java.refuse(java.NOT_A_DIRECTORY, text)
        if there is not None:
            parent.detach(there)
        try:
            self._rename(inode, parent, parts[-1])
        except HadoopError:  # a quota
            if there is not None:
                parent.attach(there)
            raise

    def _check_replaceable(
        self, inode: Inode, there: Inode, source: str, target: str, *, overwrite: bool
    ) -> None:
        if isinstance(there, Directory) != isinstance(inode, Directory):
            text = f"Source {source} and destination {target} must both be directories or files"
            raise java.refuse(java.IO, text)
        if not overwrite:
            text = f"rename destination {target} already exists"
            raise java.refuse(java.FILE_EXISTS, text)
        if isinstance(there, Directory) and there.children:
            text = f"rename destination directory is not empty: {target}"
            raise java.refuse(java.IO, text)

    def _rename(self, inode: Inode, parent: Directory, name: str) -> None:
        before = inode.parent
        if before is not None:
            shared = {id(parent), *map(id, parent.ancestors())}
            gone = {id(before), *map(id, before.ancestors())}
            self.check_quota(parent, inode.count, inode.replica_bytes, except_for=shared & gone)
            before.detach(inode)
            before.modified = self.clock()
        inode.name = name
        parent.attach(inode)
        parent.modified = self.clock()
        self.changed()

    # Limits

    def reserve(self, count: int) -> None:
        """Refuse more inodes than the limit.

        Args:
            count: Number of inodes to add.

        Raises:
            HadoopError: there would be too many.
        """
        total = self.root.inodes + self.copied + count
        if total > self.max_inodes:
            text = f"the double of a NameNode keeps at most {self.max_inodes} inodes, got {total}"
            raise java.refuse(java.IO, text)

    def check_quota(
        self,
        parent: Directory,
        count: int,
        replica_bytes: int,
        *,
        except_for: set[int] | None = None,
    ) -> None:
        """Refuse an addition that exceeds a quota.

        Args:
            parent: The directory that is added to.
            count: Number of inodes to add.
            replica_bytes: Bytes of replicas to add.
            except_for: Identities of directories whose tree has them already. Default: none.

        Raises:
            HadoopError: a quota of a directory would be exceeded.
        """
        for each in (parent, *parent.ancestors()):
            if except_for and id(each) in except_for:
                continue
            quota = each.namespace_quota
            if quota is not None and each.inodes + count > quota:
                text = (
                    "The NameSpace quota (directories and files) of directory "
                    f"{each.path} is exceeded: quota={quota} file count={each.inodes + count}"
                )
                raise java.refuse(java.NAMESPACE_QUOTA, text)
            quota = each.space_quota
            if quota is not None and replica_bytes and each.replica_bytes + replica_bytes > quota:
                text = (
                    f"The DiskSpace quota of {each.path} is exceeded: quota = {quota} B but "
                    f"diskspace consumed = {each.replica_bytes + replica_bytes} B"
                )
                raise java.refuse(java.SPACE_QUOTA, text)

    def changed(self) -> None:
        """Count a change of the namespace."""
        self.transactions += 1

    def _next_id(self) -> int:
        self._last_id += 1
        return self._last_id


def _is_within(inode: Inode, top: Inode) -> bool:
    return inode is top or any(above is top for above in inode.ancestors())
