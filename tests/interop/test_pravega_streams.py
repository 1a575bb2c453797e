"""Streams in every style, against a real controller and store, compared with Java's client."""

import itertools
import uuid
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import jvmwire.pravega.streams
from jvmwire._core import pravega_positions
from jvmwire.errors import (
    ConfigError,
    ConnectFailed,
    DecodeError,
    Finished,
    LimitExceeded,
)
from jvmwire.options import RetryPolicy
from jvmwire.pravega.errors import SegmentIsTruncated
from jvmwire.pravega.streams import (
    RetentionPolicy,
    ScalingPolicy,
    StreamClient,
    StreamConfiguration,
    StreamCut,
    StreamOptions,
)
from jvmwire.pravega.streams.errors import (
    InvalidName,
    NoSuchScope,
    NoSuchStream,
    NoSuchTransaction,
    ScaleRefused,
    ScopeNotEmpty,
    StreamIsSealed,
    StreamNotSealed,
    TransactionEnded,
)
from jvmwire.transports import Tcp
from kit import pravega_messages
from kit.client_flavours import STYLES, Awaited, Style, in_every_style
from kit.jvm import free_port
from kit.scale import seeded
from kit.stream_clients import PATIENT, connect

KEYS = 10_000
SCOPE = "jvmwire"

numbers = itertools.count()


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module", autouse=True)
def scope(pravega):
    with StreamClient(pravega.controller, StreamOptions(timeout=PATIENT)) as client:
        client.create_scope(SCOPE)


@pytest.fixture
def name():
    """A stream that no other test uses."""
    return f"{SCOPE}/stream-{next(numbers)}"


def writer(style: Style, client: Any, name: str, **options: Any) -> Any:
    """Return a writer whose calls are awaited."""
    if style.name == "sync":
        return Awaited(client.client.writer(name, **options), client._pool)
    return client.writer(name, **options)


async def begin(style: Style, client: Any, name: str, **options: Any) -> Any:
    """Return a transaction whose calls are awaited."""
    transaction = await client.begin_transaction(name, **options)
    return Awaited(transaction, client._pool) if style.name == "sync" else transaction


async def make(client: Any, name: str, segments: int) -> None:
    """Make a stream of so many segments, which may be merged later."""
    await client.create_stream(name)
    if segments > 1:
        [only] = await client.segments(name)
        ends = [number / segments for number in range(segments + 1)]
        await client.scale(name, [only.segment_id], itertools.pairwise(ends))


async def write_through(out: Any, data: bytes) -> None:
    await out.write(data)
    await out.flush()


async def all_of(style: Style, client: Any, iterator: Any) -> list[Any]:
    return [it async for it in style.each(client, iterator)]


async def events(style: Style, client: Any, name: str, **where: Any) -> list[bytes]:
    batches = await all_of(style, client, client.read_events(name, **where))
    return [event for batch in batches for event in batch.events]


def by_key(found: list[bytes]) -> dict[bytes, list[int]]:
    """Return the numbers of events that are `key number`."""
    told = defaultdict(list)
    for event in found:
        key, number = event.split()
        told[key].append(int(number))
    return told


def test_routing_keys_are_hashed_as_java_hashes_them(pravega):
    choice = seeded(9)
    alphabet = "aZ09 ßé€\0\u07ff\uffff😀𝄞"
    keys = ["", "\ud800", "a\udfff", *(str(number) for number in range(100))]
    while len(keys) < KEYS:
        keys.append("".join(choice.choices(alphabet, k=choice.randrange(40))))
    assert pravega_positions(keys) == pravega.positions(keys)


@in_every_style
async def test_description_of_a_stream_is_what_java_says_of_it(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name, 2)
        out = writer(style, client, name)
        await out.append_all([b"one", b"two", b"three"], ["a", "b", "c"])
        await out.close()
        info = await client.get_stream_info(name)
        assert info.tail.positions == pravega.positions_of(pravega.cut(name))
        assert info.head.positions == (await client.head(name)).positions
        assert list(info.segments) == await client.segments(name)
        assert info.configuration == await client.get_configuration(name)
        assert not info.is_sealed
        await client.truncate_stream(info.tail)
        assert (await client.get_stream_info(name)).head == info.tail
        await client.seal_stream(name)
        sealed = await client.get_stream_info(name)
        assert (sealed.is_sealed, sealed.tail.positions) == (True, {})


