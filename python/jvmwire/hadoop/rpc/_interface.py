"""Interfaces that a server and its clients share: a protocol, its version and its methods.

    class Ping(Interface, protocol="ping", version=1):
        def ping(self, message: str) -> str: ...

    class NewPing(Ping, version=2):
        def enterprise_ping(self, company: str, priority: Int) -> str: ...

A newer version is a subclass: it inherits all methods of the older versions, and a server serves
the older versions in addition to it. The Java name of a method is its Python name in camel case, or
the name that `@method` gives. Annotations are the Java types of `jvmwire.hadoop.rpc`; with
`engine="protobuf"` they are message classes (with `SerializeToString` and `FromString`), or
`bytes`.
"""

from __future__ import annotations

import inspect
import types
import typing
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, ClassVar, Literal, TypeVar, get_args, get_origin

from jvmwire._core import JavaClass
from jvmwire.errors import ConfigError, DecodeError
from jvmwire.hadoop.rpc._writable import Int, Long, ProtocolSignature, Writable

Engine = Literal["writable", "protobuf"]
"""`RPC.RpcKind`: the encoding of arguments and results."""

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def method(
    name: str | None = None, *, idempotent: bool = False, at_most_once: bool = False
) -> Callable[[FunctionT], FunctionT]:
    """Declare properties of an interface's method that its signature cannot express.

    Args:
        name: Name of the method in Java. Default: the Python name in camel case.
        idempotent: Whether a second execution has the effect and the result of the first; clients
            then retry the call after a lost connection. Default: False.
        at_most_once: Whether the server keeps the answer of each call in a retry cache and returns
            it for a call that is sent again; a call that failed is executed again. Default: False.

    Returns:
        A decorator that returns the same function.
    """

    def named(function: FunctionT) -> FunctionT:
        function._said = _MethodOptions(name, idempotent, at_most_once)  # type: ignore[attr-defined]
        return function

    return named


@dataclass(frozen=True, slots=True)
class _MethodOptions:
    name: str | None = None
    idempotent: bool = False
    at_most_once: bool = False


class Interface:
    """Base of interfaces; a class that implements an interface need not inherit from it."""

    protocol: ClassVar[str] = ""
    """The name of the protocol on the wire: `ProtocolInfo.protocolName`."""
    version: ClassVar[int] = 0
    """The version of the protocol: `ProtocolInfo.protocolVersion`."""
    engine: ClassVar[Engine] = "writable"
    _declared: ClassVar[type[Interface]]

    def __init_subclass__(
        cls,
        *,
        protocol: str | None = None,
        version: int | None = None,
        engine: Engine | None = None,
        **others: Any,
    ) -> None:
        super().__init_subclass__(**others)
        if protocol is None and version is None:
            return
        cls.protocol = protocol or cls.protocol
        cls.version = cls.version if version is None else version
        cls.engine = engine or cls.engine
        if not cls.protocol:
            raise ConfigError(f"{cls.__name__} has a version and no protocol")
        cls._declared = cls


class VersionedProtocol(Interface, protocol="org.apache.hadoop.ipc.VersionedProtocol", version=0):
    """Protocol by which clients query the version of another protocol before they call it.

    Servers answer it by themselves, for every protocol of the Writable engine.
    """

    def get_protocol_version(self, protocol: str, client_version: Long) -> Long:
        """Return the version of the protocol that the server serves.

        Args:
            protocol: Name of the protocol on the wire.
            client_version: Version of the protocol that the client has.

        Returns:
            The server's version.
        """
        raise NotImplementedError

    def get_protocol_signature(
        self, protocol: str, client_version: Long, client_methods_hash: Int
    ) -> ProtocolSignature:
        """Return the server's version, and its methods if they differ from the client's.

        Args:
            protocol: Name of the protocol on the wire.
            client_version: Version of the protocol that the client has.
            client_methods_hash: `methods_hash` of the client's interface.

        Returns:
            The server's version, with the fingerprints of its methods if the hashes differ.
        """
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """Method of an interface."""

    attribute: str
    """The name of the method in Python."""
    name: str
    """The name of the method in Java."""
    parameters: tuple[JavaClass, ...]
    result: JavaClass
    signature: inspect.Signature
    messages: tuple[Any, Any] | None
    """The classes of the request and the response message (Protobuf engine only)."""
    idempotent: bool
    at_most_once: bool
    declaring: type[Interface]
    """The newest interface of the protocol that has the method: clients call it by that version."""
    key: tuple[str, ...] = field(init=False)
    """The name and the classes of the parameters, by which a server finds the method."""

    def __post_init__(self) -> None:
        key = (self.name, *(parameter.name for parameter in self.parameters))
        object.__setattr__(self, "key", key)

    @property
    def fingerprint(self) -> int:
        """`ProtocolSignature.getFingerprint` of one method."""
        hashed = java_hash(self.name) + 31 * java_hash(self.result.name)
        for parameter in self.parameters:
            hashed = _int(31 * hashed) ^ java_hash(parameter.name)
        return _int(hashed)


