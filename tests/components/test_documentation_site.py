"""The documentation site builds without a warning, and describes every public name."""

from __future__ import annotations

import importlib
import inspect
import re
from typing import TYPE_CHECKING

import pytest
from site_generator import command_line
from site_generator.reference_names import exported, home_modules, public_modules
from sphinx.cmd.build import main as build
from sphinx.util.inventory import InventoryFile

from kit.environment import ROOT

if TYPE_CHECKING:
    from pathlib import Path

DOCS = ROOT / "docs"
pytestmark = pytest.mark.filterwarnings("ignore")  # of docutils and of themes


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with warnings as errors: a link without a target is one."""
    folder = tmp_path_factory.mktemp("site")
    assert build(["-q", "-W", "--keep-going", "-b", "html", str(DOCS), str(folder)]) == 0
    return folder


@pytest.mark.timeout(600)
def test_each_public_name_is_described_in_the_reference(site: Path) -> None:
    inventory = InventoryFile.loads((site / "objects.inv").read_bytes(), uri="")
    described = {
        name for kind, names in inventory.data.items() if kind[:3] == "py:" for name in names
    }
    missing = []
    for module in public_modules():
        page = (site / "reference" / f"{module}.html").read_text()
        for name in exported(module):
            home = home_modules().get(id(getattr(importlib.import_module(module), name)), module)
            if f"{home}.{name}" not in described or name not in page:
                missing.append(f"{module}.{name}")
    assert missing == []


def test_each_command_has_a_page_with_its_options(site: Path) -> None:
    missing = []
    for context in command_line.commands(command_line.root().command, command_line.root()):
        words = context.command_path.split()
        name = f"jvmwire-{words[1]}" if len(words) > 1 else "command-line"
        page = (site / "reference" / f"{name}.html").read_text()
        text = re.sub(r"<[^>]+>", "", page)
        missing += [
            f"{context.command_path} {option}"
            for parameter in context.command.params
            for option in parameter.opts
            if option.startswith("--") and option not in text
        ]
        assert context.command_path in text
    assert missing == []


def test_the_site_has_a_search(site: Path) -> None:
    assert "NoSuchSegment" in (site / "searchindex.js").read_text()


def test_the_plain_index_lists_every_page_with_a_sentence(site: Path) -> None:
    lines = (site / "llms.txt").read_text().splitlines()
    entries = [
        re.fullmatch(r"- \[(.+?)\]\((.+?)\)(?:: (.+))?", one) for one in lines if "](" in one
    ]
    links = {entry[2]: entry[3] for entry in entries if entry}
    pages = {f"{page.stem}.html" for page in DOCS.glob("*.md")} - {"index.html"}
    pages |= {f"reference/{module}.html" for module in public_modules()}
    assert pages <= set(links)
    assert [name for name in links if not (site / name).exists()] == []
    without = [name for name, said in links.items() if not said]
    assert [name for name in without if not name.startswith("reference/jvmwire")] == []


def test_a_broken_anchor_fails_a_build(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# One\n\n[a](#one) [b](#two)\n")
    options = ["-D", "extensions=myst_parser", "-D", "myst_heading_anchors=4"]
    arguments = ["-q", "-W", "-C", *options, str(tmp_path), str(tmp_path / "site")]
    assert build(arguments) != 0
    (tmp_path / "index.md").write_text("# One\n\n[a](#one)\n")
    assert build(arguments) == 0


@pytest.mark.parametrize("module", public_modules())
def test_each_public_name_has_a_first_sentence(module: str) -> None:
    loaded = importlib.import_module(module)
    lacking = []
    for name in exported(module):
        found = getattr(loaded, name)
        if not (inspect.isclass(found) or inspect.isroutine(found)):
            continue
        first = (inspect.getdoc(found) or "").partition("\n\n")[0]
        if not re.match(r"[A-Z`].*[.:]$", first, re.DOTALL) or len(first.split()) < 2:
            lacking.append(f"{name}: {first!r}")
    assert lacking == []
