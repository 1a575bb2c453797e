"""jvmwire's Hadoop RPC server in a process: `python -m benches.rpc_server [--together]`.

It prints its port, and ends with its stdin. `--together` handles calls in batches as they arrived;
`--null` is a null server: it sends one reply per length of a call in received bytes, and parses
none.
"""

from __future__ import annotations

import asyncio
import sys

from benches.rpc_calls import CALL, OPENED, REPLY
from jvmwire.hadoop.server import AsyncRpcServer, CallBatch, batched
from kit.hadoop_echo import Ping


class _Pong:
    async def ping(self) -> str:
        return "pong"


class _Pongs:
    @batched
    async def ping(self, batch: CallBatch) -> list[str]:
        return ["pong"] * len(batch)


class _Counted(asyncio.Protocol):
    """Protocol that sends one reply per received call, counted by length."""

    def __init__(self) -> None:
        self._heard = -len(OPENED)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._heard += len(data)
        if self._heard >= len(CALL):
            calls, self._heard = divmod(self._heard, len(CALL))
            self._transport.write(REPLY * calls)


async def main(how: str) -> None:
    """Serve the seed's protocol until stdin ends."""
    loop = asyncio.get_running_loop()
    if how == "--null":
        listening = await loop.create_server(_Counted, "127.0.0.1", 0)
        print(listening.sockets[0].getsockname()[1], flush=True)
        await loop.run_in_executor(None, sys.stdin.read)
        return
    server = AsyncRpcServer()
    server.add(Ping, _Pongs() if how == "--together" else _Pong())
    print(await server.start(), flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    await server.stop()


if __name__ == "__main__":
    asyncio.run(main("".join(sys.argv[1:])))
