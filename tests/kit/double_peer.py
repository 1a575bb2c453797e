"""The double of a cluster as a peer: what a Java member does on request, another client does."""

from collections.abc import Callable, Mapping
from typing import Any

from jvmwire.hazelcast import HazelcastClient
from jvmwire.hazelcast.testing import HazelcastDouble

Do = Callable[[HazelcastClient, list[str]], object]

COMMANDS: Mapping[str, Do] = {
    "get": lambda client, words: client.get_map(words[0]).get(words[1]),
    "put": lambda client, words: client.get_map(words[0]).put(*words[1:]),
    "size": lambda client, words: client.get_map(words[0]).size(),
    "offer": lambda client, words: client.get_queue(words[0]).offer(words[1]),
    "poll": lambda client, words: client.get_queue(words[0]).poll(),
    "publish": lambda client, words: client.get_topic(words[0]).publish(words[1]),
    "publish-reliably": lambda client, words: client.get_reliable_topic(words[0]).publish(words[1]),
}


class DoublePeer(HazelcastDouble):
    """A double that does what it is told, as `kit.hazelcast.Member` does."""

    def __init__(self, **options: Any) -> None:
        super().__init__(client_removal_delay=2, ring_capacities={"small*": 10}, **options)

    @property
    def uuid(self) -> str:
        """UUID of the only member."""
        return self.uuids[0]

    def do(self, command: str) -> str:
        """Have another client execute a command, and return its result."""
        word, *words = command.split(" ")
        with HazelcastClient.connect([self.address]) as client:
            return str(COMMANDS[word](client, words))
