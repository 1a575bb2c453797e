"""Contents of histories, and the histories that the checkers refuse."""

import asyncio
import itertools
import threading
from contextlib import suppress

import pytest

from jvmwire.errors import CallTimeout, ServerError
from kit.consistency.counter_checker import check_counters
from kit.consistency.history import (
    Add,
    Append,
    Call,
    History,
    Outcome,
    Read,
    Swap,
    Undecided,
    Violation,
    Write,
    told,
)
from kit.consistency.log_checker import check_logs
from kit.consistency.register_checker import check_registers


def done(writer, operation, start, end, result=None) -> Call:
    return Call(writer, operation, start, end, Outcome.DONE, result)


def unknown(writer, operation, start) -> Call:
    return Call(writer, operation, start)


def refused(writer, operation, start, end) -> Call:
    return Call(writer, operation, start, end, Outcome.REFUSED)


def appended(*tokens: int, writer="w") -> list[Call]:
    return [done(writer, Append("log", token), 2 * i, 2 * i + 1) for i, token in enumerate(tokens)]


# The history.


def test_a_call_is_noted_with_its_times_its_result_and_its_outcome():
    history = History(itertools.count(10).__next__)
    with history.call("w", Read("k")) as call:
        call.result = 5
    assert history.calls == [done("w", Read("k"), 10, 11, 5)]


def test_a_refusal_is_known_to_have_done_nothing_and_any_other_error_leaves_it_open():
    history = History()
    for error in (ServerError("no"), CallTimeout("late"), KeyboardInterrupt()):
        with pytest.raises(type(error)), history.call("w", Append("k", str(error))):
            raise error
    assert [call.outcome for call in history.calls] == [
        Outcome.REFUSED,
        Outcome.UNKNOWN,
        Outcome.UNKNOWN,
    ]


def test_a_call_that_has_not_ended_or_was_cancelled_is_unknown():
    async def cancelled(history: History) -> None:
        async def call() -> None:
            with history.call("task", Append("k", 1)):
                await asyncio.Event().wait()

        task = asyncio.create_task(call())
        await asyncio.sleep(0)
        assert history.calls[0].outcome is Outcome.UNKNOWN
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task

    history = History()
    asyncio.run(cancelled(history))
    [call] = history.calls
    assert (call.outcome, call.end) == (Outcome.UNKNOWN, float("inf"))


