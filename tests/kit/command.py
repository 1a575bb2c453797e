"""The command `jvmwire`, run as users run it."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
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
    with tempfile.TemporaryFile() as stdout:
        drawn = _drawn(*arguments, stdout=stdout.fileno(), timeout=timeout)
        stdout.seek(0)
        return Done(stdout.read(), drawn.decode())


def shown(
    *arguments: str | Path, columns: int = 100, stdin: bytes = b"", zone: str = "UTC"
) -> Done:
    """Run the command with a terminal as its standard output: `stdout` is what is shown there."""
    with tempfile.TemporaryFile() as stderr, tempfile.TemporaryFile() as given:
        given.write(stdin)
        given.seek(0)
        drawn = _drawn(
            *arguments,
            stdin=given.fileno(),
            stderr=stderr.fileno(),
            columns=columns,
            more={"TZ": zone, "PYTHONIOENCODING": "utf-8"},
        )
        stderr.seek(0)
        return Done(drawn.replace(b"\r\n", b"\n"), stderr.read().decode())


def _drawn(
    *arguments: str | Path,
    timeout: float = TIMEOUT,
    columns: int = 100,
    more: Mapping[str, str] | None = None,
    **files: int,
) -> bytes:
    """Run the command with a terminal as those of its files that are not given."""
    terminal, end = os.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), **(more or {})}
    drawn = b""
    with os.fdopen(terminal, "rb", buffering=0) as screen:
        with os.fdopen(end, "wb", buffering=0) as other:
            process = subprocess.Popen(
                command(*arguments),
                stdin=files.get("stdin"),
                stdout=files.get("stdout", other.fileno()),
                stderr=files.get("stderr", other.fileno()),
                env=environment,
            )
        patience = threading.Timer(timeout, process.kill)
        patience.start()
        # Linux returns EIO when no process holds the other end any more.
        with suppress(OSError):
            while piece := screen.read(1 << 16):
                drawn += piece
        status = process.wait()
        patience.cancel()
    if status != 0:
        raise AssertionError(f"{arguments} ended with status {status}: {drawn.decode()}")
    return drawn


def command(*arguments: str | Path) -> Sequence[str]:
    """Return the command line."""
    return [PROGRAM, *map(str, arguments)]
