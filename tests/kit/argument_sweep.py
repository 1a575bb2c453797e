"""Sweep that calls every public method of a client with arguments outside the documented range.

Each client is described by a table: objects, right values and wrong values by parameter name, and a
counter of the messages sent. Each wrong value must raise `ValueError` or `TypeError`, and nothing
may be sent.
"""

import inspect
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Table:
    """The known right and wrong values of the parameters of a client's methods."""

    right: Mapping[str, Any]
    """A valid value per parameter name."""
    wrong: Mapping[str, Sequence[Any]]
    """Invalid values per parameter; `Class.method.parameter` takes precedence over `parameter`."""
    skipped: frozenset[str] = frozenset()
    """Names of methods that make no call."""
    words: Mapping[str, str] = field(default_factory=dict)
    """The word by which errors name a parameter, where that is not its own name."""


@dataclass(frozen=True)
class Case:
    """One call with one wrong argument."""

    method: str
    parameter: str
    value: Any
    call: Callable[[], Any]

    def __str__(self) -> str:
        return f"{self.method}({self.parameter}={self.value!r})"


def cases(target: Any, table: Table) -> Iterator[Case]:
    """Yield a case for each wrong value of each parameter of each public method."""
    kind = type(target)
    for name, function in inspect.getmembers(kind, callable):
        if name.startswith("_") or name in table.skipped:
            continue
        body = getattr(function, "body", function)
        parameters = list(inspect.signature(body).parameters.values())[1:]
        usual = {
            one.name: table.right[one.name]
            for one in parameters
            if one.default is one.empty and one.name in table.right
        }
        for one in parameters:
            if one.kind in {one.VAR_KEYWORD, one.VAR_POSITIONAL}:
                continue
            full = f"{kind.__name__}.{name}.{one.name}"
            for value in table.wrong.get(full, table.wrong.get(one.name, ())):
                if value is one.default:
                    continue
                told = usual | {one.name: value}
                yield Case(
                    f"{kind.__name__}.{name}",
                    one.name,
                    value,
                    _call(target, name, parameters, told),
                )


def _call(
    target: Any, name: str, parameters: list[inspect.Parameter], told: dict[str, Any]
) -> Callable[[], Any]:
    positional = [
        told[one.name]
        for one in parameters
        if one.kind is not one.KEYWORD_ONLY and one.name in told
    ]
    named = {
        one.name: told[one.name]
        for one in parameters
        if one.kind is one.KEYWORD_ONLY and one.name in told
    }
    ahead = [one for one in parameters if one.kind is not one.KEYWORD_ONLY]
    if any(one.name in told for one in ahead[len(positional) :]):
        # Parameters with a default were left out before, so this one is passed by name.
        positional, named = [], dict(told)

    def call() -> Any:
        returned = getattr(target, name)(*positional, **named)
        return next(returned, None) if isinstance(returned, Iterator) else returned

    return call


def complaints(target: Any, table: Table, count_sent: Callable[[], int]) -> list[str]:
    """Return the calls that were not refused as they must be."""
    found = []
    for case in cases(target, table):
        before = count_sent()
        outcome = "nothing was raised"
        try:
            case.call()
        except Exception as error:
            outcome = _outcome(case, error, table)
        found += _complaint(case, outcome, has_sent=count_sent() != before)
    return found


async def complaints_async(target: Any, table: Table, count_sent: Callable[[], int]) -> list[str]:
    """Return the calls that an asyncio client did not refuse as it must."""
    found = []
    for case in cases(target, table):
        before = count_sent()
        outcome = "nothing was raised"
        try:
            returned = case.call()
            if inspect.isawaitable(returned):
                await returned
            elif isinstance(returned, AsyncIterator):
                await anext(returned)
        except Exception as error:
            outcome = _outcome(case, error, table)
        found += _complaint(case, outcome, has_sent=count_sent() != before)
    return found


def _outcome(case: Case, error: Exception, table: Table) -> str:
    if not isinstance(error, ValueError | TypeError):
        return f"raised {error!r}"
    names = str(error)
    words = (case.parameter, *_words(case.parameter))
    if case.parameter in table.words:
        words += (table.words[case.parameter],)
    known = any(word in names for word in words)
    return "" if known else f"the error does not name the argument: {error!r}"


def _complaint(case: Case, outcome: str, *, has_sent: bool) -> list[str]:
    if has_sent:
        outcome += " and something was sent"
    return [f"{case}: {outcome}"] if outcome else []


def _words(parameter: str) -> list[str]:
    """Return the words by which an error may name a parameter: keys, values and items by kind."""
    if parameter in {
        "key",
        "value",
        "item",
        "items",
        "keys",
        "values",
        "entries",
        "message",
        "old",
        "new",
    }:
        return ["key, value or item", "serialize", "type", "iterable"]
    return [parameter.removesuffix("s")]
