"""Callbacks receive the messages pushed to their listener, in order and within bounds."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any

import pytest

from jvmwire._runtime.callback_tasks import CallbackTasks
from jvmwire._runtime.callbacks import MAX_MESSAGES_PER_TURN, CallbackThreads
from jvmwire._runtime.operations import Mailbox
from jvmwire.errors import LimitExceeded

FLOOD = 20 * MAX_MESSAGES_PER_TURN
PATIENCE = 20.0


def in_a_thread(flood: Callable[..., None]) -> list[Any]:
    """Flood while the first callback of all runs; return the callbacks' messages, in order."""
    heard: list[Any] = []
    flooded, over = threading.Event(), threading.Event()
    thread = CallbackThreads()

    def hear(message: Any) -> None:
        assert flooded.wait(PATIENCE)
        heard.append(message)
        if message == "end":
            over.set()

    try:
        flood(hear, thread.dispatch)
        assert thread._queue.qsize() <= 2
        flooded.set()
        assert over.wait(PATIENCE)
    finally:
        thread.close()
    return heard


def in_a_task(flood: Callable[..., None]) -> list[Any]:
    """Flood before the loop goes on."""
    heard: list[Any] = []

    async def run() -> None:
        over = asyncio.Event()
        task = CallbackTasks()

        async def hear(message: Any) -> None:
            heard.append(message)
            if message == "end":
                over.set()

        flood(hear, task.dispatch)
        assert len(task._queue) <= 2
        async with asyncio.timeout(PATIENCE):
            await over.wait()
        await task.close()

    asyncio.run(run())
    return heard


@pytest.mark.parametrize("where", [in_a_thread, in_a_task])
def test_a_flooded_listener_leaves_the_others_their_turn(where):
    def flood(hear: Any, dispatch: Any) -> None:
        flooded, other = Mailbox(hear, FLOOD + 1, dispatch), Mailbox(hear, 10, dispatch)
        for number in range(FLOOD):
            flooded.push(number)
        other.push("other")
        flooded.push("end")

    heard = where(flood)
    # Its first turn may have been scheduled before the flood arrived.
    assert heard.index("other") <= 2 * MAX_MESSAGES_PER_TURN
    assert [message for message in heard if message != "other"] == [*range(FLOOD), "end"]


@pytest.mark.parametrize("where", [in_a_thread, in_a_task])
def test_a_listener_that_stays_behind_is_told_of_once_in_the_log(where, caplog):
    def flood(hear: Any, dispatch: Any) -> None:
        mailbox = Mailbox(hear, 10, dispatch)
        for number in range(FLOOD):
            mailbox.push(number)
        other = Mailbox(hear, 10, dispatch)
        other.push("end")

    where(flood)
    said = [record.getMessage() for record in caplog.records]
    assert sum("10 messages behind" in line for line in said) == 1
    assert sum("messages were dropped" in line for line in said) <= 1


def test_what_was_full_takes_messages_again_once_half_of_it_is_empty():
    mailbox = Mailbox(None, 10, lambda _: None)
    for number in range(12):
        mailbox.push(number)
    assert [mailbox.take() for _ in range(4)] == [0, 1, 2, 3]
    mailbox.push("no room yet")
    assert mailbox.take() == 4
    mailbox.push("room")
    taken = [mailbox.take() for _ in range(7)]
    assert taken[:5] == [5, 6, 7, 8, 9]
    assert isinstance(taken[5], LimitExceeded)
    assert "3 messages were dropped" in str(taken[5])
    assert taken[6] == "room"
    assert not mailbox
    assert mailbox.total_drops == 3


class Meanwhile:
    """A lock before which another thread does something, once."""

    def __init__(self, act: Callable[[], None]) -> None:
        self._act: Callable[[], None] | None = act

    def __enter__(self) -> None:
        if (act := self._act) is not None:
            self._act = None
            act()

    def __exit__(self, *exc: object) -> None:
        pass


def test_what_was_dropped_is_told_once_though_more_comes_as_it_is_looked_for():
    mailbox = Mailbox(print, 2, lambda _: None)
    for number in range(5):
        mailbox.push(number)
    assert [mailbox.take(), mailbox.take()] == [0, 1]
    mailbox._counting = Meanwhile(lambda: mailbox.push("next"))  # type: ignore[assignment]
    first, second = mailbox.take(), mailbox.take()
    assert isinstance(first, LimitExceeded)
    assert "3 messages" in str(first)
    assert (second, bool(mailbox)) == ("next", False)
