"""A client that calls a hostile server again and again, and prints the memory that it took.

python -m kit.hadoop_victim ENGINE PORT CALLS
"""

import re
import sys
from contextlib import suppress
from pathlib import Path

from jvmwire.errors import JvmWireError
from jvmwire.hadoop import HadoopOptions, NameNode
from jvmwire.hadoop.proxy import connect
from jvmwire.retry import NEVER
from jvmwire.transports import Tcp

from .hadoop_echo import Ping


def main(engine: str, port: str, calls: str) -> None:
    """Call so often, whatever comes of it."""
    endpoint, options = Tcp("127.0.0.1", int(port)), HadoopOptions(user="alice", retry=NEVER)
    for _ in range(int(calls)):
        with suppress(JvmWireError):
            if engine == "protobuf":
                with NameNode(endpoint, options) as namenode:
                    namenode.get_file_info("/a")
            else:
                with connect(Ping, endpoint, options) as client:
                    client.ping()
    # Of this program alone: what getrusage says begins with the parent's.
    [peak] = re.findall(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())
    print(int(peak) // 1024)  # noqa: T201 - who started it reads it


if __name__ == "__main__":
    main(*sys.argv[1:])
