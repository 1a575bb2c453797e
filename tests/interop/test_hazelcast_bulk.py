"""Bulk reads of real members' entries into Arrow, and bulk operations on members."""

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from jvmwire.errors import ConfigError
from jvmwire.hazelcast import HazelcastClient, aggregators, predicates, projections
from jvmwire.hazelcast.serialization import Data, HazelcastJsonValue, Long
from kit.hazelcast import Member
from kit.hazelcast_tasks import Work
from kit.peer_fixtures import REAL_MEMBER


@pytest.fixture
def client(hazelcast_peer: Member):
    with HazelcastClient.connect([hazelcast_peer.address]) as client:
        yield client


def arrow(values: Any) -> Any:
    return pa.array(values)


def test_a_map_comes_as_arrow_in_pieces_of_a_bounded_size(client: Any):
    numbers = client.get_map("arrow")
    entries = {number: f"caf\xe9 {number}" for number in range(3_000)}
    numbers.put_all(entries)
    found: dict[int, str] = {}
    for keys, values in numbers.arrow_entries(batch=5):
        assert 0 < len(keys) == len(values) <= 6
        assert (arrow(keys).type, arrow(values).type) == (pa.int32(), pa.utf8())
        found |= dict(zip(arrow(keys).to_pylist(), arrow(values).to_pylist(), strict=True))
    assert found == entries
    assert dict(numbers.entries(batch=5)) == entries


def test_partitions_are_read_by_themselves_and_make_up_the_map(client: Any):
    numbers = client.get_map("by partition")
    entries = {number: str(number) for number in range(2_000)}
    numbers.put_all(entries)
    third = range(0, client.partition_count, 3)
    others = [at for at in range(client.partition_count) if at not in third]
    parts = [dict(numbers.entries(partition_ids=ids)) for ids in (third, others)]
    assert all(len(part) > 500 for part in parts)
    assert not parts[0].keys() & parts[1].keys()
    assert parts[0] | parts[1] == entries
    there = sum(len(keys) for keys, _ in numbers.arrow_entries(partition_ids=third))
    assert there == len(parts[0])
    with pytest.raises(ConfigError, match="there are 271 partitions, and none is 271"):
        list(numbers.entries(partition_ids=[271]))


def test_entries_go_and_come_as_arrow_without_an_object_for_each(client: Any):
    there = client.get_map("columns")
    keys = pa.array(range(5_000))
    texts: Any = pa.array([f"caf\xe9 {number} \U0001f600" for number in range(5_000)])
    there.arrow_put_all(keys, texts)
    assert (there.size(), there.get(Long(7))) == (5_000, "caf\xe9 7 \U0001f600")
    expected = dict(zip(keys.to_pylist(), texts.to_pylist(), strict=True))

    def told(columns: Any) -> dict[Any, Any]:
        assert [arrow(column).type for column in columns] == [pa.int64(), pa.utf8()]
        return dict(zip(*(arrow(column).to_pylist() for column in columns), strict=True))

    assert told(there.arrow_entry_set()) == expected
    assert pa.table(there.arrow_entry_set()).column_names == ["key", "value"]
    assert told(there.arrow_get_all(pa.array([*range(5_000), 9_999]))) == expected
    assert told(there.arrow_get_all([Long(1), Long(2), "none"])) == {1: expected[1], 2: expected[2]}
    assert sorted(arrow(there.arrow_values()).to_pylist()) == sorted(expected.values())
    few = predicates.Less("__key", Long(3))
    assert told(there.arrow_entry_set(few)) == {key: expected[key] for key in range(3)}
    assert sorted(arrow(there.arrow_values(few)).to_pylist()) == [expected[key] for key in range(3)]
    assert len(arrow(there.arrow_values(predicates.FalsePredicate()))) == 0
    there.arrow_put_all(["a", "b"], pa.array([True, False]))
    assert (there.get("a"), there.get("b")) == (True, False)
    with pytest.raises(ValueError, match="does not go into"):
        there.arrow_entry_set()
    assert there.size() == 5_002


def test_a_null_is_no_key_and_no_value(client: Any):
    there = client.get_map("columns")
    with pytest.raises(ValueError, match="key 1 is null"):
        there.arrow_put_all(pa.array([1, None]), pa.array([1, 2]))
    with pytest.raises(ValueError, match="value 0 is null"):
        there.arrow_put_all(pa.array([1, 2]), pa.array([None, 2]))
    with pytest.raises(ValueError, match="2 keys of 1 values"):
        there.arrow_put_all(pa.array([1, 2]), pa.array([1]))
    with pytest.raises(TypeError, match="no type of Hazelcast's"):
        there.arrow_put_all(pa.array([1]), pa.array([[1]]))


