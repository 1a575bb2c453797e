"""Patterns of paths, as Hadoop's `GlobPattern` and `GlobExpander` understand them."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from jvmwire.escaping import quote
from jvmwire.hadoop.errors import InvalidPath

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_EXPANSIONS: Final = 4096
"""Paths that the braces of one pattern may stand for (chosen by jvmwire)."""
MAX_EXPANDED: Final = 1 << 20
"""Characters of all these paths (chosen by jvmwire)."""
MAX_NAME: Final = 1 << 14
"""Characters of the pattern of one name (chosen by jvmwire): twice the longest path in HDFS."""
MAX_STEPS: Final = 1 << 14
"""Steps that a matcher remembers (chosen by jvmwire)."""

WILD: Final = "*?[{\\"
"""Characters with a meaning in patterns; a backslash takes it away."""


def expand(pattern: str) -> list[str]:
    """Return the patterns that `{a/b,c}` stands for where a slash is in braces; else the pattern.

    Raises:
        InvalidPath: there would be too many.
    """
    done, left, size = [], [pattern], 0
    while left:
        found = left.pop()
        at = _braces_with_slash(found)
        if at is None:
            done.append(found)
        else:
            start, end = at
            parts = _alternatives(found[start + 1 : end])
            left += [found[:start] + part + found[end + 1 :] for part in reversed(parts)]
            size += sum(map(len, left[-len(parts) :]))
            if size > MAX_EXPANDED:
                raise InvalidPath(
                    f"{quote(pattern)} stands for more than {MAX_EXPANDED:,} characters"
                )
        if len(done) + len(left) > MAX_EXPANSIONS:
            raise InvalidPath(f"{quote(pattern)} stands for more than {MAX_EXPANSIONS} patterns")
    return done


def components(pattern: str) -> list[str | Glob]:
    """Return what each name on the way must be: itself, or what a pattern matches.

    Raises:
        InvalidPath: a name is not a pattern.
    """
    return [compile_name(name) for name in pattern.split("/") if name]


def compile_name(name: str) -> str | Glob:
    """Return the matcher of a name's pattern, or the name that it stands for.

    Raises:
        InvalidPath: it is not a pattern.
    """
    if not any(letter in WILD for letter in name):
        return name
    if len(name) > MAX_NAME:
        raise InvalidPath(f"{quote(name)} has more than {MAX_NAME:,} characters")
    glob = Glob(name)
    return glob if glob.literal is None else glob.literal


class Glob:
    """The pattern of one name, matched in time linear in the name: no choice is tried twice.

    It is a list of tests, each of which takes one character and leads to the next one. At each
    character the set of tests that are reached is known, as the bits of an integer.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._tests: list[Callable[[str], bool] | str | None] = []
        """A character, what a character must be, or None: such a test only leads elsewhere."""
        self._ways: dict[int, list[int]] = {}
        """The tests to which each test that is None leads."""
        self._loops: set[int] = set()
        """Tests of `*`, which may be passed over, and lead to themselves."""
        self._compile(pattern)
        letters = [test for test in self._tests if isinstance(test, str)]
        self.literal: str | None = "".join(letters) if len(letters) == len(self._tests) else None
        """The name, if the pattern stands for just one."""
        self._steps: dict[tuple[int, str], int] = {}

    def __repr__(self) -> str:
        return f"Glob({self._pattern!r})"

    def matches(self, name: str) -> bool:
        """Return whether the whole name is matched."""
        reached = self._reached[0]
        steps = self._steps
        for letter in name:
            following = steps.get((reached, letter))
            if following is None:
                if len(steps) >= MAX_STEPS:
                    steps.clear()
                following = steps[reached, letter] = self._step(reached, letter)
            if not following:
                return False
            reached = following
        return bool(reached >> len(self._tests) & 1)

    def _step(self, reached: int, letter: str) -> int:
        following = 0
        while reached:
            at = (reached & -reached).bit_length() - 1
            reached &= reached - 1
            test = self._tests[at] if at < len(self._tests) else None
            if test is not None and (test == letter if isinstance(test, str) else test(letter)):
                following |= self._reached[at if at in self._loops else at + 1]
        return following

    @cached_property
    def _reached(self) -> list[int]:
        """By a test, those that are reached with it before the next character."""
        reached = [0] * len(self._tests) + [1 << len(self._tests)]
        # All ways lead forward.
        for at in range(len(self._tests) - 1, -1, -1):
            found = 1 << at
            if at in self._loops:
                found |= reached[at + 1]
            for way in self._ways.get(at, ()):
                found |= reached[way]
            reached[at] = found
        return reached

    def _compile(self, pattern: str) -> None:
        groups: list[tuple[int, list[int]]] = []
        """Of each open brace: the test that leads into it, and those that lead out of it."""
        at = 0
        while at < len(pattern):
            letter = pattern[at]
            match letter:
                case "\\":
                    at += 1
                    if at == len(pattern):
                        raise InvalidPath(f"{quote(pattern)} ends in the middle of an escape")
                    self._tests.append(pattern[at])
                case "*":
                    if len(self._tests) - 1 not in self._loops:
                        self._loops.add(len(self._tests))
                        self._tests.append(_is_any)
                case "?":
                    self._tests.append(_is_any)
                case "{":
                    groups.append((self._add_ways(), []))
                    self._ways[groups[-1][0]].append(len(self._tests))
                case "," if groups:
                    groups[-1][1].append(self._add_ways())
                    self._ways[groups[-1][0]].append(len(self._tests))
                case "}" if groups:
                    # So that what stands before and after the brace are different tests.
                    end = self._add_ways()
                    self._ways[end].append(len(self._tests))
                    for way in groups.pop()[1]:
                        self._ways[way].append(end)
                case "[":
                    test, at = _class(pattern, at)
                    self._tests.append(test)
                case _:
                    self._tests.append(letter)
            at += 1
        if groups:
            raise InvalidPath(f"{quote(pattern)} has a brace that is not closed")

    def _add_ways(self) -> int:
        self._ways[len(self._tests)] = []
        self._tests.append(None)
        return len(self._tests) - 1