@in_every_style
async def test_truncation_after_the_tail_is_refused_and_loses_nothing(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 1)
        cut = StreamCut(name, dict.fromkeys((await client.tail(name)).positions, 500))
        with pytest.raises(ValueError, match=r"cannot truncate to offset 500: .* ends at 0"):
            await client.truncate_stream(cut)
        await writer(style, client, name).append(b"written later")
        assert await events(style, client, name) == [b"written later"]


LARGE = bytes(range(256)) * (68 << 10)
"""An event of 17 MiB: more than a frame of the protocol can hold."""


@pytest.mark.parametrize("style", STYLES[:1])  # the store is slow at them
@in_every_style
async def test_large_events_of_java_are_read_and_ours_by_java(style, pravega, name):
    told = [b"before", LARGE, b"after"]
    async with connect(style, pravega.controller) as client:
        await make(client, name, 1)
        pravega.write(name, [("key", event) for event in told])
        assert await events(style, client, name) == told
        batches = await all_of(style, client, client.read_batches(name))
        assert [event for it in batches for event in pa.array(it.events.events).to_pylist()] == told
        out = writer(style, client, name)
        await out.write_all([b"ours", LARGE[1 << 20 :], b"then"], ["key"] * 3)
        await out.close()
        told += [b"ours", LARGE[1 << 20 :], b"then"]
        assert pravega.read(name) == told


@in_every_style
async def test_events_of_about_a_mebibyte_are_written_and_read(style, controller, name):
    """Issue 3550 of pravega/pravega: an event of exactly 1 MiB was refused as too large."""
    sizes = [(1 << 20) + more for more in (-9, -8, -7, -1, 0, 1, 7, 8)]
    async with connect(style, controller) as client:
        await make(client, name, 1)
        out = writer(style, client, name)
        await out.append_all([LARGE[:size] for size in sizes], ["key"] * len(sizes))
        await out.close()
        assert [len(event) for event in await events(style, client, name)] == sizes


@in_every_style
async def test_stream_that_was_made_again_is_written_and_read(style, pravega, name):
    """Issues 2898, 3960 of pravega/pravega: writers and readers failed after a stream was deleted
    and made again."""
    async with connect(style, pravega.controller) as client:
        for time in (b"first", b"second", b"third"):
            await make(client, name, 1)
            out = writer(style, client, name)
            await out.append(time, "key")
            await out.close()
            assert await events(style, client, name) == [time]
            assert pravega.read(name) == [time]
            await client.seal_stream(name)
            await client.delete_stream(name)


@in_every_style
async def test_large_event_goes_to_the_successor_of_a_sealed_segment(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 1)
        [only] = await client.segments(name)
        out = writer(style, client, name)
        await out.append(b"before", "key")
        await client.scale(name, [only.segment_id], [(0.0, 0.5), (0.5, 1.0)])
        await out.append_all([LARGE, b"after"], ["key"] * 2)
        await out.close()
        assert await events(style, client, name) == [b"before", LARGE, b"after"]


@in_every_style
async def test_event_over_the_limit_is_told_by_its_size_after_those_before_it(
    style, controller, name
):
    async with (
        connect(style, controller) as client,
        connect(style, controller, max_event=1000) as strict,
    ):
        await make(client, name, 1)
        out = writer(style, client, name)
        await out.append_all([b"before", bytes(1001), b"after"])
        found = []

        async def read() -> None:
            async for batch in style.each(strict, strict.read_events(name)):
                found.extend(batch.events)

        with pytest.raises(LimitExceeded, match="has 1001 bytes, and the option max_event"):
            await read()
        assert found == [b"before"]
        with pytest.raises(ValueError, match="1001 bytes do not fit where the option max_event"):
            await writer(style, strict, name).append(bytes(1001))


def test_the_messages_are_those_of_the_controllers_jar(tmp_path):
    pravega_messages.write(tmp_path)
    ours = Path(jvmwire.pravega.streams.__file__).parent
    for name in pravega_messages.NAMES:
        assert (ours / name).read_text() == (tmp_path / name).read_text()


