"""The engine runs operations without I/O and by a clock that the test controls."""

import gc
import math
import weakref
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jvmwire._runtime import connection
from jvmwire._runtime.engine import Engine
from jvmwire._runtime.operations import (
    NOTHING,
    Call,
    Close,
    Emit,
    EndOfMessages,
    Future,
    Gather,
    Join,
    Listen,
    Mailbox,
    NewMailbox,
    Now,
    Open,
    Operation,
    OperationStream,
    Receive,
    Sleep,
    Spawn,
    Task,
    WaitClosed,
    WallTime,
)
from jvmwire.errors import (
    CallCancelled,
    CallTimeout,
    ClientClosed,
    ConnectFailed,
    ConnectionLost,
    RemoteProtocolError,
    ServerError,
    StateError,
)
from jvmwire.options import Limits
from jvmwire.transports import Tcp
from kit.echo_session import Batch, Echo, EchoSession, Kind, frame

ENDPOINT = Tcp("192.0.2.1", 7)
WALL_TIME = 1_700_000_000.5


class Driven:
    """Engine with an open connection, and the clock."""

    def __init__(self, *, heartbeat: float | None = None, **limits: int) -> None:
        self._heartbeat = heartbeat
        self.engine = Engine(
            limits=Limits(**limits), dispatch=lambda _mailbox: None, wall_time=lambda: WALL_TIME
        )
        self.now = 0.0
        opening = self.start(self._open())
        [connection] = self.engine.opening
        self.engine.opening.clear()
        self.engine.connected(connection, self.now)
        self.written(connection)
        self.engine.received(connection, frame(Kind.HELLO, 0), self.now)
        assert opening.result is connection
        self.connection = connection

    def _open(self) -> Operation[Any]:
        return (yield Open(ENDPOINT, EchoSession(heartbeat=self._heartbeat), 5.0))

    def start(self, operation: Any, timeout: float | None = None) -> Task:
        return self.engine.start(operation, "test", self.now, timeout, lambda _task: None)

    def hear(self, data: bytes) -> None:
        self.engine.received(self.connection, data, self.now)

    def written(self, connection: Any = None) -> bytes:
        """Return the bytes that the driver would write now."""
        connection = connection or self.connection
        self.engine.dirty.pop(connection, None)
        return bytes(connection.session.data_to_send(self.now))

    def wait(self, seconds: float) -> None:
        """Advance the clock, as a driver does: it returns when a timer is due."""
        end = self.now + seconds
        while self.engine.due <= end:
            self.now = max(self.now, self.engine.due)
            self.engine.handle_timeout(self.now)
        self.now = end


def call(connection: Any, payload: bytes = b"x", **options: Any) -> Operation[Any]:
    return (yield Call(connection, Echo(payload, **options)))


def test_operation_reads_the_time_of_its_driver():
    driven = Driven()

    def times() -> Operation[list[float]]:
        first = yield Now()
        yield Sleep(2.0)
        return [first, (yield Now()), (yield WallTime())]

    task = driven.start(times())
    driven.wait(3.0)
    assert task.result == [0.0, 2.0, WALL_TIME]


def test_a_sleeping_task_goes_on_when_its_time_has_come():
    driven = Driven()

    def sleeper(seconds: float) -> Operation[float]:
        yield Sleep(seconds)
        return seconds

    late, soon = driven.start(sleeper(2.0)), driven.start(sleeper(1.0))
    driven.wait(1.5)
    assert (late.done, soon.result) == (False, 1.0)
    driven.wait(1.0)
    assert late.result == 2.0
    assert driven.engine.due >= 5.0  # the time that connecting might have taken; nothing else


