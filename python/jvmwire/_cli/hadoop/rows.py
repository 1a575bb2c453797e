"""Rows about files and directories, as `jvmwire hadoop` prints them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from jvmwire._cli.tabular import echo_safe, format_size, write_json, write_table
from jvmwire._escaping import shorten
from jvmwire.hadoop import FileType
from jvmwire.hadoop.errors import InvalidListing
from jvmwire.hadoop.namenode._acl import permission_letters
from jvmwire.hadoop.namenode._traversal import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from jvmwire._cli.missed import Missed
    from jvmwire.hadoop import ContentSummary, FileStatus, NameNode
    from jvmwire.hadoop.namenode._blocks import LocatedBlock

_KINDS = {FileType.DIRECTORY: "d", FileType.FILE: "-", FileType.SYMLINK: "l"}
_COLUMNS = {
    "mode": "left",
    "repl": "right",
    "owner": "left",
    "group": "left",
    "size": "right",
    "modified": "left",
    "path": "left",
}


def _mode(status: FileStatus) -> str:
    letters = "".join(permission_letters(status.permission >> shift) for shift in (6, 3, 0))
    if status.permission & 0o1000:
        letters = letters[:-1] + ("t" if letters[-1] == "x" else "T")
    return _KINDS[status.file_type] + letters


def _row(status: FileStatus) -> tuple[str, ...]:
    arrow = f" -> {status.symlink}" if status.symlink else ""
    return (
        _mode(status),
        str(status.block_replication) if status.file_type is FileType.FILE else "-",
        status.owner,
        status.group,
        format_size(status.length) if status.file_type is FileType.FILE else "-",
        f"{status.modified:%Y-%m-%d %H:%M}",
        f"{status.path}{arrow}",
    )


def show(statuses: Iterable[FileStatus], *, as_json: bool) -> None:
    """Print files and directories.

    Args:
        statuses: The files and directories.
        as_json: Whether to print JSON.
    """
    if as_json:
        write_json(statuses)
    else:
        write_table(_COLUMNS, map(_row, statuses))


def facts(namenode: NameNode, status: FileStatus, miss: Missed) -> Iterable[tuple[str, str]]:
    """Yield what is known of a file or a directory, with the names of the facts.

    Args:
        namenode: Client of the file system.
        status: The file or directory.
        miss: Handler of errors about its blocks.
    """
    yield "path", status.path
    yield "type", status.file_type.name.lower()
    if status.symlink:
        yield "leads to", status.symlink
    yield "mode", f"{_mode(status)} ({status.permission:04o})"
    yield "owner", f"{status.owner}:{status.group}"
    yield "modified", f"{status.modified:%Y-%m-%d %H:%M:%S.%f}"[:-3]
    if status.access_time:
        yield "accessed", f"{status.accessed:%Y-%m-%d %H:%M:%S.%f}"[:-3]
    yield "inode", str(status.file_id)
    if status.file_type is FileType.FILE:
        yield "length", f"{status.length} bytes"
        yield "blocks", f"of {format_size(status.block_size)}, {status.block_replication} replicas"
        blocks: Sequence[LocatedBlock] = []
        with miss.about(status.path):
            blocks = namenode.get_block_locations(status.path).blocks
        for block in blocks:
            hosts = ", ".join(replica.address for replica in block.replicas)
            yield f"  at {block.offset}", f"blk_{block.block_id}, {block.length} bytes: {hosts}"
    elif status.is_directory:
        yield "entries", str(status.children_num)


def show_sizes(found: Mapping[str, ContentSummary], *, as_json: bool) -> None:
    """Print the sizes of directories and files.

    Args:
        found: Summaries by path.
        as_json: Whether to print JSON.
    """
    if as_json:
        write_json({"path": name, **_pluralized(one)} for name, one in found.items())
        return
    write_table(
        {"size": "right", "with replicas": "right", "files": "right", "path": "left"},
        (
            (format_size(one.length), format_size(one.space_consumed), str(one.file_count), name)
            for name, one in found.items()
        ),
    )


def _pluralized(summary: ContentSummary) -> dict[str, int | None]:
    return {
        "length": summary.length,
        "space_consumed": summary.space_consumed,
        "file_count": summary.file_count,
        "directory_count": summary.directory_count,
        "quota": summary.quota,
        "space_quota": summary.space_quota,
    }


def draw(namenode: NameNode, top: str, depth: int | None, miss: Missed) -> None:
    """Print the tree below `top`, without recursion, since directories may nest deeply.

    Args:
        namenode: Client of the file system.
        top: Path of the directory.
        depth: Levels to print, or None for all.
        miss: Handler of errors about directories that cannot be listed.
    """
    # For each directory on the way down: its remaining entries, and their prefix.
    levels = [(_listed(namenode, top, miss), "")]
    while levels:
        entries, indent = levels[-1]
        if not entries:
            levels.pop()
            continue
        status = entries.popleft()
        last = not entries
        name = status.path.rpartition("/")[2]
        size = f"  {format_size(status.length)}" if status.file_type is FileType.FILE else ""
        echo_safe(f"{indent}{'└── ' if last else '├── '}{name}{size}")
        if status.is_directory and status.children_num and depth != len(levels):
            if len(levels) > MAX_DEPTH:
                raise InvalidListing(
                    f"{shorten(status.path)}: more than {MAX_DEPTH:,} levels: does the directory "
                    f"contain itself?"
                )
            levels.append(
                (_listed(namenode, status.path, miss), indent + ("    " if last else "│   "))
            )


def _listed(namenode: NameNode, path: str, miss: Missed) -> deque[FileStatus]:
    entries: deque[FileStatus] = deque()
    with miss.about(path):
        entries.extend(namenode.list_directory(path))
    return entries


def _quotas(summary: ContentSummary) -> tuple[str, ...]:
    used = summary.file_count + summary.directory_count
    number, space_quota = summary.quota, summary.space_quota
    return (
        *(("-", "-") if number is None else (str(number), str(number - used))),
        *(
            ("-", "-")
            if space_quota is None
            else (format_size(space_quota), format_size(space_quota - summary.space_consumed))
        ),
    )


def _counts(summary: ContentSummary) -> tuple[str, ...]:
    return (
        str(summary.directory_count),
        str(summary.file_count),
        format_size(summary.length),
    )


def show_counts(rows: Sequence[tuple[str, ContentSummary]], *, quota: bool, as_json: bool) -> None:
    """Print the numbers of directories, files and bytes of paths.

    Args:
        rows: Paths and their summaries.
        quota: Whether to print the quotas, too.
        as_json: Whether to print JSON.
    """
    if as_json:
        write_json({"path": path, **_pluralized(summary)} for path, summary in rows)
        return
    quotas = {"quota": "right", "left": "right", "space quota": "right", "space left": "right"}
    counts = {"directories": "right", "files": "right", "size": "right", "path": "left"}
    write_table(
        {**(quotas if quota else {}), **counts},
        ((*(_quotas(summary) if quota else ()), *_counts(summary), path) for path, summary in rows),
    )
