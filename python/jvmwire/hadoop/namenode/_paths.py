"""Parsing of paths and URLs by the rules of Java's `Path` and `DistributedFileSystem`."""

from __future__ import annotations

import os
import re
from typing import Final
from urllib.parse import unquote

from jvmwire._escaping import hide_password, is_unicode, quote
from jvmwire.errors import ConfigError
from jvmwire.hadoop.errors import InvalidPath

StrPath = str | os.PathLike[str]
"""A path as text or as an object, such as `PurePosixPath`."""
SCHEMES: Final = ("hdfs", "jvmwire-hdfs")
"""The URL schemes of file systems of NameNodes."""

_SCHEME = re.compile("([^/:]*):(.*)", re.DOTALL)


def path_text(path: StrPath) -> str:
    """Return the text of a path.

    Args:
        path: Text or a path object.

    Returns:
        The path as text.

    Raises:
        TypeError: the path is neither, or is one of bytes.
    """
    text = os.fspath(path) if isinstance(path, os.PathLike) else path
    if not isinstance(text, str):
        raise TypeError(f"a path must be a str or an os.PathLike of str, got {type(text).__name__}")
    return text


def split(path: str) -> tuple[str | None, str]:
    """Split a path or URL into the file system and the path in it.

    Args:
        path: `hdfs://host/path`, `hdfs:///path`, `/path` or `path`.

    Returns:
        The URL of the file system, or None if it is the one of the configuration, as with
        `hdfs:///path`; and the path.

    Raises:
        ConfigError: the path has another form.
    """
    found = _SCHEME.match(path)
    if found is None:
        return None, path
    scheme, rest = found.groups()
    if scheme.lower() != "hdfs" or not rest.startswith("/"):
        raise ConfigError(
            f"{quote(hide_password(path))} is not a path in HDFS: expected /path, a path in the "
            "home directory, or hdfs://host/path"
        )
    authority = ""
    if rest.startswith("//"):
        # A ? or # is part of a file's name.
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    if not authority:
        return None, rest or "/"
    return f"hdfs://{authority}", rest or "/"


def split_user(authority: str) -> tuple[str | None, str]:
    """Split the user off an authority.

    Args:
        authority: `user@host:port` or `host:port`.

    Returns:
        The user, or None if there is none; and the rest.
    """
    user, _, rest = authority.rpartition("@")
    # A password after the user is ignored.
    return unquote(user.partition(":")[0]) or None, rest


def absolute(path: str, home: str, *, is_pattern: bool = False) -> str:
    """Return an absolute path without `.`, `..` and redundant slashes.

    Args:
        path: Path; a relative one is resolved by `home`.
        home: Home directory of the caller.
        is_pattern: Whether it is a pattern of paths, in which `[a:b]` may stand. Default: False.

    Returns:
        The absolute path.

    Raises:
        InvalidPath: no file can have the path.
    """
    if is_plain(path):
        return path
    if not path:
        raise InvalidPath("the path is empty")
    if not is_unicode(path):
        raise InvalidPath(f"the path {quote(path)} is not valid Unicode")
    if not path.startswith("/"):
        if _SCHEME.match(path):
            shown = quote(hide_password(path))
            raise InvalidPath(f"{shown} is a URL: expected a path in this file system")
        path = f"{home}/{path}"
    elif path[1:2] == "/" and path[2:3] not in ("", "/"):
        # Java takes the first name for a host.
        raise InvalidPath(f"{quote(path)} begins with two slashes: expected one")
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            if not names:
                raise InvalidPath(f"{quote(path)} leads above the root directory")
            names.pop()
        elif name and name != ".":
            names.append(name)
    if not is_pattern and any(":" in name for name in names):
        raise InvalidPath(f"{quote(path)} has a colon, which no name in HDFS can have")
    return "/" + "/".join(names)


def are_absolute(paths: list[str]) -> bool:
    """Return whether `absolute` would return all paths unchanged, in a fraction of its time.

    Args:
        paths: Paths.

    Returns:
        True if all are unchanged; False also for unusual paths such as the root.
    """
    text = "\n".join(paths)
    others = len(paths) - 1
    return is_plain(text) and (
        not others or (text.count("\n") == text.count("\n/") == others and "/\n" not in text)
    )


def is_plain(path: str) -> bool:
    """Return whether `absolute` returns a path unchanged, by a test that takes little time.

    Args:
        path: Path.

    Returns:
        True if the path is unchanged; False also for unusual paths such as the root.
    """
    return (
        path[:1] == "/"
        and path[-1] != "/"
        and "/." not in path
        and "//" not in path
        and ":" not in path
        and path.isascii()
    )


def short_name(principal: str) -> str:
    """Return the user of a principal: the name before `/` and `@`.

    Args:
        principal: Kerberos principal, or a user.

    Returns:
        The short name.
    """
    return re.split("[/@]", principal, maxsplit=1)[0]
