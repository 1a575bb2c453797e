"""Client of a segment store that sends one command and returns the whole reply to it."""

import itertools
import socket
from types import TracebackType
from typing import Any, Self

from jvmwire._core import PravegaDialect

DIALECT = PravegaDialect.today()
REPLY_TIMEOUT = 20.0

Reply = tuple[str, dict[str, Any]]
"""The name of a reply, and its fields."""


class RawStoreClient:
    """Connection to a segment store, on which one command waits for its reply.

    Args:
        port: The port of the store on 127.0.0.1.
    """

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), REPLY_TIMEOUT)
        self._decoder = DIALECT.decoder()
        self._ids = itertools.count(1)
        try:
            self.send("Hello", {"high_version": 16, "low_version": 5})
            assert self.receive()[0] == "Hello"
        except BaseException:
            self.close()
            raise

    def send(self, name: str, fields: dict[str, Any]) -> None:
        """Send a command."""
        self._socket.sendall(DIALECT.encode(name, fields))

    def receive(self, seconds: float = REPLY_TIMEOUT) -> Reply:
        """Return the next reply; raise TimeoutError if none comes in time."""
        self._socket.settimeout(seconds)
        while (found := self._decoder.next_command()) is None:
            data = self._socket.recv(1 << 20)
            if not data:
                raise ConnectionResetError("the store closed the connection")
            self._decoder.feed(data)
        _, name, fields = found
        assert name is not None
        for key, value in fields.items():
            if isinstance(value, memoryview):
                fields[key] = bytes(value)
        return name, fields

    def call(self, name: str, **fields: Any) -> Reply:
        """Send a command with a new request id, and return the reply."""
        token = {} if name in {"ConditionalAppend", "AppendBlock"} else {"delegation_token": ""}
        self.send(name, {"request_id": next(self._ids), **token, **fields})
        return self.receive()

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
