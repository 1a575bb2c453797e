"""Captures that are named by a URL, which fsspec opens."""

from __future__ import annotations

import re
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from jvmwire._checks import suggestion
from jvmwire._escaping import MAX_SHOWN, escape_lines, quote, shorten
from jvmwire.capture._files import sort_key
from jvmwire.errors import ConfigError, MissingExtra

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+(::|://)")
"""The beginning of a URL, or of a chain of fsspec; a scheme of one letter is a drive of Windows."""


def is_url(source: str) -> bool:
    """Return whether a text is a URL, not a path.

    Args:
        source: The text.
    """
    return _URL.match(source) is not None


_MAGIC = re.compile(r"[*\[]")
"""What makes a URL a pattern: a question mark begins its query."""
_CHAIN = re.compile(r"::(?![0-9A-Fa-f:.]*\])")
"""What joins the URLs of a chain, unless it is in the address of a host, as in `[::1]`."""
_AFTER_AUTHORITY = re.compile("[/?#]")
_AFTER_PATH = re.compile("[?#]")
_HOST = re.compile(r"(\[[^\[\]]*\]|[^:]*)(:[0-9]*)?")
_LIBHDFS = "; hdfs:// needs Hadoop's libhdfs and a JVM, webhdfs:// needs neither"


class UrlFile:
    """A capture at a URL, which is opened by each use.

    Args:
        files: File system of fsspec.
        path: Path of the file there.
        shown: URL for messages, without secrets.
        local: Files of this system that are read, such as an archive.
    """

    def __init__(self, files: Any, path: str, shown: str, local: Sequence[Path]) -> None:
        self._files = files
        self._path = path
        self.shown = shown
        self.local = local

    def open(self) -> BinaryIO:
        """Open the file at its beginning; errors of any library become an `OSError`."""
        with _reading(self.shown):
            return cast("BinaryIO", _UrlReader(self._files.open(self._path, "rb"), self.shown))

    def __str__(self) -> str:
        return self.shown


class _UrlReader:
    """A file of fsspec, which reads a block ahead and never the whole file."""

    def __init__(self, file: Any, shown: str) -> None:
        self._file = file
        self._shown = shown

    def read(self, size: int = -1) -> bytes:
        with _reading(self._shown):
            data: bytes = self._file.read(size)
        return data

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> _UrlReader:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@contextmanager
def _reading(shown: str) -> Iterator[None]:
    try:
        yield
    except Exception as error:  # of any library; its text may contain the URL
        raise OSError(f"{shown} cannot be read: {type(error).__name__}") from None


def find_urls(url: str, options: Mapping[str, Any] | None) -> list[UrlFile]:
    """Return the file at a URL, or the files that match it if it is a pattern.

    Args:
        url: URL of a file, in any form of fsspec; `*` and `[` make it a pattern.
        options: Options of the file system, as for `fsspec.open`.

    Returns:
        The files; those of a pattern are sorted by name, with numbers in numeric order.

    Raises:
        MissingExtra: fsspec, or the package of the URL's file system, is not installed.
        ConfigError: there is no such file, or it cannot be looked for.
    """
    shown = hide_secrets(url)
    try:
        from fsspec.core import url_to_fs
        from fsspec.implementations.local import LocalFileSystem
    except ModuleNotFoundError as missing:
        raise MissingExtra(
            "captures at URLs need fsspec: pip install 'jvmwire[fsspec]'", name=missing.name
        ) from missing
    try:
        files, path = url_to_fs(url, **(options or {}))
        is_pattern = _MAGIC.search(path) is not None and not files.isfile(path)
        if is_pattern:
            found = [name for name in files.glob(path) if files.isfile(name)]
            shown_as = [hide_secrets(files.unstrip_protocol(name)) for name in found]
        else:
            found, shown_as = [path] * bool(files.isfile(path)), [shown]
    except ImportError as missing:  # fsspec says what to install
        raise MissingExtra(f"{shown}: {missing}", name=missing.name) from missing
    except Exception as error:  # of any library; its text may contain the URL
        hint = _unknown_protocol(url) or (_LIBHDFS if url.startswith("hdfs://") else "")
        raise ConfigError(f"{shown} cannot be looked for: {type(error).__name__}{hint}") from None
    if not found:
        raise ConfigError(
            f"no file matches {shown}"
            if is_pattern
            else f"{shown} does not exist, or is not a file"
        )
    named = sorted(zip(found, shown_as, strict=True), key=lambda each: sort_key(Path(each[0])))
    is_local = isinstance(files, LocalFileSystem)
    return [
        UrlFile(files, *each, [Path(each[0])] if is_local else _local_paths(url)) for each in named
    ]


def _unknown_protocol(url: str) -> str:
    """Return a clause about the first protocol of a chain that fsspec does not know, or nothing."""
    from fsspec import available_protocols

    known = available_protocols()
    for part in _CHAIN.split(url):
        scheme, separator, _ = part.partition("://")
        if separator and scheme not in known:
            return f"; fsspec knows no protocol {quote(scheme)}{suggestion(scheme, known)}"
    return ""


def _local_paths(url: str) -> list[Path]:
    """Return the paths of the parts of a chain that are files of this system, or may be."""
    parts = (part.partition("://") for part in _CHAIN.split(url))
    return [
        Path(rest if separator else scheme)
        for scheme, separator, rest in parts
        if not separator or scheme in {"file", "local"}
    ]


def hide_secrets(url: str) -> str:
    """Return a URL for messages: without user, password, and what signs a request."""
    shown = "::".join(map(_without_secrets, _CHAIN.split(url)))
    return escape_lines(shorten(shown, MAX_SHOWN))


def _without_secrets(part: str) -> str:
    """Return one URL of a chain for messages; only its scheme if a password may contain a slash."""
    scheme, separator, rest = part.partition("://")
    if not separator:
        return _AFTER_PATH.split(part)[0]
    authority = _AFTER_AUTHORITY.split(rest)[0]
    user, at, host = authority.rpartition("@")
    after = rest[len(authority) :]
    if not _HOST.fullmatch(host) or (at and ":" in user and "@" in after):
        return f"{scheme}://..."
    return f"{scheme}://{host}{_AFTER_PATH.split(after)[0]}"
