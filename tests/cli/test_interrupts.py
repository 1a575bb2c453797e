"""Ctrl-C before, during and after the work of a command: no traceback, no incomplete cleanup."""

import signal
import subprocess
import sys

import pytest

from kit.command import TIMEOUT

LOADING = """
import signal, sys
import jvmwire.__main__
class Interrupted:
    def find_spec(self, name, path, target=None):
        if name == "jvmwire._cli":
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupted())
jvmwire.__main__.main()
"""
CLEANING_UP = """
import signal
from jvmwire._cli.termination import clean_termination
try:
    with clean_termination():
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)
            print("cleaned up", flush=True)
except KeyboardInterrupt:
    raise SystemExit(130)
"""
CLEANING_UP_HANGS = """
import signal
from jvmwire._cli import termination
termination.CLEANUP_TIME = 0.0
with termination.clean_termination():
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        try:
            signal.raise_signal(signal.SIGINT)
        except KeyboardInterrupt:
            print("interrupted again", flush=True)
"""
WRITING = """
import signal
from jvmwire._cli.termination import clean_termination, deferred_termination
with clean_termination():
    try:
        with deferred_termination():
            signal.raise_signal(signal.SIGTERM if {terminates} else signal.SIGINT)
            print("written", flush=True)
        print("not reached", flush=True)
    except KeyboardInterrupt:
        raise SystemExit(130)
"""
ENDING = """
import atexit, signal, sys
from jvmwire._cli import main
atexit.register(signal.raise_signal, signal.SIGINT)
sys.argv[1:] = ["--version"]
main()
"""
IN_BACKGROUND = """
import signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
from jvmwire.__main__ import main
sys.argv[1:] = ["--version"]
try:
    main()
finally:
    signal.raise_signal(signal.SIGINT)
"""


@pytest.mark.parametrize(
    ("program", "status", "said"),
    [
        (LOADING, -signal.SIGINT, ""),
        (CLEANING_UP, 130, "cleaned up\n"),
        (CLEANING_UP_HANGS, 0, "interrupted again\n"),
        (WRITING.format(terminates=False), 130, "written\n"),
        (WRITING.format(terminates=True), -signal.SIGTERM, "written\n"),
        (ENDING, -signal.SIGINT, "jvmwire, version "),
        (IN_BACKGROUND, 0, "jvmwire, version "),
    ],
    ids=[
        "loading",
        "cleaning up",
        "cleaning up hangs",
        "writing",
        "SIGTERM",
        "ending",
        "in background",
    ],
)
def test_ctrl_c_is_silent_at_any_moment(program: str, status: int, said: str) -> None:
    done = subprocess.run(
        ["env", "--default-signal=INT", sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert (done.returncode, done.stderr) == (status, "")
    assert done.stdout.startswith(said)
    assert "not reached" not in done.stdout


LOADED = """
import sys
before = set(sys.modules)
import jvmwire.__main__
print(*sorted(set(sys.modules) - before))
"""


def test_little_is_loaded_before_ctrl_c_is_silent() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LOADED], capture_output=True, text=True, timeout=TIMEOUT, check=True
    )
    expected = {"__future__", "jvmwire", "jvmwire.__main__", "jvmwire._lazy"}
    assert set(done.stdout.split()) <= expected
