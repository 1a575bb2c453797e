"""A journal survives any interruption of its writer, and accepts only its own files."""

from __future__ import annotations

import os
import signal
import time
from contextlib import closing
from pathlib import Path

import orjson
import pytest

from jvmwire._files import UNFINISHED
from jvmwire.capture import _journal as journals
from jvmwire.capture._fingerprint import FileFingerprint
from jvmwire.capture._journal import Journal, read_entry
from jvmwire.capture._ranges import CaptureRange, RangeEnd
from jvmwire.errors import ConfigError, DecodeError
from kit.file_calls import failing_at_each_call, killed_at_each_call
from kit.scale import seeded, times

pytestmark = pytest.mark.filterwarnings(
    # A call that "fails" after it was carried out loses the file that it opened.
    "ignore::pytest.PytestUnraisableExceptionWarning"
)


def part(number: int) -> CaptureRange:
    beginning = FileFingerprint.from_head(b"head", number) if number % 2 else None
    start = number * 100
    return CaptureRange(Path("/c/a.pcap"), start, start + 100, RangeEnd.CUT, beginning=beginning)


def state(number: int) -> bytes:
    return b"state %d" % number * 300


def append(journal: Journal) -> None:
    journal.append(part(journal.next), after=state(journal.next + 1))


def check(place: Path, journal: Journal) -> None:
    """Check that every entry is complete, and has the state that was written before it."""
    for number in range(journal.first, journal.next):
        read = read_entry(place, number)
        assert (read.start, read.stop, read.beginning) == (
            number * 100,
            number * 100 + 100,
            part(number).beginning,
        )
        assert read.state == (state(number) if number else None)
    last = journal.last()
    assert last is None or last[1] == state(journal.next)


def work(place: Path) -> None:
    with closing(Journal(place)) as journal:
        append(journal)
        append(journal)
        journal.forget(journal.next - 1)


def test_journal_survives_a_kill_at_each_call(tmp_path: Path) -> None:
    before = 0
    for _ in killed_at_each_call(lambda: work(tmp_path)):
        with closing(Journal(tmp_path)) as journal:
            assert journal.next - before in {0, 1, 2}
            check(tmp_path, journal)
            append(journal)
            check(tmp_path, journal)
            before = journal.next
        assert not [path for path in tmp_path.iterdir() if path.name.endswith(UNFINISHED)]
    assert before > 50


def test_journal_survives_a_failure_of_each_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journals, "LOCK_TIMEOUT", 0.0)
    for _ in failing_at_each_call(lambda: work(tmp_path)):
        with closing(Journal(tmp_path)) as journal:
            check(tmp_path, journal)
            append(journal)


def test_journal_survives_kills_at_random(tmp_path: Path) -> None:
    chance = seeded(3)
    promised = 0
    for _ in range(times(30, full=1000)):
        reading, writing = os.pipe()
        child = os.fork()
        if child == 0:
            try:
                with closing(Journal(tmp_path)) as journal:
                    while True:
                        append(journal)
                        os.write(writing, b"%d\n" % journal.next)
                        journal.forget(journal.next - 20)
            finally:
                os._exit(1)
        os.close(writing)
        with os.fdopen(reading, "rb") as said:
            lines = [said.readline()]
            time.sleep(chance.uniform(0.0, 0.02))
            os.kill(child, signal.SIGKILL)
            lines += said.read().splitlines()
        _, status = os.waitpid(child, 0)
        assert os.waitstatus_to_exitcode(status) == -signal.SIGKILL
        promised = int(lines[-1])
        with closing(Journal(tmp_path)) as journal:
            assert journal.next in {promised, promised + 1}
            check(tmp_path, journal)
            promised = journal.next
    assert promised >= times(30, full=1000)


