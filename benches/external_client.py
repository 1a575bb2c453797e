"""Other clients of servers as rivals, warm, each in a separate process."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benches.harness import Measurement, PreparedRun
from kit.peer import Peer

if TYPE_CHECKING:
    from collections.abc import Callable

TIMEOUT = 120.0


class WarmClient(Peer):
    """Client that repeats one kind of work in a separate process, such as a `Caller.java`."""

    def work_on(
        self, given: bytes, amount: float, result: Callable[[list[str]], object]
    ) -> PreparedRun:
        """Prepare the client for `given`; the first time, warm it up.

        The client measures its wall time itself; CPU is that of all its threads. `result` converts
        its lines into the oracle's form.
        """
        directory = self.program.directory
        (directory / "input").write_bytes(given)
        self.ask("prepare", timeout=TIMEOUT)

        def run() -> Measurement:
            cpu = self._cpu_seconds()
            wall = self.ask("run", timeout=TIMEOUT)
            return Measurement(amount, int(wall) / 1e9, self._cpu_seconds() - cpu)

        def told() -> object:
            self.ask("tell", timeout=TIMEOUT)
            return result((directory / "output").read_text("utf-8").splitlines())

        return PreparedRun(run, told)

    def _cpu_seconds(self) -> float:
        # The process's own CPU clock ticks only a hundred times per second.
        told = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in told) / 1e9
