"""Paths and URLs of a file system, read as Java's `Path` and `DistributedFileSystem` read them."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import unquote

from jvmwire.errors import ConfigError
from jvmwire.escaping import is_unicode, quote
from jvmwire.hadoop.errors import InvalidPath

SCHEMES: Final = ("hdfs", "jvmwire-hdfs")
"""Of URLs that name a file system of NameNodes."""

_SCHEME = re.compile("([^/:]*):(.*)", re.DOTALL)


def split(path: str) -> tuple[str | None, str]:
    """Return the file system and the path in it, of `hdfs://host/path`, `/path` or `path`.

    The file system is None if it is that of the configuration, as with `hdfs:///path`.

    Raises:
        ConfigError: it is none of these.
    """
    found = _SCHEME.match(path)
    if found is None:
        return None, path
    scheme, rest = found.groups()
    if scheme.lower() != "hdfs" or not rest.startswith("/"):
        raise ConfigError(
            f"{quote(path)} is not a path in HDFS: expected /path, a path in the home directory, "
            "or hdfs://host/path"
        )
    authority = ""
    if rest.startswith("//"):
        # What follows a ? or # belongs to a file's name.
        authority, slash, rest = rest[2:].partition("/")
        rest = slash + rest
    if not authority:
        return None, rest or "/"
    return f"hdfs://{authority}", rest or "/"


def split_user(authority: str) -> tuple[str | None, str]:
    """Return the user and the rest of `user@host:port`; None if none is named."""
    user, _, rest = authority.rpartition("@")
    # A password may follow, which nobody uses.
    return unquote(user.partition(":")[0]) or None, rest


def absolute(path: str, home: str, *, is_pattern: bool = False) -> str:
    """Return a path from the root on, without `.`, `..` and needless slashes.

    Args:
        path: A path; one that does not begin with a slash is in `home`.
        home: The home directory of who calls.
        is_pattern: Whether it is a pattern of paths, in which `[a:b]` may stand.

    Raises:
        InvalidPath: no file can have that path.
    """
    if _is_plain(path):
        return path
    if not path:
        raise InvalidPath("the path is empty")
    if not is_unicode(path):
        raise InvalidPath(f"the path {quote(path)} is not valid Unicode")
    if not path.startswith("/"):
        if _SCHEME.match(path):
            raise InvalidPath(f"{quote(path)} is a URL: expected a path in this file system")
        path = f"{home}/{path}"
    elif path[1:2] == "/" and path[2:3] not in ("", "/"):
        # Java takes the first name for a host.
        raise InvalidPath(f"{quote(path)} begins with two slashes: expected one")
    names: list[str] = []
    for name in path.split("/"):
        if name == "..":
            if not names:
                raise InvalidPath(f"{quote(path)} leads to what is above /")
            names.pop()
        elif name and name != ".":
            names.append(name)
    if not is_pattern and any(":" in name for name in names):
        raise InvalidPath(f"{quote(path)} has a colon, which no name in HDFS can have")
    return "/" + "/".join(names)


def are_absolute(paths: list[str]) -> bool:
    """Return whether all paths are surely what `absolute` makes of them.

    That takes a fraction of the time; of odd paths, the root among them, it is not known.
    """
    text = "\n".join(paths)
    others = len(paths) - 1
    return _is_plain(text) and (
        not others or (text.count("\n") == text.count("\n/") == others and "/\n" not in text)
    )


def _is_plain(path: str) -> bool:
    return (
        path[:1] == "/"
        and path[-1] != "/"
        and "/." not in path
        and "//" not in path
        and ":" not in path
        and path.isascii()
    )


def short_name(principal: str) -> str:
    """Return the user of a principal: the name before `/` and `@`."""
    return re.split("[/@]", principal, maxsplit=1)[0]
