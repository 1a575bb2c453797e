"""Fake Hazelcast member with scripted answers, for behaviour that real ones seldom show.

All behaviour of a real member is tested against a real one.
"""

import socket
import ssl
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import Any

from jvmwire._core import HazelcastDecoder, HazelcastMessage
from jvmwire.hazelcast._session import PREAMBLE
from kit.hazelcast_transcript import CLIENT_UUID, refusal
from kit.servers import serving

named = HazelcastMessage.named

PARTITIONS = 7
LIMIT = 1 << 20
EVENT_FLAG = 0x01


@dataclass(frozen=True, slots=True)
class Asked:
    """A request, and the connection on which it arrived."""

    name: str
    call_id: int
    fields: dict[str, Any]
    connection: socket.socket


Answer = Callable[[Asked], bytes]
"""The answer to a request; empty bytes mean that none is sent."""


class DoubleMember:
    """Member of a fake cluster, which keeps the entries of one map."""

    def __init__(self) -> None:
        self.uuid = str(uuid.uuid4())
        self.port = 0
        self.cluster: list[DoubleMember] = [self]
        self.limit = LIMIT
        """Maximum bytes of a frame: longer messages are sent in fragments."""
        self.partitions = PARTITIONS
        """Number of partitions of the cluster."""
        self.asked: list[Asked] = []
        """All requests received, in order."""
        self.entries: dict[bytes, bytes] = {}
        self.answers: dict[str, Answer] = {
            "Client.authentication": self.let_in,
            "Client.authenticationCustom": self.let_in,
            "Client.addMembershipListener": self._tell_members,
            "Client.addPartitionListener": lambda asked: self.response(asked, "Void"),
            "Client.getPartitions": self._tell_partitions,
            "Client.createProxy": lambda asked: self.response(asked, "Void"),
            "Client.ping": lambda asked: self.response(asked, "Void"),
            "Map.put": self._put,
            "Map.get": self._get,
            "Map.size": lambda asked: self.response(asked, "Integer", len(self.entries)),
            "Map.entrySet": self._all,
            "Map.addEntryListener": lambda asked: self.response(asked, "String", self.uuid),
            "Map.removeEntryListener": lambda asked: self.response(asked, "Boolean", True),
        }
        """Answers by the request's name; a test adds its own here."""
        self._saying = threading.Lock()

    @property
    def address(self) -> str:
        """Address on which the member listens."""
        return f"127.0.0.1:{self.port}"

    def names(self) -> list[str]:
        """Return the names of the requests received, in order."""
        return [asked.name for asked in list(self.asked)]

    def all_of(self, name: str) -> list[Asked]:
        """Return the requests of that name, in order."""
        return [asked for asked in list(self.asked) if asked.name == name]

    def serve(self, connection: socket.socket) -> None:
        """Serve a client until it disconnects."""
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        decoder = HazelcastDecoder(limit=1 << 30)
        preamble = b""
        while len(preamble) < len(PREAMBLE):
            if not (data := connection.recv(len(PREAMBLE) - len(preamble))):
                return
            preamble += data
        assert preamble == PREAMBLE
        while data := connection.recv(1 << 16):
            decoder.feed(data)
            for kind, call_id, _, fields in decoder.next_messages():
                message = HazelcastMessage.of_type(kind)
                assert message is not None
                told = dict(zip(message.fields, fields, strict=True))
                asked = Asked(message.name, call_id, told, connection)
                self.asked.append(asked)
                answer = self.answers.get(asked.name, _unknown)
                self.say(connection, answer(asked))

    def say(self, connection: socket.socket, data: bytes) -> None:
        """Write to one client, which may be gone."""
        with self._saying, suppress(OSError):
            connection.sendall(data)

    def hang_up(self) -> None:
        """Close all present connections."""
        for connection in {asked.connection for asked in list(self.asked)}:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def response(self, asked: Asked, name: str, *fields: Any) -> bytes:
        """Encode a response."""
        return named(f"Response.{name}").encode(asked.call_id, -1, fields, limit=self.limit)

    def event(self, call_id: int, name: str, *fields: Any) -> bytes:
        """Encode an event."""
        message = named(f"Event.{name}")
        return message.encode(call_id, -1, fields, limit=self.limit, flags=EVENT_FLAG)

    def entry_event(self, call_id: int, key: bytes, value: bytes) -> bytes:
        """Encode the event of an added entry."""
        return self.event(call_id, "Entry", key, value, None, None, 1, self.uuid, 1)

    def let_in(self, asked: Asked, status: int = 0) -> bytes:
        """Accept a client, or reject it."""
        where = {"host": "127.0.0.1", "port": self.port}
        told: tuple[Any, ...] = (
            CLIENT_UUID,
            self.uuid,
            1,
            "3.12.13",
            [],
            self.partitions,
            "cluster",
        )
        return self.response(asked, "Authentication", status, where, *told)

    def as_told(self) -> dict[str, Any]:
        """Return the fields by which members describe this member to clients."""
        address = {"host": "127.0.0.1", "port": self.port}
        return {"address": address, "uuid": self.uuid, "lite_member": False, "attributes": []}

    def _tell_members(self, asked: Asked) -> bytes:
        members = [member.as_told() for member in self.cluster]
        told = self.event(asked.call_id, "MemberList", members)
        return told + self.response(asked, "String", self.uuid)

    def _tell_partitions(self, asked: Asked) -> bytes:
        owned = [
            (
                {"host": "127.0.0.1", "port": member.port},
                list(range(at, self.partitions, len(self.cluster))),
            )
            for at, member in enumerate(self.cluster)
        ]
        return self.response(asked, "Partitions", owned, 1)

    def _put(self, asked: Asked) -> bytes:
        key = asked.fields["key"]
        former = self.entries.get(key)
        self.entries[key] = asked.fields["value"]
        return self.response(asked, "Data", former)

    def _get(self, asked: Asked) -> bytes:
        return self.response(asked, "Data", self.entries.get(asked.fields["key"]))

    def _all(self, asked: Asked) -> bytes:
        return self.response(asked, "ListEntry", list(self.entries.items()))


def _unknown(asked: Asked) -> bytes:
    return refusal(asked.call_id, 65, "java.lang.UnsupportedOperationException", asked.name)


@contextmanager
def doubles(count: int = 1, *, tls: ssl.SSLContext | None = None) -> Iterator[list[DoubleMember]]:
    """Run members that form a fake cluster; the first owns the first partition and so on."""
    members = [DoubleMember() for _ in range(count)]
    with ExitStack() as stack:
        for member in members:
            member.cluster = members
            member.port = stack.enter_context(serving(member.serve, tls=tls))
        yield members
