"""Command `jvmwire hazelcast serve`, which runs a double of a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jvmwire._cli.serve_options import PORT, fault_options, host_option, wait_for_end
from jvmwire._cli.server_options import password_option, system_option

if TYPE_CHECKING:
    from jvmwire._faults import Fault

SYSTEM = "hazelcast"


@click.command()
@host_option
@click.option(
    "--port",
    type=PORT,
    default=5701,
    show_default=True,
    help="The port of the first member, the others have the next ones; 0 is for free ports.",
)
@click.option(
    "--members",
    type=click.IntRange(1, 100),
    default=1,
    show_default=True,
    help="The number of members.",
)
@system_option(
    SYSTEM,
    "--cluster-name",
    metavar="NAME",
    default="dev",
    show_default=True,
    help="Name of the group.",
)
@password_option(SYSTEM, of="the group")
@click.option(
    "--partitions",
    type=click.IntRange(1, 100_000),
    default=271,
    show_default=True,
    help="The number of partitions.",
)
@fault_options("MESSAGE", "MESSAGE=JAVA_CLASS", "Map.put=java.lang.IllegalStateException")
def serve(
    *,
    host: str,
    port: int,
    members: int,
    cluster_name: str,
    password: str | None,
    partitions: int,
    faults: list[Fault],
) -> None:
    """Serve a double of a cluster of Hazelcast 3.12, to try clients on.

    It is no cluster: one process keeps all structures in memory until it ends. Clients in any
    language can use maps, queues, topics, lists, sets, multi-maps, ring buffers, locks, semaphores,
    latches, atomic longs and references, and listen to them. Transactions, executors, caches,
    aggregations and the CP subsystem are refused.

      jvmwire hazelcast serve &
      jvmwire hazelcast put numbers 1 one
    """
    from jvmwire.hazelcast.testing import HazelcastDouble

    double = HazelcastDouble(
        host,
        port,
        members=members,
        cluster_name=cluster_name,
        password=password,
        partition_count=partitions,
    )
    for fault in faults:
        double.fail(fault)
    with double:
        wait_for_end("a Hazelcast cluster", double.addresses)
