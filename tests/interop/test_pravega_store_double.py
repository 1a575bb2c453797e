"""The double of a segment store replies as a real one, command by command."""

import itertools
import random
import time
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from jvmwire.pravega import ANY_VERSION, NOT_THERE
from jvmwire.pravega.testing import PravegaDouble
from kit.raw_store_client import RawStoreClient, Reply
from kit.scale import seeded, times

COMMANDS = times(400)
NO_VALUE = -(1 << 63)
STORED = {"DataAppended", "ConditionalCheckFailed"}
"""Replies after which a writer goes on."""
SOON = 10.0
"""Seconds after which a truncation is visible in a real store, at most."""
IGNORED = {"request_id", "server_stack_trace", "last_modified", "entry_count", "continuation_token"}
"""Fields that differ by nature: a real store counts the entries of a table later."""
WRITERS = [uuid.UUID(int=number) for number in (1, 2)]
ATTRIBUTES = [uuid.UUID(int=number << 64) for number in (3, 4)]
NUMBERS = itertools.count(1)
"""Numbers of events."""
KEYS = [b"a", b"bc", b"def"]

Step = tuple[str, dict[str, Any]]
"""A command, and its fields without the request id."""


@pytest.fixture(scope="module")
def double() -> Iterator[PravegaDouble]:
    with PravegaDouble() as peer:
        yield peer


class Conversation:
    """Connection to one store, with the writers that are set up on it."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._client = RawStoreClient(port)
        self.writers: dict[uuid.UUID, str] = {}

    def call(self, name: str, fields: dict[str, Any]) -> Reply:
        """Return the reply to a command; a closed connection has a name, too."""
        try:
            if name == "ConditionalAppend":
                self._client.send(name, {**fields, "request_id": 0})
                reply = self._client.receive()
            else:
                reply = self._client.call(name, **fields)
        except ConnectionError:
            self.close()
            self._client = RawStoreClient(self._port)
            self.writers.clear()
            return "closed", {}
        if reply[0] == "AppendSetup":
            self.writers[fields["writer_id"]] = fields["segment"]
        elif name in {"SetupAppend", "ConditionalAppend"} and reply[0] not in STORED:
            # The store closes the connection at the next append of this writer.
            self.writers.pop(fields["writer_id"], None)
        return reply

    def close(self) -> None:
        self._client.close()


class Names:
    """Names of segments: one that was deleted is not used again, since a real store is slow."""

    def __init__(self, chance: random.Random, top: str) -> None:
        self._chance, self._top = chance, top
        self._generations = [0] * 4

    def any(self) -> str:
        """Return a name that a segment has, had or may have."""
        slot = self._chance.randrange(len(self._generations))
        return f"{self._top}/{slot}-{self._generations[slot]}.#epoch.0"

    def forget(self, name: str) -> None:
        """Use the next name of a slot from now on."""
        slot = name.removeprefix(f"{self._top}/").partition("-")[0]
        self._generations[int(slot)] += 1


def segment_step(chance: random.Random, names: Names, ours: Conversation) -> Step:
    """Return a random command about segments that is answered at once."""
    one, two, number = names.any(), names.any(), chance.randrange(60)
    while two == one:  # a merge into itself ends by the state of the store's cache
        two = names.any()
    attribute = chance.choice(ATTRIBUTES + WRITERS)
    value = chance.choice([NO_VALUE, 1, 2, 3])
    info = ours.call("GetStreamSegmentInfo", {"segment_name": one})[1]
    end = info.get("write_offset", 0)
    update = {
        "attribute_id": chance.choice(ATTRIBUTES),
        "attribute_update_type": chance.randrange(5),
        "new_value": chance.randrange(4),
        "old_value": value,
    }
    several: list[tuple[int, Step]] = [
        (5, ("CreateSegment", policy(one))),
        (1, ("DeleteSegment", {"segment": one})),
        (1, ("SealSegment", {"segment": one})),
        (2, ("TruncateSegment", {"segment": one, "truncation_offset": number})),
        (1, ("UpdateSegmentPolicy", {"segment": one, "target_rate": 1, "scale_type": 0})),
        (3, ("GetStreamSegmentInfo", {"segment_name": one})),
        (2, ("GetSegmentAttribute", {"segment_name": one, "attribute_id": attribute})),
        (
            4,
            (
                "UpdateSegmentAttribute",
                {
                    "segment_name": one,
                    "attribute_id": chance.choice(ATTRIBUTES),
                    "new_value": chance.randrange(4),
                    "expected_value": value,
                },
            ),
        ),
        (
            3,
            (
                "MergeSegments",
                {
                    "target": one,
                    "source": two,
                    "attribute_updates": [update] * chance.randrange(2),
                },
            ),
        ),
        (1, ("MergeSegmentsBatch", {"target_segment_id": one, "source_segment_ids": [two]})),
        (4, ("SetupAppend", {"writer_id": chance.choice(WRITERS), "segment": one})),
        (1, ("ReadTable", {"segment": one, "keys": [key(b"a")]})),
    ]
    if info.get("is_sealed", True) or number < end:
        length = chance.choice([0, 8, 20, 1000])
        read = {"segment": one, "offset": number, "suggested_length": length}
        several.append((6, ("ReadSegment", read)))
    if (step := append(chance, ours)) is not None:
        several.append((12, step))
    return chance.choices([each for _, each in several], [weight for weight, _ in several])[0]


def policy(segment: str) -> dict[str, Any]:
    return {"segment": segment, "target_rate": 0, "scale_type": 0, "rollover_size_bytes": 0}


def append(chance: random.Random, ours: Conversation) -> Step | None:
    """Return an append at the end of a writer's segment, or elsewhere, with a new number."""
    if not ours.writers:
        return None
    writer = chance.choice(sorted(ours.writers))
    name, info = ours.call("GetStreamSegmentInfo", {"segment_name": ours.writers[writer]})
    if name != "StreamSegmentInfo":  # a real store may close the connection
        return None
    offset = info["write_offset"] if chance.random() < 0.8 else 3
    number = next(NUMBERS)
    return "ConditionalAppend", {
        "writer_id": writer,
        "event_number": number,
        "expected_offset": offset,
        "event": chance.randbytes(chance.randrange(12)),
    }


