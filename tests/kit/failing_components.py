"""Components of a topology that fail, or cause failures."""

import logging
import os
import signal
import sys
import threading
import time
from typing import Any

from jvmwire.storm import Bolt, Context, Spout, Tuple


class Echo(Bolt):
    """Bolt that emits its input, and prints it."""

    def process(self, tup: Tuple) -> None:
        print(*tup.values)  # noqa: T201
        self.emit(tup.values)

    def close(self) -> None:
        self.log("closed")


class Quiet(Bolt):
    """Bolt that emits its input."""

    def process(self, tup: Tuple) -> None:
        self.emit(tup.values)


class Unmade(Bolt):
    """Component whose constructor fails."""

    def __init__(self) -> None:
        raise ArithmeticError("on purpose")

    def process(self, tup: Tuple) -> None: ...


class Unready(Bolt):
    """Component whose preparation fails."""

    def initialize(self, _conf: dict[str, Any], _context: Context) -> None:
        raise ArithmeticError("on purpose")

    def process(self, tup: Tuple) -> None: ...


class Killed(Echo):
    """Component that is killed while it works."""

    def process(self, _tup: Tuple) -> None:
        signal.raise_signal(signal.SIGTERM)


class Closes(Echo):
    """Component that closes both standard outputs."""

    def process(self, _tup: Tuple) -> None:
        sys.stdout.close()
        sys.stderr.close()


class Configures(Bolt):
    """Component that sets up logging as programs do."""

    def initialize(self, conf: dict[str, Any], _context: Context) -> None:
        logging.basicConfig(**conf["logging"])

    def process(self, _tup: Tuple) -> None:
        logging.getLogger("mine").debug("for debugging")


class Forks(Bolt):
    """Component that leaves a running child process."""

    def process(self, _tup: Tuple) -> None:
        if os.fork() == 0:
            for fd in (0, 1, 2):
                os.close(fd)
            time.sleep(30)
            os._exit(0)


class Stuck(Bolt):
    """Component that hangs until it is released."""

    hang_limit = 1.0
    go_on = threading.Event()

    def process(self, _tup: Tuple) -> None:
        assert self.go_on.wait(60)


class Threads(Bolt):
    """Component that emits from its own threads, all at once."""

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
    """Spout that never has a tuple, and sleeps for a long time."""

    def initialize(self, _conf: dict[str, Any], _context: Context) -> None:
        self._storm_pause = 600.0

    def next_tuple(self) -> None: ...


class Idle(Spout):
    """Spout that never has a tuple, and records each call of `next_tuple`."""

    def initialize(self, _conf: dict[str, Any], _context: Context) -> None:
        self.asked: list[float] = []

    def next_tuple(self) -> None:
        self.asked.append(time.monotonic())
