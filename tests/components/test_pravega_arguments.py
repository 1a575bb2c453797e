"""Arguments out of range: every public method refuses them before it connects."""

import base64
import gzip
import uuid
from collections.abc import Callable
from operator import methodcaller
from typing import Any

import pytest

from jvmwire.errors import DecodeError
from jvmwire.options import NEVER
from jvmwire.pravega import SegmentStore, SegmentStoreOptions
from jvmwire.pravega.early import EarlyClient, EarlyOptions
from jvmwire.pravega.streams import (
    RetentionPolicy,
    ScalingPolicy,
    StreamClient,
    StreamConfiguration,
    StreamCut,
    StreamOptions,
)
from jvmwire.transports import Tcp

NOBODY = Tcp("127.0.0.1", 1)
"""Connecting to this address fails with `ConnectFailed`, which is not a `ValueError`."""
SAYS = "must|at most 127 tags|is not the name of a stream|has no empty key"
SOME_ID = uuid.UUID(int=7)
NOT_OFFSETS = (-1, -(1 << 63), 1 << 63)
Call = Callable[[Any], Any]


def listed(method: str, *arguments: Any, **options: Any) -> Call:
    """Return a function that lists all items of an iterating method of a client."""
    call = methodcaller(method, *arguments, **options)
    return lambda client: list(call(client))


def calls_of_store() -> dict[str, Call]:
    calls: dict[str, Call] = {}
    for offset in NOT_OFFSETS:
        calls |= {
            f"read_segment at {offset}": methodcaller("read_segment", "s", offset),
            f"truncate_segment at {offset}": methodcaller("truncate_segment", "s", offset),
            f"create_segment by {offset}": methodcaller(
                "create_segment", "s", rollover_size=offset
            ),
            f"create_table by {offset}": methodcaller("create_table", "t", rollover_size=offset),
            f"append_if at {offset}": lambda client, at=offset: (  # type: ignore[misc]
                client.appender("s").append_if(b"event", at)
            ),
        }
        for method in ("read_bytes", "read_events", "read_batches"):
            calls[f"{method} at {offset}"] = listed(method, "s", offset)
            calls[f"{method} to {offset}"] = listed(method, "s", end=offset)
    named: dict[str, tuple[Any, ...]] = {
        "create_segment": (),
        "seal_segment": (),
        "delete_segment": (),
        "truncate_segment": (0,),
        "merge_segments": ("s",),
        "merge_all": (["s"],),
        "get_segment_info": (),
        "get_attribute": (SOME_ID,),
        "create_transient_segment": (SOME_ID,),
        "read_segment": (0,),
        "create_table": (),
        "delete_table": (),
        "get_table_info": (),
        "update_table": ({b"k": b"v"},),
        "remove_from_table": ([b"k"],),
        "read_table": ([b"k"],),
        "appender": (),
    }
    for method, more in named.items():
        calls[f"{method} without a name"] = methodcaller(method, "", *more)
    for method in ("read_bytes", "read_events", "read_batches", "table_keys", "table_entries"):
        calls[f"{method} without a name"] = listed(method, "")
    for page in (0, -1, 1 << 31):
        calls[f"table_keys by {page}"] = listed("table_keys", "t", page=page)
        calls[f"table_entries by {page}"] = listed("table_entries", "t", page=page)
    for version in (-2, 1 << 63):
        for method, given in (("update_table", {b"k": b"v"}), ("remove_from_table", [b"k"])):
            calls[f"{method} of version {version}"] = methodcaller(
                method, "t", given, versions={b"k": version}
            )
            calls[f"{method} of length {version}"] = methodcaller(
                method, "t", given, expected_length=version
            )
    for kind in (-1, 3, 128):
        calls[f"create_segment of type {kind}"] = methodcaller(
            "create_segment", "s", scale_type=kind
        )
        calls[f"update_policy to type {kind}"] = methodcaller(
            "update_policy", "s", scale_type=kind, target_rate=1
        )
    for number in (-1, 1 << 31):
        calls[f"create_segment of rate {number}"] = methodcaller(
            "create_segment", "s", scale_type=1, target_rate=number
        )
        calls[f"update_policy to rate {number}"] = methodcaller(
            "update_policy", "s", scale_type=1, target_rate=number
        )
        calls[f"read_segment of {number} bytes"] = methodcaller(
            "read_segment", "s", 0, length=number
        )
    for length in (-1, 257):
        calls[f"create_table of keys of {length} bytes"] = methodcaller(
            "create_table", "t", key_length=length
        )
    for bound in (0, -1):
        calls[f"appender of {bound} bytes"] = methodcaller("appender", "s", max_bytes=bound)
        calls[f"appender of {bound} events"] = methodcaller("appender", "s", max_events=bound)
    for value in (1 << 63, -(1 << 63)):
        calls[f"update_attribute to {value}"] = methodcaller(
            "update_attribute", "s", SOME_ID, value, expected=None
        )
        calls[f"update_attribute from {value}"] = methodcaller(
            "update_attribute", "s", SOME_ID, 1, expected=value
        )
    update = {"attribute_id": SOME_ID, "attribute_update_type": 9}
    return calls | {
        "merge_segments of nothing": methodcaller("merge_segments", "s", ""),
        "merge_all of nothing": methodcaller("merge_all", "s", ["t", ""]),
        "merge_segments by an unknown update": methodcaller("merge_segments", "s", "t", [update]),
        "update_table of an empty key": methodcaller("update_table", "t", {b"": b"v"}),
    }


STORE = calls_of_store()


