"""NameNode with scripted replies to each call, which may refuse the negotiation before it."""

import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from jvmwire._core import HadoopRequestDecoder, decode_message, encode_message
from jvmwire.hadoop._commands import find_method
from jvmwire.hadoop.rpc._writable import CLASSES

from . import wire

Refusal = tuple[str, str]
"""The class of a Java exception, and its message."""
Fields = dict[str, Any]
Answer = Callable[[str, Fields], "bytes | Fields | Refusal"]
"""Function from a method and its request to the reply: encoded, as fields, or a refusal."""

WAIT_TIMEOUT = 60.0
APPLICATION, UNAUTHORIZED = 1, 15
"""Values of `RpcErrorCodeProto`."""
HEADER_LEN = 7
SASL_PROOF = 0xDF
DIGEST_CHALLENGE = 'realm="default",nonce="bm9uY2U",qop="auth",charset=utf-8,algorithm=md5-sess'


def status(name: str | bytes = b"", kind: str = "IS_DIR", **more: object) -> Fields:
    """Return a `HdfsFileStatusProto`."""
    return {
        "file_type": kind,
        "path": name.encode() if isinstance(name, str) else name,
        "length": 0,
        "permission": {"perm": 0o755},
        "owner": "hdfs",
        "group": "supergroup",
        "modification_time": 1_700_000_000_000,
        "access_time": 0,
    } | more


def listing(*entries: Fields, remaining: int = 0) -> Fields:
    """Return a `GetListingResponseProto`."""
    return {"dir_list": {"partial_listing": list(entries), "remaining_entries": remaining}}


def _sasl_header(status: int = wire.OK, more: bytes = b"") -> bytes:
    """Encode the header of a message in a negotiation: its client id is empty."""
    head = wire.number(1, wire.SASL_ID & 0xFFFFFFFF) + wire.number(2, status) + wire.number(3, 9)
    return wire.delimited(head + more + wire.content(7, b"") + wire.signed(8, -1))


def unauthorized(refusal: Refusal) -> bytes:
    """Encode the frame that ends a negotiation with a Java exception."""
    java_class, text = refusal
    more = wire.content(4, java_class) + wire.content(5, text) + wire.number(6, UNAUTHORIZED)
    return wire.frame(_sasl_header(wire.FATAL, more))


@dataclass
class ScriptedNameNode:
    """Scripted NameNode: the requests that it received, and its address."""

    answer: Answer
    refusal: Refusal | None = None
    """The reply to each client that negotiates; None means that no authentication is required."""
    offered: tuple[str, str] | None = None
    """Method and mechanism that are offered first; then the refusal answers the client's choice."""
    port: int = 0
    connections: int = 0
    calls: list[tuple[str, Fields]] = field(default_factory=list)
    users: list[tuple[str | None, str | None]] = field(default_factory=list)
    """Effective and real user of each connection context."""
    proofs: list[bytes] = field(default_factory=list)
    """The tokens of SASL's INITIATE messages."""

    def called(self, method: str) -> list[Fields]:
        """Return the requests of a method."""
        return [request for name, request in self.calls if name == method]

    def _serve(self, listening: socket.socket) -> None:
        while True:
            try:
                conversation, _ = listening.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._converse, args=(conversation,), daemon=True).start()

    def _converse(self, conversation: socket.socket) -> None:
        conversation.settimeout(WAIT_TIMEOUT)
        with conversation, suppress(OSError), conversation.makefile("rb") as source:
            header = source.read(HEADER_LEN)
            if header[-1:] == bytes([SASL_PROOF]) and not self._negotiate(conversation, source):
                return
            decoder = HadoopRequestDecoder()
            decoder.feed(header[:-1] + b"\0")
            while data := source.read1(1 << 16):
                decoder.feed(data)
                while True:
                    calls = decoder.next_calls(CLASSES, 1)
                    if calls is not None:
                        conversation.sendall(self._reply(calls))
                    elif (request := decoder.next_request()) is None:
                        break
                    else:
                        self._note(request)

    def _note(self, request: Any) -> None:
        if request.opening is None and request.call_id == wire.CONTEXT_ID:
            effective, real, *_ = request.decode_context()
            self.users.append((effective, real))

    def _negotiate(self, conversation: socket.socket, source: Any) -> bool:
        """Negotiate; return whether calls may follow."""
        _read_frame(source)
        if self.refusal is None and self.offered is None:
            head = _sasl_header()
            conversation.sendall(wire.frame(head, wire.delimited(wire.number(2, 0))))
            return True
        if self.offered is not None:
            method, mechanism = self.offered
            auth = wire.content(1, method) + wire.content(2, mechanism) + wire.content(3, "")
            auth += wire.content(4, "default") + wire.content(5, DIGEST_CHALLENGE)
            offer = wire.delimited(wire.number(2, 1) + wire.content(4, auth))
            conversation.sendall(wire.frame(_sasl_header(), offer))
            self.proofs.append(_read_frame(source))
        if self.refusal is not None:
            conversation.sendall(unauthorized(self.refusal))
        return False

    def _reply(self, calls: Any) -> bytes:
        [[data]] = [calls.arguments[0]]
        method = find_method(calls.protocol, calls.method)
        request = decode_message(method.request, bytes(data))
        self.calls.append((calls.method, request))
        said = self.answer(calls.method, request)
        if isinstance(said, tuple):
            refusal: bytes = calls.refuse(0, *said, APPLICATION)
            return refusal
        if isinstance(said, Mapping):
            said = encode_message(method.response, dict(said))
        reply: bytes = calls.answer_messages([said], 0, 0)[0]
        return reply


@contextmanager
def scripted(answer: Answer, **more: Any) -> Iterator[ScriptedNameNode]:
    """Serve while the block runs."""
    listening = socket.create_server(("127.0.0.1", 0))
    namenode = ScriptedNameNode(answer, port=listening.getsockname()[1], **more)
    thread = threading.Thread(target=namenode._serve, args=(listening,))
    thread.start()
    try:
        yield namenode
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


def _read_frame(source: Any) -> bytes:
    data: bytes = source.read(int.from_bytes(source.read(4)))
    return data
