"""The commands `jvmwire ... serve`, run at free ports."""

import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from kit.command import TIMEOUT, command


@contextmanager
def serving(group: str, *options: str) -> Iterator[list[str]]:
    """Run the command of a group at free ports, and yield its addresses."""
    with subprocess.Popen(
        command(group, "serve", "--port", "0", *options), stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        line = process.stderr.readline()
        assert line.endswith("Ctrl-C ends\n")
        try:
            yield re.findall(r"127\.0\.0\.1:\d+", line)
        finally:
            process.send_signal(signal.SIGINT)
            assert process.wait(TIMEOUT) == 130
            assert process.stderr.read() == ""
