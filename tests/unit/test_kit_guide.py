"""A guide's examples run as one program."""

from pathlib import Path

import pytest

from kit import guide


@pytest.fixture
def page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(guide, "GUIDE", tmp_path)
    return tmp_path / "page.md"


def test_blocks_share_their_names_and_may_await(page: Path) -> None:
    page.write_text(
        "# A page\n\n```python\nimport asyncio\nplace = 'somewhere:1'\n```\n\nThen\n\n"
        "```python\nfound = await asyncio.sleep(0, place)\n```\n\n```console\n$ no\n```\n"
    )
    names = guide.run_python("page.md", {"somewhere:1": "localhost:2"})
    assert names["found"] == "localhost:2"


def test_a_failure_names_the_line_of_the_page(page: Path) -> None:
    page.write_text("# A page\n\n```python\nfine = 1\nbroken = fine / 0\n```\n")
    with pytest.raises(ZeroDivisionError) as raised:
        guide.run_python("page.md")
    assert (raised.traceback[-1].lineno or 0) + 1 == 5


def test_a_page_without_examples_is_not_tested_by_accident(page: Path) -> None:
    page.write_text("# A page\n")
    with pytest.raises(AssertionError, match="has no example"):
        guide.run_python("page.md")
