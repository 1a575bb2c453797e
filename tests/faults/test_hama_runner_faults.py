"""A child whose task breaks off, at any byte: it ends, and reports that; nothing waits forever."""

import io
import os
import select
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from jvmwire._runtime.session import Opened, Pushed
from jvmwire.hama import BSP, BSPOptions, BSPPeer
from jvmwire.hama._commands import Step
from jvmwire.hama._runner import TaskRunner
from jvmwire.hama._session import HamaTaskSession, SendLines, StartStep
from jvmwire.transports._pipes import PipeTransport

SOON = 60.0
QUIET = 100
"""Milliseconds of silence after which the task ends: it may have been misunderstood."""

STEPS = {"3": Step.BSP, "4": Step.CLEANUP}
ANSWERS: dict[str, SendLines] = {
    "READ_KEYVALUE": SendLines(("%%-1%%", "%%-1%%")),
    "GET_MSG_COUNT": SendLines(("2",)),
    "SYNC": SendLines(("%11%=_SUCCESS",)),
    "GET_ALL_PEERNAME": SendLines(("1", "local:0")),
    "GET_PEER_INDEX": SendLines(("0",)),
    "CLEAR": SendLines(None),
}


class Everything(BSP):
    """Task that uses every operation with a reply, and notes when it was done."""

    done = False

    def bsp(self, peer: BSPPeer) -> None:
        peer.send(peer.peer_name(), "hi")
        peer.sync()
        assert list(peer.messages()) == ["a message", "a message"]
        peer.clear()
        assert peer.read_next() is None
        peer.write("key", "value")

    def cleanup(self, _peer: BSPPeer) -> None:
        self.done = True


class Talk:
    """A child in a thread, and its task, which sends no more than it is allowed."""

    def __init__(self, spoil: Callable[[bytes], bytes]) -> None:
        """`spoil` gets all bytes of the task so far, and returns those to send."""
        self._spoil = spoil
        self.said = b""
        self.heard = b""
        self.status: int | None = None
        self.bsp = Everything()

    def have(self) -> None:
        """Run the conversation to its end."""
        child_read, task_write = os.pipe()
        task_read, child_write = os.pipe()
        transport = PipeTransport(io.FileIO(child_read), io.FileIO(child_write, "w"))
        child = threading.Thread(
            target=self._run, args=(TaskRunner(transport, self._make, BSPOptions()),)
        )
        child.start()
        session = HamaTaskSession({"a.key": "a value"})
        messages = iter(["a message"] * 2)
        written = 0
        readable = select.poll()
        readable.register(task_read, select.POLLIN)
        with io.FileIO(task_read) as source, suppress(BrokenPipeError):
            with io.FileIO(task_write, "w") as sink:
                while True:
                    self.said += session.data_to_send(0.0)
                    allowed = self._spoil(self.said)
                    sink.write(allowed[written:])
                    written = len(allowed)
                    if len(allowed) < len(self.said) or not readable.poll(QUIET):
                        break
                    if not (data := source.read(1 << 16)):
                        break
                    self.heard += data
                    session.receive_data(data)
                    for event in session.events():
                        _answer(session, event, messages)
            self.heard += source.readall()
        child.join(SOON)
        assert not child.is_alive()

    def _make(self) -> BSP:
        return self.bsp

    def _run(self, runner: TaskRunner) -> None:
        self.status = runner.run()
        runner.close()


def _answer(session: HamaTaskSession, event: object, messages: Iterator[str]) -> None:
    match event:
        case Opened():
            session.send(StartStep(Step.SETUP))
        case Pushed("operation", ("ACK", step)) if step in STEPS:
            session.send(StartStep(STEPS[step]))
        case Pushed("operation", ("GET_MSG",)):
            session.send(SendLines((next(messages, "%%-1%%"),)))
        case Pushed("operation", (name, *_)) if name in ANSWERS:
            session.send(ANSWERS[name])


def cut_at(end: int) -> Callable[[bytes], bytes]:
    return lambda said: said[:end]


def with_other(at: int, byte: bytes) -> Callable[[bytes], bytes]:
    return lambda said: said if at >= len(said) else said[:at] + byte + said[at + 1 :]


@pytest.fixture(scope="module")
def whole():
    talk = Talk(lambda said: said)
    talk.have()
    assert (talk.status, talk.bsp.done) == (0, True)
    assert talk.heard.endswith(b"%ACK_5%=\n%22%=\n%21%=\n")
    return talk


def test_a_task_that_ends_at_any_byte_ends_its_child(whole):
    for end in range(len(whole.said)):
        talk = Talk(cut_at(end))
        talk.have()
        last = end >= whole.said.index(b"%5%=\n") + len(b"%5%=\n")
        assert (talk.status, talk.bsp.done) == (0 if last else 1, last), end
        assert b"%21%=" not in talk.heard or last


def test_corrupt_byte_never_hangs_or_exits_zero_silently(whole):
    for at in range(len(whole.said)):
        spoiled = bytes([whole.said[at] ^ 1])
        talk = Talk(with_other(at, spoiled))
        talk.have()
        # The meaning of a changed value is the task's concern; but success means that all was sent.
        assert talk.status == (0 if talk.heard.endswith(b"%21%=\n") else 1), at
