"""Peers that break the rules of either protocol: one error, and other connections go on."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import pytest

from jvmwire.errors import ConnectionLost, RemoteProtocolError
from jvmwire.options import NEVER
from jvmwire.pravega import AsyncSegmentStore, SegmentStoreOptions
from jvmwire.pravega._session import CURRENT_DIALECT
from jvmwire.pravega.early import AsyncEarlyClient, Dialect, EarlyOptions, EarlyServer
from jvmwire.pravega.errors import VersionMismatch
from jvmwire.transports import Tcp
from kit.fake_store import store_double
from kit.pravega_adversarial_inputs import BROKEN, HELLO, OPENINGS, SETUP, WRITER, block, end_of

EARLY = Dialect.early()
DEADLINE = 60.0
FIRST = 1
"""The request id of a client's first call."""


def in_time(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    def run(wrong: Any) -> None:
        async def limited() -> None:
            async with asyncio.timeout(DEADLINE):
                await test(wrong)

        asyncio.run(limited())

    return run


@asynccontextmanager
async def saying(told: bytes, *, greeting: bytes = b"") -> AsyncIterator[Tcp]:
    """Send bytes to a client after its request, and then close."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(greeting)
        await reader.readexactly(len(HELLO) + 1)
        writer.write(told)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1") as server:
        yield Tcp("127.0.0.1", server.sockets[0].getsockname()[1])


def cut(frame: bytes, by: int) -> bytes:
    """Return a frame whose length does not cover its end."""
    return frame[:4] + (len(frame) - 8 - by).to_bytes(4) + frame[8:-by]


INFO = CURRENT_DIALECT.encode(
    "StreamSegmentInfo",
    {
        "request_id": FIRST,
        "segment_name": "s",
        "exists": True,
        "is_sealed": False,
        "is_deleted": False,
        "last_modified": 0,
        "write_offset": 0,
    },
)
ACKNOWLEDGEMENT = CURRENT_DIALECT.encode("DataAppended", {"writer_id": WRITER, "event_number": 1})
SEALED = CURRENT_DIALECT.encode("SegmentSealed", {"request_id": FIRST, "segment": "s"})
STORES = {
    "a length too small": (HELLO, cut(INFO, 20), "is_deleted|bytes are missing"),
    "an unknown type": (HELLO, b"\0\0\x7f\0\0\0\0\0", "unknown type 32512"),
    "a Hello out of range": (
        CURRENT_DIALECT.encode("Hello", {"high_version": 99, "low_version": 90}),
        b"",
        "the versions 90 to 99",
    ),
    "no Hello": (INFO, b"", "StreamSegmentInfo from the store while OPENING"),
    "a second Hello": (HELLO, HELLO, "Hello from the store while OPEN"),
    "a reply to nothing": (
        HELLO,
        SEALED[:8] + b"\xff" * 8 + SEALED[16:],
        "is not a pending request",
    ),
    "a reply to something else": (HELLO, SEALED, "SegmentSealed as reply to"),
    "an acknowledgement for nobody": (HELLO, ACKNOWLEDGEMENT, "is not a writer of this connection"),
    "a frame over the limit": (HELLO, b"\0\0\0\x0c\1\0\0\0", "frame length"),
    "a request": (
        HELLO,
        CURRENT_DIALECT.encode(
            "ReadSegment",
            {"segment": "s", "offset": 0, "suggested_length": 1, "delegation_token": ""},
        ),
        "ReadSegment from the store",
    ),
    "an end within a frame": (HELLO, INFO[:-1], "closed|ended|lost"),
}


@pytest.mark.parametrize("wrong", STORES.values(), ids=STORES)
@in_time
async def test_a_store_that_breaks_a_rule_is_one_error_and_others_go_on(wrong):
    greeting, told, what = wrong
    options = SegmentStoreOptions(retry=NEVER)
    async with (
        store_double() as good,
        saying(told, greeting=greeting) as endpoint,
        AsyncSegmentStore(good.endpoint) as other,
        AsyncSegmentStore(endpoint, options) as client,
        other.appender("s") as appender,
    ):
        await appender.append(b"before")
        with pytest.raises((RemoteProtocolError, VersionMismatch, ConnectionLost), match=what):
            await client.get_segment_info("s")
        await appender.append(b"and after")
        assert (good.setups, good.stored["s"]) == (1, 2)


MISBEHAVING = {
    **OPENINGS,
    **{rule: (HELLO + SETUP + wrong, what) for rule, (wrong, what) in BROKEN.items()},
    "an end within a block": (HELLO + SETUP + block(), "torn=1"),
    "an end within a frame": (HELLO + SETUP + end_of(5, data=b"never")[:-1], "torn=[1-9]"),
}


@pytest.mark.parametrize("wrong", MISBEHAVING.items(), ids=MISBEHAVING)
@in_time
async def test_a_client_that_breaks_a_rule_is_left_with_one_error_and_others_go_on(wrong):
    rule, (said, what) = wrong
    async with (
        store_double() as store,
        AsyncSegmentStore(store.endpoint) as other,
        other.appender("other") as appender,
    ):
        await appender.append(b"before")
        reader, writer = await asyncio.open_connection(store.endpoint.host, store.endpoint.port)
        writer.write(said)
        if rule.startswith("an end"):
            writer.write_eof()
        await reader.read()  # until the peer leaves
        writer.close()
        [ended] = store.ended
        assert re.search(what, str(ended))
        await appender.append(b"and after")
        assert (store.stored["other"], store.stored["s"]) == (2, rule == "an event number again")


def early(name: str, **fields: Any) -> bytes:
    return EARLY.encode(name, fields)


PLACE = {"connection_id": WRITER, "connection_offset": 0}
READ = {"segment": "s", "offset": 0, "at_tail": True, "end_of_segment": False, "data": b"before"}
WHOLE = early("SegmentRead", **READ)
SERVERS = {
    "a length too small": (cut(WHOLE, len(WHOLE) - 12), "bytes are missing"),
    "flags that are none": (WHOLE.replace(b"\1before", b"\4before"), "flags|bits|at_tail"),
    "an unknown type": (b"\0\0\0\x63\0\0\0\0", "unknown type 99"),
    "a reply to nothing": (early("SegmentRead", **READ | {"segment": "t"}), "were not requested"),
    "bytes from elsewhere": (early("SegmentRead", **READ | {"offset": 1}), "at 1, not 0"),
    "a set-up of nobody": (
        early("AppendSetup", segment="s", connection_id=WRITER, connection_offset_ack_level=0),
        "was not to be set up",
    ),
    "an acknowledgement for nobody": (
        early("DataAppended", connection_id=WRITER, connection_offset_ack_level=1),
        "are acknowledged",
    ),
    "a message over the limit": (b"\0\0\0\3\1\0\0\0", "frame length"),
    "a piece of nothing": (early("PartialMessage", part="End", data=b""), "begins a message"),
    "a request": (early("ReadSegment", segment="s", offset=0, suggested_length=1), "the server"),
    "an end within a message": (WHOLE[:-1], "closed|ended|lost"),
}


@pytest.mark.parametrize("wrong", SERVERS.values(), ids=SERVERS)
@in_time
async def test_a_first_server_that_breaks_a_rule_is_one_error_and_others_go_on(wrong):
    told, what = wrong
    async with (
        EarlyServer() as good,
        saying(told) as endpoint,
        AsyncEarlyClient(Tcp("127.0.0.1", await good.start())) as other,
        AsyncEarlyClient(endpoint, EarlyOptions(retry=NEVER)) as client,
    ):
        appender = other.appender("s")
        await appender.append([b"before"])
        with pytest.raises((RemoteProtocolError, ConnectionLost), match=what):
            await client.read("s", 0)
        await appender.append([b"after"])
        assert (await other.read("s", 0)).data == b"beforeafter"


SETUP = early("SetupAppend", connection_id=WRITER, segment="t")
BEGIN = early("BeginAppendBlock", **PLACE, length=5)
EVENT = early("Event", data=b"never")
CLIENTS = {
    "a length too small": cut(SETUP, 1),
    "an unknown type": b"\0\0\0\x63\0\0\0\0",
    "a reply": WHOLE,
    "a message over the limit": b"\0\0\0\x08\1\0\0\0",
    "a block without set-up": BEGIN,
    "an event outside of a block": EVENT,
    "a block in a block": SETUP + BEGIN + BEGIN,
    "a block elsewhere": SETUP
    + early("BeginAppendBlock", **PLACE | {"connection_offset": 9}, length=5),
    "a block that is longer than it says": SETUP
    + BEGIN
    + EVENT
    + early("EndAppendBlock", **PLACE, block_length=4),
    "a piece of nothing": early("PartialMessage", part="Middle", data=b""),
    "a read of nothing": early("ReadSegment", segment="no", offset=0, suggested_length=1),
    "an end within a block": SETUP + BEGIN + EVENT,
    "an end within a message": SETUP[:-1],
}


@pytest.mark.parametrize("wrong", CLIENTS)
@in_time
async def test_a_first_client_that_breaks_a_rule_is_left_and_others_go_on(wrong):
    async with EarlyServer() as server:
        port = await server.start()
        async with AsyncEarlyClient(Tcp("127.0.0.1", port)) as client:
            appender = client.appender("s")
            await appender.append([b"before"])
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(CLIENTS[wrong])
            if wrong.startswith("an end"):
                writer.write_eof()
            await reader.read()  # until the peer leaves
            writer.close()
            await appender.append([b"after"])
            assert (await client.read("s", 0)).data == b"beforeafter"
            assert server.store.length("t") in (None, 0)
