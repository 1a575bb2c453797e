"""Protections of the bytes after authentication: none, integrity, or integrity and encryption."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Protocol

from jvmwire._checks import WrongType
from jvmwire.errors import ConfigError


class Protection(enum.StrEnum):
    """Protection of the bytes of a connection: `hadoop.rpc.protection`."""

    AUTHENTICATION = "authentication"
    """Authentication only; bytes are neither protected nor encrypted."""
    INTEGRITY = "integrity"
    """Integrity protection: changes by others are detected."""
    PRIVACY = "privacy"
    """Integrity protection and encryption."""

    @property
    def quality(self) -> str:
        """The name of the quality of protection in SASL."""
        return _QUALITIES[self]

    @classmethod
    def of_quality(cls, quality: str) -> Protection | None:
        """Return the protection of a SASL quality of protection.

        Args:
            quality: `auth`, `auth-int` or `auth-conf`.

        Returns:
            The protection, or None for another name.
        """
        return next((found for found, name in _QUALITIES.items() if name == quality), None)

    @classmethod
    def in_order(cls, names: str | Iterable[str]) -> tuple[Protection, ...]:
        """Return protections by their names, the preferred first.

        Args:
            names: Names, or a text of names separated by commas.

        Returns:
            The protections in order, without duplicates.

        Raises:
            ConfigError: a name is unknown, or there is no name.
        """
        given = names.split(",") if isinstance(names, str) else names
        if not isinstance(given, Iterable) or not all(isinstance(each, str) for each in given):
            raise WrongType("protection must be a str of names, or a list of them")
        try:
            found = tuple(dict.fromkeys(cls(name.strip().lower()) for name in given))
        except ValueError as error:
            known = ", ".join(cls)
            raise ConfigError(f"protection: {error}; there are {known}") from error
        if not found:
            raise ConfigError("protection: expected at least one name, got none")
        return found


_QUALITIES = {
    Protection.AUTHENTICATION: "auth",
    Protection.INTEGRITY: "auth-int",
    Protection.PRIVACY: "auth-conf",
}

STRONGEST_FIRST = (Protection.PRIVACY, Protection.INTEGRITY, Protection.AUTHENTICATION)


class SecurityLayer(Protocol):
    """Security layer of a connection: protects the bytes after the authentication."""

    @property
    def max_size(self) -> int:
        """The longest message in bytes, by the size of the peer's buffer."""

    def wrap(self, data: bytes) -> bytes:
        """Return the protected form of a message.

        Args:
            data: The message, at most `max_size` bytes.

        Returns:
            The token to send.
        """

    def unwrap(self, token: bytes) -> bytes:
        """Return the message of a token.

        Args:
            token: The token of the peer.

        Returns:
            The message.

        Raises:
            RemoteProtocolError: the token is not valid, or not the next in sequence.
        """