@in_every_style
async def test_scopes_and_streams_are_made_listed_and_deleted(style, controller):
    scope = f"scope-{next(numbers)}"
    async with connect(style, controller) as client:
        assert await client.create_scope(scope)
        assert not await client.create_scope(scope)
        assert scope in await all_of(style, client, client.scopes())
        scaling = ScalingPolicy(min_segments=3, events_per_second=100, scale_factor=4)
        made = StreamConfiguration(
            scaling, RetentionPolicy(min_bytes=1 << 30), frozenset({"red", "big"}), 1 << 26
        )
        assert await client.create_stream(f"{scope}/one", made)
        assert not await client.create_stream(f"{scope}/one", made)
        assert await client.create_stream(f"{scope}/two")
        assert await client.get_configuration(f"{scope}/one") == made
        assert await client.get_configuration(f"{scope}/two") == StreamConfiguration()
        assert len(await client.segments(f"{scope}/one")) == 3
        changed = StreamConfiguration(retention=RetentionPolicy(min_seconds=60.0))
        await client.update_stream(f"{scope}/two", changed)
        assert await client.get_configuration(f"{scope}/two") == changed
        listed = await all_of(style, client, client.streams(scope))
        assert {f"{scope}/one", f"{scope}/two"} <= set(listed)
        assert await all_of(style, client, client.streams(scope, tag="red")) == [f"{scope}/one"]
        with pytest.raises(ScopeNotEmpty):
            await client.delete_scope(scope)
        with pytest.raises(StreamNotSealed):
            await client.delete_stream(f"{scope}/one")
        for name in (f"{scope}/one", f"{scope}/two"):
            await client.seal_stream(name)
            assert await client.delete_stream(name)
        assert not await client.delete_stream(f"{scope}/one")
        assert await client.delete_scope(scope)
        assert not await client.delete_scope(scope)


@in_every_style
async def test_what_a_controller_refuses_says_what_is_wrong(style, controller, name):
    async with connect(style, controller) as client:
        with pytest.raises(NoSuchScope, match="nowhere/stream"):
            await client.create_stream("nowhere/stream")
        with pytest.raises(NoSuchScope, match="nowhere"):
            await all_of(style, client, client.streams("nowhere"))
        for call in client.segments, client.seal_stream, client.get_configuration, client.tail:
            with pytest.raises(NoSuchStream):
                await call(name)
        with pytest.raises(NoSuchStream):
            await events(style, client, name)
        with pytest.raises(InvalidName):
            await client.create_stream(f"{SCOPE}/ä b")
        for wrong in "stream", "/stream", "scope/", "a/b/c":
            with pytest.raises(ConfigError, match="scope/stream"):
                await client.segments(wrong)
        await client.create_stream(name)
        with pytest.raises(ScaleRefused):
            await client.scale(name, [77], [(0.0, 1.0)])
        with pytest.raises(ValueError, match="not of"):
            await events(style, client, name, start=StreamCut("other/stream"))


@in_every_style
async def test_nobody_at_the_controllers_port_is_told(style):
    once = RetryPolicy(attempts=2, first_wait=0.001)
    async with connect(style, Tcp("127.0.0.1", free_port()), retry=once) as client:
        with pytest.raises(ConnectFailed, match="controller"):
            await client.create_scope("scope")


@in_every_style
async def test_a_key_keeps_its_order_over_splits_and_merges(style, pravega, name):
    """Java reads the same, each event once."""
    keys = [f"key{number}" for number in range(50)]
    async with connect(style, pravega.controller) as client:
        await make(client, name, 2)
        out = writer(style, client, name)
        at = 0

        async def write(rounds: int) -> None:
            nonlocal at
            for _ in range(rounds):
                batch = [f"{key} {at}".encode() for key in keys]
                await out.write_all(batch, keys)
                at += 1

        await write(100)
        first, _ = sorted(await client.segments(name), key=lambda it: it.low)
        middle = (first.low + first.high) / 2
        halves = [(first.low, middle), (middle, first.high)]
        await client.scale(name, [first.segment_id], halves)
        await write(100)
        assert len(await client.segments(name)) == 3
        assert {it.low for it in await client.successors(first)} == {first.low, middle}
        everything = [it.segment_id for it in await client.segments(name)]
        await client.scale(name, everything, [(0.0, 1.0)])
        await write(100)
        await out.append(b"last 0", "last")
        await out.close()
        found = by_key(await events(style, client, name))
        assert found.pop(b"last") == [0]
        assert found == {key.encode(): list(range(300)) for key in keys}
        told = by_key(pravega.read(name))
        assert told.pop(b"last") == [0]
        assert told == found
        await client.seal_stream(name)
        assert await client.segments(name) == []
        assert by_key(await events(style, client, name)).keys() == {*found, b"last"}


