"""What a server of Hadoop is asked, and what it answers."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from jvmwire._core import HadoopMethod, decode_message, hadoop_methods
from jvmwire.hadoop.namenode.status import FileStatus, decode_file_info
from jvmwire.hadoop.secrets import without_secrets

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmwire._core import HadoopCaller

CLIENT_PROTOCOL = "org.apache.hadoop.hdfs.protocol.ClientProtocol"
"""What HDFS clients call a NameNode's protocol."""


class HadoopCommand(Protocol):
    """One call of a method, or many of the same one."""

    @property
    def method(self) -> str:
        """Its name on the wire."""

    @property
    def idempotent(self) -> bool:
        """Whether carrying it out twice does and answers the same as once."""

    @property
    def expected_replies(self) -> int:
        """How many calls it is."""

    def columns(self) -> dict[str, Sequence[Any]]:
        """Return a value a call for each field of the request."""


class SingleCall:
    """One call. Others are batches, which are answered with their replies undecoded."""

    # No ABC: whether a command is one of these is asked at each call.

    __slots__ = ()

    expected_replies: ClassVar[int] = 1

    def decode(self, payload: bytes) -> Any:
        """Return what the reply says."""
        raise NotImplementedError


class SelfEncodedCall(SingleCall):
    """A lone command that writes its own frame; that of others is written by tables."""

    __slots__ = ()

    @property
    def idempotent(self) -> bool:
        """Whether carrying it out twice does and answers the same as once."""
        raise NotImplementedError

    def encode(self, caller: HadoopCaller, call_id: int, retry: int, state_id: int | None) -> bytes:
        """Return its frame."""
        raise NotImplementedError


@functools.cache
def _methods(protocol: str) -> dict[str, HadoopMethod]:
    return {method.name: method for method in hadoop_methods(protocol)}


def find_method(protocol: str, method: str) -> HadoopMethod:
    """Return what is known of a method.

    Raises:
        ValueError: there is no such protocol, or it has no such method.
    """
    known = _methods(protocol)
    if method not in known:
        raise ValueError(f"{protocol} has no method {method!r}")
    return known[method]


class MessageFields(dict[str, Any]):
    """The fields of a message by their names in snake_case; secrets do not show in its repr."""

    __slots__ = ("_message",)

    def __init__(self, message: str, fields: Mapping[str, Any]) -> None:
        super().__init__(fields)
        self._message = message

    def shown(self) -> dict[str, Any]:
        """Return the fields for others to see: with secrets replaced."""
        return without_secrets(self._message, self)

    def __repr__(self) -> str:
        return repr(self.shown())


class RawMessage(bytes):
    """A message as it came; what is in it does not show."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} bytes>"


@dataclass(frozen=True, slots=True)
class Invocation(SingleCall):
    """A call of any method by its fields; answered with `MessageFields`, or with a `RawMessage`."""

    description: HadoopMethod
    fields: Mapping[str, Any]
    undecoded: bool = False

    @property
    def method(self) -> str:
        return self.description.name

    @property
    def idempotent(self) -> bool:
        return self.description.idempotent

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
    """Asks what stands at a path; answered with a `FileStatus`, or None."""

    method: ClassVar[str] = "getFileInfo"
    idempotent: ClassVar[bool] = True

    path: str

    def columns(self) -> dict[str, Sequence[Any]]:
        return {"src": [self.path]}

    def decode(self, payload: bytes) -> FileStatus | None:
        return decode_file_info(self.path, payload)


@dataclass(frozen=True, slots=True)
class GetFileInfos:
    """Asks what stands at each of many paths."""

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
    """Asks for a page of each of many directories."""

    method: ClassVar[str] = "getListing"
    idempotent: ClassVar[bool] = True

    starts: Sequence[tuple[str, bytes]]
    """Paths, and what the page begins after."""

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
