"""Captures that are named by a URL, which fsspec opens."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib.parse import urlsplit

from jvmwire._escaping import MAX_SHOWN, escape_lines, shorten
from jvmwire.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Mapping

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(::|://)")
"""The beginning of a URL, or of a chain of fsspec; a scheme of one letter is a drive of Windows."""


def is_url(source: str) -> bool:
    """Return whether a text is a URL, not a path.

    Args:
        source: The text.
    """
    return _URL.match(source) is not None


class UrlFile:
    """A capture at a URL, which is opened by each use.

    Args:
        url: URL of a file, in any form of fsspec.
        options: Options of the file system, as for `fsspec.open`.

    Raises:
        MissingExtra: fsspec, or the package of the URL's file system, is not installed.
        ConfigError: there is no such file, or it cannot be looked for.
    """

    def __init__(self, url: str, options: Mapping[str, Any] | None) -> None:
        self.shown = _without_secrets(url)
        try:
            from fsspec.core import url_to_fs
        except ModuleNotFoundError as missing:
            raise MissingExtra(
                "captures at URLs need fsspec: pip install 'jvmwire[fsspec]'", name=missing.name
            ) from missing
        try:
            self._files, self._path = url_to_fs(url, **(options or {}))
            found = self._files.isfile(self._path)
        except ImportError as missing:  # fsspec says what to install
            raise MissingExtra(f"{self.shown}: {missing}", name=missing.name) from missing
        except Exception as error:  # of any library; its text may contain the URL
            raise ConfigError(
                f"{self.shown} cannot be looked for: {type(error).__name__}"
            ) from None
        if not found:
            raise ConfigError(f"{self.shown} does not exist, or is not a file")

    def open(self) -> BinaryIO:
        """Open the file at its beginning."""
        opened: BinaryIO = self._files.open(self._path, "rb")
        return opened


def _without_secrets(url: str) -> str:
    """Return a URL for messages: without user, password, and what signs a request."""
    chain, _, last = url.rpartition("::")
    try:
        parts = urlsplit(last)
    except ValueError:  # such as a bracket that is not closed
        return "a URL that cannot be parsed"
    host = parts.netloc.rpartition("@")[2]
    shown = f"{chain}{'::' if chain else ''}{parts.scheme}://{host}{parts.path}"
    return escape_lines(shorten(shown, MAX_SHOWN))
