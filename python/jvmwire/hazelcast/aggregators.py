"""Aggregators that members apply to entries, so that only the result crosses the network.

Each is serialized as its class of `com.hazelcast.aggregation.impl`, by the numbers of
`AggregatorDataSerializerHook`. An attribute is named as in a predicate; without one, the entry's
value itself is aggregated. Supported by members from 3.8 on.
"""

from collections.abc import Callable
from decimal import Decimal
from typing import ClassVar

from jvmwire.hazelcast.serialization import (
    BigInteger,
    ObjectDataOutput,
    WriteOnly,
)

__all__ = [
    "Aggregator",
    "BigDecimalAverage",
    "BigDecimalSum",
    "BigIntegerAverage",
    "BigIntegerSum",
    "Count",
    "Distinct",
    "DoubleAverage",
    "DoubleSum",
    "FixedPointSum",
    "FloatingPointSum",
    "IntegerAverage",
    "IntegerSum",
    "LongAverage",
    "LongSum",
    "Max",
    "MaxBy",
    "Min",
    "MinBy",
    "NumberAverage",
]


class Aggregator(WriteOnly):
    """Base of aggregators, which reduce an attribute of many entries to one value.

    Args:
        attribute: Name of the attribute; None is the entry's value.
    """

    factory_id: ClassVar[int] = -41  # FactoryIdHelper.AGGREGATOR_DS_FACTORY_ID
    _begin: ClassVar[Callable[[ObjectDataOutput], None]]
    """Function that writes the initial state, from which members continue."""

    def __init__(self, attribute: str | None = None) -> None:
        self.attribute = attribute

    def write_data(self, output: ObjectDataOutput) -> None:
        """Write the attribute and the initial state.

        Args:
            output: Output to write to.
        """
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
    """Average of BigDecimals, a `Decimal`."""

    class_id: ClassVar[int] = 0
    _begin = _decimal_and_count


class BigDecimalSum(Aggregator):
    """Sum of BigDecimals, a `Decimal`."""

    class_id: ClassVar[int] = 1
    _begin = _decimal


class BigIntegerAverage(Aggregator):
    """Average of BigIntegers, a `Decimal`."""

    class_id: ClassVar[int] = 2
    _begin = _big_integer_and_count


class BigIntegerSum(Aggregator):
    """Sum of BigIntegers, an `int`."""

    class_id: ClassVar[int] = 3
    _begin = _big_integer


class Count(Aggregator):
    """Number of entries, or of entries whose attribute is not null."""

    class_id: ClassVar[int] = 4
    _begin = _long


class Distinct(Aggregator):
    """Distinct values: a `set`, or a `list` if some are not hashable."""

    class_id: ClassVar[int] = 5
    _begin = _nothing_seen


class DoubleAverage(Aggregator):
    """Average of Doubles."""

    class_id: ClassVar[int] = 6
    _begin = _double_and_count


class DoubleSum(Aggregator):
    """Sum of Doubles."""

    class_id: ClassVar[int] = 7
    _begin = _double


class FixedPointSum(Aggregator):
    """Sum of numbers of any type, each truncated to a Long."""

    class_id: ClassVar[int] = 8
    _begin = _long


class FloatingPointSum(Aggregator):
    """Sum of numbers of any type, each as a Double."""

    class_id: ClassVar[int] = 9
    _begin = _double


class IntegerAverage(Aggregator):
    """Average of Integers, a `float`."""

    class_id: ClassVar[int] = 10
    _begin = _two_longs


class IntegerSum(Aggregator):
    """Sum of Integers, as a Long."""

    class_id: ClassVar[int] = 11
    _begin = _long


class LongAverage(Aggregator):
    """Average of Longs, a `float`."""

    class_id: ClassVar[int] = 12
    _begin = _two_longs


class LongSum(Aggregator):
    """Sum of Longs."""

    class_id: ClassVar[int] = 13
    _begin = _long


class Max(Aggregator):
    """Maximum of comparable values."""

    class_id: ClassVar[int] = 14
    _begin = _null


class Min(Aggregator):
    """Minimum of comparable values."""

    class_id: ClassVar[int] = 15
    _begin = _null


class NumberAverage(Aggregator):
    """Average of numbers of any type, a `float`."""

    class_id: ClassVar[int] = 16
    _begin = _double_and_count


class MaxBy(Aggregator):
    """Entry with the maximum of an attribute, as a pair of key and value.

    Args:
        attribute: Name of the attribute.
    """

    class_id: ClassVar[int] = 17
    _begin = _two_nulls

    def __init__(self, attribute: str) -> None:
        super().__init__(attribute)


class MinBy(Aggregator):
    """Entry with the minimum of an attribute, as a pair of key and value.

    Args:
        attribute: Name of the attribute.
    """

    class_id: ClassVar[int] = 18
    _begin = _two_nulls

    def __init__(self, attribute: str) -> None:
        super().__init__(attribute)
