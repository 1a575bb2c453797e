"""Many requests at once: grouped by partition, all in flight together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import hazelcast_partition_list
from jvmwire._runtime.operations import Call, Gather, Sleep
from jvmwire.errors import JvmWireError
from jvmwire.hazelcast._commands import Command, Request, Requests
from jvmwire.hazelcast.errors import from_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire._core import HazelcastMessage, HazelcastPackedList
    from jvmwire._runtime.operations import Connection, Operation
    from jvmwire.hazelcast._cluster import Cluster
    from jvmwire.hazelcast._invoker import Invoker


def call_all(cluster: Invoker, requests: Iterable[Request]) -> Operation[list[Any]]:
    """Send all requests and return their results; raise the first error after all ended."""
    answers: list[Any] = yield Gather([cluster.call(request) for request in requests])
    return answers


def call_partition_batches(
    cluster: Cluster,
    structure: tuple[str, str],
    packed: dict[int, HazelcastPackedList],
    count: int,
    request: Callable[[int, HazelcastPackedList], Request],
) -> Operation[None]:
    """Send one request per partition of `count`; all are sent before an error is raised.

    If the cluster was restarted with another number of partitions, the remaining data is packed
    again.
    """
    yield Gather(
        [
            _call_partition_batches(cluster, structure, packed[at], count, at, request)
            for at in packed
        ]
    )


def _call_partition_batches(
    cluster: Cluster,
    structure: tuple[str, str],
    packed: HazelcastPackedList,
    count: int,
    partition_id: int,
    request: Callable[[int, HazelcastPackedList], Request],
) -> Operation[None]:
    def choose() -> Operation[tuple[Connection, Command]]:
        while True:
            yield from cluster.create_proxy(*structure)
            if cluster.partitions.count != count:
                raise _OtherPartitionsError
            if (connection := cluster.connection_to(partition_id)) is not None:
                return connection, request(partition_id, packed)
            yield from cluster.join()

    try:
        yield from cluster.call_with_selector(choose)
    except _OtherPartitionsError:
        new_count = cluster.partitions.count
        yield from call_partition_batches(
            cluster, structure, packed.packed_anew(new_count), new_count, request
        )


class _OtherPartitionsError(Exception):
    """The cluster has not as many partitions as were packed for."""


PIPELINE = 1024
"""Requests of a batch that are written at once. (Chosen by jvmwire.)"""


def send_all(
    cluster: Cluster,
    message: HazelcastMessage,
    rows: list[tuple[Any, ...]],
    *,
    idempotent: bool,
    structure: tuple[str, str],
) -> Operation[list[Any]]:
    """Return the first field of each response; the key of a row is its second field.

    Requests that failed with a retriable error, or were lost and are repeatable, are retried one
    by one.
    """
    yield from cluster.create_proxy(*structure)
    partition_ids = hazelcast_partition_list([row[1] for row in rows], cluster.partitions.count)
    places: dict[Connection | None, list[int]] = {}
    connections = [cluster.connection_to(at) for at in range(cluster.partitions.count)]
    for index, partition_id in enumerate(partition_ids):
        places.setdefault(connections[partition_id], []).append(index)
    batches = []
    answers: list[Any] = [None] * len(rows)
    for connection, indexes in places.items():
        for some in (indexes[at : at + PIPELINE] for at in range(0, len(indexes), PIPELINE)):
            batch = Requests(
                message,
                [rows[index] for index in some],
                [partition_ids[index] for index in some],
                idempotent,
            )
            batches.append(_batch(cluster, connection, batch, some, answers, structure))
    yield Gather(batches)
    return answers


def _batch(
    cluster: Cluster,
    connection: Connection | None,
    batch: Requests,
    indexes: list[int],
    answers: list[Any],
    structure: tuple[str, str],
) -> Operation[None]:
    again: Iterable[int] = range(len(indexes))
    pause = 0.0
    if connection is not None:
        try:
            replies, *_ = yield Call(connection, batch)
        except JvmWireError as error:
            pause = cluster.retry_delay(error, batch, connection)
        else:
            for index, value in zip(indexes, replies.values(), strict=True):
                answers[index] = value
            again = []
            for at, _, fields in replies.failures():
                refusal = from_fields(fields)
                pause = cluster.retry_delay(refusal, batch, connection)
                again.append(at)
    if pause:
        yield Sleep(pause)
    for at in again:
        row = batch.rows[at]
        request = Request(
            batch.message, row, idempotent=batch.idempotent, key=row[1], structure=structure
        )
        fields = yield from cluster.call(request)
        answers[indexes[at]] = fields[0] if fields else None