def test_a_task_that_is_joined_hands_on_what_it_returns_or_raises():
    driven = Driven()

    def work(result: int) -> Operation[int]:
        yield Sleep(1.0)
        if result < 0:
            raise ValueError("below zero")
        return result

    def boss(result: int) -> Operation[Any]:
        task = yield Spawn(work(result), "work")
        return (yield Join(task))

    good, bad = driven.start(boss(1)), driven.start(boss(-1))
    driven.wait(1.0)
    assert good.result == 1
    assert isinstance(bad.error, ValueError)


def test_who_gathers_is_sent_all_results_in_order_once_the_last_is_there():
    driven = Driven()

    def work(seconds: float) -> Operation[float]:
        yield Sleep(seconds)
        return seconds

    def boss(*seconds: float) -> Operation[Any]:
        return (yield Gather([work(each) for each in seconds]))

    nobody, some = driven.start(boss()), driven.start(boss(2.0, 1.0, 3.0))
    assert nobody.result == []
    driven.wait(2.5)
    assert not some.done
    driven.wait(1.0)
    assert some.result == [2.0, 1.0, 3.0]


def test_what_those_gathered_returned_is_kept_by_nothing_but_the_result():
    driven = Driven()

    class Large:
        """Object that stands for a large amount of memory."""

    def work() -> Operation[Large]:
        yield from call(driven.connection)
        return Large()

    def boss() -> Operation[Any]:
        return (yield Gather([work(), work()]))

    gc.collect()
    gc.disable()
    try:
        gathering = driven.start(boss())
        driven.hear(driven.written())
        kept = [weakref.ref(each) for each in gathering.result]
        del gathering
        assert [ref() for ref in kept] == [None, None]
    finally:
        gc.enable()


def test_the_first_error_of_those_gathered_is_thrown_when_all_are_done():
    driven = Driven()
    done = []

    def work(number: int) -> Operation[None]:
        yield Sleep(float(number))
        done.append(number)
        if number in {1, 2}:
            raise ValueError(number)

    def boss() -> Operation[Any]:
        yield Gather([work(3), work(2), work(1)])

    gathering = driven.start(boss())
    driven.wait(2.5)
    assert not gathering.done
    driven.wait(1.0)
    assert done == [1, 2, 3]
    assert isinstance(gathering.error, ValueError)
    assert gathering.error.args == (2,)


@pytest.mark.parametrize("end", ["its deadline", "cancel", "close"])
def test_those_gathered_end_with_who_gathers_them(end: str):
    driven = Driven()
    ends = []

    def work() -> Operation[None]:
        try:
            yield from call(driven.connection)
        except (CallCancelled, CallTimeout, ClientClosed) as error:
            ends.append(error)
            raise

    def boss() -> Operation[Any]:
        return (yield Gather([work(), work(), work()]))

    gathering = driven.start(boss(), timeout=1.0)
    assert len(driven.connection.calls) == 3
    if end == "its deadline":
        driven.wait(1.5)
        assert isinstance(gathering.error, CallTimeout)
    elif end == "cancel":
        driven.engine.cancel(gathering, driven.now)
    else:
        driven.engine.close(driven.now)
    assert gathering.done
    assert len(ends) == 3
    assert not driven.connection.calls
    assert not driven.engine.busy


def test_replies_to_those_that_ended_with_who_gathered_them_are_dropped_and_counted():
    driven = Driven()

    def boss() -> Operation[Any]:
        return (yield Gather([call(driven.connection), call(driven.connection)]))

    gathering = driven.start(boss())
    driven.hear(frame(Kind.CALL, 1, b"x"))
    driven.engine.cancel(gathering, driven.now)
    driven.hear(frame(Kind.CALL, 2, b"x"))
    assert driven.connection.late_replies == 1
    assert driven.connection.alive


def test_who_joins_late_is_told_all_the_same():
    driven = Driven()

    def work() -> Operation[int]:
        return 1
        yield

    def boss() -> Operation[Any]:
        task = yield Spawn(work(), "work")
        yield Sleep(1.0)
        return (yield Join(task))

    joined = driven.start(boss())
    driven.wait(1.0)
    assert joined.result == 1


