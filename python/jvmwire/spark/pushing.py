"""Filters of Spark's, judged in Rust before rows leave the executor.

Spark refuses a reader that takes filters unless its session lets Python sources have them
(`spark.sql.python.filterPushdown.enabled`): `register` chooses.
"""

from __future__ import annotations

from dataclasses import replace
from functools import reduce
from typing import TYPE_CHECKING, Any

from pyspark.sql import datasource as spark

from jvmwire.errors import ConfigError
from jvmwire.spark.captures import CaptureReader, CaptureSource
from jvmwire.spark.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pyspark.sql.datasource import Filter
    from pyspark.sql.types import StructType

    from jvmwire.capture.condition import Comparison, Condition

_COMPARISONS: dict[type[Filter], Comparison] = {
    spark.EqualTo: "=",
    spark.GreaterThan: ">",
    spark.GreaterThanOrEqual: ">=",
    spark.LessThan: "<",
    spark.LessThanOrEqual: "<=",
}
_PATTERN = set("%_\\")
"""Characters that mean something in LIKE."""


class FilteringReader(CaptureReader):
    """A reader that takes the filters it can judge."""

    def pushFilters(self, filters: list[Filter]) -> Iterator[Filter]:  # noqa: N802 - Spark's name
        """Take what can be judged here; yield the rest, which Spark judges."""
        for given in filters:
            condition = condition_of(given)
            if condition is None or not self._take(condition):
                yield given

    def _take(self, condition: Condition) -> bool:
        options = self._options
        if options.is_of_files:
            return False
        before = options.condition
        both = condition if before is None else ("and", before, condition)
        taken = replace(options, condition=both)
        try:
            taken.view()
        except ConfigError:
            return False
        self._options = taken
        return True


class FilteringCaptureSource(CaptureSource):
    """The format `jvmwire` for sessions that push filters down to Python sources."""

    def reader(self, schema: StructType) -> FilteringReader:  # noqa: ARG002 - Spark's signature
        """Return what reads the captures."""
        return FilteringReader(Options.of_read(self.options))


def condition_of(given: Filter) -> Condition | None:
    """Return a filter as a condition; None if it is more than we judge."""
    match given:
        case spark.Not(child):
            condition = condition_of(child)
            return None if condition is None else ("not", condition)
        case spark.IsNull((name,)):
            return "is null", name
        case spark.IsNotNull((name,)):
            return "not", ("is null", name)
        case spark.In((name,), values) if values and all(map(_is_constant, values)):
            return _any([("=", name, value) for value in values])
        case spark.StringStartsWith((name,), value) if not _PATTERN & set(value):
            return "like", name, f"{value}%"
        case spark.StringEndsWith((name,), value) if not _PATTERN & set(value):
            return "like", name, f"%{value}"
        case spark.StringContains((name,), value) if not _PATTERN & set(value):
            return "like", name, f"%{value}%"
        case (
            spark.EqualTo((name,), value)
            | spark.GreaterThan((name,), value)
            | spark.GreaterThanOrEqual((name,), value)
            | spark.LessThan((name,), value)
            | spark.LessThanOrEqual((name,), value)
        ) if _is_constant(value):
            return _COMPARISONS[type(given)], name, value
    return None


def _is_constant(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _any(conditions: Iterable[Condition]) -> Condition:
    return reduce(lambda left, right: ("or", left, right), conditions)
