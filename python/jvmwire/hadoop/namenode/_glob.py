"""Glob patterns of paths, by the rules of Hadoop's `GlobPattern` and `GlobExpander`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from jvmwire._escaping import quote
from jvmwire.hadoop.errors import InvalidPath

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_EXPANSIONS: Final = 4096
"""The largest number of patterns that the braces of one pattern may expand to (chosen by
jvmwire)."""
MAX_EXPANDED: Final = 1 << 20
"""The largest total of characters of these patterns (chosen by jvmwire)."""
MAX_NAME: Final = 1 << 14
"""The longest pattern of one name in characters (chosen by jvmwire): twice the longest path in
HDFS."""
MAX_STEPS: Final = 1 << 14
"""The number of transitions that a matcher caches (chosen by jvmwire)."""

WILD: Final = "*?[{\\"
"""The characters with a special meaning in patterns; a backslash escapes them."""


def expand(pattern: str) -> list[str]:
    """Expand the braces of a pattern that contain a slash, such as `{a/b,c}`.

    Args:
        pattern: Pattern of paths.

    Returns:
        The patterns that the braces expand to, or the pattern itself if none contain a slash.

    Raises:
        InvalidPath: there are more patterns or characters than `MAX_EXPANSIONS` and `MAX_EXPANDED`
            allow.
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
                    f"{quote(pattern)} expands to more than {MAX_EXPANDED:,} characters"
                )
        if len(done) + len(left) > MAX_EXPANSIONS:
            raise InvalidPath(f"{quote(pattern)} expands to more than {MAX_EXPANSIONS} patterns")
    return done


def components(pattern: str) -> list[str | Glob]:
    """Return the names of a pattern's path, each as a text or as the matcher of its pattern.

    Args:
        pattern: Pattern of paths, after `expand`.

    Returns:
        One item per name from the root on.

    Raises:
        InvalidPath: the pattern of a name is not valid.
    """
    return [compile_name(name) for name in pattern.split("/") if name]


def compile_name(name: str) -> str | Glob:
    """Return the matcher of a name's pattern, or the name if the pattern matches just one.

    Args:
        name: Pattern of one name.

    Returns:
        The matcher or the name.

    Raises:
        InvalidPath: the pattern is not valid.
    """
    if not any(letter in WILD for letter in name):
        return name
    if len(name) > MAX_NAME:
        raise InvalidPath(f"{quote(name)} has more than {MAX_NAME:,} characters")
    glob = Glob(name)
    return glob if glob.literal is None else glob.literal


class Glob:
    """Matcher of one name's pattern, in time linear in the name, without backtracking.

    The pattern is a nondeterministic finite automaton: a list of tests, each of which consumes one
    character and leads to the next test. The set of current tests is a bit mask in an integer.

    Args:
        pattern: Pattern of one name.

    Raises:
        InvalidPath: the pattern is not valid.
    """

    def __init__(self, pattern: str) -> None:
        self._pattern = pattern
        self._tests: list[Callable[[str], bool] | str | None] = []
        """The tests: a character, a predicate of a character, or None for a test that consumes
        nothing."""
        self._ways: dict[int, list[int]] = {}
        """The tests to which each test that is None leads."""
        self._loops: set[int] = set()
        """The tests of `*`, which may be skipped, and lead to themselves."""
        self._compile(pattern)
        letters = [test for test in self._tests if isinstance(test, str)]
        self.literal: str | None = "".join(letters) if len(letters) == len(self._tests) else None
        """The name, if the pattern matches just one."""
        self._steps: dict[tuple[int, str], int] = {}

    def __repr__(self) -> str:
        return f"Glob({self._pattern!r})"

    def matches(self, name: str) -> bool:
        """Return whether the pattern matches a whole name.

        Args:
            name: Name without slashes.

        Returns:
            True if it matches.
        """
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
        """For each test, the tests that are reached with it before the next character."""
        reached = [0] * len(self._tests) + [1 << len(self._tests)]
        # All transitions lead forward.
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
        """For each open brace, the test that leads into it, and the tests that lead out of it."""
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
                    # A separate test, so that the tests before and after the brace differ.
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
    """Return the test of a character class, and the index of its closing bracket."""
    at = start + 1
    negated = name[at : at + 1] in ("^", "!")
    at += negated
    letters: list[tuple[str, bool]] = []
    """The characters of the class, and whether each is escaped."""
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
    """Return the start and end of the first braces that contain a slash."""
    opened: list[list[int]] = []
    """For each open brace, its index, and the number of slashes before it."""
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
    # An unclosed brace starts no group, and hides the groups after it.
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
