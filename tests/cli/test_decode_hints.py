"""Hints where no row matches a condition."""

import pytest

from jvmwire._cli import near_values
from jvmwire.capture import make_view, read_tables
from kit.captures import NAMENODE, WRITABLE
from kit.command import decode

CALLS = ("--table", "calls")


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("name = 'getFileInfo'", "values of name look like 'ClientProtocol.getFileInfo'"),
        ("name = 'clientprotocol.getfileinfo'", "look like 'ClientProtocol.getFileInfo'"),
        ("user LIKE 'alcie%'", "values of user look like 'alice'"),
        (
            "status = 'failed' AND user = 'alice'",
            "values of status look like 'fatal', 'ok', 'error'",
        ),
    ],
)
def test_a_condition_without_rows_names_near_values(where: str, said: str) -> None:
    done = decode(*CALLS, "--where", where, NAMENODE)
    assert done.stdout == b""
    [line] = done.stderr.splitlines()
    assert line.startswith("jvmwire: no row matched; ")
    assert said in line


@pytest.mark.parametrize("where", ["latency_us > 99999999", "user = 'alice' AND id = '999999999'"])
def test_a_condition_whose_values_are_there_is_said_not_to_match(where: str) -> None:
    done = decode(*CALLS, "--where", where, NAMENODE)
    assert done.stderr.startswith("jvmwire: no row matched")
    assert "alice" not in done.stderr


def test_a_pipe_is_not_read_again() -> None:
    done = decode(*CALLS, "--where", "user = 'x'", "-", stdin=WRITABLE.read_bytes())
    assert done.stderr == "jvmwire: no row matched\n"


def test_redacted_values_stay_redacted() -> None:
    done = decode(*CALLS, "--redact", "--where", "user = 'alice'", NAMENODE)
    assert "no row matched; values of user look like" in done.stderr
    assert "alice" not in done.stderr


def test_few_values_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_values, "MAX_VALUES", 3)
    view = make_view("calls", columns=["id"])
    batches = (batch for _, batch in read_tables(NAMENODE, [view]))
    assert len(near_values.distinct_values(batches, ["id"])["id"]) == 3
