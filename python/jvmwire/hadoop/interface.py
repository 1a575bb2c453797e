"""The interface that a server and its clients share: a protocol, its version, its methods.

    class Ping(Interface, protocol="ping", version=1):
        def ping(self, message: str) -> str: ...

    class NewPing(Ping, version=2):
        def enterprise_ping(self, company: str, priority: Int) -> str: ...

A newer version is a subclass: it has all methods of the older ones, which are served beside it.
What Java calls a method is its name in camel case, or what `@method` says. Annotations are Java's
types (`jvmwire.hadoop.writable`), or of `engine="protobuf"` classes of messages: whatever has
`SerializeToString` and `FromString`, or `bytes`.
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
from jvmwire.hadoop.writable import Int, Long, ProtocolSignature, Writable

Engine = Literal["writable", "protobuf"]
"""`RPC.RpcKind`: what arguments and results are written by."""

FunctionT = TypeVar("FunctionT", bound=Callable[..., Any])


def method(
    name: str | None = None, *, idempotent: bool = False, at_most_once: bool = False
) -> Callable[[FunctionT], FunctionT]:
    """Say of a method of an interface what its name does not.

    `name` is what Java calls it. A `repeatable` one does and answers the same twice as once:
    clients call it again when a connection is lost. Of one that is `at_most_once` the server
    remembers what it answered, and answers a call that is sent again so; one that failed it
    carries out again.
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
    """Base of interfaces; what implements one may be of any class."""

    protocol: ClassVar[str] = ""
    """What it is called on the wire: `ProtocolInfo.protocolName`."""
    version: ClassVar[int] = 0
    """`ProtocolInfo.protocolVersion`."""
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
    """What is asked of a protocol by clients that want to know its version first.

    Servers answer it for every protocol of the Writable engine by themselves.
    """

    def get_protocol_version(self, protocol: str, client_version: Long) -> Long:
        """Return the version that is served."""
        raise NotImplementedError

    def get_protocol_signature(
        self, protocol: str, client_version: Long, client_methods_hash: Int
    ) -> ProtocolSignature:
        """Return the version that is served, and its methods unless they are the client's too."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, eq=False)
class Method:
    """A method of an interface."""

    attribute: str
    """What Python calls it."""
    name: str
    """What Java calls it."""
    parameters: tuple[JavaClass, ...]
    result: JavaClass
    signature: inspect.Signature
    messages: tuple[Any, Any] | None
    """Of the Protobuf engine: the class of the argument, and of the result."""
    idempotent: bool
    at_most_once: bool
    declaring: type[Interface]
    """The newest interface of its protocol that has it: what a client says that it calls."""
    key: tuple[str, ...] = field(init=False)
    """The name and the classes of the parameters: what a server finds it by."""

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
    """What is found out of an interface once."""

    methods: dict[str, Method]
    fingerprints: tuple[int, ...]
    """In order: `ProtocolSignature.getFingerprints`."""
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
    """Return the methods of an interface by what Python calls them, those of older versions too.

    Raises:
        ConfigError: a method that cannot be called by Java's rules; the message says why.
    """
    return _info(interface).methods


def methods_hash(interface: type[Interface]) -> int:
    """Return `ProtocolSignature.getFingerprint`: what clients say of the interface they know."""
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
    """Return the interface and those that it extends, the newest first.

    Raises:
        ConfigError: it is no interface: it has no protocol.
    """
    found = [kind for kind in interface.__mro__ if vars(kind).get("_declared") is kind]
    if not found:
        raise ConfigError(f"{interface.__name__} has no protocol: it is no interface")
    return found


def signature(interface: type[Interface], client_methods_hash: int) -> ProtocolSignature:
    """Return what a client is told that asks for the signature and says what it knows."""
    if client_methods_hash == methods_hash(interface):
        return ProtocolSignature(interface.version)
    return ProtocolSignature(interface.version, list(_info(interface).fingerprints))


def java_hash(text: str) -> int:
    """Return `String.hashCode`."""
    hashed = 0
    encoded = text.encode("utf-16-be", "surrogatepass")
    for high, low in zip(encoded[::2], encoded[1::2], strict=True):
        hashed = 31 * hashed + (high << 8 | low) & 0xFFFF_FFFF
    return _int(hashed)


def _int(value: int) -> int:
    """Return what is left of a number in an `int`."""
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
        raise ConfigError(f"{where}: the type of {missing[0]} is not said")
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
    """Return the Java class that an annotation says; `where` it stands is for errors.

    Raises:
        ConfigError: it says none.
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
    """A class of protobuf's messages that refuses those without what they must have.

    Its own `FromString` takes them; Java's does not.
    """

    kind: Any

    def FromString(self, data: bytes) -> Any:  # noqa: N802  # protobuf calls it so
        message = self.kind.FromString(data)
        if not message.IsInitialized():
            missing = ", ".join(message.FindInitializationErrors())
            raise DecodeError(f"{message.DESCRIPTOR.name} has no {missing}", missing)
        return message


def _message_class(kind: Any, where: str) -> Any:
    if kind is bytes:
        return kind
    if not (hasattr(kind, "SerializeToString") and hasattr(kind, "FromString")):
        raise ConfigError(f"{where}: {kind!r} is no class of messages, nor bytes")
    return _WholeMessages(kind) if hasattr(kind, "IsInitialized") else kind


def _camel_case(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word[:1].upper() + word[1:] for word in others)
