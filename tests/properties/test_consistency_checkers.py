"""Checkers of histories, tried on simulated systems: correct ones pass, faulty ones are caught."""

import itertools
from collections.abc import Callable, Hashable, Sequence
from enum import Enum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit.consistency.counter_checker import check_counters
from kit.consistency.history import Add, Append, Call, Outcome, Read, Swap, Violation, Write
from kit.consistency.log_checker import check_logs
from kit.consistency.register_checker import check_registers
from kit.scale import times


def done(writer, operation, start, end, result=None) -> Call:
    return Call(writer, operation, start, end, Outcome.DONE, result)


def unknown(writer, operation, start) -> Call:
    return Call(writer, operation, start)


VALUES = st.integers(1, 2)
REGISTER_OPERATIONS = st.one_of(
    VALUES.map(lambda value: Write("k", value)),
    st.just(Read("k")),
    st.builds(lambda old, new: Swap("k", old, new), VALUES, VALUES),
)
RESULTS = {Write: st.none(), Read: st.none() | VALUES, Swap: st.booleans()}


@st.composite
def small_histories(draw) -> list[Call]:
    calls = []
    for _ in range(draw(st.integers(0, 5))):
        operation = draw(REGISTER_OPERATIONS)
        start, length = draw(st.integers(0, 8)), draw(st.integers(0, 4))
        if draw(st.integers(0, 3)):
            result = draw(RESULTS[type(operation)])
            calls.append(done("w", operation, start, start + length, result))
        else:
            calls.append(unknown("w", operation, start))
    return calls


def explained_by_trying_all(calls: Sequence[Call], last: Hashable) -> bool:
    known = [call for call in calls if call.outcome is Outcome.DONE]
    rest = [call for call in calls if call.outcome is Outcome.UNKNOWN]
    for count in range(len(rest) + 1):
        for chosen in itertools.combinations(rest, count):
            for order in itertools.permutations([*known, *chosen]):
                if in_time(order) and replayed(order) == last:
                    return True
    return False


def in_time(order: Sequence[Call]) -> bool:
    return not any(
        later.before(earlier) for i, earlier in enumerate(order) for later in order[i + 1 :]
    )


def replayed(order: Sequence[Call]) -> Hashable:
    value = None
    for call in order:
        result: Any = None
        match call.operation:
            case Write(_, new):
                value = new
            case Read():
                result = value
            case Swap(_, old, new):
                result = value == old
                value = new if result else value
        if call.outcome is Outcome.DONE and call.result != result:
            return "impossible"
    return value


@given(calls=small_histories(), last=st.none() | VALUES)
def test_the_search_says_what_trying_all_orders_says(calls, last):
    try:
        check_registers(calls, {"k": last})
    except Violation:
        assert not explained_by_trying_all(calls, last)
    else:
        assert explained_by_trying_all(calls, last)


class Fate(Enum):
    DONE = "the reply came"
    REFUSED = "it was refused"
    REQUEST_LOST = "it never arrived"
    REPLY_LOST = "it was done, and nobody heard"
    LATE = "it was done long after its caller gave up"


class System:
    """A log, registers and a counter in one system; `apply` executes an operation at one moment."""

    def __init__(self) -> None:
        self.log: list[Hashable] = []
        self.registers: dict[Hashable, Hashable] = {}
        self.sum = 0

    def apply(self, operation: object) -> object:
        match operation:
            case Append(_, token):
                self.log.append(token)
            case Write(key, value):
                self.registers[key] = value
            case Read(key):
                return self.registers.get(key)
            case Add(_, amount):
                self.sum += amount
                return self.sum
        return None


STEPS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from(Fate)), max_size=60)
"""The writer of each step, of three steps per call; and the fate of the call."""