@in_every_style
async def test_a_cut_that_advances_comes_to_the_tail_and_no_key_is_out_of_order(
    style, controller, name
):
    keys = [f"key{number}" for number in range(20)]
    async with connect(style, controller) as client:
        await make(client, name, 2)
        out = writer(style, client, name)
        await out.append_all([f"{key} 0".encode() for key in keys], keys)
        first, second = sorted(await client.segments(name), key=lambda it: it.low)
        middle = (first.low + first.high) / 2
        halves = [(first.low, middle), (middle, first.high)]
        await client.scale(name, [first.segment_id], halves)
        await out.append_all([f"{key} 1".encode() for key in keys], keys)
        at = await client.head(name)
        steps = [at]
        while (further := await client.advance(at)) != at:
            steps.append(at := further)
        assert at == await client.tail(name)
        assert [len(step.positions) for step in steps] == [1, 2, 3]
        end = at
        await client.scale(name, [second.segment_id], [(second.low, second.high)])
        await out.append_all([f"{key} 2".encode() for key in keys], keys)
        await out.close()
        assert await client.advance(at, end=end) == end
        while (further := await client.advance(at)) != at:
            steps.append(at := further)
        assert at == await client.tail(name)
        found = []
        for start, behind in itertools.pairwise(steps):
            for each in behind.positions:
                span = {each: start.positions.get(each, 0)}, {each: behind.positions[each]}
                first_cut, last_cut = (StreamCut(name, positions) for positions in span)
                found += await events(style, client, name, start=first_cut, end=last_cut)
        assert by_key(found) == {key.encode(): [0, 1, 2] for key in keys}


@in_every_style
async def test_what_java_wrote_is_read(style, pravega, name):
    choice = seeded(4)
    told = [
        (f"k{choice.randrange(9)}", choice.randbytes(choice.randrange(2000))) for _ in range(500)
    ]
    async with connect(style, pravega.controller) as client:
        await client.create_stream(name, StreamConfiguration(ScalingPolicy(min_segments=4)))
        pravega.write(name, told)
        found = await events(style, client, name)
        assert sorted(found) == sorted(event for _, event in told)
        places = {event: index for index, event in enumerate(found)}
        for key in {key for key, _ in told}:
            mine = [places[event] for other, event in told if other == key and len(event) > 8]
            assert mine == sorted(mine)
        batches = await all_of(style, client, client.read_batches(name))
        arrow = [event for it in batches for event in pa.array(it.events.events).to_pylist()]
        assert sorted(arrow) == sorted(found)


