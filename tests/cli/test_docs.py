"""The command that prints pages of the documentation."""

import pytest

from jvmwire._cli import COMMANDS
from jvmwire._cli.docs import OF_COMMAND, PAGES, find_page
from kit.command import jvmwire
from kit.environment import ROOT

GUIDE = ROOT / "docs"


def test_all_pages_but_the_first_are_in_the_package() -> None:
    pages = {page.name for page in GUIDE.glob("*.md")} - {"index.md"}
    assert {page.name for page in PAGES.iterdir()} == pages
    for page in pages:
        assert (PAGES / page).resolve() == GUIDE / page


def test_pages_are_listed_and_printed() -> None:
    listed = jvmwire("docs").stdout.decode()
    assert "hdfs                 HDFS and other Hadoop services\n" in listed
    assert len(listed.splitlines()) == len(list(PAGES.iterdir()))
    assert jvmwire("docs", "recipes").stdout == (GUIDE / "recipes.md").read_bytes()
    assert jvmwire("docs", "hadoop", "ls").stdout == (GUIDE / "hdfs.md").read_bytes()


@pytest.mark.parametrize("command", sorted({*COMMANDS, *OF_COMMAND}))
def test_the_page_of_a_command_is_about_it(command: str) -> None:
    assert f"jvmwire {command}" in (GUIDE / f"{find_page(command.split())}.md").read_text()


def test_an_unknown_page_is_refused_with_the_nearest_one() -> None:
    said = jvmwire("docs", "recipe", status=2).stderr
    assert "no page and no command is named 'recipe'; did you mean recipes?" in said
    assert "`jvmwire docs` lists the pages" in jvmwire("docs", "zzz", status=2).stderr
