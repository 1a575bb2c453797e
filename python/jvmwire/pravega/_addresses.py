"""Addresses of segment stores as users write them."""

from jvmwire.transports._addresses import AddressFormat

STORE = AddressFormat(
    server="segment store", port=12345, schemes={"pravega": False, "pravega+tls": True}
)
"""The forms of the address of a segment store; the port is Pravega's `pravegaservice` default."""
