"""ITopic: messages that are published to all current listeners."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast._proxies.proxy import ClientProxy
from jvmwire.hazelcast._proxies.thread_identity import TaskIdentity, ThreadIdentity

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import Operation

PUBLISH = HazelcastMessage.named("Topic.publish")
LISTEN = HazelcastMessage.named("Topic.addMessageListener")
UNLISTEN = HazelcastMessage.named("Topic.removeMessageListener")


@dataclass(frozen=True, slots=True)
class TopicMessage:
    """A message of a topic with its publication time and publishing member.

    Args:
        message: The message.
        publish_time: Milliseconds since 1970, by the member's clock.
        member: UUID of the publishing member.
    """

    message: Any
    publish_time: int
    """Milliseconds since 1970, of the member's clock."""
    member: str


class TopicOperations(ClientProxy):
    """Operations of a topic."""

    service = "hz:impl:topicService"

    @operation
    def publish(self, message: object) -> Operation[None]:
        """Publish a message to all current listeners.

        Args:
            message: Message to publish.
        """
        yield from self._ask(PUBLISH, self._data(message))

    @operation
    def add_message_listener(self, callback: Callable[[TopicMessage], Any]) -> Operation[str]:
        """Call `callback` with each message.

        Args:
            callback: Function that takes a `TopicMessage`, or an `EventsLost` in the place of
                dropped ones.

        Returns:
            The registration id that `remove_listener` takes.
        """
        registration = yield from self._listen(LISTEN, UNLISTEN, (), self._message, callback)
        return registration.id

    def _message(self, fields: tuple[Any, ...]) -> TopicMessage:
        item, publish_time, member = fields
        return TopicMessage(self._object(item), publish_time, member)


class Topic(TopicOperations, ThreadIdentity):
    """A topic of the cluster, for threads."""


class AsyncTopic(TopicOperations, TaskIdentity):
    """A topic of the cluster, for asyncio."""
