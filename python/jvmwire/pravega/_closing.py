"""Close behaviour of writers: once all is stored, or at once after an exception."""

from __future__ import annotations

import abc
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, Self, TypeVar

from jvmwire._runtime.cleanup import cleanup_after
from jvmwire._runtime.client import (
    AsyncResource,
    Caller,
    Resource,
    SyncResource,
    operation,
)
from jvmwire.errors import Finished, JvmWireError

if TYPE_CHECKING:
    from jvmwire._runtime.operations import Operation


class Closable(Protocol):
    """Interface of a writer that buffers events until they are stored."""

    def end(self, failure: JvmWireError) -> None:
        """Stop accepting and sending events; pending calls raise `failure`."""


W = TypeVar("W", bound=Closable)


class ClosableWriter(Resource, Generic[W]):
    """Base class of the blocking and the asyncio writers."""

    _noun: ClassVar[str] = "writer"
    """The noun for the writer in the error that calls after `close` raise."""
    _closed = False

    def __init__(self, client: Caller, writer: W) -> None:
        super().__init__(client)
        self._writer = writer

    @abc.abstractmethod
    def _store(self) -> Operation[None]:
        """Wait until all events that were accepted so far are stored."""

    @operation
    def _end(self, *, flush: bool) -> Operation[None]:
        try:
            if flush and not self._closed:
                yield from self._store()
        finally:
            self._closed = True
            self._writer.end(Finished(f"the {self._noun} is closed"))


class SyncClosableWriter(ClosableWriter[W], SyncResource):
    """Blocking writer that is closed by `close` or as a context manager."""

    def close(self) -> None:
        """Wait until all is stored, then close; closing again has no effect."""
        self._end(flush=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        with cleanup_after(error, f"closing the {self._noun}"):
            self._end(flush=error is None)


class AsyncClosableWriter(ClosableWriter[W], AsyncResource):
    """Asyncio writer that is closed by `close` or as an asynchronous context manager."""

    async def close(self) -> None:
        """Wait until all is stored, then close; closing again has no effect."""
        await self._end(flush=True)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, _kind: Any, error: BaseException | None, _traceback: Any) -> None:
        with cleanup_after(error, f"closing the {self._noun}"):
            await self._end(flush=error is None)
