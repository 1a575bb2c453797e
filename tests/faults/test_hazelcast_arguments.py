"""Wrong arguments of the client for Hazelcast are refused by name, before a byte is sent."""

import asyncio
import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from jvmwire.hazelcast import AsyncHazelcastClient, HazelcastClient, HazelcastOptions
from jvmwire.hazelcast.predicates import PagingPredicate, PartitionPredicate, TruePredicate
from jvmwire.hazelcast.query_cache import QueryCacheConfig
from kit.argument_sweep import Table, cases, complaints, complaints_async
from kit.fake_member import DoubleMember, doubles


async def coroutine_function(_: Any) -> None:
    raise AssertionError


SECONDS = ["1", math.nan, -1, object()]
INTS = ["1", 1.5, 1 << 31, None]
COUNTS = [*INTS, -1]
LONGS = ["1", 1.5, 1 << 63, None]
TEXTS = [5, None, "\ud800"]
DATAS = [None, object()]
MANY = [5, [None], [object()]]
PREDICATES = [PagingPredicate(2), "age > 3", 5]
CALLBACKS = [None, 5, coroutine_function]

TABLE = Table(
    right={
        **dict.fromkeys(("key", "value", "item", "message", "old", "new"), "text"),
        **{name: ["text"] for name in ("items", "keys", "values")},
        **dict.fromkeys(("processor", "aggregator", "projection", "function"), "text"),
        **dict.fromkeys(("task", "interceptor"), "text"),
        **dict.fromkeys(("index", "count", "permits", "increase", "reduction"), 1),
        **dict.fromkeys(("start", "stop", "delta", "expected", "sequence", "task_id"), 1),
        **dict.fromkeys(("minimum", "maximum"), 1),
        **dict.fromkeys(("timeout", "ttl", "delay"), 1.0),
        **dict.fromkeys(("name", "attribute", "registration_id", "interceptor_id"), "name"),
        "entries": {"key": "value"},
        "predicate": TruePredicate(),
        "callback": print,
    },
    wrong={
        **dict.fromkeys(("timeout", "ttl", "max_idle", "lease", "delay", "period"), SECONDS),
        "HazelcastClient.within.seconds": SECONDS,
        **dict.fromkeys(("key", "item", "message", "value", "new", "old"), DATAS),
        **dict.fromkeys(("items", "keys", "values"), MANY),
        "entries": [5, {"k": None}, {None: 1}, {"k": object()}],
        "predicate": PREDICATES,
        "callback": CALLBACKS,
        "batch": [0, -1, "1", 1.5, None],
        **dict.fromkeys(("index", "count", "permits", "increase", "reduction"), COUNTS),
        **dict.fromkeys(("limit", "minimum", "maximum"), COUNTS),
        **dict.fromkeys(("delta", "sequence", "task_id"), LONGS),
        **dict.fromkeys(
            (
                f"{kind}AtomicLong.{method}"
                for kind in ("", "CP")
                for method in (
                    "set.value",
                    "get_and_set.value",
                    "compare_and_set.value",
                    "compare_and_set.expected",
                )
            ),
            LONGS,
        ),
        **dict.fromkeys(("attribute", "interceptor_id"), TEXTS),
        **{
            f"{kind}AtomicReference.{method}.value": [object()]
            for kind in ("", "CP")
            for method in ("compare_and_set", "set", "get_and_set", "contains")
        },
        "HazelcastClient.partition_owner.partition_id": COUNTS,
        "name": TEXTS,
        # Counted values may be None; pages are for these three; this filter is a function.
        "CardinalityEstimator.add.value": [object()],
        "CardinalityEstimator.add_all.values": [5, [object()]],
        **dict.fromkeys(
            (f"Map.{name}.predicate" for name in ("key_set", "values", "entry_set")), PREDICATES[1:]
        ),
        "Ringbuffer.read_many.predicate": [],
        "ScheduledExecutor.schedule.name": [5],
        "ScheduledExecutor.schedule_on_members.name": [5],
    },
    skipped=frozenset({"close", "connect"}),
)

KINDS = [
    *("map", "queue", "list", "set", "multi_map", "topic", "reliable_topic", "lock"),
    *("ringbuffer", "atomic_long", "pn_counter", "replicated_map", "atomic_reference"),
    *("count_down_latch", "semaphore", "id_generator", "cardinality_estimator"),
    *("executor", "durable_executor", "scheduled_executor"),
]


