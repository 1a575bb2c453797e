"""What servers answer to whom they should not trust: told so that two servers can be compared."""

import socket
from typing import NamedTuple

from jvmwire._core import HadoopReplyDecoder
from jvmwire.errors import DecodeError
from jvmwire.hadoop.interface import Engine

from . import wire

PATIENCE = 20.0


class Told(NamedTuple):
    """One answer, without the words of its message."""

    kind: str
    call_id: int
    code: str | None
    java_class: str
    payload: bytes


class Heard(NamedTuple):
    """All that a server said."""

    told: tuple[Told, ...]
    rest: bytes
    ended: bool


def ask(port: int, data: bytes, *, answers: int, engine: Engine = "writable") -> Heard:
    """Write `data`; hear until so many answers came, or the end."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as conversation:
        said = b""
        ended = False
        try:
            conversation.sendall(data)
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


def decoded(said: bytes, engine: Engine) -> tuple[tuple[Told, ...], bytes]:
    """Return the answers in what a server said, and what follows them."""
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID, engine=engine)
    decoder.feed(said)
    told = []
    try:
        while (answer := decoder.next_answer()) is not None:
            java_class, _, code = answer.failure
            told.append(Told(answer.kind, answer.call_id, code, _plain(java_class), answer.payload))
            if answer.kind in ("http", "old version"):
                return tuple(told), b""
    except DecodeError:
        return tuple(told), b"?"
    # Replies go out in the order in which their calls end.
    told.sort(key=lambda one: one.call_id)
    return tuple(told), said[len(said) - decoder.buffered :] if decoder.buffered else b""


def _plain(java_class: str) -> str:
    # Which exception of Java's own library or of its server's insides it was, nobody leans on.
    inside = java_class.startswith(("java.io.", "java.lang.", "com.google.", "java.nio."))
    protobuf = ".protobuf." in java_class
    return "inside" if inside or protobuf or "$" in java_class else java_class


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
