"""Components that get into trouble, or make some."""

import logging
import os
import signal
import sys
import threading
import time
from typing import Any

from jvmwire.storm import Bolt, Context, Spout, Tuple


class Echo(Bolt):
    """Emits what it gets, and prints it."""

    def process(self, tup: Tuple) -> None:
        print(*tup.values)  # noqa: T201
        self.emit(tup.values)

    def close(self) -> None:
        self.log("closed")


class Quiet(Bolt):
    """Emits what it gets."""

    def process(self, tup: Tuple) -> None:
        self.emit(tup.values)


class Unmade(Bolt):
    """Cannot be made."""

    def __init__(self) -> None:
        raise ArithmeticError("on purpose")

    def process(self, tup: Tuple) -> None: ...


class Unready(Bolt):
    """Does not get ready."""

    def initialize(self, _conf: dict[str, Any], _context: Context) -> None:
        raise ArithmeticError("on purpose")

    def process(self, tup: Tuple) -> None: ...


class Killed(Echo):
    """Is told to end while it works."""

    def process(self, _tup: Tuple) -> None:
        signal.raise_signal(signal.SIGTERM)


class Closes(Echo):
    """Closes both standard outputs."""

    def process(self, _tup: Tuple) -> None:
        sys.stdout.close()
        sys.stderr.close()


class Configures(Bolt):
    """Sets up logging as programs do."""

    def initialize(self, conf: dict[str, Any], _context: Context) -> None:
        logging.basicConfig(**conf["logging"])

    def process(self, _tup: Tuple) -> None:
        logging.getLogger("mine").debug("for debugging")


class Forks(Bolt):
    """Leaves a child that lives on."""

    def process(self, _tup: Tuple) -> None:
        if os.fork() == 0:
            for fd in (0, 1, 2):
                os.close(fd)
            time.sleep(30)
            os._exit(0)


class Stuck(Bolt):
    """Hangs until it is told to go on."""

    hang_limit = 1.0
    go_on = threading.Event()

    def process(self, _tup: Tuple) -> None:
        assert self.go_on.wait(60)


class Threads(Bolt):
    """Emits from threads of its own, all at once."""

    outputs = ("thread", "number")

    def process(self, tup: Tuple) -> None:
        start = threading.Barrier(THREADS)

        def emit(thread: int) -> None:
            start.wait()
            for number in range(EMITS):
                self.emit([thread, number], anchors=[tup])
                if number % 50 == 0:
                    self.log(f"{thread} {number}")

        threads = [threading.Thread(target=emit, args=(number,)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


THREADS = 8
EMITS = 400


class Resting(Spout):
    """Never has anything, and rests for long."""

    def initialize(self, _conf: dict[str, Any], _context: Context) -> None:
        self._storm_pause = 600.0

    def next_tuple(self) -> None: ...


class Idle(Spout):
    """Never has anything; notes when it is asked."""

    def initialize(self, _conf: dict[str, Any], _context: Context) -> None:
        self.asked: list[float] = []

    def next_tuple(self) -> None:
        self.asked.append(time.monotonic())
