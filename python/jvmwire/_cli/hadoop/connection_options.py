"""Options and paths of the command line that select the server to call."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from jvmwire.hadoop import (
    HadoopClient,
    HadoopConfiguration,
    HadoopOptions,
    NameNode,
    apply_name_service,
    find_namenodes,
    find_resource_managers,
    options_from_configuration,
)
from jvmwire.hadoop._commands import CLIENT_PROTOCOL
from jvmwire.hadoop._config_mapping import (
    NAMENODE_PRINCIPAL,
    RESOURCE_MANAGER_PRINCIPAL,
    find_user,
    with_user,
)
from jvmwire.transports import Tcp

RESOURCE_MANAGER = "org.apache.hadoop.yarn.api.ApplicationClientProtocolPB"
"""The name of the ResourceManager's client protocol on the wire."""

F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Target:
    """Servers of the command line or the configuration, and the user that calls them."""

    servers: tuple[str, ...]
    user: str | None
    timeout: float

    def namenode(self, url: str | None) -> NameNode:
        """Return a client of a file system.

        Args:
            url: URL of the file system. Default: the option `--server`, else the configuration.

        Returns:
            The client.
        """
        endpoints, options = self._found(url)
        return NameNode(endpoints, options)

    def service(self, protocol: str) -> HadoopClient:
        """Return a client of a protocol.

        Args:
            protocol: Name of the protocol on the wire.

        Returns:
            The client.
        """
        endpoints, options = self._found(None, protocol)
        return HadoopClient(endpoints, options, protocol=protocol)

    def _found(
        self, url: str | None, protocol: str = CLIENT_PROTOCOL
    ) -> tuple[list[Tcp], HadoopOptions]:
        configuration = HadoopConfiguration.load()
        if url is None and self.servers:
            endpoints = [Tcp.parse(server) for server in self.servers]
        elif url is None and protocol == RESOURCE_MANAGER:
            endpoints = find_resource_managers(configuration)
        else:
            endpoints = find_namenodes(configuration, url)
            user = find_user(configuration, url)
            options = self._options(configuration, len(endpoints), user)
            return endpoints, apply_name_service(options, configuration, url, endpoints)
        is_yarn = protocol == RESOURCE_MANAGER
        principal = RESOURCE_MANAGER_PRINCIPAL if is_yarn else NAMENODE_PRINCIPAL
        return endpoints, self._options(configuration, len(endpoints), principal=principal)

    def _options(
        self,
        configuration: HadoopConfiguration,
        servers: int,
        user: str | None = None,
        principal: str = NAMENODE_PRINCIPAL,
    ) -> HadoopOptions:
        given: dict[str, Any] = {"timeout": self.timeout, "principal": principal}
        if self.user is not None:
            given["user"] = self.user
        return options_from_configuration(configuration, servers=servers, **with_user(given, user))


def target_options(command: F) -> F:
    """Add the options that select the server to a command, as an argument `target`.

    Args:
        command: Function of the command.

    Returns:
        The function with the options.
    """

    @click.option(
        "--server",
        "servers",
        metavar="HOST:PORT",
        multiple=True,
        help="Whom to call; given more than once, they stand in for each other.",
    )
    @click.option(
        "--user", metavar="NAME", help="In whose name (default: HADOOP_USER_NAME or ours)."
    )
    @click.option(
        "--timeout",
        metavar="SECONDS",
        type=click.FloatRange(min=0, min_open=True),
        default=60.0,
        show_default=True,
        help="For each call.",
    )
    @functools.wraps(command)
    def run(
        *args: Any, servers: tuple[str, ...], user: str | None, timeout: float, **kwargs: Any
    ) -> Any:
        return command(*args, target=Target(servers, user, timeout), **kwargs)

    return run  # type: ignore[return-value]  # click returns an untyped function


json_option = click.option("--json", "as_json", is_flag=True, help="A JSON object a line.")
"""The option `--json`, as a flag `as_json`."""

FREE_H = {"help_option_names": ["--help"]}
"""Settings of commands whose namesakes take -h for something else than help."""

human_option = click.option(
    "-h", "human", is_flag=True, expose_value=False, help="Sizes for people, as by default."
)
"""The option `-h` of `hdfs dfs -du -h`."""
