"""Directives of DIGEST-MD5: `name=value` or `name="value"`, separated by commas (RFC 2831, 7.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmwire.errors import RemoteProtocolError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHALLENGE = 2048
"""The longest challenge in bytes: RFC 2831, section 2.1.1."""
MAX_RESPONSE = 4096
"""The longest response in bytes: RFC 2831, section 2.1.2."""

_NAME = r"[!#-'*+.^-z|~\-]+"
_DIRECTIVE = re.compile(
    rf'[\s,]*({_NAME})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?=,|$)', re.DOTALL
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Directives:
    """Directives of one challenge or response.

    Args:
        data: The challenge or response.
        limit: Longest length in bytes.

    Raises:
        RemoteProtocolError: the data is too long, not UTF-8, or not a list of directives.
    """

    def __init__(self, data: bytes, *, limit: int) -> None:
        if len(data) > limit:
            raise RemoteProtocolError(f"DIGEST-MD5: {len(data)} bytes, and {limit} are allowed")
        try:
            text = data.decode()
        except UnicodeDecodeError as error:
            raise RemoteProtocolError(f"DIGEST-MD5: no UTF-8 at byte {error.start}") from None
        self._values: dict[str, list[str]] = {}
        at = 0
        while (found := _DIRECTIVE.match(text, at)) is not None:
            name, quoted, plain = found.groups()
            value = plain if quoted is None else _ESCAPED.sub(r"\1", quoted)
            self._values.setdefault(name.lower(), []).append(value)
            at = found.end()
        if text[at:].strip(" \t\r\n,"):
            raise RemoteProtocolError(f"DIGEST-MD5: no directive at character {at}")

    def all(self, name: str) -> list[str]:
        """Return all values of a directive.

        Args:
            name: Name of the directive in lower case.

        Returns:
            The values in order; empty if the directive is missing.
        """
        return self._values.get(name, [])

    def one(self, name: str, default: str | None = None) -> str:
        """Return the value of a directive that may occur only once.

        Args:
            name: Name of the directive in lower case.
            default: Value if the directive is missing. Default: it must be present.

        Returns:
            The value.

        Raises:
            RemoteProtocolError: the directive is missing and has no default, or it occurs twice.
        """
        match self.all(name):
            case [value]:
                return value
            case [] if default is not None:
                return default
            case []:
                raise RemoteProtocolError(f"DIGEST-MD5: {name} is missing")
            case several:
                raise RemoteProtocolError(f"DIGEST-MD5: {name} occurs {len(several)} times")

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """Return the value of a numeric directive.

        Args:
            name: Name of the directive in lower case.
            default: Value if the directive is missing.
            least: Smallest value.
            most: Largest value.

        Returns:
            The number.

        Raises:
            RemoteProtocolError: the value is not a number, or out of bounds.
        """
        text = self.one(name, str(default))
        if not re.fullmatch(r"[0-9]{1,10}", text) or not least <= int(text) <= most:
            raise RemoteProtocolError(f"DIGEST-MD5: {name} is {text!r}, and {least} to {most} are")
        return int(text)


def quoted(value: str) -> str:
    """Return a value in quotation marks, with quotation marks and backslashes escaped.

    Args:
        value: The value.

    Returns:
        The quoted value.
    """
    escaped = re.sub(r'(["\\])', r"\\\1", value)
    return f'"{escaped}"'


def joined(directives: Iterable[tuple[str, str]]) -> bytes:
    """Return the wire form of directives.

    Args:
        directives: Names and values.

    Returns:
        The bytes.
    """
    return ",".join(f"{name}={value}" for name, value in directives).encode()
