"""Options shared by all clients: timeouts, connection limits and retries."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar

from jvmwire._checks import WrongType, suggestion, within
from jvmwire._times import to_seconds
from jvmwire.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import timedelta

__all__ = [
    "NEVER",
    "CallReport",
    "ClientOptions",
    "ConnectRetries",
    "Limits",
    "RetryPolicy",
]


CALL_TIMEOUT = 30.0
"""Default seconds for an operation, all its round trips together (chosen by jvmwire)."""
CONNECT_TIMEOUT = 20.0
"""Default seconds for a connection with its handshake (Hadoop: `ipc.client.connect.timeout`)."""
CLOSE_TIMEOUT = 1.0
"""Seconds that `close` waits for calls in flight (chosen by jvmwire)."""


NUMBER = {"number": True}
"""Metadata of a field of type `float` that is not a number of seconds."""
POSITIVE = {"least": 1}
"""Metadata of a field of type `int` that must not be 0."""
MAX_WHOLE = (1 << 63) - 1
"""The largest value of a field of type `int` unless its metadata is `at_most`."""


def at_most(most: int) -> dict[str, int]:
    """Return metadata of a field of type `int` from 0 to a largest value."""
    return {"most": most}


_CLASSES: dict[str, tuple[type, ...]] = {}
"""The classes of this module, which need no metadata, by their names in annotations."""


def of_class(*classes: type) -> dict[str, tuple[type, ...]]:
    """Return metadata of a field whose value, or the items of its list or mapping, are of a class.

    Args:
        *classes: The classes, any of which will do.
    """
    return {"classes": classes}


def _check_number(name: str, value: Any) -> None:
    if isinstance(value, (bool, str, bytes)) or not hasattr(type(value), "__float__"):
        raise WrongType(f"{name} must be a number, got {type(value).__name__}")
    if not value > 0:
        raise ConfigError(f"{name} must be above 0, got {value:g}")


def _check_class(name: str, value: Any, classes: tuple[type, ...]) -> None:
    if not isinstance(value, classes):
        names = " or ".join(each.__name__ for each in classes)
        article = "an" if names[0] in "AEIOU" else "a"
        raise WrongType(f"{name} must be {article} {names}, got {type(value).__name__}")


def _check_items(name: str, value: Any, classes: tuple[type, ...]) -> None:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise WrongType(f"{name} must be a list, got {type(value).__name__}")
    # A generator can be read once only.
    for each in value if classes and isinstance(value, Collection) else ():
        _check_class(f"each of {name}", each, classes)


def _check_mapping(name: str, value: Any, classes: tuple[type, ...]) -> None:
    if not isinstance(value, Mapping):
        raise WrongType(f"{name} must be a dict, got {type(value).__name__}")
    _check_items(name, value.values(), classes)


def check_options(options: Any) -> None:
    """Check the fields of an option object by their annotations, and convert `timedelta`s.

    A `float` is a number of seconds, 0 or more, unless its metadata is `NUMBER`; an `int` is 0 or
    more, with the metadata `POSITIVE` 1 or more, and at most `MAX_WHOLE` or `at_most`. Fields of
    other classes have the metadata `of_class`. Values are not shown: one may be a secret.

    Args:
        options: The instance of a dataclass, just made.

    Raises:
        ConfigError: a value is out of range, or of a wrong type (then also a `TypeError`).
    """
    for each in fields(options):
        kind = str(each.type)
        value = getattr(options, each.name)
        plain = kind.removesuffix(" | None")
        classes = each.metadata.get("classes") or _CLASSES.get(plain, ())
        if value is None and plain != kind:
            continue
        if plain == "float" and "number" in each.metadata:
            _check_number(each.name, value)
        elif plain == "float":
            seconds = to_seconds(each.name, value, optional=plain != kind)
            if seconds is not value:
                object.__setattr__(options, each.name, seconds)
        elif plain == "int":
            least, most = each.metadata.get("least", 0), each.metadata.get("most", MAX_WHOLE)
            within(each.name, value, least, most)
        elif plain == "str" and not isinstance(value, str):
            raise WrongType(f"{each.name} must be a str, got {type(value).__name__}")
        elif plain == "bool" and not isinstance(value, bool):
            raise WrongType(f"{each.name} must be True or False, got {type(value).__name__}")
        elif plain.startswith(("Sequence[", "Iterable[", "frozenset[", "tuple[")):
            _check_items(each.name, value, (str,) if "[str]" in plain else classes)
        elif plain.startswith("Mapping["):
            _check_mapping(each.name, value, classes)
        elif classes:
            _check_class(each.name, value, classes)
        elif kind.startswith("Callable[") and not callable(value):
            raise WrongType(f"{each.name} must be a function, got {type(value).__name__}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits of each connection of a client; a call that would exceed a limit waits.

    Args:
        calls: Maximum calls in flight, 4096 by default.
        bytes_in_flight: Maximum bytes of commands in flight, 64 MiB by default; one command alone
            may exceed it.
        bytes_unsent: Maximum bytes not yet accepted by the transport, 1 MiB by default.

    Raises:
        ConfigError: a limit is less than 1.
    """

    calls: int = field(default=4096, metadata=POSITIVE)
    """Maximum calls in flight (chosen by jvmwire)."""
    bytes_in_flight: int = field(default=64 << 20, metadata=POSITIVE)
    """Maximum bytes of commands in flight; one command alone may exceed it (chosen by jvmwire)."""
    bytes_unsent: int = field(default=1 << 20, metadata=POSITIVE)
    """Maximum bytes not yet accepted by the transport (chosen by jvmwire)."""

    def __post_init__(self) -> None:
        check_options(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetryPolicy:
    """Number of attempts and exponential backoff for operations that are safe to repeat.

    Args:
        attempts: Maximum attempts including the first, 5 by default.
        first_wait: Seconds before the second attempt, 0.05 by default.
        longest_wait: Maximum seconds of a wait, 5 by default.
        factor: Ratio of each wait to the one before, 2 by default.
        jitter: Maximum random seconds added to each wait, 0.05 by default.

    Raises:
        ConfigError: `attempts` is less than 1, or a wait is negative.
    """

    attempts: int = field(default=5, metadata=POSITIVE)
    """Maximum number of attempts, including the first."""
    first_wait: float = 0.05
    """Seconds before the second attempt; each later wait is `factor` times as long."""
    longest_wait: float = 5.0
    """Maximum seconds of a wait."""
    factor: float = field(default=2.0, metadata=NUMBER)
    jitter: float = 0.05
    """Maximum random seconds that are added to each wait."""

    def __post_init__(self) -> None:
        check_options(self)

    def waits(self) -> Iterator[float]:
        """Yield the seconds to wait before the second attempt, the third and so on.

        Yields:
            Seconds, one less than the number of attempts.
        """
        wait = self.first_wait
        for _ in range(1, self.attempts):
            jitter = random.uniform(0.0, self.jitter)  # noqa: S311 - not for secrets
            yield max(0.0, min(wait + jitter, self.longest_wait))
            if wait < self.longest_wait or self.factor < 1:  # else it would grow without limit
                wait *= self.factor


@dataclass(frozen=True, slots=True, kw_only=True)
class ConnectRetries:
    """Number of reconnection attempts per server before it is given up or another server is tried.

    Args:
        failures: Attempts after the server could not be reached, each after `wait` seconds.
        timeouts: Attempts after the server did not answer in time, without a wait.
        wait: Seconds before an attempt after a failure, 1 by default.
    """

    failures: int
    timeouts: int
    wait: float = 1.0
    """Seconds before an attempt after a failure."""

    def __post_init__(self) -> None:
        check_options(self)


NEVER = RetryPolicy(attempts=1)
"""Policy of a single attempt."""


class CallReport(NamedTuple):
    """The outcome of one call of a client.

    Args:
        name: Name of the client's method.
        seconds: Duration of the call in seconds.
        commands: Number of commands sent for the call, repetitions included.
        error: The error that the call raised; None if it succeeded.
        system: System of the client: `hadoop`, `hazelcast` or `pravega`. Default: empty.
        client: Name of the client's class, such as `HazelcastClient`. Default: empty.
        host: Host of the server to which the last command was sent. Default: None, if none was
            sent, or not by TCP.
        port: Port of that server. Default: None.
    """

    name: str
    seconds: float
    commands: int
    error: BaseException | None
    system: str = ""
    client: str = ""
    host: str | None = None
    port: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientOptions:
    """Options of every client.

    Args:
        timeout: Seconds for a call, all its round trips together, 30 by default; for an iterator,
            seconds per item. None disables the timeout.
        limits: Limits of each connection.
        on_call: Called with a `CallReport` after each call.
        trace: Whether commands and events are logged.

    Raises:
        ConfigError: a value is out of its range or of a wrong type.
    """

    timeout: float | None = CALL_TIMEOUT
    """Seconds for a call, all its round trips together; for an iterator, seconds per item."""
    limits: Limits = field(default_factory=Limits)
    on_call: Callable[[CallReport], None] | None = None
    """Called after each call, in the calling thread or task: for metrics and spans."""
    trace: bool = False
    """Whether the logger `jvmwire.wire` logs all commands and events at DEBUG, secrets masked."""

    def __post_init__(self) -> None:
        check_options(self)


_CLASSES.update((each.__name__, (each,)) for each in (Limits, RetryPolicy, ConnectRetries))
OptionsT = TypeVar("OptionsT", bound=ClientOptions)


class ClientKeywords(TypedDict, total=False):
    """Options that every client takes as keyword arguments: the fields of `ClientOptions`."""

    timeout: float | timedelta | None
    limits: Limits
    on_call: Callable[[CallReport], None] | None
    trace: bool


def merge_options(
    kind: type[OptionsT], options: OptionsT | None, keywords: Mapping[str, Any]
) -> OptionsT:
    """Return the options of a client from its option object and its keyword arguments.

    Args:
        kind: The class of the options.
        options: The option object of the caller, or None.
        keywords: Fields of the options, which take precedence.

    Returns:
        The options.

    Raises:
        ConfigError: a value is wrong.
        TypeError: `options` is of another class, or there is no such option.
    """
    if options is not None and not isinstance(options, kind):
        hint = ': a port is written in the address, as "host:port"'
        raise TypeError(
            f"options must be {kind.__name__} or keyword arguments, got {type(options).__name__}"
            f"{hint if isinstance(options, int) else ''}"
        )
    known = [each.name for each in fields(kind)]
    for name in keywords:
        if name not in known:
            hint = suggestion(name, known) or f": there are {', '.join(known)}"
            raise TypeError(f"there is no option {name!r}{hint}")
    if options is None:
        return kind(**keywords)
    return replace(options, **keywords) if keywords else options
