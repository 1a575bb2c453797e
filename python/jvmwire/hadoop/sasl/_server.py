"""Server side of SASL authentication in Hadoop RPC, without I/O."""

from __future__ import annotations

import base64
import binascii
import enum
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from jvmwire.errors import JvmWireError, RemoteProtocolError
from jvmwire.hadoop.sasl._digest import DigestServer
from jvmwire.hadoop.sasl._message import SaslAuth, SaslMessage
from jvmwire.hadoop.sasl._protection import STRONGEST_FIRST

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmwire.hadoop.sasl._protection import Protection, SecurityLayer

T = TypeVar("T")


class MechanismNotOffered(RemoteProtocolError):
    """The client selected a mechanism that the server did not offer."""


class TokenLookupFailed(Exception):
    """The lookup of a token failed; the cause is not sent to the client."""


@runtime_checkable
class SecretManager(Protocol):
    """Lookup of the passwords of tokens: `SecretManager` of Hadoop."""

    def password_of(self, identifier: bytes) -> bytes | None:
        """Return the password of a token.

        Args:
            identifier: Identifier of the token.

        Returns:
            The password, or None if the token is unknown.
        """


_TOKEN = SaslAuth("TOKEN", "DIGEST-MD5", "", "default")
"""The offered mechanism; its challenge is not repeated by the client."""


class _ServerState(enum.Enum):
    ASKED = enum.auto()
    """Nothing has been offered yet."""
    OFFERED = enum.auto()
    DONE = enum.auto()


class SaslServer:
    """Server side of one SASL authentication by tokens: `SaslRpcServer` of Hadoop.

    Args:
        secrets: Lookup of the passwords of tokens.
        protections: Offered protections. Default: all.
    """

    def __init__(
        self, secrets: SecretManager, *, protections: Sequence[Protection] = STRONGEST_FIRST
    ) -> None:
        self._secrets = secrets
        self._digest = DigestServer(self._password_of, protections=protections)
        self._state = _ServerState.ASKED
        self.identifier: bytes | None = None
        """The identifier of the client's token, after its authentication."""

    @property
    def done(self) -> bool:
        """Whether the client has authenticated."""
        return self._state is _ServerState.DONE

    @property
    def seal(self) -> SecurityLayer | None:
        """The security layer of all bytes after the authentication, or None."""
        return self._digest.seal if self.done else None

    def receive(self, message: SaslMessage) -> bytes:
        """Process a message of the client.

        Args:
            message: The message.

        Returns:
            The frame to answer with.

        Raises:
            MechanismNotOffered: the client selected a mechanism that was not offered.
            RemoteProtocolError: the message is not valid, or not valid in this state.
            AuthenticationFailed: the token is unknown, or its password is wrong.
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
    """Return the result of a hook of the user for a token.

    Args:
        identifier: Identifier of the token.
        knows: The hook.

    Returns:
        The result of the hook.

    Raises:
        TokenLookupFailed: the hook raised an error that is not a `JvmWireError`.
    """
    try:
        return knows(identifier)
    except JvmWireError:
        raise
    except Exception as error:
        raise TokenLookupFailed("the client could not be authenticated") from error


def _identifier(username: str) -> bytes | None:
    """Return the identifier of a token by its name in DIGEST-MD5, or None if it is not valid."""
    try:
        return base64.b64decode(username, validate=True)
    except (binascii.Error, ValueError):
        return None
