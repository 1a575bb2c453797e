"""Paths that say which file system they are in."""

from __future__ import annotations

from urllib.parse import urlsplit

from jvmwire.errors import ConfigError
from jvmwire.escaping import quote


def split(path: str) -> tuple[str | None, str]:
    """Return the file system and the path in it, of `hdfs://host/path` or `/path`.

    Raises:
        ConfigError: it is neither.
    """
    if path.startswith("/"):
        return None, path
    try:
        parts = urlsplit(path)
    except ValueError as error:
        raise ConfigError(f"{quote(path)} is no path: {error}") from error
    if parts.scheme != "hdfs" or not parts.netloc:
        raise ConfigError(f"{quote(path)} is no path: it begins with / or hdfs://")
    # What follows a ? or # belongs to a file's name.
    return f"hdfs://{parts.netloc}", path.split(parts.netloc, 1)[1] or "/"