def test_files_that_are_not_the_journals_are_left_alone(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        append(journal)
        append(journal)
    strangers = (
        ".5.json", "x.json", "7.json~", "#7.json#", ".7.json.swp", "7.JSON", "07.json", "+7.json",
        "-1.json", "\N{ARABIC-INDIC DIGIT SEVEN}.json", "7.json.bak", "9" * 30 + ".json",
    )  # fmt: skip
    for name in strangers:
        (tmp_path / name).write_bytes(b"mine")
    (tmp_path / "sub.json").mkdir()
    with closing(Journal(tmp_path)) as journal:
        assert (journal.first, journal.next) == (0, 2)
        append(journal)
        journal.forget(2)
        check(tmp_path, journal)
    assert {(tmp_path / name).read_bytes() for name in strangers} == {b"mine"}


def refusal(place: Path) -> str:
    """Open the journal and read its entry 1, which must fail with an error of jvmwire."""
    try:
        with closing(Journal(place)):
            read_entry(place, 1)
    except DecodeError as error:
        return str(error)
    raise AssertionError("the journal was believed")


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"[]", b"null", b"7", b'"x"', b"\xff\xfe", b'{"path":1}', b"{}", b"[" * 5000,
        b'{"path":"x","start":"a","stop":null,"end":"zz","beginning":{}}',
        b'{"path":"/etc/passwd","start":0,"stop":100,"end":"cut","beginning":null}',
    ],
    ids=lambda content: str(content[:20]),
)  # fmt: skip
def test_damaged_entry_is_one_error(tmp_path: Path, content: bytes) -> None:
    with closing(Journal(tmp_path)) as journal:
        append(journal)
        append(journal)
    (tmp_path / "1.json").write_bytes(content)
    assert "is damaged: " in refusal(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        {"start": "a"}, {"stop": None}, {"end": "zz"}, {"beginning": {}}, {"beginning": {"x": 1}},
        {"path": None}, {"start": True}, {"before": "x"}, {"after": None}, {"more": 1},
    ],
    ids=str,
)  # fmt: skip
def test_entry_with_wrong_types_and_a_right_checksum_is_one_error(
    tmp_path: Path, change: dict[str, object]
) -> None:
    with closing(Journal(tmp_path)) as journal:
        append(journal)
        append(journal)
    entry = orjson.loads((tmp_path / "1.json").read_bytes())
    del entry["checksum"]
    entry |= change
    entry["checksum"] = journals._checksum(entry)
    (tmp_path / "1.json").write_bytes(orjson.dumps(entry))
    assert "entry 1: " in refusal(tmp_path)


def test_every_flipped_byte_of_a_journal_is_one_error(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        append(journal)
        append(journal)
    for name in ("1.json", "1.state", "2.state"):
        whole = (tmp_path / name).read_bytes()
        for at in range(0, len(whole), 1 if name == "1.json" else 97):
            damaged = bytearray(whole)
            damaged[at] ^= 0x41
            (tmp_path / name).write_bytes(damaged)
            assert "is damaged: " in refusal(tmp_path)
        (tmp_path / name).write_bytes(whole[:-1])
        assert "is damaged: " in refusal(tmp_path)
        (tmp_path / name).write_bytes(whole)
    with closing(Journal(tmp_path)) as journal:
        check(tmp_path, journal)


def test_file_over_its_limit_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Journal(tmp_path)) as journal:
        append(journal)
        append(journal)
    # The content is right, so that only its length can be refused.
    for limit, name in (("ENTRY_LIMIT", "1.json"), ("STATE_LIMIT", "1.state")):
        size = (tmp_path / name).stat().st_size
        with monkeypatch.context() as patched:
            patched.setattr(journals, limit, size)
            read_entry(tmp_path, 1)
            patched.setattr(journals, limit, size - 1)
            with pytest.raises(DecodeError, match=f"{name} has more than {size - 1:,} bytes"):
                read_entry(tmp_path, 1)


def test_lost_state_is_one_error_and_not_a_read_without_it(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        append(journal)
        append(journal)
    (tmp_path / "1.state").unlink()
    with pytest.raises(DecodeError, match="it has no state 1"):
        read_entry(tmp_path, 1)


def test_entries_behind_a_gap_are_the_journal(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        for _ in range(5):
            append(journal)
    (tmp_path / "2.json").unlink()
    with closing(Journal(tmp_path)) as journal:
        assert (journal.first, journal.next) == (3, 5)
        check(tmp_path, journal)
    with pytest.raises(ConfigError, match="has no entry 2"):
        read_entry(tmp_path, 2)


@pytest.mark.parametrize("name", ["0.json", "1.state", "lock"])
@pytest.mark.parametrize("kind", ["link", "fifo"])
def test_links_and_fifos_in_a_journal_are_refused_at_once(
    tmp_path: Path, name: str, kind: str
) -> None:
    place, victim = tmp_path / "journal", tmp_path / "victim"
    with closing(Journal(place)) as journal:
        append(journal)
    victim.write_bytes((place / name).read_bytes())
    (place / name).unlink()
    if kind == "link":
        (place / name).symlink_to(victim)
    else:
        os.mkfifo(place / name)
    with pytest.raises((OSError, ConfigError)), closing(Journal(place)):
        pass


def test_a_link_where_a_file_will_be_is_replaced_and_its_target_left_alone(tmp_path: Path) -> None:
    place, victim = tmp_path / "journal", tmp_path / "victim"
    victim.write_bytes(b"mine")
    with closing(Journal(place)) as journal:
        for name in ("1.state", ".1.state", ".0.json"):
            (place / name).symlink_to(victim)
        append(journal)
        check(place, journal)
    assert victim.read_bytes() == b"mine"


def test_files_of_a_journal_are_for_their_owner_only(tmp_path: Path) -> None:
    with closing(Journal(tmp_path)) as journal:
        append(journal)
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o600}
