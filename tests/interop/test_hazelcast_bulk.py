"""Many entries of real members at once: to Arrow, and what members make of them."""

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from jvmwire.hazelcast import HazelcastClient, aggregators, predicates, projections
from jvmwire.hazelcast.serialization import Data, HazelcastJsonValue, Long
from kit.hazelcast import Member


@pytest.fixture
def client(hazelcast_member: Member):
    with HazelcastClient.connect([hazelcast_member.address]) as client:
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


def test_entries_of_types_that_no_column_holds_are_a_value_error(client: Any):
    mixed = client.get_map("mixed")
    mixed.put_all({number: [number] for number in range(10)})
    with pytest.raises(ValueError, match="of type -26"):
        list(mixed.arrow_entries())
    assert len(list(mixed.entries())) == 10


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


def test_members_send_of_entries_what_is_asked_for(client: Any):
    people = client.get_map("people")
    people.put_all({n: HazelcastJsonValue({"age": n, "name": f"n{n}"}) for n in range(5)})
    assert sorted(people.project(projections.SingleAttribute("age"))) == [0, 1, 2, 3, 4]
    both = people.project(projections.MultiAttribute("age", "name"))
    assert [type(each) for each in both] == [Data] * 5
    assert people.aggregate(aggregators.Max("age")) == 4