def test_entries_of_types_that_no_column_holds_are_a_value_error(client: Any):
    mixed = client.get_map("mixed")
    mixed.put_all({number: [number] for number in range(10)})
    with pytest.raises(ValueError, match="of type -26"):
        list(mixed.arrow_entries())
    assert len(list(mixed.entries())) == 10


@REAL_MEMBER
def test_members_make_one_value_of_many(client: Any):
    longs = client.get_map("aggregated")
    longs.put_all({number: Long(number) for number in range(1, 11)})
    results = {
        aggregators.Count(): 10,
        aggregators.LongSum(): 55,
        aggregators.LongAverage(): 5.5,
        aggregators.NumberAverage(): 5.5,
        aggregators.FixedPointSum(): 55,
        aggregators.FloatingPointSum(): 55.0,
        aggregators.Max(): 10,
        aggregators.Min(): 1,
        aggregators.Distinct(): set(range(1, 11)),
        aggregators.MaxBy("this"): (10, 10),
        aggregators.MinBy("__key"): (1, 1),
    }
    for aggregator, result in results.items():
        assert longs.aggregate(aggregator) == result, type(aggregator)
    assert longs.aggregate(aggregators.Count(), predicates.Greater("this", Long(5))) == 5


@REAL_MEMBER
@pytest.mark.parametrize(
    ("values", "results"),
    [
        (
            [Decimal("1.5"), Decimal("2.5")],
            {
                aggregators.BigDecimalSum(): Decimal("4.0"),
                aggregators.BigDecimalAverage(): Decimal(2),
            },
        ),
        (
            [2**70, 2**71],
            {
                aggregators.BigIntegerSum(): 2**70 + 2**71,
                aggregators.BigIntegerAverage(): Decimal(3 * 2**69),
            },
        ),
        ([1.5, 2.5], {aggregators.DoubleSum(): 4.0, aggregators.DoubleAverage(): 2.0}),
        ([1, 2], {aggregators.IntegerSum(): 3, aggregators.IntegerAverage(): 1.5}),
    ],
    ids=["BigDecimal", "BigInteger", "Double", "Integer"],
)
def test_numbers_of_each_type_have_aggregators_of_their_own(
    client: Any, values: list[object], results: dict[object, object]
):
    numbers = client.get_map(f"numbers of {type(values[0]).__name__} {values[0]}")
    numbers.put_all(dict(enumerate(values)))
    for aggregator, result in results.items():
        assert numbers.aggregate(aggregator) == result, type(aggregator)


@REAL_MEMBER
def test_members_send_of_entries_what_is_asked_for(client: Any):
    people = client.get_map("people")
    people.put_all({n: HazelcastJsonValue({"age": n, "name": f"n{n}"}) for n in range(5)})
    assert sorted(people.project(projections.SingleAttribute("age"))) == [0, 1, 2, 3, 4]
    both = people.project(projections.MultiAttribute("age", "name"))
    assert [type(each) for each in both] == [Data] * 5
    assert people.aggregate(aggregators.Max("age")) == 4


def test_one_partition_is_asked_for_what_a_predicate_finds_in_it(client: Any):
    numbers = client.get_map("partitioned")
    numbers.put_all({number: number for number in range(2_000)})
    service = client._cluster.serialization

    def partition(key: object) -> Any:
        return service.partition_id(service.to_data(key), client.partition_count)

    beside = {number for number in range(1_000, 2_000) if partition(number) == partition(7)}
    assert len(beside) > 0
    there = predicates.PartitionPredicate(7, predicates.GreaterEqual("this", 1_000))
    assert set(numbers.key_set(there)) == beside
    assert set(numbers.values(there)) == beside
    assert dict(numbers.entry_set(there)) == {number: number for number in beside}
    keys, values = (arrow(column).to_pylist() for column in numbers.arrow_entry_set(there))
    assert (set(keys), keys) == (beside, values)
    numbers.remove_all(there)
    assert numbers.size() == 2_000 - len(beside)


@REAL_MEMBER
def test_one_partition_is_aggregated(client: Any):
    numbers = client.get_map("partitioned")
    numbers.put_all({number: number for number in range(2_000)})
    there = predicates.PartitionPredicate(7, predicates.TruePredicate())
    beside = set(numbers.key_set(there))
    assert numbers.aggregate(aggregators.Count(), there) == len(beside) > 0
    assert set(numbers.project(projections.SingleAttribute("this"), there)) == beside
    assert set(numbers.execute_on_entries(Work("look"), there)) == beside
