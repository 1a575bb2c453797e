"""Controllers of a Pravega cluster: a fixed list of equivalent ones, or discovered ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.options import check_options, of_class
from jvmwire.transports import Tcp, Tls
from jvmwire.transports._addresses import AddressFormat

if TYPE_CHECKING:
    from typing import Self

    from jvmwire.transports._addresses import EndpointsLike

CONTROLLER = AddressFormat(
    server="controller",
    port=9090,
    schemes={"ssl": True, "pravega": False, "pravegas": True, "pravega+tls": True},
)
"""The forms of the address of a controller (`ControllerResolverFactory`, and `pravega+tls`)."""
_DISCOVERING = {"pravega", "pravegas", "pravega+tls"}
"""Schemes that fetch the addresses of all controllers."""


@dataclass(frozen=True, slots=True)
class Controllers:
    """Equivalent controllers of one cluster; the client fails over between them.

    Args:
        endpoints: One or more controllers, all with the same `tls`.
        discover: Fetch the addresses of all controllers from `endpoints`, as Java's client does for
            `pravega://`: before the first call, and again every two minutes.

    Raises:
        ConfigError: there is no endpoint, or the endpoints differ in `tls`.
    """

    endpoints: tuple[Tcp, ...] = field(metadata=of_class(Tcp))
    discover: bool = False

    def __post_init__(self) -> None:
        check_options(self)
        if not self.endpoints:
            raise ConfigError("no controller given: expected at least one endpoint")
        if any(each.tls != self.endpoints[0].tls for each in self.endpoints):
            raise ConfigError("the controllers of a cluster have one `tls` in common")

    @property
    def tls(self) -> Tls | None:
        """TLS of the cluster, also used for its segment stores; None is plain TCP."""
        return self.endpoints[0].tls

    @classmethod
    def parse(cls, url: str, *, tls: Tls | None = None) -> Self:
        """Parse a URL as in Java's client, such as `tcp://a:9090,b:9090`.

        Args:
            url: A scheme (`tcp` by default, `tls` or `ssl`; with discovery `pravega`, with
                discovery and TLS `pravegas` or `pravega+tls`) and a comma-separated list of
                `host:port`. The default port is 9090.
            tls: The trusted authorities, for a scheme with TLS; by default those of the system.

        Returns:
            The controllers that the URL names.

        Raises:
            ConfigError: the scheme is unknown, an address is not `host:port`, or `tls` is given for
                a scheme without TLS.

        Source: ControllerResolverFactory, ClientConfig (Pravega 0.13).
        """
        return cls._parsed(url, tls)

    @classmethod
    def _parsed(cls, given: EndpointsLike, tls: Tls | None = None) -> Self:
        found = CONTROLLER.parse(given, tls=tls)
        endpoints = []
        for each in found.endpoints:
            if not isinstance(each, Tcp):
                raise TypeError(
                    f"the address of a controller must be a text or a Tcp, got "
                    f"{type(each).__name__}"
                )
            endpoints.append(each)
        return cls(tuple(endpoints), found.scheme in _DISCOVERING)

    @classmethod
    def of(cls, given: Controllers | EndpointsLike) -> Controllers:
        """Convert the `controller` argument of a client to `Controllers`.

        Args:
            given: Controllers, endpoints, or texts as for `parse`.

        Returns:
            The controllers.
        """
        if isinstance(given, Controllers):
            return given
        return cls._parsed(given)
