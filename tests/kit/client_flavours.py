"""One test for every way to call a client: from threads, asyncio, and asyncio on uvloop."""

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import Any

import uvloop

from kit.scale import times

THREADS = 256
"""Maximum number of calls of a sync client that a test has in flight."""
LONGEST = times(200)
"""Maximum seconds of a test: less than the timeout of pytest, which ends the whole run."""


class Awaited:
    """A sync client whose calls are awaited, each in its own thread."""

    def __init__(self, client: Any, pool: ThreadPoolExecutor) -> None:
        self.client = client
        self._pool = pool

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self.client, name)

        async def call(*args: Any, **kwargs: Any) -> Any:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, lambda: method(*args, **kwargs))

        return call

    def within(self, seconds: float | None) -> "Awaited":
        return Awaited(self.client.within(seconds), self._pool)

    def do_as(self, user: str) -> "Awaited":
        return Awaited(self.client.do_as(user), self._pool)

    async def each(self, iterator: Any) -> AsyncIterator[Any]:
        """Yield each item of an iterator of the client."""
        loop, end = asyncio.get_running_loop(), object()
        values = iter(await iterator)
        while (value := await loop.run_in_executor(self._pool, next, values, end)) is not end:
            yield value


class Style:
    """A way to call a client; `run` runs a test's coroutine."""

    def __init__(self, name: str) -> None:
        self.name = name

    def run(self, test: Coroutine[Any, Any, None]) -> None:
        """Run a test to its end; an endless wait becomes an error that names the wait."""

        async def in_time() -> None:
            async with asyncio.timeout(LONGEST):
                await test

        loop = uvloop.new_event_loop if self.name == "uvloop" else asyncio.new_event_loop
        with asyncio.Runner(loop_factory=loop) as runner:
            runner.run(in_time())

    @asynccontextmanager
    async def connect(
        self, sync: type[Any], asynchronous: type[Any], *args: Any, **options: Any
    ) -> AsyncIterator[Any]:
        """Return a client of this style whose calls are awaited."""
        if self.name != "sync":
            async with asynchronous(*args, **options) as client:
                yield client
            return
        with ThreadPoolExecutor(THREADS) as pool:
            client = sync(*args, **options)
            try:
                yield Awaited(client, pool)
            finally:
                await asyncio.get_running_loop().run_in_executor(pool, client.close)

    def each(self, client: Any, iterator: Any) -> AsyncIterator[Any]:
        """Yield each item of an iterator of `client`."""
        found: AsyncIterator[Any] = client.each(iterator) if self.name == "sync" else iterator
        return found


STYLES = [Style("sync"), Style("asyncio")]
"""The ways that differ in jvmwire's own code."""
LOOPS = [*STYLES, Style("uvloop")]
"""The same with a second event loop, for tests of drivers: no other part knows the loop."""


def in_every_style(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Make pytest run a coroutine function that has a fixture `style`."""

    @functools.wraps(test)
    def run(style: Style, **fixtures: Any) -> None:
        style.run(test(style, **fixtures))

    return run
