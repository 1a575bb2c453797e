"""Hama streaming without I/O: the document's dialogues, and forbidden messages."""

import pytest

from jvmwire._runtime.session import Closed, Opened, Pushed, Reply, State
from jvmwire.errors import ConfigError, RemoteProtocolError
from jvmwire.hama._commands import (
    Abort,
    Acknowledge,
    BufferedOperations,
    Clear,
    GetAllPeerNames,
    GetCount,
    GetMessages,
    GetPeerName,
    Log,
    ReadKeyValues,
    ReopenInput,
    Step,
    Sync,
)
from jvmwire.hama._configuration import JobConfiguration
from jvmwire.hama._session import HamaChildSession, HamaTaskSession, SendLines, StartStep
from jvmwire.hama.errors import SyncFailed
from kit.environment import ROOT

SEED = ROOT / "tests" / "vectors" / "hama" / "seed"
TASK = (SEED / "task.txt").read_bytes()
CHILD = (SEED / "child.txt").read_bytes()


def opened(**options):
    session = HamaChildSession(**options)
    session.receive_data(b"%0%=\n0\n%1%=\n0\n%3%=\n")
    assert list(session.events()) == [Opened(), Pushed("step", Step.SETUP)]
    assert bytes(session.data_to_send(0)) == b"%ACK_0%=\n"
    return session


def answered(command, data, **options):
    session = opened(**options)
    session.send(command, 7)
    session.receive_data(data)
    return list(session.events())


def written(command, **options):
    session = opened(**options)
    session.send(command, 7)
    return bytes(session.data_to_send(0))


def test_the_documents_dialogue_is_had_to_its_end():
    session = HamaChildSession()
    said = b""
    for line in TASK.splitlines(keepends=True):
        session.receive_data(line)
        for event in session.events():
            if isinstance(event, Pushed):
                session.send(Acknowledge(event.message))
        said += session.data_to_send(0)
    assert said == CHILD
    assert dict(session.configuration) == {"hama.bsp.child.opts": "-Xmx512m"}


def test_the_task_has_the_documents_dialogue_too():
    session = HamaTaskSession({"hama.bsp.child.opts": "-Xmx512m"})
    said = bytes(session.data_to_send(0))
    for line in CHILD.splitlines(keepends=True):
        session.receive_data(line)
        for event in session.events():
            match event:
                case Opened():
                    session.send(StartStep(Step.SETUP))
                case Pushed("operation", ("ACK", "3")):
                    session.send(StartStep(Step.BSP))
                case Pushed("operation", ("ACK", "4")):
                    session.send(StartStep(Step.CLEANUP))
        said += session.data_to_send(0)
    assert said == TASK


@pytest.mark.parametrize(
    ("command", "wire"),
    [
        (ReadKeyValues(2), b"%6%=\n%6%=\n"),
        (GetMessages(2), b"%8%=\n%8%=\n"),
        (GetCount("GET_MSG_COUNT"), b"%9%=\n"),
        (GetCount("GET_PEER_INDEX"), b"%14%=\n"),
        (GetCount("GET_PEER_COUNT"), b"%15%=\n"),
        (GetCount("GET_SUPERSTEP_COUNT"), b"%16%=\n"),
        (Sync(), b"%11%=\n"),
        (GetAllPeerNames(), b"%12%=\n"),
        (GetPeerName(-1), b"%13%=\n-1\n"),
        (ReopenInput(), b"%17%=\n"),
        (Clear(), b"%18%=\n"),
        (Log("one\ntwo"), b"%31%=one\n%31%=two\n"),
        (Abort(), b"%20%=\n"),
        (BufferedOperations(b"%7%=\nk\nv\n"), b"%7%=\nk\nv\n"),
        (Acknowledge(Step.BSP), b"%ACK_4%=\n"),
    ],
)
def test_commands_are_written_as_the_document_says(command, wire):
    assert written(command) == wire


def test_the_early_table_logs_by_25_and_the_default_never_writes_it():
    assert written(Log("text"), hama_0_6=True) == b"%25%=text\n"
    assert b"%25%" not in written(Log("%25%=")).replace(b"%31%=%25%=", b"")


@pytest.mark.parametrize(
    ("command", "data", "message"),
    [
        (ReadKeyValues(1), b"0\na line\n", ["0", "a line"]),
        (ReadKeyValues(1), b"%%-1%%\n%%-1%%\n", ["%%-1%%", "%%-1%%"]),
        (GetMessages(2), b"\nhello\n", ["", "hello"]),
        (GetMessages(1), b"%4%=\n", ["%4%="]),
        (GetCount("GET_MSG_COUNT"), b"12\n", 12),
        (Sync(), b"%11%=_SUCCESS\n", True),
        (GetAllPeerNames(), b"2\na:1\nb:2\n", ["a:1", "b:2"]),
        (GetPeerName(0), b"a:1\n", "a:1"),
        (Clear(), b"\x12", True),
    ],
)
def test_answers_are_understood_by_what_was_asked(command, data, message):
    assert answered(command, data) == [Reply(7, message)]


def test_the_padding_of_a_cluster_goes_unless_it_is_kept():
    assert answered(GetMessages(1), b"abcd\0\0\n") == [Reply(7, ["abcd"])]
    assert answered(GetMessages(1), b"abcd\0\0\n", strip_nul_padding=False) == [
        Reply(7, ["abcd\0\0"])
    ]