def key(of: bytes, version: int = ANY_VERSION) -> dict[str, Any]:
    return {"key": of, "version": version}


def table_step(chance: random.Random, names: Names, ours: Conversation) -> Step:
    """Return a random command about tables, some of which have keys of two bytes."""
    one = names.any()
    info = ours.call("GetTableSegmentInfo", {"segment_name": one})[1]
    length = info.get("length", 0)
    some = chance.sample(KEYS, chance.randrange(4))
    if info.get("key_length"):
        some = [each for each in some if len(each) == 2] if chance.random() < 0.9 else some
    versions = [ANY_VERSION, ANY_VERSION, NOT_THERE, 0, max(length - 20, 0)]
    keys = [key(each, chance.choice(versions)) for each in some]
    entries = [each | {"value": chance.randbytes(chance.randrange(3))} for each in keys]
    offset = chance.choice([-1, -1, -1, length, 7])
    page = {"continuation_token": b"", "prefix_filter": b"", "from_key": b"", "to_key": b""}
    fixed = {"sorted_deprecated": False, "key_length": chance.choice([0, 2, 300])}
    several: list[tuple[int, Step]] = [
        (4, ("CreateTableSegment", {"segment": one, "rollover_size_bytes": 0} | fixed)),
        (1, ("CreateSegment", policy(one))),
        (1, ("DeleteTableSegment", {"segment": one, "must_be_empty": chance.random() < 0.7})),
        (2, ("GetTableSegmentInfo", {"segment_name": one})),
        (
            9,
            (
                "UpdateTableEntries",
                {"segment": one, "table_entries": entries, "table_segment_offset": offset},
            ),
        ),
        (
            4,
            (
                "RemoveTableKeys",
                {"segment": one, "keys": keys, "table_segment_offset": offset},
            ),
        ),
        (5, ("ReadTable", {"segment": one, "keys": [key(each) for each in some]})),
        (3, ("ReadTableKeys", {"segment": one, "suggested_key_count": 100} | page)),
        (3, ("ReadTableEntries", {"segment": one, "suggested_entry_count": 100} | page)),
    ]
    return chance.choices([each for _, each in several], [weight for weight, _ in several])[0]


def compared(reply: Reply) -> tuple[str, Any]:
    """Return what both stores say in a reply."""
    name, fields = reply
    if name == "ErrorMessage":  # the texts of Java name its classes
        return name, {}
    if name in {"TableKeyBadVersion", "TableKeyDoesNotExist"}:
        return "wrong key", {}  # which of them depends on the cache of a store
    found = {each: value for each, value in fields.items() if each not in IGNORED}
    for each in ("keys", "entries"):
        if each in found:  # a store orders keys by their hash
            found[each] = sorted(found[each], key=lambda item: item["key"])
    return name, found


def is_part(real: Reply, ours: Reply) -> bool:
    """Return whether a real read is the beginning of ours: a store reads what lies together."""
    whole, part = ours[1].get("data", b""), real[1].get("data", b"")
    is_shorter = real[0] == ours[0] == "SegmentRead" and 0 < len(part) < len(whole)
    return is_shorter and whole.startswith(part)


def await_truncation(real: Conversation, fields: dict[str, Any]) -> None:
    deadline = time.monotonic() + SOON
    asked = {"segment_name": fields["segment"]}
    while (info := real.call("GetStreamSegmentInfo", asked))[0] == "StreamSegmentInfo":
        if info[1]["start_offset"] >= fields["truncation_offset"]:
            return
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("seed", range(4))
def test_random_commands_have_the_same_replies(segment_store, double, seed: int) -> None:
    chance = seeded(seed)
    names = Names(chance, f"double/{seed}")
    step = segment_step if seed % 2 else table_step
    real, ours = Conversation(segment_store.port), Conversation(double.port)
    replies = set()
    try:
        for number in range(COMMANDS):
            name, fields = step(chance, names, ours)
            found = real.call(name, fields), ours.call(name, fields)
            if not is_part(*found):
                assert compared(found[1]) == compared(found[0]), f"{number}: {name} {fields}"
            replies.add(found[0][0])
            match found[0][0]:
                case "SegmentTruncated":
                    await_truncation(real, fields)
                case "SegmentDeleted":
                    names.forget(fields["segment"])
                case "SegmentsMerged":
                    names.forget(fields["source"])
                case "SegmentsBatchMerged":
                    for source in fields["source_segment_ids"]:
                        names.forget(source)
    finally:
        real.close()
        ours.close()
    assert len(replies) > 12
