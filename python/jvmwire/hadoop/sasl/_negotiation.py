"""Client side of SASL authentication in Hadoop RPC, without I/O."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Protocol

from jvmwire._core import encode_sasl
from jvmwire.errors import RemoteProtocolError
from jvmwire.hadoop.sasl.errors import AuthenticationFailed, InsecureServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.hadoop.sasl._message import SaslAuth, SaslMessage
    from jvmwire.hadoop.sasl._protection import SecurityLayer


SIMPLE_NOT_ALLOWED = "the server asks for no proof of who we are, and fallback_to_simple is off"


class Mechanism(Protocol):
    """Client side of one SASL mechanism."""

    @property
    def complete(self) -> bool:
        """Whether the authentication is complete on both sides."""

    @property
    def seal(self) -> SecurityLayer | None:
        """The security layer of all bytes after the authentication, or None."""

    def respond(self, challenge: bytes) -> bytes:
        """Return the response to a challenge.

        Args:
            challenge: Challenge of the server; empty for the initial response.

        Returns:
            The response.
        """


class Credential(Protocol):
    """Credential of a client."""

    @property
    def user(self) -> str | None:
        """The user of the credential; None if the server derives it."""

    def mechanism(self, auth: SaslAuth) -> Mechanism | None:
        """Return the mechanism for an offer of the server.

        Args:
            auth: Mechanism that the server offers.

        Returns:
            The mechanism, or None if the credential does not fit.
        """


class _ClientState(enum.Enum):
    NEGOTIATING = enum.auto()
    """The server has not sent its offer."""
    AUTHENTICATING = enum.auto()
    DONE = enum.auto()


class SaslClient:
    """Client side of one SASL authentication: `saslConnect` of Java's `SaslRpcClient`.

    Args:
        credentials: Credentials, the preferred first. Default: none.
        fallback_to_simple: Whether to accept a server without authentication. Default: False.
    """

    def __init__(
        self, credentials: Iterable[Credential] = (), *, fallback_to_simple: bool = False
    ) -> None:
        self.credentials = list(credentials)
        """The credentials, among which the client selects after the server's offer."""
        self._fallback_to_simple = fallback_to_simple
        self._state = _ClientState.NEGOTIATING
        self._mechanism: Mechanism | None = None
        self.user: str | None = None
        """The authenticated user; None if the server derives it from the credential."""
        self.secure = False
        """Whether the client authenticated; if not, the server required none, and that was
        allowed."""

    @property
    def done(self) -> bool:
        """Whether the context and calls may follow."""
        return self._state is _ClientState.DONE

    @property
    def seal(self) -> SecurityLayer | None:
        """The security layer of all bytes after the authentication, or None."""
        return self._mechanism.seal if self._mechanism is not None else None

    def begin(self) -> bytes:
        """Return the first frame, which requests the server's offer.

        Returns:
            The bytes to send.
        """
        return encode_sasl("client", "NEGOTIATE")

    def receive(self, message: SaslMessage) -> bytes:
        """Process a message of the server.

        Args:
            message: The message.

        Returns:
            The frame to answer with; empty if there is none.

        Raises:
            RemoteProtocolError: the message is not valid in this state.
            AuthenticationFailed: the authentication failed; subclasses state the reason.
        """
        match self._state, message.state:
            case _ClientState.NEGOTIATING, "NEGOTIATE":
                return self._initiate(message.auths)
            case _ClientState.NEGOTIATING, "SUCCESS":
                # Server.Connection.processSaslMessage: the server requires no authentication.
                if not self._fallback_to_simple:
                    raise InsecureServer(SIMPLE_NOT_ALLOWED)
                self._state = _ClientState.DONE
                return b""
            case _ClientState.AUTHENTICATING, "CHALLENGE":
                answer = self._respond(message.token or b"")
                return encode_sasl("client", "RESPONSE", answer)
            case _ClientState.AUTHENTICATING, "SUCCESS":
                return self._finish(message.token)
            case state, said:
                raise RemoteProtocolError(f"the server says {said} while {state.name}")

    def _initiate(self, auths: Sequence[SaslAuth]) -> bytes:
        for auth in auths:
            for credential in self.credentials:
                if (mechanism := credential.mechanism(auth)) is not None:
                    self._mechanism = mechanism
                    self.user = credential.user
                    self._state = _ClientState.AUTHENTICATING
                    # Without its challenge, which the server does not need.
                    chosen = auth._replace(challenge=None)
                    answer = mechanism.respond(auth.challenge or b"")
                    return encode_sasl("client", "INITIATE", answer, [chosen])
            if auth.method == "SIMPLE":
                if not self._fallback_to_simple:
                    raise InsecureServer(SIMPLE_NOT_ALLOWED)
                # The server does not answer it.
                self._state = _ClientState.DONE
                return encode_sasl("client", "INITIATE", None, [auth])
        offered = ", ".join(f"{auth.method} by {auth.mechanism}" for auth in auths)
        raise AuthenticationFailed(f"no credentials for what the server offers: {offered}")

    def _respond(self, challenge: bytes) -> bytes:
        if self._mechanism is None or self._mechanism.complete:
            raise RemoteProtocolError("a challenge behind the last one")
        return self._mechanism.respond(challenge)

    def _finish(self, token: bytes | None) -> bytes:
        if self._mechanism is not None:
            if token is not None:
                self._respond(token)
            if not self._mechanism.complete:
                raise RemoteProtocolError(
                    "the server accepted the client before it authenticated itself"
                )
            self.secure = True
        self._state = _ClientState.DONE
        return b""
