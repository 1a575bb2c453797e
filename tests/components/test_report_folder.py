"""The folder of a report: the files that a report may replace there, and when."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import jvmwire
from jvmwire._files import is_unfinished, remove_any
from jvmwire.errors import ConfigError
from jvmwire.report._folder import check_folder, replace_report
from kit.file_calls import failing_at_each_call

pytestmark = pytest.mark.filterwarnings(
    # A call that "fails" after it was carried out loses the file that it opened.
    "ignore::pytest.PytestUnraisableExceptionWarning"
)
PAGE = b'<meta name="generator" content="jvmwire report">'
SUMMARY = b'{"version":1,"generator":"jvmwire report"}'
NOTES = b"<!-- jvmwire report -->\n"


def write(directory: Path, content: bytes = b"", *, force: bool = False) -> None:
    check_folder(directory, force=force)
    with replace_report(directory, keeps_calls=True, force=force) as unfinished:
        assert unfinished.calls is not None
        (unfinished.calls / "part-00000.parquet").write_bytes(content)
        unfinished.page.write(PAGE + content)
        unfinished.summary.write(SUMMARY)
        unfinished.notes.write(NOTES)


def contents(directory: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(directory)): path.read_bytes()
        for path in sorted(directory.rglob("*"))
        if path.is_file()
    }


def whole(content: bytes) -> dict[str, bytes]:
    return {
        "index.html": PAGE + content,
        "summary.json": SUMMARY,
        "summary.md": NOTES,
        "calls.parquet/_SUCCESS": b"jvmwire report\n",
        "calls.parquet/part-00000.parquet": content,
    }


def test_report_replaces_an_earlier_one_and_no_other_file(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_bytes(b"mine")
    for content in (b"1", b"2"):
        write(tmp_path, content)
        assert contents(tmp_path) == {**whole(content), "mine.txt": b"mine"}


@pytest.mark.parametrize(
    "name",
    [
        "index.html", "summary.json", "summary.md", "calls.parquet", "calls.parquet/mine.txt",
        "calls.parquet/_SUCCESS",
    ],
)  # fmt: skip
def test_file_of_somebody_else_is_refused_and_replaced_by_force(tmp_path: Path, name: str) -> None:
    if name != "calls.parquet":
        write(tmp_path, b"1")
    (tmp_path / name).write_bytes(b"mine")
    before = contents(tmp_path)
    with pytest.raises(ConfigError, match="was not written by a report, and would be replaced"):
        write(tmp_path, b"2")
    assert contents(tmp_path) == before
    write(tmp_path, b"2", force=True)
    assert contents(tmp_path) == whole(b"2")


def test_links_are_replaced_by_force_and_lead_nowhere_else(tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "other"
    write(other, b"other")
    out.mkdir()
    for name in ("index.html", "summary.json", "summary.md", "calls.parquet"):
        (out / name).symlink_to(other / name)
        with pytest.raises(ConfigError, match="was not written by a report"):
            write(out, b"1")
    write(out, b"1", force=True)
    assert contents(out) == whole(b"1")
    assert contents(other) == whole(b"other")


def test_folder_in_place_of_the_page_is_refused_even_by_force(tmp_path: Path) -> None:
    (tmp_path / "index.html").mkdir()
    with pytest.raises(ConfigError, match=r"index\.html is a folder"):
        write(tmp_path, force=True)


def test_file_that_comes_while_the_report_is_made_is_not_replaced(tmp_path: Path) -> None:
    with (
        pytest.raises(ConfigError, match="was not written by a report"),
        replace_report(tmp_path, keeps_calls=True),
    ):
        (tmp_path / "index.html").write_bytes(b"mine")
    assert contents(tmp_path) == {"index.html": b"mine"}


@pytest.mark.parametrize("exists", [False, True], ids=["new", "old"])
def test_report_that_fails_at_any_call_is_the_old_one_or_parts_that_are_whole(
    tmp_path: Path, exists: bool
) -> None:
    out = tmp_path / "above" / "out"
    if exists:
        write(out, b"1")
    allowed = [whole(b"1"), whole(b"2")]
    for _ in failing_at_each_call(lambda: write(out, b"2")):
        for path in out.iterdir() if out.exists() else ():
            if is_unfinished(path.name):
                remove_any(path)
        left = contents(out) if out.exists() else {}
        assert all(
            content in {each.get(name) for each in allowed} for name, content in left.items()
        )
        if "index.html" in left:
            # The page is written last: where it exists, the report is complete.
            assert left.keys() == allowed[0].keys()


def test_failure_leaves_no_folder_that_was_not_there(tmp_path: Path) -> None:
    out = tmp_path / "above" / "out"
    with pytest.raises(KeyboardInterrupt), replace_report(out, keeps_calls=True):
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_report_without_calls_removes_those_of_an_earlier_one(tmp_path: Path) -> None:
    write(tmp_path, b"1")
    with replace_report(tmp_path, keeps_calls=False) as unfinished:
        assert unfinished.calls is None
        unfinished.page.write(PAGE)
        unfinished.summary.write(SUMMARY)
        unfinished.notes.write(NOTES)
    assert contents(tmp_path) == {
        "index.html": PAGE,
        "summary.json": SUMMARY,
        "summary.md": NOTES,
    }


WRITES = re.compile(
    r"""\.write_(?:bytes|text)\(|\bopen\([^)\n]*["'][wax]\+?b?["']|os\.(?:replace|rename|truncate)\("""
    r"""|O_TRUNC|mkstemp|NamedTemporaryFile|OSFile\(|shutil\.(?:copy(?!fileobj)|move|rmtree)"""
)
ALLOWED = {
    "_files.py",
    "storm/__main__.py",  # a recording: a new file that is written while the recording goes on
    "storm/_jar.py",  # members of a jar that `open_output` opened
    "storm/_local_cluster.py",  # into temporary directories
    "spark/_check.py",  # into a temporary directory
    "hazelcast/serialization/_builtin.py",  # `write_bytes` of Hazelcast's ObjectDataOutput
    "hazelcast/serialization/_portable_writer.py",  # `write_bytes` of Hazelcast's ObjectDataOutput
}


def test_every_file_is_written_by_the_one_module_that_writes_whole_files() -> None:
    root = Path(jvmwire.__file__).parent
    found = {
        str(path.relative_to(root)): WRITES.findall(path.read_text())
        for path in root.rglob("*.py")
        if WRITES.search(path.read_text())
    }
    assert set(found) == ALLOWED, found