@dataclass(frozen=True, slots=True)
class _InterfaceInfo:
    """Facts about an interface that are computed once."""

    methods: dict[str, Method]
    fingerprints: tuple[int, ...]
    """The fingerprints of the methods in ascending order: `ProtocolSignature.getFingerprints`."""
    methods_hash: int


_known: dict[type[Interface], _InterfaceInfo] = {}


def _info(interface: type[Interface]) -> _InterfaceInfo:
    known = _known.get(interface)
    if known is None:
        found = _find_methods(interface)
        fingerprints = tuple(sorted(method.fingerprint for method in found.values()))
        hashed = 1
        for one in fingerprints:
            hashed = 31 * hashed + one
        known = _known[interface] = _InterfaceInfo(found, fingerprints, _int(hashed))
    return known


def methods(interface: type[Interface]) -> dict[str, Method]:
    """Return the methods of an interface, including those of older versions.

    Args:
        interface: The interface.

    Returns:
        The methods by their Python names.

    Raises:
        ConfigError: a method cannot be called by Java's rules; the message states the reason.
    """
    return _info(interface).methods


def methods_hash(interface: type[Interface]) -> int:
    """Return the hash of an interface's methods, which clients send along with each call.

    Args:
        interface: The interface.

    Returns:
        A signed 32-bit number: `ProtocolSignature.getFingerprint` of all methods.
    """
    return _info(interface).methods_hash


def _find_methods(interface: type[Interface]) -> dict[str, Method]:
    found: dict[str, Method] = {}
    keys: dict[tuple[str, ...], str] = {}
    for declaring in declared_versions(interface):
        for attribute, function in vars(declaring).items():
            if attribute.startswith("_") or not inspect.isfunction(function):
                continue
            newest = next(
                one for one in declared_versions(interface) if one.protocol == declaring.protocol
            )
            if attribute not in found:
                made = _method(newest, declaring, attribute, function)
                other = keys.setdefault(made.key, attribute)
                if other != attribute:
                    raise ConfigError(
                        f"{interface.__name__}: {other} and {attribute} are the same to Java"
                    )
                found[attribute] = made
    return found


def declared_versions(interface: type[Interface]) -> list[type[Interface]]:
    """Return an interface and the interfaces that it extends, the newest first.

    Args:
        interface: The interface.

    Returns:
        The interfaces that declare a protocol or a version.

    Raises:
        ConfigError: the class has no protocol, so it is not an interface.
    """
    found = [kind for kind in interface.__mro__ if vars(kind).get("_declared") is kind]
    if not found:
        raise ConfigError(f"{interface.__name__} is not an interface: it names no protocol")
    return found


def signature(interface: type[Interface], client_methods_hash: int) -> ProtocolSignature:
    """Return the answer to a client that queries the signature of an interface.

    Args:
        interface: The interface that the server serves.
        client_methods_hash: `methods_hash` of the client's interface.

    Returns:
        The version, with the fingerprints of the methods if the hashes differ.
    """
    if client_methods_hash == methods_hash(interface):
        return ProtocolSignature(interface.version)
    return ProtocolSignature(interface.version, list(_info(interface).fingerprints))


def java_hash(text: str) -> int:
    """Return the hash of a text by Java's `String.hashCode`.

    Args:
        text: Any text; lone surrogates are allowed.

    Returns:
        A signed 32-bit number.
    """
    hashed = 0
    encoded = text.encode("utf-16-be", "surrogatepass")
    for high, low in zip(encoded[::2], encoded[1::2], strict=True):
        hashed = 31 * hashed + (high << 8 | low) & 0xFFFF_FFFF
    return _int(hashed)


