"""Modes of `chmod`: octal numbers, and changes such as `u+rwX,go-w`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmwire._escaping import quote
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable

_OCTAL = re.compile(r"[01]?[0-7]{3}")
_CLAUSE = re.compile(r"([ugoa]*)([-+=])([rwxXt]*)")
_SHIFTS = {"u": 6, "g": 3, "o": 0}
_BITS = {"r": 4, "w": 2, "x": 1}
STICKY = 0o1000
ANY_EXECUTE = 0o111


def parse_mode(text: str) -> Callable[[int, bool], int]:
    """Parse a mode as `hdfs dfs -chmod` takes it.

    Args:
        text: Three or four octal digits, or clauses such as `u+rwX`, separated by commas.

    Returns:
        A function from permission bits, and whether they are of a directory, to the new ones.

    Raises:
        ConfigError: the text is not a mode.
    """
    if _OCTAL.fullmatch(text):
        number = int(text, 8)
        return lambda _old, _is_directory: number
    clauses = [_CLAUSE.fullmatch(clause) for clause in text.split(",")]
    if not all(clauses):
        raise ConfigError(
            f"{quote(text)} is not a mode: expected octal digits such as 755, or changes such as "
            "u+rwX,go-w"
        )
    changes = [clause.groups() for clause in clauses if clause]

    def apply(old: int, is_directory: bool) -> int:  # noqa: FBT001 - the function has two arguments
        for classes, operator, letters in changes:
            old = _change(old, classes, operator, letters, is_directory=is_directory)
        return old

    return apply


def _change(old: int, classes: str, operator: str, letters: str, *, is_directory: bool) -> int:
    bits = sum(_BITS[letter] for letter in set(letters) & _BITS.keys())
    if "X" in letters and (is_directory or old & ANY_EXECUTE):
        bits |= _BITS["x"]
    mask = 0
    among = 0
    for each in "ugo" if not classes or "a" in classes else classes:
        mask |= bits << _SHIFTS[each]
        among |= 0o7 << _SHIFTS[each]
    if "t" in letters:
        mask |= STICKY
        among |= STICKY
    if operator == "+":
        return old | mask
    if operator == "-":
        return old & ~mask
    return old & ~among | mask