def test_a_task_that_awaits_the_loss_of_a_connection_is_told_why():
    driven = Driven()

    def mourner() -> Operation[Any]:
        return (yield WaitClosed(driven.connection))

    before = driven.start(mourner())
    driven.engine.lost(driven.connection, ConnectionLost("gone"), driven.now)
    after = driven.start(mourner())
    assert str(before.result) == str(after.result) == "gone"


def test_a_connection_that_we_close_fails_its_calls_and_is_given_back():
    driven = Driven()
    waiting = driven.start(call(driven.connection))

    def closer() -> Operation[None]:
        yield Close(driven.connection)

    assert driven.start(closer()).done
    assert isinstance(waiting.error, StateError)
    assert driven.engine.closing == [driven.connection]


def test_a_task_past_its_deadline_is_told_and_may_clean_up_but_not_go_on():
    driven = Driven()
    told: list[str] = []

    def stubborn() -> Operation[None]:
        try:
            yield Call(driven.connection, Echo(b"x"))
        except CallTimeout as error:
            told.append(str(error))
            yield Sleep(1.0)  # not within its time
            told.append("went on")

    task = driven.start(stubborn(), timeout=2.0)
    driven.wait(10.0)
    assert told == ["no answer to test in 2 s"]
    assert isinstance(task.error, CallTimeout)


def test_the_reply_to_a_call_given_up_is_dropped_and_counted():
    driven = Driven()
    driven.start(call(driven.connection), timeout=1.0)
    driven.wait(1.0)
    driven.hear(frame(Kind.CALL, 1, b"x"))
    assert driven.connection.late_replies == 1
    assert driven.connection.alive
    driven.hear(frame(Kind.CALL, 1, b"x"))  # a second reply is an error
    assert isinstance(driven.connection.failure, RemoteProtocolError)


def undone_call(driven: Driven, kind: Kind = Kind.CALL) -> Operation[Any]:
    """Call; a reply that arrives after the call was given up is undone by another call."""

    def undo(reply: bytes) -> Operation[Any]:
        return (yield Call(driven.connection, Echo(b"undo " + reply)))

    return (yield Call(driven.connection, Echo(b"x", kind=kind), on_abandoned_reply=undo))


def test_the_reply_to_a_call_given_up_is_undone():
    driven = Driven()
    late = driven.start(undone_call(driven), timeout=1.0)
    driven.written()
    driven.wait(1.0)
    assert (type(late.error), driven.written()) == (CallTimeout, b"")
    driven.hear(frame(Kind.CALL, 1, b"x"))
    assert driven.connection.late_replies == 1
    assert driven.written() == frame(Kind.CALL, 2, b"undo x")
    assert not driven.engine.busy  # closing the client does not wait for it
    driven.hear(frame(Kind.CALL, 2, b"undo x"))
    assert (driven.connection.alive, driven.connection.calls) == (True, {})


def test_the_reply_that_a_task_is_cancelled_over_is_undone():
    driven = Driven()
    task = driven.start(undone_call(driven))
    driven.written()
    driven.hear(frame(Kind.CALL, 1, b"x"))
    assert (task.done, driven.written()) == (True, b"")
    driven.engine.cancel(task, driven.now)
    driven.engine.cancel(task, driven.now)  # the second has no effect
    assert driven.written() == frame(Kind.CALL, 2, b"undo x")


def test_a_refusal_undoes_itself():
    driven = Driven()
    soon = driven.start(undone_call(driven, Kind.REFUSE))
    driven.start(undone_call(driven, Kind.REFUSE), timeout=1.0)
    driven.written()
    driven.hear(frame(Kind.REFUSE, 1, b"no"))
    driven.engine.cancel(soon, driven.now)
    driven.wait(1.0)
    driven.hear(frame(Kind.REFUSE, 2, b"no"))
    assert (type(soon.error), driven.connection.late_replies) == (ServerError, 1)
    assert driven.written() == b""


