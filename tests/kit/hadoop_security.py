"""Recording of a Java client that authenticated by a token, and then wrapped its messages."""

import functools
import json
import re
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from hypothesis import strategies as st

from jvmwire.hadoop._commands import CLIENT_PROTOCOL, GetFileInfo, SingleCall
from jvmwire.hadoop._session import HadoopClientSession
from jvmwire.hadoop.sasl import DigestClient, DigestServer, Protection, SaslAuth, SaslClient, Token
from kit.hadoop_transcript import meaning, requests
from kit.transcript import Conversation, Hears, Sends, Step, Writes

from . import wire
from .captures import RECORDINGS, SASL
from .directions import directions

CLIENTS = json.loads((RECORDINGS / "sasl-3.5.0.clients.json").read_text())
TOKEN = Token.from_url(CLIENTS["token"])
STREAMS = dict(zip(Protection, range(3), strict=True))
"""Stream numbers of the connections that authenticate by token."""
HEADER_LEN = 7


@dataclass(frozen=True)
class Secured:
    """Connection that authenticated by token."""

    protection: Protection
    nonce: str
    cnonce: str
    challenge: bytes
    response: bytes
    proof: bytes
    client: list[bytes]
    """Frames that the client sent, without the header before them."""
    server: list[bytes]
    client_wraps: list[bytes]
    server_wraps: list[bytes]


@functools.cache
def secured(protection: Protection) -> Secured:
    """Return the recorded connection with that protection."""
    both = directions(SASL)[STREAMS[protection]]
    client, server = frames(both.client[HEADER_LEN:]), frames(both.server)
    return Secured(
        protection,
        nonce=_found(rb'nonce="([^"]+)"', server[0]).decode(),
        cnonce=_found(rb'cnonce="([^"]+)"', client[1]).decode(),
        challenge=_found(rb'(realm="default".*?md5-sess)', server[0]),
        response=_found(rb'(charset=utf-8.*)"\x1e', client[1]),
        proof=_found(rb"(rspauth=[0-9a-f]{32})", server[1]),
        client=client,
        server=server,
        client_wraps=wrapped_in(client[2:]),
        server_wraps=wrapped_in(server[2:]),
    )


def frames(data: bytes) -> list[bytes]:
    """Split a direction into frames."""
    found = []
    while data:
        (length,) = struct.unpack_from(">i", data)
        found.append(data[: 4 + length])
        data = data[4 + length :]
    return found


def _found(pattern: bytes, data: bytes) -> bytes:
    match = re.search(pattern, data, re.DOTALL)
    assert match is not None
    return match[1]


def wrapped_in(frames: Sequence[bytes]) -> list[bytes]:
    """Return the contents of WRAP frames, still sealed."""
    # The state 5, then a token, which ends the frame.
    found = []
    for frame in frames:
        at = frame.find(b"\x10\x05\x1a", 0, 40) + 3
        if at >= 3:
            while frame[at] > 0x7F:
                at += 1
            found.append(frame[at + 1 :])
    return found


def digest_client(recorded: Secured) -> DigestClient:
    """Return a client that draws the same nonce as the recorded one."""
    return DigestClient(
        TOKEN.username,
        TOKEN.secret,
        protocol="",
        server_id="default",
        protections=[recorded.protection],
        nonce=lambda: recorded.cnonce,
    )


def digest_server(recorded: Secured) -> DigestServer:
    """Return a server that draws the recorded server's nonce, and has the token's secret."""
    known = {TOKEN.username: TOKEN.secret}
    return DigestServer(known.get, nonce=lambda: recorded.nonce)


@dataclass(frozen=True)
class RecordedCredential:
    """The token, with the nonce of the recorded client."""

    recorded: Secured
    user: ClassVar[None] = None

    def mechanism(self, auth: SaslAuth) -> DigestClient | None:
        return digest_client(self.recorded) if auth.method == "TOKEN" else None


@dataclass(frozen=True, slots=True)
class AnyCall(SingleCall):
    """A call whose result is returned undecoded."""

    method: str
    fields: dict[str, Any]
    idempotent: ClassVar[bool] = True

    def columns(self) -> dict[str, Sequence[Any]]:
        return {name: [value] for name, value in self.fields.items()}

    def decode(self, payload: bytes) -> bytes:
        return payload


def _client_id(recorded: Secured) -> bytes:
    """Return the recorded client's id, where it is not encrypted."""
    said = recorded.client[2]
    return _found(rb'\x1a\x08\x02\x10\x00\x18\x05"\x10(.{16})', said)


def new_session(recorded: Secured, client_id: bytes = wire.CLIENT_ID) -> HadoopClientSession:
    """Return a session with the token and the nonces of the recorded client."""
    return HadoopClientSession(
        protocol=CLIENT_PROTOCOL,
        user="nobody",
        client_id=client_id,
        sasl=SaslClient([RecordedCredential(recorded)]),
    )


def wrap(side: str, data: bytes) -> bytes:
    """Encode a WRAP frame."""
    if side == "client":
        head = wire.request_header(wire.SASL_ID, retry=-1, client_id=b"")
    else:
        head = wire.delimited(wire.number(1, wire.SASL_ID & 0xFFFFFFFF) + wire.number(2, 0))
    return wire.frame(head, wire.delimited(wire.number(2, 5) + wire.content(3, data)))


def _steps() -> list[Step]:
    """Return the client's steps for `integrity`; Java puts context and first call in one wrap."""
    recorded = secured(Protection.INTEGRITY)
    twin = digest_server(recorded)
    twin.evaluate(recorded.response)
    assert twin.seal is not None
    asked = frames(b"".join(map(twin.seal.unwrap, recorded.client_wraps)))
    ours = digest_client(recorded)
    ours.respond(recorded.challenge)
    assert ours.seal is not None
    sealed = [wrap("client", ours.seal.wrap(frame)) for frame in asked]
    header = wire.connection_header(auth=0xDF)
    steps: list[Step] = [
        Writes(header + recorded.client[0]),
        Hears(recorded.server[0]),
        Writes(recorded.client[1]),
        Hears(recorded.server[1]),
        Writes(sealed[0]),
    ]
    for call_id, (frame, request, answer) in enumerate(
        zip(asked[1:], sealed[1:], recorded.server[2:], strict=True)
    ):
        [(method, fields)] = requests(frame)
        steps += [Sends(AnyCall(method, fields), call_id), Writes(request), Hears(answer)]
    return steps


def _requests(data: bytes) -> list[tuple[str, dict[str, Any]]]:
    opened = b"".join(token[:-16] for token in wrapped_in(frames(data)))
    return list(requests(opened))


_RECORDED = secured(Protection.INTEGRITY)
_PATHS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)

SECURE_CLIENT = Conversation(
    "hadoop with integrity",
    lambda: new_session(_RECORDED, _client_id(_RECORDED)),
    _steps(),
    commands=st.builds(GetFileInfo, _PATHS),
    decode=_requests,
    meaning=meaning,
)
