"""Controllers of a Pravega cluster: a fixed list of equivalent ones, or discovered ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire._escaping import quote
from jvmwire.errors import ConfigError
from jvmwire.transports import Tcp, Tls

if TYPE_CHECKING:
    from typing import Self

_SCHEMES = {
    "tcp": (False, False),
    "tls": (False, True),
    "ssl": (False, True),
    "pravega": (True, False),
    "pravegas": (True, True),
}
"""Whether a scheme requires discovery, and whether TLS (`ControllerResolverFactory`)."""


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

    endpoints: tuple[Tcp, ...]
    discover: bool = False

    def __post_init__(self) -> None:
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
                discovery and TLS `pravegas`) and a comma-separated list of `host:port`.
            tls: The trusted authorities, for a scheme with TLS; by default those of the system.

        Returns:
            The controllers that the URL names.

        Raises:
            ConfigError: the scheme is unknown, an address is not `host:port`, or `tls` is given for
                a scheme without TLS.

        Source: ControllerResolverFactory, ClientConfig (Pravega 0.13).
        """
        scheme, separator, rest = url.rpartition("://")
        scheme = scheme.lower() if separator else "tcp"
        if scheme not in _SCHEMES:
            known = ", ".join(_SCHEMES)
            raise ConfigError(
                f"{quote(url)}: the scheme must be one of {known}, got {quote(scheme)}"
            )
        discover, secure = _SCHEMES[scheme]
        if tls is not None and not secure:
            raise ConfigError(f"{quote(url)}: `tls` needs a scheme with TLS: tls, ssl or pravegas")
        used = (tls or Tls()) if secure else None
        addresses = rest.rstrip("/").split(",")
        return cls(tuple(Tcp.parse(each.strip(), tls=used) for each in addresses), discover)

    @classmethod
    def of(cls, given: Controllers | Tcp | str) -> Controllers:
        """Convert the `controller` argument of a client to `Controllers`.

        Args:
            given: Controllers, one endpoint, or a URL.

        Returns:
            The controllers.
        """
        if isinstance(given, Controllers):
            return given
        return cls((given,)) if isinstance(given, Tcp) else cls.parse(given)
