"""Registry of the protocols that a server serves, which finds the method of a call."""

from __future__ import annotations

import inspect
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jvmwire.errors import ConfigError
from jvmwire.hadoop._instance import INSTANCE_PROTOCOLS, ServerInstance
from jvmwire.hadoop.rpc._interface import (
    Engine,
    Interface,
    Method,
    VersionedProtocol,
    declared_versions,
    methods,
    signature,
)
from jvmwire.hadoop.server import _error_responses
from jvmwire.hadoop.server._call import CallBatch
from jvmwire.hadoop.server._error_responses import make_error
from jvmwire.hadoop.server._metrics import MethodMetrics
from jvmwire.hadoop.server._protocol_info import ProtocolMetaInfo, Protocols

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmwire.hadoop.server._call import RpcCall

ENGINE_VERSION = 2
"""The version of the Writable engine: `WritableRpcEngine.writableRpcVersion`."""


@dataclass(slots=True, eq=False)
class MethodBinding:
    """Method of an interface with the function that implements it."""

    name: str
    """The protocol and the method, for metrics and logs."""
    method: Method
    function: Callable[..., Any]
    is_async: bool
    batched: bool
    """Whether the function takes a `CallBatch` and returns a list."""
    metrics: MethodMetrics = field(default_factory=MethodMetrics)

    def arguments(self, call: RpcCall | CallBatch) -> list[Any]:
        """Return the arguments of the function for a call.

        Args:
            call: A call, or a batch for a function that takes batches.

        Returns:
            The arguments, with messages decoded.

        Raises:
            HadoopError: the message is not one of its class.
        """
        if isinstance(call, CallBatch):
            return [call]
        if self.method.messages is None:
            return call.arguments
        kind, [data] = self.method.messages[0], call.arguments
        if kind is bytes:
            return [data]
        try:
            return [kind.FromString(data)]
        except Exception as error:  # the protobuf library raises its own classes
            text = f"{self.name}: {error}"
            raise make_error("ERROR_APPLICATION", _error_responses.INVALID_MESSAGE, text) from error

    def message(self, result: Any) -> bytes:
        """Return the bytes of a message that the function returned.

        Args:
            result: A message, or its bytes.

        Returns:
            The bytes.

        Raises:
            TypeError: the result is neither.
        """
        data = result if isinstance(result, bytes) else result.SerializeToString()
        if not isinstance(data, bytes):
            raise TypeError(f"{self.name} returned {type(result).__name__}, which is not a message")
        return data


@dataclass(slots=True)
class _Protocol:
    interface: type[Interface]
    methods: dict[tuple[str, ...], MethodBinding]


