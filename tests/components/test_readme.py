"""The examples of docs/codec.md work as written, and the links of README.md lead to files."""

import doctest
import re
from pathlib import Path

from kit.environment import ROOT


def test_the_codec_guides_examples_print_what_it_shows() -> None:
    failed, tried = doctest.testfile(str(ROOT / "docs" / "codec.md"), module_relative=False)
    assert tried > 10
    assert failed == 0


def test_links_between_documents_lead_to_files_and_headings() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    links = {
        (page, target, anchor)
        for page in pages
        for target, anchor in re.findall(r"\]\(([\w./-]*)(?:#([\w-]+))?\)", page.read_text())
    }
    assert len(links) > 30
    assert [link for link in links if not leads(*link)] == []


def leads(page: Path, target: str, anchor: str) -> bool:
    """Return whether a link's file exists, and has the heading that the link names.

    Pages that are made with the site are there only then; its build finds links that lead nowhere.
    """
    if page.parent.name == "docs" and target.startswith(("reference/", "project/")):
        return True
    file = page.parent / target if target else page
    if not anchor or not file.is_file():
        return file.is_file()
    headings = re.findall(r"^#+ (.*)$", file.read_text(), re.MULTILINE)
    return anchor in {re.sub(r"[^\w -]", "", each.lower()).replace(" ", "-") for each in headings}
