"""Checker of counters: proves that the calls can have produced each sum that was seen."""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import accumulate

from kit.consistency.history import Add, Call, Outcome, Read, Violation, by_key, told

# A sum is a bit in the set of possible sums: sums up to this limit are still quick.
MAX_SUM = 1_000_000


def check_counters(
    calls: Iterable[Call], final: Mapping[Hashable, int], *, initial: int = 0
) -> None:
    """Prove that the counters `final`, and the values that calls saw, are sums of the `Add` calls.

    The final value of a counter contains every acknowledged amount, no refused amount, and each of
    the other amounts once or not at all. A value seen by a call lies between the amounts
    acknowledged before the call began and the amounts whose calls had begun when it ended; values
    never fall, and no two calls of `Add` returned the same sum.

    Raises:
        Violation: one of these properties does not hold; the message shows the calls that prove it.
    """
    keys = by_key(calls)
    for key in {*keys, *final}:
        made = [call for call in keys.get(key, []) if call.outcome is not Outcome.REFUSED]
        adds = [call for call in made if isinstance(call.operation, Add)]
        seen = [
            call
            for call in made
            if call.outcome is Outcome.DONE
            and (isinstance(call.operation, Read) or call.result is not None)
        ]
        if any(call.operation.amount <= 0 for call in adds):
            raise ValueError(f"{key!r}: an amount is not positive")
        _check_final(key, adds, final.get(key, initial) - initial)
        _check_bounds(key, adds, seen, initial)
        _check_growth(key, seen)


def _check_final(key: Hashable, adds: Sequence[Call], total: int) -> None:
    acknowledged = sum(c.operation.amount for c in adds if c.outcome is Outcome.DONE)
    unknown = [c for c in adds if c.outcome is Outcome.UNKNOWN]
    if acknowledged + sum(c.operation.amount for c in unknown) > MAX_SUM:
        raise ValueError(f"{key!r}: adds up to more than {MAX_SUM}")
    possible = 1 << acknowledged
    for call in unknown:
        possible |= possible << call.operation.amount
    if total < 0 or not possible >> total & 1:
        raise Violation(
            f"{key!r}: grew by {total} in the end; {acknowledged} was acknowledged, and these "
            f"{len(unknown)} calls may have added to it:\n{told(unknown)}"
        )


def _check_bounds(key: Hashable, adds: Sequence[Call], seen: Sequence[Call], initial: int) -> None:
    acknowledged = _Sums((c.end, c.operation.amount) for c in adds if c.outcome is Outcome.DONE)
    begun = _Sums((c.start, c.operation.amount) for c in adds)
    for call in seen:
        own = call.operation.amount if isinstance(call.operation, Add) else 0
        least = initial + own + acknowledged.before(call.start)
        most = initial + begun.until(call.end)
        if not least <= call.result <= most:
            raise Violation(
                f"{key!r}: a call saw {call.result}; it can have been {least} to {most}:\n"
                f"{told([call])}"
            )


class _Sums:
    """The bounds of the sum of amounts over time."""

    def __init__(self, amounts: Iterable[tuple[float, int]]) -> None:
        ordered = sorted(amounts)
        self._times = [time for time, _ in ordered]
        self._sums = list(accumulate((amount for _, amount in ordered), initial=0))

    def before(self, time: float) -> int:
        return self._sums[bisect_left(self._times, time)]

    def until(self, time: float) -> int:
        return self._sums[bisect_right(self._times, time)]


def _check_growth(key: Hashable, seen: Sequence[Call]) -> None:
    sums: dict[int, Call] = {}
    for call in seen:
        if isinstance(call.operation, Add):
            other = sums.setdefault(call.result, call)
            if other is not call:
                raise Violation(f"{key!r}: two calls came to one sum:\n{told([other, call])}")
    highest: Call | None = None
    by_end = sorted(seen, key=lambda call: call.end)
    ended = 0
    for call in seen:
        while by_end[ended].before(call):
            if highest is None or by_end[ended].result > highest.result:
                highest = by_end[ended]
            ended += 1
        own = call.operation.amount if isinstance(call.operation, Add) else 0
        if highest is not None and highest.result + own > call.result:
            raise Violation(f"{key!r}: it has fallen:\n{told([highest, call])}")
