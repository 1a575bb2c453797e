"""Client in its own process whose server sends far too much; prints the memory that it took.

python -m kit.flooding_peer PORT sync|asyncio pushes|frame
"""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from jvmwire.errors import RemoteProtocolError
from jvmwire.transports import Tcp
from kit.echo_client import AsyncEchoClient, EchoClient
from kit.memory_peaks import peak_of_this

CAPACITY = 100


@contextmanager
def told(case: str) -> Iterator[None]:
    """Expect the reply behind the pushes, and an error that blames the peer for the rest."""
    blamed = False
    try:
        yield
    except RemoteProtocolError:
        blamed = True
    if blamed == (case == "pushes"):
        raise SystemExit(f"blamed: {blamed}")


def call(endpoint: Tcp, case: str) -> None:
    """Listen with a slow callback, or await a reply that has no end."""
    free = threading.Event()
    with EchoClient(endpoint) as client:
        if case == "pushes":
            client.listen(7, 1, lambda _: free.wait(), CAPACITY)
        with told(case):
            client.echo(b"")
        free.set()


async def call_async(endpoint: Tcp, case: str) -> None:
    """Do the same in an event loop."""
    free = asyncio.Event()

    async def wait(_: Any) -> None:
        await free.wait()

    async with AsyncEchoClient(endpoint) as client:
        if case == "pushes":
            await client.listen(7, 1, wait, CAPACITY)
        with told(case):
            await client.echo(b"")
        free.set()


def main(port: int, style: str, case: str) -> None:
    """Run one case."""
    endpoint = Tcp("127.0.0.1", port)
    if style == "sync":
        call(endpoint, case)
    else:
        asyncio.run(call_async(endpoint, case))
    print(peak_of_this() >> 20)  # noqa: T201 - who started it reads it


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3])
