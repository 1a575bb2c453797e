"""The JVM as a rival, warm: tests/peers/codec/Rivals.java, and Java's clients of servers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benches.duel import Round, Work
from kit.jvm import Program
from kit.peer import Peer

if TYPE_CHECKING:
    from collections.abc import Callable

JVM_TIMEOUT = 120.0


class Jvm(Peer):
    """A class of the JVM's at work, in a JVM of its own: nothing else shapes how it is compiled."""

    def __init__(self, rival: str, directory: Path) -> None:
        super().__init__(
            Program(
                module="codec",
                main="jvmwire.peers.codec.Rivals",
                arguments=[rival],
                directory=directory / rival,
                heap="2g",
            )
        )

    def work(self, wire: bytes, amount: float, result: Callable[[bytes], object]) -> Work:
        """Have it get ready for `wire`; the first time, warm up.

        It measures itself: CPU is that of the thread that works, not of the collector's.
        """
        directory = self.program.directory
        (directory / "input").write_bytes(wire)
        self.ask("prepare", timeout=JVM_TIMEOUT)

        def run() -> Round:
            wall, cpu = self.ask("run", timeout=JVM_TIMEOUT).split()
            return Round(amount, int(wall) / 1e9, int(cpu) / 1e9)

        def told() -> object:
            self.ask("tell", timeout=JVM_TIMEOUT)
            return result((directory / "output").read_bytes())

        return Work(run, told)


class WarmClient(Peer):
    """Java's client at one work, in a JVM of its own: a `Caller.java`."""

    def work_on(self, given: bytes, amount: float, result: Callable[[list[str]], object]) -> Work:
        """Have it get ready for `given`; the first time, warm up.

        It measures its wall time itself; CPU is that of all its threads. `result` makes of its
        lines what the oracle has.
        """
        directory = self.program.directory
        (directory / "input").write_bytes(given)
        self.ask("prepare", timeout=JVM_TIMEOUT)

        def run() -> Round:
            cpu = self._cpu_seconds()
            wall = self.ask("run", timeout=JVM_TIMEOUT)
            return Round(amount, int(wall) / 1e9, self._cpu_seconds() - cpu)

        def told() -> object:
            self.ask("tell", timeout=JVM_TIMEOUT)
            return result((directory / "output").read_text("utf-8").splitlines())

        return Work(run, told)

    def _cpu_seconds(self) -> float:
        # The JVM's own clock of it ticks a hundred times a second.
        told = Path(f"/proc/{self.pid}/task").glob("*/schedstat")
        return sum(int(one.read_text().split()[0]) for one in told) / 1e9
