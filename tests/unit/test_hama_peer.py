"""Messages of a task whose count of them is too small, as it is at times with a real Hama."""

from collections import deque
from typing import Any

import pytest

from jvmwire.hama._commands import GetCount, GetMessages
from jvmwire.hama._configuration import JobConfiguration
from jvmwire.hama._peer import END, BSPPeer


class Task:
    """A task with messages, of which it has counted some, and its child's line."""

    def __init__(self, messages: list[str], counted: int) -> None:
        self._messages = deque(messages)
        self._counted = counted
        self._answer: Any = None
        self.asked: list[int] = []

    def call(self, command: Any) -> int:
        match command:
            case GetCount("GET_MSG_COUNT"):
                self._answer = self._counted
            case GetMessages(count):
                self.asked.append(count)
                self._answer = [
                    self._messages.popleft() if self._messages else END for _ in range(count)
                ]
        return 0

    def result(self, _call: int) -> Any:
        return self._answer


def peer_of(task: Task) -> BSPPeer:
    return BSPPeer(task, JobConfiguration({}))  # type: ignore[arg-type]


@pytest.mark.parametrize("missed", [0, 1, 2, 600, 1500])
@pytest.mark.parametrize("counted", [1, 2, 511, 512, 513, 1024, 1500])
def test_messages_beyond_the_count_are_not_lost(counted, missed):
    messages = [str(number) for number in range(counted + missed)]
    assert list(peer_of(Task(messages, counted)).messages()) == messages


@pytest.mark.parametrize("missed", [0, 1, 200])
def test_few_messages_are_counted_right(missed):
    peer = peer_of(Task(["hi"] * (3 + missed), 3))
    assert peer.num_current_messages() == 3 + missed
    assert peer.current_message() == "hi"
    assert peer.num_current_messages() == 2 + missed


def test_of_many_messages_the_count_is_the_tasks():
    assert peer_of(Task(["hi"] * 2000, 2000)).num_current_messages() == 2000


def test_a_counted_message_may_look_like_none():
    messages = [END, "hi", END]
    assert list(peer_of(Task(messages, 3)).messages()) == messages


def test_a_right_count_takes_one_question_more_in_the_same_turn():
    task = Task(["hi"] * 600, 600)
    assert len(list(peer_of(task).messages())) == 600
    assert task.asked == [512, 89]


def test_no_messages_are_not_asked_for():
    task = Task([], 0)
    assert peer_of(task).current_message() is None
    assert task.asked == []
