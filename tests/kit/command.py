"""The command `jvmwire`, run as users run it."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .rows import Row, parsed

PROGRAM = str(Path(sys.executable).parent / "jvmwire")
TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    """The output of a run."""

    stdout: bytes
    stderr: str

    @property
    def rows(self) -> list[Row]:
        """Return the JSON lines of standard output."""
        return [parsed(line) for line in self.stdout.splitlines()]


def jvmwire(*arguments: str | Path, status: int = 0, stdin: bytes = b"") -> Done:
    """Run the command; fail on an unexpected exit status and on any traceback."""
    done = subprocess.run(
        command(*arguments), input=stdin, capture_output=True, timeout=TIMEOUT, check=False
    )
    stderr = done.stderr.decode()
    if done.returncode != status or "Traceback" in stderr:
        raise AssertionError(f"{arguments} ended with status {done.returncode}: {stderr}")
    return Done(done.stdout, stderr)


def decode(*arguments: str | Path, status: int = 0, stdin: bytes = b"") -> Done:
    """Run `jvmwire decode`."""
    return jvmwire("decode", *arguments, status=status, stdin=stdin)


def watched(*arguments: str | Path, timeout: float = TIMEOUT) -> Done:
    """Run the command with a terminal as its standard error: `stderr` is the text drawn there."""
    terminal, end = os.openpty()
    size = {"TERM": "xterm", "COLUMNS": "100"}
    drawn = b""
    with tempfile.TemporaryFile() as stdout, os.fdopen(terminal, "rb", buffering=0) as screen:
        with os.fdopen(end, "wb", buffering=0) as stderr:
            process = subprocess.Popen(
                command(*arguments), stdout=stdout, stderr=stderr, env={**os.environ, **size}
            )
        patience = threading.Timer(timeout, process.kill)
        patience.start()
        # Linux returns EIO when no process holds the other end any more.
        with suppress(OSError):
            while piece := screen.read(1 << 16):
                drawn += piece
        status = process.wait()
        patience.cancel()
        stdout.seek(0)
        done = Done(stdout.read(), drawn.decode())
    if status != 0:
        raise AssertionError(f"{arguments} ended with status {status}: {done.stderr}")
    return done


def command(*arguments: str | Path) -> Sequence[str]:
    """Return the command line."""
    return [PROGRAM, *map(str, arguments)]
