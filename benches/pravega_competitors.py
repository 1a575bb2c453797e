"""Other writers and readers of Pravega: bare sockets, the client of PyPI, Java's client, warm."""

from __future__ import annotations

import asyncio
import gc
import itertools
import socket
import struct
import time
import uuid
from typing import TYPE_CHECKING, Any, ClassVar

import pravega_client

from benches.harness import Measurement, PreparedRun, in_process
from benches.isolated import Worker
from jvmwire._core import PravegaEvents
from jvmwire.pravega import Appender, SegmentStore
from jvmwire.pravega._session import CURRENT_DIALECT
from kit.jvm import Program
from kit.peer import Peer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from jvmwire.transports import Tcp

BLOCK = 256 << 10
PIECE = 1 << 20
HEADER = struct.Struct(">ii")
IN_FLIGHT = 100_000
"""Events in flight of the client of PyPI; it waits for each event by default."""
JVM_TIMEOUT = 120.0
WAIT_TIMEOUT = 60.0


class Raw:
    """A bare socket to a segment store."""

    def __init__(self, store: Tcp) -> None:
        self._socket = socket.create_connection((store.host, store.port))
        self._socket.settimeout(WAIT_TIMEOUT)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._file = self._socket.makefile("rb")
        self._socket.sendall(
            CURRENT_DIALECT.encode("Hello", {"high_version": 16, "low_version": 5})
        )
        self._reply()

    def _reply(self) -> tuple[int, bytes]:
        kind, length = HEADER.unpack(self._file.read(8))
        return kind, self._file.read(length)

    def encoded(self, segment: str, events: list[bytes]) -> tuple[bytes, int]:
        """Begin to append to a segment; return the appends as bytes, and the last event number."""
        writer_id, waiting = uuid.uuid4(), PravegaEvents(BLOCK, BLOCK)
        fields = {"request_id": 1, "writer_id": writer_id, "segment": segment}
        self._socket.sendall(
            CURRENT_DIALECT.encode("SetupAppend", fields | {"delegation_token": ""})
        )
        self._reply()
        waiting.push_all(events)
        wire, last = bytearray(), 0
        while waiting.unsent:
            blocks, count = waiting.next_blocks(writer_id, last, 1)
            last += count
            wire += blocks
        return bytes(wire), last

    def blast(self, wire: bytes, last: int) -> None:
        """Send bytes encoded before, and wait for the last acknowledgement."""
        self._socket.sendall(wire)
        while struct.unpack_from(">q", self._reply()[1], 16)[0] < last:
            pass

    def discard(self, segment: str, end: int) -> int:
        """Read a segment to its end and discard it; return its number of bytes."""
        at = 0
        while at < end:
            fields = {"segment": segment, "offset": at, "suggested_length": PIECE}
            self._socket.sendall(
                CURRENT_DIALECT.encode(
                    "ReadSegment", fields | {"delegation_token": "", "request_id": 1}
                )
            )
            _, payload = self._reply()
            at += len(payload) - 2 - len(segment) - 8 - 2 - 4 - 8
        return at

    def close(self) -> None:
        """Close the connection."""
        self._file.close()
        self._socket.close()


class Ours(Worker):
    """jvmwire in a separate process, as all other contenders are: nothing else runs in it."""

    def __init__(self, store: Tcp, segment: str) -> None:
        super().__init__()
        self.do(_OurProcess.begin, store, segment)

    def work(self, given: list[bytes], result: Callable[[], object]) -> PreparedRun:
        """Prepare to append events, each awaited before the next."""
        self.do(_OurProcess.prepare, given)
        return PreparedRun(lambda: self.do(_OurProcess.run), result)


class _OurProcess:
    """State of the separate process, which runs nothing else."""

    appender: ClassVar[Appender]
    ready: ClassVar[PreparedRun]

    @classmethod
    def begin(cls, store: Tcp, segment: str) -> None:
        client = SegmentStore(store)
        client.create_segment(segment)
        cls.appender = client.appender(segment)

    @classmethod
    def prepare(cls, given: list[bytes]) -> None:
        append = cls.appender.append
        cls.ready = in_process(lambda: [append(event) for event in given], len(given))
        gc.collect()

    @classmethod
    def run(cls) -> Measurement:
        return cls.ready.run()


