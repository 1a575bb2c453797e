"""Pytest plugin with the Spark session that all tests of a run share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local Spark session with two cores, in which the data source `jvmwire` is registered."""
    # Imported late: tests of other folders load this plugin for the guides that use Spark.
    import jvmwire.spark

    session = jvmwire.spark.new_session("local[2]", name="tests")
    jvmwire.spark.register(session)
    yield session
    session.stop()
