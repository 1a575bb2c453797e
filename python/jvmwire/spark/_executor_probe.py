"""Inspection of an executor, sent as source code since jvmwire may not be installed there.

For this reason each import is where it is used, and no part of jvmwire is needed.
"""

import importlib
import os
import platform
import time
from collections.abc import Iterable, Iterator

PAUSE = 0.5
"""Minimum seconds per task, so that no executor runs two tasks while another runs none."""

PACKAGES = ("pyarrow", "jvmwire")


def probe_executor(_: Iterable[int]) -> Iterator[dict[str, str]]:
    """Yield the installed versions and, as `wrong`, the reason why decoding fails."""
    time.sleep(PAUSE)
    found = {
        "host": platform.node(),
        "directory": os.getcwd(),  # noqa: PTH109 - an executor's own, and plain text
        "python": platform.python_version(),
    }
    try:
        for package in PACKAGES:
            found[package] = importlib.import_module(package).__version__
        decode = importlib.import_module("jvmwire.spark._check").decode_here
        names = decode()
        if names != ["ConnectionHeader"]:
            found["wrong"] = f"it decodes wrongly: {names}"
    except Exception as error:  # any exception is a result of the check
        found["wrong"] = f"{type(error).__name__}: {error}"
    yield found
