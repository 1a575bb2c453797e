"""Patterns of paths, as Hadoop's `GlobPattern` and `GlobExpander` understand them."""

from __future__ import annotations

import re

MAX_EXPANSIONS = 4096
"""Paths that the braces of one pattern may stand for. Ours."""


def expand(pattern: str) -> list[str]:
    """Return the patterns that `{a/b,c}` stands for where a slash is in braces; else the pattern.

    Raises:
        ValueError: there would be too many.
    """
    done, left = [], [pattern]
    while left:
        found = left.pop()
        at = _braces_with_slash(found)
        if at is None:
            done.append(found)
        else:
            start, end = at
            parts = _alternatives(found[start + 1 : end])
            left += [found[:start] + part + found[end + 1 :] for part in reversed(parts)]
        if len(done) + len(left) > MAX_EXPANSIONS:
            raise ValueError(f"{pattern!r} stands for more than {MAX_EXPANSIONS} patterns")
    return done


def components(pattern: str) -> list[str | re.Pattern[str]]:
    """Return what each name on the way must be: itself, or what a pattern matches."""
    return [_component(name) for name in pattern.split("/") if name]


def _component(name: str) -> str | re.Pattern[str]:
    if not re.search(r"[*?\[{\\]", name):
        return name
    pattern = re.compile(_translate(name), re.DOTALL)
    literal = re.sub(r"\\(.)", r"\1", name)
    return literal if re.escape(literal) == pattern.pattern else pattern


def _translate(name: str) -> str:
    out: list[str] = []
    at = depth = 0
    while at < len(name):
        letter = name[at]
        match letter:
            case "\\":
                at += 1
                if at == len(name):
                    raise ValueError(f"{name!r} ends in the middle of an escape")
                out.append(re.escape(name[at]))
            case "*":
                out.append(".*")
            case "?":
                out.append(".")
            case "{":
                out.append("(?:")
                depth += 1
            case "," if depth:
                out.append("|")
            case "}" if depth:
                out.append(")")
                depth -= 1
            case "[":
                text, at = _class(name, at)
                out.append(text)
            case _:
                out.append(re.escape(letter))
        at += 1
    if depth:
        raise ValueError(f"{name!r} has a brace that is not closed")
    return "".join(out)


def _class(name: str, start: int) -> tuple[str, int]:
    """Return a class of characters as a regular expression, and where its bracket closes."""
    at = start + 1
    negated = name[at : at + 1] in ("^", "!")
    at += negated
    out: list[str] = []
    while at < len(name) and (name[at] != "]" or not out):
        if name[at] == "\\":
            at += 1
        out.append(name[at] if name[at : at + 1] == "-" and out else re.escape(name[at : at + 1]))
        at += 1
    if at >= len(name):
        raise ValueError(f"{name!r} has a bracket that is not closed")
    text = f"[{'^' if negated else ''}{''.join(out)}]"
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"{name!r}: {error}") from error
    return text, at


def _braces_with_slash(pattern: str) -> tuple[int, int] | None:
    """Return where the first braces begin and end that have a slash in them."""
    at = 0
    while at < len(pattern):
        if pattern[at] == "\\":
            at += 1
        elif pattern[at] == "{":
            end = _closing(pattern, at)
            if end is None:
                return None
            if "/" in pattern[at:end]:
                return at, end
        at += 1
    return None


def _closing(pattern: str, start: int) -> int | None:
    depth, at = 0, start
    while at < len(pattern):
        match pattern[at]:
            case "\\":
                at += 1
            case "{":
                depth += 1
            case "}":
                depth -= 1
                if not depth:
                    return at
        at += 1
    return None


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
