"""Many requests at once: grouped by partition, in flight together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmwire._core import hazelcast_partition_list
from jvmwire.errors import TransportError
from jvmwire.hazelcast.commands import Request, Requests
from jvmwire.hazelcast.errors import from_fields
from jvmwire.operations import Call, Gather

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmwire._core import HazelcastMessage
    from jvmwire.drivers.connection import Connection
    from jvmwire.hazelcast.cluster import Cluster
    from jvmwire.operations import Operation


def call_all(cluster: Cluster, requests: Iterable[Request]) -> Operation[list[Any]]:
    """Return what each request is answered; all are carried out, then the first error is raised."""
    answers: list[Any] = yield Gather([cluster.call(request) for request in requests])
    return answers


PIPELINE = 1024
"""Requests of a batch that are written at once. Ours."""


def send_all(
    cluster: Cluster, message: HazelcastMessage, rows: list[tuple[Any, ...]], *, repeatable: bool
) -> Operation[list[Any]]:
    """Return the first field of each answer; the key of a row is its second field.

    What was refused for now, or lost and safe to repeat, is asked again one by one.
    """
    yield from cluster.ready()
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
                repeatable,
            )
            batches.append(_batch(cluster, connection, batch, some, answers))
    yield Gather(batches)
    return answers


def _batch(
    cluster: Cluster,
    connection: Connection | None,
    batch: Requests,
    indexes: list[int],
    answers: list[Any],
) -> Operation[None]:
    again: Iterable[int] = range(len(indexes))
    if connection is not None:
        try:
            replies, *_ = yield Call(connection, batch)
        except TransportError:
            pass  # it had not left, or may be repeated
        else:
            for index, value in zip(indexes, replies.values(), strict=True):
                answers[index] = value
            refused = [(at, from_fields(fields)) for at, _, fields in replies.failures()]
            for _, error in refused:
                if not error.retryable:
                    raise error
            again = [at for at, _ in refused]
    for at in again:
        request = Request(batch.message, batch.rows[at], batch.partition_ids[at], batch.repeatable)
        fields = yield from cluster.call(request)
        answers[indexes[at]] = fields[0] if fields else None
