"""Options and paths of the command line that select the server to call."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from jvmwire._cli.server_options import (
    DEFAULT_TIMEOUT,
    config_option,
    server_option,
    timeout_option,
    user_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmwire.hadoop import HadoopClient, HadoopConfiguration, HadoopOptions, NameNode
    from jvmwire.transports import Endpoint
    from jvmwire.transports._addresses import AddressFormat

SYSTEM = "hadoop"
RESOURCE_MANAGER = "org.apache.hadoop.yarn.api.ApplicationClientProtocolPB"
"""The name of the ResourceManager's client protocol on the wire."""


@dataclass(frozen=True, slots=True)
class Target:
    """Servers of the command line or the configuration, and the user that calls them."""

    servers: tuple[str, ...]
    config: Path | None
    user: str | None
    timeout: float | None

    def namenode(self, url: str | None) -> NameNode:
        """Return a client of a file system.

        Args:
            url: URL of the file system. Default: the option `--server`, else the configuration.

        Returns:
            The client.
        """
        from jvmwire.hadoop import NameNode

        endpoints, options = self._found(url)
        return NameNode(endpoints, options)

    def service(self, protocol: str) -> HadoopClient:
        """Return a client of a protocol.

        Args:
            protocol: Name of the protocol on the wire.

        Returns:
            The client.
        """
        from jvmwire.hadoop import HadoopClient

        endpoints, options = self._found(None, protocol)
        return HadoopClient(endpoints, options, protocol=protocol)

    def configuration(self) -> HadoopConfiguration:
        """Return the configuration that `--config` or HADOOP_CONF_DIR names."""
        from jvmwire.hadoop import HadoopConfiguration

        if self.config is not None and not self.config.is_dir():
            return HadoopConfiguration.read([self.config])
        return HadoopConfiguration.load(self.config)

    def _found(
        self, url: str | None, protocol: str | None = None
    ) -> tuple[Sequence[Endpoint], HadoopOptions]:
        from jvmwire.hadoop import apply_name_service, find_namenodes, find_resource_managers
        from jvmwire.hadoop._config_mapping import (
            NAMENODE_PRINCIPAL,
            RESOURCE_MANAGER_PRINCIPAL,
            find_user,
        )

        configuration = self.configuration()
        is_yarn = protocol == RESOURCE_MANAGER
        principal = RESOURCE_MANAGER_PRINCIPAL if is_yarn else NAMENODE_PRINCIPAL
        if url is None and not is_yarn and _is_file_system(self.servers):
            [url] = self.servers
        if url is None and self.servers:
            found = _address_format(protocol).parse(self.servers)
            endpoints: Sequence[Endpoint] = found.endpoints
            user = found.user
        elif url is None and is_yarn:
            endpoints, user = find_resource_managers(configuration), None
        else:
            namenodes, user = find_namenodes(configuration, url), find_user(configuration, url)
            options = self._options(configuration, len(namenodes), user, principal)
            return namenodes, apply_name_service(options, configuration, url, namenodes)
        return endpoints, self._options(configuration, len(endpoints), user, principal)

    def _options(
        self,
        configuration: HadoopConfiguration,
        servers: int,
        user: str | None,
        principal: str,
    ) -> HadoopOptions:
        from jvmwire.hadoop import options_from_configuration
        from jvmwire.hadoop._config_mapping import RPC_TIMEOUT, with_user

        given: dict[str, Any] = {"principal": principal}
        if self.timeout is not None or RPC_TIMEOUT not in configuration:
            given["timeout"] = self.timeout or DEFAULT_TIMEOUT
        if self.user is not None:
            given["user"] = self.user
        return options_from_configuration(configuration, servers=servers, **with_user(given, user))


def _is_file_system(servers: tuple[str, ...]) -> bool:
    """Return whether the only server is a URL, of one NameNode or of a name service."""
    return len(servers) == 1 and servers[0].lower().startswith("hdfs://") and "," not in servers[0]


def _address_format(protocol: str | None) -> AddressFormat:
    from jvmwire.hadoop._client import NAMENODE
    from jvmwire.hadoop._config_mapping import RESOURCE_MANAGER_PORT
    from jvmwire.transports._addresses import AddressFormat

    if protocol == RESOURCE_MANAGER:
        return AddressFormat(server="ResourceManager", port=RESOURCE_MANAGER_PORT, has_user=True)
    return NAMENODE


def target_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that select the server to a command, as an argument `target`.

    Args:
        command: Function of the command.

    Returns:
        The function with the options.
    """

    @functools.wraps(command)
    def run(
        *args: Any,
        servers: tuple[str, ...],
        config: Path | None,
        user: str | None,
        timeout: float | None,
        **kwargs: Any,
    ) -> Any:
        return command(*args, target=Target(servers, config, user, timeout), **kwargs)

    for option in (
        timeout_option(SYSTEM),
        user_option(SYSTEM, help="User to call as (default: HADOOP_USER_NAME, else who runs it)."),
        config_option(
            SYSTEM,
            dir_okay=True,
            help="Directory with core-site.xml and so on, or one such file (default: "
            "HADOOP_CONF_DIR).",
        ),
        server_option(
            SYSTEM,
            help="Address or URL of a NameNode (default port: 8020), or of a ResourceManager "
            "(8032), where that is called; default: what the configuration says.",
        ),
    ):
        run = option(run)
    return run


FREE_H = {"help_option_names": ["--help"]}
"""Settings of commands whose namesakes take -h for something else than help."""

human_option = click.option(
    "-h", "human", is_flag=True, expose_value=False, help="Sizes for people, as by default."
)
"""The option `-h` of `hdfs dfs -du -h`."""
