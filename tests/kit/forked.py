"""Forked child of the test's own process, whose exit status is its result."""

import asyncio
import faulthandler
import os
import traceback
from collections.abc import Callable

from kit.polling import LATEST

STDERR = 2
"""The standard error that pytest captures from a child, unlike `sys.stderr`."""


def forked(act: Callable[[], bool]) -> int:
    """Fork a child that only runs `act`, whose result must be true; return the process id.

    The child always ends here: otherwise it would go on as a second run of the tests.
    """
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        faulthandler.dump_traceback_later(LATEST, exit=True, file=STDERR)
        status = 0 if act() else 1
    except BaseException:  # printed only: there is no caller in the child to catch it
        os.write(STDERR, traceback.format_exc().encode())
    finally:
        os._exit(status)


def went_well(child: int) -> bool:
    """Wait for the end of a child; return whether its act was true."""
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status) == 0


async def goes_well(child: int) -> bool:
    """Wait for a child while the event loop runs."""
    return await asyncio.to_thread(went_well, child)
