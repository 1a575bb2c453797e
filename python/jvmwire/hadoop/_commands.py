"""Commands of Hadoop clients: the fields of a request and the decoding of its reply."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from jvmwire._core import HadoopMethod, decode_message, hadoop_methods
from jvmwire.hadoop._secrets import without_secrets
from jvmwire.hadoop.namenode._status import FileStatus, decode_file_info

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmwire._core import HadoopCaller

CLIENT_PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol"
"""The name of the NameNode's client protocol on the wire."""


class HadoopCommand(Protocol):
    """One call of a method, or many calls of the same method."""

    @property
    def method(self) -> str:
        """The name of the method on the wire."""

    @property
    def idempotent(self) -> bool:
        """Whether a second execution has the effect and the result of the first."""

    @property
    def expected_replies(self) -> int:
        """The number of calls, each of which gets one reply."""

    def columns(self) -> dict[str, Sequence[Any]]:
        """Return the fields of the requests, each with one value per call.

        Returns:
            Sequences of `expected_replies` values by the names of the fields in snake_case.
        """


class SingleCall:
    """Command of one call; other commands are batches, whose replies arrive undecoded."""

    # Not an ABC, since each call tests whether its command is an instance of this class.

    __slots__ = ()

    expected_replies: ClassVar[int] = 1

    @property
    def path(self) -> str | None:
        """The path that the call is about, for errors; None if it is about none."""
        return None

    def decode(self, payload: bytes) -> Any:
        """Return the result that a reply contains.

        Args:
            payload: The reply after its header.

        Returns:
            The decoded result.
        """
        raise NotImplementedError


class SelfEncodedCall(SingleCall):
    """Single call that encodes its own frame; the Rust core encodes those of other commands."""

    __slots__ = ()

    @property
    def idempotent(self) -> bool:
        """Whether a second execution has the effect and the result of the first."""
        raise NotImplementedError

    def encode(self, caller: HadoopCaller, call_id: int, retry: int, state_id: int | None) -> bytes:
        """Return the frame of the call.

        Args:
            caller: The encoder of the connection.
            call_id: Number of the call on the connection.
            retry: Number of earlier tries.
            state_id: Last state id that the client has seen; None sends none.

        Returns:
            The bytes to send.
        """
        raise NotImplementedError


@functools.cache
def _methods(protocol: str) -> dict[str, HadoopMethod]:
    return {method.name: method for method in hadoop_methods(protocol)}


def find_method(protocol: str, method: str) -> HadoopMethod:
    """Return the description of a method.

    Args:
        protocol: Name of the protocol on the wire.
        method: Name of the method on the wire.

    Returns:
        The description: the request and response messages, and whether retries are safe.

    Raises:
        ValueError: there is no such protocol, or it has no such method.
    """
    known = _methods(protocol)
    if method not in known:
        raise ValueError(f"{protocol} has no method {method!r}")
    return known[method]


class MessageFields(dict[str, Any]):
    """Fields of a message by their names in snake_case; the repr hides secrets."""

    __slots__ = ("_message",)

    def __init__(self, message: str, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self._message = message

    def shown(self) -> dict[str, Any]:
        """Return the fields with secrets replaced, for logs and reports.

        Returns:
            A new dict of the same fields.
        """
        return without_secrets(self._message, self)

    def __repr__(self) -> str:
        return repr(self.shown())


class RawMessage(bytes):
    """Undecoded message; its repr shows only the length."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} bytes>"


@dataclass(frozen=True, slots=True)
class Invocation(SingleCall):
    """Call of any method by its fields, answered with `MessageFields` or with a `RawMessage`."""

    description: HadoopMethod
    fields: Mapping[str, Any]
    undecoded: bool = False

    @property
    def method(self) -> str:
        return self.description.name

    @property
    def idempotent(self) -> bool:
        return self.description.idempotent

    @property
    def path(self) -> str | None:
        path = self.fields.get("src")
        return path if isinstance(path, str) else None

    def columns(self) -> dict[str, Sequence[Any]]:
        return {name: [value] for name, value in self.fields.items() if value is not None}

    def decode(self, payload: bytes) -> MessageFields | RawMessage:
        if self.undecoded:
            return RawMessage(payload)
        response = self.description.response
        return MessageFields(response, decode_message(response, payload))

    def __repr__(self) -> str:
        return f"<{self.method} {without_secrets(self.description.request, self.fields)}>"


@dataclass(frozen=True, slots=True)
class GetFileInfo(SingleCall):
    """Call of `getFileInfo` for one path, answered with a `FileStatus` or None."""

    method: ClassVar[str] = "getFileInfo"
    idempotent: ClassVar[bool] = True

    path: str

    def columns(self) -> dict[str, Sequence[Any]]:
        return {"src": [self.path]}

    def decode(self, payload: bytes) -> FileStatus | None:
        return decode_file_info(self.path, payload)


@dataclass(frozen=True, slots=True)
class GetFileInfos:
    """Calls of `getFileInfo` for many paths."""

    method: ClassVar[str] = "getFileInfo"
    idempotent: ClassVar[bool] = True

    paths: Sequence[str]

    @property
    def expected_replies(self) -> int:
        return len(self.paths)

    def columns(self) -> dict[str, Sequence[Any]]:
        return {"src": self.paths}

    def __repr__(self) -> str:
        return f"<GetFileInfos of {len(self.paths)} paths>"


@dataclass(frozen=True, slots=True)
class GetListings:
    """Calls of `getListing` for a page of each of many directories."""

    method: ClassVar[str] = "getListing"
    idempotent: ClassVar[bool] = True

    starts: Sequence[tuple[str, bytes]]
    """The path of each directory, and the name after which the page begins."""

    @property
    def expected_replies(self) -> int:
        return len(self.starts)

    def columns(self) -> dict[str, Sequence[Any]]:
        return {
            "src": [path for path, _ in self.starts],
            "start_after": [start_after for _, start_after in self.starts],
            "need_location": [False] * len(self.starts),
        }

    def __repr__(self) -> str:
        return f"<GetListings of {len(self.starts)} pages>"
