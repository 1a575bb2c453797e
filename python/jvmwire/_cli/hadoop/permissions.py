"""Commands for permissions: chmod, chown, getfacl, setfacl."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from jvmwire._cli.hadoop.connection_options import Target, target_options
from jvmwire._cli.hadoop.modes import parse_mode
from jvmwire._cli.missed import Missed
from jvmwire._cli.server_options import json_option
from jvmwire._cli.tabular import echo_safe, write_json
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmwire.hadoop import AclStatus, FileStatus, NameNode

recursive_option = click.option(
    "-R", "--recursive", is_flag=True, help="And all that is below directories."
)


def _each(
    target: Target,
    paths: tuple[str, ...],
    act: Callable[[NameNode, FileStatus], None],
    *,
    recursive: bool,
) -> None:
    """Act on what paths or patterns name, and exit with 1 if that failed for one of them."""
    from jvmwire._cli.hadoop.paths import matching
    from jvmwire.hadoop.namenode._paths import split

    miss = Missed()
    for asked in paths:
        url, path = split(asked)
        with target.namenode(url) as namenode, miss.about(path):
            for status in matching(namenode, path, miss):
                for each in _below(namenode, status, miss, recursive=recursive):
                    with miss.about(each.path):
                        act(namenode, each)
    sys.exit(bool(miss))


def _below(
    namenode: NameNode, status: FileStatus, miss: Missed, *, recursive: bool
) -> Iterator[FileStatus]:
    yield status
    if recursive and status.is_directory:
        with miss.about(status.path):
            yield from namenode.list_recursively(status.path, on_error=miss)


@click.command()
@click.argument("mode")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@recursive_option
@target_options
def chmod(mode: str, paths: tuple[str, ...], *, recursive: bool, target: Target) -> None:
    """Change the permission bits of paths.

    MODE is octal, as 755 or 1777, or changes as u+rwX,go-w.

    Exit status: 0; 1 if a path could not be changed.
    """
    apply = parse_mode(mode)

    def act(namenode: NameNode, status: FileStatus) -> None:
        new = apply(status.permission, status.is_directory)
        if new != status.permission:
            namenode.set_permission(status.path, new)

    _each(target, paths, act, recursive=recursive)


@click.command()
@click.argument("owner", metavar="OWNER[:GROUP]")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@recursive_option
@target_options
def chown(owner: str, paths: tuple[str, ...], *, recursive: bool, target: Target) -> None:
    """Change the owner and the group of paths; :GROUP changes the group alone.

    Exit status: 0; 1 if a path could not be changed.
    """
    user, _, group = owner.partition(":")
    if not user and not group:
        raise ConfigError(f"{owner!r} names neither an owner nor a group")
    _each(
        target,
        paths,
        lambda namenode, status: namenode.set_owner(status.path, user or None, group or None),
        recursive=recursive,
    )


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@recursive_option
@target_options
@json_option
def getfacl(paths: tuple[str, ...], *, recursive: bool, target: Target, as_json: bool) -> None:
    """Show the access control lists of paths.

    Exit status: 0; 1 if the list of a path could not be read.
    """

    def act(namenode: NameNode, status: FileStatus) -> None:
        acl = namenode.get_acl_status(status.path)
        if as_json:
            write_json([{"path": status.path, "acl": list(_lines(acl, status))}])
            return
        for line in (
            f"# file: {status.path}",
            f"# owner: {acl.owner}",
            f"# group: {acl.group}",
            *(["# flags: --t"] if acl.sticky else []),
            *_lines(acl, status),
            "",
        ):
            echo_safe(line)

    _each(target, paths, act, recursive=recursive)


def _lines(acl: AclStatus, status: FileStatus) -> Iterator[str]:
    """Yield the entries of a list, and those that the permission bits stand for."""
    from jvmwire.hadoop.namenode._acl import permission_letters

    bits = status.permission if acl.permission is None else acl.permission
    named = [str(entry) for entry in acl.entries if not str(entry).startswith("default:")]
    groups = [line for line in named if line.startswith("group:")]
    # With an access list, the bits of the group are the mask, and the entry of the group is listed.
    yield f"user::{permission_letters(bits >> 6)}"
    yield from (line for line in named if not line.startswith("group:"))
    if not named:
        yield f"group::{permission_letters(bits >> 3)}"
    else:
        yield from groups
        yield f"mask::{permission_letters(bits >> 3)}"
    yield f"other::{permission_letters(bits)}"
    yield from (str(entry) for entry in acl.entries if str(entry).startswith("default:"))


@click.command()
@click.argument("paths", metavar="PATH...", nargs=-1, required=True)
@click.option("-m", "--modify", metavar="ENTRIES", help="Add or change entries.")
@click.option("-x", "--remove", metavar="ENTRIES", help="Remove entries.")
@click.option("--set", "replace", metavar="ENTRIES", help="Replace all entries.")
@click.option("-b", "--remove-all", is_flag=True, help="Remove all but the permission bits.")
@click.option("-k", "--remove-default", is_flag=True, help="Remove the default entries.")
@recursive_option
@target_options
def setfacl(
    paths: tuple[str, ...],
    *,
    modify: str | None,
    remove: str | None,
    replace: str | None,
    remove_all: bool,
    remove_default: bool,
    recursive: bool,
    target: Target,
) -> None:
    """Change the access control lists of paths.

    ENTRIES are separated by commas, as user:alice:r-x,default:group::rwx.

    Exit status: 0; 1 if the list of a path could not be changed.
    """
    changes: list[Callable[[NameNode, str], None]] = []
    if modify is not None:
        changes.append(lambda namenode, path: namenode.modify_acl_entries(path, modify))
    if remove is not None:
        changes.append(lambda namenode, path: namenode.remove_acl_entries(path, remove))
    if replace is not None:
        changes.append(lambda namenode, path: namenode.set_acl(path, replace))
    if remove_all:
        changes.append(lambda namenode, path: namenode.remove_acl(path))
    if remove_default:
        changes.append(lambda namenode, path: namenode.remove_default_acl(path))
    if len(changes) != 1:
        raise click.UsageError("one of -m, -x, --set, -b and -k is needed")
    [change] = changes
    _each(
        target,
        paths,
        lambda namenode, status: change(namenode, status.path),
        recursive=recursive,
    )
