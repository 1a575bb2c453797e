"""What is done to the bytes behind a negotiation: nothing, a seal, a seal and a cipher."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Protocol

from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable


class Protection(enum.StrEnum):
    """`hadoop.rpc.protection`."""

    AUTHENTICATION = "authentication"
    """Who the two are is proved; what they say then is as it would be without."""
    INTEGRITY = "integrity"
    """What they say is sealed: nobody can change it."""
    PRIVACY = "privacy"
    """Nobody can read it either."""

    @property
    def quality(self) -> str:
        """The quality of protection, as SASL calls it."""
        return _QUALITIES[self]

    @classmethod
    def of_quality(cls, quality: str) -> Protection | None:
        """Return what SASL calls `quality`."""
        return next((found for found, name in _QUALITIES.items() if name == quality), None)

    @classmethod
    def in_order(cls, names: str | Iterable[str]) -> tuple[Protection, ...]:
        """Return those named, one or several behind commas, most wanted first.

        Raises:
            ConfigError: a name that is none, or no name at all.
        """
        given = names.split(",") if isinstance(names, str) else names
        try:
            found = tuple(dict.fromkeys(cls(name.strip().lower()) for name in given))
        except ValueError as error:
            known = ", ".join(cls)
            raise ConfigError(f"protection: {error}; there are {known}") from error
        if not found:
            raise ConfigError("protection: none is named")
        return found


_QUALITIES = {
    Protection.AUTHENTICATION: "auth",
    Protection.INTEGRITY: "auth-int",
    Protection.PRIVACY: "auth-conf",
}

STRONGEST_FIRST = (Protection.PRIVACY, Protection.INTEGRITY, Protection.AUTHENTICATION)


class SecurityLayer(Protocol):
    """What two sides that know each other put around their bytes."""

    @property
    def max_size(self) -> int:
        """Bytes that one wrap may hold: the peer's buffer."""

    def wrap(self, data: bytes) -> bytes:
        """Return `data` under the seal."""

    def unwrap(self, token: bytes) -> bytes:
        """Return what is under the seal.

        Raises:
            RemoteProtocolError: it was broken, or is not the next.
        """
