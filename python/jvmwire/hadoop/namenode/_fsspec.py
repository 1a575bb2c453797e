"""fsspec file system of HDFS's metadata, without access to the bytes of files."""

from __future__ import annotations

import time
import warnings
import weakref
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote

from jvmwire._escaping import hide_password, shorten
from jvmwire.errors import ConfigError, MissingExtra
from jvmwire.hadoop._options import NAMENODE_PORT, HadoopOptions
from jvmwire.hadoop.errors import (
    AccessDenied,
    FileNotFound,
    HadoopError,
    InvalidListing,
    MetadataOnly,
)
from jvmwire.hadoop.namenode._client import NameNode
from jvmwire.hadoop.namenode._paths import split_user
from jvmwire.hadoop.namenode._status import FileType
from jvmwire.hadoop.namenode._traversal import MAX_DEPTH, MAX_PATH
from jvmwire.transports import Tcp

try:
    from fsspec import AbstractFileSystem
except ImportError as error:
    raise MissingExtra("this needs fsspec: pip install 'jvmwire[fsspec]'") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from jvmwire.hadoop.namenode._status import FileStatus

_KINDS = {FileType.DIRECTORY: "directory", FileType.FILE: "file", FileType.SYMLINK: "link"}


class HdfsMetadata(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no types
    """fsspec file system of HDFS metadata: `jvmwire-hdfs://user@host:port/path`.

    It lists, searches, creates, renames and deletes files and directories; it does not read or
    write their bytes.

    Args:
        host: Host of the NameNode, or a name service. Default: `fs.defaultFS` of the configuration.
        port: Port of the NameNode. If both host and port are given, the configuration in
            `HADOOP_CONF_DIR` is not read.
        **options: Fields of `HadoopOptions`, and options of fsspec.

    Raises:
        ConfigError: the configuration names no NameNode, or one of its settings is invalid.
    """

    protocol = "jvmwire-hdfs"
    root_marker = "/"

    def __init__(self, host: str | None = None, port: int | None = None, **options: Any) -> None:
        known = {name: value for name, value in options.items() if name in _OPTIONS}
        super().__init__(**{name: value for name, value in options.items() if name not in known})
        if host is None or port is None:
            owner = f"{quote(known['user'], safe='')}@" if "user" in known else ""
            url = None if host is None else f"hdfs://{owner}{f'[{host}]' if ':' in host else host}"
            self._client = NameNode.from_configuration(url, **known)
        else:
            self._client = NameNode(Tcp(host, port), HadoopOptions(**known))
        # fsspec caches file systems for the life of the process, and closes none of them.
        weakref.finalize(self, self._client._close_soon)

    @classmethod
    def _strip_protocol(cls, path: Any) -> Any:
        if isinstance(path, list):
            return [cls._strip_protocol(one) for one in path]
        text = str(path)
        if "://" in text:
            text = "/" + text.partition("://")[2].partition("/")[2]
        return "/" + text.strip("/")

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, Any]:
        scheme, separator, rest = path.partition("://")
        user, host = split_user(rest.partition("/")[0] if separator else "")
        found: dict[str, Any] = {}
        if host:
            # A name service may contain underscores and capitals; `urlsplit` lowercases hosts.
            server, why = None, f"{shorten(hide_password(path))}: expected a host and a port"
            try:
                server = Tcp.parse(host, default_port=NAMENODE_PORT)
            except ConfigError as error:
                if hide_password(path) == path:
                    why = f"{scheme}://{host}: {error}"
            if server is None:  # with no cause, which shows the host
                raise ConfigError(why)
            found["host"] = server.host
            if host.removesuffix(f":{server.port}") != host:
                found["port"] = server.port
        if user is not None:
            found["user"] = user
        return found

    # Reads.

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Return the status of a path in the form of fsspec, with the further fields of HDFS.

        Args:
            path: Path or URL of a file or directory.

        Returns:
            `name`, `size` (bytes), `type`, and the fields of HDFS: `mode`, `owner`, `group`,
            `modified`, `accessed`, `ino`, `replication`, `block_size`, and `destination` for a
            symbolic link.

        Raises:
            FileNotFound: the path does not exist.
        """
        path = self._strip_protocol(path)
        status = self._client.get_file_info(path)
        if status is None:
            raise FileNotFound(f"{path} does not exist")
        return _info(status)

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:  # noqa: FBT001, FBT002
        """Return the entries of a directory, or a file itself.

        Args:
            path: Path or URL of a file or directory.
            detail: Whether to return dicts in the form of `info` rather than paths. Default: True.

        Returns:
            One item per entry.

        Raises:
            FileNotFound: the path does not exist.
        """
        listed = self._client.list_directory(self._strip_protocol(path))
        return [_info(status) if detail else status.path for status in listed]

    def find(
        self,
        path: str,
        maxdepth: int | None = None,
        withdirs: bool = False,  # noqa: FBT001, FBT002
        detail: bool = False,  # noqa: FBT001, FBT002
        **options: Any,
    ) -> Any:
        """Return the files below a path; many directories are listed concurrently.

        `glob` uses this method too, and so does `du` unless it returns the sum of a whole tree.

        Args:
            path: Path or URL of a file or directory.
            maxdepth: Number of levels to descend. Default: no limit.
            withdirs: Whether to include directories. Default: False.
            detail: Whether to return a dict of `info` by path rather than paths. Default: False.
            **options: `on_error` as in `walk`. By default, unreadable directories below the path
                are omitted with a warning in the log. Other errors are raised, except about paths
                that were deleted meanwhile.

        Returns:
            The paths in order, or the dict.
        """
        on_error = options.get("on_error", "omit")
        if maxdepth is not None:
            if on_error == "omit":
                options["on_error"] = _omit
            return super().find(path, maxdepth, withdirs, detail, **options)
        path = self._strip_protocol(path)
        top = self._client.get_file_info(path)
        if top is None:
            return {} if detail else []

        left_out: list[str] = []

        def judge(denied: str, error: HadoopError) -> None:
            if on_error == "raise" or denied == path or not isinstance(error, AccessDenied):
                raise error
            if callable(on_error):
                on_error(error)
            else:
                left_out.append(f"{denied} is left out: {error}")

        below = (
            list(self._client.list_recursively(path, on_error=judge)) if top.is_directory else []
        )
        for said in left_out:
            warnings.warn(said, UserWarning, stacklevel=2)
        if withdirs or not top.is_directory:
            below.append(top)
        found = {
            status.path: _info(status) for status in below if withdirs or not status.is_directory
        }
        return {name: found[name] for name in sorted(found)} if detail else sorted(found)

    def walk(
        self,
        path: str,
        maxdepth: int | None = None,
        topdown: bool = True,  # noqa: FBT001, FBT002
        on_error: str | Callable[[OSError], Any] = "omit",
        **options: Any,
    ) -> Iterator[tuple[str, Any, Any]]:
        """Yield each directory from a path on, with its directories and files by name.

        It replaces the recursive `walk` of fsspec, since HDFS allows about 1,000 levels.

        Args:
            path: Path or URL of a directory.
            maxdepth: Number of levels to descend. Default: no limit.
            topdown: Whether a directory comes before its children, which the caller may then prune
                as with `os.walk`. Default: True.
            on_error: "omit", "raise", or a function that is called with the error of each directory
                that cannot be listed. Default: "omit".
            **options: `detail=True` yields dicts of `info` by name rather than lists of names.

        Yields:
            The path, its directories, and its files.

        Raises:
            ValueError: `maxdepth` is less than 1.
            InvalidListing: directories are nested deeper than HDFS allows.
        """
        if maxdepth is not None and maxdepth < 1:
            raise ValueError("maxdepth must be at least 1")
        detail = options.pop("detail", False)
        path = self._strip_protocol(path)
        # Directories still to list, and the rows that `topdown=False` yields at the end.
        left = [(path, 1)]
        kept: list[tuple[str, Any, Any]] = []
        while left:
            at, level = left.pop()
            if level > MAX_DEPTH or len(at) > MAX_PATH:
                raise InvalidListing(
                    f"{shorten(at)}: more than {MAX_DEPTH:,} levels or {MAX_PATH:,} characters: "
                    f"does the directory contain itself?"
                )
            try:
                listed = self.ls(at, detail=True, **options)
            except (FileNotFoundError, OSError) as error:
                if on_error == "raise":
                    raise
                if callable(on_error):
                    on_error(error)
                continue
            dirs = {_name(info): info for info in listed if info["type"] == "directory"}
            # As in fsspec, the listing of a file is the file itself.
            files = {
                "" if info["name"] == at else _name(info): info
                for info in listed
                if info["type"] != "directory"
            }
            row = (at, dirs if detail else list(dirs), files if detail else list(files))
            if topdown:
                yield row
            else:
                kept.append(row)
            # The caller may remove directories from the row, as with `os.walk`.
            if maxdepth is None or level < maxdepth:
                below = [(f"{at.rstrip('/')}/{name}", level + 1) for name in row[1]]
                left += reversed(below) if topdown else below
        yield from reversed(kept)

    def du(self, path: str, total: bool = True, **options: Any) -> Any:  # noqa: FBT001, FBT002
        """Return the size of files in bytes: the sum below a path, or the size of each.

        Args:
            path: Path or URL of a file or directory.
            total: Whether to return the sum. Default: True.
            **options: Options of fsspec, such as `maxdepth`.

        Returns:
            The sum, or a dict of sizes by path.
        """
        if not total or options.get("maxdepth") is not None or options.get("withdirs"):
            return super().du(path, total, **options)
        return self._client.get_content_summary(self._strip_protocol(path)).length

    def created(self, path: str) -> NoReturn:
        """Raise `MetadataOnly`: HDFS does not record creation times.

        Args:
            path: Path or URL of a file or directory.

        Raises:
            MetadataOnly: always.
        """
        raise MetadataOnly(f"HDFS does not note when {path} was created, but when it was modified")

    def modified(self, path: str) -> datetime:
        """Return the modification time of a file or directory.

        Args:
            path: Path or URL of a file or directory.

        Returns:
            The time in UTC.

        Raises:
            FileNotFound: the path does not exist.
        """
        modified: datetime = self.info(path)["modified"]
        return modified

    # Changes.

    def mkdir(self, path: str, create_parents: bool = True, **_: Any) -> None:  # noqa: FBT001, FBT002
        """Create a directory that does not exist yet.

        Args:
            path: Path or URL of the directory.
            create_parents: Whether to create missing parents. Default: True.

        Raises:
            FileExistsError: the path exists.
        """
        path = self._strip_protocol(path)
        if self._client.get_file_info(path) is not None:
            raise FileExistsError(path)
        self._client.mkdirs(path, create_parent=create_parents)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:  # noqa: FBT001, FBT002
        """Create a directory and its missing parents.

        Args:
            path: Path or URL of the directory.
            exist_ok: Whether the directory may exist already. Default: False.

        Raises:
            FileExistsError: the path exists, and `exist_ok` is False.
        """
        path = self._strip_protocol(path)
        if not exist_ok and self._client.get_file_info(path) is not None:
            raise FileExistsError(path)
        self._client.mkdirs(path)

    def rmdir(self, path: str) -> None:
        """Delete an empty directory.

        Args:
            path: Path or URL of the directory.

        Raises:
            FileNotFound: the path does not exist.
            DirectoryNotEmpty: the directory has entries.
        """
        self._delete(self._strip_protocol(path), recursive=False)

    def rm_file(self, path: str) -> None:
        """Delete a file.

        Args:
            path: Path or URL of the file.

        Raises:
            FileNotFound: the path does not exist.
        """
        self._delete(self._strip_protocol(path), recursive=False)

    def rm(self, path: Any, recursive: bool = False, maxdepth: int | None = None) -> None:  # noqa: FBT001, FBT002
        """Delete files, or directories with all their entries.

        Args:
            path: Path, URL or pattern, or a list of them.
            recursive: Whether to delete directories with their entries. Default: False.
            maxdepth: Number of levels to descend. Default: no limit.

        Raises:
            FileNotFound: a path does not exist.
            DirectoryNotEmpty: a directory has entries, and `recursive` is False.
        """
        for one in path if isinstance(path, list) else [path]:
            if maxdepth is None and not any(letter in one for letter in "*?["):
                self._delete(self._strip_protocol(one), recursive=recursive)
            else:
                super().rm(one, recursive=recursive, maxdepth=maxdepth)

    def _delete(self, path: str, *, recursive: bool) -> None:
        if not self._client.delete(path, recursive=recursive):
            raise FileNotFound(f"{path} does not exist")

    def mv(self, path1: str, path2: str, **_: Any) -> None:
        """Rename a file or directory.

        Args:
            path1: Path or URL of the file or directory.
            path2: New path.

        Raises:
            AlreadyExists: `path2` exists.
            FileNotFound: `path1` does not exist.
        """
        self._client.rename(self._strip_protocol(path1), self._strip_protocol(path2))

    def touch(self, path: str, truncate: bool = True, **_: Any) -> None:  # noqa: FBT001, FBT002
        """Create an empty file, or update the modification time of an existing one.

        Args:
            path: Path or URL of the file.
            truncate: Whether to replace an existing file by an empty one. Default: True.
        """
        path = self._strip_protocol(path)
        status = None if truncate else self._client.get_file_info(path)
        if status is None:
            self._client.create(path, overwrite=truncate)
        else:
            self._client.set_times(path, modified=int(time.time() * 1000))

    # Operations that this file system does not support.

    def _open(self, path: str, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise MetadataOnly(
            f"{path} cannot be opened: jvmwire-hdfs knows names, sizes and times, "
            f"and does not transfer the bytes of files"
        )

    def cp_file(self, path1: str, path2: str, **_: Any) -> NoReturn:
        """Raise `MetadataOnly`: HDFS copies by reading and writing the bytes.

        Args:
            path1: Path or URL of the file.
            path2: Path of the copy.

        Raises:
            MetadataOnly: always.
        """
        raise MetadataOnly(
            f"{path1} is not copied to {path2}: jvmwire-hdfs does not transfer the bytes of files"
        )

    cat_file = get_file = put_file = pipe_file = _open


_OPTIONS = frozenset(HadoopOptions.__dataclass_fields__)


def _name(info: dict[str, Any]) -> str:
    name: str = info["name"]
    return name.rpartition("/")[2]


def _omit(error: OSError) -> None:
    """Warn about a directory that may not be read, and ignore one that is gone.

    Raises:
        OSError: the directory cannot be listed for another reason.
    """
    if isinstance(error, AccessDenied):
        warnings.warn(f"a directory is left out: {error}", UserWarning, stacklevel=2)
    elif not isinstance(error, FileNotFoundError):
        raise error


def _info(status: FileStatus) -> dict[str, Any]:
    return {
        "name": status.path,
        "size": status.length,
        "type": _KINDS[status.file_type],
        "mode": status.permission,
        "owner": status.owner,
        "group": status.group,
        "modified": status.modified,
        "accessed": status.accessed,
        "ino": status.file_id,
        "replication": status.block_replication,
        "block_size": status.block_size,
        **({"destination": status.symlink} if status.symlink else {}),
    }
