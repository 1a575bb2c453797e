"""Examples of a page of the guide: the fenced blocks of one language, in their order."""

import ast
import asyncio
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from markdown_it import MarkdownIt

from kit.environment import ROOT

GUIDE = ROOT / "docs"


@dataclass(frozen=True, slots=True)
class Example:
    """One fenced block."""

    page: str
    line: int
    text: str


def examples(page: str, language: str, replacing: Mapping[str, str] | None = None) -> list[Example]:
    """Return a page's blocks of `language`, with the placeholders of real addresses replaced."""
    source = (GUIDE / page).read_text()
    for shown, real in (replacing or {}).items():
        source = source.replace(shown, real)
    return [
        Example(page, token.map[0] + 1, token.content)
        for token in MarkdownIt().parse(source)
        if token.type == "fence" and token.info == language and token.map
    ]


def run_python(page: str, replacing: Mapping[str, str] | None = None) -> dict[str, Any]:
    """Run a page's Python as one program, whose blocks may `await`; return its namespace."""
    names: dict[str, Any] = {"__name__": page}
    blocks = examples(page, "python", replacing)
    assert blocks, f"{page} has no example in Python"
    with asyncio.Runner() as runner:
        for block in blocks:
            # Tracebacks show the line of the page.
            text = "\n" * block.line + block.text
            code = compile(text, page, "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            if code.co_flags & inspect.CO_COROUTINE:
                runner.run(eval(code, names))  # noqa: S307  # it is ours
            else:
                exec(code, names)  # noqa: S102  # it is ours
    return names
