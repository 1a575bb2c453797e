"""File names may be any bytes: not UTF-8, line feeds, escape sequences, marks of direction."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path

import pyarrow as pa
import pytest

from jvmwire._escaping import is_unicode, path_text
from jvmwire.capture import View, read_tables
from jvmwire.capture._aggregates import merge_batches
from jvmwire.capture._index import count_ranges, index_capture, read_digests, read_index
from jvmwire.capture._journal import Journal, read_entry
from jvmwire.capture._rotation import RotationFollower
from jvmwire.capture._views import make_view
from jvmwire.errors import ConfigError
from jvmwire.hadoop.errors import InvalidPath
from jvmwire.hadoop.namenode._glob import components, expand
from jvmwire.report import ReportSource, Traffic, write_report
from kit.captures import SASL
from kit.command import jvmwire

NAMES = ["\udcff\udcfe.pcap", "a\nb.pcap", "a\x1b]0;x\x07.pcap", "a\u202eb.pcap", "-o.pcap"]
UNSAFE = ("\x1b", "\x07", "\u202e", "\udcff")
RANGE = 4096


@pytest.fixture(params=NAMES, ids=["bytes", "line feed", "escape", "bidi", "option"])
def odd(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    directory = tmp_path / "captures"
    directory.mkdir()
    return Path(shutil.copy(SASL, directory / request.param))


@pytest.mark.parametrize("beside", [True, False], ids=["beside", "in a directory"])
def test_an_index_is_kept_whatever_the_captures_name_is(
    tmp_path: Path, odd: Path, beside: bool
) -> None:
    kept = None if beside else tmp_path / "indexes"
    index = index_capture([odd], size=RANGE, protocol=None, directory=kept)
    made = index.stat().st_ino
    assert index_capture([odd], size=RANGE, protocol=None, directory=kept) == index
    assert index.stat().st_ino == made
    assert count_ranges(index) > 1
    digests = read_digests(index, beside=odd if beside else None)
    assert read_index(index, 0, [odd], digest=digests[0]).path == odd


def test_a_journal_keeps_the_name_of_a_capture_as_it_is(tmp_path: Path, odd: Path) -> None:
    count = 0
    for _ in range(2):
        with closing(Journal(tmp_path / "journal")) as journal:
            follower = RotationFollower(odd.parent, journal, range_size=RANGE, protocol=None)
            assert follower.advance() >= max(count, 2)
            count = journal.next
    assert {read_entry(tmp_path / "journal", at).path for at in range(count)} == {odd}


def test_a_report_names_captures_as_valid_text(tmp_path: Path, odd: Path) -> None:
    batches = [pa.record_batch(batch) for _, batch in read_tables(odd, [View("traffic")])]
    seen = Traffic.from_merged(merge_batches(batches))
    made = write_report(seen, ReportSource.from_traffic(seen, [odd]), tmp_path / odd.stem)
    summary = made.summary.read_text(encoding="utf-8")
    assert json.loads(summary)["source"]["captures"][0]["name"] == path_text(odd.name)
    for said in (summary, made.page.read_text(encoding="utf-8"), *made.lines):
        assert not any(letter in said for letter in UNSAFE)


def test_an_error_of_a_command_names_such_a_file_on_one_line(odd: Path) -> None:
    odd.write_bytes(SASL.read_bytes()[:-1])
    done = jvmwire("decode", odd, status=1)
    assert not any(letter in done.stderr for letter in UNSAFE)
    assert len(done.stderr.splitlines()) == 1
    assert "the capture is cut short" in done.stderr


@pytest.mark.parametrize("name", ["\udcff", "a\x1b[31m", "\u202e"])
def test_an_unknown_column_is_one_error(name: str) -> None:
    with pytest.raises(ConfigError, match="there is no column") as refused:
        make_view("messages", columns=[name])
    assert is_unicode(str(refused.value))
    assert not any(letter in str(refused.value) for letter in UNSAFE)


@pytest.mark.parametrize("pattern", ["/a\x1b[31m", "/{a", "/a\\", "/[z-a]", "/" + "{a/b,c/d}" * 13])
def test_a_pattern_that_is_not_closed_is_one_error(pattern: str) -> None:
    with pytest.raises(InvalidPath) as refused:
        [components(one) for one in expand(pattern)]
    assert isinstance(refused.value, ValueError)
    assert "\x1b" not in str(refused.value)
