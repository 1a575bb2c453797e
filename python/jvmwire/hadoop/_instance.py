"""Instance id of a server, by which clients distinguish one run of a server from the next.

The retry cache of jvmwire's server lives in memory. A client of jvmwire therefore queries the id of
the server instance when it connects for an interface that has `at_most_once` methods, and sends
such a call again only to the instance that received the earlier tries. Java's servers do not serve
the protocol and refuse the query; the connection stays open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import HadoopCaller, encode_invocation
from jvmwire._runtime.operations import Call
from jvmwire.errors import DecodeError, ServerError
from jvmwire.hadoop._commands import SelfEncodedCall
from jvmwire.hadoop.rpc._interface import Interface, methods_hash
from jvmwire.hadoop.rpc._writable import decode

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hadoop.rpc._interface import Engine

PROTOCOL = "jvmwire.ServerInstance"
"""The protocol's name on the wire. (Chosen by jvmwire; Hadoop has no such protocol.)"""
INSTANCE_BYTES = 16
"""Bytes of an instance id."""
_FIELD = bytes([1 << 3 | 2, INSTANCE_BYTES])
"""The bytes before the id in the message of the Protobuf engine: field 1, of 16 bytes."""


class WritableInstance(Interface, protocol=PROTOCOL, version=1):
    """Protocol of the query in the Writable engine."""

    def get_instance(self) -> bytes:
        """Return the id of the server instance.

        Returns:
            `INSTANCE_BYTES` bytes.
        """
        raise NotImplementedError


class ProtobufInstance(Interface, protocol=PROTOCOL, version=1, engine="protobuf"):
    """Protocol of the query in the Protobuf engine."""

    def get_instance(self, request: bytes) -> bytes:
        """Return a message whose field 1 is the id of the server instance.

        Args:
            request: An empty message.

        Returns:
            The message as bytes.
        """
        raise NotImplementedError


INSTANCE_PROTOCOLS: dict[Engine, type[Interface]] = {
    "writable": WritableInstance,
    "protobuf": ProtobufInstance,
}


class ServerInstance:
    """Implementation of the protocol for one server instance.

    Args:
        instance: The id, of `INSTANCE_BYTES` bytes.
        engine: The encoding of the answer.
    """

    def __init__(self, instance: bytes, engine: Engine) -> None:
        self._response = instance if engine == "writable" else _FIELD + instance

    def get_instance(self, *_: bytes) -> bytes:
        """Return the id of the server instance, in the encoding of the engine.

        Returns:
            The bytes of the id (Writable), or of the message that contains it (Protobuf).
        """
        return self._response


class AskInstance(SelfEncodedCall):
    """Call that queries the instance id of a server.

    Args:
        engine: The engine that the connection's interface uses.
        client_id: The id of the client.
        beta: Whether the server speaks the dialect of Hadoop 2.1.0-beta.
    """

    __slots__ = ("_beta", "_client_id", "_engine")

    method = "getInstance"
    idempotent = True

    def __init__(self, engine: Engine, client_id: bytes, *, beta: bool) -> None:
        self._engine, self._client_id, self._beta = engine, client_id, beta

    def encode(self, caller: HadoopCaller, call_id: int, retry: int, state_id: int | None) -> bytes:
        """Return the frame of the call.

        Args:
            caller: The encoder of the connection.
            call_id: Number of the call on the connection.
            retry: Number of earlier tries.
            state_id: Last state id that the client has seen; None sends none.

        Returns:
            The bytes to send.
        """
        if self._engine == "protobuf":
            # The caller of the connection names the protocol that the connection was opened for.
            caller = HadoopCaller(
                client_id=self._client_id, protocol=PROTOCOL, version=1, beta=self._beta
            )
            return caller.encode_message(self.method, call_id, b"", retry=retry, state_id=state_id)
        hashed = methods_hash(WritableInstance)
        invocation = encode_invocation(PROTOCOL, self.method, 1, hashed, (), ())
        return caller.encode_invocation(call_id, invocation, retry=retry, state_id=state_id)

    def decode(self, payload: bytes) -> bytes:
        """Return the instance id that a reply contains.

        Args:
            payload: The reply after its header.

        Returns:
            `INSTANCE_BYTES` bytes.

        Raises:
            DecodeError: the reply has no instance id.
        """
        found = decode(payload) if self._engine == "writable" else payload.removeprefix(_FIELD)
        if not isinstance(found, bytes) or len(found) != INSTANCE_BYTES:
            text = f"the server's instance id: expected {INSTANCE_BYTES} bytes, got {found!r:.80}"
            raise DecodeError(text)
        return found

    def __repr__(self) -> str:
        return f"<call of {PROTOCOL}.{self.method}>"


def learn_instance(connection: Connection, question: AskInstance) -> Operation[None]:
    """Query the instance id of the server of a new connection, and store it in the session.

    Args:
        connection: The connection; servers that refuse the query leave it unchanged.
        question: The query.
    """
    try:
        connection.session.instance = yield Call(connection, question)  # type: ignore[attr-defined]
    except ServerError as error:
        if error.retryable:
            raise


def instance_of(connection: Connection) -> bytes | None:
    """Return the server instance that a connection leads to.

    Args:
        connection: The connection.

    Returns:
        The instance id, or None if the server has none.
    """
    instance: bytes | None = connection.session.instance  # type: ignore[attr-defined]
    return instance
