"""Server of the first protocol in a separate thread."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jvmwire.pravega.early import EarlyServer

DEADLINE = 60.0


@contextmanager
def serving(**options: Any) -> Iterator[tuple[EarlyServer, int]]:
    """Run a server in a separate thread."""
    loop, server = asyncio.new_event_loop(), EarlyServer(**options)
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        port = asyncio.run_coroutine_threadsafe(server.start(), loop).result(DEADLINE)
        yield server, port
    finally:
        asyncio.run_coroutine_threadsafe(server.close(), loop).result(DEADLINE)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