def test_threads_share_a_history():
    history = History()

    def work(writer: int) -> None:
        for i in range(500):
            with history.call(writer, Append("log", (writer, i))):
                pass

    threads = [threading.Thread(target=work, args=(writer,)) for writer in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    calls = history.calls
    assert len(calls) == 2000
    assert calls == sorted(calls, key=lambda call: call.start)
    assert all(call.start <= call.end for call in calls)


def test_the_lines_of_calls_show_who_what_when_and_what_came_of_it():
    lines = told([done("a", Read("k"), 1.0, 1.0005, 7), unknown("b", Write("k", 8), 1.0002)])
    assert lines.splitlines() == [
        "       0.000 .. 0.500      a            Read(key='k') -> 7",
        "       0.200 ..            b            Write(key='k', value=8) unknown",
    ]


# Logs.


@pytest.mark.parametrize(
    ("calls", "log", "message"),
    [
        (appended(1, 2, 3), [1, 3], "2 is lost though acknowledged"),
        (appended(1, 2, 3), [], r"1 is lost though acknowledged \(the first of 3\)"),
        (appended(1, 2, 3), [1, 2, 2, 3], "2 is more than once"),
        (appended(1, 2, 3), [1, 3, 2], "2, which w began earlier"),
        (appended(1, 2), [1, 2, 9], "9 is that nobody sent"),
        ([refused("w", Append("log", 1), 0, 1)], [1], "1 is there though refused"),
        ([unknown("w", Append("log", 1), 0)], [1, 1], "1 is more than once"),
    ],
)
def test_a_wrong_log_is_refused(calls, log, message):
    with pytest.raises(Violation, match=message):
        check_logs(calls, {"log": log})


def test_a_violation_shows_the_calls_and_the_place_and_no_more():
    with pytest.raises(Violation) as caught:
        check_logs(appended(*range(1000)), {"log": [*range(500), *range(501, 1000), 499]})
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("'log': 499 is more than once")
    assert "at 499 of 1000: 496, 497, 498, 499, 501, 502, 503" in lines[1]
    assert sum("Append" in line for line in lines) == 3
    assert len(lines) < 10


@pytest.mark.parametrize("log", [[1], [1, 2], [2, 1]])
def test_an_unknown_append_may_come_late_or_never(log):
    calls = [done("w", Append("log", 1), 2, 3), unknown("w", Append("log", 2), 0)]
    check_logs(calls, {"log": log})


def test_a_set_has_no_order():
    check_logs(appended(1, 2, 3), {"log": [3, 1, 2]}, ordered=False)


def test_logs_are_checked_key_by_key_and_a_key_that_is_gone_is_empty():
    calls = [done("w", Append(key, key), 0, 1) for key in "ab"]
    check_logs(calls, {"a": ["a"], "b": ["b"]})
    with pytest.raises(Violation, match=r"^'b'"):
        check_logs(calls, {"a": ["a"]})
    with pytest.raises(Violation, match=r"^'c'"):
        check_logs(calls, {"a": ["a"], "b": ["b"], "c": [1]})


def test_a_token_that_is_sent_twice_is_a_mistake_of_the_test():
    with pytest.raises(ValueError, match="unique"):
        check_logs(appended(1, 1), {"log": [1]})


# Registers.


@pytest.mark.parametrize(
    ("calls", "last"),
    [
        # A read during a write sees the old value or the new one.
        ([done("a", Write("k", 1), 0, 3), done("b", Read("k"), 1, 2, None)], 1),
        ([done("a", Write("k", 1), 0, 3), done("b", Read("k"), 1, 2, 1)], 1),
        # Two writes that overlap may come in either order.
        ([done("a", Write("k", 1), 0, 3), done("b", Write("k", 2), 1, 2)], 1),
        ([done("a", Write("k", 1), 0, 3), done("b", Write("k", 2), 1, 2)], 2),
        # A call of unknown outcome may take effect late.
        ([unknown("a", Write("k", 1), 0), done("b", Write("k", 2), 1, 2)], 1),
        ([unknown("a", Swap("k", None, 1), 0), done("b", Read("k"), 1, 2, None)], 1),
        ([unknown("a", Read("k"), 0), refused("a", Write("k", 3), 1, 2)], None),
        ([done("a", Swap("k", None, 1), 0, 1, True), done("b", Swap("k", 9, 2), 2, 3, False)], 1),
    ],
)
def test_what_some_order_explains_passes(calls, last):
    check_registers(calls, {"k": last})


@pytest.mark.parametrize(
    ("calls", "last"),
    [
        # Lost, stale, from nowhere, done though refused, done twice.
        ([done("a", Write("k", 1), 0, 1)], None),
        (
            [
                done("a", Write("k", 1), 0, 1),
                done("a", Write("k", 2), 2, 3),
                done("b", Read("k"), 4, 5, 1),
            ],
            2,
        ),
        ([done("b", Read("k"), 0, 1, 7)], None),
        ([refused("a", Write("k", 1), 0, 1)], 1),
        ([unknown("a", Write("k", 1), 0), done("b", Write("k", 2), 1, 2)], 3),
        (
            [done("a", Swap("k", None, 1), 0, 2, True), done("b", Swap("k", None, 2), 1, 3, True)],
            2,
        ),
        # Two readers that see two writes in different orders.
        (
            [
                done("a", Write("k", 1), 0, 9),
                done("b", Write("k", 2), 0, 9),
                done("c", Read("k"), 1, 2, 1),
                done("c", Read("k"), 3, 4, 2),
                done("d", Read("k"), 5, 6, 1),
            ],
            1,
        ),
    ],
)
def test_what_no_order_explains_is_refused(calls, last):
    with pytest.raises(Violation):
        check_registers(calls, {"k": last})


def test_a_violation_shows_only_what_is_needed_to_see_it():
    calls = []
    for i in range(60):
        calls.append(done("a", Write("k", i), 10 * i, 10 * i + 3))
        calls.append(done("b", Read("k"), 10 * i + 4, 10 * i + 6, 38 if i == 40 else i))
    with pytest.raises(Violation) as caught:
        check_registers(calls, {"k": 59})
    lines = str(caught.value).splitlines()
    assert "these 3 calls" in lines[0]
    assert [line.split("=")[-1] for line in lines[1:]] == [
        "38) done",
        "39) done",
        "'k') -> 38",
    ] or ([line.split("=")[-1] for line in lines[1:]] == ["38) done", "40) done", "'k') -> 38"])


def test_keys_are_independent():
    calls = [done("a", Write(key, key), 0, 1) for key in "ab"]
    check_registers(calls, {"a": "a", "b": "b"})
    with pytest.raises(Violation, match=r"^'b'"):
        check_registers(calls, {"a": "a"})


def test_a_budget_that_does_not_suffice_is_said_and_is_no_verdict():
    calls = [unknown(i, Write("k", i), 0) for i in range(20)]
    calls.append(done("r", Read("k"), 1, 2, "never"))
    with pytest.raises(Undecided, match="500 states were tried for 22 calls"):
        check_registers(calls, {"k": 1}, budget=500)


# Counters.


@pytest.mark.parametrize(
    ("calls", "total", "message"),
    [
        ([done("a", Add("k", 2), 0, 1)], 0, "grew by 0 in the end; 2 was acknowledged"),
        ([done("a", Add("k", 2), 0, 1)], 4, "grew by 4"),
        ([refused("a", Add("k", 2), 0, 1)], 2, "grew by 2"),
        ([unknown("a", Add("k", 2), 0), unknown("b", Add("k", 5), 0)], 4, "these 2 calls"),
        ([done("a", Read("k"), 0, 1, 3), done("a", Add("k", 3), 2, 3)], 3, "saw 3.*0 to 0"),
        ([done("a", Add("k", 3), 0, 1), done("a", Read("k"), 2, 3, 0)], 3, "saw 0.*3 to 3"),
        (
            [done("a", Add("k"), 0, 2, 2), done("b", Add("k"), 1, 3, 2)],
            2,
            "two calls came to one sum",
        ),
        (
            [
                done("w", Add("k"), 0, 9),
                done("r", Read("k"), 1, 2, 1),
                done("r", Read("k"), 3, 4, 0),
            ],
            1,
            "it has fallen",
        ),
    ],
)
def test_a_wrong_counter_is_refused(calls, total, message):
    with pytest.raises(Violation, match=message):
        check_counters(calls, {"k": total})


@pytest.mark.parametrize("total", [3, 5, 10, 12])
def test_of_what_is_unknown_each_amount_counts_once_or_not_at_all(total):
    calls = [
        done("a", Add("k", 3), 0, 1),
        unknown("b", Add("k", 2), 0),
        unknown("b", Add("k", 7), 0),
    ]
    check_counters(calls, {"k": total})


def test_an_amount_that_is_not_positive_is_a_mistake_of_the_test():
    with pytest.raises(ValueError, match="not positive"):
        check_counters([unknown("a", Add("k", 0), 0)], {"k": 0})
