"""The double of a cluster answers as a real member, whichever of several clients calls."""

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from jvmwire.hazelcast import HazelcastClient, predicates
from jvmwire.hazelcast.errors import HazelcastError
from jvmwire.hazelcast.serialization import HazelcastJsonValue
from kit.double_peer import DoublePeer
from kit.scale import seeded, times

CALLS = times(400)
KEYS = (1, 2, 3, "1", "a", "b", b"\x01", 2.5)
VALUES = (0, 1, 2, "1", "text", [1, "x"], True, None, 1 << 40, 2.5)
CLIENTS = 2

Step = Callable[[HazelcastClient, str], Any]


def shown(result: Any) -> Any:
    """Return a result without an order that members do not promise."""
    if isinstance(result, dict):
        return sorted(map(repr, result.items()))
    return repr(result)


def unordered(result: Any) -> Any:
    return sorted(map(repr, result))


def predicate(chance: random.Random) -> predicates.Predicate:
    """Return a random predicate for numbers and texts as JSON."""
    number, text = chance.randrange(5), chance.choice(["n1", "n2", "N3", "n"])
    simple: list[predicates.Predicate] = [
        predicates.Equal("age", number),
        predicates.NotEqual("age", number),
        predicates.Less("age", number),
        predicates.GreaterEqual("age", number),
        predicates.Between("age", 1, number),
        predicates.In("name", ["n1", text]),
        predicates.Like("name", "n%"),
        predicates.Like("name", "_1"),
        predicates.ILike("name", text),
        predicates.Equal("missing", number),
        predicates.Equal("active", value=True),
        predicates.Sql(f"age > {number} AND name != '{text}'"),
        predicates.Sql(f"age between 1 and {number} or (name like '%2' and not active)"),
        predicates.Sql(f"age in (1, {number}) and active = true"),
        predicates.TruePredicate(),
        predicates.FalsePredicate(),
    ]
    one, two = chance.choice(simple), chance.choice(simple)
    return chance.choice([one, one, one & two, one | two, ~one])


def of_maps(chance: random.Random) -> list[Step]:
    key, value, other = chance.choice(KEYS), chance.choice(VALUES), chance.choice(VALUES)
    value, other = 7 if value is None else value, 7 if other is None else other
    where = predicate(chance)
    return [
        lambda c, n: c.get_map(n).put(key, value),
        lambda c, n: c.get_map(n).put(key, value, ttl=3600),
        lambda c, n: c.get_map(n).put(key, value, max_idle=3600),
        lambda c, n: c.get_map(n).set(key, value),
        lambda c, n: c.get_map(n).get(key),
        lambda c, n: c.get_map(n).delete(key),
        lambda c, n: c.get_map(n).remove(key),
        lambda c, n: c.get_map(n).put_if_absent(key, value),
        lambda c, n: c.get_map(n).put_transient(key, value),
        lambda c, n: c.get_map(n).try_put(key, value),
        lambda c, n: c.get_map(n).try_remove(key),
        lambda c, n: c.get_map(n).replace(key, value),
        lambda c, n: c.get_map(n).replace_if_same(key, value, other),
        lambda c, n: c.get_map(n).remove_if_same(key, value),
        lambda c, n: c.get_map(n).contains_key(key),
        lambda c, n: c.get_map(n).contains_value(value),
        lambda c, n: c.get_map(n).set_ttl(key, chance.choice([0, 3600])),
        lambda c, n: c.get_map(n).evict(key),
        lambda c, n: (c.get_map(n).size(), c.get_map(n).is_empty()),
        lambda c, n: c.get_map(n).put_all({key: value, "more": other}),
        lambda c, n: c.get_map(n).get_all([key, "more", "none"]),
        lambda c, n: unordered(c.get_map(n).key_set()),
        lambda c, n: unordered(c.get_map(n).values()),
        lambda c, n: unordered(c.get_map(n).entry_set()),
        lambda c, n: unordered(c.get_map(n).entries(batch=1)),
        lambda c, n: seen_of(c.get_map(n).get_entry_view(key)),
        lambda c, n: c.get_map(n).clear() if chance.random() < 0.2 else None,
        lambda c, n: c.get_map(n).evict_all() if chance.random() < 0.2 else None,
        lambda c, n: c.get_map(f"{n}-people").put(
            key, HazelcastJsonValue({"age": len(str(value)), "name": f"n{other}"})
        ),
        lambda c, n: unordered(c.get_map(f"{n}-people").key_set(where)),
        lambda c, n: unordered(c.get_map(f"{n}-people").entry_set(where)),
        lambda c, n: c.get_map(f"{n}-people").remove_all(where) if chance.random() < 0.1 else None,
        lambda c, n: c.get_map(n).lock(f"own-{id(c)}", lease=600),
    ]


