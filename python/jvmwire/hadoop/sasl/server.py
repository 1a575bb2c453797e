"""How a server has it proved who somebody is: its side of one negotiation, without I/O."""

from __future__ import annotations

import base64
import binascii
import enum
from typing import TYPE_CHECKING, Protocol, TypeVar

from jvmwire.errors import JvmWireError, RemoteProtocolError
from jvmwire.hadoop.sasl.digest import DigestServer
from jvmwire.hadoop.sasl.message import SaslAuth, SaslMessage
from jvmwire.hadoop.sasl.protection import STRONGEST_FIRST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire.hadoop.sasl.protection import Protection, SecurityLayer

T = TypeVar("T")


class MechanismNotOffered(RemoteProtocolError):
    """The client wants to prove who it is in a way that is not taken."""


class TokenLookupFailed(Exception):
    """Who knows tokens failed; what became of that is its cause, which no stranger may hear."""


class SecretManager(Protocol):
    """Who knows the passwords of tokens: `SecretManager` of Hadoop."""

    def password_of(self, identifier: bytes) -> bytes | None:
        """Return the password of the token with that identifier; None if it is not known."""


_TOKEN = SaslAuth("TOKEN", "DIGEST-MD5", "", "default")
"""What is offered; its challenge goes one way only."""


class _ServerState(enum.Enum):
    ASKED = enum.auto()
    """Nothing was offered yet."""
    OFFERED = enum.auto()
    DONE = enum.auto()


class SaslServer:
    """The server's side of one negotiation by tokens: `SaslRpcServer` of Hadoop."""

    def __init__(
        self, secrets: SecretManager, *, protections: Sequence[Protection] = STRONGEST_FIRST
    ) -> None:
        self._secrets = secrets
        self._digest = DigestServer(self._password_of, protections=protections)
        self._state = _ServerState.ASKED
        self.identifier: bytes | None = None
        """Of the token that was proved to be there."""

    @property
    def done(self) -> bool:
        """Whether the client has proved who it is."""
        return self._state is _ServerState.DONE

    @property
    def seal(self) -> SecurityLayer | None:
        """What goes around all bytes behind the negotiation."""
        return self._digest.seal if self.done else None

    def receive(self, message: SaslMessage) -> bytes:
        """Take what the client says; return the frame to answer with.

        Raises:
            NotOffered: the client chose a way that it may not.
            RemoteProtocolError: it may not say that now, or it says nothing of use.
            AuthenticationFailed: it has not proved who it is.
        """
        match self._state, message.state:
            case _ServerState.ASKED, "NEGOTIATE":
                self._state = _ServerState.OFFERED
                return SaslMessage("NEGOTIATE", auths=[self._offer()]).encode("server")
            case _ServerState.OFFERED, "INITIATE":
                return self._evaluate(message)
            case state, said:
                raise RemoteProtocolError(f"the client says {said} while {state.name}")

    def _offer(self) -> SaslAuth:
        return _TOKEN._replace(challenge=self._digest.challenge())

    def _evaluate(self, message: SaslMessage) -> bytes:
        if message.auths != [_TOKEN]:
            chosen = ", ".join(f"{auth.method} by {auth.mechanism}" for auth in message.auths)
            raise MechanismNotOffered(f"the client chose {chosen}: that was not offered")
        proof = self._digest.evaluate(message.token or b"")
        self.identifier = _identifier(self._digest.username or "")
        self._state = _ServerState.DONE
        return SaslMessage("SUCCESS", proof).encode("server")

    def _password_of(self, username: str) -> str | None:
        identifier = _identifier(username)
        if identifier is None:
            return None
        password = call_user_hook(identifier, self._secrets.password_of)
        return None if password is None else base64.b64encode(password).decode()


def call_user_hook(identifier: bytes, knows: Callable[[bytes], T]) -> T:
    """Return what somebody `knows` of a token.

    Raises:
        OwnerUnknown: they failed by an error that is not ours.
    """
    try:
        return knows(identifier)
    except JvmWireError:
        raise
    except Exception as error:
        raise TokenLookupFailed("who you are cannot be found out") from error


def _identifier(username: str) -> bytes | None:
    """Return the identifier of a token, as DIGEST-MD5 names it; None if it names no token."""
    try:
        return base64.b64decode(username, validate=True)
    except (binascii.Error, ValueError):
        return None
