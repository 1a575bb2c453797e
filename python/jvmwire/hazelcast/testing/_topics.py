"""Topics of a double: `com.hazelcast.topic.impl`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import HazelcastMessage
from jvmwire.hazelcast.testing._service import Service

if TYPE_CHECKING:
    from jvmwire.hazelcast.testing._calls import Call

_TOPIC_EVENT = HazelcastMessage.named("Event.Topic")


class Topics(Service[None]):
    """Topics, and the calls of clients to them."""

    name = "hz:impl:topicService"

    def publish(self, call: Call, name: str, message: bytes) -> None:
        origin = self._cluster.origin_of_name(name)
        fields = (message, self._cluster.now(), origin.uuid)
        self._publish(name, origin, _TOPIC_EVENT, lambda _: fields)

    def add_message_listener(self, call: Call, name: str, local_only: bool) -> str:
        return self._cluster.listeners.add(call, self._subject(name), local_only=local_only)

    def remove_message_listener(self, call: Call, name: str, registration_id: str) -> bool:
        return self._cluster.listeners.remove(self._subject(name), registration_id)