def simulated(
    steps: Sequence[tuple[int, Fate]],
    operation: Callable[[int, int], Any],
    system: System,
) -> list[Call]:
    """Return the history of writers whose calls overlap; calls still running end as unknown."""
    calls: list[Call] = []
    running: dict[int, tuple[Call, Fate]] = {}
    late: list[object] = []
    applied: dict[int, object] = {}
    for now, (writer, fate) in enumerate(steps):
        if writer not in running:
            call = unknown(writer, operation(writer, len(calls)), now)
            calls.append(call)
            running[writer] = call, fate
        elif writer not in applied:
            call, fate = running[writer]
            if fate in (Fate.DONE, Fate.REPLY_LOST):
                applied[writer] = system.apply(call.operation)
            else:
                applied[writer] = None
        else:
            call, fate = running.pop(writer)
            result = applied.pop(writer)
            if fate is Fate.DONE:
                call.end, call.outcome, call.result = now, Outcome.DONE, result
            elif fate is Fate.REFUSED:
                call.end, call.outcome = now, Outcome.REFUSED
            elif fate is Fate.LATE:
                late.append(call.operation)
    for operation_ in late:
        system.apply(operation_)
    return calls


def append(_: int, number: int) -> Append:
    return Append("log", number)


def write_or_read(writer: int, number: int) -> Write | Read:
    return Read("k") if writer % 2 else Write("k", number)


def add(_: int, number: int) -> Add:
    return Add("k", 1 + number % 3)


@given(steps=STEPS)
def test_a_correct_system_passes_whatever_the_network_does(steps):
    system = System()
    check_logs(simulated(steps, append, system), {"log": system.log})
    check_registers(simulated(steps, write_or_read, system), system.registers)
    check_counters(simulated(steps, add, system), {"k": system.sum})


@given(steps=STEPS, data=st.data())
def test_a_log_that_loses_doubles_or_reorders_what_it_acknowledged_is_caught(steps, data):
    system = System()
    calls = simulated([(0, Fate.DONE)] * 6 + steps, append, system)
    acknowledged = [call for call in calls if call.outcome is Outcome.DONE]
    victim = data.draw(st.sampled_from(acknowledged)).operation.token
    place = system.log.index(victim)
    lost = system.log[:place] + system.log[place + 1 :]
    twice = [*system.log, victim]
    for wrong in (lost, twice):
        with pytest.raises(Violation):
            check_logs(calls, {"log": wrong})
    writer = calls[victim].writer
    later = [
        call.operation.token
        for call in acknowledged
        if call.writer == writer and call.operation.token > victim
    ]
    if later:
        other = system.log.index(later[0])
        swapped = system.log[:]
        swapped[place], swapped[other] = later[0], victim
        with pytest.raises(Violation, match="began earlier"):
            check_logs(calls, {"log": swapped})


@given(writers=st.lists(st.integers(0, 3), max_size=60), data=st.data())
def test_a_counter_that_loses_or_doubles_what_it_acknowledged_is_caught(writers, data):
    system = System()
    steps = [(writer, Fate.DONE) for writer in [0, 0, 0, *writers]]
    calls = [c for c in simulated(steps, add, system) if c.outcome is Outcome.DONE]
    total = sum(call.operation.amount for call in calls)
    victim = data.draw(st.sampled_from(calls)).operation.amount
    for call in calls:
        call.result = None  # or the results of the calls already prove it
    for wrong in (total - victim, total + victim):
        with pytest.raises(Violation, match="in the end"):
            check_counters(calls, {"k": wrong})


@given(count=st.integers(2, 12), data=st.data())
def test_a_register_that_forgets_its_last_write_or_goes_back_is_caught(count, data):
    calls = [done("w", Write("k", i), 2 * i, 2 * i + 1) for i in range(count)]
    stale = data.draw(st.integers(0, count - 2))
    with pytest.raises(Violation):
        check_registers(calls, {"k": stale})
    calls.append(done("r", Read("k"), 2 * count, 2 * count + 1, stale))
    with pytest.raises(Violation, match="these 3 calls"):
        check_registers(calls, {"k": count - 1})


def test_long_histories_are_checked():
    steps = [(i * 7 % 4, Fate.DONE if i % 11 else Fate.REPLY_LOST) for i in range(times(3000))]
    system = System()
    check_logs(simulated(steps, append, system), {"log": system.log})
    check_counters(simulated(steps, add, system), {"k": system.sum})