def _is_any(_: str) -> bool:
    return True


def _class(name: str, start: int) -> tuple[Callable[[str], bool], int]:
    """Return the test of a class of characters, and where its bracket closes."""
    at = start + 1
    negated = name[at : at + 1] in ("^", "!")
    at += negated
    letters: list[tuple[str, bool]] = []
    """The characters of the class, and whether each stands for itself."""
    while at < len(name) and (name[at] != "]" or not letters):
        escaped = name[at] == "\\"
        at += escaped
        letters.append((name[at : at + 1], escaped))
        at += 1
    if at >= len(name):
        raise InvalidPath(f"{quote(name)} has a bracket that is not closed")
    single: set[str] = set()
    ranges: list[tuple[str, str]] = []
    index = 0
    while index < len(letters):
        first = letters[index][0]
        if letters[index + 1 : index + 2] == [("-", False)] and index + 2 < len(letters):
            last = letters[index + 2][0]
            if last < first:
                raise InvalidPath(f"{quote(name)}: bad character range {first}-{last}")
            ranges.append((first, last))
            index += 3
        else:
            single.add(first)
            index += 1

    def accepts(letter: str) -> bool:
        found = letter in single or any(first <= letter <= last for first, last in ranges)
        return found is not negated

    return accepts, at


def _braces_with_slash(pattern: str) -> tuple[int, int] | None:
    """Return where the first braces begin and end that have a slash in them."""
    opened: list[list[int]] = []
    """Of each brace that is open: where it is, and how many slashes came before it."""
    first: tuple[int, int] | None = None
    slashes = at = 0
    while at < len(pattern):
        match pattern[at]:
            case "\\":
                at += 1
            case "/":
                slashes += 1
            case "{":
                opened.append([at, slashes])
            case "}" if opened:
                start, before = opened.pop()
                if slashes > before and (first is None or start < first[0]):
                    first = start, at
                if first is not None and not opened:
                    return first
        at += 1
    # A brace that is not closed begins nothing, and hides the groups after it.
    return None if opened and (first is None or opened[0][0] < first[0]) else first


def _alternatives(inside: str) -> list[str]:
    parts, depth, begun, at = [], 0, 0, 0
    while at < len(inside):
        match inside[at]:
            case "\\":
                at += 1
            case "{":
                depth += 1
            case "}":
                depth -= 1
            case "," if not depth:
                parts.append(inside[begun:at])
                begun = at + 1
        at += 1
    return [*parts, inside[begun:]]
