"""A transaction is kept open, and ended, whatever its controller does; without a network."""

from collections.abc import Generator
from typing import Any, cast
from uuid import UUID

import pytest

from jvmwire.errors import ConnectFailed, JvmWireError
from jvmwire.operations import Sleep
from jvmwire.pravega.streams import controller_pb2 as messages
from jvmwire.pravega.streams.errors import ControllerError
from jvmwire.pravega.streams.transaction import TransactionWriter

AWAY = ConnectFailed("away")
OK = messages.PingTxnStatus(status=messages.PingTxnStatus.OK)
ABORTED = messages.PingTxnStatus(status=messages.PingTxnStatus.ABORTED)


class Controller:
    """Answers from a list, and notes what it was asked."""

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
    )


def waits_between_pings(*answers: Any) -> list[float]:
    return [cast("Sleep", each).seconds for each in begun(Controller(*answers)).keep()]


def test_a_transaction_is_kept_through_an_outage_and_soon_after_it():
    assert waits_between_pings(OK, AWAY, AWAY, OK, ABORTED) == [20.0, 20.0, 5.0, 5.0, 20.0]


@pytest.mark.parametrize("answer", [ABORTED, ControllerError("no")])
def test_a_transaction_that_has_ended_is_kept_no_longer(answer):
    assert waits_between_pings(OK, answer) == [20.0, 20.0]
