"""Hostile input for Hadoop servers, and their replies in a comparable form."""

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import NamedTuple

from jvmwire._core import HadoopReplyDecoder
from jvmwire.errors import DecodeError
from jvmwire.hadoop.rpc._interface import Engine
from kit import wire

WAIT_TIMEOUT = 20.0
PAUSE = 0.1
"""Seconds within which a server surely processes the bytes that arrived."""
LIMIT = 1 << 20
"""`ipc.maximum.data.length` of the servers under test."""
LENGTHS = (-1, 0, LIMIT + 1, 2**31 - 1)
"""Forged lengths; a field of fewer bits gets the lowest bits of them."""


class Told(NamedTuple):
    """One reply, without the text of its message."""

    kind: str
    call_id: int
    code: str | None
    java_class: str
    payload: bytes


class Heard(NamedTuple):
    """All bytes that a server sent, decoded."""

    told: tuple[Told, ...]
    rest: bytes
    ended: bool


def ask(
    port: int,
    data: bytes,
    *,
    answers: int,
    engine: Engine = "writable",
) -> Heard:
    """Write `data`; read until `answers` replies have arrived, or to the end of the stream."""
    with _connected(port) as conversation:
        with suppress(ConnectionError):
            conversation.sendall(data)
        return hear(conversation, answers=answers, engine=engine)


def hear(
    conversation: socket.socket,
    *,
    answers: int,
    engine: Engine = "writable",
) -> Heard:
    """Read until `answers` replies have arrived, or to the end of the stream."""
    said = b""
    ended = False
    try:
        while len(said) < 1 << 20:
            piece = conversation.recv(1 << 16)
            if not piece:
                ended = True
                break
            said += piece
            if len(decoded(said, engine)[0]) == answers:
                break
    except ConnectionResetError:
        ended = True
    return Heard(*decoded(said, engine), ended)


def first_frame(port: int, data: bytes) -> bytes:
    """Write `data`; return the bytes of the first reply."""
    with _connected(port) as conversation:
        conversation.sendall(data)
        with conversation.makefile("rb") as said:
            length = said.read(4)
            return length + said.read(int.from_bytes(length))


def broken_off(port: int, whole: bytes, engine: Engine = "writable") -> list[Heard]:
    """Return a server's replies to clients that end early, one for each byte of `whole`."""
    with _many(port, len(whole)) as conversations:
        for cut, conversation in enumerate(conversations):
            conversation.sendall(whole[:cut])
            conversation.shutdown(socket.SHUT_WR)
        return [hear(conversation, answers=-1, engine=engine) for conversation in conversations]


def interrupted(
    port: int, whole: bytes, *, answers: int, engine: Engine = "writable"
) -> list[Heard]:
    """Return a server's replies to clients that pause inside `whole`, one for each of its bytes."""
    with _many(port, len(whole)) as conversations:
        for conversation in conversations:
            conversation.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for cut, conversation in enumerate(conversations):
            conversation.sendall(whole[:cut])
        time.sleep(PAUSE)
        for cut, conversation in enumerate(conversations):
            conversation.sendall(whole[cut:])
        return [
            hear(conversation, answers=answers, engine=engine) for conversation in conversations
        ]


@contextmanager
def _many(port: int, count: int) -> Iterator[list[socket.socket]]:
    with ExitStack() as ending:
        yield [ending.enter_context(_connected(port)) for _ in range(count)]


def _connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=WAIT_TIMEOUT)


def decoded(said: bytes, engine: Engine) -> tuple[tuple[Told, ...], bytes]:
    """Return the replies in the bytes that a server sent, and the bytes after them."""
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID, engine=engine)
    decoder.feed(said)
    told = []
    try:
        while (answer := decoder.next_response()) is not None:
            java_class, _, code = answer.failure
            told.append(Told(answer.kind, answer.call_id, code, java_class, answer.payload))
            if answer.kind in ("http", "old version"):
                return tuple(told), b""
    except DecodeError:
        return tuple(told), b"?"
    # Replies are sent in the order in which their calls end.
    told.sort(key=lambda one: one.call_id)
    return tuple(told), said[len(said) - decoder.buffered :] if decoder.buffered else b""


def forged(field: int, length: int, data: bytes) -> bytes:
    """Encode a field of text, bytes or a message with a forged length."""
    return wire.varint(field << 3 | 2) + wire.varint(length) + data


def header(**changed: object) -> bytes:
    """Encode a request header field by field; a field that is None is left out."""
    fields: dict[str, object] = {
        "kind": 1,
        "op": 0,
        "call": 5,
        "client": wire.CLIENT_ID,
        "retry": 0,
    }
    fields |= changed
    out = b""
    for number, name in enumerate(("kind", "op", "call", "client", "retry"), 1):
        value = fields[name]
        match value:
            case None:
                pass
            case bytes():
                out += wire.content(number, value)
            case int() if name in ("call", "retry"):
                out += wire.signed(number, value)
            case int():
                out += wire.number(number, value)
    return wire.delimited(out + fields.get("more", b""))  # type: ignore[operator]
