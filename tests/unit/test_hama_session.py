"""Hama's session of a child: what the document shows, and what Hama may say instead."""

import pytest

from jvmwire import LocalProtocolError, RemoteProtocolError
from jvmwire.errors import ConfigError
from jvmwire.hama import NotALine, SyncFailed
from jvmwire.hama.commands import Abort, Clear, Count, Finish, Log, Read, Receive, Send, Sync, Write
from jvmwire.hama.conf import Conf, conf_of
from jvmwire.hama.ops import Op
from jvmwire.hama.session import HamaSession, Phase
from jvmwire.sansio import Opened, Pushed, Reply

# The document's dialogue, comments off.
OPENING = b"%0%=\n0\n%1%=\n2\nhama.bsp.child.opts\n-Xmx512m\n"


def in_setup(**options):
    session = HamaSession(**options)
    session.receive_data(OPENING + b"%3%=\n")
    assert list(session.events()) == [Opened(), Pushed("phase", Phase.SETUP)]
    assert bytes(session.data_to_send(0.0)) == b"%ACK_0%=\n"
    return session


def wrote(session):
    return bytes(session.data_to_send(0.0))


def answers(session, data):
    session.receive_data(data)
    return [event.message for event in session.events()]


def test_the_documents_dialogue_is_had():
    session = in_setup()
    assert session.conf == {"hama.bsp.child.opts": "-Xmx512m"}
    for phase, number in ((Phase.BSP, 4), (Phase.CLEANUP, 5)):
        session.send(Finish())
        assert wrote(session) == b"%%ACK_%d%%=\n" % (number - 1)
        session.receive_data(b"%%%d%%=\n" % number)
        assert list(session.events()) == [Pushed("phase", phase)]
    session.send(Finish())
    assert wrote(session) == b"%ACK_5%=\n%22%=\n%21%=\n"
    assert session.is_finished


def test_what_java_does_not_send_before_the_ack_is_not_waited_for():
    session = HamaSession()
    session.receive_data(OPENING)
    assert list(session.events()) == []
    assert wrote(session) == b"%ACK_0%=\n"


def test_a_value_of_many_lines_is_put_together():
    session = HamaSession()
    session.receive_data(b"%0%=\n0\n%1%=\n6\na.b\none\ntwo\n%3%=x\nc.d\n\ne.f\n x \n%3%=\n")
    assert next(session.events()) == Opened()
    assert session.conf == {"a.b": "one\ntwo\n%3%=x", "c.d": "", "e.f": " x "}


def test_settings_are_read_as_hadoop_does():
    conf = Conf({"a.b": "${c.d}/x", "c.d": "7", "t.f": "TRUE", "s.x": "${s.x}", "n": "${gone}"})
    assert conf.expanded("a.b") == "7/x"
    assert conf.expanded("n") == "${gone}"
    assert conf.expanded("s.x") == "${s.x}"
    assert (conf.get_int("c.d"), conf.get_int("none"), conf.get_int("none", 5)) == (7, None, 5)
    assert (conf.get_bool("t.f"), conf.get_bool("c.d"), conf.get_bool("no", True)) == (
        True,
        None,
        True,
    )


def test_more_surplus_than_can_be_is_dropped():
    lines = ["a.b", "1", *["x"] * 100]
    assert conf_of(lines, 2) == {"a.b": "1"}


@pytest.mark.parametrize(
    "opening",
    [b"%5%=\n0\n%1%=\n0\n", b"%0%=\n1\n%1%=\n0\n", b"%0%=\n0\n%1%=\n3\n", b"%0%=\n0\n%1%=\n-2\n",
     b"%0%=\n0\n%2%=\n2\n", b"%0%=\n0\n%1%=\n99999999999\n"],
)  # fmt: skip
def test_another_beginning_is_refused(opening):
    session = HamaSession()
    session.receive_data(opening)
    with pytest.raises(RemoteProtocolError):
        list(session.events())