def calls_of_streams() -> dict[str, Call]:
    calls: dict[str, Call] = {
        "create_scope without a name": methodcaller("create_scope", ""),
        "delete_scope without a name": methodcaller("delete_scope", ""),
        "streams without a name": listed("streams", ""),
        "streams of no tag": listed("streams", "scope", tag=""),
        "byte_writer of no bytes": methodcaller("byte_writer", "a/b", max_bytes=0),
        "writer of no bytes": methodcaller("writer", "a/b", max_bytes=0),
        "writer of no events": methodcaller("writer", "a/b", max_events=0),
        "scale of segment -1": methodcaller("scale", "a/b", [-1], [(0.0, 1.0)]),
    }
    for lease in (0, -1.0, float("inf"), float("nan"), 1e300):
        calls[f"begin for {lease} s"] = methodcaller("begin_transaction", "a/b", lease=lease)
        calls[f"resume for {lease} s"] = methodcaller(
            "resume_transaction", "a/b", SOME_ID, lease=lease
        )
    for keys in ((0.0, 2.0), (-0.5, 1.0), (0.5, 0.2), (0.5, 0.5), (float("nan"), 1.0)):
        calls[f"scale to {keys}"] = methodcaller("scale", "a/b", [0], [keys])
    for offset in NOT_OFFSETS:
        calls[f"read_bytes at {offset}"] = listed("read_bytes", "a/b", offset)
    for name in ("", "a", "a/", "/b", "a/b/c"):
        for method in (
            "create_stream",
            "get_configuration",
            "seal_stream",
            "delete_stream",
            "segments",
            "get_delegation_token",
            "head",
            "tail",
            "writer",
            "byte_writer",
            "begin_transaction",
        ):
            calls[f"{method} of {name!r}"] = methodcaller(method, name)
        for method in ("read_events", "read_batches", "read_bytes"):
            calls[f"{method} of {name!r}"] = listed(method, name)
    return calls


STREAMS = calls_of_streams()

VALUES: dict[str, Callable[[], Any]] = {
    "a cut at -1": lambda: StreamCut("a/b", {0: -1}),
    "a cut at 2^63": lambda: StreamCut("a/b", {0: 1 << 63}),
    "a cut of segment -1": lambda: StreamCut("a/b", {-1: 0}),
    "no segments": lambda: ScalingPolicy(min_segments=0),
    "a negative rate": lambda: ScalingPolicy(events_per_second=-1),
    "a negative rate of bytes": lambda: ScalingPolicy(kbytes_per_second=-1),
    "no scale factor": lambda: ScalingPolicy(scale_factor=0),
    "negative seconds": lambda: RetentionPolicy(min_seconds=-1),
    "endless seconds": lambda: RetentionPolicy(min_seconds=float("inf")),
    "no bytes": lambda: RetentionPolicy(min_bytes=0),
    "a negative rollover size": lambda: StreamConfiguration(rollover_size=-1),
    "an empty tag": lambda: StreamConfiguration(tags=frozenset({""})),
    "a long tag": lambda: StreamConfiguration(tags=frozenset({"x" * 256})),
    "many tags": lambda: StreamConfiguration(tags=frozenset(map(str, range(128)))),
}


@pytest.fixture(scope="module")
def store():
    with SegmentStore(NOBODY, SegmentStoreOptions(retry=NEVER)) as client:
        yield client


@pytest.fixture(scope="module")
def streams():
    with StreamClient(NOBODY, StreamOptions(retry=NEVER)) as client:
        yield client


@pytest.mark.parametrize("call", STORE.values(), ids=STORE)
def test_argument_of_a_store_call_out_of_range_is_refused_before_connecting(store, call):
    with pytest.raises(ValueError, match=SAYS):
        call(store)


@pytest.mark.parametrize("call", STREAMS.values(), ids=STREAMS)
def test_argument_of_a_stream_call_out_of_range_is_refused_before_connecting(streams, call):
    with pytest.raises(ValueError, match=SAYS):
        call(streams)


@pytest.mark.parametrize("make", VALUES.values(), ids=VALUES)
def test_value_out_of_range_is_refused_when_it_is_made(make):
    with pytest.raises(ValueError, match=SAYS):
        make()


@pytest.mark.parametrize("offset", NOT_OFFSETS)
def test_offset_of_an_early_read_out_of_range_is_refused_before_connecting(offset):
    with EarlyClient(NOBODY, EarlyOptions(retry=NEVER)) as client:
        with pytest.raises(ValueError, match="offset must be 0 to"):
            client.read("s", offset)
        with pytest.raises(ValueError, match="offset must be 0 to"):
            list(client.read_bytes("s", offset))


def test_text_of_a_cut_with_a_negative_offset_is_no_cut():
    text = StreamCut("a/b", {0: 12345}).to_text()
    assert StreamCut.from_text(text).positions == {0: 12345}
    wrong = gzip.compress(b"0:a/b:0:0:-5")
    with pytest.raises(DecodeError, match="offset of a cut must be"):
        StreamCut.from_text(base64.b64encode(wrong).decode())


def test_writer_id_of_an_open_appender_is_refused():
    with SegmentStore(NOBODY, SegmentStoreOptions(retry=NEVER)) as client:
        first = client.appender("s", writer_id=SOME_ID)
        with pytest.raises(ValueError, match="of an open appender to 's'"):
            client.appender("t", writer_id=SOME_ID)
        first.close()
        client.appender("t", writer_id=SOME_ID).close()


def test_arguments_of_other_types_are_named(store, streams):
    with pytest.raises(TypeError, match="offset must be a whole number, got str"):
        store.read_segment("s", "0")
    with pytest.raises(TypeError, match="name of a segment must be a str, got int"):
        store.get_segment_info(5)
    with pytest.raises(TypeError, match="writer_id must be a UUID, got str"):
        store.appender("s", writer_id="me")
    with pytest.raises(TypeError, match="lease must be a number"):
        streams.begin_transaction("a/b", lease="long")
