"""What members make of many entries, so that only the result crosses the network.

Each is written as its class of `com.hazelcast.aggregation.impl`, by the numbers of
`AggregatorDataSerializerHook`. An attribute is named as in a predicate; without one, the entry's
value itself is taken. Members since 3.8 know them.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import ClassVar

from .serialization import (
    BigInteger,
    ObjectDataOutput,
    SentOnly,
)


class Aggregator(SentOnly):
    """Makes one value of many, of an attribute of each."""

    factory_id: ClassVar[int] = -41  # FactoryIdHelper.AGGREGATOR_DS_FACTORY_ID
    _begin: ClassVar[Callable[[ObjectDataOutput], None]]
    """Writes what it begins with: members go on from there."""

    def __init__(self, attribute: str | None = None) -> None:
        self.attribute = attribute

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the attribute, and the state of one that has seen nothing."""
        output.write_utf(self.attribute)
        type(self)._begin(output)


def _null(output: ObjectDataOutput) -> None:
    output.write_object(None)


def _two_nulls(output: ObjectDataOutput) -> None:
    output.write_object(None)
    output.write_object(None)


def _long(output: ObjectDataOutput) -> None:
    output.write_long(0)


def _two_longs(output: ObjectDataOutput) -> None:
    output.write_long(0)
    output.write_long(0)


def _double(output: ObjectDataOutput) -> None:
    output.write_double(0.0)


def _double_and_count(output: ObjectDataOutput) -> None:
    output.write_double(0.0)
    output.write_long(0)


def _nothing_seen(output: ObjectDataOutput) -> None:
    output.write_int(0)


def _decimal(output: ObjectDataOutput) -> None:
    output.write_object(Decimal(0))


def _decimal_and_count(output: ObjectDataOutput) -> None:
    output.write_object(Decimal(0))
    output.write_long(0)


def _big_integer(output: ObjectDataOutput) -> None:
    output.write_object(BigInteger(0))


def _big_integer_and_count(output: ObjectDataOutput) -> None:
    output.write_object(BigInteger(0))
    output.write_long(0)


class BigDecimalAverage(Aggregator):
    """The mean of BigDecimals: a `Decimal`."""

    class_id: ClassVar[int] = 0
    _begin = _decimal_and_count


class BigDecimalSum(Aggregator):
    """The sum of BigDecimals: a `Decimal`."""

    class_id: ClassVar[int] = 1
    _begin = _decimal


class BigIntegerAverage(Aggregator):
    """The mean of BigIntegers: a `Decimal`."""

    class_id: ClassVar[int] = 2
    _begin = _big_integer_and_count


class BigIntegerSum(Aggregator):
    """The sum of BigIntegers: an `int`."""

    class_id: ClassVar[int] = 3
    _begin = _big_integer


class Count(Aggregator):
    """How many there are; of an attribute, how many are not null."""

    class_id: ClassVar[int] = 4
    _begin = _long


class Distinct(Aggregator):
    """Which values there are: a `set`, or a `list` if some cannot be in a set."""

    class_id: ClassVar[int] = 5
    _begin = _nothing_seen


class DoubleAverage(Aggregator):
    """The mean of Doubles."""

    class_id: ClassVar[int] = 6
    _begin = _double_and_count


class DoubleSum(Aggregator):
    """The sum of Doubles."""

    class_id: ClassVar[int] = 7
    _begin = _double


class FixedPointSum(Aggregator):
    """The sum of numbers of any type, each cut to a Long."""

    class_id: ClassVar[int] = 8
    _begin = _long


class FloatingPointSum(Aggregator):
    """The sum of numbers of any type, each as a Double."""

    class_id: ClassVar[int] = 9
    _begin = _double


class IntegerAverage(Aggregator):
    """The mean of Integers: a `float`."""

    class_id: ClassVar[int] = 10
    _begin = _two_longs


class IntegerSum(Aggregator):
    """The sum of Integers, as a Long."""

    class_id: ClassVar[int] = 11
    _begin = _long


class LongAverage(Aggregator):
    """The mean of Longs: a `float`."""

    class_id: ClassVar[int] = 12
    _begin = _two_longs


class LongSum(Aggregator):
    """The sum of Longs."""

    class_id: ClassVar[int] = 13
    _begin = _long


class Max(Aggregator):
    """The greatest of what can be compared."""

    class_id: ClassVar[int] = 14
    _begin = _null


class Min(Aggregator):
    """The least of what can be compared."""

    class_id: ClassVar[int] = 15
    _begin = _null


class NumberAverage(Aggregator):
    """The mean of numbers of any type: a `float`."""

    class_id: ClassVar[int] = 16
    _begin = _double_and_count


class MaxBy(Aggregator):
    """An entry whose attribute is the greatest: a key and a value."""

    class_id: ClassVar[int] = 17
    _begin = _two_nulls

    def __init__(self, attribute: str) -> None:
        super().__init__(attribute)


class MinBy(Aggregator):
    """An entry whose attribute is the least: a key and a value."""

    class_id: ClassVar[int] = 18
    _begin = _two_nulls

    def __init__(self, attribute: str) -> None:
        super().__init__(attribute)
