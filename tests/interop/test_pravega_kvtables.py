"""Key-value tables by the controller, compared with those of Java's client."""

import itertools

import pytest

from jvmwire.pravega import NOT_THERE
from jvmwire.pravega.errors import TableKeyBadVersion
from jvmwire.pravega.streams import KeyValueTableConfig, StreamClient, StreamOptions
from jvmwire.pravega.streams.errors import NoSuchScope, NoSuchTable
from kit.client_flavours import STYLES, in_every_style
from kit.stream_clients import PATIENT, connect, opened

SCOPE = "tables"
PARTITIONS = 5
PRIMARY, SECONDARY = 20, 3
"""More bytes than the hash processes at once, with a remainder."""

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
    """A table that no other test uses."""
    return f"{SCOPE}/t{next(numbers)}"


def key(number, second=0):
    return f"{number:0{PRIMARY}}{second:0{SECONDARY}}".encode()


async def make(client, name, partitions=PARTITIONS):
    await client.create_table(name, KeyValueTableConfig(partitions, PRIMARY, SECONDARY))
    return await opened(client, "key_value_table", name)


@in_every_style
async def test_tables_are_made_listed_and_deleted(style, controller, name):
    async with connect(style, controller) as client:
        config = KeyValueTableConfig(3, 8, 4)
        with pytest.raises(NoSuchTable):
            await client.key_value_table(name)
        assert await client.create_table(name, config)
        assert not await client.create_table(name, config)
        assert name in [it async for it in style.each(client, client.tables(SCOPE))]
        table = await client.key_value_table(name)
        assert (table.name, table.config) == (name, config)
        assert await client.delete_table(name)
        assert not await client.delete_table(name)
        with pytest.raises(NoSuchScope):
            await client.create_table("nowhere/table", config)


@in_every_style
async def test_java_finds_entries_of_ours_and_ours_those_of_java(style, pravega, name):
    """In all partitions: the hash of a key determines its place."""
    async with connect(style, pravega.controller) as client:
        table = await make(client, name)
        for number in range(2 * PARTITIONS):
            ours, java = key(number), key(number, 1)
            await table.put(ours, b"ours %d" % number)
            asked = f"table-get {name} {PRIMARY} {ours.hex()}"
            told = pravega.ask(asked, start="value", timeout=PATIENT)
            assert told == f"value {(b'ours %d' % number).hex()}"
            asked = f"table-put {name} {PRIMARY} {java.hex()} {b'java'.hex()}"
            told = pravega.ask(asked, start="version", timeout=PATIENT)
            entry = await table.get(java)
            assert (entry.value, f"version {entry.version}") == (b"java", told)


@in_every_style
async def test_entries_change_by_version_only(style, controller, name):
    async with connect(style, controller) as client:
        table = await make(client, name)
        assert await table.get(key(1)) is None
        first = await table.insert(key(1), b"one")
        with pytest.raises(TableKeyBadVersion):
            await table.insert(key(1), b"again")
        second = await table.replace(key(1), b"two", first)
        with pytest.raises(TableKeyBadVersion):
            await table.replace(key(1), b"late", first)
        with pytest.raises(TableKeyBadVersion):
            await table.replace(key(2), b"none", first)
        with pytest.raises(TableKeyBadVersion):
            await table.remove(key(1), version=first)
        assert (await table.get(key(1))).value == b"two"
        await table.remove(key(1), version=second)
        await table.remove(key(1))
        assert await table.get(key(1)) is None


@in_every_style
async def test_keys_of_one_primary_part_change_together(style, controller, name):
    async with connect(style, controller) as client:
        table = await make(client, name)
        some = {key(7, second): b"%d" % second for second in range(5)}
        versions = await table.put_all(some)
        assert versions == sorted(set(versions))
        with pytest.raises(TableKeyBadVersion):
            await table.put_all(dict.fromkeys(some, b"x"), versions={key(7, 2): NOT_THERE})
        assert [it.value for it in await table.get_all(some)] == list(some.values())
        with pytest.raises(ValueError, match="one primary part, got 2"):
            await table.put_all({key(7): b"", key(8): b""})
        with pytest.raises(ValueError, match=r"20 \+ 3 bytes, got 5"):
            await table.put(b"short", b"")
        with pytest.raises(ValueError, match="at most 256 keys"):
            await table.put_all({key(7, second): b"" for second in range(257)})
        await table.remove_all(list(some)[1:])
        assert await table.get_all(some) == [await table.get(key(7)), None, None, None, None]


@in_every_style
async def test_entries_of_all_partitions_come_in_the_order_of_keys(style, controller, name):
    async with connect(style, controller) as client:
        table = await make(client, name)
        everything = [key(number, second) for number in range(20) for second in range(3)]
        for number in range(20):
            await table.put_all({key(number, second): b"%d" % second for second in range(3)})

        async def found(**where):
            return [it.key async for it in style.each(table, table.entries(**where))]

        assert await found() == everything
        assert await found(page=2) == everything
        assert await found(start=key(3, 1), end=key(5, 1)) == everything[10:17]
        assert await found(start=key(4)[:PRIMARY], end=key(4)[:PRIMARY]) == everything[12:15]
        assert await found(start=key(5), end=key(4)) == []
