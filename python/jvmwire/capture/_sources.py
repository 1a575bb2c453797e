"""Captures by what a user names: files, folders, patterns and URLs."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmwire.capture._files import expand_pattern, find_captures
from jvmwire.capture._urls import find_urls, is_url

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jvmwire.capture._urls import UrlFile


def find_sources(
    names: Iterable[str | PathLike[str]], options: Mapping[str, Any] | None = None
) -> tuple[list[Path], list[UrlFile]]:
    """Return the captures that users name.

    Args:
        names: Paths of files and folders, patterns such as `day*/nn.pcap.gz`, and URLs.
        options: Options of the file system of URLs; None (the default) for none.

    Returns:
        The files in order, as `find_captures` finds them, and the files at URLs; each of them once.

    Raises:
        ConfigError: a path or URL does not exist, a pattern matches nothing, or a folder contains
            no capture.
        MissingExtra: a URL is given, and fsspec or what it needs is not installed.
    """
    paths: list[Path] = []
    urls: list[UrlFile] = []
    for name in dict.fromkeys(names):
        if isinstance(name, str) and is_url(name):
            urls += find_urls(name, options)
        elif isinstance(name, str):
            paths += expand_pattern(name)
        else:
            paths.append(Path(fspath(name)))
    return find_captures(paths), urls
