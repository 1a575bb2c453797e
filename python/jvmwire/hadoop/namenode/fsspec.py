"""An fsspec filesystem of HDFS's metadata: all but the bytes of files."""

from __future__ import annotations

import time
import weakref
from typing import TYPE_CHECKING, Any, NoReturn
from urllib.parse import quote

from jvmwire.errors import ConfigError, JvmWireError, MissingExtra
from jvmwire.escaping import get_logger, shorten
from jvmwire.hadoop.config_mapping import NAMENODE_PORT
from jvmwire.hadoop.errors import AccessDenied, FileNotFound, HadoopError, InvalidListing
from jvmwire.hadoop.namenode.client import NameNode
from jvmwire.hadoop.namenode.paths import split_user
from jvmwire.hadoop.namenode.status import FileType
from jvmwire.hadoop.namenode.traversal import MAX_DEPTH, MAX_PATH
from jvmwire.hadoop.options import HadoopOptions
from jvmwire.transports import Tcp

try:
    from fsspec import AbstractFileSystem
except ImportError as error:
    raise MissingExtra("this needs fsspec: pip install 'jvmwire[fsspec]'") from error

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from jvmwire.hadoop.namenode.status import FileStatus

_log = get_logger("jvmwire.hadoop")

_KINDS = {FileType.DIRECTORY: "directory", FileType.FILE: "file", FileType.SYMLINK: "link"}


class MetadataOnly(JvmWireError, NotImplementedError):
    """The bytes of files are asked for, which DataNodes have: this file system has no way there."""