def seen_of(view: Any) -> Any:
    """Return the part of an entry's metadata that does not depend on the time."""
    if view is None:
        return None
    return view.key, view.value, view.hits, view.version, view.ttl, view.max_idle


def of_locks(chance: random.Random) -> list[Step]:
    key = chance.choice(KEYS)
    return [
        lambda c, n: c.get_map(n).try_lock(key),
        lambda c, n: c.get_map(n).try_lock(key, lease=600),
        lambda c, n: c.get_map(n).unlock(key),
        lambda c, n: c.get_map(n).is_locked(key),
        lambda c, n: c.get_map(n).force_unlock(key),
        lambda c, n: c.get_map(n).try_put(key, 1),
        lambda c, n: c.get_map(n).try_remove(key),
        lambda c, n: (c.get_map(n).get(key), c.get_map(n).contains_key(key)),
        lambda c, n: c.get_map(n).clear(),
        lambda c, n: c.get_map(n).evict_all(),
        lambda c, n: unordered(c.get_map(n).key_set()),
        lambda c, n: c.get_lock(n).try_lock(),
        lambda c, n: c.get_lock(n).try_lock(lease=600),
        lambda c, n: c.get_lock(n).unlock(),
        lambda c, n: (c.get_lock(n).is_locked(), c.get_lock(n).lock_count()),
        lambda c, n: c.get_lock(n).is_locked_by_caller(),
        lambda c, n: c.get_lock(n).remaining_lease() is None,
        lambda c, n: c.get_lock(n).force_unlock() if chance.random() < 0.3 else None,
        lambda c, n: c.get_multi_map(n).try_lock(key),
        lambda c, n: c.get_multi_map(n).unlock(key),
        lambda c, n: c.get_multi_map(n).is_locked(key),
        lambda c, n: c.get_multi_map(n).force_unlock(key),
    ]


def of_items(chance: random.Random) -> list[Step]:
    value, other = (7 if each is None else each for each in chance.choices(VALUES, k=2))
    index = chance.randint(0, 4)
    return [
        lambda c, n: c.get_queue(n).offer(value),
        lambda c, n: c.get_queue(n).put(value),
        lambda c, n: c.get_queue(n).poll(),
        lambda c, n: c.get_queue(n).poll(timeout=0.001),
        lambda c, n: c.get_queue(n).peek(),
        lambda c, n: (c.get_queue(n).size(), c.get_queue(n).remaining_capacity()),
        lambda c, n: c.get_queue(n).get_all(),
        lambda c, n: c.get_queue(n).drain(chance.randint(0, 3)),
        lambda c, n: c.get_queue(n).add_all([value, other]),
        lambda c, n: c.get_queue(n).add_all([]),
        lambda c, n: c.get_queue(n).remove(value),
        lambda c, n: c.get_queue(n).contains(value),
        lambda c, n: c.get_queue(n).contains_all([value, other]),
        lambda c, n: c.get_queue(n).remove_all([value, other]),
        lambda c, n: c.get_queue(n).retain_all([value, other]) if index == 0 else None,
        lambda c, n: c.get_list(n).add(value),
        lambda c, n: c.get_list(n).add(value, index=index),
        lambda c, n: c.get_list(n).add_all([value, other]),
        lambda c, n: c.get_list(n).add_all([]),
        lambda c, n: c.get_list(n).insert_all(index, [value, other]),
        lambda c, n: c.get_list(n).get(index),
        lambda c, n: c.get_list(n).set(index, value),
        lambda c, n: c.get_list(n).remove_at(index),
        lambda c, n: c.get_list(n).remove(value),
        lambda c, n: (c.get_list(n).index_of(value), c.get_list(n).last_index_of(value)),
        lambda c, n: c.get_list(n).sub_list(index, index + 1),
        lambda c, n: c.get_list(n).get_all(),
        lambda c, n: c.get_list(n).remove_all([value]),
        lambda c, n: c.get_list(n).retain_all([value, other]) if index == 0 else None,
        lambda c, n: c.get_list(n).clear() if index == 0 else None,
        lambda c, n: c.get_set(n).add(value),
        lambda c, n: c.get_set(n).add_all([value, other]),
        lambda c, n: c.get_set(n).add_all([]),
        lambda c, n: c.get_set(n).remove(value),
        lambda c, n: c.get_set(n).contains(value),
        lambda c, n: c.get_set(n).contains_all([value, other]),
        lambda c, n: unordered(c.get_set(n).get_all()),
        lambda c, n: c.get_set(n).remove_all([value]),
        lambda c, n: c.get_set(n).retain_all([value, other]) if index == 0 else None,
    ]


