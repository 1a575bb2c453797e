"""Queries about a server's protocols, which every server answers by the Protobuf engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmwire._core import decode_message, encode_message
from jvmwire.hadoop.rpc._interface import Interface, signature

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

KINDS = {"writable": "RPC_WRITABLE", "protobuf": "RPC_PROTOCOL_BUFFER"}
"""The names of the engines in `RPC.RpcKind`."""
ASKS_ALL = 0
"""The hash of a client without methods of the protocol."""


class ProtocolMetaInfo(
    Interface, protocol="org.apache.hadoop.ipc.ProtocolMetaInfoPB", version=1, engine="protobuf"
):
    """Protocol of queries about the versions and methods of other protocols."""

    def get_protocol_versions(self, request: bytes) -> bytes:
        """Return the versions of a protocol by engine.

        Args:
            request: A `GetProtocolVersionsRequestProto`.

        Returns:
            A `GetProtocolVersionsResponseProto`.
        """
        raise NotImplementedError

    def get_protocol_signature(self, request: bytes) -> bytes:
        """Return the hashes of the methods of each version of a protocol, for one engine.

        Args:
            request: A `GetProtocolSignatureRequestProto`.

        Returns:
            A `GetProtocolSignatureResponseProto`.
        """
        raise NotImplementedError


class Protocols:
    """Implementation of the queries for the protocols of one server.

    Args:
        interfaces: Function that returns the served versions of a protocol.
    """

    def __init__(self, interfaces: Callable[[str], Iterable[type[Interface]]]) -> None:
        self._interfaces = interfaces

    async def get_protocol_versions(self, request: bytes) -> bytes:
        """Return the versions of a protocol by engine.

        Args:
            request: A `GetProtocolVersionsRequestProto`.

        Returns:
            A `GetProtocolVersionsResponseProto`.
        """
        asked = decode_message("GetProtocolVersionsRequestProto", request)
        versions: dict[str, list[int]] = {}
        for one in self._interfaces(asked["protocol"]):
            versions.setdefault(KINDS[one.engine], []).append(one.version)
        found = [{"rpc_kind": kind, "versions": sorted(of)} for kind, of in versions.items()]
        return encode_message("GetProtocolVersionsResponseProto", {"protocol_versions": found})

    async def get_protocol_signature(self, request: bytes) -> bytes:
        """Return the hashes of the methods of each version of a protocol, for one engine.

        Java hashes the class names of messages, which are not known here: the Protobuf engine has
        no hashes.

        Args:
            request: A `GetProtocolSignatureRequestProto`.

        Returns:
            A `GetProtocolSignatureResponseProto`.
        """
        asked = decode_message("GetProtocolSignatureRequestProto", request)
        found = []
        for one in self._interfaces(asked["protocol"]):
            if KINDS[one.engine] == asked["rpc_kind"]:
                signatures = signature(one, ASKS_ALL) if one.engine == "writable" else None
                hashes = (
                    []
                    if signatures is None
                    else [each % (1 << 32) for each in signatures.methods or []]
                )
                found.append({"version": one.version, "methods": hashes})
        return encode_message("GetProtocolSignatureResponseProto", {"protocol_signature": found})
