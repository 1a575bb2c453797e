"""Client that calls a hostile server repeatedly, and prints the memory that it took.

python -m kit.memory_probe_client ENGINE sync|asyncio PORT CALLS
"""

import asyncio
import gc
import sys
from contextlib import suppress

from jvmwire.errors import JvmWireError
from jvmwire.hadoop import AsyncNameNode, HadoopOptions, NameNode
from jvmwire.hadoop.rpc._proxy import connect, connect_async
from jvmwire.options import NEVER
from jvmwire.transports import Tcp
from kit.hadoop_echo import Ping
from kit.memory_peaks import peak_of_this

OPTIONS = HadoopOptions(user="alice", retry=NEVER)


def call(engine: str, endpoint: Tcp) -> None:
    """Call once."""
    if engine == "listing":
        with NameNode(endpoint, OPTIONS) as namenode:
            for _ in namenode.get_listing("/a"):
                pass
    elif engine == "protobuf":
        with NameNode(endpoint, OPTIONS) as namenode:
            namenode.get_file_info("/a")
    else:
        with connect(Ping, endpoint, OPTIONS) as client:
            client.ping()


async def call_async(engine: str, endpoint: Tcp) -> None:
    """Call once in a loop."""
    if engine == "listing":
        async with AsyncNameNode(endpoint, OPTIONS) as namenode:
            async for _ in namenode.get_listing("/a"):
                pass
    elif engine == "protobuf":
        async with AsyncNameNode(endpoint, OPTIONS) as namenode:
            await namenode.get_file_info("/a")
    else:
        async with await connect_async(Ping, endpoint, OPTIONS) as client:
            await client.ping()


def main(engine: str, style: str, port: str, calls: str) -> None:
    """Call so often, and ignore the results."""
    endpoint = Tcp("127.0.0.1", int(port))
    for _ in range(int(calls)):
        with suppress(JvmWireError):
            if style == "sync":
                call(engine, endpoint)
            else:
                asyncio.run(call_async(engine, endpoint))
        gc.collect()  # a client is a reference cycle: its memory would count for the next one
    print(peak_of_this() >> 20)  # noqa: T201 - who started it reads it


if __name__ == "__main__":
    main(*sys.argv[1:])
