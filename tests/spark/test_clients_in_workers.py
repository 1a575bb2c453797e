"""Clients in Spark's Python workers, which a daemon forks and which are reused for later tasks."""

from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from kit.echo_server import EchoServer
from kit.worker_clients import in_workers


@pytest.fixture(scope="module")
def address() -> Iterator[tuple[str, int]]:
    with EchoServer() as server:
        yield server.address


def test_a_worker_makes_a_client_and_closes_it(spark: SparkSession, address: tuple[str, int]):
    echo = in_workers("with_a_new_client", address)
    for _ in range(3):
        numbers = spark.sparkContext.range(100, numSlices=4).mapPartitions(echo).collect()
        assert numbers == [*range(100)]


def test_a_worker_may_keep_its_client_for_the_next_task(
    spark: SparkSession, address: tuple[str, int]
):
    echo = in_workers("with_the_kept_client", address)
    clients: dict[int, set[int]] = {}
    for _ in range(4):
        rows = spark.sparkContext.range(40, numSlices=4).mapPartitions(echo).collect()
        assert [number for _, _, number in rows] == [*range(40)]
        for process, client, _ in rows:
            clients.setdefault(process, set()).add(client)
    assert all(len(ids) == 1 for ids in clients.values())
    assert len(clients) < 16  # each of four jobs has four tasks: workers were reused