def _int(value: int) -> int:
    """Return a number truncated to a signed 32-bit `int`."""
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _method(
    newest: type[Interface],
    declaring: type[Interface],
    attribute: str,
    function: Callable[..., Any],
) -> Method:
    said: _MethodOptions = getattr(function, "_said", _MethodOptions())
    where = f"{declaring.__name__}.{attribute}"
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise ConfigError(f"{where}: {error}") from error
    called = inspect.signature(function)
    called = called.replace(parameters=list(called.parameters.values())[1:])
    for parameter in called.parameters.values():
        if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
            raise ConfigError(f"{where}: Java has no parameter like {parameter}")
    missing = [name for name in (*called.parameters, "return") if name not in hints]
    if missing:
        raise ConfigError(f"{where}: {missing[0]} has no type annotation")
    parameters: Sequence[Any] = [hints[name] for name in called.parameters]
    messages = None
    if newest.engine == "protobuf":
        if len(parameters) != 1:
            raise ConfigError(f"{where}: a method of protobuf takes one message")
        messages = (
            _message_class(parameters[0], where),
            _message_class(hints["return"], where),
        )
        parameters, result = (), _VOID
    else:
        result = java_class_of(hints["return"], where)
    return Method(
        attribute=attribute,
        name=said.name or _camel_case(attribute),
        parameters=tuple(java_class_of(parameter, where) for parameter in parameters),
        result=result,
        signature=called,
        messages=messages,
        idempotent=said.idempotent,
        at_most_once=said.at_most_once,
        declaring=newest,
    )


_VOID = JavaClass("void")


def java_class_of(annotation: Any, where: str) -> JavaClass:
    """Return the Java class that an annotation stands for.

    Args:
        annotation: A Python type, or an `Annotated` one with a `JavaClass`.
        where: Place of the annotation, for error messages.

    Returns:
        The Java class.

    Raises:
        ConfigError: the annotation stands for no Java class.
    """
    if get_origin(annotation) is Annotated:
        for metadata in get_args(annotation)[1:]:
            if isinstance(metadata, JavaClass):
                return metadata
        return java_class_of(get_args(annotation)[0], where)
    if annotation in _PLAIN:
        return _PLAIN[annotation]
    if get_origin(annotation) is list:
        [element] = get_args(annotation)
        return JavaClass(_array_of(java_class_of(element, where).name))
    if get_origin(annotation) in (typing.Union, types.UnionType):
        others = [one for one in get_args(annotation) if one is not type(None)]
        if len(others) == 1:
            found = java_class_of(others[0], where)
            if found.name in _LETTERS:
                raise ConfigError(f"{where}: Java's {found.name} has no null")
            return found
    if isinstance(annotation, type) and issubclass(annotation, (Writable, Enum)):
        name = getattr(annotation, "java_class", None)
        if name is None:
            raise ConfigError(f"{where}: {annotation.__name__} lacks @java_enum")
        return JavaClass(name)
    hint = (
        "say which of Byte, Short, Int and Long" if annotation is int else "Java has no such type"
    )
    raise ConfigError(f"{where}: {annotation!r}: {hint}")


_PLAIN: dict[Any, JavaClass] = {
    type(None): _VOID,
    None: _VOID,
    bool: JavaClass("boolean"),
    float: JavaClass("double"),
    str: JavaClass("java.lang.String"),
    bytes: JavaClass("[B"),
}
_LETTERS = {
    "boolean": "Z",
    "byte": "B",
    "char": "C",
    "short": "S",
    "int": "I",
    "long": "J",
    "float": "F",
    "double": "D",
}


def _array_of(name: str) -> str:
    if name.startswith("["):
        return f"[{name}"
    return f"[{_LETTERS[name]}" if name in _LETTERS else f"[L{name};"


@dataclass(frozen=True, slots=True)
class _WholeMessages:
    """Wrapper of a message class that rejects messages without their required fields.

    `FromString` of the protobuf library accepts such messages; Java rejects them.
    """

    kind: Any

    def FromString(self, data: bytes) -> Any:  # noqa: N802  # the name that the protobuf library uses
        message = self.kind.FromString(data)
        if not message.IsInitialized():
            missing = ", ".join(message.FindInitializationErrors())
            raise DecodeError(f"{message.DESCRIPTOR.name} has no {missing}", missing)
        return message


def _message_class(kind: Any, where: str) -> Any:
    if kind is bytes:
        return kind
    if not (hasattr(kind, "SerializeToString") and hasattr(kind, "FromString")):
        raise ConfigError(f"{where}: {kind!r} must be a class of messages, or bytes")
    return _WholeMessages(kind) if hasattr(kind, "IsInitialized") else kind


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)