def test_what_undoes_calls_without_a_reply_is_kept_for_no_more_than_a_bound(monkeypatch):
    monkeypatch.setattr(connection, "MAX_ABANDONED", 2)
    driven = Driven()
    for _ in range(3):
        driven.engine.cancel(driven.start(undone_call(driven)), driven.now)
    driven.written()
    for number in (2, 3):
        driven.hear(frame(Kind.CALL, number, b"x"))
    assert driven.written() == b"".join(frame(Kind.CALL, at, b"undo x") for at in (4, 5))
    driven.hear(frame(Kind.CALL, 1, b"x"))
    assert driven.written() == b""


def test_calls_that_wait_for_room_go_out_in_order():
    driven = Driven(calls=1)
    tasks = [driven.start(call(driven.connection, b"%d" % i)) for i in range(3)]
    assert driven.written() == frame(Kind.CALL, 1, b"0")
    driven.hear(frame(Kind.CALL, 1, b"0"))
    assert driven.written() == frame(Kind.CALL, 2, b"1")
    assert [task.done for task in tasks] == [True, False, False]


def test_a_call_cancelled_while_it_waits_for_room_never_goes_out():
    driven = Driven(calls=1)
    first, second, third = (driven.start(call(driven.connection, b"%d" % i)) for i in range(3))
    driven.engine.cancel(second, driven.now)
    driven.hear(frame(Kind.CALL, 1, b"0"))
    assert driven.written() == frame(Kind.CALL, 1, b"0") + frame(Kind.CALL, 2, b"2")
    assert (first.done, second.done, third.done) == (True, True, False)


def test_a_batch_is_done_when_its_last_reply_came_in_pieces_of_any_size():
    driven = Driven()
    payloads = np.arange(6, dtype=np.uint8).reshape(3, 2)

    def batch() -> Operation[Any]:
        return (yield Call(driven.connection, Batch(payloads)))

    task = driven.start(batch())
    replies = driven.written()
    driven.hear(replies[:20])
    assert not task.done
    driven.hear(replies[20:])
    assert (np.concatenate(task.result) == payloads).all()


def test_a_handshake_that_takes_too_long_is_a_failed_connection():
    driven = Driven()

    def opener() -> Operation[Any]:
        return (yield Open(ENDPOINT, EchoSession(), 3.0))

    task = driven.start(opener())
    driven.wait(3.0)
    assert isinstance(task.error, ConnectFailed)
    assert "no handshake with 192.0.2.1:7 in 3 s" in str(task.error)


def test_a_connection_that_is_lost_is_kept_by_nothing():
    driven = Driven()
    kept = weakref.ref(driven.connection)
    driven.engine.lost(driven.connection, ConnectionLost("gone"), driven.now)
    assert driven.engine.closing == [kept()]
    driven.engine.closing.clear()
    del driven.connection
    gc.collect()
    assert kept() is None


def test_a_refusal_is_thrown_into_the_operation_which_may_go_on():
    driven = Driven()

    def asker() -> Operation[tuple[str, bytes]]:
        try:
            yield Call(driven.connection, Echo(b"no", Kind.REFUSE))
        except ServerError as error:
            return str(error), (yield Call(driven.connection, Echo(b"another way")))
        return "not refused", b""

    task = driven.start(asker())
    driven.hear(driven.written())
    driven.hear(driven.written())
    assert task.result == ("no", b"another way")


def test_an_idle_connection_says_something_each_interval_all_day():
    driven = Driven(heartbeat=10.0)
    beats = []
    while driven.now < 86_400.0:
        assert driven.engine.due <= driven.now + 10.0
        driven.now = driven.engine.due
        driven.engine.handle_timeout(driven.now)
        if driven.engine.dirty:
            beats.append(driven.now)
            driven.engine.dirty.clear()
            said = bytes(driven.engine.data_to_send(driven.connection, driven.now))
            assert said == frame(Kind.HEARTBEAT, 0)
            driven.hear(said)
    assert beats == [10.0 * number for number in range(1, 8_641)]


