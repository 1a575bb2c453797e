"""Histories of concurrent calls: operations, times and outcomes, as input of the checkers.

From a history and the final state of a system, `log_checker`, `register_checker` and
`counter_checker` prove that no acknowledged operation was lost, no operation was applied twice, and
order was kept.

    history = History()
    with history.call("thread 1", Append("log", token)):
        client.append(token)

Threads and tasks may share a history.
"""

import math
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

from jvmwire.errors import ServerError

REFUSALS: tuple[type[BaseException], ...] = (ServerError,)
"""Errors after which a call has had no effect, and never will."""


class Violation(AssertionError):
    """A history that a correct system cannot produce, and the calls that show it."""


class Undecided(Exception):
    """The check ran out of budget: the history is too long, or too many of its calls overlap."""


class Operation(Protocol):
    """The intended effect of a call on one key."""

    @property
    def key(self) -> Hashable:
        """The key; operations on different keys are independent of each other."""


@dataclass(frozen=True, slots=True)
class Append:
    """Append a token, which no other call uses, to the end of a log or add it to a set."""

    key: Hashable
    token: Hashable


@dataclass(frozen=True, slots=True)
class Write:
    """Set a register."""

    key: Hashable
    value: Hashable


@dataclass(frozen=True, slots=True)
class Read:
    """Read a register or a counter: the value is the result of the call."""

    key: Hashable


@dataclass(frozen=True, slots=True)
class Swap:
    """Set a register if it has the value `old`; the result is whether it had that value."""

    key: Hashable
    old: Hashable
    new: Hashable


@dataclass(frozen=True, slots=True)
class Add:
    """Add to a counter; the result is the sum, or None if the system does not return it."""

    key: Hashable
    amount: int = 1


class Outcome(Enum):
    """The outcome of a call, as far as its caller can know."""

    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Call:
    """One call; its outcome is unknown until it has ended."""

    writer: Hashable
    operation: Any
    start: float
    end: float = math.inf
    outcome: Outcome = Outcome.UNKNOWN
    result: Any = None
    error: BaseException | None = None

    @property
    def key(self) -> Hashable:
        """The key of its operation."""
        key: Hashable = self.operation.key
        return key

    def before(self, other: "Call") -> bool:
        """Return whether this call had ended, with a known outcome, when the other call began."""
        return self.outcome is Outcome.DONE and self.end < other.start


class History:
    """Recorder of calls as they begin and end."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        *,
        refusals: tuple[type[BaseException], ...] = REFUSALS,
    ) -> None:
        self._clock = clock
        self._refusals = refusals
        self._lock = threading.Lock()
        self._calls: list[Call] = []

    @property
    def calls(self) -> list[Call]:
        """All calls so far, in the order in which they began."""
        with self._lock:
            return list(self._calls)

    @contextmanager
    def call(self, writer: Hashable, operation: Operation) -> Iterator[Call]:
        """Record the call that the block makes; the block sets `result`, and exceptions propagate.

        After an error that is not one of `REFUSALS`, the outcome is unknown; so it is after
        timeouts and cancellation.
        """
        with self._lock:  # so that the calls are in the order of their starts
            call = Call(writer, operation, self._clock())
            self._calls.append(call)
        try:
            yield call
        except BaseException as error:
            call.error = error
            if isinstance(error, self._refusals):
                call.outcome = Outcome.REFUSED
                call.end = self._clock()
            raise
        else:
            call.end = self._clock()
            call.outcome = Outcome.DONE


def by_key(calls: Iterable[Call]) -> dict[Hashable, list[Call]]:
    """Return the calls to each key, in the order of their starts."""
    keys: dict[Hashable, list[Call]] = {}
    for call in sorted(calls, key=lambda call: call.start):
        keys.setdefault(call.key, []).append(call)
    return keys


def told(calls: Iterable[Call]) -> str:
    """Return one line per call, in the order of their starts; times are in milliseconds."""
    ordered = sorted(calls, key=lambda call: (call.start, call.end))
    return "\n".join(f"  {_line(call, ordered[0].start)}" for call in ordered)


def _line(call: Call, since: float) -> str:
    start, end = (_milliseconds(time - since) for time in (call.start, call.end))
    what = call.outcome.value
    if call.outcome is Outcome.DONE and call.result is not None:
        what = f"-> {call.result!r}"
    elif call.error is not None:
        what += f" ({type(call.error).__name__})"
    return f"{start:>10} .. {end:<10} {call.writer!s:<12} {call.operation!r} {what}"


def _milliseconds(seconds: float) -> str:
    # A call that never ends, or that comes after all others, has no end time.
    return "" if not math.isfinite(seconds) else f"{seconds * 1000:.3f}"