class Pip(Worker):
    """The client of PyPI in a separate process: all its reads go through one runtime."""

    def __init__(self, controller: Tcp) -> None:
        super().__init__()
        self.do(_PipsProcess.begin, str(controller))

    def work(
        self, what: str, given: Any, count: int, result: Callable[[int], object]
    ) -> PreparedRun:
        """Prepare to `write`, `await_each` or `read`; CPU is that of the client's process."""
        self.do(_PipsProcess.prepare, what, *given)
        seen: list[int] = []

        def run() -> Measurement:
            wall, cpu, found = self.do(_PipsProcess.run)
            seen.append(found)
            return Measurement(count, wall, cpu)

        return PreparedRun(run, lambda: result(seen.pop()))


class _PipsProcess:
    """State of the separate process, which runs nothing else."""

    manager: ClassVar[Any]
    ready: ClassVar[Callable[[], int]]
    writers: ClassVar[dict[str, Any]] = {}
    numbers: ClassVar[Iterator[int]] = itertools.count()

    @classmethod
    def begin(cls, controller: str) -> None:
        cls.manager = pravega_client.StreamManager(f"tcp://{controller}")

    @classmethod
    def prepare(cls, what: str, stream: str, given: Any) -> None:
        cls.ready = getattr(cls, what)(stream, given)

    @classmethod
    def run(cls) -> tuple[float, float, int]:
        cpu, wall = time.process_time(), time.perf_counter()
        found = cls.ready()
        return time.perf_counter() - wall, time.process_time() - cpu, found

    @classmethod
    def writer(cls, stream: str) -> Any:
        if stream not in cls.writers:
            cls.writers[stream] = cls.manager.create_writer(*stream.split("/"), IN_FLIGHT)
        return cls.writers[stream]

    @classmethod
    def write(cls, stream: str, events: list[bytes]) -> Callable[[], int]:
        writer = cls.writer(stream)

        def write() -> int:
            for event in events:
                writer.write_event_bytes(event)
            writer.flush()
            return len(events)

        return write

    @classmethod
    def await_each(cls, stream: str, events: list[bytes]) -> Callable[[], int]:
        each = [cls.write(stream, [event]) for event in events]
        return lambda: sum(write() for write in each)

    @classmethod
    def read(cls, stream: str, count: int) -> Callable[[], int]:
        scope, name = stream.split("/")
        group = cls.manager.create_reader_group(f"group-{next(cls.numbers)}", scope, name)
        reader = group.create_reader("reader")

        async def read() -> int:
            found = 0
            while found < count:
                piece = await reader.get_segment_slice_async()
                for event in piece:
                    found += bool(event.data())
                reader.release_segment(piece)
            reader.reader_offline()
            return found

        return lambda: asyncio.run(read())


class Java(Peer):
    """Java's client in a separate JVM: tests/peers/pravega/Rival.java."""

    def __init__(self, controller: Tcp, directory: Path) -> None:
        super().__init__(
            Program(
                module="pravega",
                main="jvmwire.peers.pravega.Rival",
                arguments=[str(controller.port)],
                directory=directory / "rival",
                heap="2g",
                heap_at_once=True,
            )
        )

    def work(self, what: str, count: int, result: Callable[[int], object]) -> PreparedRun:
        """Prepare the work `what` for so many events; CPU is that of the whole process."""
        self.ask(what, start="prepared", timeout=JVM_TIMEOUT)
        seen: list[int] = []

        def run() -> Measurement:
            _, wall, cpu, found = self.ask("run", start="ran ", timeout=JVM_TIMEOUT).split()
            seen.append(int(found))
            return Measurement(count, int(wall) / 1e9, int(cpu) / 1e9)

        return PreparedRun(run, lambda: result(seen.pop()))
