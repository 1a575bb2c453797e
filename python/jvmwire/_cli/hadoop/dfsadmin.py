"""Commands `jvmwire hadoop dfsadmin`, for administrators of a NameNode."""

from __future__ import annotations

import click

from jvmwire._cli.groups import ServerGroup
from jvmwire._cli.hadoop.connection_options import Target, target_options
from jvmwire._cli.server_options import json_option
from jvmwire._cli.tabular import echo_safe, format_size, write_json, write_table


@click.group(cls=ServerGroup)
def dfsadmin() -> None:
    """Administer a NameNode."""


@dfsadmin.command()
@target_options
@json_option
def report(*, target: Target, as_json: bool) -> None:
    """Show the space of the file system and of each DataNode."""
    with target.namenode(None) as namenode:
        stats, nodes = namenode.get_fs_stats(), namenode.get_datanode_report()
        if as_json:
            write_json([stats, *nodes])
            return
        safe = namenode.get_safe_mode()
    facts = [
        ("safe mode", "on" if safe else "off"),
        ("capacity", format_size(stats.capacity)),
        ("used", format_size(stats.used)),
        ("remaining", format_size(stats.remaining)),
        ("under-replicated blocks", str(stats.under_replicated)),
        ("corrupt blocks", str(stats.corrupt_blocks)),
        ("missing blocks", str(stats.missing_blocks)),
    ]
    write_table({"": "left", " ": "right"}, facts, heading=False)
    echo_safe("")
    write_table(
        {
            "DataNode": "left",
            "state": "left",
            "capacity": "right",
            "used": "right",
            "remaining": "right",
            "blocks": "right",
        },
        (
            (
                f"{node.host} ({node.address})",
                str(node.admin_state),
                format_size(node.capacity),
                format_size(node.dfs_used),
                format_size(node.remaining),
                str(node.num_blocks),
            )
            for node in nodes
        ),
    )


@dfsadmin.command()
@click.argument("action", type=click.Choice(["get", "enter", "leave"]))
@target_options
@json_option
def safemode(action: str, *, target: Target, as_json: bool) -> None:
    """Show whether the NameNode is in safe mode, or change it."""
    with target.namenode(None) as namenode:
        match action:
            case "enter":
                is_on = namenode.enter_safe_mode()
            case "leave":
                is_on = namenode.leave_safe_mode()
            case _:
                is_on = namenode.get_safe_mode()
    if as_json:
        write_json([{"safe_mode": is_on}])
    else:
        echo_safe(f"safe mode is {'on' if is_on else 'off'}")


@dfsadmin.command("save-namespace")
@target_options
def save_namespace(*, target: Target) -> None:
    """Write a checkpoint of the namespace; the NameNode must be in safe mode."""
    with target.namenode(None) as namenode:
        saved = namenode.save_namespace()
    echo_safe("the namespace was saved" if saved else "the last checkpoint is recent enough")


@dfsadmin.command("refresh-nodes")
@target_options
def refresh_nodes(*, target: Target) -> None:
    """Make the NameNode read its lists of DataNodes to admit and to exclude again."""
    with target.namenode(None) as namenode:
        namenode.call("refreshNodes")
    echo_safe("the lists of DataNodes were read")
