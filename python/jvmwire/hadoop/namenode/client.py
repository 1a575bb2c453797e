"""A NameNode's client, for threads and for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from jvmwire.hadoop.client import AsyncHadoopClient, HadoopClient
from jvmwire.hadoop.config_mapping import (
    find_namenodes,
    find_user,
    for_name_service,
    read_options,
    with_user,
)
from jvmwire.hadoop.configuration import HadoopConfiguration
from jvmwire.hadoop.namenode.attributes import AttributeCalls
from jvmwire.hadoop.namenode.cluster import ClusterCalls
from jvmwire.hadoop.namenode.files import FileCalls
from jvmwire.hadoop.namenode.snapshots import SnapshotCalls
from jvmwire.hadoop.namenode.tokens import TokenCalls
from jvmwire.hadoop.namenode.traversal import TreeCalls

if TYPE_CHECKING:
    from jvmwire.hadoop.options import HadoopOptions
    from jvmwire.transports import Tcp


class NameNodeCalls(FileCalls, TreeCalls, AttributeCalls, SnapshotCalls, ClusterCalls, TokenCalls):
    """All that a NameNode can be asked."""


class NameNode(NameNodeCalls, HadoopClient):
    """Blocking client of a NameNode, or of several of which one is active; threads may share it."""

    @classmethod
    def from_configuration(
        cls,
        url: str | None = None,
        configuration: HadoopConfiguration | None = None,
        **options: Any,
    ) -> Self:
        """Return a client of a file system, as `hdfs://name-service`, or of `fs.defaultFS`.

        The configuration is that of `HADOOP_CONF_DIR`; `options` are those of `HadoopOptions`.

        Raises:
            ConfigError: the configuration does not say who to call, or cannot be meant so.
        """
        return cls(*_configured(url, configuration, options))


class AsyncNameNode(NameNodeCalls, AsyncHadoopClient):
    """The same calls, awaited; they may overlap."""

    @classmethod
    def from_configuration(
        cls,
        url: str | None = None,
        configuration: HadoopConfiguration | None = None,
        **options: Any,
    ) -> Self:
        """Return a client of a file system, as `hdfs://name-service`, or of `fs.defaultFS`.

        The configuration is that of `HADOOP_CONF_DIR`; `options` are those of `HadoopOptions`.

        Raises:
            ConfigError: the configuration does not say who to call, or cannot be meant so.
        """
        return cls(*_configured(url, configuration, options))


def _configured(
    url: str | None, configuration: HadoopConfiguration | None, options: dict[str, Any]
) -> tuple[list[Tcp], HadoopOptions]:
    configuration = configuration or HadoopConfiguration.load()
    servers = find_namenodes(configuration, url)
    found = read_options(
        configuration, servers=len(servers), **with_user(options, find_user(configuration, url))
    )
    return servers, for_name_service(found, configuration, url, servers)
