"""Recorder of jvmwire's client and a member: `python -m tests.kit.hazelcast_record OUT`."""

import sys
import tempfile
from contextlib import suppress
from pathlib import Path

from jvmwire.hazelcast import Address, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast.errors import IllegalMonitorState
from jvmwire.transports import Endpoint, Recorder, Tap, Tcp

from .hazelcast import NEWEST, Member


def record(directory: Path) -> None:
    """Write `member-<version>.pcap`: calls of many kinds, events, an error, fragments."""
    with (
        tempfile.TemporaryDirectory() as temporary,
        Member(Path(temporary)) as member,
        (directory / f"member-{NEWEST}.pcap").open("wb") as file,
    ):
        recorder = Recorder(file)

        def tapped(address: Address) -> Endpoint:
            return Tap(Tcp(address.host, address.port), recorder)

        options = HazelcastOptions(
            endpoint=tapped, client_name="recorded", labels=["label"], fragment_limit=1000
        )
        with HazelcastClient.connect([member.address], options) as client:
            talk(client)
        recorder.close()


def talk(client: HazelcastClient) -> None:
    """Use one structure of each kind."""
    found = client.get_map("map")
    listener = found.add_entry_listener(lambda _: None)
    found.put("key", "value")
    found.put("key", "😀")
    found.get("key")
    found.put_all({number: f"value {number}" for number in range(30)})
    found.put("long", "x" * 3000)
    found.get("long")
    found.entry_set()
    list(found.entries(batch=10))
    found.remove_listener(listener)
    queue = client.get_queue("queue")
    queue.add_all(["a", "b"])
    queue.poll()
    client.get_topic("topic").publish("message")
    client.get_atomic_long("number").increment_and_get()
    client.get_ringbuffer("small").add("item")
    client.get_multi_map("multimap").put("key", 1)
    with suppress(IllegalMonitorState):
        client.get_lock("lock").unlock()
    client.get_distributed_objects()


if __name__ == "__main__":
    record(Path(sys.argv[1]))