def of_multimaps(chance: random.Random) -> list[Step]:
    key, value = chance.choice(KEYS), chance.choice(VALUES[:6])
    return [
        lambda c, n: c.get_multi_map(n).put(key, value),
        lambda c, n: unordered(c.get_multi_map(n).get(key)),
        lambda c, n: unordered(c.get_multi_map(n).remove(key)),
        lambda c, n: c.get_multi_map(n).remove_entry(key, value),
        lambda c, n: c.get_multi_map(n).delete(key),
        lambda c, n: unordered(c.get_multi_map(n).key_set()),
        lambda c, n: unordered(c.get_multi_map(n).values()),
        lambda c, n: unordered(c.get_multi_map(n).entry_set()),
        lambda c, n: c.get_multi_map(n).contains_key(key),
        lambda c, n: c.get_multi_map(n).contains_value(value),
        lambda c, n: c.get_multi_map(n).contains_entry(key, value),
        lambda c, n: (c.get_multi_map(n).size(), c.get_multi_map(n).value_count(key)),
        lambda c, n: c.get_multi_map(n).clear() if chance.random() < 0.2 else None,
    ]


def of_numbers(chance: random.Random) -> list[Step]:
    number, other = (chance.choice([-1, 0, 1, 2, (1 << 63) - 1]) for _ in range(2))
    value, expected = chance.choices(VALUES, k=2)
    few = chance.randint(0, 3)
    return [
        lambda c, n: c.get_atomic_long(n).get(),
        lambda c, n: c.get_atomic_long(n).set(number),
        lambda c, n: c.get_atomic_long(n).add_and_get(number),
        lambda c, n: c.get_atomic_long(n).get_and_add(number),
        lambda c, n: c.get_atomic_long(n).get_and_set(number),
        lambda c, n: c.get_atomic_long(n).compare_and_set(number, other),
        lambda c, n: c.get_atomic_long(n).increment_and_get(),
        lambda c, n: c.get_atomic_long(n).decrement_and_get(),
        lambda c, n: c.get_atomic_reference(n).get(),
        lambda c, n: c.get_atomic_reference(n).set(value),
        lambda c, n: c.get_atomic_reference(n).get_and_set(value),
        lambda c, n: c.get_atomic_reference(n).compare_and_set(expected, value),
        lambda c, n: c.get_atomic_reference(n).contains(value),
        lambda c, n: c.get_atomic_reference(n).is_none(),
        lambda c, n: c.get_semaphore(n).init(few),
        lambda c, n: c.get_semaphore(n).try_acquire(few),
        lambda c, n: c.get_semaphore(n).release(few),
        lambda c, n: c.get_semaphore(n).available_permits(),
        lambda c, n: c.get_semaphore(n).drain_permits(),
        lambda c, n: c.get_semaphore(n).reduce_permits(few),
        lambda c, n: c.get_semaphore(n).increase_permits(few),
        lambda c, n: c.get_count_down_latch(n).try_set_count(few),
        lambda c, n: c.get_count_down_latch(n).count_down(),
        lambda c, n: c.get_count_down_latch(n).get_count(),
        lambda c, n: c.get_count_down_latch(n).wait(timeout=0),
        lambda c, n: c.get_pn_counter(n).add_and_get(few),
        lambda c, n: c.get_pn_counter(n).get_and_add(-few),
        lambda c, n: c.get_pn_counter(n).get(),
        lambda c, n: c.get_ringbuffer(f"small-{n}").add(few),
        lambda c, n: c.get_ringbuffer(f"small-{n}").add_all([few, number]),
        lambda c, n: c.get_ringbuffer(f"small-{n}").head_sequence(),
        lambda c, n: c.get_ringbuffer(f"small-{n}").tail_sequence(),
        lambda c, n: (
            c.get_ringbuffer(f"small-{n}").read_many(few, minimum=0, maximum=few + 1).items
        ),
    ]


