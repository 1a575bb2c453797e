"""Programs in other processes, with their start, readiness, commands and end.

A peer prints `READY <words>`, answers each line on stdin with one on stdout, and ends with its
stdin. A program just runs. All output of either is in its log file.
"""

import os
import queue
import subprocess
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

READY_TIMEOUT = 90.0
ASK_TIMEOUT = 30.0
# A NameNode takes about two seconds for an orderly end.
END_TIMEOUT = 20.0
TAIL_LINES = 40


class PeerError(RuntimeError):
    """A peer that cannot be built, or does not start, answer or end as it should."""


@dataclass(frozen=True, kw_only=True)
class Executable(ABC):
    """Program in any language, and the directory where it runs."""

    arguments: Sequence[str] = ()
    # The directory of its work, temporary files and log; created if missing.
    directory: Path
    environment: Mapping[str, str] = field(default_factory=dict)
    # The prefix of the command, and the file descriptors that this prefix needs.
    launcher: Sequence[str] = ()
    inherited: Sequence[int] = ()

    @property
    @abstractmethod
    def name(self) -> str:
        """Name of the program in errors and of its log."""

    @abstractmethod
    def command(self) -> list[str]:
        """Prepare the program, and return its command line."""

    @property
    def log(self) -> Path:
        """The file that receives all its output."""
        return self.directory / f"{self.name}.log"

    def tail(self) -> str:
        """Return the last lines of the log."""
        lines = self.log.read_text("utf-8", "replace").splitlines() if self.log.exists() else []
        return "\n".join(lines[-TAIL_LINES:])

    def error(self, what: str) -> PeerError:
        """Return an error that describes the failure and names the log."""
        return PeerError(f"{self.name} {what}; its log {self.log} ends:\n{self.tail()}")

    def start(self) -> subprocess.Popen[str]:
        """Start the program with pipes for stdin and stdout; stderr goes to the log."""
        self.directory.mkdir(parents=True, exist_ok=True)
        command = [*self.launcher, *self.command()]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                encoding="utf-8",
                cwd=self.directory,
                env=os.environ | self.environment,
                pass_fds=self.inherited,
            )

    def run(self, timeout: float) -> str:
        """Run the program to its end and return its output."""
        with self.start() as process:
            try:
                output, _ = process.communicate(timeout=timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                raise self.error(f"did not end in {timeout:g} s") from None
        with self.log.open("a", encoding="utf-8") as log:
            log.write(output)
        if process.returncode:
            raise self.error(f"ended with status {process.returncode}")
        return output


class Peer:
    """Program that serves until it is closed; a context manager."""

    def __init__(self, program: Executable) -> None:
        self.program = program
        self.ready: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()

    def __enter__(self) -> Self:
        self._process = self.program.start()
        self._drain = threading.Thread(target=self._read, name=f"{self.program.name} stdout")
        self._drain.start()
        try:
            self.ready = self._answer("READY ", READY_TIMEOUT).split()[1:]
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def pid(self) -> int:
        """Process id of the peer."""
        return self._process.pid

    @property
    def port(self) -> int:
        """Port on which the peer serves."""
        return int(self.ready[0])

    @property
    def facts(self) -> dict[str, str]:
        """The `key=value` words of its READY line."""
        return dict(word.split("=", 1) for word in self.ready if "=" in word)

    def ask(self, command: str, *, start: str = "", timeout: float = ASK_TIMEOUT) -> str:
        """Send a line to its stdin; return its reply, the first line that begins with `start`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{command}\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self.program.error(f"does not take {command!r}") from error
        return self._answer(start, timeout)

    def close(self) -> None:
        """End it by closing its stdin, or else by its pid; may be called twice."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it may have ended already
            self._process.stdin.close()
        for harder in (self._process.terminate, self._process.kill):
            try:
                self._process.wait(END_TIMEOUT)
                break
            except subprocess.TimeoutExpired:
                harder()
        self._process.wait()
        self._drain.join()

    def _answer(self, start: str, timeout: float) -> str:
        # Libraries print too: lines that do not start as expected are theirs.
        deadline = time.monotonic() + timeout
        while True:
            try:
                line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                raise self.program.error(f"gave no {start}answer in {timeout:g} s") from None
            if line is None:
                raise self.program.error(f"ended with status {self._process.wait()}")
            if line.startswith(start):
                return line

    def _read(self) -> None:
        assert self._process.stdout is not None
        with self._process.stdout as stdout, self.program.log.open("a", encoding="utf-8") as log:
            for line in stdout:
                log.write(line)
                log.flush()
                self._lines.put(line.rstrip("\n"))
        self._lines.put(None)
