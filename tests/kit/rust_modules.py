"""Modules of a Rust crate and their dependencies, from their `use` declarations and paths."""

import re
from collections.abc import Iterator
from pathlib import Path

USE = re.compile(r"^\s*(?:pub(?:\([^)]*\))? )?use ([^;]+);", re.MULTILINE)
EXPORT = re.compile(r"^\s*pub(?:\([^)]*\))? use ([^;]+);", re.MULTILINE)
PATH = re.compile(r"\b(?:crate|super)(?:::\w+)+")
TESTS = re.compile(r"^#\[cfg\(test\)\]\n(?:pub\(crate\) )?(?:mod \w+ \{.*|mod \w+;)", re.M | re.S)
TEST_FILES = {"tests", "laws"}

Module = tuple[str, ...]


def module_of(source: Path, file: Path) -> Module:
    """Return the path of names by which `file` is known in the crate at `source`."""
    names = file.relative_to(source).with_suffix("").parts
    return () if names == ("lib",) else names[:-1] if names[-1] == "mod" else names


def paths(declaration: str, before: Module = ()) -> Iterator[Module]:
    """Yield every path of a `use` declaration."""
    depth, start = 0, 0
    for at, letter in enumerate(declaration + ","):
        depth += (letter == "{") - (letter == "}")
        if letter == "," and not depth:
            yield from _tree(declaration[start:at].strip(), before)
            start = at + 1


def _tree(text: str, before: Module) -> Iterator[Module]:
    head, brace, rest = text.partition("{")
    names = before + tuple(name for name in re.split(r"::|\s+as\s+.*", head.strip()) if name)
    if brace:
        yield from paths(rest.rstrip()[:-1], names)
    elif text:
        yield names[:-1] if names[-1] == "self" else names


class Crate:
    """The modules of the crate whose sources are in a folder."""

    def __init__(self, source: Path) -> None:
        files = {module_of(source, file): file for file in sorted(source.rglob("*.rs"))}
        self.texts = {
            module: re.sub(r"//.*", "", TESTS.sub("", file.read_text()))
            for module, file in files.items()
            if not TEST_FILES.intersection(module)
        }
        self._exports = {
            (*module, path[-1]): self._absolute(module, path)
            for module, text in self.texts.items()
            for declaration in EXPORT.findall(text)
            for path in paths(declaration)
        }

    def uses(self) -> set[tuple[Module, Module]]:
        """Return the dependencies among modules of one parent; deeper ones count as ancestors."""
        found = set()
        for module, text in self.texts.items():
            used = [path for declaration in USE.findall(text) for path in paths(declaration)]
            used += [tuple(path.split("::")) for path in PATH.findall(USE.sub("", text))]
            for path in used:
                other = self._defined(self._absolute(module, path))
                pairs = enumerate(zip(module, other, strict=False))
                same = next((at for at, (user, it) in pairs if user != it), None)
                if same is not None:
                    found.add((module[: same + 1], other[: same + 1]))
        return found

    def _absolute(self, module: Module, path: Module) -> Module:
        if path[0] == "crate":
            return path[1:]
        ups = next((i for i, name in enumerate(path) if name != "super"), len(path))
        if ups:
            return module[: len(module) - ups] + path[ups:]
        return module + path[path[0] == "self" :]

    def _defined(self, path: Module) -> Module:
        """Return the module that defines what `path` names."""
        while path in self._exports and self._exports[path] != path:
            path = self._exports[path]
        while path and path not in self.texts:
            path = path[:-1]
        return path


def cycles(uses: set[tuple[Module, Module]]) -> set[frozenset[Module]]:
    """Return the sets of modules that depend on each other."""
    reached: dict[Module, set[Module]] = {}
    for start in {user for user, _ in uses}:
        seen, ahead = set(), [start]
        while ahead:
            here = ahead.pop()
            for user, used in uses:
                if user == here and used not in seen:
                    seen.add(used)
                    ahead.append(used)
        reached[start] = seen
    return {
        frozenset(other for other in seen if start in reached.get(other, ()))
        for start, seen in reached.items()
        if start in seen
    }
