"""Commands `jvmwire hadoop`, which inspect HDFS, call any service, and replay dumps."""

from __future__ import annotations

import click

from jvmwire._cli.hadoop.files import du, find, ls, stat, tree
from jvmwire._cli.hadoop.replay import replay
from jvmwire._cli.hadoop.services import call, ping

__all__ = ["hadoop"]


@click.group()
def hadoop() -> None:
    """Look at HDFS, call any service of Hadoop, replay dumps.

    Paths are hdfs://host:port/path, hdfs://name-service/path, or /path in the file system that
    --server or the configuration (HADOOP_CONF_DIR) names.
    """


for command in (ls, stat, du, find, tree, call, ping, replay):
    hadoop.add_command(command)
