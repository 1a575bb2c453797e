"""Controllers of a Pravega cluster: a list of equivalent ones, or some that name them all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.escaping import quote
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
"""Whether a scheme asks for discovery, and whether for TLS (`ControllerResolverFactory`)."""


@dataclass(frozen=True, slots=True)
class Controllers:
    """Equivalent controllers of one cluster, which are asked in turn when one does not answer.

    With `discover` the endpoints are asked for the addresses of all controllers, as Java's client
    does for `pravega://`: before the first call, and again every two minutes.
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
        """TLS of the cluster, which its segment stores have too; None is plain TCP."""
        return self.endpoints[0].tls

    @classmethod
    def parse(cls, url: str, *, tls: Tls | None = None) -> Self:
        """Read a URL of Java's client, as `tcp://a:9090,b:9090`.

        Args:
            url: A scheme (`tcp` by default, `tls` or `ssl`; with discovery `pravega`, with TLS too
                `pravegas`) and a comma-separated list of `host:port`.
            tls: Whom to trust, for a scheme with TLS; by default, the system's authorities.

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
        """Return the controllers that a client was given."""
        if isinstance(given, Controllers):
            return given
        return cls((given,)) if isinstance(given, Tcp) else cls.parse(given)
