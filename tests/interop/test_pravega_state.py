"""Revisioned streams and state synchronizers, compared with those of Java's client."""

import asyncio
import itertools

import pytest

from jvmwire.errors import DecodeError, NotStarted
from jvmwire.pravega.errors import SegmentIsTruncated
from jvmwire.pravega.streams import StateKind, StreamClient, StreamOptions
from jvmwire.pravega.streams.errors import StreamIsSealed
from kit.client_flavours import STYLES, in_every_style
from kit.stream_clients import PATIENT, connect, opened

SCOPE = "state"
WRITERS = 4
ROUNDS = 25

numbers = itertools.count()

TEXTS = StateKind(
    encode_state=lambda state: "".join(state).encode(),
    decode_state=lambda data: tuple(data.decode()),
    encode_update=str.encode,
    decode_update=lambda data: data.decode(),
    apply=lambda state, update: (*state, update),
)
"""A tuple of letters, to which one is appended: as `Letters` of the peer."""


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@pytest.fixture(scope="module", autouse=True)
def scope(pravega):
    with StreamClient(pravega.controller, StreamOptions(timeout=PATIENT)) as client:
        client.create_scope(SCOPE)


@pytest.fixture
def name(pravega):
    """A stream of one segment that no other test uses."""
    found = f"{SCOPE}/stream-{next(numbers)}"
    with StreamClient(pravega.controller, StreamOptions(timeout=PATIENT)) as client:
        client.create_stream(found)
    return found


async def all_of(style, owner, iterator):
    return [it async for it in style.each(owner, iterator)]


@in_every_style
async def test_entry_is_appended_at_the_latest_revision_only(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        stream = await opened(client, "revisioned_stream", name)
        assert (await stream.head(), await stream.tail()) == (0, 0)
        first = await stream.append_if(b"one", 0)
        assert first == await stream.tail() == 8 + len(b"one")
        assert await stream.append_if(b"late", 0) is None
        await stream.append(b"two")
        second = await stream.append_if(b"three", await stream.tail())
        read = await all_of(style, stream, stream.read())
        assert [it.data for it in read] == [b"one", b"two", b"three"]
        assert [it.revision for it in read][::2] == [first, second]
        assert [it.data for it in await all_of(style, stream, stream.read(first))] == [
            b"two",
            b"three",
        ]
        between = await all_of(style, stream, stream.read(first, read[1].revision))
        assert between == [read[1]]
        with pytest.raises(ValueError, match="after"):
            await all_of(style, stream, stream.read(second + 1))
        await stream.truncate(first)
        assert await stream.head() == first
        with pytest.raises(SegmentIsTruncated):
            await all_of(style, stream, stream.read(0))
        await client.seal_stream(name)
        with pytest.raises(StreamIsSealed):
            await stream.append(b"four")


@in_every_style
async def test_mark_is_set_where_it_is_as_expected_and_java_sees_it(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        stream = await opened(client, "revisioned_stream", name)
        assert await stream.get_mark() is None
        assert await stream.set_mark(11, expected=None)
        assert not await stream.set_mark(12, expected=None)
        assert pravega.ask(f"get-mark {name}", start="mark", timeout=PATIENT) == "mark 11"
        assert await stream.set_mark(12, expected=11)
        assert await stream.get_mark() == 12
        assert await stream.set_mark(None, expected=12)
        assert pravega.ask(f"get-mark {name}", start="mark", timeout=PATIENT) == "mark none"


@in_every_style
async def test_java_appends_to_what_we_append_to_and_reads_it(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        stream = await opened(client, "revisioned_stream", name)
        first = await stream.append_if(b"one", 0)
        assert pravega.append_if(name, b"two", 0) is None
        second = pravega.append_if(name, b"two", first)
        assert second == await stream.tail()
        assert await stream.append_if(b"three", second) is not None
        assert pravega.revisions(name) == [
            (it.revision, it.data) for it in await all_of(style, stream, stream.read())
        ]


@in_every_style
async def test_every_process_comes_to_the_same_state(style, pravega, name):
    """Java changes it too, and compacts it."""
    async with connect(style, pravega.controller) as client:
        ours, others = [await opened(client, "state_synchronizer", name, TEXTS) for _ in "12"]
        assert await ours.fetch_updates() is None
        with pytest.raises(NotStarted, match="initial state"):
            await ours.update(lambda _: ["x"])
        assert await ours.initialize(("a",))
        assert not await others.initialize(("z",))
        assert await others.fetch_updates() == ("a",)
        assert pravega.letters(name, "add b") == "ab"
        assert await ours.update(lambda state: [str(len(state)), "c"]) == ("a", "b", "2", "c")
        await others.update_unconditionally(["d"])
        assert pravega.letters(name, "show") == "ab2cd"
        assert await ours.update(lambda _: []) == ("a", "b", "2", "c")
        assert await ours.bytes_since_compaction() > 0
        await ours.compact()
        assert pravega.letters(name, "show") == "ab2cd"
        assert pravega.letters(name, "compact") == "ab2cd"
        assert await others.fetch_updates() == ("a", "b", "2", "c", "d")
        await others.compact()
        late = await opened(client, "state_synchronizer", name, TEXTS)
        assert "".join(await late.update(lambda _: ["e"])) == "ab2cde"
        assert pravega.letters(name, "show") == "ab2cde"
        # The last entries that `ours` read are truncated by now.
        await late.compact()
        assert "".join(await ours.fetch_updates()) == "ab2cde"


@in_every_style
async def test_updates_of_many_are_applied_once_each(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        shared = [await opened(client, "state_synchronizer", name, TEXTS) for _ in range(WRITERS)]
        await shared[0].initialize(())

        async def count(synchronizer, letter):
            for _ in range(ROUNDS):
                await synchronizer.update(lambda _: [letter])

        await asyncio.gather(*(count(each, str(at)) for at, each in enumerate(shared)))
        expected = pravega.letters(name, "show")
        for each in shared:
            assert "".join(await each.fetch_updates()) == expected
        assert sorted(expected) == sorted("".join(map(str, range(WRITERS))) * ROUNDS)


@in_every_style
async def test_entry_that_is_no_state_is_told(style, pravega, name):
    async with connect(style, pravega.controller) as client:
        stream = await opened(client, "revisioned_stream", name)
        await stream.append(bytes([0, 0, 0, 1]))
        state = await opened(client, "state_synchronizer", name, TEXTS)
        assert await state.fetch_updates() == ()
        await stream.append(bytes([0, 0, 0, 2, 0, 0, 0, 9, 65]))
        with pytest.raises(DecodeError, match=r"revision 29 of .* 9 bytes, where 1 are left"):
            await state.fetch_updates()
