"""Server in its own process that records each payment in a file before it replies.

python -m kit.hadoop_bank PORT LEDGER [kill]
"""

import os
import signal
import sys
import time
from pathlib import Path

from jvmwire.hadoop.rpc._interface import Interface, method
from jvmwire.hadoop.rpc._writable import Int
from jvmwire.hadoop.server import RpcServer


class Bank(Interface, protocol="bank", version=1):
    """Protocol of payments that must not be executed twice."""

    @method(at_most_once=True)
    def pay(self, number: Int) -> Int:
        """Pay, and return the number of the payment."""
        raise NotImplementedError


class Ledger:
    """Service that pays by writing a line, which is on the disk before the reply is sent.

    With `kill`, the process ends between the effect and the reply of its first payment.
    """

    def __init__(self, path: Path, *, kill: bool) -> None:
        self._path, self._kill = path, kill

    def pay(self, number: int) -> int:
        """Write the number, and return it."""
        with self._path.open("a") as file:
            file.write(f"{number}\n")
            file.flush()
            os.fsync(file.fileno())
        if self._kill:
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(0.002 * (number % 3))
        return number


def main(port: str, path: str, *kill: str) -> None:
    """Serve until standard input ends."""
    with RpcServer() as server:
        server.add(Bank, Ledger(Path(path), kill=bool(kill)))
        print(server.start("127.0.0.1", int(port)), flush=True)  # noqa: T201 - who started it reads it
        sys.stdin.read()


if __name__ == "__main__":
    main(*sys.argv[1:])
