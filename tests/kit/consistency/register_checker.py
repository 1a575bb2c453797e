"""Checker of registers: proves that the results of calls fit an order that their times allow.

The search is the one of Wing and Gong, with Lowe's cache of tried states: from the calls that may
come next (those that began before any other one ended) take one that the value allows, and go on.
"""

from bisect import bisect_left
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf

from kit.consistency.history import (
    Call,
    Outcome,
    Read,
    Swap,
    Undecided,
    Violation,
    Write,
    by_key,
    told,
)

BUDGET = 200_000
"""Default number of states that are tried per key: a few seconds."""


def check_registers(
    calls: Iterable[Call],
    final: Mapping[Hashable, Hashable],
    *,
    initial: Hashable = None,
    budget: int = BUDGET,
) -> None:
    """Prove that the calls of `Write`, `Read` and `Swap` are linearizable, and led to `final`.

    A call whose outcome is unknown may have had its effect at any time after it began, or never.

    Raises:
        Violation: there is no such order; the message shows calls that rule it out.
        Undecided: `budget` states did not suffice to decide.
    """
    keys = by_key(calls)
    for key in {*keys, *final}:
        last = Call("in the end", Read(key), inf, inf, Outcome.DONE, result=final.get(key, initial))
        register = _Register(initial, budget)
        if not register.explains([*keys.get(key, []), last]):
            shortest = register.reduced([*keys.get(key, []), last])
            raise Violation(
                f"{key!r}: it was {initial!r}, and no order explains these "
                f"{len(shortest)} calls:\n{told(shortest)}"
            )


class _Register:
    def __init__(self, initial: Hashable, budget: int) -> None:
        self._initial = initial
        self._budget = budget

    def explains(self, calls: Sequence[Call]) -> bool:
        """Return whether there is an order, within the budget."""
        calls = [call for call in calls if _tells(call)]
        required = sum(1 << i for i, call in enumerate(calls) if call.outcome is Outcome.DONE)
        # Calls that end first are tried first; calls that may never have happened, last.
        by_end = sorted(range(len(calls)), key=lambda i: calls[i].end, reverse=True)
        stack = [(0, self._initial)]
        tried = set(stack)
        while stack:
            taken, value = stack.pop()
            if taken & required == required:
                return True
            ends = next(calls[i].end for i in reversed(by_end) if (required & ~taken) >> i & 1)
            following = []
            for i in by_end:
                call = calls[i]
                if taken >> i & 1 or call.start > ends:
                    continue
                after, result = _applied(call, value)
                if call.outcome is Outcome.DONE and not _same(call, result):
                    continue
                step = (taken | 1 << i, after)
                if isinstance(call.operation, Read):
                    # The call changes nothing and can come now: no other order gains from
                    # postponing it.
                    following = [step]
                    break
                following.append(step)
            stack += (step for step in following if step not in tried)
            tried.update(following)
            if len(tried) > self._budget:
                raise Undecided(
                    f"{calls[0].key!r}: {self._budget} states were tried for {len(calls)} calls; "
                    f"the budget can be raised"
                )
        return False

    def reduced(self, calls: list[Call]) -> list[Call]:
        """Return a small subset of the calls that is as impossible as the whole."""
        ends = sorted({call.end for call in calls if call.outcome is Outcome.DONE})
        # A prefix of a possible history is possible: there is a first time at which it is not.
        shortest = bisect_left(
            range(len(ends)), 1, key=lambda i: not self._possible(_until(ends[i], calls))
        )
        calls = _until(ends[shortest], calls)
        for call in reversed(calls[:]):
            fewer = [other for other in calls if other is not call]
            if _removable(call, fewer) and not self._possible(fewer):
                calls = fewer
        return calls

    def _possible(self, calls: Sequence[Call]) -> bool:
        try:
            return self.explains(calls)
        except Undecided:
            return True  # not shown to be impossible


def _tells(call: Call) -> bool:
    """Return whether a call affects whether the history is possible."""
    if call.outcome is Outcome.UNKNOWN:
        return not isinstance(call.operation, Read)
    return call.outcome is Outcome.DONE


def _applied(call: Call, value: Hashable) -> tuple[Hashable, Hashable]:
    """Return the value of a register after a call, and the call's result."""
    match call.operation:
        case Write(_, new):
            return new, None
        case Read():
            return value, value
        case Swap(_, old, new):
            return (new, True) if value == old else (value, False)
        case other:
            raise TypeError(f"no operation of a register: {other!r}")


def _same(call: Call, result: Hashable) -> bool:
    return isinstance(call.operation, Write) or bool(call.result == result)


def _until(time: float, calls: Iterable[Call]) -> list[Call]:
    """Return the history as it was known at `time`."""
    begun = (call for call in calls if call.start <= time)
    return [
        call
        if call.end <= time or call.outcome is not Outcome.DONE
        else replace(call, end=inf, outcome=Outcome.UNKNOWN, result=None)
        for call in begun
        if call.end <= time or not isinstance(call.operation, Read)
    ]


def _removable(call: Call, others: Sequence[Call]) -> bool:
    """Return whether the other calls are possible if they were possible together with this one."""
    match call.operation:
        case Read():
            return True
        case Write(_, value) | Swap(_, _, value):
            # A value that no call read can be left out, unless it made a swap fail.
            return not any(
                isinstance(other.operation, Swap)
                or (isinstance(other.operation, Read) and other.result == value)
                for other in others
                if other.outcome is not Outcome.REFUSED
            )
    return False
