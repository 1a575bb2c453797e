"""Moves of files into the trash, as `TrashPolicyDefault` of Hadoop's client makes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from jvmwire.hadoop._configuration import HadoopConfiguration
    from jvmwire.hadoop.namenode._client import NameNode

TRASH = ".Trash"
"""Name of the trash in a home directory. Source: FileSystem.TRASH_PREFIX."""
CURRENT = "Current"
"""Name of the directory of what was deleted last. Source: TrashPolicyDefault."""
PRIVATE = 0o700
"""Permission of directories in the trash. Source: TrashPolicyDefault."""


def keeps_trash(namenode: NameNode, configuration: HadoopConfiguration) -> bool:
    """Return whether deleted files are moved into the trash.

    Args:
        namenode: Client of the file system.
        configuration: Settings of the client, which count where the NameNode keeps no trash.

    Returns:
        Whether the NameNode or the client has a trash interval.

    Raises:
        ConfigError: the client's `fs.trash.interval` is not a number.

    Source: Trash.moveToAppropriateTrash.
    """
    server = namenode.get_server_defaults().trash_interval
    return (server or configuration.minutes("fs.trash.interval", 0)) > 0


def move_to_trash(namenode: NameNode, path: str, *, now: int) -> str | None:
    """Move a file or directory into the trash of the client's user.

    Args:
        namenode: Client of the file system.
        path: Absolute path of the file or directory.
        now: Milliseconds since 1970, which make a name in the trash different from one there.

    Returns:
        The path in the trash, None if `path` is in the trash already.

    Raises:
        ConfigError: `path` contains the trash.

    Source: TrashPolicyDefault.moveToTrash.
    """
    trash = namenode.home_directory + f"/{TRASH}"
    if f"{path}/".startswith(f"{trash}/"):
        return None
    if f"{trash}/".startswith(f"{path.rstrip('/')}/"):
        raise ConfigError(f"{path} contains the trash: --skip-trash deletes it")
    moved = f"{trash}/{CURRENT}{path}"
    namenode.mkdirs(moved.rpartition("/")[0], permission=PRIVATE)
    wanted, number = moved, now
    while namenode.exists(moved):
        moved, number = f"{wanted}{number}", number + 1
    namenode.rename(path, moved)
    return moved
