"""Handwritten callers of the echo server: the baselines of the drivers.

They only call: no deadline, no limit, no heartbeat, no errors other than the system's, one thread.
"""

from __future__ import annotations

import asyncio
import select
import socket
import struct
from typing import TYPE_CHECKING, TypeVar

from kit.echo_session import Kind, frame

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable, Iterator

Address = tuple[str, int]
Question = TypeVar("Question")
Answer = TypeVar("Answer")

CHUNK = 1 << 16
BULK_CHUNK = 1 << 18
HEADER = struct.Struct(">IQ")
CALL = Kind.CALL << 56
HELLO = frame(Kind.HELLO, 0)
LENGTH_OF_ID = 8


class BlockingLoop:
    """One call at a time over a blocking socket."""

    def __init__(self, address: Address) -> None:
        self._socket = connected(address)
        self._call_id = 0

    def call(self, payload: bytes) -> bytes:
        """Send, and read until the reply is complete."""
        self._call_id += 1
        self._socket.sendall(
            HEADER.pack(LENGTH_OF_ID + len(payload), CALL | self._call_id) + payload
        )
        reply = self._socket.recv(CHUNK)
        while len(reply) < HEADER.size or len(reply) < 4 + HEADER.unpack_from(reply)[0]:
            reply += self._socket.recv(CHUNK)
        if HEADER.unpack_from(reply)[1] != CALL | self._call_id:
            raise ConnectionError("a reply to another call")
        return reply[HEADER.size :]

    def close(self) -> None:
        """End the connection."""
        self._socket.close()


class FuturesLoop(asyncio.Protocol):
    """Many calls at a time: one future each, found by its id."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._call_id = 0
        self._futures: dict[int, asyncio.Future[bytes]] = {}
        self._inbound = bytearray()
        self._greeted = self._loop.create_future()

    @classmethod
    async def connect(cls, address: Address) -> FuturesLoop:
        """Connect and greet."""
        _, protocol = await asyncio.get_running_loop().create_connection(cls, *address)
        await protocol._greeted
        return protocol

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Send the greeting."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(HELLO)

    def data_received(self, data: bytes) -> None:
        """Complete the futures of the replies that are complete."""
        inbound = self._inbound
        inbound += data
        read, end = 0, len(inbound)
        while end - read >= HEADER.size:
            length, id_ = HEADER.unpack_from(inbound, read)
            if end - read < 4 + length:
                break
            payload = bytes(inbound[read + HEADER.size : read + 4 + length])
            read += 4 + length
            if id_ >> 56 == Kind.HELLO:
                self._greeted.set_result(None)
            else:
                self._futures.pop(id_).set_result(payload)
        del inbound[:read]

    def call(self, payload: bytes, kind: Kind = Kind.CALL) -> asyncio.Future[bytes]:
        """Send a call; return the future of the reply."""
        self._call_id += 1
        future = self._futures[CALL | self._call_id] = self._loop.create_future()
        id_ = kind << 56 | self._call_id
        self._transport.write(HEADER.pack(LENGTH_OF_ID + len(payload), id_) + payload)
        return future

    def close(self) -> None:
        """End the connection."""
        self._transport.close()


class BulkLoop:
    """Sends bytes encoded before, and reads as many bytes as the replies have."""

    def __init__(self, address: Address) -> None:
        self._socket = connected(address)
        self._socket.settimeout(0)

    def exchange(self, requests: bytes) -> bytearray:
        """Return the replies as they arrived."""
        replies = bytearray(len(requests))
        unsent, unread = memoryview(requests), memoryview(replies)
        poll = select.poll()
        poll.register(self._socket, select.POLLIN | select.POLLOUT)
        while unread:
            if not unsent:
                poll.modify(self._socket, select.POLLIN)
            [(_, ready)] = poll.poll()
            if ready & select.POLLIN:
                unread = unread[self._socket.recv_into(unread, min(len(unread), BULK_CHUNK)) :]
            if unsent and ready & select.POLLOUT:
                unsent = unsent[self._socket.send(unsent[:BULK_CHUNK]) :]
        return replies

    def close(self) -> None:
        """End the connection."""
        self._socket.close()


def connected(address: Address) -> socket.socket:
    """Return a socket on which both sides have sent their greeting."""
    sock = socket.create_connection(address)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    sock.sendall(HELLO)
    heard = b""
    while len(heard) < len(HELLO):
        heard += sock.recv(len(HELLO) - len(heard))
    return sock


async def in_flight(
    count: int, call: Callable[[Question], Awaitable[Answer]], questions: Iterable[Question]
) -> list[Answer]:
    """Await `call` of each question, `count` at a time; return the answers in order."""
    replies: dict[int, Answer] = {}
    waiting: Iterator[tuple[int, Question]] = iter(enumerate(questions))

    async def work() -> None:
        for place, question in waiting:
            replies[place] = await call(question)

    await asyncio.gather(*(work() for _ in range(count)))
    return [replies[place] for place in range(len(replies))]
