"""Parser of addresses: endpoints from text, URLs, endpoint objects, and lists of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from jvmwire._escaping import hide_password, quote
from jvmwire.errors import ConfigError
from jvmwire.transports._tcp import Tcp
from jvmwire.transports._tls import Tls

if TYPE_CHECKING:
    from jvmwire.transports._transport import Endpoint

    EndpointLike = str | Endpoint
    EndpointsLike = EndpointLike | Iterable[EndpointLike]

COMMON_SCHEMES = {"tcp": False, "tls": True}
"""Schemes that every client takes, and whether they stand for TLS."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """The endpoints that were given.

    Args:
        endpoints: The endpoints, in order, at least one.
        scheme: The scheme of the URL in lower case; `""` if there is none.
        user: The user that the URL names, or None.
    """

    endpoints: tuple[Endpoint, ...]
    scheme: str = ""
    user: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AddressFormat:
    """The forms in which the servers of one system are written.

    Args:
        server: The noun for a server in errors, such as `NameNode`.
        port: The port of an address without one; None if it must have one.
        schemes: Schemes of URLs besides `tcp` and `tls`, and whether they stand for TLS.
        has_user: Whether a URL may name a user, as `hdfs://alice@host`.
        has_path: Whether a URL may have a path, which is ignored.
    """

    server: str
    port: int | None = None
    schemes: Mapping[str, bool] = field(default_factory=dict)
    has_user: bool = False
    has_path: bool = False

    @property
    def example(self) -> str:
        """An address of this form."""
        return f'"host:{self.port or 9000}"'

    def parse(self, given: object, *, tls: Tls | None = None) -> Addresses:
        """Return the endpoints of a text, of an endpoint object, or of an iterable of them.

        Args:
            given: `host`, `host:port`, `[::1]:port`, a URL of a known scheme, several of them with
                commas between them, an endpoint object, or an iterable of these.
            tls: TLS settings of all endpoints; None connects without TLS, or for a scheme of TLS
                with the authorities of the system.

        Returns:
            The endpoints, with the scheme and the user of the URLs.

        Raises:
            ConfigError: there is no endpoint, or a text has none of these forms.
            TypeError: `given` is neither a text nor an endpoint nor an iterable of them.
        """
        if (one := self._parse_item(given, tls)) is not None:
            return one
        if isinstance(given, (bytes, bytearray, Mapping)) or not isinstance(given, Iterable):
            raise TypeError(
                f"the address of a {self.server} must be a text such as {self.example}, an "
                f"endpoint such as Tcp, or a list of them, got {type(given).__name__}"
            )
        found = []
        for each in given:
            if (one := self._parse_item(each, tls)) is None:
                raise TypeError(
                    f"each address of a {self.server} must be a text such as {self.example} or an "
                    f"endpoint such as Tcp, got {type(each).__name__}"
                )
            found.append(one)
        return self._joined(found)

    def parse_one(self, given: object, *, tls: Tls | None = None) -> Endpoint:
        """Return the only endpoint of a text or of an endpoint object.

        Args:
            given: A text as for `parse`, or an endpoint object.
            tls: TLS settings as for `parse`.

        Returns:
            The endpoint.

        Raises:
            ConfigError: there is not exactly one endpoint, or the text has none of the forms.
            TypeError: `given` is neither a text nor an endpoint.
        """
        endpoints = self.parse(given, tls=tls).endpoints
        if len(endpoints) > 1:
            raise ConfigError(f"expected the address of one {self.server}, got {len(endpoints)}")
        return endpoints[0]

    def _parse_item(self, given: object, tls: Tls | None) -> Addresses | None:
        """Return the endpoints of a text or of an endpoint object; None for all else."""
        if isinstance(given, str):
            return self._parse_text(given, tls)
        if not _is_endpoint(given):
            return None
        if tls is not None:
            raise ConfigError(f"`tls` is for addresses as text: {given} has its own settings")
        return Addresses((cast("Endpoint", given),))

    def _joined(self, found: list[Addresses]) -> Addresses:
        endpoints = tuple(one for each in found for one in each.endpoints)
        if not endpoints:
            raise ConfigError(
                f"no {self.server} given: expected at least one address, such as {self.example}"
            )
        schemes = {each.scheme for each in found}
        users = {each.user for each in found} - {None}
        if len(schemes) > 1:
            raise ConfigError(
                f"all addresses of one client have the same scheme, got {_listed(schemes)}"
            )
        if len(users) > 1:
            raise ConfigError(
                f"all addresses of one client have the same user, got {_listed(users)}"
            )
        return Addresses(endpoints, schemes.pop(), users.pop() if users else None)

    def _parse_text(self, text: str, tls: Tls | None) -> Addresses:
        text = text.strip()
        scheme, separator, rest = text.partition("://")
        scheme, rest = (scheme.lower(), rest) if separator else ("", text)
        shown = hide_password(text)
        is_hidden = shown != text
        shown = quote(shown)
        user, rest = self._split_user(rest)
        known = COMMON_SCHEMES | dict(self.schemes)
        if separator and scheme not in known:
            expected = ", ".join(f"{each}://" for each in known)
            got = "" if is_hidden else f", got {quote(scheme)}"
            raise ConfigError(f"{shown}: the scheme must be one of {expected}{got}")
        hosts, slash, path = rest.partition("/")
        if slash and not (separator and (self.has_path or not path)):
            raise ConfigError(f"{shown}: expected a {self.server}'s host and port, and no path")
        if known.get(scheme):
            tls = tls or Tls()
        elif tls is not None and separator:
            secure = " or ".join(f"{each}://" for each, is_tls in known.items() if is_tls)
            raise ConfigError(f"{shown}: `tls` needs a scheme with TLS: {secure}")
        try:
            endpoints = tuple(self._parse_host(one.strip(), shown, tls) for one in hosts.split(","))
        except ConfigError:
            if not is_hidden:
                raise
        else:
            return Addresses(endpoints, scheme, user)
        # The part that is wrong may be one of a password.
        raise ConfigError(f"{shown} is not host:port; expected the address of a {self.server}")

    def _split_user(self, rest: str) -> tuple[str | None, str]:
        end = rest.find("/") if "/" in rest else len(rest)
        user, at, hosts = rest[:end].rpartition("@")
        if not at:
            return None, rest
        # The text is not shown: it may contain a secret.
        if ":" in user:
            raise ConfigError(
                f"the address of a {self.server} must not contain a password: pass it as an option"
            )
        if not self.has_user or not user:
            raise ConfigError(
                f"the address of a {self.server} must not contain a user: pass it as an option"
            )
        return user, hosts + rest[end:]

    def _parse_host(self, text: str, shown: str, tls: Tls | None) -> Endpoint:
        if not text:
            raise ConfigError(f"{shown}: a host is missing: expected {self.example}")
        try:
            return cast("Endpoint", Tcp.parse(text, default_port=self.port, tls=tls))
        except ConfigError as error:
            raise ConfigError(f"{error}; expected the address of a {self.server}") from error


def _is_endpoint(value: object) -> bool:
    return hasattr(type(value), "connect") or hasattr(type(value), "connect_async")


def _listed(values: Iterable[object]) -> str:
    return " and ".join(sorted(quote(each) for each in values))
