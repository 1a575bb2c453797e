"""Commands `jvmwire hadoop ls|stat|du|find|tree`, which list files and directories in HDFS."""

from __future__ import annotations

import sys
from collections import deque
from typing import TYPE_CHECKING

import click

from jvmwire._cli.hadoop.connection_options import (
    FREE_H,
    Target,
    human_option,
    target_options,
)
from jvmwire._cli.hadoop.paths import NOT_THERE, matching
from jvmwire._cli.missed import Missed
from jvmwire._cli.server_options import json_option
from jvmwire._cli.tabular import echo_safe, format_size, write_json, write_table
from jvmwire._escaping import shorten
from jvmwire.hadoop import FileType
from jvmwire.hadoop.errors import FileNotFound, InvalidListing
from jvmwire.hadoop.namenode._acl import permission_letters
from jvmwire.hadoop.namenode._glob import Glob
from jvmwire.hadoop.namenode._paths import split
from jvmwire.hadoop.namenode._traversal import MAX_DEPTH

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

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


def _show(statuses: Iterable[FileStatus], *, as_json: bool) -> None:
    if as_json:
        write_json(statuses)
    else:
        write_table(_COLUMNS, map(_row, statuses))


@click.command(context_settings=FREE_H)
@human_option
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-R", "--recursive", is_flag=True, help="And all that is below.")
@click.option(
    "-d", "--directory", is_flag=True, help="List directories themselves, not their entries."
)
@target_options
@json_option
def ls(
    paths: tuple[str, ...], *, recursive: bool, directory: bool, target: Target, as_json: bool
) -> None:
    """List what paths or patterns name.

    Exit status: 0; 1 if a path is not there, or a directory cannot be looked into.
    """
    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            listed: list[FileStatus] = []
            for status in matching(namenode, path, miss):
                if directory or not status.is_directory:
                    listed.append(status)
                    continue
                with miss.about(status.path):
                    if recursive:
                        listed += namenode.list_recursively(status.path, on_error=miss)
                    else:
                        listed += namenode.list_directory(status.path)
            _show(listed, as_json=as_json)
    sys.exit(bool(miss))


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@target_options
@json_option
def stat(paths: tuple[str, ...], *, target: Target, as_json: bool) -> None:
    """Show all that the NameNode knows of paths.

    Exit status: 0; 1 if one is not there, or may not be looked at.
    """
    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            status = namenode.get_file_link_info(path)
            if status is None:
                raise FileNotFound(NOT_THERE)
            if as_json:
                write_json([status])
            else:
                facts = _facts(namenode, status, miss)
                write_table({"": "left", " ": "left"}, facts, heading=False)
    sys.exit(bool(miss))


def _facts(namenode: NameNode, status: FileStatus, miss: Missed) -> Iterable[tuple[str, str]]:
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


@click.command(context_settings=FREE_H)
@human_option
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-s", "--summary", is_flag=True, help="The whole, not each entry.")
@target_options
@json_option
def du(paths: tuple[str, ...], *, summary: bool, target: Target, as_json: bool) -> None:
    """Show how much is in and below each entry of directories.

    Exit status: 0; 1 if a path is not there, or an entry may not be counted.
    """
    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            if summary:
                found = {path: namenode.get_content_summary(path)}
            else:
                found = namenode.du(path, on_error=miss)
            _show_sizes(found, as_json=as_json)
    sys.exit(bool(miss))


def _show_sizes(found: Mapping[str, ContentSummary], *, as_json: bool) -> None:
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


@click.command()
@click.argument("path")
@click.option("--name", metavar="PATTERN", help="The last name matches, as 'part-*'.")
@click.option("--type", "kind", type=click.Choice(["d", "f", "l"]), help="What stands there.")
@click.option("--owner", metavar="NAME", help="Whose it is.")
@click.option("--larger", metavar="BYTES", type=int, help="Files longer than that.")
@target_options
@json_option
def find(
    path: str,
    *,
    name: str | None,
    kind: str | None,
    owner: str | None,
    larger: int | None,
    target: Target,
    as_json: bool,
) -> None:
    """Find below a directory what all conditions hold of.

    Exit status: 0; 1 if the path is not there, or a directory cannot be looked into.
    """
    types = {"d": FileType.DIRECTORY, "f": FileType.FILE, "l": FileType.SYMLINK}

    pattern = None if name is None else Glob(name)

    def accept(status: FileStatus) -> bool:
        return (
            (pattern is None or pattern.matches(status.path.rpartition("/")[2]))
            and (kind is None or status.file_type is types[kind])
            and (owner is None or status.owner == owner)
            and (larger is None or status.length > larger)
        )

    miss = Missed()
    url, place = split(path)
    with target.namenode(url) as namenode, miss.about(place):
        found = namenode.find(place, accept, on_error=miss)
        if as_json:
            write_json(found)
        else:
            for status in found:
                echo_safe(status.path)
    sys.exit(bool(miss))


@click.command()
@click.argument("path")
@click.option("--depth", type=click.IntRange(min=1), help="Levels below the path.")
@target_options
def tree(path: str, *, depth: int | None, target: Target) -> None:
    """Draw a directory and what is below it.

    Exit status: 0; 1 if the path is not there, or a directory cannot be looked into.
    """
    miss = Missed()
    url, place = split(path)
    with target.namenode(url) as namenode, miss.about(place):
        if namenode.get_file_info(place) is None:
            raise FileNotFound(NOT_THERE)
        echo_safe(place)
        _draw(namenode, place, depth, miss)
    sys.exit(bool(miss))


def _draw(namenode: NameNode, top: str, depth: int | None, miss: Missed) -> None:
    """Print the tree below `top`, without recursion, since directories may nest deeply."""
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


@click.command(context_settings=FREE_H)
@human_option
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-q", "--quota", is_flag=True, help="With quotas, and what is left of them.")
@target_options
@json_option
def count(paths: tuple[str, ...], *, quota: bool, target: Target, as_json: bool) -> None:
    """Count the directories, files and bytes of paths or patterns.

    Exit status: 0; 1 if a path does not exist or cannot be counted.
    """
    miss = Missed()
    rows: list[tuple[str, ContentSummary]] = []
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            for status in matching(namenode, path, miss):
                with miss.about(status.path):
                    rows.append((status.path, namenode.get_content_summary(status.path)))
    if as_json:
        write_json({"path": path, **_pluralized(summary)} for path, summary in rows)
    else:
        quotas = {"quota": "right", "left": "right", "space quota": "right", "space left": "right"}
        counts = {"directories": "right", "files": "right", "size": "right", "path": "left"}
        write_table(
            {**(quotas if quota else {}), **counts},
            (
                (*(_quotas(summary) if quota else ()), *_counts(summary), path)
                for path, summary in rows
            ),
        )
    sys.exit(bool(miss))


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
