"""The table of Hazelcast's messages, and Python's way to it."""

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jvmwire._core import HazelcastDecoder, HazelcastMessage
from jvmwire.errors import DecodeError
from kit.environment import ROOT
from kit.hazelcast_tables import SOURCE, lines


def test_the_table_is_what_the_messages_say():
    printed = "".join(f"{line}\n" for line in lines())
    command = ["rustfmt", "--edition", "2024", "--config-path", str(ROOT)]
    formatted = subprocess.run(command, input=printed, capture_output=True, text=True, check=True)
    assert formatted.stdout == (SOURCE / "messages.rs").read_text()


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
    # No text, no elements, nothing null, first of each choice.
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
