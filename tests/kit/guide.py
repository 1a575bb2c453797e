"""Fenced blocks of the pages of the documentation, run as a reader would run them.

Each Python block is a script of its own. One whose first line is a comment with a file name, as
`# lengths.py`, is saved under that name too, and the later blocks of the page may import it.
"""

from __future__ import annotations

import ast
import re
import shlex
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
from markdown_it import MarkdownIt

from jvmwire._cli import cli
from kit.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

GUIDE = ROOT / "docs"
FILE_NAME = re.compile(r"# (\w+\.py)\n")
ALONE = ("README.md",)
"""Pages in the root folder."""


@dataclass(frozen=True, slots=True)
class Example:
    """One fenced block."""

    page: str
    line: int
    language: str
    text: str

    @property
    def file_name(self) -> str | None:
        """The name under which later blocks import this one."""
        matched = FILE_NAME.match(self.text)
        return matched[1] if matched else None


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a console block, and the output that the block shows."""

    page: str
    line: int
    text: str
    output: tuple[str, ...]

    @property
    def words(self) -> list[str]:
        """The words of the command, as a shell splits them."""
        return shlex.split(self.text, comments=True)

    @property
    def is_whole(self) -> bool:
        """Whether no quotation is open at the end of the command."""
        try:
            return bool(self.words)
        except ValueError:
            return False


def pages() -> list[str]:
    """Return the names of all pages that people write."""
    return sorted([*ALONE, *(path.name for path in GUIDE.glob("*.md"))])


def examples(
    page: str, language: str | None = None, replacing: Mapping[str, str] | None = None
) -> list[Example]:
    """Return a page's blocks, of one language if it is given, with placeholders replaced."""
    source = ((ROOT if page in ALONE else GUIDE) / page).read_text()
    for shown, real in (replacing or {}).items():
        source = source.replace(shown, real)
    return [
        Example(page, token.map[0] + 1, token.info, token.content)
        for token in MarkdownIt().parse(source)
        if token.type == "fence" and token.map and language in (None, token.info)
    ]


def run_python(
    page: str, folder: Path, replacing: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Run the Python blocks of a page one after the other; return the names that each leaves."""
    blocks = examples(page, "python", replacing)
    assert blocks, f"{page} has no example in Python"
    with importable(folder):
        return [run_script(block, folder) for block in blocks]


def run_script(block: Example, folder: Path) -> dict[str, Any]:
    """Run a block as a script; return its names."""
    if block.file_name:
        (folder / block.file_name).write_text(block.text)
    names: dict[str, Any] = {"__name__": "__main__"}
    # Tracebacks show the line of the page.
    text = "\n" * block.line + block.text
    exec(compile(ast.parse(text, block.page), block.page, "exec"), names)  # noqa: S102  # it is ours
    return names


@contextmanager
def importable(folder: Path) -> Iterator[None]:
    """Let scripts import the files of a folder, as scripts in it may."""
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


def commands(page: str, replacing: Mapping[str, str] | None = None) -> list[Command]:
    """Return the commands of a page's console blocks; a backslash continues one."""
    found: list[Command] = []
    for block in examples(page, "console", replacing):
        lines = block.text.splitlines()
        for number, line in enumerate(lines):
            at = block.line + 1 + number
            if line.startswith("$ "):
                found.append(Command(page, at, line[2:], ()))
            elif found and found[-1].text.endswith("\\"):
                whole = f"{found[-1].text[:-1].rstrip()} {line.strip()}"
                found[-1] = Command(page, found[-1].line, whole, ())
            elif found and not found[-1].is_whole:
                found[-1] = Command(page, found[-1].line, f"{found[-1].text}\n{line}", ())
            else:
                assert found, f"{page}:{at} is output of no command"
                last = found[-1]
                found[-1] = Command(page, last.line, last.text, (*last.output, line))
    return found


def shows(output: str, shown: tuple[str, ...]) -> bool:
    """Return whether output is what a page shows; a line `...` stands for any lines."""
    pattern = "".join(
        r"(?:.*\n)*" if line == "..." else re.escape(line.rstrip()) + r" *\n" for line in shown
    )
    return re.fullmatch(pattern, output if output.endswith("\n") else output + "\n") is not None


def wrong_usage(command: Command) -> str | None:
    """Return what jvmwire's own parser refuses in a command, without running it; or None."""
    for words in _pipeline(command.words):
        if words[:1] != ["jvmwire"]:
            continue
        context = click.Context(cli, info_name="jvmwire")
        found: click.Command = cli
        rest = words[1:]
        try:
            while isinstance(found, click.Group):
                while rest[:1] and rest[0].startswith("--") and found is cli:
                    rest = rest[1:] if "=" in rest[0] else rest[2:]
                name, inner, rest = found.resolve_command(context, rest)
                assert inner is not None
                found, context = inner, click.Context(inner, info_name=name, parent=context)
            found.make_context(context.info_name, rest, parent=context.parent)
        except click.UsageError as error:
            # The files that a page names need not be there, nor the variables that it sets.
            said = error.format_message()
            if not re.search("does not exist|No such file|env var", said):
                return f"{command.page}:{command.line}: {said}"
    return None


def _pipeline(words: list[str]) -> Iterator[list[str]]:
    """Yield the commands of a pipeline, without assignments, redirections and `sudo`."""
    one: list[str] = []
    for word in [*words, "|"]:
        if word in ("|", "&&", "&", ";"):
            while one and (re.match(r"\w+=", one[0]) or one[0] == "sudo"):
                one = one[1:]
            if ">" in one:
                one = one[: one.index(">")]
            yield one
            one = []
        else:
            one.append(word)
