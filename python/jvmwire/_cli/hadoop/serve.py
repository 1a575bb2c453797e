"""Command `jvmwire hadoop serve`, which runs a double of a NameNode."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from jvmwire._cli.serve_options import PORT, fault_options, host_option, split_pair, wait_for_end

if TYPE_CHECKING:
    from jvmwire._faults import Fault


@click.command()
@host_option
@click.option(
    "--port",
    type=PORT,
    default=8020,
    show_default=True,
    help="The port to listen at; 0 is a free one.",
)
@click.option(
    "--standby-port",
    type=PORT,
    help="Serve a standby of the same namespace at this port, for failover.",
)
@click.option(
    "--superuser", default="hdfs", show_default=True, help="The user whose access is not checked."
)
@click.option(
    "--group",
    "members",
    metavar="GROUP=USER,...",
    multiple=True,
    callback=lambda _context, _param, given: _groups(given),
    help="The users of a group; may be given again.",
)
@click.option(
    "--file",
    "files",
    metavar="PATH=LENGTH",
    multiple=True,
    callback=lambda _context, _param, given: [_file(each) for each in given],
    help="Have a file of this length in bytes, without its bytes; may be given again.",
)
@fault_options()
def serve(
    *,
    host: str,
    port: int,
    standby_port: int | None,
    superuser: str,
    members: dict[str, list[str]],
    files: list[tuple[str, int]],
    faults: list[Fault],
) -> None:
    """Serve a double of a NameNode, to try clients on.

    It is no NameNode: it keeps the namespace in memory until it ends, and has no DataNodes, no
    security and no journal. Clients in any language can list, create, rename and delete, set
    permissions, access control lists, extended attributes, times, quotas and policies, and take
    snapshots.

      jvmwire hadoop serve &
      jvmwire hadoop mkdir --server localhost /data
    """
    from jvmwire.hadoop.testing import NameNodeDouble

    double = NameNodeDouble(
        host,
        port,
        superuser=superuser,
        groups=members,
        standby=standby_port is not None,
        standby_port=standby_port or 0,
    )
    for path, length in files:
        double.put(path, length)
    for fault in faults:
        double.fail(fault)
    with double:
        wait_for_end("a NameNode", double.addresses)


def _file(given: str) -> tuple[str, int]:
    path, separator, length = given.rpartition("=")
    if not separator:
        path, length = given, "0"
    if not path.startswith("/") or not length.isdecimal() or int(length) >= 1 << 63:
        raise click.BadParameter(f"{given!r} is not PATH=LENGTH, as /data/part-0=1048576")
    return path, int(length)


def _groups(given: tuple[str, ...]) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for each in given:
        group, users = split_pair(each, "GROUP=USER,...")
        for user in users.split(","):
            groups.setdefault(user, []).append(group)
    return groups
