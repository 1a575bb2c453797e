"""snakebite-py3 at one kind of work, as `Caller.java` is Java's client: PORT WORK THREADS USER.

It runs with the Python of a separate environment, so it imports nothing of jvmwire. `prepare` reads
paths from the file input, one per line; `run` does the work and prints its nanoseconds; `tell`
writes the result into the file output, one line each: for `stat` whether the path exists, for
`list` the paths of the entries.
"""

from __future__ import annotations

import gc
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from snakebite.client import Client


class Caller:
    """One client per thread: a client has one socket, and one call on it at a time."""

    def __init__(self, port: int, work: str, threads: int, user: str) -> None:
        self._clients = [Client("127.0.0.1", port, effective_user=user) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self._work = {"stat": self._stat, "list": self._list}[work]
        self._paths: list[str] = []
        self._result: list[str] = []

    def prepare(self) -> str:
        """Read the paths."""
        self._paths = Path("input").read_text("utf-8").splitlines()
        gc.collect()
        return "prepared"

    def run(self) -> str:
        """Do the work."""
        wall = time.perf_counter_ns()
        self._result = self._work()
        return str(time.perf_counter_ns() - wall)

    def tell(self) -> str:
        """Write the result."""
        Path("output").write_text("\n".join(self._result), "utf-8")
        self._result = []
        return "told"

    def _stat(self) -> list[str]:
        threads = len(self._clients)
        if threads == 1:
            return self._stat_share(0)
        found = [""] * len(self._paths)
        for first, share in enumerate(self._pool.map(self._stat_share, range(threads))):
            found[first::threads] = share
        return found

    def _stat_share(self, first: int) -> list[str]:
        client = self._clients[first]
        mine = self._paths[first :: len(self._clients)]
        return ["yes" if client.test(path, exists=True) else "no" for path in mine]

    def _list(self) -> list[str]:
        return [entry["path"] for entry in self._clients[0].ls(self._paths)]


def main() -> None:
    """Say READY, then answer each command on stdin with one line on stdout."""
    port, work, threads, user = sys.argv[1:]
    caller = Caller(int(port), work, int(threads), user)
    commands = {"prepare": caller.prepare, "run": caller.run, "tell": caller.tell}
    print("READY 0", flush=True)
    for line in sys.stdin:
        print(commands[line.strip()](), flush=True)


if __name__ == "__main__":
    main()
