"""How a client proves who it is: its side of one negotiation, without I/O."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Protocol

from jvmwire._core import encode_sasl
from jvmwire.errors import RemoteProtocolError
from jvmwire.hadoop.sasl.errors import AuthenticationFailed, InsecureServer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from jvmwire.hadoop.sasl.message import SaslAuth, SaslMessage
    from jvmwire.hadoop.sasl.protection import SecurityLayer


SIMPLE_NOT_ALLOWED = "the server asks for no proof of who we are, and fallback_to_simple is off"


class Mechanism(Protocol):
    """One way to prove who one is."""

    @property
    def complete(self) -> bool:
        """Whether both sides have proved it."""

    @property
    def seal(self) -> SecurityLayer | None:
        """What goes around all bytes behind the negotiation."""

    def respond(self, challenge: bytes) -> bytes:
        """Return what answers a challenge; `b""` is what is answered before there was one."""


class Credential(Protocol):
    """What somebody can prove who they are with."""

    @property
    def user(self) -> str | None:
        """Who that is; None if the server will know."""

    def mechanism(self, auth: SaslAuth) -> Mechanism | None:
        """Return the mechanism for what a server offers; None if this is of no use for it."""


class _ClientState(enum.Enum):
    NEGOTIATING = enum.auto()
    """What the server offers is not known."""
    AUTHENTICATING = enum.auto()
    DONE = enum.auto()


class SaslClient:
    """The client's side of one negotiation: `saslConnect` of Java's `SaslRpcClient`."""

    def __init__(
        self, credentials: Iterable[Credential] = (), *, fallback_to_simple: bool = False
    ) -> None:
        self.credentials = list(credentials)
        """What there is to prove it with; looked at when the server has said what it takes."""
        self._fallback_to_simple = fallback_to_simple
        self._state = _ClientState.NEGOTIATING
        self._mechanism: Mechanism | None = None
        self.user: str | None = None
        """Who has been proved to be there; None if only the server knows."""
        self.secure = False
        """Whether anything was proved; else the server wanted no proof, and that was allowed."""

    @property
    def done(self) -> bool:
        """Whether the context and calls may follow."""
        return self._state is _ClientState.DONE

    @property
    def seal(self) -> SecurityLayer | None:
        """What goes around all bytes behind the negotiation."""
        return self._mechanism.seal if self._mechanism is not None else None

    def begin(self) -> bytes:
        """Return the frame that asks what the server offers."""
        return encode_sasl("client", "NEGOTIATE")

    def receive(self, message: SaslMessage) -> bytes:
        """Take what the server says; return the frame to answer with, if any.

        Raises:
            RemoteProtocolError: the server may not say that now.
            AuthenticationFailed: its children say why.
        """
        match self._state, message.state:
            case _ClientState.NEGOTIATING, "NEGOTIATE":
                return self._initiate(message.auths)
            case _ClientState.NEGOTIATING, "SUCCESS":
                # Server.Connection.processSaslMessage: it serves everybody.
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
                    # Without a challenge: the server does not need to hear it again.
                    chosen = auth._replace(challenge=None)
                    answer = mechanism.respond(auth.challenge or b"")
                    return encode_sasl("client", "INITIATE", answer, [chosen])
            if auth.method == "SIMPLE":
                if not self._fallback_to_simple:
                    raise InsecureServer(SIMPLE_NOT_ALLOWED)
                # Which is not answered.
                self._state = _ClientState.DONE
                return encode_sasl("client", "INITIATE", None, [auth])
        offered = ", ".join(f"{auth.method} by {auth.mechanism}" for auth in auths)
        raise AuthenticationFailed(f"nothing at hand fits what the server offers: {offered}")

    def _respond(self, challenge: bytes) -> bytes:
        if self._mechanism is None or self._mechanism.complete:
            raise RemoteProtocolError("a challenge behind the last one")
        return self._mechanism.respond(challenge)

    def _finish(self, token: bytes | None) -> bytes:
        if self._mechanism is not None:
            if token is not None:
                self._respond(token)
            if not self._mechanism.complete:
                raise RemoteProtocolError("the server is content before it has proved who it is")
            self.secure = True
        self._state = _ClientState.DONE
        return b""