@in_every_style
async def test_a_reader_goes_on_from_any_cut_it_gave(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        await make(client, name, 2)
        out = writer(style, client, name)
        for number in range(3):
            keys = [str(key) for key in range(40)]
            await out.append_all([f"{key} {number}".encode() for key in keys], keys)
            segments = await client.segments(name)
            ranges = [(it.low, it.high) for it in segments]
            # All segments are replaced by one, then each by two.
            if number % 2 == 0:
                await client.scale(name, [it.segment_id for it in segments], [(0.0, 1.0)])
            else:
                [(low, high)] = ranges
                await client.scale(name, [segments[0].segment_id], [(low, 0.5), (0.5, high)])
        head, tail = await client.head(name), await client.tail(name)
        assert list(head.positions.values()) == [0]
        batches = await all_of(style, client, client.read_events(name))
        assert len(batches) >= 4
        so_far: list[bytes] = []
        for batch in batches:
            so_far += batch.events
            cut = StreamCut.from_text(batch.cut.to_text())
            assert cut == batch.cut
            assert pravega.positions_of(cut.to_text()) == dict(cut.positions)
            rest = await events(style, client, name, start=cut)
            assert sorted(so_far + rest) == sorted(e for it in batches for e in it.events)
            assert sorted(await events(style, client, name, end=cut)) == sorted(so_far)
            # Nothing lies between a position and one before it.
            assert await events(style, client, name, start=tail, end=cut) == []
        assert StreamCut.from_text(pravega.cut(name)) == tail
        assert await events(style, client, name, start=tail) == []
        await client.truncate_stream(tail)
        assert await events(style, client, name) == []
        await out.append(b"later 0", "later")
        assert await events(style, client, name, start=tail) == [b"later 0"]
        await out.close()


@in_every_style
async def test_a_follower_reads_on_until_the_stream_is_sealed(style, controller, name):
    async with connect(style, controller) as client:
        await make(client, name, 2)
        out = writer(style, client, name)
        await out.append_all([b"a 0", b"b 0"], ["a", "b"])
        found: list[bytes] = []
        written = 1
        async for batch in style.each(client, client.read_events(name, follow=True)):
            found += batch.events
            if len(found) == 2 * written and written < 4:
                await out.append_all([b"a %d" % written, b"b %d" % written], ["a", "b"])
                written += 1
                if written == 3:
                    segments = [it.segment_id for it in await client.segments(name)]
                    await client.scale(name, segments, [(0.0, 1.0)])
            elif len(found) == 8:
                await out.close()
                await client.seal_stream(name)
        assert by_key(found) == {b"a": [0, 1, 2, 3], b"b": [0, 1, 2, 3]}


@in_every_style
async def test_a_writer_to_a_sealed_stream_hands_back_what_is_left(style, controller, name):
    async with connect(style, controller) as client:
        await client.create_stream(name)
        out = writer(style, client, name)
        await out.append(b"stored", "a")
        await client.seal_stream(name)
        with pytest.raises(StreamIsSealed):
            await out.append(b"left", "a")
        with pytest.raises(StreamIsSealed):
            await out.write(b"refused", "a")
        assert await out.unacknowledged() == [b"left"]
        assert await events(style, client, name) == [b"stored"]
        with pytest.raises(StreamIsSealed):
            await writer(style, client, name).append(b"late", "a")


@in_every_style
async def test_a_writer_that_is_closed_may_be_closed_again_and_takes_nothing(
    style, controller, name
):
    async with connect(style, controller) as client:
        await client.create_stream(name)
        out = writer(style, client, name)
        await out.write(b"stored", "a")
        await out.close()
        await out.close()
        with pytest.raises(Finished, match="the writer is closed"):
            await out.write(b"late", "a")
        assert await events(style, client, name) == [b"stored"]


@in_every_style
async def test_a_transaction_is_in_the_stream_whole_or_not_at_all(style, controller, name):
    async with connect(style, controller) as client:
        await client.create_stream(name, StreamConfiguration(ScalingPolicy(min_segments=3)))
        keys = [str(number) for number in range(20)]
        whole = [f"{key} 1".encode() for key in keys]
        first = await begin(style, client, name)
        await first.write_all(whole, keys)
        await first.flush()
        second = await begin(style, client, name)
        await second.write(b"never 1", "never")
        assert await events(style, client, name) == []
        assert await first.state() == "OPEN"
        await first.ping()
        await second.abort()
        await first.commit()
        assert sorted(await events(style, client, name)) == sorted(whole)
        assert await first.state() == "COMMITTED"
        third = await begin(style, client, name)
        await third.write_all([b"anywhere", b"and there"])
        await third.commit()
        assert {b"anywhere", b"and there"} < set(await events(style, client, name))
        with pytest.raises(Finished):
            await first.write(b"late", "late")
        with pytest.raises(Finished):
            await second.commit()


@in_every_style
async def test_a_transaction_that_another_aborted_says_that_it_ended(style, controller, name):
    async with connect(style, controller) as client:
        await client.create_stream(name)
        transaction = await begin(style, client, name)
        await transaction.write(b"in vain", "a")
        await transaction.flush()
        other = await client.resume_transaction(
            name,
            transaction.client.transaction_id
            if style.name == "sync"
            else transaction.transaction_id,
        )
        await (Awaited(other, client._pool) if style.name == "sync" else other).abort()
        for epoch in 7, 1 << 31:
            with pytest.raises(NoSuchTransaction):
                await client.resume_transaction(name, uuid.UUID(int=epoch << 96))
        with pytest.raises(TransactionEnded):
            await transaction.append(b"late", "a")
        with pytest.raises(TransactionEnded):
            await transaction.commit()
        assert await events(style, client, name) == []


@in_every_style
async def test_bytes_are_those_that_java_reads_and_writes(style, pravega, name):
    choice = seeded(12)
    sizes = [0, 1, 100, 50_000, 1, 9 << 20]
    given = [choice.randbytes(size) for size in sizes]
    async with connect(style, pravega.controller) as client:
        await client.create_stream(name)
        out = await client.byte_writer(name)
        out = Awaited(out, client._pool) if style.name == "sync" else out
        for piece in given:
            await out.write(piece)
        await out.flush()
        pravega.write_bytes(name, [b"and", b" Java's"])
        whole = b"".join(given) + b"and Java's"
        found = b"".join(await all_of(style, client, client.read_bytes(name)))
        assert found == whole
        tail = await all_of(style, client, client.read_bytes(name, len(whole) - 3))
        assert b"".join(tail) == b"a's"
        await client.seal_stream(name)
        with pytest.raises(StreamIsSealed):
            await write_through(out, b"late")
        with pytest.raises(StreamIsSealed):
            await client.byte_writer(name)
        followed = await all_of(style, client, client.read_bytes(name, follow=True))
        assert b"".join(followed) == whole
    assert pravega.read_bytes(name) == whole


async def scale_one_to_one(client: Any, name: str) -> None:
    [present] = await client.segments(name)
    await client.scale(name, [present.segment_id], [(0.0, 1.0)])


@in_every_style
async def test_bytes_go_on_in_the_only_successor_of_their_segment(style, controller, name):
    async with connect(style, controller) as client:
        await client.create_stream(name)
        out = await client.byte_writer(name)
        out = Awaited(out, client._pool) if style.name == "sync" else out
        await write_through(out, b"first half;")
        await scale_one_to_one(client, name)
        await write_through(out, b"second half;")
        await scale_one_to_one(client, name)
        await write_through(out, b"end")
        whole = b"first half;second half;end"
        for offset in (0, 5, 11, 20, 23, len(whole)):
            found = await all_of(style, client, client.read_bytes(name, offset))
            assert b"".join(found) == whole[offset:]
        with pytest.raises(ValueError, match=r"offset 27 is after the end of .*, 26"):
            await all_of(style, client, client.read_bytes(name, 27))
        await client.seal_stream(name)
        with pytest.raises(StreamIsSealed, match=f"{name}' is sealed"):
            await write_through(out, b"late")
        followed = await all_of(style, client, client.read_bytes(name, follow=True))
        assert b"".join(followed) == whole


@in_every_style
async def test_bytes_of_a_stream_that_was_split_are_refused_with_the_reason(
    style, controller, name
):
    async with connect(style, controller) as client:
        await client.create_stream(name)
        out = await client.byte_writer(name)
        out = Awaited(out, client._pool) if style.name == "sync" else out
        await write_through(out, b"whole")
        [present] = await client.segments(name)
        await client.scale(name, [present.segment_id], [(0.0, 0.5), (0.5, 1.0)])
        with pytest.raises(ConfigError, match="2 segments: a stream of bytes has one"):
            await write_through(out, b"torn")
        with pytest.raises(ConfigError, match="2 segments: a stream of bytes has one"):
            await all_of(style, client, client.read_bytes(name))


@in_every_style
async def test_bytes_are_read_from_any_offset_and_truncated(style, controller, name):
    async with connect(style, controller) as client:
        await client.create_stream(name)
        out = await client.byte_writer(name)
        reader = (
            Awaited(client.client.byte_reader(name), client._pool)
            if style.name == "sync"
            else client.byte_reader(name)
        )
        out = Awaited(out, client._pool) if style.name == "sync" else out
        assert (await reader.tell(), await reader.read(9)) == (0, b"")
        await write_through(out, b"0123456789")
        await scale_one_to_one(client, name)
        await write_through(out, b"abcdef")
        assert (await reader.head_offset(), await out.tail_offset()) == (0, 16)
        assert [await reader.read(8) for _ in range(4)] == [b"01234567", b"89", b"abcdef", b""]
        assert await reader.tell() == 16
        await reader.seek(12)
        assert (await reader.read(2), await reader.tell()) == (b"cd", 14)
        with pytest.raises(ValueError, match="offset 17 is after the end"):
            await reader.seek(17)
        with pytest.raises(ValueError, match="offset 17 is after the end"):
            await out.truncate(17)
        await out.truncate(4)
        assert await out.head_offset() == 4
        found = await all_of(style, client, client.read_bytes(name))
        assert b"".join(found) == b"456789abcdef"
        await reader.seek(0)
        with pytest.raises(SegmentIsTruncated) as refused:
            await reader.read(1)
        assert refused.value.start_offset == 4


@in_every_style
async def test_a_stream_of_several_segments_has_no_bytes(style, controller, name):
    async with connect(style, controller) as client:
        await client.create_stream(name, StreamConfiguration(ScalingPolicy(min_segments=2)))
        with pytest.raises(ConfigError, match="2 segments"):
            await client.byte_writer(name)
        with pytest.raises(ConfigError, match="2 segments"):
            await all_of(style, client, client.read_bytes(name))


@pytest.mark.parametrize("text", ["", "no base64", "AAAA", "H4sIAAAAAAAA/zMAACHf2/QBAAAA"])
def test_what_is_no_stream_cut_is_refused(text):
    with pytest.raises(DecodeError):
        StreamCut.from_text(text)