class Services:
    """Registry of protocols by engine, name and version."""

    def __init__(self) -> None:
        self._served: dict[tuple[Engine, str], dict[int, _Protocol]] = {}
        self.instance = uuid.uuid4().bytes
        """The id of this server instance."""
        self.add(ProtocolMetaInfo, Protocols(self.interfaces))

    @property
    def engines(self) -> set[Engine]:
        """The engines of the registered protocols."""
        return {engine for engine, _ in self._served}

    @property
    def methods(self) -> Iterable[MethodBinding]:
        """The methods of all registered protocols."""
        for versions in self._served.values():
            for protocol in versions.values():
                yield from protocol.methods.values()

    def add(self, interface: type[Interface], implementation: object) -> None:
        """Register an interface, and the older versions that it extends.

        Args:
            interface: The interface.
            implementation: Object with the interface's methods.

        Raises:
            ConfigError: the interface is registered already, or the implementation lacks a method.
        """
        for version in declared_versions(interface):
            if version is VersionedProtocol:
                continue
            versions = self._served.setdefault((version.engine, version.protocol), {})
            if version.version in versions:
                raise ConfigError(f"{version.protocol} {version.version} is served already")
            found = {}
            for method in methods(version).values():
                if method.declaring is not VersionedProtocol:
                    found[method.key] = _served(version, method, implementation)
            versions[version.version] = _Protocol(version, found)
            asking = INSTANCE_PROTOCOLS[version.engine]
            if (version.engine, asking.protocol) not in self._served:
                self.add(asking, ServerInstance(self.instance, version.engine))

    def interfaces(self, protocol: str) -> list[type[Interface]]:
        """Return the registered versions of a protocol, for both engines.

        Args:
            protocol: Name of the protocol on the wire.

        Returns:
            The interfaces.
        """
        return [
            one.interface
            for (_, name), versions in self._served.items()
            if name == protocol
            for one in versions.values()
        ]

    def find(self, call: CallBatch) -> MethodBinding:
        """Return the method that calls name.

        Args:
            call: The calls.

        Returns:
            The method with its function.

        Raises:
            HadoopError: the server has no such protocol, version or method; the classes are those
                of Java's servers.
        """
        versions = self._served.get((call.engine, call.protocol))
        if versions is not None:
            protocol = versions.get(call.version)
            if protocol is not None:
                served = protocol.methods.get(call.key)
                if served is not None and call.engine_version == ENGINE_VERSION:
                    return served
        return self._find_more(call)

    def _find_more(self, call: CallBatch) -> MethodBinding:
        if call.engine_version != ENGINE_VERSION:
            text = f"the client speaks version {call.engine_version} of the Writable engine"
            raise make_error("ERROR_RPC_SERVER", _error_responses.RPC_SERVER, text)
        name = call.protocol
        asks_version = call.engine == "writable" and name == VersionedProtocol.protocol
        if asks_version:
            # WritableRpcEngine.Server: such a call concerns the protocol of the connection.
            name = call.caller.protocol or ""
        versions = self._served.get((call.engine, name))
        if not versions:
            if call.engine == "writable":
                raise make_error(
                    "ERROR_RPC_SERVER", _error_responses.RPC_SERVER, f"Unknown protocol: {name}"
                )
            text = f"Unknown protocol: {name}"
            raise make_error("ERROR_NO_SUCH_PROTOCOL", _error_responses.NO_SUCH_PROTOCOL, text)
        newest = versions[max(versions)]
        protocol = newest if asks_version else versions.get(call.version)
        if protocol is None:
            there = ", ".join(map(str, sorted(versions)))
            text = f"{name}: the client knows version {call.version}, the server has {there}"
            raise make_error("ERROR_RPC_VERSION_MISMATCH", _error_responses.VERSION_MISMATCH, text)
        served = _versioned(protocol.interface).get(call.key)
        if served is None or call.engine != "writable":
            raise self._no_method(call, name)
        return served

    def _no_method(self, call: CallBatch, protocol: str) -> Exception:
        if call.engine == "protobuf":
            text = f"{protocol} has no method {call.method}"
            return make_error("ERROR_NO_SUCH_METHOD", _error_responses.NO_SUCH_METHOD, text)
        called = f"{protocol}.{call.method}({', '.join(call.classes)})"
        text = f"java.lang.NoSuchMethodException: {called}"
        return make_error("ERROR_APPLICATION", _error_responses.APPLICATION, text)


def _served(interface: type[Interface], method: Method, implementation: object) -> MethodBinding:
    function = getattr(implementation, method.attribute, None)
    own = getattr(function, "__func__", function)
    stub = getattr(interface, method.attribute)
    if not callable(function) or own is stub:
        kind = type(implementation).__name__
        raise ConfigError(f"{kind} does not implement {interface.__name__}.{method.attribute}")
    name = f"{interface.protocol.rpartition('.')[2]}.{method.name}"
    in_batches = getattr(own, "_in_batches", False)
    if in_batches and method.at_most_once:
        # The retry cache keeps answers of single calls.
        raise ConfigError(f"{name} is at_most_once: its calls cannot be taken together")
    return MethodBinding(name, method, function, inspect.iscoroutinefunction(function), in_batches)


_VERSIONED: dict[type[Interface], dict[tuple[str, ...], MethodBinding]] = {}


def _versioned(interface: type[Interface]) -> dict[tuple[str, ...], MethodBinding]:
    """Return the functions that answer `VersionedProtocol` for an interface."""
    if interface not in _VERSIONED:
        answers = _Versions(interface)
        _VERSIONED[interface] = {
            method.key: _served(VersionedProtocol, method, answers)
            for method in methods(VersionedProtocol).values()
        }
    return _VERSIONED[interface]


class _Versions(VersionedProtocol):
    def __init__(self, interface: type[Interface]) -> None:
        self._interface = interface

    async def get_protocol_version(self, protocol: str, client_version: int) -> int:  # type: ignore[override]
        del protocol, client_version
        return self._interface.version

    async def get_protocol_signature(  # type: ignore[override]
        self, protocol: str, client_version: int, client_methods_hash: int
    ) -> Any:
        del protocol, client_version
        return signature(self._interface, client_methods_hash)
