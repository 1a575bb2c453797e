"""Progress of long work: on a terminal, and only there."""

import re
from pathlib import Path

from kit.captures import WRITABLE
from kit.command import decode, watched

ERASED = "\x1b[2K"


def test_a_bar_says_how_much_was_read_and_goes_when_all_was(tmp_path: Path) -> None:
    out = tmp_path / "out"
    drawn = watched("decode", WRITABLE, "-o", out).stderr
    assert "decoding" in drawn
    assert drawn.endswith(ERASED)
    kilobytes = f"{WRITABLE.stat().st_size / 1000:.1f}"
    assert re.findall(r"([\d.]+)/([\d.]+) kB", drawn)[-1] == (kilobytes, kilobytes)
    assert out.read_bytes() == decode(WRITABLE).stdout


def test_nothing_is_drawn_among_rows_that_are_shown() -> None:
    done = watched("decode", WRITABLE)
    assert (done.stdout, done.stderr) == (decode(WRITABLE).stdout, "")


def test_nothing_is_drawn_where_nobody_watches(tmp_path: Path) -> None:
    assert decode(WRITABLE, "-o", tmp_path / "out").stderr == ""