def test_the_byte_that_answers_clear_does_not_belong_to_the_next_answer():
    session = opened()
    session.send(Clear(), 1)
    session.send(GetCount("GET_MSG_COUNT"), 2)
    session.receive_data(b"\x120\n")
    assert list(session.events()) == [Reply(1, True), Reply(2, 0)]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"%0%=\n1\n", "protocol: '1' is not '0'"),
        (b"%1%=\n", "START: '%1%=' is not '%0%='"),
        (b"hello\n", "START: 'hello'"),
        (b"%0%=\n0\n%1%=\n3\n", "3 configuration items: a key has no value"),
        (b"%0%=\n0\n%1%=\n-2\n", "'-2' is not a count"),
        (b"%0%=\n0\n%1%=\n2147483647\n", "2147483647 configuration items are over the limit"),
        (b"%0%=\n0\n%1%=\nmany\n", "'many' is not a count"),
        (b"%0%=\n0\n%1%=\n0\n%3%=\n%5%=\n", "'%5%=', out of turn"),
        (b"%0%=\n0\n%1%=\n0\n%3%=\nan answer\n", "'an answer', out of turn"),
        (b"\xff\n", "UTF-8"),
    ],
)
def test_what_a_task_may_not_say_ends_the_conversation(data, why):
    session = HamaChildSession()
    session.receive_data(data)
    with pytest.raises(RemoteProtocolError, match=why.replace("(", r"\(")):
        list(session.events())
    assert session.state is State.CLOSED


@pytest.mark.parametrize("stated", [b"2\n", b"1000\n"], ids=["too few", "more than come"])
def test_a_configuration_takes_no_more_bytes_than_a_line_may(stated):
    session = HamaChildSession(limit=1000)
    session.receive_data(b"%0%=\n0\n%1%=\n" + stated + b"key\n" * 40)
    assert list(session.events()) == []
    session.receive_data(b"key\n" * 400)
    with pytest.raises(
        RemoteProtocolError, match="bytes of configuration are over the limit of 1000"
    ):
        list(session.events())


@pytest.mark.parametrize(
    ("command", "data", "kind"),
    [
        (Sync(), b"%11%=_FAILED\n", SyncFailed),
        (GetCount("GET_MSG_COUNT"), b"none\n", RemoteProtocolError),
        (GetAllPeerNames(), b"2147483647\n", RemoteProtocolError),
        (GetAllPeerNames(), b"-1\n", RemoteProtocolError),
        (Clear(), b"0", RemoteProtocolError),
    ],
)
def test_a_wrong_answer_is_named(command, data, kind):
    with pytest.raises(kind):
        answered(command, data)


def test_a_line_over_the_limit_is_refused_before_it_has_ended():
    session = HamaChildSession(limit=100)
    session.receive_data(b"x" * 101)
    with pytest.raises(RemoteProtocolError, match="over the limit of 100"):
        list(session.events())


def test_the_end_of_input_is_told_and_what_was_torn():
    session = opened()
    session.receive_data(b"half a li")
    session.receive_data(b"")
    assert list(session.events()) == [Closed(torn=9)]


def test_values_with_line_ends_do_not_shift_the_configuration():
    session = HamaChildSession()
    session.receive_data(
        b"%0%=\n0\n%1%=\n6\nfirst.key\none\ntwo words\n%4%=\nsecond.key\n\nthird\nlast\n%3%=\n"
    )
    assert list(session.events()) == [Opened(), Pushed("step", Step.SETUP)]
    assert dict(session.configuration) == {
        "first.key": "one\ntwo words\n%4%=",
        "second.key": "",
        "third": "last",
    }


def test_a_configuration_is_read_as_java_reads_it():
    configuration = JobConfiguration(
        {
            "dir": "/srv/${user}",
            "user": "bob",
            "deep": "${dir}/x",
            "unknown": "${nobody}",
            "round": "${round}!",
            "number": " 12 ",
            "hex": "0x1F",
            "flag": "TRUE",
            "text": "maybe",
        }
    )
    assert configuration["dir"] == "/srv/${user}"
    assert configuration.expanded("deep") == "/srv/bob/x"
    assert configuration.expanded("unknown") == "${nobody}"
    assert configuration.get("missing") is None
    assert configuration.get_int("number") == 12
    assert configuration.get_int("hex") == 31
    assert configuration.get_int("missing", 5) == 5
    assert configuration.get_bool("flag") is True
    assert configuration.get_bool("missing", False) is False
    with pytest.raises(ConfigError, match="nested deeper"):
        configuration.expanded("round")
    with pytest.raises(ConfigError, match="not an integer"):
        configuration.get_int("text")
    with pytest.raises(ConfigError, match="neither true nor false"):
        configuration.get_bool("text")
    with pytest.raises(KeyError):
        configuration["missing"]
    assert "bob" not in repr(configuration)
    secret = JobConfiguration({"number": "${password}", "password": "Zq7hush"})
    for read in (secret.get_int, secret.get_bool):
        with pytest.raises(ConfigError) as refused:
            read("number")
        assert str(refused.value).startswith("number is '${password}'")


def test_a_child_that_speaks_before_its_turn_is_told():
    session = HamaTaskSession({})
    session.receive_data(b"%11%=\n")
    with pytest.raises(RemoteProtocolError, match="SYNC before a step"):
        list(session.events())


def test_a_task_answers_lines_and_the_byte():
    session = HamaTaskSession({})
    session.data_to_send(0)
    session.receive_data(b"%ACK_0%=\n")
    assert list(session.events()) == [Opened()]
    session.send(SendLines(("a", "b")))
    session.send(SendLines(None))
    assert bytes(session.data_to_send(0)) == b"a\nb\n\x12"
