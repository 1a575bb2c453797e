"""A transaction is kept open, and ended, despite failures of its controller; without a network."""

import asyncio
from collections.abc import Generator
from typing import Any, cast
from uuid import UUID

import pytest

from jvmwire._runtime.client import AsyncCaller, SyncCaller
from jvmwire._runtime.operations import Sleep
from jvmwire.errors import ConnectFailed, ConnectionLost, JvmWireError
from jvmwire.pravega.streams import _controller_pb2 as messages
from jvmwire.pravega.streams._transaction import (
    AsyncTransaction,
    Transaction,
    TransactionWriter,
)
from jvmwire.pravega.streams.errors import ControllerError

AWAY = ConnectFailed("away")
OK = messages.PingTxnStatus(status=messages.PingTxnStatus.OK)
ABORTED = messages.PingTxnStatus(status=messages.PingTxnStatus.ABORTED)


TAKEN = messages.TxnStatus(status=messages.TxnStatus.SUCCESS)
HAS_ABORTED = messages.TxnState(state=messages.TxnState.ABORTED)


class Controller:
    """Controller that replies from a list, and records the requests."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[str] = []

    def call(self, method: str, _: Any) -> Generator[Any, Any, Any]:
        yield from ()
        self.asked.append(method)
        answer = self.answers.pop(0)
        if isinstance(answer, JvmWireError):
            raise answer
        return answer


def begun(controller: Controller, *writers: Any) -> TransactionWriter:
    return TransactionWriter(
        cast("Any", controller),
        messages.StreamInfo(scope="scope", stream="stream"),
        UUID(int=7),
        lease=80.0,
        branches=[(cast("Any", type("Segment", (), {"high": 1.0})), each) for each in writers],
        writer_id="writer",
    )


def waits_between_pings(*answers: Any) -> list[float]:
    asked = list(begun(Controller(*answers)).keep_alive())
    return [each.seconds for each in asked if isinstance(each, Sleep)]


def test_a_transaction_is_kept_through_an_outage_and_soon_after_it():
    assert waits_between_pings(OK, AWAY, AWAY, OK, ABORTED) == [20.0, 20.0, 5.0, 5.0, 20.0]


@pytest.mark.parametrize("answer", [ABORTED, ControllerError("no")])
def test_a_transaction_that_has_ended_is_kept_no_longer(answer):
    assert waits_between_pings(OK, answer) == [20.0, 20.0]


class LostWriter:
    """Writer of a segment whose connection was lost with the events that it had."""

    accepted = 1

    def __init__(self) -> None:
        self.ended = False

    def await_acknowledgement(self, _: int) -> Generator[Any, Any, Any]:
        yield from ()
        raise ConnectionLost("lost")

    def end(self, _: JvmWireError) -> None:
        self.ended = True


class BusyWriter:
    """Writer of a segment that gets an event while another one waits."""

    def __init__(self, other: "BusyWriter | None" = None) -> None:
        self.accepted, self.acknowledged = 1, 0
        self._other = other

    def await_acknowledgement(self, number: int) -> Generator[Any, Any, Any]:
        yield from ()
        self.acknowledged = number
        if self._other is not None and self._other.accepted < 3:
            self._other.accepted += 1

    def end(self, _: JvmWireError) -> None:
        assert self.acknowledged == self.accepted


def carry_out(operation: Generator[Any, Any, Any]) -> Any:
    """Run an operation that waits for nothing."""
    with pytest.raises(StopIteration) as stop:
        next(operation)
    return stop.value.value


class Caller(SyncCaller):
    def _run(self, operation: Any, name: str) -> Any:
        del name
        return carry_out(operation)

    def _iterate(self, operation: Any, name: str) -> Any:
        raise NotImplementedError


class Awaiting(AsyncCaller):
    @property
    def _loop(self) -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    async def _run(self, operation: Any, name: str) -> Any:
        del name
        return carry_out(operation)

    def _iterate(self, operation: Any, name: str) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize("style", ["sync", "asyncio"])
@pytest.mark.parametrize(
    "answers", [[TAKEN, HAS_ABORTED], [AWAY]], ids=["aborted", "controller away"]
)
def test_a_context_whose_commit_fails_aborts_and_says_why_it_failed(style, answers):
    controller, writer = Controller(*answers), LostWriter()
    transaction = begun(controller, writer)

    async def leave_awaiting() -> None:
        async with AsyncTransaction(Awaiting(), transaction):
            pass

    def leave() -> None:
        with Transaction(Caller(), transaction):
            pass

    with pytest.raises(ConnectionLost, match="lost"):
        leave() if style == "sync" else asyncio.run(leave_awaiting())
    assert controller.asked[0] == "abortTransaction"
    assert not controller.answers
    assert writer.ended
    assert not transaction.is_open


def test_what_is_written_while_a_commit_waits_is_stored_before_it_is_carried_out():
    done = messages.TxnState(state=messages.TxnState.COMMITTED)
    controller = Controller(TAKEN, done)
    first = BusyWriter()
    carry_out(begun(controller, first, BusyWriter(first)).commit())
    assert controller.asked == ["commitTransaction", "checkTransactionState"]
    assert first.acknowledged == 3
