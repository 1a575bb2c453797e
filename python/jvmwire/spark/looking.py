"""What an executor has: sent to it as source, because it may have nothing of ours.

So it imports what it needs where it needs it, and nothing here leans on jvmwire.
"""

import importlib
import os
import platform
import time
from collections.abc import Iterable, Iterator

PAUSE = 0.5
"""Seconds that a task takes at least, so that none stays without one while others have two."""

PACKAGES = ("pyarrow", "jvmwire")


def look(_: Iterable[int]) -> Iterator[dict[str, str]]:
    """Yield which versions are here and, as `wrong`, what keeps them from decoding."""
    time.sleep(PAUSE)
    found = {
        "host": platform.node(),
        "directory": os.getcwd(),  # noqa: PTH109 - an executor's own, and plain text
        "python": platform.python_version(),
    }
    try:
        for package in PACKAGES:
            found[package] = importlib.import_module(package).__version__
        decode = importlib.import_module("jvmwire.spark.check").decode_here
        names = decode()
        if names != ["ConnectionHeader"]:
            found["wrong"] = f"it decodes wrongly: {names}"
    except Exception as error:  # whatever it is, it is what is asked for
        found["wrong"] = f"{type(error).__name__}: {error}"
    yield found
