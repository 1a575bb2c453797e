"""Checker of logs and sets of unique tokens: nothing lost, nothing twice, each writer in order."""

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence

from kit.consistency.history import Append, Call, Outcome, Violation, by_key, told

# Number of tokens shown on either side of the wrong one.
AROUND = 3


def check_logs(
    calls: Iterable[Call],
    final: Mapping[Hashable, Sequence[Hashable]],
    *,
    ordered: bool = True,
) -> None:
    """Prove that the logs `final` are the result of the calls of `Append`.

    An acknowledged token is present once, a refused token is absent, any other token is present
    once or not at all; there are no further tokens. If `ordered`, each acknowledged token of a
    writer comes before all tokens that the writer began to append later.

    Raises:
        Violation: one of these properties does not hold; the message shows the calls that prove it.
    """
    keys = by_key(calls)
    for key in {*keys, *final}:
        _Log(key, keys.get(key, []), final.get(key, ())).check(ordered=ordered)


class _Log:
    def __init__(self, key: Hashable, calls: Sequence[Call], tokens: Sequence[Hashable]) -> None:
        self._key = key
        self._tokens = tokens
        self._places = {token: place for place, token in enumerate(tokens)}
        self._calls: dict[Hashable, Call] = {}
        for call in calls:
            assert isinstance(call.operation, Append)
            if call.operation.token in self._calls:
                raise ValueError(f"{call.operation} was called twice: tokens must be unique")
            self._calls[call.operation.token] = call

    def check(self, *, ordered: bool) -> None:
        self._refuse("that nobody sent", (t for t in self._tokens if t not in self._calls))
        counts = Counter(self._tokens)
        self._refuse("more than once", (token for token, n in counts.items() if n > 1))
        for wrong, outcome, present in (
            ("lost though acknowledged", Outcome.DONE, False),
            ("there though refused", Outcome.REFUSED, True),
        ):
            self._refuse(
                wrong,
                (
                    token
                    for token, call in self._calls.items()
                    if call.outcome is outcome and (token in self._places) is present
                ),
            )
        if ordered:
            self._check_order()

    def _check_order(self) -> None:
        # Per writer: the acknowledged call so far whose token stands last.
        last: dict[Hashable, Call] = {}
        for token, call in self._calls.items():
            place = self._places.get(token)
            if place is None:
                continue
            earlier = last.get(call.writer)
            if earlier is not None and self._places[earlier.operation.token] > place:
                raise Violation(
                    f"{self._key!r}: {token!r} stands before {earlier.operation.token!r}, which "
                    f"{call.writer} began earlier:{self._near(token)}\n{told([earlier, call])}"
                )
            if call.outcome is Outcome.DONE:
                last[call.writer] = call

    def _refuse(self, wrong: str, tokens: Iterable[Hashable]) -> None:
        found = list(tokens)
        if found:
            first = found[0]
            more = f" (the first of {len(found)})" if len(found) > 1 else ""
            raise Violation(
                f"{self._key!r}: {first!r} is {wrong}{more}:{self._near(first)}\n"
                f"{told(self._telling(first))}"
            )

    def _telling(self, token: Hashable) -> list[Call]:
        """Return the call and its neighbours of the same writer."""
        call = self._calls.get(token)
        if call is None:
            return []
        same = [other for other in self._calls.values() if other.writer == call.writer]
        place = same.index(call)
        return same[max(0, place - 1) : place + 2]

    def _near(self, token: Hashable) -> str:
        """Return the part of the log around the token."""
        shown = ""
        for place, other in enumerate(self._tokens):
            if other == token:
                near = self._tokens[max(0, place - AROUND) : place + AROUND + 1]
                shown += f"\n  at {place} of {len(self._tokens)}: {', '.join(map(repr, near))}"
        return shown
