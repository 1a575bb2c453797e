"""Work that another library does for a client, in its own threads."""

import asyncio
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import pytest

from jvmwire._runtime.client import AsyncClient, SyncClient, operation
from jvmwire._runtime.operations import Operation, RunExternal
from jvmwire.errors import CallTimeout
from jvmwire.options import ClientOptions
from kit.client_flavours import STYLES, in_every_style


class _Operations:
    @operation
    def ask(self, begin: Any) -> Operation[Any]:
        """Start work, and return its result."""
        return (yield RunExternal(begin))


class Asker(_Operations, SyncClient):
    """Client whose calls block."""


class AsyncAsker(_Operations, AsyncClient):
    """Client whose calls are awaited."""


@pytest.fixture(params=STYLES, ids=lambda style: style.name)
def style(request):
    return request.param


@in_every_style
async def test_who_asks_is_given_the_result_or_thrown_the_error(style):
    with ThreadPoolExecutor(4) as pool:
        async with style.connect(Asker, AsyncAsker, ClientOptions()) as client:
            assert await client.ask(lambda: pool.submit(int, "7")) == 7
            with pytest.raises(ValueError, match="invalid literal"):
                await client.ask(lambda: pool.submit(int, "seven"))
            asked = [client.ask(lambda n=n: pool.submit(int, n)) for n in range(200)]
            assert await asyncio.gather(*asked) == list(range(200))


@in_every_style
async def test_what_is_done_at_once_or_cannot_begin_is_told_too(style):
    done: Future[int] = Future()
    done.set_result(3)

    def stop_accepting() -> Future[int]:
        raise OSError("closed")

    async with style.connect(Asker, AsyncAsker, ClientOptions()) as client:
        assert await client.ask(lambda: done) == 3
        with pytest.raises(OSError, match="closed"):
            await client.ask(stop_accepting)


@in_every_style
async def test_what_takes_too_long_is_given_up(style):
    never: Future[int] = Future()
    async with style.connect(Asker, AsyncAsker, ClientOptions(timeout=0.05)) as client:
        with pytest.raises(CallTimeout):
            await client.ask(lambda: never)
    assert never.cancelled()


def test_it_is_begun_once_and_asked_from_many_threads():
    begun: list[int] = []
    with Asker(ClientOptions()) as client, ThreadPoolExecutor(8) as pool:

        def begin(number: int) -> Future[int]:
            begun.append(number)
            future: Future[int] = Future()
            threading.Timer(0.001, future.set_result, [number]).start()
            return future

        asked = [pool.submit(client.ask, lambda n=n: begin(n)) for n in range(100)]
        assert [each.result() for each in asked] == list(range(100))
    assert sorted(begun) == list(range(100))
