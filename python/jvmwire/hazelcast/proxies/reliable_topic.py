"""ReliableTopic: messages that wait in a ringbuffer, so that who was away reads on."""

from __future__ import annotations

import enum
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit, Sleep, Spawn
from jvmwire.errors import JvmWireError, LocalProtocolError
from jvmwire.escaping import get_logger
from jvmwire.hazelcast.errors import (
    IllegalArgument,
    OperationTimeout,
    StaleSequence,
    TopicOverloaded,
)
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy
from jvmwire.hazelcast.proxies.ringbuffer import OverflowPolicy
from jvmwire.hazelcast.serialization import SentOnly

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._core import HazelcastDataOutput
    from jvmwire._runtime.operations import Mailbox, Operation, OperationStream, Task

_named = HazelcastMessage.named

ADD, READ_MANY = _named("Ringbuffer.add"), _named("Ringbuffer.readMany")
HEAD, TAIL = _named("Ringbuffer.headSequence"), _named("Ringbuffer.tailSequence")

RING = "_hz_rb_"
"""Before the topic's name it is the ringbuffer's: `ReliableTopicService`."""
RING_SERVICE = "hz:impl:ringbufferService"
BATCH = 100
"""Messages that are read at a time. Ours; Java's clients read 10."""
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
"""Seconds until a full ring is tried again: `ReliableTopicProxy`'s backoff."""
SLOW = 0.02
"""Seconds until a callback that is behind is looked at again. Ours."""

_log = get_logger("jvmwire.callbacks")


class TopicOverloadPolicy(enum.Enum):
    """What becomes of a message while no message of the ring has lived long enough to go."""

    DISCARD_OLDEST = enum.auto()
    """It takes the place of the oldest."""
    DISCARD_NEWEST = enum.auto()
    """It is dropped."""
    BLOCK = enum.auto()
    """Whoever publishes waits, as long as the client's timeout lets him."""
    ERROR = enum.auto()
    """Publishing is refused with `TopicOverloaded`."""


@dataclass(frozen=True, slots=True)
class ReliableMessage:
    """What was published, when, and where it stands."""

    message: Any
    publish_time: int
    """Milliseconds since 1970, of the publisher's clock."""
    sequence: int
    """In the ring: `start` of a listener that reads on is one more."""


class _Published(SentOnly):
    """ReliableTopicMessage, as clients write it: no member is its publisher.

    What members send is read in `serialization.own`.
    """

    factory_id = -18
    class_id = 2

    def __init__(self, payload: bytes) -> None:
        self.payload = payload
        self.publish_time = time.time_ns() // 1_000_000

    def write_data(self, output: HazelcastDataOutput) -> None:
        output.write_long(self.publish_time)
        output.write_object(None)
        output.write_byte_array(self.payload)


