"""ITopic: messages to whoever listens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jvmwire._core import HazelcastMessage
from jvmwire._runtime.client import operation
from jvmwire.hazelcast.proxies.proxy import AsyncProxy, Proxy, SyncProxy

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmwire._runtime.operations import Operation

PUBLISH = HazelcastMessage.named("Topic.publish")
LISTEN = HazelcastMessage.named("Topic.addMessageListener")
UNLISTEN = HazelcastMessage.named("Topic.removeMessageListener")


@dataclass(frozen=True, slots=True)
class TopicMessage:
    """What was published, when, and through whom."""

    message: Any
    publish_time: int
    """Milliseconds since 1970, of the member's clock."""
    member: str
    """UUID."""


class TopicOperations(Proxy):
    """What can be done with a topic."""

    service = "hz:impl:topicService"

    @operation
    def publish(self, message: object) -> Operation[None]:
        """Send a message to everyone who listens now."""
        yield from self._ask(PUBLISH, self._data(message))

    @operation
    def add_message_listener(self, callback: Callable[[TopicMessage], Any]) -> Operation[str]:
        """Call `callback` with each message; returns the id that `remove_listener` takes."""
        registration = yield from self._listen(LISTEN, UNLISTEN, (), self._message, callback)
        return registration.id

    def _message(self, fields: tuple[Any, ...]) -> TopicMessage:
        item, publish_time, member = fields
        return TopicMessage(self._object(item), publish_time, member)


class Topic(TopicOperations, SyncProxy):
    """A topic of the cluster, for threads."""


class AsyncTopic(TopicOperations, AsyncProxy):
    """A topic of the cluster, for asyncio."""
