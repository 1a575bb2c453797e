"""What was asked of a system, when, and what came of it: evidence for the checks beside it.

`log_checker`, `register_checker` and `counter_checker` prove from it, and from what the system
holds in the end, that nothing acknowledged was lost, nothing was done twice, and order was kept.

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
"""Errors after which a call has done nothing, and never will."""


class Violation(AssertionError):
    """What a correct system would not have done, and the calls that show it."""


class Undecided(Exception):
    """There was no time to find out: the history is too long, or too much of it overlaps."""


class Operation(Protocol):
    """What a call was to do, to one key."""

    @property
    def key(self) -> Hashable:
        """What is independent of all other keys."""


@dataclass(frozen=True, slots=True)
class Append:
    """Put a token, which no other call puts anywhere, at the end of a log or into a set."""

    key: Hashable
    token: Hashable


@dataclass(frozen=True, slots=True)
class Write:
    """Set a register."""

    key: Hashable
    value: Hashable


@dataclass(frozen=True, slots=True)
class Read:
    """Ask for the value of a register or a counter: the result of the call."""

    key: Hashable


@dataclass(frozen=True, slots=True)
class Swap:
    """Set a register if it has the value `old`; the result is whether it had."""

    key: Hashable
    old: Hashable
    new: Hashable


@dataclass(frozen=True, slots=True)
class Add:
    """Add to a counter; the result is the sum, or None if the system does not tell."""

    key: Hashable
    amount: int = 1


class Outcome(Enum):
    """What the caller knows."""

    DONE = "done"
    REFUSED = "refused"
    UNKNOWN = "unknown"


@dataclass(slots=True)
class Call:
    """One call; until it has ended, its outcome is unknown."""

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
        """Whether it was over, and its caller knew that it was done, when the other one began."""
        return self.outcome is Outcome.DONE and self.end < other.start


class History:
    """Notes calls as they begin and end."""

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
        """Note the call that the block makes; the block sets `result`, and what it raises passes.

        An error that is no refusal leaves the outcome unknown: so do timeouts and cancellation.
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
    """Return a line for each call, in the order of their starts; times are milliseconds."""
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
    # What never ends, or comes after all else, has no time.
    return "" if not math.isfinite(seconds) else f"{seconds * 1000:.3f}"