class ReliableTopicOperations(Proxy):
    """What can be done with a reliable topic."""

    service = "hz:impl:reliableTopicService"

    @property
    def _ring(self) -> str:
        return RING + self.name

    @operation
    def publish(
        self, message: object, *, overload: TopicOverloadPolicy = TopicOverloadPolicy.BLOCK
    ) -> Operation[None]:
        """Put a message into the ring; `overload` says what to do if there is no room.

        Raises:
            TopicOverloaded: there is no room, and the policy is to say so.
        """
        data = self._data(_Published(self._data(message)))
        oldest = overload is TopicOverloadPolicy.DISCARD_OLDEST
        policy = OverflowPolicy.OVERWRITE if oldest else OverflowPolicy.FAIL
        wait = FIRST_WAIT
        while True:
            [sequence] = yield from self._ask_ring(ADD, int(policy), data)
            if sequence != -1 or overload is TopicOverloadPolicy.DISCARD_NEWEST:
                return
            if overload is TopicOverloadPolicy.ERROR:
                raise TopicOverloaded(
                    f"there is no room in {self._ring}",
                    "com.hazelcast.topic.TopicOverloadException",
                )
            yield Sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT)

    @operation
    def add_message_listener(
        self,
        callback: Callable[[ReliableMessage], Any],
        *,
        start: int | None = None,
        loss_tolerant: bool = False,
    ) -> Operation[str]:
        """Call `callback` with each message from `start` on, or with those from now on.

        Returns the id that `remove_listener` takes. A callback is not overrun: what it has no time
        for waits in the ring. What is overwritten there meanwhile ends the listener, and the
        logger `jvmwire.callbacks` says so, unless it is `loss_tolerant`; so does a ring that is not
        as long, because the cluster was started anew: who is tolerant reads that from its head.
        """
        wanted = self._cluster.new_mailbox(callback)
        sequence = (yield from self._next()) if start is None else start
        mailbox: Mailbox = yield wanted
        feed = self._feed(mailbox, sequence, loss_tolerant)
        feeder: Task = yield Spawn(feed, f"listen to {self.name}")
        return self._cluster.register_locally(mailbox, feeder)

    @operation_stream
    def messages(
        self, *, start: int | None = None, loss_tolerant: bool = False
    ) -> OperationStream[ReliableMessage]:
        """Yield each message from `start` on, or those from now on.

        Raises:
            StaleSequence: messages were overwritten before they were read, and that is not
                tolerated.
        """
        sequence = (yield from self._next()) if start is None else start
        while True:
            found, sequence = yield from self._read(sequence, loss_tolerant)
            for message in found:
                yield Emit(message)

    def _feed(
        self,
        mailbox: Mailbox,
        sequence: int,
        loss_tolerant: bool,  # noqa: FBT001  # of ours alone
    ) -> Operation[None]:
        while not mailbox.ended:
            try:
                found, sequence = yield from self._read(sequence, loss_tolerant)
            except JvmWireError as error:
                if isinstance(error, LocalProtocolError):
                    _log.debug(
                        "a listener of %s has ended: %s", self.name, error
                    )  # with the client
                elif not mailbox.ended:
                    _log.warning("a listener of %s has ended: %s", self.name, error)
                mailbox.end(error)
                return
            for message in found:
                mailbox.push(message)
            while mailbox and not mailbox.ended:
                yield Sleep(SLOW)

    def _read(
        self,
        sequence: int,
        loss_tolerant: bool,  # noqa: FBT001  # of ours alone
    ) -> Operation[tuple[list[ReliableMessage], int]]:
        """Return what stands at `sequence` and behind, once something does, and where to go on."""
        while True:
            try:
                count, datas, *_ = yield from self._ask_ring(READ_MANY, sequence, 1, BATCH, None)
            except OperationTimeout:
                yield Sleep(self._cluster.options.retry_pause)
                continue  # nothing came
            except (StaleSequence, IllegalArgument):
                # Behind what there is, or before it: the ring of a cluster that was started anew.
                if not loss_tolerant:
                    raise
                [sequence] = yield from self._ask_ring(HEAD)
                continue
            told = [
                ReliableMessage(self._object(payload), publish_time, sequence + at)
                for at, (publish_time, _, payload) in enumerate(self._objects(datas))
            ]
            return told, sequence + count

    def _next(self) -> Operation[int]:
        [tail] = yield from self._ask_ring(TAIL)
        return int(tail) + 1

    def _ask_ring(self, message: HazelcastMessage, *rest: Any) -> Operation[tuple[Any, ...]]:
        cluster, ring = self._cluster, self._ring
        yield from cluster.create_proxy(self.service, self.name)
        structure = RING_SERVICE, ring
        return (yield from cluster.request(message, (ring, *rest), key=ring, structure=structure))


class ReliableTopic(ReliableTopicOperations, SyncProxy):
    """A reliable topic of the cluster, for threads."""


class AsyncReliableTopic(ReliableTopicOperations, AsyncProxy):
    """A reliable topic of the cluster, for asyncio."""
