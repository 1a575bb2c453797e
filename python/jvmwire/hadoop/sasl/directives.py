"""What DIGEST-MD5 says: `name=value` or `name="value"`, behind commas (RFC 2831, section 7.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmwire.errors import RemoteProtocolError

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_CHALLENGE = 2048
"""Bytes of a challenge: RFC 2831, section 2.1.1."""
MAX_RESPONSE = 4096
"""Bytes of a response: RFC 2831, section 2.1.2."""

_NAME = r"[!#-'*+.^-z|~\-]+"
_DIRECTIVE = re.compile(
    rf'[\s,]*({_NAME})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|([^\s",]+))\s*(?=,|$)', re.DOTALL
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


class Directives:
    """The directives of one challenge or response."""

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
        """Return all values of a directive."""
        return self._values.get(name, [])

    def one(self, name: str, default: str | None = None) -> str:
        """Return the value of a directive that must not stand twice.

        Raises:
            RemoteProtocolError: it is missing and has no default, or it stands twice.
        """
        match self.all(name):
            case [value]:
                return value
            case [] if default is not None:
                return default
            case []:
                raise RemoteProtocolError(f"DIGEST-MD5: {name} is missing")
            case several:
                raise RemoteProtocolError(f"DIGEST-MD5: {name} stands {len(several)} times")

    def number(self, name: str, default: int, *, least: int, most: int) -> int:
        """Return the value of a directive that is a number.

        Raises:
            RemoteProtocolError: it is none, or out of its bounds.
        """
        text = self.one(name, str(default))
        if not re.fullmatch(r"[0-9]{1,10}", text) or not least <= int(text) <= most:
            raise RemoteProtocolError(f"DIGEST-MD5: {name} is {text!r}, and {least} to {most} are")
        return int(text)


def quoted(value: str) -> str:
    """Return a value between quotation marks."""
    escaped = re.sub(r'(["\\])', r"\\\1", value)
    return f'"{escaped}"'


def joined(directives: Iterable[tuple[str, str]]) -> bytes:
    """Return directives as they go over the wire."""
    return ",".join(f"{name}={value}" for name, value in directives).encode()
