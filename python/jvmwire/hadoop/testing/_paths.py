"""Paths of a namespace, and the limits of their names."""

from __future__ import annotations

from jvmwire.hadoop.testing import _java_errors as java

MAX_PATH_LENGTH = 8000
MAX_PATH_DEPTH = 1000
"""Limits of `HdfsServerConstants`."""
MAX_COMPONENT_LENGTH = 255
"""The default of `dfs.namenode.fs-limits.max-component-length`."""
SNAPSHOTS = ".snapshot"
"""The name below which a directory's snapshots are found."""


def split(path: str) -> list[str]:
    """Return the components of a path of a request.

    Args:
        path: The path.

    Returns:
        The components; none for the root.

    Raises:
        HadoopError: the path is not absolute, too long or too deep, or a component is `.` or `..`.
    """
    if not path.startswith("/"):
        raise java.refuse(java.INVALID_PATH, f"Invalid path name Invalid file name: {path}")
    parts = [part for part in path.split("/") if part]
    if len(path) > MAX_PATH_LENGTH or len(parts) > MAX_PATH_DEPTH:
        text = f"Pathname too long. Limit {MAX_PATH_LENGTH} characters, {MAX_PATH_DEPTH} levels."
        raise java.refuse(java.IO, text)
    if any(part in (".", "..") for part in parts):
        raise java.refuse(java.INVALID_PATH, f"Invalid path name Invalid file name: {path}")
    return parts


def check_new(path: str) -> list[str]:
    """Return the components of a path that is about to be made.

    Args:
        path: The path.

    Returns:
        The components.

    Raises:
        HadoopError: a component is reserved, too long, or contains a colon.
    """
    parts = split(path)
    if any(":" in part for part in parts):
        raise java.refuse(java.INVALID_PATH, f"Invalid path name Invalid file name: {path}")
    for part in parts:
        length = len(part.encode())
        if length > MAX_COMPONENT_LENGTH:
            text = (
                f"The maximum path component name limit of {part[:20]}... in directory "
                f"{join(parts[: parts.index(part)])} is exceeded: limit={MAX_COMPONENT_LENGTH} "
                f"length={length}"
            )
            raise java.refuse(java.COMPONENT_TOO_LONG, text)
    if SNAPSHOTS in parts:
        text = f"Modification on a read-only snapshot is disallowed: {path}"
        raise java.refuse(java.SNAPSHOT, text)
    if parts[:1] == [".reserved"]:
        raise java.refuse(java.INVALID_PATH, f'File name "{path}" is reserved.')
    return parts


def join(parts: list[str]) -> str:
    """Return the absolute path of components.

    Args:
        parts: The components.

    Returns:
        The path.
    """
    return "/" + "/".join(parts)
