"""The table of Hazelcast's messages, and its Python interface."""

import subprocess
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire._core import (
    HazelcastDecoder,
    HazelcastEntryColumns,
    HazelcastMessage,
    hazelcast_pack,
)
from jvmwire.errors import DecodeError
from jvmwire.hazelcast.serialization import Data, SerializationService
from kit.environment import ROOT
from kit.hazelcast_tables import SOURCE, lines


def test_the_table_is_what_the_messages_say():
    printed = "".join(f"{line}\n" for line in lines())
    command = ["rustfmt", "--edition", "2024", "--config-path", str(ROOT)]
    formatted = subprocess.run(command, input=printed, capture_output=True, text=True, check=True)
    assert formatted.stdout == (SOURCE / "generated" / "messages.rs").read_text()


def test_each_message_is_known_by_name_and_by_number():
    names = HazelcastMessage.names()
    assert len(names) == len(set(names)) == 435 + 31 + 18
    for name in names:
        message = HazelcastMessage.named(name)
        found = HazelcastMessage.of_type(message.id)
        assert found is not None
        assert found.name == name
    with pytest.raises(ValueError, match=r"no message .Map"):
        HazelcastMessage.named("Map.fly")
    assert HazelcastMessage.of_type(0xFFFF) is None


@given(data=st.data(), name=st.sampled_from(HazelcastMessage.names()))
def test_what_is_decoded_is_encoded_to_the_same_fields(data, name):
    message = HazelcastMessage.named(name)
    try:
        fields = message.decode(data.draw(st.binary(max_size=400) | st.binary().map(bytes)))
    except DecodeError:
        return
    given_ = tuple(fields)
    while given_ and given_[-1] is None and len(given_) > message.required:
        given_ = given_[:-1]
    decoder = HazelcastDecoder(limit=1 << 20)
    decoder.feed(message.encode(7, -1, given_, limit=50))
    [(kind, call_id, is_event, again)] = decoder.next_messages()
    assert (kind, call_id, is_event) == (message.id, 7, False)
    assert again == fields


@given(name=st.sampled_from(HazelcastMessage.names()))
def test_zeros_are_a_value_of_every_message(name):
    # Empty text, no elements, no nulls, the first of each choice.
    message = HazelcastMessage.named(name)
    fields = message.decode(bytes(2000))
    wire = message.encode(1, 2, fields)
    assert wire[22:] == bytes(len(wire) - 22)
    assert len(fields) == len(message.fields)


def test_fields_that_came_later_may_be_missing_or_be_more_than_are_known():
    message = HazelcastMessage.named("Response.EntryView")
    wire = message.encode(1, -1, (None,))
    assert message.decode(wire[22:]) == (None, None)
    assert message.decode(wire[22:] + bytes(8) + b"what comes in 1.9") == (None, 0)
    with pytest.raises(DecodeError, match="response at offset 0: 1 bytes are missing"):
        message.decode(b"")


def test_a_count_that_the_message_cannot_hold_is_refused_before_room_is_made():
    message = HazelcastMessage.named("Response.ListEntry")
    with pytest.raises(DecodeError, match="2147483647 is over the limit of 0"):
        message.decode(b"\xff\xff\xff\x7f")
    with pytest.raises(DecodeError, match="-1 is negative"):
        message.decode(b"\xff\xff\xff\xff")


SERVICE = SerializationService()
ENTRIES = HazelcastMessage.named("Response.EntriesWithCursor")


def answer(call_id, *entries, message=ENTRIES):
    pairs = [(SERVICE.to_data(key), SERVICE.to_data(value)) for key, value in entries]
    return message.encode(call_id, -1, (5, pairs))


def columns(gathered):
    found: Any = SERVICE.read_columns(gathered)
    return [pa.array(column).to_pylist() for column in found]


