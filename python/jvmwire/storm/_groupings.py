"""Choice of the tasks that receive a tuple, per grouping."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING, Any, Final

from jvmwire.errors import ConfigError
from jvmwire.storm._java_hash import hash_bytes, hash_code, hash_list
from jvmwire.storm.topology import PARTIAL_KEY_CLASS, Input

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Chooser = Callable[[Sequence[Any]], Sequence[int]]
    """Returns the tasks for the values of a tuple."""

_RANDOM_MULTIPLIER: Final = 0x5DEECE66D
_RANDOM_BITS: Final = 48


def chooser(source: Input, fields: Sequence[str], tasks: Sequence[int]) -> Chooser:
    """Return the function that chooses among a bolt's tasks.

    Args:
        source: The stream and its grouping.
        fields: The fields of the stream.
        tasks: The bolt's tasks, in order.

    Raises:
        ConfigError: the grouping needs a JVM, or is unknown.

    Source: GrouperFactory.mkGrouper (Storm 2.8.3).
    """
    if (custom := source.custom) is not None:
        if custom.class_name != PARTIAL_KEY_CLASS:
            raise ConfigError(
                f"{source.component}'s stream {source.stream!r} is grouped by the class "
                f"{custom.class_name}, which needs a JVM: use `storm local`"
            )
        [made] = custom.arguments
        return _PartialKey([fields.index(name) for name in made.arguments[0]], tasks)
    match source.type:
        case "SHUFFLE" | "LOCAL_OR_SHUFFLE":
            return _Shuffle(tasks)
        case "NONE":
            return lambda _: (random.choice(tasks),)  # noqa: S311 # not a secret
        case "FIELDS":
            at = [fields.index(name) for name in source.fields]
            return lambda values: (tasks[hash_list(values[i] for i in at) % len(tasks)],)
        case "ALL":
            return lambda _: tasks
        case "GLOBAL":
            return lambda _: tasks[:1]
        case other:
            raise ConfigError(f"unknown grouping {other}")


class _Shuffle:
    """Chooses each task once in random order, then again in another order (ShuffleGrouping)."""

    def __init__(self, tasks: Sequence[int]) -> None:
        self._tasks = [(task,) for task in tasks]
        self._next = len(tasks)

    def __call__(self, _: Sequence[Any]) -> Sequence[int]:
        if self._next == len(self._tasks):
            random.shuffle(self._tasks)
            self._next = 0
        self._next += 1
        return self._tasks[self._next - 1]


class _PartialKey:
    """Chooses among two tasks that the values determine the less used one (PartialKeyGrouping)."""

    def __init__(self, at: Sequence[int], tasks: Sequence[int]) -> None:
        self._at = at
        self._tasks = tasks
        self._given = dict.fromkeys(tasks, 0)

    def __call__(self, values: Sequence[Any]) -> Sequence[int]:
        key = b"".join(struct.pack(">i", hash_code(values[i])) for i in self._at)
        random_number = _java_random(hash_bytes(key))
        count = len(self._tasks)
        first, second = random_number(count), random_number(count)
        if first == second:
            second = (second + 1) % count
        task = min(self._tasks[first], self._tasks[second], key=self._given.__getitem__)
        self._given[task] += 1
        return (task,)


def _java_random(seed: int) -> Callable[[int], int]:
    """Return the `nextInt(bound)` of a `java.util.Random` with a seed."""
    mask = (1 << _RANDOM_BITS) - 1
    state = (seed ^ _RANDOM_MULTIPLIER) & mask

    def next_31() -> int:
        nonlocal state
        state = (state * _RANDOM_MULTIPLIER + 0xB) & mask
        return state >> (_RANDOM_BITS - 31)

    def next_int(bound: int) -> int:
        drawn = next_31()
        if bound & (bound - 1) == 0:
            return (bound * drawn) >> 31
        while drawn - drawn % bound + bound - 1 >= 1 << 31:
            drawn = next_31()
        return drawn % bound

    return next_int
