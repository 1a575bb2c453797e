"""Commands `jvmwire hadoop ls|stat|du|find|tree`, which list files and directories in HDFS."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from jvmwire._cli.hadoop.connection_options import FREE_H, Target, human_option, target_options
from jvmwire._cli.missed import Missed
from jvmwire._cli.server_options import json_option
from jvmwire._cli.tabular import echo_safe, write_json, write_table

if TYPE_CHECKING:
    from jvmwire.hadoop import ContentSummary, FileStatus


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
    from jvmwire._cli.hadoop.paths import matching
    from jvmwire._cli.hadoop.rows import show
    from jvmwire.hadoop.namenode._paths import split

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
            show(listed, as_json=as_json)
    sys.exit(bool(miss))


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@target_options
@json_option
def stat(paths: tuple[str, ...], *, target: Target, as_json: bool) -> None:
    """Show all that the NameNode knows of paths.

    Exit status: 0; 1 if one is not there, or may not be looked at.
    """
    from jvmwire._cli.hadoop.paths import NOT_THERE
    from jvmwire._cli.hadoop.rows import facts
    from jvmwire.hadoop.errors import FileNotFound
    from jvmwire.hadoop.namenode._paths import split

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
                rows = facts(namenode, status, miss)
                write_table({"": "left", " ": "left"}, rows, heading=False)
    sys.exit(bool(miss))


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
    from jvmwire._cli.hadoop.rows import show_sizes
    from jvmwire.hadoop.namenode._paths import split

    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            if summary:
                found = {path: namenode.get_content_summary(path)}
            else:
                found = namenode.du(path, on_error=miss)
            show_sizes(found, as_json=as_json)
    sys.exit(bool(miss))


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
    from jvmwire.hadoop import FileType
    from jvmwire.hadoop.namenode._glob import Glob
    from jvmwire.hadoop.namenode._paths import split

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
    from jvmwire._cli.hadoop.paths import NOT_THERE
    from jvmwire._cli.hadoop.rows import draw
    from jvmwire.hadoop.errors import FileNotFound
    from jvmwire.hadoop.namenode._paths import split

    miss = Missed()
    url, place = split(path)
    with target.namenode(url) as namenode, miss.about(place):
        if namenode.get_file_info(place) is None:
            raise FileNotFound(NOT_THERE)
        echo_safe(place)
        draw(namenode, place, depth, miss)
    sys.exit(bool(miss))


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
    from jvmwire._cli.hadoop.paths import matching
    from jvmwire._cli.hadoop.rows import show_counts
    from jvmwire.hadoop.namenode._paths import split

    miss = Missed()
    rows: list[tuple[str, ContentSummary]] = []
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            for status in matching(namenode, path, miss):
                with miss.about(status.path):
                    rows.append((status.path, namenode.get_content_summary(status.path)))
    show_counts(rows, quota=quota, as_json=as_json)
    sys.exit(bool(miss))