def test_lists_of_answers_are_gathered_and_told_by_their_length():
    decoder, gathered = HazelcastDecoder(limit=1 << 20), HazelcastEntryColumns(ENTRIES.id)
    for call_id in (1, 2):
        decoder.gather(call_id, gathered)
    decoder.feed(answer(1, ("a", 1), ("b", 2)) + answer(3, ("x", 0)) + answer(2, ("c", 3)))
    (_, _, _, first), (_, _, _, other), (_, _, _, second) = decoder.next_messages()
    assert (first, second) == ((5, 2), (5, 1))
    assert other == (5, [(SERVICE.to_data("x"), SERVICE.to_data(0))])
    assert len(gathered) == 3
    assert columns(gathered) == [["a", "b", "c"], [1, 2, 3]]
    assert len(gathered) == 0


def test_what_was_gathered_becomes_objects_of_any_type_once():
    decoder, gathered = HazelcastDecoder(limit=1 << 20), HazelcastEntryColumns(ENTRIES.id)
    unknown = Data(bytes(4) + (77).to_bytes(4, "big") + b"whatever")
    entries = [("a", [1, "b"]), (Decimal("1.50"), None), (3, unknown)]
    decoder.gather(1, gathered)
    decoder.feed(answer(1, *entries))
    decoder.next_messages()
    assert SERVICE.take_entries(gathered) == entries
    assert SERVICE.take_entries(gathered) == []


def test_values_that_were_gathered_without_keys_become_objects():
    values = HazelcastMessage.named("Response.ListData")
    decoder, gathered = HazelcastDecoder(limit=1 << 20), HazelcastEntryColumns(values.id)
    decoder.gather(1, gathered)
    decoder.feed(values.encode(1, -1, (SERVICE.to_data_all(["a", 2, None]),)))
    decoder.next_messages()
    assert SERVICE.take_values(gathered) == ["a", 2, None]
    decoder.gather(2, gathered)
    cut = SERVICE.to_data("text")[:-1]
    decoder.feed(values.encode(2, -1, ([cut],)))
    decoder.next_messages()
    with pytest.raises(DecodeError):
        SERVICE.take_values(gathered)


def test_an_answer_that_is_wrong_leaves_nothing_among_what_was_gathered():
    decoder, gathered = HazelcastDecoder(limit=1 << 20), HazelcastEntryColumns(ENTRIES.id)
    decoder.gather(1, gathered)
    decoder.gather(2, gathered)
    wrong = bytearray(answer(2, ("c", 3), ("d", 4)))
    wrong[-13] = 0x7F  # the length of the last value
    decoder.feed(answer(1, ("a", 1)) + bytes(wrong))
    assert len(decoder.next_messages()) == 1
    with pytest.raises(DecodeError):
        decoder.next_messages()
    assert columns(gathered) == [["a"], [1]]


def test_what_is_not_the_answer_is_not_gathered():
    decoder, gathered = HazelcastDecoder(limit=1 << 20), HazelcastEntryColumns(ENTRIES.id)
    for call_id in (1, 2):
        decoder.gather(call_id, gathered)
    decoder.forget(2)
    refusal = HazelcastMessage.named("Response.Exception").encode(
        1, -1, (25, "A", "m", [], 0, None)
    )
    decoder.feed(refusal + answer(2, ("late", 1)))
    (_, _, _, refused), (_, _, _, late) = decoder.next_messages()
    assert (refused[0], len(late[1]), len(gathered)) == (25, 1, 0)


def test_what_is_packed_by_partition_is_written_as_lists_are():
    message = HazelcastMessage.named("Map.putAll")
    keys, values = SERVICE.to_data_all(range(50)), SERVICE.to_data_all("ab" * 25)
    packed = hazelcast_pack(keys, values, 7)
    assert sum(map(len, packed.values())) == 50
    for partition_id, pairs in packed.items():
        listed = [
            pair
            for pair in zip(keys, values, strict=True)
            if SERVICE.partition_id(pair[0], 7) == partition_id
        ]
        written = message.encode(1, partition_id, ("map", pairs))
        assert written == message.encode(1, partition_id, ("map", listed))
    with pytest.raises(TypeError):
        HazelcastMessage.named("Client.addMembershipListener").encode(1, -1, (packed[0],))
