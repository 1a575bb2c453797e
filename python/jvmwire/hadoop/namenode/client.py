"""A NameNode's client, for threads and for asyncio."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from jvmwire.hadoop.client import AsyncHadoopClient, HadoopClient
from jvmwire.hadoop.config_mapping import (
    apply_name_service,
    find_namenodes,
    find_user,
    options_from_configuration,
    with_user,
)
from jvmwire.hadoop.configuration import HadoopConfiguration
from jvmwire.hadoop.namenode.attributes import MetadataMethods
from jvmwire.hadoop.namenode.cluster import ClusterMethods
from jvmwire.hadoop.namenode.files import FileMethods
from jvmwire.hadoop.namenode.snapshots import SnapshotMethods
from jvmwire.hadoop.namenode.tokens import TokenMethods
from jvmwire.hadoop.namenode.traversal import TraversalMethods

if TYPE_CHECKING:
    from jvmwire.hadoop.options import HadoopOptions
    from jvmwire.transports import Tcp


class NameNodeMethods(
    FileMethods, TraversalMethods, MetadataMethods, SnapshotMethods, ClusterMethods, TokenMethods
):
    """All that a NameNode can be asked."""


class NameNode(NameNodeMethods, HadoopClient):
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


class AsyncNameNode(NameNodeMethods, AsyncHadoopClient):
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
    found = options_from_configuration(
        configuration, servers=len(servers), **with_user(options, find_user(configuration, url))
    )
    return servers, apply_name_service(found, configuration, url, servers)
