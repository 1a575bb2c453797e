"""Concurrent traversal of directory trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._checks import MAX_LONG, check_callable, check_range, check_type
from jvmwire._escaping import quote, shorten
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit
from jvmwire.hadoop._client import RpcMethods
from jvmwire.hadoop._commands import GetListings
from jvmwire.hadoop.errors import (
    AccessDenied,
    FileNotFound,
    HadoopError,
    InvalidListing,
    NotADirectory,
    from_java,
)
from jvmwire.hadoop.namenode._glob import Glob, components, expand
from jvmwire.hadoop.namenode._listing import Listing, ListingSize, Page
from jvmwire.hadoop.namenode._paths import absolute
from jvmwire.hadoop.namenode._status import FileStatus, join_path
from jvmwire.hadoop.namenode._summary import ContentSummary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jvmwire._runtime.operations import Operation, OperationStream
    from jvmwire.hadoop.namenode._paths import StrPath

_OUT_OF_SIGHT = (AccessDenied, NotADirectory)
"""The errors of a NameNode about paths that the caller may not see."""
CONCURRENCY = 32
"""The default number of directories that are listed concurrently (chosen by jvmwire)."""
MAX_DEPTH = 2000
"""The largest number of levels of a path: twice `HdfsConstants.MAX_PATH_DEPTH`, since a rename may
move a tree of that depth below a path of that depth."""
MAX_PATH = 16_000
"""The longest path in characters: twice `HdfsConstants.MAX_PATH_LENGTH`, for the same reason."""
DEEP = 64
"""The level below which directories are listed one at a time (chosen by jvmwire): few trees are so
deep, and of an endless tree only one path is requested."""
MAX_LEFT = 10_000_000
"""The largest number of directories that a walk has still to list (chosen by jvmwire)."""


@dataclass(frozen=True, slots=True)
class DirectoryContent:
    """Directory with its entries, as `walk` yields it.

    Attributes:
        path: The path of the directory.
        directories: The entries that are directories.
        files: Files and symbolic links; links are not followed.
    """

    path: str
    directories: Sequence[FileStatus]
    files: Sequence[FileStatus]


class TraversalMethods(RpcMethods):
    """Calls that traverse directory trees; paths that are deleted meanwhile are omitted."""

    @operation_stream
    def walk(
        self,
        path: StrPath,
        *,
        concurrency: int = CONCURRENCY,
        on_error: Callable[[str, HadoopError], None] | None = None,
    ) -> OperationStream[DirectoryContent]:
        """Yield a directory and all directories below it, each before its children.

        Args:
            path: Path of the directory.
            concurrency: Number of directories to list concurrently, at least 1. Default: 32.
            on_error: Function that is called with the path and the error of each directory that
                cannot be listed, and may raise. Default: raise the error.

        Yields:
            Each directory with its entries.

        Raises:
            FileNotFound: the path does not exist.
            InvalidListing: a directory has impossible entries (passed to `on_error`), or
                directories are nested deeper than HDFS allows (never passed to it).
            ConfigError: `concurrency` is less than 1.
        """
        check_range("concurrency", concurrency, 1, MAX_LONG)
        check_callable("on_error", on_error)
        path = self._absolute(path)
        left = _Left(path)
        while left:
            listed = yield from self._list_all(left.deduct(concurrency), path, on_error)
            for found, pages in listed.items():
                entries = [entry for page in pages for entry in page.entries()]
                directories = [entry for entry in entries if entry.is_directory]
                files = [entry for entry in entries if not entry.is_directory]
                left.add(directories)
                yield Emit(DirectoryContent(found, directories, files))

    @operation
    def list_recursively(
        self,
        path: StrPath,
        *,
        concurrency: int = CONCURRENCY,
        on_error: Callable[[str, HadoopError], None] | None = None,
    ) -> Operation[Listing]:
        """Return all files and directories below a directory.

        Args:
            path: Path of the directory.
            concurrency: Number of directories to list concurrently, at least 1. Default: 32.
            on_error: Function that is called with the path and the error of each directory that
                cannot be listed, and may raise. Default: raise the error.

        Returns:
            A sequence of `FileStatus`, which Arrow imports as one record batch.

        Raises:
            FileNotFound: the path does not exist.
            InvalidListing: a directory has impossible entries (passed to `on_error`), or
                directories are nested deeper than HDFS allows (never passed to it).
            ConfigError: `concurrency` is less than 1.
        """
        found: list[Page] = []
        check_range("concurrency", concurrency, 1, MAX_LONG)
        check_callable("on_error", on_error)
        path = self._absolute(path)
        left = _Left(path)
        while left:
            listed = yield from self._list_all(left.deduct(concurrency), path, on_error)
            for pages in listed.values():
                left.add([entry for page in pages for entry in page.directories()])
                found += pages
        return Listing(found)

    @operation_stream
    def find(
        self,
        path: StrPath,
        predicate: Callable[[FileStatus], bool] | None = None,
        *,
        concurrency: int = CONCURRENCY,
        on_error: Callable[[str, HadoopError], None] | None = None,
    ) -> OperationStream[FileStatus]:
        """Yield the files and directories below a directory that satisfy a predicate.

        Args:
            path: Path of the directory.
            predicate: Function of a status. Default: all satisfy it.
            concurrency: Number of directories to list concurrently, at least 1. Default: 32.
            on_error: Function that is called with the path and the error of each directory that
                cannot be listed, and may raise. Default: omit directories below the path that the
                user may not see, and raise other errors.

        Yields:
            The status of each file and directory that satisfies the predicate.

        Raises:
            FileNotFound: the path does not exist.
            InvalidListing: a directory has impossible entries (passed to `on_error`), or
                directories are nested deeper than HDFS allows (never passed to it).
            ConfigError: `concurrency` is less than 1.
        """
        check_range("concurrency", concurrency, 1, MAX_LONG)
        check_callable("on_error", on_error)
        path = self._absolute(path)
        if on_error is None:
            on_error = _raise_unless_denied(path)
        left = _Left(path)
        while left:
            listed = yield from self._list_all(left.deduct(concurrency), path, on_error)
            for pages in listed.values():
                directories: list[FileStatus] = []
                for page in pages:
                    for entry in page.entries():
                        if entry.is_directory:
                            directories.append(entry)
                        if predicate is None or predicate(entry):
                            yield Emit(entry)
                left.add(directories)

    @operation
    def glob(
        self, pattern: str, *, on_error: Callable[[str, HadoopError], None] | None = None
    ) -> Operation[list[FileStatus]]:
        """Return the files and directories that match a glob pattern.

        Args:
            pattern: Pattern with Hadoop's rules: `*`, `?`, `[a-c]`, `[^a]`, `{a,b}`. A relative one
                is resolved by the home directory.
            on_error: Function that is called with the path and the error of each path on the way
                that the user may not see, and may raise. Default: omit such paths.

        Returns:
            The status of each match, in order of the paths.

        Raises:
            InvalidPath: the pattern is not valid.
        """
        check_type("pattern", pattern, str)
        check_callable("on_error", on_error)
        found: dict[str, FileStatus] = {}
        judge = _raise_unless_denied(None, on_error)
        for one in expand(pattern):
            place = absolute(one, self._home_of(one), is_pattern=True)
            for status in (yield from self._glob(components(place), judge)):
                found[status.path] = status
        return [found[path] for path in sorted(found)]

    def _glob(
        self, names: list[str | Glob], on_error: Callable[[str, HadoopError], None]
    ) -> Operation[list[FileStatus]]:
        # Names without a pattern are not looked up before the last pattern or the end.
        places = ["/"]
        found: list[FileStatus] | None = None
        for at, name in enumerate(names):
            if isinstance(name, str):
                places, found = [join_path(place, name) for place in places], None
                continue
            pages = yield from self._list_all(places, None, on_error)
            found = [
                entry
                for listed in pages.values()
                for page in listed
                for entry in page.entries()
                # The listing of a file is the file itself, which is not an entry below it.
                if entry.path != page.path and name.matches(entry.path.rpartition("/")[2])
            ]
            last = at == len(names) - 1
            places = [entry.path for entry in found if last or entry.is_directory]
        if found is None:
            infos = yield from self._infos(places, on_error)
            found = [status for status in infos if status is not None]
        return found

    @operation
    def du(
        self, path: StrPath, *, on_error: Callable[[str, HadoopError], None] | None = None
    ) -> Operation[dict[str, ContentSummary]]:
        """Return the totals of each entry of a directory.

        Args:
            path: Path of a directory, or of a file, which is its own only entry.
            on_error: Function that is called with the path and the error of each entry that cannot
                be counted, and may raise. Default: raise the error.

        Returns:
            The totals by the paths of the entries.

        Raises:
            FileNotFound: the path does not exist.
        """
        check_callable("on_error", on_error)
        path = self._absolute(path)
        pages = (yield from self._list_all([path], path, None))[path]
        summaries: dict[str, ContentSummary] = {}
        for page in pages:
            for entry in page.entries():
                try:
                    answer = yield from self._invoke("getContentSummary", {"path": entry.path})
                except FileNotFound:
                    continue
                except HadoopError as error:
                    if on_error is None:
                        raise
                    on_error(entry.path, error)
                    continue
                summaries[entry.path] = ContentSummary.from_fields(answer["summary"])
        return summaries

    def _infos(
        self, paths: list[str], on_error: Callable[[str, HadoopError], None]
    ) -> Operation[list[FileStatus | None]]:
        found: list[FileStatus | None] = []
        for path in paths:
            try:
                answer = yield from self._invoke("getFileInfo", {"src": path})
            except HadoopError as error:
                on_error(path, error)
                continue
            found.append(FileStatus.from_fields(path, answer["fs"]) if "fs" in answer else None)
        return found

    def _list_all(
        self,
        paths: Iterable[str],
        top: str | None,
        on_error: Callable[[str, HadoopError], None] | None,
    ) -> Operation[dict[str, list[Page]]]:
        """Return all pages of directories, in order; directories that no longer exist have none."""
        pages: dict[str, list[Page]] = {path: [] for path in paths}
        sizes = {path: ListingSize() for path in pages}
        left = [(path, b"") for path in pages]
        while left:
            asked, left = left, []
            replies, *_ = yield from self._link().call(GetListings(asked))
            failures = dict(replies.failures())
            for at, (path, start_after) in enumerate(asked):
                try:
                    if at in failures:
                        raise from_java(failures[at], path)
                    page = Page.decode(path, start_after, replies.payload(at))
                    sizes[path].add(page)
                except FileNotFound:
                    if path == top:
                        raise
                    continue
                except HadoopError as error:
                    if on_error is None:
                        raise
                    on_error(path, error)
                    continue
                pages[path].append(page)
                if page.remaining_entries:
                    left.append((path, page.last_name))
        return pages


class _Left:
    """Stack of the directories that a walk has still to list.

    Since it is a stack, the walk is depth first: an endless tree is detected by its depth. A
    directory is stored as its name and the path of its parent, which siblings share.
    """

    def __init__(self, top: str) -> None:
        self._stack = [(top, "")]

    def __bool__(self) -> bool:
        return bool(self._stack)

    def deduct(self, count: int) -> list[str]:
        """Remove and return the next directories, at most `count`."""
        if self._stack[-1][0].count("/") > DEEP:
            count = 1
        taken = self._stack[: -count - 1 : -1]
        del self._stack[-count:]
        return [join_path(parent, name) for parent, name in taken]

    def add(self, directories: Sequence[FileStatus]) -> None:
        """Add the subdirectories of one directory.

        Raises:
            InvalidListing: they are deeper than `MAX_DEPTH`, a path is longer than `MAX_PATH`, or
                more than `MAX_LEFT` have still to be listed.
        """
        if not directories:
            return
        parent = directories[0].path.rpartition("/")[0]
        start, level = len(parent) + 1, parent.count("/") + 1
        longest = max(len(entry.path) for entry in directories)
        if level > MAX_DEPTH or longest > MAX_PATH:
            raise InvalidListing(
                f"{shorten(parent)}: the server lists a directory "
                f"{quote(directories[0].path[start:])} at level {level:,}, with a path of "
                f"{longest:,} characters; at most {MAX_DEPTH:,} levels and {MAX_PATH:,} characters "
                f"are followed: does the directory contain itself?"
            )
        if len(self._stack) + len(directories) > MAX_LEFT:
            raise InvalidListing(
                f"{shorten(parent)}: more than {MAX_LEFT:,} directories wait to be listed: does "
                f"the directory contain itself?"
            )
        parent = parent or "/"
        self._stack += [(parent, entry.path[start:]) for entry in reversed(directories)]


def _raise_unless_denied(
    top: str | None, on_error: Callable[[str, HadoopError], None] | None = None
) -> Callable[[str, HadoopError], None]:
    """Return an error handler that raises all errors but those of paths out of the user's sight.

    Errors about `top` are always raised. `on_error` is called with the others, except if the path
    leads through a file, since then it does not exist.
    """

    def judge(path: str, error: HadoopError) -> None:
        if path == top or not isinstance(error, _OUT_OF_SIGHT):
            raise error
        if on_error is not None and not isinstance(error, NotADirectory):
            on_error(path, error)

    return judge
