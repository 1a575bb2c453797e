"""The JVM as a rival, warm: tests/peers/codec/Rivals.java."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benches.harness import Measurement, PreparedRun
from kit.jvm import Program
from kit.peer import Peer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

JVM_TIMEOUT = 120.0


class Jvm(Peer):
    """One class in a separate JVM, so that no other code influences how it is compiled."""

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

    def work(self, wire: bytes, amount: float, result: Callable[[bytes], object]) -> PreparedRun:
        """Prepare the JVM for `wire`; the first time, warm it up.

        It measures itself: CPU is that of the working thread, without the collector's.
        """
        directory = self.program.directory
        (directory / "input").write_bytes(wire)
        self.ask("prepare", timeout=JVM_TIMEOUT)

        def run() -> Measurement:
            wall, cpu = self.ask("run", timeout=JVM_TIMEOUT).split()
            return Measurement(amount, int(wall) / 1e9, int(cpu) / 1e9)

        def told() -> object:
            self.ask("tell", timeout=JVM_TIMEOUT)
            return result((directory / "output").read_bytes())

        return PreparedRun(run, told)
