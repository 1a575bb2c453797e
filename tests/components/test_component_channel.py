"""The connection of a component to Storm or Hama."""

import json
import os
from collections.abc import Iterator
from time import monotonic
from typing import Any

import pytest

from jvmwire._components import ComponentChannel
from jvmwire._runtime.session import NeedData, Opened
from jvmwire.storm._session import BoltSession

SHAKE = {"conf": {}, "pidDir": "", "context": {"taskid": 3, "task->component": {"3": "c"}}}
TUPLE = {"id": "1", "comp": "c", "stream": "default", "task": 1, "tuple": ["late"]}


class FullOutput:
    """Transport whose output has no room at first; more input arrives meanwhile."""

    def __init__(self, read_fd: int, write_fd: int) -> None:
        self.read_fd, self.write_fd = read_fd, write_fd
        self.received: list[Any] = [SHAKE]
        self.sent = b""
        self._is_full = True

    def recv(self) -> bytes | None:
        """Return the next message, or None."""
        return f"{json.dumps(self.received.pop(0))}\nend\n".encode() if self.received else None

    def send(self, data: memoryview) -> int:
        """Take no data the first time."""
        if self._is_full:
            self._is_full = False
            self.received.append(TUPLE)
            return 0
        self.sent += data
        return len(data)


@pytest.fixture
def transport() -> Iterator[Any]:
    reader, writer = os.pipe()  # nothing is ever readable, and the other end always writable
    yield FullOutput(reader, writer)
    os.close(reader)
    os.close(writer)


def test_what_arrives_while_the_output_is_full_is_taken_at_once(transport: Any) -> None:
    channel = ComponentChannel(BoltSession(42), transport)
    assert isinstance(channel.next_event(), Opened)
    assert not isinstance(channel.next_event(until=monotonic() + 0.1), NeedData)
    assert transport.sent == b'{"pid":42}\nend\n'
