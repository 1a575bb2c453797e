"""Other clients of a NameNode: Java's client and snakebite, warm, and a bare socket."""

from __future__ import annotations

import select
import socket
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from benches.external_client import WarmClient
from jvmwire._core import HadoopReplyDecoder
from kit import wire
from kit.environment import ROOT
from kit.hadoop import SUPERUSER, program
from kit.peer import Executable, PeerError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

CHUNK = 1 << 18


class JavaClient(WarmClient):
    """Java's client at `stat` or `list`, in a given number of threads."""

    def __init__(self, directory: Path, port: int, work: str, *, threads: int = 1) -> None:
        place = directory / f"{work} {threads}"
        super().__init__(program("Caller", str(port), work, str(threads), directory=place))


@dataclass(frozen=True, kw_only=True)
class SnakebiteCaller(Executable):
    """Program `snakebite_caller.py`, in the environment that is made from `snakebite.txt`.

    The environment is separate: snakebite's messages were generated for protobuf 3, and the client
    of Pravega's controller needs 6. protobuf 3 has no C++ for Python 3.11 and later, it is pure
    Python there.
    """

    @property
    def name(self) -> str:
        """Name of the script."""
        return "snakebite_caller"

    def command(self) -> list[str]:
        """Find the environment, and return the command line that runs the script in it."""
        python = ROOT / "build" / "snakebite" / "bin" / "python"
        if not python.exists():
            raise PeerError(f"no {python}: `make bench` makes it")
        # Isolated, or else it would look for its imports among the benches first.
        return [str(python), "-I", str(ROOT / "benches" / f"{self.name}.py"), *self.arguments]


class SnakebiteClient(WarmClient):
    """snakebite-py3 at `stat` or `list`, in a given number of threads of one process."""

    def __init__(self, directory: Path, port: int, work: str, *, threads: int = 1) -> None:
        super().__init__(
            SnakebiteCaller(
                arguments=(str(port), work, str(threads), SUPERUSER),
                directory=directory / f"snakebite {work} {threads}",
            )
        )


class BareSocket:
    """Baseline that sends calls encoded in advance, and reads only the lengths of the replies."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.sendall(wire.conversation([], user=SUPERUSER))
        self._socket.settimeout(0)

    def close(self) -> None:
        """Close the connection."""
        self._socket.close()

    def exchange(self, requests: Sequence[bytes], in_flight: int) -> bytes:
        """Return the replies, with up to `in_flight` unanswered requests at any time."""
        unsent = memoryview(b"".join(requests[:in_flight]))
        replies, at, answered = bytearray(), 0, 0
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        while answered < len(requests):
            poll.modify(self._socket, select.POLLIN | select.POLLOUT if unsent else select.POLLIN)
            [(_, ready)] = poll.poll()
            if ready & select.POLLIN:
                replies += self._socket.recv(CHUNK)
                before = answered
                while len(replies) - at >= 4:
                    end = at + 4 + int.from_bytes(replies[at : at + 4], "big")
                    if end > len(replies):
                        break
                    at, answered = end, answered + 1
                if more := requests[before + in_flight : answered + in_flight]:
                    unsent = memoryview(b"".join((unsent, *more)))
                    # The socket nearly always has room for so little: there is no need to poll.
                    ready |= select.POLLOUT
            if unsent and ready & select.POLLOUT:
                with suppress(BlockingIOError):
                    unsent = unsent[self._socket.send(unsent[:CHUNK]) :]
        return bytes(replies)


def exist(replies: bytes) -> list[bool]:
    """Return whether each path exists, in the order of the requests."""
    decoder = HadoopReplyDecoder(client_id=wire.CLIENT_ID)
    decoder.feed(replies)
    found = {}
    while (answer := decoder.next_response()) is not None:
        found[answer.call_id] = bool(answer.payload)
    return [found[call_id] for call_id in sorted(found)]