def test_a_phase_out_of_order_is_refused():
    session = in_setup()
    session.send(Finish())
    session.receive_data(b"%5%=\n")
    with pytest.raises(RemoteProtocolError, match="BSP"):
        list(session.events())


def test_answers_come_in_the_order_of_what_was_asked():
    session = in_setup()
    session.send(Read(2), 1)
    session.send(Count(Op.GET_MSG_COUNT), 2)
    session.send(Receive(2), 3)
    session.send(Clear(), 4)
    session.send(Count(Op.GET_PEER_COUNT), 5)
    assert wrote(session) == b"%6%=\n%6%=\n%9%=\n%8%=\n%8%=\n%18%=\n%15%=\n"
    heard = b"k\nv\n%%-1%%\n%%-1%%\n2\n\nabcd\0\0\n\x123\n"
    assert answers(session, heard) == [[("k", "v")], 2, ["", "abcd"], None, 3]


def test_nuls_at_the_end_are_kept_if_asked_to():
    session = in_setup(keep_nuls=True)
    session.send(Receive(1), 1)
    assert answers(session, b"abcd\0\0\n") == [["abcd\0\0"]]


@pytest.mark.parametrize("text", ["a\nb", "a\rb", "\n%ACK_4%="])
def test_a_line_end_in_a_value_is_refused_or_escaped(text):
    session = in_setup()
    for command in (Send("p", [text]), Write([(text, "v")]), Write([("k", text)]), Send(text, [1])):
        with pytest.raises(NotALine):
            session.send(command)
    assert wrote(session) == b""
    escaping = in_setup(escape=True)
    escaping.send(Send("p", [f"{text}\\n"]))
    [message] = wrote(escaping).split(b"\n")[2:-1]
    escaping.send(Receive(1), 1)
    assert answers(escaping, message + b"\n") == [[f"{text}\\n"]]


def test_logs_are_a_line_each_by_the_number_of_the_version():
    session = in_setup()
    session.send(Log("one\ntwo = 2\n"))
    assert wrote(session) == b"%31%=one\n%31%=two = 2\n"
    old = in_setup(table="0.6.0")
    old.send(Log("one"))
    assert wrote(old) == b"%25%=one\n"
    with pytest.raises(ConfigError):
        HamaSession(table="0.5.0")


def test_any_answer_to_sync_but_success_is_a_failure():
    session = in_setup()
    session.send(Sync(), 1)
    session.send(Sync(), 2)
    first, second = answers(session, b"%11%=_SUCCESS\n%11%=_FAILED\n")
    assert first is None
    assert isinstance(second, SyncFailed)


def test_nothing_is_asked_between_phases_nor_after_an_abort():
    session = in_setup()
    session.send(Read(1), 1)
    with pytest.raises(LocalProtocolError, match="have not come"):
        session.send(Finish())
    assert answers(session, b"k\nv\n") == [[("k", "v")]]
    session.send(Finish())
    with pytest.raises(LocalProtocolError, match="outside"):
        session.send(Read(1), 2)
    session.send(Abort())
    assert wrote(session).endswith(b"%20%=\n")


@pytest.mark.parametrize(
    ("command", "heard"),
    [
        (Count(Op.GET_PEER_COUNT), b"many\n"),
        (Count(Op.GET_PEER_COUNT), b"-1\n"),
        (Clear(), b"1"),
    ],
)
def test_an_answer_that_is_none_is_the_peers_fault(command, heard):
    session = in_setup()
    session.send(command, 1)
    session.receive_data(heard)
    with pytest.raises(RemoteProtocolError):
        list(session.events())


def test_what_was_not_asked_for_is_the_peers_fault():
    session = in_setup()
    session.receive_data(b"surprise\n")
    with pytest.raises(RemoteProtocolError, match="surprise"):
        list(session.events())


def test_an_answer_is_what_it_is():
    session = in_setup()
    session.send(Receive(1), 7)
    session.receive_data(b"%%-1%%\n")
    # A message may look so: who asks for messages asks for their count before.
    assert list(session.events()) == [Reply(7, ["%%-1%%"])]