@pytest.fixture(scope="module")
def double() -> Iterator[DoubleMember]:
    with doubles() as [member]:
        yield member


@pytest.fixture(scope="module")
def client(double: DoubleMember) -> Iterator[HazelcastClient]:
    options = HazelcastOptions(timeout=2.0, heartbeat_interval=None)
    with HazelcastClient.connect([double.address], options) as client:
        yield client


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_arguments_are_refused_before_anything_is_sent(kind, client, double):
    structure = getattr(client, f"get_{kind}")("of arguments")
    assert not complaints(structure, TABLE, lambda: len(double.asked))


CP_KINDS = ["atomic_long", "atomic_reference", "count_down_latch", "semaphore", "lock"]


@pytest.mark.parametrize("kind", CP_KINDS)
def test_wrong_arguments_of_cp_structures_are_refused_before_anything_is_sent(kind, client, double):
    structure = getattr(client.cp, f"get_{kind}")("of arguments")
    assert list(cases(structure, TABLE))
    assert not complaints(structure, TABLE, lambda: len(double.asked))


@pytest.mark.parametrize("kind", ["map", "multi_map", "queue", "list", "set"])
def test_wrong_arguments_in_transactions_are_refused_before_anything_is_sent(kind, client, double):
    double.answers["Transaction.create"] = lambda asked: double.response(asked, "String", "id")
    for end in ("commit", "rollback"):
        double.answers[f"Transaction.{end}"] = lambda asked: double.response(asked, "Void")
    with client.transaction() as transaction:
        structure = getattr(transaction, f"get_{kind}")("of arguments")
        assert list(cases(structure, TABLE))
        assert not complaints(structure, TABLE, lambda: len(double.asked))


@pytest.mark.parametrize("kind", KINDS)
def test_wrong_arguments_of_asyncio_clients_are_refused_before_anything_is_sent(kind, double):
    with asyncio.Runner() as runner:

        async def check() -> list[str]:
            options = HazelcastOptions(timeout=2.0, heartbeat_interval=None)
            async with await AsyncHazelcastClient.connect([double.address], options) as client:
                structure = getattr(client, f"get_{kind}")("of arguments")
                table = table_of_async(TABLE)
                return await complaints_async(structure, table, lambda: len(double.asked))

        assert not runner.run(check())


@pytest.mark.parametrize("include_value", [True, False])
def test_wrong_arguments_of_query_caches_are_refused_before_anything_is_sent(
    include_value, client, double
):
    answers = {
        "publisherCreate": ("ListData", []),
        "publisherCreateWithValue": ("ListEntry", []),
        "madePublishable": ("Boolean", True),
        "addListener": ("String", double.uuid),
    }
    for name, (kind, value) in answers.items():
        double.answers[f"ContinuousQuery.{name}"] = lambda asked, told=(kind, value): (
            double.response(asked, *told)
        )
    there = client.get_map("of arguments")
    config = QueryCacheConfig(include_value=include_value)
    cache = there.get_query_cache(f"with values: {include_value}", config)
    assert len(list(cases(cache, TABLE))) > 10
    assert not complaints(cache, TABLE, lambda: len(double.asked))


def table_of_async(table: Table) -> Table:
    """Return the table for an asyncio client, whose callbacks may be coroutine functions."""
    named = {f"Async{name}" if "." in name else name: of for name, of in table.wrong.items()}
    return replace(table, wrong=named | {"callback": [None, 5]})


def test_wrong_arguments_of_the_client_are_refused(client, double):
    assert not complaints(client, TABLE, lambda: len(double.asked))


def test_pages_are_refused_inside_of_other_predicates():
    paging = PagingPredicate(2)
    everything = TruePredicate()
    for combine in (
        lambda: everything & paging,
        lambda: paging | everything,
        lambda: ~paging,
        lambda: PartitionPredicate(1, paging),
        lambda: PagingPredicate(2, predicate=paging),
    ):
        with pytest.raises(ValueError, match="must not be a PagingPredicate"):
            combine()
    wrong: list[Any] = [-1, 1.5, None]
    for page in wrong:
        with pytest.raises((ValueError, TypeError), match="page must be"):
            paging.page = page
