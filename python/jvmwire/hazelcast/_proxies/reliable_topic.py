"""ReliableTopic: messages kept in a ringbuffer, so that a listener can resume after a pause."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._escaping import get_logger
from jvmwire._runtime.client import operation, operation_stream
from jvmwire._runtime.operations import Emit, Sleep, Spawn, WallTime
from jvmwire.errors import CallCancelled, ClientClosed, JvmWireError
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.ringbuffer import OverflowPolicy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity
from jvmwire.hazelcast.errors import (
    IllegalArgument,
    OperationTimeout,
    StaleSequence,
    TopicOverloaded,
)
from jvmwire.hazelcast.serialization import WriteOnly

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._core import HazelcastDataOutput
    from jvmwire._runtime.operations import Mailbox, Operation, OperationStream, Task

_named = HazelcastMessage.named

ADD, READ_MANY = _named("Ringbuffer.add"), _named("Ringbuffer.readMany")
HEAD, TAIL = _named("Ringbuffer.headSequence"), _named("Ringbuffer.tailSequence")

RING = "_hz_rb_"
"""Prefix of the topic's name in the name of its ringbuffer: `ReliableTopicService`."""
RING_SERVICE = "hz:impl:ringbufferService"
BATCH = 100
"""Messages per read. (Chosen by jvmwire; Java's clients read 10.)"""
FIRST_WAIT, LONGEST_WAIT = 0.1, 2.0
"""Seconds before a publication to a full ring is retried: `ReliableTopicProxy`'s backoff."""
SLOW = 0.02
"""Seconds between two checks of a slow callback. (Chosen by jvmwire.)"""

_log = get_logger("jvmwire.callbacks")


class TopicOverloadPolicy(enum.Enum):
    """Policy for a new message while the ring is full of messages that have not yet expired."""

    DISCARD_OLDEST = enum.auto()
    """The message replaces the oldest one."""
    DISCARD_NEWEST = enum.auto()
    """The new message is dropped."""
    BLOCK = enum.auto()
    """`publish` waits for room, limited by the client's timeout."""
    ERROR = enum.auto()
    """`publish` raises `TopicOverloaded`."""


@dataclass(frozen=True, slots=True)
class ReliableMessage:
    """A message of a reliable topic with its publication time and its sequence.

    Args:
        message: The message.
        publish_time: Milliseconds since 1970, by the publisher's clock.
        sequence: Sequence in the ring; a listener resumes with `start=sequence + 1`.
    """

    message: Any
    publish_time: int
    """Milliseconds since 1970, of the publisher's clock."""
    sequence: int


class _Published(WriteOnly):
    """ReliableTopicMessage as clients write it, without a publishing member.

    Messages of members are read in `serialization.own`.
    """

    factory_id = -18
    class_id = 2

    def __init__(self, payload: bytes, publish_time: int) -> None:
        self.payload = payload
        self.publish_time = publish_time

    def write_data(self, output: HazelcastDataOutput) -> None:
        output.write_long(self.publish_time)
        output.write_object(None)
        output.write_byte_array(self.payload)


class ReliableTopicOperations(ClientProxy):
    """Operations of a reliable topic."""

    service = "hz:impl:reliableTopicService"

    @property
    def _ring(self) -> str:
        return RING + self.name

    @operation
    def publish(
        self, message: object, *, overload: TopicOverloadPolicy = TopicOverloadPolicy.BLOCK
    ) -> Operation[None]:
        """Add a message to the ring of the topic.

        Args:
            message: Message to publish.
            overload: Policy if the ring has no room.

        Raises:
            TopicOverloaded: the ring has no room, and the policy is `ERROR`.
        """
        published = int((yield WallTime()) * 1000)
        data = self._data(_Published(self._data(message), published))
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
        """Call `callback` with each message from `start` on, by default with each new message.

        A slow callback does not lose messages while they are in the ring: they wait there. If
        messages are overwritten before they are read, the listener ends with a message of the
        logger `jvmwire.callbacks`, unless it is `loss_tolerant`. The same happens if the ring ends
        before the sequence, because the cluster was restarted: a loss-tolerant listener continues
        at the ring's head.

        Args:
            callback: Function that takes a `ReliableMessage`.
            start: Sequence of the first message; None is the next message.
            loss_tolerant: Whether the listener skips messages that were overwritten.

        Returns:
            The registration id that `remove_listener` takes.
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
        """Yield each message from `start` on, by default each new message.

        Args:
            start: Sequence of the first message; None is the next message.
            loss_tolerant: Whether messages that were overwritten are skipped.

        Yields:
            The messages, in order.

        Raises:
            StaleSequence: messages were overwritten before they were read, and `loss_tolerant`
                is False.
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
        loss_tolerant: bool,  # noqa: FBT001  # internal
    ) -> Operation[None]:
        while not mailbox.ended:
            try:
                found, sequence = yield from self._read(sequence, loss_tolerant)
            except JvmWireError as error:
                if isinstance(error, (CallCancelled, ClientClosed)):
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
        loss_tolerant: bool,  # noqa: FBT001  # internal
    ) -> Operation[tuple[list[ReliableMessage], int]]:
        """Wait for messages at `sequence`; return up to `BATCH` of them and the next sequence."""
        while True:
            try:
                count, datas, *_ = yield from self._ask_ring(READ_MANY, sequence, 1, BATCH, None)
            except OperationTimeout:
                yield Sleep(self._cluster.options.retry_pause)
                continue  # no message arrived
            except (StaleSequence, IllegalArgument):
                # Overwritten, or beyond the tail: the cluster was restarted with a new ring.
                if not loss_tolerant:
                    raise
                [sequence] = yield from self._ask_ring(HEAD)
                continue
            messages = [
                ReliableMessage(self._object(payload), publish_time, sequence + at)
                for at, (publish_time, _, payload) in enumerate(self._objects(datas))
            ]
            return messages, sequence + count

    def _next(self) -> Operation[int]:
        [tail] = yield from self._ask_ring(TAIL)
        return int(tail) + 1

    def _ask_ring(self, message: HazelcastMessage, *rest: Any) -> Operation[tuple[Any, ...]]:
        cluster, ring = self._cluster, self._ring
        yield from cluster.create_proxy(self.service, self.name)
        structure = RING_SERVICE, ring
        return (yield from cluster.request(message, (ring, *rest), key=ring, structure=structure))


class ReliableTopic(ReliableTopicOperations, ThreadIdentity):
    """A reliable topic of the cluster, for threads."""


class AsyncReliableTopic(ReliableTopicOperations, TaskIdentity):
    """A reliable topic of the cluster, for asyncio."""
