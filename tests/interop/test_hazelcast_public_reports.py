"""Faults that users of Hazelcast 3 clients reported, tried with jvmwire and a real member."""

import logging
from collections import defaultdict
from collections.abc import Iterator

import pytest

from jvmwire.hazelcast import HazelcastClient
from jvmwire.hazelcast.predicates import Equal, PartitionPredicate, TruePredicate
from kit.hazelcast import Member

BOUNDARIES = (1 << 10, 1 << 12, 1 << 13, 1 << 16)
"""Sizes of buffers for texts in bytes."""


@pytest.fixture
def client(hazelcast_peer: Member) -> Iterator[HazelcastClient]:
    with HazelcastClient.connect([hazelcast_peer.address]) as client:
        yield client


def test_names_that_are_not_ascii_are_the_members_too(client: HazelcastClient) -> None:
    """hazelcast-nodejs-client#474: the length of a name was its number of characters."""
    names = ["тестовое-отображение", "ñandú", "💦 中"]
    for name in names:
        client.get_map(name).put("key", name)
    told = client.invoke("Client.getDistributedObjects")["response"]
    assert set(names) <= {one["name"] for one in told}
    for name in names:
        assert client.get_map(name).get("key") == name
        client.get_map(name).destroy()


@pytest.mark.parametrize("boundary", BOUNDARIES)
def test_characters_of_many_bytes_may_lie_across_buffers(
    client: HazelcastClient, boundary: int
) -> None:
    """hazelcast#2674, hazelcast-nodejs-client#157: they were not read at a buffer's end."""
    there = client.get_map("boundaries")
    texts = {lead: "x" * (boundary - lead) + "1⚐中💦2😭ñ" for lead in range(12)}
    there.put_all(texts)
    for lead, text in texts.items():
        assert there.get(lead) == text
        assert there.key_set(Equal("this", text)) == [lead]  # the member has read it
    there.destroy()


def test_partitions_of_keys_are_those_of_the_member(client: HazelcastClient) -> None:
    there = client.get_map("partition_of")
    keys = [*range(300), "text", 1.5, True, 1 << 40]
    there.put_all(dict.fromkeys(keys, 1))
    together = defaultdict(set)
    for key in keys:
        together[client.partition_of(key)].add(key)
    assert max(together) < client.partition_count
    for key in keys[::20]:
        found = there.key_set(PartitionPredicate(key, TruePredicate()))
        assert set(found) == together[client.partition_of(key)]
    [member] = client.members
    assert {client.partition_owner(number) for number in together} == {member.address}
    there.destroy()


def test_closing_a_client_with_a_reliable_topic_listener_warns_of_nothing(
    hazelcast_peer: Member, caplog: pytest.LogCaptureFixture
) -> None:
    with (
        caplog.at_level(logging.DEBUG),
        HazelcastClient.connect([hazelcast_peer.address]) as client,
    ):
        client.get_reliable_topic("closing").add_message_listener(print)
        client.get_reliable_topic("closing").publish("heard")
    assert not [one for one in caplog.records if one.levelno >= logging.WARNING]
