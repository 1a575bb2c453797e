"""Measurement of the memory that Python code takes, in a separate process."""

import subprocess
import sys
import textwrap

_MEASURED = """
import resource

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

import jvmwire
before = peak()
{code}
print(peak() - before)
"""


def in_a_process_of_its_own(code: str, setup: str = "", timeout: float = 100.0) -> int:
    """Return the growth of peak memory in bytes while `code` ran, after `setup`."""
    program = textwrap.dedent(setup) + _MEASURED.format(code=textwrap.dedent(code))
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    if done.returncode:
        raise AssertionError(done.stderr)
    return int(done.stdout.splitlines()[-1])
