"""Commands that change names: mkdir, touch, mv, rm."""

from __future__ import annotations

import sys
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from jvmwire._cli.hadoop.connection_options import Target, target_options
from jvmwire._cli.missed import Missed
from jvmwire._cli.tabular import echo_safe, warn
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from jvmwire.hadoop import FileStatus, NameNode


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option(
    "-p", "--parents", is_flag=True, help="With missing parents; an existing one is fine."
)
@target_options
def mkdir(paths: tuple[str, ...], *, parents: bool, target: Target) -> None:
    """Make directories.

    Exit status: 0; 1 if one could not be made.
    """
    from jvmwire.hadoop.errors import AlreadyExists
    from jvmwire.hadoop.namenode._paths import split

    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            if not parents and namenode.exists(path):
                raise AlreadyExists("exists already")
            namenode.mkdirs(path, create_parent=parents)
    sys.exit(bool(miss))


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-c", "--no-create", is_flag=True, help="Only files that exist.")
@target_options
def touch(paths: tuple[str, ...], *, no_create: bool, target: Target) -> None:
    """Set the times of paths to now; make empty files of those that do not exist.

    Exit status: 0; 1 if a path could not be touched.
    """
    from jvmwire.hadoop.namenode._paths import split

    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            if namenode.exists(path):
                now = datetime.now(UTC)
                namenode.set_times(path, modified=now, accessed=now)
            elif not no_create:
                namenode.create(path, create_parent=False)
    sys.exit(bool(miss))


@click.command()
@click.argument("paths", metavar="SOURCE... TARGET", nargs=-1, required=True)
@target_options
def mv(paths: tuple[str, ...], *, target: Target) -> None:
    """Rename a file or directory, or move several into a directory.

    What exists at the new path is not replaced.

    Exit status: 0; 1 if a path could not be moved.
    """
    from jvmwire._cli.hadoop.paths import matching
    from jvmwire.hadoop.namenode._paths import split

    if len(paths) < 2:
        raise click.UsageError("a source and a target are needed")
    miss = Missed()
    *sources, last = (split(path) for path in paths)
    url, into = last
    if any(other not in (None, url) for other, _ in sources):
        raise ConfigError("a path cannot be moved to another file system")
    with target.namenode(url or sources[0][0]) as namenode:
        found = namenode.get_file_info(into)
        is_directory = found is not None and found.is_directory
        if len(sources) > 1 and not is_directory:
            raise ConfigError(f"{into} is not a directory, which several sources need")
        for _, source in sources:
            with miss.about(source):
                for status in matching(namenode, source, miss):
                    name = status.path.rpartition("/")[2]
                    new = f"{into.rstrip('/')}/{name}" if is_directory else into
                    namenode.rename(status.path, new)
    sys.exit(bool(miss))


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-r", "-R", "--recursive", is_flag=True, help="Directories and all that is in them.")
@click.option("-f", "--force", is_flag=True, help="No error for a path that does not exist.")
@click.option("--skip-trash", is_flag=True, help="Delete at once, not into the trash.")
@target_options
def rm(
    paths: tuple[str, ...], *, recursive: bool, force: bool, skip_trash: bool, target: Target
) -> None:
    """Delete files, or directories with -r.

    If the NameNode or fs.trash.interval of the configuration keeps a trash, they are moved there,
    into .Trash/Current of the user's home directory, as by `hdfs dfs -rm`; --skip-trash deletes
    at once.

    Exit status: 0; 1 if a path could not be deleted.
    """
    from jvmwire._cli.hadoop.paths import matching
    from jvmwire.hadoop.errors import FileNotFound
    from jvmwire.hadoop.namenode._paths import split
    from jvmwire.hadoop.namenode._trash import keeps_trash

    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            keeps = not skip_trash and keeps_trash(namenode, target.configuration())
            try:
                found = matching(namenode, path, miss)
            except FileNotFound:
                if force:
                    continue
                raise
            for status in found:
                with miss.about(status.path):
                    _remove(namenode, status, recursive=recursive, keeps=keeps)
    sys.exit(bool(miss))


def _remove(namenode: NameNode, status: FileStatus, *, recursive: bool, keeps: bool) -> None:
    from jvmwire._cli.hadoop.paths import NOT_THERE
    from jvmwire.hadoop.errors import FileNotFound
    from jvmwire.hadoop.namenode._trash import move_to_trash

    if status.is_directory and not recursive:
        raise ConfigError(f"{status.path} is a directory: -r deletes it with all that is in it")
    if keeps:
        moved = move_to_trash(namenode, status.path, now=round(time.time() * 1000))
        if moved is not None:
            echo_safe(f"{status.path} -> {moved}")
            return
        warn(f"{status.path} is in the trash already, and is deleted")
    if not namenode.delete(status.path, recursive=recursive):
        raise FileNotFound(NOT_THERE)
