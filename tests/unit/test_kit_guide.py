"""Blocks of the pages are scripts and commands, and what is wrong with one names its line."""

from pathlib import Path

import pytest

from kit import guide


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(guide, "GUIDE", tmp_path)
    return tmp_path / "page.md"


def test_blocks_share_no_names_but_import_named_files(page: Path, tmp_path: Path) -> None:
    page.write_text(
        "```python\n# place_names.py\nplace = 'somewhere:1'\n```\n\n"
        "```python\nfrom place_names import place\n```\n\n```python\nplace\n```\n"
    )
    with pytest.raises(NameError, match="place"):
        guide.run_python("page.md", tmp_path)
    page.write_text(page.read_text().rpartition("```python")[0])
    *_, last = guide.run_python("page.md", tmp_path, {"somewhere:1": "localhost:2"})
    assert last["place"] == "localhost:2"


def test_a_block_that_awaits_outside_of_a_function_is_refused(page: Path, tmp_path: Path) -> None:
    page.write_text("```python\nimport asyncio\nawait asyncio.sleep(0)\n```\n")
    with pytest.raises(SyntaxError, match="await"):
        guide.run_python("page.md", tmp_path)


def test_a_failure_names_the_line_of_the_page(page: Path, tmp_path: Path) -> None:
    page.write_text("# A page\n\n```python\nfine = 1\nbroken = fine / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as raised:
        guide.run_python("page.md", tmp_path)
    assert (raised.traceback[-1].lineno or 0) + 1 == 5


def test_a_page_without_examples_is_not_tested_by_accident(page: Path, tmp_path: Path) -> None:
    page.write_text("# A page\n")
    with pytest.raises(AssertionError, match="has no example"):
        guide.run_python("page.md", tmp_path)


def test_a_command_continues_after_a_backslash_and_in_a_quotation(page: Path) -> None:
    page.write_text('```console\n$ one \\\n  two\n$ three "a\n  b"\nits output\n```\n')
    first, second = guide.commands("page.md")
    assert (first.text, first.words) == ("one two", ["one", "two"])
    assert (second.words, second.output) == (["three", "a\n  b"], ("its output",))


def test_dots_stand_for_lines_of_output() -> None:
    assert guide.shows("a\nb\nc\n", ("a", "...", "c"))
    assert not guide.shows("a\nb\nc\n", ("a", "c"))
