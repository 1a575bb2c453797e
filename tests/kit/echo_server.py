"""Launcher of build/echo, the server of the echo session, in its own process."""

import subprocess
from types import TracebackType
from typing import Self

from .environment import ROOT

PROGRAM = ROOT / "build" / "echo"


class EchoServer:
    """Server on a port of 127.0.0.1 that ends with the block, or with this process."""

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            [PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.port = int(self._process.stdout.readline())
        """The port that the server listens on."""
        return self

    @property
    def address(self) -> tuple[str, int]:
        """Host and port of the server."""
        return ("127.0.0.1", self.port)

    @property
    def pid(self) -> int:
        """Process id of the server."""
        return self._process.pid

    def kill(self) -> None:
        """Kill the server at once: the kernel closes its connections."""
        self._process.kill()
        self._process.wait()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._process.communicate()  # closes its input, and waits
