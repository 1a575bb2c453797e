"""Our server of Hadoop RPC, in a process of its own: `python -m benches.rpc_server`.

It prints its port, and ends with its stdin.
"""

from __future__ import annotations

import asyncio
import sys

from jvmwire.hadoop.server import AsyncRpcServer
from kit.hadoop_echo import Ping


class _Pong:
    async def ping(self) -> str:
        return "pong"


async def main() -> None:
    """Serve the seed's protocol until stdin ends."""
    server = AsyncRpcServer()
    server.add(Ping, _Pong())
    print(await server.start(), flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    await server.stop()


if __name__ == "__main__":
    asyncio.run(main())
