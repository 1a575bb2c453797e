"""The job's configuration, as it really arrives."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final, overload

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAME: Final = re.compile(r"[A-Za-z0-9_$-]+(\.[A-Za-z0-9_${}-]+)+")
"""What names of settings look like."""

_VARIABLE: Final = re.compile(r"\$\{([^}$\s]+)\}")

EXPANSIONS: Final = 20
"""Levels of variables within variables: Configuration.MAX_SUBST of Hadoop."""


class Conf(dict[str, str]):
    """Settings by name. Values are as they were written: variables in them are not replaced."""

    def expanded(self, name: str) -> str:
        """Return a value with its `${other.settings}` replaced. Raises `KeyError` for none."""
        value = self[name]
        for _ in range(EXPANSIONS):
            found = _VARIABLE.search(value)
            if found is None or found[1] not in self:
                break
            value = value[: found.start()] + self[found[1]] + value[found.end() :]
        return value

    @overload
    def get_int(self, name: str) -> int | None: ...
    @overload
    def get_int(self, name: str, default: int) -> int: ...
    def get_int(self, name: str, default: int | None = None) -> int | None:
        """Return a whole number, `default` if there is none. Raises `ValueError` for another."""
        return int(self.expanded(name)) if name in self else default

    @overload
    def get_bool(self, name: str) -> bool | None: ...
    @overload
    def get_bool(self, name: str, default: bool) -> bool: ...  # noqa: FBT001
    def get_bool(self, name: str, default: bool | None = None) -> bool | None:  # noqa: FBT001
        """Return what `true` and `false` mean, `default` for all else, as Hadoop does."""
        value = self.expanded(name).strip().lower() if name in self else ""
        return {"true": True, "false": False}.get(value, default)


def conf_of(lines: Sequence[str], count: int) -> Conf:
    """Return what `lines` say, names and values in turn, where `count` is how many Hama meant.

    Hama counts a value of many lines as one: then there are more lines than it said. They are given
    to the values so that as many names as can be look like names.
    """
    pairs, surplus = count // 2, len(lines) - count
    if not 0 < surplus <= SURPLUS_LIMIT:
        return Conf(zip(lines[:count:2], lines[1:count:2], strict=True))
    # How many names look wrong at least, for each number of lines given away; and how that came.
    wrong: list[float] = [0.0] + [math.inf] * surplus
    taken: list[list[int]] = []
    for pair in range(pairs):
        following = [math.inf] * (surplus + 1)
        extra = [0] * (surplus + 1)
        for given, so_far in enumerate(wrong):
            if so_far == math.inf:
                continue
            cost = so_far + (_NAME.fullmatch(lines[2 * pair + given]) is None)
            for after in range(given, surplus + 1):
                if cost < following[after]:
                    following[after] = cost
                    extra[after] = after - given
        wrong = following
        taken.append(extra)
    conf = []
    end = len(lines)
    given = surplus
    for extra in reversed(taken):
        start = end - 2 - extra[given]
        conf.append((lines[start], "\n".join(lines[start + 1 : end])))
        given -= extra[given]
        end = start
    return Conf(reversed(conf))


SURPLUS_LIMIT: Final = 64
"""Lines beyond what was said that are given to values; more are dropped. Ours."""
