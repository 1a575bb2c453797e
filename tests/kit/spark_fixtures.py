"""Pytest plugin with the Spark session that all tests of a run share."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

import jvmwire.spark


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local Spark session with two cores, in which the data source `jvmwire` is registered."""
    session = jvmwire.spark.new_session("local[2]", name="tests")
    jvmwire.spark.register(session)
    yield session
    session.stop()