class HdfsMetadata(AbstractFileSystem):  # type: ignore[misc]  # fsspec has no types
    """`jvmwire-hdfs://user@host:port/path`: listed, searched, made, renamed, deleted, not read.

    Without a host, `HADOOP_CONF_DIR` says who is called; with one and a port, nothing else does.
    `options` are those of `HadoopOptions`.
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
        # fsspec keeps file systems for as long as the process lives, and closes none.
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
            # A name service may have an underscore and capitals; no host of `urlsplit` has.
            try:
                server = Tcp.parse(host, default_port=NAMENODE_PORT)
            except ConfigError as error:
                raise ConfigError(f"{scheme}://{host}: {error}") from None
            found["host"] = server.host
            if host.removesuffix(f":{server.port}") != host:
                found["port"] = server.port
        if user is not None:
            found["user"] = user
        return found

    # What is there.

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """Return what stands at a path, as fsspec has it, and what HDFS knows besides."""
        path = self._strip_protocol(path)
        status = self._client.get_file_info(path)
        if status is None:
            raise FileNotFound(f"{path} does not exist")
        return _info(status)

    def ls(self, path: str, detail: bool = True, **_: Any) -> list[Any]:  # noqa: FBT001, FBT002
        """Return what is in a directory, or the file itself."""
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
        """Return the files below a path; many directories are asked for at once.

        `on_error` is that of `walk`: by default, directories below the path that may not be read
        are left out, and a warning is logged for each. Other errors are raised, but for what is
        gone meanwhile. `glob` and `du` go by it too.
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

        def judge(denied: str, error: HadoopError) -> None:
            if on_error == "raise" or denied == path or not isinstance(error, AccessDenied):
                raise error
            if callable(on_error):
                on_error(error)
            else:
                _log.warning("%s is left out: %s", denied, error)

        below = (
            list(self._client.list_recursively(path, on_error=judge)) if top.is_directory else []
        )
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
        """Yield each directory from `path` on, with its directories and files by name.

        fsspec's own calls itself for each level; HDFS allows about 1,000.
        """
        if maxdepth is not None and maxdepth < 1:
            raise ValueError("maxdepth must be at least 1")
        detail = options.pop("detail", False)
        path = self._strip_protocol(path)
        # Directories on the way down, and their rows, which come last with `topdown=False`.
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
            # What is listed for a file is the file itself, as in fsspec.
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
            # Whoever walks may take directories out of the row, as with `os.walk`.
            if maxdepth is None or level < maxdepth:
                below = [(f"{at.rstrip('/')}/{name}", level + 1) for name in row[1]]
                left += reversed(below) if topdown else below
        yield from reversed(kept)

    def du(self, path: str, total: bool = True, **options: Any) -> Any:  # noqa: FBT001, FBT002
        """Return how many bytes files have: all below a path, or each."""
        if not total or options.get("maxdepth") is not None or options.get("withdirs"):
            return super().du(path, total, **options)
        return self._client.get_content_summary(self._strip_protocol(path)).length

    def created(self, path: str) -> NoReturn:
        """Refuse: HDFS does not note it."""
        raise MetadataOnly(f"HDFS does not note when {path} was created, but when it was modified")

    def modified(self, path: str) -> datetime:
        """Return when a file was last written to."""
        modified: datetime = self.info(path)["modified"]
        return modified

    # What is changed.

    def mkdir(self, path: str, create_parents: bool = True, **_: Any) -> None:  # noqa: FBT001, FBT002
        """Make a directory that is not there yet."""
        path = self._strip_protocol(path)
        if self._client.get_file_info(path) is not None:
            raise FileExistsError(path)
        self._client.mkdirs(path, create_parent=create_parents)

    def makedirs(self, path: str, exist_ok: bool = False) -> None:  # noqa: FBT001, FBT002
        """Make a directory and those above it."""
        path = self._strip_protocol(path)
        if not exist_ok and self._client.get_file_info(path) is not None:
            raise FileExistsError(path)
        self._client.mkdirs(path)

    def rmdir(self, path: str) -> None:
        """Delete an empty directory."""
        self._delete(self._strip_protocol(path), recursive=False)

    def rm_file(self, path: str) -> None:
        """Delete a file."""
        self._delete(self._strip_protocol(path), recursive=False)

    def rm(self, path: Any, recursive: bool = False, maxdepth: int | None = None) -> None:  # noqa: FBT001, FBT002
        """Delete files, or with `recursive` directories and all below them."""
        for one in path if isinstance(path, list) else [path]:
            if maxdepth is None and not any(letter in one for letter in "*?["):
                self._delete(self._strip_protocol(one), recursive=recursive)
            else:
                super().rm(one, recursive=recursive, maxdepth=maxdepth)

    def _delete(self, path: str, *, recursive: bool) -> None:
        if not self._client.delete(path, recursive=recursive):
            raise FileNotFound(f"{path} does not exist")

    def mv(self, path1: str, path2: str, **_: Any) -> None:
        """Rename a file or a directory."""
        self._client.rename(self._strip_protocol(path1), self._strip_protocol(path2))

    def touch(self, path: str, truncate: bool = True, **_: Any) -> None:  # noqa: FBT001, FBT002
        """Make an empty file; without `truncate`, one that is there is left but for its time."""
        path = self._strip_protocol(path)
        status = None if truncate else self._client.get_file_info(path)
        if status is None:
            self._client.create(path, overwrite=truncate)
        else:
            self._client.set_times(path, modified=int(time.time() * 1000))

    # What this file system has no way to.

    def _open(self, path: str, *_args: Any, **_kwargs: Any) -> NoReturn:
        raise MetadataOnly(
            f"{path} cannot be opened: jvmwire-hdfs knows names, sizes and times, "
            f"and does not transfer the bytes of files"
        )

    def cp_file(self, path1: str, path2: str, **_: Any) -> NoReturn:
        """Refuse: HDFS copies by reading and writing."""
        raise MetadataOnly(
            f"{path1} is not copied to {path2}: jvmwire-hdfs does not transfer the bytes of files"
        )

    cat_file = get_file = put_file = pipe_file = _open


_OPTIONS = frozenset(HadoopOptions.__dataclass_fields__)


def _name(info: dict[str, Any]) -> str:
    name: str = info["name"]
    return name.rpartition("/")[2]


def _omit(error: OSError) -> None:
    """Leave a directory out, with a word, if that is because it may not be read or is gone.

    Raises:
        OSError: it is for another reason.
    """
    if isinstance(error, AccessDenied):
        _log.warning("a directory is left out: %s", error)
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
