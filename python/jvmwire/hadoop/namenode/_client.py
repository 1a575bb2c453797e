"""Blocking and asyncio clients of a NameNode."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from jvmwire.hadoop._client import AsyncHadoopClient, HadoopClient
from jvmwire.hadoop._config_mapping import (
    apply_name_service,
    find_namenodes,
    find_user,
    options_from_configuration,
    with_user,
)
from jvmwire.hadoop._configuration import HadoopConfiguration
from jvmwire.hadoop.namenode._attributes import MetadataMethods
from jvmwire.hadoop.namenode._cluster import ClusterMethods
from jvmwire.hadoop.namenode._files import FileMethods
from jvmwire.hadoop.namenode._snapshots import SnapshotMethods
from jvmwire.hadoop.namenode._tokens import TokenMethods
from jvmwire.hadoop.namenode._traversal import TraversalMethods

if TYPE_CHECKING:
    from typing import Unpack

    from jvmwire.hadoop._options import HadoopKeywords, HadoopOptions
    from jvmwire.transports import Tcp


class NameNodeMethods(
    FileMethods, TraversalMethods, MetadataMethods, SnapshotMethods, ClusterMethods, TokenMethods
):
    """All calls of a NameNode client."""

    @classmethod
    def from_configuration(
        cls,
        url: str | None = None,
        configuration: HadoopConfiguration | None = None,
        **options: Unpack[HadoopKeywords],
    ) -> Self:
        """Return a client of the file system that Hadoop's configuration describes.

        Args:
            url: File system, such as `hdfs://name-service`. Default: `fs.defaultFS`.
            configuration: The configuration. Default: the files in `HADOOP_CONF_DIR`.
            **options: Fields of `HadoopOptions`, which take precedence over the configuration.

        Returns:
            A client that connects with its first call.

        Raises:
            ConfigError: the configuration names no NameNode, or one of its settings is invalid.
        """
        return cls(*_configured(url, configuration, dict(options)))


class NameNode(NameNodeMethods, HadoopClient):
    """Blocking client of a NameNode, or of a group of NameNodes of which one is active.

    Threads may share a client.

    Args:
        endpoints: The address of the NameNode, or of all NameNodes of the group: `host`,
            `host:port`, `[::1]:port`, `hdfs://user@host:port`, several of them with commas between
            them or in a list, or endpoint objects such as `Tcp`. The default port is 8020.
        options: Options of the client. Default: `HadoopOptions()`.
    """


class AsyncNameNode(NameNodeMethods, AsyncHadoopClient):
    """Asyncio client with the calls of `NameNode` as coroutines, which may overlap.

    Args:
        endpoints: The address of the NameNode, or of all NameNodes of the group: `host`,
            `host:port`, `[::1]:port`, `hdfs://user@host:port`, several of them with commas between
            them or in a list, or endpoint objects such as `Tcp`. The default port is 8020.
        options: Options of the client. Default: `HadoopOptions()`.
    """


def _configured(
    url: str | None, configuration: HadoopConfiguration | None, options: dict[str, Any]
) -> tuple[list[Tcp], HadoopOptions]:
    configuration = configuration or HadoopConfiguration.load()
    servers = find_namenodes(configuration, url)
    found = options_from_configuration(
        configuration, servers=len(servers), **with_user(options, find_user(configuration, url))
    )
    return servers, apply_name_service(found, configuration, url, servers)
