"""The command `jvmwire`, run as users run it."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from .rows import Row, parsed

PROGRAM = str(Path(sys.executable).parent / "jvmwire")
TIMEOUT = 60.0


@dataclass(frozen=True, slots=True)
class Done:
    """What a run printed."""

    stdout: bytes
    stderr: str

    @property
    def rows(self) -> list[Row]:
        """The JSON lines."""
        return [parsed(line) for line in self.stdout.splitlines()]


def jvmwire(*arguments: str | Path, status: int = 0, stdin: bytes = b"") -> Done:
    """Run the command; refuse another exit status, and a traceback wherever it is."""
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


def command(*arguments: str | Path) -> Sequence[str]:
    """Return the command line."""
    return [PROGRAM, *map(str, arguments)]
