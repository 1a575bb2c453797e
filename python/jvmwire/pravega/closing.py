"""How what writes ends: once all is stored, or at once where an exception came through."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from jvmwire._runtime.client import AsyncCaller, AsyncResource, SyncCaller, SyncResource, operation
from jvmwire.errors import JvmWireError, LocalProtocolError

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation


class Closable(Protocol):
    """What holds events until they are stored."""

    def end(self, failure: JvmWireError) -> None:
        """Take and send nothing more; who waits is thrown `failure`."""


W = TypeVar("W", bound=Closable)


class ClosableWriter(abc.ABC, Generic[W]):
    """What both styles have in common."""

    _writer: W
    _noun: ClassVar[str] = "writer"
    """What it is called once it is closed."""
    _closed = False

    @abc.abstractmethod
    def _store(self) -> Operation[None]:
        """Return once all that was taken so far is stored."""

    @operation
    def _end(self, *, flush: bool) -> Operation[None]:
        try:
            if flush and not self._closed:
                yield from self._store()
        finally:
            self._closed = True
            self._writer.end(LocalProtocolError(f"the {self._noun} is closed"))


class SyncClosableWriter(ClosableWriter[W], SyncResource):
    """Closes for threads; a context manager."""

    def __init__(self, client: SyncCaller, writer: W) -> None:
        super().__init__(client)
        self._writer = writer

    def close(self) -> None:
        """Wait until all is stored, and end. Twice is fine."""
        self._end(flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self._end(flush=exc[0] is None)


class AsyncEnding(ClosableWriter[W], AsyncResource):
    """The same, awaited; an asynchronous context manager."""

    def __init__(self, client: AsyncCaller, writer: W) -> None:
        super().__init__(client)
        self._writer = writer

    async def close(self) -> None:
        """Wait until all is stored, and end. Twice is fine."""
        await self._end(flush=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exc: Any) -> None:
        await self._end(flush=exc[0] is None)