def test_a_mailbox_hands_over_what_came_before_and_after_it_was_asked():
    driven = Driven()

    def listener() -> Operation[list[bytes]]:
        mailbox: Mailbox = yield NewMailbox()
        yield Listen(driven.connection, 7, mailbox)
        yield Sleep(1.0)
        received = [(yield Receive(mailbox)), (yield Receive(mailbox))]
        yield Listen(driven.connection, 7, None)
        mailbox.end()
        try:
            yield Receive(mailbox)
        except EndOfMessages:
            received.append(b"end")
        return received

    task = driven.start(listener())
    driven.hear(frame(Kind.PUSH, 7, b"before"))
    driven.wait(1.0)
    driven.hear(frame(Kind.PUSH, 7, b"after"))
    assert task.result == [b"before", b"after", b"end"]
    driven.hear(frame(Kind.PUSH, 7, b"nobody listens"))
    assert driven.engine.unrouted_pushes == 1


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("broken", [False, True])
def test_who_waits_for_a_promise_is_told_what_became_of_it(*, early: bool, broken: bool):
    driven, promise = Driven(), Future()

    def settle() -> Operation[None]:
        yield from ()
        if broken:
            promise.set_exception(ServerError("no"))
        else:
            promise.set_result(7)

    def wait() -> Operation[Any]:
        return (yield promise)

    first, second = (settle, wait) if early else (wait, settle)
    tasks = [driven.start(first()), driven.start(second())]
    waiting = tasks[early]
    assert [task.done for task in tasks] == [True, True]
    assert (waiting.result, str(waiting.error)) == ((None, "no") if broken else (7, "None"))


def test_who_gave_up_on_a_promise_is_told_nothing_when_it_is_kept():
    driven, promise = Driven(), Future()

    def wait() -> Operation[Any]:
        return (yield promise)

    def keep() -> Operation[None]:
        yield from ()
        promise.set_result()

    waiting = driven.start(wait(), timeout=1.0)
    driven.wait(1.0)
    assert isinstance(waiting.error, CallTimeout)
    assert driven.start(keep()).done
    assert isinstance(waiting.error, CallTimeout)


def test_an_operation_that_waits_for_nothing_goes_on_before_others_begin():
    driven = Driven()
    done: list[str] = []

    def other() -> Operation[None]:
        done.append("other")
        yield from ()

    def operation() -> Operation[None]:
        yield Spawn(other(), "other")
        mailbox: Mailbox = yield NewMailbox()
        yield Listen(driven.connection, 7, mailbox)
        done.append("operation")

    assert driven.start(operation()).done
    assert done == ["operation", "other"]


def test_an_emission_waits_until_the_next_value_is_asked_for():
    driven = Driven()
    asked: list[int] = []

    def numbers() -> OperationStream[int]:
        for number in range(2):
            asked.append(number)
            yield Emit(number)

    task = driven.start(numbers(), timeout=1.0)
    driven.wait(100.0)  # the reader has no deadline
    assert (task.emitted, asked) == (0, [0])
    driven.engine.resume_stream(task, driven.now)
    assert (task.emitted, asked) == (1, [0, 1])
    driven.engine.resume_stream(task, driven.now)
    assert (task.done, task.emitted) == (True, NOTHING)


@pytest.mark.parametrize("broken", [ValueError("no"), KeyError("x"), RecursionError()], ids=repr)
def test_what_a_session_stumbles_over_ends_its_connection_alone(broken: Exception):
    driven = Driven()

    def stumble() -> Callable[[], Any]:
        raise broken

    driven.connection.session._next_event = stumble
    task = driven.start(call(driven.connection))
    driven.hear(b"x")
    assert isinstance(task.error, RemoteProtocolError)
    assert driven.engine.due < math.inf
