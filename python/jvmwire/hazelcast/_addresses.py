"""Addresses of members as users write them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from jvmwire.errors import ConfigError
from jvmwire.hazelcast._members import DEFAULT_PORT
from jvmwire.hazelcast._options import tcp
from jvmwire.transports import Tcp
from jvmwire.transports._addresses import AddressFormat

if TYPE_CHECKING:
    from jvmwire.hazelcast._members import Address
    from jvmwire.hazelcast._options import HazelcastOptions
    from jvmwire.transports._addresses import EndpointsLike

MEMBER = AddressFormat(
    server="Hazelcast member",
    port=DEFAULT_PORT,
    schemes={"hazelcast": False, "hazelcast+tls": True},
)
"""The forms of the address of a member."""


def seeds_of(given: EndpointsLike, options: HazelcastOptions) -> tuple[list[str], HazelcastOptions]:
    """Return the addresses of members as `host:port`, and options that connect to them.

    Args:
        given: Addresses as text or as `Tcp` objects.
        options: Options of the client.

    Returns:
        The addresses, and the options, with an `endpoint` of TLS if the addresses ask for TLS.

    Raises:
        ConfigError: an address is invalid, or the addresses differ in their settings of TLS.
        TypeError: an endpoint is no `Tcp`.
    """
    endpoints = []
    for each in MEMBER.parse(given).endpoints:
        if not isinstance(each, Tcp):
            raise TypeError(
                f"the address of a Hazelcast member must be a text or a Tcp, got "
                f"{type(each).__name__}: set HazelcastOptions.endpoint for other endpoints"
            )
        endpoints.append(each)
    first = endpoints[0]
    if any(each.tls != first.tls for each in endpoints):
        raise ConfigError("the addresses of all members have the same `tls`")
    settings = replace(first, host="localhost", port=DEFAULT_PORT)
    if options.endpoint is tcp and settings != Tcp("localhost", DEFAULT_PORT):

        def endpoint(address: Address) -> Tcp:
            return replace(first, host=address.host, port=address.port)

        options = replace(options, endpoint=endpoint)
    return [str(each) for each in endpoints], options
