"""Commands `jvmwire hadoop`, which inspect and change HDFS, call any service, and replay dumps."""

from __future__ import annotations

import click

from jvmwire._cli.groups import ServerGroup
from jvmwire._cli.hadoop.changes import mkdir, mv, rm, touch
from jvmwire._cli.hadoop.dfsadmin import dfsadmin
from jvmwire._cli.hadoop.files import count, du, find, ls, stat, tree
from jvmwire._cli.hadoop.permissions import chmod, chown, getfacl, setfacl
from jvmwire._cli.hadoop.replay import replay
from jvmwire._cli.hadoop.serve import serve
from jvmwire._cli.hadoop.services import call, ping

__all__ = ["hadoop"]


@click.group(cls=ServerGroup)
def hadoop() -> None:
    """Look at HDFS and change it, call any service of Hadoop.

    Paths are hdfs://host:port/path, hdfs://name-service/path, or /path in the file system that
    --server or the configuration (HADOOP_CONF_DIR) names.
    """


COMMANDS = (
    *(ls, stat, du, count, find, tree),
    *(mkdir, touch, mv, rm, chmod, chown, getfacl, setfacl),
    *(dfsadmin, call, ping, replay, serve),
)
for command in COMMANDS:
    hadoop.add_command(command)
