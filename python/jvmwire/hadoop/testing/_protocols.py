"""Interfaces of a NameNode's protocols, made from the tables of messages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Protocol, cast

from jvmwire._core import decode_message, encode_message, hadoop_methods
from jvmwire.hadoop.rpc._interface import Interface, method
from jvmwire.hadoop.server import Disconnect, current_call
from jvmwire.hadoop.testing import _java_errors as java

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmwire._core import HadoopMethod

Fields = dict[str, Any]
CLIENT = "org.apache.hadoop.hdfs.protocol.ClientProtocol"
HA_SERVICE = "org.apache.hadoop.ha.HAServiceProtocol"
GROUP_MAPPINGS = "org.apache.hadoop.tools.GetUserMappingsProtocol"
REFRESH_MAPPINGS = "org.apache.hadoop.security.RefreshUserMappingsProtocol"
REFRESH_POLICY = "org.apache.hadoop.security.authorize.RefreshAuthorizationPolicyProtocol"
PROTOCOLS = (CLIENT, HA_SERVICE, GROUP_MAPPINGS, REFRESH_MAPPINGS, REFRESH_POLICY)


class Answer(Protocol):
    """Function that answers a call: of the protocol, the method, the user and the request."""

    def __call__(
        self, protocol: str, name: str, user: str | None, request: Fields, /
    ) -> Awaitable[Fields]: ...


def snake_case(name: str) -> str:
    """Return a Java name as Python writes it.

    Args:
        name: Such as `getXAttrs`.

    Returns:
        Such as `get_x_attrs`.
    """
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def services(answer: Answer) -> dict[type[Interface], object]:
    """Return the interfaces of a NameNode with objects that implement them.

    Args:
        answer: Function that answers each call.

    Returns:
        The implementations by interface, as `jvmwire.hadoop.rpc.serve` takes them.
    """
    return dict(_service(protocol, answer) for protocol in PROTOCOLS)


def _service(protocol: str, answer: Answer) -> tuple[type[Interface], object]:
    methods = hadoop_methods(protocol)
    name = protocol.rpartition(".")[2]
    declared = {snake_case(each.name): _declaration(each) for each in methods}
    interface = type(
        name,
        (Interface,),
        declared | {"__module__": __name__},
        protocol=protocol,
        version=1,
        engine="protobuf",
    )
    functions = {
        snake_case(each.name): staticmethod(_implementation(protocol, each, answer))
        for each in methods
    }
    return interface, type(f"{name}Service", (), functions)()


def _declaration(each: HadoopMethod) -> Callable[..., bytes]:
    def declared(self: Any, request: bytes) -> bytes:
        raise NotImplementedError

    declared.__name__ = snake_case(each.name)
    declared.__annotations__ = {"request": bytes, "return": bytes}
    decorated: Callable[..., bytes] = method(
        each.name, idempotent=each.idempotent, at_most_once=each.at_most_once
    )(declared)
    return decorated


def _implementation(
    protocol: str, each: HadoopMethod, answer: Answer
) -> Callable[[bytes], Awaitable[bytes]]:
    async def implementation(request: bytes) -> bytes:
        try:
            fields = decode_message(each.request, request)
        except ValueError as error:
            raise java.refuse(java.IO, f"{each.name}: {error}") from None
        user = current_call().caller.user
        try:
            answered = await answer(protocol, each.name, user, fields)
        except Disconnect as lost:
            if lost.result is None:
                raise
            raise Disconnect(encode_message(each.response, cast("Fields", lost.result))) from None
        return encode_message(each.response, answered)

    return implementation
