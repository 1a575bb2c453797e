"""No fenced block of the documentation is left out of the tests, and each page names its extras."""

from __future__ import annotations

import ast
import re
import sys
from typing import TYPE_CHECKING

import pytest

from kit.environment import ROOT
from kit.guide import GUIDE, examples, pages

if TYPE_CHECKING:
    from collections.abc import Iterator

TESTED = {"python": "run_python", "console": "tests/cli/test_console_blocks.py"}
SHOWN = {"text", "toml", "{toctree}", "json"}
"""Languages of blocks that nothing runs."""
EXTRAS = {
    "pyarrow": "arrow",
    "pandas": "arrow",
    "polars": "arrow",
    "duckdb": "query",
    "fsspec": "fsspec",
    "jvmwire.report": "report",
    "jvmwire.spark": "spark",
    "jvmwire.pravega.streams": "pravega",
    "prometheus_client": "prometheus",
}
"""The extra that has each module which a page may import, besides jvmwire's own."""
NEEDS = re.compile(r"^Needs:(.*?)(?:\n\n|\Z)", re.MULTILINE | re.DOTALL)


def pages_that_are_run() -> set[str]:
    """Return the pages whose Python blocks some test runs."""
    found: set[str] = set()
    for test in (ROOT / "tests").rglob("test_*.py"):
        found |= set(re.findall(r'run_python\(\s*"([\w.-]+)"', test.read_text()))
    return found


def imported(text: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def test_each_page_with_python_is_run() -> None:
    assert {page for page in pages() if examples(page, "python")} <= pages_that_are_run()


@pytest.mark.parametrize("page", pages())
def test_each_block_has_a_language_that_is_known(page: str) -> None:
    languages = {block.language for block in examples(page)}
    assert languages <= {*TESTED, *SHOWN, "pycon"}


@pytest.mark.parametrize("page", [page for page in pages() if examples(page, "python")])
def test_each_page_names_the_extras_that_its_blocks_need(page: str) -> None:
    text = (ROOT / page if page == "README.md" else GUIDE / page).read_text()
    named = set(re.findall(r"`(\w+)`", " ".join(NEEDS.findall(text))))
    if page == "README.md":
        named = set(re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE))
    files = {block.file_name.removesuffix(".py") for block in examples(page) if block.file_name}
    lacking = set()
    for block in examples(page, "python"):
        for module in imported(block.text):
            top = module.partition(".")[0]
            extra = EXTRAS.get(module) or EXTRAS.get(top)
            if extra and extra not in named:
                lacking.add(f"{page}:{block.line}: {module} needs the extra {extra}")
            known = top in sys.stdlib_module_names or top in {"jvmwire", *files, *EXTRAS}
            assert known, f"{page}:{block.line}: nothing says where {module} comes from"
    assert lacking == set()