KINDS = {
    "maps": of_maps,
    "locks": of_locks,
    "items": of_items,
    "multimaps": of_multimaps,
    "numbers": of_numbers,
}


@pytest.fixture(scope="module")
def pairs(hazelcast_member) -> Iterator[list[tuple[Any, Any]]]:
    """Clients of the real member, and the same number of a double of several members."""
    with ExitStack() as stack, DoublePeer(members=3) as double:

        def connect(address: str) -> HazelcastClient:
            return stack.enter_context(HazelcastClient.connect([address], timeout=30.0))

        yield [(connect(hazelcast_member.address), connect(double.address)) for _ in range(CLIENTS)]


def outcome(step: Step, client: HazelcastClient, name: str) -> Any:
    """Return the result of a call, or the class of its exception."""
    try:
        return shown(step(client, name))
    except HazelcastError as error:
        return error.java_class


def listen(client: HazelcastClient, name: str) -> list[tuple[Any, ...]]:
    """Listen to all structures of a name, with and without values; return the events."""
    events: list[tuple[Any, ...]] = []

    def keep(of: str) -> Callable[[Any], None]:
        return lambda event: events.append((of, *told_of(event)))

    for includes_values in (True, False):
        mark = "with" if includes_values else "without"
        several: list[tuple[str, Any]] = [
            ("queue", client.get_queue(name)),
            ("list", client.get_list(name)),
            ("set", client.get_set(name)),
        ]
        for of, found in several:
            found.add_item_listener(keep(f"{of} {mark}"), include_value=includes_values)
        for of, entries in (("map", client.get_map(name)), ("many", client.get_multi_map(name))):
            of = f"{of} {mark}"
            entries.add_entry_listener(keep(of), include_value=includes_values)
    client.get_map(name).add_entry_listener(keep("of key"), key="a")
    over = predicates.Equal("age", 1)
    people = client.get_map(f"{name}-people")
    people.add_entry_listener(keep("where"), predicate=over)
    return events


def told_of(event: Any) -> tuple[Any, ...]:
    """Return an event without the member's UUID."""
    if hasattr(event, "added"):
        return repr(event.item), event.added
    parts = (event.key, event.value, event.old_value)
    return event.type.name, *map(repr, parts), event.count


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(2))
def test_random_calls_of_several_clients_have_the_same_outcomes(pairs, kind: str, seed: int):
    name, chance = f"outcomes-{kind}-{seed}", seeded(seed)
    events = [listen(client, name) for client in pairs[0]]
    for number in range(CALLS):
        real, double = chance.choice(pairs)
        state = chance.getstate()
        steps = KINDS[kind](chance)
        at = chance.randrange(len(steps))
        answers = []
        for client in (real, double):
            chance.setstate(state)
            step = KINDS[kind](chance)[at]
            answers.append(outcome(step, client, name))
        expected, ours = answers
        assert ours == expected, f"call {number}: {kind} {at}"
    for _ in range(100):
        if sorted(events[0]) == sorted(events[1]):
            break
        time.sleep(0.1)
    real, double = map(Counter, events)
    assert (double - real, real - double) == (Counter(), Counter())
