"""Deadlines of asyncio connection attempts."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from jvmwire.transports._deadline import timeout_error


class AsyncDeadline:
    """A deadline `timeout` seconds from now on the event loop's clock."""

    def __init__(self, endpoint: object, timeout: float) -> None:
        self._endpoint = endpoint
        self._timeout = timeout
        self._end = asyncio.get_running_loop().time() + timeout

    @asynccontextmanager
    async def timeout(self, progress: Callable[[], str]) -> AsyncIterator[None]:
        """Raise `ConnectTimeout`, with the text `progress()`, if the body runs past the
        deadline."""
        try:
            async with asyncio.timeout_at(self._end):
                yield
        except TimeoutError as error:
            raise timeout_error(self._endpoint, progress(), self._timeout) from error
